//! Admission plugins that refuse a Pod before or after its validation.

use super::Pod;
use super::field::Field;
use super::names;
use crate::cluster::World;
use crate::go::quote;

/// A refusal by a plugin.
pub struct Refusal<'n> {
    /// The field that it hangs on.
    pub field: Field<'n>,
    /// The server's words for the whole request.
    pub message: String,
    /// What is wrong, in a sentence without its end.
    pub sentence: String,
    /// What to write instead.
    pub help: String,
    /// Whether every cluster that follows the contract refuses.
    pub certain: bool,
}

/// The priorities of the classes that every cluster has.
const SYSTEM_CLASSES: [(&str, i64); 2] =
    [("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)];

/// What a plugin refuses before the Pod is validated; the first refusal ends the request.
pub fn before_validation<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    impossible_priority_class(pod)
        .or_else(|| priority(pod, world))
        .or_else(|| preemption(pod, world))
        .or_else(|| unnamed_runtime_class(pod))
        .or_else(|| impossible_runtime_class(pod))
}

/// What a plugin refuses after the Pod is validated.
pub fn after_validation<'n>(pod: &Pod<'n>) -> Option<Refusal<'n>> {
    let overhead = pod.spec.child("overhead");
    let class = pod.spec.child("runtimeClassName");
    (overhead.len() > 0 && !class.is_set()).then(|| Refusal {
        message: forbidden(pod, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"),
        sentence: "`overhead` is set, but only a RuntimeClass can give a Pod its overhead".into(),
        help: "remove overhead".into(),
        field: overhead.at_key(),
        certain: true,
    })
}

fn forbidden(pod: &Pod<'_>, why: &str) -> String {
    format!("pods {} is forbidden: {why}", quote(pod.name))
}

/// The priority of the named class where it is the same in every cluster; without a name it is 0, unless the
/// cluster has a default class.
fn known_priority(pod: &Pod<'_>) -> Option<i64> {
    match pod.spec.child("priorityClassName").text() {
        "" => Some(0),
        name => SYSTEM_CLASSES.iter().find(|(class, _)| *class == name).map(|(_, priority)| *priority),
    }
}

/// Without a named class a snapshot may know a default class of the cluster.
fn is_certain(pod: &Pod<'_>, _world: &World) -> bool {
    !pod.spec.child("priorityClassName").text().is_empty()
}

fn priority<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    let field = pod.spec.child("priority");
    let (typed, computed) = (field.int()?, known_priority(pod)?);
    (typed != computed).then(|| Refusal {
        message: forbidden(
            pod,
            &format!(
                "the integer value of priority ({typed}) must not be provided in pod spec; priority admission controller computed {computed} from the given PriorityClass name"
            ),
        ),
        sentence: format!("`priority` is {typed}, but a Pod's priority comes from its PriorityClass alone"),
        help: "remove priority and name a PriorityClass in priorityClassName".into(),
        certain: is_certain(pod, world),
        field,
    })
}

fn preemption<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    const COMPUTED: &str = "PreemptLowerPriority";
    let field = pod.spec.child("preemptionPolicy");
    known_priority(pod)?;
    (field.is_set() && field.text() != COMPUTED).then(|| Refusal {
        message: forbidden(
            pod,
            &format!(
                "the string value of PreemptionPolicy ({}) must not be provided in pod spec; priority admission controller computed {COMPUTED} from the given PriorityClass name",
                field.text()
            ),
        ),
        sentence: format!(
            "`preemptionPolicy` is `{}`, but a Pod's policy comes from its PriorityClass alone",
            field.text()
        ),
        help: "remove preemptionPolicy and name a PriorityClass that has it".into(),
        certain: is_certain(pod, world),
        field,
    })
}

/// No class can have a name that is no DNS name, so every cluster lacks it.
fn impossible_priority_class<'n>(pod: &Pod<'n>) -> Option<Refusal<'n>> {
    let field = pod.spec.child("priorityClassName");
    let name = field.text();
    (!name.is_empty() && !names::dns_subdomain(name).is_empty()).then(|| Refusal {
        message: forbidden(pod, &format!("no PriorityClass with name {name} was found")),
        sentence: format!("`priorityClassName` is {}, a name that no PriorityClass can have", quote(name)),
        help: "write the name of a PriorityClass, in lower-case letters, digits, `-` and `.`".into(),
        certain: true,
        field,
    })
}

fn impossible_runtime_class<'n>(pod: &Pod<'n>) -> Option<Refusal<'n>> {
    let field = pod.spec.child("runtimeClassName");
    let name = field.text();
    (!name.is_empty() && !names::dns_subdomain(name).is_empty()).then(|| Refusal {
        message: forbidden(pod, &format!("pod rejected: RuntimeClass {} not found", quote(name))),
        sentence: format!("`runtimeClassName` is {}, a name that no RuntimeClass can have", quote(name)),
        help: "write the name of a RuntimeClass, in lower-case letters, digits, `-` and `.`".into(),
        certain: true,
        field,
    })
}

/// An empty name is looked up, and the client library of the plugin refuses to.
fn unnamed_runtime_class<'n>(pod: &Pod<'n>) -> Option<Refusal<'n>> {
    let field = pod.spec.child("runtimeClassName");
    (field.is_set() && field.text().is_empty()).then(|| Refusal {
        message: "resource name may not be empty".into(),
        sentence: "`runtimeClassName` is empty; the server looks for a RuntimeClass without a name".into(),
        help: "remove runtimeClassName".into(),
        certain: true,
        field,
    })
}
