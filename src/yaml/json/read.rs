//! JSON to a tree, with the errors of Go's decoder.

use std::borrow::Cow;

use crate::go::quote;
use crate::yaml::compose::MAX_DEPTH;
use crate::yaml::loss::Loss;
use crate::yaml::mapping::{Key, KeyType, MappingBuilder};
use crate::yaml::node::{Node, Span, Style, Value};
use crate::yaml::scalar::float_value;
use crate::yaml::tree::Tree;

/// A value and what was found on the way.
pub(in crate::yaml) struct JsonValue<'s> {
    pub(in crate::yaml) node: Node<'s>,
    pub(in crate::yaml) losses: Vec<Loss>,
    pub(in crate::yaml) deepest: usize,
}

/// Go's syntax error.
#[derive(Debug)]
pub(in crate::yaml) struct JsonFault {
    /// Offset of the character that is wrong.
    pub(in crate::yaml) at: usize,
    pub(in crate::yaml) message: String,
}

enum Frame<'s> {
    Array { start: usize, items: Vec<Node<'s>> },
    Object { start: usize, map: MappingBuilder<'s>, key: Option<Key<'s>> },
}

/// Reads the JSON value at `pos` (blanks before it are passed) and moves `pos` behind it.
pub(in crate::yaml) fn read<'s>(text: &'s str, pos: &mut usize) -> Result<JsonValue<'s>, JsonFault> {
    let mut reader =
        Reader { text, bytes: text.as_bytes(), pos: *pos, stack: Vec::new(), losses: Vec::new(), deepest: 0 };
    let result = reader.value();
    match result {
        Ok(node) => {
            *pos = reader.pos;
            Ok(JsonValue { node, losses: reader.losses, deepest: reader.deepest })
        }
        Err(fault) => {
            reader.abandon();
            Err(fault)
        }
    }
}

struct Reader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    pos: usize,
    stack: Vec<Frame<'s>>,
    losses: Vec<Loss>,
    deepest: usize,
}

type Result<T, E = JsonFault> = std::result::Result<T, E>;

impl<'s> Reader<'s> {
    fn value(&mut self) -> Result<Node<'s>> {
        loop {
            self.blanks();
            let mut node = match self.bytes.get(self.pos) {
                Some(b'{') => {
                    self.open()?;
                    match self.open_object()? {
                        Some(node) => node,
                        None => continue,
                    }
                }
                Some(b'[') => {
                    self.open()?;
                    match self.open_array() {
                        Some(node) => node,
                        None => continue,
                    }
                }
                Some(b'"') => {
                    let start = self.pos;
                    let text = self.string()?;
                    self.node(start, Style::DoubleQuoted, Value::String(text))
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal("true", Value::Bool(true))?,
                Some(b'f') => self.literal("false", Value::Bool(false))?,
                Some(b'n') => self.literal("null", Value::Null)?,
                _ => return self.fault("looking for beginning of value"),
            };
            // Values end collections as long as closing brackets follow.
            loop {
                match self.deliver(node)? {
                    Delivered::Root(root) => return Ok(root),
                    Delivered::More => break,
                    Delivered::Closed(closed) => node = closed,
                }
            }
        }
    }

    fn node(&self, start: usize, style: Style, value: Value<'s>) -> Node<'s> {
        Node::new(Span::new(start as u32, self.pos as u32), style, value)
    }

    fn open(&mut self) -> Result<()> {
        if self.stack.len() >= MAX_DEPTH {
            return self.fault("exceeded max depth");
        }
        self.deepest = self.deepest.max(self.stack.len() + 1);
        Ok(())
    }

    /// Opens an object up to the colon of its first key; an empty one is finished.
    fn open_object(&mut self) -> Result<Option<Node<'s>>> {
        let start = self.pos;
        self.pos += 1;
        self.blanks();
        if self.bytes.get(self.pos) == Some(&b'}') {
            self.pos += 1;
            return Ok(Some(self.node(start, Style::Flow, Value::Map(MappingBuilder::new(0, true).finish()))));
        }
        let key = self.key()?;
        self.stack.push(Frame::Object { start, map: MappingBuilder::new(0, false), key: Some(key) });
        Ok(None)
    }

