//! What is particular to sandboxd: leases, templates, and the aggregated API.

use super::cel::{annotation, literal, literals};
use super::{Check, Policy, Subject};
use crate::contract::Contract;
use crate::finding::Severity;
use crate::rule;

const TEMPLATE: &str = "sandbox.cocoonstack.io/template";
const NET: &str = "sandbox.cocoonstack.io/net";
const SIZE: &str = "sandbox.cocoonstack.io/size";
const TTL: &str = "sandbox.cocoonstack.io/ttl-seconds";

/// Warnings about values that CreatePod accepts.
pub(super) fn checks() -> Vec<Check> {
    let (template, ttl) = (annotation(TEMPLATE), annotation(TTL));
    let number = format!("{ttl}.matches('^[+-]?[0-9]{{1,18}}$')");
    let warning =
        |rule, holds, message: String| Check { rule, severity: Severity::Warning, holds, message, words: None };
    vec![
        warning(
            &rule::PADDED_TEMPLATE,
            format!("{template} == {template}.trim()"),
            format!("{TEMPLATE} has blanks around it, which are kept, so it names no pool"),
        ),
        warning(
            &rule::ZERO_TTL,
            format!("!{number} || int({ttl}) != 0"),
            format!("{TTL} 0 is sandboxd's default lease of five minutes, not a lease without end"),
        ),
        warning(
            &rule::TTL_OVER_MAXIMUM,
            format!("!{number} || int({ttl}) <= 86400"),
            format!("{TTL} is over sandboxd's maximum and is cut to 86400 (24 hours) without a word"),
        ),
    ]
}

/// The policy for Sandboxes that the aggregated API serves without Pods.
pub(super) fn aggregated(contract: &Contract) -> Policy {
    let sandbox = "object.kind != 'Sandbox'";
    let image = "object.spec.podTemplate.spec.containers[0].?image.orValue('')";
    let unread = |key: &str, same: &str, instead: &str| Check {
        rule: &rule::UNREAD_ANNOTATION,
        severity: Severity::Warning,
        holds: format!("{sandbox} || {} in ['', {same}]", annotation(key)),
        message: format!("the aggregated API does not read {key}: {instead}"),
        words: None,
    };
    let mut checks = vec![
        unread(TEMPLATE, image, "the template is the first container's image"),
        unread(SIZE, "''", "the size follows the containers' resources"),
        unread(TTL, "''", "the lease follows shutdownTime, else the annotation of the Sandbox itself"),
    ];
    if let Some((_, spec)) = contract.annotation(NET) {
        let known = literals([""].into_iter().chain(spec.known_values()));
        let own = format!("object.metadata.?annotations[?{}].orValue('')", literal(NET));
        checks.extend([own, annotation(NET)].map(|text| Check {
            rule: &rule::UNKNOWN_NET,
            severity: Severity::Warning,
            holds: format!("{sandbox} || {text} in {known}"),
            message: format!("{NET} has a value that sandboxd does not know (known: {})", spec.values.join(", ")),
            words: None,
        }));
    }
    Policy {
        name: "aggregated-api-sandboxes".into(),
        subject: Subject::Sandboxes,
        conditions: Vec::new(),
        variables: Vec::new(),
        checks,
    }
}
