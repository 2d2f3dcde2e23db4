//! Tokens to the written tree: aliases, tags and merge keys still stand as they were typed.

mod flow;

use std::collections::HashMap;
use std::ops::Range;

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

const SEQUENCE: RawKind = RawKind::Sequence { items: 0 };
const MAPPING: RawKind = RawKind::Mapping { pairs: 0 };

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
    pub(super) fn new(text: &'s str, exotic_breaks: bool) -> Self {
        Self {
            text,
            scanner: Scanner::new(text, exotic_breaks),
            nodes: Vec::new(),
            states: Vec::new(),
            open: Vec::new(),
            anchors: HashMap::new(),
            handles: Vec::new(),
            has_alias: false,
            last_end: 0,
            behind: None,
        }
    }

    /// Reads the first YAML document in the text at `range`.
    pub(super) fn parse(&mut self, range: Range<usize>) -> Outcome<()> {
        self.last_end = range.start as u32;
        self.scanner.start(range);
        self.nodes.clear();
        self.states.clear();
        self.open.clear();
        self.anchors.clear();
        self.handles.clear();
        self.has_alias = false;
        self.behind = None;
        let Some(mut state) = self.document_start()? else {
            return Ok(());
        };
        self.states.push(State::DocumentEnd);
        while state != State::DocumentEnd {
            state = self.step(state)?;
        }
        self.scanner.peek()?;
        self.behind = Some(self.scanner.token());
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
        match self.scanner.peek()? {
            TokenKind::StreamEnd => Ok(None),
            TokenKind::VersionDirective | TokenKind::TagDirective | TokenKind::DocumentStart => {
                self.directives()?;
                if self.scanner.peek()? != TokenKind::DocumentStart {
                    return self.fault(Problem::ExpectedDocumentStart);
                }
                self.take();
                Ok(Some(State::DocumentContent))
            }
            _ => Ok(Some(State::BlockNode)),
        }
    }

    fn directives(&mut self) -> Outcome<()> {
        let mut version = false;
        loop {
            let kind = self.scanner.peek()?;
            match (kind, self.scanner.token().content) {
                (TokenKind::VersionDirective, _) if version => return self.fault(Problem::DuplicateVersion),
                (TokenKind::VersionDirective, Content::Source(1, 1)) => version = true,
                (TokenKind::VersionDirective, _) => return self.fault(Problem::IncompatibleVersion),
                (TokenKind::TagDirective, Content::Built(index)) => {
                    let directive = self.scanner.tags[index as usize].clone();
                    if self.handles.iter().any(|known| known.handle == directive.handle) {
                        return self.fault(Problem::DuplicateTagDirective);
                    }
                    self.handles.push(directive);
                }
                _ => return Ok(()),
            }
            self.scanner.skip();
        }
    }

    fn document_content(&mut self) -> Outcome<State> {
        match self.scanner.peek()? {
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
        let mut kind = self.scanner.peek()?;
        let mut tag = Tag::None;
        let mut has_property = false;
        match kind {
            TokenKind::Alias => return self.alias(),
            TokenKind::Anchor | TokenKind::Tag => {
                tag = self.properties(kind)?;
                has_property = true;
                kind = self.scanner.peek()?;
            }
            _ => {}
        }
        match kind {
            TokenKind::Scalar => {
                let token = self.take();
                self.push(RawKind::Scalar(token.content), token.style, tag, token.span);
                Ok(self.pop())
            }
            TokenKind::BlockMappingStart if block => {
                Ok(self.open(MAPPING, Style::Block, tag, State::BlockMappingFirst))
            }
            TokenKind::BlockSequenceStart if block => {
                Ok(self.open(SEQUENCE, Style::Block, tag, State::BlockSequenceFirst))
            }
            TokenKind::FlowMappingStart => Ok(self.open(MAPPING, Style::Flow, tag, State::FlowMappingFirst)),
            TokenKind::FlowSequenceStart => Ok(self.open(SEQUENCE, Style::Flow, tag, State::FlowSequenceFirst)),
            TokenKind::BlockEntry if indentless => Ok(self.open(SEQUENCE, Style::Block, tag, State::IndentlessEntry)),
            _ if has_property => {
                let place = Span::new(self.last_end, self.last_end);
                self.push(RawKind::Scalar(Content::Source(0, 0)), Style::Plain, tag, place);
                Ok(self.pop())
            }
            _ => self.fault(Problem::ExpectedContent),
        }
    }

    /// Takes an anchor, a tag, or both in either order; gives the tag.
    fn properties(&mut self, first: TokenKind) -> Outcome<Tag> {
        let mut tokens = vec![self.take()];
        let second = self.scanner.peek()?;
        if second != first && matches!(second, TokenKind::Anchor | TokenKind::Tag) {
            tokens.push(self.take());
            self.scanner.peek()?;
        }
        let mut tag = Tag::None;
        for token in &tokens {
            match token.content {
                Content::Built(index) => tag = self.resolve_tag(token, index)?,
                Content::Source(start, end) => {
                    self.anchors.insert(&self.text[start as usize..end as usize], self.nodes.len() as u32);
                }
            }
        }
        Ok(tag)
    }

    fn alias(&mut self) -> Outcome<State> {
        let token = self.take();
        let name = match token.content {
            Content::Source(start, end) => &self.text[start as usize..end as usize],
            Content::Built(_) => "",
        };
        let Some(target) = self.anchors.get(name) else {
            let detail = format!("unknown anchor '{name}' referenced");
            return Err(Fault::with_detail(Problem::UnknownAnchor, token.span, detail));
        };
        self.has_alias = true;
        self.push(RawKind::Alias(*target), Style::Plain, Tag::None, token.span);
        Ok(self.pop())
    }

    fn resolve_tag(&self, token: &Token, index: u32) -> Outcome<Tag> {
        let TagText { handle, suffix } = &self.scanner.tags[index as usize];
        if handle.is_empty() {
            return Ok(Tag::from_name(suffix));
        }
        let prefix = match self.handles.iter().find(|known| known.handle == *handle) {
            Some(known) => known.suffix.as_str(),
            None if handle == "!" => "!",
            None if handle == "!!" => "tag:yaml.org,2002:",
            None => return Err(Fault::boxed(Problem::UndefinedTagHandle, token.span, token.line)),
        };
        Ok(match Tag::from_name(&format!("{prefix}{suffix}")) {
            Tag::NonSpecific => Tag::Other,
            tag => tag,
        })
    }

    /// Takes the next token, which is content.
    #[inline]
    fn take(&mut self) -> Token {
        let token = self.scanner.token();
        self.scanner.skip();
        self.last_end = self.last_end.max(token.span.end);
        token
    }

    fn push(&mut self, kind: RawKind, style: Style, tag: Tag, span: Span) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Raw { kind, style, tag, span, next });
    }

    /// Opens a collection at the next token, which stays.
    fn open(&mut self, kind: RawKind, style: Style, tag: Tag, state: State) -> State {
        let start = self.scanner.token().span.start;
        self.open.push(self.nodes.len() as u32);
        self.push(kind, style, tag, Span::new(start, start));
        state
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
        match self.scanner.peek()? {
            TokenKind::BlockEntry => {
                self.take();
                self.count();
                let kind = self.scanner.peek()?;
                if matches!(kind, TokenKind::BlockEntry | TokenKind::BlockEnd) {
                    self.empty_after_last();
                    return Ok(State::BlockSequenceEntry);
                }
                self.states.push(State::BlockSequenceEntry);
                self.node(true, false)
            }
            TokenKind::BlockEnd => self.end_block(),
            _ => self.fault(Problem::ExpectedDash),
        }
    }

    fn end_block(&mut self) -> Outcome<State> {
        self.scanner.skip();
        self.close(self.last_end);
        Ok(self.pop())
    }

    fn indentless_entry(&mut self) -> Outcome<State> {
        let kind = self.scanner.peek()?;
        if kind != TokenKind::BlockEntry {
            self.close(self.last_end);
            return Ok(self.pop());
        }
        self.take();
        self.count();
        let kind = self.scanner.peek()?;
        if matches!(kind, TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
            self.empty_after_last();
            return Ok(State::IndentlessEntry);
        }
        self.states.push(State::IndentlessEntry);
        self.node(true, false)
    }

    fn block_mapping_key(&mut self) -> Outcome<State> {
        match self.scanner.peek()? {
            TokenKind::Key => {
                self.take();
                self.count();
                let kind = self.scanner.peek()?;
                if matches!(kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                    self.empty_after_last();
                    return Ok(State::BlockMappingValue);
                }
                self.states.push(State::BlockMappingValue);
                self.node(true, true)
            }
            TokenKind::BlockEnd => self.end_block(),
            _ => self.fault(Problem::ExpectedKey),
        }
    }

    fn block_mapping_value(&mut self) -> Outcome<State> {
        let kind = self.scanner.peek()?;
        if kind == TokenKind::Value {
            self.take();
            let kind = self.scanner.peek()?;
            if !matches!(kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                self.states.push(State::BlockMappingKey);
                return self.node(true, true);
            }
        }
        self.empty_after_last();
        Ok(State::BlockMappingKey)
    }

    /// An error at the next token: go-yaml names the line before the one meant.
    fn fault<T>(&self, problem: Problem) -> Outcome<T> {
        let token = self.scanner.token();
        Err(Fault::boxed(problem, token.span, token.line))
    }
}
