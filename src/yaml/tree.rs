//! Trees of any depth, handled without recursion.

use super::node::{Node, Span, Style, Value};

/// Deeper trees are taken apart piece by piece.
const SHALLOW: usize = 128;

/// A tree that drops without recursion, however deep it is.
#[derive(Debug)]
pub(super) struct Tree<'s>(Node<'s>);

impl<'s> Tree<'s> {
    pub(super) fn new(node: Node<'s>) -> Self {
        Self(node)
    }

    pub(super) fn node(&self) -> &Node<'s> {
        &self.0
    }

    /// The node, which the caller must not drop recursively if it is deep.
    pub(super) fn into_node(mut self) -> Node<'s> {
        std::mem::replace(&mut self.0, Node::new(Span::default(), Style::Plain, Value::Null))
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        dismantle(&mut self.0);
    }
}

/// Empties a node, taking its descendants apart one by one.
pub(super) fn dismantle(node: &mut Node<'_>) {
    let mut waiting = vec![std::mem::replace(&mut node.value, Value::Null)];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Seq(items) => waiting.extend(items.into_iter().map(|item| item.value).filter(is_collection)),
            Value::Map(map) => {
                waiting.extend(map.entries.into_iter().map(|entry| entry.value.value).filter(is_collection))
            }
            _ => {}
        }
    }
}

fn is_collection(value: &Value<'_>) -> bool {
    matches!(value, Value::Seq(_) | Value::Map(_))
}

/// Whether a tree of this depth may be dropped the ordinary way.
pub(super) fn is_shallow(depth: usize) -> bool {
    depth <= SHALLOW
}

/// All nodes of a tree, parents before children, in the order of the file.
pub(super) fn walk<'n, 's>(root: &'n Node<'s>) -> impl Iterator<Item = &'n Node<'s>> {
    let mut waiting = vec![root];
    std::iter::from_fn(move || {
        let node = waiting.pop()?;
        match &node.value {
            Value::Seq(items) => waiting.extend(items.iter().rev()),
            Value::Map(map) => waiting.extend(map.entries.iter().rev().map(|entry| &entry.value)),
            _ => {}
        }
        Some(node)
    })
}
