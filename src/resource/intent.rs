//! Which backend the author means, from all the evidence together.

use super::pod::PodPlan;
use crate::cluster::World;
use crate::yaml::Span;

/// What the author means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    /// The backend meant.
    pub meaning: Meaning,
    /// Why, the strongest first.
    pub evidence: Vec<Evidence>,
}

/// The three results of weighing the evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// No sign of a virtual node: the ordinary kubelet.
    #[default]
    Kubelet,
    /// One backend, by its name in the contract.
    Backend(String),
    /// Signs of several backends that cannot be had together.
    Contradictory(Vec<String>),
}

/// One sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The backend it speaks for, by its name in the contract.
    pub backend: String,
    /// What kind of sign it is.
    pub sign: Sign,
    /// Where it stands.
    pub span: Span,
    /// The text as a sentence names it: `nodeSelector sandbox.cocoonstack.io/runtime: sandboxd`.
    pub text: String,
}

/// Kinds of signs, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// A nodeSelector or required node affinity that picks the backend's nodes.
    Selector,
    /// `nodeName` of the backend's node.
    NodeName,
    /// A provider annotation.
    Annotation,
    /// The value of the provider toleration.
    Toleration,
}

impl Intent {
    /// The backend's name as output has it: `kubelet`, `contradictory`, or a name of the contract.
    pub fn name(&self) -> &str {
        match &self.meaning {
            Meaning::Kubelet => "kubelet",
            Meaning::Backend(name) => name,
            Meaning::Contradictory(_) => "contradictory",
        }
    }

    /// The one backend meant, if it is a virtual node's.
    pub fn backend(&self) -> Option<&str> {
        match &self.meaning {
            Meaning::Backend(name) => Some(name),
            _ => None,
        }
    }
}

/// Weighs the evidence of a planned Pod.
pub fn read(plan: &PodPlan<'_>, world: &World) -> Intent {
    let _ = (plan, world);
    Intent::default()
}
