//! Rules over a selector or a required node affinity that the meant nodes do not match.

use super::board::Place;
use super::case::{Case, listed, typed};
use super::contract_keys::ORDINARY_LABELS;
use super::insert;
use crate::cluster::node_selector::{Requirement, Term, selects};
use crate::contract::{Backend, LabelDefect};
use crate::finding::{Applicability, Finding, Findings, Severity, Spot};
use crate::resource::intent::{Meaning, Sign};
use crate::rule;
use crate::suggest;
use crate::yaml::{Entry, Node, Span};
use std::collections::BTreeSet;

/// Judges what the Pod demands of a node's labels and name.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    if let Meaning::Contradictory(names) = &case.subject.intent.meaning {
        return conflicting_selectors(case, names, out);
    }
    let nodes = match case.meant() {
        Some(backend) => {
            let nodes = case.nodes_of(backend);
            if nodes.is_empty() {
                return no_node_of_backend(case, backend, out);
            }
            nodes
        }
        None => case.board.nodes.iter().collect(),
    };
    let affinity = &case.demand.node_affinity;
    dead_term(case, out);
    doubtful_value(case, out);
    if nodes.iter().any(|place| affinity.matches(&place.shape)) || case.subject.placement.node.is_some() {
        return;
    }
    // Of several nodes of a backend, the one that lacks least shows what is wrong.
    let Some(place) = nodes.iter().min_by_key(|place| demands(case, place).len()) else { return };
    for demand in demands(case, place) {
        judge(case, &demand, place, out);
    }
}

/// One demand on a label that a node does not meet.
struct Demand<'d> {
    key: &'d str,
    operator: &'d str,
    values: Vec<&'d str>,
    /// Where the key stands.
    key_span: Span,
    /// The single value, to be replaced.
    value: Option<&'d Node<'d>>,
    path: String,
}

impl Demand<'_> {
    fn written(&self) -> String {
        match (self.operator, self.values.as_slice()) {
            ("In", [value]) => format!("`{}: {value}`", self.key),
            (operator, []) => format!("`{} {operator}`", self.key),
            (operator, values) => format!("`{} {operator} [{}]`", self.key, values.join(", ")),
        }
    }

    fn excludes(&self) -> bool {
        matches!(self.operator, "NotIn" | "DoesNotExist")
    }

    fn key_spot(&self) -> Spot {
        Spot::new(self.key_span, self.path.clone())
    }

    fn value_spot(&self) -> Spot {
        Spot::new(self.value.map_or(self.key_span, Node::place), self.path.clone())
    }
}

/// The demands that keep a Pod off a node: of nodeSelector, and of the required term that comes nearest.
fn demands<'d>(case: &'d Case<'_, '_>, place: &Place<'_>) -> Vec<Demand<'d>> {
    let affinity = &case.demand.node_affinity;
    let selector =
        affinity.selector.iter().filter(|entry| !selects(entry, &place.shape)).map(|entry| of_entry(case, entry));
    let mut all: Vec<Demand<'_>> = selector.collect();
    let terms = affinity.required.as_deref().unwrap_or_default();
    if terms.iter().any(|term| term.matches(&place.shape)) {
        return all;
    }
    let unmet = |(at, term): (usize, &'d Term<'d>)| of_term(case, at, term, place);
    all.extend(terms.iter().enumerate().map(unmet).min_by_key(Vec::len).unwrap_or_default());
    all
}

fn of_entry<'d>(case: &Case<'_, '_>, entry: &'d Entry<'d>) -> Demand<'d> {
    Demand {
        key: &entry.key,
        operator: "In",
        values: entry.value.as_str().into_iter().collect(),
        key_span: entry.value.via.unwrap_or(entry.key_span),
        value: Some(&entry.value),
        path: case.subject.plan.path(&format!("nodeSelector.{}", entry.key)),
    }
}

const REQUIRED: &str = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

