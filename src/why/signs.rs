//! What clusters print, and what it means: `rules/observed.yaml`.

use crate::rule::{RULES, Rule, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Where words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// `status.reason` and `status.message` of a Pod.
    PodStatus,
    /// The condition PodScheduled of a Pod.
    PodCondition,
    /// An event about a Pod.
    PodEvent,
    /// `status.containerStatuses[].state` of a Pod.
    Container,
    /// A condition of a Sandbox.
    SandboxCondition,
    /// An event about a Sandbox.
    SandboxEvent,
    /// The condition Ready of a claim.
    ClaimCondition,
    /// An event about a claim.
    ClaimEvent,
    /// An event about a warm pool.
    PoolEvent,
}

impl Place {
    /// How reports call it.
    pub fn words(self) -> &'static str {
        match self {
            Place::PodStatus => "Pod status",
            Place::PodCondition => "Pod condition PodScheduled",
            Place::PodEvent => "Pod event",
            Place::Container => "container state",
            Place::SandboxCondition => "Sandbox condition",
            Place::SandboxEvent => "Sandbox event",
            Place::ClaimCondition => "SandboxClaim condition",
            Place::ClaimEvent => "SandboxClaim event",
            Place::PoolEvent => "SandboxWarmPool event",
        }
    }

    fn is_event(self) -> bool {
        matches!(self, Place::PodEvent | Place::SandboxEvent | Place::ClaimEvent | Place::PoolEvent)
    }
}

/// Whether waiting helps, and what is tried again.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// `no`, `yes` or `perhaps`.
    pub helps: String,
    /// What is tried again, how often, and what brings it forward.
    pub text: String,
}

/// An entry of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sign {
    on: Vec<Place>,
    /// The reason of a status or condition.
    #[serde(default)]
    reason: Option<String>,
    /// The reason of an event.
    #[serde(default)]
    event: Option<String>,
    message: String,
    /// The stage that stops the Pod.
    pub stage: Stage,
    /// The rules that find the cause in a manifest, by code.
    pub rules: Vec<String>,
    /// The field of the Pod at fault.
    #[serde(default)]
    pub field: Option<String>,
    /// Whether `field` is one of the object rather than of its Pod.
    #[serde(default)]
    pub whole: bool,
    /// Whether it also shows on the way of an object that comes up.
    #[serde(default)]
    pub normal: bool,
    cause: String,
    change: String,
    waiting: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    waiting: BTreeMap<String, Waiting>,
    harmless: Vec<String>,
    signs: Vec<Sign>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("../../rules/observed.yaml")).expect("a table that tests read"));

/// What an entry says of the words that it fits.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The entry.
    pub sign: &'static Sign,
    /// The cause, filled in.
    pub cause: String,
    /// What to change, filled in.
    pub change: String,
}

impl Meaning {
    /// Whether waiting helps.
    pub fn waiting(&self) -> &'static Waiting {
        waiting(&self.sign.waiting)
    }
}

/// An entry of `waiting` by its name.
pub fn waiting(name: &str) -> &'static Waiting {
    &TABLE.waiting[name]
}

/// Whether a Warning event with this reason keeps no Pod from running.
pub fn is_harmless(reason: &str) -> bool {
    TABLE.harmless.iter().any(|known| known == reason)
}

/// The first entry that fits.
pub fn find(place: Place, reason: &str, message: &str) -> Option<Meaning> {
    TABLE.signs.iter().find_map(|sign| {
        let wanted = if place.is_event() { sign.event.as_deref() } else { sign.reason.as_deref() };
        if !sign.on.contains(&place) || wanted != Some(reason) {
            return None;
        }
        let stars = captures(&sign.message, message)?;
        let (cause, change) = (fill(&sign.cause, &stars), fill(&sign.change, &stars));
        Some(Meaning { sign, cause, change })
    })
}

/// The table in the order of the file, for tests and documentation.
pub fn all() -> impl Iterator<Item = (&'static Sign, Vec<&'static Rule>)> {
    TABLE.signs.iter().map(|sign| {
        let rules = sign
            .rules
            .iter()
            .map(|code| *RULES.iter().find(|rule| rule.code == code).unwrap_or_else(|| panic!("{code} is no rule")));
        (sign, rules.collect())
    })
}

/// What the stars of a pattern stand for, or `None` where it does not fit. Each star takes as little as it can, the
/// last one the rest.
pub fn captures<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut pieces = pattern.split('*');
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut stars = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let at = match pieces.peek() {
            None if piece.is_empty() => rest.len(),
            None => rest.len().checked_sub(piece.len()).filter(|_| rest.ends_with(piece))?,
            Some(_) => rest.find(piece)?,
        };
        stars.push(&rest[..at]);
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty().then_some(stars)
}

fn fill(text: &str, stars: &[&str]) -> String {
    let mut filled = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((number, left)) = after.split_once('}') else { break };
        let star = number.parse::<usize>().ok().and_then(|number| stars.get(number.checked_sub(1)?));
        filled.push_str(star.copied().unwrap_or_default().trim_end_matches('.'));
        rest = left;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_take_as_little_as_they_can() {
        assert_eq!(captures("a *: *", "a b: c: d"), Some(vec!["b", "c: d"]));
        assert_eq!(captures("*x", "axbx"), Some(vec!["axb"]));
        assert_eq!(captures("pod * missing", "pod a missing it"), None);
        assert_eq!(captures("plain", "plain"), Some(vec![]));
        assert_eq!(captures("ab*bc", "abc"), None);
    }

    #[test]
    fn every_entry_names_rules_advice_and_stars_that_exist() {
        let mut entries = 0;
        for (sign, rules) in all() {
            entries += 1;
            assert!(TABLE.waiting.contains_key(&sign.waiting), "{}", sign.waiting);
            assert_eq!(rules.len(), sign.rules.len());
            let stars = sign.message.matches('*').count();
            for text in [&sign.cause, &sign.change] {
                for number in text.split('{').skip(1).filter_map(|piece| piece.split_once('}')) {
                    let number: usize = number.0.parse().unwrap_or_else(|_| panic!("{text}"));
                    assert!((1..=stars).contains(&number), "{text}");
                }
            }
            let events = sign.on.iter().any(|place| place.is_event());
            let others = sign.on.iter().any(|place| !place.is_event());
            assert_eq!((events, others), (sign.event.is_some(), sign.reason.is_some()), "{}", sign.message);
        }
        assert!(entries > 50);
        for waiting in TABLE.waiting.values() {
            assert!(["yes", "no", "perhaps"].contains(&waiting.helps.as_str()));
        }
    }

    #[test]
    fn words_are_found_where_they_stand() {
        let words = "pod default/web: missing sandbox.cocoonstack.io/template annotation";
        for (place, reason) in [(Place::PodStatus, "ProviderFailed"), (Place::PodEvent, "ProviderCreateFailed")] {
            let meaning = find(place, reason, words).expect("an entry");
            assert_eq!((meaning.sign.stage, meaning.sign.rules[0].as_str()), (Stage::Provider, "SB402"));
        }
        assert!(find(Place::PodEvent, "ProviderFailed", words).is_none());
        assert!(find(Place::PodEvent, "Novel", words).is_none());
    }
}
