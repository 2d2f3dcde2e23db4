//! Judges one value by its schema, in the words of the API server.

use super::date_time;
use super::fault::Fault;
use super::place::{Place, typed, unquoted};
use super::remark;
use crate::go;
use crate::quantity;
use crate::resource::json;
use crate::resource::schema::{Schema, Shape};
use crate::yaml::{Node, Value};

const QUANTITY_PATTERN: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// The JSON types that a shape takes, joined as the server does; `None` for anything.
pub fn types(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::String | Shape::DateTime => Some("string"),
        Shape::Boolean => Some("boolean"),
        Shape::Int32 | Shape::Int64 => Some("integer"),
        Shape::Quantity | Shape::IntOrString => Some("integer,string"),
        Shape::List(_) => Some("array"),
        Shape::Map(_) | Shape::Object(_) => Some("object"),
        Shape::Any => None,
    }
}

fn format_of(shape: &Shape) -> &'static str {
    match shape {
        Shape::DateTime => "date-time",
        Shape::Int32 => "int32",
        Shape::Int64 => "int64",
        _ => "",
    }
}

/// The server's check of the type: what it wanted and what it saw, or `None` if it is content.
fn mismatch(value: &Value<'_>, shape: &Shape) -> Option<(&'static str, &'static str)> {
    let (types, format) = (types(shape)?, format_of(shape));
    let seen = value.type_name();
    let fits = types.split(',').any(|known| known == seen) || is_float_integer(value, types);
    match value {
        Value::Null => Some((types, "null")),
        // The format is checked before the type, except of texts and lists.
        Value::Bool(_) | Value::Map(_) if !format.is_empty() => Some((format, "")),
        Value::Int(_) if !format.is_empty() && !fits => Some((format, "int64")),
        Value::Float(_) if !format.is_empty() && !fits => Some((format, "float64")),
        // A list in the place of a time passes: the server leaves it to the format, which looks at texts alone.
        Value::String(_) | Value::Seq(_) if format == "date-time" => None,
        _ if fits => None,
        _ => Some((types, seen)),
    }
}

/// Whether a float counts as a whole number for the server's check of the type.
fn is_float_integer(value: &Value<'_>, types: &str) -> bool {
    let Value::Float(number) = value else { return false };
    let size = number.abs();
    let close = (size - size.trunc()) / (size + size.trunc()) < 1e-9;
    types.contains("integer") && size <= 9_007_199_254_740_991.0 && close
}

/// The refusal of a value, if there is one. `pruned` is what is left of it after unknown fields are dropped.
pub fn value(place: Place<'_>, node: &Node<'_>, pruned: &Node<'_>, schema: &Schema) -> Option<Fault> {
    let path = place.path;
    let mut lines = Vec::new();
    let mut blocking = false;
    let mismatch = mismatch(&node.value, &schema.shape);
    if let Some((wanted, seen)) = mismatch {
        blocking = true;
        let seen = go::quote(seen);
        lines.push(format!("{path}: Invalid value: {seen}: {path} in body must be of type {wanted}: {seen}"));
        any_of(path, &node.value, schema, &mut lines);
    }
    blocking |= text_lines(path, node, schema, &mut lines);
    number_lines(path, &node.value, schema, &mut lines);
    blocking |= enum_line(path, pruned, schema, &mut lines);
    if lines.is_empty() {
        return None;
    }
    let cause = remark::cause(place, node, schema, mismatch.is_some());
    let optional = matches!(schema.shape, Shape::DateTime) || !schema.values.is_empty();
    let fixable = optional || fixed(node, schema, place.text).is_some();
    Some(Fault { lines, blocking, fixable, cause: Some(cause) })
}

/// The lines that a value outside `integer,string` gets besides.
fn any_of(path: &str, value: &Value<'_>, schema: &Schema, lines: &mut Vec<String>) {
    if !matches!(schema.shape, Shape::Quantity | Shape::IntOrString) || matches!(value, Value::Null) {
        return;
    }
    let seen = go::quote(value.type_name());
    lines.push(format!("<nil>: Invalid value: \"\": \"{path}\" must validate at least one schema (anyOf)"));
    lines.push(format!("{path}: Invalid value: {seen}: {path} in body must be of type integer: {seen}"));
    if matches!(value, Value::Float(_)) {
        lines.push(format!(
            "<nil>: Invalid value: \"\": Checked value must be of type integer (default format) in {path}"
        ));
    }
}

