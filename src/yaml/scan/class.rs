//! Classes of bytes.

/// Space and tab.
pub(super) const BLANK: u8 = 1;
/// LF and CR.
pub(super) const BREAK: u8 = 2;
/// First bytes of U+0085, U+2028 and U+2029, which are line breaks too.
pub(super) const LEAD: u8 = 4;
/// NUL, which stands for the end.
pub(super) const END: u8 = 8;
/// `,?[]{}`: what ends a plain scalar in brackets.
pub(super) const FLOW: u8 = 16;
/// `:`
pub(super) const COLON: u8 = 32;
/// Letters, digits, `_` and `-`.
pub(super) const WORD: u8 = 64;
/// What a tag is made of besides [`WORD`].
pub(super) const URI: u8 = 128;

static TABLE: [u8; 256] = table();

const fn table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0 => END,
            b' ' | b'\t' => BLANK,
            b'\n' | b'\r' => BREAK,
            0xC2 | 0xE2 => LEAD,
            b',' | b'?' | b'[' | b']' => FLOW | URI,
            b'{' | b'}' => FLOW,
            b':' => COLON | URI,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' => WORD,
            b';' | b'/' | b'@' | b'&' | b'=' | b'+' | b'$' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' | b'%' => {
                URI
            }
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Whether the byte is in one of the classes.
#[inline(always)]
pub(super) fn is(byte: u8, classes: u8) -> bool {
    TABLE[byte as usize] & classes != 0
}
