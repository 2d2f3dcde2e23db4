//! The hook `vk-cocoon`: vk-cocoon's CreatePod. Which annotations count, and in which order, depends on the way in which it
//! comes to a VM, and the `cocoon` command reads sizes and names its own way; the data cannot express that.

mod cli;
pub(crate) mod keys;
mod settings;

use super::annotate::supply;
use super::create::{CreatePod, Failure, STATUS, STATUS_AFTER_TRACKING, rewrite};
use crate::contract::{Judgement, has_placeholder};
use crate::finding::{Applicability, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::resource::Kind;
use crate::yaml::Node;
use crate::{go, rule};
use keys::{
    BACKEND, CLONE_FROM_DIR, CONN_TYPE, CPU_CLASS, FORCE_PULL, FORK_FROM, HIBERNATE, ID, IMAGE, IP, MANAGED, MODE,
    NAME, NETWORK, NO_DIRECT_IO, OS, PROBE_PORT, SNAPSHOT_POLICY, STORAGE,
};

/// The annotations that this hook judges; what a pack adds to the backend is judged by its data.
pub const JUDGED: [&str; 18] = [
    NAME,
    ID,
    IP,
    FORK_FROM,
    CLONE_FROM_DIR,
    BACKEND,
    NO_DIRECT_IO,
    PROBE_PORT,
    CONN_TYPE,
    HIBERNATE,
    MANAGED,
    MODE,
    IMAGE,
    OS,
    STORAGE,
    NETWORK,
    SNAPSHOT_POLICY,
    FORCE_PULL,
];

/// The way in which CreatePod comes to a VM.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Path {
    /// A VM that exists is reported as it is.
    Unmanaged,
    /// The macOS runtime boots an image.
    MacOs,
    /// A snapshot in a directory of the host is cloned.
    FromDir(String),
    /// A live VM is forked.
    Fork(String),
    /// An image is booted.
    Run,
    /// A snapshot is cloned.
    Clone,
    /// A placeholder decides.
    Open,
}

/// Judges one Pod in the provider's own order of checks, then what it lets pass without a word.
pub fn check(create: &mut CreatePod<'_, '_, '_>) {
    let path = path(create);
    missing_vm_name(create);
    unclassified_node(create);
    match &path {
        Path::Unmanaged => {
            unmanaged_without_identity(create);
            invalid_vm_ip(create);
        }
        Path::MacOs => missing_image(create, &path),
        Path::Open => {}
        Path::FromDir(_) | Path::Fork(_) | Path::Run | Path::Clone => {
            invalid_clone_directory(create);
            cli::check(create, &path);
        }
    }
    settings::check(create, &path);
}

fn path(create: &CreatePod<'_, '_, '_>) -> Path {
    let text = |key| create.text(key).unwrap_or_default();
    if [MANAGED, MODE, OS, FORK_FROM, CLONE_FROM_DIR].iter().any(|key| has_placeholder(text(key))) {
        return Path::Open;
    }
    let directory = text(CLONE_FROM_DIR).trim();
    match text(MANAGED) {
        "true" if text(OS).trim().eq_ignore_ascii_case("macos") => Path::MacOs,
        "true" if !directory.is_empty() => Path::FromDir(directory.into()),
        "true" if !text(FORK_FROM).is_empty() => Path::Fork(text(FORK_FROM).into()),
        "true" if text(MODE).to_lowercase() == "run" => Path::Run,
        "true" => Path::Clone,
        _ => Path::Unmanaged,
    }
}

