//! The world that a configuration describes.

use super::{ClusterFacts, Config};
use crate::cluster::World;
use crate::contract::{ContractError, NodeShape};
use std::collections::BTreeMap;

/// The annotation that names sandboxd's size class.
const SIZE: &str = "sandbox.cocoonstack.io/size";

impl Config {
    /// Puts what the configuration says of the cluster into a world. Snapshots are read elsewhere, before this.
    ///
    /// # Errors
    /// An addition to the contract that contradicts it.
    pub fn describe(&self, world: &mut World) -> Result<(), ContractError> {
        let known = world.contract.backends.len();
        world.contract.extend(self.contract.clone())?;
        let added = world.contract.backends[known..].iter().map(|backend| backend.node.clone());
        if !world.has_real_nodes() {
            world.nodes.extend(added);
        }
        world.agent_sandbox = self.agent_sandbox.or(world.agent_sandbox);
        world.kube_minor = self.kube_minor.unwrap_or(world.kube_minor);
        self.cluster.describe(world);
        Ok(())
    }
}

impl ClusterFacts {
    fn describe(&self, world: &mut World) {
        world.webhook = self.webhook.clone().or(world.webhook.take());
        world.aggregated_api |= self.aggregated_api;
        world.from_files &= !self.snapshots_only;
        world.sandboxd_pools.extend(self.sandboxd_pools.iter().cloned());
        add_sizes(world, &self.sizes);
        for (backend, labels) in &self.node_labels {
            relabel(world, backend, labels);
        }
        if !self.nodes.is_empty() {
            world.set_real_nodes(self.nodes.clone());
        } else if !self.cocoon_pools.is_empty() && !world.has_real_nodes() {
            put_pools(world, &self.cocoon_pools);
        }
    }
}

fn add_sizes(world: &mut World, sizes: &[String]) {
    let annotations = world.contract.backends.iter_mut().flat_map(|backend| &mut backend.annotations);
    for annotation in annotations.filter(|annotation| annotation.key == SIZE) {
        let new = sizes.iter().filter(|size| !annotation.values.contains(size)).cloned().collect::<Vec<_>>();
        annotation.newer_values.retain(|size| !new.contains(size));
        annotation.values.extend(new);
    }
}

/// Changes the labels of a backend's node, in the contract and among the nodes.
fn relabel(world: &mut World, backend: &str, labels: &BTreeMap<String, String>) {
    let Some(backend) = world.contract.backends.iter_mut().find(|known| known.name == backend) else { return };
    let name = backend.node.name.clone();
    let nodes = world.nodes.iter_mut().filter(|node| node.name == name);
    for node in nodes.chain([&mut backend.node]) {
        node.labels.extend(labels.clone());
    }
}

/// One vk-cocoon node for each pool, in place of the assumed one.
fn put_pools(world: &mut World, pools: &[String]) {
    let shape = world.contract.backend("vk-cocoon").map(|backend| (backend.node.clone(), backend.selector.clone()));
    let Some((shape, Some(selector))) = shape else { return };
    let Some(at) = world.nodes.iter().position(|node| node.name == shape.name) else { return };
    let node = |pool: &String| {
        let mut node = NodeShape { name: format!("{}-{pool}", shape.name), ..shape.clone() };
        node.labels.insert(selector.key.clone(), pool.clone());
        node.labels.insert("kubernetes.io/hostname".into(), node.name.clone());
        node
    };
    world.nodes.splice(at..=at, pools.iter().map(node));
    world.cocoon_pools = pools.to_vec();
}
