//! Hovers: what a key means to each backend, what a field takes, and what becomes of an object.

use super::outline::{Object, Outline, Step, keys};
use super::worker::Checked;
use crate::contract::{AnnotationSpec, Backend, Contract, Direction};
use crate::finding::{FileId, Outcome, Phase};
use crate::predict::Prediction;
use crate::report::words;
use crate::resource::schema::{self, Definition, Field, Schema, Shape};
use crate::resource::{Kind, Version};
use std::fmt::Write;
use std::ops::Range;

/// The Markdown for a byte of a document, and the bytes that it describes.
pub(super) fn hover(
    outline: &Outline,
    at: usize,
    checked: Option<(&Checked, Option<FileId>)>,
    contract: &Contract,
) -> Option<(String, Range<usize>)> {
    let entry = outline.at(at)?;
    let on_value = entry.on_value(at);
    let range = if on_value { entry.value.clone() } else { entry.key.clone()? };
    let object = outline.object_of(&entry.path)?;
    let path = &entry.path[object.depth.min(entry.path.len())..];
    let names = keys(path);
    if names == ["kind"] || names == ["metadata", "name"] {
        let (checked, file) = checked?;
        return Some((prediction(checked, file?, outline.index, &object)?, range));
    }
    let mut text = String::new();
    if let Some(key) = contract_key(&names, entry.text.as_deref()) {
        text = key_text(contract, key);
    }
    if text.is_empty() && !is_map_key(&names) {
        text = field_text(contract, &object, path)?;
    }
    Some((text, range)).filter(|(text, _)| !text.is_empty())
}

/// The kind and version of an object, as the linter follows it.
pub(super) fn kind_of(object: &Object<'_>) -> Option<(Kind, Version)> {
    let (group, version) = object.text("apiVersion")?.rsplit_once('/')?;
    let version = [Version::V1alpha1, Version::V1beta1].into_iter().find(|one| one.name() == version)?;
    let kinds = [Kind::Sandbox, Kind::SandboxTemplate, Kind::SandboxWarmPool, Kind::SandboxClaim];
    let kind = kinds.into_iter().find(|kind| object.text("kind") == Some(kind.name()) && kind.group() == group)?;
    Some((kind, version))
}

/// What a path leads to: the field, and what its value has to be.
pub(super) fn along(root: &'static Definition, path: &[Step]) -> Option<(Option<&'static Field>, &'static Schema)> {
    let mut definition = Some(root);
    let mut found: Option<(Option<&'static Field>, &'static Schema)> = None;
    for (depth, step) in path.iter().enumerate() {
        let inner = match (step, found) {
            (Step::Key(key), _) if definition.is_some() => {
                let field = definition?.field(key)?;
                (Some(field), &field.schema)
            }
            (Step::Key(_), Some((_, Schema { shape: Shape::Map(value), .. }))) => (None, &**value),
            (Step::Item(_), Some((_, Schema { shape: Shape::List(item), .. }))) => (None, &**item),
            _ => return None,
        };
        let metadata = depth == 0 && matches!(step, Step::Key(key) if key == "metadata");
        definition = match &inner.1.shape {
            Shape::Object(id) => Some(id.definition()),
            Shape::Any if metadata => schema::named("ObjectMeta"),
            _ => None,
        };
        found = Some(inner);
    }
    found
}

/// The type of the mapping at a path.
pub(super) fn definition(root: &'static Definition, path: &[Step]) -> Option<&'static Definition> {
    match path {
        [] => Some(root),
        [Step::Key(key)] if key == "metadata" => schema::named("ObjectMeta"),
        _ => match &along(root, path)?.1.shape {
            Shape::Object(id) => Some(id.definition()),
            _ => None,
        },
    }
}

/// The key of a label, taint or annotation that a place names.
fn contract_key<'e>(names: &[&'e str], value: Option<&'e str>) -> Option<&'e str> {
    match names {
        [.., "annotations" | "labels" | "nodeSelector", key] => Some(key),
        [.., "tolerations" | "matchExpressions", "key"] => value,
        _ => None,
    }
}

fn is_map_key(names: &[&str]) -> bool {
    matches!(names, [.., "annotations" | "labels" | "nodeSelector" | "matchLabels" | "limits" | "requests", _])
}

