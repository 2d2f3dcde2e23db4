//! The claim template of a generic ephemeral volume.

use super::field::Field;
use super::message::{Bad, Errors};
use super::{metadata, names, node_selection, resources};

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// Checks `ephemeral.volumeClaimTemplate`.
pub fn template(template: &Field<'_>, errors: &mut Errors) {
    if !template.is_set() {
        errors.required(template, "");
        return;
    }
    let meta = template.child("metadata");
    metadata::annotation_map(&meta.child("annotations"), errors);
    node_selection::labels(&meta.child("labels"), errors);
    for name in ["name", "generateName", "namespace"].map(|name| meta.child(name)) {
        if !name.text().is_empty() {
            errors.forbidden(&name, "cannot be set");
        }
    }
    claim_spec(&template.child("spec"), errors);
}

fn claim_spec(spec: &Field<'_>, errors: &mut Errors) {
    let modes = spec.child("accessModes");
    if modes.len() == 0 {
        errors.required(&modes, "at least 1 access mode is required");
    }
    let selector = spec.child("selector");
    if selector.is_set() {
        node_selection::label_selector(&selector, &[], errors);
    }
    access_modes(&modes, errors);
    storage(spec, errors);
    let class = spec.child("storageClassName");
    if !class.text().is_empty() {
        errors.invalid_each(&class, class.text(), &names::dns_subdomain(class.text()));
    }
    let mode = spec.child("volumeMode");
    if mode.is_set() && !["Block", "Filesystem"].contains(&mode.text()) {
        errors.unsupported(&mode, &["Block", "Filesystem"]);
    }
    for name in ["dataSource", "dataSourceRef"] {
        data_source(&spec.child(name), errors);
    }
    let attributes = spec.child("volumeAttributesClassName");
    if !attributes.text().is_empty() {
        errors.invalid_each(&attributes, attributes.text(), &names::dns_subdomain(attributes.text()));
    }
}

fn access_modes(modes: &Field<'_>, errors: &mut Errors) {
    for mode in modes.items().iter().filter(|mode| !MODES.contains(&mode.text())) {
        errors.unsupported(&mode.shown_as(modes.shown()), &MODES);
    }
    let texts = modes.texts();
    let others = texts.iter().any(|mode| MODES[..3].contains(mode));
    if texts.contains(&"ReadWriteOncePod") && others {
        errors.forbidden(modes, "may not use ReadWriteOncePod with other access modes");
    }
}

fn storage(spec: &Field<'_>, errors: &mut Errors) {
    let request = spec.at(&["resources", "requests", "storage"]);
    let shown = request.shown_as(format!("{}.resources[storage]", spec.shown()));
    match resources::quantity(&request) {
        None => {
            errors.required(&shown, "");
        }
        Some(amount) if amount.is_zero() || amount.is_negative() => {
            errors.invalid(&shown, Bad::Text(amount.to_string()), "must be greater than zero");
        }
        Some(_) => {}
    }
}

fn data_source(source: &Field<'_>, errors: &mut Errors) {
    if !source.is_set() {
        return;
    }
    for field in ["name", "kind"].map(|name| source.child(name)) {
        if field.text().is_empty() {
            errors.required(&field, "");
        }
    }
    let (group, kind) = (source.child("apiGroup"), source.child("kind"));
    if group.text().is_empty() {
        if kind.text() != "PersistentVolumeClaim" {
            let detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
            errors.invalid(source, kind.text(), detail);
        }
    } else {
        errors.invalid_each(&group, group.text(), &names::dns_subdomain(group.text()));
    }
}
