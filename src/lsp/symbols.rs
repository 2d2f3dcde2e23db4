//! Document symbols: the objects of a file with their fields.

use super::outline::{Entry, Outline, Step};
use super::position::Places;
use gen_lsp_types::{DocumentSymbol, SymbolKind};
use std::ops::Range;

/// Fields below this depth are left out.
const DEPTH: usize = 6;

/// The objects of a file, each with its fields.
pub(super) fn symbols(places: &Places<'_>, outlines: &[Outline]) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    for outline in outlines.iter().filter(|outline| !outline.entries.is_empty()) {
        for object in outline.objects() {
            let Some(kind) = object.text("kind") else { continue };
            let name = object.entry("metadata.name").filter(|entry| entry.text.is_some());
            let label = name.and_then(|entry| entry.text.as_deref()).unwrap_or("(no name)");
            let mut range = outline.range.clone();
            if object.depth > 0 {
                let bytes = object.entries().map(|entry| entry.value.clone());
                range = bytes.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end)).unwrap_or(range);
            }
            let chosen = name.or_else(|| object.entry("kind")).map_or_else(|| range.clone(), |one| one.value.clone());
            let mut entries = object.entries().filter(|entry| entry.path.len() > object.depth).peekable();
            let children = children(places, object.depth, &mut entries);
            symbols.push(symbol(places, label, Some(kind), SymbolKind::Class, (range, chosen), children));
        }
    }
    symbols
}

fn children<'e>(
    places: &Places<'_>,
    depth: usize,
    entries: &mut std::iter::Peekable<impl Iterator<Item = &'e Entry>>,
) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    while let Some(entry) = entries.peek().copied().filter(|entry| entry.path.len() > depth) {
        entries.next();
        let below = if depth < DEPTH {
            children(places, entry.path.len(), entries)
        } else {
            while entries.peek().is_some_and(|next| next.path.len() > entry.path.len()) {
                entries.next();
            }
            Vec::new()
        };
        let (name, kind) = match entry.path.last() {
            Some(Step::Key(key)) => (key.clone(), SymbolKind::Field),
            Some(Step::Item(index)) => (format!("[{index}]"), SymbolKind::Array),
            None => continue,
        };
        let key = entry.key.clone().unwrap_or_else(|| entry.value.clone());
        let range = key.start..entry.value.end.max(key.end);
        let name = if name.is_empty() { "\"\"".to_owned() } else { name };
        symbols.push(symbol(places, &name, entry.text.as_deref(), kind, (range, key), below));
    }
    symbols
}

#[expect(deprecated, reason = "the field has to be named")]
fn symbol(
    places: &Places<'_>,
    name: &str,
    detail: Option<&str>,
    kind: SymbolKind,
    (range, chosen): (Range<usize>, Range<usize>),
    children: Vec<DocumentSymbol>,
) -> DocumentSymbol {
    // The protocol wants the chosen range inside of the whole one.
    let range = range.start.min(chosen.start)..range.end.max(chosen.end);
    DocumentSymbol {
        name: crate::escape::line(name).into_owned(),
        detail: detail.map(|text| crate::escape::line(text).into_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: places.range(range),
        selection_range: places.range(chosen),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}
