//! Text that is folded to the terminal's width.

use super::Look;
use std::fmt::Write;

/// The column at which the text of a field starts.
const INDENT: usize = 15;
/// The same below its heading, where a word would not fit beside it.
const NARROW: usize = 4;

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
        let longest = text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
        let is_narrow = INDENT + longest > self.look.width && NARROW + longest <= self.look.width;
        if is_narrow {
            let _ = writeln!(out, "{}", self.look.faint().style(&name));
        }
        let margin = " ".repeat(if is_narrow { NARROW } else { INDENT });
        for (number, line) in text.lines().enumerate() {
            let own = &line[..line.len() - line.trim_start().len()];
            let hanging = format!("{margin}{own}{}", if number == 0 { "" } else { hang(line.trim_start()) });
            let mut folded = self.fill(line.trim_start(), &format!("{margin}{own}"), &hanging);
            if number == 0 && !is_narrow {
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

/// A page of text folded to `width` columns as it is shown on a terminal; fences and tables stay as they are.
pub fn fold(page: &str, width: usize) -> String {
    let prose = Prose::new(Look { color: false, unicode: true, width });
    let mut text = String::new();
    let mut in_fence = false;
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        in_fence ^= is_fence;
        if in_fence || is_fence || line.starts_with('|') || line.chars().count() <= width {
            text.push_str(line);
        } else {
            let own = &line[..line.len() - line.trim_start().len()];
            let hanging = " ".repeat(value_column(line).unwrap_or(own.len() + hang(line.trim_start()).len()));
            text.push_str(&prose.fill(line.trim_start(), own, &hanging));
        }
        text.push('\n');
    }
    text
}

/// Where the value begins in a line such as `  taints       a=b`.
fn value_column(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let is_value = bytes.len() > INDENT && bytes[INDENT - 1] == b' ' && bytes[INDENT] != b' ';
    (is_value && line.starts_with("  ") && !line[2..].starts_with(' ')).then_some(INDENT)
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
    fn a_word_too_long_for_the_column_goes_below_the_heading() {
        let mut out = String::new();
        Prose::new(LOOK).field(&mut out, "here", "a virtual-kubelet.io/provider=x:NoSchedule");
        assert_eq!(out, "  here         a\n               virtual-kubelet.io/provider=x:NoSchedule\n");
        out.clear();
        Prose::new(LOOK).field(&mut out, "here", "a virtual-kubelet.io/provider:NoSche");
        assert_eq!(out, "  here\n    a virtual-kubelet.io/provider:NoSche\n");
    }

    #[test]
    fn pages_fold_between_words_and_keep_their_fences() {
        let long = "one two three four five six seven eight nine";
        let page = format!("{long}\n```text\n{long}\n```\n- {long}\n  taints       {long}\n");
        let folded = fold(&page, 40);
        let expected = "one two three four five six seven eight\nnine\n```text\n";
        assert!(folded.starts_with(expected), "{folded}");
        assert!(folded.contains(&format!("```text\n{long}\n```\n")), "{folded}");
        assert!(
            folded.contains("\n  eight nine\n  taints       one two three four five\n               six"),
            "{folded}"
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
}
