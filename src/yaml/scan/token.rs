//! What the scanner makes of a text.

use crate::yaml::node::{Span, Style};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::yaml) enum TokenKind {
    StreamEnd,
    VersionDirective,
    TagDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    Tag,
    Scalar,
}

/// The text of a scalar.
#[derive(Clone, Copy, Debug)]
pub(in crate::yaml) enum Content {
    /// A range of the source.
    Source(u32, u32),
    /// An index into [`Scanner::strings`](super::Scanner::strings).
    Built(u32),
}

#[derive(Clone, Copy, Debug)]
pub(in crate::yaml) struct Token {
    pub(in crate::yaml) kind: TokenKind,
    pub(in crate::yaml) style: Style,
    pub(in crate::yaml) span: Span,
    /// The line, from 0, within the document.
    pub(in crate::yaml) line: u32,
    /// The flow level at which this token may still become a key.
    pub(super) key_level: u32,
    pub(in crate::yaml) content: Content,
}

/// The flow level of a token that can't become a key.
pub(super) const NO_KEY: u32 = u32::MAX;

/// A token that may become a key, one at most for each level of brackets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SimpleKey {
    pub(super) possible: bool,
    pub(super) required: bool,
    pub(super) token: u32,
    pub(super) start: u32,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A `%TAG` directive or an explicit tag: what the parser must resolve.
#[derive(Clone, Debug)]
pub(in crate::yaml) struct TagText {
    pub(in crate::yaml) handle: String,
    pub(in crate::yaml) suffix: String,
}
