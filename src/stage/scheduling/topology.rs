//! Rules over domains: topology spread constraints and inter-pod affinity.

use super::board::Place;
use super::case::{Case, typed};
use super::contract_keys;
use crate::cluster::label_selector::LabelSelector;
use crate::finding::{Findings, Severity, Spot};
use crate::resource::Kind;
use crate::rule;
use crate::yaml::Node;

/// Judges spread constraints and inter-pod affinity.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    let constraints = case.spec().get("topologySpreadConstraints").into_iter().flat_map(Node::items);
    for (index, item) in constraints.enumerate() {
        missing_topology_label(case, index, item, out);
        spread_counts_others(case, index, item, out);
    }
    unmet_pod_affinity(case, out);
}

/// The nodes that match otherwise.
fn matching<'b, 'c>(case: &'b Case<'c, '_>) -> Vec<&'b Place<'c>> {
    let meant = case.meant().map(|backend| backend.name.as_str());
    let wanted = |place: &&Place<'_>| meant.is_none_or(|name| place.backend == Some(name));
    let tolerates = |place: &&Place<'_>| {
        crate::cluster::toleration::first_untolerated(&place.shape.taints, &case.demand.tolerations).is_none()
    };
    let affinity = &case.demand.node_affinity;
    let all = case.board.nodes.iter().filter(wanted).filter(|place| affinity.matches(&place.shape));
    if meant.is_some() { all.collect() } else { all.filter(tolerates).collect() }
}

/// A `DoNotSchedule` constraint over a label that the nodes do not carry.
fn missing_topology_label(case: &Case<'_, '_>, index: usize, item: &Node<'_>, out: &mut Findings) {
    let text = |field: &str| item.get(field).and_then(Node::as_str);
    let (Some("DoNotSchedule"), Some(key)) = (text("whenUnsatisfiable"), text("topologyKey")) else { return };
    let nodes = matching(case);
    if nodes.is_empty() || nodes.iter().any(|place| place.label(key).is_some()) || case.stop.is_none() {
        return;
    }
    if case.meant().is_none() && !case.has_snapshot() {
        return;
    }
    let whose = case.meant().map_or("matching".to_owned(), |backend| backend.provider.clone());
    let message = format!("no {whose} node carries the label {}, so none can be spread over", typed(key));
    let certain = nodes.iter().all(|place| contract_keys::decides(case.world, place, key, &[]));
    let spot = Spot::of(item.get("topologyKey").unwrap_or(item), path(case, index, ".topologyKey"));
    let finding = out.add(&rule::MISSING_TOPOLOGY_LABEL, spot, message);
    finding.severity(case.weight(certain, Severity::Warning)).outcome(case.outcome());
    finding.help("topologyKey: kubernetes.io/hostname, or whenUnsatisfiable: ScheduleAnyway");
}

fn path(case: &Case<'_, '_>, index: usize, field: &str) -> String {
    case.subject.plan.path(&format!("topologySpreadConstraints[{index}]{field}"))
}

/// Labels that the controller adds begin so; whether a selector over them matches is not known here.
const ADDED_BY_CONTROLLER: [&str; 2] = ["agents.x-k8s.io/", "extensions.agents.x-k8s.io/"];

/// A constraint whose selector does not match the Pod's own labels, so that its own kind is never counted.
fn spread_counts_others(case: &Case<'_, '_>, index: usize, item: &Node<'_>, out: &mut Findings) {
    let written = item.get("labelSelector");
    let selector = LabelSelector::read(written);
    if selector.matches(&case.demand.labels) || selector.keys().any(is_added_later) {
        return;
    }
    let node = written.unwrap_or(item);
    let spot = Spot::of(node, path(case, index, if written.is_some() { ".labelSelector" } else { "" }));
    let message = if written.is_some() {
        "the constraint's labelSelector does not match the Pod's own labels, so Pods of this kind are not spread"
    } else {
        "a constraint without labelSelector counts no Pod, so nothing is spread"
    };
    let finding = out.add(&rule::SPREAD_COUNTS_OTHERS, spot, message);
    if case.subject.resource.kind == Kind::Sandbox {
        finding.severity(Severity::Note);
    }
    finding.help(format!(
        "write the same labels under {}.labels and labelSelector.matchLabels",
        case.subject.plan.metadata_path
    ));
}

fn is_added_later(key: &str) -> bool {
    ADDED_BY_CONTROLLER.iter().any(|prefix| key.starts_with(prefix))
}

/// Required podAffinity or podAntiAffinity that keeps the Pod off every matching node.
fn unmet_pod_affinity(case: &Case<'_, '_>, out: &mut Findings) {
    let answers = &case.subject.placement.nodes;
    let is_about_affinity = |reason: &String| reason.contains("affinity rules");
    let Some(reason) = answers.iter().flat_map(|answer| &answer.reasons).find(|reason| is_about_affinity(reason))
    else {
        return;
    };
    if case.stop.is_none() {
        return;
    }
    let kind = if reason.contains("anti-affinity") { "podAntiAffinity" } else { "podAffinity" };
    let Some(node) = case.spec().at(&["affinity", kind]) else { return };
    let message = match (kind, case.has_snapshot()) {
        ("podAffinity", false) => {
            "podAffinity needs a Pod that matches it on the node beforehand, and the Pod itself does not match"
        }
        ("podAffinity", true) => "no Pod of the cluster meets podAffinity on a node for this Pod",
        _ => "podAntiAffinity keeps the Pod off every node for it",
    };
    let otherwise = if case.meant().is_some() { Severity::Warning } else { Severity::Note };
    let spot = Spot::of(node, case.subject.plan.path(&format!("affinity.{kind}")));
    let finding = out.add(&rule::UNMET_POD_AFFINITY, spot, message);
    finding.severity(case.weight(false, otherwise)).outcome(case.outcome());
}
