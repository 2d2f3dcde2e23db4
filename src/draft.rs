//! Manifests to start from, written from the contract: what `new` prints.

use crate::contract::{AnnotationSpec, Backend, Direction, ValueType};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is drafted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draft {
    /// A Sandbox.
    Sandbox,
    /// A SandboxTemplate.
    Template,
    /// A SandboxWarmPool with its SandboxTemplate.
    Pool,
    /// A SandboxClaim with its SandboxWarmPool and SandboxTemplate.
    Claim,
}

/// Writes a manifest whose Pods the backend serves. Values that are one Pod's alone stand in the Sandbox or the claim,
/// never in a template; a pool whose Pods need such values keeps nothing warm, and such a template or pool comes with a
/// claim.
pub fn manifest(draft: Draft, backend: &Backend, name: &str) -> String {
    manifest_with(draft, backend, name, &Choices::default())
}

/// What an author chooses instead of the contract's examples.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The image; annotations whose example is the backend's example image hold it as well.
    pub image: Option<String>,
    /// Values of annotations, by key.
    pub annotations: BTreeMap<String, String>,
}

/// The annotations that a backend requires and whose values only their author knows, with a value that it takes.
pub fn questions(backend: &Backend) -> Vec<(&AnnotationSpec, String)> {
    let asked = |spec: &&AnnotationSpec| spec.required && spec.direction == Direction::In;
    let specs = backend.annotations.iter().filter(asked).filter(|spec| !holds_image(backend, spec));
    let open = specs.filter(|spec| spec.example.as_deref().is_none_or(|example| !example.contains("{name}")));
    open.map(|spec| (spec, spec.example.clone().unwrap_or_else(|| some_value(spec)))).collect()
}

fn holds_image(backend: &Backend, spec: &AnnotationSpec) -> bool {
    spec.example.is_some() && spec.example == backend.example_image
}

/// The same as [`manifest`], with choices of the author's.
pub fn manifest_with(draft: Draft, backend: &Backend, name: &str, choices: &Choices) -> String {
    let values = Values::of(backend, name, choices);
    let image = choices.image.as_deref().or(backend.example_image.as_deref()).unwrap_or("example");
    let template = || format!("{}{}", head("SandboxTemplate", name), pod_template(backend, image, &values.shared));
    // Without a claim that brings them, values of one Pod's own are missing.
    let draft = if draft == Draft::Sandbox || values.own.is_empty() { draft } else { Draft::Claim };
    match draft {
        Draft::Sandbox => {
            let annotations =
                values.shared.iter().chain(&values.own).map(|(key, value)| (*key, value.clone())).collect();
            format!("{}{}", head("Sandbox", name), pod_template(backend, image, &annotations))
        }
        Draft::Template => template(),
        Draft::Pool => [template(), pool(&values, name)].join("---\n"),
        Draft::Claim => [template(), pool(&values, name), claim(&values, name)].join("---\n"),
    }
}

/// The annotations that an author writes, by key.
type Annotations<'b> = BTreeMap<&'b str, String>;

struct Values<'b> {
    /// Those that Pods can have in common.
    shared: Annotations<'b>,
    /// Those that are one Pod's alone.
    own: Annotations<'b>,
}

impl<'b> Values<'b> {
    fn of(backend: &'b Backend, name: &str, choices: &'b Choices) -> Self {
        let mut values = Self { shared: Annotations::new(), own: Annotations::new() };
        for spec in &backend.annotations {
            match &spec.example {
                Some(example) if example.contains("{name}") => {
                    values.own.insert(&spec.key, example.replace("{name}", name));
                }
                Some(example) => drop(values.shared.insert(&spec.key, example.clone())),
                None if spec.required && spec.direction == Direction::In => {
                    values.shared.insert(&spec.key, some_value(spec));
                }
                None => {}
            }
            if let Some(unless) = &spec.required_unless {
                values.shared.insert(&unless.key, unless.value.clone());
            }
            if let Some(image) = choices.image.as_ref().filter(|_| holds_image(backend, spec)) {
                values.shared.insert(&spec.key, image.clone());
            }
        }
        for (key, value) in &choices.annotations {
            let map = if values.own.contains_key(key.as_str()) { &mut values.own } else { &mut values.shared };
            map.insert(key, value.clone());
        }
        values
    }
}

/// A value that the annotation takes, where the contract has no example.
fn some_value(spec: &AnnotationSpec) -> String {
    if let Some(known) = spec.default.as_deref().or_else(|| spec.known_values().next()) {
        return known.to_owned();
    }
    match spec.value_type {
        ValueType::Text | ValueType::Enum | ValueType::VmName => "example".to_owned(),
        ValueType::Integer => spec.minimum.or(spec.maximum).unwrap_or(1).to_string(),
        ValueType::Boolean => "true".to_owned(),
        ValueType::Quantity => spec.at_least.clone().or(spec.at_most.clone()).unwrap_or_else(|| "10Gi".to_owned()),
        ValueType::Port => "8080".to_owned(),
        ValueType::Path => "/data".to_owned(),
        ValueType::Ip => "10.0.0.10".to_owned(),
        ValueType::Duration => spec.at_least.clone().unwrap_or_else(|| "1h".to_owned()),
    }
}

