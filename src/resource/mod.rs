//! What a manifest declares: the kinds of agent-sandbox, other kinds that carry a Pod, and the Pod that comes of them.

pub mod identify;
pub mod intent;
pub mod json;
pub mod misplaced_key;
pub mod pod;
mod release;
pub mod schema;
pub mod unreadable;

pub use release::{AgentSandboxRelease, NoRelease};

use crate::finding::ResourceId;
use crate::yaml::Node;

/// The kinds that the linter follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `agents.x-k8s.io` Sandbox.
    Sandbox,
    /// `extensions.agents.x-k8s.io` SandboxTemplate.
    SandboxTemplate,
    /// `extensions.agents.x-k8s.io` SandboxWarmPool.
    SandboxWarmPool,
    /// `extensions.agents.x-k8s.io` SandboxClaim.
    SandboxClaim,
    /// A kind of Kubernetes itself that carries a Pod and a key of the contract.
    Workload(Workload),
}

/// Kubernetes' own kinds that carry a Pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Workload {
    /// `v1` Pod.
    Pod,
    /// `apps/v1` Deployment.
    Deployment,
    /// `apps/v1` StatefulSet.
    StatefulSet,
    /// `apps/v1` ReplicaSet.
    ReplicaSet,
    /// `apps/v1` DaemonSet.
    DaemonSet,
    /// `batch/v1` Job.
    Job,
    /// `batch/v1` CronJob.
    CronJob,
}

impl Workload {
    /// The kind as written in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Pod => "Pod",
            Workload::Deployment => "Deployment",
            Workload::StatefulSet => "StatefulSet",
            Workload::ReplicaSet => "ReplicaSet",
            Workload::DaemonSet => "DaemonSet",
            Workload::Job => "Job",
            Workload::CronJob => "CronJob",
        }
    }
}

/// A served version of agent-sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// Deprecated; gone in 1.0.
    V1alpha1,
    /// Current.
    V1beta1,
}

/// One resource of a document, as written.
#[derive(Clone, Debug)]
pub struct Resource<'s> {
    /// What it is.
    pub kind: Kind,
    /// The served version; `V1beta1` for workloads.
    pub version: Version,
    /// How output names it.
    pub id: ResourceId,
    /// The whole object as decoded.
    pub root: Node<'s>,
    /// Field path of the object inside its document: empty, or `items[2]` in a List.
    pub prefix: String,
    /// Its file as kubectl would print it.
    pub file_name: String,
    /// The text of its file, which the spans point into; a fix takes indentation from it.
    pub text: &'s str,
}

impl Resource<'_> {
    /// The namespace, `default` when none is written.
    pub fn namespace(&self) -> &str {
        self.id.namespace()
    }

    /// The name, or an empty text.
    pub fn name(&self) -> &str {
        self.id.name()
    }

    /// A field path of this object as output shows it (with the List prefix).
    pub fn path(&self, field: &str) -> String {
        if self.prefix.is_empty() { field.to_owned() } else { format!("{}.{field}", self.prefix) }
    }
}
