//! One walk over an object: prunes it, fills in defaults, and notes all that the schema refuses.

use super::fault::Fault;
use super::judge;
use super::place::Place;
use super::remark;
use super::unknown::{self, Unknown};
use crate::resource::json;
use crate::resource::schema::{Definition, Field, Schema, Shape};
use crate::yaml::{Entry, Mapping, Node, Span, Style, Value};
use std::collections::HashMap;

/// What a walk finds. Paths are those of the object, as the server prints them.
#[derive(Debug, Default)]
pub struct Walk<'t> {
    /// The text of the file.
    text: &'t str,
    path: String,
    /// Where the last part of the path begins.
    name: usize,
    parents: Vec<(&'static Definition, String)>,
    /// Refusals of the schema.
    pub faults: Vec<Fault>,
    /// Refusals of lists that are maps.
    pub lists: Vec<Fault>,
    /// Fields that the schema does not know.
    pub unknown: Vec<Unknown>,
    /// Nulls that are dropped: path and place.
    pub nulls: Vec<Dropped>,
}

/// A null that the server drops.
#[derive(Debug)]
pub struct Dropped {
    /// The field.
    pub path: String,
    /// The last part of it.
    pub name: String,
    /// Where its key is written.
    pub key: Span,
    /// The JSON types that the field takes, as the server names them.
    pub types: &'static str,
    /// Whether a default takes its place.
    pub defaulted: bool,
}

/// A mapping whose fields are looked at.
struct Mapped<'n, 's> {
    node: &'n Node<'s>,
    map: &'n Mapping<'s>,
    /// The key that holds it, or its own place as an item of a list.
    key: Span,
    /// Where its own unknown fields begin in the list of all.
    first_unknown: usize,
}

impl Mapped<'_, '_> {
    /// Where a reader looks for a field that is missing: at the key above, or at the first field.
    fn head(&self) -> Span {
        let first = self.map.entries.first().map(|entry| entry.key_span);
        if self.key == self.node.place() { first.unwrap_or(self.key) } else { self.key }
    }
}

impl<'t> Walk<'t> {
    /// A walk over (a part of) an object, whose path is `path`.
    pub fn within(text: &'t str, path: &str) -> Self {
        Self { text, path: path.to_owned(), ..Self::default() }
    }

    /// Walks a whole object; the answer is what is stored.
    pub fn object<'s>(&mut self, root: &Node<'s>, definition: &'static Definition) -> Node<'s> {
        match &root.value {
            Value::Map(map) => self.fields(root, map, definition, root.place()),
            _ => root.clone(),
        }
    }

    /// A value with the place of the key (or list item) that holds it; `None` where nothing can be kept of it.
    fn value<'s>(&mut self, node: &Node<'s>, schema: &'static Schema, key: Span) -> Option<Node<'s>> {
        let (faults, lists) = (self.faults.len(), self.lists.len());
        let pruned = match (&node.value, &schema.shape) {
            (_, Shape::Any) => return Some(node.clone()),
            (Value::Map(map), Shape::Object(id)) => self.fields(node, map, id.definition(), key),
            (Value::Map(map), Shape::Map(inner)) => self.map(node, map, inner),
            (Value::Map(map), _) => self.foreign_map(node, map),
            (Value::Seq(items), Shape::List(inner)) => self.list(node, items, inner),
            (Value::Seq(items), _) => self.foreign_list(node, items, DEEPEST_FOREIGN),
            _ => node.clone(),
        };
        if let (Shape::List(_), Some(written), Some(items)) = (&schema.shape, node.as_seq(), pruned.as_seq()) {
            self.unique_items(written, items, &schema.keys, lists);
        }
        let Some(fault) = judge::value(self.place(), node, &pruned, schema) else { return Some(pruned) };
        self.faults.insert(faults, fault);
        judge::fixed(node, schema, self.text)
    }

