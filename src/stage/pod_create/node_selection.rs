//! nodeSelector, node affinity, Pod affinity, and the label selectors that several fields share.

use super::field::Field;
use super::message::{self, Bad, Errors};
use super::names;
use crate::finding::Applicability;
use crate::resource::pod::Meta;

const NODE_OPERATORS: [&str; 6] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const LABEL_OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];

/// Checks a map of labels. The server names the whole map, not the entry.
pub fn labels(map: &Field<'_>, errors: &mut Errors) {
    for (key, value) in map.entries() {
        let at_entry = |place| value.shown_as(map.shown()).pointing_at(place);
        let details = names::label_key(key, errors.kube_minor);
        errors.invalid_each(&at_entry(value.key.unwrap_or(value.place)), key, &details);
        let details = names::label_value(value.text(), errors.kube_minor);
        errors.invalid_each(&at_entry(value.place), value.text(), &details);
    }
}

/// Checks `spec.nodeSelector`.
pub fn invalid_node_selector(selector: &Field<'_>, errors: &mut Errors) {
    let known = errors.causes.len();
    labels(selector, errors);
    for cause in &mut errors.causes[known..] {
        cause.help("a node's label keys and values hold letters, digits, `-`, `_` and `.` only, without blanks");
    }
}

/// Checks `spec.affinity`.
pub fn invalid_affinity(affinity: &Field<'_>, pod_labels: &[Meta], errors: &mut Errors) {
    let node = affinity.child("nodeAffinity");
    let required = node.child("requiredDuringSchedulingIgnoredDuringExecution");
    if required.is_set() {
        let terms = required.child("nodeSelectorTerms");
        if terms.len() == 0 {
            errors.required(&terms, "must have at least one node selector term");
        }
        for term in terms.items() {
            node_selector_term(&term, true, errors);
        }
    }
    for term in node.child("preferredDuringSchedulingIgnoredDuringExecution").items() {
        weight(&term, errors);
        node_selector_term(&term.child("preference"), false, errors);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let pods = affinity.child(kind);
        for term in pods.child("requiredDuringSchedulingIgnoredDuringExecution").items() {
            pod_affinity_term(&term, pod_labels, errors);
        }
        for term in pods.child("preferredDuringSchedulingIgnoredDuringExecution").items() {
            weight(&term, errors);
            pod_affinity_term(&term.child("podAffinityTerm"), pod_labels, errors);
        }
    }
}

fn weight(term: &Field<'_>, errors: &mut Errors) {
    let weight = term.child("weight");
    let number = weight.int().unwrap_or(0);
    if !(1..=100).contains(&number) {
        errors.invalid(&weight, number, "must be in the range 1-100");
    }
}

fn node_selector_term(term: &Field<'_>, required: bool, errors: &mut Errors) {
    for expression in term.child("matchExpressions").items() {
        match_expression(&expression, required, errors);
    }
    for field in term.child("matchFields").items() {
        match_field(&field, errors);
    }
}

