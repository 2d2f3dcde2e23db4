//! What the linter says of a value that the schema refuses.

use super::fault::{self, Cause};
use super::place::{self, Place};
use crate::finding::{Applicability, Edit, Fix, Severity, Spot};
use crate::go::float;
use crate::quantity;
use crate::resource::json;
use crate::resource::schema::{Field, Id, Schema, Shape};
use crate::rule::{self, Rule};
use crate::suggest;
use crate::yaml::{Node, Span, Style, Value};

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

/// What is written, in a sentence.
pub fn written(value: &Value<'_>) -> &'static str {
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

/// What is said of a refused value; `is_mismatch` where its type is wrong, not its content.
pub fn cause(place: Place<'_>, node: &Node<'_>, schema: &Schema, is_mismatch: bool) -> Cause {
    let open = node.as_str().filter(|text| fault::is_placeholder(text));
    if let Some(text) = open {
        let message =
            format!("`{}` holds the placeholder `{text}`; as it stands, the API server refuses it", place.name);
        let mut cause = at(place, node, rule_of(node, schema, is_mismatch), message)
            .help(format!("fill in {} before the file is applied", described(&schema.shape)));
        cause.severity = Some(Severity::Note);
        return cause;
    }
    match (&node.value, &schema.shape) {
        _ if !schema.values.is_empty() => unsupported_value(place, node, schema),
        (Value::Bool(_) | Value::Int(_) | Value::Float(_), Shape::String) => non_string_value(place, node),
        (Value::Float(_) | Value::String(_), Shape::Quantity) => invalid_quantity(place, node),
        (Value::String(text), Shape::DateTime) => invalid_time(place, node, text),
        (Value::Int(_), Shape::Int32 | Shape::Int64) => out_of_range(place, node, schema),
        (Value::Float(number), Shape::Int32 | Shape::Int64) if number.fract() == 0.0 => {
            out_of_range(place, node, schema)
        }
        _ => wrong_type(place, node, schema),
    }
}

fn at(place: Place<'_>, node: &Node<'_>, rule: &'static Rule, message: String) -> Cause {
    Cause::new(rule, Spot::of(node, place.path), message)
}

fn rule_of(node: &Node<'_>, schema: &Schema, is_mismatch: bool) -> &'static Rule {
    match schema.shape {
        _ if !schema.values.is_empty() => &rule::UNSUPPORTED_VALUE,
        Shape::DateTime if node.as_str().is_some() => &rule::INVALID_TIME,
        Shape::Quantity if !is_mismatch => &rule::INVALID_QUANTITY,
        _ => &rule::WRONG_TYPE,
    }
}

/// A value that is none of the few that the field knows.
fn unsupported_value(place: Place<'_>, node: &Node<'_>, schema: &Schema) -> Cause {
    let typed = node.as_str().map_or_else(|| place::typed(node, place.text), str::to_owned);
    let values: Vec<String> = schema.values.iter().map(|value| format!("`{value}`")).collect();
    let later = schema.later_values.iter().find(|(value, _)| *value == typed);
    let near = suggest::nearest(&typed, schema.values.iter().copied()).filter(|_| later.is_none());
    let fix = near.and_then(|near| fault::replace(node, near, sure_if_case(&typed, near)));
    let message = format!("`{}` does not know the value `{typed}`", place.name);
    let help = match (near, later) {
        (_, Some((_, since))) => {
            format!("install agent-sandbox {since} or later, which brings it, or write one of {}", values.join(", "))
        }
        (Some(near), None) => format!("did you mean `{near}`? The values are {}", values.join(", ")),
        (None, None) => format!("write one of {}", values.join(", ")),
    };
    at(place, node, &rule::UNSUPPORTED_VALUE, message).help(help).fix(fix)
}

/// A defect of case alone leaves no doubt.
fn sure_if_case(typed: &str, near: &str) -> Applicability {
    if typed.eq_ignore_ascii_case(near) { Applicability::Safe } else { Applicability::Unsafe }
}

/// A scalar that YAML reads as something else than text.
pub fn non_string_value(place: Place<'_>, node: &Node<'_>) -> Cause {
    let message = format!("`{}` must be a string, but kubectl reads {}", place.name, read_as(node, place.text));
    at(place, node, &rule::NON_STRING_VALUE, message).help("put the value in quotes").fix(fault::quote(node))
}

/// ``  `010` as the number 8 ``, or `the number 8` where it is typed so.
fn read_as(node: &Node<'_>, text: &str) -> String {
    let typed = place::typed(node, text);
    let (kind, value) = match &node.value {
        Value::Bool(flag) => ("boolean", flag.to_string()),
        Value::Float(number) => ("number", float::plain(*number)),
        _ => ("number", json::text(node)),
    };
    if typed == value { format!("the {kind} {value}") } else { format!("`{typed}` as the {kind} {value}") }
}

/// An amount that the schema does not take.
fn invalid_quantity(place: Place<'_>, node: &Node<'_>) -> Cause {
    let Some(text) = node.as_str() else {
        let typed = place::typed(node, place.text);
        let message =
            format!("`{}` is the number {typed}, but an amount is a whole number of 64 bits or a string", place.name);
        return at(place, node, &rule::INVALID_QUANTITY, message)
            .help("put the amount in quotes, or write it without a fraction, such as 500m")
            .fix(fault::quote(node));
    };
    const SUFFIXES: &str = "n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi and Ei";
    let near = nearest_quantity(text);
    let fix = near.as_deref().and_then(|near| fault::replace(node, near, Applicability::Unsafe));
    let help = match &near {
        Some(near) => format!("did you mean `{near}`? The suffixes are {SUFFIXES}"),
        None => format!("write a number alone or with one of the suffixes {SUFFIXES}"),
    };
    at(place, node, &rule::INVALID_QUANTITY, format!("`{}` is `{text}`, which is no quantity", place.name))
        .help(help)
        .fix(fix)
}

/// The amount that a defect such as `6GiB`, `1 Gi`, `1K` or `256MB` stands for.
fn nearest_quantity(text: &str) -> Option<String> {
    let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let digits = compact.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, suffix) = compact.split_at(digits);
    let lower = suffix.to_lowercase();
    let bare = ["bytes", "byte", "b"].iter().find_map(|unit| lower.strip_suffix(unit)).unwrap_or(&lower);
    let suffix = match bare {
        "" => "",
        "k" => "k",
        "m" if suffix.starts_with('M') => "M",
        "g" => "G",
        "t" => "T",
        "ki" => "Ki",
        "mi" => "Mi",
        "gi" => "Gi",
        "ti" => "Ti",
        _ => return None,
    };
    let near = format!("{number}{suffix}");
    (near != text && quantity::matches_schema_pattern(&near)).then_some(near)
}

/// A text that is no time.
fn invalid_time(place: Place<'_>, node: &Node<'_>, text: &str) -> Cause {
    let help = match text.len() {
        10 => "write the date with a time and a zone, such as 2030-01-31T12:00:00Z",
        _ if text.contains(' ') => "put a T between date and time and a zone at the end, such as 2030-01-31T12:00:00Z",
        _ => "write date, time and zone, such as 2030-01-31T12:00:00Z or 2030-01-31T12:00:00+01:00",
    };
    let message = format!("`{}` is `{text}`, which is no time in the form of RFC 3339", place.name);
    at(place, node, &rule::INVALID_TIME, message).help(help)
}

/// A number that the field does not reach.
fn out_of_range(place: Place<'_>, node: &Node<'_>, schema: &Schema) -> Cause {
    let bits = if schema.shape == Shape::Int32 { 32 } else { 64 };
    let help = match (schema.min, schema.max) {
        (None, None) => format!("write a whole number that fits {bits} bits"),
        (min, max) => {
            let most = max.unwrap_or(if bits == 32 { i64::from(i32::MAX) } else { i64::MAX });
            format!("write a whole number from {} to {most}", min.unwrap_or(0))
        }
    };
    let message = format!("`{}` is {}, which is out of range", place.name, place::typed(node, place.text));
    at(place, node, &rule::OUT_OF_RANGE, message).help(help)
}

/// A value of another type than the field takes.
fn wrong_type(place: Place<'_>, node: &Node<'_>, schema: &Schema) -> Cause {
    let wanted = described(&schema.shape);
    let quoted = matches!(node.style, Style::SingleQuoted | Style::DoubleQuoted) && node.via.is_none();
    let fix = place::unquoted(node, &schema.shape).filter(|_| quoted).map(|text| Fix {
        applicability: Applicability::Safe,
        title: "take the quotes away".to_owned(),
        edits: vec![Edit { span: node.span, text: text.to_owned() }],
    });
    let help = match (&node.value, &schema.shape) {
        _ if fix.is_some() => "take the quotes away".to_owned(),
        (Value::Map(_), Shape::List(_)) => "write a list: each entry begins with `- ` on a line of its own".to_owned(),
        (Value::String(_), Shape::List(_)) => {
            "write a list, even for one entry: `[…]`, or `- …` on a line of its own".to_owned()
        }
        (Value::Seq(_), Shape::Map(_) | Shape::Object(_)) => "write `key: value` pairs without `- `".to_owned(),
        (Value::String(name), Shape::Object(_)) if place.name.ends_with("Ref") => {
            format!("write `{}: {{name: {name}}}`", place.name)
        }
        (Value::String(text), Shape::Object(_)) if place.name.starts_with("env[") && text.contains('=') => {
            let (name, value) = text.split_once('=').unwrap_or_default();
            format!("a variable is written as `name: {name}` and `value: {value}`")
        }
        (Value::String(_) | Value::Int(_), Shape::Object(id)) if place.name.ends_with(']') => item_help(node, *id),
        (Value::Map(map), Shape::String) if place.name.contains('.') && !map.entries.is_empty() => {
            format!("write the key on one line, with a slash: `{}/{}`", place.name, map.entries[0].key)
        }
        (Value::Null, _) => format!("write {wanted}, or leave the entry out"),
        _ => format!("write {wanted}"),
    };
    let message = format!("`{}` must be {wanted}, but {} is written", place.name, written(&node.value));
    at(place, node, &rule::WRONG_TYPE, message).help(help).fix(fix)
}

/// How an entry of a list of mappings is written that now is a bare value: `containerPort: 80` for `80`.
fn item_help(node: &Node<'_>, id: Id) -> String {
    let fields = &id.definition().fields;
    let mut needed = fields.iter().filter(|field| field.required || fields.len() == 1);
    match (needed.next(), needed.next(), &node.value) {
        (Some(field), None, Value::Int(number)) => format!("write `{}: {number}`", field.name),
        (Some(field), None, Value::String(text))
            if matches!(field.schema.shape, Shape::String) && text.starts_with(char::is_alphanumeric) =>
        {
            format!("write `{}: {text}`", field.name)
        }
        _ => "write a mapping".to_owned(),
    }
}

/// A required field that is not there, or has no value.
pub fn missing_field(path: &str, field: &Field, owner: &str, is_null: bool, place: Span) -> Cause {
    let name = field.name;
    let message = match is_null {
        true => format!("`{name}` has no value, but {owner} needs it"),
        false => format!("`{name}` is missing, but {owner} needs it"),
    };
    let help = match &field.schema.shape {
        Shape::Object(id) => {
            let required: Vec<&str> =
                id.definition().fields.iter().filter(|field| field.required).map(|field| field.name).collect();
            let inner: Vec<String> = required.iter().map(|name| format!("{name}: …")).collect();
            format!("write `{name}: {{{}}}`", inner.join(", "))
        }
        Shape::List(_) => format!("write `{name}:` with a list below it"),
        shape => format!("write `{name}:` with {}", described(shape)),
    };
    let help = match field.optional_since {
        Some(since) => format!("{help}; from agent-sandbox {since} on it may be left out"),
        None => help,
    };
    Cause::new(&rule::MISSING_FIELD, Spot::new(place, path), message).help(help)
}

/// Two items of a list with one key: the finding points at the second and names the first.
pub fn duplicate_entry(place: Place<'_>, items: &[Node<'_>], keys: &[&str], (first, second): (usize, usize)) -> Cause {
    let named = |index: usize| keys.iter().find_map(|key| items[index].get(key)).unwrap_or(&items[index]).place();
    let shown: Vec<String> = keys
        .iter()
        .filter_map(|key| {
            let node = items[second].get(key)?;
            Some(format!("{key} `{}`", node.as_str().map_or_else(|| json::text(node), str::to_owned)))
        })
        .collect();
    let name = place.name;
    let message = match shown.as_slice() {
        [] => format!("`{name}[{second}]` and `{name}[{first}]` both lack {}", keys.join(" and ")),
        shown => format!("`{name}[{second}]` has the same {} as `{name}[{first}]`", shown.join(" and ")),
    };
    let spot = Spot::new(named(second), format!("{}[{second}]", place.path));
    let mut cause = Cause::new(&rule::DUPLICATE_ENTRY, spot, message)
        .help(format!("give each entry of the list its own {}", keys.join(" and ")));
    cause.related = Some((named(first), "first written here".to_owned()));
    cause
}
