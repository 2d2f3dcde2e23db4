//! Objects among the files that the linter does not follow, and that sandboxes name all the same.

use super::{Fleet, Report};
use crate::finding::{Outcome, Phase, Shown, Spot, Stage};
use crate::rule;
use crate::yaml::Node;

/// Other objects of a run, as far as a sandbox can name them.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// RuntimeClasses with their handlers.
    runtime_classes: Vec<(String, String)>,
}

impl Neighbours {
    /// Takes note of an object of a run.
    pub fn add(&mut self, object: &Node<'_>) {
        let text = |keys: &[&str]| object.at(keys).and_then(Node::as_str).map(str::to_owned);
        if text(&["kind"]).as_deref() != Some("RuntimeClass") {
            return;
        }
        if let (Some(name), Some(handler)) = (text(&["metadata", "name"]), text(&["handler"])) {
            self.runtime_classes.push((name, handler));
        }
    }

    /// Adds what another part of the run saw.
    pub fn merge(&mut self, other: Neighbours) {
        self.runtime_classes.extend(other.runtime_classes);
    }
}

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    handler_as_class(fleet, reports);
}

/// A Pod names a RuntimeClass by the handler of one that is among the files.
fn handler_as_class(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    let classes = &fleet.neighbours.runtime_classes;
    for member in fleet.all() {
        let Some(subject) = member.subject else { continue };
        let Some(node) = subject.plan.spec.get("runtimeClassName") else { continue };
        let Some(typed) = node.as_str().filter(|typed| !classes.iter().any(|(name, _)| name == typed)) else {
            continue;
        };
        let Some((name, _)) = classes.iter().find(|(_, handler)| handler == typed) else { continue };
        let plan = &subject.plan;
        let message = format!("no RuntimeClass `{typed}` among the files: it is the handler of RuntimeClass `{name}`");
        let outcome = Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(format!("pods \"{}\" is forbidden: pod rejected: RuntimeClass \"{typed}\" not found", plan.name));
        let spot = Spot::of(node, plan.path("runtimeClassName"));
        reports[member.index]
            .out
            .add(&rule::HANDLER_AS_CLASS, spot, message)
            .help(format!("write `{name}`"))
            .outcome(outcome.shown_on("Sandbox condition Ready").uncertain());
    }
}