fn of_term<'d>(case: &Case<'_, '_>, at: usize, term: &'d Term<'d>, place: &Place<'_>) -> Vec<Demand<'d>> {
    let read = |list: &str, index: usize, one: &'d Requirement<'d>| Demand {
        key: one.key,
        operator: one.operator,
        values: one.values.clone(),
        key_span: one.node.get("key").map_or(one.node.place(), Node::place),
        value: one
            .node
            .get("values")
            .and_then(Node::as_seq)
            .and_then(|items| if let [only] = items { Some(only) } else { None }),
        path: case.subject.plan.path(&format!("{REQUIRED}[{at}].{list}[{index}]")),
    };
    let labels = term.expressions.iter().enumerate().filter(|(_, one)| !one.accepts(place.label(one.key)));
    let names = term.fields.iter().enumerate().filter(|(_, one)| !one.accepts(Some(&place.shape.name)));
    let labels = labels.map(|(index, one)| read("matchExpressions", index, one));
    labels.chain(names.map(|(index, one)| read("matchFields", index, one))).collect()
}

/// Finds the kind of defect behind one unmet demand.
fn judge(case: &Case<'_, '_>, demand: &Demand<'_>, place: &Place<'_>, out: &mut Findings) {
    let contract = &case.world.contract;
    let own = case.meant();
    let picks_own = own.is_some_and(|backend| backend.selector_key() == Some(demand.key));
    let defect = contract.label_defect(demand.key, &demand.values);
    if demand.excludes() {
        excluded_node(case, demand, place, out);
    } else if let (true, Some(backend)) = (picks_own, own) {
        misspelt_value(case, demand, backend, place, out);
    } else if let Some(LabelDefect::Misspelt(backend) | LabelDefect::Former(backend)) = defect {
        misspelt_key(case, demand, backend, out);
    } else if defect.is_some() {
        no_node_label(case, demand, own, out);
    } else if let (Some(other), Some(own)) = (other_backend_of(case, demand), own) {
        selectors_apart(case, demand, own, other, out);
    } else if own.is_some() && ORDINARY_LABELS.contains(&demand.key) {
        absent_label(case, demand, place, out);
    } else if own.is_some() || case.has_snapshot() {
        no_matching_node(case, demand, place, out);
    }
}

/// Another backend whose nodes alone carry the demanded label.
fn other_backend_of<'w>(case: &Case<'w, '_>, demand: &Demand<'_>) -> Option<&'w Backend> {
    let contract = &case.world.contract;
    let own = case.meant().map(|backend| backend.name.as_str());
    let is_of_backend = |backend: &&Backend| {
        let valued = demand.values.iter().any(|value| backend.is_reported_by(demand.key, Some(value), contract));
        let named = demand.values.is_empty() && backend.is_reported_by(demand.key, None, contract);
        Some(backend.name.as_str()) != own && (valued || named || backend.selector_key() == Some(demand.key))
    };
    contract.virtual_backends().find(is_of_backend)
}

fn provider_nodes(backend: &Backend) -> String {
    format!("{} nodes", backend.provider)
}

/// The key picks the meant backend, but its nodes carry other values.
fn misspelt_value(case: &Case<'_, '_>, demand: &Demand<'_>, backend: &Backend, place: &Place<'_>, out: &mut Findings) {
    let nodes = case.nodes_of(backend);
    let known: BTreeSet<&str> = nodes.iter().filter_map(|node| node.label(demand.key)).collect();
    let value = demand.values.join(", ");
    let wanted = value.trim();
    let nearest = known.get(wanted).copied().or_else(|| suggest::nearest(wanted, known.iter().copied()));
    let fixed = backend.selector.as_ref().is_some_and(|selector| selector.value.is_some());
    let only = place.label(demand.key).filter(|_| fixed);
    let subject = match (demand.operator, value.is_empty()) {
        ("In", true) => format!("an empty {}", demand.key),
        ("In", false) => format!("{} value {}", demand.key, typed(&value)),
        _ => demand.written(),
    };
    let message = format!("{subject} matches no node; {} carry {}", provider_nodes(backend), shown(&known));
    let finding = out.add(&rule::MISSPELT_SELECTOR, demand.value_spot(), message);
    let text = backend.selector_text().unwrap_or_default();
    let help = if fixed { text } else { format!("{}: {}", demand.key, nearest.unwrap_or("<pool>")) };
    finding.help(help).outcome(case.outcome());
    let (Some(target), Some(node), "In") = (only.or(nearest), demand.value, demand.operator) else { return };
    if let Some(edits) = insert::replace(node, target) {
        let sure = fixed && nearest.is_some();
        let applicability = if sure { Applicability::Safe } else { Applicability::Unsafe };
        finding.fix(applicability, format!("write {target}"), edits);
    }
}

