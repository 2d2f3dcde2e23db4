//! One line for each finding: `file:line:column: severity[code] message`.

use super::view::{View, severity_name};
use std::fmt::Write;

/// The findings, one a line, as editors and `grep` like them.
pub fn render(view: &View<'_>) -> String {
    let mut text = String::new();
    for finding in view.shown_findings() {
        let start = view.range_of(finding).start;
        let _ = write!(
            text,
            "{}:{}:{}: {}[{}] {}",
            view.path(finding.file),
            start.line,
            start.column,
            severity_name(finding.severity),
            finding.rule.code,
            finding.message
        );
        let then: Vec<&str> = finding.shown_consequences().map(|one| one.finding.rule.code).collect();
        if !then.is_empty() {
            let _ = write!(text, " (then {})", then.join(", "));
        }
        text.push('\n');
    }
    text
}
