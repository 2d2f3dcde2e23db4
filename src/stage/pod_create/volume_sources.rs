//! The sources of volumes, in the order in which the server looks at them.

use super::field::Field;
use super::files::{keyed_files, required};
use super::message::{Bad, Errors, json_list};
use super::names;
use super::path::{local_path, no_backsteps};
use super::{persistent_claim, projected};

/// The kinds of sources: the key, and the name that the server prints when it is one too many.
const KINDS: [(&str, &str); 30] = [
    ("emptyDir", "emptyDir"),
    ("hostPath", "hostPath"),
    ("gitRepo", "gitRepo"),
    ("gcePersistentDisk", "gcePersistentDisk"),
    ("awsElasticBlockStore", "awsElasticBlockStore"),
    ("secret", "secret"),
    ("nfs", "nfs"),
    ("iscsi", "iscsi"),
    ("glusterfs", "glusterfs"),
    ("flocker", "flocker"),
    ("persistentVolumeClaim", "persistentVolumeClaim"),
    ("rbd", "rbd"),
    ("cinder", "cinder"),
    ("cephfs", "cephFS"),
    ("quobyte", "quobyte"),
    ("downwardAPI", "downwarAPI"),
    ("fc", "fc"),
    ("flexVolume", "flexVolume"),
    ("configMap", "configMap"),
    ("azureFile", "azureFile"),
    ("vsphereVolume", "vsphereVolume"),
    ("photonPersistentDisk", "photonPersistentDisk"),
    ("portworxVolume", "portworxVolume"),
    ("azureDisk", "azureDisk"),
    ("storageos", "storageos"),
    ("projected", "projected"),
    ("scaleIO", "scaleIO"),
    ("csi", "csi"),
    ("ephemeral", "ephemeral"),
    ("image", "image"),
];

/// Checks the source of one volume. A volume without any becomes an emptyDir by the server's defaults.
pub fn check(volume: &Field<'_>, pod: &str, errors: &mut Errors) {
    let mut first: Option<Field<'_>> = None;
    for (key, forbidden_name) in KINDS {
        let source = volume.child(key);
        if !source.is_set() {
            continue;
        }
        if let Some(first) = &first {
            let shown = source.at_key().shown_as(format!("{}.{forbidden_name}", volume.shown()));
            errors
                .forbidden(&shown, "may not specify more than 1 volume type")
                .says(format!("the volume has two sources, and {key} is the second"))
                .help("keep one of them")
                .related(first.at_key().place, "the first source stands here");
        } else {
            one_source(key, &source, errors);
            if key == "ephemeral" {
                ephemeral_claim_name(volume, pod, errors);
            }
            first = Some(source.clone());
        }
        if key == "iscsi" {
            iscsi_name_length(volume, &source, errors);
        }
    }
}

fn one_source(kind: &str, source: &Field<'_>, errors: &mut Errors) {
    match kind {
        "emptyDir" => empty_dir(source, errors),
        "hostPath" => host_path(source, errors),
        "gitRepo" => {
            required(source, &["repository"], errors);
            local_path(&source.child("directory"), errors);
        }
        "gcePersistentDisk" => {
            let shown = source.shown().replace("gcePersistentDisk", "persistentDisk");
            disk(&source.shown_as(shown), "pdName", errors);
        }
        "awsElasticBlockStore" => disk(source, "volumeID", errors),
        "secret" => keyed_files(source, "secretName", errors),
        "configMap" => keyed_files(source, "name", errors),
        "nfs" => nfs(source, errors),
        "iscsi" => iscsi(source, errors),
        "glusterfs" => required(source, &["endpoints", "path"], errors),
        "flocker" => flocker(source, errors),
        "persistentVolumeClaim" => required(source, &["claimName"], errors),
        "rbd" => {
            required_list(source, "monitors", errors);
            required(source, &["image"], errors);
        }
        "cinder" => {
            required(source, &["volumeID"], errors);
            secret_reference(source, errors);
        }
        "cephfs" => required_list(source, "monitors", errors),
        "quobyte" => quobyte(source, errors),
        "downwardAPI" => projected::downward_api(source, errors),
        "fc" => fibre_channel(source, errors),
        "flexVolume" => flex_volume(source, errors),
        "azureFile" => required(source, &["secretName", "shareName"], errors),
        "vsphereVolume" => required(source, &["volumePath"], errors),
        "photonPersistentDisk" => required(source, &["pdID"], errors),
        "portworxVolume" => required(source, &["volumeID"], errors),
        "azureDisk" => azure_disk(source, errors),
        "storageos" => storage_os(source, errors),
        "projected" => projected::projected(source, errors),
        "scaleIO" => required(source, &["gateway", "system", "volumeName"], errors),
        "csi" => csi(source, errors),
        "ephemeral" => persistent_claim::template(&source.child("volumeClaimTemplate"), errors),
        _ => image(source, errors),
    }
}

