//! The checks of level `baseline`, in the order of their names.

use super::check::{Offenders, Violation, plural, quoted};
use super::restricted::{PROC_MOUNT_MOVED, is_valid_profile, may_be_relaxed};
use crate::go::quote;
use crate::stage::pod_create::Pod;
use crate::stage::pod_create::field::Field;
use std::collections::BTreeSet;

/// All that the Pod violates; `replaced` leaves out the checks that level `restricted` has stricter ones for.
pub fn check<'n>(pod: &Pod<'n>, minor: u32, replaced: bool) -> Vec<Violation<'n>> {
    let checks = [
        app_armor_profile(pod),
        capabilities(pod).filter(|_| !replaced || minor < 22),
        host_namespaces(pod),
        host_path_volumes(pod).filter(|_| !replaced),
        host_ports(pod),
        probe_hosts(pod).filter(|_| minor >= 34),
        privileged(pod),
        proc_mount(pod).filter(|_| !may_be_relaxed(pod, minor) && (!replaced || minor < PROC_MOUNT_MOVED)),
        selinux_options(pod, minor),
        seccomp_profile(pod).filter(|_| minor >= 19 && !replaced),
        sysctls(pod, minor),
        windows_host_process(pod),
    ];
    checks.into_iter().flatten().collect()
}

/// The annotation of a container's profile before there was a field.
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

fn app_armor_profile<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::anywhere(pod, &["appArmorProfile", "type"], |field| {
        field.is_set() && !is_valid_profile(field.text())
    });
    let allowed = |value: &str| value.is_empty() || value == "runtime/default" || value.starts_with("localhost/");
    let annotated = pod.annotations.iter().filter(|meta| meta.key.starts_with(APP_ARMOR) && !allowed(&meta.value));
    let annotated: BTreeSet<(String, _)> =
        annotated.map(|meta| (format!("{}={}", meta.key, quote(&meta.value)), meta.value_span)).collect();
    let mut setters: Vec<String> = Some(bad.setters()).filter(|text| !text.is_empty()).into_iter().collect();
    let mut values: Vec<String> = bad.texts().into_iter().map(str::to_owned).collect();
    if !annotated.is_empty() {
        setters.push(plural("annotation", "annotations", annotated.len()).to_owned());
        values.extend(annotated.iter().map(|(text, _)| text.clone()));
    }
    let place = annotated.first().map(|(_, span)| Field::virtual_at("metadata.annotations", *span));
    Some(Violation {
        field: bad.first().or(place)?,
        reason: plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values.len()).to_owned(),
        detail: format!("{} must not set AppArmor profile type to {}", setters.join(" and "), quoted(&values)),
        help: "set appArmorProfile.type to RuntimeDefault or Localhost, or leave it out",
    })
}

const DEFAULT_CAPABILITIES: [&str; 13] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];

fn capabilities<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let other = |name: &&str| !DEFAULT_CAPABILITIES.contains(name);
    let bad = Offenders::among(pod, &["capabilities", "add"], |field| field.texts().iter().any(other));
    let added: BTreeSet<&str> = bad.containers.iter().flat_map(|(_, field)| field.texts()).filter(other).collect();
    let added: Vec<&str> = added.into_iter().collect();
    Some(Violation {
        field: bad.first()?,
        reason: "non-default capabilities".into(),
        detail: format!("{} must not include {} in securityContext.capabilities.add", bad.named(), quoted(&added)),
        help: "remove the capabilities that no container has by default",
    })
}

fn host_namespaces<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let names = ["hostNetwork", "hostPID", "hostIPC"].into_iter();
    let shared: Vec<(&str, Field<'n>)> =
        names.map(|name| (name, pod.spec.child(name))).filter(|(_, field)| field.is_true()).collect();
    let detail = shared.iter().map(|(name, _)| format!("{name}=true")).collect::<Vec<_>>().join(", ");
    let (_, field) = shared.into_iter().next()?;
    Some(Violation { field, reason: "host namespaces".into(), detail, help: "remove hostNetwork, hostPID and hostIPC" })
}