/// Formats and patterns of texts; whether the server stops there.
fn text_lines(path: &str, node: &Node<'_>, schema: &Schema, lines: &mut Vec<String>) -> bool {
    let Some(text) = node.as_str() else { return false };
    let shown = || go::quote(text);
    match schema.shape {
        Shape::DateTime if !date_time::matches(text) => {
            let shown = shown();
            lines.push(format!("{path}: Invalid value: {shown}: {path} in body must be of type date-time: {shown}"));
            true
        }
        Shape::Quantity if !quantity::matches_schema_pattern(text) => {
            let shown = shown();
            lines.push(format!("{path}: Invalid value: {shown}: {path} in body should match '{QUANTITY_PATTERN}'"));
            false
        }
        _ => false,
    }
}

fn number_lines(path: &str, value: &Value<'_>, schema: &Schema, lines: &mut Vec<String>) {
    let (number, whole) = match value {
        Value::Int(number) => (*number as f64, Some(*number)),
        Value::Float(number) => (*number, None),
        _ => return,
    };
    let in_range = match schema.shape {
        Shape::Int32 => whole.is_some_and(|number| i32::try_from(number).is_ok()),
        Shape::Int64 => whole.is_some(),
        _ => return,
    };
    if !in_range {
        let format = format_of(&schema.shape);
        lines.push(format!(
            "<nil>: Invalid value: \"\": Checked value must be of type integer with format {format} in {path}"
        ));
    }
    let shown = || whole.map_or_else(|| go::float::shown(number), |number| number.to_string());
    let mut bound = |words: &str, limit: i64| {
        lines.push(format!("{path}: Invalid value: {}: {path} in body should be {words} {limit}", shown()));
    };
    match (schema.min, schema.max) {
        (_, Some(max)) if number > max as f64 => bound("less than or equal to", max),
        (Some(min), _) if number < min as f64 => bound("greater than or equal to", min),
        _ => {}
    }
}

fn enum_line(path: &str, node: &Node<'_>, schema: &Schema, lines: &mut Vec<String>) -> bool {
    let known = |text: &str| schema.values.contains(&text);
    if schema.values.is_empty() || node.as_str().is_some_and(known) {
        return false;
    }
    let shown = node.as_str().map_or_else(|| json::text(node), go::quote);
    let values: Vec<String> = schema.values.iter().map(|value| go::quote(value)).collect();
    lines.push(format!("{path}: Unsupported value: {shown}: supported values: {}", values.join(", ")));
    true
}

/// What the author most likely meant, where the rest of the object can be judged with it: a scalar of another type,
/// taken as it is written in `text`.
pub fn fixed<'s>(node: &Node<'s>, schema: &Schema, text: &str) -> Option<Node<'s>> {
    let like = |value| Node { span: node.span, style: node.style, via: node.via, value };
    match (&node.value, &schema.shape) {
        _ if !schema.values.is_empty() => None,
        (Value::Bool(_) | Value::Int(_) | Value::Float(_), Shape::String) | (Value::Float(_), Shape::Quantity) => {
            Some(like(Value::String(typed(node, text).into())))
        }
        (Value::String(_), Shape::Int32 | Shape::Int64 | Shape::Boolean) => match unquoted(node, &schema.shape)? {
            "true" => Some(like(Value::Bool(true))),
            "false" => Some(like(Value::Bool(false))),
            number => whole(number).map(|number| like(Value::Int(number))),
        },
        _ => None,
    }
}

/// A whole number as YAML 1.1 reads it without quotes: `0644` is octal.
fn whole(text: &str) -> Option<i64> {
    let octal = text.strip_prefix('0').and_then(|digits| i64::from_str_radix(digits, 8).ok());
    octal.or_else(|| go::atoi(text))
}
