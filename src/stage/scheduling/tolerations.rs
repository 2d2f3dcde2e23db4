//! Rules over tolerations.

use super::case::{Case, taint_text, typed};
use super::insert;
use crate::cluster::toleration::{Toleration, first_untolerated};
use crate::contract::{Backend, Taint};
use crate::finding::{Applicability, Finding, Findings, Severity, Spot};
use crate::resource::intent::{Evidence, Sign};
use crate::rule;
use crate::suggest;
use crate::yaml::Node;

/// Judges the tolerations of a Pod that is bound to a backend's nodes.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    if case.is_for_kubelet() {
        missing_toleration_elsewhere(case, out);
    }
    let Some(backend) = case.meant().filter(|_| case.sign(Sign::Selector).is_some()) else {
        return useless_toleration(case, out);
    };
    let nodes = case.nodes_of(backend);
    let untolerated = |taints| first_untolerated(taints, &case.demand.tolerations);
    // A node that others can be had instead of is no obstacle.
    let refused: Vec<&Taint> = match nodes.as_slice() {
        [] => untolerated(&backend.node.taints).into_iter().collect(),
        nodes => nodes.iter().map_while(|place| untolerated(&place.shape.taints)).collect(),
    };
    let Some(taint) = refused.first().filter(|_| refused.len() == nodes.len().max(1)) else { return };
    match nearest_miss(&case.demand.tolerations, taint) {
        Some(toleration) => {
            toleration_mismatch(case, backend, taint, toleration, out);
        }
        None => missing_toleration(case, backend, taint, out),
    }
}

/// The taint of the selected node is not tolerated at all.
fn missing_toleration(case: &Case<'_, '_>, backend: &Backend, taint: &Taint, out: &mut Findings) {
    let Some(selector) = case.sign(Sign::Selector) else { return };
    let spot = Spot::new(selector_span(case, selector), case.subject.plan.path("tolerations"));
    let message = format!("{}'s taint {} is not tolerated", backend.provider, typed(&taint_text(taint)));
    let finding = out.add(&rule::MISSING_TOLERATION, spot, message);
    finding.label(picked(case, backend, taint));
    advise(case, backend, taint, finding);
}

/// Where a selector of the author's own picks only tainted nodes.
fn missing_toleration_elsewhere(case: &Case<'_, '_>, out: &mut Findings) {
    let affinity = &case.demand.node_affinity;
    if affinity.is_empty() || case.stop.is_none() || case.subject.placement.hold.is_some() {
        return;
    }
    let matching = || case.board.nodes.iter().filter(|place| affinity.matches(&place.shape));
    let untolerated = |taints| first_untolerated(taints, &case.demand.tolerations);
    let Some((place, taint)) = matching().find_map(|place| Some((place, untolerated(&place.shape.taints)?))) else {
        return;
    };
    if matching().any(|place| untolerated(&place.shape.taints).is_none()) {
        return;
    }
    let field = if affinity.selector.is_empty() { "affinity" } else { "nodeSelector" };
    let spot = Spot::new(case.spot(field).span, case.subject.plan.path("tolerations"));
    let message = format!("the taint {} of the selected nodes is not tolerated", typed(&taint_text(taint)));
    let weight = case.weight(false, Severity::Warning);
    let backend = place.backend.and_then(|name| case.world.contract.backend(name));
    let finding = out.add(&rule::MISSING_TOLERATION, spot, message);
    finding.severity(weight).label(format!("picks nodes that carry the taint {}", taint_text(taint)));
    match backend {
        Some(backend) => advise(case, backend, taint, finding),
        None => {
            finding.outcome(case.outcome());
        }
    }
}

/// What the selector has to do with the taint; one that is misspelt picks no node.
fn picked(case: &Case<'_, '_>, backend: &Backend, taint: &Taint) -> String {
    let affinity = &case.demand.node_affinity;
    let misses = affinity.is_empty() || case.nodes_of(backend).iter().all(|place| !affinity.matches(&place.shape));
    let picks = if misses { "is meant for" } else { "picks" };
    format!("{picks} the {} nodes, which carry the taint {}", backend.provider, taint_text(taint))
}

fn selector_span(case: &Case<'_, '_>, selector: &Evidence) -> crate::yaml::Span {
    case.key_span("nodeSelector").filter(|_| selector.text.starts_with("nodeSelector")).unwrap_or(selector.span)
}

/// The fields of the toleration that covers a taint.
fn remedy<'t>(backend: &'t Backend, taint: &'t Taint) -> Vec<(&'t str, &'t str)> {
    match backend.toleration.as_ref().filter(|toleration| toleration.key == taint.key) {
        Some(known) => {
            let value = Some(("value", known.value.as_str())).filter(|_| !known.value.is_empty());
            let head = [("key", known.key.as_str()), ("operator", known.operator.as_str())];
            head.into_iter().chain(value).chain([("effect", known.effect.as_str())]).collect()
        }
        None => vec![("key", taint.key.as_str()), ("operator", "Exists"), ("effect", taint.effect.as_str())],
    }
}