    fn fields<'s>(
        &mut self,
        node: &Node<'s>,
        map: &Mapping<'s>,
        definition: &'static Definition,
        key: Span,
    ) -> Node<'s> {
        let first_unknown = self.unknown.len();
        self.parents.push((definition, self.path.clone()));
        let mut kept: Vec<Entry<'s>> = Vec::with_capacity(map.entries.len());
        for entry in &map.entries {
            let Some(field) = definition.field(&entry.key) else {
                self.unknown_field(entry);
                continue;
            };
            let before = self.push(&entry.key);
            if entry.value.is_null() {
                self.null(entry, &field.schema);
            } else if let Some(value) = self.value(&entry.value, &field.schema, entry.key_span) {
                kept.push(Entry { key: entry.key.clone(), key_span: entry.key_span, value });
            }
            self.pop(before);
        }
        unknown::keep_keys_unique(&mut self.unknown[first_unknown..], map, &self.path);
        self.absent(&Mapped { node, map, key, first_unknown }, definition, &mut kept);
        self.parents.pop();
        like(node, Value::Map(Mapping { entries: kept }))
    }

    /// Fills in defaults, and misses required fields.
    fn absent<'s>(&mut self, mapped: &Mapped<'_, 's>, definition: &'static Definition, kept: &mut Vec<Entry<'s>>) {
        for field in &definition.fields {
            if mapped.map.get(field.name).is_some_and(|value| !value.is_null()) {
                continue;
            }
            if let Some(text) = field.schema.default {
                let place = mapped.node.place();
                let value = Node::new(place, Style::Plain, default(text, &field.schema));
                kept.push(Entry { key: field.name.into(), key_span: place, value });
            } else if field.required {
                self.missing(mapped, field);
            }
        }
    }

    fn missing(&mut self, mapped: &Mapped<'_, '_>, field: &'static Field) {
        let owner = match self.place().name {
            "" => "the object".to_owned(),
            name => format!("`{name}`"),
        };
        let before = self.push(field.name);
        let line = format!("{}: Required value", self.path);
        let stands_for = self.unknown[mapped.first_unknown..].iter_mut().find(|unknown| unknown.stands_for(field));
        let cause = match stands_for {
            Some(unknown) => {
                unknown.also_missing = Some(self.path.clone());
                None
            }
            None => {
                let written = mapped.map.entry(field.name);
                let place = written.map_or_else(|| mapped.head(), |entry| entry.key_span);
                Some(remark::missing_field(&self.path, field, &owner, written.is_some(), place))
            }
        };
        // A null that was noted as dropped is a missing field now.
        self.nulls.retain(|dropped| dropped.path != self.path);
        self.faults.push(Fault { lines: vec![line], blocking: true, fixable: false, cause });
        self.pop(before);
    }

    fn map<'s>(&mut self, node: &Node<'s>, map: &Mapping<'s>, inner: &'static Schema) -> Node<'s> {
        let mut kept = Vec::with_capacity(map.entries.len());
        for entry in &map.entries {
            let before = self.push(&entry.key);
            if entry.value.is_null() {
                self.null(entry, inner);
            } else if let Some(value) = self.value(&entry.value, inner, entry.key_span) {
                kept.push(Entry { key: entry.key.clone(), key_span: entry.key_span, value });
            }
            self.pop(before);
        }
        like(node, Value::Map(Mapping { entries: kept }))
    }

    fn list<'s>(&mut self, node: &Node<'s>, items: &[Node<'s>], inner: &'static Schema) -> Node<'s> {
        let mut kept = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let before = self.push_index(index);
            if let Some(value) = self.value(item, inner, item.place()) {
                kept.push(value);
            } else {
                // Keeps the indices of the items that follow.
                kept.push(like(item, Value::Null));
            }
            self.pop(before);
        }
        like(node, Value::Seq(kept))
    }

    /// A mapping where none belongs: the server drops all its keys before it looks at the type.
    fn foreign_map<'s>(&mut self, node: &Node<'s>, map: &Mapping<'s>) -> Node<'s> {
        for entry in &map.entries {
            let before = self.push(&entry.key);
            self.unknown.push(Unknown::inside(&self.path));
            self.pop(before);
        }
        like(node, Value::Map(Mapping::default()))
    }

    fn foreign_list<'s>(&mut self, node: &Node<'s>, items: &[Node<'s>], deeper: usize) -> Node<'s> {
        let kept = items.iter().enumerate().map(|(index, item)| {
            let before = self.push_index(index);
            let kept = match &item.value {
                Value::Map(map) => self.foreign_map(item, map),
                Value::Seq(items) if deeper > 0 => self.foreign_list(item, items, deeper - 1),
                _ => item.clone(),
            };
            self.pop(before);
            kept
        });
        let kept = kept.collect();
        like(node, Value::Seq(kept))
    }

    fn unknown_field(&mut self, entry: &Entry<'_>) {
        let unknown = unknown::note(entry, &self.parents);
        self.unknown.push(unknown);
    }

    fn null(&mut self, entry: &Entry<'_>, schema: &Schema) {
        let types = match judge::types(&schema.shape) {
            Some(types) => types,
            None => return,
        };
        self.nulls.push(Dropped {
            path: self.path.clone(),
            name: entry.key.to_string(),
            key: entry.key_span,
            types,
            defaulted: schema.default.is_some(),
        });
    }

    /// The server's check of lists that are maps: every item an object, no key twice.
    fn unique_items(&mut self, written: &[Node<'_>], items: &[Node<'_>], keys: &[&'static str], at: usize) {
        if keys.is_empty() {
            return;
        }
        let odd = written.iter().position(|item| !item.is_null() && item.as_map().is_none());
        if let Some(index) = odd {
            let (path, value) = (format!("{}[{index}]", self.path), json::text(&written[index]));
            let line = format!("{path}: Invalid value: {value}: must be an object for an array of list-type map");
            self.lists.insert(at, Fault::echo(line));
            return;
        }
        let mut seen: HashMap<String, (usize, usize)> = HashMap::with_capacity(items.len());
        let mut found = Vec::new();
        for (index, item) in items.iter().enumerate() {
            // A default counts, and so does a value of a wrong type.
            let value = |key: &str| written[index].get(key).filter(|node| !node.is_null()).or_else(|| item.get(key));
            let key = json::object(keys.iter().filter_map(|key| Some((*key, value(key)?))));
            match seen.get_mut(&key) {
                Some((first, times)) => {
                    *times += 1;
                    if *times == 2 {
                        let cause = remark::duplicate_entry(self.place(), items, keys, (*first, index));
                        let line = format!("{}[{index}]: Duplicate value: {key}", self.path);
                        found.push(Fault::plain(line, cause));
                    }
                }
                None => _ = seen.insert(key, (index, 1)),
            }
        }
        self.lists.splice(at..at, found);
    }

    fn place(&self) -> Place<'_> {
        Place { path: &self.path, name: &self.path[self.name..], text: self.text }
    }

    /// Enters a field; the answer leads back.
    fn push(&mut self, key: &str) -> (usize, usize) {
        let before = (self.path.len(), self.name);
        if before.0 > 0 {
            self.path.push('.');
        }
        self.name = self.path.len();
        self.path.push_str(key);
        before
    }

    fn push_index(&mut self, index: usize) -> (usize, usize) {
        let before = (self.path.len(), self.name);
        self.path.push_str(&format!("[{index}]"));
        before
    }

    fn pop(&mut self, (path, name): (usize, usize)) {
        self.path.truncate(path);
        self.name = name;
    }
}

/// How deep lists in the place of something else are looked through.
const DEEPEST_FOREIGN: usize = 32;

/// A node in the same place with another value.
fn like<'s>(node: &Node<'_>, value: Value<'s>) -> Node<'s> {
    Node { span: node.span, style: node.style, via: node.via, value }
}

fn default(text: &'static str, schema: &Schema) -> Value<'static> {
    match schema.shape {
        Shape::Boolean => Value::Bool(text == "true"),
        Shape::Int32 | Shape::Int64 => text.parse().map_or(Value::Null, Value::Int),
        _ => Value::String(text.into()),
    }
}
