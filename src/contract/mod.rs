//! The contract between pod templates and backends, as data: `rules/contract/*.yaml`, read by the same code
//! that reads what a user adds.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Everything the linter knows of backends.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// The backends, the ordinary kubelet included, in a fixed order.
    pub backends: Vec<Backend>,
}

/// One way to serve a sandbox Pod.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Backend {
    /// `sandboxd`, `vk-cocoon`, `kubelet`, or a configured one.
    pub name: String,
    /// What its provider is called in sentences: `vk-sandbox`, `vk-cocoon`, `kubelet`.
    pub provider: String,
    /// The node it runs on, as it is when nobody changed its defaults.
    pub node: NodeShape,
    /// The label that picks its nodes; `None` for the ordinary kubelet.
    #[serde(default)]
    pub selector: Option<Selector>,
    /// The annotations its provider reads or writes.
    #[serde(default)]
    pub annotations: Vec<AnnotationSpec>,
}

/// A node's shape: what the scheduler looks at.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeShape {
    /// `metadata.name`.
    pub name: String,
    /// `metadata.labels`.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// `spec.taints`.
    #[serde(default)]
    pub taints: Vec<Taint>,
    /// `status.allocatable`, as quantities in text.
    #[serde(default)]
    pub allocatable: BTreeMap<String, String>,
    /// `spec.unschedulable`.
    #[serde(default)]
    pub unschedulable: bool,
}

/// A taint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Taint {
    /// The key.
    pub key: String,
    /// The value; empty when absent.
    #[serde(default)]
    pub value: String,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
    pub effect: String,
}

/// The label that picks a backend's nodes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selector {
    /// The label key.
    pub key: String,
    /// The value, or `None` when every cluster chooses its own.
    #[serde(default)]
    pub value: Option<String>,
}

/// Which way an annotation travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Written by the author, read by the provider.
    In,
    /// Written by the provider.
    Out,
    /// Written by an operator, never by an author.
    Operator,
}

/// One annotation of a provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnnotationSpec {
    /// The full key.
    pub key: String,
    /// Which way it travels.
    pub direction: Direction,
    /// Whether CreatePod fails without it.
    #[serde(default)]
    pub required: bool,
    /// The allowed values; empty means any text.
    #[serde(default)]
    pub values: Vec<String>,
    /// What an absent or empty value means.
    #[serde(default)]
    pub default: Option<String>,
    /// One line on what it does.
    pub summary: String,
}

impl Contract {
    /// The contract that ships with the linter.
    pub fn builtin() -> Self {
        const FILES: [&str; 3] = [
            include_str!("../../rules/contract/kubelet.yaml"),
            include_str!("../../rules/contract/sandboxd.yaml"),
            include_str!("../../rules/contract/vk-cocoon.yaml"),
        ];
        let backends =
            FILES.iter().map(|text| serde_yaml::from_str(text).expect("bundled contract is valid")).collect();
        Self { backends }
    }

    /// The backend with this name.
    pub fn backend(&self, name: &str) -> Option<&Backend> {
        self.backends.iter().find(|backend| backend.name == name)
    }
}
