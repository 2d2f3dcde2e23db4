//! Filling in a provider's message from the data.

use super::AnnotationSpec;
use crate::go;

/// What a provider's message can name. In the data, `{pod}` is `namespace/name` of the Pod, `{node}` the node,
/// `{key}` the annotation's key, `{value}` its value, `{quoted}` its value as Go's `%q` writes it, and
/// `{annotation KEY}` the value of another annotation; `{{` and `}}` stand for braces.
pub struct MessageScope<'a> {
    /// `namespace/name` of the Pod.
    pub pod: &'a str,
    /// The node's name.
    pub node: &'a str,
    /// Values of the Pod's annotations; empty text where one is absent.
    pub annotation: &'a dyn Fn(&str) -> &'a str,
}

impl MessageScope<'_> {
    /// Fills in one message of `spec`.
    pub fn fill(&self, format: &str, spec: &AnnotationSpec) -> String {
        let mut text = String::with_capacity(format.len() + 32);
        for piece in pieces(format) {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Name(name) => text.push_str(&self.value(name, spec).unwrap_or_default()),
            }
        }
        text
    }

    fn value(&self, name: &str, spec: &AnnotationSpec) -> Option<String> {
        let own = || (self.annotation)(&spec.key);
        Some(match name {
            "pod" => self.pod.to_owned(),
            "node" => self.node.to_owned(),
            "key" => spec.key.clone(),
            "value" => own().to_owned(),
            "quoted" => go::quote(own()),
            other => (self.annotation)(other.strip_prefix("annotation ")?.trim()).to_owned(),
        })
    }
}

/// Fills in the names of a format by what `value` answers. `{name|text}` stands for the text where there is no answer or
/// an empty one.
pub fn fill_names(format: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut text = String::with_capacity(format.len() + 32);
    for piece in pieces(format) {
        match piece {
            Piece::Text(plain) => text.push_str(plain),
            Piece::Name(name) => {
                let (name, fallback) = name.split_once('|').unwrap_or((name, ""));
                let filled = value(name).filter(|filled| !filled.is_empty());
                text.push_str(filled.as_deref().unwrap_or(fallback));
            }
        }
    }
    text
}

/// Names in the braces of a statement that nothing fills in.
pub(super) fn unknown_statement_names<'f>(format: &'f str, known: &[&str]) -> Vec<&'f str> {
    let names = pieces(format).filter_map(|piece| match piece {
        Piece::Name(name) => Some(name.split_once('|').map_or(name, |(name, _)| name)),
        Piece::Text(_) => None,
    });
    let is_annotation = |name: &str| name.strip_prefix("annotation ").is_some_and(|key| !key.trim().is_empty());
    names.filter(|name| !known.contains(name) && !is_annotation(name)).collect()
}

/// Names in a message's braces that nothing fills in.
pub(super) fn unknown_names(format: &str) -> Vec<&str> {
    pieces(format)
        .filter_map(|piece| match piece {
            Piece::Name(name) => Some(name),
            Piece::Text(_) => None,
        })
        .filter(|name| !matches!(*name, "pod" | "node" | "key" | "value" | "quoted"))
        .filter(|name| name.strip_prefix("annotation ").is_none_or(|key| key.trim().is_empty()))
        .collect()
}

enum Piece<'f> {
    Text(&'f str),
    Name(&'f str),
}

fn pieces(format: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, left) = next_piece(rest);
        rest = left;
        Some(piece)
    })
}

fn next_piece(rest: &str) -> (Piece<'_>, &str) {
    for brace in ["{{", "}}"] {
        if let Some(left) = rest.strip_prefix(brace) {
            return (Piece::Text(&brace[1..]), left);
        }
    }
    if let Some((name, left)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        return (Piece::Name(name), left);
    }
    let end =
        rest.char_indices().skip(1).find(|(_, letter)| matches!(letter, '{' | '}')).map_or(rest.len(), |(at, _)| at);
    (Piece::Text(&rest[..end]), &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_in_every_name() {
        let annotation = |key: &str| if key == "a/other" { "rt:1" } else { "1h\n" };
        let scope = MessageScope { pod: "default/demo", node: "vk", annotation: &annotation };
        let spec = AnnotationSpec { key: "a/ttl".into(), ..AnnotationSpec::default() };
        let text = scope.fill("{{pod}} {pod} on {node}: {key}={quoted} ({annotation a/other}) {", &spec);
        assert_eq!(text, "{pod} default/demo on vk: a/ttl=\"1h\\n\" (rt:1) {");
    }

    #[test]
    fn unknown_names_are_told() {
        assert_eq!(unknown_names("{pod} {pods} {annotation } {annotation x}"), ["pods", "annotation "]);
    }
}
