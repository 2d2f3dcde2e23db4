//! What vk-cocoon lets pass without a word, though it does something else than it says.

use super::cli::local_snapshot;
use super::{
    BACKEND, CLONE_FROM_DIR, CONN_TYPE, FORCE_PULL, FORK_FROM, HIBERNATE, ID, IMAGE, IP, MANAGED, MODE, NETWORK,
    NO_DIRECT_IO, OS, PROBE_PORT, Path, SNAPSHOT_POLICY, STORAGE,
};
use crate::contract::{Judgement, has_placeholder};
use crate::finding::{Applicability, Outcome, Phase, Severity, Shown, Stage};
use crate::resource::pod::Meta;
use crate::stage::provider::create::{CreatePod, choice, rewrite};
use crate::yaml::Node;
use crate::{go, rule, suggest};

/// Looks at every setting that CreatePod does not refuse.
pub fn check(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    unknown_mode(create, path);
    unknown_os(create, path);
    unknown_hypervisor(create, path);
    frozen_network(create, path);
    inexact_boolean(create);
    invalid_probe_port(create);
    ignored_setting(create, path);
    unknown_snapshot_policy(create, path);
    unknown_connection(create);
    unclonable_image(create, path);
    preset_vm_identity(create);
    hibernate_at_create(create, path);
}

/// Whether the path makes a VM from a snapshot.
fn clones(path: &Path) -> bool {
    matches!(path, Path::FromDir(_) | Path::Fork(_) | Path::Clone)
}

/// The annotation, if its value is one that no release knows.
fn unknown<'a>(create: &CreatePod<'a, '_, '_>, key: &str) -> Option<(&'a Meta, String)> {
    let (meta, spec) = (create.annotation(key)?, create.spec(key)?);
    let values = choice(spec.values.iter().map(String::as_str));
    (spec.judge(&meta.value) == Judgement::Unknown).then_some((meta, values))
}

fn nearest<'a>(create: &CreatePod<'a, '_, '_>, meta: &Meta) -> Option<&'a str> {
    suggest::nearest(&meta.value, create.spec(&meta.key)?.known_values())
}

fn unknown_mode(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let text = create.source();
    let Some((meta, _)) = unknown(create, MODE).filter(|_| *path == Path::Clone) else { return };
    let near = nearest(create, meta);
    let image = create.text(IMAGE).unwrap_or_default();
    let outcome =
        create.outcome(format!("ensure snapshot {}: <the registry's answer>", local_snapshot(image))).uncertain();
    let message = format!("{MODE} is {}, which vk-cocoon takes for clone", go::quote(&meta.value));
    let finding = create.out.add(&rule::UNKNOWN_MODE, create.spot(MODE), message);
    finding.help("write run to boot the image, or clone to clone a snapshot");
    if !image.is_empty() {
        finding.outcome(outcome);
    }
    if let Some(value) = near {
        rewrite(finding, text, meta, safety(meta, value), value);
    }
}

fn safety(meta: &Meta, value: &str) -> Applicability {
    if meta.value.trim().eq_ignore_ascii_case(value) { Applicability::Safe } else { Applicability::Unsafe }
}

fn unknown_os(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let text = create.source();
    let (Some(meta), Some(spec)) = (create.annotation(OS), create.spec(OS)) else { return };
    let value = meta.value.as_str();
    let effect = match spec.judge(value) {
        Judgement::Newer => "which vk-cocoon has no way of its own for; the guest is handled as linux",
        Judgement::Unknown if *path == Path::MacOs => return,
        Judgement::Unknown if value.eq_ignore_ascii_case("linux") => return,
        Judgement::Unknown if value.eq_ignore_ascii_case("windows") => {
            "so the VM boots as Windows, but what vk-cocoon does for Windows guests after the boot is left out"
        }
        Judgement::Unknown => "which vk-cocoon takes for linux",
        Judgement::Known | Judgement::Open => return,
    };
    if matches!(path, Path::Unmanaged | Path::Open) {
        return;
    }
    let near = suggest::nearest(value, spec.values.iter().map(String::as_str));
    let message = format!("{OS} is {}, {effect}", go::quote(value));
    let finding = create.out.add(&rule::UNKNOWN_OS, create.spot(OS), message);
    finding.help("write linux, windows or macos, in lower case");
    if let Some(value) = near {
        rewrite(finding, text, meta, safety(meta, value), value);
    }
}

