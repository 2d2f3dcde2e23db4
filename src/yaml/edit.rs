//! Changes to the text of a file that keep the rest of it as it is.

use super::node::{Node, Span, Style, Value};

/// Replaces the text at `span`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The text to replace; empty to insert.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

impl Edit {
    /// An edit.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Inserts `text` before the byte at `at`.
    pub fn insert(at: u32, text: impl Into<String>) -> Self {
        Self::new(Span::new(at, at), text)
    }

    /// Removes the text at `span`.
    pub fn delete(span: Span) -> Self {
        Self::new(span, "")
    }
}

/// Applies edits, in the order of their places. An edit that overlaps an earlier one, or that does not fit the text, is
/// left out; the second result is how many were.
pub fn apply(source: &str, edits: &[Edit]) -> (String, usize) {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::with_capacity(source.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let (mut done, mut left_out) = (0, 0);
    for edit in sorted {
        match source.get(edit.span.range()) {
            Some(_) if edit.span.start as usize >= done => {
                out.push_str(&source[done..edit.span.start as usize]);
                out.push_str(&edit.text);
                done = edit.span.end as usize;
            }
            _ => left_out += 1,
        }
    }
    out.push_str(&source[done..]);
    (out, left_out)
}

/// Wraps a plain scalar in double quotes, so that its text as written becomes the value. `None` if the node is no plain
/// scalar with text, was brought by an alias, or has a tag or anchor of its own that would change its meaning.
pub fn quote(source: &str, node: &Node<'_>) -> Option<Edit> {
    let written = source.get(node.span.range())?;
    let scalar = !matches!(node.value, Value::Seq(_) | Value::Map(_));
    if node.style != Style::Plain
        || !scalar
        || node.via.is_some()
        || written.is_empty()
        || written.contains(['\n', '\r'])
    {
        return None;
    }
    Some(Edit::new(node.span, double_quoted(written)))
}

/// Replaces a scalar on one line by a string, in the quotes that it had. `None` for other nodes.
pub fn replace_scalar(source: &str, node: &Node<'_>, text: &str) -> Option<Edit> {
    let written = source.get(node.span.range())?;
    let scalar = !matches!(node.value, Value::Seq(_) | Value::Map(_));
    let quoted_or_plain = matches!(node.style, Style::Plain | Style::SingleQuoted | Style::DoubleQuoted);
    if !scalar || !quoted_or_plain || node.via.is_some() {
        return None;
    }
    // An empty value sits right behind its colon.
    let space = if written.is_empty()
        && node.span.start > 0
        && !source[..node.span.start as usize].ends_with([' ', '\t', '\n'])
    {
        " "
    } else {
        ""
    };
    Some(Edit::new(node.span, format!("{space}{}", like(written, text))))
}

/// A string in the quotes of `written`, or in those that it needs.
fn like(written: &str, text: &str) -> String {
    match written.as_bytes().first() {
        Some(b'"') => double_quoted(text),
        Some(b'\'') if !text.contains(|character: char| character.is_control()) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ if is_plain_string(text) => text.to_owned(),
        _ => double_quoted(text),
    }
}

/// Whether the text, written without quotes in any place of a document, is read as this very string.
pub fn is_plain_string(text: &str) -> bool {
    let allowed = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | '=' | '+' | ':' | ' ')
    };
    let starts = text.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_' || first == '/');
    let unsure = text.ends_with([':', ' ']) || text.contains(": ") || text.contains(" #");
    starts && !unsure && text.chars().all(allowed) && super::scalar::resolve(text) == super::scalar::Resolved::String
}

/// A string in double quotes, as both YAML and JSON read it.
pub fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    super::json::write_string(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Options, parse};

    fn edited(source: &str, edit: impl Fn(&str, &Node<'_>) -> Option<Edit>) -> Option<String> {
        let stream = parse(source, &Options::default());
        let edit = edit(source, stream.documents[0].root()?)?;
        let (text, left_out) = apply(source, &[edit]);
        assert_eq!(left_out, 0);
        Some(text)
    }

    #[test]
    fn quoting_keeps_what_was_typed() {
        let quoted = |source: &str| edited(source, |text, root| quote(text, root.get("a")?));
        assert_eq!(quoted("a: on # c\n").as_deref(), Some("a: \"on\" # c\n"));
        assert_eq!(quoted("{a: 0x10, b: 1}").as_deref(), Some("{a: \"0x10\", b: 1}"));
        assert_eq!(quoted("a: 'on'\n"), None);
        assert_eq!(quoted("a:\n"), None);
        assert_eq!(quoted("x: &x on\na: *x\n"), None);
    }

    #[test]
    fn scalars_keep_their_quotes() {
        let replaced =
            |source: &str, with: &str| edited(source, |text, root| replace_scalar(text, root.get("a")?, with));
        assert_eq!(replaced("a: x\n", "true").as_deref(), Some("a: \"true\"\n"));
        assert_eq!(replaced("a: 'x'\n", "it's").as_deref(), Some("a: 'it''s'\n"));
        assert_eq!(replaced("a:\nb: 1\n", "x").as_deref(), Some("a: x\nb: 1\n"));
        assert_eq!(replaced("a: |\n  x\n", "y"), None);
    }

    #[test]
    fn overlapping_edits_are_left_out() {
        let edits = [
            Edit::new(Span::new(2, 4), "Y"),
            Edit::new(Span::new(0, 3), "X"),
            Edit::insert(9, "no"),
            Edit::delete(Span::new(5, 6)),
        ];
        assert_eq!(apply("abcdef", &edits), ("Xde".to_owned(), 2));
    }
}
