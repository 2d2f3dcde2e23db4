//! Points in time as `time.Parse` reads them with the layout of RFC 3339.

/// Seconds since 1970.
///
/// # Errors
/// Go's words, where the text is no time.
pub fn parse(text: &str) -> Result<i64, String> {
    let mut rest = text;
    read(&mut rest).map_err(|fault| {
        let (text, rest) = (quote(text), quote(rest));
        match fault {
            Fault::Element(element) => {
                format!("parsing time {text} as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest} as \"{element}\"")
            }
            Fault::Range(what) => format!("parsing time {text}: {what} out of range"),
            Fault::Extra => format!("parsing time {text}: extra text: {rest}"),
        }
    })
}

enum Fault {
    /// The part of the layout that does not fit.
    Element(&'static str),
    Range(&'static str),
    Extra,
}

/// Reads a whole text; `rest` is left at what does not fit.
fn read(rest: &mut &str) -> Result<i64, Fault> {
    let year = digits(rest, 4, "2006")?;
    literal(rest, "-")?;
    let month = in_range(digits(rest, 2, "01")?, 1..=12, "month")?;
    literal(rest, "-")?;
    let day = digits(rest, 2, "02")?;
    literal(rest, "T")?;
    let hour = in_range(hour(rest)?, 0..=23, "hour")?;
    literal(rest, ":")?;
    let minute = in_range(digits(rest, 2, "04")?, 0..=59, "minute")?;
    literal(rest, ":")?;
    let second = in_range(digits(rest, 2, "05")?, 0..=59, "second")?;
    if let Some(fraction) = rest.strip_prefix(['.', ','])
        && fraction.starts_with(|first: char| first.is_ascii_digit())
    {
        *rest = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    let offset = zone(rest)?;
    if !rest.is_empty() {
        return Err(Fault::Extra);
    }
    in_range(day, 1..=days_in(month, year), "day")?;
    let clock = i64::from(hour * 3600 + minute * 60 + second);
    Ok(days_since_1970(year, month, day) * 86_400 + clock - offset)
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

/// Go takes an hour of one digit, too.
fn hour(rest: &mut &str) -> Result<u32, Fault> {
    let two = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    digits(rest, if two { 2 } else { 1 }, "15")
}

fn literal(rest: &mut &str, text: &'static str) -> Result<(), Fault> {
    *rest = rest.strip_prefix(text).ok_or(Fault::Element(text))?;
    Ok(())
}

fn in_range(number: u32, range: std::ops::RangeInclusive<u32>, what: &'static str) -> Result<u32, Fault> {
    if range.contains(&number) { Ok(number) } else { Err(Fault::Range(what)) }
}

/// Seconds east of Greenwich of `Z` or `+07:00`; Go takes offsets of up to 24 hours and 60 minutes.
fn zone(rest: &mut &str) -> Result<i64, Fault> {
    if let Some(behind) = rest.strip_prefix('Z') {
        *rest = behind;
        return Ok(0);
    }
    let number = |first: usize| {
        let digits = rest.get(first..first + 2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        digits.and_then(|digits| digits.parse::<i64>().ok())
    };
    let sign = match rest.as_bytes() {
        [b'+', _, _, b':', ..] => 1,
        [b'-', _, _, b':', ..] => -1,
        _ => return Err(Fault::Element("Z07:00")),
    };
    match (number(1), number(4)) {
        (Some(_), Some(61..)) => Err(Fault::Range("time zone offset minute")),
        (Some(25..), Some(_)) => Err(Fault::Range("time zone offset hour")),
        (Some(hours), Some(minutes)) => {
            *rest = &rest[6..];
            Ok(sign * (hours * 3600 + minutes * 60))
        }
        _ => Err(Fault::Element("Z07:00")),
    }
}

/// Quotes as the package `time` does: control characters and everything beyond ASCII byte by byte.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            ' '..='\x7f' => quoted.push(letter),
            _ => {
                let mut bytes = [0; 4];
                let escape = |byte: u8| format!("\\x{byte:02x}");
                quoted.extend(letter.encode_utf8(&mut bytes).bytes().map(escape));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Days of a month, from 1.
pub fn days_in(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: u32, month: u32, day: u32) -> i64 {
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    // Years that begin in March keep the leap day at their end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(parse(text), Err(expected));
        }
        assert!(parse("2024-02-29T23:59:59.5+01:00").is_ok());
    }

    #[test]
    fn reads_seconds() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Ok(0));
        assert_eq!(parse("2000-03-01T12:30:15+01:30"), Ok(951_908_415));
        assert_eq!(parse("1969-12-31T23:59:59.9Z"), Ok(-1));
        assert_eq!(parse("1970-01-01T1:00:00Z"), Ok(3600));
    }

    #[test]
    fn speaks_as_go_does() {
        let layout = "as \"2006-01-02T15:04:05Z07:00\"";
        let table = [
            ("2035-01-01t00:00:00z", format!("{layout}: cannot parse \"t00:00:00z\" as \"T\"")),
            ("2035-01-01T00:00:00z", format!("{layout}: cannot parse \"z\" as \"Z07:00\"")),
            ("2035-01-01T00:00:00.5z", format!("{layout}: cannot parse \"z\" as \"Z07:00\"")),
            ("2035-01-01T00:00:00+25:00", ": time zone offset hour out of range".to_owned()),
            ("2035-01-01T00:00:00+01:75", ": time zone offset minute out of range".to_owned()),
        ];
        for (text, tail) in table {
            let gap = if tail.starts_with(':') { "" } else { " " };
            assert_eq!(parse(text), Err(format!("parsing time \"{text}\"{gap}{tail}")));
        }
        assert_eq!(quote("\"é\n"), "\"\\\"\\xc3\\xa9\\x0a\"");
    }
}
