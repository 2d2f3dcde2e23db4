//! Does the Pod stay up and do what its author meant?

use super::Subject;
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::go::quote;
use crate::names;
use crate::resource::{Kind, pod};
use crate::rule;
use crate::yaml::Node;

mod amounts;
mod lease;
mod network;
mod ports;

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    if world.aggregated_api {
        return;
    }
    no_runtime_class(subject, out);
    runtime_class_unread(subject, world, out);
    network::managed_network(subject, out);
    network::unused_network_policy(subject, out);
    token_mounted(subject, out);
    unmounted_claim(subject, out);
    lease::lease_too_short(subject, world, out);
    service_name(subject, out);
    blanket_toleration(subject, out);
    amounts::fractional_bytes(subject, out);
    ports::unknown_port_name(subject, out);
}

/// Whether the Pod is an ordinary node's, and was meant to be.
fn on_kubelet(subject: &Subject<'_>) -> bool {
    let meant = subject.intent.backend().is_none_or(|backend| backend == "kubelet");
    let placed = subject.placement.backend.as_deref().is_none_or(|backend| backend == "kubelet");
    meant && placed && subject.intent.name() == "kubelet"
}

fn is_sandbox(subject: &Subject<'_>) -> bool {
    matches!(subject.resource.kind, Kind::Sandbox | Kind::SandboxTemplate)
}

/// An ordinary container is no sandbox: the isolation comes from a RuntimeClass there.
fn no_runtime_class(subject: &Subject<'_>, out: &mut Findings) {
    let named = subject.plan.spec.get("runtimeClassName").and_then(Node::as_str).is_some_and(|name| !name.is_empty());
    if named || !is_sandbox(subject) || !on_kubelet(subject) {
        return;
    }
    let spot = Spot::new(spec_key(subject), subject.plan.spec_path.clone());
    out.add(
        &rule::NO_RUNTIME_CLASS,
        spot,
        "no runtimeClassName: the Pod runs as an ordinary container, not isolated from its node",
    )
    .help("name a RuntimeClass of the cluster in runtimeClassName, such as one for Kata Containers or gVisor");
}

/// The key of the Pod's spec, to point at what is missing in it.
fn spec_key(subject: &Subject<'_>) -> crate::yaml::Span {
    let parent = pod::template_keys(subject.resource.kind).and_then(|keys| subject.stored.at(keys));
    parent.and_then(|parent| parent.entry("spec")).map_or(subject.plan.spec.place(), |entry| entry.key_span)
}

/// The provider of a virtual node does not read runtimeClassName; the API server still does.
fn runtime_class_unread(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let Some(node) = subject.plan.spec.get("runtimeClassName") else { return };
    let Some(name) = node.as_str().filter(|name| !name.is_empty()) else { return };
    let Some(backend) = subject.serving_backend().and_then(|backend| world.contract.backend(backend)) else { return };
    if backend.reads_runtime_class_name {
        return;
    }
    let message = format!(
        "{} does not read runtimeClassName; where the cluster has no RuntimeClass `{name}` the Pod is refused all the same",
        backend.provider
    );
    out.add(&rule::RUNTIME_CLASS_UNREAD, Spot::of(node, subject.plan.path("runtimeClassName")), message)
        .help("remove runtimeClassName; the microVM is the isolation");
}

/// A Sandbox of its own gets the ServiceAccount's token; one from a template does not.
fn token_mounted(subject: &Subject<'_>, out: &mut Findings) {
    let spec = &subject.plan.spec;
    if subject.resource.kind != Kind::Sandbox || !on_kubelet(subject) {
        return;
    }
    if spec.get("automountServiceAccountToken").is_some() || spec.get("serviceAccountName").is_some() {
        return;
    }
    let spot = Spot::new(spec_key(subject), subject.plan.spec_path.clone());
    out.add(&rule::TOKEN_MOUNTED, spot, "the namespace's default ServiceAccount token is mounted into the sandbox")
        .help("set automountServiceAccountToken: false; a Sandbox from a SandboxTemplate has that by default");
}

