//! Workflow commands of GitHub Actions, which become annotations of a pull request.

use super::view::{View, severity_name};
use super::words;
use crate::finding::Severity;
use std::fmt::Write;

/// One command for each finding, and the summary as a plain line: GitHub shows only ten annotations of a kind.
pub fn render(view: &View<'_>) -> String {
    let mut text = String::new();
    for finding in view.shown_findings() {
        let command = if finding.severity == Severity::Note { "notice" } else { severity_name(finding.severity) };
        let range = view.range_of(finding);
        let _ = write!(
            text,
            "::{command} file={},line={},endLine={},",
            property(view.path(finding.file)),
            range.start.line,
            range.end.line
        );
        if range.start.line == range.end.line {
            let _ = write!(text, "col={},endColumn={},", range.start.column, range.end.column);
        }
        let title = format!("{} {}", finding.rule.code, finding.rule.name);
        let _ = writeln!(text, "title={}::{}", property(&title), data(&words::in_full(finding)));
    }
    let _ = writeln!(text, "{}", words::summary(view));
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(super::property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert_eq!(super::data("a,b:c%\r\n"), "a,b:c%25%0D%0A");
    }
}
