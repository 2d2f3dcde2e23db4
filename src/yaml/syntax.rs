//! Values in Go's syntax, as go-yaml prints them in its errors (`%#v`).

use std::collections::BTreeMap;

use super::node::Style;
use super::parse::{Raw, RawKind};
use super::scalar::{Resolved, Tagged, resolve, resolve_tagged};
use super::scan::Content;

/// Deeper parts of a value are left out of the message.
const MAX_LEVELS: usize = 50;
/// The message ends here.
const MAX_LENGTH: usize = 100_000;

/// The node at `at` as Go prints it.
pub(super) fn go_syntax(text: &str, nodes: &[Raw], strings: &[String], at: u32) -> String {
    let mut printer = Printer { text, nodes, strings, out: String::new() };
    printer.value(at, MAX_LEVELS);
    printer.out
}

struct Printer<'a> {
    text: &'a str,
    nodes: &'a [Raw],
    strings: &'a [String],
    out: String,
}

impl Printer<'_> {
    fn value(&mut self, at: u32, levels: usize) {
        let Some(raw) = self.nodes.get(at as usize).copied() else {
            return self.out.push_str("<nil>");
        };
        if levels == 0 || self.out.len() > MAX_LENGTH {
            return self.out.push_str("...");
        }
        match raw.kind {
            RawKind::Scalar(content) => self.scalar(&raw, content),
            RawKind::Alias(target) => self.value(target, levels - 1),
            RawKind::Sequence { .. } => {
                self.out.push_str("[]interface {}{");
                for (index, child) in children(self.nodes, at, raw.next).into_iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.element(child, levels - 1);
                }
                self.out.push('}');
            }
            RawKind::Mapping { .. } => self.mapping(at, raw.next, levels),
        }
    }

    fn mapping(&mut self, at: u32, next: u32, levels: usize) {
        let children = children(self.nodes, at, next);
        let mut pairs = BTreeMap::new();
        for pair in children.chunks_exact(2) {
            let before = std::mem::take(&mut self.out);
            self.element(pair[0], levels - 1);
            pairs.insert(std::mem::replace(&mut self.out, before), pair[1]);
        }
        self.out.push_str("map[interface {}]interface {}{");
        for (index, (key, value)) in pairs.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(&key);
            self.out.push(':');
            self.element(value, levels - 1);
        }
        self.out.push('}');
    }

    /// Inside a collection null is printed with its type.
    fn element(&mut self, at: u32, levels: usize) {
        let start = self.out.len();
        self.value(at, levels);
        if &self.out[start..] == "<nil>" {
            self.out.truncate(start);
            self.out.push_str("interface {}(nil)");
        }
    }

    fn scalar(&mut self, raw: &Raw, content: Content) {
        let text = match content {
            Content::Source(start, end) => &self.text[start as usize..end as usize],
            Content::Built(index) => &self.strings[index as usize],
        };
        let resolved = match (raw.tag, raw.style) {
            (super::scalar::Tag::None, Style::Plain) => resolve(text),
            (super::scalar::Tag::None, _) => Resolved::String,
            (tag, _) => match resolve_tagged(tag, text) {
                Tagged::Resolved(resolved) => resolved,
                _ => Resolved::String,
            },
        };
        let printed = match resolved {
            Resolved::Null => "<nil>".to_owned(),
            Resolved::Bool(flag) => flag.to_string(),
            Resolved::Int(number) => number.to_string(),
            Resolved::Uint(number) => format!("{number:#x}"),
            Resolved::Float(number) => float(number),
            Resolved::String => quote(text),
        };
        self.out.push_str(&printed);
    }
}

fn children(nodes: &[Raw], at: u32, next: u32) -> Vec<u32> {
    let mut children = Vec::new();
    let mut child = at + 1;
    while child < next {
        children.push(child);
        child = nodes[child as usize].next;
    }
    children
}

fn float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..21).contains(&exponent) {
        return number.to_string();
    }
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// A string as Go quotes it.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            character if (character as u32) < 0x20 || character == '\x7f' => {
                out.push_str(&format!("\\x{:02x}", character as u32))
            }
            '\u{80}'..='\u{9f}'
            | '\u{a0}'
            | '\u{ad}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", character as u32));
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}
