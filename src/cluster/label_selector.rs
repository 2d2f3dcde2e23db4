//! Label selectors over Pods and namespaces, and the terms of inter-pod affinity.

use crate::yaml::Node;
use std::collections::BTreeMap;

/// Labels of an object.
pub type Labels = BTreeMap<String, String>;

/// A label selector. An absent one selects nothing, an empty one everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    expressions: Option<Vec<Expression>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Expression {
    key: String,
    operator: String,
    values: Vec<String>,
}

impl LabelSelector {
    /// Reads a `labelSelector`, or its absence.
    pub fn read(node: Option<&Node<'_>>) -> Self {
        let Some(node) = node else { return Self::default() };
        let pairs = node.get("matchLabels").into_iter().flat_map(Node::entries).map(|entry| {
            let value = entry.value.as_str().unwrap_or_default().to_owned();
            Expression { key: entry.key.to_string(), operator: "In".into(), values: vec![value] }
        });
        let written = node.get("matchExpressions").into_iter().flat_map(Node::items).map(|item| {
            let text = |field: &str| item.get(field).and_then(Node::as_str).unwrap_or_default().to_owned();
            Expression { key: text("key"), operator: text("operator"), values: texts(item.get("values")) }
        });
        Self { expressions: Some(pairs.chain(written).collect()) }
    }

    /// Whether nothing is written, so that nothing is selected.
    pub fn is_absent(&self) -> bool {
        self.expressions.is_none()
    }

    /// Whether it selects an object with these labels.
    pub fn matches(&self, labels: &Labels) -> bool {
        let Some(expressions) = &self.expressions else { return false };
        expressions.iter().all(|one| one.accepts(labels.get(&one.key)))
    }

    /// The label keys that it names.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.expressions.iter().flatten().map(|one| one.key.as_str())
    }

    /// Adds what `matchLabelKeys` (`In`) and `mismatchLabelKeys` (`NotIn`) take from the Pod's own labels.
    pub fn with_own_labels(mut self, keys: Option<&Node<'_>>, operator: &str, own: &Labels) -> Self {
        let Some(expressions) = &mut self.expressions else { return self };
        for key in texts(keys) {
            if let Some(value) = own.get(&key) {
                expressions.push(Expression { key, operator: operator.into(), values: vec![value.clone()] });
            }
        }
        self
    }
}

impl Expression {
    fn accepts(&self, label: Option<&String>) -> bool {
        let listed = label.is_some_and(|label| self.values.contains(label));
        match self.operator.as_str() {
            "In" => listed,
            "NotIn" => !listed,
            "Exists" => label.is_some(),
            "DoesNotExist" => label.is_none(),
            _ => false,
        }
    }
}

/// A required term of podAffinity or podAntiAffinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodTerm {
    selector: LabelSelector,
    namespaces: Vec<String>,
    namespace_selector: LabelSelector,
    /// The node label whose value makes a domain.
    pub topology_key: String,
}

impl PodTerm {
    /// Reads the required terms of `podAffinity` or `podAntiAffinity`.
    pub fn read_required(affinity: Option<&Node<'_>>, namespace: &str, own: &Labels) -> Vec<Self> {
        affinity
            .and_then(|affinity| affinity.get("requiredDuringSchedulingIgnoredDuringExecution"))
            .into_iter()
            .flat_map(Node::items)
            .map(|item| Self::read(item, namespace, own))
            .collect()
    }

    fn read(item: &Node<'_>, namespace: &str, own: &Labels) -> Self {
        let namespaces = texts(item.get("namespaces"));
        let namespace_selector = LabelSelector::read(item.get("namespaceSelector"));
        let own_only = namespaces.is_empty() && namespace_selector.is_absent();
        Self {
            selector: LabelSelector::read(item.get("labelSelector"))
                .with_own_labels(item.get("matchLabelKeys"), "In", own)
                .with_own_labels(item.get("mismatchLabelKeys"), "NotIn", own),
            namespaces: if own_only { vec![namespace.to_owned()] } else { namespaces },
            namespace_selector,
            topology_key: item.get("topologyKey").and_then(Node::as_str).unwrap_or_default().to_owned(),
        }
    }

    /// Whether it selects a Pod with these labels in this namespace.
    pub fn matches(&self, namespace: &str, namespace_labels: &Labels, labels: &Labels) -> bool {
        let there =
            self.namespaces.iter().any(|name| name == namespace) || self.namespace_selector.matches(namespace_labels);
        there && self.selector.matches(labels)
    }
}

/// The texts of a list, or of its absence.
pub(super) fn texts(list: Option<&Node<'_>>) -> Vec<String> {
    list.into_iter().flat_map(Node::items).filter_map(Node::as_str).map(str::to_owned).collect()
}
