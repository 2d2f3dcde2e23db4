//! Reads the tables of `rules/schema/`.

use super::{Definition, Field, Id, Schema, Shape, Tables};
use crate::resource::AgentSandboxRelease;
use std::collections::HashMap;
use std::str::SplitWhitespace;

/// Reads the list of releases, oldest first.
///
/// # Panics
/// On a line that is no release.
pub(super) fn releases(text: &str) -> Vec<AgentSandboxRelease> {
    text.lines().filter(|line| !line.starts_with('#')).map(release).collect()
}

/// Reads the texts in order, as they hold in a release; later ones may amend types of earlier ones. `edition` is what
/// the types of this release are called in [`Id`].
///
/// # Panics
/// On a table that is not well formed: the tables are part of the program.
pub(super) fn tables(texts: &[&'static str], at: AgentSandboxRelease, edition: usize) -> Tables {
    let mut blocks: Vec<Block> = Vec::new();
    for text in texts {
        for block in blocks_of(text) {
            match block.name.strip_prefix('+') {
                Some(name) => amend(&mut blocks, name, block.lines),
                None => blocks.push(block),
            }
        }
    }
    let ids = blocks.iter().enumerate().map(|(at, block)| (block.name, Id { edition, at }));
    let names: HashMap<&'static str, Id> = ids.collect();
    let definitions = blocks
        .iter()
        .map(|block| {
            let here = block.lines.iter().filter(|line| line.holds(at));
            let mut fields: Vec<Field> = here.map(|line| field(line, &block.lines, &names)).collect();
            fields.sort_by_key(|field| field.name);
            Definition { name: block.name, fields }
        })
        .collect();
    Tables { definitions, names }
}

fn release(text: &str) -> AgentSandboxRelease {
    text.parse().unwrap_or_else(|_| panic!("{text} in the schema tables is no release"))
}

struct Block {
    name: &'static str,
    lines: Vec<Line>,
}

/// `name!: rest`.
#[derive(Clone, Copy)]
struct Line {
    name: &'static str,
    required: bool,
    rest: &'static str,
}

impl Line {
    /// The type and the pairs of a word and its value that follow it.
    fn words(&self) -> SplitWhitespace<'static> {
        self.rest.split_whitespace()
    }

    /// The value after a word.
    fn value(&self, word: &str) -> Option<&'static str> {
        let mut words = self.words().skip(1);
        while let (Some(found), Some(value)) = (words.next(), words.next()) {
            if found == word {
                return Some(value);
            }
        }
        None
    }

    fn release(&self, word: &str) -> Option<AgentSandboxRelease> {
        self.value(word).map(release)
    }

    fn holds(&self, at: AgentSandboxRelease) -> bool {
        self.release("since").is_none_or(|since| since <= at) && self.release("until").is_none_or(|until| at < until)
    }

    fn values(&self) -> Vec<&'static str> {
        self.value("in").map(|values| values.split('|').collect()).unwrap_or_default()
    }
}

fn blocks_of(text: &'static str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("  ") {
            None => blocks.push(Block { name: line, lines: Vec::new() }),
            Some(line) => blocks.last_mut().expect("a field stands below its type").lines.push(split(line)),
        }
    }
    blocks
}

fn split(line: &'static str) -> Line {
    let (name, rest) = line.split_once(": ").expect("a field has a name and a type");
    let bare = name.trim_end_matches('!');
    Line { name: bare, required: bare.len() < name.len(), rest }
}

fn amend(blocks: &mut [Block], name: &str, lines: Vec<Line>) {
    let block = blocks.iter_mut().find(|block| block.name == name).expect("an amended type exists");
    for line in lines {
        let known = block.lines.iter_mut().find(|known| known.name == line.name).expect("an amended field exists");
        *known = line;
    }
}

/// A field as one line has it; `all` are the lines of its type in every release.
fn field(line: &Line, all: &[Line], names: &HashMap<&'static str, Id>) -> Field {
    let mut words = line.words();
    let mut schema = plain(shape(words.next().expect("a field has a type"), names));
    while let (Some(word), Some(value)) = (words.next(), words.next()) {
        match word {
            "=" => schema.default = Some(value.trim_matches('"')),
            "in" => schema.values = line.values(),
            "by" => schema.keys = value.split(',').collect(),
            "min" => schema.min = value.parse().ok(),
            "max" => schema.max = value.parse().ok(),
            "since" | "until" | "immutable" | "atomic" => {}
            other => panic!("unknown word {other} in a schema table"),
        }
    }
    let mut others = all.iter().filter(|other| other.name == line.name);
    let next = line.release("until").and_then(|until| others.clone().find(|other| other.holds(until)).zip(Some(until)));
    if let Some((next, from)) = next {
        let new = next.values().into_iter().filter(|value| !schema.values.contains(value));
        schema.later_values = new.map(|value| (value, from)).collect();
    }
    Field {
        name: line.name,
        required: line.required,
        schema,
        since: others.all(|other| other.value("since").is_some()).then(|| line.release("since")).flatten(),
        optional_since: next.filter(|(next, _)| line.required && !next.required).map(|(_, from)| from),
        immutable_since: line.release("immutable"),
        atomic_since: line.release("atomic"),
    }
}

fn plain(shape: Shape) -> Schema {
    Schema {
        shape,
        keys: Vec::new(),
        default: None,
        values: Vec::new(),
        later_values: Vec::new(),
        min: None,
        max: None,
    }
}

fn shape(word: &'static str, names: &HashMap<&'static str, Id>) -> Shape {
    let inner = |open, close| word.strip_prefix(open).and_then(|word| word.strip_suffix(close));
    if let Some(item) = inner('[', ']') {
        return Shape::List(Box::new(plain(shape(item, names))));
    }
    if let Some(value) = inner('{', '}') {
        return Shape::Map(Box::new(plain(shape(value, names))));
    }
    match word {
        "string" => Shape::String,
        "boolean" => Shape::Boolean,
        "int32" => Shape::Int32,
        "int64" => Shape::Int64,
        "date-time" => Shape::DateTime,
        "quantity" => Shape::Quantity,
        "int-or-string" => Shape::IntOrString,
        "any" => Shape::Any,
        name => Shape::Object(*names.get(name).unwrap_or_else(|| panic!("no type {name} in the schema tables"))),
    }
}
