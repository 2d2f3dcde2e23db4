//! Sentences that several formats share.

use super::view::{View, reason_words};
use crate::finding::{Consequence, FileId, Finding, Outcome, Phase, ResourceId, Shown, Stage};
use crate::predict::Prediction;
use crate::yaml::Span;
use std::fmt::Write;

/// A finding in plain text: what is wrong, what will happen, what to write.
pub fn in_full(finding: &Finding) -> String {
    let mut text = finding.message.clone();
    if let Some(outcome) = &finding.outcome {
        let _ = write!(
            text,
            "\n{}: {}{}",
            when(outcome),
            precondition(finding),
            outcome_text(outcome, finding.resource.as_ref(), None)
        );
        if let Some(message) = &outcome.message {
            let _ = write!(text, "\n{message}");
        }
    }
    if let Some(help) = &finding.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    for one in finding.shown_consequences() {
        let _ = write!(text, "\n{}: {} {}", then(one), one.finding.rule.code, one.finding.message);
    }
    text
}

/// The places of consequences with what each says, as further places of a finding.
pub fn consequence_places(finding: &Finding) -> impl Iterator<Item = (FileId, Span, String)> {
    finding.shown_consequences().map(|one| {
        let follower = &one.finding;
        (follower.file, follower.spot.span, format!("{}: {} {}", then(one), follower.rule.code, follower.message))
    })
}

/// The heading over a consequence.
pub fn then(consequence: &Consequence) -> &'static str {
    if consequence.once_fixed { "once fixed" } else { "then" }
}

/// The field of a finding, below its resource: `Sandbox/web/spec.podTemplate`.
pub fn field_of(finding: &Finding) -> String {
    let resource = finding.resource.as_ref();
    let kind = resource.and_then(|id| id.kind.as_deref());
    let name = resource.and_then(|id| id.name.as_deref());
    [kind, name, Some(finding.spot.path.as_str())].into_iter().flatten().collect::<Vec<_>>().join("/")
}

/// The heading over an outcome; it fits the column of headings.
pub fn when(outcome: &Outcome) -> &'static str {
    if outcome.certain { "will happen" } else { "may happen" }
}

/// What must be done before the outcome of a finding can come.
pub fn precondition(finding: &Finding) -> &'static str {
    if finding.later { "once an earlier stop is fixed, " } else { "" }
}

/// What becomes of the Pod or the resource, without the cluster's message.
pub fn outcome_text(outcome: &Outcome, resource: Option<&ResourceId>, prediction: Option<&Prediction>) -> String {
    let what = resource.map_or_else(|| "the file".to_owned(), named);
    let pod = prediction.and_then(|one| one.pod.as_ref()).map_or_else(
        || match resource.filter(|id| id.kind.as_deref() == Some("Sandbox")) {
            Some(id) => format!("Pod {}", qualified(id)),
            None => "the Pod".to_owned(),
        },
        |pod| format!("Pod {}/{}", pod.namespace, pod.name),
    );
    let state = match outcome.phase {
        Phase::Rejected if outcome.stage == Stage::Decode => "kubectl refuses the file".to_owned(),
        Phase::Rejected if is_from_kubectl(outcome) => format!("kubectl refuses {what}"),
        Phase::Rejected => format!("the API server refuses {what}"),
        Phase::NoPod => match outcome.object {
            Shown::Claim => format!("{what} gets no sandbox"),
            _ => format!("no Pod is created for {what}"),
        },
        Phase::Pending => format!("{pod} stays Pending"),
        Phase::Failed => format!("{pod} ends as Failed"),
        Phase::Running => format!("{pod} runs{}", prediction.map(served).unwrap_or_default()),
    };
    match outcome.reason.as_deref() {
        Some(reason) if outcome.phase != Phase::Rejected => format!("{state}: {reason}"),
        _ => state,
    }
}

/// On which node a Pod runs, and as what.
fn served(prediction: &Prediction) -> String {
    let Some(node) = &prediction.node else { return String::new() };
    let what = if prediction.served_by.as_deref() == Some("kubelet") { " as a plain container" } else { "" };
    format!("{what} on the node {node}")
}

fn is_from_kubectl(outcome: &Outcome) -> bool {
    outcome.message.as_deref().is_some_and(|message| message.starts_with("error: "))
}

/// `Sandbox web`, `Sandbox agents/web`, or what is known of it.
pub fn named(resource: &ResourceId) -> String {
    let kind = resource.kind.as_deref().unwrap_or("the resource");
    match (resource.namespace.as_deref(), resource.name.as_deref()) {
        (Some(namespace), Some(name)) => format!("{kind} {namespace}/{name}"),
        (None, Some(name)) => format!("{kind} {name}"),
        (_, None) => kind.to_owned(),
    }
}

/// Namespace and name, `default` for a missing namespace.
pub fn qualified(resource: &ResourceId) -> String {
    let namespace = resource.namespace.as_deref().unwrap_or("default");
    format!("{namespace}/{}", resource.name.as_deref().unwrap_or("<name>"))
}

/// The last line of a run: what was looked at and what came of it.
pub fn summary(view: &View<'_>) -> String {
    let report = view.report;
    let counts = &report.summary;
    let mut text = format!(
        "{}, {}, {}: {}, {}, {}",
        plural(counts.files, "file", "files"),
        plural(counts.documents, "document", "documents"),
        plural(counts.resources, "sandbox resource", "sandbox resources"),
        plural(counts.errors, "error", "errors"),
        plural(counts.warnings, "warning", "warnings"),
        plural(counts.notes, "note", "notes"),
    );
    let silenced = report.findings.iter().filter(|finding| finding.suppressed.is_some()).count();
    if silenced > 0 {
        let _ = write!(text, ", {silenced} suppressed");
    }
    if counts.omitted > 0 {
        let _ = write!(text, ", {} of these not shown (--limit findings=NUMBER shows more)", counts.omitted);
    }
    if !report.skipped.is_empty() {
        let mut reasons: Vec<String> = report.skipped.iter().map(|one| reason_words(one.reason)).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let _ = write!(text, " · {} skipped ({})", report.skipped.len(), reasons.join(", "));
    }
    text
}

/// A number with its noun.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
