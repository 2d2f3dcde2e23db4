//! volumeMounts and volumeDevices of a container.

use super::field::Field;
use super::message::Errors;
use super::path::{has_backsteps, local_path};
use super::volumes::Volumes;
use crate::finding::Applicability;
use std::collections::HashSet;

/// Checks `volumeMounts` and `volumeDevices` of a container.
pub fn invalid_mount(container: &Field<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    let (mounts, devices) = (container.child("volumeMounts"), container.child("volumeDevices"));
    let privileged = container.at(&["securityContext", "privileged"]).is_true();
    let mounted = pairs(&mounts, "mountPath");
    let attached = pairs(&devices, "devicePath");
    let mut paths: HashSet<&str> = HashSet::new();
    for mount in mounts.items() {
        named_volume(&mount.child("name"), volumes, errors);
        let path = mount.child("mountPath");
        if path.text().is_empty() {
            errors.required(&path, "");
        }
        if !paths.insert(path.text()) {
            errors.invalid(&path, path.text(), "must be unique");
        }
        overlap(&mount, &path, &attached, "volumeDevices", errors);
        sub_path(&mounts, &mount, volumes, errors);
        propagation(&mounts, &mount, privileged, errors);
    }
    check_devices(&devices, &mounted, volumes, errors);
}

/// The names and the paths of a list.
fn pairs<'n>(list: &Field<'n>, path: &str) -> Pairs<'n> {
    list.items().iter().map(|item| (item.child("name").text(), item.child(path).text())).unzip()
}

type Pairs<'n> = (HashSet<&'n str>, HashSet<&'n str>);

/// How many names a misspelled one is compared with.
const COMPARED: usize = 100;

fn named_volume(name: &Field<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    let text = name.text();
    if text.is_empty() {
        errors.required(name, "");
    }
    if volumes.accepted(text).is_some() || volumes.has_open_name() {
        return;
    }
    let refused = volumes.named(text).filter(|_| !text.is_empty());
    let meant =
        crate::suggest::nearest(text, volumes.declared().take(COMPARED).map(|declared| declared.child("name").text()));
    let cause = errors.not_found(name, text, "");
    match (refused, meant) {
        (Some(volume), _) => cause
            .says(format!("the container mounts the volume \"{text}\", which is refused itself"))
            .related(volume.place, "this volume is refused"),
        (None, Some(meant)) => cause
            .says(format!("the container mounts the volume \"{text}\", which the Pod does not have"))
            .help(format!("write `{meant}`"))
            .replace(name, meant, Applicability::Unsafe),
        (None, None) => cause
            .says(format!("the container mounts the volume \"{text}\", which the Pod does not have"))
            .help(format!("add a volume named \"{text}\" under `volumes` or `volumeClaimTemplates`")),
    };
}

fn overlap(item: &Field<'_>, path: &Field<'_>, (names, paths): &Pairs<'_>, list: &str, errors: &mut Errors) {
    let name = item.child("name");
    if names.contains(name.text()) {
        errors.invalid(&name, name.text(), &format!("must not already exist in {list}"));
    }
    if paths.contains(path.text()) {
        errors.invalid(path, path.text(), &format!("must not already exist as a path in {list}"));
    }
}

fn sub_path(mounts: &Field<'_>, mount: &Field<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    let (plain, expanded) = (mount.child("subPath"), mount.child("subPathExpr"));
    let image = volumes.accepted(mount.child("name").text()).is_some_and(|volume| volume.child("image").is_set());
    for field in [&plain, &expanded] {
        if image && !field.text().is_empty() && errors.kube_minor < 33 {
            errors.invalid(field, field.text(), "not allowed in image volume sources");
        }
    }
    local_path(&plain.shown_as(format!("{}.subPath", mounts.shown())), errors);
    if expanded.text().is_empty() {
        return;
    }
    if !plain.text().is_empty() {
        errors.invalid(&expanded, expanded.text(), "subPathExpr and subPath are mutually exclusive");
    }
    local_path(&expanded.shown_as(format!("{}.subPathExpr", mounts.shown())), errors);
}

fn propagation(mounts: &Field<'_>, mount: &Field<'_>, privileged: bool, errors: &mut Errors) {
    const MODES: [&str; 3] = ["Bidirectional", "HostToContainer", "None"];
    let mode = mount.child("mountPropagation");
    if mode.is_set() {
        let shown = mode.shown_as(format!("{}.mountPropagation", mounts.shown()));
        if !MODES.contains(&mode.text()) {
            errors.unsupported(&shown, &MODES);
        }
        if mode.text() == "Bidirectional" && !privileged {
            errors.forbidden(&shown, "Bidirectional mount propagation is available only to privileged containers");
        }
    }
    let recursive = mount.child("recursiveReadOnly");
    if !recursive.is_set() {
        return;
    }
    let shown = recursive.shown_as(format!("{}.recursiveReadOnly", mounts.shown()));
    match recursive.text() {
        "Disabled" => {}
        "Enabled" | "IfPossible" => {
            if !mount.child("readOnly").is_true() {
                errors.forbidden(&shown, "may only be specified when readOnly is true");
            }
            if mode.is_set() && mode.text() != "None" {
                errors.forbidden(&shown, "may only be specified when mountPropagation is None or not specified");
            }
        }
        _ => {
            errors.unsupported(&shown, &["Disabled", "Enabled", "IfPossible"]);
        }
    }
}

fn check_devices(devices: &Field<'_>, mounted: &Pairs<'_>, volumes: &Volumes<'_>, errors: &mut Errors) {
    let (mut names, mut paths): (HashSet<&str>, HashSet<&str>) = Default::default();
    for device in devices.items() {
        let (name, path) = (device.child("name"), device.child("devicePath"));
        if name.text().is_empty() {
            errors.required(&name, "");
        }
        if names.contains(&name.text()) {
            errors.invalid(&name, name.text(), "must be unique");
        }
        match volumes.accepted(name.text()) {
            Some(volume) => {
                let claim = ["persistentVolumeClaim", "ephemeral"].iter().any(|kind| volume.child(kind).is_set());
                if !claim {
                    let detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
                    errors.invalid(&name, name.text(), detail);
                }
            }
            None => {
                errors.not_found(&name, name.text(), "");
            }
        }
        if path.text().is_empty() {
            errors.required(&path, "");
        }
        if paths.contains(&path.text()) {
            errors.invalid(&path, path.text(), "must be unique");
        }
        if has_backsteps(path.text()) {
            errors.invalid(&path, path.text(), "can not contain backsteps ('..')");
        } else {
            paths.insert(path.text());
        }
        overlap(&device, &path, mounted, "volumeMounts", errors);
        if !name.text().is_empty() {
            names.insert(name.text());
        }
    }
}
