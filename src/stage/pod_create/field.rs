//! A cursor over the planned Pod that knows the server's field path and the author's place of every value.

use super::field_path::Path;
use crate::yaml::{Node, Span, Value};

/// A field of the Pod, set or not.
#[derive(Clone, Debug)]
pub struct Field<'n> {
    /// The path from the Pod's root: `spec.containers[0].image`.
    pub path: Path,
    /// The path that the server prints, where it differs from `path`.
    shown: Option<Box<Path>>,
    /// The value, if it is set.
    pub node: Option<&'n Node<'n>>,
    /// Where the key is written, for a field of a mapping that is set.
    pub key: Option<Span>,
    /// Where to point: the value, or what stands nearest above a value that is not set.
    pub place: Span,
}

impl<'n> Field<'n> {
    /// The root of a tree.
    pub fn root(path: &str, node: &'n Node<'n>) -> Self {
        Self { path: path.into(), shown: None, node: Some(node), key: None, place: node.place() }
    }

    /// A field that is not in the tree, pointing at `place`.
    pub fn virtual_at(path: impl Into<Path>, place: Span) -> Self {
        Self { path: path.into(), shown: None, node: None, key: None, place }
    }

    /// The field `name` of this mapping.
    pub fn child(&self, name: &str) -> Field<'n> {
        self.at(&[name])
    }

    /// Follows several keys downwards.
    pub fn at(&self, names: &[&str]) -> Field<'n> {
        let mut end = End { node: self.node, key: self.key, place: self.place };
        for name in names {
            let entry = end.node.and_then(|node| node.entry(name)).filter(|entry| !entry.value.is_null());
            end = End {
                node: entry.map(|entry| &entry.value),
                key: entry.map(|entry| entry.key_span),
                place: entry.map_or_else(|| end.head(), |entry| entry.value.place()),
            };
        }
        Field {
            path: self.path.below(names),
            shown: self.shown.as_ref().map(|shown| Box::new(shown.below(names))),
            node: end.node,
            key: end.key,
            place: end.place,
        }
    }

    /// Where to point for something that is missing below this field.
    fn head(&self) -> Span {
        End { node: self.node, key: self.key, place: self.place }.head()
    }

    /// The element at `index` of this sequence.
    pub fn index(&self, index: usize) -> Field<'n> {
        let node = self.node.and_then(|node| node.as_seq()).and_then(|items| items.get(index));
        Field {
            path: self.path.index(index),
            shown: self.shown.as_ref().map(|shown| Box::new(shown.index(index))),
            node,
            key: None,
            place: node.map_or_else(|| self.head(), Node::place),
        }
    }

    /// The elements of this sequence; none where it is anything else.
    pub fn items(&self) -> Vec<Field<'n>> {
        let count = self.node.and_then(|node| node.as_seq()).map_or(0, <[Node<'_>]>::len);
        (0..count).map(|index| self.index(index)).collect()
    }

    /// The entries of this mapping as the server prints keys of a map: `limits[cpu]`.
    pub fn entries(&self) -> Vec<(&'n str, Field<'n>)> {
        let Some(map) = self.node.and_then(|node| node.as_map()) else { return Vec::new() };
        map.entries
            .iter()
            .map(|entry| {
                let key: &'n str = &entry.key;
                let field = Field {
                    path: self.path.with(&["[", key, "]"]),
                    shown: self.shown.as_ref().map(|shown| Box::new(shown.with(&["[", key, "]"]))),
                    node: Some(&entry.value),
                    key: Some(entry.key_span),
                    place: entry.value.place(),
                };
                (key, field)
            })
            .collect()
    }

    /// The same place under another path in the server's words.
    pub fn shown_as(&self, path: impl Into<Path>) -> Field<'n> {
        Field { shown: Some(Box::new(path.into())), ..self.clone() }
    }

    /// The same field, pointing elsewhere.
    pub fn pointing_at(&self, place: Span) -> Field<'n> {
        Field { place, ..self.clone() }
    }

    /// The same field, pointing at the key instead of the value.
    pub fn at_key(&self) -> Field<'n> {
        Field { place: self.key.unwrap_or(self.place), ..self.clone() }
    }

    /// The path as the server prints it.
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.path)
    }

    /// The last part of the path: `image`, `values[0]`, `limits[cpu]`.
    pub fn name(&self) -> &str {
        let mut depth = 0;
        let dot = self.path.char_indices().rev().find(|(_, letter)| {
            match letter {
                ']' => depth += 1,
                '[' => depth -= 1,
                _ => {}
            }
            *letter == '.' && depth == 0
        });
        dot.map_or(&self.path, |(at, _)| &self.path[at + 1..])
    }

    /// Whether the field is there.
    pub fn is_set(&self) -> bool {
        self.node.is_some()
    }

    /// The text; empty where it is not set, as in Go.
    pub fn text(&self) -> &'n str {
        self.node.and_then(|node| node.as_str()).unwrap_or_default()
    }

    /// The number, if one is set.
    pub fn int(&self) -> Option<i64> {
        self.node.and_then(Node::as_int)
    }

    /// The boolean, if one is set.
    pub fn flag(&self) -> Option<bool> {
        self.node.and_then(Node::as_bool)
    }

    /// Whether the boolean is set and true.
    pub fn is_true(&self) -> bool {
        self.flag() == Some(true)
    }

    /// How many elements the sequence or the mapping has.
    pub fn len(&self) -> usize {
        match self.node.map(|node| &node.value) {
            Some(Value::Seq(items)) => items.len(),
            Some(Value::Map(map)) => map.entries.len(),
            _ => 0,
        }
    }

    /// The texts of a sequence of texts.
    pub fn texts(&self) -> Vec<&'n str> {
        self.items().iter().map(Field::text).collect()
    }
}

/// A field without its path.
struct End<'n> {
    node: Option<&'n Node<'n>>,
    key: Option<Span>,
    place: Span,
}

impl End<'_> {
    /// Where to point for something that is missing below this field.
    fn head(&self) -> Span {
        if let Some(key) = self.key {
            return key;
        }
        let first = self.node.and_then(|node| node.entries().next());
        match (first, self.node) {
            (Some(entry), Some(node)) if node.via.is_none() => entry.key_span,
            _ => self.place,
        }
    }
}
