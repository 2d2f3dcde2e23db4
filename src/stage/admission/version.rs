//! Which versions an agent-sandbox release serves: v1beta1 from 0.5.0 on, v1alpha1 up to 1.0.

use super::fault::{self, Cause};
use crate::cluster::World;
use crate::finding::{Applicability, Fix, Severity, Spot};
use crate::resource::identify;
use crate::resource::{Kind, Resource, Version};
use crate::rule;
use crate::yaml::Node;

/// What is said of an object's version; with kubectl's refusal where the release does not serve it.
pub fn served_version(resource: &Resource<'_>, world: &World) -> Option<(Cause, Option<String>)> {
    if matches!(resource.kind, Kind::Workload(_)) {
        return None;
    }
    let node = resource.root.get("apiVersion")?;
    let before_beta = world.agent_sandbox.is_some_and(|release| release < Version::V1beta1.served().0);
    match resource.version {
        Version::V1beta1 if before_beta => Some(not_yet_served(resource, node)),
        Version::V1alpha1 if !before_beta => Some(deprecated(resource, node, world)),
        _ => None,
    }
}

fn not_yet_served(resource: &Resource<'_>, node: &Node<'_>) -> (Cause, Option<String>) {
    let (kind, group) = (resource.kind.name(), resource.kind.group());
    let message = format!("{group}/v1beta1 is not served yet: it came with agent-sandbox 0.5.0");
    let help = format!("write apiVersion: {group}/v1alpha1 and its fields, or install 0.5.0 or later");
    let cause = Cause::new(&rule::UNKNOWN_KIND, Spot::of(node, "apiVersion"), message).help(help);
    (cause, Some(identify::no_such_kind(resource, kind, &format!("{group}/v1beta1"))))
}

fn deprecated(resource: &Resource<'_>, node: &Node<'_>, world: &World) -> (Cause, Option<String>) {
    let (kind, group) = (resource.kind.name(), resource.kind.group());
    let gone = world.agent_sandbox.zip(Version::V1alpha1.served().1).is_some_and(|(release, end)| release >= end);
    let message = match gone {
        true => format!("{group}/v1alpha1 is no longer served: agent-sandbox 1.0 took it away"),
        false => format!("{group}/v1alpha1 {kind} is deprecated; use {group}/v1beta1 {kind} instead"),
    };
    let mut cause = Cause::new(&rule::DEPRECATED_VERSION, Spot::of(node, "apiVersion"), message);
    cause = cause.help(migration(resource));
    cause.fix = fix(resource, node);
    cause.severity = gone.then_some(Severity::Error);
    let refusal = gone.then(|| identify::no_such_kind(resource, kind, &format!("{group}/v1alpha1")));
    (cause, refusal)
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
