//! Keys of the contract that stand where no provider reads them, and keys that are nearly one.

use super::pod::{Meta, PodPlan};
use super::{Kind, Resource, Workload};
use crate::contract::Contract;
use crate::suggest;
use crate::yaml::{Node, Span};

/// A key that was meant for a provider and does not reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisplacedKey {
    /// The key as written.
    pub typed: String,
    /// The value.
    pub value: String,
    /// Where the key is written.
    pub key_span: Span,
    /// Where the value is written.
    pub value_span: Span,
    /// The resource's field path of the entry.
    pub path: String,
    /// Where it stands.
    pub place: Place,
    /// What is wrong with the key itself.
    pub defect: KeyDefect,
    /// The contract's key that it stands for; `None` where nothing resembles it.
    pub meant: Option<String>,
    /// The backend of that key, or of the family that it borrows.
    pub backend: String,
}

/// Where a misplaced key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Annotations of the object itself, which no controller copies to the Pod.
    ObjectAnnotations,
    /// Annotations of the Pod: the right place.
    PodAnnotations,
    /// Labels of the Pod.
    PodLabels,
    /// The Pod's nodeSelector.
    NodeSelector,
}

/// What is wrong with a key itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyDefect {
    /// Nothing: it is the contract's key.
    None,
    /// Upper-case letters.
    Case,
    /// The name of one family under the prefix of another.
    Family,
    /// The prefix is misspelt.
    Prefix,
    /// The prefix of an earlier release.
    Former,
    /// The name after the slash is misspelt.
    Name,
    /// A family's prefix with a name that resembles nothing.
    Unknown,
}

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recognised<'c> {
    /// The contract's key.
    pub meant: Option<&'c str>,
    /// Its backend.
    pub backend: &'c str,
    /// What is wrong with it.
    pub defect: KeyDefect,
}

/// Recognises a key of the contract, or one that was meant to be. `None`: a key of somebody else.
pub fn recognise<'c>(key: &str, contract: &'c Contract) -> Option<Recognised<'c>> {
    let known = Known::of(contract);
    if let Some((meant, backend)) = known.keys.iter().find(|(known, _)| *known == key) {
        return Some(Recognised { meant: Some(meant), backend, defect: KeyDefect::None });
    }
    let lower = key.to_ascii_lowercase();
    if let Some((meant, backend)) = known.keys.iter().find(|(known, _)| *known == lower) {
        return Some(Recognised { meant: Some(meant), backend, defect: KeyDefect::Case });
    }
    if let Some((meant, backend)) = former(&lower, contract) {
        return Some(Recognised { meant: Some(meant), backend, defect: KeyDefect::Former });
    }
    let (prefix, name) = lower.split_once('/')?;
    match contract.backends.iter().find(|backend| backend.owns(&lower)) {
        Some(backend) => Some(known.in_family(prefix, name, &backend.name)),
        None => known.near_family(prefix, name),
    }
}

/// The key that replaced one of an earlier release.
fn former<'c>(key: &str, contract: &'c Contract) -> Option<(&'c str, &'c str)> {
    contract.backends.iter().find_map(|backend| Some((backend.former_keys.get(key)?.as_str(), backend.name.as_str())))
}

/// The contract's keys, flattened.
struct Known<'c> {
    keys: Vec<(&'c str, &'c str)>,
}

impl<'c> Known<'c> {
    fn of(contract: &'c Contract) -> Self {
        let keys = contract
            .backends
            .iter()
            .flat_map(|backend| backend.annotations.iter().map(|spec| (spec.key.as_str(), backend.name.as_str())))
            .collect();
        Self { keys }
    }

    fn named(&self, name: &str) -> Option<(&'c str, &'c str)> {
        self.keys.iter().copied().find(|(key, _)| name_of(key) == name)
    }

    /// The key of this family whose name is nearest, a shortened or lengthened one included.
    fn resembling(&self, prefix: &str, name: &str) -> Option<(&'c str, &'c str)> {
        let family = || self.keys.iter().copied().filter(move |(key, _)| prefix_of(key) == prefix);
        let near = suggest::nearest(name, family().map(|(key, _)| name_of(key)));
        let near = near.or_else(|| family().map(|(key, _)| name_of(key)).find(|known| abbreviates(name, known)))?;
        family().find(|(key, _)| name_of(key) == near)
    }

