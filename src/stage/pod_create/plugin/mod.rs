//! Admission plugins of the API server that refuse a Pod before or after its validation, one file each. What they look
//! up is known from a snapshot and from files of the run only, save for names that no object can have.

mod limit_range;
mod lookups;
mod pod_security;
mod quota;

use super::Pod;
use super::field::Field;
use crate::cluster::{Origin, World};
use crate::contract::has_placeholder;
use crate::go::quote;
use crate::rule::{self, Rule};
use crate::yaml::Span;

pub use pod_security::Warned;

/// A refusal by a plugin.
pub struct Refusal<'n> {
    /// The rule.
    pub rule: &'static Rule,
    /// The field that it hangs on.
    pub field: Field<'n>,
    /// The server's words for the whole request.
    pub message: String,
    /// What is wrong, in a sentence without its end.
    pub sentence: String,
    /// What to write instead.
    pub help: String,
    /// Whether the words are the same on every cluster that follows the contract, or known from a snapshot.
    pub certain: bool,
    /// Other places of the manifest that the server refuses with the same words.
    pub others: Vec<(Span, String)>,
    /// The object of the cluster that decides, where a file of the run has it, and what it is.
    pub origin: Option<(Origin, String)>,
}

impl<'n> Refusal<'n> {
    fn new(field: Field<'n>, pod: &Pod<'_>, why: &str, sentence: String, help: &str) -> Self {
        let message = format!("pods {} is forbidden: {why}", quote(pod.name));
        let (rule, others, origin) = (&rule::REFUSED_BY_PLUGIN, Vec::new(), None);
        Self { rule, field, message, sentence, help: help.to_owned(), certain: true, others, origin }
    }

    fn by(self, rule: &'static Rule) -> Self {
        Self { rule, ..self }
    }

    fn because_of(self, origin: Option<Origin>, words: &str) -> Self {
        Self { origin: origin.map(|origin| (origin, words.to_owned())), ..self }
    }
}

/// What plugins refuse before the Pod is validated, in their order; the first refusal ends the request.
pub fn before_validation<'n>(pod: &Pod<'n>, world: &World) -> Vec<Refusal<'n>> {
    let refusals = lookups::before_validation(pod, world);
    refusals.into_iter().filter(|refusal| !has_placeholder(refusal.field.text())).collect()
}

/// What plugins refuse after the Pod is validated, in their order; the first refusal ends the request.
pub fn after_validation<'n>(pod: &Pod<'n>, world: &World) -> Vec<Refusal<'n>> {
    let mut refusals = limit_range::out_of_range(pod, world);
    refusals.extend(pod_security::violates_pod_security(pod, world));
    refusals.extend(lookups::overhead_without_class(pod, world));
    refusals.extend(quota::quota_needs_resources(pod, world));
    refusals.extend(quota::exceeds_quota_alone(pod, world));
    refusals
}

/// What Pod Security warns of, or writes into the audit log, without a refusal.
pub fn warnings<'n>(pod: &Pod<'n>, world: &World) -> Option<Warned<'n>> {
    pod_security::warned(pod, world)
}
