//! References to fields and resources of the Pod itself.

use super::field::Field;
use super::message::Errors;
use super::names;
use crate::quantity::Quantity;

/// The Pod fields that an environment variable can take.
pub const ENV_FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

/// The Pod fields that a file of a downwardAPI volume can take.
pub const VOLUME_FIELDS: [&str; 5] =
    ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

/// Fields that the server knows by name, though not every place takes them.
const KNOWN_FIELDS: [&str; 14] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.serviceAccountName",
    "spec.schedulerName",
    "status.phase",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];

const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];

/// `fieldRef` of a variable or of a file of a downwardAPI volume.
pub fn object_field(source: &Field<'_>, allowed: &[&str], errors: &mut Errors) {
    let (version, field) = (source.child("apiVersion"), source.child("fieldPath"));
    let path = field.text();
    if path.is_empty() {
        errors.required(&field, "");
        return;
    }
    if !["", "v1"].contains(&version.text()) {
        let detail = format!("error converting fieldPath: unsupported pod version: {}", version.text());
        errors.invalid(&field, path, &detail);
        return;
    }
    match subscripted(path) {
        Some(("metadata.annotations", key)) => {
            errors.invalid_each(source, &key.to_lowercase(), &names::label_key(&key.to_lowercase(), errors.kube_minor));
        }
        Some(("metadata.labels", key)) => {
            errors.invalid_each(source, key, &names::label_key(key, errors.kube_minor));
        }
        Some(_) => {
            let detail = format!("error converting fieldPath: field label does not support subscript: {path}");
            errors.invalid(&field, path, &detail);
        }
        None if path == "spec.host" && allowed.contains(&"spec.nodeName") => {}
        None if !KNOWN_FIELDS.contains(&path) && path != "spec.host" => unknown_field(&field, allowed, errors),
        None if !allowed.contains(&path) => {
            let cause = errors.unsupported(&field, allowed);
            if ["metadata.annotations", "metadata.labels"].contains(&path) {
                cause.help(format!("a variable takes one of them: `{path}['<key>']`"));
                cause.fix = None;
            }
        }
        None => {}
    }
}

fn unknown_field(field: &Field<'_>, allowed: &[&str], errors: &mut Errors) {
    let path = field.text();
    let detail = format!("error converting fieldPath: field label not supported: {path}");
    let cause = errors.invalid(field, path, &detail);
    cause.says(format!("`fieldPath` is `{path}`, a field that can't be taken"));
    if let Some(meant) = crate::suggest::nearest(path, allowed.iter().copied()) {
        cause.help(format!("write `{meant}`")).replace(field, meant, crate::finding::Applicability::Unsafe);
    } else {
        cause.help(format!("write one of {}", allowed.join(", ")));
    }
}

/// Splits `metadata.labels['app']` into its path and its key.
fn subscripted(path: &str) -> Option<(&str, &str)> {
    path.strip_suffix("']")?.split_once("['").filter(|(path, _)| !path.is_empty())
}

/// `resourceFieldRef` of a variable or of a file of a downwardAPI volume.
pub fn resource_field(source: &Field<'_>, in_volume: bool, errors: &mut Errors) {
    let (container, resource) = (source.child("containerName"), source.child("resource"));
    let name = resource.text();
    let huge = ["requests.hugepages-", "limits.hugepages-"].iter().any(|prefix| name.starts_with(prefix));
    if in_volume && container.text().is_empty() {
        errors.required(&container, "");
    } else if name.is_empty() {
        errors.required(&resource, "");
    } else if !RESOURCES.contains(&name) && !huge {
        let cause = errors.unsupported(&resource, &RESOURCES);
        if RESOURCES.contains(&format!("limits.{name}").as_str()) {
            cause.help(format!("write `limits.{name}` or `requests.{name}`")).fix = None;
        }
    }
    divisor(&source.child("divisor"), name, huge, errors);
}

fn divisor(divisor: &Field<'_>, resource: &str, huge: bool, errors: &mut Errors) {
    const BYTES: [&str; 13] = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];
    let Some(amount) = super::resources::quantity(divisor).filter(|amount: &Quantity| !amount.is_zero()) else {
        return;
    };
    let amount = amount.to_string();
    let (allowed, what): (&[&str], &str) = match resource {
        "limits.cpu" | "requests.cpu" => (&["1m", "1"], "cpu"),
        "limits.memory" | "requests.memory" => (&BYTES, "memory"),
        "limits.ephemeral-storage" | "requests.ephemeral-storage" => (&BYTES, "local ephemeral storage"),
        _ if huge => (&BYTES, "hugepages"),
        _ => return,
    };
    if !allowed.contains(&amount.as_str()) {
        let list = if what == "cpu" { "1m and 1".to_owned() } else { allowed.join(", ") };
        let detail = format!("only divisor's values {list} are supported with the {what} resource");
        errors.invalid(divisor, resource, &detail);
    }
}
