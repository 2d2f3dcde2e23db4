//! Kubernetes quantities, exact: parsed, compared, added and written as `resource.Quantity` of apimachinery does.

mod digits;
mod text;

use digits::{add, double, increment, subtract};
use std::cmp::Ordering;
use std::fmt;
use text::{BINARY, DECIMAL, Format, Parts, suffix};
pub use text::{QuantityError, matches_schema_pattern};

/// An amount such as `500m`, `1.5Gi` or `1e3`. Equality and order are those of the amount, not of the text.
#[derive(Clone, Debug)]
pub struct Quantity {
    negative: bool,
    /// Decimal digits without zeros at either end; empty for zero.
    digits: String,
    /// The amount is `digits` × 10^`exponent`.
    exponent: i64,
    format: Format,
    /// The text as typed, where Go keeps it instead of the canonical form.
    typed: Option<String>,
}

/// The largest amount that a binary suffix can reach; Go caps it silently.
const BINARY_CAP: u64 = i64::MAX as u64;

/// Exponents beyond this keep Go's arbitrary-precision arithmetic busy for longer than a request lives.
const LONGEST_EXPONENT: i64 = 10_000_000;

/// Sums of amounts further apart than this many digits keep the greater amount alone.
const WIDEST_SUM: i64 = 4096;

impl Quantity {
    /// Zero.
    pub fn zero() -> Self {
        Self { negative: false, digits: String::new(), exponent: 0, format: Format::Decimal, typed: None }
    }

    /// A whole amount without suffix.
    pub fn from_int(amount: i64) -> Self {
        Self::decimal(amount < 0, &amount.unsigned_abs().to_string(), 0, Format::Decimal)
    }

