//! What values that CreatePod takes do to the Pod.

use super::create::{CreatePod, rewrite};
use super::interpreter::Answers;
use super::words::fill;
use crate::contract::{AnnotationSpec, Effect, EffectOutcome, EndPhase, Judgement, Level, has_placeholder};
use crate::finding::{Applicability, Outcome, Phase, Severity, Shown, Stage};
use crate::{go, rule};

/// Reports the effects of an annotation's value.
pub fn check(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec, answers: &Answers<'_>) {
    for effect in &spec.effects {
        if happens(create, spec, effect, answers) {
            report(create, spec, effect);
        }
    }
}

fn happens(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec, effect: &Effect, answers: &Answers<'_>) -> bool {
    let Some(value) = create.text(&spec.key).filter(|value| !has_placeholder(value)) else { return false };
    let number = go::atoi(value).filter(|_| spec.judge(value) == Judgement::Known);
    let holds = |bound: Option<i64>, test: fn(i64, i64) -> bool| {
        bound.is_none_or(|bound| number.is_some_and(|number| test(number, bound)))
    };
    let padded = !effect.padded || value.trim().len() != value.len();
    if !padded || !holds(effect.equals, |number, bound| number == bound) {
        return false;
    }
    if !holds(effect.above, |number, bound| number > bound) {
        return false;
    }
    let spot = create.spot(&spec.key);
    effect.when.as_ref().is_none_or(|when| answers.hold(create, when, spot))
}

fn report(create: &mut CreatePod<'_, '_, '_>, spec: &AnnotationSpec, effect: &Effect) {
    let Some(meta) = create.annotation(&spec.key) else { return };
    let source = create.source();
    let text = |format: &String| fill(create, Some(spec), format);
    let (message, help) = (text(&effect.message), effect.help.as_ref().map(text));
    let outcome = match (&effect.outcome, &effect.words) {
        (Some(outcome), _) => Some(running_outcome(create, Some(spec), outcome)),
        (None, Some(words)) => Some(create.outcome(text(words)).uncertain()),
        (None, None) => None,
    };
    let rule = effect.rule.map_or(&rule::REFUSED_ANNOTATION, |name| name.0);
    let level = effect.level.or(effect.rule.is_none().then_some(Level::Warning));
    let spot = create.spot(&spec.key);
    let finding = create.out.add(rule, spot, message);
    finding.outcome = outcome;
    if let Some(level) = level {
        finding.severity(severity(level));
    }
    if let Some(help) = help {
        finding.help(help);
    }
    let trimmed = meta.value.trim();
    if effect.padded && !trimmed.is_empty() {
        rewrite(finding, source, meta, Applicability::Safe, trimmed);
    }
}

/// How much a level counts.
pub fn severity(level: Level) -> Severity {
    match level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Note => Severity::Note,
    }
}

/// What happens to the Pod after CreatePod.
pub fn running_outcome(
    create: &CreatePod<'_, '_, '_>,
    spec: Option<&AnnotationSpec>,
    outcome: &EffectOutcome,
) -> Outcome {
    let phase = match outcome.phase {
        EndPhase::Pending => Phase::Pending,
        EndPhase::Failed => Phase::Failed,
        EndPhase::Running => Phase::Running,
    };
    let mut result = Outcome::new(Stage::Running, Shown::Pod, phase);
    result.reason.clone_from(&outcome.reason);
    result.message = outcome.message.as_ref().map(|message| fill(create, spec, message));
    result.shown_on.clone_from(&outcome.shown_on);
    result.retries.clone_from(&outcome.retries);
    result.certain = !outcome.uncertain;
    result
}