fn required_list(source: &Field<'_>, name: &str, errors: &mut Errors) {
    if source.child(name).len() == 0 {
        errors.required(&source.child(name), "");
    }
}

fn secret_reference(source: &Field<'_>, errors: &mut Errors) {
    let reference = source.child("secretRef");
    if reference.is_set() {
        required(&reference, &["name"], errors);
    }
}

fn empty_dir(source: &Field<'_>, errors: &mut Errors) {
    let limit = source.child("sizeLimit");
    if super::resources::quantity(&limit).is_some_and(|limit| limit.is_negative()) {
        errors.forbidden(&limit, "SizeLimit field must be a valid resource quantity").says("`sizeLimit` is below zero");
    }
}

fn host_path(source: &Field<'_>, errors: &mut Errors) {
    const TYPES: [&str; 8] =
        ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
    let path = source.child("path");
    if path.text().is_empty() {
        errors.required(&path, "");
        return;
    }
    no_backsteps(&path, errors);
    let kind = source.child("type");
    if kind.is_set() && !TYPES.contains(&kind.text()) {
        errors.unsupported(&kind, &TYPES);
    }
}

fn disk(source: &Field<'_>, name: &str, errors: &mut Errors) {
    required(source, &[name], errors);
    number_between(&source.child("partition"), 0, 255, (1, 255), errors);
}

fn number_between(field: &Field<'_>, low: i64, high: i64, words: (i64, i64), errors: &mut Errors) {
    if let Some(number) = field.int().filter(|number| !(low..=high).contains(number)) {
        errors.invalid(field, number, &names::in_range(words.0, words.1));
    }
}

fn nfs(source: &Field<'_>, errors: &mut Errors) {
    required(source, &["server", "path"], errors);
    let path = source.child("path");
    if !path.text().starts_with('/') {
        errors.invalid(&path, path.text(), "must be an absolute path");
    }
}

fn iscsi(source: &Field<'_>, errors: &mut Errors) {
    required(source, &["targetPortal"], errors);
    let iqn = source.child("iqn");
    if iqn.text().is_empty() {
        errors.required(&iqn, "");
    } else {
        iscsi_name(&iqn, errors);
    }
    number_between(&source.child("lun"), 0, 255, (0, 255), errors);
    let chap = ["chapAuthDiscovery", "chapAuthSession"].iter().any(|name| source.child(name).is_true());
    if chap && !source.child("secretRef").is_set() {
        errors.required(&source.child("secretRef"), "");
    }
    let initiator = source.child("initiatorName");
    if initiator.is_set() {
        iscsi_name(&initiator.shown_as(format!("{}.initiatorname", source.shown())), errors);
    }
}