    fn open_array(&mut self) -> Option<Node<'s>> {
        let start = self.pos;
        self.pos += 1;
        self.blanks();
        if self.bytes.get(self.pos) == Some(&b']') {
            self.pos += 1;
            return Some(self.node(start, Style::Flow, Value::Seq(Vec::new())));
        }
        self.stack.push(Frame::Array { start, items: Vec::new() });
        None
    }

    fn key(&mut self) -> Result<Key<'s>> {
        self.blanks();
        if self.bytes.get(self.pos) != Some(&b'"') {
            return self.fault("looking for beginning of object key string");
        }
        let start = self.pos;
        let text = self.string()?;
        let span = Span::new(start as u32, self.pos as u32);
        self.blanks();
        if self.bytes.get(self.pos) != Some(&b':') {
            return self.fault("after object key");
        }
        self.pos += 1;
        Ok(Key { text, kind: KeyType::String, span })
    }

    /// Puts a value into its collection, and passes the comma or bracket behind it.
    fn deliver(&mut self, node: Node<'s>) -> Result<Delivered<'s>> {
        let Some(frame) = self.stack.last_mut() else {
            return Ok(Delivered::Root(node));
        };
        let object = match frame {
            Frame::Array { items, .. } => {
                items.push(node);
                false
            }
            Frame::Object { map, key, .. } => {
                if let Some(key) = key.take() {
                    map.insert(key, node, None, &mut self.losses);
                }
                true
            }
        };
        self.blanks();
        match (self.bytes.get(self.pos), object) {
            (Some(b','), false) => self.pos += 1,
            (Some(b','), true) => {
                self.pos += 1;
                let next = self.key()?;
                if let Some(Frame::Object { key, .. }) = self.stack.last_mut() {
                    *key = Some(next);
                }
            }
            (Some(b']'), false) | (Some(b'}'), true) => {
                self.pos += 1;
                return Ok(match self.stack.pop() {
                    Some(Frame::Array { start, items }) => {
                        Delivered::Closed(self.node(start, Style::Flow, Value::Seq(items)))
                    }
                    Some(Frame::Object { start, map, .. }) => {
                        Delivered::Closed(self.node(start, Style::Flow, Value::Map(map.finish())))
                    }
                    None => Delivered::More,
                });
            }
            (_, false) => return self.fault("after array element"),
            (_, true) => return self.fault("after object key:value pair"),
        }
        Ok(Delivered::More)
    }

    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.pos), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.pos += 1;
        }
    }

    fn fault<T>(&self, context: &str) -> Result<T> {
        let message = match self.bytes.get(self.pos) {
            None => "unexpected EOF".to_owned(),
            Some(byte) => format!("invalid character {} {context}", quote_byte(*byte)),
        };
        Err(JsonFault { at: self.pos, message })
    }

    fn literal(&mut self, word: &'static str, value: Value<'s>) -> Result<Node<'s>> {
        let start = self.pos;
        for expected in word.bytes() {
            if self.bytes.get(self.pos) != Some(&expected) {
                return self.fault(&format!("in literal {word} (expecting '{}')", char::from(expected)));
            }
            self.pos += 1;
        }
        Ok(self.node(start, Style::Plain, value))
    }

    fn digits(&mut self) -> usize {
        let start = self.pos;
        while self.bytes.get(self.pos).is_some_and(u8::is_ascii_digit) {
            self.pos += 1;
        }
        self.pos - start
    }

    fn number(&mut self) -> Result<Node<'s>> {
        let start = self.pos;
        if self.bytes[self.pos] == b'-' {
            self.pos += 1;
        }
        if self.bytes.get(self.pos) == Some(&b'0') {
            self.pos += 1;
        } else if self.digits() == 0 {
            return self.fault("in numeric literal");
        }
        let mut whole = true;
        if self.bytes.get(self.pos) == Some(&b'.') {
            self.pos += 1;
            whole = false;
            if self.digits() == 0 {
                return self.fault("after decimal point in numeric literal");
            }
        }
        if matches!(self.bytes.get(self.pos), Some(b'e' | b'E')) {
            self.pos += 1;
            whole = false;
            if matches!(self.bytes.get(self.pos), Some(b'+' | b'-')) {
                self.pos += 1;
            }
            if self.digits() == 0 {
                return self.fault("in exponent of numeric literal");
            }
        }
        let text = &self.text[start..self.pos];
        let value = match text.parse() {
            Ok(number) if whole => Value::Int(number),
            _ => float_value(text.parse().unwrap_or(0.0)),
        };
        if matches!(value, Value::Float(number) if !number.is_finite()) {
            let message = format!("json: cannot unmarshal number {text} into Go value of type float64");
            return Err(JsonFault { at: start, message });
        }
        Ok(self.node(start, Style::Plain, value))
    }

    fn string(&mut self) -> Result<Cow<'s, str>> {
        self.pos += 1;
        let mut segment = self.pos;
        let mut built: Option<String> = None;
        loop {
            let rest = &self.bytes[self.pos..];
            self.pos += rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
            match self.bytes.get(self.pos) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let out = built.get_or_insert_default();
                    out.push_str(&self.text[segment..self.pos]);
                    self.escape(out)?;
                    segment = self.pos;
                }
                _ => return self.fault("in string literal"),
            }
        }
        let last = &self.text[segment..self.pos];
        self.pos += 1;
        Ok(match built {
            None => Cow::Borrowed(last),
            Some(mut text) => {
                text.push_str(last);
                Cow::Owned(text)
            }
        })
    }

    fn escape(&mut self, out: &mut String) -> Result<()> {
        self.pos += 1;
        let character = match self.bytes.get(self.pos) {
            Some(b'u') => return self.unicode_escape(out),
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'"') => '"',
            _ => return self.fault("in string escape code"),
        };
        self.pos += 1;
        out.push(character);
        Ok(())
    }

    /// `\uXXXX`, or a pair of them; half a pair becomes U+FFFD.
    fn unicode_escape(&mut self, out: &mut String) -> Result<()> {
        self.pos += 1;
        let unit = self.four_digits()?;
        if (0xD800..0xDC00).contains(&unit) && self.bytes[self.pos..].starts_with(b"\\u") {
            let behind = self.pos;
            self.pos += 2;
            let second = self.four_digits()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                return Ok(());
            }
            self.pos = behind;
        }
        out.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
        Ok(())
    }

    fn four_digits(&mut self) -> Result<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.bytes.get(self.pos).and_then(|byte| char::from(*byte).to_digit(16)) else {
                return self.fault("in \\u hexadecimal character escape");
            };
            unit = unit << 4 | digit;
            self.pos += 1;
        }
        Ok(unit)
    }

    /// Drops what was built so far without recursion.
    fn abandon(&mut self) {
        for frame in self.stack.drain(..) {
            let value = match frame {
                Frame::Array { items, .. } => Value::Seq(items),
                Frame::Object { map, .. } => Value::Map(map.finish()),
            };
            drop(Tree::new(Node::new(Span::default(), Style::Flow, value)));
        }
    }
}

enum Delivered<'s> {
    Root(Node<'s>),
    Closed(Node<'s>),
    More,
}

/// A byte as Go's decoder quotes it.
fn quote_byte(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => {
            let quoted = quote(char::from(byte).encode_utf8(&mut [0; 4]));
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    }
}
