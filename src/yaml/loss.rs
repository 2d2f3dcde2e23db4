//! What a reader of the file sees and kubectl does not: things that are lost without a word.

use super::node::Span;

/// Something that kubectl drops or changes silently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The key stands twice in one mapping; kubectl keeps the last value.
    DuplicateKey {
        /// The key as kubectl reads it.
        key: String,
        /// The key whose value is lost.
        lost: Span,
        /// The key whose value stays.
        kept: Span,
    },
    /// kubectl never looks at this text: it reads one YAML document per `---`.
    TextAfterEnd {
        /// The text that is not read, from its first to its last visible character.
        span: Span,
        /// Why it is not read.
        cause: EndCause,
    },
    /// A `<<` replaces a key that was written before it.
    MergeOverwrites {
        /// The key as kubectl reads it.
        key: String,
        /// The key that was written and is lost.
        written: Span,
        /// The `*alias` or `<<` whose value wins.
        merged_from: Span,
    },
    /// Bytes that are not UTF-8 became U+FFFD.
    InvalidUtf8 {
        /// The U+FFFD in the text.
        span: Span,
    },
    /// Two different keys (such as `1` and `"1"`) become the same text; which value kubectl sends is random.
    RandomKeyCollision {
        /// The key that both become.
        key: String,
        /// The first of the two.
        first: Span,
        /// The second of the two.
        second: Span,
    },
    /// A line `- y` that continues the plain text above instead of starting a list item.
    FoldedDash {
        /// The line that looks like a list item.
        span: Span,
    },
    /// The file starts with `{` but is not JSON: kubectl up to 1.32 refuses it, later ones read it as YAML.
    FlowStyleFile {
        /// The place where JSON ends.
        span: Span,
        /// What kubectl up to 1.32 says.
        message: String,
    },
    /// A key that is not a string in YAML and became another text (`yes` is `true`, `0x10` is `16`).
    NonStringKey {
        /// The key as kubectl reads it.
        key: String,
        /// The key as written.
        span: Span,
    },
}

/// Why kubectl stops reading before the end of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// A `...` line ends the YAML document.
    DocumentEnd,
    /// The top-level value was complete: a mapping in braces, or lines indented less than the first one.
    ValueComplete,
    /// A `---` line that only go-yaml sees, since the line before it ends with a lone CR.
    LoneCarriageReturn,
}
