//! Text to tokens, by the rules of go-yaml.
//!
//! The scanner reads one document. A token that might turn out to be a key (`name` before it sees the `:`) stays in the
//! queue until that is known; then the KEY token is put before it.

mod block;
mod class;
mod flow;
mod key;
mod plain;
mod property;
mod token;

use std::ops::Range;

use class::{BLANK, BREAK, END, LEAD, is};
pub(super) use token::{Content, TagText, Token, TokenKind};
use token::{NO_KEY, SimpleKey};

use super::comment::Comment;
use super::error::{Fault, Outcome, Problem};
use super::node::{Span, Style};

/// Depth of brackets and of indentation that go-yaml allows.
const MAX_DEPTH: usize = 10_000;
/// Characters between the start of a key and its colon.
const MAX_KEY: usize = 1024;

/// Tokens that were taken are cleared away when there are so many.
const MAX_TAKEN: usize = 4096;

pub(super) struct Scanner<'s> {
    text: &'s str,
    /// The source up to the end of the document.
    bytes: &'s [u8],
    /// kubectl ends the last line with LF if the file does not.
    missing_newline: bool,
    /// Whether U+0085, U+2028 or U+2029 occur.
    exotic_breaks: bool,
    pos: usize,
    line: u32,
    line_start: usize,
    /// Column of the current block collection; -1 outside of any.
    indent: i32,
    indents: Vec<i32>,
    key_allowed: bool,
    keys: Vec<SimpleKey>,
    queue: Vec<Token>,
    head: usize,
    /// How many tokens were taken from the queue.
    taken: u32,
    pub(super) strings: Vec<String>,
    pub(super) tags: Vec<TagText>,
    pub(super) comments: Vec<Comment>,
    /// Lines `- y` that became part of the plain scalar above.
    pub(super) folded_dashes: Vec<Span>,
    scratch: String,
}

impl<'s> Scanner<'s> {
    /// A scanner for documents of `text`; each one is begun with [`Scanner::start`].
    pub(super) fn new(text: &'s str, exotic_breaks: bool) -> Self {
        Self {
            text,
            bytes: &[],
            missing_newline: false,
            exotic_breaks,
            pos: 0,
            line: 0,
            line_start: 0,
            indent: -1,
            indents: Vec::new(),
            key_allowed: true,
            keys: Vec::new(),
            queue: Vec::new(),
            head: 0,
            taken: 0,
            strings: Vec::new(),
            tags: Vec::new(),
            comments: Vec::new(),
            folded_dashes: Vec::new(),
            scratch: String::new(),
        }
    }

    /// Begins the document at `range`.
    pub(super) fn start(&mut self, range: Range<usize>) {
        self.bytes = &self.text.as_bytes()[..range.end];
        self.missing_newline = range.end == self.text.len() && self.bytes.last().is_some_and(|byte| *byte != b'\n');
        self.pos = range.start + if self.text[range].starts_with('\u{feff}') { 3 } else { 0 };
        self.line = 0;
        self.line_start = self.pos;
        self.indent = -1;
        self.indents.clear();
        self.key_allowed = true;
        self.keys.clear();
        self.keys.push(SimpleKey::default());
        self.queue.clear();
        self.head = 0;
        self.taken = 0;
        self.strings.clear();
        self.tags.clear();
        self.comments.clear();
        self.folded_dashes.clear();
    }

    /// How far the source has been looked at.
    pub(super) fn position(&self) -> usize {
        self.pos.min(self.bytes.len())
    }

    /// The kind of the next token, which stays the next one.
    #[inline]
    pub(super) fn peek(&mut self) -> Outcome<TokenKind> {
        loop {
            if let Some(token) = self.queue.get(self.head)
                && (token.key_level == NO_KEY || !self.may_become_key(token.key_level as usize)?)
            {
                return Ok(self.queue[self.head].kind);
            }
            self.fetch()?;
        }
    }

    /// The token whose kind [`Scanner::peek`] gave.
    #[inline]
    pub(super) fn token(&self) -> Token {
        self.queue[self.head]
    }

