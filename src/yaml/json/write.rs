//! A tree to JSON, as kubectl prints it.

use std::borrow::Cow;

use crate::go::float;
use crate::yaml::node::{Entry, Node, Value};

/// Compact JSON with sorted keys and Go's number formats. Works at any depth.
pub fn to_json(node: &Node<'_>) -> String {
    let mut out = String::new();
    write_json(node, &mut out);
    out
}

enum Step<'n, 's> {
    Node(&'n Node<'s>),
    Key(&'n str, bool),
    Text(&'static str),
}

/// Appends [`to_json`].
pub(in crate::yaml) fn write_json(node: &Node<'_>, out: &mut String) {
    let mut waiting = vec![Step::Node(node)];
    while let Some(step) = waiting.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Key(key, comma) => {
                if comma {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
            }
            Step::Node(node) => write_node(node, out, &mut waiting),
        }
    }
}

fn write_node<'n, 's>(node: &'n Node<'s>, out: &mut String, waiting: &mut Vec<Step<'n, 's>>) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Float(number) => out.push_str(&float::json(*number)),
        Value::String(text) => write_string(text, out),
        Value::Seq(items) => {
            out.push('[');
            waiting.push(Step::Text("]"));
            for (index, item) in items.iter().enumerate().rev() {
                waiting.push(Step::Node(item));
                if index > 0 {
                    waiting.push(Step::Text(","));
                }
            }
        }
        Value::Map(map) => {
            let mut entries: Vec<&Entry<'_>> = map.entries.iter().collect();
            entries.sort_by(|one, other| one.key.cmp(&other.key));
            out.push('{');
            waiting.push(Step::Text("}"));
            for (index, entry) in entries.into_iter().enumerate().rev() {
                waiting.push(Step::Node(&entry.value));
                waiting.push(Step::Key(&entry.key, index > 0));
            }
        }
    }
}

/// Escapes `&`, `<` and `>`, which occur in strings only, as Go does where it shows JSON in a message.
pub fn escape_html(json: String) -> String {
    json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

/// Appends a JSON string, escaped as kubectl does.
pub(in crate::yaml) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let escape: Cow<'_, str> = match character {
            '"' => Cow::Borrowed("\\\""),
            '\\' => Cow::Borrowed("\\\\"),
            '\n' => Cow::Borrowed("\\n"),
            '\r' => Cow::Borrowed("\\r"),
            '\t' => Cow::Borrowed("\\t"),
            '\x08' => Cow::Borrowed("\\b"),
            '\x0c' => Cow::Borrowed("\\f"),
            '\0'..='\x1f' | '\u{2028}' | '\u{2029}' => Cow::Owned(format!("\\u{:04x}", character as u32)),
            _ => continue,
        };
        out.push_str(&text[start..at]);
        out.push_str(&escape);
        start = at + character.len_utf8();
    }
    out.push_str(&text[start..]);
    out.push('"');
}

/// The tree as a `serde_json` value; non-finite numbers, which no decoded tree has, become null.
///
/// Recursive: for trees of ordinary depth.
pub fn to_value(node: &Node<'_>) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::String(text) => text.as_ref().into(),
        Value::Seq(items) => items.iter().map(to_value).collect(),
        Value::Map(map) => {
            map.entries.iter().map(|entry| (entry.key.clone().into_owned(), to_value(&entry.value))).collect()
        }
    }
}
