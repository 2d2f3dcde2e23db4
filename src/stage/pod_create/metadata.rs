//! Labels and annotations of the Pod, and the annotations that the server itself reads.

use super::Pod;
use super::field::Field;
use super::message::Errors;
use super::names;
use crate::contract::Contract;
use crate::go::quote;
use crate::resource::pod::Meta;
use crate::yaml::Span;

const MIRROR: &str = "kubernetes.io/config.mirror";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const SECCOMP_POD: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER: &str = "container.seccomp.security.alpha.kubernetes.io/";
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// All annotations of an object together, keys and values.
const ANNOTATIONS_LIMIT: usize = 256 * 1024;

/// Checks the syntax of the Pod's labels and annotations.
pub fn invalid_pod_metadata(pod: &Pod<'_>, contract: &Contract, errors: &mut Errors) {
    for label in pod.labels {
        let field = |place| at_map("labels", &label.key, place);
        for detail in names::label_key(&label.key, errors.kube_minor) {
            errors.invalid(&field(label.key_span), label.key.as_str(), &detail);
        }
        for detail in names::label_value(&label.value, errors.kube_minor) {
            let cause = errors.invalid(&field(label.value_span), label.value.as_str(), &detail);
            label_help(label, contract, cause);
        }
    }
    for annotation in pod.annotations {
        let field = at_map("annotations", &annotation.key, annotation.key_span);
        for detail in names::label_key(&annotation.key.to_lowercase(), errors.kube_minor) {
            errors.invalid(&field, annotation.key.as_str(), &detail);
        }
    }
    let size: usize = pod.annotations.iter().map(|annotation| annotation.key.len() + annotation.value.len()).sum();
    if size > ANNOTATIONS_LIMIT {
        errors.too_long(&Field::virtual_at("metadata.annotations", pod.metadata_place), ANNOTATIONS_LIMIT);
    }
}

/// A place inside a map of the metadata; the server names the map alone.
fn at_map(map: &str, key: &str, place: Span) -> Field<'static> {
    Field::virtual_at(format!("metadata.{map}[{key}]"), place).shown_as(format!("metadata.{map}"))
}

fn label_help(label: &Meta, contract: &Contract, cause: &mut super::message::Cause) {
    let annotation =
        contract.backends.iter().flat_map(|backend| &backend.annotations).any(|spec| spec.key == label.key);
    cause.says(format!("the label `{}` has the value {}, which no label can have", label.key, quote(&label.value)));
    if annotation {
        cause.help(format!("`{}` is an annotation: move it from `labels` to `annotations`", label.key));
    } else if label.value.contains(['/', ':', ' ']) {
        cause.help("a label value holds letters, digits, `-`, `_` and `.`; write other text as an annotation");
    } else {
        cause.help(
            "a label value has at most 63 letters, digits, `-`, `_` and `.`, and begins and ends with a letter or digit",
        );
    }
}

/// Checks annotation keys and size of another object's metadata.
pub fn annotation_map(map: &Field<'_>, errors: &mut Errors) {
    let mut size = 0;
    for (key, value) in map.entries() {
        size += key.len() + value.text().len();
        let at = value.at_key().shown_as(map.shown());
        errors.invalid_each(&at, key, &names::label_key(&key.to_lowercase(), errors.kube_minor));
    }
    if size > ANNOTATIONS_LIMIT {
        errors.too_long(map, ANNOTATIONS_LIMIT);
    }
}

/// Checks the annotations that the server itself reads.
pub fn special_annotations(pod: &Pod<'_>, errors: &mut Errors) {
    let unplaced = pod.spec.child("nodeName").text().is_empty();
    if let Some(mirror) = find(pod, MIRROR).filter(|_| unplaced) {
        let detail = "must set spec.nodeName if mirror pod annotation is set";
        errors.invalid(&keyed(mirror), mirror.value.as_str(), detail).help("remove the annotation");
    }
    if let Some(cost) = find(pod, DELETION_COST).filter(|cost| !is_deletion_cost(&cost.value)) {
        errors.invalid(&keyed(cost), cost.value.as_str(), "must be a 32bit integer");
    }
    if let Some(profile) = find(pod, SECCOMP_POD) {
        seccomp_profile(profile, errors);
    }
    for profile in pod.annotations.iter().filter(|annotation| annotation.key.starts_with(SECCOMP_CONTAINER)) {
        seccomp_profile(profile, errors);
    }
    for profile in pod.annotations {
        if let Some(container) = profile.key.strip_prefix(APP_ARMOR) {
            app_armor_profile(pod, profile, container, errors);
        }
    }
}