    /// A name that this family does not have: one of another family, or one misspelt.
    fn in_family(&self, prefix: &str, name: &str, backend: &'c str) -> Recognised<'c> {
        let siblings = || self.keys.iter().copied().filter(|(_, owner)| *owner == backend);
        if let Some((meant, backend)) = siblings().find(|(key, _)| name_of(key) == name) {
            return Recognised { meant: Some(meant), backend, defect: KeyDefect::Family };
        }
        if let Some((meant, backend)) = self.resembling(prefix, name) {
            return Recognised { meant: Some(meant), backend, defect: KeyDefect::Name };
        }
        if let Some((meant, backend)) = self.named(name) {
            return Recognised { meant: Some(meant), backend, defect: KeyDefect::Family };
        }
        match suggest::nearest(name, siblings().map(|(key, _)| name_of(key))).and_then(|near| self.named(near)) {
            Some((meant, backend)) => Recognised { meant: Some(meant), backend, defect: KeyDefect::Name },
            None => Recognised { meant: None, backend, defect: KeyDefect::Unknown },
        }
    }

    /// A prefix that is nearly a family's, before a name of that family.
    fn near_family(&self, prefix: &str, name: &str) -> Option<Recognised<'c>> {
        let (meant, backend) =
            self.keys.iter().copied().filter(|(key, _)| name_of(key) == name).find(|(key, _)| {
                strsim::damerau_levenshtein(prefix_of(key), prefix) <= 3 || same_domain(key, prefix)
            })?;
        Some(Recognised { meant: Some(meant), backend, defect: KeyDefect::Prefix })
    }
}

fn prefix_of(key: &str) -> &str {
    key.split_once('/').map_or("", |(prefix, _)| prefix)
}

fn name_of(key: &str) -> &str {
    key.split_once('/').map_or(key, |(_, name)| name)
}

/// `ttl` for `ttl-seconds`, `network` for `net`, `vm-name` for `name`.
fn abbreviates(typed: &str, known: &str) -> bool {
    let shortened = typed.len() >= 3 && known.starts_with(typed);
    let lengthened = known.len() >= 3 && typed.starts_with(known);
    let qualified = typed.strip_suffix(known).is_some_and(|before| before.ends_with('-'));
    shortened || lengthened || qualified
}

/// Whether a prefix lies in the registered domain of a family: `cocoonstack.io`.
fn same_domain(key: &str, prefix: &str) -> bool {
    let family = prefix_of(key);
    let domain = family.rmatch_indices('.').nth(1).map_or(family, |(at, _)| &family[at + 1..]);
    prefix == domain || prefix.strip_suffix(domain).is_some_and(|before| before.ends_with('.'))
}

/// All misplaced keys of a planned Pod, by place: the object, the Pod's annotations, its labels, its nodeSelector.
pub fn misplaced_keys(
    resource: &Resource<'_>,
    stored: &Node<'_>,
    plan: &PodPlan<'_>,
    contract: &Contract,
) -> Vec<MisplacedKey> {
    let mut found = Vec::new();
    if resource.kind != Kind::Workload(Workload::Pod) {
        found.extend(on_object(resource, stored, contract));
    }
    let annotations = format!("{}.annotations", plan.metadata_path);
    let misspelt =
        plan.annotations.iter().filter_map(|meta| misplaced(meta, Place::PodAnnotations, &annotations, contract));
    found.extend(misspelt.filter(|misplaced| misplaced.defect != KeyDefect::None));
    let labels = format!("{}.labels", plan.metadata_path);
    let as_labels = plan.labels.iter().filter_map(|meta| misplaced(meta, Place::PodLabels, &labels, contract));
    found.extend(as_labels.filter(|misplaced| misplaced.defect == KeyDefect::None && !is_default(misplaced, contract)));
    found.extend(in_selector(plan, contract));
    found
}

/// Keys of the contract among the annotations of the object itself.
pub fn on_object(resource: &Resource<'_>, stored: &Node<'_>, contract: &Contract) -> Vec<MisplacedKey> {
    let Some(annotations) = stored.at(&["metadata", "annotations"]) else { return Vec::new() };
    let path = resource.path("metadata.annotations");
    entries(annotations)
        .filter_map(|meta| misplaced(&meta, Place::ObjectAnnotations, &path, contract))
        .filter(|misplaced| misplaced.defect != KeyDefect::Unknown)
        .collect()
}

