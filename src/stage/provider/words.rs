//! The names that the texts of a contract can hold, filled in for one Pod.

use super::create::{CreatePod, choice};
use crate::contract::{AnnotationSpec, Unit, fill_names};
use crate::yaml::Node;
use crate::{go, suggest};

/// Fills in a text of the linter about an annotation, or about the whole Pod.
pub fn fill(create: &CreatePod<'_, '_, '_>, spec: Option<&AnnotationSpec>, format: &str) -> String {
    fill_names(format, &|name| value(create, spec, name))
}

fn value(create: &CreatePod<'_, '_, '_>, spec: Option<&AnnotationSpec>, name: &str) -> Option<String> {
    let plan = &create.subject.plan;
    let own = || create.text(&spec?.key);
    Some(match name {
        "pod" => create.pod(),
        "namespace" => plan.namespace.clone(),
        "podName" => plan.name.clone(),
        "node" => create.node().to_owned(),
        "provider" => create.backend.provider.clone(),
        "path" => format!("{}.annotations", plan.metadata_path),
        "image" => first_image(create)?.0.to_owned(),
        "key" => spec?.key.clone(),
        "value" => own()?.to_owned(),
        "quoted" => go::quote(own()?),
        "state" => create.state(&spec?.key).to_owned(),
        "values" => choice(spec?.values.iter().map(String::as_str)),
        "near" => near(spec?, own()?).map_or_else(
            || choice(spec.into_iter().flat_map(|spec| spec.values.iter().map(String::as_str))),
            str::to_owned,
        ),
        other => create.text(other.strip_prefix("annotation ")?.trim())?.to_owned(),
    })
}

/// The value of the contract that a mistyped one was meant to be.
pub fn near<'s>(spec: &'s AnnotationSpec, written: &str) -> Option<&'s str> {
    suggest::nearest(written, spec.known_values())
}

/// The number that a value with a unit such as `1h` was meant to be, where the annotation takes it.
pub fn meant_number(spec: &AnnotationSpec, written: &str) -> Option<String> {
    let number = match spec.unit? {
        Unit::Seconds => seconds(written)?,
    };
    let text = number.to_string();
    (spec.judge(&text) == crate::contract::Judgement::Known).then_some(text)
}

/// The seconds that a text such as `1h`, `90 s` or ` 60` was meant to be.
fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '_' | ','));
    let number: String = text[..text.len() - unit.len()].chars().filter(char::is_ascii_digit).collect();
    let factor = match unit.trim() {
        "" | "s" | "sec" | "second" | "seconds" => 1,
        "m" | "min" | "minute" | "minutes" => 60,
        "h" | "hour" | "hours" => 3600,
        "d" | "day" | "days" => 86400,
        _ => return None,
    };
    number.parse::<i64>().ok()?.checked_mul(factor)
}

/// The image of the first container.
pub fn first_image<'a>(create: &CreatePod<'a, '_, '_>) -> Option<(&'a str, &'a Node<'a>)> {
    let node = create.subject.plan.spec.get("containers")?.items().next()?.get("image")?;
    Some((node.as_str()?, node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_meant() {
        let table =
            [("1h", Some(3600)), ("90 s", Some(90)), (" 60", Some(60)), ("1_000", Some(1000)), ("2d", Some(172_800))];
        for (text, meant) in table {
            assert_eq!(seconds(text), meant, "{text}");
        }
        for text in ["-1", "3.5", "1e3", "0x3c", "never", "", "9223372036854775808", "６０"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
