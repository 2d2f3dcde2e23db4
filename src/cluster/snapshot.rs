//! What a snapshot of a real cluster says: `kubectl get nodes,pods,runtimeclasses,… -A -o yaml` (or `-o json`).
//!
//! Every question about a kind answers `None` where the snapshot does not cover it: then nothing is certain.

use super::host_port::HostPort;
use super::label_selector::{Labels, PodTerm};
use super::limit_range::LimitRange;
use super::quota::ResourceQuota;
use super::requests::Amounts;
use super::table::{Origin, Table};
use super::volume::{PersistentVolume, StorageClass, VolumeClaim};
use std::collections::BTreeSet;

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
    pub(super) volumes: Table<PersistentVolume>,
    pub(super) quotas: Table<ResourceQuota>,
    pub(super) limit_ranges: Table<LimitRange>,
    pub(super) sandboxes: Table<()>,
    pub(super) sandbox_claims: Table<()>,
    pub(super) templates: Table<()>,
    pub(super) warm_pools: Table<WarmPool>,
    pub(super) webhooks: Option<BTreeSet<String>>,
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
    /// Tolerations that it adds to those of the Pod: key, operator, value and effect.
    pub tolerations: Vec<Labels>,
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

    /// Takes over what is written in files of the run.
    pub(super) fn overlay(&mut self, files: &Snapshot) {
        self.namespaces.overlay(&files.namespaces);
        self.runtime_classes.overlay(&files.runtime_classes);
        self.priority_classes.overlay(&files.priority_classes);
        self.service_accounts.overlay(&files.service_accounts);
        self.config_maps.overlay(&files.config_maps);
        self.secrets.overlay(&files.secrets);
        self.claims.overlay(&files.claims);
        self.storage_classes.overlay(&files.storage_classes);
        self.volumes.overlay(&files.volumes);
        self.quotas.overlay(&files.quotas);
        self.limit_ranges.overlay(&files.limit_ranges);
    }

    /// Labels of a namespace.
    pub fn namespace_labels(&self, name: &str) -> Option<&Labels> {
        self.namespaces.get("", name)
    }

    /// Whether a RuntimeClass exists.
    pub fn has_runtime_class(&self, name: &str) -> Option<bool> {
        self.runtime_classes.has("", name)
    }

    /// The RuntimeClass with this name.
    pub fn runtime_class(&self, name: &str) -> Option<&RuntimeClass> {
        self.runtime_classes.get("", name)
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
        self.priority_classes.get("", name)
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
        self.config_maps.get(namespace, name)
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
        self.secrets.get(namespace, name)
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
        self.claims.get(namespace, name)
    }

    /// Whether volumes of a class wait for a Pod; an empty name asks for the default class. `None` where the class is
    /// not known; a class that the snapshot lacks makes no volumes, and so does not wait either.
    pub fn class_waits_for_pod(&self, name: &str) -> Option<bool> {
        let mut classes = self.storage_classes.entries();
        let wanted = |name: &str, class: &StorageClass, found: &str| {
            if name.is_empty() { class.is_default } else { found == name }
        };
        match classes.find(|entry| wanted(name, entry.object, entry.name)) {
            Some(entry) => Some(entry.object.waits_for_pod),
            None => self.storage_classes.is_covered().then_some(false),
        }
    }

    /// Whether a StorageClass exists.
    pub fn has_storage_class(&self, name: &str) -> Option<bool> {
        self.storage_classes.has("", name)
    }

    /// Names of all StorageClasses.
    pub fn storage_class_names(&self) -> impl Iterator<Item = &str> {
        self.storage_classes.names("")
    }

    /// The PersistentVolume with this name.
    pub fn volume(&self, name: &str) -> Option<&PersistentVolume> {
        self.volumes.get("", name)
    }

    /// The ResourceQuotas of a namespace by name, and where each is written.
    pub fn quotas<'t>(
        &'t self,
        namespace: &'t str,
    ) -> impl Iterator<Item = (&'t str, &'t ResourceQuota, Option<Origin>)> {
        let within = self.quotas.entries().filter(move |entry| entry.namespace == namespace);
        within.map(|entry| (entry.name, entry.object, entry.origin))
    }

    /// The namespaces that have a ResourceQuota, each once.
    pub fn quota_namespaces(&self) -> BTreeSet<&str> {
        self.quotas.entries().map(|entry| entry.namespace).collect()
    }

    /// The LimitRanges of a namespace by name, and where each is written.
    pub fn limit_ranges<'t>(
        &'t self,
        namespace: &'t str,
    ) -> impl Iterator<Item = (&'t str, &'t LimitRange, Option<Origin>)> {
        let within = self.limit_ranges.entries().filter(move |entry| entry.namespace == namespace);
        within.map(|entry| (entry.name, entry.object, entry.origin))
    }

    /// Where a Namespace is written, if that is a file of the run.
    pub fn namespace_origin(&self, name: &str) -> Option<Origin> {
        self.namespaces.origin("", name)
    }

    /// Where a RuntimeClass is written, if that is a file of the run.
    pub fn runtime_class_origin(&self, name: &str) -> Option<Origin> {
        self.runtime_classes.origin("", name)
    }

    /// Whether a Sandbox exists.
    pub fn has_sandbox(&self, namespace: &str, name: &str) -> Option<bool> {
        self.sandboxes.has(namespace, name)
    }

    /// Whether the snapshot has a Sandbox; its Pod is counted by the quotas of the snapshot already.
    pub fn runs_sandbox(&self, namespace: &str, name: &str) -> bool {
        self.sandboxes.is_in_snapshot(namespace, name)
    }

    /// Whether the snapshot has a SandboxClaim.
    pub fn runs_claim(&self, namespace: &str, name: &str) -> bool {
        self.sandbox_claims.is_in_snapshot(namespace, name)
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
        self.warm_pools.get(namespace, name)
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
