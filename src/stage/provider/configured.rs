//! CreatePod of a backend that a user configured: what its data says.

use super::create::{CreatePod, Failure, STATUS, choice, rewrite};
use crate::contract::{AnnotationSpec, Direction, Judgement, Otherwise};
use crate::finding::{Applicability, Severity};
use crate::{go, rule, suggest};

/// Judges one Pod in the order of the annotations in the data.
pub fn check(create: &mut CreatePod<'_, '_, '_>) {
    for spec in &create.backend.annotations {
        missing_annotation(create, spec);
        refused_annotation(create, spec);
    }
}

fn missing_annotation(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec) {
    let lifted = |key: &str, value: &str| create.text(key) == Some(value);
    let required =
        spec.required || spec.required_unless.as_ref().is_some_and(|unless| !lifted(&unless.key, &unless.value));
    if !required || create.text(&spec.key).is_some() {
        return;
    }
    create.fail(Failure {
        rule: &rule::MISSING_ANNOTATION,
        spot: create.spot(&spec.key),
        message: format!(
            "the annotation {} is {}; {} needs it",
            spec.key,
            create.state(&spec.key),
            create.backend.provider
        ),
        words: create.words(spec.missing.as_ref(), spec),
        help: format!("write {} under {}.annotations: {}", spec.key, create.subject.plan.metadata_path, spec.summary),
        shown_on: STATUS,
    });
}

fn refused_annotation(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec) {
    let text = create.source();
    let Some(meta) = create.annotation(&spec.key).filter(|_| spec.direction == Direction::In) else { return };
    let quoted = go::quote(&meta.value);
    let values = choice(spec.known_values());
    let help = if values.is_empty() { spec.summary.clone() } else { format!("write {values}") };
    let near = suggest::nearest(&meta.value, spec.known_values());
    let finding = match (spec.judge(&meta.value), spec.otherwise) {
        (Judgement::Known | Judgement::Open, _) | (Judgement::Unknown, Otherwise::Accepted) => return,
        (Judgement::Newer, _) => {
            let message =
                format!("{} {quoted} is known to newer releases of {} only", spec.key, create.backend.provider);
            create
                .out
                .add(&rule::REFUSED_ANNOTATION, create.spot(&spec.key), message)
                .severity(Severity::Warning)
                .help(help)
        }
        (Judgement::Unknown, Otherwise::Default) => {
            let default = spec.default.as_deref().unwrap_or("its default");
            let message =
                format!("{} is {quoted}, which {} does not know; it uses {default}", spec.key, create.backend.provider);
            create
                .out
                .add(&rule::REFUSED_ANNOTATION, create.spot(&spec.key), message)
                .severity(Severity::Warning)
                .help(help)
        }
        (Judgement::Unknown, Otherwise::Refused) => create.fail(Failure {
            rule: &rule::REFUSED_ANNOTATION,
            spot: create.spot(&spec.key),
            message: format!("{} is {quoted}, which {} refuses", spec.key, create.backend.provider),
            words: create.words(spec.refused.as_ref(), spec),
            help,
            shown_on: STATUS,
        }),
    };
    if let Some(value) = near {
        rewrite(finding, text, meta, Applicability::Unsafe, value);
    }
}
