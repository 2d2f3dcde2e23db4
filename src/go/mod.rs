//! What Go's standard library does with texts, numbers and times, as far as messages and checks show it.

pub mod duration;
pub mod float;
pub mod time;

use std::fmt::Write as _;

/// Quotes as `%q` does: `"60\n"`, `"60\u00a0"`; printable text beyond ASCII stays as it is.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        quoted.push_str(text);
    } else {
        text.chars().for_each(|letter| push_quoted(&mut quoted, letter));
    }
    quoted.push('"');
    quoted
}

fn push_quoted(quoted: &mut String, letter: char) {
    let short = match letter {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\x07' => "\\a",
        '\x08' => "\\b",
        '\x0c' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\x0b' => "\\v",
        _ => "",
    };
    let code = u32::from(letter);
    // Writing to a String cannot fail.
    let _ = match (short, code) {
        ("", _) if is_print(letter) => quoted.write_char(letter),
        ("", 0..0x80) => write!(quoted, "\\x{code:02x}"),
        ("", 0x80..0x1_0000) => write!(quoted, "\\u{code:04x}"),
        ("", _) => write!(quoted, "\\U{code:08x}"),
        (short, _) => quoted.write_str(short),
    };
}

/// `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space.
fn is_print(letter: char) -> bool {
    // The standard library knows printable characters only through escaping; a leading letter keeps marks unescaped.
    let mut text = String::from("a");
    text.push(letter);
    text.escape_debug().count() == 2 || letter == '\''
}

/// `strconv.Atoi` on 64 bits: an optional sign and ASCII digits, nothing else.
pub fn atoi(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// `path.Clean` of an absolute or relative slash-separated path.
pub fn clean_path(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        let table = [
            ("1h", r#""1h""#),
            ("60\n", r#""60\n""#),
            ("\"60\"", r#""\"60\"""#),
            ("60\u{a0}", r#""60\u00a0""#),
            ("６０", r#""６０""#),
            ("it's", r#""it's""#),
            ("a\u{301}", "\"a\u{301}\""),
            ("\u{7f}", r#""\x7f""#),
            ("\u{ad}", r#""\u00ad""#),
            ("\u{e0001}", r#""\U000e0001""#),
            ("\u{200b}", r#""\u200b""#),
        ];
        for (text, quoted) in table {
            assert_eq!(quote(text), quoted);
        }
    }

    #[test]
    fn reads_integers_as_go_does() {
        for (text, number) in [("0", 0), ("-0", 0), ("+0", 0), ("0060", 60), ("9223372036854775807", i64::MAX)] {
            assert_eq!(atoi(text), Some(number), "{text}");
        }
        for text in
            ["", "+", "-", "--1", "+-1", " 60", "60 ", "1_000", "0x3c", "1e3", "3.5", "６０", "9223372036854775808"]
        {
            assert_eq!(atoi(text), None, "{text}");
        }
    }

    #[test]
    fn cleans_paths_as_go_does() {
        let table = [
            ("/a/../b", "/b"),
            ("/a/b/", "/a/b"),
            ("/", "/"),
            ("/../a", "/a"),
            ("a//b", "a/b"),
            ("", "."),
            ("../a", "../a"),
        ];
        for (path, clean) in table {
            assert_eq!(clean_path(path), clean, "{path}");
        }
    }
}
