//! Containers, init containers and ephemeral containers.

use super::Pod;
use super::field::Field;
use super::message::{Bad, Errors};
use super::volumes::Volumes;
use super::{env, mounts, names, probes, resources, security};
use crate::finding::Applicability;
use crate::rule;
use std::collections::HashSet;

const PULL_POLICIES: [&str; 3] = ["Always", "IfNotPresent", "Never"];
const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];

/// The release that lets ordinary containers have a restartPolicy of their own.
const RESTART_RULES: u32 = 35;

/// What containers are checked against.
pub struct ContainerContext<'p, 'n> {
    /// The Pod.
    pub pod: &'p Pod<'n>,
    /// The Pod's volumes.
    pub volumes: &'p Volumes<'n>,
    /// Names of `spec.resourceClaims`.
    pub claims: Vec<&'n str>,
    /// `terminationGracePeriodSeconds` with its default.
    pub grace: i64,
}

/// Checks `spec.containers`.
pub fn invalid_container(around: &ContainerContext<'_, '_>, errors: &mut Errors) {
    let list = around.pod.spec.child("containers");
    errors.about(&rule::INVALID_CONTAINER);
    if list.len() == 0 {
        errors.required(&list, "").says("the Pod has no container").help("add a container with a name and an image");
        return;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for container in list.items() {
        common(&container, around, errors);
        errors.about(&rule::INVALID_CONTAINER);
        unique_name(&container, &mut seen, errors);
        errors.about(&rule::INVALID_PROBE);
        probes::lifecycle(&container.child("lifecycle"), Some(around.grace), errors);
        probes::invalid_probe(&container, errors);
        errors.about(&rule::INVALID_CONTAINER);
        restart_policy(&container, errors);
    }
    host_ports(&list.items(), around, errors);
}

/// Checks `spec.initContainers`.
pub fn invalid_init_container(around: &ContainerContext<'_, '_>, errors: &mut Errors) {
    let list = around.pod.spec.child("initContainers");
    let regular = around.pod.spec.child("containers").items();
    let mut seen: HashSet<&str> = regular.iter().map(|container| container.child("name").text()).collect();
    for container in list.items() {
        common(&container, around, errors);
        errors.about(&rule::INVALID_CONTAINER);
        init_restart_policy(&container, errors);
        unique_name(&container, &mut seen, errors);
        host_ports(std::slice::from_ref(&container), around, errors);
        errors.about(&rule::INVALID_PROBE);
        if container.child("restartPolicy").text() == "Always" {
            probes::lifecycle(&container.child("lifecycle"), Some(around.grace), errors);
            probes::invalid_probe(&container, errors);
            continue;
        }
        for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            let field = container.child(name);
            if field.is_set() {
                errors
                    .forbidden(&field.at_key(), "may not be set for init containers without restartPolicy=Always")
                    .help("remove it, or make the init container a sidecar with `restartPolicy: Always`");
            }
        }
    }
}

