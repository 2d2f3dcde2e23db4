//! Do the webhooks that a backend's contract describes let the Pod in?

use super::Subject;
use crate::cluster::World;
use crate::contract::{Gate, has_placeholder};
use crate::finding::{Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::policy::condition;
use crate::resource::{Kind, Workload};
use crate::rule;
use crate::yaml::Node;

/// Judges one Pod by every gate that is always in force.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let gates = world.contract.backends.iter().flat_map(|backend| &backend.gates);
    for gate in gates.filter(|gate| gate.profile.is_none()) {
        if gate.exempt_namespaces.contains(&subject.plan.namespace) {
            continue;
        }
        let Some((spot, sign)) = trigger(subject, gate) else { continue };
        if denies(subject, gate, &spot, out) {
            deny(subject, gate, spot, &sign, out);
        }
    }
}

/// What the gate looks at: a toleration or annotation, else the whole Pod where it names none.
pub(super) fn trigger(subject: &Subject<'_>, gate: &Gate) -> Option<(Spot, String)> {
    let plan = &subject.plan;
    let listed = |keys: &[String], key: Option<&str>| key.is_some_and(|key| keys.iter().any(|known| known == key));
    let tolerations = plan.spec.get("tolerations").into_iter().flat_map(Node::items).enumerate();
    let toleration = tolerations
        .filter_map(|(index, toleration)| Some((index, toleration.get("key")?)))
        .find(|(_, key)| listed(&gate.tolerations, key.as_str()))
        .map(|(index, key)| {
            let path = plan.path(&format!("tolerations[{index}].key"));
            (Spot::of(key, path), format!("the toleration of {}", key.as_str().unwrap_or_default()))
        });
    let annotation = || {
        let meta = gate.annotations.iter().find_map(|key| plan.annotation(key))?;
        let spot = Spot::new(meta.key_span, format!("{}.annotations.{}", plan.metadata_path, meta.key));
        Some((spot, format!("the annotation {}", meta.key)))
    };
    let everything = gate.tolerations.is_empty() && gate.annotations.is_empty();
    let whole = || everything.then(|| (Spot::new(plan.metadata_span, plan.metadata_path.clone()), String::new()));
    toleration.or_else(annotation).or_else(whole)
}

fn denies(subject: &Subject<'_>, gate: &Gate, spot: &Spot, out: &mut Findings) -> bool {
    let Some(when) = &gate.when else { return true };
    let expression = when.expression();
    let mut metas = subject.plan.annotations.iter().chain(&subject.plan.labels);
    if metas.any(|meta| has_placeholder(&meta.value) && expression.source.contains(&meta.key)) {
        return false;
    }
    match condition::decide(&[expression], &subject.plan, &subject.stored).pop() {
        Some(Ok(holds)) => holds,
        Some(Err(reason)) => {
            let message = format!("the gate {} does not decide about this Pod: {reason}", gate.name);
            let help =
                format!("let the condition ask has(…) or use optional fields first: {}", expression.source.trim());
            out.add(&rule::UNDECIDED_HOUSE_RULE, spot.clone(), message).help(help);
            false
        }
        None => false,
    }
}

fn deny(subject: &Subject<'_>, gate: &Gate, spot: Spot, sign: &str, out: &mut Findings) {
    let outcome = denied(subject, &gate.denial);
    out.stop(outcome.clone());
    let sign = if sign.is_empty() { String::new() } else { format!(" with {sign}") };
    let help = gate.help.clone().unwrap_or_else(|| "use a namespace that the webhook leaves out".into());
    out.add(&rule::WEBHOOK_DENIAL, spot, format!("{} denies the Pod{sign}", gate.name)).outcome(outcome).help(help);
}

/// What a webhook's denial of the Pod comes to, by what makes the Pod.
pub(super) fn denied(subject: &Subject<'_>, denial: &str) -> Outcome {
    match subject.resource.kind {
        Kind::Workload(Workload::Pod) => {
            let words = format!("Error from server (Forbidden): error when creating \"<file>\": {denial}");
            Outcome::new(Stage::PodCreate, Shown::None, Phase::Rejected).message(words).shown_on("kubectl's error")
        }
        Kind::Workload(_) => Outcome::new(Stage::PodCreate, Shown::None, Phase::NoPod)
            .reason("FailedCreate")
            .message(denial)
            .shown_on("event FailedCreate of the controller that makes the Pod, after Error creating: ")
            .retries("the controller tries again, with growing pauses"),
        _ => Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(denial)
            .shown_on("Sandbox condition Ready, behind the words `Error seen:`")
            .retries("the controller tries again, with growing pauses, until the Sandbox is changed"),
    }
}
