//! The written tree to the decoded one: aliases expanded, merges applied, keys made strings.
//!
//! It works with an explicit stack: nesting is bounded by the text, not by the thread.

mod check;
mod key;

use std::borrow::Cow;
use std::collections::HashSet;

use super::error::{Fault, Outcome, Problem};
use super::loss::Loss;
use super::mapping::{Key, MappingBuilder};
use super::node::{Node, Span, Style, Value};
use super::parse::{Parser, Raw, RawKind};
use super::scalar::{Resolved, Tag, Tagged, resolve, resolve_tagged};
use super::scan::Content;
use super::syntax;
use super::tree::Tree;

/// Levels of JSON that Kubernetes decodes.
pub(super) const MAX_DEPTH: usize = 10_000;

/// Bytes of text that aliases may multiply. kubectl has no such limit and runs out of memory instead.
const MAX_ALIAS_TEXT: usize = 64 << 20;

/// The key that stands for null or a number too big, until the tree is checked.
const UNSUPPORTED_KEY: &str = "\0unsupported";

/// What is being built, from the outside in.
enum Frame<'s> {
    Sequence {
        at: u32,
        left: u32,
        items: Vec<Node<'s>>,
    },
    Mapping {
        at: u32,
        left: u32,
        key: Option<Key<'s>>,
        /// The node of the current key.
        key_at: u32,
        /// The alias or `<<` if the entries go to the mapping below.
        merged_from: Option<Span>,
    },
    Alias {
        at: u32,
    },
    MergeSequence {
        at: u32,
        elements: Vec<u32>,
        merge: Span,
    },
}

/// Memory that is used again for the next document.
#[derive(Default)]
pub(super) struct Buffers<'s> {
    stack: Vec<Frame<'s>>,
    maps: Vec<MappingBuilder<'s>>,
}

/// What a document's written tree becomes.
pub(super) struct Composed<'s> {
    pub(super) content: Outcome<Node<'s>>,
    pub(super) losses: Vec<Loss>,
    /// The deepest nesting met.
    pub(super) depth: usize,
}

/// Decodes the written tree of a document that has content.
pub(super) fn compose<'s>(text: &'s str, parser: &mut Parser<'s>, buffers: &mut Buffers<'s>) -> Composed<'s> {
    let mut composer = Composer {
        text,
        nodes: &parser.nodes,
        strings: &mut parser.scanner.strings,
        keep_strings: parser.has_alias,
        cursor: 0,
        stack: std::mem::take(&mut buffers.stack),
        maps: std::mem::take(&mut buffers.maps),
        root: None,
        copied: 0,
        decoded: 1,
        decoded_by_alias: 0,
        alias_depth: 0,
        active: HashSet::new(),
        losses: Vec::new(),
        odd_numbers: false,
        bad_keys: Vec::new(),
        depth: 0,
        deepest: 0,
        too_deep: None,
    };
    let content = composer.compose();
    buffers.stack = composer.stack;
    buffers.maps = composer.maps;
    Composed { content, losses: composer.losses, depth: composer.deepest }
}

struct Composer<'s, 'p> {
    text: &'s str,
    nodes: &'p [Raw],
    strings: &'p mut [String],
    /// Built strings may be needed again for an alias.
    keep_strings: bool,
    cursor: u32,
    stack: Vec<Frame<'s>>,
    maps: Vec<MappingBuilder<'s>>,
    root: Option<Node<'s>>,
    /// Bytes of text that were copied for aliases.
    copied: usize,
    decoded: u64,
    decoded_by_alias: u64,
    alias_depth: u32,
    active: HashSet<u32>,
    losses: Vec<Loss>,
    /// Whether a number occurred that JSON does not have.
    odd_numbers: bool,
    /// Keys that are an error if they survive, and the node of their value.
    bad_keys: Vec<(Span, u32)>,
    depth: usize,
    deepest: usize,
    too_deep: Option<char>,
}