fn unknown_hypervisor(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let text = create.source();
    let Some((meta, values)) = unknown(create, BACKEND) else { return };
    let value = meta.value.as_str();
    let quoted = go::quote(value);
    let mut outcome = None;
    let message = match path {
        Path::Run => format!("{BACKEND} is {quoted}, which vk-cocoon takes for cloud-hypervisor"),
        Path::Clone | Path::Fork(_) => {
            let (name, image) = (create.text(super::NAME).unwrap_or("<name>"), create.text(IMAGE).unwrap_or_default());
            let local = if let Path::Fork(source) = path { format!("fork-{source}") } else { local_snapshot(image) };
            let words = format!(
                "clone vm {name} from {local}: snapshot {local} was taken with <hypervisor> but CocoonSet requests {value}"
            );
            outcome = Some(create.outcome(words).uncertain());
            format!("{BACKEND} is {quoted}; a clone fails unless its snapshot was taken with just that")
        }
        Path::Unmanaged | Path::MacOs | Path::FromDir(_) | Path::Open => return,
    };
    let near = nearest(create, meta);
    let finding = create.out.add(&rule::UNKNOWN_HYPERVISOR, create.spot(BACKEND), message);
    finding.help(format!("write {values}, or leave it out"));
    finding.outcome = outcome;
    if let Some(value) = near {
        rewrite(finding, text, meta, safety(meta, value), value);
    }
}

/// A firecracker guest keeps the network of its snapshot.
fn frozen_network(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    if !clones(path) || create.text(BACKEND) != Some("firecracker") {
        return;
    }
    let message = "a firecracker guest that is cloned keeps the network settings of its snapshot and is not reached";
    create
        .out
        .add(&rule::FIRECRACKER_CONFLICT, create.spot(BACKEND), message)
        .severity(Severity::Warning)
        .outcome(never_ready().uncertain())
        .help("boot firecracker guests with mode run, or clone with cloud-hypervisor");
}

fn never_ready() -> Outcome {
    Outcome::new(Stage::Running, Shown::Sandbox, Phase::Running)
        .reason("DependenciesNotReady")
        .message("Pod is Running but not Ready")
        .shown_on("Sandbox condition Ready")
        .retries("vk-cocoon probes on, in vain")
}

fn inexact_boolean(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    for key in [MANAGED, FORCE_PULL, NO_DIRECT_IO, HIBERNATE] {
        let Some((meta, _)) = unknown(create, key) else { continue };
        let identified = create.text(ID).is_some() && create.text(IP).is_some();
        if key == MANAGED && !identified {
            continue;
        }
        let message = format!("{key} is {}; only \"true\" is true, so this is false", go::quote(&meta.value));
        let meant = ["true", "yes", "on", "1"].iter().any(|yes| meta.value.trim().eq_ignore_ascii_case(yes));
        let finding = create.out.add(&rule::INEXACT_BOOLEAN, create.spot(key), message);
        finding.help("write \"true\", or leave it out");
        if meant {
            rewrite(finding, text, meta, Applicability::Unsafe, "true");
        }
    }
}

/// Never parsed as a number; a connection to it fails for good.
fn invalid_probe_port(create: &mut CreatePod<'_, '_, '_>) {
    let Some((meta, _)) = unknown(create, PROBE_PORT) else { return };
    let quoted = go::quote(&meta.value);
    // Go looks a name up in the node's list of services.
    let service = meta.value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && meta.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let message = if service {
        format!(
            "{PROBE_PORT} is {quoted}, a name and no port number; whether the node knows it decides whether the Pod is ever Ready"
        )
    } else {
        format!("{PROBE_PORT} is {quoted}, no port number; the Pod runs and is never Ready")
    };
    let outcome = if service { never_ready().uncertain() } else { never_ready() };
    let finding = create.out.add(&rule::INVALID_PROBE_PORT, create.spot(PROBE_PORT), message);
    finding.outcome(outcome).help("write a port from 1 to 65535 in quotes, or leave it out for ICMP");
    if service {
        finding.severity(Severity::Warning);
    }
}

