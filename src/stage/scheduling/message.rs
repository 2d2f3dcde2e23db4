//! The scheduler's sentence: what condition PodScheduled and event FailedScheduling say.

use super::filter::Refusal;
use std::collections::BTreeMap;

/// From this minor release on, dynamic resources are on by default and come first after the filters.
const DYNAMIC_RESOURCES: u32 = 34;

/// What the condition says while gates hold the Pod.
pub const GATED: &str = "Scheduling is blocked due to non-empty scheduling gates";

/// What a cluster without nodes says.
pub const NO_NODES: &str = "no nodes available to schedule pods";

/// How the scheduler was kept from evicting others.
pub struct Preemption {
    /// Whether the Pod asks never to evict.
    pub never: bool,
    /// The Kubernetes minor release.
    pub kube_minor: u32,
}

/// The message where each node has its own answer: counted reasons, sorted as text.
pub fn of_nodes(refusals: &[Refusal], preemption: &Preemption) -> String {
    let total = refusals.len();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in refusals.iter().flat_map(|refusal| &refusal.reasons) {
        *counts.entry(reason).or_default() += 1;
    }
    let evictions = refusals.iter().map(|refusal| refusal.resolvable);
    let evictions: Vec<bool> = evictions.collect();
    let claims = if preemption.kube_minor >= DYNAMIC_RESOURCES { "no new claims to deallocate, " } else { "" };
    let counted = counted(counts.into_iter());
    format!("0/{total} nodes are available: {counted}. {claims}{}", after(&evictions, preemption))
}

/// The message where the Pod is refused before any node is looked at.
pub fn of_pod(refusal: &Refusal, total: usize, preemption: &Preemption) -> String {
    let reason = refusal.reasons.join(", ");
    // The plugin of dynamic resources does not find its own state then, and its error is all that follows.
    let after = if preemption.kube_minor >= DYNAMIC_RESOURCES {
        "not found".to_owned()
    } else {
        after(&vec![false; total], preemption)
    };
    format!("0/{total} nodes are available: {reason}. {after}")
}

/// What preemption says: evicting others helps nowhere, or finds nobody.
fn after(evictions: &[bool], preemption: &Preemption) -> String {
    if preemption.never {
        return "preemption: not eligible due to preemptionPolicy=Never.".into();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for resolvable in evictions {
        let reason = if *resolvable {
            "No preemption victims found for incoming pod"
        } else {
            "Preemption is not helpful for scheduling"
        };
        *counts.entry(reason).or_default() += 1;
    }
    let total = evictions.len();
    format!("preemption: 0/{total} nodes are available: {}.", counted(counts.into_iter()))
}

fn counted<'t>(counts: impl Iterator<Item = (&'t str, usize)>) -> String {
    let mut parts: Vec<String> = counts.map(|(reason, count)| format!("{count} {reason}")).collect();
    parts.sort();
    parts.join(", ")
}
