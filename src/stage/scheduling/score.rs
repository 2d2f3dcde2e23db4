//! Which of several nodes the scheduler likes best, as far as the manifest and the nodes decide it.

use super::board::Place;
use crate::cluster::demand::Demand;
use crate::contract::Taint;

/// What the scheduler counts for a Pod that requests nothing.
const UNREQUESTED: [(&str, i64); 2] = [("cpu", 100), ("memory", 200 * 1024 * 1024)];

/// The weights of the default profile.
const PREFERRED_AFFINITY: i64 = 2;
const TAINTS: i64 = 3;

/// The node with the highest score; the first of equals.
pub fn best<'p, 'w>(demand: &Demand<'_>, fitting: &[&'p Place<'w>]) -> Option<&'p Place<'w>> {
    let wanted: Vec<i64> = fitting.iter().map(|place| preferred(demand, place)).collect();
    let unwanted: Vec<i64> = fitting.iter().map(|place| intolerable(demand, place)).collect();
    let (most_wanted, most_unwanted) = (highest(&wanted), highest(&unwanted));
    let mut best: Option<(i64, &'p Place<'w>)> = None;
    for (at, place) in fitting.iter().enumerate() {
        let affinity = if most_wanted == 0 { 0 } else { 100 * wanted[at] / most_wanted };
        let taints = if most_unwanted == 0 { 100 } else { 100 - 100 * unwanted[at] / most_unwanted };
        let score = PREFERRED_AFFINITY * affinity + TAINTS * taints + least_allocated(demand, place);
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, place));
        }
    }
    best.map(|(_, place)| place)
}

fn highest(scores: &[i64]) -> i64 {
    scores.iter().copied().max().unwrap_or(0)
}

/// Weights of the preferred terms that a node meets.
fn preferred(demand: &Demand<'_>, place: &Place<'_>) -> i64 {
    let terms = demand.node_affinity.preferred.iter();
    terms.filter(|(_, term)| term.matches(&place.shape)).map(|(weight, _)| weight).sum()
}

/// Taints that the Pod would rather avoid.
fn intolerable(demand: &Demand<'_>, place: &Place<'_>) -> i64 {
    let soft = place.shape.taints.iter().filter(|taint| taint.effect == "PreferNoSchedule");
    let tolerated = |taint: &&Taint| demand.tolerations.iter().any(|one| one.covers(taint));
    soft.filter(|taint| !tolerated(taint)).count() as i64
}

/// How much of cpu and memory stays free, in percent.
fn least_allocated(demand: &Demand<'_>, place: &Place<'_>) -> i64 {
    let mut shares = Vec::new();
    for (resource, unrequested) in UNREQUESTED {
        let all = place.allocatable(resource).unwrap_or(0);
        let own = demand.requests.get(resource).copied().filter(|amount| *amount > 0).unwrap_or(unrequested);
        let used = place.used.get(resource).copied().unwrap_or(0);
        if all > 0 {
            let free = (all - used).saturating_sub(own).max(0);
            shares.push((i128::from(free) * 100 / i128::from(all)) as i64);
        }
    }
    if shares.is_empty() { 0 } else { shares.iter().sum::<i64>() / shares.len() as i64 }
}