fn ignored_setting(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let set = |key: &&str| create.text(key).is_some();
    let identified = create.text(ID).is_some() && create.text(IP).is_some();
    let (keys, reason): (Vec<&str>, &str) = match path {
        Path::Unmanaged if identified => (
            [MODE, IMAGE, STORAGE, NETWORK, BACKEND, FORCE_PULL, FORK_FROM, CLONE_FROM_DIR].to_vec(),
            "an unmanaged VM is reported as it is",
        ),
        Path::MacOs => (
            [BACKEND, NETWORK, FORK_FROM, CLONE_FROM_DIR, FORCE_PULL, HIBERNATE].to_vec(),
            "a macOS guest has its own runtime",
        ),
        Path::Fork(_) if create.text(MODE).is_some_and(|mode| mode.eq_ignore_ascii_case("run")) => {
            ([MODE, STORAGE, FORCE_PULL].to_vec(), "fork-from wins over mode")
        }
        // A mode that was mistyped is one cause already.
        Path::Clone if unknown(create, MODE).is_some() => return,
        _ if clones(path) => ([STORAGE, FORCE_PULL].to_vec(), "a clone is as its snapshot is"),
        Path::Run if create.text(BACKEND) == Some("firecracker") => {
            ([NO_DIRECT_IO].to_vec(), "firecracker has no such setting")
        }
        _ => return,
    };
    let keys: Vec<&str> = keys.into_iter().filter(set).filter(|key| create.text(key) != Some("false")).collect();
    let Some(first) = keys.first() else { return };
    let message = format!("{reason}: {} {} no effect", keys.join(", "), if keys.len() == 1 { "has" } else { "have" });
    let related: Vec<_> = keys[1..].iter().map(|key| create.spot(key).span).collect();
    let finding = create.out.add(&rule::IGNORED_SETTING, create.spot(first), message).help("remove what has no effect");
    for span in related {
        finding.related(span, "no effect, too");
    }
}

fn unknown_snapshot_policy(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let text = create.source();
    if matches!(path, Path::Unmanaged | Path::MacOs | Path::Open) {
        return;
    }
    if let Some((meta, values)) = unknown(create, SNAPSHOT_POLICY) {
        let near = nearest(create, meta);
        let message = format!("{SNAPSHOT_POLICY} is {}, which vk-cocoon takes for always", go::quote(&meta.value));
        let finding = create.out.add(&rule::UNKNOWN_SNAPSHOT_POLICY, create.spot(SNAPSHOT_POLICY), message);
        finding.help(format!("write {values}"));
        if let Some(value) = near {
            rewrite(finding, text, meta, safety(meta, value), value);
        }
    } else if create.text(SNAPSHOT_POLICY).is_none() {
        snapshot_on_delete(create);
    }
}

/// A Sandbox with a shutdownTime is thrown away; whether others are, only their authors know.
fn snapshot_on_delete(create: &mut CreatePod<'_, '_, '_>) {
    let Some(end) = create.subject.stored.at(&["spec", "shutdownTime"]).map(Node::place) else { return };
    let message = format!(
        "the shutdown at shutdownTime snapshots the VM and pushes the snapshot, since {SNAPSHOT_POLICY} is not set; a push that fails holds the Pod in Terminating"
    );
    create
        .out
        .add(&rule::SNAPSHOT_ON_DELETE, create.spot(SNAPSHOT_POLICY), message)
        .related(end, "the Pod is deleted then")
        .help(format!("write {SNAPSHOT_POLICY}: never for a sandbox that nobody resumes, always to keep this"));
}

