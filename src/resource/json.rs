//! Values as Go's `encoding/json` writes them into messages.

use crate::yaml::{Node, Value};
use std::fmt::Write as _;

/// Compact JSON with sorted keys and `<`, `>`, `&` escaped.
pub fn text(node: &Node<'_>) -> String {
    let mut out = String::new();
    write_value(&mut out, &node.value);
    out
}

/// A JSON string.
pub fn string(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

/// A JSON object of the given fields, which are sorted by name.
pub fn object<'n, 's: 'n>(fields: impl IntoIterator<Item = (&'n str, &'n Node<'s>)>) -> String {
    let mut fields: Vec<(&str, String)> = fields.into_iter().map(|(key, node)| (key, self::text(node))).collect();
    fields.sort();
    let parts: Vec<String> = fields.iter().map(|(key, value)| format!("{}:{value}", string(key))).collect();
    format!("{{{}}}", parts.join(","))
}

fn write_value(out: &mut String, value: &Value<'_>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Float(number) => out.push_str(&float(*number)),
        Value::String(text) => write_string(out, text),
        Value::Seq(items) => {
            let parts: Vec<String> = items.iter().map(text).collect();
            let _ = write!(out, "[{}]", parts.join(","));
        }
        Value::Map(map) => out.push_str(&object(map.entries.iter().map(|entry| (&*entry.key, &entry.value)))),
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        let _ = match letter {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\x08' => out.write_str("\\b"),
            '\x0c' => out.write_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' => write!(out, "\\u{:04x}", u32::from(letter)),
            other => out.write_char(other),
        };
    }
    out.push('"');
}

/// A float in JSON: plain digits between 1e-6 and 1e21, else with an exponent.
fn float(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        return match text.split_once('e') {
            Some((digits, power)) if power.starts_with('-') => format!("{digits}e{power}"),
            Some((digits, power)) => format!("{digits}e+{power}"),
            None => text,
        };
    }
    format!("{number}")
}

/// A float as Go's `%v` prints it: with an exponent of two digits below 1e-4 and from 1e21 on.
pub fn plain_float(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{number:e}");
        if let Some((digits, power)) = text.split_once('e') {
            let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
            return format!("{digits}e{sign}{power:0>2}");
        }
    }
    format!("{number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Span, Style};

    #[test]
    fn writes_as_go_does() {
        assert_eq!(string("a<b>\"\n\u{1}"), "\"a\\u003cb\\u003e\\\"\\n\\u0001\"");
        assert_eq!(float(1.5), "1.5");
        assert_eq!(float(1e30), "1e+30");
        assert_eq!(float(1e-9), "1e-9");
        assert_eq!(plain_float(1e-9), "1e-09");
        assert_eq!(plain_float(1e30), "1e+30");
        assert_eq!(plain_float(24.04), "24.04");
        let node = |value| Node::new(Span::default(), Style::Plain, value);
        let list = node(Value::Seq(vec![node(Value::Int(1)), node(Value::Null), node(Value::Bool(true))]));
        assert_eq!(text(&list), "[1,null,true]");
        assert_eq!(object([("b", &node(Value::Int(1))), ("a", &list)]), "{\"a\":[1,null,true],\"b\":1}");
    }
}
