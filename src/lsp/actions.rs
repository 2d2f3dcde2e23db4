//! Code actions: fixes of findings, all safe fixes at once, and comments that silence a finding.

use super::diagnostics;
use super::position::Places;
use super::worker::Checked;
use super::workspace::{Document, Workspace, path_of};
use crate::finding::{Applicability, Edit, Finding};
use crate::fix;
use crate::yaml::{self, Document as Decoded, Options, Span};
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, TextEdit, WorkspaceEdit};
use std::collections::HashMap;
use std::ops::Range;

/// The kind of the action that applies all safe fixes.
pub(super) const FIX_ALL: &str = "source.fixAll.sandbox-lint";

/// What can be done in a range of a file.
pub(super) fn actions(workspace: &Workspace, params: &CodeActionParams) -> Vec<CodeAction> {
    let uri = &params.text_document.uri;
    let (Some(checked), Some(document)) = (&workspace.checked, workspace.document(uri)) else { return Vec::new() };
    if !workspace.is_current(uri) {
        return Vec::new();
    }
    let Some(file) = workspace.file(&path_of(uri)) else { return Vec::new() };
    let report = &checked.report;
    let shown = report.findings.iter().filter(|finding| finding.file == file && finding.suppressed.is_none());
    let shown: Vec<&Finding> = shown.collect();
    let one = Offer { workspace, checked, document, places: Places::new(&document.text, workspace.unit) };
    let only = params.context.only.as_deref();
    let wanted = |kind: &str| only.is_none_or(|only| only.iter().any(|outer| is_within(kind, &outer.to_string())));
    let mut actions = Vec::new();
    if wanted("quickfix") {
        let range = one.places.bytes(params.range);
        let here: Vec<&&Finding> = shown.iter().filter(|finding| touches(finding.spot.span, &range)).collect();
        actions.extend(here.iter().filter_map(|finding| one.fix(finding)));
        actions.extend(here.iter().filter_map(|finding| one.ignore(finding)));
    }
    // Asked for by name, or beside the fixes where there is something to do.
    if wanted(FIX_ALL) {
        actions.extend(one.fix_all(&shown));
    }
    actions
}

fn is_within(kind: &str, outer: &str) -> bool {
    outer.is_empty() || kind.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn touches(span: Span, range: &Range<usize>) -> bool {
    span.start as usize <= range.end && range.start <= span.end as usize
}

/// What actions are made of.
struct Offer<'w> {
    workspace: &'w Workspace,
    checked: &'w Checked,
    document: &'w Document,
    places: Places<'w>,
}

impl Offer<'_> {
    fn fix(&self, finding: &Finding) -> Option<CodeAction> {
        let fix = finding.fix.as_ref().filter(|fix| !fix.edits.is_empty())?;
        let safe = fix.applicability == Applicability::Safe;
        let title = if safe { fix.title.clone() } else { format!("{} (please review)", fix.title) };
        let edits: Vec<&Edit> = fix.edits.iter().collect();
        let mut action = self.action(&capitalised(&title), CodeActionKind::QuickFix, &edits);
        action.diagnostics = Some(vec![self.diagnostic(finding)]);
        action.is_preferred = Some(safe);
        Some(action)
    }

    /// A comment above the line, where a comment can stand there without changing what kubectl reads.
    fn ignore(&self, finding: &Finding) -> Option<CodeAction> {
        let text = &self.document.text;
        let line = self.places.line_around(finding.spot.span.start as usize);
        let content = &text[line.clone()];
        let indent = &content[..content.len() - content.trim_start_matches(' ').len()];
        let name = finding.policy.as_deref().unwrap_or(finding.rule.code);
        let start = u32::try_from(line.start).ok()?;
        let comment = format!("{indent}# sandbox-lint: ignore[{name}]\n");
        let edit = Edit { span: Span::new(start, start), text: comment };
        let mut changed = text.to_string();
        changed.insert_str(line.start, &edit.text);
        if !same_documents(text, &changed) {
            return None;
        }
        let title = format!("Ignore {name} ({}) here", finding.rule.name);
        let mut action = self.action(&title, CodeActionKind::QuickFix, &[&edit]);
        action.diagnostics = Some(vec![self.diagnostic(finding)]);
        Some(action)
    }

    fn fix_all(&self, shown: &[&Finding]) -> Option<CodeAction> {
        let (edits, applied) = fix::chosen(shown.iter().filter_map(|finding| finding.fix.as_ref()), false);
        let kind = CodeActionKind::new(FIX_ALL);
        (applied > 0).then(|| self.action("Apply all safe fixes of sandbox-lint", kind, &edits))
    }

    fn diagnostic(&self, finding: &Finding) -> gen_lsp_types::Diagnostic {
        diagnostics::diagnostic(self.workspace, self.checked, &self.places, finding)
    }

    fn action(&self, title: &str, kind: CodeActionKind, edits: &[&Edit]) -> CodeAction {
        let crlf = self.document.text.contains("\r\n");
        let edit = |edit: &&Edit| TextEdit {
            range: self.places.range(edit.span.range()),
            new_text: if crlf { edit.text.replace('\n', "\r\n") } else { edit.text.clone() },
        };
        let edits = edits.iter().map(edit).collect();
        let changes = HashMap::from([(self.document.uri.clone(), edits)]);
        CodeAction {
            title: title.to_owned(),
            kind: Some(kind),
            diagnostics: None,
            is_preferred: None,
            disabled: None,
            edit: Some(WorkspaceEdit { changes: Some(changes), document_changes: None, change_annotations: None }),
            command: None,
            data: None,
            tags: None,
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether kubectl reads the same from two texts, and refuses no document of either.
fn same_documents(one: &str, other: &str) -> bool {
    let values = |text: &str| -> Option<Vec<String>> {
        let stream = yaml::parse(text, &Options::default());
        let value = |document: &Decoded<'_>| document.root().filter(|_| document.depth < 200).map(yaml::to_json);
        stream.documents.iter().map(value).collect()
    };
    values(one).is_some_and(|before| values(other) == Some(before))
}
