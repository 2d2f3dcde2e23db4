//! Judges one resource by the policies.

use super::budget::{Budget, OUT_OF_STEPS};
use super::expression::{Expression, STACK};
use super::target::Target;
use super::{HouseRule, Origin, Policies, library, value};
use crate::contract::has_placeholder;
use crate::finding::{Finding, Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::predict::{Evaluated, Evaluation, Prediction};
use crate::resource::pod::PodPlan;
use crate::resource::{Kind, Resource, Workload};
use crate::rule::{HOUSE_RULE, UNDECIDED_HOUSE_RULE};
use crate::yaml::{Node, Span};
use cel::{Context, ExecutionError, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest text that `messageExpression` makes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// Judges a resource, and the Pod that comes of it, after its evaluation; what is found joins the evaluation's findings.
pub fn check(policies: &Policies, evaluation: &mut Evaluation<'_>) {
    if policies.rules.is_empty() {
        return;
    }
    let mut out = Vec::new();
    for judge in [Judge::of_resource(evaluation), Judge::of_pod(evaluation)].into_iter().flatten() {
        let meant = |rule: &&HouseRule| judge.is_meant(rule);
        let rules: Vec<&HouseRule> = policies.rules.iter().filter(meant).collect();
        if !rules.is_empty() {
            out.append(&mut judge.apply_on_deep_stack(&rules));
        }
    }
    evaluation.findings.append(&mut out);
}

/// An object and the place it was written at.
struct Judge<'j, 's> {
    evaluation: &'j Evaluation<'s>,
    resource: &'j Resource<'s>,
    /// The resource as stored, or as written where the API server refuses it.
    object: &'j Node<'s>,
    plan: Option<&'j PodPlan<'s>>,
    /// What is judged: the resource or its Pod.
    target: Target,
    is_pod: bool,
}

/// An object as the expressions see it.
pub(super) struct Evaluator {
    pub(super) budget: Budget,
    pub(super) context: Context<'static, 'static>,
}

/// How an evaluation ends.
pub(super) enum Verdict {
    /// The expression is true.
    Holds,
    /// It is false.
    Broken,
    /// It has no answer.
    Undecided(String),
}

impl Evaluator {
    fn new(judge: &Judge<'_, '_>) -> Self {
        let budget = Budget::default();
        let mut context = library::context(&budget);
        let mut set = |name: &str, value: Value| context.add_variable_from_value(name, value);
        let pod = judge.plan.map(value::from_plan);
        match pod.clone().filter(|_| judge.is_pod) {
            Some(pod) => set("object", pod),
            None => set("object", value::from_node(judge.object)),
        }
        set("oldObject", Value::Null);
        set("request", request(&judge.target));
        if let Some(pod) = pod {
            set("pod", pod);
            set("prediction", prediction(&judge.evaluation.prediction));
        }
        Self { budget, context }
    }

    pub(super) fn decide(&self, expression: &Expression) -> Verdict {
        match self.evaluate(expression) {
            Ok(Value::Bool(true)) => Verdict::Holds,
            Ok(Value::Bool(false)) => Verdict::Broken,
            Ok(other) => Verdict::Undecided(format!("its value is of type {}, not bool", other.type_of())),
            Err(reason) => Verdict::Undecided(reason),
        }
    }

    fn evaluate(&self, expression: &Expression) -> Result<Value, String> {
        self.budget.refill();
        let run = || Value::resolve(&expression.paying, &self.context);
        let result = catch_unwind(AssertUnwindSafe(run));
        if self.budget.is_spent() {
            return Err(OUT_OF_STEPS.into());
        }
        result.map_err(|_| "the evaluation breaks down".to_owned())?.map_err(|error| reason(&error))
    }
}

impl<'j, 's> Judge<'j, 's> {
    fn of_resource(evaluation: &'j Evaluation<'s>) -> Option<Self> {
        let evaluated = evaluation.evaluated.as_deref()?;
        let resource = evaluated.resource();
        let (plan, object) = match evaluated {
            Evaluated::Pod(subject) => (Some(&subject.plan), &subject.stored),
            Evaluated::Other { stored, .. } => (None, stored.as_ref().unwrap_or(&resource.root)),
        };
        Some(Self { evaluation, resource, object, plan, target: Target::of_resource(resource), is_pod: false })
    }

    /// The Pod that a controller creates, for policies that look at Pods; a Pod that is written is a resource.
    fn of_pod(evaluation: &'j Evaluation<'s>) -> Option<Self> {
        let Evaluated::Pod(subject) = evaluation.evaluated.as_deref()? else { return None };
        let resource = &subject.resource;
        let written = resource.kind == Kind::Workload(Workload::Pod);
        let target = Target::of_pod(&subject.plan);
        (!written).then_some(Self {
            evaluation,
            resource,
            object: &subject.stored,
            plan: Some(&subject.plan),
            target,
            is_pod: true,
        })
    }

    /// Whether a rule looks at this object. A house rule looks at a controller's Pod through the resource alone.
    fn is_meant(&self, rule: &HouseRule) -> bool {
        !(self.is_pod && rule.origin == Origin::House) && rule.scopes.iter().all(|scope| scope.includes(&self.target))
    }

    /// Whether the API server refuses the resource before any policy sees it.
    fn is_refused(&self) -> bool {
        self.plan.is_none() && std::ptr::eq(self.object, &self.resource.root)
    }

    /// Evaluation descends with the nesting of an expression, further than an ordinary thread's stack allows.
    fn apply_on_deep_stack(&self, rules: &[&HouseRule]) -> Vec<Finding> {
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.apply_all(rules));
            match worker.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(findings)) => findings,
                Ok(Err(_)) => self.give_up(rules, "the evaluation breaks down"),
                Err(error) => self.give_up(rules, &error.to_string()),
            }
        })
    }

    fn give_up(&self, rules: &[&HouseRule], reason: &str) -> Vec<Finding> {
        let mut out = self.findings();
        rules.iter().for_each(|rule| self.undecided(rule, &rule.expression, reason, &mut out));
        out.list
    }

    fn findings(&self) -> Findings {
        let prediction = &self.evaluation.prediction;
        Findings::new(prediction.file, Some(prediction.document), Some(prediction.resource.clone()))
    }

    fn apply_all(&self, rules: &[&HouseRule]) -> Vec<Finding> {
        let mut out = self.findings();
        let evaluator = Evaluator::new(self);
        for rule in rules {
            self.apply(rule, &evaluator, &mut out);
        }
        let hidden = self.is_refused();
        out.list.iter_mut().for_each(|finding| finding.later |= hidden);
        out.list
    }

    fn apply(&self, rule: &HouseRule, evaluator: &Evaluator, out: &mut Findings) {
        let needs_pod = |expression: &Expression| expression.uses("pod") || expression.uses("prediction");
        if self.plan.is_none() && rule.conditions.iter().chain([&rule.expression]).any(needs_pod) {
            return;
        }
        for condition in &rule.conditions {
            match evaluator.decide(condition) {
                Verdict::Holds => {}
                Verdict::Broken => return,
                Verdict::Undecided(reason) => return self.undecided(rule, condition, &reason, out),
            }
        }
        match evaluator.decide(&rule.expression) {
            Verdict::Holds => {}
            Verdict::Broken => self.broken(rule, evaluator, out),
            Verdict::Undecided(reason) => self.undecided(rule, &rule.expression, &reason, out),
        }
    }

    /// A breach; none is reported where the value is still to be filled in.
    fn broken(&self, rule: &HouseRule, evaluator: &Evaluator, out: &mut Findings) {
        let (spot, node) = self.spot(rule);
        if rule.field.is_some() && node.is_some_and(holds_placeholder) {
            return;
        }
        let (message, words) = message(rule, evaluator);
        let finding = out.add(&HOUSE_RULE, spot, message).severity(rule.severity);
        finding.policy = Some(rule.name.clone());
        if let Some(help) = &rule.help {
            finding.help(help);
        }
        if let Origin::Admission { policy, binding, .. } = &rule.origin {
            finding.outcome(self.denial(policy, binding.as_deref(), &words));
        }
    }

    /// An expression without an answer: a finding of its own, or a breach where a policy fails closed.
    fn undecided(&self, rule: &HouseRule, expression: &Expression, reason: &str, out: &mut Findings) {
        if self.is_refused() {
            return;
        }
        let (spot, _) = self.spot(rule);
        let source = shortened(&expression.source);
        match &rule.origin {
            Origin::Admission { policy, binding, fail_closed: true } => {
                let words = format!("expression '{source}' resulted in error: {reason}");
                let finding = out.add(&HOUSE_RULE, spot, format!("{}: {words}", rule.name)).severity(rule.severity);
                finding.policy = Some(rule.name.clone());
                finding.outcome(self.denial(policy, binding.as_deref(), &words));
            }
            Origin::Admission { fail_closed: false, .. } => {}
            Origin::House => {
                let message = format!("{} does not decide about this resource: {reason}", rule.name);
                let finding = out.add(&UNDECIDED_HOUSE_RULE, spot, message);
                finding.help(format!("let the rule ask has(…) or use optional fields first: {source}"));
                finding.policy = Some(rule.name.clone());
            }
        }
    }

    /// The place of a breach: the rule's field, or the nearest one above it that is written.
    fn spot(&self, rule: &HouseRule) -> (Spot, Option<&Node<'s>>) {
        let root =
            || Spot::new(self.name_span(), self.resource.path("metadata").trim_end_matches(".metadata").to_owned());
        let Some(field) = &rule.field else { return (self.whole(), None) };
        let path = match (field.strip_prefix("pod.spec"), field.strip_prefix("pod.metadata"), self.plan) {
            (Some(rest), _, Some(plan)) => format!("{}{rest}", plan.spec_path),
            (_, Some(rest), Some(plan)) => format!("{}{rest}", plan.metadata_path),
            _ => self.resource.path(field.strip_prefix("object.").unwrap_or(field)),
        };
        let inside = match self.resource.prefix.as_str() {
            "" => path.as_str(),
            prefix => path.strip_prefix(prefix).map_or(path.as_str(), |rest| rest.trim_start_matches('.')),
        };
        let mut node = self.object;
        let mut place = None;
        for step in steps(inside) {
            let next = match step.parse::<usize>() {
                Ok(at) => node.as_seq().and_then(|items| items.get(at)).map(|item| (item.place(), item)),
                Err(_) => node.entry(step).map(|entry| (entry.key_span, &entry.value)),
            };
            let Some((span, below)) = next else {
                return (place.map_or_else(root, |span| Spot::new(span, path.clone())), None);
            };
            place = Some(if below.as_map().is_some() || below.as_seq().is_some() { span } else { below.place() });
            node = below;
        }
        (Spot::new(place.unwrap_or(node.place()), path), Some(node))
    }

    /// What a denied request is answered (API server, ValidatingAdmissionPolicy).
    fn denial(&self, policy: &str, binding: Option<&str>, words: &str) -> Outcome {
        let binding = binding.unwrap_or("<binding>");
        let words = format!("ValidatingAdmissionPolicy '{policy}' with binding '{binding}' denied request: {words}");
        let outcome = if self.is_pod {
            let message = format!("pods \"{}\" is forbidden: {words}", self.target.name);
            Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod).message(message).reason("ReconcilerError")
        } else {
            Outcome::new(Stage::Admission, Shown::None, Phase::Rejected).message(words).shown_on("kubectl's error")
        };
        outcome.uncertain()
    }

    fn whole(&self) -> Spot {
        Spot::new(self.name_span(), self.resource.prefix.clone())
    }

    fn name_span(&self) -> Span {
        let root = &self.resource.root;
        let name = root.at(&["metadata", "name"]).map(Node::place);
        name.or_else(|| root.entry("kind").map(|entry| entry.value.place())).unwrap_or(root.place())
    }
}

