//! Collections in brackets.

use super::{Parser, RawKind, State};
use crate::yaml::error::{Outcome, Problem};
use crate::yaml::node::Style;
use crate::yaml::scalar::Tag;
use crate::yaml::scan::TokenKind;

impl Parser<'_> {
    fn end_flow(&mut self) -> Outcome<State> {
        let end = self.take().span.end;
        self.close(end);
        Ok(self.pop())
    }

    /// Passes the opening bracket, or the comma between two entries.
    fn flow_separator(&mut self, first: bool, end: TokenKind, missing: Problem) -> Outcome<TokenKind> {
        let kind = self.scanner.peek()?;
        if !first && kind == end {
            return Ok(kind);
        }
        if !first && kind != TokenKind::FlowEntry {
            return self.fault(missing);
        }
        self.take();
        self.scanner.peek()
    }

    pub(super) fn flow_sequence_entry(&mut self, first: bool) -> Outcome<State> {
        match self.flow_separator(first, TokenKind::FlowSequenceEnd, Problem::ExpectedCommaOrBracket)? {
            TokenKind::FlowSequenceEnd => self.end_flow(),
            TokenKind::Key => {
                self.count();
                let state = self.open(RawKind::Mapping { pairs: 1 }, Style::Flow, Tag::None, State::FlowPairKey);
                self.take();
                Ok(state)
            }
            _ => {
                self.count();
                self.states.push(State::FlowSequenceEntry);
                self.node(false, false)
            }
        }
    }

    pub(super) fn flow_pair_key(&mut self) -> Outcome<State> {
        let kind = self.scanner.peek()?;
        if matches!(kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
            // go-yaml takes this token away.
            self.take();
            self.empty_after_last();
            return Ok(State::FlowPairValue);
        }
        self.states.push(State::FlowPairValue);
        self.node(false, false)
    }

    pub(super) fn flow_pair_value(&mut self) -> Outcome<State> {
        let kind = self.scanner.peek()?;
        if kind == TokenKind::Value {
            self.take();
            let kind = self.scanner.peek()?;
            if !matches!(kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                self.states.push(State::FlowPairEnd);
                return self.node(false, false);
            }
        }
        self.empty_after_last();
        Ok(State::FlowPairEnd)
    }

    pub(super) fn flow_mapping_key(&mut self, first: bool) -> Outcome<State> {
        match self.flow_separator(first, TokenKind::FlowMappingEnd, Problem::ExpectedCommaOrBrace)? {
            TokenKind::FlowMappingEnd => self.end_flow(),
            TokenKind::Key => {
                self.take();
                self.count();
                let kind = self.scanner.peek()?;
                if matches!(kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                    self.empty_after_last();
                    return Ok(State::FlowMappingValue);
                }
                self.states.push(State::FlowMappingValue);
                self.node(false, false)
            }
            _ => {
                self.count();
                self.states.push(State::FlowMappingEmptyValue);
                self.node(false, false)
            }
        }
    }

    pub(super) fn flow_mapping_value(&mut self) -> Outcome<State> {
        let kind = self.scanner.peek()?;
        if kind == TokenKind::Value {
            self.take();
            let kind = self.scanner.peek()?;
            if !matches!(kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                self.states.push(State::FlowMappingKey);
                return self.node(false, false);
            }
        }
        self.empty_after_last();
        Ok(State::FlowMappingKey)
    }
}
