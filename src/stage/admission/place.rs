//! Where a value stands, and how its author wrote it.

use crate::go;
use crate::resource::json;
use crate::resource::schema::Shape;
use crate::yaml::{Node, Style};

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// The path as the server prints it.
    pub path: &'p str,
    /// The last part of it: `image`, `args[1]`, or the key of a map.
    pub name: &'p str,
    /// The text of the file.
    pub text: &'p str,
}

/// A scalar as its author typed it.
pub fn typed(node: &Node<'_>, text: &str) -> String {
    let written = text.get(node.span.range()).filter(|written| node.style == Style::Plain && !written.is_empty());
    written.map_or_else(|| json::text(node), str::to_owned)
}

/// A quoted text that needs no quotes.
pub fn unquoted<'n>(node: &'n Node<'_>, shape: &Shape) -> Option<&'n str> {
    let text = node.as_str()?;
    match shape {
        Shape::Int32 | Shape::Int64 => go::atoi(text).is_some().then_some(text),
        Shape::Boolean => matches!(text, "true" | "false").then_some(text),
        _ => None,
    }
}
