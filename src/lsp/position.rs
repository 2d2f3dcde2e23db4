//! Places of the protocol (lines and columns from 0, columns in a negotiated unit) to bytes of a text and back.

use crate::yaml::{LineIndex, Position as Place};
use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16, which every client knows.
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

impl Unit {
    /// The best of the units that a client offers, by their names in the protocol.
    pub fn negotiate<'n>(offered: impl Iterator<Item = &'n str>) -> Self {
        let offered: Vec<&str> = offered.collect();
        if offered.contains(&"utf-8") {
            Unit::Utf8
        } else if offered.contains(&"utf-32") && !offered.contains(&"utf-16") {
            Unit::Utf32
        } else {
            Unit::Utf16
        }
    }

    /// The unit as the protocol names it.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Unit::Utf8 => PositionEncodingKind::UTF8,
            Unit::Utf16 => PositionEncodingKind::UTF16,
            Unit::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Unit::Utf8 => character.len_utf8(),
            Unit::Utf16 => character.len_utf16(),
            Unit::Utf32 => 1,
        }
    }
}

/// The lines of a text, with columns in one unit.
pub(super) struct Places<'t> {
    text: &'t str,
    lines: LineIndex<'t>,
    unit: Unit,
}

impl<'t> Places<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str, unit: Unit) -> Self {
        Self { text, lines: LineIndex::new(text), unit }
    }

    /// The position of a byte.
    pub fn position(&self, at: usize) -> Position {
        let at = u32::try_from(at.min(self.text.len())).unwrap_or(u32::MAX);
        let line = self.lines.position(at).line;
        let start = self.lines.line_span(line).map_or(0, |span| span.start);
        let before = self.text.get(start as usize..at as usize).unwrap_or_default();
        let column: usize = before.chars().map(|character| self.unit.width(character)).sum();
        Position { line: line - 1, character: u32::try_from(column).unwrap_or(u32::MAX) }
    }

    /// The range of some bytes.
    pub fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        Range { start: self.position(bytes.start), end: self.position(bytes.end.max(bytes.start)) }
    }

    /// The byte at a position: the end of the line for columns behind it, the end of the text for lines behind it.
    /// A column inside a character means its start.
    pub fn offset(&self, position: Position) -> usize {
        let line = position.line.saturating_add(1);
        let Some(span) = self.lines.line_span(line) else { return self.text.len() };
        let mut left = position.character as usize;
        let mut at = span.start as usize;
        for character in self.text[span.range()].chars() {
            let width = self.unit.width(character);
            if left < width {
                break;
            }
            left -= width;
            at += character.len_utf8();
        }
        at
    }

    /// The bytes of a range; never backwards.
    pub fn bytes(&self, range: Range) -> std::ops::Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// The bytes of the line around a byte, without its line break.
    pub fn line_around(&self, at: usize) -> std::ops::Range<usize> {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let Place { line, .. } = self.lines.position(at);
        self.lines.line_span(line).map_or(0..0, |span| span.range())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_each_unit() {
        let text = "a: \u{e9}\u{1f600}x\r\nb\n";
        for (unit, column) in [(Unit::Utf8, 9), (Unit::Utf16, 6), (Unit::Utf32, 5)] {
            let places = Places::new(text, unit);
            assert_eq!(places.position(9), Position { line: 0, character: column });
            assert_eq!(places.offset(Position { line: 0, character: column }), 9);
            assert_eq!(places.position(12), Position { line: 1, character: 0 });
            assert_eq!(places.offset(Position { line: 0, character: 99 }), 10);
            assert_eq!(places.offset(Position { line: 99, character: 0 }), text.len());
        }
        assert_eq!(Places::new(text, Unit::Utf16).offset(Position { line: 0, character: 5 }), 5);
    }

    #[test]
    fn the_best_unit_is_chosen() {
        assert_eq!(Unit::negotiate([].into_iter()), Unit::Utf16);
        assert_eq!(Unit::negotiate(["utf-16", "utf-8"].into_iter()), Unit::Utf8);
        assert_eq!(Unit::negotiate(["utf-32"].into_iter()), Unit::Utf32);
        assert_eq!(Unit::negotiate(["utf-32", "utf-16"].into_iter()), Unit::Utf16);
    }
}
