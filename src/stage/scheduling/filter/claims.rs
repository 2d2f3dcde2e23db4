//! `VolumeBinding` before the filter: the PersistentVolumeClaims of a Pod.

use super::Refusal;
use crate::cluster::World;
use crate::go::quote;
use crate::names;
use crate::quantity::Quantity;
use crate::resource::pod::PodPlan;
use crate::stage::scheduling::board::Board;
use crate::yaml::{Node, Value};

/// A PersistentVolumeClaim that a Pod mounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The claim's name.
    pub name: String,
    /// Index of the volume in the Pod's spec.
    pub volume: usize,
    /// Where the claim comes from.
    pub made: Made,
}

/// Who makes a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// Somebody else; it is only named.
    Elsewhere,
    /// The controller, from the item of `volumeClaimTemplates` with this index; the words with which the API server
    /// refuses the claim, if it does.
    FromTemplate(usize, Option<String>),
    /// A controller of Kubernetes, for an ephemeral volume.
    Ephemeral,
}

/// The claims of a planned Pod, in the order of its volumes.
pub fn claims(plan: &PodPlan<'_>) -> Vec<Claim> {
    let volumes = plan.spec.get("volumes").map(|volumes| volumes.as_seq().unwrap_or_default()).unwrap_or_default();
    let own = volumes.len().saturating_sub(plan.claim_templates.len());
    let read = |(volume, node): (usize, &Node<'_>)| {
        let named = node.at(&["persistentVolumeClaim", "claimName"]).and_then(Node::as_str);
        if let Some(name) = named {
            let made = match volume.checked_sub(own).and_then(|index| Some((index, plan.claim_templates.get(index)?))) {
                Some((index, template)) => Made::FromTemplate(index, template_error(template, name)),
                None => Made::Elsewhere,
            };
            return Some(Claim { name: name.to_owned(), volume, made });
        }
        node.get("ephemeral")?;
        let name = format!("{}-{}", plan.name, node.get("name")?.as_str()?);
        Some(Claim { name, volume, made: Made::Ephemeral })
    };
    volumes.iter().enumerate().filter_map(read).collect()
}

/// What the scheduler says of the first claim that is not there.
pub fn refusal(claims: &[Claim], board: &Board<'_>, namespace: &str) -> Option<Refusal> {
    let snapshot = board.world.snapshot.as_ref();
    let missing = |claim: &&Claim| match &claim.made {
        Made::Elsewhere => snapshot.and_then(|known| known.has_claim(namespace, &claim.name)) == Some(false),
        Made::FromTemplate(_, error) => error.is_some(),
        Made::Ephemeral => false,
    };
    if let Some(claim) = claims.iter().find(missing) {
        return Some(Refusal::new("VolumeBinding", format!("persistentvolumeclaim \"{}\" not found", claim.name)));
    }
    let waits_in_vain = |claim: &Claim| match &claim.made {
        Made::Elsewhere => {
            let found = snapshot.and_then(|known| known.claim(namespace, &claim.name)).filter(|found| !found.bound);
            let waits = |class: &str| snapshot.and_then(|known| known.class_waits_for_pod(class));
            found.is_some_and(|found| waits(&found.class) == Some(false))
        }
        _ => false,
    };
    claims.iter().any(waits_in_vain).then(unbound)
}

/// What the scheduler says of claims that nothing provisions for the node.
pub fn unbound() -> Refusal {
    Refusal::new("VolumeBinding", "pod has unbound immediate PersistentVolumeClaims").uncertain()
}

const ACCESS_MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// Why the API server refuses the claim of a template, in its words.
fn template_error(template: &Node<'_>, name: &str) -> Option<String> {
    let spec = template.get("spec")?;
    let reasons = [
        invalid("metadata.name", name, &names::dns_subdomain(name)),
        metadata_errors(template),
        mode_errors(spec),
        storage_error(spec).into_iter().collect(),
        class_errors(spec, "storageClassName"),
        volume_mode_error(spec).into_iter().collect(),
        class_errors(spec, "volumeAttributesClassName"),
    ]
    .concat();
    let reason = match &reasons[..] {
        [] => return None,
        [reason] => reason.clone(),
        _ => format!("[{}]", reasons.join(", ")),
    };
    Some(format!("PersistentVolumeClaim \"{name}\" is invalid: {reason}"))
}

/// One line for each detail that is wrong with a value.
fn invalid(path: &str, value: &str, details: &[String]) -> Vec<String> {
    details.iter().map(|detail| format!("{path}: Invalid value: {}: {detail}", quote(value))).collect()
}

fn metadata_errors(template: &Node<'_>) -> Vec<String> {
    let minor = World::NEWEST_KUBE_MINOR;
    let mut errors = Vec::new();
    for entry in template.at(&["metadata", "labels"]).into_iter().flat_map(Node::entries) {
        errors.extend(invalid("metadata.labels", &entry.key, &names::label_key(&entry.key, minor)));
        let value = entry.value.as_str().unwrap_or_default();
        errors.extend(invalid("metadata.labels", value, &names::label_value(value, minor)));
    }
    for entry in template.at(&["metadata", "annotations"]).into_iter().flat_map(Node::entries) {
        // Annotation keys are judged in lower case.
        errors.extend(invalid("metadata.annotations", &entry.key, &names::label_key(&entry.key.to_lowercase(), minor)));
    }
    errors
}

fn mode_errors(spec: &Node<'_>) -> Vec<String> {
    let modes: Vec<&str> = spec.get("accessModes").into_iter().flat_map(Node::items).filter_map(Node::as_str).collect();
    if modes.is_empty() {
        return vec!["spec.accessModes: Required value: at least 1 access mode is required".into()];
    }
    let is_known = |mode: &&&str| ACCESS_MODES.contains(*mode);
    let known = ACCESS_MODES.map(quote).join(", ");
    let unknown = modes.iter().filter(|mode| !is_known(mode));
    let mut errors: Vec<String> = unknown
        .map(|mode| format!("spec.accessModes: Unsupported value: {}: supported values: {known}", quote(mode)))
        .collect();
    let (single, others): (Vec<&str>, _) = modes.iter().filter(is_known).partition(|mode| **mode == "ReadWriteOncePod");
    if !single.is_empty() && !others.is_empty() {
        errors.push("spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes".into());
    }
    errors
}

fn volume_mode_error(spec: &Node<'_>) -> Option<String> {
    let mode = spec.get("volumeMode").and_then(Node::as_str)?;
    let known = matches!(mode, "Block" | "Filesystem");
    let words =
        format!("spec.volumeMode: Unsupported value: {}: supported values: \"Block\", \"Filesystem\"", quote(mode));
    (!known).then_some(words)
}

/// A StorageClass or VolumeAttributesClass whose name no class can have.
fn class_errors(spec: &Node<'_>, field: &str) -> Vec<String> {
    let class = spec.get(field).and_then(Node::as_str).filter(|class| !class.is_empty());
    class.map_or_else(Vec::new, |class| invalid(&format!("spec.{field}"), class, &names::dns_subdomain(class)))
}

fn storage_error(spec: &Node<'_>) -> Option<String> {
    let Some(storage) = spec.at(&["resources", "requests", "storage"]) else {
        return Some("spec.resources[storage]: Required value".into());
    };
    let quantity = match &storage.value {
        Value::Int(number) => Quantity::from_int(*number),
        Value::String(text) => Quantity::parse(text).ok()?,
        _ => return None,
    };
    (quantity.is_zero() || quantity.is_negative())
        .then(|| format!("spec.resources[storage]: Invalid value: \"{quantity}\": must be greater than zero"))
}
