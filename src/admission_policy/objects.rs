//! Policies as objects of the API.

use super::cel::literal;
use super::{Check, Options, Policy, Subject};
use crate::finding::Severity;
use crate::resource::Version;
use crate::select::Selection;
use serde_json::{Value, json};

/// The group of the objects.
const GROUP: &str = "admissionregistration.k8s.io";

/// What every policy can look at.
pub(super) fn variables(root: &str) -> Vec<(&'static str, String)> {
    vec![
        ("annotations", format!("{root}.?metadata.?annotations.orValue({{}})")),
        ("nodeSelector", format!("{root}.spec.?nodeSelector.orValue({{}})")),
        ("tolerations", format!("{root}.spec.?tolerations.orValue([])")),
        ("container", format!("{root}.spec.containers[0]")),
        ("pinned", format!("{root}.spec.?nodeName.orValue('') != ''")),
    ]
}

/// A policy with its binding, once for what is certain to fail and once for warnings.
pub(super) fn validating(policy: &Policy, options: &Options) -> Vec<Value> {
    let selection =
        Selection { select: options.select.clone(), ignore: options.ignore.clone(), ..Selection::default() };
    let kept: Vec<&Check> = policy.checks.iter().filter(|check| selection.includes(check.rule)).collect();
    let (errors, warnings): (Vec<&Check>, Vec<&Check>) =
        kept.into_iter().partition(|check| check.severity == Severity::Error);
    let base = name(options, &policy.name);
    let mut objects = Vec::new();
    for (name, checks, actions) in
        [(base.clone(), errors, options.actions.clone()), (format!("{base}-warnings"), warnings, vec!["Warn"])]
    {
        if !checks.is_empty() {
            objects.push(validating_policy(policy, &name, &checks, options));
            objects.push(binding("ValidatingAdmissionPolicyBinding", "v1", &name, Some(&actions), options));
        }
    }
    objects
}

fn validating_policy(policy: &Policy, name: &str, checks: &[&Check], options: &Options) -> Value {
    let mut conditions: Vec<(&str, String)> = policy.conditions.clone();
    if policy.subject == Subject::Sandboxes {
        // An object that was stored before the policy keeps its finalizers and its deletion.
        let changed = "request.operation == 'CREATE' || object.spec.podTemplate != oldObject.spec.podTemplate";
        conditions.insert(0, ("changed", changed.into()));
    }
    let validations: Vec<Value> = checks.iter().map(|check| validation(check)).collect();
    let used = |name: &str| {
        let field = format!("variables.{name}");
        checks.iter().any(|check| {
            check.holds.contains(&field) || check.words.as_ref().is_some_and(|words| words.contains(&field))
        }) || policy.variables.iter().any(|(_, expression)| expression.contains(&field))
    };
    let all: Vec<(&str, String)> =
        variables(policy.subject.root()).into_iter().chain(policy.variables.iter().cloned()).collect();
    let variables: Vec<(&str, String)> = all.into_iter().filter(|(name, _)| used(name)).collect();
    let mut spec = json!({
        "failurePolicy": options.failure_policy,
        "matchConstraints": {"resourceRules": resource_rules(policy.subject, options)},
        "validations": validations,
    });
    if !conditions.is_empty() {
        spec["matchConditions"] = named(&conditions);
    }
    if !variables.is_empty() {
        spec["variables"] = named(&variables);
    }
    object("ValidatingAdmissionPolicy", "v1", name, spec)
}

pub(super) fn named(pairs: &[(&str, String)]) -> Value {
    pairs.iter().map(|(name, expression)| json!({"name": name, "expression": expression})).collect()
}

fn validation(check: &Check) -> Value {
    let code = format!("[{}] ", check.rule.code);
    let mut value = json!({
        "expression": check.holds,
        "message": format!("{code}{}", check.message),
        "reason": "Invalid",
    });
    if let Some(words) = &check.words {
        value["messageExpression"] = json!(format!("{} + {words}", literal(&code)));
    }
    value
}

fn resource_rules(subject: Subject, options: &Options) -> Value {
    match subject {
        Subject::Pods => pods(),
        Subject::Sandboxes => {
            let serves = |version: Version| {
                let (first, gone) = version.served();
                let release = options.agent_sandbox;
                release.is_none_or(|release| first <= release && gone.is_none_or(|gone| release < gone))
            };
            let all = [(Version::V1alpha1, "v1alpha1"), (Version::V1beta1, "v1beta1")];
            let versions: Vec<&str> =
                all.into_iter().filter(|(version, _)| serves(*version)).map(|(_, name)| name).collect();
            let rule = |group: &str, resource: &str| {
                json!({
                    "apiGroups": [group],
                    "apiVersions": versions,
                    "operations": ["CREATE", "UPDATE"],
                    "resources": [resource],
                })
            };
            json!([rule("agents.x-k8s.io", "sandboxes"), rule("extensions.agents.x-k8s.io", "sandboxtemplates")])
        }
    }
}

/// Pods as they are created: an update changes nothing of what the policies look at.
pub(super) fn pods() -> Value {
    json!([{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}])
}

/// A binding of the same name as its policy.
pub(super) fn binding(kind: &str, version: &str, name: &str, actions: Option<&[&str]>, options: &Options) -> Value {
    let mut spec = json!({"policyName": name});
    if let Some(actions) = actions {
        spec["validationActions"] = json!(actions);
    }
    if !options.namespace_labels.is_empty() {
        let labels: serde_json::Map<String, Value> =
            options.namespace_labels.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
        spec["matchResources"] = json!({"namespaceSelector": {"matchLabels": labels}});
    }
    object(kind, version, name, spec)
}

pub(super) fn object(kind: &str, version: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": format!("{GROUP}/{version}"), "kind": kind, "metadata": {"name": name}, "spec": spec})
}

/// A name of the API: lower case letters, digits and dashes.
pub(super) fn name(options: &Options, rest: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let rest: String = rest.chars().map(plain).collect();
    format!("{}-{}", options.prefix, rest.trim_matches('-'))
}
