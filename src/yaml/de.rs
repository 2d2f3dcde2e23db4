//! Typed values from a tree: a serde deserializer that knows the place of every error.

use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::node::{Entry, Node, Span, Value};

/// A value that does not fit its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeError {
    /// The innermost value that does not fit.
    pub span: Span,
    /// What was expected, and what is there.
    pub message: String,
}

/// Deeper trees are refused: typed values recurse.
const MAX_DEPTH: usize = 128;

/// Decodes a tree into a type. As in Go, null is as good as absent, for lists, mappings and structs as well.
/// Unknown fields are ignored.
pub fn from_node<T: DeserializeOwned>(node: &Node<'_>) -> Result<T, DeError> {
    T::deserialize(Decoder { node, depth: 0 })
        .map_err(|error| DeError { span: error.span.unwrap_or(node.place()), message: error.message })
}

#[derive(Debug)]
struct Error {
    span: Option<Span>,
    message: String,
}

impl Error {
    /// The place, unless an inner value has given its own.
    fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { span: None, message: message.to_string() }
    }
}

#[derive(Clone, Copy)]
struct Decoder<'n, 's> {
    node: &'n Node<'s>,
    depth: usize,
}

impl<'n, 's> Decoder<'n, 's> {
    fn inside(self, node: &'n Node<'s>) -> Self {
        Self { node, depth: self.depth + 1 }
    }

    fn visit<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.depth > MAX_DEPTH {
            return Err(de::Error::custom("it is nested too deeply"));
        }
        match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Int(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Seq(items) => visitor.visit_seq(Items { decoder: self, items: items.iter() }),
            Value::Map(map) => visitor.visit_map(Fields { decoder: self, entries: map.entries.iter(), entry: None }),
        }
    }

    /// An empty list or mapping for null.
    fn visit_or_empty<V: Visitor<'n>>(self, visitor: V, list: bool) -> Result<V::Value, Error> {
        match (&self.node.value, list) {
            (Value::Null, true) => visitor.visit_seq(Items { decoder: self, items: [].iter() }),
            (Value::Null, false) => visitor.visit_map(Fields { decoder: self, entries: [].iter(), entry: None }),
            _ => self.visit(visitor),
        }
    }

    fn placed<T>(self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| error.at(self.node.place()))
    }
}

impl<'n> de::Deserializer<'n> for Decoder<'n, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed(self.visit(visitor))
    }

    fn deserialize_option<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => self.placed(visitor.visit_some(self)),
        }
    }

    fn deserialize_unit<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'n>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.placed(visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed(self.visit_or_empty(visitor, true))
    }

    fn deserialize_map<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed(self.visit_or_empty(visitor, false))
    }

    fn deserialize_struct<V: Visitor<'n>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'n>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let result = match &self.node.value {
            Value::String(variant) => visitor.visit_enum(Variant { name: variant, value: None }),
            Value::Map(map) if map.entries.len() == 1 => {
                let entry = &map.entries[0];
                visitor.visit_enum(Variant { name: &entry.key, value: Some(self.inside(&entry.value)) })
            }
            Value::Map(_) => Err(de::Error::invalid_type(Unexpected::Map, &"one key")),
            _ => self.visit(visitor),
        };
        self.placed(result)
    }

    fn deserialize_ignored_any<V: Visitor<'n>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'n>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit_struct tuple tuple_struct identifier
    }
}

struct Items<'n, 's> {
    decoder: Decoder<'n, 's>,
    items: std::slice::Iter<'n, Node<'s>>,
}

impl<'n> SeqAccess<'n> for Items<'n, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'n>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.items.next().map(|item| seed.deserialize(self.decoder.inside(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Fields<'n, 's> {
    decoder: Decoder<'n, 's>,
    entries: std::slice::Iter<'n, Entry<'s>>,
    entry: Option<&'n Entry<'s>>,
}

impl<'n> MapAccess<'n> for Fields<'n, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'n>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.entry = self.entries.next();
        let Some(entry) = self.entry else { return Ok(None) };
        let key = seed.deserialize(BorrowedStrDeserializer::<Error>::new(&entry.key));
        key.map(Some).map_err(|error| error.at(entry.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'n>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.entry.take() {
            Some(entry) => seed.deserialize(self.decoder.inside(&entry.value)),
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

struct Variant<'n, 's> {
    name: &'n str,
    value: Option<Decoder<'n, 's>>,
}

impl<'n, 's> EnumAccess<'n> for Variant<'n, 's> {
    type Error = Error;
    type Variant = Content<'n, 's>;

    fn variant_seed<V: DeserializeSeed<'n>>(self, seed: V) -> Result<(V::Value, Content<'n, 's>), Error> {
        let variant = seed.deserialize(StrDeserializer::<Error>::new(self.name))?;
        Ok((variant, Content(self.value)))
    }
}

/// What an enum's variant holds.
struct Content<'n, 's>(Option<Decoder<'n, 's>>);

impl<'n> VariantAccess<'n> for Content<'n, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'n>>(self, seed: T) -> Result<T::Value, Error> {
        match self.0 {
            Some(decoder) => seed.deserialize(decoder),
            None => Err(de::Error::invalid_type(Unexpected::UnitVariant, &"a value")),
        }
    }

    fn tuple_variant<V: Visitor<'n>>(self, _len: usize, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Some(decoder) => de::Deserializer::deserialize_seq(decoder, visitor),
            None => Err(de::Error::invalid_type(Unexpected::UnitVariant, &visitor)),
        }
    }

    fn struct_variant<V: Visitor<'n>>(self, _fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Some(decoder) => de::Deserializer::deserialize_map(decoder, visitor),
            None => Err(de::Error::invalid_type(Unexpected::UnitVariant, &visitor)),
        }
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::PodSpec;

    use super::*;
    use crate::yaml::{Options, parse};

    fn spec(text: &str) -> Result<PodSpec, DeError> {
        from_node(parse(text, &Options::default()).documents[0].root().expect("valid"))
    }

    #[test]
    fn types_come_out_with_kubectls_reading() {
        let spec = spec(
            "containers:\n- name: a\n  ports:\n  - containerPort: 8e3\ntolerations:\nnodeSelector: ~\npriority: 1.0\n",
        )
        .expect("fits");
        assert_eq!(spec.containers[0].ports.as_ref().expect("ports")[0].container_port, 8000);
        assert_eq!((spec.priority, spec.tolerations, spec.node_selector), (Some(1), None, None));
    }

    #[test]
    fn errors_point_at_the_innermost_value() {
        let text = "containers:\n- name: a\n  ports:\n  - containerPort: \"80\"\n";
        let error = spec(text).expect_err("a string is no port");
        assert_eq!(&text[error.span.range()], "\"80\"");
        let text = "nodeSelector:\n  a: on\n";
        let error = spec(text).expect_err("a boolean is no label");
        assert_eq!(&text[error.span.range()], "on");
    }

    #[test]
    fn unknown_fields_are_passed_whatever_they_hold() {
        assert!(spec("containers: []\nunknown: {a: [1, {b: c}]}\n").is_ok());
    }
}
