//! Tests of the filters, of the rules, and of the recorded answers of a real scheduler.

mod filters;
mod pages;
mod recorded;
mod rules;

use crate::cluster::World;
use crate::finding::{Findings, ResourceId};
use crate::resource::pod::{self, PodPlan};
use crate::resource::{Kind, Resource, Version, intent};
use crate::stage::Subject;
use crate::stage::scheduling::{check, place};
use crate::yaml::{Node, Value, parse};

/// The resource in the first document of a text, as the API server stores it.
fn resource(text: &str) -> Option<Resource<'_>> {
    let stream = parse(text, &Default::default());
    let mut root = stream.documents.first()?.root()?.clone();
    drop_nulls(&mut root);
    let kind = match root.get("kind").and_then(Node::as_str)? {
        "Sandbox" => Kind::Sandbox,
        "SandboxTemplate" => Kind::SandboxTemplate,
        _ => return None,
    };
    let name = root.at(&["metadata", "name"]).and_then(Node::as_str).map(str::to_owned);
    let id = ResourceId { api_version: None, kind: None, namespace: None, name };
    Some(Resource { kind, version: Version::V1beta1, id, root, prefix: String::new(), file_name: String::new(), text })
}

fn drop_nulls(node: &mut Node<'_>) {
    match &mut node.value {
        Value::Map(map) => {
            map.entries.retain(|entry| !entry.value.is_null());
            map.entries.iter_mut().for_each(|entry| drop_nulls(&mut entry.value));
        }
        Value::Seq(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn plan<'s>(resource: &Resource<'s>) -> PodPlan<'s> {
    pod::plan(resource, &resource.root).expect("the resource makes a Pod")
}

/// Everything that this stage finds in a manifest.
fn findings(text: &str, world: &World) -> Findings {
    let resource = resource(text).expect("a resource");
    let plan = plan(&resource);
    let mut out = Findings::new(0, Some(0), None);
    let (intent, placement) = (intent::read(&plan, world), place(&plan, world));
    let subject = Subject { stored: resource.root.clone(), resource, plan, intent, placement };
    check(&subject, world, &mut out);
    out
}

/// A manifest as a source file.
fn source(text: &str) -> crate::Source {
    crate::Source::explicit("manifest.yaml", text.as_bytes().to_vec())
}
