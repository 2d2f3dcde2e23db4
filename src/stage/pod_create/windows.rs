//! What is only for Windows, and what is not for Windows.

use super::Pod;
use super::field::Field;
use super::message::Errors;
use super::names;

const NOT_FOR_LINUX: &str = "windows options cannot be set for a linux pod";
const NOT_FOR_WINDOWS: &str = "cannot be set for a windows pod";
const CREDENTIAL_SPEC_KIB: usize = 64;

/// Checks `windowsOptions` of a security context.
pub fn options(options: &Field<'_>, errors: &mut Errors) {
    if !options.is_set() {
        return;
    }
    let (name, spec) = (options.child("gmsaCredentialSpecName"), options.child("gmsaCredentialSpec"));
    if name.is_set() {
        errors.invalid_each(&name, name.text(), &names::dns_subdomain(name.text()));
    }
    if spec.is_set() && spec.text().is_empty() {
        errors.invalid(&spec, "", "gmsaCredentialSpec cannot be an empty string");
    } else if spec.text().len() > CREDENTIAL_SPEC_KIB * 1024 {
        let detail = format!("gmsaCredentialSpec size must be under {CREDENTIAL_SPEC_KIB} KiB");
        errors.invalid(&spec, spec.text(), &detail);
    }
    let user = options.child("runAsUserName");
    if user.is_set() {
        for detail in user_name(user.text()) {
            errors.invalid(&user, user.text(), detail);
        }
    }
}

/// A user as Windows writes it: `DOMAIN\user`.
fn user_name(text: &str) -> Vec<&'static str> {
    if text.is_empty() {
        return vec!["runAsUserName cannot be an empty string"];
    }
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return vec!["runAsUserName cannot contain control characters"];
    }
    let parts: Vec<&str> = text.split('\\').collect();
    let (domain, user) = match parts.as_slice() {
        [user] => (None, *user),
        [domain, user] => (Some(*domain), *user),
        _ => return vec!["runAsUserName cannot contain more than one backslash"],
    };
    let mut details = Vec::new();
    if domain.is_some_and(|domain| domain.len() >= 256) {
        details.push("runAsUserName's Domain length must be under 256 characters");
    }
    if domain.is_some_and(|domain| !is_net_bios(domain) && !is_dns(domain)) {
        details.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
    if user.is_empty() {
        details.push("runAsUserName's User cannot be empty");
    } else if user.len() > 104 {
        details.push("runAsUserName's User length must not be longer than 104 characters");
    }
    if !user.is_empty() && user.bytes().all(|byte| b". ".contains(&byte)) {
        details.push("runAsUserName's User cannot contain only periods or spaces");
    }
    if user.bytes().any(|byte| b"\"/\\:;|=,+*?<>@[]".contains(&byte)) {
        details.push(r#"runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]"#);
    }
    details
}

fn is_net_bios(domain: &str) -> bool {
    let count = domain.chars().count();
    (1..=15).contains(&count)
        && !domain.starts_with('.')
        && !domain.contains(['\\', '/', ':', '*', '?', '"', '<', '>', '|'])
}

fn is_dns(domain: &str) -> bool {
    domain.split('.').all(|label| {
        let end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        label.len() <= 63
            && end(label.as_bytes().first())
            && end(label.as_bytes().last())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

fn host_process_flag<'n>(owner: &Field<'n>) -> Field<'n> {
    owner.at(&["securityContext", "windowsOptions", "hostProcess"])
}

/// Windows host processes: all containers or none, and on the host's network.
pub fn host_process(pod: &Pod<'_>, errors: &mut Errors) {
    let spec = &pod.spec;
    let whole = host_process_flag(spec).flag();
    let containers = pod.all_containers();
    let mut count = 0;
    for container in &containers {
        let own = host_process_flag(container);
        if let Some((whole, own_flag)) = whole.zip(own.flag()).filter(|(whole, own)| whole != own) {
            let detail = format!("pod hostProcess value must be identical if both are specified, was {whole}");
            errors.invalid(&own, own_flag, &detail);
        }
        count += usize::from(own.flag().or(whole) == Some(true));
    }
    if count == 0 {
        return;
    }
    if count != containers.len() {
        let detail = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
        errors.invalid(spec, "", detail);
    }
    let network = spec.child("hostNetwork");
    if !network.is_true() {
        errors.invalid(&network, false, "hostNetwork must be true if pod contains any hostProcess containers");
    }
}

/// Checks `spec.os` and what it excludes.
pub fn operating_system(pod: &Pod<'_>, errors: &mut Errors) {
    let os = pod.spec.child("os");
    if !os.is_set() {
        return;
    }
    let name = os.child("name");
    match name.text() {
        "" => {
            errors.required(&name, "cannot be empty");
        }
        "linux" => linux(pod, errors),
        "windows" => windows(pod, errors),
        _ => {
            errors.unsupported(&name.shown_as(os.shown()), &["linux", "windows"]);
        }
    }
}

fn linux(pod: &Pod<'_>, errors: &mut Errors) {
    for owner in std::iter::once(pod.spec.clone()).chain(pod.all_containers()) {
        let options = owner.at(&["securityContext", "windowsOptions"]);
        if options.is_set() {
            errors.forbidden(&options.at_key(), NOT_FOR_LINUX);
        }
    }
}

fn windows(pod: &Pod<'_>, errors: &mut Errors) {
    const POD: [&str; 3] = ["appArmorProfile", "seLinuxOptions", "@hostUsers"];
    const POD_FLAGS: [&str; 2] = ["hostPID", "hostIPC"];
    const POD_REST: [&str; 10] = [
        "seccompProfile",
        "fsGroup",
        "fsGroupChangePolicy",
        "sysctls",
        "@shareProcessNamespace",
        "runAsUser",
        "runAsGroup",
        "supplementalGroups",
        "supplementalGroupsPolicy",
        "seLinuxChangePolicy",
    ];
    const CONTAINER: [&str; 10] = [
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "capabilities",
        "readOnlyRootFilesystem",
        "privileged",
        "allowPrivilegeEscalation",
        "procMount",
        "runAsUser",
        "runAsGroup",
    ];
    let context = pod.spec.child("securityContext");
    // A leading `@` marks a field of the Pod's spec itself.
    let pod_field = |name: &str| match name.strip_prefix('@') {
        Some(name) => pod.spec.child(name),
        None => context.child(name),
    };
    let set = |field: &Field<'_>| {
        field.is_set() && (field.len() > 0 || field.node.is_some_and(|node| node.as_seq().is_none()))
    };
    for field in POD.iter().map(|name| pod_field(name)).filter(|field| set(field)) {
        errors.forbidden(&field.at_key(), NOT_FOR_WINDOWS);
    }
    for field in POD_FLAGS.map(|name| pod.spec.child(name)).iter().filter(|field| field.is_true()) {
        errors.forbidden(&field.at_key(), NOT_FOR_WINDOWS);
    }
    for field in POD_REST.iter().map(|name| pod_field(name)).filter(|field| set(field)) {
        errors.forbidden(&field.at_key(), NOT_FOR_WINDOWS);
    }
    for container in pod.all_containers() {
        let context = container.child("securityContext");
        for field in CONTAINER.map(|name| context.child(name)).iter().filter(|field| field.is_set()) {
            errors.forbidden(&field.at_key(), NOT_FOR_WINDOWS);
        }
    }
}
