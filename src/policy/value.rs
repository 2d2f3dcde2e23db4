//! Manifests as values that expressions can look at.

use crate::resource::pod::{Meta, PodPlan};
use crate::yaml::{Node, Value as Yaml};
use cel::Value;
use cel::objects::Key;
use std::collections::HashMap;
use std::sync::Arc;

/// A node as an expression sees it.
pub fn from_node(node: &Node<'_>) -> Value {
    match &node.value {
        Yaml::Null => Value::Null,
        Yaml::Bool(flag) => Value::Bool(*flag),
        Yaml::Int(number) => Value::Int(*number),
        Yaml::Float(number) => Value::Float(*number),
        Yaml::String(text) => Value::String(Arc::new(text.to_string())),
        Yaml::Seq(items) => Value::List(Arc::new(items.iter().map(from_node).collect())),
        Yaml::Map(_) => map(node.entries().map(|entry| (entry.key.to_string(), from_node(&entry.value)))),
    }
}

/// A map with these keys.
pub fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    let entries: HashMap<Key, Value> = entries.into_iter().map(|(key, value)| (key.into(), value)).collect();
    Value::Map(entries.into())
}

/// A text.
pub fn text(text: impl Into<String>) -> Value {
    Value::String(Arc::new(text.into()))
}

/// A text, or null.
pub fn optional_text(value: Option<impl Into<String>>) -> Value {
    value.map_or(Value::Null, text)
}

/// The Pod that the controller would create: `apiVersion`, `kind`, `metadata` with name, namespace, labels and
/// annotations, and `spec`.
pub fn from_plan(plan: &PodPlan<'_>) -> Value {
    let metas = |metas: &[Meta]| map(metas.iter().map(|meta| (meta.key.clone(), text(meta.value.clone()))));
    let mut metadata = vec![("name".to_owned(), text(&plan.name)), ("namespace".to_owned(), text(&plan.namespace))];
    for (key, list) in [("labels", &plan.labels), ("annotations", &plan.annotations)] {
        if !list.is_empty() {
            metadata.push((key.to_owned(), metas(list)));
        }
    }
    map([
        ("apiVersion".to_owned(), text("v1")),
        ("kind".to_owned(), text("Pod")),
        ("metadata".to_owned(), map(metadata)),
        ("spec".to_owned(), from_node(&plan.spec)),
    ])
}
