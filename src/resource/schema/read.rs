//! Reads the tables of `rules/schema/`.

use super::{Definition, Field, Id, Schema, Shape, Tables};
use std::collections::HashMap;

/// Reads the texts in order; later ones may amend types of earlier ones.
///
/// # Panics
/// On a table that is not well formed: the tables are part of the program.
pub(super) fn tables(texts: &[&'static str]) -> Tables {
    let mut blocks: Vec<Block> = Vec::new();
    for text in texts {
        for block in blocks_of(text) {
            match block.name.strip_prefix('+') {
                Some(name) => amend(&mut blocks, name, block.lines),
                None => blocks.push(block),
            }
        }
    }
    let names: HashMap<&'static str, Id> = blocks.iter().enumerate().map(|(at, block)| (block.name, Id(at))).collect();
    let definitions = blocks
        .into_iter()
        .map(|block| {
            let mut fields: Vec<Field> = block.lines.into_iter().map(|line| field(line, &names)).collect();
            fields.sort_by_key(|field| field.name);
            Definition { name: block.name, fields }
        })
        .collect();
    Tables { definitions, names }
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

fn field(line: Line, names: &HashMap<&'static str, Id>) -> Field {
    let mut words = line.rest.split(' ');
    let mut schema = plain(shape(words.next().expect("a field has a type"), names));
    while let (Some(word), Some(value)) = (words.next(), words.next()) {
        match word {
            "=" => schema.default = Some(value.trim_matches('"')),
            "in" => schema.values = value.split('|').collect(),
            "by" => schema.keys = value.split(',').collect(),
            "min" => schema.min = value.parse().ok(),
            "max" => schema.max = value.parse().ok(),
            other => panic!("unknown word {other} in a schema table"),
        }
    }
    Field { name: line.name, required: line.required, schema }
}

fn plain(shape: Shape) -> Schema {
    Schema { shape, keys: Vec::new(), default: None, values: Vec::new(), min: None, max: None }
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
