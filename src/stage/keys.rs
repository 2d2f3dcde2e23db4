//! Do the contract's keys stand where their provider reads them, and are they spelt as it reads them?
//!
//! Runs after the stages of a Pod's way: a misplaced key is the cause of what a later stage found, so its finding
//! takes over the outcome and the weight of the findings that it explains, and those go.

use super::Subject;
use crate::cluster::World;
use crate::finding::{Applicability, Edit, Finding, Findings, Outcome, Severity, Spot, Stage};
use crate::resource::intent::Meaning;
use crate::resource::misplaced_key::{self, KeyDefect, MisplacedKey, Place};
use crate::resource::pod::Meta;
use crate::resource::{Kind, Resource};
use crate::rule;
use crate::yaml::{Node, Span};
use std::collections::HashSet;

/// Judges the keys of a resource whose Pod has been followed; `stops` are the outcomes that its stages gave.
pub fn check(subject: &Subject<'_>, world: &World, stops: &[Outcome], out: &mut Findings) {
    let misplaced_keys =
        misplaced_key::misplaced_keys(&subject.resource, &subject.stored, &subject.plan, &world.contract);
    let misplaced_keys: Vec<MisplacedKey> = misplaced_keys
        .into_iter()
        .filter(|misplaced| !(world.aggregated_api && misplaced.place == Place::ObjectAnnotations))
        .filter(|misplaced| !stands_right(misplaced, subject))
        .collect();
    let context = Context { subject, world, stops };
    misplaced_annotation(&context, &misplaced_keys, out);
    misspelt_annotation(&context, &misplaced_keys, out);
    other_backend(&context, out);
    reserved_key(subject, out);
    label_as_annotation(subject, world, out);
}

/// Judges the keys of a resource that makes no Pod of its own.
pub fn check_object(resource: &Resource<'_>, stored: &Node<'_>, world: &World, out: &mut Findings) {
    if world.aggregated_api {
        return;
    }
    let misplaced_keys = misplaced_key::on_object(resource, stored, &world.contract);
    let Some(first) = misplaced_keys.first() else { return };
    let message =
        format!("{} on the {}'s own metadata, which reaches no Pod", stand(&misplaced_keys), kind_word(resource.kind));
    let finding = out.add(&rule::MISPLACED_ANNOTATION, Spot::new(first.key_span, first.path.clone()), message);
    finding.help(match resource.kind {
        Kind::SandboxClaim => {
            "write them under spec.additionalPodMetadata.annotations, which counts where the claim starts its Sandbox cold, or in the SandboxTemplate under spec.podTemplate.metadata.annotations"
        }
        _ => "write them in the SandboxTemplate under spec.podTemplate.metadata.annotations",
    });
    finding.stage(Stage::Reconcile).severity(Severity::Warning);
    relate(finding, &misplaced_keys);
}

struct Context<'c, 's> {
    subject: &'c Subject<'s>,
    world: &'c World,
    stops: &'c [Outcome],
}

/// The meant key is set in its right place too, with the same value: nothing is lost.
fn stands_right(misplaced: &MisplacedKey, subject: &Subject<'_>) -> bool {
    let right = misplaced.meant.as_deref().and_then(|key| subject.plan.annotation(key));
    misplaced.place != Place::PodAnnotations && right.is_some_and(|meta| meta.value == misplaced.value)
}

/// A key of the contract that is spelt right and stands where its provider does not look.
fn misplaced_annotation(context: &Context<'_, '_>, misplaced_keys: &[MisplacedKey], out: &mut Findings) {
    for place in [Place::ObjectAnnotations, Place::PodLabels, Place::NodeSelector] {
        let here: Vec<MisplacedKey> =
            misplaced_keys.iter().filter(|misplaced| misplaced.place == place).cloned().collect();
        let Some(first) = first_of(&here, context) else { continue };
        let explained = explained(&here, context, out);
        let message = match place {
            Place::ObjectAnnotations => format!(
                "{} on the {}'s own metadata, which is not copied to the Pod",
                stand(&here),
                kind_word(context.subject.resource.kind)
            ),
            Place::PodLabels => {
                format!("{} among the labels; {} reads annotations", stand(&here), provider(first, context))
            }
            _ => format!("{} in the nodeSelector; it is an annotation, no node carries it as a label", stand(&here)),
        };
        let finding = out.add(&rule::MISPLACED_ANNOTATION, Spot::new(first.key_span, first.path.clone()), message);
        finding.help(format!("move it to {}.annotations", context.subject.plan.metadata_path));
        relate(finding, &here);
        set_severity(finding, explained, Severity::Warning, context.stops);
    }
}

