//! Does a node take the Pod, and is it the one its author wants?

use super::Subject;
use crate::cluster::World;
use crate::finding::Findings;
use crate::resource::pod::PodPlan;
use serde::Serialize;

/// Where a Pod would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Every node with the scheduler's answer, in the order of the world's nodes.
    pub nodes: Vec<NodeAnswer>,
    /// The node that takes the Pod, where that is decided.
    pub node: Option<String>,
    /// The backend of that node, by its name in the contract.
    pub backend: Option<String>,
    /// The scheduler's whole message where no node takes it.
    pub message: Option<String>,
}

/// The scheduler's answer for one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodeAnswer {
    /// The node's name.
    pub name: String,
    /// Whether it would take the Pod.
    pub fits: bool,
    /// Why not, in the scheduler's words.
    pub reasons: Vec<String>,
}

/// Computes the placement by the scheduler's rules.
pub fn place(plan: &PodPlan<'_>, world: &World) -> Placement {
    let _ = (plan, world);
    Placement::default()
}

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let _ = (subject, world, out);
}
