//! JUnit's XML: a test suite for each file, a failed test for each finding.

use super::view::{View, severity_name};
use super::words;
use crate::finding::{FileId, Finding, Severity};
use std::fmt::Write;

/// A suite for each file that was read; a file without findings is one test that passed. Notes don't fail a test.
pub fn render(view: &View<'_>) -> String {
    let mut by_file: Vec<Vec<&Finding>> = view.report.sources.iter().map(|_| Vec::new()).collect();
    for finding in view.shown_findings() {
        by_file[finding.file].push(finding);
    }
    let tests: usize = by_file.iter().map(|findings| findings.len().max(1)).sum();
    let failures: usize = by_file.iter().map(|findings| failed(findings)).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sandbox-lint\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"0\" time=\"0\">\n"
    );
    for (file, findings) in by_file.iter().enumerate() {
        suite(&mut text, view, file, findings);
    }
    text.push_str("</testsuites>\n");
    text
}

fn failed(findings: &[&Finding]) -> usize {
    findings.iter().filter(|finding| finding.severity > Severity::Note).count()
}

fn suite(text: &mut String, view: &View<'_>, file: FileId, findings: &[&Finding]) {
    let path = escape(view.path(file));
    let (tests, failures) = (findings.len().max(1), failed(findings));
    let _ = writeln!(
        text,
        "  <testsuite name=\"{path}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\" time=\"0\">"
    );
    if findings.is_empty() {
        let _ = writeln!(text, "    <testcase name=\"no findings\" classname=\"{path}\" time=\"0\"/>");
    }
    for finding in findings {
        let start = view.range_of(finding).start;
        let name = format!("{} {} {}:{}", finding.rule.code, finding.rule.name, start.line, start.column);
        let _ = write!(text, "    <testcase name=\"{}\" classname=\"{path}\" time=\"0\">", escape(&name));
        let (open, close) = if finding.severity > Severity::Note {
            let severity = severity_name(finding.severity);
            (format!("<failure type=\"{severity}\" message=\"{}\">", escape(&finding.message)), "</failure>")
        } else {
            ("<system-out>".to_owned(), "</system-out>")
        };
        let _ = writeln!(text, "{open}{}{close}</testcase>", escape(&words::in_full(finding)));
    }
    text.push_str("  </testsuite>\n");
}

/// Text for an XML attribute or element. Characters that XML forbids are hidden ones, which the view has escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn xml_cannot_be_broken_by_what_a_manifest_holds() {
        assert_eq!(super::escape("<a b=\"&\">\n\t"), "&lt;a b=&quot;&amp;&quot;&gt;&#10;&#9;");
    }
}
