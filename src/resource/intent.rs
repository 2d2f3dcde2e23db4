//! Which backend the author means, from all the evidence together.

use super::pod::{Meta, PodPlan};
use crate::cluster::World;
use crate::cluster::node_selector::{NodeAffinity, Requirement, Term};
use crate::cluster::toleration::Toleration;
use crate::contract::{Backend, Contract, LabelDefect};
use crate::suggest;
use crate::yaml::{Entry, Node, Span};
use std::sync::Arc;

/// What the author means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    /// The backend meant.
    pub meaning: Meaning,
    /// Why, the strongest first.
    pub evidence: Vec<Evidence>,
}

/// The three results of weighing the evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// No sign of a virtual node: the ordinary kubelet.
    #[default]
    Kubelet,
    /// One backend, by its name in the contract.
    Backend(String),
    /// Signs of several backends that cannot be had together.
    Contradictory(Vec<String>),
}

/// One sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The backend it points to, by its name in the contract.
    pub backend: Arc<str>,
    /// What kind of sign it is.
    pub sign: Sign,
    /// Where it stands.
    pub span: Span,
    /// The text as a sentence names it: `nodeSelector sandbox.cocoonstack.io/runtime: sandboxd`.
    pub text: Arc<str>,
}

/// Kinds of signs, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// A nodeSelector or required node affinity that picks the backend's nodes, or is meant to.
    Selector,
    /// `nodeName` of the backend's node.
    NodeName,
    /// A preferred node affinity for the backend's nodes.
    Preference,
    /// A provider annotation.
    Annotation,
    /// The value of the provider toleration.
    Toleration,
}

impl Intent {
    /// The backend's name as output has it: `kubelet`, `contradictory`, or a name of the contract.
    pub fn name(&self) -> &str {
        match &self.meaning {
            Meaning::Kubelet => "kubelet",
            Meaning::Backend(name) => name,
            Meaning::Contradictory(_) => "contradictory",
        }
    }

    /// The one backend meant, if it is a virtual node's.
    pub fn backend(&self) -> Option<&str> {
        match &self.meaning {
            Meaning::Backend(name) => Some(name),
            _ => None,
        }
    }

    /// The signs of one kind.
    pub fn signs(&self, sign: Sign) -> impl Iterator<Item = &Evidence> {
        self.evidence.iter().filter(move |evidence| evidence.sign == sign)
    }
}

/// Weighs the evidence of a planned Pod. Signs that bind the Pod to nodes (selector, nodeName) decide alone; without
/// any, the kind of sign that comes first does. Annotations of a backend other than the selected one change nothing.
pub fn read(plan: &PodPlan<'_>, world: &World) -> Intent {
    let mut evidence = Vec::new();
    let affinity = NodeAffinity::read(&plan.spec);
    for entry in &affinity.selector {
        evidence.extend(selector_sign(entry, world));
    }
    for term in affinity.required.iter().flatten() {
        evidence.extend(term_signs(term, world, Sign::Selector, "required node affinity"));
    }
    evidence.extend(node_name_sign(plan, world));
    for (_, term) in &affinity.preferred {
        evidence.extend(term_signs(term, world, Sign::Preference, "preferred node affinity"));
    }
    for (metas, what) in [(&plan.annotations, "annotation"), (&plan.labels, "label")] {
        evidence.extend(metas.iter().filter_map(|meta| annotation_sign(meta, &world.contract, what)));
    }
    for item in plan.spec.get("tolerations").into_iter().flat_map(Node::items) {
        evidence.extend(toleration_sign(&Toleration::read(item), &world.contract));
    }
    evidence.sort_by_key(|one| one.sign);
    Intent { meaning: set_severity(&evidence, &world.contract), evidence }
}

