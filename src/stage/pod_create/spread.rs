//! topologySpreadConstraints.

use super::field::Field;
use super::message::Errors;
use super::{names, node_selection};
use crate::resource::pod::Meta;

const ACTIONS: [&str; 2] = ["DoNotSchedule", "ScheduleAnyway"];

/// The release that merges `matchLabelKeys` into the label selector.
const MERGING: u32 = 34;

/// Checks `spec.topologySpreadConstraints`.
pub fn invalid_spread_constraint(constraints: &Field<'_>, pod_labels: &[Meta], errors: &mut Errors) {
    let all = constraints.items();
    for (index, constraint) in all.iter().enumerate() {
        let (skew, topology_key) = (constraint.child("maxSkew"), constraint.child("topologyKey"));
        let action = constraint.child("whenUnsatisfiable");
        if skew.int().unwrap_or(0) <= 0 {
            errors.invalid(&skew, skew.int().unwrap_or(0), "must be greater than zero");
        }
        if topology_key.text().is_empty() {
            errors
                .required(&topology_key, "can not be empty")
                .help("write a node label, such as kubernetes.io/hostname");
        }
        if !ACTIONS.contains(&action.text()) {
            errors.unsupported(&action, &ACTIONS);
        }
        repeated(constraint, &all[index + 1..], errors);
        min_domains(&constraint.child("minDomains"), action.text(), errors);
        for policy in ["nodeAffinityPolicy", "nodeTaintsPolicy"].map(|name| constraint.child(name)) {
            if policy.is_set() && !["Honor", "Ignore"].contains(&policy.text()) {
                errors.unsupported(&policy, &["Honor", "Ignore"]);
            }
        }
        let merged = if errors.kube_minor >= MERGING {
            node_selection::merged_expressions(constraint, pod_labels)
        } else {
            Vec::new()
        };
        if errors.kube_minor >= MERGING {
            node_selection::match_label_keys(constraint, &merged, errors);
        } else {
            unmerged_label_keys(constraint, errors);
        }
        node_selection::label_selector(&constraint.child("labelSelector"), &merged, errors);
    }
}

fn repeated(constraint: &Field<'_>, later: &[Field<'_>], errors: &mut Errors) {
    let pair = |constraint: &Field<'_>| {
        let text = |name| constraint.child(name).text().to_owned();
        (text("topologyKey"), text("whenUnsatisfiable"))
    };
    let (key, action) = pair(constraint);
    if let Some(other) = later.iter().find(|other| pair(other) == (key.clone(), action.clone())) {
        let shown = constraint.shown_as(format!("{}.{{topologyKey, whenUnsatisfiable}}", constraint.shown()));
        errors
            .duplicate(&shown, &format!("{{{key}, {action}}}"))
            .says(format!("two constraints have the topologyKey `{key}` and `{action}`"))
            .related(other.place, "the second one stands here");
    }
}

fn min_domains(field: &Field<'_>, action: &str, errors: &mut Errors) {
    let Some(number) = field.int() else { return };
    if number <= 0 {
        errors.invalid(field, number, "must be greater than zero");
    }
    if action != "DoNotSchedule" {
        let detail = format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}");
        errors.invalid(field, number, &detail);
    }
}

/// The rule of releases that keep `matchLabelKeys` apart from the selector.
fn unmerged_label_keys(constraint: &Field<'_>, errors: &mut Errors) {
    let (keys, selector) = (constraint.child("matchLabelKeys"), constraint.child("labelSelector"));
    if keys.len() == 0 {
        return;
    }
    if !selector.is_set() {
        errors.forbidden(&keys, "must not be specified when labelSelector is not set");
    }
    let matched = selector.child("matchLabels").entries();
    let expressions = selector.child("matchExpressions").items();
    for key in keys.items() {
        errors.invalid_each(&key, key.text(), &names::label_key(key.text(), errors.kube_minor));
        let taken = matched.iter().any(|(name, _)| *name == key.text())
            || expressions.iter().any(|expression| expression.child("key").text() == key.text());
        if taken {
            errors.invalid(&key, key.text(), "exists in both matchLabelKeys and labelSelector");
        }
    }
}
