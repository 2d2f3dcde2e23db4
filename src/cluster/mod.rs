//! The world a Pod meets: the built-in assumption, or a snapshot of a real cluster; and the Pod as a cluster sees it.

pub mod admit;
pub mod demand;
mod files;
pub mod host_port;
pub mod label_selector;
pub mod limit_range;
pub mod node_selector;
pub mod quota;
mod read;
pub mod requests;
mod snapshot;
mod table;
#[cfg(test)]
mod tests;
pub mod toleration;
pub mod volume;

pub use crate::resource::AgentSandboxRelease;
pub use files::{ClusterObjects, gather};
pub use read::SnapshotError;
pub use snapshot::{PriorityClass, RunningPod, RuntimeClass, Snapshot, WarmPool};
pub use table::Origin;
pub use volume::{PersistentVolume, StorageClass, VolumeClaim};

use crate::contract::{Backend, Contract, NodeShape};

/// Everything outside the manifests that decides what becomes of a Pod.
#[derive(Clone, Debug)]
pub struct World {
    /// What backends exist and what their providers read.
    pub contract: Contract,
    /// The nodes that the scheduler can choose from.
    pub nodes: Vec<NodeShape>,
    /// What a snapshot says of other objects; `None` means that everything named exists.
    pub snapshot: Option<Snapshot>,
    /// The Kubernetes minor release (36 for 1.36), which decides a few messages.
    pub kube_minor: u32,
    /// The agent-sandbox release, if one was named.
    pub agent_sandbox: Option<AgentSandboxRelease>,
    /// cocoon-webhook, where it is known to run.
    pub webhook: Option<Webhook>,
    /// Sandboxes are served by the aggregated API, without Pods.
    pub aggregated_api: bool,
    /// The warm pools that sandboxd is known to serve; empty when that is not known.
    pub sandboxd_pools: Vec<SandboxdPool>,
    /// The pools of the vk-cocoon nodes; empty when they are not known.
    pub cocoon_pools: Vec<String>,
    /// Whether objects around the Pod that are written in files of the run count, too.
    pub from_files: bool,
    /// The current time in seconds since 1970, to judge `shutdownTime`.
    pub now: i64,
}

/// The key of a warm pool of sandboxd.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SandboxdPool {
    /// The template.
    pub template: String,
    /// The network lane.
    pub net: String,
    /// The size class.
    pub size: String,
}

/// What cocoon-webhook is set to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Webhook {
    /// Accounts of POD_CREATORS beyond its default.
    pub pod_creators: Vec<String>,
    /// Namespaces it does not look at, beyond its defaults.
    pub exempt_namespaces: Vec<String>,
}

impl World {
    /// The newest Kubernetes minor release whose messages are known.
    pub const NEWEST_KUBE_MINOR: u32 = 36;

    /// The world assumed without a snapshot: one node of each backend.
    pub fn assumed() -> Self {
        let contract = Contract::builtin();
        let nodes = contract.backends.iter().map(|backend| backend.node.clone()).collect();
        Self {
            contract,
            nodes,
            snapshot: None,
            kube_minor: Self::NEWEST_KUBE_MINOR,
            agent_sandbox: None,
            webhook: None,
            aggregated_api: false,
            sandboxd_pools: Vec::new(),
            cocoon_pools: Vec::new(),
            from_files: true,
            now: 0,
        }
    }

    /// Takes nodes for those of the real cluster.
    pub fn set_real_nodes(&mut self, nodes: Vec<NodeShape>) {
        self.nodes = nodes;
        self.snapshot.get_or_insert_with(Snapshot::default).nodes_known = true;
    }

    /// Whether the nodes are those of a real cluster.
    pub fn has_real_nodes(&self) -> bool {
        self.snapshot.as_ref().is_some_and(Snapshot::has_nodes)
    }

    /// The backend that serves a node: the one whose selector picks it, else the one whose taint it carries,
    /// else the ordinary kubelet unless the node is a virtual one of an unknown kind.
    pub fn backend_of(&self, node: &NodeShape) -> Option<&Backend> {
        let virtual_nodes = || self.contract.backends.iter().filter(|backend| backend.selector.is_some());
        let picked = |backend: &&Backend| {
            let selector = backend.selector.as_ref();
            selector.is_some_and(|selector| match (&selector.value, node.labels.get(&selector.key)) {
                (Some(value), Some(label)) => value == label,
                (None, label) => label.is_some(),
                (Some(_), None) => false,
            })
        };
        let tainted = |backend: &&Backend| {
            let own = &backend.node.taints;
            own.iter().any(|taint| node.taints.iter().any(|found| found.key == taint.key && found.value == taint.value))
        };
        let is_virtual = node.labels.get("type").is_some_and(|kind| kind == "virtual-kubelet");
        let ordinary = || self.contract.backends.iter().find(|backend| backend.selector.is_none() && !is_virtual);
        virtual_nodes().find(picked).or_else(|| virtual_nodes().find(tainted)).or_else(ordinary)
    }
}
