//! Where a Pod goes: filters over all nodes, then the node that scores best.

use super::board::{Board, Place};
use super::filter::{self, Before, Claim, Made, Refusal};
use super::message::{self, Preemption};
use super::{contract_keys, score};
use crate::cluster::World;
use crate::cluster::demand::Demand;
use crate::cluster::label_selector::Labels;
use crate::resource::pod::PodPlan;
use crate::yaml::Node;
use serde::Serialize;

/// Where a Pod would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Every node with the scheduler's answer, in the order of the world's nodes; none where `nodeName` decides.
    pub nodes: Vec<NodeAnswer>,
    /// The node that takes the Pod; of several that would, the one that scores best.
    pub node: Option<String>,
    /// The backend of that node, by its name in the contract.
    pub backend: Option<String>,
    /// The backends of all nodes that would take it.
    pub kinds: Vec<String>,
    /// The scheduler's whole message where no node takes it.
    pub message: Option<String>,
    /// What keeps the Pod from the scheduler, or from its node.
    pub hold: Option<Hold>,
    /// Whether every cluster that follows the contract does the same.
    pub certain: bool,
}

/// What stops a Pod without any word of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// `schedulingGates`.
    Gated,
    /// `schedulerName` that no scheduler answers to.
    NoScheduler,
    /// `nodeName` of a node that the cluster does not have.
    NoNode,
}

/// The scheduler's answer for one node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct NodeAnswer {
    /// The node's name.
    pub name: String,
    /// Whether it would take the Pod.
    pub fits: bool,
    /// Why not, in the scheduler's words.
    pub reasons: Vec<String>,
}

/// The scheduler that every cluster has.
pub const DEFAULT_SCHEDULER: &str = "default-scheduler";

/// What the Pod of a plan demands.
pub fn demand<'a>(plan: &'a PodPlan<'_>, world: &World) -> Demand<'a> {
    let labels: Labels = plan.labels.iter().map(|meta| (meta.key.clone(), meta.value.clone())).collect();
    let class = plan.spec.get("runtimeClassName").and_then(Node::as_str);
    let class = class.and_then(|class| world.snapshot.as_ref()?.runtime_class(class));
    Demand::read(&plan.namespace, labels, &plan.spec, class)
}

/// Computes the placement by the scheduler's rules.
pub fn place(plan: &PodPlan<'_>, world: &World) -> Placement {
    if let Some(name) = plan.node_name() {
        return pinned(name, world);
    }
    let demand = demand(plan, world);
    let board = Board::lay_out(world, &demand);
    let placement = schedule(&demand, &filter::claims(plan), &board);
    match hold(plan) {
        Some((hold, certain)) => {
            let nodes = placement.nodes;
            Placement { nodes, hold: Some(hold), certain, ..Placement::default() }
        }
        None => placement,
    }
}

/// `nodeName` goes past the scheduler.
fn pinned(name: &str, world: &World) -> Placement {
    let found = world.nodes.iter().find(|node| node.name == name);
    let backend = found.and_then(|node| world.backend_of(node)).map(|backend| backend.name.clone());
    let hold = (found.is_none() && world.has_real_nodes()).then_some(Hold::NoNode);
    let node = hold.is_none().then(|| name.to_owned());
    Placement { node, backend, hold, certain: world.has_real_nodes() || found.is_some(), ..Placement::default() }
}

/// What keeps the Pod from being scheduled at all, and whether that is so on every cluster.
fn hold(plan: &PodPlan<'_>) -> Option<(Hold, bool)> {
    let gates = plan.spec.get("schedulingGates").and_then(Node::as_seq).unwrap_or_default();
    if !gates.is_empty() {
        return Some((Hold::Gated, true));
    }
    let scheduler = plan.spec.get("schedulerName").and_then(Node::as_str).filter(|name| !name.is_empty())?;
    // Clusters run schedulers of their own, but none that differs from the default one by a defect.
    let defect = crate::suggest::nearest(scheduler, [DEFAULT_SCHEDULER]).is_some();
    (scheduler != DEFAULT_SCHEDULER).then_some((Hold::NoScheduler, defect))
}

fn schedule(demand: &Demand<'_>, claims: &[Claim], board: &Board<'_>) -> Placement {
    let preemption = Preemption { never: demand.never_preempts, kube_minor: board.world.kube_minor };
    if board.nodes.is_empty() {
        return Placement { message: Some(message::NO_NODES.into()), certain: true, ..Placement::default() };
    }
    let names = match filter::before(demand, claims, board) {
        Before::Refused(refusal) => return refused(&refusal, board, &preemption),
        Before::Named(names) => Some(names),
        Before::All => None,
    };
    let answers: Vec<Option<Refusal>> =
        board.nodes.iter().map(|place| answer(demand, place, board, names.as_deref())).collect();
    let fitting: Vec<&Place<'_>> =
        board.nodes.iter().zip(&answers).filter(|(_, answer)| answer.is_none()).map(|(place, _)| place).collect();
    if !fitting.is_empty() && cannot_bind(claims, &fitting, board) {
        return refused(&filter::unbound(), board, &preemption);
    }
    let nodes = board.nodes.iter().zip(&answers).map(|(place, answer)| node_answer(place, answer.as_ref())).collect();
    let refusals: Vec<Refusal> = answers.into_iter().flatten().collect();
    match score::best(demand, &fitting) {
        Some(best) => Placement {
            nodes,
            node: Some(best.shape.name.clone()),
            backend: best.backend.map(str::to_owned),
            kinds: kinds(&fitting),
            certain: fitting.len() == 1 && !claims.iter().any(|claim| claim.made != Made::Elsewhere),
            ..Placement::default()
        },
        None => Placement {
            nodes,
            message: Some(message::of_nodes(&refusals, &preemption)),
            certain: refusals.iter().all(|refusal| refusal.certain),
            ..Placement::default()
        },
    }
}

/// The backends of nodes, each once.
fn kinds(nodes: &[&Place<'_>]) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for backend in nodes.iter().filter_map(|place| place.backend) {
        if !kinds.iter().any(|kind| kind == backend) {
            kinds.push(backend.to_owned());
        }
    }
    kinds
}

fn answer(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>, names: Option<&[String]>) -> Option<Refusal> {
    if names.is_some_and(|names| !names.contains(&place.shape.name)) {
        return Some(filter::unnamed(board.world.has_real_nodes()));
    }
    filter::refusal(demand, place, board)
}

/// Claims that the controller makes are provisioned on ordinary nodes only: no storage driver runs on a virtual one.
fn cannot_bind(claims: &[Claim], fitting: &[&Place<'_>], board: &Board<'_>) -> bool {
    let made = claims.iter().any(|claim| claim.made != Made::Elsewhere);
    made && fitting.iter().all(|place| contract_keys::is_virtual(board.world, place))
}

fn refused(refusal: &Refusal, board: &Board<'_>, preemption: &Preemption) -> Placement {
    Placement {
        nodes: board.nodes.iter().map(|place| node_answer(place, Some(refusal))).collect(),
        message: Some(message::of_pod(refusal, board.nodes.len(), preemption)),
        certain: refusal.certain,
        ..Placement::default()
    }
}

fn node_answer(place: &Place<'_>, refusal: Option<&Refusal>) -> NodeAnswer {
    NodeAnswer {
        name: place.shape.name.clone(),
        fits: refusal.is_none(),
        reasons: refusal.map(|refusal| refusal.reasons.clone()).unwrap_or_default(),
    }
}