fn match_expression(expression: &Field<'_>, check_values: bool, errors: &mut Errors) {
    let (operator, values) = (expression.child("operator"), expression.child("values"));
    match operator.text() {
        "Gt" | "Lt" => {
            if values.len() != 1 {
                errors.required(&values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
            }
        }
        _ => operator_with_values(&operator, &values, &NODE_OPERATORS, errors),
    }
    let key = expression.child("key");
    errors.invalid_each(&key, key.text(), &names::label_key(key.text(), errors.kube_minor));
    if check_values {
        label_values(&values, errors);
    }
}

/// `In` and `NotIn` want values, `Exists` and `DoesNotExist` want none, others do not exist.
fn operator_with_values(operator: &Field<'_>, values: &Field<'_>, known: &[&str], errors: &mut Errors) {
    match operator.text() {
        "In" | "NotIn" => {
            if values.len() == 0 {
                errors.required(values, "must be specified when `operator` is 'In' or 'NotIn'");
            }
        }
        "Exists" | "DoesNotExist" => {
            if values.len() > 0 {
                errors
                    .forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
                    .help("remove the values, or write the operator `In` or `NotIn`");
            }
        }
        _ => unknown_operator(operator, known, errors),
    }
}

fn unknown_operator(operator: &Field<'_>, known: &[&str], errors: &mut Errors) {
    let typed = operator.text();
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let cause = errors.invalid(operator, Bad::Typed(typed.into()), "not a valid selector operator");
    cause.says(format!("`{typed}` is no operator")).help(format!("write one of {list}"));
    if let Some(meant) = message::meant(typed, known) {
        let same = meant.eq_ignore_ascii_case(typed);
        cause.help(format!("write `{meant}`"));
        cause.replace(operator, meant, if same { Applicability::Safe } else { Applicability::Unsafe });
    }
}

fn label_values(values: &Field<'_>, errors: &mut Errors) {
    for value in values.items() {
        errors.invalid_each(&value, value.text(), &names::label_value(value.text(), errors.kube_minor));
    }
}

fn match_field(requirement: &Field<'_>, errors: &mut Errors) {
    let (operator, values) = (requirement.child("operator"), requirement.child("values"));
    match operator.text() {
        "In" | "NotIn" => {
            if values.len() != 1 {
                errors.required(
                    &values,
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
                );
            }
        }
        _ => unknown_operator(&operator, &["In", "NotIn"], errors),
    }
    let key = requirement.child("key");
    if key.text() == "metadata.name" {
        for value in values.items() {
            errors.invalid_each(&value, value.text(), &names::dns_subdomain(value.text()));
        }
    } else {
        errors.invalid(&key, key.text(), "not a valid field selector key").help("write `metadata.name`");
    }
}

fn pod_affinity_term(term: &Field<'_>, pod_labels: &[Meta], errors: &mut Errors) {
    let selector = term.child("labelSelector");
    let merged = merged_expressions(term, pod_labels);
    label_selector(&selector, &merged, errors);
    label_selector(&term.child("namespaceSelector"), &[], errors);
    for namespace in term.child("namespaces").items() {
        let shown = namespace.shown_as(format!("{}.namespace", term.shown()));
        errors.invalid_each(&shown, namespace.text(), &names::dns_label(namespace.text()));
    }
    match_label_keys(term, &merged, errors);
    let topology_key = term.child("topologyKey");
    if topology_key.text().is_empty() {
        errors.required(&topology_key, "can not be empty");
    }
    let details = names::label_key(topology_key.text(), errors.kube_minor);
    errors.invalid_each(&topology_key, topology_key.text(), &details);
}

/// An expression that the server adds to a label selector for one of the `matchLabelKeys`.
pub struct Merged {
    /// The label's key.
    pub key: String,
    /// The Pod's value of the label.
    pub value: String,
}

/// What the server adds to the `labelSelector` of a term: the Pod's own labels of these keys.
pub fn merged_expressions(term: &Field<'_>, pod_labels: &[Meta]) -> Vec<Merged> {
    if !term.child("labelSelector").is_set() {
        return Vec::new();
    }
    let keys = ["matchLabelKeys", "mismatchLabelKeys"].map(|field| term.child(field).texts()).concat();
    keys.into_iter()
        .filter_map(|key| pod_labels.iter().find(|label| label.key == key))
        .map(|label| Merged { key: label.key.clone(), value: label.value.clone() })
        .collect()
}

/// Checks a label selector with the expressions that the server has added.
pub fn label_selector(selector: &Field<'_>, merged: &[Merged], errors: &mut Errors) {
    labels(&selector.child("matchLabels"), errors);
    let expressions = selector.child("matchExpressions");
    for expression in expressions.items() {
        let (operator, values) = (expression.child("operator"), expression.child("values"));
        operator_with_values(&operator, &values, &LABEL_OPERATORS, errors);
        let key = expression.child("key");
        errors.invalid_each(&key, key.text(), &names::label_key(key.text(), errors.kube_minor));
        label_values(&values, errors);
    }
    for (added, index) in merged.iter().zip(expressions.len()..) {
        let path = format!("{}.matchExpressions[{index}]", selector.path);
        let at = |name: &str| Field::virtual_at(format!("{path}.{name}"), selector.place);
        errors.invalid_each(&at("key"), &added.key, &names::label_key(&added.key, errors.kube_minor));
        errors.invalid_each(&at("values[0]"), &added.value, &names::label_value(&added.value, errors.kube_minor));
    }
}

/// Checks `matchLabelKeys` and `mismatchLabelKeys` of a term or a spread constraint.
pub fn match_label_keys(term: &Field<'_>, merged: &[Merged], errors: &mut Errors) {
    let selector = term.child("labelSelector");
    let (keys, mismatch) = (term.child("matchLabelKeys"), term.child("mismatchLabelKeys"));
    for list in [&keys, &mismatch] {
        if list.len() > 0 && !selector.is_set() {
            errors.forbidden(list, "must not be specified when labelSelector is not set");
        } else {
            for key in list.items() {
                errors.invalid_each(&key, key.text(), &names::label_key(key.text(), errors.kube_minor));
            }
        }
    }
    if selector.is_set() {
        key_in_both(term, &keys, &selector, merged, errors);
    }
    let mismatched = mismatch.texts();
    for key in keys.items().iter().filter(|key| mismatched.contains(&key.text())) {
        errors.invalid(key, key.text(), "exists in both matchLabelKeys and mismatchLabelKeys");
    }
}

/// A key of `matchLabelKeys` that the selector has, too, shows once the server has merged the two.
fn key_in_both(term: &Field<'_>, keys: &Field<'_>, selector: &Field<'_>, merged: &[Merged], errors: &mut Errors) {
    let listed = keys.texts();
    let mut seen: Vec<&str> = selector.child("matchLabels").entries().into_iter().map(|(key, _)| key).collect();
    let written = selector.child("matchExpressions").items();
    let written = written.iter().map(|expression| expression.child("key").text());
    for key in written.chain(merged.iter().map(|added| added.key.as_str())) {
        if let (Some(index), true) = (listed.iter().rposition(|listed| *listed == key), seen.contains(&key)) {
            let at = keys.index(index).shown_as(format!("{}[{index}]", term.shown()));
            errors
                .invalid(&at, key, "exists in both matchLabelKeys and labelSelector")
                .help("remove the key from one of the two");
        }
        seen.push(key);
    }
}
