//! Keys that are only known by their colon, and the indentation that opens and closes collections.

use super::{Content, MAX_DEPTH, MAX_KEY, NO_KEY, Scanner, SimpleKey, Token, TokenKind};
use crate::yaml::error::{Outcome, Problem};
use crate::yaml::node::{Span, Style};

impl Scanner<'_> {
    /// Whether the next token was saved at `level` and is still waiting for its colon.
    pub(super) fn may_become_key(&mut self, level: usize) -> Outcome<bool> {
        match self.keys.get(level) {
            Some(key) if key.possible && key.token == self.taken => self.key_is_live(level),
            _ => Ok(false),
        }
    }

    /// Whether the token saved at `level` may still become a key: the same line, at most 1024 characters on.
    pub(super) fn key_is_live(&mut self, level: usize) -> Outcome<bool> {
        let key = self.keys[level];
        if !key.possible {
            return Ok(false);
        }
        if key.line == self.line && self.distance_from(key.start as usize) <= MAX_KEY {
            return Ok(true);
        }
        if key.required {
            return self.missing_colon(key);
        }
        self.keys[level].possible = false;
        Ok(false)
    }

    /// Characters between `start` and here, counted one by one only where it matters.
    fn distance_from(&self, start: usize) -> usize {
        let bytes = self.pos - start;
        if bytes <= MAX_KEY { bytes } else { self.slice(start..self.pos).chars().take(MAX_KEY + 1).count() }
    }

    fn missing_colon<T>(&self, key: SimpleKey) -> Outcome<T> {
        let start = key.start as usize;
        let end = start + self.slice(start..self.line_end(start)).trim_end().len();
        self.fault_at(Problem::MissingColon, Span::new(key.start, end as u32))
    }

    /// Notes that the token that comes next may become a key, and returns the level to note in the token.
    pub(super) fn save_key(&mut self) -> Outcome<u32> {
        if !self.key_allowed {
            return Ok(NO_KEY);
        }
        self.remove_key()?;
        let level = self.keys.len() - 1;
        let column = self.column();
        self.keys[level] = SimpleKey {
            possible: true,
            required: level == 0 && self.indent == column as i32,
            token: self.taken + (self.queue.len() - self.head) as u32,
            start: self.pos as u32,
            line: self.line,
            column: column as u32,
        };
        Ok(level as u32)
    }

    pub(super) fn remove_key(&mut self) -> Outcome<()> {
        let level = self.keys.len() - 1;
        let key = self.keys[level];
        if key.possible {
            if key.required {
                return self.missing_colon(key);
            }
            self.keys[level].possible = false;
        }
        Ok(())
    }

    /// Opens a block collection if `column` is deeper than the current one.
    pub(super) fn roll_indent(
        &mut self,
        column: i32,
        index: Option<usize>,
        kind: TokenKind,
        start: usize,
        line: u32,
    ) -> Outcome<()> {
        if self.in_flow() || self.indent >= column {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column;
        if self.indents.len() > MAX_DEPTH {
            return self.fault(Problem::TooDeep);
        }
        let start = start as u32;
        let span = Span::new(start, start);
        let token = Token { kind, style: Style::Block, span, line, key_level: NO_KEY, content: Content::Source(0, 0) };
        self.queue.insert(index.unwrap_or(self.queue.len()), token);
        Ok(())
    }

    /// Closes the block collections that are deeper than `column`.
    pub(super) fn unroll_indent(&mut self, column: i32) {
        if self.in_flow() {
            return;
        }
        while self.indent > column {
            self.push(TokenKind::BlockEnd, self.pos);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }
}
