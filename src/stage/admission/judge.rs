//! Judges one value by its schema, in the words of the API server.

use super::fault::{self, Cause, Fault};
use crate::finding::{Applicability, Edit, Fix, Severity, Spot};
use crate::go;
use crate::quantity;
use crate::resource::json;
use crate::resource::schema::{Schema, Shape};
use crate::rule;
use crate::timestamp;
use crate::yaml::{Node, Style, Value};

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

/// The shape in a sentence.
pub fn described(shape: &Shape) -> &'static str {
    match shape {
        Shape::String => "a string",
        Shape::DateTime => "a time such as \"2030-01-31T12:00:00Z\"",
        Shape::Boolean => "true or false",
        Shape::Int32 | Shape::Int64 => "a whole number",
        Shape::Quantity => "an amount such as 500m or \"1.5\"",
        Shape::IntOrString => "a whole number or a string",
        Shape::List(_) => "a list",
        Shape::Map(_) | Shape::Object(_) => "a mapping",
        Shape::Any => "a value",
    }
}

fn written(value: &Value<'_>) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Int(_) => "a number",
        Value::Float(_) => "a number with a fraction",
        Value::String(_) => "a string",
        Value::Seq(_) => "a list",
        Value::Map(_) => "a mapping",
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
        // The format speaks before the type, except of texts and lists.
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
pub fn value(path: &str, node: &Node<'_>, pruned: &Node<'_>, schema: &Schema, text: &str) -> Option<Fault> {
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
    let cause = cause(path, node, schema, mismatch.is_some());
    let optional = matches!(schema.shape, Shape::DateTime) || !schema.values.is_empty();
    let mendable = optional || mended(node, schema, text).is_some();
    Some(Fault { lines, blocking, mendable, cause: Some(cause) })
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
    let shown = go::quote(text);
    match schema.shape {
        Shape::DateTime if !timestamp::matches_schema(text) => {
            lines.push(format!("{path}: Invalid value: {shown}: {path} in body must be of type date-time: {shown}"));
            true
        }
        Shape::Quantity if !quantity::matches_schema_pattern(text) => {
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
    let shown = whole.map_or_else(|| json::plain_float(number), |number| number.to_string());
    let mut bound = |words: &str, limit: i64| {
        lines.push(format!("{path}: Invalid value: {shown}: {path} in body should be {words} {limit}"));
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
pub fn mended<'s>(node: &Node<'s>, schema: &Schema, text: &str) -> Option<Node<'s>> {
    let like = |value| Node { span: node.span, style: node.style, via: node.via, value };
    match (&node.value, &schema.shape) {
        _ if !schema.values.is_empty() => None,
        (Value::Bool(_) | Value::Int(_) | Value::Float(_), Shape::String) | (Value::Float(_), Shape::Quantity) => {
            let typed = text.get(node.span.range()).filter(|typed| node.style == Style::Plain && !typed.is_empty());
            let typed = typed.map_or_else(|| json::text(node), str::to_owned);
            Some(like(Value::String(typed.into())))
        }
        (Value::String(_), Shape::Int32 | Shape::Int64 | Shape::Boolean) => match unquoted(node, &schema.shape)? {
            "true" => Some(like(Value::Bool(true))),
            "false" => Some(like(Value::Bool(false))),
            number => go::atoi(number).map(|number| like(Value::Int(number))),
        },
        _ => None,
    }
}

/// A quoted text that needs no quotes.
fn unquoted<'n>(node: &'n Node<'_>, shape: &Shape) -> Option<&'n str> {
    let text = node.as_str()?;
    match shape {
        Shape::Int32 | Shape::Int64 => go::atoi(text).is_some().then_some(text),
        Shape::Boolean => matches!(text, "true" | "false").then_some(text),
        _ => None,
    }
}

fn cause(path: &str, node: &Node<'_>, schema: &Schema, is_mismatch: bool) -> Cause {
    let spot = Spot::of(node, path);
    let open = node.as_str().filter(|text| fault::is_placeholder(text));
    if let Some(text) = open {
        let message = format!("`{path}` holds the placeholder `{text}`; as it stands, the API server refuses it");
        let mut cause = Cause::new(rule_of(node, schema, is_mismatch), spot, message)
            .help(format!("fill in {} before the file is applied", described(&schema.shape)));
        cause.severity = Some(Severity::Note);
        return cause;
    }
    match (&node.value, &schema.shape) {
        _ if !schema.values.is_empty() => unsupported(path, node, schema, spot),
        (Value::Bool(_) | Value::Int(_) | Value::Float(_), Shape::String) => not_a_string(path, node, spot),
        (_, Shape::Quantity) => bad_quantity(path, node, spot),
        (Value::String(text), Shape::DateTime) => {
            let message = format!("`{path}` is `{text}`, which is no time in the form of RFC 3339");
            Cause::new(&rule::INVALID_TIME, spot, message).help(time_help(text))
        }
        (Value::Int(_) | Value::Float(_), Shape::Int32 | Shape::Int64) if !is_mismatch => {
            out_of_range(path, node, schema, spot)
        }
        _ => wrong_type(path, node, schema, spot),
    }
}

fn rule_of(node: &Node<'_>, schema: &Schema, is_mismatch: bool) -> &'static rule::Rule {
    match schema.shape {
        _ if !schema.values.is_empty() => &rule::UNSUPPORTED_VALUE,
        Shape::DateTime if node.as_str().is_some() => &rule::INVALID_TIME,
        Shape::Quantity if !is_mismatch => &rule::INVALID_QUANTITY,
        _ => &rule::WRONG_TYPE,
    }
}

/// Says that the value is none of the few that the field knows.
fn unsupported(path: &str, node: &Node<'_>, schema: &Schema, spot: Spot) -> Cause {
    let typed = node.as_str().map_or_else(|| json::text(node), str::to_owned);
    let values: Vec<String> = schema.values.iter().map(|value| format!("`{value}`")).collect();
    let near = crate::suggest::nearest(&typed, schema.values.iter().copied());
    let fix = near.and_then(|near| fault::replace(node, near, applicability(&typed, near)));
    let message = format!("`{path}` does not know the value `{typed}`");
    let help = match near {
        Some(near) => format!("did you mean `{near}`? The values are {}", values.join(", ")),
        None => format!("write one of {}", values.join(", ")),
    };
    Cause::new(&rule::UNSUPPORTED_VALUE, spot, message).help(help).fix(fix)
}

/// A slip of case alone leaves no doubt.
fn applicability(typed: &str, near: &str) -> Applicability {
    if typed.eq_ignore_ascii_case(near) { Applicability::Safe } else { Applicability::Unsafe }
}

/// Says that YAML reads an unquoted scalar as something else than text.
fn not_a_string(path: &str, node: &Node<'_>, spot: Spot) -> Cause {
    let read = match &node.value {
        Value::Bool(flag) => format!("the boolean {flag}"),
        Value::Float(number) => format!("the number {}", json::plain_float(*number)),
        _ => format!("the number {}", json::text(node)),
    };
    let message = format!("`{path}` must be a string, but kubectl reads {read}");
    Cause::new(&rule::NON_STRING_VALUE, spot, message).help("put the value in quotes").fix(fault::quote(node))
}

fn bad_quantity(path: &str, node: &Node<'_>, spot: Spot) -> Cause {
    match &node.value {
        Value::Float(number) => {
            let message = format!(
                "`{path}` is the number {}, but an amount with a fraction must be a string",
                json::plain_float(*number)
            );
            Cause::new(&rule::INVALID_QUANTITY, spot, message)
                .help("put the amount in quotes, or write it without a fraction, such as 500m")
                .fix(fault::quote(node))
        }
        Value::String(text) => {
            let near = nearest_quantity(text);
            let fix = near.as_deref().and_then(|near| fault::replace(node, near, Applicability::Unsafe));
            let help = match &near {
                Some(near) => {
                    format!("did you mean `{near}`? Suffixes are n, u, m, k, M, G, T, P, E and Ki, Mi, Gi, Ti, Pi, Ei")
                }
                None => {
                    "write a number with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or none"
                        .to_owned()
                }
            };
            Cause::new(&rule::INVALID_QUANTITY, spot, format!("`{path}` is `{text}`, which is no amount"))
                .help(help)
                .fix(fix)
        }
        _ => wrong_type(path, node, &AMOUNT, spot),
    }
}

static AMOUNT: Schema =
    Schema { shape: Shape::Quantity, keys: Vec::new(), default: None, values: Vec::new(), min: None, max: None };

/// The amount that a slip such as `6GiB`, `1 Gi`, `1K` or `256MB` stands for.
fn nearest_quantity(text: &str) -> Option<String> {
    let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let digits = compact.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, suffix) = compact.split_at(digits);
    let suffix = match suffix.to_lowercase().trim_end_matches("ytes").trim_end_matches("yte").trim_end_matches('b') {
        "k" => "k",
        "ki" => "Ki",
        "m" if suffix.starts_with('M') => "M",
        "mi" => "Mi",
        "g" => "G",
        "gi" => "Gi",
        "t" => "T",
        "ti" => "Ti",
        "" => "",
        _ => return None,
    };
    let near = format!("{number}{suffix}");
    (near != text && quantity::matches_schema_pattern(&near)).then_some(near)
}

fn time_help(text: &str) -> &'static str {
    match text.len() {
        10 => "write the date with a time and a zone, such as 2030-01-31T12:00:00Z",
        _ if text.contains(' ') => "put a T between date and time and a zone at the end, such as 2030-01-31T12:00:00Z",
        _ => "write date, time and zone, such as 2030-01-31T12:00:00Z or 2030-01-31T12:00:00+01:00",
    }
}

fn out_of_range(path: &str, node: &Node<'_>, schema: &Schema, spot: Spot) -> Cause {
    let typed = json::text(node);
    let widest = i64::from(i32::MAX);
    let (least, most) = match schema.shape {
        Shape::Int32 => (schema.min.unwrap_or(i64::from(i32::MIN)), schema.max.unwrap_or(widest)),
        _ => (schema.min.unwrap_or(i64::MIN), schema.max.unwrap_or(i64::MAX)),
    };
    Cause::new(&rule::OUT_OF_RANGE, spot, format!("`{path}` is {typed}, which is out of range"))
        .help(format!("write a whole number from {least} to {most}"))
}

fn wrong_type(path: &str, node: &Node<'_>, schema: &Schema, spot: Spot) -> Cause {
    let wanted = described(&schema.shape);
    let message = format!("`{path}` must be {wanted}, but {} is written", written(&node.value));
    let quoted = matches!(node.style, Style::SingleQuoted | Style::DoubleQuoted) && node.via.is_none();
    let fix = unquoted(node, &schema.shape).filter(|_| quoted).map(|text| Fix {
        applicability: Applicability::Safe,
        title: "take the quotes away".to_owned(),
        edits: vec![Edit { span: node.span, text: text.to_owned() }],
    });
    let help = match (&node.value, &schema.shape) {
        _ if fix.is_some() => "take the quotes away".to_owned(),
        (Value::Map(_), Shape::List(_)) => {
            "write a list: each entry on a line of its own that begins with `- `".to_owned()
        }
        (Value::String(_), Shape::List(_)) => {
            "write a list, even for one entry: `[…]`, or `- …` on a line of its own".to_owned()
        }
        (Value::Seq(_), Shape::Map(_) | Shape::Object(_)) => "write `key: value` pairs without `- `".to_owned(),
        (Value::Null, _) => format!("write {wanted}, or leave the entry out"),
        _ => format!("write {wanted}"),
    };
    Cause::new(&rule::WRONG_TYPE, spot, message).help(help).fix(fix)
}
