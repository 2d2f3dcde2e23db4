//! Kubernetes' own kinds: types and unknown fields, which the API server judges when it decodes the object.

use super::decode;
use super::fault::{self, Cause};
use super::walk::Walk;
use super::{Accepted, Admission};
use crate::finding::{Findings, Spot};
use crate::go::quote;
use crate::resource::schema;
use crate::resource::{Resource, Version, Workload};
use crate::rule;
use crate::yaml::Node;

/// Judges a workload; what else its validation says is left to the cluster.
pub fn check<'s>(resource: &Resource<'s>, workload: Workload, out: &mut Findings) -> Admission<'s> {
    let definition = schema::root(resource.kind, Version::V1beta1);
    let stored = Some(resource.root.clone());
    if let Some((words, cause)) = misfit(resource, workload) {
        let outcome = fault::rejected(words);
        out.stop(outcome.clone());
        cause.report(resource, outcome, out);
        return Admission { accepted: Accepted::Refused, stored: None };
    }
    let mut walk = Walk::within(resource.text, "");
    walk.object(&resource.root, definition);
    // Only the CRDs leave this metadata without fields.
    walk.unknown.retain(|field| !field.path.contains(".ephemeral.volumeClaimTemplate.metadata."));
    let mut paths: Vec<String> = walk.unknown.iter().map(|field| field.path.clone()).collect();
    paths.sort();
    let words = fault::strict(resource, "v1", &paths);
    for cause in walk.unknown.iter().filter_map(|field| field.cause(workload.name(), "v1", None)) {
        cause.report(resource, fault::rejected(words.clone()), out);
    }
    let accepted = if walk.unknown.is_empty() { Accepted::Strict } else { Accepted::Lenient };
    Admission { accepted, stored }
}

/// The first value of a wrong type: kubectl refuses those of the metadata, the API server the rest.
fn misfit(resource: &Resource<'_>, workload: Workload) -> Option<(String, Cause)> {
    let own = resource
        .root
        .get("metadata")
        .and_then(|metadata| decode::misfit(metadata, schema::named("ObjectMeta")?, "metadataOnlyObject", "metadata"));
    let file = quote(&resource.file_name);
    let (words, misfit) = match own {
        Some(misfit) => (format!("error: unable to decode {file}: {}", misfit.error), misfit),
        None => {
            let misfit =
                decode::misfit(&resource.root, schema::root(resource.kind, Version::V1beta1), workload.name(), "")?;
            let kind = workload.name();
            let words = format!(
                "Error from server (BadRequest): error when creating {file}: {kind} in version \"v1\" cannot be handled as a {kind}: {}",
                misfit.error
            );
            (words, misfit)
        }
    };
    let message = format!("`{}` is not of the type that the field takes", misfit.path);
    let quoted = misfit.error.ends_with(" of type string");
    let rule = if quoted { &rule::NON_STRING_VALUE } else { &rule::WRONG_TYPE };
    let help = if quoted { "put the value in quotes" } else { "write what the field takes" };
    let node =
        find(&resource.root, misfit.place).filter(|node| quoted && node.as_seq().is_none() && node.as_map().is_none());
    let cause = Cause::new(rule, Spot::new(misfit.place, misfit.path), message).help(help);
    Some((words, cause.fix(node.and_then(fault::quote))))
}

/// The innermost value that stands at a place.
fn find<'n, 's>(node: &'n Node<'s>, place: crate::yaml::Span) -> Option<&'n Node<'s>> {
    let inside = node.items().chain(node.entries().map(|entry| &entry.value)).find_map(|child| find(child, place));
    inside.or_else(|| (node.place() == place).then_some(node))
}
