//! Plain scalars.

use super::class::{BLANK, BREAK, COLON, END, FLOW, LEAD, is};
use super::{Content, Scanner, TokenKind};
use crate::yaml::error::{Outcome, Problem};
use crate::yaml::node::{Span, Style};

/// The line breaks inside a scalar that wait for more text.
#[derive(Default)]
pub(super) struct Breaks {
    first: &'static str,
    more: String,
}

impl Breaks {
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(super) fn push(&mut self, text: &'static str) {
        if self.first.is_empty() { self.first = text } else { self.more.push_str(text) }
    }

    /// Lines fold: one LF becomes a space, further breaks stay.
    pub(super) fn fold_into(&mut self, out: &mut String) {
        match (self.first, self.more.is_empty()) {
            ("\n", true) => out.push(' '),
            ("\n", false) => out.push_str(&self.more),
            _ => {
                out.push_str(self.first);
                out.push_str(&self.more);
            }
        }
        self.first = "";
        self.more.clear();
    }

    /// An escaped line break adds nothing itself, but the breaks behind it stay.
    pub(super) fn push_behind_escape(&mut self, text: &'static str) {
        self.more.push_str(text);
    }
}

impl Scanner<'_> {
    pub(super) fn fetch_plain(&mut self) -> Outcome<()> {
        let key = self.save_key()?;
        self.key_allowed = false;
        let (start, line) = (self.pos, self.line);
        self.pass_plain_run();
        let mut end = self.pos;
        let content = if is(self.byte(), BLANK | BREAK | LEAD) {
            self.finish_plain(start, &mut end)?
        } else {
            Content::Source(start as u32, end as u32)
        };
        let behind = std::mem::replace(&mut self.pos, end);
        self.push_token(TokenKind::Scalar, (start, line), Style::Plain, content, key);
        self.pos = behind;
        Ok(())
    }

    /// Passes characters up to a blank or to what ends the scalar.
    #[inline]
    fn pass_plain_run(&mut self) {
        let flow = if self.in_flow() { FLOW } else { 0 };
        let stops = BLANK | BREAK | LEAD | END | COLON | flow;
        loop {
            let rest = &self.bytes[self.pos.min(self.bytes.len())..];
            self.pos += rest.iter().position(|byte| is(*byte, stops)).unwrap_or(rest.len());
            let byte = self.byte();
            if is(byte, BLANK | BREAK | END | flow) {
                return;
            }
            if byte == b':' {
                if self.is_blank_or_end(self.pos + 1) {
                    return;
                }
            } else if self.break_length(self.pos) > 0 {
                return;
            }
            self.pos += 1;
        }
    }

    /// The rest of a scalar after its first run: blanks inside it, further lines.
    fn finish_plain(&mut self, start: usize, end: &mut usize) -> Outcome<Content> {
        let indent = self.indent + 1;
        let mut built: Option<String> = None;
        let mut breaks = Breaks::default();
        loop {
            self.pass_plain_blanks(&mut breaks, indent)?;
            if !self.in_flow() && (self.column() as i32) < indent {
                break;
            }
            if self.column() == 0 && self.at_document_indicator() || self.byte() == b'#' {
                break;
            }
            let run = self.pos;
            self.pass_plain_run();
            if self.pos == run {
                break;
            }
            if !breaks.is_empty() {
                self.note_folded_dash(run);
                let out = built.get_or_insert_with(|| self.slice(start..*end).to_owned());
                breaks.fold_into(out);
                out.push_str(self.slice(run..self.pos));
            } else if let Some(out) = &mut built {
                out.push_str(self.slice(*end..self.pos));
            }
            *end = self.pos;
            if !is(self.byte(), BLANK) && !self.is_break(self.pos) {
                break;
            }
        }
        if !breaks.is_empty() {
            self.key_allowed = true;
        }
        Ok(match built {
            Some(text) => self.keep(text),
            None => Content::Source(start as u32, *end as u32),
        })
    }

    fn pass_plain_blanks(&mut self, breaks: &mut Breaks, indent: i32) -> Outcome<()> {
        loop {
            let byte = self.byte();
            if is(byte, BLANK) {
                if byte == b'\t' && !breaks.is_empty() && (self.column() as i32) < indent {
                    return self.fault(Problem::TabIndentation);
                }
                self.pos += 1;
            } else if self.is_break(self.pos) {
                breaks.push(self.pass_break());
            } else {
                return Ok(());
            }
        }
    }

    fn note_folded_dash(&mut self, run: usize) {
        if self.at(run) == b'-' && self.is_blank_or_end(run + 1) && !self.in_flow() {
            let end = run + self.slice(run..self.line_end(run)).trim_end().len();
            self.folded_dashes.push(Span::new(run as u32, end as u32));
        }
    }

    /// Stores a text that is not a range of the source.
    pub(super) fn keep(&mut self, text: String) -> Content {
        self.strings.push(text);
        Content::Built((self.strings.len() - 1) as u32)
    }
}