/// A key that is nearly one of the contract's.
fn misspelt_annotation(context: &Context<'_, '_>, misplaced_keys: &[MisplacedKey], out: &mut Findings) {
    let mut written = HashSet::new();
    for misplaced in misplaced_keys.iter().filter(|misplaced| misplaced.place == Place::PodAnnotations) {
        let typed = &misplaced.typed;
        let provider = provider(misplaced, context);
        let explained = explained(std::slice::from_ref(misplaced), context, out);
        let spot = Spot::new(misplaced.key_span, misplaced.path.clone());
        let Some(meant) = &misplaced.meant else {
            let finding = out.add(&rule::MISSPELT_ANNOTATION, spot, format!("no provider reads annotation `{typed}`"));
            finding.help(format!("`sandbox-lint contract` lists the keys that {provider} reads"));
            set_severity(finding, explained, Severity::Note, context.stops);
            continue;
        };
        let why = match misplaced.defect {
            KeyDefect::Case => "keys are compared letter by letter, capitals included",
            KeyDefect::Family => "that name belongs to another prefix",
            KeyDefect::Former => "that prefix is from an earlier release",
            _ => "a key that is not known is ignored without a word",
        };
        let message = format!("{provider} does not read annotation `{typed}`: {why}");
        let finding = out.add(&rule::MISSPELT_ANNOTATION, spot, message);
        finding.help(format!("write `{meant}`"));
        if context.subject.plan.annotation(meant).is_none() && written.insert(meant) {
            finding.fix(applicability(misplaced.defect), format!("rename to {meant}"), vec![rename(misplaced, meant)]);
        }
        set_severity(finding, explained, Severity::Warning, context.stops);
    }
}

/// Annotations of a provider that does not get the Pod.
fn other_backend(context: &Context<'_, '_>, out: &mut Findings) {
    let Context { subject, world, stops } = *context;
    let serving = subject.serving_backend().and_then(|name| world.contract.backend(name));
    if matches!(subject.intent.meaning, Meaning::Contradictory(_)) {
        return;
    }
    let meant = subject.intent.backend();
    for backend in &world.contract.backends {
        let served = serving.is_some_and(|serving| serving.name == backend.name);
        let speaks_for_another = |meta: &Meta| {
            let mut signs = subject.intent.evidence.iter().filter(|sign| sign.span.contains(meta.key_span));
            signs.any(|sign| *sign.backend != *backend.name)
        };
        let read = |meta: &&Meta| backend.annotation(&meta.key).is_some() && !speaks_for_another(meta);
        let keys: Vec<&Meta> = subject.plan.annotations.iter().filter(read).collect();
        let Some(first) = keys.first().filter(|_| !served && meant != Some(backend.name.as_str())) else { continue };
        let Some(serving) = serving.or_else(|| world.contract.backend("kubelet")) else { continue };
        let own = subject.plan.annotations.iter().any(|meta| serving.annotation(&meta.key).is_some());
        let gone =
            if own { None } else { take(out, |finding| finding.stage == Stage::Provider && is_missing(finding)) };
        let rest = keys.len() - 1;
        let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
        let message = format!(
            "{} reads annotation `{}`{more}, but the Pod is {}'s",
            backend.provider, first.key, serving.provider
        );
        let path = format!("{}.annotations.{}", subject.plan.metadata_path, first.key);
        let finding = out.add(&rule::OTHER_BACKEND, Spot::new(first.key_span, path), message);
        finding.help(match (&gone, &backend.selector) {
            (Some(_), Some(label)) => {
                format!(
                    "write the annotations of {}, or select {} by its label {}",
                    serving.provider, backend.provider, label.key
                )
            }
            _ => "remove what the other provider would read".to_owned(),
        });
        for sign in subject.intent.evidence.iter().filter(|sign| *sign.backend == *serving.name).take(1) {
            finding.related(sign.span, format!("this is for {}", serving.provider));
        }
        set_severity(finding, gone, Severity::Note, stops);
    }
}

