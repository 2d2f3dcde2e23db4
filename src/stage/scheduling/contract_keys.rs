//! Which node labels the contract decides, whatever the cluster.

use super::board::Place;
use crate::cluster::World;

/// Labels that the kubelet of an ordinary node sets and no virtual kubelet does.
pub const ORDINARY_LABELS: [&str; 4] =
    ["kubernetes.io/os", "kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/arch"];

/// Whether the answer of a node to a label key is the same on every cluster that follows the contract: keys that
/// pick a backend, defects and relatives of them, and labels that virtual nodes never carry.
pub fn decides(world: &World, place: &Place<'_>, key: &str, values: &[&str]) -> bool {
    world.has_real_nodes()
        || world.contract.picked_by(key).next().is_some()
        || world.contract.label_defect(key, values).is_some()
        || (is_virtual(world, place) && ORDINARY_LABELS.contains(&key))
}

/// Whether a node is one of a backend with a selector of its own.
pub fn is_virtual(world: &World, place: &Place<'_>) -> bool {
    place.backend.is_some_and(|name| world.contract.virtual_backends().any(|backend| backend.name == name))
}