fn host_path_volumes<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let volumes = pod.spec.child("volumes").items();
    let bad: Vec<Field<'n>> = volumes.into_iter().filter(|volume| volume.child("hostPath").is_set()).collect();
    let names: Vec<&str> = bad.iter().map(|volume| volume.child("name").text()).collect();
    Some(Violation {
        field: bad.first()?.child("hostPath"),
        reason: "hostPath volumes".into(),
        detail: format!("{} {}", plural("volume", "volumes", names.len()), quoted(&names)),
        help: "use an emptyDir or a PersistentVolumeClaim in place of hostPath",
    })
}

fn host_ports<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let on_host = pod.spec.child("hostNetwork").is_true();
    let mut ports = BTreeSet::new();
    let mut bad: Vec<(&str, Field<'n>)> = Vec::new();
    for container in pod.all_containers() {
        // On the host's network the server takes the container port for the host port.
        let port_of = |port: &Field<'n>| {
            let own = port.child("hostPort");
            let own = if on_host && own.int().unwrap_or(0) == 0 { port.child("containerPort") } else { own };
            own.int().filter(|number| *number != 0).map(|number| (number.to_string(), own))
        };
        let found: Vec<(String, Field<'n>)> = container.child("ports").items().iter().filter_map(port_of).collect();
        if let Some((_, field)) = found.first() {
            bad.push((container.child("name").text(), field.clone()));
        }
        ports.extend(found.into_iter().map(|(number, _)| number));
    }
    let ports: Vec<String> = ports.into_iter().collect();
    let bad = Offenders { pod: None, containers: bad };
    Some(Violation {
        field: bad.first()?,
        reason: "hostPort".into(),
        detail: format!(
            "{} {} {} {}",
            bad.named(),
            plural("uses", "use", bad.containers.len()),
            plural("hostPort", "hostPorts", ports.len()),
            ports.join(", ")
        ),
        help: "remove hostPort",
    })
}

/// The handlers of a container that can name a host.
const HANDLERS: [[&str; 2]; 5] = [
    ["livenessProbe", ""],
    ["readinessProbe", ""],
    ["startupProbe", ""],
    ["lifecycle", "postStart"],
    ["lifecycle", "preStop"],
];

fn probe_hosts<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let mut hosts = BTreeSet::new();
    let mut containers = BTreeSet::new();
    let mut first = None;
    for container in pod.all_containers() {
        for [outer, inner] in HANDLERS {
            let handler = container.child(outer);
            let handler = if inner.is_empty() { handler } else { handler.child(inner) };
            for host in ["httpGet", "tcpSocket"].map(|kind| handler.at(&[kind, "host"])) {
                if !host.text().is_empty() {
                    hosts.insert(host.text());
                    containers.insert(container.child("name").text());
                    first.get_or_insert(host);
                }
            }
        }
    }
    let (hosts, containers): (Vec<&str>, Vec<&str>) = (hosts.into_iter().collect(), containers.into_iter().collect());
    Some(Violation {
        field: first?,
        reason: "probe or lifecycle host".into(),
        detail: format!(
            "{} {} {} {} {}",
            plural("container", "containers", containers.len()),
            quoted(&containers),
            plural("uses", "use", containers.len()),
            plural("probe or lifecycle host", "probe or lifecycle hosts", hosts.len()),
            quoted(&hosts)
        ),
        help: "remove host from probes and lifecycle handlers; they ask the Pod itself",
    })
}

fn privileged<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::among(pod, &["privileged"], Field::is_true);
    Some(Violation {
        field: bad.first()?,
        reason: "privileged".into(),
        detail: format!("{} must not set securityContext.privileged=true", bad.named()),
        help: "remove privileged",
    })
}

/// Other views of `/proc` than the default one.
pub fn proc_mount<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::among(pod, &["procMount"], |field| field.is_set() && field.text() != "Default");
    Some(Violation {
        field: bad.first()?,
        reason: "procMount".into(),
        detail: format!("{} must not set securityContext.procMount to {}", bad.named(), quoted(&bad.texts())),
        help: "remove procMount",
    })
}

