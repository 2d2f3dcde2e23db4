//! The parts of a contract that say when something happens, and in which words: statements, effects, checks, gates.

use crate::policy::{condition, expression::Expression};
use crate::rule::{self, Rule};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A condition in CEL over `pod`, `annotations`, `labels` and `object` (the resource as stored).
#[derive(Clone, Debug)]
pub struct When(Arc<Expression>);

impl When {
    /// The compiled expression.
    pub fn expression(&self) -> &Expression {
        &self.0
    }
}

impl Serialize for When {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.source)
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        let expression =
            condition::compile(&source).map_err(|error| D::Error::custom(format!("no condition: {error}")))?;
        Ok(Self(Arc::new(expression)))
    }
}

/// A regular expression that the whole of a value matches.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    regex: regex::Regex,
}

impl Pattern {
    /// As it is written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the whole value matches.
    pub fn matches(&self, value: &str) -> bool {
        self.regex.is_match(value)
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        let last_line = |error: &regex::Error| error.to_string().lines().last().unwrap_or_default().to_owned();
        let regex = regex::Regex::new(&format!(r"\A(?:{source})\z"))
            .map_err(|error| D::Error::custom(format!("no regular expression: {}", last_line(&error))))?;
        Ok(Self { source, regex })
    }
}

/// One of the linter's rules, by code or name.
#[derive(Clone, Copy, Debug)]
pub struct RuleName(pub &'static Rule);

impl Serialize for RuleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for RuleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        rule::find(&name).map(Self).ok_or_else(|| D::Error::custom(format!("no rule is called `{name}`")))
    }
}

/// What the linter says of a fault, where the usual words do not do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    /// The rule that reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleName>,
    /// What is wrong; see [`STATEMENT_NAMES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What to write instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Of a value that newer releases know: whether a refusal is the predicted outcome.
    #[serde(default, skip_serializing_if = "is_false")]
    pub predicted: bool,
}

/// The names that messages and help of the linter can hold, beside `annotation KEY`; `{name|text}` stands for the text
/// where the name has nothing to say.
pub const STATEMENT_NAMES: [&str; 13] = [
    "pod",
    "namespace",
    "podName",
    "node",
    "key",
    "value",
    "quoted",
    "provider",
    "state",
    "path",
    "values",
    "near",
    "image",
];

/// How much a finding counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// CreatePod fails.
    #[default]
    Error,
    /// It may fail, or does something else than the manifest says.
    Warning,
    /// Worth knowing.
    Note,
}

/// The state that an effect ends in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndPhase {
    /// The Pod is Pending.
    Pending,
    /// The Pod is Failed.
    #[default]
    Failed,
    /// The Pod runs.
    Running,
}

/// What happens to the Pod while it runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EffectOutcome {
    /// The state it ends in.
    #[serde(default)]
    pub phase: EndPhase,
    /// The machine-readable reason.
    #[serde(default)]
    pub reason: Option<String>,
    /// The message, letter for letter.
    #[serde(default)]
    pub message: Option<String>,
    /// Where it is shown.
    #[serde(default)]
    pub shown_on: Option<String>,
    /// What is tried again.
    #[serde(default)]
    pub retries: Option<String>,
    /// Whether it depends on the cluster.
    #[serde(default, skip_serializing_if = "is_false")]
    pub uncertain: bool,
}

/// What a value that CreatePod takes does, though its author may not expect it. It has an effect where everything it
/// lists is true.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Effect {
    /// The integer is this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<i64>,
    /// The integer is larger than this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<i64>,
    /// Blanks stand around the value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub padded: bool,
    /// A condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// The rule that reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleName>,
    /// How much it counts; the rule's own severity where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// What it does.
    pub message: String,
    /// What to write instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The provider's error that is to be expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// What happens while the Pod runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<EffectOutcome>,
}

/// A check of CreatePod that is more than the value of one annotation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// The Pod is refused where this is true.
    pub when: When,
    /// The annotation that the finding points at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotation: Option<String>,
    /// The field of the Pod's spec that the finding points at, such as `hostNetwork` or `containers[0].image`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The annotation before which CreatePod makes the check; behind all of them where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// `error` where CreatePod fails.
    #[serde(default)]
    pub level: Level,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The provider's error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// What happens while the Pod runs, of a check that is no error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<EffectOutcome>,
}

/// A webhook that denies Pods of the backend.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Gate {
    /// What messages call it.
    pub name: String,
    /// The profile with which it is in force; always where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// It looks at Pods with a toleration of one of these keys…
    #[serde(default)]
    pub tolerations: Vec<String>,
    /// …or with one of these annotations…
    #[serde(default)]
    pub annotations: Vec<String>,
    /// …for which this is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// Namespaces that it leaves out.
    #[serde(default)]
    pub exempt_namespaces: Vec<String>,
    /// The API server's words, from `admission webhook` on.
    pub denial: String,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A part of a provider that the data cannot express: a procedure of the linter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hook {
    /// Compares the Pod's pool key with the pools that the configuration lists, and its template with its images.
    SandboxdPools,
    /// Follows vk-cocoon's ways to a VM (boot, clone, fork, macOS, unmanaged) and the `cocoon` command's own checks.
    VkCocoon,
}

/// Of a field that output leaves out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}
