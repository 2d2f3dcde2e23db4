//! What `decode` prints: the values that kubectl reads, one JSON value a line.

use super::json::{write_json, write_string};
use super::node::{Node, Span, Value};
use super::object::{Object, decoded_objects};
use super::stream::{Document, Documents, Options};
use super::text::Text;

/// Where and why kubectl stops, or leaves an object out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place in the text.
    pub span: Span,
    /// The whole message of kubectl; `FILE` stands for the file's name.
    pub message: String,
    /// Whether kubectl stops here. A document that only the object layer refuses is left out, and the run goes on.
    pub ends: bool,
}

/// A document as JSON lines, and what is refused of it. Without `objects` there is one line or one refusal; with
/// `objects` lists are expanded and `kind` is required.
pub fn document_lines(document: &Document<'_>, objects: bool, options: &Options) -> (Vec<String>, Vec<Refusal>) {
    let (mut lines, mut refusals) = (Vec::new(), Vec::new());
    match &document.content {
        Err(error) => {
            let message = format!("error: error parsing FILE: {}", error.message);
            refusals.push(Refusal { span: error.span, message, ends: true });
        }
        Ok(root) if !objects => lines.push(super::json::to_json(root)),
        Ok(_) => {
            for object in decoded_objects(document) {
                match object {
                    Ok(object) => lines.push(object_json(&object, options)),
                    Err(error) => refusals.push(Refusal { span: error.span, message: error.message, ends: false }),
                }
            }
        }
    }
    (lines, refusals)
}

/// Decodes a file to JSON lines, up to where kubectl stops. The first refusal is returned with what was read.
pub fn decode_lines(text: &Text<'_>, objects: bool, options: &Options) -> (Vec<String>, Option<Refusal>) {
    let (mut lines, mut first) = (Vec::new(), None);
    for document in Documents::of(text, options) {
        let (mut read, refusals) = document_lines(&document, objects, options);
        lines.append(&mut read);
        let ends = refusals.iter().any(|refusal| refusal.ends);
        first = first.or(refusals.into_iter().next());
        if ends {
            break;
        }
    }
    (lines, first)
}

/// An object as JSON. Annotations that are null become empty text (from kubectl 1.33 on) or are dropped, as with `apply`.
pub fn object_json(object: &Object<'_, '_>, options: &Options) -> String {
    let mut out = String::new();
    let api_version = object.api_version.as_deref().unwrap_or_default();
    let inherited = [("apiVersion", api_version), ("kind", object.kind.as_str())];
    let added: &[(&str, &str)] = if object.inherited { &inherited } else { &[] };
    write_mapping(object.node, added, &[], &mut out, |key, node, out| match key {
        "metadata" if matches!(node.value, Value::Map(_)) => write_metadata(node, options, out),
        _ => write_json(node, out),
    });
    out
}

/// Up to 1.32 a null among the annotations drops them all; later versions make it an empty text.
fn write_metadata(metadata: &Node<'_>, options: &Options, out: &mut String) {
    let has_null =
        metadata.get("annotations").is_some_and(|annotations| annotations.entries().any(|entry| entry.value.is_null()));
    let skipped: &[&str] = if has_null && options.kubectl_minor < 33 { &["annotations"] } else { &[] };
    write_mapping(metadata, &[], skipped, out, |key, node, out| match (key, &node.value) {
        ("annotations", Value::Map(_)) => write_mapping(node, &[], &[], out, |_, node, out| match node.value {
            Value::Null => out.push_str("\"\""),
            _ => write_json(node, out),
        }),
        _ => write_json(node, out),
    });
}

/// Writes a mapping with sorted keys; `added` replace its own entries, `skipped` are left out.
fn write_mapping(
    node: &Node<'_>,
    added: &[(&str, &str)],
    skipped: &[&str],
    out: &mut String,
    write: impl Fn(&str, &Node<'_>, &mut String),
) {
    let is_replaced = |key: &str| skipped.contains(&key) || added.iter().any(|(added, _)| *added == key);
    let written = node.entries().filter(|entry| !is_replaced(&entry.key));
    let mut entries: Vec<(&str, Result<&Node<'_>, &str>)> =
        written.map(|entry| (entry.key.as_ref(), Ok(&entry.value))).collect();
    entries.extend(added.iter().map(|(key, text)| (*key, Err(*text))));
    entries.sort_by_key(|(key, _)| *key);
    out.push('{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        match value {
            Ok(node) => write(key, node, out),
            Err(text) => write_string(text, out),
        }
    }
    out.push('}');
}
