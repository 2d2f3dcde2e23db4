//! Values as Go writes them into field errors.

use crate::yaml::{Node, escape_html, to_json};

/// JSON as `json.Marshal` has it: compact, sorted keys, `<`, `>` and `&` escaped.
pub fn text(node: &Node<'_>) -> String {
    escape_html(to_json(node))
}

/// A JSON object of the given fields, sorted by name.
pub fn object<'n, 's: 'n>(fields: impl IntoIterator<Item = (&'static str, &'n Node<'s>)>) -> String {
    let mut parts: Vec<String> = fields.into_iter().map(|(key, node)| format!("\"{key}\":{}", text(node))).collect();
    parts.sort();
    format!("{{{}}}", parts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Span, Style, Value};

    #[test]
    fn writes_as_go_does() {
        let node = |value| Node::new(Span::default(), Style::Plain, value);
        let (number, string) = (node(Value::Int(1)), node(Value::String("a<b".into())));
        assert_eq!(object([("b", &number), ("a", &string)]), "{\"a\":\"a\\u003cb\",\"b\":1}");
    }
}
