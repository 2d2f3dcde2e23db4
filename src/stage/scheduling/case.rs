//! What the rules of this stage look at: the Pod's demand, the nodes, and the outcome for the Pod.

use super::board::{Board, Place};
use super::place;
use crate::cluster::World;
use crate::cluster::demand::Demand;
use crate::contract::{Backend, Taint};
use crate::finding::{Finding, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::resource::intent::{Evidence, Meaning, Sign};
use crate::stage::Subject;
use crate::yaml::{Node, Span};

/// One Pod before the nodes of a world.
pub struct Case<'c, 's> {
    /// The Pod.
    pub subject: &'c Subject<'s>,
    /// The world.
    pub world: &'c World,
    /// What it demands.
    pub demand: Demand<'c>,
    /// The nodes.
    pub board: Board<'c>,
    /// What its state will be, where no node takes it.
    pub stop: Option<Outcome>,
}

impl<'c, 's> Case<'c, 's> {
    /// Lays out a case.
    pub fn new(subject: &'c Subject<'s>, world: &'c World, stop: Option<Outcome>) -> Self {
        let demand = place::demand(&subject.plan, world);
        let board = Board::lay_out(world, &demand);
        Self { subject, world, demand, board, stop }
    }

    /// The Pod's spec.
    pub fn spec(&self) -> &Node<'s> {
        &self.subject.plan.spec
    }

    /// The virtual backend that the author means, if it is a single one.
    pub fn meant(&self) -> Option<&'c Backend> {
        self.subject.intent.backend().and_then(|name| self.world.contract.backend(name))
    }

    /// The backends whose nodes the Pod is for: the one meant, all of a contradiction, or the ordinary kubelet.
    pub fn is_for_kubelet(&self) -> bool {
        self.subject.intent.meaning == Meaning::Kubelet
    }

    /// The nodes of a backend.
    pub fn nodes_of(&self, backend: &Backend) -> Vec<&Place<'c>> {
        self.board.nodes.iter().filter(|place| place.backend == Some(backend.name.as_str())).collect()
    }

    /// Whether what is known of the nodes is a real cluster's.
    pub fn has_snapshot(&self) -> bool {
        self.world.has_real_nodes()
    }

    /// Names of nodes that would take the Pod.
    pub fn fitting(&self) -> impl Iterator<Item = &Place<'c>> {
        let answers = &self.subject.placement.nodes;
        self.board.nodes.iter().zip(answers).filter(|(_, answer)| answer.fits).map(|(place, _)| place)
    }

    /// The first sign of a kind.
    pub fn sign(&self, sign: Sign) -> Option<&Evidence> {
        self.subject.intent.signs(sign).next()
    }

    /// Whether a selector, required affinity or nodeName binds the Pod to a virtual node, or is meant to.
    pub fn is_bound(&self) -> bool {
        self.sign(Sign::Selector).is_some() || self.sign(Sign::NodeName).is_some()
    }

    /// The place of a field of the Pod's spec, or of the spec itself.
    pub fn spot(&self, field: &str) -> Spot {
        Spot::new(self.key_span(field).unwrap_or(self.spec_key_span()), self.subject.plan.path(field))
    }

    /// Where a field of the Pod's spec is named.
    pub fn key_span(&self, field: &str) -> Option<Span> {
        let entry = self.spec().entry(field)?;
        Some(entry.value.via.unwrap_or(entry.key_span))
    }

    fn spec_key_span(&self) -> Span {
        let first = self.spec().entries().next().map(|entry| entry.key_span);
        first.filter(|_| self.spec().via.is_none()).unwrap_or(self.spec().place())
    }

    /// What the Pod's state will be: the stop of this stage, or that it runs as a plain container.
    pub fn outcome(&self) -> Outcome {
        self.stop.clone().unwrap_or_else(|| {
            let running = Outcome::new(Stage::Running, Shown::Pod, Phase::Running);
            if self.subject.placement.certain { running } else { running.uncertain() }
        })
    }

    /// Adds the outcome where one is certain to come, or the Pod stops here; not where the scheduler has a choice.
    pub fn add_outcome(&self, finding: &mut Finding) {
        if self.stop.is_some() || self.subject.placement.kinds.len() < 2 {
            finding.outcome(self.outcome());
        }
    }

    /// An error where every cluster behaves so, else a lesser weight.
    pub fn weight(&self, certain: bool, otherwise: Severity) -> Severity {
        if certain || self.has_snapshot() { Severity::Error } else { otherwise }
    }
}

/// A taint as `kubectl describe node` writes it: `key=value:effect`.
pub fn taint_text(taint: &Taint) -> String {
    let value = if taint.value.is_empty() { String::new() } else { format!("={}", taint.value) };
    format!("{}{value}:{}", taint.key, taint.effect)
}

/// Text in backquotes, as messages name what was typed.
pub fn typed(text: &str) -> String {
    format!("`{text}`")
}

/// Names joined for a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
