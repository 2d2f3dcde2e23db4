//! Tokens to the written tree: aliases, tags and merge keys still stand as they were typed.

use std::collections::HashMap;

use super::error::{Fault, Outcome, Problem};
use super::node::{Span, Style};
use super::scalar::Tag;
use super::scan::{Content, Scanner, TagText, Token, TokenKind};

/// A node as written. Children follow their parent; `next` jumps over them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) kind: RawKind,
    pub(super) style: Style,
    pub(super) tag: Tag,
    pub(super) span: Span,
    /// Index of the node behind this one and its children.
    pub(super) next: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RawKind {
    Scalar(Content),
    /// The index of the anchored node.
    Alias(u32),
    Sequence {
        items: u32,
    },
    /// Keys and values take turns.
    Mapping {
        pairs: u32,
    },
}

/// Where the parser stands; each state knows what may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    BlockNode,
    DocumentContent,
    DocumentEnd,
    BlockSequenceFirst,
    BlockSequenceEntry,
    IndentlessEntry,
    BlockMappingFirst,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequenceEntry,
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
}

/// The written tree of one document; empty if the document has no content at all.
pub(super) struct Parser<'s> {
    text: &'s str,
    pub(super) scanner: Scanner<'s>,
    pub(super) nodes: Vec<Raw>,
    states: Vec<State>,
    /// The collections that are still open.
    open: Vec<u32>,
    anchors: HashMap<&'s str, u32>,
    handles: Vec<TagText>,
    /// Whether an alias occurs, so that scalars may be needed more than once.
    pub(super) has_alias: bool,
    /// Where the last token that was content ended.
    last_end: u32,
    /// What was seen behind the complete document.
    pub(super) behind: Option<Token>,
}

impl<'s> Parser<'s> {
    pub(super) fn new(text: &'s str, scanner: Scanner<'s>) -> Self {
        Self {
            text,
            scanner,
            nodes: Vec::with_capacity(64),
            states: Vec::with_capacity(16),
            open: Vec::with_capacity(16),
            anchors: HashMap::new(),
            handles: Vec::new(),
            has_alias: false,
            last_end: 0,
            behind: None,
        }
    }

    /// Reads the first YAML document.
    pub(super) fn parse(&mut self) -> Outcome<()> {
        let Some(mut state) = self.document_start()? else {
            return Ok(());
        };
        self.states.push(State::DocumentEnd);
        while state != State::DocumentEnd {
            state = self.step(state)?;
        }
        self.behind = Some(self.scanner.peek()?);
        Ok(())
    }

    fn step(&mut self, state: State) -> Outcome<State> {
        match state {
            State::BlockNode => self.node(true, false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => Ok(state),
            State::BlockSequenceFirst => {
                self.scanner.skip();
                self.block_sequence_entry()
            }
            State::BlockSequenceEntry => self.block_sequence_entry(),
            State::IndentlessEntry => self.indentless_entry(),
            State::BlockMappingFirst => {
                self.scanner.skip();
                self.block_mapping_key()
            }
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirst => self.flow_sequence_entry(true),
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_pair_value(),
            State::FlowPairEnd => {
                self.scanner.peek()?;
                self.close(self.last_end);
                Ok(State::FlowSequenceEntry)
            }
            State::FlowMappingFirst => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(),
            State::FlowMappingEmptyValue => {
                self.scanner.peek()?;
                self.empty_after_last();
                Ok(State::FlowMappingKey)
            }
        }
    }

    fn document_start(&mut self) -> Outcome<Option<State>> {
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::StreamEnd => Ok(None),
            TokenKind::VersionDirective | TokenKind::TagDirective | TokenKind::DocumentStart => {
                self.directives()?;
                let token = self.scanner.peek()?;
                if token.kind != TokenKind::DocumentStart {
                    return fault(Problem::ExpectedDocumentStart, token);
                }
                self.scanner.skip();
                self.last_end = token.span.end;
                Ok(Some(State::DocumentContent))
            }
            _ => Ok(Some(State::BlockNode)),
        }
    }

