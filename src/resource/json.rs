//! Values as Go writes them into field errors.

use crate::yaml::{Node, to_json};

/// JSON as `json.Marshal` has it: compact, sorted keys, `<`, `>` and `&` escaped.
pub fn text(node: &Node<'_>) -> String {
    escape(&to_json(node))
}

/// A JSON object of the given fields, sorted by name.
pub fn object<'n, 's: 'n>(fields: impl IntoIterator<Item = (&'static str, &'n Node<'s>)>) -> String {
    let mut parts: Vec<String> = fields.into_iter().map(|(key, node)| format!("\"{key}\":{}", text(node))).collect();
    parts.sort();
    format!("{{{}}}", parts.join(","))
}

fn escape(json: &str) -> String {
    // Outside of strings JSON has none of these.
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A float for people: with an exponent below 1e-4 and from 1e21 on.
pub fn plain_float(number: f64) -> String {
    float(number, 1e21)
}

/// A float as Go's `%v` prints it: with an exponent of two digits below 1e-4 and from 1e6 on.
pub fn shown_float(number: f64) -> String {
    float(number, 1e6)
}

/// `number` in its fewest digits, with an exponent of at least two digits below 1e-4 and from `long` on.
fn float(number: f64, long: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-4..long).contains(&size) {
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
    use crate::yaml::{Span, Style, Value};

    #[test]
    fn writes_as_go_does() {
        assert_eq!(plain_float(1e-9), "1e-09");
        assert_eq!(plain_float(1e30), "1e+30");
        assert_eq!(plain_float(24.04), "24.04");
        let shown = [24.04, -0.5, 999999.5, 1234567.5, 1e20, 12345678901234567890.0, 1e-7].map(shown_float);
        let go = ["24.04", "-0.5", "999999.5", "1.2345675e+06", "1e+20", "1.2345678901234567e+19", "1e-07"];
        assert_eq!(shown, go);
        let node = |value| Node::new(Span::default(), Style::Plain, value);
        let (number, string) = (node(Value::Int(1)), node(Value::String("a<b".into())));
        assert_eq!(object([("b", &number), ("a", &string)]), "{\"a\":\"a\\u003cb\",\"b\":1}");
    }
}
