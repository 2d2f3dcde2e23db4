//! The table of known mistakes: each is shown by a manifest that the linter judges as the cluster does, or says why one
//! manifest cannot show it. And what looks like a mistake and is none stays without a word.

mod support;

use sandbox_lint::Report;
use sandbox_lint::finding::{Finding, Outcome, Severity};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One row of `testdata/cases/mistakes/table.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The row's name: the group's letter and a number.
    row: String,
    /// The manifest, or nothing where none can show it.
    file: Option<String>,
    /// Why no manifest can show it.
    why: Option<String>,
    /// Rules that are raised, by name; the first is the one that the rest of the row speaks of.
    #[serde(default)]
    rules: Vec<String>,
    /// The weight of the first.
    severity: Option<String>,
    /// The stage at which it shows.
    stage: Option<String>,
    /// The state in which things come to rest.
    phase: Option<String>,
    /// Part of what the cluster says.
    message: Option<String>,
    /// Flags of the command line.
    #[serde(default)]
    flags: String,
}

#[test]
fn every_mistake_is_told_as_the_cluster_tells_it() {
    let folder = support::testdata("cases/mistakes");
    let text = std::fs::read_to_string(folder.join("table.yaml")).expect("the table");
    let rows: Vec<Row> = serde_yaml::from_str(&text).expect("a table of rows");
    let mut wrong = Vec::new();
    let mut shown = 0;
    for row in &rows {
        match (&row.file, &row.why) {
            (Some(file), None) => {
                let report = support::lint(&folder, &[folder.join(file)], &row.flags);
                shown += 1;
                let misses = misses(row, &report);
                if !misses.is_empty() {
                    let found = support::all_told(&report);
                    wrong.push(format!("{} {file}: {}\n{found}{}", row.row, misses.join("; "), outcomes(&report)));
                }
            }
            (None, Some(_)) => {}
            _ => panic!("{}: write either file or why", row.row),
        }
    }
    println!("{} rows, {shown} shown, {} of them as expected", rows.len(), shown - wrong.len());
    assert!(
        wrong.is_empty(),
        "{} rows differ:
{}",
        wrong.len(),
        wrong.join(
            "
"
        )
    );
}

#[test]
fn the_table_is_whole() {
    let folder = support::testdata("cases/mistakes");
    let text = std::fs::read_to_string(folder.join("table.yaml")).expect("the table");
    let rows: Vec<Row> = serde_yaml::from_str(&text).expect("a table of rows");
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for row in &rows {
        let (letter, number) = row.row.split_at(1);
        groups.entry(letter).or_default().push(number.parse().expect("a number"));
    }
    for (letter, numbers) in &groups {
        let expected: Vec<usize> = (1..=numbers.len()).collect();
        assert_eq!(numbers, &expected, "group {letter} has a gap");
    }
    let counts: Vec<(&str, usize)> = groups.iter().map(|(letter, numbers)| (*letter, numbers.len())).collect();
    let wanted = [("C", 56), ("F", 48), ("K", 5), ("P", 23), ("S", 34), ("T", 20), ("V", 22), ("W", 6), ("Y", 32)];
    assert_eq!(counts, wanted);
}

#[test]
fn what_only_looks_wrong_stays_without_a_word() {
    let folder = support::testdata("cases/fine");
    let mut wrong = String::new();
    for file in support::files_below(&folder) {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let flags = if name.starts_with("aggregated-") { "--profile aggregated-api" } else { "" };
        let report = support::lint(&folder, std::slice::from_ref(&file), flags);
        if report.findings.iter().any(|finding| finding.severity > Severity::Note) {
            wrong.push_str(&format!("{name}:\n{}", support::all_told(&report)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What the report lacks of the row.
fn misses(row: &Row, report: &Report) -> Vec<String> {
    let mut misses = Vec::new();
    let raised = |name: &str| {
        support::with_consequences(report).into_iter().filter(|finding| finding.rule.name == name).collect::<Vec<_>>()
    };
    for name in &row.rules {
        if raised(name).is_empty() {
            misses.push(format!("{name} is not raised"));
        }
    }
    if row.rules.is_empty() {
        misses.push("the row names no rule".to_owned());
    }
    let first = row.rules.first().map(|name| raised(name)).unwrap_or_default();
    let any = |holds: &dyn Fn(&Finding) -> bool| first.iter().any(|finding| holds(finding));
    let all_outcomes: Vec<&Outcome> = report
        .predictions
        .iter()
        .filter_map(|prediction| prediction.outcome.as_ref())
        .chain(first.iter().filter_map(|finding| finding.outcome.as_ref()))
        .collect();
    if let Some(severity) = &row.severity
        && !any(&|finding| word(finding.severity) == *severity)
    {
        misses.push(format!("not {severity}"));
    }
    if let Some(stage) = &row.stage {
        let shows = any(&|finding| finding.stage.name() == stage);
        if !shows && !all_outcomes.iter().any(|outcome| outcome.stage.name() == stage) {
            misses.push(format!("not at stage {stage}"));
        }
    }
    if let Some(phase) = &row.phase
        && !all_outcomes.iter().any(|outcome| word(outcome.phase) == *phase)
    {
        misses.push(format!("not {phase}"));
    }
    if let Some(message) = &row.message {
        let says = |outcome: &&Outcome| {
            [&outcome.message, &outcome.shown_on].into_iter().flatten().any(|text| text.contains(message))
        };
        if !all_outcomes.iter().any(says) && !any(&|finding| finding.message.contains(message)) {
            misses.push(format!("nothing says {message:?}"));
        }
    }
    misses
}

fn outcomes(report: &Report) -> String {
    let outcomes = report.predictions.iter().map(|prediction| &prediction.outcome);
    outcomes.map(|outcome| format!("    -> {outcome:?}\n")).collect()
}

/// A word as output has it: `no-pod`.
fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).expect("a word")
}