/// The values that nodes carry, a few of them by name.
fn shown(known: &BTreeSet<&str>) -> String {
    const FEW: usize = 5;
    let few: Vec<String> = known.iter().take(FEW).map(|value| typed(value)).collect();
    let few: Vec<&str> = few.iter().map(String::as_str).collect();
    match known.len().checked_sub(FEW) {
        None | Some(0) => listed(&few).replace(" and ", " or "),
        Some(more) => format!("{} or {more} others", few.join(", ")),
    }
}

/// A value that every cluster chooses for itself, and that is a defect of the usual one.
fn doubtful_value(case: &Case<'_, '_>, out: &mut Findings) {
    // Where the pools are listed, a value that is none of them is an error, and one of them is right.
    let unknown = !case.has_snapshot() && case.world.cocoon_pools.is_empty();
    let Some(backend) = case.meant().filter(|_| unknown) else { return };
    let open = backend.selector.as_ref().filter(|selector| selector.value.is_none());
    let Some((key, usual)) = open.and_then(|selector| backend.node.labels.get_key_value(&selector.key)) else { return };
    let Some(entry) = case.demand.node_affinity.selector.iter().find(|entry| entry.key == *key) else { return };
    let Some(value) = entry.value.as_str().filter(|value| is_typo(value, usual)) else { return };
    let demand = of_entry(case, entry);
    let message = format!(
        "{key} value {} is a defect away from {}, which {} carry by default",
        typed(value),
        typed(usual),
        provider_nodes(backend)
    );
    let finding = out.add(&rule::MISSPELT_SELECTOR, demand.value_spot(), message);
    finding.severity(Severity::Warning).help(format!("{key}: {usual}"));
    finding.label("where no node has this value, the Pod stays Pending");
    if let Some(edits) = insert::replace(&entry.value, usual) {
        finding.fix(Applicability::Unsafe, format!("write {usual}"), edits);
    }
}

/// A word that differs from another by capitals, or by swapped, doubled or lost letters; a longer name is its own.
fn is_typo(value: &str, usual: &str) -> bool {
    let folded = value.to_lowercase();
    value != usual
        && (folded == usual
            || (!folded.contains(usual) && value.len() <= usual.len() && suggest::nearest(value, [usual]).is_some()))
}

/// The key is nearly the one that picks a backend, or was it in an older release.
fn misspelt_key(case: &Case<'_, '_>, demand: &Demand<'_>, backend: &Backend, out: &mut Findings) {
    let Some(key) = backend.selector_key() else { return };
    let former = backend.former_keys.contains_key(demand.key);
    let message = if former {
        format!(
            "no node carries the former label {}; {} carry {}",
            typed(demand.key),
            provider_nodes(backend),
            typed(key)
        )
    } else {
        format!("no node carries the label {}; {} carry {}", typed(demand.key), provider_nodes(backend), typed(key))
    };
    let finding = out.add(&rule::MISSPELT_SELECTOR, demand.key_spot(), message);
    finding.help(backend.selector_text().unwrap_or_default()).outcome(case.outcome());
    if let Some(edits) = replace_key(case, demand.key_span, key) {
        finding.fix(Applicability::Safe, format!("write {key}"), edits);
    }
}

fn replace_key(case: &Case<'_, '_>, span: Span, key: &str) -> Option<Vec<crate::finding::Edit>> {
    let old = case.subject.resource.text.get(span.range())?;
    let quote = old.chars().next().filter(|letter| matches!(letter, '"' | '\''));
    let text = quote.map_or(key.to_owned(), |quote| format!("{quote}{key}{quote}"));
    (!old.starts_with('*')).then(|| vec![crate::finding::Edit { span, text }])
}