    /// Takes the token that [`Scanner::peek`] gave.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.head += 1;
        self.taken += 1;
        if self.head == self.queue.len() {
            self.queue.clear();
            self.head = 0;
        } else if self.head == MAX_TAKEN {
            self.queue.drain(..self.head);
            self.head = 0;
        }
    }

    #[inline(always)]
    fn at(&self, index: usize) -> u8 {
        match self.bytes.get(index) {
            Some(byte) => *byte,
            None if index == self.bytes.len() && self.missing_newline => b'\n',
            None => 0,
        }
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.at(self.pos)
    }

    #[inline(always)]
    fn column(&self) -> usize {
        self.pos - self.line_start
    }

    fn at_end(&self) -> bool {
        self.byte() == 0
    }

    /// Length of the line break at `index`; 0 if there is none. kubectl drops a CR before an LF first, and go-yaml then
    /// takes CR LF as one break.
    #[inline]
    fn break_length(&self, index: usize) -> usize {
        match self.at(index) {
            b'\n' => 1,
            b'\r' if self.at(index + 1) == b'\n' => 2,
            b'\r' if self.at(index + 1) == b'\r' && self.at(index + 2) == b'\n' => 3,
            b'\r' => 1,
            0xC2 if self.at(index + 1) == 0x85 => 2,
            0xE2 if self.at(index + 1) == 0x80 && matches!(self.at(index + 2), 0xA8 | 0xA9) => 3,
            _ => 0,
        }
    }

    #[inline]
    fn is_break(&self, index: usize) -> bool {
        is(self.at(index), BREAK | LEAD) && self.break_length(index) > 0
    }

    /// Blank, line break or end.
    #[inline(always)]
    fn is_blank_or_end(&self, index: usize) -> bool {
        let byte = self.at(index);
        is(byte, BLANK | BREAK | END) || (is(byte, LEAD) && self.break_length(index) > 0)
    }

    /// Line break or end.
    #[inline]
    fn is_line_end(&self, index: usize) -> bool {
        let byte = self.at(index);
        is(byte, BREAK | END) || (is(byte, LEAD) && self.break_length(index) > 0)
    }

    /// Passes a line break, and returns what a scalar makes of it.
    fn pass_break(&mut self) -> &'static str {
        let text = match (self.byte(), self.at(self.pos + 2)) {
            (0xE2, 0xA8) => "\u{2028}",
            (0xE2, 0xA9) => "\u{2029}",
            _ => "\n",
        };
        self.pos += self.break_length(self.pos).max(1);
        self.line += 1;
        self.line_start = self.pos;
        text
    }

    fn slice(&self, range: Range<usize>) -> &'s str {
        let end = range.end.min(self.bytes.len());
        self.text.get(range.start.min(end)..end).unwrap_or_default()
    }

    /// The end of the line that starts or goes on at `from`, found without a look at each byte.
    fn line_end(&self, from: usize) -> usize {
        let from = from.min(self.bytes.len());
        let end = match memchr::memchr2(b'\n', b'\r', &self.bytes[from..]) {
            Some(length) => from + length,
            None => self.bytes.len(),
        };
        if !self.exotic_breaks {
            return end;
        }
        (from..end).find(|index| self.is_break(*index)).unwrap_or(end)
    }

    fn fault<T>(&self, problem: Problem) -> Outcome<T> {
        let start = self.pos.min(self.bytes.len());
        let length = self.slice(start..self.bytes.len()).chars().next().map_or(0, char::len_utf8);
        self.fault_at(problem, Span::new(start as u32, (start + length) as u32))
    }

    /// An error of the scanner: go-yaml names the line where it stands, and none on the first one.
    fn fault_at<T>(&self, problem: Problem, span: Span) -> Outcome<T> {
        Err(Fault::boxed(problem, span, if self.line == 0 { 0 } else { self.line + 1 }))
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.push_token(kind, (start, self.line), Style::Plain, Content::Source(0, 0), NO_KEY);
    }

    fn push_token(
        &mut self,
        kind: TokenKind,
        (start, line): (usize, u32),
        style: Style,
        content: Content,
        key_level: u32,
    ) {
        let end = self.pos.min(self.bytes.len());
        let span = Span::new(start.min(end) as u32, end as u32);
        self.queue.push(Token { kind, style, span, line, key_level, content });
    }

    /// Reads the next token or tokens into the queue.
    fn fetch(&mut self) -> Outcome<()> {
        self.pass_blanks();
        self.unroll_indent(self.column() as i32);
        let byte = self.byte();
        if byte == 0 {
            return self.fetch_stream_end();
        }
        if self.column() == 0 {
            match byte {
                b'%' => return self.fetch_directive(),
                b'-' | b'.' if self.at_document_indicator() => {
                    return self.fetch_document_indicator();
                }
                _ => {}
            }
        }
        match byte {
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if self.is_blank_or_end(self.pos + 1) => self.fetch_block_entry(),
            b'?' if self.in_flow() || self.is_blank_or_end(self.pos + 1) => self.fetch_key(),
            b':' if self.in_flow() || self.is_blank_or_end(self.pos + 1) => self.fetch_value(),
            b'*' => self.fetch_anchor(TokenKind::Alias),
            b'&' => self.fetch_anchor(TokenKind::Anchor),
            b'!' => self.fetch_tag(),
            b'|' if !self.in_flow() => self.fetch_block_scalar(Style::Literal),
            b'>' if !self.in_flow() => self.fetch_block_scalar(Style::Folded),
            b'\'' => self.fetch_quoted(Style::SingleQuoted),
            b'"' => self.fetch_quoted(Style::DoubleQuoted),
            b'#' | b'%' | b'@' | b'`' | b'|' | b'>' | b' ' | b'\t' => self.fault(Problem::CannotStartToken),
            _ => self.fetch_plain(),
        }
    }

    fn in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    /// Passes blanks, comments and line breaks up to the next token. In block context a tab is a blank only where no key
    /// may start: that is why tabs cannot indent.
    fn pass_blanks(&mut self) {
        loop {
            let tabs = self.in_flow() || !self.key_allowed;
            while self.byte() == b' ' || (tabs && self.byte() == b'\t') {
                self.pos += 1;
            }
            if self.byte() == b'#' {
                self.pass_comment();
            }
            if !self.is_break(self.pos) {
                return;
            }
            self.pass_break();
            if !self.in_flow() {
                self.key_allowed = true;
            }
        }
    }

    fn pass_comment(&mut self) {
        let start = self.pos;
        self.pos = self.line_end(start);
        let own_line = self.bytes[self.line_start..start].iter().all(|byte| is(*byte, BLANK));
        self.comments.push(Comment { span: Span::new(start as u32, self.pos as u32), own_line });
    }

    fn at_document_indicator(&self) -> bool {
        let three = [self.byte(), self.at(self.pos + 1), self.at(self.pos + 2)];
        (three == *b"---" || three == *b"...") && self.is_blank_or_end(self.pos + 3)
    }

    fn fetch_stream_end(&mut self) -> Outcome<()> {
        if self.column() > 0 {
            // Only at a NUL in the text. The line ends here, so that no key waits for its colon.
            self.line += 1;
            self.line_start = self.pos;
        }
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.push(TokenKind::StreamEnd, self.pos);
        Ok(())
    }

    fn fetch_document_indicator(&mut self) -> Outcome<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let (start, kind) =
            (self.pos, if self.byte() == b'-' { TokenKind::DocumentStart } else { TokenKind::DocumentEnd });
        self.pos += 3;
        self.push(kind, start);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind) -> Outcome<()> {
        let key = self.save_key()?;
        if self.keys.len() > MAX_DEPTH {
            return self.fault(Problem::TooDeep);
        }
        self.keys.push(SimpleKey::default());
        self.key_allowed = true;
        self.pos += 1;
        self.push_token(kind, (self.pos - 1, self.line), Style::Flow, Content::Source(0, 0), key);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind) -> Outcome<()> {
        self.remove_key()?;
        if self.in_flow() {
            self.keys.pop();
        }
        self.key_allowed = false;
        self.pos += 1;
        self.push(kind, self.pos - 1);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Outcome<()> {
        self.remove_key()?;
        self.key_allowed = true;
        self.pos += 1;
        self.push(TokenKind::FlowEntry, self.pos - 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Outcome<()> {
        if !self.in_flow() {
            if !self.key_allowed {
                return self.fault(Problem::SequenceEntryNotAllowed);
            }
            self.roll_indent(self.column() as i32, None, TokenKind::BlockSequenceStart, self.pos, self.line)?;
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.pos += 1;
        self.push(TokenKind::BlockEntry, self.pos - 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Outcome<()> {
        if !self.in_flow() {
            if !self.key_allowed {
                return self.fault(Problem::MappingKeyNotAllowed);
            }
            self.roll_indent(self.column() as i32, None, TokenKind::BlockMappingStart, self.pos, self.line)?;
        }
        self.remove_key()?;
        self.key_allowed = !self.in_flow();
        self.pos += 1;
        self.push(TokenKind::Key, self.pos - 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Outcome<()> {
        let level = self.keys.len() - 1;
        if self.key_is_live(level)? {
            let key = self.keys[level];
            let start = key.start;
            let token = Token {
                kind: TokenKind::Key,
                style: Style::Plain,
                span: Span::new(start, start),
                line: key.line,
                key_level: NO_KEY,
                content: Content::Source(0, 0),
            };
            let index = self.head + (key.token - self.taken) as usize;
            self.queue.insert(index, token);
            self.roll_indent(key.column as i32, Some(index), TokenKind::BlockMappingStart, start as usize, key.line)?;
            self.keys[level].possible = false;
            self.key_allowed = false;
        } else {
            if !self.in_flow() {
                if !self.key_allowed {
                    return self.fault(Problem::MappingValueNotAllowed);
                }
                self.roll_indent(self.column() as i32, None, TokenKind::BlockMappingStart, self.pos, self.line)?;
            }
            self.key_allowed = !self.in_flow();
        }
        self.pos += 1;
        self.push(TokenKind::Value, self.pos - 1);
        Ok(())
    }
}
