//! A copy of a report whose texts can be shown: what the text formats print.

use crate::escape;
use crate::finding::{Consequence, Finding, Fix, Outcome, Related, ResourceId, Spot, Suppressed};
use crate::input::Source;
use crate::linter::{Report, Skipped};
use crate::predict::{PodName, Prediction};
use crate::resource::intent::Evidence;
use crate::stage::scheduling::NodeAnswer;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// How a text is printed.
#[derive(Clone, Copy)]
enum Shape {
    /// Within a line.
    Line,
    /// With its line breaks.
    Block,
}

impl Shape {
    fn escape(self, text: &str) -> Cow<'_, str> {
        match self {
            Shape::Line => escape::line(text),
            Shape::Block => escape::block(text),
        }
    }
}

/// Visits every text of a finding or an outcome, once to look and once to change. Nothing is left out with `..`: a
/// new field does not compile until it is visited, or named here as one that holds no text of the input.
macro_rules! texts {
    ($module:ident, $text:ty $(, $mut:tt)?) => {
        mod $module {
            use super::*;

            type Visit<'v> = &'v mut dyn FnMut($text, Shape);

            pub(super) fn finding(said: &$($mut)? Finding, visit: Visit<'_>) {
                let Finding {
                    message, help, spot: Spot { span: _, path }, label, resource: id, related, outcome: one, fix, policy,
                    suppressed, consequences, rule: _, severity: _, stage: _, file: _, document: _, later: _, meant: _,
                } = said;
                visit(message, Shape::Line);
                visit(path, Shape::Line);
                help.into_iter().for_each(|text| visit(text, Shape::Block));
                label.into_iter().for_each(|text| visit(text, Shape::Line));
                policy.into_iter().for_each(|text| visit(text, Shape::Line));
                id.into_iter().for_each(|id| resource(id, visit));
                for Related { message, file: _, span: _ } in related {
                    visit(message, Shape::Line);
                }
                one.into_iter().for_each(|one| outcome(one, visit));
                if let Some(Fix { title, edits, applicability: _ }) = fix {
                    visit(title, Shape::Line);
                    edits.into_iter().for_each(|edit| visit(&$($mut)? edit.text, Shape::Block));
                }
                if let Some(Suppressed { reason, by: _, span: _ }) = suppressed {
                    reason.into_iter().for_each(|text| visit(text, Shape::Line));
                }
                for Consequence { finding: follower, once_fixed: _ } in consequences {
                    finding(follower, visit);
                }
            }

            pub(super) fn outcome(outcome: &$($mut)? Outcome, visit: Visit<'_>) {
                let Outcome { reason, message, shown_on, retries, stage: _, object: _, phase: _, certain: _ } = outcome;
                message.into_iter().for_each(|text| visit(text, Shape::Block));
                for text in [reason, shown_on, retries].into_iter().flatten() {
                    visit(text, Shape::Line);
                }
            }

            pub(super) fn resource(id: &$($mut)? ResourceId, visit: Visit<'_>) {
                let ResourceId { api_version, kind, namespace, name } = id;
                for text in [api_version, kind, namespace, name].into_iter().flatten() {
                    visit(text, Shape::Line);
                }
            }

            pub(super) fn prediction(prediction: &$($mut)? Prediction, visit: Visit<'_>) {
                let Prediction {
                    resource: id, pod, backend, outcome: one, next, node, served_by, file: _, document: _, accepted: _,
                    nodes: _, evidence: _,
                } = prediction;
                resource(id, visit);
                if let Some(PodName { namespace, name }) = pod {
                    visit(namespace, Shape::Line);
                    visit(name, Shape::Line);
                }
                visit(backend, Shape::Line);
                one.into_iter().for_each(|one| outcome(one, visit));
                next.into_iter().for_each(|one| outcome(one, visit));
                for text in [node, served_by].into_iter().flatten() {
                    visit(text, Shape::Line);
                }
            }
        }
    };
}

texts!(look, &String);
texts!(change, &mut String, mut);

/// The report with all texts escaped; `None` where there is nothing to escape. The copy holds no bytes of files.
pub(super) fn visible(report: &Report) -> Option<Report> {
    let mut nodes = Nodes::default();
    if !has_hidden(report, &mut nodes) {
        return None;
    }
    let mut escape = |text: &mut String, shape: Shape| {
        if let Cow::Owned(escaped) = shape.escape(text) {
            *text = escaped;
        }
    };
    let sources = report.sources.iter().map(|source| Source {
        bytes: Vec::new(),
        path: escape::line(&source.path).into_owned(),
        ..Source::explicit("", Vec::new())
    });
    let mut copy = Report {
        sources: sources.collect(),
        findings: report.findings.clone(),
        predictions: report.predictions.clone(),
        skipped: report.skipped.clone(),
        summary: report.summary,
    };
    copy.findings.iter_mut().for_each(|finding| change::finding(finding, &mut escape));
    for prediction in &mut copy.predictions {
        change::prediction(prediction, &mut escape);
        prediction.nodes = nodes.visible(&prediction.nodes);
        prediction.evidence.iter_mut().for_each(sign);
    }
    for Skipped { message, file: _, document: _, reason: _ } in &mut copy.skipped {
        escape(message, Shape::Line);
    }
    Some(copy)
}

fn has_hidden(report: &Report, nodes: &mut Nodes) -> bool {
    let mut found = false;
    let mut visit = |text: &String, shape: Shape| found |= matches!(shape.escape(text), Cow::Owned(_));
    report.sources.iter().for_each(|source| visit(&source.path, Shape::Line));
    report.skipped.iter().for_each(|one| visit(&one.message, Shape::Line));
    report.findings.iter().for_each(|finding| look::finding(finding, &mut visit));
    report.predictions.iter().for_each(|prediction| look::prediction(prediction, &mut visit));
    found
        || report.predictions.iter().any(|one| {
            !Arc::ptr_eq(&nodes.visible(&one.nodes), &one.nodes)
                || one.evidence.iter().any(|sign| sign.text.contains(escape::is_hidden))
        })
}

fn sign(sign: &mut Evidence) {
    for text in [&mut sign.text, &mut sign.backend] {
        if let Cow::Owned(escaped) = escape::line(text) {
            *text = escaped.into();
        }
    }
}

/// The scheduler's answers, which predictions share, with their escaped copies.
#[derive(Default)]
struct Nodes(HashMap<*const NodeAnswer, Arc<[NodeAnswer]>>);

impl Nodes {
    fn visible(&mut self, nodes: &Arc<[NodeAnswer]>) -> Arc<[NodeAnswer]> {
        let copy = || {
            let is_hidden = |text: &String| text.contains(escape::is_hidden);
            if !nodes.iter().any(|node| is_hidden(&node.name) || node.reasons.iter().any(is_hidden)) {
                return Arc::clone(nodes);
            }
            let copy = |node: &NodeAnswer| NodeAnswer {
                name: escape::line(&node.name).into_owned(),
                fits: node.fits,
                reasons: node.reasons.iter().map(|reason| escape::line(reason).into_owned()).collect(),
            };
            nodes.iter().map(copy).collect()
        };
        Arc::clone(self.0.entry(nodes.as_ptr()).or_insert_with(copy))
    }
}
