//! Edits that add lines to a Pod spec with the indentation that is there.

use crate::finding::Edit;
use crate::yaml::{Entry, Node, Span, Style};

/// A field to add to a mapping, in both notations.
pub struct Field<'t> {
    /// The field's name.
    pub name: &'t str,
    /// Its value as indented lines, relative to the field.
    pub block: Vec<String>,
    /// Its value in brackets, readable as YAML and as JSON.
    pub flow: String,
}

/// Adds a field before the `before` entry of a mapping, or before its first one.
pub fn field(map: &Node<'_>, text: &str, before: &str, field: &Field<'_>) -> Option<Vec<Edit>> {
    let written = |entry: &&Entry<'_>| map.span.contains(entry.key_span) && entry.value.via.is_none();
    let entries: Vec<&Entry<'_>> = map.entries().filter(written).collect();
    let at = entries.iter().find(|entry| entry.key == before).or(entries.first())?;
    let start = at.key_span.start;
    let quoted = text[start as usize..].starts_with('"');
    let new = match (map.via, map.style) {
        (None, Style::Block) => {
            let margin = margin(text, start)?;
            let lines: Vec<String> = field.block.iter().map(|line| format!("{margin}{line}\n")).collect();
            format!("{}:\n{}{margin}", field.name, lines.concat())
        }
        (None, Style::Flow) if quoted => format!("\"{}\": {}, ", field.name, field.flow),
        (None, Style::Flow) => format!("{}: {}, ", field.name, field.flow),
        _ => return None,
    };
    Some(vec![insertion(start, new)])
}

/// Adds an item before the first one of a list of mappings. `pairs` are the item's fields.
pub fn item(list: &Node<'_>, text: &str, pairs: &[(&str, &str)]) -> Option<Vec<Edit>> {
    let flow = flow_of(pairs);
    if list.via.is_some() {
        return None;
    }
    let Some(first) = list.items().next() else {
        let brackets = text.get(list.span.range())?.starts_with('[');
        return brackets.then(|| vec![Edit { span: list.span, text: format!("[{flow}]") }]);
    };
    let start = first.place().start;
    match list.style {
        Style::Flow => Some(vec![insertion(start, format!("{flow}, "))]),
        Style::Block => {
            let inner = margin(text, start)?;
            let dash = inner.len().checked_sub(text[..start as usize].rsplit('-').next()?.len() + 1)?;
            let lines: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
            let joined = lines.join(&format!("\n{inner}"));
            Some(vec![insertion(start, format!("{joined}\n{}-{}", &inner[..dash], &inner[dash + 1..]))])
        }
        _ => None,
    }
}

/// A mapping in brackets with quoted texts, which is YAML and JSON alike.
pub fn flow_of(pairs: &[(&str, &str)]) -> String {
    let fields: Vec<String> = pairs.iter().map(|(key, value)| format!("\"{key}\": \"{value}\"")).collect();
    format!("{{{}}}", fields.join(", "))
}

/// Replaces a scalar by a text, in the quotes that it has.
pub fn replace(node: &Node<'_>, value: &str) -> Option<Vec<Edit>> {
    if node.via.is_some() {
        return None;
    }
    let text = match node.style {
        Style::Plain if !value.is_empty() => value.to_owned(),
        Style::SingleQuoted => format!("'{value}'"),
        Style::DoubleQuoted => format!("\"{value}\""),
        _ => return None,
    };
    Some(vec![Edit { span: node.span, text }])
}

fn insertion(at: u32, text: String) -> Edit {
    Edit { span: Span::new(at, at), text }
}

/// Blanks that reach the column of a place; `None` where something other than blanks and dashes stands before it.
fn margin(text: &str, at: u32) -> Option<String> {
    let before = text.get(..at as usize)?;
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let plain = line.chars().all(|letter| matches!(letter, ' ' | '-'));
    plain.then(|| " ".repeat(line.len()))
}

/// Adds a field with a plain value before the first entry of a mapping.
pub fn field_inline(map: &Node<'_>, text: &str, name: &str, value: &str) -> Option<Vec<Edit>> {
    let first = map.entries().next().filter(|_| map.via.is_none())?;
    let start = first.key_span.start;
    let quoted = text.get(start as usize..)?.starts_with('"');
    let new = match map.style {
        Style::Block => format!("{name}: {value}\n{}", margin(text, start)?),
        Style::Flow if quoted => format!("\"{name}\": \"{value}\", "),
        _ => format!("{name}: {value}, "),
    };
    Some(vec![insertion(start, new)])
}
