//! What stands where in a file: keys and values with their paths, found in the tree of a document, or line by line
//! where it does not decode.

use super::lines;
use crate::yaml::{self, Document, Node, Options, Value};
use std::ops::Range;

/// Deeper values are left out: nothing in a manifest needs more, and the cost stays linear.
pub(super) const DEEPEST: usize = 64;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value of a key.
    Key(String),
    /// An item of a list.
    Item(usize),
}

/// A key with its value, or an item of a list.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The way to the value.
    pub path: Vec<Step>,
    /// The bytes of the key; `None` for an item of a list.
    pub key: Option<Range<usize>>,
    /// The bytes of the value; empty where there is none.
    pub value: Range<usize>,
    /// The value as text, where it is a scalar.
    pub text: Option<String>,
}

/// One document of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Its number in the file.
    pub index: usize,
    /// Its bytes.
    pub range: Range<usize>,
    /// Everything in it, in the order of the file.
    pub entries: Vec<Entry>,
}

/// One object of a document: the document itself, or an item of a List.
#[derive(Clone, Debug)]
pub(super) struct Object<'o> {
    /// The document.
    pub outline: &'o Outline,
    /// How many steps lead to it.
    pub depth: usize,
    /// The steps that lead to it.
    prefix: &'o [Step],
}

/// The documents of a file.
pub(super) fn outlines(text: &str) -> Vec<Outline> {
    let stream = yaml::parse(text, &Options::default());
    stream.documents.iter().map(|document| outline(text, document)).collect()
}

fn outline(text: &str, document: &Document<'_>) -> Outline {
    let mut range = document.span.range();
    range.end = range.end.min(text.len());
    range.start = range.start.min(range.end);
    let mut entries = Vec::new();
    match document.root() {
        Some(root) => flatten(root, &mut Vec::new(), &mut entries),
        None => entries = lines::entries(text, range.clone()),
    }
    Outline { index: document.index, range, entries }
}

fn flatten(node: &Node<'_>, path: &mut Vec<Step>, entries: &mut Vec<Entry>) {
    if path.len() >= DEEPEST || node.via.is_some() {
        return;
    }
    for entry in node.entries() {
        path.push(Step::Key(entry.key.clone().into_owned()));
        entries.push(found(path, Some(entry.key_span.range()), &entry.value));
        flatten(&entry.value, path, entries);
        path.pop();
    }
    for (index, item) in node.items().enumerate() {
        path.push(Step::Item(index));
        entries.push(found(path, None, item));
        flatten(item, path, entries);
        path.pop();
    }
}

fn found(path: &[Step], key: Option<Range<usize>>, value: &Node<'_>) -> Entry {
    let text = match &value.value {
        Value::String(text) => Some(text.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Int(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    };
    Entry { path: path.to_vec(), key, value: value.place().range(), text }
}

impl Entry {
    /// Whether the bytes of the key, or of a scalar value, hold this one; the place behind the last counts, too.
    pub fn covers(&self, at: usize) -> bool {
        let within = |range: &Range<usize>| range.start <= at && at <= range.end;
        self.key.as_ref().is_some_and(within) || self.text.is_some() && within(&self.value)
    }

    /// Whether a byte is on the value rather than the key.
    pub fn on_value(&self, at: usize) -> bool {
        !self.key.as_ref().is_some_and(|key| key.start <= at && at <= key.end)
    }
}

impl Outline {
    /// The entry whose key or scalar value holds a byte.
    pub fn at(&self, at: usize) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.covers(at))
    }

    /// The objects in it.
    pub fn objects(&self) -> Vec<Object<'_>> {
        let whole = Object { outline: self, depth: 0, prefix: &[] };
        if !whole.text("kind").is_some_and(|kind| kind.ends_with("List")) {
            return vec![whole];
        }
        let is_item =
            |entry: &&Entry| matches!(entry.path.as_slice(), [Step::Key(items), Step::Item(_)] if items == "items");
        self.entries
            .iter()
            .filter(is_item)
            .map(|entry| Object { outline: self, depth: 2, prefix: &entry.path })
            .collect()
    }

    /// The object that a path leads through.
    pub fn object_of(&self, path: &[Step]) -> Option<Object<'_>> {
        self.objects().into_iter().find(|object| path.starts_with(object.prefix))
    }
}

impl<'o> Object<'o> {
    /// The entry at a path of keys, such as `metadata.name`.
    pub fn entry(&self, path: &str) -> Option<&'o Entry> {
        self.outline
            .entries
            .iter()
            .find(|entry| entry.path.strip_prefix(self.prefix).is_some_and(|rest| same_keys(rest, path)))
    }

    /// The scalar at a path of keys.
    pub fn text(&self, path: &str) -> Option<&'o str> {
        self.entry(path)?.text.as_deref()
    }

    /// All entries of the object.
    pub fn entries(&self) -> impl Iterator<Item = &'o Entry> {
        let prefix = self.prefix;
        self.outline.entries.iter().filter(move |entry| entry.path.starts_with(prefix))
    }
}

fn same_keys(steps: &[Step], path: &str) -> bool {
    let mut wanted = path.split('.');
    steps.iter().all(|step| matches!(step, Step::Key(key) if wanted.next() == Some(key))) && wanted.next().is_none()
}

/// The keys of a path, items left out.
pub(super) fn keys(path: &[Step]) -> Vec<&str> {
    path.iter()
        .filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Item(_) => None,
        })
        .collect()
}
