//! Bytes of a file to text, as kubectl reads them, and places in that text.

use std::borrow::Cow;

use memchr::memchr2_iter;

use super::node::Span;

/// A file's bytes as the text that kubectl decodes.
///
/// A byte order mark is dropped, UTF-16 with a byte order mark is converted, and bytes that are not UTF-8 become
/// U+FFFD. Every [`Span`] of this module is a range of bytes in this text; [`Text::byte_offset`] leads back to the file.
#[derive(Clone, Debug)]
pub struct Text<'b> {
    text: Cow<'b, str>,
    encoding: Encoding,
    replaced: Vec<Replacement>,
    /// Of UTF-16: for each [`BLOCK`] of the text the first character that starts in it, and its offset in the file.
    blocks: Vec<(u32, u32)>,
    /// Bytes of the file.
    size: usize,
    /// The parts that are read as files of their own; `None` for the whole.
    parts: Option<Vec<Span>>,
}

/// Bytes of text that are counted at a time, so that a place far along a line or a file costs no more than others.
const BLOCK: usize = 2048;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 that starts with a byte order mark.
    Utf8WithMark,
    /// UTF-16, little endian, with a byte order mark.
    Utf16Little,
    /// UTF-16, big endian, with a byte order mark.
    Utf16Big,
}

/// A U+FFFD that stands for bytes which are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Replacement {
    /// Offset of the U+FFFD in the text.
    at: u32,
    /// How many bytes the text is longer than the file up to its end; none replaces more bytes than it takes.
    surplus: u32,
    /// go-yaml's complaint, where it gets to see the bytes themselves.
    complaint: &'static str,
}

const REPLACEMENT: char = '\u{fffd}';
/// Bytes that [`REPLACEMENT`] takes in the text.
const REPLACEMENT_LEN: usize = REPLACEMENT.len_utf8();

impl<'b> Text<'b> {
    /// Decodes the bytes of a file. No input fails; what is lost is in [`Text::replaced`].
    pub fn decode(bytes: &'b [u8]) -> Self {
        let mut text = match bytes {
            [0xEF, 0xBB, 0xBF, rest @ ..] => Self::from_utf8(rest, Encoding::Utf8WithMark),
            [0xFF, 0xFE, rest @ ..] => Self::from_utf16(rest, Encoding::Utf16Little),
            [0xFE, 0xFF, rest @ ..] => Self::from_utf16(rest, Encoding::Utf16Big),
            _ => Self::from_utf8(bytes, Encoding::Utf8),
        };
        text.size = bytes.len();
        text
    }

