//! Findings as diagnostics.

use super::position::Places;
use super::workspace::Workspace;
use super::{Problem, worker::Checked};
use crate::escape;
use crate::finding::{Finding, Severity};
use crate::report::words;
use crate::rule;
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Message, Position,
    PublishDiagnosticsParams, Range,
};
use std::collections::BTreeMap;

/// The name under which clients show the diagnostics.
pub(super) const SOURCE: &str = "sandbox-lint";

/// The diagnostics of every open file, after a check.
pub(super) fn of_open_files(workspace: &Workspace, checked: &Checked) -> Vec<PublishDiagnosticsParams> {
    let mut by_file: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in checked.report.findings.iter().filter(|finding| finding.suppressed.is_none()) {
        by_file.entry(&checked.report.sources[finding.file].path).or_default().push(finding);
    }
    let open = workspace.open.iter().filter(|(path, document)| checked.versions.get(*path) == Some(&document.version));
    open.map(|(path, document)| {
        let places = Places::new(&document.text, workspace.unit);
        let findings = by_file.get(path.as_str()).into_iter().flatten();
        PublishDiagnosticsParams {
            uri: document.uri.clone(),
            version: Some(document.version),
            diagnostics: findings.map(|finding| diagnostic(workspace, checked, &places, finding)).collect(),
        }
    })
    .collect()
}

/// One finding.
pub(super) fn diagnostic(
    workspace: &Workspace,
    checked: &Checked,
    places: &Places<'_>,
    finding: &Finding,
) -> Diagnostic {
    let related = finding.related.iter().map(|other| {
        let source = &checked.report.sources[other.file];
        let location = workspace.location(&source.path, source.text().as_str(), other.span.range());
        DiagnosticRelatedInformation { location, message: escape::block(&other.message).into_owned() }
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    Diagnostic {
        range: places.range(finding.spot.span.range()),
        severity: Some(severity(finding.severity)),
        code: Some(Code::String(finding.rule.code.to_owned())),
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: Message::String(escape::block(&words::in_full(finding)).into_owned()),
        tags: tag(finding).map(|tag| vec![tag]),
        related_information: Some(related).filter(|related| !related.is_empty()),
        data: None,
    }
}

/// Something wrong in a file of settings.
pub(super) fn of_settings(text: &str, workspace: &Workspace, problem: &Problem) -> Diagnostic {
    let places = Places::new(text, workspace.unit);
    let lines = crate::yaml::LineIndex::new(text);
    let place = crate::yaml::Position { line: problem.line, column: problem.column };
    let start = lines.offset(place).unwrap_or(0) as usize;
    let end = places.line_around(start).end;
    let range = if text.is_empty() {
        Range { start: Position::default(), end: Position::default() }
    } else {
        places.range(start..end)
    };
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::Error),
        code: None,
        code_description: None,
        source: Some(SOURCE.to_owned()),
        message: Message::String(escape::block(&problem.message).into_owned()),
        tags: None,
        related_information: None,
        data: None,
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Note => DiagnosticSeverity::Information,
    }
}

fn tag(finding: &Finding) -> Option<DiagnosticTag> {
    let is = |rule: &rule::Rule| finding.rule.code == rule.code;
    if is(&rule::UNUSED_SUPPRESSION) {
        Some(DiagnosticTag::Unnecessary)
    } else if is(&rule::DEPRECATED_VERSION) {
        Some(DiagnosticTag::Deprecated)
    } else {
        None
    }
}
