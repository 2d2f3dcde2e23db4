//! `decode`: what kubectl would read.

use super::args::DecodeArgs;
use super::gather::open;
use super::{Error, Exit, terminal};
use crate::yaml::{
    Document, Documents, Entry, LineIndex, Node, Object, Options, Span, Style, Value, decoded_objects, to_json,
};
use std::io::{self, BufWriter, Write};

/// Prints one JSON value a line, up to the first that kubectl refuses.
pub(super) fn run(args: &DecodeArgs) -> Result<Exit, Error> {
    let source = open(&args.path)?;
    let text = source.text();
    let mut out = BufWriter::new(io::stdout().lock());
    for document in Documents::of(&text, &Options::default()) {
        if let Err((span, message)) = print(&document, args.objects, &mut out)? {
            out.flush()?;
            refuse(&source.path, text.as_str(), span, &message);
            return Ok(Exit::Findings);
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// Where kubectl stops, and its words.
type Refusal = (Span, String);

/// Prints what a document comes to, up to the first refusal.
fn print(document: &Document<'_>, objects: bool, out: &mut impl Write) -> io::Result<Result<(), Refusal>> {
    let root = match &document.content {
        Ok(root) => root,
        Err(error) => return Ok(Err((error.span, format!("error: error parsing FILE: {}", error.message)))),
    };
    if !objects {
        writeln!(out, "{}", to_json(root))?;
        return Ok(Ok(()));
    }
    for object in decoded_objects(document) {
        match object {
            Ok(object) => writeln!(out, "{}", to_json(&whole(&object)))?,
            Err(error) => return Ok(Err((error.span, error.message))),
        }
    }
    Ok(Ok(()))
}

/// The object with the kind and version that it inherits from its list.
fn whole<'s>(object: &Object<'_, 's>) -> Node<'s> {
    let mut node = object.node.clone();
    let at = Span::new(node.span.start, node.span.start);
    let inherited = [("apiVersion", object.api_version.clone()), ("kind", Some(object.kind.clone()))];
    if let (true, Value::Map(map)) = (object.inherited, &mut node.value) {
        map.entries.retain(|entry| entry.key != "apiVersion" && entry.key != "kind");
        map.entries.extend(inherited.into_iter().filter_map(|(key, value)| {
            let value = Node::new(at, Style::Plain, Value::String(value?.into()));
            Some(Entry { key: key.into(), key_span: at, value })
        }));
    }
    node
}

/// Says where and in which words kubectl stops.
fn refuse(path: &str, text: &str, span: Span, message: &str) {
    let place = LineIndex::new(text).position(span.start);
    let message = message.replace("FILE", path);
    terminal::trouble(&format!("{path}:{}:{}: {message}", place.line, place.column));
}
