//! Does the controller create a Pod for it?

use super::Subject;
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::go::{quote, time};
use crate::resource::unreadable::{self, ReadFailure, Unreadable};
use crate::resource::{Kind, Resource, schema};
use crate::rule;
use crate::yaml::Node;

/// What the controller's API calls say where an amount keeps the API server busy.
const TIMEOUT: &str = "Timeout: request did not complete within requested timeout - context deadline exceeded";

/// The longest name of an object.
const LONGEST_NAME: usize = 253;

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    if subject.resource.kind == Kind::Sandbox {
        expired(&subject.resource, &subject.stored, world, out);
        suspended(&subject.resource, &subject.stored, out);
    }
}

/// Judges a stored object of any kind of agent-sandbox, whether a Pod comes of it or not.
pub fn check_object(resource: &Resource<'_>, stored: &Node<'_>, world: &World, out: &mut Findings) {
    if matches!(resource.kind, Kind::Workload(_)) {
        return;
    }
    for value in unreadable::find(stored, schema::root_in(resource.kind, resource.version, world.agent_sandbox)) {
        match &value.reason {
            ReadFailure::Error(error) => unreadable_value(resource, &value, error, out),
            ReadFailure::Endless => endless_quantity(resource, &value, out),
        }
    }
    match resource.kind {
        Kind::SandboxClaim => expired_claim(resource, stored, world, out),
        Kind::SandboxTemplate => name_of_instance(resource, out),
        _ => {}
    }
}

fn shown(kind: Kind) -> Shown {
    match kind {
        Kind::SandboxWarmPool => Shown::Pool,
        Kind::SandboxClaim => Shown::Claim,
        Kind::Sandbox => Shown::Sandbox,
        _ => Shown::None,
    }
}

fn no_pod(kind: Kind) -> Outcome {
    Outcome::new(Stage::Reconcile, shown(kind), Phase::NoPod)
}

/// A value that the API server stores and no controller can read stops the controller for every object of the kind.
fn unreadable_value(resource: &Resource<'_>, value: &Unreadable, error: &str, out: &mut Findings) {
    let kind = resource.kind.name();
    let outcome = no_pod(resource.kind)
        .message(error)
        .shown_on("the controller's log alone: no condition, no event")
        .retries("for as long as the object is there");
    let message =
        format!("`{}` is `{}`: the API server stores it, but no controller can read it", value.name, value.value);
    let help = format!(
        "write a value that Go reads; while this one is stored, the controller sees no {kind} of the whole cluster, and none gets a Pod"
    );
    let spot = Spot::new(value.place, resource.path(&value.path));
    out.add(&rule::UNREADABLE_VALUE, spot, message).help(help).outcome(outcome.clone());
    out.stop(outcome);
}

/// An amount with so many zeros that computing with it does not end.
fn endless_quantity(resource: &Resource<'_>, value: &Unreadable, out: &mut Findings) {
    let outcome = no_pod(resource.kind)
        .message(TIMEOUT)
        .shown_on("Sandbox condition Ready, if it comes to that")
        .retries("by the controller; API server and controller keep computing");
    let message = format!(
        "`{}` is `{}`: the API server and the controller compute with it for minutes or for good",
        value.name, value.value
    );
    let spot = Spot::new(value.place, resource.path(&value.path));
    out.add(&rule::ENDLESS_QUANTITY, spot, message)
        .help("write an amount that a node can have")
        .outcome(outcome.clone());
    out.stop(outcome);
}

/// `operatingMode: Suspended`, or v1alpha1's `replicas: 0`.
fn suspended(resource: &Resource<'_>, stored: &Node<'_>, out: &mut Findings) {
    let field = |key: &'static str| stored.at(&["spec", key]).map(|node| (key, node));
    let mode = field("operatingMode").filter(|(_, node)| node.as_str() == Some("Suspended"));
    let replicas = field("replicas").filter(|(_, node)| node.as_int() == Some(0));
    let Some((key, node)) = mode.or(replicas) else { return };
    let outcome = no_pod(resource.kind)
        .reason("SandboxSuspended")
        .message("Sandbox is suspended")
        .shown_on("Sandbox condition Ready");
    let wake = if key == "replicas" { "replicas: 1" } else { "operatingMode: Running" };
    let spot = Spot::of(node, resource.path(&format!("spec.{key}")));
    out.add(&rule::SUSPENDED, spot, "the Sandbox is suspended, so it has no Pod")
        .help(format!("write `{wake}` to start it"))
        .outcome(outcome.clone());
    out.stop(outcome);
}

/// A `shutdownTime` that has passed.
fn expired(resource: &Resource<'_>, stored: &Node<'_>, world: &World, out: &mut Findings) {
    let Some((time, node)) = past(stored, &["spec", "shutdownTime"], world) else { return };
    let deleted = stored.at(&["spec", "shutdownPolicy"]).and_then(Node::as_str) == Some("Delete");
    let outcome = no_pod(resource.kind)
        .reason("SandboxExpired")
        .message("Sandbox has expired")
        .shown_on("Sandbox condition Ready");
    let message = match deleted {
        true => format!("shutdownTime {time} has passed: the controller deletes the Sandbox at once"),
        false => format!("shutdownTime {time} has passed: the Sandbox gets no Pod"),
    };
    let spot = Spot::of(node, resource.path("spec.shutdownTime"));
    out.add(&rule::EXPIRED, spot, message)
        .help("write a time to come, or take shutdownTime away")
        .outcome(outcome.clone());
    out.stop(outcome);
}

fn expired_claim(resource: &Resource<'_>, stored: &Node<'_>, world: &World, out: &mut Findings) {
    let Some((time, node)) = past(stored, &["spec", "lifecycle", "shutdownTime"], world) else { return };
    let outcome = no_pod(resource.kind).reason("ClaimExpired").shown_on("SandboxClaim condition Ready");
    let spot = Spot::of(node, resource.path("spec.lifecycle.shutdownTime"));
    out.add(&rule::EXPIRED, spot, format!("shutdownTime {time} has passed: the claim gets no sandbox"))
        .help("write a time to come, or take shutdownTime away")
        .outcome(outcome.clone());
    out.stop(outcome);
}

fn past<'n, 's>(stored: &'n Node<'s>, keys: &[&str], world: &World) -> Option<(&'n str, &'n Node<'s>)> {
    let node = stored.at(keys)?;
    let text = node.as_str()?;
    let seconds = time::parse(text).ok()?;
    (seconds <= world.now).then_some((text, node))
}

/// The name of a Sandbox that is made of a template: pools cut their own name to size, others may not.
fn name_of_instance(resource: &Resource<'_>, out: &mut Findings) {
    let name = format!("{}-xyz", resource.name());
    if name.len() > LONGEST_NAME && resource.name().len() <= LONGEST_NAME {
        let name = quote(&name);
        let message = format!(
            "Sandbox.agents.x-k8s.io {name} is invalid: metadata.name: Invalid value: {name}: must be no more than {LONGEST_NAME} characters"
        );
        out.stop(no_pod(resource.kind).message(message).uncertain());
    }
}
