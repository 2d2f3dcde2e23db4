//! `duration` and `timestamp`, as strict as the API server's; what they make has its functions from the crate.

use super::{Answer, Function, argument, declare};
use crate::policy::budget::{DURATION, TIMESTAMP};
use cel::common::types::{CelDuration, CelInt, CelString};
use cel::common::value::CowVal;
use cel::{Context, ExecutionError, Value};

/// Adds the functions that take the place of the crate's, which pass over text after a duration and read timestamps
/// that Go refuses.
pub fn add(context: &mut Context<'_, '_>) {
    let duration: Function = Box::new(|call| {
        let value = argument(call, 0)?;
        let Some(text) = value.downcast_ref::<CelString>() else { return Ok(value) };
        let nanos = parse_duration(text.inner()).map_err(|words| ExecutionError::function_error("duration", words))?;
        Ok(CowVal::owned(CelDuration::from(chrono::Duration::nanoseconds(nanos))))
    });
    declare(context, DURATION, duration);
    let timestamp: Function = Box::new(|call| {
        let value = argument(call, 0)?;
        if let Some(text) = value.downcast_ref::<CelString>() {
            return read_timestamp(text.inner());
        }
        if let Some(seconds) = value.downcast_ref::<CelInt>() {
            let time = chrono::DateTime::from_timestamp(*seconds.inner(), 0);
            return in_range(time.map(|time| time.fixed_offset()));
        }
        Ok(value)
    });
    declare(context, TIMESTAMP, timestamp);
}

fn read_timestamp<'c, 'v>(text: &str) -> Answer<CowVal<'c, 'v>> {
    let strict = text.as_bytes().get(10) == Some(&b'T') && !text.ends_with('z') && !text.contains(":60");
    let time = chrono::DateTime::parse_from_rfc3339(text).ok().filter(|_| strict);
    let wrong = || ExecutionError::function_error("timestamp", format!("{text:?} is no time of RFC 3339"));
    in_range(Some(time.ok_or_else(wrong)?))
}

fn in_range<'c, 'v>(time: Option<chrono::DateTime<chrono::FixedOffset>>) -> Answer<CowVal<'c, 'v>> {
    const FIRST: i64 = -62_135_596_800;
    const LAST: i64 = 253_402_300_799;
    let time = time.filter(|time| (FIRST..=LAST).contains(&time.timestamp()));
    let time = time.ok_or_else(|| ExecutionError::function_error("timestamp", "timestamp overflow"))?;
    Ok(CowVal::Owned(Value::Timestamp(time).try_into()?))
}

/// Reads a duration as Go's `ParseDuration` does, in nanoseconds.
fn parse_duration(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {text:?}");
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let (number, more) = rest.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.len() + fraction.len() == 0 || fraction.contains('.') {
            return Err(invalid());
        }
        let end = more.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(more.len());
        let (unit, more) = more.split_at(end);
        let unit = match unit {
            "" => return Err(format!("time: missing unit in duration {text:?}")),
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000_i128,
            _ => return Err(format!("time: unknown unit {unit:?} in duration {text:?}")),
        };
        let whole: i128 = if whole.is_empty() { 0 } else { whole.parse::<u64>().map_err(|_| invalid())?.into() };
        let digits = &fraction[..fraction.len().min(18)];
        let part: i128 = digits.parse().unwrap_or(0);
        total += whole * unit + part * unit / 10_i128.pow(digits.len() as u32);
        if total > i128::from(i64::MAX) + 1 {
            return Err(invalid());
        }
        rest = more;
    }
    i64::try_from(if negative { -total } else { total }).map_err(|_| invalid())
}
