//! The fix that writes an annotation into a Pod template.

use super::create::CreatePod;
use crate::finding::{Applicability, Edit};
use crate::yaml::edit::double_quoted;
use crate::yaml::{Node, Span, Style};

/// The fix that writes an annotation that is missing or empty; a person has to look at the value.
pub fn supply(create: &mut CreatePod<'_, '_, '_>, key: &str, value: &str) {
    let edits = match create.subject.plan.annotation(key) {
        Some(meta)
            if create.source().get(meta.value_span.range()).is_some_and(|text| matches!(text, "\"\"" | "''")) =>
        {
            vec![Edit { span: meta.value_span, text: double_quoted(value) }]
        }
        Some(_) => return,
        None => match annotate(create, key, value) {
            Some(edits) => edits,
            None => return,
        },
    };
    if let Some(finding) = create.out.list.last_mut() {
        finding.fix(Applicability::Unsafe, format!("write {key}: \"{value}\""), edits);
    }
}

/// Adds the annotation before the first one there is, or with the mappings that it needs. `None` where the template is
/// not written in place: in an alias, a merge, or an empty mapping.
fn annotate(create: &CreatePod<'_, '_, '_>, key: &str, value: &str) -> Option<Vec<Edit>> {
    let text = create.source();
    let template = create.template()?;
    let metadata = template.get("metadata");
    let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
    let (map, parents): (&Node<'_>, &[&str]) = match (metadata, annotations) {
        (_, Some(annotations)) => (annotations, &[]),
        (Some(metadata), None) => (metadata, &["annotations"]),
        (None, None) => (template, &["metadata", "annotations"]),
    };
    let first = map.entries().next().filter(|first| map.via.is_none() && map.span.contains(first.key_span))?;
    let start = first.key_span.start;
    let json = text.get(start as usize..)?.starts_with('"');
    let name = |key: &str| if json { double_quoted(key) } else { key.to_owned() };
    let pair = format!("{}: {}", name(key), double_quoted(value));
    let new = if map.style == Style::Flow {
        let nested = parents.iter().rev().fold(pair, |inner, parent| format!("{}: {{{inner}}}", name(parent)));
        format!("{nested}, ")
    } else {
        let margin = margin(text, start)?;
        let line = |depth: usize, text: &str| format!("{}{text}\n{margin}", "  ".repeat(depth));
        let parents = parents.iter().enumerate();
        let mut lines: Vec<String> =
            parents.map(|(depth, parent)| line(depth, &format!("{}:", name(parent)))).collect();
        lines.push(line(lines.len(), &pair));
        lines.concat()
    };
    Some(vec![Edit { span: Span::new(start, start), text: new }])
}

/// Blanks that reach the column of a place; `None` where something other than blanks and dashes stands before it.
fn margin(text: &str, at: u32) -> Option<String> {
    let before = text.get(..at as usize)?;
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    line.chars().all(|letter| matches!(letter, ' ' | '-')).then(|| " ".repeat(line.len()))
}
