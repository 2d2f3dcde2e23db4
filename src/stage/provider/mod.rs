//! Does the provider's CreatePod succeed?

pub mod aggregated;
pub mod cocoon;
pub mod configured;
mod create;
mod ignored;
mod preset;
pub mod sandboxd;

use super::Subject;
use crate::cluster::World;
use crate::finding::Findings;
use crate::resource::Kind;
use crate::rule;
use create::CreatePod;

/// Judges one Pod by the provider of the node that takes it, else of the backend its author means.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    if world.aggregated_api {
        return aggregated::check(subject, world, out);
    }
    let Some(backend) = subject.serving_backend().and_then(|name| world.contract.backend(name)) else { return };
    if backend.toleration.is_none() && backend.annotations.is_empty() {
        return;
    }
    let mut create = CreatePod::new(subject, world, backend, out);
    match backend.name.as_str() {
        "sandboxd" => sandboxd::check(&mut create),
        "vk-cocoon" => cocoon::check(&mut create),
        _ => configured::check(&mut create),
    }
    preset::preset_annotation(&mut create);
    ignored::ignored_fields(&mut create);
    unretried_failure(&mut create);
}

/// A failure that cures itself under any other restartPolicy is final under `Never`. Pools have a rule of their own.
fn unretried_failure(create: &mut CreatePod<'_, '_, '_>) {
    let sandbox = create.subject.resource.kind == Kind::Sandbox;
    if create.subject.plan.restart_policy() != "Never" || create.fails() || !sandbox {
        return;
    }
    let Some(entry) = create.subject.plan.spec.entry("restartPolicy") else { return };
    let spot = crate::finding::Spot::of(&entry.value, create.subject.plan.path("restartPolicy"));
    let provider = &create.backend.provider;
    let message = format!(
        "restartPolicy Never makes every CreatePod failure of {provider} final: while its daemon is down or has no capacity, the Pod turns Failed and is not retried"
    );
    create.out.add(&rule::UNRETRIED_FAILURE, spot, message).help(
        "leave restartPolicy out (Always): a virtual node never restarts anything, it only retries a CreatePod that failed",
    );
}