    fn from_utf8(bytes: &'b [u8], encoding: Encoding) -> Self {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Self {
                text: Cow::Borrowed(text),
                encoding,
                replaced: Vec::new(),
                blocks: Vec::new(),
                size: 0,
                parts: None,
            };
        }
        let mut text = String::with_capacity(bytes.len() + 16);
        let mut replaced = Vec::new();
        let mut read = 0;
        let mut surplus = 0;
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            read += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                let complaint = octet_complaint(&bytes[read..]);
                read += chunk.invalid().len();
                surplus += offset(REPLACEMENT_LEN - chunk.invalid().len());
                replaced.push(Replacement { at: offset(text.len()), surplus, complaint });
                text.push(REPLACEMENT);
            }
        }
        Self { text: Cow::Owned(text), encoding, replaced, blocks: Vec::new(), size: 0, parts: None }
    }

    fn from_utf16(bytes: &[u8], encoding: Encoding) -> Self {
        let pairs = bytes.chunks_exact(2);
        let rest = pairs.remainder().len();
        let units = pairs.map(|pair| match encoding {
            Encoding::Utf16Big => u16::from_be_bytes([pair[0], pair[1]]),
            _ => u16::from_le_bytes([pair[0], pair[1]]),
        });
        let mut text = String::with_capacity(bytes.len() / 2 + 1);
        let mut replaced = Vec::new();
        let mut blocks = Vec::new();
        let mut read = 2;
        for unit in char::decode_utf16(units) {
            if text.len() >= blocks.len() * BLOCK {
                blocks.push((offset(text.len()), read));
            }
            if unit.is_err() {
                replaced.push(Replacement { at: offset(text.len()), surplus: 0, complaint: "" });
            }
            let c = unit.unwrap_or(REPLACEMENT);
            read += 2 * offset(c.len_utf16());
            text.push(c);
        }
        if rest > 0 {
            replaced.push(Replacement { at: offset(text.len()), surplus: 0, complaint: "" });
            text.push(REPLACEMENT);
        }
        Self { text: Cow::Owned(text), encoding, replaced, blocks, size: 0, parts: None }
    }

    /// The same places with another text of the same length, of which only some parts are read.
    pub(crate) fn masked(self, text: String, parts: Vec<Span>) -> Self {
        debug_assert_eq!(self.text.len(), text.len());
        let is_read = |one: &Replacement| {
            let after = parts.partition_point(|part| part.start <= one.at);
            parts[..after].last().is_some_and(|part| one.at < part.end)
        };
        let replaced = self.replaced.into_iter().filter(is_read).collect();
        Self { text: Cow::Owned(text), replaced, parts: Some(parts), ..self }
    }

    /// The parts that are read as files of their own; `None` if the whole is one.
    pub(super) fn parts(&self) -> Option<&[Span]> {
        self.parts.as_deref()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How the file was written.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The places in the text where bytes of the file were no text and became U+FFFD.
    pub fn replaced(&self) -> impl Iterator<Item = Span> + '_ {
        self.replaced.iter().map(|one| Span::new(one.at, one.at + REPLACEMENT_LEN as u32))
    }

    /// Bytes that are no UTF-8 behind a byte order mark: kubectl hands them on as they are, and go-yaml refuses them with
    /// these words. Without the mark kubectl replaces them first.
    pub(super) fn complaints(&self) -> impl Iterator<Item = (u32, &'static str)> + '_ {
        let refused = self.encoding == Encoding::Utf8WithMark;
        self.replaced.iter().filter(move |_| refused).map(|one| (one.at, one.complaint))
    }

    /// The offset in the file of a text offset.
    pub fn byte_offset(&self, at: u32) -> usize {
        let at = (at as usize).min(self.text.len());
        let offset = match self.encoding {
            Encoding::Utf8 => self.utf8_offset(at),
            Encoding::Utf8WithMark => 3 + self.utf8_offset(at),
            Encoding::Utf16Little | Encoding::Utf16Big => self.utf16_offset(at),
        };
        offset.min(self.size)
    }

    fn utf8_offset(&self, at: usize) -> usize {
        let before = self.replaced.partition_point(|one| (one.at as usize) < at);
        at - self.replaced[..before].last().map_or(0, |one| one.surplus as usize)
    }

    fn utf16_offset(&self, at: usize) -> usize {
        let before = self.blocks.partition_point(|(start, _)| (*start as usize) <= at);
        let (start, read) =
            self.blocks[..before].last().map_or((0, 2), |(start, read)| (*start as usize, *read as usize));
        let chars = self.text[start..].char_indices().take_while(|(within, _)| start + within < at);
        read + chars.map(|(_, c)| 2 * c.len_utf16()).sum::<usize>()
    }
}

/// Whether a byte of UTF-8 starts a character.
fn starts_char(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// What go-yaml says of bytes that start no character.
fn octet_complaint(bytes: &[u8]) -> &'static str {
    let width = match bytes[0] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    // The end of the file counts as a line break.
    let trailing = bytes.get(1..width).filter(|trailing| trailing.iter().all(|byte| byte & 0xC0 == 0x80));
    let Some(trailing) = trailing else { return "invalid trailing UTF-8 octet" };
    let lead = u32::from(bytes[0]) & (0x7F >> width);
    let value = trailing.iter().fold(lead, |value, byte| value << 6 | u32::from(byte & 0x3F));
    match (width, value) {
        (2, ..0x80) | (3, ..0x800) | (4, ..0x1_0000) => "invalid length of a UTF-8 sequence",
        _ => "invalid Unicode character",
    }
}

