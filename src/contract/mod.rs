//! The contract between pod templates and backends, as data: `rules/contract/*.yaml`, read by the same code
//! that reads what a user adds. `docs/contract-format.md` describes the format.

mod check;
mod extend;
mod labels;
mod message;
mod pack;
mod text;
mod value;

pub use check::{
    Check, Effect, EffectOutcome, EndPhase, Gate, Hook, Level, Pattern, RuleName, STATEMENT_NAMES, Statement, When,
};
pub use extend::{ContractError, Extension};
pub use labels::LabelDefect;
pub use message::{MessageScope, fill_names};
pub use pack::{load_pack, parse_pack, quoted_place, typed};
pub use text::render_text;
pub use value::{Judgement, has_placeholder};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything the linter knows of backends.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Contract {
    /// The backends, the ordinary kubelet included, in a fixed order.
    pub backends: Vec<Backend>,
}

/// One way to serve a sandbox Pod.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Backend {
    /// `sandboxd`, `vk-cocoon`, `kubelet`, or a configured one.
    pub name: String,
    /// What its provider is called in sentences: `vk-sandbox`, `vk-cocoon`, `kubelet`.
    pub provider: String,
    /// One line on what serves the Pod.
    #[serde(default)]
    pub summary: String,
    /// What isolates the Pod.
    #[serde(default)]
    pub isolation: String,
    /// How the Pod comes to run.
    #[serde(default)]
    pub delivery: String,
    /// Whether `spec.runtimeClassName` has an effect.
    #[serde(default)]
    pub reads_runtime_class_name: bool,
    /// The container image that `new` writes.
    #[serde(default)]
    pub example_image: Option<String>,
    /// The node it runs on, as it is when nobody changed its defaults.
    pub node: NodeShape,
    /// What an operator can change on that node.
    #[serde(default)]
    pub node_settings: Vec<NodeSetting>,
    /// The label that picks its nodes; `None` for the ordinary kubelet.
    #[serde(default)]
    pub selector: Option<Selector>,
    /// The toleration that lets a Pod onto its nodes; `None` where no taint keeps it off.
    #[serde(default)]
    pub toleration: Option<Toleration>,
    /// Prefixes of the annotation keys that belong to it, with the slash: `sandbox.cocoonstack.io/`.
    #[serde(default)]
    pub families: Vec<String>,
    /// Keys of older releases and what replaced them.
    #[serde(default)]
    pub former_keys: BTreeMap<String, String>,
    /// Pod labels of its own world that a sandbox template does not need.
    #[serde(default)]
    pub labels: Vec<LabelSpec>,
    /// The annotations its provider reads or writes, in the order in which CreatePod looks at them.
    #[serde(default)]
    pub annotations: Vec<AnnotationSpec>,
    /// Checks of CreatePod beyond the annotations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Webhooks that deny Pods of the backend.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Gate>,
    /// What the data cannot express.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<Hook>,
    /// What of the Pod spec has no effect.
    #[serde(default)]
    pub ignores: Vec<Ignored>,
    /// kubectl commands that do not do what they do on an ordinary node.
    #[serde(default)]
    pub lost_commands: Vec<LostCommand>,
}

/// A node's shape: what the scheduler looks at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selector {
    /// The label key.
    pub key: String,
    /// The value, or `None` when every cluster chooses its own.
    #[serde(default)]
    pub value: Option<String>,
}

/// The toleration that a template writes for a backend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Toleration {
    /// The key.
    pub key: String,
    /// `Exists` or `Equal`.
    pub operator: String,
    /// The value; empty with `Exists`.
    #[serde(default)]
    pub value: String,
    /// The effect.
    pub effect: String,
}

/// A default of a backend's node that its operator can change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeSetting {
    /// What is set.
    pub what: String,
    /// Its default.
    pub value: String,
    /// The flag or environment variable that changes it; empty where none does.
    #[serde(default)]
    pub set_by: String,
}

/// A label key with its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LabelSpec {
    /// The full key.
    pub key: String,
    /// One line on who sets it.
    pub summary: String,
}

/// Fields of the Pod spec that a provider does not act on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ignored {
    /// Fields of `spec`; `containers.` stands for every container, `containers[1:]` for all but the first.
    pub fields: Vec<String>,
    /// What that means for the author.
    pub effect: String,
    /// Whether nothing is said of them in a Pod: authors write them for good reasons, or a rule of their own reports it.
    #[serde(default)]
    pub quiet: bool,
}

/// kubectl commands with an unusual answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LostCommand {
    /// The commands: `logs`, `exec`.
    pub commands: Vec<String>,
    /// What comes instead.
    pub answer: String,
}