    /// Reads a quantity as Go's `ParseQuantity` does, surrounding white space aside (as its JSON reader does).
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(QuantityError::Format);
        }
        let parts = Parts::split(text)?;
        let (exponent, format) = suffix(parts.suffix).ok_or(QuantityError::Suffix)?;
        let digits = format!("{}{}", parts.whole, parts.fraction);
        let mut parsed = match format {
            Format::Binary => Self::binary(parts.negative, &digits, parts.fraction.len(), exponent),
            _ => {
                let scale = i64::from(exponent) - parts.fraction.len() as i64;
                Self::decimal(parts.negative, &digits, scale, format).no_finer_than_nano()
            }
        };
        if parts.is_kept(exponent, format) {
            parsed.typed = Some(text.to_owned());
        }
        Ok(parsed)
    }

    fn decimal(negative: bool, digits: &str, exponent: i64, format: Format) -> Self {
        let kept = digits.trim_start_matches('0');
        let trimmed = kept.trim_end_matches('0');
        let exponent = if trimmed.is_empty() { 0 } else { exponent + (kept.len() - trimmed.len()) as i64 };
        let negative = negative && !trimmed.is_empty();
        Self { negative, digits: trimmed.to_owned(), exponent, format, typed: None }
    }

    /// `digits` with `places` of them after the point, times 2^`power`, rounded to nano and capped.
    fn binary(negative: bool, digits: &str, places: usize, power: i32) -> Self {
        let mut product: Vec<u8> = digits.bytes().rev().map(|digit| digit - b'0').collect();
        for _ in 0..power {
            double(&mut product);
        }
        let text: String = product.iter().rev().map(|digit| char::from(digit + b'0')).collect();
        let exact = Self::decimal(false, &text, -(places as i64), Format::Binary).no_finer_than_nano();
        let cap = Self::decimal(false, &BINARY_CAP.to_string(), 0, Format::Binary);
        let mut parsed = if exact > cap { cap } else { exact };
        if places > 0 && parsed < Self::from_int(1) {
            parsed.format = Format::Decimal;
        }
        parsed.negative = negative && !parsed.is_zero();
        parsed
    }

    /// Rounds up to nano, but for an amount so fine that Go does not come to an end of it.
    fn no_finer_than_nano(mut self) -> Self {
        if self.exponent < -9 && !self.is_zero() && !self.is_endless() {
            let format = self.format;
            self = Self::decimal(self.negative, &self.ceiling(-9).unwrap_or_else(|| "1".into()), -9, format);
        }
        self
    }

    /// The digits of `|self|` / 10^`scale`, rounded away from zero; `None` where nothing is left of the point but
    /// a carry, or where the text would be longer than any number of interest.
    fn ceiling(&self, scale: i64) -> Option<String> {
        let shift = self.exponent - scale;
        if shift >= 0 {
            let zeros = usize::try_from(shift).ok().filter(|zeros| *zeros <= WIDEST_SUM as usize)?;
            return Some(format!("{}{}", self.digits, "0".repeat(zeros)));
        }
        let kept = (self.digits.len() as i64 + shift).try_into().ok().filter(|kept: &usize| *kept > 0)?;
        let mut digits: Vec<u8> = self.digits[..kept].bytes().rev().map(|digit| digit - b'0').collect();
        increment(&mut digits);
        Some(digits.iter().rev().map(|digit| char::from(digit + b'0')).collect())
    }

    /// Whether the amount is nothing.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether the amount is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the amount has no fraction.
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The amount in units, rounded away from zero, as Go's `Value`; held within 64 bits.
    pub fn value(&self) -> i64 {
        self.scaled(0)
    }

    /// The amount in thousandths, rounded away from zero, as Go's `MilliValue`; held within 64 bits.
    pub fn milli_value(&self) -> i64 {
        self.scaled(-3)
    }

    fn scaled(&self, scale: i64) -> i64 {
        if self.is_zero() {
            return 0;
        }
        let tiny = self.magnitude() <= scale;
        let digits = if tiny { Some("1".to_owned()) } else { self.ceiling(scale) };
        let amount = digits.and_then(|digits| digits.parse::<i64>().ok()).unwrap_or(i64::MAX);
        if self.negative { -amount } else { amount }
    }

    /// Whether the API server and the controller would be busy with this amount for minutes or for good.
    pub fn is_endless(&self) -> bool {
        !self.is_zero() && self.exponent.abs() > LONGEST_EXPONENT
    }

    /// The sum. Amounts too far apart for it to matter keep the greater one.
    pub fn plus(&self, other: &Quantity) -> Quantity {
        if other.is_zero() || (self.magnitude() - other.exponent.min(other.magnitude())) > WIDEST_SUM {
            return Self { typed: None, ..self.clone() };
        }
        if self.is_zero() || (other.magnitude() - self.exponent.min(self.magnitude())) > WIDEST_SUM {
            return Self { typed: None, ..other.clone() };
        }
        let scale = self.exponent.min(other.exponent);
        let (left, right) = (self.digits_at(scale), other.digits_at(scale));
        let (negative, digits) = match (self.negative == other.negative, self.cmp_magnitude(other)) {
            (true, _) => (self.negative, add(&left, &right)),
            (false, Ordering::Less) => (other.negative, subtract(&right, &left)),
            (false, _) => (self.negative, subtract(&left, &right)),
        };
        let text: String = digits.iter().rev().map(|digit| char::from(digit + b'0')).collect();
        Self::decimal(negative, &text, scale, self.format)
    }

    /// The difference. Amounts too far apart for it to matter keep the greater one.
    pub fn minus(&self, other: &Quantity) -> Quantity {
        let negative = !other.negative && !other.is_zero();
        self.plus(&Self { negative, typed: None, ..other.clone() })
    }

    /// The amount as the nearest floating-point number.
    pub fn approximate(&self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", if self.is_zero() { "0" } else { &self.digits }, self.exponent).parse().unwrap_or(0.0)
    }

    /// Digits at `scale`, the least first.
    fn digits_at(&self, scale: i64) -> Vec<u8> {
        let zeros = (self.exponent - scale).max(0) as usize;
        let digits = self.digits.bytes().rev().map(|digit| digit - b'0');
        std::iter::repeat_n(0, zeros).chain(digits).collect()
    }

    /// The power of ten just above the amount.
    fn magnitude(&self) -> i64 {
        self.exponent + self.digits.len() as i64
    }

    fn cmp_magnitude(&self, other: &Quantity) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits.cmp(&other.digits)),
        }
    }

    /// The number and the power of ten, a multiple of three, that the canonical form is written with.
    fn canonical_decimal(&self) -> (String, i64) {
        let over = self.exponent.rem_euclid(3);
        (format!("{}{}", self.digits, "0".repeat(over as usize)), self.exponent - over)
    }

    fn canonical_binary(&self) -> Option<String> {
        let mut amount: u64 = self.ceiling(0)?.parse().ok()?;
        let mut step = 0;
        while amount.is_multiple_of(1024) && step < BINARY.len() {
            amount /= 1024;
            step += 1;
        }
        let suffix = if step == 0 { "" } else { BINARY[step - 1] };
        Some(format!("{amount}{suffix}"))
    }

    fn is_small(&self) -> bool {
        self.cmp_magnitude(&Self::from_int(1024)) == Ordering::Less
    }
}