fn set_severity(evidence: &[Evidence], contract: &Contract) -> Meaning {
    let binding = names(evidence.iter().filter(|one| one.sign <= Sign::NodeName));
    if !binding.is_empty() {
        return meaning(binding);
    }
    let Some(first) = evidence.first() else { return Meaning::Kubelet };
    let strongest = names(evidence.iter().filter(|one| one.sign == first.sign));
    if strongest.len() < 2 {
        return meaning(strongest);
    }
    // Of two sets of annotations without a selector, the toleration's value decides, else the set that is complete.
    let tolerated = names(evidence.iter().filter(|one| one.sign == Sign::Toleration));
    let complete: Vec<String> =
        strongest.iter().filter(|name| is_complete(name, evidence, contract)).cloned().collect();
    match (tolerated.as_slice(), complete.as_slice()) {
        ([one], _) | (_, [one]) if strongest.contains(one) => Meaning::Backend(one.clone()),
        _ => meaning(strongest),
    }
}

/// Whether the annotations that a backend requires are all there.
fn is_complete(name: &str, evidence: &[Evidence], contract: &Contract) -> bool {
    let Some(backend) = contract.backend(name) else { return false };
    let own: Vec<&str> = evidence.iter().filter(|one| &*one.backend == name).map(|one| &*one.text).collect();
    let required = backend.annotations.iter().filter(|annotation| annotation.required);
    required.map(|annotation| format!("annotation {}", annotation.key)).all(|text| own.contains(&text.as_str()))
}

fn names<'e>(evidence: impl Iterator<Item = &'e Evidence>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for one in evidence {
        if !names.iter().any(|name| **name == *one.backend) {
            names.push(one.backend.as_ref().to_owned());
        }
    }
    names
}

fn meaning(mut names: Vec<String>) -> Meaning {
    match names.len() {
        0 => Meaning::Kubelet,
        1 => Meaning::Backend(names.remove(0)),
        _ => Meaning::Contradictory(names),
    }
}

fn selector_sign(entry: &Entry<'_>, world: &World) -> Option<Evidence> {
    let value = entry.value.as_str();
    let backend = backend_of_label(&entry.key, value.as_slice(), world)?;
    let span = entry.key_span.to(entry.value.place());
    let text = format!("nodeSelector {}: {}", entry.key, value.unwrap_or_default());
    Some(Evidence { backend: backend.name.as_str().into(), sign: Sign::Selector, span, text: text.into() })
}

fn term_signs(term: &Term<'_>, world: &World, sign: Sign, what: &str) -> Vec<Evidence> {
    let wanted = |one: &&Requirement<'_>| matches!(one.operator, "In" | "Exists");
    let expressions = term.expressions.iter().filter(wanted).filter_map(|one| {
        let backend = backend_of_label(one.key, &one.values, world)?;
        Some(evidence_of(one, backend, sign, what))
    });
    let named = |one: &&Requirement<'_>| one.key == "metadata.name" && one.operator == "In";
    let fields = term.fields.iter().filter(named).filter_map(|one| {
        let backend = one.values.iter().find_map(|name| virtual_node(name, world))?;
        Some(evidence_of(one, backend, sign, what))
    });
    expressions.chain(fields).collect()
}

fn evidence_of(one: &Requirement<'_>, backend: &Backend, sign: Sign, what: &str) -> Evidence {
    let values = if one.values.is_empty() { String::new() } else { format!(" [{}]", one.values.join(", ")) };
    let text = format!("{what} {} {}{values}", one.key, one.operator);
    Evidence { backend: backend.name.as_str().into(), sign, span: one.node.place(), text: text.into() }
}

/// The virtual backend that a demanded label points to; no values means any value.
fn backend_of_label<'w>(key: &str, values: &[&str], world: &'w World) -> Option<&'w Backend> {
    let contract = &world.contract;
    let all: Vec<&Backend> = contract.picked_by(key).collect();
    if let [only] = all.as_slice() {
        return Some(only);
    }
    let valued = |backend: &&&Backend| {
        let own = backend.selector.as_ref().and_then(|selector| selector.value.as_deref());
        own.is_some_and(|own| values.contains(&own))
    };
    if let Some(backend) = all.iter().find(valued) {
        return Some(backend);
    }
    if key == "kubernetes.io/hostname" {
        return values.iter().find_map(|name| virtual_node(name, world));
    }
    let is_of_backend = |backend: &&Backend| match values {
        [] => backend.is_reported_by(key, None, contract),
        values => values.iter().any(|value| backend.is_reported_by(key, Some(value), contract)),
    };
    if let Some(backend) = contract.virtual_backends().find(is_of_backend) {
        return Some(backend);
    }
    match contract.label_defect(key, values)? {
        LabelDefect::Misspelt(backend) | LabelDefect::Former(backend) | LabelDefect::Annotation(backend) => {
            Some(backend)
        }
        LabelDefect::Taint => {
            let tainted =
                |backend: &&Backend| backend.node.taints.iter().any(|taint| values.contains(&taint.value.as_str()));
            contract.virtual_backends().find(tainted)
        }
    }
}