fn missing_vm_name(create: &mut CreatePod<'_, '_, '_>) {
    let Some(spec) = create.spec(NAME).filter(|_| create.text(NAME).is_none()) else { return };
    let template = create.subject.resource.kind == Kind::SandboxTemplate;
    let help = if template {
        "a template cannot name the VM, as all its Sandboxes would share it: give each claim the name in additionalPodMetadata with a pool of replicas 0, or write a Sandbox for each".into()
    } else {
        let plan = &create.subject.plan;
        format!("write {NAME}: sandbox-{}-{} under {}.annotations", plan.namespace, plan.name, plan.metadata_path)
    };
    let finding = create.fail(Failure {
        rule: &rule::MISSING_VM_NAME,
        spot: create.spot(NAME),
        message: format!("the annotation {NAME} is {}; vk-cocoon names the VM by it", create.state(NAME)),
        words: create.words(spec.missing.as_ref(), spec),
        help,
        shown_on: STATUS,
    });
    if template {
        finding.severity(Severity::Warning);
    } else {
        let name = format!("sandbox-{}-{}", create.subject.plan.namespace, create.subject.plan.name);
        if spec.judge(&name) == Judgement::Known {
            supply(create, NAME, &name);
        }
    }
}

/// The class is a label that only some nodes have, so the scheduler sees to it unless nodeName goes around it.
fn unclassified_node(create: &mut CreatePod<'_, '_, '_>) {
    let plan = &create.subject.plan;
    let Some(node) = plan.spec.get("nodeSelector").and_then(|selector| selector.get(CPU_CLASS)) else { return };
    let (Some(class), Some(pinned)) = (node.as_str(), plan.node_name()) else { return };
    let shape = create.world.nodes.iter().find(|shape| shape.name == pinned);
    let has = shape.and_then(|shape| shape.labels.get(CPU_CLASS));
    if class.is_empty() || has_placeholder(class) || has.is_some_and(|has| has == class) {
        return;
    }
    let pod = create.pod();
    let words = match has {
        Some(has) => format!(
            "pod {pod} requires snapshot compatibility class {} but node {pinned} provides {}",
            go::quote(class),
            go::quote(has)
        ),
        None => {
            format!(
                "pod {pod} requires snapshot compatibility class {} but node {pinned} is unclassified",
                go::quote(class)
            )
        }
    };
    let spot = Spot::of(node, plan.path(&format!("nodeSelector.{CPU_CLASS}")));
    let failure = Failure {
        rule: &rule::UNCLASSIFIED_NODE,
        spot,
        message: format!(
            "nodeName {pinned} goes around the nodeSelector {CPU_CLASS}: {class}, and vk-cocoon checks it again"
        ),
        words,
        help: "leave nodeName out, so that the scheduler finds a node of the class".into(),
        shown_on: STATUS,
    };
    // Which class a node has is the cluster's choice.
    create.fail(failure).severity(Severity::Warning);
}

fn unmanaged_without_identity(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    let Some(spec) = create.spec(ID) else { return };
    if create.text(ID).is_some() && create.text(IP).is_some() {
        return;
    }
    let managed = create.annotation(MANAGED);
    let (spot, reason) = match managed {
        Some(meta) => (create.spot(MANAGED), format!("{MANAGED} is {}, not \"true\"", go::quote(&meta.value))),
        None => (create.spot(MANAGED), format!("{MANAGED} is missing")),
    };
    let finding = create.fail(Failure {
        rule: &rule::UNMANAGED_WITHOUT_IDENTITY,
        spot,
        message: format!("{reason}, so vk-cocoon boots no VM and wants the {ID} and {IP} of one that exists"),
        words: create.words(spec.missing.as_ref(), spec),
        help: format!("write {MANAGED}: \"true\" to have the VM made, or both {ID} and {IP}"),
        shown_on: STATUS_AFTER_TRACKING,
    });
    if let Some(meta) = managed {
        let safety =
            if meta.value.trim().eq_ignore_ascii_case("true") { Applicability::Safe } else { Applicability::Unsafe };
        rewrite(finding, text, meta, safety, "true");
    } else if create.text(ID).is_none() && create.text(IP).is_none() {
        supply(create, MANAGED, "true");
    }
}

