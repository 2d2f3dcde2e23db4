//! House rules: what an organisation wants of its sandboxes, written in CEL as Kubernetes' ValidatingAdmissionPolicy
//! has it. `docs/policy.md` describes them.

pub mod admission;
pub mod budget;
mod check;
pub mod condition;
pub mod expression;
pub mod house;
pub mod library;
mod load;
pub mod target;
mod value;

pub use check::check;
pub use load::{PolicyError, TESTS, verdict};

use crate::finding::Severity;
use crate::settings::Word;
use expression::Expression;
use globset::GlobSet;
use target::Scope;

/// One rule of a policy, compiled.
#[derive(Clone, Debug)]
pub struct HouseRule {
    /// Its name, by which comments and baselines know it.
    pub name: String,
    /// Which objects it looks at: those that all of these include.
    pub scopes: Vec<Scope>,
    /// How much a breach weighs.
    pub severity: Severity,
    /// It looks only at resources for which all of these are true.
    pub conditions: Vec<Expression>,
    /// What must be true.
    pub expression: Expression,
    /// What a breach says.
    pub message: Option<String>,
    /// Makes the text of a breach; `message` is for when that fails.
    pub message_expression: Option<Expression>,
    /// What to do about a breach.
    pub help: Option<String>,
    /// The field that a breach points at, such as `pod.spec.containers`.
    pub field: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a rule comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A house rule.
    House,
    /// A ValidatingAdmissionPolicy.
    Admission {
        /// The policy's name.
        policy: String,
        /// The binding's name, where one was given.
        binding: Option<String>,
        /// Whether a failing expression counts as a breach (`failurePolicy: Fail`).
        fail_closed: bool,
    },
}

/// The policies of a run.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// The rules, in the order in which they were read.
    pub rules: Vec<HouseRule>,
    /// What is left out, and why.
    pub notices: Vec<Notice>,
}

impl Policies {
    /// The names of the rules.
    pub fn names(&self) -> Vec<&str> {
        self.rules.iter().map(|rule| rule.name.as_str()).collect()
    }
}

/// Something of a policy that cannot be evaluated without a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The file as output shows it.
    pub file: String,
    /// What is left out, and why.
    pub message: String,
}

/// The kinds that policies can look at.
pub const KINDS: [&str; 11] = [
    "Sandbox",
    "SandboxTemplate",
    "SandboxWarmPool",
    "SandboxClaim",
    "Pod",
    "Deployment",
    "StatefulSet",
    "ReplicaSet",
    "DaemonSet",
    "Job",
    "CronJob",
];

/// What an expression can look at, with what it holds.
pub const VARIABLES: [(&str, &str); 6] = [
    ("object", "the resource as the API server stores it"),
    ("oldObject", "null, as for a resource that is created"),
    ("request", "operation, kind, resource, namespace, name and dryRun of the request that creates the resource"),
    ("pod", "the Pod that the controller would create"),
    ("prediction", "what will happen to that Pod: stage, phase, reason, message, backend, node, certain, accepted"),
    ("variables", "the rule's own variables"),
];

/// Names of types, which an expression can compare `type(x)` with.
const TYPES: [&str; 11] =
    ["bool", "bytes", "double", "int", "list", "map", "null_type", "optional_type", "string", "type", "uint"];

/// Fields of `request` that are known without a cluster.
const REQUEST_FIELDS: [&str; 6] = ["operation", "kind", "resource", "namespace", "name", "dryRun"];

/// What an expression needs that is not known without a cluster, or does not exist at all.
fn missing(expression: &Expression) -> Option<String> {
    for name in &expression.names {
        let (root, field) = name.split_once('.').map_or((name.as_str(), None), |(root, field)| (root, Some(field)));
        let known = VARIABLES.iter().any(|(known, _)| *known == root) && root != "variables";
        let field_known = root != "request" || field.is_some_and(|field| REQUEST_FIELDS.contains(&field));
        if !(known && field_known || field.is_none() && TYPES.contains(&root)) {
            return Some(format!("`{name}`"));
        }
    }
    let functions = &expression.functions;
    functions
        .iter()
        .find(|name| !library::FUNCTIONS.contains(&name.as_str()))
        .map(|name| format!("the function `{name}`"))
}

/// The globs of a scope.
fn glob_set(words: &[Word]) -> Result<Option<GlobSet>, (Word, String)> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut set = globset::GlobSetBuilder::new();
    for word in words {
        set.add(globset::Glob::new(&word.text).map_err(|error| (word.clone(), error.kind().to_string()))?);
    }
    set.build().map(Some).map_err(|error| (words[0].clone(), error.to_string()))
}
