//! Filters over the node itself: cordon, taints, labels and name.

use super::{Before, Refusal};
use crate::cluster::demand::Demand;
use crate::cluster::node_selector::{Requirement, selects};
use crate::cluster::toleration::first_untolerated;
use crate::contract::Taint;
use crate::stage::scheduling::board::{Board, Place};
use crate::stage::scheduling::contract_keys;

/// `NodeUnschedulable`: a cordoned node takes only Pods that tolerate its taint.
pub fn unschedulable(demand: &Demand<'_>, place: &Place<'_>) -> Option<Refusal> {
    let cordon =
        Taint { key: "node.kubernetes.io/unschedulable".into(), value: String::new(), effect: "NoSchedule".into() };
    let tolerated = demand.tolerations.iter().any(|toleration| toleration.covers(&cordon));
    (place.shape.unschedulable && !tolerated).then(|| Refusal::new("NodeUnschedulable", "node(s) were unschedulable"))
}

/// From this minor release on, the scheduler no longer prints the taint (kubernetes#134740).
const SILENT_TAINTS: u32 = 34;

/// `TaintToleration`.
pub fn taints(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> Option<Refusal> {
    let taint = first_untolerated(&place.shape.taints, &demand.tolerations)?;
    let reason = if board.world.kube_minor >= SILENT_TAINTS {
        "node(s) had untolerated taint(s)".to_owned()
    } else {
        format!("node(s) had untolerated taint {{{}: {}}}", taint.key, taint.value)
    };
    Some(Refusal::new("TaintToleration", reason))
}

/// `NodeAffinity`: nodeSelector and required node affinity.
pub fn affinity(demand: &Demand<'_>, place: &Place<'_>, board: &Board<'_>) -> Option<Refusal> {
    let affinity = &demand.node_affinity;
    let of_class = demand.class_selector.iter().all(|(key, value)| place.label(key) == Some(value));
    if of_class && affinity.matches(&place.shape) {
        return None;
    }
    let refusal = Refusal::new("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
    let by_contract = |key: &str, values: &[&str]| contract_keys::decides(board.world, place, key, values);
    let selected = affinity
        .selector
        .iter()
        .any(|entry| !selects(entry, &place.shape) && by_contract(&entry.key, entry.value.as_str().as_slice()));
    let terms = affinity.required.as_deref().unwrap_or_default();
    let failed = |one: &Requirement<'_>| !one.accepts(place.label(one.key)) && by_contract(one.key, &one.values);
    let required = affinity.required.is_some()
        && terms.iter().all(|term| {
            let empty = term.expressions.is_empty() && term.fields.is_empty();
            empty || term.expressions.iter().any(failed)
        });
    Some(if selected || required || board.world.has_real_nodes() { refusal } else { refusal.uncertain() })
}

/// `NodeAffinity` before the filter: the node names that all terms together allow.
pub fn named(demand: &Demand<'_>) -> Before {
    let Some(terms) = demand.node_affinity.required.as_ref().filter(|terms| !terms.is_empty()) else {
        return Before::All;
    };
    let mut union: Vec<String> = Vec::new();
    for term in terms {
        let named = |one: &&Requirement<'_>| one.key == "metadata.name" && one.operator == "In";
        let mut lists = term.fields.iter().filter(named).map(|one| &one.values);
        let Some(first) = lists.next() else { return Before::All };
        let rest: Vec<_> = lists.collect();
        let common = first.iter().filter(|name| rest.iter().all(|list| list.contains(name)));
        union.extend(common.map(|name| (*name).to_owned()));
    }
    if union.is_empty() {
        return Before::Refused(Refusal::new("NodeAffinity", "pod affinity terms conflict"));
    }
    Before::Named(union)
}