/// The finding's message, and the words that the API server would use.
fn message(rule: &HouseRule, evaluator: &Evaluator) -> (String, String) {
    let made = rule.message_expression.as_ref().and_then(|expression| match evaluator.evaluate(expression) {
        Ok(Value::String(text)) => Some(text.trim().to_owned()),
        _ => None,
    });
    let usable = |text: &String| !text.is_empty() && !text.contains('\n') && text.len() <= LONGEST_MESSAGE;
    let words = made
        .filter(usable)
        .or_else(|| rule.message.as_ref().map(|message| message.trim().to_owned()))
        .unwrap_or_else(|| format!("failed expression: {}", rule.expression.source.trim()));
    (format!("{}: {words}", rule.name), words)
}

/// The steps of a field path: `a.b[0]["x.y/z"]`.
fn steps(path: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (step, after) = inside.split_once(']').unwrap_or((inside, ""));
            steps.push(step.trim_matches(['"', '\'']));
            rest = after.strip_prefix('.').unwrap_or(after);
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(&rest[..end]);
            rest = rest[end..].strip_prefix('.').unwrap_or(&rest[end..]);
        }
    }
    steps
}

fn holds_placeholder(node: &Node<'_>) -> bool {
    let text = node.as_str().is_some_and(has_placeholder);
    text || node.items().any(holds_placeholder) || node.entries().any(|entry| holds_placeholder(&entry.value))
}

