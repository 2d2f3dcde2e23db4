//! Provider packs: files that describe backends, read strictly and with the place of everything that is wrong.

use super::{Contract, Extension};
use crate::files::{self, Limit};
use crate::settings::{DEEPEST, Problem, Reader, SettingsError, TOO_DEEP};
use crate::yaml::{self, Node, Span};
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads a pack: each document is one backend, or holds `backends` and `annotations` as the configuration does.
///
/// # Errors
/// Everything that is wrong in it, with line and column.
pub fn load_pack(file: &Path) -> Result<Extension, SettingsError> {
    let shown = file.to_string_lossy();
    let bytes = files::read(file, &Limit::SETTINGS).map_err(|error| SettingsError::unreadable(&shown, &error))?;
    parse_pack(&shown, &String::from_utf8_lossy(&bytes))
}

/// Reads the text of a pack.
///
/// # Errors
/// Everything that is wrong in it, with line and column.
pub fn parse_pack(file: &str, text: &str) -> Result<Extension, SettingsError> {
    let reader = Reader::default();
    let stream = yaml::parse(text, &yaml::Options::default());
    let mut pack = Extension::default();
    for document in &stream.documents {
        for loss in &document.losses {
            if let yaml::Loss::DuplicateKey { kept, .. } = loss {
                reader.complain(*kept, "this key stands a second time");
            }
        }
        match &document.content {
            _ if document.depth > DEEPEST => reader.complain(document.span, TOO_DEEP),
            Err(error) => reader.complain(error.span, error.kind.plain_words()),
            Ok(root) if root.is_null() => {}
            Ok(root) => pack.merge(read_document(&reader, root)),
        }
    }
    let mut problems = reader.finish();
    if pack.backends.is_empty() && pack.annotations.is_empty() && problems.is_empty() {
        let message = "a provider pack describes a backend: `name`, `provider`, `node` and so on".into();
        problems.push(Problem { span: Span::new(0, 0), message });
    }
    if problems.is_empty() { Ok(pack) } else { Err(SettingsError::new(file, text, problems)) }
}

fn read_document(reader: &Reader, root: &Node<'_>) -> Extension {
    let whole = root.get("backends").is_some() || root.get("annotations").is_some_and(|node| node.as_map().is_some());
    let read = if whole {
        typed::<Extension>(reader, root)
    } else {
        typed(reader, root).map(|backend| Extension { backends: vec![backend], ..Extension::default() })
    };
    let pack = read.unwrap_or_default();
    // Annotations may be for a backend of another pack, so only the backends are looked at here.
    let own = Extension { backends: pack.backends.clone(), ..Extension::default() };
    if let Err(error) = Contract::builtin().extend(own) {
        let message = error.to_string();
        reader.complain(quoted_place(root, &message), message);
    }
    pack
}

/// A part whose shape a type of the library describes; what does not fit is complained of at its place.
pub fn typed<T: DeserializeOwned>(reader: &Reader, node: &Node<'_>) -> Option<T> {
    let read: Result<T, _> = serde_path_to_error::deserialize(yaml::to_value(node));
    read.map_err(|error| {
        let message = error.inner().to_string();
        let of_key = message.starts_with("unknown field");
        reader.complain(place_at(node, error.path(), of_key), message);
    })
    .ok()
}

/// The place that a path leads to, or the last place on its way; `of_key` asks for keys rather than values.
fn place_at(node: &Node<'_>, path: &serde_path_to_error::Path, of_key: bool) -> Span {
    use serde_path_to_error::Segment;
    let (mut node, mut place) = (node, node.place());
    for segment in path {
        let next = match segment {
            Segment::Seq { index } => node.items().nth(*index).map(|item| (item, item.place())),
            Segment::Map { key } | Segment::Enum { variant: key } => node.entry(key).map(|entry| {
                let nested = of_key || entry.value.as_map().is_some() || entry.value.as_seq().is_some();
                (&entry.value, if nested { entry.key_span } else { entry.value.place() })
            }),
            Segment::Unknown => None,
        };
        let Some((inner, at)) = next else { break };
        (node, place) = (inner, at);
    }
    place
}

/// The key or value that a message names first in backquotes, else the whole part.
pub fn quoted_place(node: &Node<'_>, message: &str) -> Span {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    quoted.iter().find_map(|word| place_of(node, word)).unwrap_or(node.place())
}

fn place_of(node: &Node<'_>, word: &str) -> Option<Span> {
    if node.as_str() == Some(word) {
        return Some(node.place());
    }
    let in_entry = |entry: &yaml::Entry<'_>| {
        if entry.key == word { Some(entry.key_span) } else { place_of(&entry.value, word) }
    };
    node.entries().find_map(in_entry).or_else(|| node.items().find_map(|item| place_of(item, word)))
}
