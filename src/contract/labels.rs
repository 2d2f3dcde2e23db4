//! Node labels in the contract: which key picks which backend, and what a misspelt key stands for.

use super::{Backend, Contract};
use crate::suggest;

/// What a label key that is no selector of the contract stands for.
#[derive(Clone, Copy, Debug)]
pub enum LabelDefect<'c> {
    /// A defect of a backend's selector.
    Misspelt(&'c Backend),
    /// The selector of an older release.
    Former(&'c Backend),
    /// The key of a taint, which no node carries as a label.
    Taint,
    /// The key of an annotation, which no node carries as a label.
    Annotation(&'c Backend),
}

impl Contract {
    /// Backends with nodes of their own, picked by a label: all but the ordinary kubelet.
    pub fn virtual_backends(&self) -> impl Iterator<Item = &Backend> {
        self.backends.iter().filter(|backend| backend.selector.is_some())
    }

    /// The backends whose selector has this key.
    pub fn picked_by(&self, key: &str) -> impl Iterator<Item = &Backend> {
        self.virtual_backends().filter(move |backend| backend.selector_key() == Some(key))
    }

    /// What a key stands for that no node of the contract carries. A value that only one backend's selector has gives
    /// away a key with the wrong domain, or none: `runtime: sandboxd`.
    pub fn label_defect(&self, key: &str, values: &[&str]) -> Option<LabelDefect<'_>> {
        if self.backends.iter().any(|backend| backend.node.labels.contains_key(key))
            || self.picked_by(key).next().is_some()
        {
            return None;
        }
        let former = |backend: &&Backend| {
            let replaced = backend.former_keys.get(key).map(String::as_str);
            replaced.is_some() && replaced == backend.selector_key()
        };
        if let Some(backend) = self.virtual_backends().find(former) {
            return Some(LabelDefect::Former(backend));
        }
        if self.backends.iter().flat_map(|backend| &backend.node.taints).any(|taint| taint.key == key) {
            return Some(LabelDefect::Taint);
        }
        let annotated = |backend: &&Backend| backend.annotations.iter().any(|annotation| annotation.key == key);
        if let Some(backend) = self.backends.iter().find(annotated) {
            return Some(LabelDefect::Annotation(backend));
        }
        let by_value = |backend: &&Backend| {
            let selector = backend.selector.as_ref();
            let value = selector.and_then(|selector| selector.value.as_deref());
            value.is_some_and(|value| values == [value])
                && backend.selector_key().is_some_and(|own| last(own) == last(key))
        };
        if let Some(backend) = self.virtual_backends().find(by_value) {
            return Some(LabelDefect::Misspelt(backend));
        }
        let taints = self.backends.iter().flat_map(|backend| &backend.node.taints).map(|taint| taint.key.as_str());
        let selectors = self.virtual_backends().filter_map(Backend::selector_key);
        let nearest = suggest::nearest(key, selectors.chain(taints)).filter(|_| key.contains('/'))?;
        self.picked_by(nearest).next().map_or(Some(LabelDefect::Taint), |backend| Some(LabelDefect::Misspelt(backend)))
    }
}

/// The part of a key behind its domain.
fn last(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

impl Backend {
    /// The key of the label that picks its nodes.
    pub fn selector_key(&self) -> Option<&str> {
        self.selector.as_ref().map(|selector| selector.key.as_str())
    }

    /// Whether a label of its node distinguishes it from every other backend's.
    pub fn is_reported_by(&self, key: &str, value: Option<&str>, contract: &Contract) -> bool {
        let carries = |backend: &Backend| {
            let own = backend.node.labels.get(key);
            own.is_some() && value.is_none_or(|value| own.is_some_and(|own| own == value))
        };
        carries(self) && contract.backends.iter().all(|other| other.name == self.name || !carries(other))
    }

    /// The `key: value` that a nodeSelector names its nodes with; `<pool>` stands for a value of the cluster's.
    pub fn selector_text(&self) -> Option<String> {
        let selector = self.selector.as_ref()?;
        let usual = self.node.labels.get(&selector.key);
        let value = selector.value.as_ref().or(usual).map_or("<value>", String::as_str);
        Some(format!("{}: {value}", selector.key))
    }
}
