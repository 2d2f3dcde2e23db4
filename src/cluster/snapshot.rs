//! What a snapshot of a real cluster says: `kubectl get nodes,pods,runtimeclasses,… -A -o yaml` (or `-o json`).
//!
//! Every question about a kind answers `None` where the snapshot does not cover it: then nothing is certain.

use super::host_port::HostPort;
use super::label_selector::{Labels, PodTerm};
use super::requests::Amounts;
use std::collections::{BTreeMap, BTreeSet};

/// Objects of a cluster. Names and keys only; values of ConfigMaps and Secrets are never kept.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Pods that are not finished.
    pub pods: Vec<RunningPod>,
    pub(super) nodes_known: bool,
    pub(super) namespaces: Table<Labels>,
    pub(super) runtime_classes: Table<RuntimeClass>,
    pub(super) priority_classes: Table<PriorityClass>,
    pub(super) service_accounts: Table<()>,
    pub(super) config_maps: Table<BTreeSet<String>>,
    pub(super) secrets: Table<BTreeSet<String>>,
    pub(super) claims: Table<VolumeClaim>,
    pub(super) storage_classes: Table<StorageClass>,
    pub(super) sandboxes: Table<()>,
    pub(super) templates: Table<()>,
    pub(super) warm_pools: Table<WarmPool>,
    pub(super) webhooks: Option<BTreeSet<String>>,
}

/// Namespace and name; the namespace is empty for objects without one.
type Key = (String, String);

/// The objects of one kind; `None` inside where the snapshot has none of it.
#[derive(Clone, Debug)]
pub(super) struct Table<T>(Option<BTreeMap<Key, T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Table<T> {
    pub(super) fn insert(&mut self, namespace: &str, name: &str, object: T) {
        self.0.get_or_insert_default().insert((namespace.to_owned(), name.to_owned()), object);
    }

    /// Notes that the kind was asked for, even if there is no object of it.
    pub(super) fn cover(&mut self) {
        self.0.get_or_insert_default();
    }

    /// The object; the outer `None` where the kind, or the namespace, is not covered. A snapshot of one namespace
    /// alone does not speak for the others.
    fn get(&self, namespace: &str, name: &str) -> Option<Option<&T>> {
        let objects = self.0.as_ref()?;
        let mut namespaces = objects.keys().map(|(namespace, _)| namespace.as_str());
        let first = namespaces.next();
        let alone = first.is_some_and(|first| first != namespace && namespaces.all(|other| other == first));
        (!alone).then(|| objects.get(&(namespace.to_owned(), name.to_owned())))
    }

    fn has(&self, namespace: &str, name: &str) -> Option<bool> {
        self.get(namespace, name).map(|found| found.is_some())
    }

    /// The names in one namespace, for "did you mean".
    fn names<'t>(&'t self, namespace: &'t str) -> impl Iterator<Item = &'t str> {
        let inside = move |(key, _): &(&'t Key, &'t T)| key.0 == namespace;
        self.0.iter().flatten().filter(inside).map(|(key, _)| key.1.as_str())
    }
}

/// A Pod of the cluster, as far as it matters to others.
#[derive(Clone, Debug, Default)]
pub struct RunningPod {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The node it is bound to; empty while it waits for one.
    pub node: String,
    /// Its labels.
    pub labels: Labels,
    /// Its annotations.
    pub annotations: Labels,
    /// Its priority.
    pub priority: i64,
    /// What it requests.
    pub requests: Amounts,
    /// Ports it holds on the node.
    pub host_ports: Vec<HostPort>,
    /// Its required podAntiAffinity, which keeps others away.
    pub anti_affinity: Vec<PodTerm>,
}

/// A RuntimeClass, as far as it changes a Pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuntimeClass {
    /// The handler that the node's runtime must have.
    pub handler: String,
    /// What it adds to the requests.
    pub overhead: Amounts,
    /// Labels that it adds to the nodeSelector.
    pub node_selector: Labels,
}

/// A PriorityClass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityClass {
    /// The priority of its Pods.
    pub value: i64,
    /// Whether Pods without a class get it.
    pub is_default: bool,
    /// Whether its Pods never evict others.
    pub never_preempts: bool,
}

/// A PersistentVolumeClaim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeClaim {
    /// Whether a volume is bound to it.
    pub bound: bool,
    /// Its class; empty for the cluster's default.
    pub class: String,
}

/// A StorageClass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorageClass {
    /// Whether a volume is made only once the Pod has a node (`WaitForFirstConsumer`).
    pub waits_for_pod: bool,
    /// Whether claims without a class get it.
    pub is_default: bool,
}

/// A SandboxWarmPool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarmPool {
    /// The SandboxTemplate it makes Sandboxes of.
    pub template: String,
    /// How many it keeps.
    pub replicas: i64,
}

/// The webhook of cocoon-webhook.
const COCOON_WEBHOOK: &str = "pods.mutate.cocoonstack.io";

impl Snapshot {
    /// Whether the snapshot has the cluster's nodes.
    pub fn has_nodes(&self) -> bool {
        self.nodes_known
    }

    /// Labels of a namespace.
    pub fn namespace_labels(&self, name: &str) -> Option<&Labels> {
        self.namespaces.get("", name)?
    }

