//! The tree that a manifest decodes to: what kubectl reads, with the place each value came from.

use std::borrow::Cow;

/// A half-open range of bytes in the text of a source file (see [`super::text::Text`] for the rare files
/// whose text differs from their bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` in bytes.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The range as `usize`, to index text with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `inner` lies inside this span.
    pub fn contains(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// How a node was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A plain scalar, or an empty value.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`, in YAML or JSON.
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// A mapping or sequence by indentation.
    Block,
    /// A mapping or sequence in brackets, in YAML or JSON.
    Flow,
}

/// One value of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'s> {
    /// Where the value is written. For the value of an alias this is where the anchored content stands.
    pub span: Span,
    /// How it was written.
    pub style: Style,
    /// The place of the `*alias` or `<<` that brought the value here, if it was not written in place.
    /// Children of such a node have `None`; their spans lie inside this node's `span`.
    pub via: Option<Span>,
    /// What kubectl makes of it.
    pub value: Value<'s>,
}

/// A decoded value: the JSON that kubectl would send.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'s> {
    /// `~`, `null`, or nothing at all.
    Null,
    /// A YAML 1.1 boolean.
    Bool(bool),
    /// A whole number that fits 64 bits; floats without a fraction arrive here too.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(Cow<'s, str>),
    /// A sequence.
    Seq(Vec<Node<'s>>),
    /// A mapping.
    Map(Mapping<'s>),
}

/// A mapping after kubectl's rules: keys are strings, each occurs once, merges are applied. Order as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping<'s> {
    /// The surviving entries, in the order of their keys in the file.
    pub entries: Vec<Entry<'s>>,
}

/// One key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'s> {
    /// The key as the string that kubectl makes of it (`yes:` is `true`).
    pub key: Cow<'s, str>,
    /// Where the key is written, quotes included.
    pub key_span: Span,
    /// The value.
    pub value: Node<'s>,
}

impl<'s> Node<'s> {
    /// A node with the given place and value, written in place.
    pub fn new(span: Span, style: Style, value: Value<'s>) -> Self {
        Self { span, style, via: None, value }
    }

    /// The value of `key`, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node<'s>> {
        self.as_map()?.get(key)
    }

    /// The entry of `key`, with the key's span.
    pub fn entry(&self, key: &str) -> Option<&Entry<'s>> {
        self.as_map()?.entry(key)
    }

    /// Follows mapping keys downwards.
    pub fn at(&self, keys: &[&str]) -> Option<&Node<'s>> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is an integer.
    pub fn as_int(&self) -> Option<i64> {
        match self.value {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The items, if this is a sequence.
    pub fn as_seq(&self) -> Option<&[Node<'s>]> {
        match &self.value {
            Value::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// The mapping, if this is one.
    pub fn as_map(&self) -> Option<&Mapping<'s>> {
        match &self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Items of a sequence; none for anything else.
    pub fn items(&self) -> impl Iterator<Item = &Node<'s>> {
        self.as_seq().unwrap_or_default().iter()
    }

    /// Entries of a mapping; none for anything else.
    pub fn entries(&self) -> impl Iterator<Item = &Entry<'s>> {
        self.as_map().map(|map| map.entries.as_slice()).unwrap_or_default().iter()
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// Where a reader should look: the `*alias` that brought the value, else the value itself.
    pub fn place(&self) -> Span {
        self.via.unwrap_or(self.span)
    }
}

impl<'s> Mapping<'s> {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Node<'s>> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of `key`.
    pub fn entry(&self, key: &str) -> Option<&Entry<'s>> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Value<'_> {
    /// The JSON type as the API server names it: `null`, `boolean`, `integer`, `number`, `string`, `array`, `object`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) => "integer",
            Value::Float(_) => "number",
            Value::String(_) => "string",
            Value::Seq(_) => "array",
            Value::Map(_) => "object",
        }
    }
}
