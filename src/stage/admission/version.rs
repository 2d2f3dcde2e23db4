//! v1alpha1: deprecated, and gone with agent-sandbox 1.0.

use super::fault::{self, Cause};
use crate::cluster::{AgentSandboxRelease, World};
use crate::finding::{Applicability, Fix, Severity, Spot};
use crate::resource::identify;
use crate::resource::{Kind, Resource, Version};
use crate::rule;
use crate::yaml::Node;

/// The first release that serves v1beta1 only.
const LAST: AgentSandboxRelease = AgentSandboxRelease { major: 1, minor: 0, patch: 0 };

/// What is said of a v1alpha1 object; with kubectl's refusal where the release no longer serves it.
pub fn deprecated_version(resource: &Resource<'_>, world: &World) -> Option<(Cause, Option<String>)> {
    if resource.version != Version::V1alpha1 || matches!(resource.kind, Kind::Workload(_)) {
        return None;
    }
    let (kind, group) = (resource.kind.name(), resource.kind.group());
    let node = resource.root.get("apiVersion")?;
    let gone = world.agent_sandbox.is_some_and(|release| release >= LAST);
    let spot = Spot::of(node, "apiVersion");
    let message = match gone {
        true => format!("{group}/v1alpha1 is no longer served: agent-sandbox 1.0 took it away"),
        false => format!("{group}/v1alpha1 {kind} is deprecated; use {group}/v1beta1 {kind} instead"),
    };
    let mut cause = Cause::new(&rule::DEPRECATED_VERSION, spot, message).help(migration(resource));
    cause.fix = fix(resource, node);
    cause.severity = gone.then_some(Severity::Error);
    let refusal = gone.then(|| identify::no_such_kind(resource, kind, &format!("{group}/v1alpha1")));
    Some((cause, refusal))
}

/// Field by field, what v1beta1 calls otherwise.
fn migration(resource: &Resource<'_>) -> String {
    let has = |field: &str| resource.root.at(&["spec", field]).is_some_and(|node| !node.is_null());
    let target = format!("write apiVersion: {}/v1beta1", resource.kind.group());
    let rest = match resource.kind {
        Kind::Sandbox if has("replicas") => {
            "and instead of `replicas: 0` write `operatingMode: Suspended`, instead of `replicas: 1` `operatingMode: Running`"
        }
        Kind::SandboxClaim if has("warmpool") => {
            "and instead of `sandboxTemplateRef` and `warmpool: <pool>` write `warmPoolRef: {name: <pool>}`; the pool names the template"
        }
        Kind::SandboxClaim => {
            "and instead of `sandboxTemplateRef` write `warmPoolRef: {name: <pool>}` with a SandboxWarmPool (`replicas: 0` is enough) that names the template"
        }
        _ => "; no field changes its name",
    };
    if rest.starts_with(';') { format!("{target}{rest}") } else { format!("{target}, {rest}") }
}

/// Safe where no renamed field is used.
fn fix(resource: &Resource<'_>, node: &Node<'_>) -> Option<Fix> {
    let uses = |field: &str| resource.root.at(&["spec", field]).is_some();
    if node.via.is_some() || resource.kind == Kind::SandboxClaim || (resource.kind == Kind::Sandbox && uses("replicas"))
    {
        return None;
    }
    fault::replace(node, &format!("{}/v1beta1", resource.kind.group()), Applicability::Safe)
}
