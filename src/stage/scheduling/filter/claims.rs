//! `VolumeBinding` before the filter: the PersistentVolumeClaims of a Pod.

use super::Refusal;
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

/// Why the API server refuses the claim of a template, in its words; the first reason only.
fn template_error(template: &Node<'_>, name: &str) -> Option<String> {
    let spec = template.get("spec")?;
    let reason = metadata_error(template).or_else(|| mode_error(spec)).or_else(|| storage_error(spec))?;
    Some(format!("PersistentVolumeClaim \"{name}\" is invalid: {reason}"))
}

fn metadata_error(template: &Node<'_>) -> Option<String> {
    let labels = template.at(&["metadata", "labels"]).into_iter().flat_map(Node::entries);
    let bad = labels.filter_map(|entry| entry.value.as_str()).find(|value| !is_label_value(value))?;
    Some(format!(
        "metadata.labels: Invalid value: \"{bad}\": a valid label must be an empty string or consist of alphanumeric \
         characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or \
         'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
    ))
}

fn mode_error(spec: &Node<'_>) -> Option<String> {
    let modes: Vec<&str> = spec.get("accessModes").into_iter().flat_map(Node::items).filter_map(Node::as_str).collect();
    if modes.is_empty() {
        return Some("spec.accessModes: Required value: at least 1 access mode is required".into());
    }
    if let Some(mode) = modes.iter().find(|mode| !ACCESS_MODES.contains(mode)) {
        let known = ACCESS_MODES.map(|mode| format!("\"{mode}\"")).join(", ");
        return Some(format!("spec.accessModes: Unsupported value: \"{mode}\": supported values: {known}"));
    }
    if modes.len() > 1 && modes.contains(&"ReadWriteOncePod") {
        return Some("spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes".into());
    }
    let mode = spec.get("volumeMode").and_then(Node::as_str)?;
    let known = matches!(mode, "Block" | "Filesystem");
    (!known)
        .then(|| format!("spec.volumeMode: Unsupported value: \"{mode}\": supported values: \"Block\", \"Filesystem\""))
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

fn is_label_value(text: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let edge = |letter: Option<char>| letter.is_none_or(|letter| letter.is_ascii_alphanumeric());
    text.len() <= 63 && text.chars().all(inner) && edge(text.chars().next()) && edge(text.chars().last())
}