/// The virtual backend that serves a node with this name.
fn virtual_node<'w>(name: &str, world: &'w World) -> Option<&'w Backend> {
    let node = world.nodes.iter().find(|node| node.name == name)?;
    world.backend_of(node).filter(|backend| backend.selector.is_some())
}

fn node_name_sign(plan: &PodPlan<'_>, world: &World) -> Option<Evidence> {
    let backend = virtual_node(plan.node_name()?, world)?;
    let span = plan.spec.get("nodeName")?.place();
    let text = format!("nodeName {}", plan.node_name()?);
    Some(Evidence { backend: backend.name.as_str().into(), sign: Sign::NodeName, span, text: text.into() })
}

fn annotation_sign(meta: &Meta, contract: &Contract, what: &str) -> Option<Evidence> {
    let backend = names_a_backend(meta, contract).unwrap_or_else(|| family(&meta.key, contract))?;
    let text = format!("{what} {}", meta.key);
    Some(Evidence {
        backend: backend.name.as_str().into(),
        sign: Sign::Annotation,
        span: meta.key_span.to(meta.value_span),
        text: text.into(),
    })
}

/// An annotation whose only allowed value is the backend's own name is a sign only as far as its value says so:
/// `sandbox.cocoonstack.io/runtime: vk-cocoon` of older releases meant vk-cocoon, and `standard` nobody.
fn names_a_backend<'c>(meta: &Meta, contract: &'c Contract) -> Option<Option<&'c Backend>> {
    let owner = contract.backends.iter().find(|backend| {
        let naming = |key: &str, values: &[String]| key == meta.key && values == [backend.name.as_str()];
        backend.annotations.iter().any(|annotation| naming(&annotation.key, &annotation.values))
    })?;
    let is_named = |backend: &&Backend| backend.name == meta.value || backend.provider == meta.value;
    let near = || suggest::nearest(&meta.value, [owner.name.as_str()]).map(|_| owner);
    Some(contract.virtual_backends().find(is_named).or_else(near))
}

/// The backend that a key of this family, or a defect of one of its keys, belongs to.
fn family<'c>(key: &str, contract: &'c Contract) -> Option<&'c Backend> {
    let folded = key.to_ascii_lowercase();
    let owns = |backend: &&Backend| backend.families.iter().any(|family| folded.starts_with(family.as_str()));
    let of =
        |backend: &'c Backend| backend.annotations.iter().map(move |annotation| (annotation.key.as_str(), backend));
    contract.virtual_backends().find(owns).or_else(|| {
        let keys: Vec<(&str, &Backend)> = contract.virtual_backends().flat_map(of).collect();
        let nearest = suggest::nearest(key, keys.iter().map(|(key, _)| *key)).filter(|_| key.contains('/'))?;
        keys.iter().find(|(key, _)| *key == nearest).map(|(_, backend)| *backend)
    })
}

fn toleration_sign(toleration: &Toleration<'_>, contract: &Contract) -> Option<Evidence> {
    let value = toleration.value;
    let meant = |backend: &&Backend| {
        backend.node.taints.iter().any(|taint| taint.key == toleration.key && taint.value == value)
    };
    let backend = contract.virtual_backends().find(meant).filter(|_| !value.is_empty())?;
    let span = toleration.node.get("value").map_or(toleration.node.place(), Node::place);
    let text = format!("toleration {}={value}", toleration.key);
    Some(Evidence { backend: backend.name.as_str().into(), sign: Sign::Toleration, span, text: text.into() })
}
