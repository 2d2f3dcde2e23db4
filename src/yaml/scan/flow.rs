//! Quoted scalars.

use super::class::{BLANK, is};
use super::plain::Breaks;
use super::{Content, Scanner, TokenKind};
use crate::yaml::error::{Outcome, Problem};
use crate::yaml::node::{Span, Style};
use crate::yaml::text::char_end;

impl Scanner<'_> {
    pub(super) fn fetch_quoted(&mut self, style: Style) -> Outcome<()> {
        let key = self.save_key()?;
        self.key_allowed = false;
        let (start, line) = (self.pos, self.line);
        let content = self.scan_quoted(style == Style::SingleQuoted)?;
        self.push_token(TokenKind::Scalar, (start, line), style, content, key);
        Ok(())
    }

    fn scan_quoted(&mut self, single: bool) -> Outcome<Content> {
        let (opening, quote) = (self.pos, if single { b'\'' } else { b'"' });
        self.pos += 1;
        let mut built: Option<String> = None;
        // Start of the text that is still to be taken over as it stands.
        let mut segment = self.pos;
        loop {
            if self.column() == 0 && self.at_document_indicator() {
                return self.fault(Problem::UnexpectedDocumentIndicator);
            }
            if self.at_end() {
                return self.fault_at(Problem::UnexpectedEnd, Span::new(opening as u32, self.line_end(opening) as u32));
            }
            let escaped_break = self.pass_quoted_run(single, &mut built, &mut segment)?;
            if self.byte() == quote {
                break;
            }
            self.pass_quoted_blanks(escaped_break, &mut built, &mut segment);
        }
        let content = match built {
            None => Content::Source(segment as u32, self.pos as u32),
            Some(mut text) => {
                text.push_str(self.slice(segment..self.pos));
                self.keep(text)
            }
        };
        self.pos += 1;
        Ok(content)
    }

    /// Passes characters up to a blank or the closing quote; true if it stopped behind an escaped line break.
    fn pass_quoted_run(&mut self, single: bool, built: &mut Option<String>, segment: &mut usize) -> Outcome<bool> {
        while !self.is_blank_or_end(self.pos) {
            match (self.byte(), single) {
                (b'\'', true) if self.at(self.pos + 1) == b'\'' => {
                    built.get_or_insert_default().push_str(self.slice(*segment..self.pos + 1));
                    self.pos += 2;
                    *segment = self.pos;
                }
                (b'\'', true) | (b'"', false) => break,
                (b'\\', false) => {
                    let out = built.get_or_insert_default();
                    out.push_str(self.slice(*segment..self.pos));
                    if self.is_break(self.pos + 1) {
                        self.pos += 1;
                        self.pass_break();
                        *segment = self.pos;
                        return Ok(true);
                    }
                    self.pass_escape(out)?;
                    *segment = self.pos;
                }
                _ => self.pos += 1,
            }
        }
        Ok(false)
    }

    fn pass_quoted_blanks(&mut self, escaped_break: bool, built: &mut Option<String>, segment: &mut usize) {
        let blanks = self.pos;
        let mut breaks = Breaks::default();
        loop {
            if is(self.byte(), BLANK) {
                self.pos += 1;
            } else if self.is_break(self.pos) {
                let text = self.pass_break();
                if escaped_break { breaks.push_behind_escape(text) } else { breaks.push(text) }
            } else {
                break;
            }
        }
        if escaped_break || !breaks.is_empty() {
            let out = built.get_or_insert_default();
            if !escaped_break {
                out.push_str(self.slice(*segment..blanks));
            }
            breaks.fold_into(out);
            *segment = self.pos;
        }
    }

    fn pass_escape(&mut self, out: &mut String) -> Outcome<()> {
        let digits = match self.at(self.pos + 1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            byte => {
                let Some(text) = simple_escape(byte) else {
                    let end = (self.pos + 2).min(self.bytes.len());
                    let span = Span::new(self.pos as u32, char_end(self.text, end) as u32);
                    return self.fault_at(Problem::UnknownEscape, span);
                };
                out.push_str(text);
                self.pos += 2;
                return Ok(());
            }
        };
        let start = self.pos;
        self.pos += 2;
        let mut value = 0_u32;
        for index in 0..digits {
            let Some(digit) = char::from(self.at(self.pos + index)).to_digit(16) else {
                return self.fault_at(Problem::ExpectedHexDigit, Span::new(start as u32, (self.pos + index) as u32));
            };
            value = value.wrapping_shl(4) | digit;
        }
        let Some(character) = char::from_u32(value) else {
            return self.fault_at(Problem::InvalidEscapeCode, Span::new(start as u32, (self.pos + digits) as u32));
        };
        out.push(character);
        self.pos += digits;
        Ok(())
    }
}

fn simple_escape(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'0' => "\0",
        b'a' => "\x07",
        b'b' => "\x08",
        b't' | b'\t' => "\t",
        b'n' => "\n",
        b'v' => "\x0b",
        b'f' => "\x0c",
        b'r' => "\r",
        b'e' => "\x1b",
        b' ' => " ",
        b'"' => "\"",
        b'\'' => "'",
        b'\\' => "\\",
        b'N' => "\u{85}",
        b'_' => "\u{a0}",
        b'L' => "\u{2028}",
        b'P' => "\u{2029}",
        _ => return None,
    })
}
