//! The text of a quantity: its pieces and suffixes.

/// Why a text is no quantity, in Go's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The text has not the shape of a number with a suffix.
    #[error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")]
    Format,
    /// The suffix is unknown.
    #[error("unable to parse quantity's suffix")]
    Suffix,
}

/// The kind of suffix a quantity was written with; it decides how the quantity is written back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `Ki` … `Ei`.
    Binary,
    /// `n` … `E`, or none.
    Decimal,
    /// `e3`.
    Exponent,
}

/// The pieces of a quantity's text.
pub struct Parts<'t> {
    pub negative: bool,
    /// Digits before the point without leading zeros; `0` for none.
    pub whole: &'t str,
    pub fraction: &'t str,
    pub suffix: &'t str,
}

impl<'t> Parts<'t> {
    pub fn split(text: &'t str) -> Result<Self, QuantityError> {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text).trim_start_matches('0');
        let (whole, rest) = split_digits(unsigned);
        let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), split_digits);
        let letters = rest.trim_start_matches(|letter| "eEinumkKMGTP".contains(letter));
        let power = letters.strip_prefix(['-', '+']).unwrap_or(letters);
        if !power.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(QuantityError::Format);
        }
        Ok(Self { negative, whole: if whole.is_empty() { "0" } else { whole }, fraction, suffix: rest })
    }

    /// Whether Go keeps the typed text as the canonical one.
    pub fn is_kept(&self, exponent: i32, format: Format) -> bool {
        let digits = self.whole.len() + self.fraction.len();
        if format == Format::Binary {
            let room = 14 - self.whole.len() as i64 - (f64::from(exponent) * 0.3) as i64;
            let last = self.whole.parse::<u64>().unwrap_or(0);
            return self.fraction.is_empty() && room >= 0 && last & 7 != 0;
        }
        let scale = i64::from(exponent) - self.fraction.len() as i64;
        let zeros = format!("{}{}", self.whole, self.fraction).ends_with("000");
        digits <= 18 && scale >= -9 && scale % 3 == 0 && !zeros && !self.whole.starts_with('0')
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// Suffixes of powers of 1024, from the first on.
pub const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Suffixes of powers of ten.
pub const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// The power (of two or of ten) and the format that a suffix stands for.
pub fn suffix(text: &str) -> Option<(i32, Format)> {
    if let Some(step) = BINARY.iter().position(|suffix| *suffix == text) {
        return Some((10 * (step as i32 + 1), Format::Binary));
    }
    if let Some((_, power)) = DECIMAL.iter().find(|(suffix, _)| *suffix == text) {
        return Some((*power, Format::Decimal));
    }
    let power: i64 = text.strip_prefix(['e', 'E'])?.parse().ok()?;
    // Go narrows the exponent to 32 bits without a look.
    Some((power as i32, Format::Exponent))
}

/// Whether a text matches the pattern that CustomResourceDefinitions give to quantities.
pub fn matches_schema_pattern(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let Some(suffix) = strip_number(unsigned) else { return false };
    let power = suffix.strip_prefix(['e', 'E']);
    suffix.is_empty()
        || BINARY.contains(&suffix)
        || DECIMAL.iter().any(|(known, _)| *known == suffix)
        || power.is_some_and(|power| strip_number(power.strip_prefix(['+', '-']).unwrap_or(power)) == Some(""))
}

/// What follows a number such as `1`, `1.`, `1.5` or `.5`.
fn strip_number(text: &str) -> Option<&str> {
    let (whole, rest) = split_digits(text);
    let Some(after) = rest.strip_prefix('.') else { return (!whole.is_empty()).then_some(rest) };
    let (fraction, rest) = split_digits(after);
    (!whole.is_empty() || !fraction.is_empty()).then_some(rest)
}
