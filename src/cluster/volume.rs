//! Storage: claims, volumes and classes, as far as they decide where a Pod can run.

use super::node_selector::accepts;
use crate::contract::NodeShape;

/// A PersistentVolumeClaim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeClaim {
    /// Whether a volume is bound to it, or will be by all that is known.
    pub bound: bool,
    /// The PersistentVolume that it is bound to; empty where none is known.
    pub volume: String,
    /// Its class; empty for the cluster's default.
    pub class: String,
    /// Whether one Pod at a time can use it (`ReadWriteOncePod`).
    pub is_for_one_pod: bool,
}

/// A StorageClass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorageClass {
    /// Whether a volume is made only once the Pod has a node (`WaitForFirstConsumer`).
    pub waits_for_pod: bool,
    /// Whether claims without a class get it.
    pub is_default: bool,
}

/// A PersistentVolume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersistentVolume {
    /// The terms of its required node affinity, ORed; `None` where every node reaches it.
    pub terms: Option<Vec<Vec<Requirement>>>,
}

/// A requirement over a node label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// The label key.
    pub key: String,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
    pub operator: String,
    /// The values.
    pub values: Vec<String>,
}

impl PersistentVolume {
    /// Whether a node reaches the volume.
    pub fn is_reached_from(&self, node: &NodeShape) -> bool {
        let meets = |one: &Requirement| {
            let values: Vec<&str> = one.values.iter().map(String::as_str).collect();
            accepts(&one.operator, &values, node.labels.get(&one.key).map(String::as_str))
        };
        self.terms.as_ref().is_none_or(|terms| terms.iter().any(|term| !term.is_empty() && term.iter().all(meets)))
    }
}
