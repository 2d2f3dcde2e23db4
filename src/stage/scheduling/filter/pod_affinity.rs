//! `InterPodAffinity`: Pods that must be near, or must not.

use super::Refusal;
use crate::cluster::RunningPod;
use crate::cluster::demand::Demand;
use crate::cluster::label_selector::PodTerm;
use crate::stage::scheduling::board::{Board, Place};

/// Judges required podAffinity, podAntiAffinity, and the podAntiAffinity of Pods that run already.
pub fn rules(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> Option<Refusal> {
    let refusal = |reason: &str| {
        let refusal = Refusal::new("InterPodAffinity", reason);
        if board.world.has_real_nodes() { refusal } else { refusal.uncertain() }
    };
    if !is_near(demand, place, board) {
        return Some(refusal("node(s) didn't match pod affinity rules"));
    }
    if demand.pod_anti_affinity.iter().any(|term| domain_has(term, place, board, |pod| speaks_of(term, pod, board))) {
        return Some(refusal("node(s) didn't match pod anti-affinity rules").resolvable());
    }
    if is_kept_away(demand, place, board) {
        return Some(refusal("node(s) didn't satisfy existing pods anti-affinity rules").resolvable());
    }
    None
}

/// Whether every affinity term finds a Pod in the node's domain, or the Pod is the first of its own kind.
fn is_near(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> bool {
    let terms = &demand.pod_affinity;
    let all = |pod: &RunningPod| terms.iter().all(|term| speaks_of(term, pod, board));
    if terms.iter().any(|term| place.label(&term.topology_key).is_none()) {
        return false;
    }
    if terms.iter().all(|term| domain_has(term, place, board, all)) {
        return true;
    }
    let nobody = !board.pods().any(|(_, pod)| all(pod));
    let labels = board.namespace_labels(demand.namespace);
    nobody && terms.iter().all(|term| term.matches(demand.namespace, &labels, &demand.labels))
}

fn is_kept_away(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> bool {
    let labels = board.namespace_labels(demand.namespace);
    board.pods().any(|(other, pod)| {
        pod.anti_affinity.iter().any(|term| {
            let shared = place.label(&term.topology_key);
            shared.is_some()
                && shared == other.label(&term.topology_key)
                && term.matches(demand.namespace, &labels, &demand.labels)
        })
    })
}

fn domain_has(term: &PodTerm, place: &Place<'_>, board: &Board<'_>, wanted: impl Fn(&RunningPod) -> bool) -> bool {
    let domain = place.label(&term.topology_key);
    domain.is_some() && board.pods().any(|(other, pod)| other.label(&term.topology_key) == domain && wanted(pod))
}

fn speaks_of(term: &PodTerm, pod: &RunningPod, board: &Board<'_>) -> bool {
    term.matches(&pod.namespace, &board.namespace_labels(&pod.namespace), &pod.labels)
}
