//! What of the Pod spec a provider does not act on.

use super::create::CreatePod;
use crate::contract::Ignored;
use crate::finding::Spot;
use crate::rule;
use crate::yaml::{Entry, Node, Span};

/// A field that is written and has no effect.
struct Field<'a> {
    path: String,
    span: Span,
    effect: &'a str,
}

/// One note for all ignored fields of the Pod.
pub fn ignored_fields(create: &mut CreatePod<'_, '_, '_>) {
    let spec = &create.subject.plan.spec;
    let mut fields: Vec<Field<'_>> = create
        .backend
        .ignores
        .iter()
        .filter(|ignored| !ignored.quiet)
        .flat_map(|ignored| written(spec, ignored))
        .collect();
    let whole: Vec<String> = fields.iter().map(|field| format!("{}.", field.path)).collect();
    fields.retain(|field| !whole.iter().any(|path| field.path.starts_with(path.as_str())));
    fields.sort_by_key(|field| field.span);
    let Some(first) = fields.first() else { return };
    let names: Vec<&str> = fields.iter().map(|field| field.path.as_str()).collect();
    let message = format!("{} ignores {}", create.backend.provider, names.join(", "));
    let mut effects: Vec<(&str, Vec<&str>)> = Vec::new();
    for field in &fields {
        match effects.iter_mut().find(|(effect, _)| *effect == field.effect) {
            Some((_, paths)) => paths.push(&field.path),
            None => effects.push((field.effect, vec![&field.path])),
        }
    }
    // The message names the fields already; only where they differ in effect must the help say which.
    let effects: Vec<String> = match effects.as_slice() {
        [(effect, _)] => vec![(*effect).to_owned()],
        several => several.iter().map(|(effect, paths)| format!("of {}: {effect}", paths.join(", "))).collect(),
    };
    let finding =
        create.out.add(&rule::IGNORED_FIELDS, Spot::new(first.span, create.subject.plan.path(&first.path)), message);
    finding.help(effects.join("; "));
    for field in &fields[1..] {
        finding.related(field.span, "ignored, too");
    }
}

fn written<'a>(spec: &'a Node<'_>, ignored: &'a Ignored) -> Vec<Field<'a>> {
    ignored.fields.iter().flat_map(|field| places(spec, field, &ignored.effect)).collect()
}

fn places<'a>(spec: &'a Node<'_>, field: &str, effect: &'a str) -> Vec<Field<'a>> {
    let (skip, inner) = match field.strip_prefix("containers[1:]") {
        Some(inner) => (1, inner),
        None => (0, field.strip_prefix("containers").unwrap_or_default()),
    };
    if !field.starts_with("containers") {
        let entry = spec.entry(field).filter(|entry| has_content(&entry.value));
        return entry.map(|entry| at(entry, field.to_owned(), effect)).into_iter().collect();
    }
    let containers = spec.get("containers").into_iter().flat_map(Node::items).enumerate().skip(skip);
    match inner.strip_prefix('.') {
        None => containers
            .map(|(index, node)| Field { path: format!("containers[{index}]"), span: node.place(), effect })
            .collect(),
        Some(name) => containers
            .filter_map(|(index, node)| Some((index, node.entry(name).filter(|entry| has_content(&entry.value))?)))
            .map(|(index, entry)| at(entry, format!("containers[{index}].{name}"), effect))
            .collect(),
    }
}

fn at<'a>(entry: &Entry<'_>, path: String, effect: &'a str) -> Field<'a> {
    Field { path, span: entry.key_span, effect }
}

/// An empty value is nothing that could be ignored.
fn has_content(node: &Node<'_>) -> bool {
    match (node.as_seq(), node.as_map()) {
        (Some(items), _) => !items.is_empty(),
        (_, Some(map)) => !map.entries.is_empty(),
        _ => !node.is_null(),
    }
}
