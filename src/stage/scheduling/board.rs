//! The nodes as the scheduler finds them for one Pod: their shape, and what other Pods already hold.

use crate::cluster::demand::Demand;
use crate::cluster::label_selector::Labels;
use crate::cluster::requests::{self, Amounts};
use crate::cluster::{RunningPod, World};
use crate::contract::NodeShape;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// All nodes, in the order of the world.
pub struct Board<'w> {
    /// The nodes.
    pub nodes: Vec<Place<'w>>,
    /// The world behind it.
    pub world: &'w World,
}

/// One node with what is left of it.
pub struct Place<'w> {
    /// Labels, taints and name.
    pub shape: Cow<'w, NodeShape>,
    /// The backend that serves it, by its name in the contract.
    pub backend: Option<&'w str>,
    /// What its Pods request.
    pub used: Amounts,
    /// Its Pods.
    pub pods: Vec<&'w RunningPod>,
}

impl<'w> Board<'w> {
    /// Lays out the world's nodes for a Pod.
    pub fn lay_out(world: &'w World, demand: &Demand<'_>) -> Self {
        let mut pods: BTreeMap<&str, Vec<&RunningPod>> = BTreeMap::new();
        for pod in world.snapshot.iter().flat_map(|snapshot| &snapshot.pods) {
            pods.entry(&pod.node).or_default().push(pod);
        }
        let mut on = |node: &NodeShape| pods.remove(node.name.as_str()).unwrap_or_default();
        let nodes = world.nodes.iter().map(|node| Place::new(world, node, on(node), demand)).collect();
        Self { nodes, world }
    }

    /// All Pods with the node they are on.
    pub fn pods(&self) -> impl Iterator<Item = (&Place<'w>, &'w RunningPod)> {
        self.nodes.iter().flat_map(|place| place.pods.iter().map(move |pod| (place, *pod)))
    }

    /// Labels of a namespace; every namespace carries its own name.
    pub fn namespace_labels(&self, name: &str) -> Labels {
        let known = self.world.snapshot.as_ref().and_then(|snapshot| snapshot.namespace_labels(name));
        let mut labels = known.cloned().unwrap_or_default();
        labels.entry("kubernetes.io/metadata.name".into()).or_insert_with(|| name.to_owned());
        labels
    }
}

impl<'w> Place<'w> {
    fn new(world: &'w World, node: &'w NodeShape, pods: Vec<&'w RunningPod>, demand: &Demand<'_>) -> Self {
        let shape = with_chosen_label(world, node, demand);
        let mut used = Amounts::new();
        for (name, amount) in pods.iter().flat_map(|pod| &pod.requests) {
            let sum = used.entry(name.clone()).or_default();
            *sum = sum.saturating_add(*amount);
        }
        let backend = world.backend_of(node).map(|backend| backend.name.as_str());
        Self { shape, backend, used, pods }
    }

    /// What it offers of a resource in all.
    pub fn allocatable(&self, resource: &str) -> Option<i64> {
        requests::of_texts(&self.shape.allocatable, resource)
    }

    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&str> {
        self.shape.labels.get(key).map(String::as_str)
    }
}

/// Where every cluster chooses the value of a backend's label (the pool of vk-cocoon), the assumed node carries the
/// value that the Pod asks for.
fn with_chosen_label<'w>(world: &World, node: &'w NodeShape, demand: &Demand<'_>) -> Cow<'w, NodeShape> {
    let open = world.backend_of(node).and_then(|backend| backend.selector.as_ref());
    let chosen = world.has_real_nodes() || !world.cocoon_pools.is_empty();
    let key = open.filter(|selector| selector.value.is_none() && !chosen).map(|selector| &selector.key);
    let Some(key) = key else { return Cow::Borrowed(node) };
    let Some(wanted) = wanted_value(demand, key, node.labels.get(key)) else { return Cow::Borrowed(node) };
    let mut shape = node.clone();
    shape.labels.insert(key.clone(), wanted.to_owned());
    Cow::Owned(shape)
}

fn wanted_value<'d>(demand: &Demand<'d>, key: &str, usual: Option<&String>) -> Option<&'d str> {
    let affinity = &demand.node_affinity;
    let selected = affinity.selector.iter().find(|entry| entry.key == key).and_then(|entry| entry.value.as_str());
    if let Some(value) = selected {
        return Some(value).filter(|value| !value.is_empty());
    }
    let terms = affinity.required.iter().flatten();
    let mut lists = terms.flat_map(|term| &term.expressions).filter(|one| one.key == key && one.operator == "In");
    let values = lists.next().map(|one| one.values.as_slice()).unwrap_or_default();
    let usual_listed = values.iter().find(|value| usual.is_some_and(|usual| usual == *value));
    usual_listed.or_else(|| values.iter().find(|value| !value.is_empty())).copied()
}
