//! RFC 3339 times, with the errors of Go's `time.Parse`.

/// Go's error for a text that is no RFC 3339 time; `None` if it is one.
pub(super) fn parse_error(text: &str) -> Option<String> {
    let mut rest = text;
    let fault = parse(&mut rest).err()?;
    let quoted = super::syntax::quote(text);
    Some(match fault {
        Fault::Element(element) => {
            let rest = super::syntax::quote(rest);
            format!("parsing time {quoted} as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest} as \"{element}\"")
        }
        Fault::Range(what) => format!("parsing time {quoted}: {what} out of range"),
        Fault::Extra => format!("parsing time {quoted}: extra text: {}", super::syntax::quote(rest)),
    })
}

enum Fault {
    /// The part of the layout that does not fit.
    Element(&'static str),
    Range(&'static str),
    Extra,
}

fn parse(rest: &mut &str) -> Result<(), Fault> {
    let year = digits(rest, 4, "2006")?;
    literal(rest, "-")?;
    let month = in_range(digits(rest, 2, "01")?, 1, 12, "month")?;
    literal(rest, "-")?;
    let day = digits(rest, 2, "02")?;
    literal(rest, "T")?;
    in_range(digits(rest, 2, "15")?, 0, 23, "hour")?;
    literal(rest, ":")?;
    in_range(digits(rest, 2, "04")?, 0, 59, "minute")?;
    literal(rest, ":")?;
    in_range(digits(rest, 2, "05")?, 0, 59, "second")?;
    if let Some(fraction) = rest.strip_prefix(['.', ','])
        && fraction.starts_with(|first: char| first.is_ascii_digit())
    {
        *rest = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    zone(rest)?;
    if !rest.is_empty() {
        return Err(Fault::Extra);
    }
    in_range(day, 1, days_in(month, year), "day")?;
    Ok(())
}

fn digits(rest: &mut &str, count: usize, element: &'static str) -> Result<u32, Fault> {
    match rest.get(..count) {
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            *rest = &rest[count..];
            digits.parse().map_err(|_| Fault::Element(element))
        }
        _ => Err(Fault::Element(element)),
    }
}

fn literal(rest: &mut &str, text: &'static str) -> Result<(), Fault> {
    *rest = rest.strip_prefix(text).ok_or(Fault::Element(text))?;
    Ok(())
}

fn in_range(number: u32, low: u32, high: u32, what: &'static str) -> Result<u32, Fault> {
    if (low..=high).contains(&number) { Ok(number) } else { Err(Fault::Range(what)) }
}

fn zone(rest: &mut &str) -> Result<(), Fault> {
    if let Some(behind) = rest.strip_prefix('Z') {
        *rest = behind;
        return Ok(());
    }
    let offset = match rest.as_bytes() {
        [b'+' | b'-', h1, h2, b':', m1, m2, ..] => [h1, h2, m1, m2].iter().all(|digit| digit.is_ascii_digit()),
        _ => false,
    };
    if !offset {
        return Err(Fault::Element("Z07:00"));
    }
    *rest = &rest[6..];
    Ok(())
}

/// Days of a month, from 1.
pub(super) fn days_in(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::parse_error;

    #[test]
    fn errors_are_those_of_kubectl() {
        let layout = "\"2006-01-02T15:04:05Z07:00\"";
        for (text, expected) in [
            ("2024-01-01", format!("parsing time \"2024-01-01\" as {layout}: cannot parse \"\" as \"T\"")),
            (
                "2024-01-01T00:00:00+0100",
                format!("parsing time \"2024-01-01T00:00:00+0100\" as {layout}: cannot parse \"+0100\" as \"Z07:00\""),
            ),
            ("2024-13-01T00:00:00Z", "parsing time \"2024-13-01T00:00:00Z\": month out of range".to_owned()),
            ("2024-02-30T00:00:00Z", "parsing time \"2024-02-30T00:00:00Z\": day out of range".to_owned()),
            ("2024-01-01T00:00:00Zx", "parsing time \"2024-01-01T00:00:00Zx\": extra text: \"x\"".to_owned()),
            (
                "2024-1-1T00:00:00Z",
                format!("parsing time \"2024-1-1T00:00:00Z\" as {layout}: cannot parse \"1-1T00:00:00Z\" as \"01\""),
            ),
        ] {
            assert_eq!(parse_error(text), Some(expected));
        }
        assert_eq!(parse_error("2024-02-29T23:59:59.5+01:00"), None);
    }
}
