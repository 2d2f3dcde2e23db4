//! Plugins that look a named object up: ServiceAccount, Priority and RuntimeClass.

use super::Refusal;
use crate::cluster::{Snapshot, World};
use crate::go::quote;
use crate::names;
use crate::stage::pod_create::Pod;
use crate::suggest;

/// The plugins with what they look at.
struct Plugins<'p, 'n> {
    pod: &'p Pod<'n>,
    snapshot: Option<&'p Snapshot>,
}

/// The policy of a PriorityClass that does not say another one.
const PREEMPTING: &str = "PreemptLowerPriority";

/// The priorities of the classes that every cluster has.
const SYSTEM_CLASSES: [(&str, i64); 2] =
    [("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)];

/// What they refuse before the Pod is validated, in their order.
pub fn before_validation<'n>(pod: &Pod<'n>, world: &World) -> Vec<Refusal<'n>> {
    let plugins = Plugins { pod, snapshot: world.snapshot.as_ref() };
    let class = plugins.missing_priority_class();
    let computed = class.is_none();
    let refusals = [
        plugins.missing_service_account(),
        class,
        plugins.priority().filter(|_| computed),
        plugins.preemption().filter(|_| computed),
        plugins.missing_runtime_class(),
        plugins.other_overhead(),
        plugins.other_nodes(),
    ];
    refusals.into_iter().flatten().collect()
}

/// A Pod that sets an overhead of its own, which only a RuntimeClass gives.
pub fn overhead_without_class<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    let overhead = pod.spec.child("overhead");
    let class = pod.spec.child("runtimeClassName");
    let known = world.snapshot.as_ref().and_then(|snapshot| snapshot.runtime_class(class.text()));
    let without = !class.is_set() || known.is_some_and(|known| known.overhead.is_empty());
    (overhead.len() > 0 && without).then(|| {
        Refusal::new(
            overhead.at_key(),
            pod,
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
            "`overhead` is set, but only a RuntimeClass can give a Pod its overhead".into(),
            "remove overhead",
        )
    })
}