fn key_text(contract: &Contract, key: &str) -> String {
    let mut text = String::new();
    for backend in &contract.backends {
        let provider = plain(&backend.provider);
        if let Some(spec) = backend.annotation(key) {
            annotation(&mut text, &provider, spec);
        }
        if let Some(selector) = backend.selector.as_ref().filter(|selector| selector.key == key) {
            let value = selector.value.as_deref().map_or_else(|| "the name of a pool".to_owned(), code);
            let _ = writeln!(
                text,
                "**{provider}**: the label of its nodes, with {value}; a nodeSelector picks them by it.\n"
            );
        }
        if let Some(toleration) = backend.toleration.as_ref().filter(|toleration| toleration.key == key) {
            let _ = writeln!(text, "**{provider}**: {}\n", toleration_text(backend, toleration));
        }
        if let Some(label) = backend.labels.iter().find(|label| label.key == key) {
            let _ = writeln!(text, "**{provider}**: {}\n", plain(&label.summary));
        }
        if let Some(now) = backend.former_keys.get(key) {
            let _ = writeln!(text, "**{provider}**: a key of older releases; write {} instead.\n", code(now));
        }
    }
    if text.is_empty() { text } else { format!("{}\n\n{}", code(key), text.trim_end()) }
}

fn toleration_text(backend: &Backend, toleration: &crate::contract::Toleration) -> String {
    let taints: Vec<String> = backend
        .node
        .taints
        .iter()
        .map(|taint| code(&format!("{}={}:{}", taint.key, taint.value, taint.effect)))
        .collect();
    format!(
        "its nodes carry the taint {}; a Pod needs the toleration with operator {} and effect {}.",
        taints.join(", "),
        code(&toleration.operator),
        code(&toleration.effect)
    )
}

fn annotation(text: &mut String, provider: &str, spec: &AnnotationSpec) {
    let who = match spec.direction {
        Direction::In => "read",
        Direction::Out => "written",
        Direction::Operator => "written by an operator, read",
    };
    let _ = writeln!(text, "**{provider}** ({who} by it): {}\n", plain(&spec.summary));
    let list = |values: &[String]| values.iter().map(|value| code(value)).collect::<Vec<_>>().join(", ");
    let mut say = |what: &str, words: String| {
        let _ = writeln!(text, "- {what}: {words}");
    };
    if spec.required {
        say("required", "CreatePod fails without it".to_owned());
    }
    if let Some(unless) = &spec.required_unless {
        say("required", format!("unless {} is {}", code(&unless.key), code(&unless.value)));
    }
    if !spec.values.is_empty() {
        say("values", list(&spec.values));
    }
    if !spec.newer_values.is_empty() {
        say("values of newer releases", list(&spec.newer_values));
    }
    if let Some(least) = spec.minimum {
        say("minimum", least.to_string());
    }
    if let Some(most) = spec.maximum.or(spec.clamp_above) {
        say("maximum", most.to_string());
    }
    if let Some(default) = &spec.default {
        say("default", code(default));
    }
    if let Some(empty) = &spec.empty {
        say("absent or empty", plain(empty));
    }
    if !spec.applies_to.is_empty() {
        say("has an effect in", list(&spec.applies_to));
    }
    text.push('\n');
}

fn field_text(contract: &Contract, object: &Object<'_>, path: &[Step]) -> Option<String> {
    let (kind, version) = kind_of(object)?;
    let (field, schema) = along(schema::root(kind, version), path)?;
    let names = keys(path);
    let mut text = format!("{}: {}", code(names.last()?), type_of(schema));
    if field.is_some_and(|field| field.required) {
        text += ", required";
    }
    text += "\n\n";
    if let Some(sentence) = schema::describe(kind, version, None, &names) {
        let _ = writeln!(text, "{}\n", plain(sentence));
    }
    let mut say = |what: &str, words: String| {
        let _ = writeln!(text, "- {what}: {words}");
    };
    if let Some(default) = schema.default {
        say("default", code(default));
    }
    if !schema.values.is_empty() {
        say("values", schema.values.iter().map(|value| code(value)).collect::<Vec<_>>().join(", "));
    }
    if let Some(least) = schema.min {
        say("minimum", least.to_string());
    }
    if let Some(most) = schema.max {
        say("maximum", most.to_string());
    }
    if let Some(release) = schema::since(kind, version, &names.join(".")) {
        say("since", format!("agent-sandbox {release}"));
    }
    for (backend, effect) in backends(contract, &names) {
        say(&plain(&backend.provider), effect);
    }
    Some(text.trim_end().to_owned())
}

