//! Findings that say over again what an earlier finding causes.

use crate::finding::{Finding, Findings, Severity, Stage};
use crate::rule::{self, Rule};
use crate::suggest;

/// Fields whose loss later stages notice, with the stage that does.
const NOTICED: [(&str, Stage); 6] = [
    ("nodeSelector", Stage::Scheduling),
    ("affinity", Stage::Scheduling),
    ("nodeName", Stage::Scheduling),
    ("tolerations", Stage::Scheduling),
    ("annotations", Stage::Provider),
    ("metadata", Stage::Provider),
];

/// Rules that say that something is not there.
const ABSENCES: [&Rule; 5] = [
    &rule::MISSING_SELECTOR,
    &rule::MISSING_TOLERATION,
    &rule::OPEN_PLACEMENT,
    &rule::TOLERATION_MISMATCH,
    &rule::TEMPLATE_IMAGE_MISMATCH,
];

/// Drops what follows from another finding: once that is mended, it is gone too.
pub fn settle(out: &mut Findings) {
    settle_nulls(out);
    let lost: Vec<Stage> = out.list.iter().filter_map(lost_to).collect();
    let refused: Vec<String> = out.list.iter().filter_map(refused_toleration).collect();
    out.list.retain(|finding| {
        let absent = ABSENCES.contains(&finding.rule) || is_missing(finding);
        let follows = absent && lost.contains(&finding.stage);
        let refused = || refused.iter().any(|item| finding.spot.path.starts_with(item.as_str()));
        let again = finding.rule == &rule::TOLERATION_MISMATCH && refused();
        !follows && !again
    });
}

/// A key without a value is told by what misses it, at the place of the key.
fn settle_nulls(out: &mut Findings) {
    let nulls: Vec<Finding> = out.list.iter().filter(|finding| finding.rule == &rule::DROPPED_NULL).cloned().collect();
    for null in nulls {
        let path = &null.spot.path;
        let misses = |finding: &&mut Finding| {
            let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref()).unwrap_or_default();
            let named = || path.split_once("annotations.").is_some_and(|(_, key)| words.contains(key));
            finding.rule != null.rule
                && finding.severity == Severity::Error
                && (finding.spot.path == *path || (is_missing(finding) && named()))
        };
        let Some(told) = out.list.iter_mut().find(misses) else { continue };
        told.spot = null.spot.clone();
        out.list.retain(|finding| finding.rule != null.rule || finding.spot != null.spot);
    }
}

/// The stage that notices the loss of an unknown field: one that is misspelt, or stands at the wrong level.
fn lost_to(finding: &Finding) -> Option<Stage> {
    if finding.rule != &rule::UNKNOWN_FIELD {
        return None;
    }
    let field = finding.spot.path.rsplit('.').next()?;
    let names = NOTICED.iter().map(|(name, _)| *name);
    let meant = names.clone().find(|name| *name == field).or_else(|| suggest::nearest(field, names))?;
    NOTICED.iter().find(|(name, _)| *name == meant).map(|(_, stage)| *stage)
}

/// The list item of a toleration that the API server refuses.
fn refused_toleration(finding: &Finding) -> Option<String> {
    let path = &finding.spot.path;
    let item = path.find("tolerations[").and_then(|at| Some(at + path[at..].find(']')? + 1))?;
    (finding.rule == &rule::INVALID_TOLERATION).then(|| path[..item].to_owned())
}

fn is_missing(finding: &Finding) -> bool {
    let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    finding.stage == Stage::Provider
        && finding.severity == Severity::Error
        && words.is_some_and(|text| text.contains("missing "))
}
