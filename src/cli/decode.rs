//! `decode`: what kubectl would read.

use super::args::DecodeArgs;
use super::gather::open;
use super::{Error, Exit, terminal};
use crate::escape;
use crate::files::Limit;
use crate::yaml::{Documents, LineIndex, Options, Span, document_lines};
use std::io::{self, BufWriter, Write};

/// Prints one JSON value a line, up to where kubectl stops.
pub(super) fn run(args: &DecodeArgs) -> Result<Exit, Error> {
    let source = open(&args.path, &Limit::LARGEST)?;
    let text = source.text();
    let mut out = BufWriter::new(io::stdout().lock());
    let options = Options::default();
    let mut exit = Exit::Clean;
    for document in Documents::of(&text, &options) {
        let (lines, refusals) = document_lines(&document, args.objects, &options);
        for line in lines {
            writeln!(out, "{}", escape::json(line))?;
        }
        if refusals.is_empty() {
            continue;
        }
        exit = Exit::Findings;
        out.flush()?;
        for refusal in &refusals {
            refuse(&source.path, text.as_str(), refusal.span, &refusal.message);
        }
        if refusals.iter().any(|refusal| refusal.ends) {
            break;
        }
    }
    out.flush()?;
    Ok(exit)
}

/// Says where and in which words kubectl stops.
fn refuse(path: &str, text: &str, span: Span, message: &str) {
    let place = LineIndex::new(text).position(span.start);
    let path = escape::line(path);
    let message = message.replace("FILE", &path);
    terminal::notice(&format!("{path}:{}:{}: {message}", place.line, place.column));
}
