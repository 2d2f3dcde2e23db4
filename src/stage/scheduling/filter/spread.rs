//! `PodTopologySpread`: how evenly Pods lie over domains.

use super::Refusal;
use crate::cluster::demand::{Demand, Spread};
use crate::cluster::toleration::first_untolerated;
use crate::stage::scheduling::board::{Board, Place};
use crate::stage::scheduling::contract_keys;
use std::collections::BTreeMap;

const REASON: &str = "node(s) didn't match pod topology spread constraints";

/// Judges every `DoNotSchedule` constraint on one node.
pub fn constraints(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> Option<Refusal> {
    demand.spread.iter().find_map(|constraint| {
        let Some(domain) = place.label(&constraint.topology_key) else {
            let refusal = Refusal::new("PodTopologySpread", format!("{REASON} (missing required label)"));
            let certain = contract_keys::decides(board.world, place, &constraint.topology_key, &[]);
            return Some(if certain { refusal } else { refusal.uncertain() });
        };
        let counts = counts(constraint, demand, board);
        let least = if (counts.len() as i64) < constraint.min_domains { 0 } else { counts.values().copied().min()? };
        let own = i64::from(constraint.selector.matches(&demand.labels));
        let skew = counts.get(domain).copied().unwrap_or(0) + own - least;
        let refusal = || Refusal::new("PodTopologySpread", REASON).resolvable();
        (skew > constraint.max_skew)
            .then(|| if board.world.has_real_nodes() { refusal() } else { refusal().uncertain() })
    })
}

/// Matching Pods in every domain, empty ones included.
fn counts<'b>(constraint: &Spread, demand: &Demand<'_>, board: &'b Board<'_>) -> BTreeMap<&'b str, i64> {
    let mut counts = BTreeMap::new();
    for place in board.nodes.iter().filter(|place| counts_as_domain(constraint, demand, place)) {
        let Some(domain) = place.label(&constraint.topology_key) else { continue };
        let here = place.pods.iter().filter(|pod| pod.namespace == demand.namespace);
        let matching = here.filter(|pod| constraint.selector.matches(&pod.labels)).count() as i64;
        *counts.entry(domain).or_default() += matching;
    }
    counts
}

fn counts_as_domain(constraint: &Spread, demand: &Demand<'_>, place: &Place<'_>) -> bool {
    let labelled = demand.spread.iter().all(|one| place.label(&one.topology_key).is_some());
    let chosen = !constraint.honors_affinity || demand.node_affinity.matches(&place.shape);
    let open = !constraint.honors_taints || first_untolerated(&place.shape.taints, &demand.tolerations).is_none();
    labelled && chosen && open
}
