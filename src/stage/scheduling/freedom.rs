//! Rules over Pods that nothing binds to the nodes they are meant for.

use super::case::{Case, listed, typed};
use super::contract_keys;
use super::insert;
use crate::contract::Backend;
use crate::finding::{Applicability, Finding, Findings, Spot};
use crate::resource::intent::{Meaning, Sign};
use crate::rule;
use crate::yaml::Node;

/// Judges what binds the Pod to the nodes it is meant for.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    if case.subject.plan.node_name().is_some() || case.subject.placement.hold.is_some() {
        return;
    }
    match (&case.subject.intent.meaning, case.meant()) {
        (_, Some(backend)) if !case.is_bound() => unbound(case, backend, out),
        (Meaning::Contradictory(_), _) if !case.is_bound() => undecided(case, out),
        (Meaning::Kubelet, _) => free_toleration(case, out),
        (_, Some(backend)) => half_bound(case, backend, out),
        _ => {}
    }
}

/// A Pod meant for a virtual node by its annotations, its toleration or a preference, without a selector.
fn unbound(case: &Case<'_, '_>, backend: &Backend, out: &mut Findings) {
    let fitting: Vec<&str> = case.fitting().filter_map(|place| place.backend).collect();
    let elsewhere = fitting.iter().any(|name| *name != backend.name);
    // Without a free node for a plain container the Pod waits, and what it lacks is the same.
    let nowhere = fitting.is_empty() && case.has_snapshot() && case.demand.node_affinity.is_empty();
    if !elsewhere && !nowhere {
        return;
    }
    let tolerated = fitting.contains(&backend.name.as_str());
    if tolerated && case.sign(Sign::Preference).is_some() {
        return open_placement(case, backend, out);
    }
    let selected = case.fitting().all(|place| contract_keys::is_virtual(case.world, place));
    if selected && !case.demand.node_affinity.is_empty() {
        let field = if case.demand.node_affinity.selector.is_empty() { "affinity" } else { "nodeSelector" };
        return shared_label(case, backend, case.spot(field), out);
    }
    missing_selector(case, backend, tolerated, out);
}

/// Nothing selects the meant nodes.
fn missing_selector(case: &Case<'_, '_>, backend: &Backend, tolerated: bool, out: &mut Findings) {
    let Some(sign) = case.subject.intent.evidence.first() else { return };
    let what = if case.sign(Sign::Preference).is_some() { "only a preference" } else { "nothing" };
    let consequence = if tolerated {
        format!("{}, whichever the scheduler likes best", destinations(case))
    } else {
        "as a plain container on an ordinary node, without isolation".to_owned()
    };
    let consequence = match case.fitting().next() {
        Some(_) => format!("so the Pod runs {consequence}"),
        None => "and no other node takes the Pod".to_owned(),
    };
    let message = format!("{what} selects the {} nodes, {consequence}", backend.provider);
    let finding =
        out.add(&rule::MISSING_SELECTOR, Spot::new(sign.span, case.subject.plan.path("nodeSelector")), message);
    finding.label(format!("{} means {}", sign.text, backend.provider));
    case.add_outcome(finding);
    advise(case, backend, !tolerated, finding);
}

