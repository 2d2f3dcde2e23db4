//! vk-sandbox's CreatePod.

use crate::cluster::World;
use crate::finding::Findings;
use crate::stage::Subject;

/// Judges one Pod in the provider's own order of checks; the first failure stops it.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let _ = (subject, world, out);
}