/// A claim of volumeClaimTemplates that no container mounts.
fn unmounted_claim(subject: &Subject<'_>, out: &mut Findings) {
    let spec = &subject.plan.spec;
    let containers = ["initContainers", "containers", "ephemeralContainers"];
    let uses = |name: &str| {
        containers.iter().filter_map(|field| spec.get(field)).flat_map(|list| list.items()).any(|container| {
            ["volumeMounts", "volumeDevices"]
                .iter()
                .filter_map(|field| container.get(field))
                .flat_map(|mounts| mounts.items())
                .any(|mount| mount.get("name").and_then(Node::as_str) == Some(name))
        })
    };
    for (index, template) in subject.plan.claim_templates.iter().enumerate() {
        let Some(node) = template.at(&["metadata", "name"]) else { continue };
        let Some(name) = node.as_str().filter(|name| !name.is_empty() && !uses(name)) else { continue };
        let path = subject.resource.path(&format!("spec.volumeClaimTemplates[{index}].metadata.name"));
        let message =
            format!("no container mounts the claim `{name}`: the volume is made, and paid for, and never used");
        out.add(&rule::UNMOUNTED_CLAIM, Spot::of(node, path), message)
            .help(format!("add a volumeMount with name `{name}` to a container, or remove the claim"));
    }
}

/// `service: true` makes a Service of the Sandbox's name, and Services have stricter names.
fn service_name(subject: &Subject<'_>, out: &mut Findings) {
    let name = subject.resource.name();
    let wanted = subject.stored.at(&["spec", "service"]).and_then(Node::as_bool) == Some(true);
    if subject.resource.kind != Kind::Sandbox || !wanted {
        return;
    }
    let Some((why, outcome)) = refused_service(name) else { return };
    let node = subject.stored.at(&["metadata", "name"]).unwrap_or(&subject.stored);
    let message =
        format!("service: true makes a Service called `{name}`, which the API server refuses: the name {why}");
    out.add(&rule::SERVICE_NAME, Spot::of(node, subject.resource.path("metadata.name")), message)
        .help("give the Sandbox a name of at most 63 lower-case letters, digits and dashes, or leave service out")
        .outcome(outcome);
}

/// Why the API server refuses a Service of a Sandbox's name, if it does, and what the Sandbox shows then.
pub fn refused_service(name: &str) -> Option<(&'static str, Outcome)> {
    let why = match name.contains('.') {
        true => "has a dot",
        false if name.len() > 63 => "is longer than 63 characters",
        false => return None,
    };
    let lines: Vec<String> = names::dns_label(name)
        .iter()
        .map(|detail| format!("metadata.name: Invalid value: {}: {detail}", quote(name)))
        .collect();
    let reasons = if lines.len() == 1 { lines.concat() } else { format!("[{}]", lines.join(", ")) };
    let outcome = Outcome::new(Stage::Running, Shown::Sandbox, Phase::Running)
        .reason("ReconcilerError")
        .message(format!("Error seen: Service {} is invalid: {reasons}", quote(name)))
        .shown_on("Sandbox condition Ready");
    Some((why, outcome))
}

/// A toleration of everything lets the Pod onto every tainted node, the control plane included.
fn blanket_toleration(subject: &Subject<'_>, out: &mut Findings) {
    let Some(tolerations) = subject.plan.spec.get("tolerations") else { return };
    for (index, toleration) in tolerations.items().enumerate() {
        let text = |key: &str| toleration.get(key).and_then(Node::as_str).unwrap_or_default();
        if text("key").is_empty() && text("operator") == "Exists" && text("effect").is_empty() {
            let spot = Spot::of(toleration, subject.plan.path(&format!("tolerations[{index}]")));
            let finding = out.add(
                &rule::BLANKET_TOLERATION,
                spot,
                "tolerates every taint, those of control plane nodes included",
            );
            finding.help("name the taint: `key: virtual-kubelet.io/provider` for a virtual node");
            finding.severity(Severity::Note).stage(Stage::Running);
        }
    }
}