fn reason(error: &ExecutionError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    shortened(&first.into_iter().chain(letters).collect::<String>())
}

fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What is known of the request that creates an object.
fn request(target: &Target) -> Value {
    let named = |field: &str, name: &str| {
        value::map([
            ("group".to_owned(), value::text(&target.group)),
            ("version".to_owned(), value::text(&target.version)),
            (field.to_owned(), value::text(name)),
        ])
    };
    value::map([
        ("operation".to_owned(), value::text("CREATE")),
        ("kind".to_owned(), named("kind", &target.kind)),
        ("resource".to_owned(), named("resource", &target.plural())),
        ("namespace".to_owned(), value::text(&target.namespace)),
        ("name".to_owned(), value::text(&target.name)),
        ("dryRun".to_owned(), Value::Bool(false)),
    ])
}

/// What will happen to the Pod: the fields of the JSON output that a rule can use.
fn prediction(prediction: &Prediction) -> Value {
    let outcome = prediction.outcome.as_ref();
    let word = |value: serde_json::Result<serde_json::Value>| {
        value::optional_text(value.ok().and_then(|value| value.as_str().map(str::to_owned)))
    };
    value::map([
        ("stage".to_owned(), value::optional_text(outcome.map(|outcome| outcome.stage.name()))),
        ("phase".to_owned(), outcome.map_or(Value::Null, |outcome| word(serde_json::to_value(outcome.phase)))),
        ("reason".to_owned(), value::optional_text(outcome.and_then(|outcome| outcome.reason.as_deref()))),
        ("message".to_owned(), value::optional_text(outcome.and_then(|outcome| outcome.message.as_deref()))),
        ("certain".to_owned(), outcome.map_or(Value::Null, |outcome| Value::Bool(outcome.certain))),
        ("backend".to_owned(), value::text(&prediction.backend)),
        ("node".to_owned(), value::optional_text(prediction.node.as_deref())),
        ("accepted".to_owned(), word(serde_json::to_value(prediction.accepted))),
    ])
}
