//! Block scalars: `|` and `>`.

use super::class::{BLANK, is};
use super::{NO_KEY, Scanner, TokenKind};
use crate::yaml::error::{Outcome, Problem};
use crate::yaml::node::Style;

/// What the line of `|` or `>` says.
#[derive(Default)]
struct Header {
    strip: bool,
    keep: bool,
    /// Columns more than the parent's; 0 = to be found out.
    increment: i32,
}

impl Scanner<'_> {
    pub(super) fn fetch_block_scalar(&mut self, style: Style) -> Outcome<()> {
        self.remove_key()?;
        self.key_allowed = true;
        let (start, line) = (self.pos, self.line);
        self.pos += 1;
        let header = self.scan_block_header()?;
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        let mut end = self.pos.min(self.bytes.len());
        if self.is_break(self.pos) {
            self.pass_break();
        }
        self.scan_block_text(style == Style::Literal, &header, &mut out, &mut end)?;
        let content = self.keep(out.as_str().into());
        self.scratch = out;
        let behind = std::mem::replace(&mut self.pos, end);
        self.push_token(TokenKind::Scalar, (start, line), style, content, NO_KEY);
        self.pos = behind;
        Ok(())
    }

    fn scan_block_header(&mut self) -> Outcome<Header> {
        let mut header = Header::default();
        self.scan_chomping(&mut header);
        if self.byte().is_ascii_digit() {
            if self.byte() == b'0' {
                return self.fault(Problem::ZeroIndentation);
            }
            header.increment = i32::from(self.byte() - b'0');
            self.pos += 1;
            if !header.strip && !header.keep {
                self.scan_chomping(&mut header);
            }
        }
        let end = self.pos;
        while is(self.byte(), BLANK) {
            self.pos += 1;
        }
        if self.byte() == b'#' {
            self.pass_comment();
        }
        if !self.is_line_end(self.pos) {
            return self.fault(Problem::TextAfterHeader);
        }
        if self.at_end() {
            self.pos = end.max(self.pos);
        }
        Ok(header)
    }

    fn scan_chomping(&mut self, header: &mut Header) {
        match self.byte() {
            b'-' => header.strip = true,
            b'+' => header.keep = true,
            _ => return,
        }
        self.pos += 1;
    }

    fn scan_block_text(&mut self, literal: bool, header: &Header, out: &mut String, end: &mut usize) -> Outcome<()> {
        let mut indent = match header.increment {
            0 => 0,
            increment => (self.indent.max(0) + increment) as usize,
        };
        let mut leading_break = "";
        let mut breaks = String::new();
        let mut leading_blank = false;
        self.pass_block_breaks(&mut indent, &mut breaks)?;
        while self.column() == indent && !self.at_end() {
            let blank = is(self.byte(), BLANK);
            if !literal && !leading_blank && !blank && leading_break == "\n" {
                if breaks.is_empty() {
                    out.push(' ');
                }
            } else {
                out.push_str(leading_break);
            }
            out.push_str(&breaks);
            breaks.clear();
            leading_blank = blank;
            *end = self.line_end(self.pos);
            out.push_str(self.slice(self.pos..*end));
            self.pos = *end;
            leading_break = if self.at_end() { "" } else { self.pass_break() };
            self.pass_block_breaks(&mut indent, &mut breaks)?;
        }
        if !header.strip {
            out.push_str(leading_break);
        }
        if header.keep {
            out.push_str(&breaks);
        }
        Ok(())
    }

    /// Passes the indentation of a line and the blank lines before it; sets the indentation if `indent` is 0.
    fn pass_block_breaks(&mut self, indent: &mut usize, breaks: &mut String) -> Outcome<()> {
        let mut deepest = 0;
        loop {
            while self.byte() == b' ' && (*indent == 0 || self.column() < *indent) {
                self.pos += 1;
            }
            deepest = deepest.max(self.column());
            if self.byte() == b'\t' && (*indent == 0 || self.column() < *indent) {
                return self.fault(Problem::TabInBlockScalar);
            }
            if !self.is_break(self.pos) {
                break;
            }
            breaks.push_str(self.pass_break());
        }
        if *indent == 0 {
            *indent = deepest.max((self.indent + 1) as usize).max(1);
        }
        Ok(())
    }
}
