//! Text that is folded to the terminal's width.

use super::Look;
use std::fmt::Write;

/// The column at which the text of a field starts.
const INDENT: usize = 15;

/// Folds text.
pub(super) struct Prose {
    look: Look,
}

impl Prose {
    pub(super) fn new(look: Look) -> Self {
        Self { look }
    }

    /// Folds each line of `text`; `first` and `rest` go before it.
    pub(super) fn fill(&self, text: &str, first: &str, rest: &str) -> String {
        let options = textwrap::Options::new(self.look.width.max(20))
            .initial_indent(first)
            .subsequent_indent(rest)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        textwrap::fill(text, options)
    }

    /// Writes `name` and, aligned behind it, `text`: manifests as they are, sentences folded.
    pub(super) fn field(&self, out: &mut String, name: &str, text: &str) {
        let name = format!("  {name}");
        let margin = " ".repeat(INDENT);
        for (number, line) in printable(text).lines().enumerate() {
            let own = &line[..line.len() - line.trim_start().len()];
            let hanging = format!("{margin}{own}{}", if number == 0 { "" } else { hang(line.trim_start()) });
            let mut folded = self.fill(line.trim_start(), &format!("{margin}{own}"), &hanging);
            if number == 0 {
                let rest = folded.get(name.len()..).unwrap_or_default().to_owned();
                folded = format!("{}{rest}", self.look.faint().style(&name));
            }
            let _ = writeln!(out, "{}", folded.trim_end());
        }
    }
}

fn hang(line: &str) -> &'static str {
    if line.starts_with("- ") || line.starts_with("* ") { "  " } else { "" }
}

/// A text without control characters that a terminal would obey.
pub(super) fn printable(text: &str) -> String {
    let visible = |c: char| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

/// Splits a help text into the piece of a manifest that it begins with, and the sentence that follows; either may be
/// empty.
pub(super) fn manifest_first(help: &str) -> (&str, &str) {
    let mut end = 0;
    for line in help.split_inclusive('\n') {
        let nested = end > 0 && line.starts_with([' ', '-']);
        if !nested && !is_entry(line) {
            break;
        }
        end += line.len();
    }
    (help[..end].trim_end(), &help[end..])
}

/// Whether a line is a key with its value rather than the beginning of a sentence.
fn is_entry(line: &str) -> bool {
    let line = line.trim_start_matches("- ");
    let key = line.split(':').next().unwrap_or_default();
    line.contains(':') && !key.contains(' ') && !key.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Look = Look { color: false, unicode: true, width: 40 };

    #[test]
    fn fields_are_folded_and_aligned() {
        let mut out = String::new();
        Prose::new(LOOK).field(&mut out, "help", "one two three four five six seven\nkey:\n  - nested");
        assert_eq!(
            out,
            "  help         one two three four five\n               six seven\n               key:\n                 - nested\n"
        );
    }

    #[test]
    fn a_manifest_is_told_from_a_sentence() {
        for manifest in ["tolerations:\n  - key: a", "- key: a\n  value: b", "a: b\nc:\n- d"] {
            assert_eq!(manifest_first(manifest), (manifest, ""));
        }
        for sentence in ["quote it: \"3600\"", "remove the line", ""] {
            assert_eq!(manifest_first(sentence), ("", sentence));
        }
        assert_eq!(manifest_first("a:\n  b: c\nelse it waits"), ("a:\n  b: c", "else it waits"));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\r"), "a\u{fffd}[31mb\u{fffd}");
    }
}