/// Which way an annotation travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Written by the author, read by the provider.
    #[default]
    In,
    /// Written by the provider.
    Out,
    /// Written by an operator, never by an author.
    Operator,
}

/// What kind of text an annotation holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueType {
    /// Any text.
    #[default]
    Text,
    /// One of `values`.
    Enum,
    /// A decimal whole number of 64 bits, with an optional sign.
    Integer,
    /// Exactly `true` or `false`.
    Boolean,
    /// A Kubernetes quantity such as `20Gi`.
    Quantity,
    /// A TCP port, 1 to 65535.
    Port,
    /// An absolute path without `.`, `..`, doubled or trailing slashes.
    Path,
    /// A name of up to 63 letters, digits, `.`, `_` and `-` that begins with a letter or digit.
    VmName,
    /// An IP address.
    Ip,
    /// A span of time as Go reads it: `90s`, `1h30m`.
    Duration,
}

/// The unit of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Seconds.
    Seconds,
}

/// What becomes of a value that is not of the allowed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    /// CreatePod fails.
    #[default]
    Refused,
    /// The default is used, silently.
    Default,
    /// It is taken as it is.
    Accepted,
}

/// Another annotation that lifts a requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Condition {
    /// The annotation's key.
    pub key: String,
    /// The value that lifts it.
    pub value: String,
}

/// One annotation of a provider.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnnotationSpec {
    /// The full key.
    pub key: String,
    /// Which way it travels.
    pub direction: Direction,
    /// Whether CreatePod fails without it.
    #[serde(default)]
    pub required: bool,
    /// CreatePod fails without it unless another annotation has this value.
    #[serde(default)]
    pub required_unless: Option<Condition>,
    /// What kind of text it holds.
    #[serde(default, rename = "type")]
    pub value_type: ValueType,
    /// The allowed values that every release knows; empty means any of its type.
    #[serde(default)]
    pub values: Vec<String>,
    /// Values that only newer releases know.
    #[serde(default)]
    pub newer_values: Vec<String>,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    pub fold_case: bool,
    /// The smallest integer allowed.
    #[serde(default)]
    pub minimum: Option<i64>,
    /// The largest integer allowed.
    #[serde(default)]
    pub maximum: Option<i64>,
    /// Larger integers are taken as this one, silently.
    #[serde(default)]
    pub clamp_above: Option<i64>,
    /// The smallest quantity or duration allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<String>,
    /// The largest quantity or duration allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<String>,
    /// What the whole value matches, beside its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// The unit of an integer, by which a value such as `1h` is understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// CreatePod fails without it where this is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_when: Option<When>,
    /// The value that a fix writes where it is missing; see [`STATEMENT_NAMES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supply: Option<String>,
    /// What is said where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_missing: Option<Statement>,
    /// What is said where its value is refused or not taken as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_refused: Option<Statement>,
    /// What is said where only newer releases know its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_newer: Option<Statement>,
    /// What values that are taken do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// What is used when it is absent.
    #[serde(default)]
    pub default: Option<String>,
    /// What an absent or empty value means, in words.
    #[serde(default)]
    pub empty: Option<String>,
    /// What becomes of other values.
    #[serde(default)]
    pub otherwise: Otherwise,
    /// Where it has an effect (`run`, `clone`, `macos`); empty means everywhere.
    #[serde(default)]
    pub applies_to: Vec<String>,
    /// The provider's message where it is missing; see [`MessageScope`].
    #[serde(default)]
    pub missing: Option<String>,
    /// The provider's message where its value is refused; see [`MessageScope`].
    #[serde(default)]
    pub refused: Option<String>,
    /// What `new` writes. `{name}` stands for the name of the resource: such a value is one Pod's alone, so that no
    /// template can hold it.
    #[serde(default)]
    pub example: Option<String>,
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

    /// The annotation with this key, and the backend it belongs to.
    pub fn annotation(&self, key: &str) -> Option<(&Backend, &AnnotationSpec)> {
        self.backends.iter().find_map(|backend| Some((backend, backend.annotation(key)?)))
    }
}

impl Backend {
    /// The annotation with this key.
    pub fn annotation(&self, key: &str) -> Option<&AnnotationSpec> {
        self.annotations.iter().find(|spec| spec.key == key)
    }

    /// Whether the key begins with one of the backend's families.
    pub fn owns(&self, key: &str) -> bool {
        self.families.iter().any(|family| key.starts_with(family.as_str()))
    }
}

impl AnnotationSpec {
    /// All values that some release knows, the widely known ones first.
    pub fn known_values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().chain(&self.newer_values).map(String::as_str)
    }
}