/// Checks `spec.ephemeralContainers`, which a new Pod can't have anyway.
pub fn ephemeral_containers(around: &ContainerContext<'_, '_>, errors: &mut Errors) {
    const FORBIDDEN: [&str; 6] = ["ports", "resources", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"];
    let spec = &around.pod.spec;
    let others: HashSet<&str> = ["containers", "initContainers"]
        .iter()
        .flat_map(|list| spec.child(list).items())
        .map(|container| container.child("name").text())
        .collect();
    let mut seen = others.clone();
    for container in spec.child("ephemeralContainers").items() {
        common(&container, around, errors);
        errors.about(&rule::INVALID_CONTAINER);
        untrimmed_image(&container, errors);
        unique_name(&container, &mut seen, errors);
        let target = container.child("targetContainerName");
        if !target.text().is_empty() && !others.contains(target.text()) {
            errors.not_found(&target, target.text(), "");
        }
        for field in FORBIDDEN.map(|name| container.child(name)).iter().filter(|field| field.is_set()) {
            errors.forbidden(&field.at_key(), "cannot be set for an Ephemeral Container");
        }
        for mount in container.child("volumeMounts").items() {
            for field in ["subPath", "subPathExpr"].map(|name| mount.child(name)) {
                if !field.text().is_empty() {
                    errors.forbidden(&field, "cannot be set for an Ephemeral Container");
                }
            }
        }
    }
}

fn common(container: &Field<'_>, around: &ContainerContext<'_, '_>, errors: &mut Errors) {
    errors.about(&rule::INVALID_CONTAINER);
    container_name(container, errors);
    errors.about(&rule::INVALID_IMAGE);
    let image = container.child("image");
    if image.text().is_empty() {
        let name = container.child("name").text();
        errors
            .required(&image, "")
            .says(format!("the container \"{name}\" has no image"))
            .help("write an image; the server wants one on virtual nodes, too");
    }
    errors.about(&rule::INVALID_CONTAINER);
    let termination = container.child("terminationMessagePolicy");
    if !["", "File", "FallbackToLogsOnError"].contains(&termination.text()) {
        errors.unsupported(&termination, &["File", "FallbackToLogsOnError"]);
    }
    ports(&container.child("ports"), errors);
    errors.about(&rule::INVALID_ENV);
    env::invalid_env(container, around.volumes, errors);
    errors.about(&rule::INVALID_MOUNT);
    mounts::invalid_mount(container, around.volumes, errors);
    errors.about(&rule::INVALID_CONTAINER);
    let pull = container.child("imagePullPolicy");
    if !pull.text().is_empty() && !PULL_POLICIES.contains(&pull.text()) {
        errors.unsupported(&pull, &PULL_POLICIES);
    }
    errors.about(&rule::INVALID_RESOURCES);
    resources::invalid_resources(&container.child("resources"), &around.claims, errors);
    resize_policy(&container.child("resizePolicy"), around.pod, errors);
    errors.about(&rule::INVALID_SECURITY_CONTEXT);
    let host_users = around.pod.spec.child("hostUsers").flag() != Some(false);
    security::container_security(&container.child("securityContext"), host_users, errors);
}

fn container_name(container: &Field<'_>, errors: &mut Errors) {
    let name = container.child("name");
    if name.text().is_empty() {
        errors.required(&name, "");
        return;
    }
    errors.invalid_dns_label(&name, |cause, label| {
        cause.help(format!("write `{label}`")).replace(&name, label, Applicability::Unsafe);
    });
}

fn unique_name<'n>(container: &Field<'n>, seen: &mut HashSet<&'n str>, errors: &mut Errors) {
    let name = container.child("name");
    if seen.contains(name.text()) {
        errors.duplicate(&name, name.text()).help("rename the container; init containers count, too");
    } else if !name.text().is_empty() {
        seen.insert(name.text());
    }
}

fn ports(list: &Field<'_>, errors: &mut Errors) {
    let mut seen: HashSet<&str> = HashSet::new();
    for port in list.items() {
        let name = port.child("name");
        if !name.text().is_empty() {
            let details = names::port_name(name.text());
            for detail in &details {
                errors.invalid(&name, name.text(), detail).help(
                    "a port's name has at most 15 lower-case letters, digits and single hyphens, with one letter at least",
                );
            }
            if details.is_empty() && seen.contains(name.text()) {
                errors.duplicate(&name, name.text()).help("give each port of the container its own name");
            } else if details.is_empty() {
                seen.insert(name.text());
            }
        }
        let (inner, outer) = (port.child("containerPort"), port.child("hostPort"));
        match inner.int().unwrap_or(0) {
            0 => {
                errors.required(&inner, "");
            }
            number => port_number(&inner, number, errors),
        }
        match outer.int().unwrap_or(0) {
            0 => {}
            number => port_number(&outer, number, errors),
        }
        let protocol = port.child("protocol");
        if !protocol.text().is_empty() && !PROTOCOLS.contains(&protocol.text()) {
            errors.unsupported(&protocol, &PROTOCOLS);
        }
    }
}

fn port_number(field: &Field<'_>, number: i64, errors: &mut Errors) {
    for detail in names::port_number(number) {
        errors.invalid(field, number, &detail);
    }
}

/// The host port with its default: on the host's network it is the container's port.
fn host_port(port: &Field<'_>, host_network: bool) -> i64 {
    match port.child("hostPort").int().unwrap_or(0) {
        0 if host_network => port.child("containerPort").int().unwrap_or(0),
        number => number,
    }
}