fn iscsi_name(field: &Field<'_>, errors: &mut Errors) {
    let text = field.text();
    let hex = |prefix: &str, count| {
        text.strip_prefix(prefix)
            .and_then(|rest| rest.get(1..))
            .is_some_and(|rest| rest.len() == count && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let fits = match text.get(..3) {
        Some("iqn") => is_iqn(text),
        Some("eui") => hex("eui", 16),
        Some("naa") => hex("naa", 32),
        _ => {
            errors.invalid(field, text, "must be valid format starting with iqn, eui, or naa");
            return;
        }
    };
    if !fits {
        errors.invalid(field, text, "must be valid format");
    }
}

/// `iqn.2001-04.com.example:storage`.
fn is_iqn(text: &str) -> bool {
    let Some((head, tail)) = text.split_once(':') else { return false };
    let date = head.strip_prefix("iqn.").and_then(|rest| rest.split_once('.'));
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    date.is_some_and(|(date, authority)| {
        date.split_once('-').is_some_and(|(year, month)| digits(year, 4) && digits(month, 2))
            && !authority.is_empty()
            && authority.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
    }) && !tail.is_empty()
        && !tail.contains([',', ';', '*', '&', '$', '|', ' ', '\t', '\n'])
}

fn iscsi_name_length(volume: &Field<'_>, source: &Field<'_>, errors: &mut Errors) {
    let name = volume.child("name");
    let portal = source.child("targetPortal").text();
    if source.child("initiatorName").is_set() && name.text().len() + 1 + portal.len() > 64 {
        errors.invalid(
            &name,
            name.text(),
            "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.",
        );
    }
}

fn flocker(source: &Field<'_>, errors: &mut Errors) {
    let (name, uuid) = (source.child("datasetName"), source.child("datasetUUID"));
    match (name.text(), uuid.text()) {
        ("", "") => {
            errors.required(source, "one of datasetName and datasetUUID is required");
        }
        ("", _) | (_, "") => {}
        _ => {
            errors.invalid(source, "resource", "datasetName and datasetUUID can not be specified simultaneously");
        }
    }
    if name.text().contains('/') {
        errors.invalid(&name, name.text(), "must not contain '/'");
    }
}

fn quobyte(source: &Field<'_>, errors: &mut Errors) {
    const DETAIL: &str = "must be a host:port pair or multiple pairs separated by commas";
    let (registry, tenant) = (source.child("registry"), source.child("tenant"));
    if registry.text().is_empty() {
        errors.required(&registry, DETAIL);
    } else if tenant.text().len() >= 65 {
        errors.required(&tenant, "must be a UUID and may not exceed a length of 64 characters");
    } else {
        for pair in registry.text().split(',') {
            if pair.matches(':').count() != 1 && !(pair.starts_with('[') && pair.contains("]:")) {
                errors.invalid(&registry, registry.text(), DETAIL);
            }
        }
    }
    required(source, &["volume"], errors);
}

fn fibre_channel(source: &Field<'_>, errors: &mut Errors) {
    let (targets, ids, lun) = (source.child("targetWWNs"), source.child("wwids"), source.child("lun"));
    if targets.len() == 0 && ids.len() == 0 {
        errors.required(&targets, "must specify either targetWWNs or wwids, but not both");
    }
    if targets.len() != 0 && ids.len() != 0 {
        let list = Bad::Json(json_list(&targets.texts()));
        errors.invalid(&targets, list, "targetWWNs and wwids can not be specified simultaneously");
    }
    if targets.len() != 0 {
        if lun.is_set() {
            number_between(&lun, 0, 255, (0, 255), errors);
        } else {
            errors.required(&lun, "lun is required if targetWWNs is specified");
        }
    }
}

fn flex_volume(source: &Field<'_>, errors: &mut Errors) {
    required(source, &["driver"], errors);
    for (key, option) in source.child("options").entries() {
        let namespace = key.split_once('/').map_or(key, |(namespace, _)| namespace);
        let dotted = format!(".{}", namespace.to_lowercase());
        if dotted.ends_with(".kubernetes.io") || dotted.ends_with(".k8s.io") {
            errors.invalid(&option.at_key(), key, "kubernetes.io and k8s.io namespaces are reserved");
        }
    }
}

fn azure_disk(source: &Field<'_>, errors: &mut Errors) {
    const MANAGED: &str =
        "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
    const BLOB: &str = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
    required(source, &["diskName", "diskURI"], errors);
    let (caching, kind, uri) = (source.child("cachingMode"), source.child("kind"), source.child("diskURI"));
    if caching.is_set() && !["None", "ReadOnly", "ReadWrite"].contains(&caching.text()) {
        errors.unsupported(&caching, &["None", "ReadOnly", "ReadWrite"]);
    }
    let kind_text = if kind.is_set() { kind.text() } else { "Shared" };
    if !["Dedicated", "Managed", "Shared"].contains(&kind_text) {
        errors.unsupported(&kind, &["Dedicated", "Managed", "Shared"]);
    }
    if kind_text == "Managed" && !uri.text().starts_with("/subscriptions/") {
        errors.unsupported(&uri, &[MANAGED]);
    }
    if kind_text != "Managed" && !uri.text().starts_with("https://") {
        errors.unsupported(&uri, &[BLOB]);
    }
}

fn storage_os(source: &Field<'_>, errors: &mut Errors) {
    let (name, namespace) = (source.child("volumeName"), source.child("volumeNamespace"));
    if name.text().is_empty() {
        errors.required(&name, "");
    } else {
        errors.invalid_each(&name, name.text(), &names::dns_label(name.text()));
    }
    if !namespace.text().is_empty() {
        errors.invalid_each(&namespace, namespace.text(), &names::dns_label(namespace.text()));
    }
    secret_reference(source, errors);
}

fn csi(source: &Field<'_>, errors: &mut Errors) {
    let driver = source.child("driver");
    if driver.text().is_empty() {
        errors.required(&driver, "");
    }
    if driver.text().len() > 63 {
        errors.too_long(&driver, 63);
    }
    errors.invalid_each(&driver, driver.text(), &names::dns_subdomain(&driver.text().to_lowercase()));
    let secret = source.child("nodePublishSecretRef");
    if !secret.is_set() {
        return;
    }
    let name = secret.child("name");
    if name.text().is_empty() {
        errors.required(&name, "");
    } else {
        let shown = name.shown_as(format!("{}.name", source.shown()));
        errors.invalid_each(&shown, name.text(), &names::dns_subdomain(name.text()));
    }
}

fn ephemeral_claim_name(volume: &Field<'_>, pod: &str, errors: &mut Errors) {
    let name = volume.child("name");
    if pod.is_empty() || name.text().is_empty() {
        return;
    }
    let claim = format!("{pod}-{}", name.text());
    for detail in names::dns_subdomain(&claim) {
        errors.invalid(&name, name.text(), &format!("PVC name {}: {detail}", crate::go::quote(&claim)));
    }
}

fn image(source: &Field<'_>, errors: &mut Errors) {
    required(source, &["reference"], errors);
    let policy = source.child("pullPolicy");
    if policy.is_set() && !["Always", "IfNotPresent", "Never", ""].contains(&policy.text()) {
        errors.unsupported(&policy, &["Always", "IfNotPresent", "Never"]);
    }
}
