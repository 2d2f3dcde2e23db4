//! What the Pods of a run use together, and which of them a ResourceQuota refuses.

use super::{Fleet, Reports};
use crate::cluster::quota::{CountedPod, ResourceQuota};
use crate::cluster::requests::{Quantities, add};
use crate::cluster::{Origin, Snapshot};
use crate::finding::{Outcome, Phase, Shown, Spot, Stage};
use crate::quantity::Quantity;
use crate::resource::{Kind, Workload};
use crate::rule;

/// Pods of one kind that one resource makes.
struct Consumer<'f> {
    /// The resource.
    index: usize,
    pod: &'f CountedPod,
    /// How many Pods the cluster does not have yet.
    count: i64,
    /// The Pod's name, or an example of it.
    name: String,
    spot: Spot,
}

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    let Some(snapshot) = &fleet.world.snapshot else { return };
    for namespace in snapshot.quota_namespaces() {
        let consumers = consumers(fleet, snapshot, namespace, reports);
        for (name, quota, origin) in snapshot.quotas(namespace) {
            exceeded_quota(&consumers, (namespace, name, quota, origin), reports);
        }
    }
}

/// What makes Pods in a namespace, in the order of the files.
fn consumers<'f>(
    fleet: &Fleet<'f, '_>,
    snapshot: &Snapshot,
    namespace: &str,
    reports: &Reports<'_, '_>,
) -> Vec<Consumer<'f>> {
    let mut consumers = Vec::new();
    for known in fleet.all().filter(|known| known.id.namespace() == namespace) {
        let refused = reports.made[known.index].as_ref().is_some_and(|report| report.refused.is_some());
        let name = known.id.name();
        let here = Spot::new(known.trace.name, known.trace.path("metadata.name"));
        let (source, count, pod, spot) = match known.trace.kind {
            _ if refused => continue,
            Kind::Sandbox if snapshot.runs_sandbox(namespace, name) => continue,
            Kind::Sandbox | Kind::Workload(Workload::Pod) => (known.index, 1, name.to_owned(), here),
            Kind::SandboxWarmPool => {
                let Some(pool) = fleet.member(known.index) else { continue };
                let Some(template) = fleet.template_of(pool) else { continue };
                let running = snapshot.warm_pool(namespace, name).map_or(0, |pool| pool.replicas);
                let spot = pool
                    .stored
                    .at(&["spec", "replicas"])
                    .map_or(here, |node| Spot::of(node, known.trace.path("spec.replicas")));
                (template.index, pool.replicas().saturating_sub(running), format!("{name}-xyz"), spot)
            }
            // The pool fills the gap that a claim on one of its members leaves.
            Kind::SandboxClaim if !snapshot.runs_claim(namespace, name) => {
                let template = fleet.member(known.index).and_then(|claim| fleet.template_of(fleet.pool_of(claim)?));
                let Some(template) = template else { continue };
                (template.index, 1, name.to_owned(), here)
            }
            _ => continue,
        };
        let evaluation = &fleet.evaluations[source];
        let stops = evaluation.prediction.outcome.as_ref().is_some_and(|outcome| outcome.stage <= Stage::PodCreate);
        let Some(counted) = evaluation.trace.counted.as_deref().filter(|_| !stops && count > 0) else { continue };
        consumers.push(Consumer { index: known.index, pod: counted, count, name: pod, spot });
    }
    consumers
}

/// The first resource whose Pods a quota does not all take.
fn exceeded_quota(
    consumers: &[Consumer<'_>],
    (namespace, name, quota, origin): (&str, &str, &ResourceQuota, Option<Origin>),
    reports: &mut Reports<'_, '_>,
) {
    let mut used = quota.used.clone().unwrap_or_default();
    for consumer in consumers.iter().filter(|consumer| quota.counts(consumer.pod)) {
        let usage = &consumer.pod.usage;
        let taken = most(quota, &used, consumer);
        add(&mut used, &usage.iter().map(|(name, amount)| (name.clone(), times(amount, taken))).collect());
        let exceeded = quota.exceeded(&used, usage);
        let Some(first) = exceeded.first().filter(|_| taken < consumer.count) else { continue };
        let message = format!(
            "ResourceQuota `{name}` of namespace `{namespace}` allows {first}={}: {} of the Pods of these files {} refused",
            quota.hard[*first],
            consumer.count - taken,
            if consumer.count - taken == 1 { "is" } else { "are" }
        );
        let words = quota.words(name, &exceeded, &used, usage);
        let outcome = Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(format!("pods \"{}\" is forbidden: {words}", consumer.name))
            .shown_on("Sandbox condition Ready, behind the words `Error seen:`")
            .retries("the controller tries again, with growing pauses, until the quota has room")
            .uncertain();
        let finding = reports.of(consumer.index).out.add(&rule::PODS_EXCEED_QUOTA, consumer.spot.clone(), message);
        finding.help("lower replicas or what each Pod asks for, or raise the quota").outcome(outcome);
        if let Some(origin) = origin {
            finding.related_in(origin.file, origin.span, "the ResourceQuota");
        }
        return;
    }
}

/// How many of a resource's Pods the quota still takes.
fn most(quota: &ResourceQuota, used: &Quantities, consumer: &Consumer<'_>) -> i64 {
    let usage = &consumer.pod.usage;
    let room = |taken: i64| {
        let mut then: Quantities = used.clone();
        add(&mut then, &usage.iter().map(|(name, amount)| (name.clone(), times(amount, taken - 1))).collect());
        quota.exceeded(&then, usage).is_empty()
    };
    let (mut low, mut high) = (0, consumer.count);
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if room(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// A quantity some times over, by doubling, so that it keeps its suffix.
fn times(amount: &Quantity, count: i64) -> Quantity {
    let (mut sum, mut power, mut left) = (Quantity::zero(), amount.clone(), count.max(0));
    while left > 0 {
        if left & 1 == 1 {
            sum = sum.plus(&power);
        }
        power = power.plus(&power);
        left >>= 1;
    }
    sum
}
