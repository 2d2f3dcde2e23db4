//! Tries policies on manifests that must keep or break them.

use crate::cluster::World;
use crate::input::Source;
use crate::linter::{Linter, Settings};
use crate::policy::{Notice, Policies, PolicyError, TESTS};
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
    pub untried: Vec<String>,
    /// What of the policies was left out.
    pub notices: Vec<Notice>,
}

/// One manifest, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The rule it is for.
    pub rule: String,
    /// The manifest, as a path inside the folder.
    pub file: String,
    /// What is not as expected.
    pub failure: Option<String>,
}

/// A manifest and what is expected of it.
struct Case {
    rule: String,
    file: String,
    breaks: bool,
    source: Source,
}

/// Runs the policies of a folder on the manifests below its `tests`: `tests/RULE/good…` keeps the rule, and
/// `tests/RULE/bad…` breaks it, whatever other rules say.
///
/// # Errors
/// When policies or manifests can't be read.
pub fn run(folder: &Path, world: World) -> Result<Outcome, PolicyError> {
    let policies = Policies::load(&[folder.to_owned()], Vec::new())?;
    let cases = cases(folder)?;
    let mut outcome = Outcome {
        rules: policies.rules.len(),
        notices: policies.notices.clone(),
        untried: untried(&policies, &cases),
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

/// A rule, or one of a policy's validations.
fn is_of(name: &str, rule: &str) -> bool {
    name == rule || name.strip_prefix(rule).is_some_and(|rest| rest.starts_with('/'))
}

fn untried(policies: &Policies, cases: &[Case]) -> Vec<String> {
    let tried = |name: &str| cases.iter().any(|case| case.breaks && is_of(name, &case.rule));
    let names = policies.names().into_iter().filter(|name| !tried(name));
    names.map(str::to_owned).collect()
}

fn judge(linter: &Linter, names: &[String], case: &Case) -> Option<String> {
    if !names.iter().any(|name| is_of(name, &case.rule)) {
        return Some("no rule has this name".into());
    }
    let report = linter.check(vec![case.source.clone()]);
    if report.predictions.is_empty() {
        return Some("it holds nothing to judge".into());
    }
    let of_rule = |name: &Option<String>| name.as_ref().is_some_and(|name| is_of(name, &case.rule));
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
    let tests = folder.join(TESTS);
    let mut cases = Vec::new();
    for entry in WalkDir::new(&tests).sort_by_file_name().into_iter().filter(|_| tests.exists()) {
        let failed = |path: &Path, error| PolicyError::Io { path: path.to_string_lossy().into_owned(), error };
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(&tests).to_owned();
            failed(&path, error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links")))
        })?;
        let path = entry.path();
        let is_manifest = path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json");
        let inside = path.strip_prefix(&tests).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let Some((rule, breaks)) = expected(&inside).filter(|_| is_manifest && entry.file_type().is_file()) else {
            continue;
        };
        let bytes = std::fs::read(path).map_err(|error| failed(path, error))?;
        let file = format!("{TESTS}/{inside}");
        cases.push(Case { rule, breaks, source: Source::explicit(file.clone(), bytes), file });
    }
    Ok(cases)
}

/// The rule that a path such as `pinned-images/bad-tag.yaml` is for, and whether it breaks it.
fn expected(inside: &str) -> Option<(String, bool)> {
    let parts: Vec<&str> = inside.split('/').collect();
    let at = parts.iter().skip(1).position(|part| part.starts_with("good") || part.starts_with("bad"))? + 1;
    Some((parts[..at].join("/"), parts[at].starts_with("bad")))
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn a_path_tells_rule_and_expectation() {
        for (path, answer) in [
            ("pinned/good.yaml", Some(("pinned", false))),
            ("pinned/bad-tag.yaml", Some(("pinned", true))),
            ("pinned/bad/tag.yaml", Some(("pinned", true))),
            ("policy.example.com/2/bad.yaml", Some(("policy.example.com/2", true))),
            ("good.yaml", None),
            ("pinned/other.yaml", None),
        ] {
            assert_eq!(expected(path), answer.map(|(rule, breaks)| (rule.to_owned(), breaks)), "{path}");
        }
    }
}