fn unknown_connection(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    let Some((meta, values)) = unknown(create, CONN_TYPE) else { return };
    let near = nearest(create, meta);
    let message = format!("{CONN_TYPE} is {}; nothing checks it, and no client knows it", go::quote(&meta.value));
    let finding = create.out.add(&rule::UNKNOWN_CONNECTION, create.spot(CONN_TYPE), message);
    finding.help(format!("write {values}, or leave it out"));
    if let Some(value) = near {
        rewrite(finding, text, meta, safety(meta, value), value);
    }
}

/// A snapshot is `repo[:tag]`, cut at the first colon.
fn unclonable_image(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let Some(meta) = create.annotation(IMAGE).filter(|_| *path == Path::Clone) else { return };
    let image = meta.value.as_str();
    let (repository, tag) = image.split_once(':').unwrap_or((image, "latest"));
    let fault = if has_placeholder(image) {
        return;
    } else if image.starts_with("http://") || image.starts_with("https://") {
        "is a URL"
    } else if image.contains('@') {
        "has a digest"
    } else if tag.contains('/') {
        "has a registry port"
    } else if !is_repository(repository) {
        "is no repository in lower case"
    } else if !is_tag(tag) {
        "has no valid tag"
    } else {
        return;
    };
    let words = format!("ensure snapshot {}: <the registry's answer>", local_snapshot(image));
    let outcome = create.outcome(words).uncertain();
    let message =
        format!("{IMAGE} {} {fault}; mode clone reads it as repo[:tag], cut at the first colon", go::quote(image));
    create
        .out
        .add(&rule::UNCLONABLE_IMAGE, create.spot(IMAGE), message)
        .outcome(outcome)
        .help(format!("name a snapshot as repo[:tag], or write {MODE}: run to boot an image"));
}

/// `[a-z0-9]+` joined by `.`, `_`, `__`, dashes or slashes.
fn is_repository(text: &str) -> bool {
    text.split('/').all(|part| {
        let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let ends = [part.bytes().next(), part.bytes().last()];
        ends.into_iter().all(|end| end.is_some_and(letters))
            && part.bytes().all(|byte| letters(byte) || matches!(byte, b'.' | b'_' | b'-'))
            && !["..", "._", "_.", ".-", "-.", "_-", "-_", "___"].iter().any(|pair| part.contains(pair))
    })
}

fn is_tag(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= 128
        && text.bytes().next().is_some_and(word)
        && text.bytes().all(|byte| word(byte) || matches!(byte, b'.' | b'-'))
}

/// The controller writes them back again and again, so the VM's own id and address never stay.
fn preset_vm_identity(create: &mut CreatePod<'_, '_, '_>) {
    if create.text(MANAGED) != Some("true") {
        return;
    }
    let metas: Vec<&Meta> = [ID, IP].into_iter().filter_map(|key| create.annotation(key)).collect();
    let Some(first) = metas.first() else { return };
    let keys: Vec<&str> = metas.iter().map(|meta| meta.key.as_str()).collect();
    let name = create.text(super::NAME).unwrap_or("<name>");
    let words = format!(
        "run vm {name}: cocoon vm run: exit status 1 (stderr: Error: create VM: vm name \"{name}\" already exists (id: <id>))"
    );
    let message = format!(
        "{MANAGED} is \"true\", and the author's {} {} the value vk-cocoon writes back; it does not find its VM again once it restarts",
        keys.join(" and "),
        if keys.len() == 1 { "hides" } else { "hide" }
    );
    let outcome = create.outcome(words);
    let spot = create.key_spot(first);
    create
        .out
        .add(&rule::PRESET_VM_IDENTITY, spot, message)
        .outcome(outcome)
        .help(format!("remove {}, or leave {MANAGED} out for a VM that exists already", keys.join(" and ")));
}

fn hibernate_at_create(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    if create.text(HIBERNATE) != Some("true") || matches!(path, Path::MacOs | Path::Unmanaged) {
        return;
    }
    let message = format!(
        "{HIBERNATE} is not read when the Pod is created; the first later edit of any annotation hibernates the VM"
    );
    create
        .out
        .add(&rule::HIBERNATE_AT_CREATE, create.spot(HIBERNATE), message)
        .help("leave it out and set it when the VM is to hibernate");
}
