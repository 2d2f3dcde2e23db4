//! Tries policies on manifests that must keep or break them.

use crate::cluster::World;
use crate::files::{self, Limit};
use crate::input::Source;
use crate::linter::{Linter, Settings};
use crate::policy::{Notice, Policies, PolicyError, TESTS, verdict};
use crate::rule::UNDECIDED_HOUSE_RULE;
use std::collections::HashMap;
use std::path::Path;
use walkdir::WalkDir;

/// What the trials of a folder gave.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many rules there are.
    pub rules: usize,
    /// One for each manifest, in the order of their paths.
    pub trials: Vec<Trial>,
    /// Rules that no bad manifest tries.
    pub untested_rules: Vec<String>,
    /// What of the policies was left out.
    pub notices: Vec<Notice>,
}

/// One manifest, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The rule it is for; `None` for all rules together.
    pub rule: Option<String>,
    /// The manifest, as a path inside the folder.
    pub file: String,
    /// What is not as expected.
    pub failure: Option<String>,
}

/// A manifest and what is expected of it.
struct Case {
    rule: Option<String>,
    file: String,
    breaks: bool,
    source: Source,
}

/// Runs policies on the manifests of a folder whose names begin with `good` or `bad`, or that lie in such a folder:
/// a good one keeps the rule, and a bad one breaks it. The folders above (`tests` left out) name the rule, whatever
/// others say; without one, all rules are meant.
///
/// # Errors
/// When manifests can't be read.
pub fn run(folder: &Path, policies: Policies, world: World) -> Result<Outcome, PolicyError> {
    let cases = cases(folder)?;
    let mut outcome = Outcome {
        rules: policies.rules.len(),
        notices: policies.notices.clone(),
        untested_rules: untested_rules(&policies, &cases),
        ..Outcome::default()
    };
    let names: Vec<String> = policies.rules.iter().map(|rule| rule.name.clone()).collect();
    let linter = Linter::with_settings(vec![Settings { world, policies }], HashMap::new(), 0);
    for case in cases {
        let failure = judge(&linter, &names, &case);
        outcome.trials.push(Trial { rule: case.rule, file: case.file, failure });
    }
    Ok(outcome)
}

/// A rule, one of a policy's validations, or any where none is named.
fn is_of(name: &str, rule: Option<&str>) -> bool {
    rule.is_none_or(|rule| name == rule || name.strip_prefix(rule).is_some_and(|rest| rest.starts_with('/')))
}

fn untested_rules(policies: &Policies, cases: &[Case]) -> Vec<String> {
    let tried =
        |name: &str| cases.iter().any(|case| case.breaks && case.rule.is_some() && is_of(name, case.rule.as_deref()));
    let names = policies.names().into_iter().filter(|name| !tried(name));
    names.map(str::to_owned).collect()
}

fn judge(linter: &Linter, names: &[String], case: &Case) -> Option<String> {
    if !names.iter().any(|name| is_of(name, case.rule.as_deref())) {
        return Some("no rule has this name".into());
    }
    let report = linter.check(vec![case.source.clone()]);
    if report.predictions.is_empty() {
        return Some("it holds nothing to judge".into());
    }
    let of_rule = |name: &Option<String>| name.as_ref().is_some_and(|name| is_of(name, case.rule.as_deref()));
    let mine: Vec<_> = report.findings.iter().filter(|finding| of_rule(&finding.policy)).collect();
    let undecided = mine.iter().find(|finding| *finding.rule == UNDECIDED_HOUSE_RULE);
    match (case.breaks, mine.first()) {
        _ if undecided.is_some() => undecided.map(|finding| finding.message.clone()),
        (true, None) => Some("breaks no rule, and should".into()),
        (false, Some(finding)) => Some(format!("should keep the rule: {}", finding.message)),
        _ => None,
    }
}

fn cases(folder: &Path) -> Result<Vec<Case>, PolicyError> {
    let mut cases = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let failed = |path: &Path, error| PolicyError::Io { path: path.to_string_lossy().into_owned(), error };
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            failed(&path, error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links")))
        })?;
        let path = entry.path();
        let is_manifest = path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json");
        let file = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let expected = expected(&file).filter(|_| is_manifest && entry.file_type().is_file());
        let Some((rule, breaks)) = expected else { continue };
        let bytes = files::read(path, &Limit::LARGEST).map_err(|error| failed(path, error))?;
        cases.push(Case { rule, breaks, source: Source::explicit(file.clone(), bytes), file });
    }
    Ok(cases)
}

/// The rule that a path such as `tests/pinned-images/bad-tag.yaml` is for, and whether it breaks it.
fn expected(path: &str) -> Option<(Option<String>, bool)> {
    let parts: Vec<&str> = path.split('/').skip_while(|part| *part == TESTS).collect();
    let (at, good) = parts.iter().enumerate().find_map(|(at, part)| Some((at, verdict(part)?)))?;
    let rule = parts[..at].join("/");
    Some((Some(rule).filter(|rule| !rule.is_empty()), !good))
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn a_path_tells_rule_and_expectation() {
        for (path, answer) in [
            ("tests/pinned/good.yaml", Some((Some("pinned"), false))),
            ("pinned/bad-tag.yaml", Some((Some("pinned"), true))),
            ("tests/pinned/bad/tag.yaml", Some((Some("pinned"), true))),
            ("tests/policy.example.com/2/bad.yaml", Some((Some("policy.example.com/2"), true))),
            ("good.yaml", Some((None, false))),
            ("bad/x.yaml", Some((None, true))),
            ("tests/bad/x.yaml", Some((None, true))),
            ("pinned/other.yaml", None),
            ("goodness.yaml", None),
            ("badge/x.yaml", None),
        ] {
            let answer = answer.map(|(rule, breaks): (Option<&str>, bool)| (rule.map(str::to_owned), breaks));
            assert_eq!(expected(path), answer, "{path}");
        }
    }
}
