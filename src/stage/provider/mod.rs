//! Does the provider's CreatePod succeed?

pub mod cocoon;
pub mod sandboxd;

use super::Subject;
use crate::cluster::World;
use crate::finding::Findings;

/// Judges one Pod by the provider of the node that takes it, else of the backend its author means.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    match subject.serving_backend() {
        Some("sandboxd") => sandboxd::check(subject, world, out),
        Some("vk-cocoon") => cocoon::check(subject, world, out),
        _ => {}
    }
}
