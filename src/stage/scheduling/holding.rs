//! Rules over fields that keep a Pod from the scheduler: nodeName, schedulerName, schedulingGates.

use super::case::{Case, typed};
use super::insert;
use super::place::{DEFAULT_SCHEDULER, Hold};
use crate::contract::Backend;
use crate::finding::{Applicability, Findings, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::resource::intent::{Evidence, Meaning, Sign};
use crate::resource::{Kind, Workload};
use crate::rule;
use crate::suggest;
use crate::yaml::Node;

/// Judges the fields that go past the scheduler.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    pinned_node(case, out);
    unknown_scheduler(case, out);
    scheduling_gates(case, out);
}

/// `nodeName` goes past the scheduler: taints, selectors and capacity do not count.
fn pinned_node(case: &Case<'_, '_>, out: &mut Findings) {
    let plan = &case.subject.plan;
    let (Some(name), Some(node)) = (plan.node_name(), case.spec().get("nodeName")) else { return };
    let place = case.board.nodes.iter().find(|place| place.shape.name == name);
    let backend = place.and_then(|place| place.backend).and_then(|name| case.world.contract.backend(name));
    let meant = meant_elsewhere(case);
    let spot = Spot::of(node, plan.path("nodeName"));
    let (weight, message, label) = match (place, backend, meant) {
        (None, ..) if case.has_snapshot() => {
            let message = format!("the cluster has no node {}", typed(name));
            (Severity::Error, message, "the Pod stays Pending without any condition and is deleted later".to_owned())
        }
        (None, ..) => {
            let message = format!("nodeName {} goes past the scheduler", typed(name));
            (
                Severity::Warning,
                message,
                "where no such node exists, the Pod stays Pending without any condition".to_owned(),
            )
        }
        (_, Some(backend), Some((sign, meant))) if backend.selector.is_none() => {
            let message = format!("nodeName {} pins a Pod meant for {meant} to an ordinary node", typed(name));
            (
                Severity::Error,
                message,
                format!("it runs as a plain container without isolation, in spite of {}", sign.text),
            )
        }
        (_, Some(backend), _) if backend.selector.is_some() => {
            let message = format!("nodeName {} goes past the scheduler", typed(name));
            (
                Severity::Warning,
                message,
                format!("{} gets the Pod without regard to selector, taint or capacity", backend.provider),
            )
        }
        _ => {
            let message = format!("nodeName {} goes past the scheduler", typed(name));
            (Severity::Note, message, "selectors, taints and capacity do not count".to_owned())
        }
    };
    // The author of a bare Pod names its node on purpose; a Sandbox is meant to be scheduled.
    let bare = case.subject.resource.kind == Kind::Workload(Workload::Pod) && place.is_some();
    let weight = if bare && weight == Severity::Warning { Severity::Note } else { weight };
    let finding = out.add(&rule::PINNED_NODE, spot, message);
    finding.severity(weight).label(label).outcome(case.outcome());
    let known = case.board.nodes.iter().map(|place| place.shape.name.as_str());
    let near = suggest::nearest(name, known).filter(|_| place.is_none());
    match (near, case.meant().and_then(Backend::selector_text)) {
        (Some(near), _) => finding.help(format!("nodeName: {near}, or better a nodeSelector")),
        (None, Some(text)) => finding.help(format!("in its place:\nnodeSelector:\n  {text}")),
        (None, None) => finding.help("write a nodeSelector in its place"),
    };
}

/// The virtual backend that signs other than nodeName point to.
fn meant_elsewhere<'c>(case: &'c Case<'_, '_>) -> Option<(&'c Evidence, &'c str)> {
    let sign = case.subject.intent.evidence.iter().find(|one| one.sign != Sign::NodeName)?;
    let backend = case.world.contract.backend(&sign.backend)?;
    (case.subject.intent.meaning != Meaning::Kubelet).then_some((sign, backend.provider.as_str()))
}

/// A schedulerName that no scheduler answers to.
fn unknown_scheduler(case: &Case<'_, '_>, out: &mut Findings) {
    let Some(node) = case.spec().get("schedulerName") else { return };
    let Some(name) = node.as_str().filter(|name| !name.is_empty() && *name != DEFAULT_SCHEDULER) else { return };
    if case.subject.plan.node_name().is_some() {
        return;
    }
    let defect = suggest::nearest(name, [DEFAULT_SCHEDULER]).is_some();
    let message = if defect {
        format!("schedulerName {} is no scheduler; the default one is {}", typed(name), typed(DEFAULT_SCHEDULER))
    } else {
        format!("schedulerName {} needs a scheduler of that name in the cluster", typed(name))
    };
    let finding = out.add(&rule::UNKNOWN_SCHEDULER, Spot::of(node, case.subject.plan.path("schedulerName")), message);
    finding.severity(if defect { Severity::Error } else { Severity::Warning });
    finding.label("without one the Pod stays Pending, with neither condition nor event");
    finding.help(format!("schedulerName: {DEFAULT_SCHEDULER}, or leave it out"));
    if case.subject.placement.hold == Some(Hold::NoScheduler) {
        finding.outcome(case.outcome());
    }
    if let Some(edits) = insert::replace(node, DEFAULT_SCHEDULER).filter(|_| defect) {
        finding.fix(Applicability::Safe, format!("write {DEFAULT_SCHEDULER}"), edits);
    }
}

/// Gates hold the Pod until somebody removes them.
fn scheduling_gates(case: &Case<'_, '_>, out: &mut Findings) {
    let gates: Vec<&str> = case
        .spec()
        .get("schedulingGates")
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|gate| gate.get("name").and_then(Node::as_str))
        .collect();
    if gates.is_empty() || case.subject.plan.node_name().is_some() {
        return;
    }
    let message = format!("the Pod is not scheduled until {} is removed from schedulingGates", gates.join(", "));
    let finding = out.add(&rule::SCHEDULING_GATES, case.spot("schedulingGates"), message);
    finding
        .label("nothing of agent-sandbox removes a gate")
        .help("remove schedulingGates, unless a controller of the cluster clears them");
    let waiting = || Outcome::new(Stage::Scheduling, Shown::Pod, Phase::Pending);
    finding.outcome(case.stop.clone().unwrap_or_else(waiting));
}
