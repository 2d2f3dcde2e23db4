//! What the contract of one backend says of the Pods that its nodes are to take.

use super::cel::{annotation, has_form, literal, one_of, selects, tolerates};
use super::{Check, Policy, Subject, cocoon, codes, sandboxd};
use crate::contract::{AnnotationSpec, Backend, Direction, Otherwise};
use crate::finding::Severity;
use crate::rule;

/// The policy for the Pods whose nodeSelector picks the backend's nodes.
pub(super) fn policy(backend: &Backend, subject: Subject) -> Policy {
    let conditions = backend.selector.iter().map(|selector| ("selected", selects(subject.root(), selector))).collect();
    let mut checks = untolerated(backend);
    for spec in &backend.annotations {
        checks.extend(missing(backend, spec, subject));
        checks.extend(values(backend, spec));
        checks.extend(preset(backend, spec));
    }
    let mut variables = Vec::new();
    match backend.name.as_str() {
        "sandboxd" => checks.extend(sandboxd::checks()),
        "vk-cocoon" => {
            variables.push(("path", cocoon::path()));
            checks.extend(cocoon::checks());
        }
        _ => {}
    }
    Policy { name: format!("{}-{}", backend.name, subject.name()), subject, conditions, variables, checks }
}

fn untolerated(backend: &Backend) -> Vec<Check> {
    let taints = backend.node.taints.iter().filter(|taint| taint.effect != "PreferNoSchedule");
    let check = |taint: &crate::contract::Taint| {
        let written = format!("{}={}:{}", taint.key, taint.value, taint.effect);
        Check {
            rule: &rule::MISSING_TOLERATION,
            severity: Severity::Error,
            // nodeName goes past the scheduler; a NoExecute taint evicts such a Pod all the same.
            holds: match taint.effect.as_str() {
                "NoExecute" => tolerates(taint),
                _ => format!("variables.pinned || {}", tolerates(taint)),
            },
            message: format!(
                "{}'s taint {written} is not tolerated, so the Pod stays Pending; tolerate {} ({})",
                backend.provider, taint.key, taint.effect
            ),
            words: None,
        }
    };
    taints.map(check).collect()
}

fn missing(backend: &Backend, spec: &AnnotationSpec, subject: Subject) -> Option<Check> {
    let rule = codes::missing(&spec.key);
    let mut holds = format!("{} != ''", annotation(&spec.key));
    match &spec.required_unless {
        Some(unless) => holds = format!("{} == {} || {holds}", annotation(&unless.key), literal(&unless.value)),
        None if !spec.required => return None,
        None => {}
    }
    // A value of one Pod alone comes from the claim.
    if subject == Subject::Sandboxes && spec.example.as_deref().is_some_and(|example| example.contains("{name}")) {
        holds = format!("object.kind == 'SandboxTemplate' || {holds}");
    }
    let unless = spec.required_unless.as_ref();
    let unless = unless.map(|unless| format!(" unless {} is \"{}\"", unless.key, unless.value)).unwrap_or_default();
    let message = format!(
        "the annotation {} is missing or empty; {} needs it{unless}, and CreatePod fails",
        spec.key, backend.provider
    );
    Some(Check { rule, severity: Severity::Error, holds, message, words: None })
}

/// Values that CreatePod refuses, and those that it takes for others.
fn values(backend: &Backend, spec: &AnnotationSpec) -> Vec<Check> {
    let Some(rule) = codes::value(&backend.name, &spec.key).filter(|_| spec.direction == Direction::In) else {
        return Vec::new();
    };
    let text = annotation(&spec.key);
    let Some(known) = has_form(spec, &text) else { return Vec::new() };
    let gate = match backend.name.as_str() {
        "vk-cocoon" => cocoon::reads(&spec.key).map(|paths| format!("!({paths}) || ")).unwrap_or_default(),
        _ => String::new(),
    };
    let allowed: Vec<&str> = spec.known_values().collect();
    let allowed = if allowed.is_empty() { String::new() } else { format!(" (known: {})", allowed.join(", ")) };
    let (severity, what) = match spec.otherwise {
        Otherwise::Refused => (Severity::Error, format!("which {} refuses{allowed}", backend.provider)),
        Otherwise::Default => {
            let default = spec.default.as_deref().unwrap_or("its default");
            (Severity::Warning, format!("which {} takes for {default}{allowed}", backend.provider))
        }
        Otherwise::Accepted => return Vec::new(),
    };
    let check = |severity, holds: String, what: &str| Check {
        rule,
        severity,
        holds: format!("{gate}{text} == '' || {holds}"),
        message: format!("{} has a value {what}", spec.key),
        words: Some(format!(
            "{} + {text} + {}",
            literal(&format!("{} is \"", spec.key)),
            literal(&format!("\", {what}"))
        )),
    };
    let mut checks = vec![check(severity, known, &what)];
    if !spec.newer_values.is_empty() {
        let newer: Vec<&str> = spec.newer_values.iter().map(String::as_str).collect();
        let holds = format!("!({})", one_of(spec, &newer, &text));
        checks.push(check(
            Severity::Warning,
            holds,
            &format!("which only newer releases of {} know", backend.provider),
        ));
    }
    checks
}

/// What a provider or an operator writes.
fn preset(backend: &Backend, spec: &AnnotationSpec) -> Option<Check> {
    let what = match spec.direction {
        Direction::In => return None,
        Direction::Out => format!("is written back by {}; a value that is there already stays", backend.provider),
        Direction::Operator => "is for an operator to write, not for a template".to_owned(),
    };
    if spec.required_unless.is_some() {
        return None;
    }
    let gate = match backend.name.as_str() {
        "vk-cocoon" => cocoon::written_by_author(&spec.key).map(|own| format!("{own} || ")).unwrap_or_default(),
        _ => String::new(),
    };
    Some(Check {
        rule: &rule::PRESET_ANNOTATION,
        severity: Severity::Warning,
        holds: format!("{gate}{} == ''", annotation(&spec.key)),
        message: format!("{} {what}; remove it", spec.key),
        words: None,
    })
}
