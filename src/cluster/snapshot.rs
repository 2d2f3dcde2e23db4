//! Objects of a real cluster, read from `kubectl get … -A -o yaml`.

use super::demand::HostPort;
use super::label_selector::{Labels, PodTerm};
use super::requests::Amounts;
use std::collections::{BTreeMap, BTreeSet};

/// Objects of a cluster. Names and keys only; values of Secrets are never kept.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Pods that are bound to a node and not finished.
    pub pods: Vec<RunningPod>,
    /// Labels by namespace; `None` where namespaces were not in the snapshot.
    namespaces: Option<BTreeMap<String, Labels>>,
    runtime_classes: Option<BTreeMap<String, RuntimeClass>>,
    claims: Option<BTreeSet<Key>>,
}

/// Namespace and name.
type Key = (String, String);

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

impl Snapshot {
    /// Labels of a namespace.
    pub fn namespace_labels(&self, name: &str) -> Option<&Labels> {
        self.namespaces.as_ref()?.get(name)
    }

    /// The RuntimeClass with this name.
    pub fn runtime_class(&self, name: &str) -> Option<&RuntimeClass> {
        self.runtime_classes.as_ref()?.get(name)
    }

    /// Whether a PersistentVolumeClaim exists; `None` where claims were not in the snapshot.
    pub fn has_claim(&self, namespace: &str, name: &str) -> Option<bool> {
        Some(self.claims.as_ref()?.contains(&(namespace.to_owned(), name.to_owned())))
    }
}

/// A Pod of the cluster, as far as it matters to others.
#[derive(Clone, Debug, Default)]
pub struct RunningPod {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The node it is bound to.
    pub node: String,
    /// Its labels.
    pub labels: Labels,
    /// Its priority.
    pub priority: i64,
    /// What it requests.
    pub requests: Amounts,
    /// Ports it holds on the node.
    pub host_ports: Vec<HostPort>,
    /// Its required podAntiAffinity, which keeps others away.
    pub anti_affinity: Vec<PodTerm>,
}
