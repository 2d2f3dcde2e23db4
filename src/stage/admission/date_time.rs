//! The schema's format `date-time`, which lets more pass than Go's reader of times.

use crate::go::time::days_in;

/// Whether a text passes the API server's check of the format.
pub fn matches(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date) && is_time(time)
}

/// `2006-01-02`
fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(text, [4, 2, 2], '-') else { return false };
    (1..=12).contains(&month) && (1..=days_in(month, year)).contains(&day)
}

/// `15:04:05Z`; any letter may stand before the fraction.
fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let Some([hour, minute, second]) = numbers(clock, [2, 2, 2], ':') else { return false };
    if hour > 23 || minute > 59 || second > 59 {
        return false;
    }
    let mut letters = rest.chars();
    let fraction = letters.next().filter(|first| *first != '\n').map(|_| letters.as_str());
    is_zone(rest)
        || fraction.is_some_and(|digits| {
            let zone = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
            zone.len() < digits.len() && is_zone(zone)
        })
}

/// `z` or `+07:00`
fn is_zone(text: &str) -> bool {
    text == "z" || text.strip_prefix(['+', '-']).is_some_and(|offset| numbers(offset, [2, 2], ':').is_some())
}

/// Numbers of so many digits with a sign between them, and nothing else.
fn numbers<const COUNT: usize>(text: &str, digits: [usize; COUNT], between: char) -> Option<[u32; COUNT]> {
    let mut parts = text.split(between);
    let mut found = [0; COUNT];
    for (number, digits) in found.iter_mut().zip(digits) {
        let part = parts.next()?;
        let fits = part.len() == digits && part.bytes().all(|digit| digit.is_ascii_digit());
        *number = part.parse().ok().filter(|_| fits)?;
    }
    parts.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::time;

    #[test]
    fn the_schema_lets_more_pass_than_go_reads() {
        for text in
            ["2035-01-01T00:00:00Z", "2035-01-01t00:00:00z", "0000-01-01T00:00:00Z", "2036-02-29T23:59:59.5+01:00"]
        {
            assert!(matches(text), "{text}");
        }
        for text in ["2035-01-01T00:00:00+25:00", "2035-01-01T00:00:00x5Z", "2035-01-01T00:00:00Ztea"] {
            assert!(matches(text), "{text}");
            assert!(time::parse(text).is_err(), "{text}");
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
            assert!(!matches(text), "{text}");
        }
    }
}
