//! The scheduler's filters, one function each, in the order of its default profile.

mod claims;
mod node;
mod pod_affinity;
mod resources;
mod spread;

pub use claims::{Claim, Made, claims, unbound};
pub use resources::{Shortage, shortages};

use super::board::{Board, Place};
use crate::cluster::demand::Demand;

/// Why a node does not take a Pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The filter that refused it, by the scheduler's name of its plugin.
    pub plugin: &'static str,
    /// The scheduler's words.
    pub reasons: Vec<String>,
    /// Whether evicting Pods could help.
    pub resolvable: bool,
    /// Whether every cluster that follows the contract gives the same answer.
    pub certain: bool,
}

impl Refusal {
    fn new(plugin: &'static str, reason: impl Into<String>) -> Self {
        Self { plugin, reasons: vec![reason.into()], resolvable: false, certain: true }
    }

    fn resolvable(mut self) -> Self {
        self.resolvable = true;
        self
    }

    fn uncertain(mut self) -> Self {
        self.certain = false;
        self
    }
}

/// What a PreFilter decides before any node is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// Every node is to be looked at.
    All,
    /// Only nodes with these names are.
    Named(Vec<String>),
    /// None: the Pod is refused as a whole.
    Refused(Refusal),
}

/// Runs what decides without a node: conflicting node names, and the Pod's claims.
pub fn before(demand: &Demand<'_>, claims: &[Claim], board: &Board<'_>) -> Before {
    match node::named(demand) {
        Before::Refused(refusal) => Before::Refused(refusal),
        names => claims::refusal(claims, board, demand.namespace).map_or(names, Before::Refused),
    }
}

/// The first filter that refuses a node decides.
pub fn refusal(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> Option<Refusal> {
    node::unschedulable(demand, place)
        .or_else(|| node::taints(demand, place, board))
        .or_else(|| node::affinity(demand, place, board))
        .or_else(|| resources::ports(demand, place))
        .or_else(|| resources::fit(demand, place, board))
        .or_else(|| spread::constraints(demand, place, board))
        .or_else(|| pod_affinity::rules(demand, place, board))
}

/// The answer of a node that is not among the names demanded.
pub fn unnamed(certain: bool) -> Refusal {
    let refusal = Refusal::new("NodeAffinity", "node(s) didn't satisfy plugin(s) [NodeAffinity]");
    if certain { refusal } else { refusal.uncertain() }
}