/// The last place at or before `at` that cuts no character.
pub(super) fn char_start(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first place at or behind `at` that cuts no character.
pub(super) fn char_end(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// A `usize` offset as the `u32` that spans use; texts are limited to that size.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A line and column, both from 1; columns count Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in Unicode scalar values.
    pub column: u32,
}

/// Where the lines of a text start. Lines end with LF, CR LF or a lone CR.
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// How many characters start before each [`BLOCK`] of the text.
    chars: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of `text`.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                starts.push(offset(at + 1));
            }
        }
        let mut before = 0;
        let count = |block: &[u8]| {
            let known = before;
            before += offset(block.iter().filter(|byte| starts_char(**byte)).count());
            known
        };
        let chars = bytes.chunks(BLOCK).map(count).collect();
        Self { text, starts, chars }
    }

    /// Line and column of an offset; the end of the text for offsets behind it.
    pub fn position(&self, at: u32) -> Position {
        let line = self.line_of(at);
        let start = self.starts[line] as usize;
        let end = char_start(self.text, at as usize);
        let column = match end.saturating_sub(start) {
            ..BLOCK => self.text.get(start..end).map_or(0, |before| before.chars().count()),
            BLOCK.. => self.chars_before(end) - self.chars_before(start),
        };
        Position { line: offset(line + 1), column: offset(column + 1) }
    }

    fn chars_before(&self, at: usize) -> usize {
        let block = (at / BLOCK).min(self.chars.len().saturating_sub(1));
        let known = self.chars.get(block).map_or(0, |known| *known as usize);
        let within = &self.text.as_bytes()[block * BLOCK..at];
        known + within.iter().filter(|byte| starts_char(**byte)).count()
    }

    /// The offset of a line and column, both from 1; the end of that line for columns behind it.
    pub fn offset(&self, position: Position) -> Option<u32> {
        let span = self.line_span(position.line)?;
        let line = &self.text[span.range()];
        let within =
            line.char_indices().nth(position.column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at);
        Some(span.start + offset(within))
    }

    /// How many lines there are; a text that ends with a line break has an empty last line.
    pub fn len(&self) -> u32 {
        offset(self.starts.len())
    }

    /// Never: even the empty text has one line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The span of a line (from 1), without its line break.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let start = *self.starts.get(line.checked_sub(1)? as usize)?;
        let next = self.starts.get(line as usize).map_or(self.text.len(), |next| *next as usize);
        let text = self.text[start as usize..next].trim_end_matches(['\n', '\r']);
        Some(Span::new(start, start + offset(text.len())))
    }

    fn line_of(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_text_as_kubectl_reads_them() {
        let cases: [(&[u8], &str, usize); 6] = [
            (b"a: b", "a: b", 0),
            (b"\xef\xbb\xbfa", "a", 0),
            (b"\xff\xfea\0\x3d\xd8\x00\xde", "a\u{1f600}", 0),
            (b"\xfe\xff\0a\0", "a\u{fffd}", 1),
            (b"caf\xe9", "caf\u{fffd}", 1),
            (b"\xe2\x82x\xed\xa0\x80", "\u{fffd}x\u{fffd}\u{fffd}\u{fffd}", 4),
        ];
        for (bytes, text, replaced) in cases {
            let decoded = Text::decode(bytes);
            assert_eq!(decoded.as_str(), text);
            assert_eq!(decoded.replaced().count(), replaced, "{bytes:?}");
            assert_eq!(decoded.byte_offset(text.len() as u32), bytes.len(), "{bytes:?}");
        }
        assert_eq!(Text::decode(b"\xe9\xe9x").byte_offset(6), 2);
        assert_eq!(Text::decode(b"\xff\xfea\0b\0").byte_offset(1), 4);
    }

    #[test]
    fn places_far_along_are_those_of_counting_from_the_start() {
        let text = "\u{e9}a\u{1f600}\n".repeat(BLOCK / 4) + &"\u{e9}\u{1f600}b".repeat(3 * BLOCK);
        let index = LineIndex::new(&text);
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let utf16 = Text::decode(&utf16);
        let last = text.rfind('\n').unwrap() + 1;
        let (mut bytes, mut column) = (2, 1);
        for (at, c) in text.char_indices() {
            assert_eq!(utf16.byte_offset(at as u32), bytes, "{at}");
            bytes += 2 * c.len_utf16();
            if at >= last {
                assert_eq!(index.position(at as u32).column, column, "{at}");
                column += 1;
            }
        }
        assert_eq!(index.position(text.len() as u32).column, column);
    }

    #[test]
    fn positions_count_characters_and_lines_from_one() {
        let index = LineIndex::new("a\r\n\u{e9}\u{1f600}x\rz\n");
        let at = |offset| {
            let Position { line, column } = index.position(offset);
            (line, column)
        };
        assert_eq!(
            [at(0), at(3), at(5), at(9), at(11), at(13), at(99)],
            [(1, 1), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1), (4, 1)]
        );
        assert_eq!(index.offset(Position { line: 2, column: 3 }), Some(9));
        assert_eq!(index.line_span(2), Some(Span::new(3, 10)));
        assert_eq!(index.len(), 4);
    }
}
