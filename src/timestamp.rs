//! Points in time: what the schema's `date-time` lets pass, and what Go reads back.

use crate::go;

/// Whether a text passes the API server's check of the format `date-time`, which is laxer than Go's reader.
pub fn matches_schema(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    read_date(date).is_some() && is_time(time)
}

/// Seconds since 1970 of a text that passed [`matches_schema`].
///
/// # Errors
/// The words of Go's `time.Parse` where it cannot read what the schema let pass.
pub fn parse(text: &str) -> Result<i64, String> {
    let cannot = |rest: &str, wanted: &str| {
        let (text, rest) = (go::quote(text), go::quote(rest));
        format!("parsing time {text} as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest} as \"{wanted}\"")
    };
    let (date, rest) = text.split_at_checked(10).ok_or_else(|| cannot(text, "2006"))?;
    let days = read_date(date).ok_or_else(|| cannot(date, "2006"))?;
    let clock = rest.strip_prefix('T').ok_or_else(|| cannot(rest, "T"))?;
    let (clock, rest) = clock.split_at_checked(8).ok_or_else(|| cannot(clock, "15"))?;
    let seconds = read_clock(clock).ok_or_else(|| cannot(clock, "15"))?;
    let zone = skip_fraction(rest);
    let (offset, extra) = read_zone(zone).ok_or_else(|| cannot(zone, "Z07:00"))?;
    let (hours, minutes) = (offset.1, offset.2);
    if hours > 24 || minutes > 60 {
        let part = if minutes > 60 { "minute" } else { "hour" };
        return Err(format!("parsing time {}: time zone offset {part} out of range", go::quote(text)));
    }
    if !extra.is_empty() {
        return Err(format!("parsing time {}: extra text: {}", go::quote(text), go::quote(extra)));
    }
    Ok(days * 86_400 + seconds - offset.0 * (hours * 3600 + minutes * 60))
}

/// Days since 1970 of `2006-01-02`.
fn read_date(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let fits = shaped && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    fits.then(|| days_since_1970(year, month, day))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March keep the leap day at their end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

/// Seconds of `15:04:05`.
fn read_clock(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 8
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            2 | 5 => *byte == b':',
            _ => byte.is_ascii_digit(),
        });
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (hours, minutes, seconds) = (number(0..2)?, number(3..5)?, number(6..8)?);
    (shaped && hours <= 23 && minutes <= 59 && seconds <= 59).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// The second half of the schema's check: any letter may stand before the fraction.
fn is_time(lower: &str) -> bool {
    let Some((clock, rest)) = lower.split_at_checked(8) else { return false };
    if read_clock(clock).is_none() {
        return false;
    }
    let is_zone = |text: &str| text == "z" || read_zone(text).is_some_and(|(_, extra)| extra.is_empty());
    let mut letters = rest.chars();
    let fraction = letters.next().filter(|first| *first != '\n').map(|_| letters.as_str());
    is_zone(rest)
        || fraction.is_some_and(|digits| {
            let zone = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
            zone.len() < digits.len() && is_zone(zone)
        })
}

fn skip_fraction(rest: &str) -> &str {
    let Some(digits) = rest.strip_prefix(['.', ',']) else { return rest };
    let after = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if after.len() < digits.len() { after } else { rest }
}

/// Sign, hours and minutes of `Z` or `+07:00`, and what follows.
fn read_zone(text: &str) -> Option<((i64, i64, i64), &str)> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some(((1, 0, 0), rest));
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.strip_prefix(['+', '-'])?;
    let (zone, rest) = digits.split_at_checked(5)?;
    let (hours, minutes) = zone.split_once(':')?;
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
    (hours.len() == 2).then_some(())?;
    Some(((sign, number(hours)?, number(minutes)?), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_lets_more_pass_than_go_reads() {
        for text in
            ["2035-01-01T00:00:00Z", "2035-01-01t00:00:00z", "0000-01-01T00:00:00Z", "2036-02-29T23:59:59.5+01:00"]
        {
            assert!(matches_schema(text), "{text}");
        }
        for text in ["2035-01-01T00:00:00+25:00", "2035-01-01T00:00:00x5Z", "2035-01-01T00:00:00Ztea"] {
            assert!(matches_schema(text), "{text}");
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_schema_refuses() {
        let texts = [
            "",
            "tomorrow",
            "2035-01-01",
            "2035-01-01T00:00:00",
            "2035-01-01 00:00:00Z",
            "2035-01-00T00:00:00Z",
            "2035-13-01T00:00:00Z",
            "2035-02-29T00:00:00Z",
            "2035-01-01T24:00:00Z",
            "2035-01-01T00:60:00Z",
            "2035-12-31T23:59:60Z",
            "2035-01-01T00:00:00+01",
            "2035-01-01T00:00:00+0100",
            "2035-W01-1T00:00:00Z",
            "12035-01-01T00:00:00Z",
        ];
        for text in texts {
            assert!(!matches_schema(text), "{text}");
        }
    }

    #[test]
    fn reads_seconds() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Ok(0));
        assert_eq!(parse("2000-03-01T12:30:15+01:30"), Ok(951_908_415));
        assert_eq!(parse("1969-12-31T23:59:59.9Z"), Ok(-1));
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
    }
}
