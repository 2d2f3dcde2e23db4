//! Objects among the files that the linter does not follow, and that sandboxes name all the same.

use super::{Fleet, Report};
use crate::finding::{Outcome, Phase, Shown, Spot, Stage};
use crate::go::quote;
use crate::resource::{Kind, Workload};
use crate::rule;
use crate::yaml::Node;

/// Other objects of a run, as far as a sandbox can name them.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// RuntimeClasses with their handlers.
    runtime_classes: Vec<(String, String)>,
    /// Pods that no sandbox may adopt, by namespace and name.
    pods: Vec<(String, String)>,
}

/// Labels without which the controller does not adopt a Pod of the Sandbox's name.
const ADOPTABLE: [&str; 2] = ["agents.x-k8s.io/adoptable", "agents.x-k8s.io/sandbox-name-hash"];

impl Neighbours {
    /// Takes note of an object of a run.
    pub fn add(&mut self, object: &Node<'_>) {
        let text = |keys: &[&str]| object.at(keys).and_then(Node::as_str).map(str::to_owned);
        let Some(name) = text(&["metadata", "name"]) else { return };
        match text(&["kind"]).as_deref() {
            Some("RuntimeClass") => self.runtime_classes.extend(text(&["handler"]).map(|handler| (name, handler))),
            Some("Pod") if !is_adoptable(object) => {
                self.pods.push((text(&["metadata", "namespace"]).unwrap_or_else(|| "default".into()), name));
            }
            _ => {}
        }
    }

    /// Adds what another part of the run saw.
    pub fn merge(&mut self, other: Neighbours) {
        self.runtime_classes.extend(other.runtime_classes);
        self.pods.extend(other.pods);
    }
}

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    handler_as_class(fleet, reports);
    pod_of_same_name(fleet, reports);
}

fn is_adoptable(pod: &Node<'_>) -> bool {
    let labels = pod.at(&["metadata", "labels"]);
    labels.is_some_and(|labels| ADOPTABLE.iter().any(|key| labels.get(key).is_some()))
}

/// A Pod of its own has the name that the Sandbox's Pod would get.
fn pod_of_same_name(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    for sandbox in fleet.of(Kind::Sandbox) {
        let (namespace, name) = (sandbox.resource.namespace(), sandbox.resource.name());
        let other = fleet.find(Kind::Workload(Workload::Pod), namespace, name);
        let known = other.is_some_and(|pod| !is_adoptable(pod.stored));
        if !known && !fleet.neighbours.pods.iter().any(|(space, pod)| space == namespace && pod == name) {
            continue;
        }
        let node = sandbox.stored.at(&["metadata", "name"]).unwrap_or(sandbox.stored);
        let message = format!("a Pod `{name}` of its own is among the files, and the Sandbox's Pod has the same name");
        let outcome = Outcome::new(Stage::Reconcile, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(format!(
                "Error seen: cannot adopt unowned pod {}: missing required pool authorization label (\"{}\") or sandbox tracking label (\"{}\")",
                quote(name), ADOPTABLE[0], ADOPTABLE[1]
            ))
            .shown_on("Sandbox condition Ready")
            .uncertain();
        let report = &mut reports[sandbox.index];
        report.refuse(outcome.clone());
        report
            .out
            .add(&rule::POD_OF_SAME_NAME, Spot::of(node, sandbox.resource.path("metadata.name")), message)
            .help("give the Sandbox or the Pod another name")
            .outcome(outcome);
    }
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
