//! Admission policies made from the contract: what the linter is certain of, as ValidatingAdmissionPolicies that the API
//! server evaluates itself, and MutatingAdmissionPolicies that fill in what a provider's annotation implies.
//! `docs/admission-policies.md` describes them.

mod backend;
mod cel;
mod cocoon;
mod codes;
mod mutate;
mod objects;
mod routing;
mod sandboxd;

use crate::cluster::{AgentSandboxRelease, Webhook};
use crate::contract::{Backend, Contract};
use crate::finding::Severity;
use crate::rule::Rule;
use crate::select::Target as Rules;
use serde_json::Value;

/// The first Kubernetes minor release with ValidatingAdmissionPolicy in version v1.
pub const OLDEST_KUBE_MINOR: u32 = 30;
/// The first Kubernetes minor release with MutatingAdmissionPolicy (v1alpha1).
pub const OLDEST_MUTATING_MINOR: u32 = 32;

/// What is generated.
#[derive(Clone, Debug)]
pub struct Options {
    /// What names of objects begin with.
    pub prefix: String,
    /// Names of the backends; empty for all.
    pub backends: Vec<String>,
    /// Rules to keep; empty for all.
    pub select: Vec<Rules>,
    /// Rules to leave out.
    pub ignore: Vec<Rules>,
    /// `validationActions` of what is certain to fail: `Deny`, `Warn`, `Audit`.
    pub actions: Vec<&'static str>,
    /// Labels of the namespaces that the bindings look at; empty for all.
    pub namespace_labels: Vec<(String, String)>,
    /// `failurePolicy`: `Fail` or `Ignore`.
    pub failure_policy: &'static str,
    /// The Kubernetes minor release.
    pub kube_minor: u32,
    /// The agent-sandbox release; `None` where it is not known.
    pub agent_sandbox: Option<AgentSandboxRelease>,
    /// cocoon-webhook, where it runs.
    pub webhook: Option<Webhook>,
    /// Whether the aggregated API serves Sandboxes without Pods.
    pub aggregated_api: bool,
    /// Whether MutatingAdmissionPolicies are added.
    pub mutating: bool,
}

/// Why nothing can be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The cluster is too old.
    #[error("{0} needs Kubernetes 1.{1} or later")]
    TooOld(&'static str, u32),
    /// No such backend.
    #[error("unknown backend `{0}`; known: {1}")]
    Backend(String, String),
    /// Nothing is left.
    #[error("no policy is left: neither the backends nor the rules chosen have one")]
    Nothing,
}

/// One statement about an object, in CEL.
#[derive(Clone, Debug)]
struct Check {
    /// The rule that says the same in a file.
    rule: &'static Rule,
    severity: Severity,
    /// True where nothing is wrong.
    holds: String,
    /// What is said otherwise.
    message: String,
    /// The same with the value in it, as an expression.
    words: Option<String>,
}

/// What a policy looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Pods, whoever creates them.
    Pods,
    /// The Pod templates of Sandboxes and SandboxTemplates.
    Sandboxes,
}

impl Subject {
    /// The expression of what holds the Pod's `metadata` and `spec`.
    fn root(self) -> &'static str {
        match self {
            Self::Pods => "object",
            Self::Sandboxes => "object.spec.podTemplate",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pods => "pods",
            Self::Sandboxes => "sandboxes",
        }
    }
}

/// The policy of one concern for one subject, before it is split by severity.
struct Policy {
    name: String,
    subject: Subject,
    /// Conditions that choose objects: name and expression.
    conditions: Vec<(&'static str, String)>,
    /// Variables beyond those of every policy.
    variables: Vec<(&'static str, String)>,
    checks: Vec<Check>,
}

/// The objects, in the order in which they are applied.
///
/// # Errors
/// Where the options do not fit the contract or the cluster, or leave nothing.
pub fn generate(contract: &Contract, options: &Options) -> Result<Vec<Value>, Error> {
    if options.kube_minor < OLDEST_KUBE_MINOR {
        return Err(Error::TooOld("ValidatingAdmissionPolicy v1", OLDEST_KUBE_MINOR));
    }
    if options.mutating && options.kube_minor < OLDEST_MUTATING_MINOR {
        return Err(Error::TooOld("MutatingAdmissionPolicy", OLDEST_MUTATING_MINOR));
    }
    let backends = chosen(contract, options)?;
    let mut policies = Vec::new();
    if options.aggregated_api {
        policies.push(sandboxd::aggregated(contract));
    } else {
        for subject in [Subject::Pods, Subject::Sandboxes] {
            policies.push(routing::policy(contract, &backends, subject));
            policies.extend(backends.iter().map(|backend| backend::policy(backend, subject)));
        }
        policies.extend(options.webhook.as_ref().and_then(|webhook| routing::webhook(contract, webhook)));
    }
    let mut objects: Vec<Value> = policies.iter().flat_map(|policy| objects::validating(policy, options)).collect();
    if options.mutating && !options.aggregated_api {
        objects.extend(backends.iter().flat_map(|backend| mutate::policy(contract, backend, options)));
    }
    if objects.is_empty() { Err(Error::Nothing) } else { Ok(objects) }
}

fn chosen<'c>(contract: &'c Contract, options: &Options) -> Result<Vec<&'c Backend>, Error> {
    let known: Vec<&Backend> = contract.virtual_backends().collect();
    if options.backends.is_empty() {
        return Ok(known);
    }
    let find = |name: &String| {
        let found = known.iter().find(|backend| backend.name == *name || backend.provider == *name);
        let names = || known.iter().map(|backend| backend.name.as_str()).collect::<Vec<_>>().join(", ");
        found.copied().ok_or_else(|| Error::Backend(name.clone(), names()))
    };
    options.backends.iter().map(find).collect()
}

/// The objects as documents of YAML.
pub fn yaml(objects: &[Value]) -> String {
    let document = |object: &Value| serde_yaml::to_string(object).expect("the policies are plain data");
    objects.iter().map(document).collect::<Vec<_>>().join("---\n")
}
