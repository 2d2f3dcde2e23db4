//! The end of a lease on a microVM that sandboxd gives out.

use super::{Findings, Spot, Subject, World, rule};
use crate::go;

const TTL: &str = "sandbox.cocoonstack.io/ttl-seconds";
const DAY: i64 = 86_400;
const DEFAULT: i64 = 300;

/// The manifest shows that its author wants the Sandbox longer than its lease lasts.
pub(super) fn lease_too_short(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    if subject.serving_backend() != Some("sandboxd") {
        return;
    }
    let Some(node) = subject.stored.at(&["spec", "shutdownTime"]) else { return };
    let Some(until) = node.as_str().and_then(seconds_since_1970) else { return };
    let lease = match subject.plan.annotation_text(TTL).map(go::atoi) {
        None => DAY,
        Some(Some(0)) => DEFAULT,
        Some(Some(seconds)) if seconds > 0 => seconds.min(DAY),
        Some(_) => return,
    };
    if until.saturating_sub(world.now) <= lease {
        return;
    }
    let message = format!(
        "the Sandbox is wanted until {}, but its lease on the microVM ends {lease} seconds after it starts, without renewal",
        node.as_str().unwrap_or_default()
    );
    out.add(&rule::LEASE_TOO_SHORT, Spot::of(node, subject.resource.path("spec.shutdownTime")), message)
        .help("plan for the Pod to be Failed with SandboxLeaseExpired then, or use another backend");
}

/// An RFC 3339 time as seconds since 1970; `None` for any other text.
fn seconds_since_1970(text: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| {
        let digits = text.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i64>().ok())?
    };
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let zone = text.get(19..)?.trim_start_matches(|letter: char| letter == '.' || letter.is_ascii_digit());
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            sign * (hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60)
        }
    };
    Some(days_since_1970(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset)
}

/// Days from 1970-01-01 in the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::seconds_since_1970;

    #[test]
    fn reads_times_with_zones() {
        assert_eq!(seconds_since_1970("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds_since_1970("2000-03-01T00:00:00Z"), Some(951_868_800));
        assert_eq!(seconds_since_1970("2026-08-02T12:30:00.25+02:00"), Some(1_785_666_600));
        assert_eq!(seconds_since_1970("tomorrow"), None);
        assert_eq!(seconds_since_1970("2026-13-02T00:00:00Z"), None);
        assert_eq!(seconds_since_1970("２０２６-08-02T00:00:00Z"), None);
    }
}
