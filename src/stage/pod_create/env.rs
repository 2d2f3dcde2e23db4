//! Environment variables and where their values come from.

use super::field::Field;
use super::field_ref::{ENV_FIELDS, object_field, resource_field};
use super::message::Errors;
use super::names;
use super::volumes::Volumes;

/// The release in which a variable can come from a file.
const ENV_FILES: u32 = 35;

/// Checks `env` and `envFrom` of a container.
pub fn invalid_env(container: &Field<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    for variable in container.child("env").items() {
        let name = variable.child("name");
        if name.text().is_empty() {
            errors.required(&name, "");
        } else {
            errors.invalid_each(&name, name.text(), &names::env_name(name.text(), errors.kube_minor));
        }
        let from = variable.child("valueFrom");
        if from.is_set() {
            value_from(&variable, &from, volumes, errors);
        }
    }
    env_from(&container.child("envFrom"), errors);
}

fn value_from(variable: &Field<'_>, from: &Field<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    let files = errors.kube_minor >= ENV_FILES;
    let mut sources = 0;
    for kind in ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"] {
        let source = from.child(kind);
        if !source.is_set() || (kind == "fileKeyRef" && !files) {
            continue;
        }
        sources += 1;
        match kind {
            "fieldRef" => object_field(&source, &ENV_FIELDS, errors),
            "resourceFieldRef" => resource_field(&source, false, errors),
            "fileKeyRef" => file_volume(&source.child("volumeName"), volumes, errors),
            _ => key_selector(&source, errors),
        }
    }
    if sources == 0 {
        let list = if files {
            "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        } else {
            "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`"
        };
        errors.invalid(from, "", &format!("must specify one of: {list}"));
    } else if !variable.child("value").text().is_empty() {
        errors
            .invalid(from, "", "may not be specified when `value` is not empty")
            .says("`value` and `valueFrom` are both set; a variable has one of the two")
            .help("remove `value` or `valueFrom`")
            .related(variable.child("value").place, "the value stands here");
    } else if sources > 1 {
        errors.invalid(from, "", "may not have more than one field specified at a time");
    }
}

/// The volume that holds the file of a variable.
fn file_volume(name: &Field<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    let known = volumes.accepted(name.text()).is_some() || volumes.has_open_name();
    if !known && !name.text().is_empty() {
        errors.not_found(name, name.text(), "");
    }
}

/// A key of a ConfigMap or of a Secret.
fn key_selector(source: &Field<'_>, errors: &mut Errors) {
    let (name, key) = (source.child("name"), source.child("key"));
    errors.invalid_each(&name, name.text(), &names::dns_subdomain(name.text()));
    if key.text().is_empty() {
        errors.required(&key, "");
    } else {
        errors.invalid_each(&key, key.text(), &names::config_key(key.text()));
    }
}

fn env_from(list: &Field<'_>, errors: &mut Errors) {
    for entry in list.items() {
        let prefix = entry.child("prefix");
        if !prefix.text().is_empty() {
            errors.invalid_each(&prefix, prefix.text(), &names::env_name(prefix.text(), errors.kube_minor));
        }
        let mut sources = 0;
        for source in ["configMapRef", "secretRef"].map(|kind| entry.child(kind)) {
            if !source.is_set() {
                continue;
            }
            sources += 1;
            let name = source.child("name");
            if name.text().is_empty() {
                errors.required(&name, "");
            } else {
                errors.invalid_each(&name, name.text(), &names::dns_subdomain_prefix(name.text()));
            }
        }
        let at = entry.shown_as(list.shown());
        if sources == 0 {
            errors.invalid(&at, "", "must specify one of: `configMapRef` or `secretRef`");
        } else if sources > 1 {
            errors.invalid(&at, "", "may not have more than one field specified at a time");
        }
    }
}
