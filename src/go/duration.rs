//! Spans of time as `time.ParseDuration` reads them.

/// Nanoseconds of a text such as `1h30m` or `-1.5s`; `None` where Go refuses it.
pub fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    let mut total: i128 = 0;
    let mut parts = 0;
    while !rest.is_empty() {
        let number_end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let (number, behind) = rest.split_at(number_end);
        let unit_end = behind.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(behind.len());
        let (unit, left) = behind.split_at(unit_end);
        total = total.checked_add(part(number, nanoseconds(unit)?)?)?;
        parts += 1;
        rest = left;
    }
    let signed = if negative { -total } else { total };
    (parts > 0).then(|| i64::try_from(signed).ok()).flatten()
}

/// A decimal number of one unit; digits stand before or behind its point.
fn part(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') || whole.len() > 19 {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { whole.parse::<i128>().ok()? };
    // Digits behind the eighteenth are less than a nanosecond of any unit.
    let fraction = &fraction[..fraction.len().min(18)];
    let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()? };
    Some(whole * unit + fraction * unit / scale)
}

fn nanoseconds(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        let second = 1_000_000_000;
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("1h30m", 5400 * second),
            ("1.5s", second * 3 / 2),
            (".5s", second / 2),
            ("5.s", 5 * second),
            ("-2m", -120 * second),
            ("+1us", 1000),
            ("3µs4ns", 3004),
        ] {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in ["", "1", "s", ".s", "1 h", "1d", "1h ", "1..5s", "3000000h", "--1s", "1H"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
