//! The stages of a Pod's way, one module each. A stage looks at a [`Subject`] in a [`World`](crate::cluster::World)
//! and says what it finds and whether the Pod stops there.

pub mod admission;
pub mod consequence;
pub mod decode;
mod gate;
pub mod keys;
pub mod kubelet;
pub mod pod_create;
pub mod provider;
pub mod reconcile;
pub mod running;
pub mod scheduling;
pub mod webhook;
pub mod workload;

use crate::resource::Resource;
use crate::resource::intent::Intent;
use crate::resource::pod::PodPlan;
use crate::yaml::Node;
use scheduling::Placement;

/// One Pod-to-be with everything known about it.
#[derive(Clone, Debug)]
pub struct Subject<'s> {
    /// The resource as written.
    pub resource: Resource<'s>,
    /// The object as the API server stores it: nulls dropped, unknown fields pruned.
    pub stored: Node<'s>,
    /// The Pod that comes of it.
    pub plan: PodPlan<'s>,
    /// The backend its author means.
    pub intent: Intent,
    /// Which nodes would take it.
    pub placement: Placement,
}

impl Subject<'_> {
    /// The backend whose rules judge the Pod: that of the node that takes it, else the one meant. Where nodes of
    /// several backends would take it, the one meant among them decides, as the scheduler's choice is anyone's guess.
    pub fn serving_backend(&self) -> Option<&str> {
        let (kinds, meant) = (&self.placement.kinds, self.intent.name());
        if kinds.len() > 1 && kinds.iter().any(|kind| kind == meant) {
            return Some(meant);
        }
        self.placement.backend.as_deref().or_else(|| self.intent.backend())
    }

    /// The Pod as the node sees it that the scheduler likes best, where that node is not of the backend meant.
    pub fn as_landed(&self) -> Option<Self> {
        let backend = self.placement.backend.as_deref().filter(|backend| self.serving_backend() != Some(backend))?;
        let mut landed = self.clone();
        landed.placement.kinds = vec![backend.to_owned()];
        Some(landed)
    }
}
