//! JSON, version 1: one object for a run, or one object a line.

use super::view::{Place, View, severity_name};
use crate::finding::{Applicability, Consequence, Finding, Outcome, ResourceId, Silencer};
use crate::predict::{PodName, Prediction};
use crate::stage::admission::Accepted;
use crate::stage::scheduling::NodeAnswer;
use serde::Serialize;

/// The version of the shape; it changes only where something goes away or changes its meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Output<'r> {
    version: u32,
    tool: Tool,
    findings: Vec<FindingOut<'r>>,
    predictions: Vec<PredictionOut<'r>>,
    skipped: Vec<SkippedOut<'r>>,
    summary: SummaryOut,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct FindingOut<'r> {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    stage: &'static str,
    message: &'r str,
    help: Option<&'r str>,
    url: Option<&'r str>,
    file: &'r str,
    start: Place,
    end: Place,
    document: Option<usize>,
    path: &'r str,
    resource: Option<&'r ResourceId>,
    related: Vec<RelatedOut<'r>>,
    outcome: Option<&'r Outcome>,
    fix: Option<FixOut<'r>>,
    suppressed: Option<SuppressedOut<'r>>,
    consequences: Vec<ConsequenceOut<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConsequenceOut<'r> {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    stage: &'static str,
    message: &'r str,
    outcome: Option<&'r Outcome>,
    once_fixed: bool,
    file: &'r str,
    start: Place,
    end: Place,
    path: &'r str,
}

#[derive(Serialize)]
struct SuppressedOut<'r> {
    by: Silencer,
    reason: Option<&'r str>,
    start: Option<Place>,
}

#[derive(Serialize)]
struct RelatedOut<'r> {
    message: &'r str,
    file: &'r str,
    start: Place,
    end: Place,
}

#[derive(Serialize)]
struct FixOut<'r> {
    applicability: Applicability,
    title: &'r str,
    edits: Vec<EditOut<'r>>,
}

#[derive(Serialize)]
struct EditOut<'r> {
    start: Place,
    end: Place,
    text: &'r str,
}

#[derive(Serialize)]
struct PredictionOut<'r> {
    file: &'r str,
    document: usize,
    resource: &'r ResourceId,
    pod: Option<&'r PodName>,
    backend: &'r str,
    accepted: Accepted,
    outcome: Option<&'r Outcome>,
    node: Option<&'r str>,
    nodes: &'r [NodeAnswer],
    findings: Vec<usize>,
}

#[derive(Serialize)]
struct SkippedOut<'r> {
    file: &'r str,
    document: Option<usize>,
    reason: &'r str,
    message: &'r str,
}

#[derive(Serialize)]
struct SummaryOut {
    files: usize,
    documents: usize,
    resources: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    omitted: usize,
}

/// The whole run as one object.
pub fn render(view: &View<'_>) -> String {
    let mut text = serde_json::to_string_pretty(&output(view)).expect("output is plain data");
    text.push('\n');
    text
}

/// One object a line: findings, predictions, skipped files and the summary, each with its `type`.
pub fn render_lines(view: &View<'_>) -> String {
    let whole = output(view);
    let mut text = String::new();
    whole.findings.iter().for_each(|one| line(&mut text, "finding", one));
    whole.predictions.iter().for_each(|one| line(&mut text, "prediction", one));
    whole.skipped.iter().for_each(|one| line(&mut text, "skipped", one));
    line(&mut text, "summary", &whole.summary);
    text
}

#[derive(Serialize)]
struct Line<'t, T> {
    r#type: &'t str,
    #[serde(flatten)]
    content: &'t T,
}

fn line(text: &mut String, r#type: &str, content: &impl Serialize) {
    text.push_str(&serde_json::to_string(&Line { r#type, content }).expect("output is plain data"));
    text.push('\n');
}

fn output<'r>(view: &View<'r>) -> Output<'r> {
    let report = view.report;
    let summary = &report.summary;
    let predictions = report.predictions.iter().zip(view.findings_by_prediction());
    let skipped = report.skipped.iter().map(|one| SkippedOut {
        file: view.path(one.file),
        document: one.document,
        reason: one.reason,
        message: &one.message,
    });
    Output {
        version: VERSION,
        tool: Tool { name: "sandbox-lint", version: env!("CARGO_PKG_VERSION") },
        findings: report.findings.iter().map(|one| finding(view, one)).collect(),
        predictions: predictions.map(|(one, findings)| prediction(view, one, findings)).collect(),
        skipped: skipped.collect(),
        summary: SummaryOut {
            files: summary.files,
            documents: summary.documents,
            resources: summary.resources,
            errors: summary.errors,
            warnings: summary.warnings,
            notes: summary.notes,
            omitted: summary.omitted,
        },
    }
}

fn finding<'r>(view: &View<'r>, finding: &'r Finding) -> FindingOut<'r> {
    let range = view.range_of(finding);
    let related = finding.related.iter().map(|one| {
        let range = view.range(one.file, one.span);
        RelatedOut { message: &one.message, file: view.path(one.file), start: range.start, end: range.end }
    });
    let fix = finding.fix.as_ref().map(|fix| FixOut {
        applicability: fix.applicability,
        title: &fix.title,
        edits: fix
            .edits
            .iter()
            .map(|edit| {
                let range = view.range(finding.file, edit.span);
                EditOut { start: range.start, end: range.end, text: &edit.text }
            })
            .collect(),
    });
    FindingOut {
        code: finding.rule.code,
        name: finding.rule.name,
        severity: severity_name(finding.severity),
        stage: finding.stage.name(),
        message: &finding.message,
        help: finding.help.as_deref(),
        url: None,
        file: view.path(finding.file),
        start: range.start,
        end: range.end,
        document: finding.document,
        path: &finding.spot.path,
        resource: finding.resource.as_ref(),
        related: related.collect(),
        outcome: finding.outcome.as_ref(),
        fix,
        suppressed: finding.suppressed.as_ref().map(|one| SuppressedOut {
            by: one.by,
            reason: one.reason.as_deref(),
            start: one.span.map(|span| view.range(finding.file, span).start),
        }),
        consequences: finding.shown_consequences().map(|one| consequence(view, one)).collect(),
    }
}

fn consequence<'r>(view: &View<'r>, Consequence { finding, once_fixed }: &'r Consequence) -> ConsequenceOut<'r> {
    let range = view.range_of(finding);
    ConsequenceOut {
        code: finding.rule.code,
        name: finding.rule.name,
        severity: severity_name(finding.severity),
        stage: finding.stage.name(),
        message: &finding.message,
        outcome: finding.outcome.as_ref(),
        once_fixed: *once_fixed,
        file: view.path(finding.file),
        start: range.start,
        end: range.end,
        path: &finding.spot.path,
    }
}

fn prediction<'r>(view: &View<'r>, prediction: &'r Prediction, findings: Vec<usize>) -> PredictionOut<'r> {
    PredictionOut {
        file: view.path(prediction.file),
        document: prediction.document,
        resource: &prediction.resource,
        pod: prediction.pod.as_ref(),
        backend: &prediction.backend,
        accepted: prediction.accepted,
        outcome: prediction.outcome.as_ref(),
        node: prediction.node.as_deref(),
        nodes: &prediction.nodes,
        findings,
    }
}