    fn directives(&mut self) -> Outcome<()> {
        let mut version = false;
        loop {
            let token = self.scanner.peek()?;
            match (token.kind, token.content) {
                (TokenKind::VersionDirective, _) if version => {
                    return fault(Problem::DuplicateVersion, token);
                }
                (TokenKind::VersionDirective, Content::Source(1, 1)) => version = true,
                (TokenKind::VersionDirective, _) => {
                    return fault(Problem::IncompatibleVersion, token);
                }
                (TokenKind::TagDirective, Content::Built(index)) => {
                    let directive = self.scanner.tags[index as usize].clone();
                    if self.handles.iter().any(|known| known.handle == directive.handle) {
                        return fault(Problem::DuplicateTagDirective, token);
                    }
                    self.handles.push(directive);
                }
                _ => return Ok(()),
            }
            self.scanner.skip();
        }
    }

    fn document_content(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::VersionDirective
            | TokenKind::TagDirective
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => {
                self.empty_after_last();
                Ok(self.pop())
            }
            _ => self.node(true, false),
        }
    }

    fn pop(&mut self) -> State {
        self.states.pop().unwrap_or(State::DocumentEnd)
    }

    /// A node: alias, or anchor and tag and then a scalar or collection.
    fn node(&mut self, block: bool, indentless: bool) -> Outcome<State> {
        let mut token = self.scanner.peek()?;
        if token.kind == TokenKind::Alias {
            return self.alias(token);
        }
        let mut anchor = None;
        let mut tag = None;
        if token.kind == TokenKind::Anchor {
            anchor = Some(self.take(token));
            token = self.scanner.peek()?;
            if token.kind == TokenKind::Tag {
                tag = Some(self.take(token));
                token = self.scanner.peek()?;
            }
        } else if token.kind == TokenKind::Tag {
            tag = Some(self.take(token));
            token = self.scanner.peek()?;
            if token.kind == TokenKind::Anchor {
                anchor = Some(self.take(token));
                token = self.scanner.peek()?;
            }
        }
        let resolved = match tag {
            Some(tag) => self.resolve_tag(tag)?,
            None => Tag::None,
        };
        if let Some(anchor) = anchor
            && let Content::Source(start, end) = anchor.content
        {
            self.anchors.insert(&self.text[start as usize..end as usize], self.nodes.len() as u32);
        }
        match token.kind {
            TokenKind::BlockEntry if indentless => {
                self.open(RawKind::Sequence { items: 0 }, Style::Block, resolved, token.span.start);
                Ok(State::IndentlessEntry)
            }
            TokenKind::Scalar => {
                self.take(token);
                self.push(RawKind::Scalar(token.content), token.style, resolved, token.span);
                Ok(self.pop())
            }
            TokenKind::FlowSequenceStart => {
                self.open(RawKind::Sequence { items: 0 }, Style::Flow, resolved, token.span.start);
                Ok(State::FlowSequenceFirst)
            }
            TokenKind::FlowMappingStart => {
                self.open(RawKind::Mapping { pairs: 0 }, Style::Flow, resolved, token.span.start);
                Ok(State::FlowMappingFirst)
            }
            TokenKind::BlockSequenceStart if block => {
                self.open(RawKind::Sequence { items: 0 }, Style::Block, resolved, token.span.start);
                Ok(State::BlockSequenceFirst)
            }
            TokenKind::BlockMappingStart if block => {
                self.open(RawKind::Mapping { pairs: 0 }, Style::Block, resolved, token.span.start);
                Ok(State::BlockMappingFirst)
            }
            _ if anchor.is_some() || tag.is_some() => {
                let place = Span::new(self.last_end, self.last_end);
                self.push(RawKind::Scalar(Content::Source(0, 0)), Style::Plain, resolved, place);
                Ok(self.pop())
            }
            _ => fault(Problem::ExpectedContent, token),
        }
    }

    fn alias(&mut self, token: Token) -> Outcome<State> {
        self.take(token);
        let Content::Source(start, end) = token.content else {
            return fault(Problem::UnknownAnchor, token);
        };
        let name = &self.text[start as usize..end as usize];
        let Some(target) = self.anchors.get(name) else {
            let detail = format!("unknown anchor '{name}' referenced");
            return Err(Fault::with_detail(Problem::UnknownAnchor, token.span, detail));
        };
        self.has_alias = true;
        self.push(RawKind::Alias(*target), Style::Plain, Tag::None, token.span);
        Ok(self.pop())
    }

    fn resolve_tag(&self, token: Token) -> Outcome<Tag> {
        let Content::Built(index) = token.content else {
            return Ok(Tag::None);
        };
        let TagText { handle, suffix } = &self.scanner.tags[index as usize];
        if handle.is_empty() {
            return Ok(Tag::from_name(suffix));
        }
        let prefix = match self.handles.iter().find(|known| known.handle == *handle) {
            Some(known) => known.suffix.as_str(),
            None if handle == "!" => "!",
            None if handle == "!!" => "tag:yaml.org,2002:",
            None => return fault(Problem::UndefinedTagHandle, token),
        };
        Ok(match Tag::from_name(&format!("{prefix}{suffix}")) {
            Tag::NonSpecific => Tag::Other,
            tag => tag,
        })
    }

    fn take(&mut self, token: Token) -> Token {
        self.scanner.skip();
        self.last_end = self.last_end.max(token.span.end);
        token
    }

    fn push(&mut self, kind: RawKind, style: Style, tag: Tag, span: Span) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Raw { kind, style, tag, span, next });
    }

    fn open(&mut self, kind: RawKind, style: Style, tag: Tag, start: u32) {
        self.open.push(self.nodes.len() as u32);
        self.push(kind, style, tag, Span::new(start, start));
    }

    /// Closes the innermost collection, which ends at `end`.
    fn close(&mut self, end: u32) {
        let next = self.nodes.len() as u32;
        if let Some(index) = self.open.pop() {
            let node = &mut self.nodes[index as usize];
            node.next = next;
            node.span.end = end.max(node.span.start);
        }
    }

    /// Counts an item or pair of the innermost collection.
    fn count(&mut self) {
        if let Some(index) = self.open.last() {
            match &mut self.nodes[*index as usize].kind {
                RawKind::Sequence { items } => *items += 1,
                RawKind::Mapping { pairs } => *pairs += 1,
                RawKind::Scalar(_) | RawKind::Alias(_) => {}
            }
        }
    }

    /// An empty value right behind what was read last.
    fn empty_after_last(&mut self) {
        let place = Span::new(self.last_end, self.last_end);
        self.push(RawKind::Scalar(Content::Source(0, 0)), Style::Plain, Tag::None, place);
    }

    fn block_sequence_entry(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::BlockEntry => {
                self.take(token);
                self.count();
                let token = self.scanner.peek()?;
                if matches!(token.kind, TokenKind::BlockEntry | TokenKind::BlockEnd) {
                    self.empty_after_last();
                    return Ok(State::BlockSequenceEntry);
                }
                self.states.push(State::BlockSequenceEntry);
                self.node(true, false)
            }
            TokenKind::BlockEnd => self.end_block(),
            _ => fault(Problem::ExpectedDash, token),
        }
    }

    fn end_block(&mut self) -> Outcome<State> {
        self.scanner.skip();
        self.close(self.last_end);
        Ok(self.pop())
    }

    fn indentless_entry(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        if token.kind != TokenKind::BlockEntry {
            self.close(self.last_end);
            return Ok(self.pop());
        }
        self.take(token);
        self.count();
        let token = self.scanner.peek()?;
        if matches!(token.kind, TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
            self.empty_after_last();
            return Ok(State::IndentlessEntry);
        }
        self.states.push(State::IndentlessEntry);
        self.node(true, false)
    }

    fn block_mapping_key(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::Key => {
                self.take(token);
                self.count();
                let token = self.scanner.peek()?;
                if matches!(token.kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                    self.empty_after_last();
                    return Ok(State::BlockMappingValue);
                }
                self.states.push(State::BlockMappingValue);
                self.node(true, true)
            }
            TokenKind::BlockEnd => self.end_block(),
            _ => fault(Problem::ExpectedKey, token),
        }
    }

    fn block_mapping_value(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        if token.kind == TokenKind::Value {
            self.take(token);
            let token = self.scanner.peek()?;
            if !matches!(token.kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                self.states.push(State::BlockMappingKey);
                return self.node(true, true);
            }
        }
        self.empty_after_last();
        Ok(State::BlockMappingKey)
    }

    fn end_flow(&mut self, token: Token) -> Outcome<State> {
        self.take(token);
        self.close(token.span.end);
        Ok(self.pop())
    }

    /// Passes the opening bracket, or the comma between two entries.
    fn flow_separator(&mut self, first: bool, end: TokenKind, missing: Problem) -> Outcome<Token> {
        let mut token = self.scanner.peek()?;
        if first {
            self.take(token);
            token = self.scanner.peek()?;
        } else if token.kind == TokenKind::FlowEntry {
            self.take(token);
            token = self.scanner.peek()?;
        } else if token.kind != end {
            return fault(missing, token);
        }
        Ok(token)
    }

    fn flow_sequence_entry(&mut self, first: bool) -> Outcome<State> {
        let token = self.flow_separator(first, TokenKind::FlowSequenceEnd, Problem::ExpectedCommaOrBracket)?;
        match token.kind {
            TokenKind::FlowSequenceEnd => self.end_flow(token),
            TokenKind::Key => {
                self.count();
                self.open(RawKind::Mapping { pairs: 1 }, Style::Flow, Tag::None, token.span.start);
                self.take(token);
                Ok(State::FlowPairKey)
            }
            _ => {
                self.count();
                self.states.push(State::FlowSequenceEntry);
                self.node(false, false)
            }
        }
    }

    fn flow_pair_key(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        if matches!(token.kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
            // go-yaml takes this token away.
            self.take(token);
            self.empty_after_last();
            return Ok(State::FlowPairValue);
        }
        self.states.push(State::FlowPairValue);
        self.node(false, false)
    }

    fn flow_pair_value(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        if token.kind == TokenKind::Value {
            self.take(token);
            let token = self.scanner.peek()?;
            if !matches!(token.kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                self.states.push(State::FlowPairEnd);
                return self.node(false, false);
            }
        }
        self.empty_after_last();
        Ok(State::FlowPairEnd)
    }

    fn flow_mapping_key(&mut self, first: bool) -> Outcome<State> {
        let token = self.flow_separator(first, TokenKind::FlowMappingEnd, Problem::ExpectedCommaOrBrace)?;
        match token.kind {
            TokenKind::FlowMappingEnd => self.end_flow(token),
            TokenKind::Key => {
                self.take(token);
                self.count();
                let token = self.scanner.peek()?;
                if matches!(token.kind, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
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

    fn flow_mapping_value(&mut self) -> Outcome<State> {
        let token = self.scanner.peek()?;
        if token.kind == TokenKind::Value {
            self.take(token);
            let token = self.scanner.peek()?;
            if !matches!(token.kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                self.states.push(State::FlowMappingKey);
                return self.node(false, false);
            }
        }
        self.empty_after_last();
        Ok(State::FlowMappingKey)
    }
}

/// An error of the parser: go-yaml names the line before the one meant.
fn fault<T>(problem: Problem, token: Token) -> Outcome<T> {
    Err(Fault::boxed(problem, token.span, token.line))
}