fn find<'p>(pod: &Pod<'p>, key: &str) -> Option<&'p Meta> {
    pod.annotations.iter().find(|annotation| annotation.key == key)
}

fn keyed(annotation: &Meta) -> Field<'static> {
    Field::virtual_at(format!("metadata.annotations[{}]", annotation.key), annotation.value_span)
}

/// A number as text without `+` and without leading zeros.
fn is_deletion_cost(text: &str) -> bool {
    let starts_well =
        text == "0" || text.starts_with('-') || text.starts_with(|first: char| ('1'..='9').contains(&first));
    starts_well && text.parse::<i32>().is_ok()
}

fn seccomp_profile(annotation: &Meta, errors: &mut Errors) {
    let profile = annotation.value.as_str();
    if ["runtime/default", "docker/default", "unconfined"].contains(&profile) {
        return;
    }
    let shown = format!("metadata.annotations.{}", annotation.key);
    let field = keyed(annotation).shown_as(shown);
    let Some(path) = profile.strip_prefix("localhost/") else {
        errors.invalid(&field, profile, "must be a valid seccomp profile");
        return;
    };
    if path.starts_with('/') {
        errors.invalid(&field, path, "must be a relative path");
    }
    if path.split('/').any(|part| part == "..") {
        errors.invalid(&field, path, "must not contain '..'");
    }
}

fn app_armor_profile(pod: &Pod<'_>, annotation: &Meta, container: &str, errors: &mut Errors) {
    let field = keyed(annotation);
    if !pod.all_containers().iter().any(|other| other.child("name").text() == container) {
        errors.invalid(&field, container, "container not found");
    }
    let profile = annotation.value.as_str();
    let known = ["", "runtime/default", "unconfined"].contains(&profile) || profile.starts_with("localhost/");
    if !known {
        let detail = format!("invalid AppArmor profile name: {}", quote(profile));
        errors.invalid(&field, profile, &detail).help("write the profile in securityContext.appArmorProfile");
    }
}

/// Where a profile is given both as annotation and as field, the two must say the same.
pub fn profiles_match(pod: &Pod<'_>, errors: &mut Errors) {
    let prefixes = [SECCOMP_POD, SECCOMP_CONTAINER, APP_ARMOR];
    if !pod.annotations.iter().any(|meta| prefixes.iter().any(|prefix| meta.key.starts_with(prefix))) {
        return;
    }
    let spec = &pod.spec;
    let whole = spec.at(&["securityContext", "seccompProfile"]);
    if let (true, Some(annotation)) = (whole.is_set(), find(pod, SECCOMP_POD)) {
        same_profile(&whole, &annotation.value, "seccomp", errors);
    }
    for container in pod.all_containers() {
        let profile = container.at(&["securityContext", "seccompProfile"]);
        let key = format!("{SECCOMP_CONTAINER}{}", container.child("name").text());
        if let (true, Some(annotation)) = (profile.is_set(), find(pod, &key)) {
            same_profile(&profile, &annotation.value, "seccomp", errors);
        }
    }
    if spec.at(&["os", "name"]).text() == "windows" {
        return;
    }
    for container in pod.all_containers() {
        let own = container.at(&["securityContext", "appArmorProfile"]);
        let inherited = spec.at(&["securityContext", "appArmorProfile"]);
        let key = format!("{APP_ARMOR}{}", container.child("name").text());
        let profile = if own.is_set() { own.clone() } else { inherited.clone() };
        if let (true, Some(annotation)) = (profile.is_set(), find(pod, &key)) {
            same_profile(&profile.shown_as(own.shown()), &annotation.value, "apparmor", errors);
        }
    }
}

fn same_profile(profile: &Field<'_>, annotation: &str, what: &str, errors: &mut Errors) {
    let mut differs = |name: &str, noun: &str| {
        let detail = format!("{what} {noun} in annotation and field must match");
        errors.forbidden(&profile.child(name), &detail);
    };
    match profile.child("type").text() {
        "Unconfined" if annotation != "unconfined" => differs("type", "type"),
        "RuntimeDefault" => {
            let docker = what == "seccomp" && annotation == "docker/default";
            if annotation != "runtime/default" && !docker {
                differs("type", "type");
            }
        }
        "Localhost" => match annotation.strip_prefix("localhost/") {
            None => differs("type", "type"),
            Some(path) if path != profile.child("localhostProfile").text() => differs("localhostProfile", "profile"),
            Some(_) => {}
        },
        _ => {}
    }
}