/// The key of a taint or an annotation, which no node carries as a label.
fn no_node_label(case: &Case<'_, '_>, demand: &Demand<'_>, own: Option<&Backend>, out: &mut Findings) {
    let taint = matches!(case.world.contract.label_defect(demand.key, &demand.values), Some(LabelDefect::Taint));
    let kind = if taint { "the key of a taint" } else { "the key of an annotation" };
    let message = format!("{} is {kind}, and no node carries it as a label", typed(demand.key));
    let finding = out.add(&rule::NO_NODE_LABEL, demand.key_spot(), message);
    finding.outcome(case.outcome());
    if let Some(text) = own.and_then(Backend::selector_text) {
        finding.help(format!("nodeSelector:\n  {text}"));
    }
}

/// A demand that the meant nodes not have a label that they have.
fn excluded_node(case: &Case<'_, '_>, demand: &Demand<'_>, place: &Place<'_>, out: &mut Findings) {
    let carried = place.label(demand.key).unwrap_or(&place.shape.name);
    let nodes = case.meant().map_or_else(|| "the nodes".to_owned(), provider_nodes);
    if case.meant().is_none() && !case.has_snapshot() {
        return;
    }
    let message = format!(
        "{} keeps the Pod off the {nodes}, which carry {}",
        demand.written(),
        typed(&format!("{}: {carried}", demand.key))
    );
    let finding = out.add(&rule::EXCLUDED_NODE, demand.key_spot(), message);
    finding.help("remove the requirement").outcome(case.outcome());
    relate_selector(case, finding);
}

fn relate_selector(case: &Case<'_, '_>, finding: &mut Finding) {
    if let (Some(selector), Some(backend)) = (case.sign(Sign::Selector), case.meant()) {
        finding.related(selector.span, format!("picks the {}", provider_nodes(backend)));
    }
}

/// A label that only kubelets of ordinary nodes set.
fn absent_label(case: &Case<'_, '_>, demand: &Demand<'_>, place: &Place<'_>, out: &mut Findings) {
    let message = format!("{} matches no virtual node, which carries no label {}", demand.written(), typed(demand.key));
    let finding = out.add(&rule::ABSENT_NODE_LABEL, demand.key_spot(), message);
    finding.help(format!("remove {}", typed(demand.key))).outcome(case.outcome());
    finding.label(format!("{} is a virtual node", place.shape.name));
    relate_selector(case, finding);
}

/// A second label that picks another backend's nodes.
fn selectors_apart(case: &Case<'_, '_>, demand: &Demand<'_>, own: &Backend, other: &Backend, out: &mut Findings) {
    let message = format!("no node is both one of {} and one of {}", own.provider, other.provider);
    let finding = out.add(&rule::CONFLICTING_SELECTORS, demand.key_spot(), message);
    finding.label(format!("picks the {}", provider_nodes(other))).outcome(case.outcome());
    relate_selector(case, finding);
}

/// Selectors, affinity or nodeName that pick several backends at once.
fn conflicting_selectors(case: &Case<'_, '_>, names: &[String], out: &mut Findings) {
    let binding = case.subject.intent.evidence.iter().filter(|one| one.sign <= Sign::NodeName);
    let mut signs = Vec::new();
    for name in names {
        signs.extend(binding.clone().find(|one| *one.backend == **name));
    }
    // A node takes the Pod all the same where a nodeName decides or the terms are alternatives.
    let ([first, rest @ ..], true) = (signs.as_slice(), case.subject.placement.node.is_none()) else { return };
    if rest.is_empty() {
        return;
    }
    let providers: Vec<&str> = names
        .iter()
        .filter_map(|name| case.world.contract.backend(name))
        .map(|backend| backend.provider.as_str())
        .collect();
    let message = format!("no node is one of {} at once", listed(&providers));
    let spot = Spot::new(first.span, case.subject.plan.path("nodeSelector"));
    let finding = out.add(&rule::CONFLICTING_SELECTORS, spot, message);
    let provider = |name: &str| case.world.contract.backend(name).map_or(name.to_owned(), provider_nodes);
    finding.label(format!("picks the {}", provider(&first.backend)));
    for sign in rest {
        finding.related(sign.span, format!("picks the {}", provider(&sign.backend)));
    }
    finding.help("keep the selector of one backend").outcome(case.outcome());
}

