//! The checks of level `restricted`, in the order of their names.

use super::baseline::proc_mount;
use super::check::{Offenders, Violation, plural, quoted};
use crate::stage::pod_create::Pod;
use crate::stage::pod_create::field::Field;
use std::collections::BTreeSet;

/// From this release on, some checks do not count for Pods of Windows.
const WINDOWS: u32 = 25;

/// From this release on, `restricted` has a check of procMount of its own.
pub const PROC_MOUNT_MOVED: u32 = 35;

/// From this release on, clusters can free Pods with a user namespace of their own from some checks; from 1.35 on all do.
const USER_NAMESPACES: u32 = 29;

/// Whether the checks of users and of procMount do not count on some clusters.
pub fn may_be_relaxed(pod: &Pod<'_>, minor: u32) -> bool {
    minor >= USER_NAMESPACES && pod.spec.child("hostUsers").flag() == Some(false)
}

/// All that the Pod violates.
pub fn check<'n>(pod: &Pod<'n>, minor: u32) -> Vec<Violation<'n>> {
    let windows = minor >= WINDOWS && pod.spec.at(&["os", "name"]).text() == "windows";
    let relaxed = may_be_relaxed(pod, minor);
    let checks = [
        allow_privilege_escalation(pod).filter(|_| minor >= 8 && !windows),
        capabilities(pod).filter(|_| minor >= 22 && !windows),
        proc_mount(pod).filter(|_| minor >= PROC_MOUNT_MOVED),
        volume_types(pod),
        run_as_non_root(pod).filter(|_| !relaxed),
        run_as_user(pod).filter(|_| minor >= 23 && !relaxed),
        seccomp_profile(pod).filter(|_| minor >= 19 && !windows),
    ];
    checks.into_iter().flatten().collect()
}

fn allow_privilege_escalation<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::among(pod, &["allowPrivilegeEscalation"], |field| field.flag() != Some(false));
    Some(Violation {
        field: bad.first()?,
        reason: "allowPrivilegeEscalation != false".into(),
        detail: format!("{} must set securityContext.allowPrivilegeEscalation=false", bad.named()),
        help: "set securityContext.allowPrivilegeEscalation: false in every container",
    })
}

fn capabilities<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let keeps = |field: &Field<'n>| !field.texts().contains(&"ALL");
    let adds = |name: &&str| *name != "NET_BIND_SERVICE";
    let keeping = Offenders::among(pod, &["capabilities", "drop"], keeps);
    let adding = Offenders::among(pod, &["capabilities", "add"], |field| field.texts().iter().any(&adds));
    let mut details = Vec::new();
    if !keeping.containers.is_empty() {
        details.push(format!("{} must set securityContext.capabilities.drop=[\"ALL\"]", keeping.named()));
    }
    if !adding.containers.is_empty() {
        let added = adding.containers.iter().flat_map(|(_, field)| field.texts());
        let added: BTreeSet<&str> = added.filter(&adds).collect();
        let added: Vec<&str> = added.into_iter().collect();
        let names = quoted(&added);
        details.push(format!("{} must not include {names} in securityContext.capabilities.add", adding.named()));
    }
    Some(Violation {
        field: keeping.first().or_else(|| adding.first())?,
        reason: "unrestricted capabilities".into(),
        detail: details.join("; "),
        help: "set securityContext.capabilities.drop: [ALL] in every container; add NET_BIND_SERVICE at most",
    })
}

const ALLOWED: [&str; 8] =
    ["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"];

/// Volume sources as the server looks for them; what is none of these is `unknown`.
const RESTRICTED: [&str; 21] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "nfs",
    "iscsi",
    "glusterfs",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "fc",
    "azureFile",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "portworxVolume",
    "scaleIO",
    "storageos",
];

fn volume_types<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let mut names = Vec::new();
    let mut types = BTreeSet::new();
    let mut first = None;
    for volume in pod.spec.child("volumes").items() {
        // A volume without any source is an emptyDir.
        let sources = volume.entries().into_iter().filter(|(key, field)| *key != "name" && !is_null(field)).count();
        if sources == 0 || ALLOWED.iter().any(|source| volume.child(source).is_set()) {
            continue;
        }
        names.push(volume.child("name").text());
        types.insert(*RESTRICTED.iter().find(|source| volume.child(source).is_set()).unwrap_or(&"unknown"));
        first.get_or_insert(volume);
    }
    let types: Vec<&str> = types.into_iter().collect();
    Some(Violation {
        field: first?,
        reason: "restricted volume types".into(),
        detail: format!(
            "{} {} {} {} {}",
            plural("volume", "volumes", names.len()),
            quoted(&names),
            plural("uses", "use", names.len()),
            plural("restricted volume type", "restricted volume types", types.len()),
            quoted(&types)
        ),
        help: "mount what the volume holds by a PersistentVolumeClaim, or leave it out",
    })
}

fn is_null(field: &Field<'_>) -> bool {
    field.node.is_none_or(|node| node.is_null())
}

fn run_as_non_root<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let reason = "runAsNonRoot != true".to_owned();
    let help = "set securityContext.runAsNonRoot: true for the Pod, and run the image as another user than root";
    let bad = Offenders::anywhere(pod, &["runAsNonRoot"], |field| field.flag() == Some(false));
    if let Some(field) = bad.first() {
        let detail = format!("{} must not set securityContext.runAsNonRoot=false", bad.setters());
        return Some(Violation { field, reason, detail, help });
    }
    if pod.spec.at(&["securityContext", "runAsNonRoot"]).is_true() {
        return None;
    }
    let open = Offenders::among(pod, &["runAsNonRoot"], |field| field.flag().is_none());
    let detail = format!("pod or {} must set securityContext.runAsNonRoot=true", open.named());
    Some(Violation { field: open.first()?, reason, detail, help })
}

fn run_as_user<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::anywhere(pod, &["runAsUser"], |field| field.int() == Some(0));
    Some(Violation {
        field: bad.first()?,
        reason: "runAsUser=0".into(),
        detail: format!("{} must not set runAsUser=0", bad.setters()),
        help: "write another user than 0 in runAsUser, or leave it out",
    })
}

/// Types that both levels take.
pub fn is_valid_profile(kind: &str) -> bool {
    matches!(kind, "Localhost" | "RuntimeDefault")
}

fn seccomp_profile<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let reason = "seccompProfile".to_owned();
    let help = "set securityContext.seccompProfile.type: RuntimeDefault for the Pod";
    let bad = Offenders::anywhere(pod, &["seccompProfile", "type"], |field| {
        field.is_set() && !is_valid_profile(field.text())
    });
    if let Some(field) = bad.first() {
        let types = quoted(&bad.texts());
        let detail = format!("{} must not set securityContext.seccompProfile.type to {types}", bad.setters());
        return Some(Violation { field, reason, detail, help });
    }
    if pod.spec.at(&["securityContext", "seccompProfile", "type"]).is_set() {
        return None;
    }
    let open = Offenders::among(pod, &["seccompProfile"], |field| !field.is_set());
    let detail = format!(
        "pod or {} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"",
        open.named()
    );
    Some(Violation { field: open.first()?, reason, detail, help })
}