fn advise(case: &Case<'_, '_>, backend: &Backend, taint: &Taint, finding: &mut Finding) {
    let pairs = remedy(backend, taint);
    let lines = item_lines(&pairs);
    finding.help(format!("tolerations:\n{}", lines.join("\n"))).outcome(case.outcome());
    let text = case.subject.resource.text;
    let edits = match case.spec().get("tolerations") {
        Some(list) => insert::item(list, text, &pairs),
        None => {
            let flow = format!("[{}]", insert::flow_of(&pairs));
            let field = insert::Field { name: "tolerations", block: lines, flow };
            insert::field(case.spec(), text, "containers", &field)
        }
    };
    if let Some(edits) = edits {
        finding.fix(Applicability::Safe, "add the toleration", edits);
    }
}

fn item_lines(pairs: &[(&str, &str)]) -> Vec<String> {
    let line =
        |(at, (key, value)): (usize, &(&str, &str))| format!("  {} {key}: {value}", if at == 0 { "-" } else { " " });
    pairs.iter().enumerate().map(line).collect()
}

/// The toleration that was meant for a taint: same key, or nearly.
fn nearest_miss<'t, 'a>(tolerations: &'t [Toleration<'a>], taint: &Taint) -> Option<&'t Toleration<'a>> {
    let same = tolerations.iter().find(|one| one.key == taint.key);
    let near = |one: &&Toleration<'_>| is_typo_of(one.key, &taint.key);
    let blanket = |one: &&Toleration<'_>| one.key.is_empty() && !one.covers_effect(taint);
    same.or_else(|| tolerations.iter().find(near)).or_else(|| tolerations.iter().find(blanket))
}

fn is_typo_of(key: &str, meant: &str) -> bool {
    let domain = meant.split('/').next().unwrap_or(meant);
    suggest::nearest(key, [meant]).is_some() || (!key.is_empty() && key.starts_with(domain)) || key.ends_with(meant)
}

/// Without a selector that shows which taint is meant: a toleration with a provider's key that covers the taint of
/// no provider.
fn useless_toleration(case: &Case<'_, '_>, out: &mut Findings) {
    let backends: Vec<&Backend> =
        case.meant().map_or_else(|| case.world.contract.virtual_backends().collect(), |one| vec![one]);
    for one in &case.demand.tolerations {
        let of_key = backends.iter().flat_map(|backend| backend.node.taints.iter().map(move |taint| (*backend, taint)));
        let taints: Vec<(&Backend, &Taint)> = of_key.filter(|(_, taint)| taint.key == one.key).collect();
        let Some((backend, taint)) = taints.first().filter(|_| !taints.iter().any(|(_, taint)| one.covers(taint)))
        else {
            continue;
        };
        // What happens hangs on the selector that is missing, and so does the value that is meant.
        let finding = toleration_mismatch(case, backend, taint, one, out).severity(Severity::Warning);
        (finding.outcome, finding.fix) = (None, None);
    }
}

/// A toleration that was meant for the taint and does not cover it.
fn toleration_mismatch<'o>(
    case: &Case<'_, '_>,
    backend: &Backend,
    taint: &Taint,
    one: &Toleration<'_>,
    out: &'o mut Findings,
) -> &'o mut Finding {
    let index =
        case.spec().get("tolerations").into_iter().flat_map(Node::items).position(|item| std::ptr::eq(item, one.node));
    let path = |field: &str| case.subject.plan.path(&format!("tolerations[{}]{field}", index.unwrap_or(0)));
    let spot = |field: &str| match one.node.get(field) {
        Some(node) => Spot::of(node, path(&format!(".{field}"))),
        None => Spot::of(one.node, path("")),
    };
    let owner = format!("{}'s taint {}", backend.provider, typed(&taint_text(taint)));
    let pairs = remedy(backend, taint);
    let (spot, message, field, value) = if !one.covers_key(taint) {
        let message = format!("toleration key {} is not the key of {owner}", typed(one.key));
        (spot("key"), message, "key", taint.key.as_str())
    } else if !one.covers_effect(taint) {
        let message = format!("toleration effect {} does not cover {owner}", typed(one.effect));
        (spot("effect"), message, "effect", taint.effect.as_str())
    } else if one.node.get("value").is_none() {
        let message = format!("a toleration without a value covers an empty value only, not {owner}");
        (spot("operator"), message, "operator", "Exists")
    } else if one.value.is_empty() {
        let message = format!("an empty toleration value covers an empty value only, not {owner}");
        (spot("value"), message, "value", taint.value.as_str())
    } else {
        let message = format!("toleration value {} does not cover {owner}", typed(one.value));
        (spot("value"), message, "value", taint.value.as_str())
    };
    let finding = out.add(&rule::TOLERATION_MISMATCH, spot, message);
    finding.help(format!("tolerations:\n{}", item_lines(&pairs).join("\n"))).outcome(case.outcome());
    if let Some(selector) = case.sign(Sign::Selector) {
        finding.related(selector.span, picked(case, backend, taint));
    }
    let text = case.subject.resource.text;
    let edits = match one.node.get(field) {
        Some(node) => insert::replace(node, value),
        None => insert::field_inline(one.node, text, field, value),
    };
    if let Some(edits) = edits {
        let safe = field != "value" || suggest::nearest(one.value, [value]).is_some();
        let applicability = if safe { Applicability::Safe } else { Applicability::Unsafe };
        finding.fix(applicability, format!("set {field} to {value}"), edits);
    }
    finding
}
