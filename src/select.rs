//! Which rules are on, and with which severity: `--select`, `--ignore`, `--severity` and `--min-severity`.

use crate::finding::{Consequence, Finding, Severity};
use crate::rule::{self, RULES, Rule};
use crate::suggest;
use std::str::FromStr;

/// One or many rules, as a flag or a config names them: a code, a name, the beginning of codes, or `all`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Every rule.
    All,
    /// All rules whose code begins so, such as `SB3`.
    Group(String),
    /// One rule.
    One(&'static Rule),
}

/// A rule that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule is called `{word}`{}; `sandbox-lint rules` lists them all", nearest.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default())]
pub struct UnknownRule {
    /// What was written.
    pub word: String,
    /// The code or name that comes nearest.
    pub nearest: Option<&'static str>,
}

impl Target {
    /// Whether the rule is meant.
    pub fn matches(&self, rule: &Rule) -> bool {
        match self {
            Target::All => true,
            Target::Group(prefix) => rule.code.starts_with(prefix.as_str()),
            Target::One(one) => one.code == rule.code,
        }
    }

    /// How narrow it is: the narrower of two contradicting targets wins.
    fn weight(&self) -> usize {
        match self {
            Target::All => 0,
            Target::Group(prefix) => prefix.len(),
            Target::One(_) => usize::MAX,
        }
    }
}

impl FromStr for Target {
    type Err = UnknownRule;

    fn from_str(word: &str) -> Result<Self, UnknownRule> {
        if word.eq_ignore_ascii_case("all") {
            return Ok(Target::All);
        }
        if let Some(rule) = rule_named(word) {
            return Ok(Target::One(rule));
        }
        let prefix = word.to_ascii_uppercase();
        if prefix.starts_with("SB") && RULES.iter().any(|rule| rule.code.starts_with(&prefix)) {
            return Ok(Target::Group(prefix));
        }
        Err(UnknownRule { word: word.to_owned(), nearest: nearest(word) })
    }
}

/// The rule with this code or name, letter case aside.
///
/// # Errors
/// The nearest code or name, where there is no such rule.
pub fn one(word: &str) -> Result<&'static Rule, UnknownRule> {
    rule_named(word).ok_or_else(|| UnknownRule { word: word.to_owned(), nearest: nearest(word) })
}

fn rule_named(word: &str) -> Option<&'static Rule> {
    rule::find(word)
        .or_else(|| rule::find(&word.to_ascii_uppercase()))
        .or_else(|| rule::find(&word.to_ascii_lowercase().replace('_', "-")))
}

fn nearest(word: &str) -> Option<&'static str> {
    suggest::nearest(word, RULES.iter().flat_map(|rule| [rule.name, rule.code]))
}

/// The choice of rules for a run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Rules to keep; empty means all.
    pub select: Vec<Target>,
    /// Rules to leave out.
    pub ignore: Vec<Target>,
    /// Weights that replace the linter's own; the narrowest target wins, of equals the last.
    pub levels: Vec<(Target, Severity)>,
    /// Findings below it are left out.
    pub floor: Option<Severity>,
}

impl Selection {
    /// Whether a rule is_on at all.
    pub fn includes(&self, rule: &Rule) -> bool {
        let chosen = if self.select.is_empty() { Some(0) } else { narrowest(&self.select, rule) };
        let ignored = narrowest(&self.ignore, rule);
        match (chosen, ignored) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(chosen), Some(ignored)) => !self.select.is_empty() && chosen > ignored,
        }
    }

    /// What this choice says of a rule, if it names the rule at all.
    pub fn decision(&self, rule: &Rule) -> Option<bool> {
        match (narrowest(&self.select, rule), narrowest(&self.ignore, rule)) {
            (None, None) => None,
            (chosen, ignored) => Some(chosen > ignored),
        }
    }

    /// The weight of a finding after `--severity`.
    pub fn level(&self, finding: &Finding) -> Severity {
        self.level_of(finding.rule).unwrap_or(finding.severity)
    }

    /// The weight that this choice gives a rule.
    pub fn level_of(&self, rule: &Rule) -> Option<Severity> {
        let own = self.levels.iter().filter(|(target, _)| target.matches(rule));
        own.max_by_key(|(target, _)| target.weight()).map(|(_, level)| *level)
    }

    /// Leaves out what is not wanted and sets the weights of the rest. A consequence that is selected without its cause,
    /// or that is now more severe, becomes a finding; one whose cause is ignored goes with it.
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        let mut promoted = Vec::new();
        findings.retain_mut(|finding| {
            finding.consequences.retain_mut(|one| self.keep(&mut one.finding));
            let is_asked_for = self.select.is_empty() || narrowest(&self.select, finding.rule).is_some();
            let is_kept = self.keep(finding);
            if finding.suppressed.is_none() {
                let is_ignored = self.decision(finding.rule) == Some(false);
                let stands_alone =
                    |one: &mut Consequence| !is_asked_for || (!is_ignored && one.finding.severity > finding.severity);
                promoted.extend(finding.consequences.extract_if(.., stands_alone).map(|one| one.finding));
            }
            is_kept
        });
        findings.append(&mut promoted);
    }

    fn keep(&self, finding: &mut Finding) -> bool {
        finding.severity = self.level(finding);
        self.includes(finding.rule) && self.floor.is_none_or(|floor| finding.severity >= floor)
    }
}