/// No two containers of a list may take the same port of the host.
fn host_ports(containers: &[Field<'_>], around: &ContainerContext<'_, '_>, errors: &mut Errors) {
    let host_network = around.pod.spec.child("hostNetwork").is_true();
    let mut seen: HashSet<String> = HashSet::new();
    for container in containers {
        let single = containers.len() == 1 && container.path.contains("initContainers");
        for (index, port) in container.child("ports").items().iter().enumerate() {
            let number = host_port(port, host_network);
            if number == 0 {
                continue;
            }
            let protocol = match port.child("protocol").text() {
                "" => "TCP",
                text => text,
            };
            let taken = format!("{protocol}/{}/{number}", port.child("hostIP").text());
            if seen.contains(&taken) {
                let field = port.child("hostPort");
                // The server looks at init containers one by one and always calls them the first.
                let field = if single {
                    field.shown_as(format!("spec.initContainers[0].ports[{index}].hostPort"))
                } else {
                    field
                };
                errors.duplicate(&field, &taken).says(format!("the port {number} of the host is taken twice"));
            } else {
                seen.insert(taken);
            }
        }
    }
}

/// On the host's network a port of the host is the container's own.
pub fn host_network_ports(pod: &Pod<'_>, errors: &mut Errors) {
    if !pod.spec.child("hostNetwork").is_true() {
        return;
    }
    for port in pod.spec.child("containers").items().iter().flat_map(|container| container.child("ports").items()) {
        let (inner, outer) = (port.child("containerPort").int().unwrap_or(0), host_port(&port, true));
        if inner != outer {
            errors
                .invalid(&port.child("hostPort"), outer, "must match `containerPort` when `hostNetwork` is true")
                .help("remove hostPort")
                .related(port.child("containerPort").place, "the container's port stands here");
        }
    }
}

fn restart_policy(container: &Field<'_>, errors: &mut Errors) {
    if errors.kube_minor >= RESTART_RULES {
        own_restart_policy(container, errors);
    } else if container.child("restartPolicy").is_set() {
        errors.forbidden(&container.child("restartPolicy"), "may not be set for non-init containers");
    }
}

fn init_restart_policy(container: &Field<'_>, errors: &mut Errors) {
    let policy = container.child("restartPolicy");
    if errors.kube_minor >= RESTART_RULES {
        own_restart_policy(container, errors);
    } else if policy.is_set() && policy.text() != "Always" {
        errors.unsupported(&policy, &["Always"]);
    }
}

fn own_restart_policy(container: &Field<'_>, errors: &mut Errors) {
    let (policy, rules) = (container.child("restartPolicy"), container.child("restartPolicyRules"));
    if policy.is_set() {
        if !["Always", "Never", "OnFailure"].contains(&policy.text()) {
            errors.unsupported(&policy, &["Always", "Never", "OnFailure"]);
        }
    } else if rules.len() > 0 {
        errors.required(&policy, "must specify restartPolicy when restart rules are used");
    }
    if rules.len() > 20 {
        errors.too_many(&rules, rules.len(), 20);
    }
    let actions: &[&str] =
        if errors.kube_minor > RESTART_RULES { &["Restart", "RestartAllContainers"] } else { &["Restart"] };
    for restart in rules.items() {
        let (action, codes) = (restart.child("action"), restart.child("exitCodes"));
        if !actions.contains(&action.text()) {
            errors.unsupported(&action, actions);
        }
        if !codes.is_set() {
            errors.required(&codes, "must be specified");
            continue;
        }
        let (operator, values) = (codes.child("operator"), codes.child("values"));
        if !["In", "NotIn"].contains(&operator.text()) {
            errors.unsupported(&operator, &["In", "NotIn"]);
        }
        if values.len() > 255 {
            errors.too_many(&values, values.len(), 255);
        }
    }
}

fn resize_policy(list: &Field<'_>, pod: &Pod<'_>, errors: &mut Errors) {
    let mut seen: HashSet<&str> = HashSet::new();
    for policy in list.items() {
        let (resource, restart) = (policy.child("resourceName"), policy.child("restartPolicy"));
        let (resource_at, restart_at) = (resource.shown_as(list.shown()), restart.shown_as(list.shown()));
        if seen.contains(resource.text()) {
            errors.duplicate(&policy, resource.text());
        }
        seen.insert(resource.text());
        supported(&resource_at, &["cpu", "memory"], errors);
        supported(&restart_at, &["NotRequired", "RestartContainer"], errors);
        if pod.spec.child("restartPolicy").text() == "Never" && restart.text() != "NotRequired" {
            let detail = "must be 'NotRequired' when `restartPolicy` is 'Never'";
            errors.invalid(&restart_at, Bad::Typed(restart.text().into()), detail);
        }
    }
}

fn supported(field: &Field<'_>, values: &[&str], errors: &mut Errors) {
    if field.text().is_empty() {
        errors.required(field, "");
    } else if !values.contains(&field.text()) {
        errors.unsupported(field, values);
    }
}

/// Checks images of containers and init containers for blanks at their ends.
pub fn untrimmed_images(pod: &Pod<'_>, errors: &mut Errors) {
    for list in ["containers", "initContainers"] {
        for container in pod.spec.child(list).items() {
            untrimmed_image(&container, errors);
        }
    }
}

fn untrimmed_image(container: &Field<'_>, errors: &mut Errors) {
    let image = container.child("image");
    let trimmed = image.text().trim();
    if trimmed != image.text() {
        errors
            .invalid(&image, image.text(), "must not have leading or trailing whitespace")
            .help(format!("write `{trimmed}`"))
            .replace(&image, trimmed, Applicability::Safe);
    }
}
