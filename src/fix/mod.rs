//! Applies fixes to the bytes of a file.

mod files;

pub use files::{FixedFile, fix_files};

use crate::finding::{Applicability, Edit, Fix};
use crate::input::Source;
use crate::yaml::text::{Encoding, Text};
use std::collections::BTreeMap;

/// A file after its fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The new content, in the encoding of the old.
    pub bytes: Vec<u8>,
    /// How many fixes were applied.
    pub applied: usize,
}

/// Applies the fixes that are safe enough. Each is applied as a whole or not at all: one that touches text that an earlier
/// one changed is left for another round. `None` where nothing was applied.
pub fn apply<'f>(source: &Source, fixes: impl IntoIterator<Item = &'f Fix>, with_unsafe: bool) -> Option<Fixed> {
    let (taken, applied) = chosen(fixes, with_unsafe);
    (applied > 0).then(|| Fixed { bytes: splice(source, &taken), applied })
}

/// The edits that [`apply`] makes, in the order of the text, and of how many fixes they are.
pub fn chosen<'f>(fixes: impl IntoIterator<Item = &'f Fix>, with_unsafe: bool) -> (Vec<&'f Edit>, usize) {
    let mut taken = Taken::default();
    let mut applied = 0;
    for fix in fixes {
        let wanted = with_unsafe || fix.applicability == Applicability::Safe;
        if wanted && !fix.edits.is_empty() && fix.edits.iter().all(|edit| !taken.touches(edit)) {
            taken.take(&fix.edits);
            applied += 1;
        }
    }
    (taken.0.into_values().collect(), applied)
}

/// Edits that change different texts, by where they start and the order in which they came.
#[derive(Default)]
struct Taken<'f>(BTreeMap<(u32, usize), &'f Edit>);

impl<'f> Taken<'f> {
    /// Whether an edit changes the same text as one of these, or inserts at the same place. These do not overlap, so
    /// that the nearest one before it and the first one behind its start decide.
    fn touches(&self, edit: &Edit) -> bool {
        let Edit { span, .. } = edit;
        let before = self.0.range(..=(span.start, usize::MAX)).next_back();
        before.is_some_and(|(_, one)| one.span.start == span.start || span.start < one.span.end)
            || self.0.range((span.start, 0)..(span.end.max(span.start), 0)).next().is_some()
    }

    fn take(&mut self, edits: &'f [Edit]) {
        for edit in edits {
            self.0.insert((edit.span.start, self.0.len()), edit);
        }
    }
}

fn splice(source: &Source, edits: &[&Edit]) -> Vec<u8> {
    let text = source.text();
    let mut bytes = Vec::with_capacity(source.bytes.len() + 64);
    let mut from = 0;
    for edit in edits {
        let (start, end) = (text.byte_offset(edit.span.start), text.byte_offset(edit.span.end));
        bytes.extend_from_slice(&source.bytes[from..start]);
        encode(&edit.text, &text, &mut bytes);
        from = end;
    }
    bytes.extend_from_slice(&source.bytes[from..]);
    bytes
}

/// Writes new text as the file is written: its encoding, and CR LF where its lines end so.
fn encode(new: &str, old: &Text<'_>, bytes: &mut Vec<u8>) {
    let new = if old.as_str().contains("\r\n") { new.replace('\n', "\r\n") } else { new.to_owned() };
    match old.encoding() {
        Encoding::Utf8 | Encoding::Utf8WithMark => bytes.extend_from_slice(new.as_bytes()),
        Encoding::Utf16Little => bytes.extend(new.encode_utf16().flat_map(u16::to_le_bytes)),
        Encoding::Utf16Big => bytes.extend(new.encode_utf16().flat_map(u16::to_be_bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Span;

    fn fix(applicability: Applicability, edits: &[(u32, u32, &str)]) -> Fix {
        let edits = edits.iter().map(|(start, end, text)| Edit { span: Span::new(*start, *end), text: (*text).into() });
        Fix { applicability, title: "x".into(), edits: edits.collect() }
    }

    fn applied(bytes: &[u8], fixes: &[Fix], with_unsafe: bool) -> Option<(Vec<u8>, usize)> {
        apply(&Source::explicit("a.yaml", bytes.to_vec()), fixes, with_unsafe).map(|fixed| (fixed.bytes, fixed.applied))
    }

    #[test]
    fn edits_of_several_fixes_are_spliced_in_order() {
        let fixes = [
            fix(Applicability::Safe, &[(3, 4, "\"1\"")]),
            fix(Applicability::Safe, &[(0, 1, "key"), (5, 5, "# end\n")]),
        ];
        assert_eq!(applied(b"a: 1\nb: 2\n", &fixes, false), Some((b"key: \"1\"\n# end\nb: 2\n".to_vec(), 2)));
    }

    #[test]
    fn a_fix_that_touches_another_is_left_out_as_a_whole() {
        let fixes = [fix(Applicability::Safe, &[(3, 4, "2")]), fix(Applicability::Safe, &[(0, 1, "z"), (3, 4, "3")])];
        assert_eq!(applied(b"a: 1\n", &fixes, false), Some((b"a: 2\n".to_vec(), 1)));
    }

    #[test]
    fn unsafe_fixes_need_to_be_asked_for() {
        let fixes = [fix(Applicability::Unsafe, &[(3, 4, "2")])];
        assert_eq!(applied(b"a: 1\n", &fixes, false), None);
        assert_eq!(applied(b"a: 1\n", &fixes, true), Some((b"a: 2\n".to_vec(), 1)));
    }

    #[test]
    fn encodings_and_line_ends_stay() {
        let mut utf16 = vec![0xff, 0xfe];
        utf16.extend("a: \u{e9}1".encode_utf16().flat_map(u16::to_le_bytes));
        let mut wanted = vec![0xff, 0xfe];
        wanted.extend("a: \u{e9}\"1\"".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(applied(&utf16, &[fix(Applicability::Safe, &[(5, 6, "\"1\"")])], false), Some((wanted, 1)));
        let latin = b"a: \xe91\r\n";
        let fixes = [fix(Applicability::Safe, &[(6, 7, "2\nb: 3")])];
        assert_eq!(applied(latin, &fixes, false), Some((b"a: \xe92\r\nb: 3\r\n".to_vec(), 1)));
    }
}
