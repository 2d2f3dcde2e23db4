//! How kubectl types a scalar and a key (the resolution table of go-yaml, then its way through JSON).

use std::borrow::Cow;

use super::node::Value;
use crate::go::time::days_in;

/// A tag, as far as it matters to go-yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// `!` alone, or any tag that go-yaml does not know: the value is its text.
    Other,
    Str,
    Int,
    Float,
    Bool,
    Null,
    Timestamp,
    Binary,
    Merge,
    /// `!` alone, where a `<<` is still a merge.
    NonSpecific,
}

impl Tag {
    /// The tag with this full name.
    pub(super) fn from_name(name: &str) -> Self {
        match name.strip_prefix("tag:yaml.org,2002:") {
            Some("str") => Self::Str,
            Some("int") => Self::Int,
            Some("float") => Self::Float,
            Some("bool") => Self::Bool,
            Some("null") => Self::Null,
            Some("timestamp") => Self::Timestamp,
            Some("binary") => Self::Binary,
            Some("merge") => Self::Merge,
            _ if name == "!" => Self::NonSpecific,
            _ => Self::Other,
        }
    }

    fn short_name(self) -> &'static str {
        match self {
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Bool => "!!bool",
            Self::Null => "!!null",
            _ => "!!timestamp",
        }
    }
}

/// What a scalar with an explicit tag is.
pub(super) enum Tagged {
    Resolved(Resolved),
    /// The bytes of a `!!binary`, as text.
    Binary(String),
    BadBase64,
    /// go-yaml's message: the text is not of the tag's type.
    Wrong(String),
}

/// Resolves a scalar with an explicit tag; quoted text is resolved like plain text.
pub(super) fn resolve_tagged(tag: Tag, text: &str) -> Tagged {
    let resolved = match tag {
        Tag::None => return Tagged::Resolved(resolve(text)),
        Tag::Other | Tag::Str | Tag::Merge | Tag::NonSpecific => {
            return Tagged::Resolved(Resolved::String);
        }
        Tag::Binary => return decode_base64(text).map_or(Tagged::BadBase64, Tagged::Binary),
        Tag::Timestamp if is_timestamp(text) => return Tagged::Resolved(Resolved::String),
        Tag::Int | Tag::Float | Tag::Bool | Tag::Null | Tag::Timestamp => resolve(text),
    };
    match (tag, resolved) {
        (Tag::Int, Resolved::Int(_) | Resolved::Uint(_))
        | (Tag::Float, Resolved::Float(_))
        | (Tag::Bool, Resolved::Bool(_))
        | (Tag::Null, Resolved::Null) => Tagged::Resolved(resolved),
        (Tag::Float, Resolved::Int(number)) => Tagged::Resolved(Resolved::Float(number as f64)),
        _ => Tagged::Wrong(format!("cannot decode {} `{text}` as a {}", resolved.tag_name(), tag.short_name())),
    }
}

/// Standard base64 as Go decodes it: line breaks are skipped, padding is required and must be the end.
fn decode_base64(text: &str) -> Option<String> {
    let symbols: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    let padding = symbols.iter().rev().take(2).take_while(|byte| **byte == b'=').count();
    let mut bytes = Vec::with_capacity(symbols.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for symbol in &symbols[..symbols.len() - padding] {
        let six = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => one_replacement_per_byte(error.as_bytes()),
    })
}

/// Go's JSON writes U+FFFD for each byte that starts no character.
fn one_replacement_per_byte(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('\u{fffd}', chunk.invalid().len()));
    }
    text
}

/// The four layouts of a YAML timestamp, as Go's `time.Parse` reads them.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.iter().take_while(|byte| byte.is_ascii_digit()).count() != 4 {
        return false;
    }
    let mut rest = &bytes[4..];
    let Some(day) = take(&mut rest, b'-')
        .and_then(|()| number(&mut rest, 12))
        .and_then(|month| take(&mut rest, b'-').and_then(|()| number(&mut rest, 31)).map(|day| (month, day)))
    else {
        return false;
    };
    let year: u32 = text[..4].parse().unwrap_or(0);
    if day.0 == 0 || day.1 == 0 || day.1 > days_in(day.0, year) {
        return false;
    }
    match rest.first() {
        None => true,
        Some(b'T' | b't') => time_of_day(&mut &rest[1..]).is_some_and(is_zone),
        Some(b' ') => time_of_day(&mut rest.trim_ascii_start()).is_some_and(<[u8]>::is_empty),
        Some(_) => false,
    }
}

fn take(rest: &mut &[u8], byte: u8) -> Option<()> {
    *rest = rest.strip_prefix(&[byte])?;
    Some(())
}

/// One or two digits, at most `max`.
fn number(rest: &mut &[u8], max: u32) -> Option<u32> {
    let count = rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, behind) = rest.split_at(count);
    *rest = behind;
    let number = digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
    (count > 0 && number <= max).then_some(number)
}

fn time_of_day<'t>(rest: &mut &'t [u8]) -> Option<&'t [u8]> {
    number(rest, 23)?;
    take(rest, b':')?;
    number(rest, 59)?;
    take(rest, b':')?;
    number(rest, 59)?;
    if let [b'.' | b',', b'0'..=b'9', ..] = rest {
        let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        *rest = &rest[1 + digits..];
    }
    Some(rest)
}