/// What backends do with a field of the Pod spec.
fn backends<'c>(contract: &'c Contract, names: &[&str]) -> Vec<(&'c Backend, String)> {
    let Some(at) = names.iter().rposition(|name| *name == "spec").filter(|at| *at > 0) else { return Vec::new() };
    let field = names[at + 1..].join(".");
    let mut effects = Vec::new();
    for backend in &contract.backends {
        let known = backend.ignores.iter().find(|ignored| ignored.fields.contains(&field));
        match known {
            Some(ignored) => effects.push((backend, format!("no effect; {}", plain(&ignored.effect)))),
            None if field == "runtimeClassName" && backend.reads_runtime_class_name => {
                effects.push((backend, "picks the RuntimeClass that isolates the Pod".to_owned()));
            }
            None if field == "runtimeClassName" => effects.push((backend, "no effect".to_owned())),
            None => {}
        }
    }
    effects
}

/// The type of a value in words.
pub(super) fn type_of(schema: &Schema) -> String {
    match &schema.shape {
        Shape::String => "string".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Int32 => "integer of 32 bits".to_owned(),
        Shape::Int64 => "integer of 64 bits".to_owned(),
        Shape::DateTime => "time in the form of RFC 3339".to_owned(),
        Shape::Quantity => "quantity".to_owned(),
        Shape::IntOrString => "integer or string".to_owned(),
        Shape::List(item) => format!("list of {}", type_of(item)),
        Shape::Map(value) => format!("map of {}", type_of(value)),
        Shape::Object(id) => id.definition().name.split('/').next().unwrap_or_default().to_owned(),
        Shape::Any => "any value".to_owned(),
    }
}

fn prediction(checked: &Checked, file: FileId, document: usize, object: &Object<'_>) -> Option<String> {
    let is_it = |one: &&Prediction| {
        one.file == file
            && one.document == document
            && one.resource.name.as_deref() == object.text("metadata.name")
            && one.resource.kind.as_deref() == object.text("kind")
    };
    let one = checked.report.predictions.iter().find(is_it)?;
    let mut text = format!("**{}**\n\n", plain(&words::named(&one.resource)));
    if one.pod.is_some() {
        let provider = checked.contract.backend(&one.backend).map_or(one.backend.as_str(), |backend| &backend.provider);
        let _ = writeln!(text, "- backend: {}", plain(provider));
        for sign in &one.evidence {
            let _ = writeln!(text, "  - {}", plain(&sign.text));
        }
    }
    match &one.outcome {
        Some(outcome) => outcome_text(&mut text, outcome, one),
        None => text += "- stored; makes no Pod of its own\n",
    }
    for next in &one.next {
        let _ = writeln!(
            text,
            "- then, at the stage {}: {}",
            next.stage.name(),
            plain(&words::outcome_text(next, Some(&one.resource), Some(one)))
        );
    }
    Some(text.trim_end().to_owned())
}

fn outcome_text(text: &mut String, outcome: &Outcome, one: &Prediction) {
    let text_of_outcome = plain(&words::outcome_text(outcome, Some(&one.resource), Some(one)));
    if outcome.phase == Phase::Running {
        let _ = writeln!(text, "- {}: {text_of_outcome}", words::when(outcome));
        return;
    }
    let _ = writeln!(text, "- {}, at the stage {}: {text_of_outcome}", words::when(outcome), outcome.stage.name());
    if let Some(message) = &outcome.message {
        let _ = writeln!(text, "- message: {}", code(message));
    }
    if let Some(place) = &outcome.shown_on {
        let _ = writeln!(text, "- shown on: {}", plain(place));
    }
    if let Some(retries) = &outcome.retries {
        let _ = writeln!(text, "- retried: {}", plain(retries));
    }
}

/// Text that Markdown shows as it is: no link, no HTML, no line break.
pub(super) fn plain(text: &str) -> String {
    let text = crate::escape::line(text);
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if character.is_ascii_punctuation() && !matches!(character, ',' | ';' | '/' | '\'' | '"' | '?' | '%' | ')') {
            // A `.` or `-` in a word begins no list.
            if !matches!(character, '.' | '-' | ':' | '=') {
                out.push('\\');
            }
        }
        out.push(character);
    }
    // An address that stands bare is made a link.
    out.replace("://", ":\\/\\/").replace("www.", "www\\.")
}

/// Text as code, with more backticks around it than in it.
pub(super) fn code(text: &str) -> String {
    let text = crate::escape::line(text);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_input_is_no_markup() {
        assert_eq!(plain("[a](x) <b>\n"), "\\[a\\]\\(x) \\<b\\>\\\\n");
        assert_eq!(plain("see http://x.y www.z"), "see http:\\/\\/x.y www\\.z");
        assert_eq!(code("a`` [x](y)"), "```a`` [x](y)```");
        assert_eq!(code("`"), "`` ` ``");
    }
}
