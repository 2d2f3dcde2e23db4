//! Does a node take the Pod, and is it the one its author wants?

mod board;
mod contract_keys;
mod filter;
mod message;
mod place;
mod score;

pub use place::{Hold, NodeAnswer, Placement, place};

use super::Subject;
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Phase, Shown, Stage};

/// Where the scheduler shows what it says.
const SHOWN_ON: &str = "Pod condition PodScheduled, event FailedScheduling";

/// When an unschedulable Pod is looked at again.
const RETRIES: &str = "tried again whenever a node or Pod changes, without end";

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let _ = world;
    if let Some(outcome) = outcome(&subject.placement) {
        out.stop(outcome);
    }
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
        Some(Hold::NoScheduler) => Some(pending.retries("never tried")),
        Some(Hold::NoNode) => {
            Some(pending.retries("never tried; the Pod is deleted later, as its node does not exist"))
        }
        None => {
            let text = placement.message.as_ref()?;
            Some(pending.reason("Unschedulable").message(text.clone()).shown_on(SHOWN_ON).retries(RETRIES))
        }
    }
}