fn is_zone(zone: &[u8]) -> bool {
    match zone {
        b"Z" => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].iter().all(|digit| digit.is_ascii_digit()),
        _ => false,
    }
}

/// A plain scalar as go-yaml resolves it, before JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Resolved {
    Null,
    Bool(bool),
    Int(i64),
    /// Above the range of `i64`.
    Uint(u64),
    Float(f64),
    String,
}

impl Resolved {
    /// The short tag that go-yaml names in its errors.
    pub(super) fn tag_name(self) -> &'static str {
        match self {
            Self::Null => "!!null",
            Self::Bool(_) => "!!bool",
            Self::Int(_) | Self::Uint(_) => "!!int",
            Self::Float(_) => "!!float",
            Self::String => "!!str",
        }
    }

    /// The value that goes over the wire.
    pub(super) fn into_value(self, text: Cow<'_, str>) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(flag),
            Self::Int(number) => Value::Int(number),
            Self::Uint(number) => float_value(number as f64),
            Self::Float(number) => float_value(number),
            Self::String => Value::String(text),
        }
    }
}

/// A float as it arrives at the API server: without a fraction it is an integer, as far as its JSON text fits 64 bits.
pub(super) fn float_value(number: f64) -> Value<'static> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.is_finite() && number.fract() == 0.0 {
        if number.abs() <= EXACT {
            return Value::Int(number as i64);
        }
        if number.abs() < 1e19
            && let Ok(number) = number.to_string().parse()
        {
            return Value::Int(number);
        }
    }
    Value::Float(number)
}

/// Resolves an untagged plain scalar.
#[inline]
pub(super) fn resolve(text: &str) -> Resolved {
    let Some(&first) = text.as_bytes().first() else {
        return Resolved::Null;
    };
    match first {
        b'~' | b'n' | b'N' | b'y' | b'Y' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' => resolve_word(text),
        b'.' => resolve_dotted(text),
        b'0'..=b'9' | b'+' | b'-' => resolve_number(text),
        _ => Resolved::String,
    }
}

fn resolve_word(text: &str) -> Resolved {
    if text.len() > 5 {
        return Resolved::String;
    }
    match text {
        "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Resolved::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Resolved::Bool(false),
        _ => Resolved::String,
    }
}

fn resolve_dotted(text: &str) -> Resolved {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Resolved::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" => return Resolved::Float(f64::INFINITY),
        _ => {}
    }
    if !underscores_separate_digits(text) {
        return Resolved::String;
    }
    parse_float(&without_underscores(text)).map_or(Resolved::String, Resolved::Float)
}

/// Go's rule for `_` in a number: only between two digits.
fn underscores_separate_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(b'_', bytes).all(|at| digit(at.checked_sub(1)) && digit(Some(at + 1)))
}

fn resolve_number(text: &str) -> Resolved {
    match text {
        "+.inf" | "+.Inf" | "+.INF" => return Resolved::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Resolved::Float(f64::NEG_INFINITY),
        _ => {}
    }
    let plain = without_underscores(text);
    parse_integer(&plain)
        .or_else(|| parse_float(&plain).map(Resolved::Float))
        .or_else(|| parse_signed_binary(&plain))
        .unwrap_or(Resolved::String)
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

/// Go's `ParseInt` and `ParseUint` with base 0.
fn parse_integer(text: &str) -> Option<Resolved> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (base, digits) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &unsigned[2..]),
        [b'0', b'o' | b'O', ..] => (8, &unsigned[2..]),
        [b'0', b'b' | b'B', ..] => (2, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let number = u64::from_str_radix(digits, base).ok()?;
    let signed = if negative { 0_i64.checked_sub_unsigned(number) } else { i64::try_from(number).ok() };
    match signed {
        Some(number) => Some(Resolved::Int(number)),
        None if text.len() == unsigned.len() => Some(Resolved::Uint(number)),
        None => None,
    }
}

/// A sign behind `0b` counts for go-yaml, which parses the rest on its own: `0b-11` is -3.
fn parse_signed_binary(text: &str) -> Option<Resolved> {
    let digits = text.strip_prefix("0b")?;
    digits.starts_with(['+', '-']).then(|| i64::from_str_radix(digits, 2).ok().map(Resolved::Int))?
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, if it does not overflow.
fn parse_float(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(at);
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if whole + fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    let number: f64 = if at == bytes.len() {
        text.parse().ok()?
    } else {
        return None;
    };
    number.is_finite().then_some(number)
}

/// The string that a key of this type becomes; `None` where kubectl has no such key.
pub(super) fn key_text(key: Resolved, text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    match key {
        Resolved::String => Some(text),
        Resolved::Bool(flag) => Some(Cow::Borrowed(if flag { "true" } else { "false" })),
        Resolved::Int(number) => Some(Cow::Owned(number.to_string())),
        Resolved::Float(number) => Some(Cow::Owned(float_key(number))),
        Resolved::Null | Resolved::Uint(_) => None,
    }
}

/// Rounded to 32 bits, in the shortest form, with an exponent when it is below -4 or at least 6.
fn float_key(number: f64) -> String {
    let number = number as f32;
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return number.to_string();
    }
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}
