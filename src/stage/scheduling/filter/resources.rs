//! Filters over what a node has to give: ports and resources.

use super::Refusal;
use crate::cluster::demand::Demand;
use crate::stage::scheduling::board::{Board, Place};
use crate::stage::scheduling::contract_keys;

/// `NodePorts`: ports on the node itself that another Pod holds.
pub fn ports(demand: &Demand<'_>, place: &Place<'_>) -> Option<Refusal> {
    let taken = || place.pods.iter().flat_map(|pod| &pod.host_ports);
    let clash = demand.host_ports.iter().any(|port| taken().any(|held| held.conflicts(port)));
    clash.then(|| Refusal::new("NodePorts", "node(s) didn't have free ports for the requested pod ports").resolvable())
}

/// `NodeResourcesFit`: every resource that falls short is named.
pub fn fit(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> Option<Refusal> {
    let short: Vec<Shortage> = shortages(demand, place);
    if short.is_empty() {
        return None;
    }
    // A resource that a virtual node never advertises is missing on every cluster; how much a node has is not.
    let absent = |one: &Shortage| place.allocatable(&one.resource).is_none();
    let certain = board.world.has_real_nodes()
        || (contract_keys::is_virtual(board.world, place) && short.iter().any(|one| absent(one) || one.absurd));
    Some(Refusal {
        plugin: "NodeResourcesFit",
        resolvable: short.iter().all(|one| one.resolvable),
        certain,
        reasons: short.into_iter().map(|one| one.reason).collect(),
    })
}

/// One resource that falls short on a node.
pub struct Shortage {
    /// The resource's name.
    pub resource: String,
    /// The scheduler's words.
    pub reason: String,
    /// Whether the node would have it if others left.
    pub resolvable: bool,
    /// Whether no machine has as much.
    pub absurd: bool,
}

/// What a node lacks for a Pod.
pub fn shortages(demand: &Demand<'_>, place: &Place<'_>) -> Vec<Shortage> {
    let mut short = Vec::new();
    let room = place.allocatable("pods").unwrap_or(i64::MAX);
    if place.pods.len() as i64 >= room {
        let reason = "Too many pods".to_owned();
        short.push(Shortage { resource: "pods".into(), reason, resolvable: true, absurd: false });
    }
    for (resource, requested) in &demand.requests {
        let all = place.allocatable(resource).unwrap_or(0);
        let used = place.used.get(resource).copied().unwrap_or(0);
        if *requested > 0 && *requested > all.saturating_sub(used) {
            let reason = format!("Insufficient {resource}");
            let absurd = *requested == i64::MAX;
            short.push(Shortage { resource: resource.clone(), reason, resolvable: *requested <= all, absurd });
        }
    }
    short
}
