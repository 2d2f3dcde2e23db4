//! CreatePod of a backend as its data says: one interpreter for the built-in backends and for packs.

use super::annotate::supply;
use super::create::{CreatePod, Failure, STATUS, choice, rewrite};
use super::effect::{self, running_outcome, severity};
use super::words::{fill, meant_number, near};
use crate::contract::{
    AnnotationSpec, Check, Direction, Judgement, Level, Otherwise, Statement, When, has_placeholder,
};
use crate::finding::{Applicability, Finding, Severity, Spot};
use crate::go;
use crate::policy::condition;
use crate::rule::{self, Rule};
use crate::yaml::Node;
use std::collections::HashMap;

/// The answers to the conditions of a backend, by their source.
pub struct Answers<'b>(HashMap<&'b str, Result<bool, String>>);

impl<'b> Answers<'b> {
    fn of(create: &CreatePod<'b, '_, '_>) -> Self {
        let backend = create.backend;
        let of_annotations = backend.annotations.iter().flat_map(|spec| {
            let effects = spec.effects.iter().filter_map(|effect| effect.when.as_ref());
            spec.required_when.iter().chain(effects)
        });
        let all: Vec<_> =
            of_annotations.chain(backend.checks.iter().map(|check| &check.when)).map(When::expression).collect();
        let answers = condition::decide(&all, &create.subject.plan, &create.subject.stored);
        Self(all.iter().map(|expression| expression.source.as_str()).zip(answers).collect())
    }

    /// Whether a condition holds. One that has no answer is reported; one that looks at an annotation whose value is
    /// still to be filled in does not hold.
    pub fn hold(&self, create: &mut CreatePod<'_, '_, '_>, when: &When, spot: Spot) -> bool {
        let source = when.expression().source.as_str();
        let open = |key: &str, value: &str| has_placeholder(value) && source.contains(key);
        if create.subject.plan.annotations.iter().any(|meta| open(&meta.key, &meta.value)) {
            return false;
        }
        match self.0.get(source) {
            Some(Ok(holds)) => *holds,
            Some(Err(reason)) => {
                let message =
                    format!("a condition of {} does not decide about this Pod: {reason}", create.backend.provider);
                let help = format!("let the condition ask has(…) or use optional fields first: {}", source.trim());
                create.out.add(&rule::UNDECIDED_HOUSE_RULE, spot, message).help(help);
                false
            }
            None => false,
        }
    }
}

/// Judges one Pod in the order of the data. `judged` leaves out annotations that a hook judges.
pub fn check<'a>(create: &mut CreatePod<'a, '_, '_>, judged: &dyn Fn(&str) -> bool) {
    let backend = create.backend;
    let answers = Answers::of(create);
    let specs = || backend.annotations.iter().filter(|spec| judged(&spec.key));
    for spec in specs() {
        let before = backend.checks.iter().filter(|check| check.before.as_ref() == Some(&spec.key));
        before.for_each(|check| run_check(create, check, &answers));
        missing_annotation(create, spec, &answers);
        refused_annotation(create, spec);
    }
    let last = backend.checks.iter().filter(|check| check.before.as_deref().is_none_or(|key| !judged(key)));
    last.for_each(|check| run_check(create, check, &answers));
    for spec in specs() {
        effect::check(create, spec, &answers);
    }
}

