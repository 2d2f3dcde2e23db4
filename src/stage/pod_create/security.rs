//! Security contexts of the Pod and of its containers.

use super::Pod;
use super::field::Field;
use super::message::{Bad, Errors, json_list, json_string};
use super::path::local_path;
use super::{metadata, names, windows};

const PROFILE_TYPES: [&str; 3] = ["Localhost", "RuntimeDefault", "Unconfined"];
const SYSCTL_REGEX: &str = r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const SYSCTL_LENGTH: usize = 253;

/// Checks `securityContext` of a container.
pub fn container_security(context: &Field<'_>, host_users: bool, errors: &mut Errors) {
    if !context.is_set() {
        return;
    }
    for id in ["runAsUser", "runAsGroup"] {
        user_id(&context.child(id), errors);
    }
    proc_mount(&context.child("procMount"), host_users, errors);
    seccomp(&context.child("seccompProfile"), errors);
    if context.child("allowPrivilegeEscalation").flag() == Some(false) {
        escalation(context, errors);
    }
    windows::options(&context.child("windowsOptions"), errors);
    app_armor(&context.child("appArmorProfile"), errors);
}

fn user_id(id: &Field<'_>, errors: &mut Errors) {
    if let Some(number) = id.int() {
        for detail in names::user_id(number) {
            errors.invalid(id, number, &detail);
        }
    }
}

fn proc_mount(mount: &Field<'_>, host_users: bool, errors: &mut Errors) {
    if !mount.is_set() {
        return;
    }
    if !["Default", "Unmasked"].contains(&mount.text()) {
        errors.unsupported(mount, &["Default", "Unmasked"]);
    }
    if host_users && mount.text() == "Unmasked" {
        errors.invalid(mount, Bad::Typed("Unmasked".into()), "`hostUsers` must be false to use `Unmasked`");
    }
}

fn escalation(context: &Field<'_>, errors: &mut Errors) {
    const PRIVILEGED: &str = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
    const ADMIN: &str = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
    let place = context.child("allowPrivilegeEscalation").place;
    let field = context.pointing_at(place);
    if context.child("privileged").is_true() {
        errors
            .invalid(&field, Bad::Json(as_json(context)), PRIVILEGED)
            .says("the container is privileged and must not escalate its privileges; a privileged container always can")
            .help("remove `allowPrivilegeEscalation: false`, or `privileged: true`")
            .related(context.child("privileged").place, "privileged is set here");
    }
    for capability in context.at(&["capabilities", "add"]).texts() {
        if capability == "CAP_SYS_ADMIN" {
            errors.invalid(&field, Bad::Json(as_json(context)), ADMIN);
        }
    }
}

/// The security context as the server's internal type is written in JSON.
fn as_json(context: &Field<'_>) -> String {
    let text = |field: &Field<'_>| if field.is_set() { json_string(field.text()) } else { "null".to_owned() };
    let number = |name: &str| context.child(name).int().map_or("null".to_owned(), |number| number.to_string());
    let flag = |name: &str| context.child(name).flag().map_or("null".to_owned(), |flag| flag.to_string());
    let list = |field: &Field<'_>| if field.len() > 0 { json_list(&field.texts()) } else { "null".to_owned() };
    let object = |name: &str, members: &dyn Fn(&Field<'_>) -> String| {
        let field = context.child(name);
        if field.is_set() { format!("{{{}}}", members(&field)) } else { "null".to_owned() }
    };
    let profile = |field: &Field<'_>| {
        let path = text(&field.child("localhostProfile"));
        format!("\"Type\":{},\"LocalhostProfile\":{path}", json_string(field.child("type").text()))
    };
    let capabilities = object("capabilities", &|field| {
        format!("\"Add\":{},\"Drop\":{}", list(&field.child("add")), list(&field.child("drop")))
    });
    let selinux = object("seLinuxOptions", &|field| {
        let parts = [("User", "user"), ("Role", "role"), ("Type", "type"), ("Level", "level")];
        parts.map(|(name, key)| format!("\"{name}\":{}", json_string(field.child(key).text()))).join(",")
    });
    let windows = object("windowsOptions", &|field| {
        let host = field.child("hostProcess").flag().map_or("null".to_owned(), |flag| flag.to_string());
        format!(
            "\"GMSACredentialSpecName\":{},\"GMSACredentialSpec\":{},\"RunAsUserName\":{},\"HostProcess\":{host}",
            text(&field.child("gmsaCredentialSpecName")),
            text(&field.child("gmsaCredentialSpec")),
            text(&field.child("runAsUserName")),
        )
    });
    let members = [
        ("Capabilities", capabilities),
        ("Privileged", flag("privileged")),
        ("SELinuxOptions", selinux),
        ("WindowsOptions", windows),
        ("RunAsUser", number("runAsUser")),
        ("RunAsGroup", number("runAsGroup")),
        ("RunAsNonRoot", flag("runAsNonRoot")),
        ("ReadOnlyRootFilesystem", flag("readOnlyRootFilesystem")),
        ("AllowPrivilegeEscalation", flag("allowPrivilegeEscalation")),
        ("ProcMount", text(&context.child("procMount"))),
        ("SeccompProfile", object("seccompProfile", &profile)),
        ("AppArmorProfile", object("appArmorProfile", &profile)),
    ];
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

