//! Values in Go's syntax, as go-yaml prints them in its errors (`%#v`).

use std::collections::BTreeMap;

use super::node::Style;
use super::parse::{Raw, RawKind};
use super::scalar::{Resolved, Tagged, resolve, resolve_tagged};
use super::scan::Content;
use crate::go;

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
            Resolved::Float(number) => go::float::plain(number),
            Resolved::String => go::quote(text),
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
