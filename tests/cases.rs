//! Mistakes that people made, with what is wanted of a linter; and manifests as people write them, which are right.

mod support;

use sandbox_lint::finding::{Finding, Severity};
use serde::Deserialize;

/// One case of `testdata/cases/public.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    case: String,
    file: String,
    #[serde(default)]
    flags: String,
    findings: Vec<Wanted>,
}

/// One finding that is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    severity: String,
    /// How the field path begins.
    #[serde(default)]
    path: String,
    /// Part of the message, the help or the outcome's words.
    #[serde(default)]
    mentions: String,
}

#[test]
fn every_case_is_told_as_wanted() {
    let folder = support::testdata("cases");
    let text = std::fs::read_to_string(folder.join("public.yaml")).expect("the table");
    let cases: Vec<Case> = serde_yaml::from_str(&text).expect("a table of cases");
    let mut wrong = Vec::new();
    for case in &cases {
        let report = support::lint(&folder, &[folder.join(&case.file)], &case.flags);
        let misses = misses(case, &report.findings);
        if !misses.is_empty() {
            wrong.push(format!("{} {}: {}\n{}", case.case, case.file, misses.join("; "), support::all_told(&report)));
        }
    }
    println!("{} cases, {} as wanted", cases.len(), cases.len() - wrong.len());
    assert!(
        wrong.is_empty(),
        "{} cases differ:
{}",
        wrong.len(),
        wrong.join(
            "
"
        )
    );
}

/// Every wanted finding is there, each by a finding of its own, and no error or warning is left over.
fn misses(case: &Case, findings: &[Finding]) -> Vec<String> {
    let mut left: Vec<&Finding> = findings.iter().collect();
    let mut misses = Vec::new();
    for wanted in &case.findings {
        match left.iter().position(|finding| fits(wanted, finding)) {
            Some(at) => {
                left.remove(at);
            }
            None => misses.push(format!("no finding like {wanted:?}")),
        }
    }
    let over = left.iter().filter(|finding| finding.severity > Severity::Note);
    misses.extend(over.map(|finding| format!("one too many: {} {}", finding.rule.code, finding.message)));
    misses
}

fn fits(wanted: &Wanted, finding: &Finding) -> bool {
    let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    let said = [Some(finding.message.as_str()), finding.help.as_deref(), words];
    let severity = format!("{:?}", finding.severity).to_lowercase();
    severity == wanted.severity
        && finding.spot.path.starts_with(&wanted.path)
        && said.into_iter().flatten().any(|text| text.contains(&wanted.mentions))
}

/// Files of `testdata/real` that have an error or a warning, and which.
const EXPECTED: [(&str, &str); 2] = [("flow.yaml", "SB016"), ("claims-only.yaml", "SB112")];

#[test]
fn manifests_as_people_write_them_are_right() {
    let folder = support::testdata("real");
    let files = support::files_below(&folder);
    assert!(files.len() >= 25, "only {} files", files.len());
    let mut wrong = String::new();
    for file in &files {
        let name = file.strip_prefix(&folder).expect("below the folder").to_str().expect("a plain name");
        let flags = if name == "aggregated.yaml" { "--profile aggregated-api" } else { "" };
        let report = support::lint(&folder, std::slice::from_ref(file), flags);
        let heavy = report.findings.iter().filter(|finding| finding.severity > Severity::Note);
        let found: Vec<&str> = heavy.map(|finding| finding.rule.code).collect();
        let expected: Vec<&str> = EXPECTED.iter().filter(|(file, _)| *file == name).map(|(_, code)| *code).collect();
        if found != expected {
            wrong.push_str(&format!("{name}: expected {expected:?}\n{}", support::all_told(&report)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_folder_of_manifests_is_right_as_a_whole() {
    let folder = support::testdata("real");
    let report = support::lint(&folder, &support::files_below(&folder), "");
    let across = report.findings.iter().filter(|finding| finding.rule.code.starts_with("SB6"));
    let heavy: Vec<String> = across.filter(|finding| finding.severity > Severity::Note).map(support::told).collect();
    assert!(heavy.is_empty(), "{heavy:#?}");
}
