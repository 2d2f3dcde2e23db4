//! nodeSelector and node affinity, as the scheduler matches them against a node.

use crate::contract::NodeShape;
use crate::yaml::{Entry, Node};

/// What a Pod demands of the node's labels and name.
#[derive(Clone, Debug, Default)]
pub struct NodeAffinity<'a> {
    /// The entries of `nodeSelector`.
    pub selector: Vec<&'a Entry<'a>>,
    /// The terms of the required node affinity, ORed; `None` where none is written.
    pub required: Option<Vec<Term<'a>>>,
    /// The terms of the preferred node affinity with their weights.
    pub preferred: Vec<(i64, Term<'a>)>,
}

/// A node selector term: its requirements are ANDed, and a term without any matches nothing.
#[derive(Clone, Debug)]
pub struct Term<'a> {
    /// Over labels.
    pub expressions: Vec<Requirement<'a>>,
    /// Over fields; only `metadata.name` exists.
    pub fields: Vec<Requirement<'a>>,
}

/// One requirement of a term.
#[derive(Clone, Debug)]
pub struct Requirement<'a> {
    /// The item as written.
    pub node: &'a Node<'a>,
    /// The label key or field.
    pub key: &'a str,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
    pub operator: &'a str,
    /// The values.
    pub values: Vec<&'a str>,
}

impl<'a> NodeAffinity<'a> {
    /// Reads a Pod spec.
    pub fn read(spec: &'a Node<'a>) -> Self {
        let affinity = spec.at(&["affinity", "nodeAffinity"]);
        let required = affinity
            .and_then(|affinity| affinity.get("requiredDuringSchedulingIgnoredDuringExecution"))
            .map(|required| {
                required.get("nodeSelectorTerms").into_iter().flat_map(Node::items).map(Term::read).collect()
            });
        let preferred = affinity
            .and_then(|affinity| affinity.get("preferredDuringSchedulingIgnoredDuringExecution"))
            .into_iter()
            .flat_map(Node::items)
            .filter_map(|item| Some((item.get("weight").and_then(Node::as_int)?, Term::read(item.get("preference")?))))
            .collect();
        let selector = spec.get("nodeSelector").into_iter().flat_map(Node::entries).collect();
        Self { selector, required, preferred }
    }

    /// Whether nothing at all is demanded.
    pub fn is_empty(&self) -> bool {
        self.selector.is_empty() && self.required.is_none()
    }

    /// Whether a node has the labels and the name that are demanded.
    pub fn matches(&self, node: &NodeShape) -> bool {
        let selected = self.selector.iter().all(|entry| selects(entry, node));
        selected && self.required.as_ref().is_none_or(|terms| terms.iter().any(|term| term.matches(node)))
    }
}

/// Whether a node has the label of a nodeSelector entry.
pub fn selects(entry: &Entry<'_>, node: &NodeShape) -> bool {
    let wanted = entry.value.as_str();
    wanted.is_some() && node.labels.get(entry.key.as_ref()).map(String::as_str) == wanted
}

impl<'a> Term<'a> {
    /// Reads one item of `nodeSelectorTerms`, or a `preference`.
    pub fn read(node: &'a Node<'a>) -> Self {
        let list = |field: &str| node.get(field).into_iter().flat_map(Node::items).map(Requirement::read).collect();
        Self { expressions: list("matchExpressions"), fields: list("matchFields") }
    }

    /// Whether a node meets every requirement.
    pub fn matches(&self, node: &NodeShape) -> bool {
        let written = !self.expressions.is_empty() || !self.fields.is_empty();
        written
            && self.expressions.iter().all(|one| one.accepts(node.labels.get(one.key).map(String::as_str)))
            && self.fields.iter().all(|one| one.accepts(Some(&node.name)))
    }
}

impl<'a> Requirement<'a> {
    fn read(node: &'a Node<'a>) -> Self {
        let text = |field: &str| node.get(field).and_then(Node::as_str).unwrap_or_default();
        let values = node.get("values").into_iter().flat_map(Node::items).filter_map(Node::as_str).collect();
        Self { node, key: text("key"), operator: text("operator"), values }
    }

    /// Whether a label with this value, or its absence, meets the requirement.
    pub fn accepts(&self, label: Option<&str>) -> bool {
        accepts(self.operator, &self.values, label)
    }
}

/// Whether a label with this value, or its absence, meets an operator with its values.
pub fn accepts(operator: &str, values: &[&str], label: Option<&str>) -> bool {
    let listed = label.is_some_and(|label| values.contains(&label));
    let numbers = || {
        let [bound] = values else { return None };
        Some((label?.parse::<i64>().ok()?, bound.parse::<i64>().ok()?))
    };
    match operator {
        "In" => listed,
        "NotIn" => !listed,
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        "Gt" => numbers().is_some_and(|(label, bound)| label > bound),
        "Lt" => numbers().is_some_and(|(label, bound)| label < bound),
        _ => false,
    }
}