/// Writes the canonical form as Go's `String` does: `1.5` is `1500m`, `1024Mi` is `1Gi`.
impl fmt::Display for Quantity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(typed) = &self.typed {
            return out.write_str(typed);
        }
        if self.is_zero() {
            return out.write_str("0");
        }
        let sign = if self.negative { "-" } else { "" };
        let binary = self.format == Format::Binary && !self.is_small() && self.is_integer();
        if let Some(text) = self.canonical_binary().filter(|_| binary) {
            return write!(out, "{sign}{text}");
        }
        let (number, exponent) = self.canonical_decimal();
        let suffix = DECIMAL.iter().find(|(_, power)| i64::from(*power) == exponent);
        match (self.format, suffix) {
            (Format::Exponent, _) if exponent == 0 => write!(out, "{sign}{number}"),
            (Format::Binary | Format::Decimal, Some((suffix, _))) => write!(out, "{sign}{number}{suffix}"),
            _ => write!(out, "{sign}{number}e{exponent}"),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        Quantity::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn writes_the_canonical_form() {
        let table = [
            ("0.5", "500m"),
            ("1.5", "1500m"),
            ("1.5Gi", "1536Mi"),
            ("1024Mi", "1Gi"),
            ("1000m", "1"),
            ("1024", "1024"),
            ("1000", "1k"),
            ("1e1", "10"),
            ("1e3", "1e3"),
            ("0.5Ki", "512"),
            ("0.0001Ki", "102400u"),
            ("1000E", "1e21"),
            ("0", "0"),
            ("-0", "0"),
            ("-1", "-1"),
            ("0.9n", "1n"),
            ("1.2345", "1234500u"),
            ("8Ei", "9223372036854775807"),
            ("512Ki", "512Ki"),
            ("2048Ki", "2Mi"),
            (".5", "500m"),
            ("1.", "1."),
            ("18446744073709551616", "18446744073709551616"),
        ];
        for (typed, canonical) in table {
            assert_eq!(quantity(typed).to_string(), canonical, "{typed}");
        }
    }

    #[test]
    fn compares_amounts() {
        assert_eq!(quantity("1Gi"), quantity("1024Mi"));
        assert_eq!(quantity("0.1"), quantity("100m"));
        assert!(quantity("1G") < quantity("1Gi"));
        assert!(quantity("-2") < quantity("-1"));
        assert!(quantity("-1") < quantity("0"));
        assert!(quantity("1e99") > quantity("8Ei"));
        assert!(quantity("1e99999999999").is_endless());
        assert!(!quantity("1e30").is_endless());
        for fine in ["1e-99999999999", "-1e-99999999999", "1e2147483648"] {
            assert!(quantity(fine).is_endless(), "{fine}");
            assert!(quantity(fine).to_string().len() < 20, "{fine}");
        }
        for fine in ["1e-400", "0e-99999999999"] {
            assert!(!quantity(fine).is_endless(), "{fine}");
        }
    }

    #[test]
    fn adds() {
        assert_eq!(quantity("100m").plus(&quantity("0.9")).to_string(), "1");
        assert_eq!(quantity("1Gi").plus(&quantity("1Mi")).to_string(), "1025Mi");
        assert_eq!(quantity("1").plus(&quantity("-3")).to_string(), "-2");
        assert_eq!(quantity("1").plus(&quantity("-1")).to_string(), "0");
        assert_eq!(quantity("1e100000").plus(&quantity("1")), quantity("1e100000"));
    }

    #[test]
    fn rounds_values_away_from_zero() {
        assert_eq!(quantity("1500m").value(), 2);
        assert_eq!(quantity("1n").value(), 1);
        assert_eq!(quantity("-1500m").value(), -2);
        assert_eq!(quantity("0.25").milli_value(), 250);
        assert_eq!(quantity("1Gi").value(), 1 << 30);
        assert_eq!(quantity("1e30").value(), i64::MAX);
    }

    #[test]
    fn refuses_with_the_words_of_go() {
        let words = |text: &str| Quantity::parse(text).map(|_| ()).unwrap_err();
        for text in ["", "1e1.5", "1E+.5", "1 Gi", "abc", "1.5.5", "1GB"] {
            assert_eq!(words(text), QuantityError::Format, "{text}");
        }
        for text in ["1GiB", "1e", "1Gib", "1kM", "1e99999999999999999999"] {
            assert!(Quantity::parse(text).is_err(), "{text}");
        }
        assert_eq!(words("1e"), QuantityError::Suffix);
        assert_eq!(words("--1"), QuantityError::Suffix);
        assert_eq!(words("1KiM"), QuantityError::Suffix);
    }

    #[test]
    fn knows_the_pattern_of_the_schema() {
        for text in ["1", "+1", "-.5", "1.", "1Gi", "1e3", "1E-3", "1e1.5", "1e.5", "500m", "007"] {
            assert!(matches_schema_pattern(text), "{text}");
        }
        for text in ["", ".", "+", "1GB", "256MB", "1 ", "1e", "1gi", "one", "1Ki1", "$X"] {
            assert!(!matches_schema_pattern(text), "{text}");
        }
    }
}
