//! GitLab's Code Quality report.

use super::view::View;
use super::words;
use crate::finding::Severity;
use serde::Serialize;

#[derive(Serialize)]
struct Issue<'r> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'r>,
}

#[derive(Serialize)]
struct Location<'r> {
    path: &'r str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// A list of issues; the fingerprints stay the same while lines move.
pub fn render(view: &View<'_>) -> String {
    let issues: Vec<Issue<'_>> = view
        .report
        .findings
        .iter()
        .zip(view.fingerprints())
        .filter(|(finding, _)| finding.suppressed.is_none())
        .map(|(finding, fingerprint)| {
            let range = view.range_of(finding);
            Issue {
                description: words::in_full(finding),
                check_name: finding.rule.name,
                fingerprint,
                severity: match finding.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Note => "info",
                },
                location: Location {
                    path: view.path(finding.file),
                    lines: Lines { begin: range.start.line, end: range.end.line },
                },
            }
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&issues).expect("output is plain data");
    text.push('\n');
    text
}
