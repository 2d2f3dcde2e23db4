//! Objects among the files that the linter does not follow, and that sandboxes name all the same.

use super::{Fleet, Reports};
use crate::finding::{Outcome, Phase, Shown, Spot, Stage};
use crate::go::quote;
use crate::predict::trace::{ADOPTABLE, is_adoptable};
use crate::resource::{Kind, Workload};
use crate::rule;
use crate::yaml::Node;
use std::collections::{HashMap, HashSet};

/// Other objects of a run, as far as a sandbox can name them.
#[derive(Clone, Debug, Default)]
pub struct OtherObjects {
    /// RuntimeClasses with their handlers.
    runtime_classes: Vec<(String, String)>,
    /// Pods that no sandbox may adopt, by namespace and name.
    pods: Vec<(String, String)>,
}

impl OtherObjects {
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
    pub fn merge(&mut self, other: OtherObjects) {
        self.runtime_classes.extend(other.runtime_classes);
        self.pods.extend(other.pods);
    }
}

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    handler_as_class(fleet, reports);
    pod_of_same_name(fleet, reports);
}

/// A Pod of its own has the name that the Sandbox's Pod would get.
fn pod_of_same_name(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    let others: HashSet<(&str, &str)> =
        fleet.other_objects.pods.iter().map(|(namespace, name)| (namespace.as_str(), name.as_str())).collect();
    for sandbox in fleet.traces(Kind::Sandbox) {
        let (namespace, name) = (sandbox.id.namespace(), sandbox.id.name());
        let other = fleet.trace(Kind::Workload(Workload::Pod), namespace, name);
        let known = other.is_some_and(|pod| !pod.trace.is_adoptable);
        if !known && !others.contains(&(namespace, name)) {
            continue;
        }
        let message = format!("a Pod `{name}` of its own is among the files, and the Sandbox's Pod has the same name");
        let outcome = Outcome::new(Stage::Reconcile, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(format!(
                "Error seen: cannot adopt unowned pod {}: missing required pool authorization label (\"{}\") or sandbox tracking label (\"{}\")",
                quote(name), ADOPTABLE[0], ADOPTABLE[1]
            ))
            .shown_on("Sandbox condition Ready")
            .uncertain();
        let report = reports.of(sandbox.index);
        report.refuse(outcome.clone());
        report
            .out
            .add(&rule::POD_OF_SAME_NAME, Spot::new(sandbox.trace.name, sandbox.trace.path("metadata.name")), message)
            .help("give the Sandbox or the Pod another name")
            .outcome(outcome);
    }
}

/// A Pod names a RuntimeClass by the handler of one that is among the files.
fn handler_as_class(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    let classes = &fleet.other_objects.runtime_classes;
    let names: HashSet<&str> = classes.iter().map(|(name, _)| name.as_str()).collect();
    let handlers: HashMap<&str, &str> =
        classes.iter().rev().map(|(name, handler)| (handler.as_str(), name.as_str())).collect();
    for member in fleet.all() {
        let Some(class) = &member.trace.runtime_class else { continue };
        let typed = &class.name;
        if names.contains(typed.as_str()) {
            continue;
        }
        let Some(name) = handlers.get(typed.as_str()) else { continue };
        let message = format!("no RuntimeClass `{typed}` among the files: it is the handler of RuntimeClass `{name}`");
        let outcome = Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(format!("pods \"{}\" is forbidden: pod rejected: RuntimeClass \"{typed}\" not found", class.pod));
        let spot = Spot::new(class.span, class.path.clone());
        reports
            .of(member.index)
            .out
            .add(&rule::HANDLER_AS_CLASS, spot, message)
            .help(format!("write `{name}`"))
            .outcome(outcome.shown_on("Sandbox condition Ready").uncertain());
    }
}