const SELINUX_TYPES: [&str; 4] = ["", "container_t", "container_init_t", "container_kvm_t"];

fn selinux_options<'n>(pod: &Pod<'n>, minor: u32) -> Option<Violation<'n>> {
    let is_known = |kind: &str| SELINUX_TYPES.contains(&kind) || (minor >= 31 && kind == "container_engine_t");
    let is_bad_type = |kind: &str| !is_known(kind);
    let is_set = |options: &Field<'n>, field: &str| !options.child(field).text().is_empty();
    let bad = Offenders::anywhere(pod, &["seLinuxOptions"], |options| {
        is_bad_type(options.child("type").text()) || is_set(options, "user") || is_set(options, "role")
    });
    let all = || bad.pod.iter().chain(bad.containers.iter().map(|(_, field)| field));
    let types: BTreeSet<&str> =
        all().map(|options| options.child("type").text()).filter(|kind| is_bad_type(kind)).collect();
    let types: Vec<&str> = types.into_iter().collect();
    let mut data = Vec::new();
    if !types.is_empty() {
        data.push(format!("{} {}", plural("type", "types", types.len()), quoted(&types)));
    }
    for field in ["user", "role"] {
        if all().any(|options| is_set(options, field)) {
            data.push(format!("{field} may not be set"));
        }
    }
    Some(Violation {
        field: bad.first()?,
        reason: "seLinuxOptions".into(),
        detail: format!("{} set forbidden securityContext.seLinuxOptions: {}", bad.setters(), data.join("; ")),
        help: "remove seLinuxOptions",
    })
}

fn seccomp_profile<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::anywhere(pod, &["seccompProfile", "type"], |field| {
        field.is_set() && !is_valid_profile(field.text())
    });
    Some(Violation {
        field: bad.first()?,
        reason: "seccompProfile".into(),
        detail: format!(
            "{} must not set securityContext.seccompProfile.type to {}",
            bad.setters(),
            quoted(&bad.texts())
        ),
        help: "set seccompProfile.type to RuntimeDefault or Localhost, or leave it out",
    })
}

/// Sysctls that are safe, with the release from which on they count as such.
const SAFE_SYSCTLS: [(&str, u32); 12] = [
    ("kernel.shm_rmid_forced", 0),
    ("net.ipv4.ip_local_port_range", 0),
    ("net.ipv4.tcp_syncookies", 0),
    ("net.ipv4.ping_group_range", 0),
    ("net.ipv4.ip_unprivileged_port_start", 0),
    ("net.ipv4.ip_local_reserved_ports", 27),
    ("net.ipv4.tcp_keepalive_time", 29),
    ("net.ipv4.tcp_fin_timeout", 29),
    ("net.ipv4.tcp_keepalive_intvl", 29),
    ("net.ipv4.tcp_keepalive_probes", 29),
    ("net.ipv4.tcp_rmem", 32),
    ("net.ipv4.tcp_wmem", 32),
];

fn sysctls<'n>(pod: &Pod<'n>, minor: u32) -> Option<Violation<'n>> {
    let is_safe = |name: &str| SAFE_SYSCTLS.iter().any(|(safe, since)| *safe == name && minor >= *since);
    let names = pod.spec.at(&["securityContext", "sysctls"]).items();
    let names: Vec<Field<'n>> =
        names.iter().map(|item| item.child("name")).filter(|name| !is_safe(name.text())).collect();
    let texts: Vec<&str> = names.iter().map(Field::text).collect();
    Some(Violation {
        field: names.first()?.clone(),
        reason: "forbidden sysctls".into(),
        detail: texts.join(", "),
        help: "remove the sysctl",
    })
}

fn windows_host_process<'n>(pod: &Pod<'n>) -> Option<Violation<'n>> {
    let bad = Offenders::anywhere(pod, &["windowsOptions", "hostProcess"], Field::is_true);
    Some(Violation {
        field: bad.first()?,
        reason: "hostProcess".into(),
        detail: format!("{} must not set securityContext.windowsOptions.hostProcess=true", bad.setters()),
        help: "remove hostProcess",
    })
}
