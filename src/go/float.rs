//! Floats in the fewest digits that read back as the same number.

/// As `%v` prints it: with an exponent below 1e-4 and from 1e6 on.
pub fn shown(number: f64) -> String {
    shortest(number, 1e-4..1e6)
}

/// As `%#v` prints it: with an exponent below 1e-4 and from 1e21 on.
pub fn plain(number: f64) -> String {
    shortest(number, 1e-4..1e21)
}

/// As `encoding/json` writes it: with an exponent below 1e-6 and from 1e21 on.
pub fn json(number: f64) -> String {
    shortest(number, 1e-6..1e21)
}

/// With an exponent of at least two digits for sizes out of the range.
fn shortest(number: f64, range: std::ops::Range<f64>) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let size = number.abs();
    if size == 0.0 || number.is_nan() || range.contains(&size) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
    format!("{digits}e{sign}{power:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_as_go_does() {
        let numbers = [24.04, -0.5, 999999.5, 1234567.5, 1e20, 12345678901234567890.0, 1e-7];
        let go = ["24.04", "-0.5", "999999.5", "1.2345675e+06", "1e+20", "1.2345678901234567e+19", "1e-07"];
        assert_eq!(numbers.map(shown), go);
        assert_eq!([1e-9, 1e30, 1e20, 24.04].map(plain), ["1e-09", "1e+30", "100000000000000000000", "24.04"]);
        assert_eq!([1e-6, 1e-7, 1e21, 0.0, -0.0].map(json), ["0.000001", "1e-07", "1e+21", "0", "-0"]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(plain), ["NaN", "+Inf", "-Inf"]);
    }
}