fn in_selector(plan: &PodPlan<'_>, contract: &Contract) -> Vec<MisplacedKey> {
    let Some(selector) = plan.spec.get("nodeSelector") else { return Vec::new() };
    let path = plan.path("nodeSelector");
    let is_label = |key: &str| {
        contract.backends.iter().any(|backend| {
            backend.node.labels.contains_key(key) || backend.selector.as_ref().is_some_and(|label| label.key == key)
        })
    };
    entries(selector)
        .filter(|meta| !is_label(&meta.key))
        .filter_map(|meta| misplaced(&meta, Place::NodeSelector, &path, contract))
        .filter(|misplaced| misplaced.defect == KeyDefect::None)
        .collect()
}

fn entries<'n>(map: &'n Node<'_>) -> impl Iterator<Item = Meta> + use<'n> {
    map.entries().filter_map(|entry| {
        Some(Meta {
            key: entry.key.to_string(),
            value: entry.value.as_str()?.to_owned(),
            key_span: entry.key_span,
            value_span: entry.value.place(),
        })
    })
}

fn misplaced(meta: &Meta, place: Place, path: &str, contract: &Contract) -> Option<MisplacedKey> {
    let recognised = recognise(&meta.key, contract)?;
    Some(MisplacedKey {
        typed: meta.key.clone(),
        value: meta.value.clone(),
        key_span: meta.key_span,
        value_span: meta.value_span,
        path: format!("{path}.{}", meta.key),
        place,
        defect: recognised.defect,
        meant: recognised.meant.map(str::to_owned),
        backend: recognised.backend.to_owned(),
    })
}

/// A label that says what the provider assumes anyway loses nothing.
fn is_default(misplaced: &MisplacedKey, contract: &Contract) -> bool {
    contract
        .backends
        .iter()
        .flat_map(|backend| &backend.annotations)
        .any(|spec| spec.key == misplaced.typed && spec.default.as_ref() == Some(&misplaced.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(key: &str) -> Option<(KeyDefect, Option<String>)> {
        let contract = Contract::builtin();
        recognise(key, &contract).map(|found| (found.defect, found.meant.map(str::to_owned)))
    }

    #[test]
    fn slips_lead_to_the_key_that_was_meant() {
        let table = [
            ("sandbox.cocoonstack.io/template", KeyDefect::None, "sandbox.cocoonstack.io/template"),
            ("Sandbox.Cocoonstack.io/Template", KeyDefect::Case, "sandbox.cocoonstack.io/template"),
            ("sandbox.cocoonstack.io/templates", KeyDefect::Name, "sandbox.cocoonstack.io/template"),
            ("sandbox.cocoonstack.io/network", KeyDefect::Name, "sandbox.cocoonstack.io/net"),
            ("sandbox.cocoonstack.io/ttl", KeyDefect::Name, "sandbox.cocoonstack.io/ttl-seconds"),
            ("sandboxes.cocoonstack.io/template", KeyDefect::Prefix, "sandbox.cocoonstack.io/template"),
            ("cocoonstack.io/template", KeyDefect::Prefix, "sandbox.cocoonstack.io/template"),
            ("cocoon-sandbox.io/runtime", KeyDefect::Former, "sandbox.cocoonstack.io/runtime"),
            ("vm.cocoonstack.io/mode", KeyDefect::Family, "cocoonset.cocoonstack.io/mode"),
            ("vm.cocoonstack.io/managed", KeyDefect::Family, "cocoonset.cocoonstack.io/managed"),
            ("vm.cocoonstack.io/vm-name", KeyDefect::Name, "vm.cocoonstack.io/name"),
            ("cocoonset.cocoonstack.io/backend", KeyDefect::Family, "vm.cocoonstack.io/backend"),
            ("cocoonset.cocoonstack.io/name", KeyDefect::Family, "vm.cocoonstack.io/name"),
        ];
        for (typed, defect, meant) in table {
            assert_eq!(recognised(typed), Some((defect, Some(meant.to_owned()))), "{typed}");
        }
        assert_eq!(recognised("sandbox.cocoonstack.io/owner"), Some((KeyDefect::Unknown, None)));
    }

    #[test]
    fn keys_of_others_are_left_alone() {
        for key in
            ["template", "example.com/template", "prometheus.io/scrape", "cocoonstack.io/pool", "sandbox.io/size"]
        {
            assert_eq!(recognised(key), None, "{key}");
        }
    }
}
