//! Explains live objects that do not come up: what the cluster shows of them, matched to the cause in their manifest.
//!
//! The input is what `kubectl get sandbox,pod,event -o yaml` prints. The manifests that the objects were made from are
//! put together again and judged by the [`Linter`](crate::Linter); the words of status, conditions and events are looked
//! up in `rules/observed.yaml`. Words that nothing fits are quoted, never interpreted.

mod diagnose;
pub mod live;
pub mod manifest;
pub mod observe;
mod owners;
pub mod render;
pub mod signs;
pub mod words;

pub use diagnose::explain;
pub use live::{InputError, Live};

use crate::rule::Stage;
use observe::Words;
use serde::Serialize;
use signs::Waiting;

/// What an object is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It does not come up.
    Stuck,
    /// It runs where its author did not want it.
    Misplaced,
    /// It is not ready, and nothing says that it will not be.
    Waiting,
    /// Suspended, expired, completed or being deleted.
    AtRest,
    /// It runs.
    Healthy,
}

/// Names an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ObjectName {
    /// `Sandbox`, `Pod`, `SandboxClaim` or `SandboxWarmPool`.
    pub kind: String,
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

/// A field of the manifest that leads to the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The field, such as `spec.podTemplate.spec.tolerations`.
    pub path: String,
    /// The code of the rule that finds it, if one does.
    pub code: Option<&'static str>,
    /// The name of the rule.
    pub name: Option<&'static str>,
    /// What is wrong with it.
    pub message: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
}

/// What the manifest leads to, by the linter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Predicted {
    /// The stage.
    pub stage: Stage,
    /// The message.
    pub message: Option<String>,
    /// Whether the cluster shows the same.
    pub agrees: bool,
}

/// What there is to say about one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The object.
    pub object: ObjectName,
    /// The name of its Pod, where there is one.
    pub pod: Option<String>,
    /// The node of the Pod.
    pub node: Option<String>,
    /// What it is doing.
    pub state: State,
    /// The stage that stops it; `None` where that is not known.
    pub stage: Option<Stage>,
    /// The phase of the Pod.
    pub phase: Option<String>,
    /// The reason that the cluster gives.
    pub reason: Option<String>,
    /// The words of the cluster.
    pub message: Option<String>,
    /// Where the words stand.
    pub shown_on: Vec<String>,
    /// What is wrong.
    pub cause: Option<String>,
    /// The fields at fault.
    pub fields: Vec<Field>,
    /// What to do.
    pub change: Option<String>,
    /// Whether waiting helps.
    pub waiting: Option<Waiting>,
    /// What the manifest leads to.
    pub predicted: Option<Predicted>,
    /// Words of the cluster that nothing is known about.
    pub unexplained: Vec<Words>,
    /// What else to know.
    pub notes: Vec<String>,
}
