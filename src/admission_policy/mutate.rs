//! MutatingAdmissionPolicies: what a Pod's annotations imply is filled in, as the mutator of earlier releases did.

use super::cel::{literal, selects, tolerates};
use super::objects::{binding, name, named, object, pods, variables};
use super::{Options, routing};
use crate::contract::{Backend, Contract, Taint, Toleration};
use serde_json::{Value, json};

/// The policy of one backend with its binding; none where the contract gives nothing to fill in.
pub(super) fn policy(contract: &Contract, backend: &Backend, options: &Options) -> Vec<Value> {
    let mut mutations = Vec::new();
    mutations.extend(node_selector(contract, backend));
    mutations.extend(backend.node.taints.iter().filter_map(|taint| toleration(backend, taint)));
    if mutations.is_empty() {
        return Vec::new();
    }
    let mutations: Vec<Value> = mutations
        .into_iter()
        .map(|expression| json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}))
        .collect();
    // A policy is kept apart from Pods that are none of its backend's by its expressions, which then change nothing.
    let used: Vec<(&str, String)> = variables("object")
        .into_iter()
        .filter(|(name, _)| ["annotations", "nodeSelector", "pinned"].contains(name))
        .collect();
    let spec = json!({
        "failurePolicy": options.failure_policy,
        "reinvocationPolicy": "IfNeeded",
        "matchConstraints": {"resourceRules": pods()},
        "variables": named(&used),
        "mutations": mutations,
    });
    let version = match options.kube_minor {
        ..34 => "v1alpha1",
        34 | 35 => "v1beta1",
        _ => "v1",
    };
    let name = name(options, &format!("{}-fill-in", backend.name));
    vec![
        object("MutatingAdmissionPolicy", version, &name, spec),
        binding("MutatingAdmissionPolicyBinding", version, &name, None, options),
    ]
}

/// The selector, for a Pod with annotations of this backend alone that nothing binds to a node; only where the contract
/// fixes its value.
fn node_selector(contract: &Contract, backend: &Backend) -> Option<String> {
    let selector = backend.selector.as_ref()?;
    let value = selector.value.as_ref()?;
    let others = contract.virtual_backends().filter(|other| other.name != backend.name);
    let others: String = others.filter_map(|other| Some(format!(" && !{}", routing::owns(other)?))).collect();
    let meant = format!("{}{others}", routing::owns(backend)?);
    Some(format!(
        "variables.pinned || variables.nodeSelector.size() > 0 || object.spec.?affinity.?nodeAffinity.hasValue() || !({meant}) ? [] : \
         [JSONPatch{{op: 'add', path: '/spec/nodeSelector', value: {{{}: {}}}}}]",
        literal(&selector.key),
        literal(value)
    ))
}

/// The toleration, for a Pod whose nodeSelector picks the backend's nodes. A variable can hold what the Pod was before the
/// first mutation, so the Pod itself is read.
fn toleration(backend: &Backend, taint: &Taint) -> Option<String> {
    let selected = selects("object", backend.selector.as_ref()?);
    let known = backend.toleration.as_ref().filter(|toleration| toleration.key == taint.key);
    let exists = Toleration {
        key: taint.key.clone(),
        operator: "Exists".into(),
        value: String::new(),
        effect: taint.effect.clone(),
    };
    let toleration = known.unwrap_or(&exists);
    let value = match toleration.value.as_str() {
        "" => String::new(),
        value => format!(", value: {}", literal(value)),
    };
    let item = format!(
        "Object.spec.tolerations{{key: {}, operator: {}, effect: {}{value}}}",
        literal(&toleration.key),
        literal(&toleration.operator),
        literal(&toleration.effect)
    );
    Some(format!(
        "!({selected}) || {} ? [] : has(object.spec.tolerations) ? [JSONPatch{{op: 'add', path: '/spec/tolerations/-', value: {item}}}] : \
         [JSONPatch{{op: 'add', path: '/spec/tolerations', value: [{item}]}}]",
        tolerates(taint).replace("variables.tolerations", "object.spec.?tolerations.orValue([])")
    ))
}
