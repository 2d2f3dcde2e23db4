//! Pieces of CEL text.

use crate::contract::{AnnotationSpec, Selector, Taint, ValueType};

/// A string literal.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// A list of string literals.
pub(super) fn literals<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    format!("[{}]", values.into_iter().map(literal).collect::<Vec<_>>().join(", "))
}

/// The text of an annotation; empty where it is absent, which providers take for the same.
pub(super) fn annotation(key: &str) -> String {
    format!("variables.annotations[?{}].orValue('')", literal(key))
}

/// Whether a Pod's nodeSelector picks a backend's nodes. Match conditions cannot use variables, so `root` is spelled out.
pub(super) fn selects(root: &str, selector: &Selector) -> String {
    let entry = format!("{root}.spec.?nodeSelector[?{}]", literal(&selector.key));
    match &selector.value {
        Some(value) => format!("{entry}.orValue('') == {}", literal(value)),
        None => format!("{entry}.hasValue()"),
    }
}

/// Whether a taint is tolerated, as the scheduler compares.
pub(super) fn tolerates(taint: &Taint) -> String {
    let [key, value, effect] = [&taint.key, &taint.value, &taint.effect].map(|text| literal(text));
    format!(
        "variables.tolerations.exists(t, t.?effect.orValue('') in ['', {effect}] && (t.?operator.orValue('') == 'Exists' \
         ? t.?key.orValue('') in ['', {key}] : t.?key.orValue('') == {key} && t.?value.orValue('') == {value}))"
    )
}

/// Whether `text` is a value that a provider takes; `None` where any is.
pub(super) fn has_form(spec: &AnnotationSpec, text: &str) -> Option<String> {
    let values: Vec<&str> = spec.known_values().collect();
    if !values.is_empty() {
        return Some(one_of(spec, &values, text));
    }
    Some(match spec.value_type {
        // CEL's own durations take fewer forms than Go's, and its errors would refuse what the provider takes.
        ValueType::Text | ValueType::Enum | ValueType::Ip | ValueType::Duration => return None,
        ValueType::Integer => integer(spec, text),
        ValueType::Boolean => format!("{text} in ['true', 'false']"),
        ValueType::Quantity => format!("isQuantity({text})"),
        ValueType::Port => format!(
            "{text}.matches('^0*([1-9][0-9]{{0,3}}|[1-5][0-9]{{4}}|6[0-4][0-9]{{3}}|65[0-4][0-9]{{2}}|655[0-2][0-9]|6553[0-5])$')"
        ),
        ValueType::Path => canonical_path(text),
        ValueType::VmName => format!("{text}.matches('^[A-Za-z0-9][A-Za-z0-9._-]{{0,62}}$')"),
    })
}

/// Whether `text` is one of the values.
pub(super) fn one_of(spec: &AnnotationSpec, values: &[&str], text: &str) -> String {
    if spec.fold_case {
        let lower: Vec<String> = values.iter().map(|value| value.to_ascii_lowercase()).collect();
        format!("{text}.lowerAscii() in {}", literals(lower.iter().map(String::as_str)))
    } else {
        format!("{text} in {}", literals(values.iter().copied()))
    }
}

/// An absolute path as Go's path.Clean leaves it.
pub(super) fn canonical_path(text: &str) -> String {
    format!("({text} == '/' || {text}.matches('^(/[^/]+)+$') && !{text}.matches('/[.][.]?(/|$)'))")
}

/// A decimal number of up to 19 digits; numbers near the end of 64 bits are let through.
fn integer(spec: &AnnotationSpec, text: &str) -> String {
    let mut all = vec![format!("{text}.matches('^[+-]?0*[0-9]{{1,19}}$')")];
    let bounds = [("<", spec.minimum), (">", spec.maximum)];
    for (operator, bound) in bounds.into_iter().filter_map(|(operator, bound)| Some((operator, bound?))) {
        all.push(format!("!({text}.matches('^[+-]?[0-9]{{1,18}}$') && int({text}) {operator} {bound})"));
    }
    all.join(" && ")
}