/// Where each kind of node that fits would run the Pod.
fn destinations(case: &Case<'_, '_>) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for place in case.fitting() {
        let backend = place.backend.and_then(|name| case.world.contract.backend(name));
        let kind = match backend.filter(|backend| backend.selector.is_some()) {
            Some(backend) => format!("on a {} node", backend.provider),
            None => "as a plain container on an ordinary node".to_owned(),
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    // "as a plain container" must not be read of the virtual nodes, too.
    kinds.sort_by_key(|kind| kind.starts_with("as "));
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    listed(&kinds).replace(" and ", " or ")
}

fn advise(case: &Case<'_, '_>, backend: &Backend, with_toleration: bool, finding: &mut Finding) {
    let Some(selector) = &backend.selector else { return };
    let text = backend.selector_text().unwrap_or_default();
    let toleration = backend.toleration.as_ref().filter(|_| with_toleration);
    let toleration = toleration.map(|toleration| {
        format!(
            "\ntolerations:\n  - key: {}\n    operator: {}\n    effect: {}",
            toleration.key, toleration.operator, toleration.effect
        )
    });
    let waits = if toleration.is_none() {
        ""
    } else {
        "\nwithout it the Pod stays Pending where the cluster has no free ordinary node"
    };
    finding.help(format!("nodeSelector:\n  {text}{}{waits}", toleration.unwrap_or_default()));
    let value = text.split_once(": ").map(|(_, value)| value).unwrap_or_default();
    let source = case.subject.resource.text;
    let field = insert::Field {
        name: "nodeSelector",
        block: vec![format!("  {text}")],
        flow: insert::flow_of(&[(selector.key.as_str(), value)]),
    };
    let edits = match case.spec().get("nodeSelector") {
        Some(map) if map.entries().next().is_some() => insert::field_inline(map, source, &selector.key, value),
        Some(_) => None,
        None => insert::field(case.spec(), source, "containers", &field),
    };
    // The toleration, where it lacks too, is the next finding.
    if let Some(edits) = edits {
        let certain = selector.value.is_some();
        let applicability = if certain { Applicability::Safe } else { Applicability::Unsafe };
        finding.fix(applicability, "add the nodeSelector", edits);
    }
}

/// Annotations of several backends, and no selector that decides between them.
fn undecided(case: &Case<'_, '_>, out: &mut Findings) {
    let Some(sign) = case.subject.intent.evidence.first() else { return };
    let Meaning::Contradictory(names) = &case.subject.intent.meaning else { return };
    let providers: Vec<&str> = names
        .iter()
        .filter_map(|name| case.world.contract.backend(name))
        .map(|backend| backend.provider.as_str())
        .collect();
    let message = format!("nothing selects a node, and annotations of {} contradict each other", listed(&providers));
    let finding =
        out.add(&rule::MISSING_SELECTOR, Spot::new(sign.span, case.subject.plan.path("nodeSelector")), message);
    finding
        .help("write the nodeSelector of the backend that is meant, and its annotations only")
        .outcome(case.outcome());
}

/// Only a preference names the meant nodes.
fn open_placement(case: &Case<'_, '_>, backend: &Backend, out: &mut Findings) {
    let Some(sign) = case.sign(Sign::Preference) else { return };
    let message =
        format!("a preference does not bind the Pod to {} nodes; it can run {}", backend.provider, destinations(case));
    let path = "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution";
    let finding = out.add(&rule::OPEN_PLACEMENT, Spot::new(sign.span, case.subject.plan.path(path)), message);
    case.add_outcome(finding);
    if let Some(text) = backend.selector_text() {
        finding.help(format!("nodeSelector:\n  {text}"));
    }
}

/// A required affinity with alternatives that other nodes meet as well.
fn half_bound(case: &Case<'_, '_>, backend: &Backend, out: &mut Findings) {
    let elsewhere = case.fitting().any(|place| place.backend != Some(backend.name.as_str()));
    let Some(sign) = case.sign(Sign::Selector).filter(|_| elsewhere) else { return };
    shared_label(case, backend, Spot::new(sign.span, case.subject.plan.path("affinity")), out);
}

/// What is selected is not the meant backend's alone.
fn shared_label(case: &Case<'_, '_>, backend: &Backend, spot: Spot, out: &mut Findings) {
    let message = format!("not only nodes of {} match; the Pod can run {}", backend.provider, destinations(case));
    let finding = out.add(&rule::OPEN_PLACEMENT, spot, message);
    case.add_outcome(finding);
    if let Some(text) = backend.selector_text() {
        finding.help(format!("nodeSelector:\n  {text}"));
    }
}

/// A provider's toleration, and nothing that says which virtual node is meant, or any.
fn free_toleration(case: &Case<'_, '_>, out: &mut Findings) {
    let taints: Vec<&str> = case
        .world
        .contract
        .virtual_backends()
        .flat_map(|one| &one.node.taints)
        .map(|taint| taint.key.as_str())
        .collect();
    let mut items = case.spec().get("tolerations").into_iter().flat_map(Node::items).enumerate();
    let wanted = |node: &Node<'_>| node.get("key").and_then(Node::as_str).is_some_and(|key| taints.contains(&key));
    let Some((index, node)) = items.find(|(_, node)| wanted(node)) else { return };
    let virtuals = case.fitting().filter(|place| contract_keys::is_virtual(case.world, place)).count();
    if virtuals == 0 || case.fitting().count() < 2 {
        return;
    }
    let key = node.get("key").and_then(Node::as_str).unwrap_or_default();
    let message = format!("the toleration of {} selects no node; the Pod can run {}", typed(key), destinations(case));
    let spot = Spot::of(node.get("key").unwrap_or(node), case.subject.plan.path(&format!("tolerations[{index}]")));
    let finding = out.add(&rule::OPEN_PLACEMENT, spot, message);
    let choices: Vec<String> = case.world.contract.virtual_backends().filter_map(Backend::selector_text).collect();
    finding.help(format!("nodeSelector with one of:\n  {}", choices.join("\n  ")));
}
