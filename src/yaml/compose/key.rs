//! Keys and merges.

use std::borrow::Cow;

use super::{Composer, Frame, UNSUPPORTED_KEY};
use crate::yaml::error::{Fault, Outcome, Problem};
use crate::yaml::loss::Loss;
use crate::yaml::mapping::{Key, KeyType};
use crate::yaml::node::{Span, Style};
use crate::yaml::parse::{Raw, RawKind};
use crate::yaml::scalar::{Resolved, Tag, key_text};
use crate::yaml::scan::Content;

impl<'s> Composer<'s, '_> {
    /// Starts a merge, or a key that is no plain scalar.
    pub(super) fn begin_key(&mut self, at: u32) -> Outcome<()> {
        let raw = self.raw(at);
        match raw.kind {
            RawKind::Scalar(_) => {
                self.cursor = at + 1;
                self.begin_merge_value(at + 1, raw.span)
            }
            RawKind::Alias(target) => match self.raw(target).kind {
                RawKind::Scalar(content) => self.alias_key(at, target, content),
                _ => self.begin_bad_key(at),
            },
            RawKind::Sequence { .. } | RawKind::Mapping { .. } => self.begin_bad_key(at),
        }
    }

    fn alias_key(&mut self, at: u32, target: u32, content: Content) -> Outcome<()> {
        self.count()?;
        self.alias_depth += 1;
        let counted = self.count();
        self.alias_depth -= 1;
        counted?;
        self.cursor = at + 1;
        let made = self.key(&self.raw(target), content, self.raw(at).span)?;
        if let Some(Frame::Mapping { key, .. }) = self.stack.last_mut() {
            *key = Some(made);
        }
        Ok(())
    }

    /// Starts a collection as key: an error, but only once it is complete, and its strings are part of the message.
    fn begin_bad_key(&mut self, at: u32) -> Outcome<()> {
        self.keep_strings = true;
        self.begin(at)
    }

    pub(super) fn is_merge(&self, raw: &Raw, content: Content) -> bool {
        if let Content::Source(start, end) = content
            && (end - start != 2 || self.text.as_bytes()[start as usize] != b'<')
        {
            return false;
        }
        let untagged = raw.style == Style::Plain && raw.tag == Tag::None;
        (untagged || matches!(raw.tag, Tag::Merge | Tag::NonSpecific)) && self.peek_text(content) == "<<"
    }

    #[inline]
    pub(super) fn key(&mut self, raw: &Raw, content: Content, span: Span) -> Outcome<Key<'s>> {
        let (resolved, text) = self.resolve(raw, content)?;
        if resolved == Resolved::String {
            return Ok(Key { text, kind: KeyType::String, span });
        }
        Ok(self.typed_key(resolved, text, span))
    }

    fn typed_key(&mut self, resolved: Resolved, text: Cow<'s, str>, span: Span) -> Key<'s> {
        match key_text(resolved, text.clone()) {
            Some(key) => {
                if key != text && self.alias_depth == 0 {
                    self.losses.push(Loss::NonStringKey { key: key.clone().into_owned(), span });
                }
                Key { text: key, kind: KeyType::Other, span }
            }
            None => {
                self.bad_keys.push((span, self.cursor));
                Key { text: Cow::Owned(format!("{UNSUPPORTED_KEY} {text}")), kind: KeyType::Unsupported, span }
            }
        }
    }

    /// Starts the value of a `<<` key.
    fn begin_merge_value(&mut self, at: u32, merge: Span) -> Outcome<()> {
        let raw = self.raw(at);
        if !matches!(raw.kind, RawKind::Sequence { .. }) {
            return self.begin_merge(at, merge);
        }
        let mut elements = Vec::new();
        let mut element = at + 1;
        while element < raw.next {
            elements.push(element);
            element = self.raw(element).next;
        }
        // Taken from the end: earlier entries win by coming last.
        self.stack.push(Frame::MergeSequence { at, elements, merge });
        Ok(())
    }

    /// Merges a mapping, or an alias of one, into the current mapping.
    pub(super) fn begin_merge(&mut self, at: u32, merge: Span) -> Outcome<()> {
        let raw = self.raw(at);
        self.cursor = raw.next;
        match raw.kind {
            RawKind::Mapping { pairs } => {
                self.count()?;
                self.cursor = at + 1;
                self.stack.push(Frame::Mapping { at, left: pairs, key: None, key_at: 0, merged_from: Some(merge) });
                Ok(())
            }
            RawKind::Alias(target) if matches!(self.raw(target).kind, RawKind::Mapping { .. }) => {
                self.count()?;
                self.begin_alias(at)?;
                self.begin_merge(target, raw.span)
            }
            _ => Err(Fault::boxed(Problem::BadMerge, raw.span, 0)),
        }
    }
}