/// CreatePod succeeds, and the API server refuses every status that carries the address.
fn invalid_vm_ip(create: &mut CreatePod<'_, '_, '_>) {
    let (Some(meta), Some(_)) = (create.annotation(IP), create.text(ID)) else { return };
    if has_placeholder(&meta.value) || meta.value.parse::<std::net::IpAddr>().is_ok() {
        return;
    }
    let outcome = Outcome::new(Stage::Provider, Shown::Pod, Phase::Pending)
        .shown_on("nothing but the phase: no reason, no message, no warning event")
        .retries("vk-cocoon pushes the status again, in vain");
    create.out.stop(outcome.clone());
    let message = format!(
        "{IP} is {}, not an IP address; the API server refuses every status of the Pod",
        go::quote(&meta.value)
    );
    create
        .out
        .add(&rule::INVALID_VM_IP, create.spot(IP), message)
        .outcome(outcome)
        .help("write the VM's address, such as 10.0.0.7");
}

/// Checked wherever a Linux or Windows VM is made, even where another way wins.
fn invalid_clone_directory(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    let Some(meta) = create.annotation(CLONE_FROM_DIR) else { return };
    let directory = meta.value.trim();
    let clean = go::clean_path(directory);
    let quoted = go::quote(directory);
    let (words, help) = if directory.is_empty() {
        return;
    } else if !directory.starts_with('/') {
        (format!("must be an absolute path, got {quoted}"), "write the path from / on".to_owned())
    } else if clean != directory {
        (format!("must be a canonical path, got {quoted} (cleaned: {})", go::quote(&clean)), format!("write {clean}"))
    } else if create.text(MODE).is_some_and(|mode| mode.to_lowercase() == "run") {
        ("is incompatible with mode=run".to_owned(), format!("leave out one of the two, or write {MODE}: clone"))
    } else if let Some(source) = create.text(FORK_FROM) {
        (format!("is incompatible with fork-from {}", go::quote(source)), "leave out one of the two".to_owned())
    } else {
        return;
    };
    let words = format!("annotation {CLONE_FROM_DIR} {words}");
    let canonical = directory.starts_with('/') && clean != directory;
    let finding = create.fail(Failure {
        rule: &rule::INVALID_CLONE_DIRECTORY,
        spot: create.spot(CLONE_FROM_DIR),
        message: words.clone(),
        words,
        help,
        shown_on: STATUS_AFTER_TRACKING,
    });
    if canonical {
        rewrite(finding, text, meta, Applicability::Safe, &clean);
    }
}

fn missing_image(create: &mut CreatePod<'_, '_, '_>, path: &Path) {
    let name = create.text(NAME).unwrap_or("<name>");
    if create.text(IMAGE).is_some() {
        return;
    }
    let words = match path {
        Path::MacOs => format!("macos pod {} missing {IMAGE} annotation", create.pod()),
        Path::Run => format!(
            "run vm {name}: cocoon vm run: exit status 1 (stderr: Error: image \"\" not resolved: oci: image \"\" not found for VM {name}; cloudimg: image \"\" not found for VM {name})"
        ),
        Path::Clone => format!(
            "clone vm {name} from : cocoon vm clone: exit status 1 (stderr: Error: inspect snapshot : snapshot not found)"
        ),
        Path::Unmanaged | Path::FromDir(_) | Path::Fork(_) | Path::Open => return,
    };
    let what = if *path == Path::Clone { "the snapshot to clone" } else { "the image to boot" };
    create.fail(Failure {
        rule: &rule::MISSING_IMAGE,
        spot: create.spot(IMAGE),
        message: format!(
            "the annotation {IMAGE} is {}; the container's image is not what vk-cocoon looks at",
            create.state(IMAGE)
        ),
        words,
        help: format!("write {IMAGE} with {what} under {}.annotations", create.subject.plan.metadata_path),
        shown_on: STATUS_AFTER_TRACKING,
    });
}

/// The first container, the only one that sizes the VM.
fn first_container<'a>(create: &CreatePod<'a, '_, '_>) -> Option<&'a Node<'a>> {
    create.subject.plan.spec.get("containers")?.items().next()
}
