//! Volumes: their names, the rule of one source, and what containers can find by name.

use super::field::Field;
use super::message::Errors;
use super::volume_sources;
use crate::contract::has_placeholder;
use std::collections::{HashMap, HashSet};

/// The Pod's volumes, with those that the server accepts.
#[derive(Debug, Default)]
pub struct Volumes<'n> {
    all: Vec<Field<'n>>,
    /// Those that the server accepts, by name.
    accepted: HashMap<&'n str, usize>,
    /// The first with each name, refused ones too.
    named: HashMap<&'n str, usize>,
    has_open_name: bool,
}

impl<'n> Volumes<'n> {
    /// The accepted volume with this name.
    pub fn accepted(&self, name: &str) -> Option<&Field<'n>> {
        self.accepted.get(name).map(|&index| &self.all[index])
    }

    /// Whether another tool fills in the name of a volume, so that it can be any.
    pub fn has_open_name(&self) -> bool {
        self.has_open_name
    }

    /// The first volume with this name, refused or not.
    pub fn named(&self, name: &str) -> Option<&Field<'n>> {
        self.named.get(name).map(|&index| &self.all[index])
    }

    /// All volumes, refused ones too.
    pub fn declared(&self) -> impl Iterator<Item = &Field<'n>> {
        self.all.iter()
    }
}

/// Checks `spec.volumes` of the Pod with this name.
pub fn invalid_volume<'n>(volumes: &Field<'n>, pod: &str, errors: &mut Errors) -> Volumes<'n> {
    let all = volumes.items();
    let created: HashSet<String> = all
        .iter()
        .filter(|volume| volume.child("ephemeral").is_set() && !pod.is_empty())
        .map(|volume| format!("{pod}-{}", volume.child("name").text()))
        .collect();
    let mut accepted: HashMap<&str, usize> = HashMap::with_capacity(all.len());
    let mut named: HashMap<&str, usize> = HashMap::with_capacity(all.len());
    for (index, volume) in all.iter().enumerate() {
        let known = errors.causes.len();
        volume_sources::check(volume, pod, errors);
        volume_name(volume, errors);
        let name = volume.child("name");
        named.entry(name.text()).or_insert(index);
        if let Some(&first) = accepted.get(name.text()) {
            errors
                .duplicate(&name, name.text())
                .says(format!("two volumes are named \"{}\"", name.text()))
                .help("rename one of them; each volumeClaimTemplate adds a volume of its own name")
                .related(all[first].child("name").place, "the first one stands here");
        }
        if errors.causes.len() == known {
            accepted.insert(name.text(), index);
        }
        let claim = volume.at(&["persistentVolumeClaim", "claimName"]);
        if created.contains(claim.text()) {
            errors.invalid(&claim, claim.text(), "must not reference a PVC that gets created for an ephemeral volume");
        }
    }
    let has_open_name = all.iter().any(|volume| has_placeholder(volume.child("name").text()));
    Volumes { all, accepted, named, has_open_name }
}

fn volume_name(volume: &Field<'_>, errors: &mut Errors) {
    let name = volume.child("name");
    if name.text().is_empty() {
        errors.required(&name, "");
        return;
    }
    errors.invalid_dns_label(&name, |cause, label| {
        cause.help(format!("write `{label}`, here and in the volumeMounts that name it"));
    });
}
