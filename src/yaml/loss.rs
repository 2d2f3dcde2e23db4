//! What a reader of the file sees and kubectl does not: things that are lost without a word.

use super::node::Span;

/// Something that kubectl drops or changes silently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The key stands twice in one mapping; kubectl keeps the last value.
    DuplicateKey {
        /// The key as kubectl reads it.
        key: String,
        /// The key whose value is lost.
        lost: Span,
        /// The key whose value stays.
        kept: Span,
    },
    /// kubectl never looks at this text: it reads one YAML document per `---`.
    TextAfterEnd {
        /// The text that is not read, from its first to its last visible character.
        span: Span,
        /// Why it is not read.
        cause: EndCause,
    },
    /// A `<<` replaces a key that was written before it.
    MergeOverwrites {
        /// The key as kubectl reads it.
        key: String,
        /// The key that was written and is lost.
        written: Span,
        /// The `*alias` or `<<` whose value wins.
        merged_from: Span,
    },
    /// Bytes that are not UTF-8 became U+FFFD.
    InvalidUtf8 {
        /// The U+FFFD in the text.
        span: Span,
    },
    /// Two different keys (such as `1` and `"1"`) become the same text; which value kubectl sends is random.
    RandomKeyCollision {
        /// The key that both become.
        key: String,
        /// The first of the two.
        first: Span,
        /// The second of the two.
        second: Span,
    },
    /// A line `- y` that continues the plain text above instead of starting a list item.
    FoldedDash {
        /// The line that looks like a list item.
        span: Span,
    },
    /// The file starts with `{` but is not JSON: kubectl up to 1.32 refuses it, later ones read it as YAML.
    FlowStyleFile {
        /// The place where JSON ends.
        span: Span,
        /// What kubectl up to 1.32 says.
        message: String,
    },
    /// A key that is not a string in YAML and became another text (`yes` is `true`, `0x10` is `16`).
    NonStringKey {
        /// The key as kubectl reads it.
        key: String,
        /// The key as written.
        span: Span,
    },
}

/// Why kubectl stops reading before the end of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// A `...` line ends the YAML document.
    DocumentEnd,
    /// The top-level value was complete: a mapping in braces, or lines indented less than the first one.
    ValueComplete,
    /// A `---` line that only go-yaml sees, since the line before it ends with a lone CR.
    LoneCarriageReturn,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Documents, Options, Text, parse};

    fn losses(text: &str) -> Vec<Loss> {
        parse(text, &Options::default()).documents.iter().flat_map(|document| document.losses.clone()).collect()
    }

    fn at(text: &str, part: &str) -> Span {
        let start = text.find(part).expect("the part is there") as u32;
        Span::new(start, start + part.len() as u32)
    }

    #[test]
    fn duplicate_keys_are_told_wherever_they_stand() {
        for text in ["first: 1\nb: 2\n\"first\": 3\n", "{\"first\": 1, \"b\": 2, \"first\": 3}"] {
            let found = losses(text);
            let [Loss::DuplicateKey { key, lost, kept }] = &found[..] else { panic!("{found:?}") };
            assert_eq!((key.as_str(), lost.start < kept.start), ("first", true));
        }
        let many: String = (0..100).map(|number| format!("k{}: 1\n", number % 50)).collect();
        assert_eq!(losses(&many).len(), 50);
        assert_eq!(losses("x: &x {a: 1, a: 2}\nz: *x\n").len(), 1, "listed once, at the anchor");
    }

    #[test]
    fn text_after_the_end_is_told_with_its_cause() {
        let cases = [
            ("a: 1\n...\nlost: 2\n", "lost: 2", EndCause::DocumentEnd),
            ("# c\n{a: 1}\nlost\n", "lost", EndCause::ValueComplete),
            (" a: 1\nlost: 1\nb: 2\n", "lost: 1\nb: 2", EndCause::ValueComplete),
            ("a: 1\r---\rlost: 2\r", "---\rlost: 2", EndCause::LoneCarriageReturn),
        ];
        for (text, lost, cause) in cases {
            assert_eq!(losses(text), [Loss::TextAfterEnd { span: at(text, lost), cause }], "{text:?}");
        }
        assert_eq!(losses("a: 1\n...\n# only a comment\n\n"), []);
    }

    #[test]
    fn a_merge_that_overwrites_is_told() {
        let text = "base: &base {a: 1, b: 2}\nx:\n  a: 9\n  <<: *base\n  b: 3\n";
        let written = Span::new(at(text, "a: 9").start, at(text, "a: 9").start + 1);
        assert_eq!(losses(text), [Loss::MergeOverwrites { key: "a".into(), written, merged_from: at(text, "*base") }]);
    }

    #[test]
    fn keys_that_change_or_collide_are_told() {
        let found = losses("1: a\n'1': b\non: c\n0x10: d\nplain: e\n");
        let [collision, on, hex] = &found[..] else { panic!("{found:?}") };
        assert!(matches!(collision, Loss::RandomKeyCollision { key, .. } if key == "1"));
        assert!(matches!(on, Loss::NonStringKey { key, .. } if key == "true"));
        assert!(matches!(hex, Loss::NonStringKey { key, .. } if key == "16"));
    }

    #[test]
    fn folded_dashes_flow_files_and_bad_bytes_are_told() {
        let text = "a:\n- x\n - y\n";
        assert_eq!(losses(text), [Loss::FoldedDash { span: at(text, "- y") }]);
        let found = losses("{a: 1}");
        assert!(matches!(&found[..], [Loss::FlowStyleFile { message, .. }] if message.starts_with("json: offset 2: ")));
        let text = Text::decode(b"a: 1\n---\nb: caf\xe9\n");
        let found: Vec<Vec<Loss>> =
            Documents::of(&text, &Options::default()).map(|document| document.losses.clone()).collect();
        assert_eq!(found, [vec![], vec![Loss::InvalidUtf8 { span: Span::new(15, 18) }]]);
    }
}
