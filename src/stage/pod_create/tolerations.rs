//! Tolerations, in `spec.tolerations` and in the old annotation.

use super::field::Field;
use super::field_fix::FieldFix;
use super::message::{Bad, Errors};
use super::names;
use crate::finding::Applicability;

/// The effects that a taint can have.
pub const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// Since this release the server knows the operators `Lt` and `Gt`, though their feature is off.
const COMPARING_OPERATORS: u32 = 35;

/// Checks a list of tolerations.
pub fn invalid_toleration(tolerations: &Field<'_>, errors: &mut Errors) {
    for toleration in tolerations.items() {
        let (key, operator) = (toleration.child("key"), toleration.child("operator"));
        if key.text().is_empty() {
            if operator.text() != "Exists" {
                key_without_exists(&operator, errors);
            }
        } else {
            errors.invalid_each(&key, key.text(), &names::label_key(key.text(), errors.kube_minor));
        }
        let effect = toleration.child("effect");
        if toleration.child("tolerationSeconds").is_set() && effect.text() != "NoExecute" {
            seconds_without_no_execute(&toleration, &effect, errors);
        }
        operator_and_value(&toleration, errors);
        if !effect.text().is_empty() && !EFFECTS.contains(&effect.text()) {
            errors.unsupported(&effect, &EFFECTS);
        }
    }
}

fn key_without_exists(operator: &Field<'_>, errors: &mut Errors) {
    const DETAIL: &str = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
    errors
        .invalid(operator, Bad::Typed(operator.text().into()), DETAIL)
        .says("this toleration has no key, and only `operator: Exists` may go without one")
        .help("write the taint's key, or `operator: Exists` to tolerate every taint");
}

fn seconds_without_no_execute(toleration: &Field<'_>, effect: &Field<'_>, errors: &mut Errors) {
    let typed = effect.text();
    let effect_words = if typed.is_empty() { "no effect".to_owned() } else { format!("the effect `{typed}`") };
    errors
        .invalid(effect, Bad::Typed(typed.into()), "effect must be 'NoExecute' when `tolerationSeconds` is set")
        .says(format!("this toleration has tolerationSeconds and {effect_words}; they go with `NoExecute` only"))
        .help("remove tolerationSeconds")
        .related(toleration.child("tolerationSeconds").at_key().place, "tolerationSeconds is set here");
}

fn operator_and_value(toleration: &Field<'_>, errors: &mut Errors) {
    let (operator, value) = (toleration.child("operator"), toleration.child("value"));
    let at_value = value.shown_as(operator.shown());
    match operator.text() {
        "Equal" | "" => {
            let details = names::label_value(value.text(), errors.kube_minor);
            if !details.is_empty() {
                errors
                    .invalid(&at_value, value.text(), &details.join(";"))
                    .help("write the taint's value letter for letter; a taint's value has the syntax of a label value");
            }
        }
        "Exists" => {
            if !value.text().is_empty() {
                value_with_exists(&value, &at_value, errors);
            }
        }
        "Lt" | "Gt" if errors.kube_minor >= COMPARING_OPERATORS => {
            errors
                .unsupported(&operator, &["Equal", "Exists", "Lt", "Gt"])
                .says(format!(
                    "the operator `{}` needs the feature TaintTolerationComparisonOperators, which is off unless a \
                     cluster turns it on",
                    operator.text()
                ))
                .help("write `Equal` or `Exists`");
        }
        other => {
            let cause = errors.unsupported(&operator, &["Equal", "Exists"]);
            if matches!(other, "==" | "=" | "In") {
                cause.help("write `Equal`").replace(&operator, "Equal", Applicability::Unsafe);
            }
        }
    }
}

fn value_with_exists(value: &Field<'_>, at_value: &Field<'_>, errors: &mut Errors) {
    let typed = value.text();
    errors
        .invalid(at_value, typed, "value must be empty when `operator` is 'Exists'")
        .says(format!("this toleration has `operator: Exists` and the value `{typed}`; Exists takes no value"))
        .help(format!("remove `value: {typed}`, or write `operator: Equal` to tolerate this value alone"))
        .with_fix(FieldFix::removal(value, Applicability::Unsafe));
}
