//! Changes of the text that fix what the server refuses.

use super::field::Field;
use crate::finding::{Applicability, Edit};
use crate::yaml::{Node, Span, Style, Value, edit};

/// A change that fixes a cause, as long as nobody has looked at the text.
#[derive(Clone, Debug)]
pub struct FieldFix {
    /// How safe it is.
    pub how: Applicability,
    /// What it does, as an order.
    pub title: String,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    /// Another string, in the quotes that were there.
    Text(Span, Style, String),
    /// Another token, whatever the quotes were.
    Token(Span, String),
    /// The entry of a mapping goes away.
    Removal(Span),
}

impl FieldFix {
    /// Writes another text in place of the field's.
    pub fn text(field: &Field<'_>, text: &str, how: Applicability) -> Option<Self> {
        let node = editable(field)?;
        let change = Change::Text(node.span, node.style, text.to_owned());
        Some(Self { how, title: format!("write `{text}`"), change })
    }

    /// Writes a number in place of the field's value.
    pub fn number(field: &Field<'_>, digits: &str, how: Applicability) -> Option<Self> {
        let node = editable(field)?;
        let change = Change::Token(node.span, digits.to_owned());
        Some(Self { how, title: format!("write {digits} without quotes"), change })
    }

    /// Removes the field.
    pub fn removal(field: &Field<'_>, how: Applicability) -> Option<Self> {
        let (node, key) = (editable(field)?, field.key?);
        let title = format!("remove `{}`", field.name());
        Some(Self { how, title, change: Change::Removal(key.to(node.span)) })
    }

    /// The change of this text; none where it can't be done by a simple replacement.
    pub fn edit(&self, source: &str) -> Option<Edit> {
        match &self.change {
            Change::Text(span, style, text) => {
                let node = Node::new(*span, *style, Value::String("".into()));
                let edit = edit::replace_scalar(source, &node, text)?;
                Some(Edit { span: edit.span, text: edit.text })
            }
            Change::Token(span, text) => Some(Edit { span: *span, text: text.clone() }),
            Change::Removal(span) => Some(Edit { span: widened(source, *span)?, text: String::new() }),
        }
    }
}

/// The value, if it is written in place and on one line.
fn editable<'n>(field: &Field<'n>) -> Option<&'n Node<'n>> {
    let simple = |node: &&Node<'_>| matches!(node.style, Style::Plain | Style::SingleQuoted | Style::DoubleQuoted);
    field.node.filter(|node| node.via.is_none()).filter(simple)
}

/// An entry with what goes away with it: its whole line, or the comma after or before it.
fn widened(source: &str, span: Span) -> Option<Span> {
    let (before, after) = (source.get(..span.start as usize)?, source.get(span.end as usize..)?);
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = after.find('\n').map_or(after.len(), |at| at + 1);
    if before[line..].trim().is_empty() && after[..rest].trim().is_empty() {
        return Some(Span::new(line as u32, span.end + rest as u32));
    }
    if let Some(tail) = after.trim_start().strip_prefix(',') {
        let next = after.len() - tail.trim_start_matches(' ').len();
        return Some(Span::new(span.start, span.end + next as u32));
    }
    let head = before.trim_end();
    head.ends_with(',').then(|| Span::new(head.len() as u32 - 1, span.end))
}

#[cfg(test)]
mod tests {
    use super::widened;
    use crate::yaml::Span;

    fn without(source: &str, entry: &str) -> Option<String> {
        let start = source.find(entry).expect("the entry is there");
        let span = widened(source, Span::new(start as u32, (start + entry.len()) as u32))?;
        Some(format!("{}{}", &source[..span.start as usize], &source[span.end as usize..]))
    }

    #[test]
    fn an_entry_takes_its_line_or_its_comma_along() {
        assert_eq!(
            without("- key: a\n  value: b\n  effect: c\n", "value: b").as_deref(),
            Some("- key: a\n  effect: c\n")
        );
        assert_eq!(without("{key: a, value: b, effect: c}", "value: b").as_deref(), Some("{key: a, effect: c}"));
        assert_eq!(without("{key: a, value: b}", "value: b").as_deref(), Some("{key: a}"));
        assert_eq!(without("- value: b\n  key: a\n", "value: b"), None);
        assert_eq!(without("  value: b # why\n", "value: b"), None);
    }
}
