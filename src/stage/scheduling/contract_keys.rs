//! Which node labels the contract decides, whatever the cluster.

use super::board::Place;
use crate::cluster::World;
use crate::suggest;

/// Labels that the kubelet of an ordinary node sets and no virtual kubelet does.
pub const ORDINARY_LABELS: [&str; 4] =
    ["kubernetes.io/os", "kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/arch"];

/// The label that routed to vk-sandbox before the contract.
pub const FORMER_SELECTOR: &str = "cocoon-sandbox.io/runtime";

/// Whether the answer of a node to a label key is the same on every cluster that follows the contract: keys that
/// pick a backend, keys of taints and annotations used as labels, slips of any of these, and labels that virtual
/// nodes never carry.
pub fn decides(world: &World, place: &Place<'_>, key: &str) -> bool {
    world.snapshot.is_some()
        || picks_a_backend(world, key)
        || key == FORMER_SELECTOR
        || is_misplaced(world, key)
        || meant_selector(world, key).is_some()
        || (is_virtual(world, place) && ORDINARY_LABELS.contains(&key))
}

/// Whether a key is the selector of a backend.
pub fn picks_a_backend(world: &World, key: &str) -> bool {
    selectors(world).any(|known| known == key)
}

/// Whether a key is a taint's or an annotation's of the contract, and so never a node label.
pub fn is_misplaced(world: &World, key: &str) -> bool {
    let backends = world.contract.backends.iter();
    let labelled = |backend: &&crate::contract::Backend| backend.node.labels.contains_key(key);
    if picks_a_backend(world, key) || backends.clone().any(|backend| labelled(&backend)) {
        return false;
    }
    backends.clone().any(|backend| {
        backend.node.taints.iter().any(|taint| taint.key == key)
            || backend.annotations.iter().any(|annotation| annotation.key == key)
    })
}

/// The selector key that a misspelt one stands for.
pub fn meant_selector<'w>(world: &'w World, key: &str) -> Option<&'w str> {
    let known = |key: &str| world.contract.backends.iter().any(|backend| backend.node.labels.contains_key(key));
    if known(key) || is_misplaced(world, key) || picks_a_backend(world, key) || !key.contains('/') {
        return None;
    }
    suggest::nearest(key, selectors(world))
}

fn selectors(world: &World) -> impl Iterator<Item = &str> {
    world.contract.backends.iter().filter_map(|backend| backend.selector.as_ref()).map(|selector| selector.key.as_str())
}

/// Whether a node is one of a backend with a selector of its own.
pub fn is_virtual(world: &World, place: &Place<'_>) -> bool {
    let backend = place.backend.and_then(|name| world.contract.backend(name));
    backend.is_some_and(|backend| backend.selector.is_some())
}