/// The provider misses an annotation.
fn is_missing(finding: &Finding) -> bool {
    finding
        .outcome
        .as_ref()
        .and_then(|outcome| outcome.message.as_deref())
        .is_some_and(|text| text.contains("missing "))
}

/// A label or annotation of the Pod that the controller keeps for itself and does not copy.
fn reserved_key(subject: &Subject<'_>, out: &mut Findings) {
    let metadata = subject.stored.at(&["spec", "podTemplate", "metadata"]);
    if matches!(subject.resource.kind, Kind::Workload(_)) {
        return;
    }
    for field in ["labels", "annotations"] {
        let Some(map) = metadata.and_then(|metadata| metadata.get(field)) else { continue };
        for entry in map.entries().filter(|entry| crate::resource::pod::is_reserved(field, &entry.key)) {
            let path = format!("{}.{field}.{}", subject.plan.metadata_path, entry.key);
            let what = &field[..field.len() - 1];
            let message = format!("{what} `{}` is the controller's own and is not copied to the Pod", entry.key);
            out.add(&rule::RESERVED_KEY, Spot::new(entry.key_span, path), message)
                .help("use a prefix of your own, or remove it");
        }
    }
}

/// A label that picks nodes, written as an annotation, where nothing else picks them.
fn label_as_annotation(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let selector = subject.plan.spec.get("nodeSelector");
    for backend in &world.contract.backends {
        let Some(label) = &backend.selector else { continue };
        let read = backend.annotations.iter().any(|spec| spec.key == label.key);
        let set = selector.is_some_and(|selector| selector.get(&label.key).is_some());
        let Some(meta) = subject.plan.annotation(&label.key).filter(|_| !read && !set) else { continue };
        let path = format!("{}.annotations.{}", subject.plan.metadata_path, label.key);
        let message =
            format!("`{}` is a label of {}'s nodes; as an annotation it selects nothing", label.key, backend.provider);
        out.add(&rule::LABEL_AS_ANNOTATION, Spot::new(meta.key_span, path), message)
            .help(format!("move it to {}", subject.plan.path("nodeSelector")));
    }
}

/// Takes out the findings whose cause these keys are, and gives the heaviest of them.
fn explained(misplaced_keys: &[MisplacedKey], context: &Context<'_, '_>, out: &mut Findings) -> Option<Finding> {
    let explains = |finding: &Finding| {
        misplaced_keys.iter().any(|misplaced| is_about(finding, misplaced) || is_symptom(misplaced, finding, context))
    };
    take(out, explains)
}

/// Takes findings out, and gives the heaviest, of equals the earliest.
fn take(out: &mut Findings, which: impl Fn(&Finding) -> bool) -> Option<Finding> {
    let (taken, kept): (Vec<Finding>, Vec<Finding>) = std::mem::take(&mut out.list).into_iter().partition(which);
    out.list = kept;
    taken.into_iter().min_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.stage))
}

/// The finding stands on this entry and is about its mapping or something in it. One about another field may stand here
/// too, where the entry is the sign of what was meant.
fn is_about(finding: &Finding, misplaced: &MisplacedKey) -> bool {
    let mapping = misplaced.path.strip_suffix(&misplaced.typed).map_or("", |path| path.trim_end_matches('.'));
    misplaced.place != Place::ObjectAnnotations
        && misplaced.key_span.to(misplaced.value_span).contains(finding.spot.span)
        && finding.spot.path.starts_with(mapping)
}

