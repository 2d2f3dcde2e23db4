//! What admission writes into a Pod before anything judges it: defaults of LimitRanges, tolerations of the RuntimeClass.

use super::limit_range::LimitRange;
use super::requests::Quantities;
use super::snapshot::Snapshot;
use crate::yaml::{Entry, Mapping, Node, Span, Style, Value};

/// Writes into a Pod spec what the admission plugins of the namespace write, in their order. Everything written points
/// at the author's value that it belongs to, as if an alias had brought it.
pub fn admit(spec: &mut Node<'_>, namespace: &str, snapshot: &Snapshot) {
    for (_, range, _) in snapshot.limit_ranges(namespace) {
        limit_range_defaults(spec, range);
    }
    runtime_class_tolerations(spec, snapshot);
}

fn limit_range_defaults(spec: &mut Node<'_>, range: &LimitRange) {
    let defaults = range.defaults();
    if defaults.limits.is_empty() && defaults.requests.is_empty() {
        return;
    }
    for list in ["containers", "initContainers"] {
        let Some(Value::Seq(containers)) = child_mut(spec, list).map(|list| &mut list.value) else { continue };
        for container in containers.iter_mut().filter(|container| container.as_map().is_some()) {
            let at = head(container);
            // The server has copied limits into requests before any plugin runs.
            let own = super::requests::of_container(container);
            let missing = |defaults: &Quantities, own: &Quantities| -> Vec<(String, String)> {
                let new = defaults.iter().filter(|(name, _)| !own.contains_key(*name));
                new.map(|(name, amount)| (name.clone(), amount.to_string())).collect()
            };
            let limits = missing(&defaults.limits, &own.limits);
            let requests = missing(&defaults.requests, &own.requests);
            let copied = own.requests.iter().filter(|_| !limits.is_empty());
            let copied: Vec<(String, String)> =
                copied.map(|(name, amount)| (name.clone(), amount.to_string())).collect();
            add(container, "limits", &limits, at);
            add(container, "requests", &copied, at);
            add(container, "requests", &requests, at);
        }
    }
}

/// Adds the entries that a list of `resources` does not have.
fn add(container: &mut Node<'_>, list: &'static str, amounts: &[(String, String)], at: Span) {
    if amounts.is_empty() {
        return;
    }
    let Some(resources) = made(container, "resources", at) else { return };
    let Some(list) = made(resources, list, at) else { return };
    let Value::Map(map) = &mut list.value else { return };
    for (name, amount) in amounts {
        if map.get(name).is_none() {
            let value = brought(at, Value::String(amount.clone().into()));
            map.entries.push(Entry { key: name.clone().into(), key_span: at, value });
        }
    }
}

fn runtime_class_tolerations(spec: &mut Node<'_>, snapshot: &Snapshot) {
    let Some(class) = spec.get("runtimeClassName") else { return };
    let at = class.place();
    let Some(class) = class.as_str().and_then(|name| snapshot.runtime_class(name)) else { return };
    if class.tolerations.is_empty() {
        return;
    }
    if spec.get("tolerations").is_none_or(Node::is_null) {
        let Value::Map(map) = &mut spec.value else { return };
        map.entries.retain(|entry| entry.key != "tolerations");
        map.entries.push(Entry { key: "tolerations".into(), key_span: at, value: brought(at, Value::Seq(Vec::new())) });
    }
    let Some(Value::Seq(items)) = child_mut(spec, "tolerations").map(|list| &mut list.value) else { return };
    for toleration in &class.tolerations {
        let field = |(key, value): (&String, &String)| {
            let seconds = (key == "tolerationSeconds").then(|| value.parse().ok()).flatten();
            let value = seconds.map_or_else(|| Value::String(value.clone().into()), Value::Int);
            Entry { key: key.clone().into(), key_span: at, value: brought(at, value) }
        };
        let entries = toleration.iter().map(field).collect();
        items.push(brought(at, Value::Map(Mapping { entries })));
    }
}

/// A value that stands at a place without being written there; nothing edits it.
fn brought<'s>(at: Span, value: Value<'s>) -> Node<'s> {
    Node { via: Some(at), ..Node::new(at, Style::Flow, value) }
}

/// Where to point for something that is missing in a mapping.
fn head(node: &Node<'_>) -> Span {
    let first = node.entries().next().filter(|_| node.via.is_none());
    first.map_or(node.place(), |entry| entry.key_span)
}

fn child_mut<'n, 's>(node: &'n mut Node<'s>, key: &str) -> Option<&'n mut Node<'s>> {
    let Value::Map(map) = &mut node.value else { return None };
    map.entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.value)
}

/// The mapping under a key, made where it is missing.
fn made<'n, 's>(node: &'n mut Node<'s>, key: &'static str, at: Span) -> Option<&'n mut Node<'s>> {
    let Value::Map(map) = &mut node.value else { return None };
    map.entries.retain(|entry| entry.key != key || !entry.value.is_null());
    let known = map.entries.iter().position(|entry| entry.key == key);
    let index = known.unwrap_or_else(|| {
        let value = brought(at, Value::Map(Mapping::default()));
        map.entries.push(Entry { key: key.into(), key_span: at, value });
        map.entries.len() - 1
    });
    Some(&mut map.entries[index].value)
}
