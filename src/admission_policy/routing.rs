//! What binds a Pod to a backend's nodes, across backends.

use super::cel::{literal, literals, selects};
use super::{Check, Policy, Subject};
use crate::cluster::Webhook;
use crate::contract::{Backend, Contract};
use crate::finding::Severity;
use crate::rule::{self, Rule};
use crate::stage::webhook;

/// The policy for every Pod.
pub(super) fn policy(contract: &Contract, backends: &[&Backend], subject: Subject) -> Policy {
    let mut checks = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    for backend in backends {
        if let Some(key) = backend.selector_key().filter(|key| !keys.contains(key)) {
            keys.push(key);
            checks.extend(misspelt(contract, key));
        }
        checks.extend(former(backend));
    }
    for (at, one) in backends.iter().enumerate() {
        checks.extend(backends[at + 1..].iter().filter_map(|other| conflict(one, other, subject)));
    }
    checks.extend(backends.iter().filter_map(|backend| unbound(contract, backend, subject)));
    let name = format!("routing-{}", subject.name());
    Policy { name, subject, conditions: Vec::new(), variables: Vec::new(), checks }
}

fn check(rule: &'static Rule, holds: String, message: String) -> Check {
    Check { rule, severity: Severity::Error, holds, message, words: None }
}

/// A value that no backend's nodes carry, where the contract fixes them all.
fn misspelt(contract: &Contract, key: &str) -> Option<Check> {
    let picked = contract.picked_by(key);
    let values: Option<Vec<&str>> = picked.map(|backend| backend.selector.as_ref()?.value.as_deref()).collect();
    let values = values?;
    Some(check(
        &rule::MISSPELT_SELECTOR,
        format!(
            "variables.pinned || !({} in variables.nodeSelector) || variables.nodeSelector[{}] in {}",
            literal(key),
            literal(key),
            literals(values.iter().copied())
        ),
        format!("nodeSelector {key} matches no node, so the Pod stays Pending; write {key}: {}", values.join(" or ")),
    ))
}

/// The selector of an older release.
fn former(backend: &Backend) -> Vec<Check> {
    let Some(current) = backend.selector_key() else { return Vec::new() };
    let replaced = backend.former_keys.iter().filter(|(_, new)| *new == current);
    let check = |(old, _): (&String, &String)| {
        check(
            &rule::MISSPELT_SELECTOR,
            format!("variables.pinned || !({} in variables.nodeSelector)", literal(old)),
            format!("no node carries the former label {old}; {} nodes carry {current}", backend.provider),
        )
    };
    replaced.map(check).collect()
}

fn conflict(one: &Backend, other: &Backend, subject: Subject) -> Option<Check> {
    let (left, right) = (one.selector.as_ref()?, other.selector.as_ref()?);
    if left.key == right.key {
        return None;
    }
    let both = [left, right].map(|selector| selects(subject.root(), selector));
    Some(check(
        &rule::CONFLICTING_SELECTORS,
        format!("variables.pinned || !({} && {})", both[0], both[1]),
        format!(
            "nodeSelector has {} and {}; no node is one of {} and {} at once",
            left.key, right.key, one.provider, other.provider
        ),
    ))
}

/// Annotations of one backend alone, and nothing that says where the Pod is to run.
fn unbound(contract: &Contract, backend: &Backend, subject: Subject) -> Option<Check> {
    let selector = backend.selector_text()?;
    let own = owns(backend)?;
    let others = contract.virtual_backends().filter(|other| other.name != backend.name);
    let others: String = others.filter_map(|other| Some(format!(" && !{}", owns(other)?))).collect();
    let root = subject.root();
    Some(check(
        &rule::MISSING_SELECTOR,
        format!(
            "variables.pinned || variables.nodeSelector.size() > 0 || {root}.spec.?affinity.?nodeAffinity.hasValue() || !({own}{others})"
        ),
        format!(
            "the annotations are {}'s, and nothing binds the Pod to its nodes, so an ordinary node can take it; write nodeSelector {selector}",
            backend.provider
        ),
    ))
}

/// Whether a Pod carries annotations of the backend's, but for one that only names a backend.
pub(super) fn owns(backend: &Backend) -> Option<String> {
    if backend.families.is_empty() {
        return None;
    }
    let families: Vec<String> =
        backend.families.iter().map(|family| format!("k.startsWith({})", literal(family))).collect();
    let naming = backend.annotations.iter().filter(|spec| spec.values == [backend.name.as_str()]);
    let naming: String = naming.map(|spec| format!(" && k != {}", literal(&spec.key))).collect();
    Some(format!("variables.annotations.exists(k, ({}){naming})", families.join(" || ")))
}

/// The policy for Sandboxes whose Pods cocoon-webhook denies; `None` where no backend of the contract has its gate.
pub(super) fn webhook(contract: &Contract, set: &Webhook) -> Option<Policy> {
    let mut gates = contract.backends.iter().flat_map(|backend| &backend.gates);
    let gate = gates.find(|gate| gate.profile.as_deref() == Some(webhook::NAME))?;
    let listed = set.pod_creators.iter().any(|creator| creator.ends_with(webhook::CONTROLLER_NAME));
    let exempt = gate.exempt_namespaces.iter().chain(&set.exempt_namespaces);
    let mut free = vec![format!("request.namespace in {}", literals(exempt.map(String::as_str)))];
    let tolerations = gate.tolerations.iter();
    let tolerated =
        tolerations.map(|key| format!("!variables.tolerations.exists(t, t.?key.orValue('') == {})", literal(key)));
    let annotated = gate.annotations.iter().map(|key| format!("!({} in variables.annotations)", literal(key)));
    free.push(tolerated.chain(annotated).collect::<Vec<_>>().join(" && "));
    let tolerations = gate.tolerations.iter().map(|key| format!("the toleration of {key}"));
    let annotations = gate.annotations.iter().map(|key| format!("the annotation {key}"));
    let signs: Vec<String> = tolerations.chain(annotations).collect();
    let mut denied = check(
        &rule::WEBHOOK_DENIAL,
        free.join(" || "),
        format!("cocoon-webhook denies the Pod for {}, as no CocoonSet owns it", signs.join(" or ")),
    );
    if listed {
        denied.severity = Severity::Warning;
    }
    Some(Policy {
        name: "cocoon-webhook-sandboxes".into(),
        subject: Subject::Sandboxes,
        conditions: Vec::new(),
        variables: Vec::new(),
        checks: vec![denied],
    })
}
