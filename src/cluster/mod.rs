//! The world a Pod meets: the built-in assumption, or a snapshot of a real cluster.

use crate::contract::{Contract, NodeShape};

/// Everything outside the manifests that decides a Pod's fate.
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
    /// The current time in seconds since 1970, to judge `shutdownTime`.
    pub now: i64,
}

/// An agent-sandbox release: 1.0 and later serve v1beta1 only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgentSandboxRelease {
    /// Major number.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
    /// Patch number.
    pub patch: u32,
}

/// What cocoon-webhook is set to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Webhook {
    /// Accounts of POD_CREATORS beyond its default.
    pub pod_creators: Vec<String>,
    /// Namespaces it does not look at, beyond its defaults.
    pub exempt_namespaces: Vec<String>,
}

/// Objects of a cluster, read from `kubectl get … -A -o yaml`. Names and keys only; values of Secrets are never kept.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {}

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
            now: 0,
        }
    }
}