/// A label that no node is known to carry.
fn no_matching_node(case: &Case<'_, '_>, demand: &Demand<'_>, place: &Place<'_>, out: &mut Findings) {
    let nodes = &case.board.nodes;
    let known: Vec<&str> = match demand.key {
        "metadata.name" => nodes.iter().map(|place| place.shape.name.as_str()).collect(),
        key => nodes.iter().filter_map(|place| place.label(key)).collect(),
    };
    let nearest = demand.values.first().and_then(|value| suggest::nearest(value, known.iter().copied()));
    let message = if case.has_snapshot() {
        let hits = nodes
            .iter()
            .filter(|place| demand.values.iter().any(|value| place.label(demand.key) == Some(value)))
            .count();
        let near = nearest.map(|nearest| format!("; nearest: {nearest}")).unwrap_or_default();
        format!("{hits} of {} nodes match {}{near}", nodes.len(), demand.written())
    } else {
        let whose = case.meant().map_or_else(|| "node".to_owned(), |backend| format!("{} node", backend.provider));
        match place.label(demand.key) {
            _ if demand.key == "metadata.name" => {
                format!("{} names no {whose} of the default name {}", demand.written(), typed(&place.shape.name))
            }
            Some(carried) => format!(
                "{} matches no {whose}, which carries {} unless set otherwise",
                demand.written(),
                typed(carried)
            ),
            None => format!(
                "{} matches no {whose}, which carries no such label unless an operator adds it",
                demand.written()
            ),
        }
    };
    let weight = case.weight(false, Severity::Warning);
    let finding = out.add(&rule::NO_MATCHING_NODE, demand.key_spot(), message);
    finding.severity(weight).outcome(case.outcome());
    relate_selector(case, finding);
    if let Some(text) = case.meant().filter(|_| !case.is_bound()).and_then(Backend::selector_text) {
        finding.help(format!("nodeSelector:\n  {text}"));
    }
    if let (Some(nearest), Some(node)) = (nearest, demand.value) {
        finding.help(format!("{}: {nearest}", demand.key));
        if let Some(edits) = insert::replace(node, nearest) {
            finding.fix(Applicability::Unsafe, format!("write {nearest}"), edits);
        }
    }
}

/// A snapshot without any node of the backend meant.
fn no_node_of_backend(case: &Case<'_, '_>, backend: &Backend, out: &mut Findings) {
    let Some(sign) = case.subject.intent.evidence.first() else { return };
    let message = format!("none of the {} nodes is one of {}", case.board.nodes.len(), backend.provider);
    let spot = Spot::new(sign.span, case.subject.plan.path("nodeSelector"));
    let finding = out.add(&rule::NO_MATCHING_NODE, spot, message);
    finding.severity(Severity::Error).label(format!("means {}", backend.provider)).outcome(case.outcome());
}

/// A term of the required node affinity that no node can meet.
fn dead_term(case: &Case<'_, '_>, out: &mut Findings) {
    let terms = case.demand.node_affinity.required.as_deref().unwrap_or_default();
    let items = case.spec().at(&[
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
    ]);
    let all_dead = !terms.is_empty() && terms.iter().all(|term| death(term).is_some());
    for (at, (term, item)) in terms.iter().zip(items.into_iter().flat_map(Node::items)).enumerate() {
        let Some(why) = death(term) else { continue };
        let spot = Spot::of(item, case.subject.plan.path(&format!("{REQUIRED}[{at}]")));
        let finding = out.add(&rule::DEAD_TERM, spot, format!("{why} matches no node"));
        finding.severity(if all_dead { Severity::Error } else { Severity::Warning });
        finding.help("write matchExpressions that name the node's label, or remove the term");
        if all_dead {
            finding.outcome(case.outcome());
        }
    }
}

fn death(term: &Term<'_>) -> Option<String> {
    if term.expressions.is_empty() && term.fields.is_empty() {
        return Some("a node selector term without requirements".into());
    }
    let number = |one: &&Requirement<'_>| {
        matches!(one.operator, "Gt" | "Lt") && one.values.iter().any(|value| value.parse::<i64>().is_err())
    };
    let one = term.expressions.iter().find(number)?;
    Some(format!(
        "`{} {}` with the value {}, which is no whole number,",
        one.key,
        one.operator,
        typed(&one.values.join(", "))
    ))
}
