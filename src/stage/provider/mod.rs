//! Does the provider's CreatePod succeed?

pub mod aggregated;
mod annotate;
pub mod cocoon;
mod create;
mod effect;
mod ignored;
mod interpreter;
mod pools;
mod preset;
mod words;

use super::Subject;
use crate::cluster::World;
use crate::contract::{Backend, Hook};
use crate::finding::Findings;
use crate::resource::Kind;
use crate::rule;
use create::CreatePod;

/// Judges one Pod by the provider of the node that takes it, else of the backend its author means.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    if world.aggregated_api {
        return aggregated::check(subject, world, out);
    }
    let backend = |name: Option<&str>| world.contract.backend(name?);
    let Some(serving) = backend(subject.serving_backend()) else { return };
    let mut create = CreatePod::new(subject, world, serving, out);
    if has_provider(serving) {
        judge(&mut create);
        ignored::ignored_fields(&mut create);
        unretried_failure(&mut create);
    } else if let Some(meant) = backend(subject.intent.backend()).filter(|meant| has_provider(meant)) {
        judge_later(subject, world, meant, out);
    }
}

/// Whether something else than an ordinary kubelet creates its Pods.
fn has_provider(backend: &Backend) -> bool {
    backend.toleration.is_some() || !backend.annotations.is_empty()
}

fn judge(create: &mut CreatePod<'_, '_, '_>) {
    let hooks = &create.backend.hooks;
    let by_hook = hooks.contains(&Hook::VkCocoon);
    interpreter::check(create, &|key| !(by_hook && cocoon::JUDGED.contains(&key)));
    for hook in hooks {
        match hook {
            Hook::SandboxdPools => pools::check(create),
            Hook::VkCocoon => cocoon::check(create),
        }
    }
    preset::preset_annotation(create);
}

/// The Pod runs on an ordinary node that its author did not mean: what the provider meant would say shows once the
/// Pod gets there, and stops nothing now.
fn judge_later(subject: &Subject<'_>, world: &World, meant: &Backend, out: &mut Findings) {
    let (known, stop) = (out.list.len(), out.stop.take());
    judge(&mut CreatePod::new(subject, world, meant, out));
    out.stop = stop;
    for finding in &mut out.list[known..] {
        finding.later = true;
    }
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