fn seccomp(profile: &Field<'_>, errors: &mut Errors) {
    if !profile.is_set() {
        return;
    }
    let (kind, path) = (profile.child("type"), profile.child("localhostProfile"));
    if kind.text().is_empty() {
        errors.required(&kind, "type is required when seccompProfile is set");
    } else if !PROFILE_TYPES.contains(&kind.text()) {
        errors.unsupported(&kind, &PROFILE_TYPES);
    }
    if kind.text() == "Localhost" {
        if path.is_set() {
            local_path(&path, errors);
        } else {
            errors.required(&path, "must be set when seccomp type is Localhost");
        }
    } else if path.is_set() {
        let json =
            format!("{{\"Type\":{},\"LocalhostProfile\":{}}}", json_string(kind.text()), json_string(path.text()));
        errors.invalid(&path, Bad::Json(json), "can only be set when seccomp type is Localhost");
    }
}

fn app_armor(profile: &Field<'_>, errors: &mut Errors) {
    const LONGEST_PATH: usize = 4095;
    const MISSING: &str = "must be set when AppArmor type is Localhost";
    if !profile.is_set() {
        return;
    }
    let (kind, path) = (profile.child("type"), profile.child("localhostProfile"));
    match kind.text() {
        "Localhost" if path.is_set() => {
            if path.text().trim() != path.text() {
                errors.invalid(&path, path.text(), "must not be padded with whitespace");
            } else if path.text().is_empty() {
                errors.required(&path, MISSING);
            }
            if path.text().len() > LONGEST_PATH {
                errors.too_long(&path, LONGEST_PATH);
            }
        }
        "Localhost" => {
            errors.required(&path, MISSING);
        }
        "RuntimeDefault" | "Unconfined" => {
            if path.is_set() {
                errors.invalid(&path, path.text(), "can only be set when AppArmor type is Localhost");
            }
        }
        "" => {
            errors.required(&kind, "type is required when appArmorProfile is set");
        }
        _ => {
            errors.unsupported(&kind, &PROFILE_TYPES);
        }
    }
}

/// Checks `spec.securityContext` and what the server counts to it.
pub fn invalid_security_context(pod: &Pod<'_>, errors: &mut Errors) {
    let spec = &pod.spec;
    let context = spec.child("securityContext");
    for id in ["fsGroup", "runAsUser", "runAsGroup"] {
        user_id(&context.child(id), errors);
    }
    for group in context.child("supplementalGroups").items() {
        user_id(&group, errors);
    }
    share_processes(spec, errors);
    sysctls(spec, &context.child("sysctls"), errors);
    let change = context.child("fsGroupChangePolicy");
    if change.is_set() && !["Always", "OnRootMismatch"].contains(&change.text()) {
        errors.unsupported(&change, &["Always", "OnRootMismatch"]);
    }
    seccomp(&context.child("seccompProfile"), errors);
    windows::options(&context.child("windowsOptions"), errors);
    app_armor(&context.child("appArmorProfile"), errors);
    let groups = context.child("supplementalGroupsPolicy");
    if groups.is_set() && !["Merge", "Strict"].contains(&groups.text()) {
        errors.unsupported(&groups, &["Merge", "Strict"]);
    }
    let selinux = context.child("seLinuxChangePolicy");
    if selinux.is_set() && selinux.text() != "Recursive" {
        errors.unsupported(&selinux, &["Recursive"]);
    }
}

fn share_processes(spec: &Field<'_>, errors: &mut Errors) {
    let share = spec.child("shareProcessNamespace");
    let host = spec.child("hostPID");
    if share.is_true() && host.is_true() {
        let shown = share.shown_as(format!("{}.securityContext.shareProcessNamespace", spec.shown()));
        errors
            .invalid(&shown, true, "ShareProcessNamespace and HostPID cannot both be enabled")
            .help("remove one of the two")
            .related(host.place, "hostPID is set here");
    }
}

fn sysctls(spec: &Field<'_>, list: &Field<'_>, errors: &mut Errors) {
    let mut seen: Vec<&str> = Vec::new();
    for sysctl in list.items() {
        let field = sysctl.child("name");
        let name = field.text();
        if name.is_empty() {
            errors.required(&field, "");
        } else if !is_sysctl(name) {
            let detail = format!("must have at most {SYSCTL_LENGTH} characters and match regex {SYSCTL_REGEX}");
            errors.invalid(&field, name, &detail);
        } else if seen.contains(&name) {
            errors.duplicate(&field, name);
        }
        let dotted = name.replace('/', ".");
        if spec.child("hostNetwork").is_true() && dotted.starts_with("net.") {
            errors.invalid(&field, name, "may not be specified when 'hostNetwork' is true");
        } else if spec.child("hostIPC").is_true() && is_ipc(&dotted) {
            errors.invalid(&field, name, "may not be specified when 'hostIPC' is true");
        }
        seen.push(name);
    }
}

fn is_sysctl(name: &str) -> bool {
    let segment = |part: &str| {
        let end = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        end(part.as_bytes().first()) && end(part.as_bytes().last()) && part.bytes().all(inner)
    };
    name.len() <= SYSCTL_LENGTH && name.split(['.', '/']).all(segment)
}

fn is_ipc(name: &str) -> bool {
    ["kernel.shm", "kernel.msg", "fs.mqueue."].iter().any(|prefix| name.starts_with(prefix)) || name == "kernel.sem"
}

/// `hostUsers: false` excludes the host's other namespaces.
pub fn host_users(spec: &Field<'_>, errors: &mut Errors) {
    const DETAIL: &str = "when `pod.Spec.HostUsers` is false";
    if spec.child("hostUsers").flag() != Some(false) {
        return;
    }
    for (key, shown) in [("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        let field = spec.child(key);
        if field.is_true() {
            errors
                .forbidden(&field.shown_as(format!("{}.{shown}", spec.shown())), DETAIL)
                .related(spec.child("hostUsers").place, "hostUsers is false here");
        }
    }
}

/// Profiles that the Pod gives twice, as annotation and as field.
pub fn profiles_match(pod: &Pod<'_>, errors: &mut Errors) {
    metadata::profiles_match(pod, errors);
}