impl<'n> Plugins<'_, 'n> {
    fn missing_service_account(&self) -> Option<Refusal<'n>> {
        let field = ["serviceAccountName", "serviceAccount"].map(|name| self.pod.spec.child(name));
        let field = field.into_iter().find(|field| !field.text().is_empty())?;
        let (namespace, name) = (self.pod.namespace, field.text());
        (self.snapshot?.has_service_account(namespace, name) == Some(false)).then(|| {
            let why = format!(
                "error looking up service account {namespace}/{name}: serviceaccount {} not found",
                quote(name)
            );
            let sentence = format!("the namespace {namespace} has no ServiceAccount {}", quote(name));
            Refusal::new(field, self.pod, &why, sentence, "create the ServiceAccount, or name one that exists")
        })
    }

    /// No class can have a name that is no DNS name, so every cluster lacks it.
    fn missing_priority_class(&self) -> Option<Refusal<'n>> {
        let field = self.pod.spec.child("priorityClassName");
        let name = field.text();
        let known = self.snapshot.and_then(|snapshot| snapshot.has_priority_class(name));
        let impossible = !names::dns_subdomain(name).is_empty();
        (!name.is_empty() && (impossible || known == Some(false))).then(|| {
            let names = self.snapshot.into_iter().flat_map(Snapshot::priority_class_names);
            let help = proposal(name, names, "write the name of a PriorityClass of the cluster");
            let sentence = format!("`priorityClassName` is {}, but there is no such PriorityClass", quote(name));
            Refusal::new(field, self.pod, &format!("no PriorityClass with name {name} was found"), sentence, &help)
        })
    }

    /// Priority and policy that the plugin computes, and whether they are certain. Without a name the cluster's
    /// default class counts, or 0 where there is none.
    fn computed(&self) -> Option<(i64, &'static str, bool)> {
        let name = self.pod.spec.child("priorityClassName").text();
        if let Some((_, priority)) = SYSTEM_CLASSES.iter().find(|(class, _)| *class == name) {
            return Some((*priority, PREEMPTING, true));
        }
        let class = match (self.snapshot, name) {
            (Some(snapshot), "") => {
                let mut classes = snapshot.priority_class_names().filter_map(|name| snapshot.priority_class(name));
                classes.find(|class| class.is_default)
            }
            (Some(snapshot), name) => Some(snapshot.priority_class(name)?),
            (None, "") => None,
            (None, _) => return None,
        };
        let certain = self.snapshot.is_some_and(|snapshot| snapshot.has_priority_class("?").is_some());
        Some(class.map_or((0, PREEMPTING, certain), |class| {
            (class.value, if class.never_preempts { "Never" } else { PREEMPTING }, true)
        }))
    }

    fn priority(&self) -> Option<Refusal<'n>> {
        let field = self.pod.spec.child("priority");
        let typed = field.int()?;
        let (computed, _, certain) = self.computed()?;
        (typed != computed).then(|| {
            let why = format!(
                "the integer value of priority ({typed}) must not be provided in pod spec; priority admission controller computed {computed} from the given PriorityClass name"
            );
            let sentence = format!("`priority` is {typed}, but a Pod's priority comes from its PriorityClass alone");
            let help = "remove priority and name a PriorityClass in priorityClassName";
            Refusal { certain, ..Refusal::new(field, self.pod, &why, sentence, help) }
        })
    }

    fn preemption(&self) -> Option<Refusal<'n>> {
        let field = self.pod.spec.child("preemptionPolicy");
        let (_, computed, certain) = self.computed()?;
        (field.is_set() && field.text() != computed).then(|| {
            let typed = field.text();
            let why = format!(
                "the string value of PreemptionPolicy ({typed}) must not be provided in pod spec; priority admission controller computed {computed} from the given PriorityClass name"
            );
            let sentence =
                format!("`preemptionPolicy` is `{typed}`, but a Pod's policy comes from its PriorityClass alone");
            let help = "remove preemptionPolicy and name a PriorityClass that has it";
            Refusal { certain, ..Refusal::new(field, self.pod, &why, sentence, help) }
        })
    }

    /// An empty name is looked up too, which the client library of the plugin refuses.
    fn missing_runtime_class(&self) -> Option<Refusal<'n>> {
        let field = self.pod.spec.child("runtimeClassName");
        let name = field.text();
        if field.is_set() && name.is_empty() {
            let sentence = "`runtimeClassName` is empty; the server looks for a RuntimeClass without a name".into();
            let refusal = Refusal::new(field, self.pod, "", sentence, "remove runtimeClassName");
            return Some(Refusal { message: "resource name may not be empty".into(), ..refusal });
        }
        let known = self.snapshot.and_then(|snapshot| snapshot.has_runtime_class(name));
        let impossible = !names::dns_subdomain(name).is_empty();
        (!name.is_empty() && (impossible || known == Some(false))).then(|| {
            let names = self.snapshot.into_iter().flat_map(Snapshot::runtime_class_names);
            let help = proposal(name, names, "write the name of a RuntimeClass of the cluster, not its handler");
            let sentence = format!("`runtimeClassName` is {}, but there is no such RuntimeClass", quote(name));
            let why = format!("pod rejected: RuntimeClass {} not found", quote(name));
            Refusal::new(field, self.pod, &why, sentence, &help)
        })
    }

    /// The Pod's overhead may only repeat that of its class.
    fn other_overhead(&self) -> Option<Refusal<'n>> {
        let overhead = self.pod.spec.child("overhead");
        let class = self.snapshot?.runtime_class(self.pod.spec.child("runtimeClassName").text())?;
        let typed = crate::cluster::requests::of_node(overhead.node);
        (overhead.len() > 0 && !class.overhead.is_empty() && typed != class.overhead).then(|| {
            let why = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
            let sentence = "`overhead` differs from the overhead of the Pod's RuntimeClass".into();
            Refusal::new(overhead.at_key(), self.pod, why, sentence, "remove overhead")
        })
    }

    /// The class picks nodes by a label that the Pod wants otherwise.
    fn other_nodes(&self) -> Option<Refusal<'n>> {
        let class = self.snapshot?.runtime_class(self.pod.spec.child("runtimeClassName").text())?;
        let selector = self.pod.spec.child("nodeSelector");
        class.node_selector.iter().find_map(|(key, value)| {
            let own = selector.child(key);
            if !own.is_set() || own.text() == value {
                return None;
            }
            {
                let typed = own.text();
                let why = format!(
                    "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {typed}"
                );
                let sentence = format!(
                    "the nodeSelector wants `{key}: {typed}`, but the Pod's RuntimeClass picks nodes with `{key}: {value}`"
                );
                let help = "remove runtimeClassName, or the label from the nodeSelector";
                let origin = self.snapshot?.runtime_class_origin(self.pod.spec.child("runtimeClassName").text());
                Some(Refusal::new(own.clone(), self.pod, &why, sentence, help).because_of(origin, "the RuntimeClass"))
            }
        })
    }
}

fn proposal<'c>(typed: &str, names: impl Iterator<Item = &'c str>, otherwise: &str) -> String {
    suggest::nearest(typed, names).map_or_else(|| otherwise.to_owned(), |name| format!("write `{name}`"))
}
