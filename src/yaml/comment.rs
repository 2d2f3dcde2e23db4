//! Comments of a document.

use super::node::Span;

/// A comment, from its `#` to the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The place, `#` included, line break not.
    pub span: Span,
    /// Whether nothing but blanks stands before it on its line.
    pub own_line: bool,
}

impl Comment {
    /// The words of the comment: without `#` and the blanks around them.
    pub fn text<'t>(&self, source: &'t str) -> &'t str {
        source.get(self.span.range()).unwrap_or_default().trim_start_matches('#').trim()
    }
}