fn head(kind: &str, name: &str) -> String {
    let group = if kind == "Sandbox" { "agents.x-k8s.io" } else { "extensions.agents.x-k8s.io" };
    format!("apiVersion: {group}/v1beta1\nkind: {kind}\nmetadata:\n  name: {}\nspec:\n", scalar(name))
}

fn pod_template(backend: &Backend, image: &str, annotations: &Annotations<'_>) -> String {
    let mut text = "  podTemplate:\n".to_owned();
    if !annotations.is_empty() {
        text += "    metadata:\n";
        write_annotations(&mut text, "      ", annotations);
    }
    text += "    spec:\n";
    if backend.reads_runtime_class_name {
        text += "      # A RuntimeClass of the cluster that isolates the Pod.\n      runtimeClassName: gvisor\n";
        text += "      automountServiceAccountToken: false\n";
    }
    if let Some(selector) = &backend.selector {
        let value = selector.value.as_ref().or_else(|| backend.node.labels.get(&selector.key));
        let value = scalar(value.map_or("", String::as_str));
        let _ = writeln!(text, "      nodeSelector:\n        {}: {value}", scalar(&selector.key));
    }
    if let Some(toleration) = &backend.toleration {
        let _ = writeln!(text, "      tolerations:\n        - key: {}", scalar(&toleration.key));
        let rest = [("operator", &toleration.operator), ("value", &toleration.value), ("effect", &toleration.effect)];
        for (field, value) in rest.into_iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(text, "          {field}: {}", scalar(value));
        }
    }
    let _ = writeln!(text, "      containers:\n        - name: agent\n          image: {}", scalar(image));
    text
}

fn pool(values: &Values<'_>, name: &str) -> String {
    let mut text = head("SandboxWarmPool", name);
    if values.own.is_empty() {
        text += "  replicas: 1\n";
    } else {
        let _ = writeln!(text, "  # Nothing is kept warm: each claim brings {} of its own.", keys(&values.own));
        text += "  replicas: 0\n";
    }
    let _ = writeln!(text, "  sandboxTemplateRef:\n    name: {}", scalar(name));
    text
}

fn claim(values: &Values<'_>, name: &str) -> String {
    let mut text = head("SandboxClaim", name);
    let _ = writeln!(text, "  warmPoolRef:\n    name: {}", scalar(name));
    if !values.own.is_empty() {
        text += "  additionalPodMetadata:\n";
        write_annotations(&mut text, "    ", &values.own);
    }
    text
}

fn keys(annotations: &Annotations<'_>) -> String {
    annotations.keys().copied().collect::<Vec<_>>().join(", ")
}

fn write_annotations(text: &mut String, indent: &str, annotations: &Annotations<'_>) {
    let _ = writeln!(text, "{indent}annotations:");
    for (key, value) in annotations {
        let _ = writeln!(text, "{indent}  {}: {}", scalar(key), scalar(value));
    }
}

/// A text as YAML 1.1 reads it back: bare where it can be nothing else, else in quotes.
fn scalar(text: &str) -> String {
    const WORDS: [&str; 12] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "none"];
    let bare = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./:".contains(letter))
        && !text.ends_with(':')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if bare { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::{Linter, Source, World};

    #[test]
    fn every_draft_is_clean_and_its_pods_run_on_the_backend() {
        let contract = Contract::builtin();
        for backend in &contract.backends {
            for draft in [Draft::Sandbox, Draft::Template, Draft::Pool, Draft::Claim] {
                let text = manifest(draft, backend, "web");
                let report =
                    Linter::new(World::assumed()).check(vec![Source::explicit("new.yaml", text.clone().into())]);
                let found: Vec<_> = report.findings.iter().map(|one| (one.rule.code, &one.message)).collect();
                assert!(found.is_empty(), "{draft:?} for {}: {found:?}\n{text}", backend.name);
                let first = &report.predictions[0];
                assert_eq!(first.backend, backend.name, "{draft:?}\n{text}");
                if draft == Draft::Sandbox {
                    assert_eq!(first.node.as_deref(), Some(backend.node.name.as_str()), "{text}");
                }
            }
        }
    }

    #[test]
    fn texts_come_back_as_they_were() {
        for text in ["a", "yes", "NO", "1e3", "0x1", "~", "", "a: b", "a:", "rt:24.04", "-", "\"q\"", "é", "12:30"] {
            let yaml = format!("k: {}\n", scalar(text));
            let stream = crate::yaml::parse(&yaml, &crate::yaml::Options::default());
            let root = stream.documents[0].content.as_ref().expect("readable");
            assert_eq!(root.at(&["k"]).and_then(crate::yaml::Node::as_str), Some(text), "{yaml}");
        }
    }
}
