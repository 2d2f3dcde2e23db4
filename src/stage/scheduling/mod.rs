//! Does a node take the Pod, and is it the one its author wants?

mod board;
mod capacity;
mod case;
mod contract_keys;
mod filter;
mod freedom;
mod holding;
mod insert;
mod message;
mod place;
mod score;
mod selection;
mod storage;
mod tolerations;
mod topology;

#[cfg(test)]
mod tests;

pub use place::{Hold, NodeAnswer, Placement, place};

use super::Subject;
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Phase, Severity, Shown, Stage};
use crate::rule;

/// Where the scheduler shows what it says.
const SHOWN_ON: &str = "Pod condition PodScheduled, event FailedScheduling";

/// When an unschedulable Pod is looked at again.
const RETRIES: &str = "tried again whenever a node or Pod changes, without end";

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let case = case::Case::new(subject, world, outcome(&subject.placement));
    let before = out.list.len();
    holding::check(&case, out);
    selection::check(&case, out);
    freedom::check(&case, out);
    tolerations::check(&case, out);
    capacity::check(&case, out);
    topology::check(&case, out);
    storage::check(&case, out);
    if !out.list[before..].iter().any(|finding| finding.severity == Severity::Error) {
        no_free_node(&case, out);
    }
    if let Some(outcome) = case.stop {
        out.stop(outcome);
    }
}

/// The nodes of a snapshot refuse the Pod for different reasons, none of which is the one.
fn no_free_node(case: &case::Case<'_, '_>, out: &mut Findings) {
    let placement = &case.subject.placement;
    let Some(text) = placement.message.as_deref().filter(|_| case.has_snapshot() && placement.hold.is_none()) else {
        return;
    };
    let reasons = text.split_once(": ").map_or(text, |(_, rest)| rest);
    let reasons = reasons.split_once(". ").map_or(reasons, |(reasons, _)| reasons).trim_end_matches('.');
    let message = format!("no node of the snapshot takes the Pod: {reasons}");
    let finding = out.add(&rule::NO_FREE_NODE, case.spot("containers"), message);
    finding.help("free a node, or lower what the Pod demands").outcome(case.outcome());
}

/// What the cluster shows where no node takes the Pod.
fn outcome(placement: &Placement) -> Option<Outcome> {
    let pending = Outcome::new(Stage::Scheduling, Shown::Pod, Phase::Pending);
    let pending = if placement.certain { pending } else { pending.uncertain() };
    match &placement.hold {
        Some(Hold::Gated) => Some(
            pending
                .reason("SchedulingGated")
                .message(message::GATED)
                .shown_on("Pod condition PodScheduled")
                .retries("waits until every gate is removed"),
        ),
        Some(Hold::NoScheduler) => Some(pending.retries("never tried").shown_on(
            "Sandbox condition PodScheduled, Unknown: Pod has not reported a PodScheduled condition yet; nothing on the Pod",
        )),
        Some(Hold::NoNode) => {
            Some(pending.retries("never tried; the Pod is deleted later, as its node does not exist"))
        }
        None => {
            let text = placement.message.as_ref()?;
            Some(pending.reason("Unschedulable").message(text.clone()).shown_on(SHOWN_ON).retries(RETRIES))
        }
    }
}