/// The rule and texts of a statement, else the usual ones.
fn said(
    create: &CreatePod<'_, '_, '_>,
    spec: &AnnotationSpec,
    statement: Option<&Statement>,
    usual: (&'static Rule, String, String),
) -> (&'static Rule, String, String) {
    let text = |own: Option<&String>, usual: String| own.map_or(usual, |format| fill(create, Some(spec), format));
    let rule = statement.and_then(|statement| statement.rule).map_or(usual.0, |name| name.0);
    let message = text(statement.and_then(|statement| statement.message.as_ref()), usual.1);
    (rule, message, text(statement.and_then(|statement| statement.help.as_ref()), usual.2))
}

fn missing_annotation(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec, answers: &Answers<'_>) {
    if create.text(&spec.key).is_some() || !is_required(create, spec, answers) {
        return;
    }
    let plan = &create.subject.plan;
    let usual = (
        &rule::MISSING_ANNOTATION,
        format!("the annotation {} is {}; {} needs it", spec.key, create.state(&spec.key), create.backend.provider),
        format!("write {} under {}.annotations: {}", spec.key, plan.metadata_path, spec.summary),
    );
    let (rule, message, help) = said(create, spec, spec.on_missing.as_ref(), usual);
    let words = create.words(spec.missing.as_ref(), spec);
    create.fail(Failure { rule, spot: create.spot(&spec.key), message, words, help, shown_on: STATUS });
    let value = spec.supply.as_ref().map(|format| fill(create, Some(spec), format));
    if let Some(value) = value.filter(|value| !value.is_empty() && spec.judge(value) == Judgement::Known) {
        supply(create, &spec.key, &value);
    }
}

fn is_required(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec, answers: &Answers<'_>) -> bool {
    let lifted = |key: &str, value: &str| create.text(key) == Some(value);
    if spec.required || spec.required_unless.as_ref().is_some_and(|unless| !lifted(&unless.key, &unless.value)) {
        return true;
    }
    let spot = create.spot(&spec.key);
    spec.required_when.as_ref().is_some_and(|when| answers.hold(create, when, spot))
}

fn refused_annotation(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec) {
    let text = create.source();
    let Some(meta) = create.annotation(&spec.key).filter(|_| spec.direction == Direction::In) else { return };
    let Some(finding) = judge_value(create, spec, &meta.value) else { return };
    if let Some(number) = meant_number(spec, &meta.value) {
        rewrite(finding, text, meta, Applicability::Unsafe, &number);
    } else if let Some(value) = near(spec, &meta.value) {
        rewrite(finding, text, meta, safety(&meta.value, value), value);
    }
}

/// The finding about a value that is not taken as it is, or not by every release.
fn judge_value<'f>(
    create: &'f mut CreatePod<'_, '_, '_>,
    spec: &AnnotationSpec,
    value: &str,
) -> Option<&'f mut Finding> {
    let judgement = spec.judge(value);
    if matches!(judgement, Judgement::Known | Judgement::Open) {
        return None;
    }
    let (key, quoted, provider) = (&spec.key, go::quote(value), &create.backend.provider);
    let values = choice(spec.known_values());
    let help = if values.is_empty() { spec.summary.clone() } else { format!("write {values}") };
    let usual = |message: String| (&rule::REFUSED_ANNOTATION, message, help.clone());
    if judgement == Judgement::Newer {
        let usual = usual(format!("{key} {quoted} is known to newer releases of {provider} only"));
        let (rule, message, help) = said(create, spec, spec.on_newer.as_ref(), usual);
        let words = create.words(spec.refused.as_ref(), spec);
        let spot = create.spot(key);
        let predicted = spec.on_newer.as_ref().is_some_and(|statement| statement.predicted);
        let outcome = predicted.then(|| create.outcome(words).uncertain());
        outcome.iter().for_each(|outcome| create.out.stop(outcome.clone()));
        let finding = create.out.add(rule, spot, message).severity(Severity::Warning).help(help);
        finding.outcome = outcome;
        return None;
    }
    match spec.otherwise {
        Otherwise::Accepted => None,
        Otherwise::Default => {
            let default = spec.default.as_deref().unwrap_or("its default");
            let usual = usual(format!("{key} is {quoted}, which {provider} does not know; it uses {default}"));
            let (rule, message, help) = said(create, spec, spec.on_refused.as_ref(), usual);
            let spot = create.spot(key);
            Some(create.out.add(rule, spot, message).severity(Severity::Warning).help(help))
        }
        Otherwise::Refused => {
            let usual = usual(format!("{key} is {quoted}, which {provider} refuses"));
            let (rule, message, help) = said(create, spec, spec.on_refused.as_ref(), usual);
            let help = meant_number(spec, value).map_or(help, |number| format!("write \"{number}\""));
            let words = create.words(spec.refused.as_ref(), spec);
            let spot = create.spot(key);
            Some(create.fail(Failure { rule, spot, message, words, help, shown_on: STATUS }))
        }
    }
}

/// A value that differs in blanks and case alone is what the author meant.
fn safety(written: &str, value: &str) -> Applicability {
    if written.trim().eq_ignore_ascii_case(value) { Applicability::Safe } else { Applicability::Unsafe }
}

fn run_check(create: &mut CreatePod<'_, '_, '_>, check: &Check, answers: &Answers<'_>) {
    let (spot, open) = place(create, check);
    if open || !answers.hold(create, &check.when, spot.clone()) {
        return;
    }
    let spec = check.annotation.as_ref().and_then(|key| create.spec(key));
    let text = |format: &String| fill(create, spec, format);
    let message = text(&check.message);
    let help = check.help.as_ref().map(text);
    let words = check.words.as_ref().map_or_else(|| "<the provider's words>".into(), text);
    let rule = &rule::REFUSED_POD;
    if check.level == Level::Error {
        let help = help.unwrap_or_else(|| format!("change what the check {} of the contract names", check.name));
        create.fail(Failure { rule, spot, message, words, help, shown_on: STATUS });
        return;
    }
    let outcome = match &check.outcome {
        Some(outcome) => Some(running_outcome(create, spec, outcome)),
        None => check.words.as_ref().map(|_| create.outcome(words).uncertain()),
    };
    let finding = create.out.add(rule, spot, message).severity(severity(check.level));
    finding.outcome = outcome;
    if let Some(help) = help {
        finding.help(help);
    }
}

/// Where a check points, and whether a value there is still to be filled in.
fn place(create: &CreatePod<'_, '_, '_>, check: &Check) -> (Spot, bool) {
    let plan = &create.subject.plan;
    if let Some(key) = &check.annotation {
        return (create.spot(key), create.text(key).is_some_and(has_placeholder));
    }
    let field = check.field.as_deref().unwrap_or_default();
    let (mut node, mut span) = (&plan.spec, plan.spec.place());
    for step in field.split(['.', '[', ']']).filter(|step| !step.is_empty()) {
        let next = match step.parse::<usize>() {
            Ok(at) => node.items().nth(at).map(|item| (item, item.place())),
            Err(_) => node.entry(step).map(|entry| (&entry.value, entry.key_span)),
        };
        let Some((inner, at)) = next else { break };
        (node, span) = (inner, at);
    }
    let scalar = node.as_map().is_none() && node.as_seq().is_none();
    let span = if scalar { node.place() } else { span };
    (Spot::new(span, plan.path(field)), !field.is_empty() && holds_placeholder(node))
}

fn holds_placeholder(node: &Node<'_>) -> bool {
    node.as_str().is_some_and(has_placeholder)
        || node.items().any(holds_placeholder)
        || node.entries().any(|entry| holds_placeholder(&entry.value))
}
