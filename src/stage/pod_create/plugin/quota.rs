//! The plugin ResourceQuota for one Pod: what its containers have to set, and what is more than the quota has in all.
//! What the Pods of a run use together is for `fleet` to say.

use super::Refusal;
use crate::cluster::World;
use crate::cluster::quota::CountedPod;
use crate::cluster::requests::Quantities;
use crate::rule;
use crate::stage::pod_create::Pod;

/// The Pod as quotas see it.
fn counted(pod: &Pod<'_>, world: &World) -> Option<CountedPod> {
    let snapshot = world.snapshot.as_ref()?;
    snapshot.quotas(pod.namespace).next()?;
    let class = snapshot.runtime_class(pod.spec.child("runtimeClassName").text());
    Some(CountedPod::read(pod.spec.node?, class.map(|class| &class.overhead)))
}

/// Containers that leave out what a quota asks every container for.
pub fn quota_needs_resources<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    let (counted, snapshot) = (counted(pod, world)?, world.snapshot.as_ref()?);
    snapshot.quotas(pod.namespace).filter(|(_, quota, _)| quota.counts(&counted)).find_map(|(name, quota, origin)| {
        let missing = quota.missing(&counted)?;
        let lists = ["containers", "initContainers"].map(|list| pod.spec.child(list).items());
        let listed = missing.split("; ").next()?.split(" for: ").nth(1)?.split(',').next()?;
        let container = lists.into_iter().flatten().find(|container| container.child("name").text() == listed)?;
        let why = format!("failed quota: {name}: must specify {missing}");
        let sentence = format!("ResourceQuota `{name}` of namespace `{}` asks for {missing}", pod.namespace);
        let help = "set requests and limits in every container, or give the namespace a LimitRange with defaults";
        let refusal = Refusal::new(container.child("resources").at_key(), pod, &why, sentence, help);
        Some(refusal.by(&rule::QUOTA_NEEDS_RESOURCES).because_of(origin, "the ResourceQuota"))
    })
}

/// A Pod that alone is more than a quota has left of what the cluster has counted, or in all.
pub fn exceeds_quota_alone<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    let (counted, snapshot) = (counted(pod, world)?, world.snapshot.as_ref()?);
    let none = Quantities::new();
    snapshot.quotas(pod.namespace).filter(|(_, quota, _)| quota.counts(&counted)).find_map(|(name, quota, origin)| {
        let exceeded = quota.exceeded(&none, &counted.usage);
        let first = exceeded.first()?;
        let used = quota.used.as_ref().unwrap_or(&none);
        let why = quota.words(name, &exceeded, used, &counted.usage);
        let sentence = format!(
            "the Pod alone uses {first}={}, ResourceQuota `{name}` of namespace `{}` allows {}",
            counted.usage.get(*first)?,
            pod.namespace,
            quota.hard.get(*first)?
        );
        let refusal =
            Refusal::new(pod.spec.child("containers").at_key(), pod, &why, sentence, "lower it, or raise the quota");
        let refusal = Refusal { certain: quota.used.is_some(), ..refusal };
        Some(refusal.by(&rule::EXCEEDS_QUOTA).because_of(origin, "the ResourceQuota"))
    })
}