    /// Whether a RuntimeClass exists.
    pub fn has_runtime_class(&self, name: &str) -> Option<bool> {
        self.runtime_classes.has("", name)
    }

    /// The RuntimeClass with this name.
    pub fn runtime_class(&self, name: &str) -> Option<&RuntimeClass> {
        self.runtime_classes.get("", name)?
    }

    /// Names of all RuntimeClasses.
    pub fn runtime_class_names(&self) -> impl Iterator<Item = &str> {
        self.runtime_classes.names("")
    }

    /// Whether a PriorityClass exists; the two of Kubernetes itself always do.
    pub fn has_priority_class(&self, name: &str) -> Option<bool> {
        let built_in = matches!(name, "system-cluster-critical" | "system-node-critical");
        if built_in { Some(true) } else { self.priority_classes.has("", name) }
    }

    /// The PriorityClass with this name.
    pub fn priority_class(&self, name: &str) -> Option<&PriorityClass> {
        self.priority_classes.get("", name)?
    }

    /// Names of all PriorityClasses.
    pub fn priority_class_names(&self) -> impl Iterator<Item = &str> {
        self.priority_classes.names("")
    }

    /// Whether a ServiceAccount exists.
    pub fn has_service_account(&self, namespace: &str, name: &str) -> Option<bool> {
        self.service_accounts.has(namespace, name)
    }

    /// Whether a ConfigMap exists.
    pub fn has_config_map(&self, namespace: &str, name: &str) -> Option<bool> {
        self.config_maps.has(namespace, name)
    }

    /// The keys of a ConfigMap, if it exists.
    pub fn config_map_keys(&self, namespace: &str, name: &str) -> Option<&BTreeSet<String>> {
        self.config_maps.get(namespace, name)?
    }

    /// Names of the ConfigMaps of a namespace.
    pub fn config_map_names<'t>(&'t self, namespace: &'t str) -> impl Iterator<Item = &'t str> {
        self.config_maps.names(namespace)
    }

    /// Whether a Secret exists.
    pub fn has_secret(&self, namespace: &str, name: &str) -> Option<bool> {
        self.secrets.has(namespace, name)
    }

    /// The keys of a Secret, if it exists.
    pub fn secret_keys(&self, namespace: &str, name: &str) -> Option<&BTreeSet<String>> {
        self.secrets.get(namespace, name)?
    }

    /// Names of the Secrets of a namespace.
    pub fn secret_names<'t>(&'t self, namespace: &'t str) -> impl Iterator<Item = &'t str> {
        self.secrets.names(namespace)
    }

    /// Whether a PersistentVolumeClaim exists.
    pub fn has_claim(&self, namespace: &str, name: &str) -> Option<bool> {
        self.claims.has(namespace, name)
    }

    /// The PersistentVolumeClaim with this name.
    pub fn claim(&self, namespace: &str, name: &str) -> Option<&VolumeClaim> {
        self.claims.get(namespace, name)?
    }

    /// Whether volumes of a class wait for a Pod; an empty name asks for the default class. `None` where classes are
    /// not in the snapshot; a class that is missing makes no volumes, and so does not wait either.
    pub fn class_waits_for_pod(&self, name: &str) -> Option<bool> {
        let classes = self.storage_classes.0.as_ref()?;
        let wanted = |((_, found), class): &(&Key, &StorageClass)| {
            if name.is_empty() { class.is_default } else { found == name }
        };
        Some(classes.iter().find(wanted).is_some_and(|(_, class)| class.waits_for_pod))
    }

    /// Whether a Sandbox exists.
    pub fn has_sandbox(&self, namespace: &str, name: &str) -> Option<bool> {
        self.sandboxes.has(namespace, name)
    }

    /// Whether a SandboxTemplate exists.
    pub fn has_template(&self, namespace: &str, name: &str) -> Option<bool> {
        self.templates.has(namespace, name)
    }

    /// Names of the SandboxTemplates of a namespace.
    pub fn template_names<'t>(&'t self, namespace: &'t str) -> impl Iterator<Item = &'t str> {
        self.templates.names(namespace)
    }

    /// Whether a SandboxWarmPool exists.
    pub fn has_warm_pool(&self, namespace: &str, name: &str) -> Option<bool> {
        self.warm_pools.has(namespace, name)
    }

    /// The SandboxWarmPool with this name.
    pub fn warm_pool(&self, namespace: &str, name: &str) -> Option<&WarmPool> {
        self.warm_pools.get(namespace, name)?
    }

    /// Names of the SandboxWarmPools of a namespace.
    pub fn warm_pool_names<'t>(&'t self, namespace: &'t str) -> impl Iterator<Item = &'t str> {
        self.warm_pools.names(namespace)
    }

    /// Whether cocoon-webhook is registered.
    pub fn has_cocoon_webhook(&self) -> Option<bool> {
        Some(self.webhooks.as_ref()?.contains(COCOON_WEBHOOK))
    }

    /// The Pod that carries an annotation with this value: a VM name that is in use.
    pub fn pod_with_annotation(&self, key: &str, value: &str) -> Option<&RunningPod> {
        self.pods.iter().find(|pod| pod.annotations.get(key).is_some_and(|found| found == value))
    }
}