impl<'s> Composer<'s, '_> {
    fn compose(&mut self) -> Outcome<Node<'s>> {
        if let Err(fault) = self.build() {
            self.abandon();
            return Err(fault);
        }
        let tree = Tree::new(self.root.take().unwrap_or_else(|| Node::new(Span::default(), Style::Plain, Value::Null)));
        self.check(tree.node())?;
        Ok(tree.into_node())
    }

    /// Drops what was built so far without recursion.
    fn abandon(&mut self) {
        for frame in self.stack.drain(..) {
            if let Frame::Sequence { items, .. } = frame {
                drop(Tree::new(Node::new(Span::default(), Style::Block, Value::Seq(items))));
            }
        }
        for map in self.maps.drain(..) {
            drop(Tree::new(Node::new(Span::default(), Style::Block, Value::Map(map.finish()))));
        }
    }

    fn build(&mut self) -> Outcome<()> {
        self.begin(0)?;
        while let Some(frame) = self.stack.last_mut() {
            match frame {
                Frame::Sequence { left: 0, .. } | Frame::Mapping { left: 0, key: None, .. } => self.end_collection()?,
                Frame::Sequence { .. } => self.items()?,
                Frame::Mapping { key: Some(_), .. } => self.begin(self.cursor)?,
                Frame::Mapping { .. } => self.pairs()?,
                Frame::Alias { at } => {
                    let at = *at;
                    self.end_alias(at);
                }
                Frame::MergeSequence { at, elements, merge } => match elements.pop() {
                    Some(element) => {
                        let merge = *merge;
                        self.begin_merge(element, merge)?;
                    }
                    None => {
                        self.cursor = self.nodes[*at as usize].next;
                        self.stack.pop();
                    }
                },
            }
        }
        Ok(())
    }

    /// The items of the sequence on top, up to the first that is no scalar, which is begun.
    fn items(&mut self) -> Outcome<()> {
        let Some(Frame::Sequence { left, items, .. }) = self.stack.last_mut() else { return Ok(()) };
        let (mut waiting, mut taken) = (*left, std::mem::take(items));
        let scalars = self.scalar_items(&mut waiting, &mut taken);
        let more = waiting > 0;
        if let Some(Frame::Sequence { left, items, .. }) = self.stack.last_mut() {
            (*left, *items) = (waiting.saturating_sub(1), taken);
        }
        scalars?;
        if more { self.begin(self.cursor) } else { Ok(()) }
    }

    fn scalar_items(&mut self, left: &mut u32, items: &mut Vec<Node<'s>>) -> Outcome<()> {
        while *left > 0 {
            let raw = self.raw(self.cursor);
            let RawKind::Scalar(content) = raw.kind else { break };
            self.count()?;
            self.cursor += 1;
            *left -= 1;
            let item = self.scalar(&raw, content)?;
            items.push(item);
        }
        Ok(())
    }

    /// The entries of the mapping on top, up to the first that is no pair of scalars, which is begun.
    fn pairs(&mut self) -> Outcome<()> {
        let Some(Frame::Mapping { left, merged_from, .. }) = self.stack.last() else { return Ok(()) };
        let (mut waiting, from) = (*left, *merged_from);
        while waiting > 0 {
            waiting -= 1;
            let at = self.cursor;
            let raw = self.raw(at);
            let mut found = None;
            if let RawKind::Scalar(content) = raw.kind
                && !self.is_merge(&raw, content)
            {
                self.count()?;
                self.cursor = at + 1;
                let key = self.key(&raw, content, raw.span)?;
                let value = self.raw(at + 1);
                if let RawKind::Scalar(content) = value.kind {
                    self.count()?;
                    self.cursor = at + 2;
                    let mut node = self.scalar(&value, content)?;
                    node.via = from;
                    if let Some(map) = self.maps.last_mut() {
                        map.insert(key, node, from, &mut self.losses);
                    }
                    continue;
                }
                found = Some(key);
            }
            if let Some(Frame::Mapping { left, key, key_at, .. }) = self.stack.last_mut() {
                (*left, *key_at) = (waiting, at);
                if found.is_some() {
                    *key = found;
                    return self.begin(at + 1);
                }
            }
            return self.begin_key(at);
        }
        if let Some(Frame::Mapping { left, .. }) = self.stack.last_mut() {
            *left = 0;
        }
        Ok(())
    }

    #[inline]
    fn raw(&self, at: u32) -> Raw {
        self.nodes[at as usize]
    }

    /// Counts a step of go-yaml's decoder, which gives up when aliases cause nearly all of them.
    fn count(&mut self) -> Outcome<()> {
        self.decoded += 1;
        if self.alias_depth > 0 {
            self.decoded_by_alias += 1;
            if self.decoded_by_alias > 100 && self.decoded > 1000 && self.alias_share_is_excessive() {
                return Err(Fault::boxed(Problem::ExcessiveAliasing, self.outermost_alias(), 0));
            }
        }
        Ok(())
    }

    fn alias_share_is_excessive(&self) -> bool {
        const LOW: f64 = 400_000.0;
        const HIGH: f64 = 4_000_000.0;
        let steps = self.decoded as f64;
        let allowed = 0.99 - 0.89 * ((steps.clamp(LOW, HIGH) - LOW) / (HIGH - LOW));
        self.decoded_by_alias as f64 / steps > allowed
    }

    fn outermost_alias(&self) -> Span {
        let alias = self.stack.iter().find_map(|frame| match frame {
            Frame::Alias { at } => Some(*at),
            _ => None,
        });
        alias.map_or(Span::default(), |at| self.raw(at).span)
    }

    /// Starts a value.
    fn begin(&mut self, at: u32) -> Outcome<()> {
        self.count()?;
        let raw = self.raw(at);
        self.cursor = at + 1;
        match raw.kind {
            RawKind::Scalar(content) => {
                let node = self.scalar(&raw, content)?;
                self.deliver(node)
            }
            RawKind::Alias(target) => {
                self.begin_alias(at)?;
                self.begin(target)
            }
            RawKind::Sequence { items } => {
                self.deeper('[');
                self.stack.push(Frame::Sequence { at, left: items, items: Vec::with_capacity(items as usize) });
                Ok(())
            }
            RawKind::Mapping { pairs } => {
                self.deeper('{');
                self.maps.push(MappingBuilder::new(pairs as usize, self.alias_depth > 0));
                self.stack.push(Frame::Mapping { at, left: pairs, key: None, key_at: 0, merged_from: None });
                Ok(())
            }
        }
    }

    fn deeper(&mut self, bracket: char) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        if self.depth > MAX_DEPTH {
            self.too_deep.get_or_insert(bracket);
        }
    }

    fn begin_alias(&mut self, at: u32) -> Outcome<()> {
        if !self.active.insert(at) {
            let span = self.raw(at).span;
            let name = self.text[span.range()].trim_start_matches('*');
            let detail = format!("anchor '{name}' value contains itself");
            return Err(Fault::with_detail(Problem::AnchorInsideItself, span, detail));
        }
        self.alias_depth += 1;
        self.stack.push(Frame::Alias { at });
        Ok(())
    }

    fn end_alias(&mut self, at: u32) {
        self.stack.pop();
        self.active.remove(&at);
        self.alias_depth -= 1;
        self.cursor = at + 1;
    }

    /// Hands a finished node to what waits for it.
    fn deliver(&mut self, mut node: Node<'s>) -> Outcome<()> {
        while let Some(Frame::Alias { at }) = self.stack.last() {
            let at = *at;
            node.via = Some(self.raw(at).span);
            self.end_alias(at);
        }
        match self.stack.last_mut() {
            Some(Frame::Sequence { items, .. }) => items.push(node),
            Some(Frame::Mapping { key, merged_from, key_at, .. }) => {
                let Some(key) = key.take() else {
                    let at = *key_at;
                    drop(Tree::new(node));
                    let detail = syntax::go_syntax(self.text, self.nodes, self.strings, at);
                    let detail = format!("invalid map key: {detail}");
                    return Err(Fault::with_detail(Problem::InvalidMapKey, self.raw(at).span, detail));
                };
                if merged_from.is_some() {
                    node.via = *merged_from;
                }
                if let Some(map) = self.maps.last_mut() {
                    map.insert(key, node, *merged_from, &mut self.losses);
                }
            }
            Some(Frame::Alias { .. } | Frame::MergeSequence { .. }) => {}
            None => self.root = Some(node),
        }
        Ok(())
    }

    fn end_collection(&mut self) -> Outcome<()> {
        let (at, value) = match self.stack.pop() {
            Some(Frame::Sequence { at, items, .. }) => (at, Value::Seq(items)),
            Some(Frame::Mapping { at, merged_from: None, .. }) => {
                (at, Value::Map(self.maps.pop().map(MappingBuilder::finish).unwrap_or_default()))
            }
            // Merged entries are in the mapping below already.
            _ => return Ok(()),
        };
        self.depth -= 1;
        let raw = self.raw(at);
        self.deliver(Node::new(raw.span, raw.style, value))
    }

    fn scalar(&mut self, raw: &Raw, content: Content) -> Outcome<Node<'s>> {
        let (resolved, text) = self.resolve(raw, content)?;
        if let Resolved::Float(number) = resolved {
            self.odd_numbers |= !number.is_finite();
        }
        Ok(Node::new(raw.span, raw.style, resolved.into_value(text)))
    }

    #[inline]
    fn resolve(&mut self, raw: &Raw, content: Content) -> Outcome<(Resolved, Cow<'s, str>)> {
        if raw.tag != Tag::None {
            return self.resolve_tagged(raw, content);
        }
        let text = self.take_text(content);
        if self.alias_depth > 0
            && let Cow::Owned(text) = &text
        {
            self.copied += text.len();
            if self.copied > MAX_ALIAS_TEXT {
                let detail = "the aliases multiply into more than 64 MB of text".to_owned();
                return Err(Fault::with_detail(Problem::TooLarge, self.outermost_alias(), detail));
            }
        }
        let resolved = if raw.style == Style::Plain { resolve(&text) } else { Resolved::String };
        Ok((resolved, text))
    }

    fn resolve_tagged(&mut self, raw: &Raw, content: Content) -> Outcome<(Resolved, Cow<'s, str>)> {
        match resolve_tagged(raw.tag, self.peek_text(content)) {
            Tagged::Resolved(resolved) => Ok((resolved, self.take_text(content))),
            Tagged::Binary(text) => Ok((Resolved::String, Cow::Owned(text))),
            Tagged::BadBase64 => Err(Fault::boxed(Problem::BadBase64, raw.span, 0)),
            Tagged::Wrong(detail) => Err(Fault::with_detail(Problem::WrongTag, raw.span, detail)),
        }
    }

    fn peek_text(&self, content: Content) -> &str {
        match content {
            Content::Source(start, end) => &self.text[start as usize..end as usize],
            Content::Built(index) => &self.strings[index as usize],
        }
    }

    fn take_text(&mut self, content: Content) -> Cow<'s, str> {
        match content {
            Content::Source(start, end) => Cow::Borrowed(&self.text[start as usize..end as usize]),
            Content::Built(index) if self.keep_strings => Cow::Owned(self.strings[index as usize].clone()),
            Content::Built(index) => Cow::Owned(std::mem::take(&mut self.strings[index as usize])),
        }
    }
}