fn narrowest(targets: &[Target], rule: &Rule) -> Option<usize> {
    targets.iter().filter(|target| target.matches(rule)).map(Target::weight).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Findings, Spot};
    use crate::rule::MISSING_TOLERATION;

    /// An error with an error that follows from it.
    fn with_consequence() -> Vec<Finding> {
        let mut out = Findings::new(0, None, None);
        out.add(&rule::UNKNOWN_FIELD, Spot::new(Default::default(), "spec.tolerations"), "unknown");
        let mut other = Findings::new(0, None, None);
        other.add(&MISSING_TOLERATION, Spot::new(Default::default(), "spec"), "missing");
        let consequence = Consequence { finding: other.list.remove(0), once_fixed: false };
        out.list[0].consequences.push(consequence);
        out.list
    }

    #[test]
    fn a_consequence_that_is_more_severe_than_its_cause_counts() {
        for (lowered, floor) in [(Severity::Warning, None), (Severity::Warning, Some(Severity::Error))] {
            let levels = vec![(Target::One(&rule::UNKNOWN_FIELD), lowered)];
            let selection = Selection { levels, floor, ..Selection::default() };
            let mut findings = with_consequence();
            selection.apply(&mut findings);
            assert!(findings.iter().any(|one| one.severity == Severity::Error && one.rule == &MISSING_TOLERATION));
        }
        let mut findings = with_consequence();
        Selection::default().apply(&mut findings);
        assert_eq!((findings.len(), findings[0].consequences.len()), (1, 1));
        let ignore = Selection { ignore: vec![Target::One(&rule::UNKNOWN_FIELD)], ..Selection::default() };
        ignore.apply(&mut findings);
        assert!(findings.is_empty());
    }

    use crate::yaml::Span;

    fn selection(select: &[&str], ignore: &[&str]) -> Selection {
        let parse = |words: &[&str]| words.iter().map(|word| word.parse().unwrap()).collect();
        Selection { select: parse(select), ignore: parse(ignore), ..Selection::default() }
    }

    #[test]
    fn the_narrower_choice_wins() {
        for (select, ignore, is_on) in [
            (&[][..], &[][..], true),
            (&[], &["SB3"], false),
            (&[], &["missing-toleration"], false),
            (&["SB302"], &["SB3"], true),
            (&["SB3"], &["sb302"], false),
            (&["SB3"], &["SB3"], false),
            (&["all"], &["SB3"], false),
            (&["missing_toleration"], &["all"], true),
        ] {
            assert_eq!(selection(select, ignore).includes(&MISSING_TOLERATION), is_on, "{select:?} {ignore:?}");
        }
    }

    #[test]
    fn an_unknown_rule_names_the_nearest() {
        let error = "missing-tolerations".parse::<Target>().unwrap_err();
        assert_eq!(error.nearest, Some("missing-toleration"));
        assert_eq!("SBxyz-nonsense".parse::<Target>().unwrap_err().nearest, None);
    }

    #[test]
    fn the_narrowest_level_wins_and_the_floor_counts_after_it() {
        let mut out = Findings::new(0, None, None);
        out.add(&MISSING_TOLERATION, Spot::new(Span::new(0, 0), ""), "x");
        let levels = vec![("SB302".parse().unwrap(), Severity::Note), ("all".parse().unwrap(), Severity::Warning)];
        let mut choice = Selection { levels, ..Selection::default() };
        assert_eq!(choice.level(&out.list[0]), Severity::Note);
        choice.floor = Some(Severity::Warning);
        choice.apply(&mut out.list);
        assert!(out.list.is_empty());
    }
}
