//! How text of the input leaves the program. Whatever is printed goes through one of these functions: [`line()`] for a
//! name or a value inside a line, [`block`] for text of several lines, [`json`] for JSON that is written already.
//! Reports need not call them: their text formats print [`View::visible`](crate::report::View::visible), in which all
//! texts are escaped, and their JSON formats end with [`json`].

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character moves the cursor, changes colours or the direction of text, or cannot be seen: control
/// characters, line separators of Unicode, marks and overrides of direction, fillers and characters without width.
pub fn is_hidden(c: char) -> bool {
    match c {
        ' '..='~' => false,
        '\0'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// Text for a place within a line: hidden characters, line breaks and tabs among them, become `\n`, `\t` or `\u{1b}`.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, is_hidden, visible)
}

/// Text of several lines: line breaks and tabs stay, other hidden characters become `\r` or `\u{1b}`.
pub fn block(text: &str) -> Cow<'_, str> {
    escape(text, is_hidden_in_block, visible)
}

/// JSON that is written already: hidden characters in its texts become `\u009b`, so that they keep their value.
pub fn json(text: String) -> String {
    match escape(&text, is_hidden_in_block, unicode) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    }
}

/// A line of a diff or of a file that is quoted: a carriage return before its end stays, too.
pub fn quoted(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden_in_block) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix("\r\n") {
            Some(rest) => {
                out.push_str(&block(rest));
                out.push_str("\r\n");
            }
            None => out.push_str(&block(line)),
        }
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

fn is_hidden_in_block(c: char) -> bool {
    is_hidden(c) && c != '\n' && c != '\t'
}

fn escape(text: &str, is_escaped: fn(char) -> bool, write: fn(&mut String, char)) -> Cow<'_, str> {
    let Some(first) = text.find(is_escaped) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 8);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_escaped(c) {
            write(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn visible(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}

fn unicode(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_text_is_not_copied() {
        for text in ["", "a: \"b\"", "größe 日本語 ✓ 🦀", "back\\slash"] {
            assert!(matches!(line(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn hidden_characters_can_be_seen() {
        assert_eq!(line("a\u{1b}[31m\nb\r\t\u{7f}\u{9b}"), "a\\u{1b}[31m\\nb\\r\\t\\u{7f}\\u{9b}");
        assert_eq!(
            line("a\u{202e}b\u{2066}c\u{200b}\u{2028}\u{feff}"),
            "a\\u{202e}b\\u{2066}c\\u{200b}\\u{2028}\\u{feff}"
        );
        assert_eq!(block("a\n\tb\r\u{1b}"), "a\n\tb\\r\\u{1b}");
        assert_eq!(quoted("a\r\nb\rc\u{1b}\n"), "a\r\nb\\rc\\u{1b}\n");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in any::<String>()) {
            prop_assert!(!line(&text).contains(is_hidden));
            prop_assert!(!block(&text).contains(is_hidden_in_block));
        }

        #[test]
        fn json_keeps_the_value(chars in prop::collection::vec(any::<char>(), 0..40)) {
            let text: String = chars.into_iter().chain(['\u{9b}', '\u{e0041}', '\u{7f}']).collect();
            let written = json(serde_json::to_string_pretty(&[&text]).unwrap());
            prop_assert!(!written.contains(is_hidden_in_block));
            prop_assert_eq!(serde_json::from_str::<Vec<String>>(&written).unwrap(), vec![text]);
        }
    }
}