/// The provider misses the very key that the misplaced one stands for.
fn is_symptom(misplaced: &MisplacedKey, finding: &Finding, context: &Context<'_, '_>) -> bool {
    let Some(meant) = misplaced.meant.as_deref() else { return false };
    if context.subject.plan.annotation_text(meant).is_some() || finding.stage != Stage::Provider {
        return false;
    }
    let message = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref()).unwrap_or_default();
    let missing = message.contains("missing ") && message.contains(meant);
    missing || lifted_requirements(meant, context.world).any(|words| message.contains(words))
}

/// What a provider says of other keys that it would not ask for if `key` were set: the words before the first name.
fn lifted_requirements<'c>(key: &str, world: &'c World) -> impl Iterator<Item = &'c str> {
    let specs = world.contract.backends.iter().flat_map(|backend| &backend.annotations);
    let lifted = specs.filter(move |spec| spec.required_unless.as_ref().is_some_and(|condition| condition.key == key));
    lifted.filter_map(|spec| spec.missing.as_deref()?.split('{').next()).filter(|words| !words.is_empty())
}

/// Gives a finding the weight and the outcome of what it explains.
fn set_severity(finding: &mut Finding, explained: Option<Finding>, otherwise: Severity, stops: &[Outcome]) {
    finding.severity = explained.as_ref().map_or(otherwise, |gone| gone.severity.max(otherwise));
    if let Some(gone) = explained {
        finding.stage = gone.stage;
        finding.later = gone.later;
        finding.outcome = gone.outcome;
    } else {
        finding.later = stops.first().is_some_and(|stop| stop.stage < finding.stage);
    }
}

/// The misplaced key to underline: one whose absence its provider reports, else the first.
fn first_of<'a>(misplaced_keys: &'a [MisplacedKey], context: &Context<'_, '_>) -> Option<&'a MisplacedKey> {
    let required = |misplaced: &&MisplacedKey| {
        let specs = context.world.contract.backends.iter().flat_map(|backend| &backend.annotations);
        specs.into_iter().any(|spec| spec.required && Some(&spec.key) == misplaced.meant.as_ref())
    };
    misplaced_keys.iter().find(required).or_else(|| misplaced_keys.first())
}

fn relate(finding: &mut Finding, misplaced_keys: &[MisplacedKey]) {
    let at = finding.spot.span;
    for misplaced in misplaced_keys.iter().filter(|misplaced| misplaced.key_span != at) {
        finding.related(misplaced.key_span, "this one too");
    }
}

/// `a` stands, `a` and `b` stand, `a` and 2 more stand.
fn stand(misplaced_keys: &[MisplacedKey]) -> String {
    match misplaced_keys {
        [one] => format!("`{}` stands", one.typed),
        [one, other] => format!("`{}` and `{}` stand", one.typed, other.typed),
        [one, rest @ ..] => format!("`{}` and {} more keys stand", one.typed, rest.len()),
        [] => String::new(),
    }
}

fn provider<'c>(misplaced: &MisplacedKey, context: &Context<'c, '_>) -> &'c str {
    context.world.contract.backend(&misplaced.backend).map_or("the provider", |backend| backend.provider.as_str())
}

/// The kind as a sentence names it.
fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Sandbox => "Sandbox",
        Kind::SandboxTemplate => "SandboxTemplate",
        Kind::SandboxWarmPool => "SandboxWarmPool",
        Kind::SandboxClaim => "SandboxClaim",
        Kind::Workload(_) => "object",
    }
}

fn applicability(defect: KeyDefect) -> Applicability {
    match defect {
        KeyDefect::Case | KeyDefect::Family | KeyDefect::Former => Applicability::Safe,
        _ => Applicability::Unsafe,
    }
}

/// Replaces the key and keeps its quotes.
fn rename(misplaced: &MisplacedKey, meant: &str) -> Edit {
    let quotes = (misplaced.key_span.range().len().saturating_sub(misplaced.typed.len()) / 2) as u32;
    let span = Span::new(misplaced.key_span.start + quotes, misplaced.key_span.end - quotes);
    Edit { span, text: meant.to_owned() }
}
