//! Reviewdog's diagnostic format.

use super::view::{Range, View};
use super::words;
use crate::finding::{FileId, Finding, Fix, Severity};
use crate::yaml::Span;
use serde::Serialize;

#[derive(Serialize)]
struct DiagnosticResult<'r> {
    source: Source,
    diagnostics: Vec<Diagnostic<'r>>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

#[derive(Serialize)]
struct Diagnostic<'r> {
    message: String,
    location: Location<'r>,
    severity: &'static str,
    code: Code,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation<'r>>,
}

#[derive(Serialize)]
struct Location<'r> {
    path: &'r str,
    range: RangeOut,
}

#[derive(Serialize)]
struct RelatedLocation<'r> {
    message: String,
    location: Location<'r>,
}

#[derive(Serialize)]
struct Code {
    value: &'static str,
}

#[derive(Serialize)]
struct Suggestion {
    range: RangeOut,
    text: String,
}

#[derive(Serialize)]
struct RangeOut {
    start: Position,
    end: Position,
}

/// Reviewdog counts columns in UTF-8 bytes, from 1.
#[derive(Serialize)]
struct Position {
    line: u32,
    column: usize,
}

/// All findings as one DiagnosticResult.
pub fn render(view: &View<'_>) -> String {
    let diagnostics = view.shown_findings().map(|finding| diagnostic(view, finding)).collect();
    let result = DiagnosticResult { source: Source { name: "sandbox-lint" }, diagnostics };
    let mut text = serde_json::to_string_pretty(&result).expect("output is plain data");
    text.push('\n');
    text
}

fn diagnostic<'r>(view: &View<'r>, finding: &'r Finding) -> Diagnostic<'r> {
    let location = |file, span| Location { path: view.path(file), range: range(view, file, view.range(file, span)) };
    Diagnostic {
        message: words::in_full(finding),
        location: location(finding.file, finding.spot.span),
        severity: match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Note => "INFO",
        },
        code: Code { value: finding.rule.code },
        suggestions: finding.fix.iter().filter_map(|fix| suggestion(view, finding.file, fix)).collect(),
        related_locations: finding
            .related
            .iter()
            .map(|one| (one.file, one.span, one.message.clone()))
            .chain(words::consequence_places(finding))
            .map(|(file, span, message)| RelatedLocation { message, location: location(file, span) })
            .collect(),
    }
}

/// A fix as one replacement, since reviewdog takes several for alternatives.
fn suggestion(view: &View<'_>, file: FileId, fix: &Fix) -> Option<Suggestion> {
    let whole = fix.edits.iter().map(|edit| edit.span).reduce(Span::to)?;
    let mut text = String::new();
    let mut from = whole.start;
    for edit in &fix.edits {
        text.push_str(&view.text(file)[Span::new(from, edit.span.start).range()]);
        text.push_str(&edit.text);
        from = edit.span.end;
    }
    Some(Suggestion { range: range(view, file, view.range(file, whole)), text })
}

fn range(view: &View<'_>, file: usize, range: Range) -> RangeOut {
    let position = |line: u32, column: u32| {
        let lines = view.lines(file);
        let text = lines.line_span(line).map_or("", |span| &view.text(file)[span.range()]);
        let bytes: usize = text.chars().take(column as usize - 1).map(char::len_utf8).sum();
        Position { line, column: bytes + 1 }
    };
    RangeOut { start: position(range.start.line, range.start.column), end: position(range.end.line, range.end.column) }
}
