//! The recorded answers of a real API server, and the forms of messages that no recorded case shows.

use super::message::pod_is_invalid;
use super::{Pod, plugins, validate};
use crate::cluster::World;
use crate::finding::ResourceId;
use crate::resource::pod::{self, PodPlan};
use crate::resource::{Kind, Resource, Version};
use crate::yaml::{self, Node};
use std::collections::BTreeSet;
use std::path::Path;

fn documents(text: &str) -> Vec<Node<'_>> {
    let stream = yaml::parse(text, &yaml::Options::default());
    stream.documents.iter().filter_map(|document| document.root().cloned()).collect()
}

fn plan<'s>(root: &Node<'s>) -> Option<PodPlan<'s>> {
    let kind = match root.get("kind")?.as_str()? {
        "Sandbox" => Kind::Sandbox,
        "SandboxTemplate" => Kind::SandboxTemplate,
        _ => return None,
    };
    let text = |keys: &[&str]| root.at(keys).and_then(Node::as_str).map(str::to_owned);
    let id = ResourceId {
        api_version: text(&["apiVersion"]),
        kind: text(&["kind"]),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    };
    let resource = Resource {
        kind,
        version: Version::V1beta1,
        id,
        root: root.clone(),
        prefix: String::new(),
        file_name: String::new(),
        text: "",
    };
    pod::plan(&resource, root)
}

/// What the API server says of the Pod, or nothing where it takes it.
fn answer(plan: &PodPlan<'_>) -> Option<String> {
    let world = World::assumed();
    let pod = Pod::of(plan);
    if let Some(refusal) = plugins::before_validation(&pod, &world) {
        return Some(refusal.message);
    }
    let errors = validate(&pod, &world.contract, world.kube_minor);
    if !errors.causes.is_empty() {
        return Some(pod_is_invalid(pod.name, &errors.causes));
    }
    plugins::after_validation(&pod).map(|refusal| refusal.message)
}

fn causes(message: &str) -> BTreeSet<&str> {
    let start = message.find(" is invalid: ").map_or(0, |at| at + " is invalid: ".len());
    let list = &message[start..];
    let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
    list.split(", spec.")
        .flat_map(|part| part.split(", metadata."))
        .map(|part| part.trim_start_matches("spec."))
        .collect()
}

#[test]
fn recorded_pods_are_refused_and_accepted_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance");
    let expected = std::fs::read_to_string(folder.join("expected.jsonl")).expect("the records are there");
    let mut differing = Vec::new();
    let (mut refused, mut taken) = (0, 0);
    for line in expected.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record is JSON");
        let (case, stage) = (record["case"].as_str().expect("a name"), record["stage"].as_str().expect("a stage"));
        if !["pod-create", "scheduling", "running"].contains(&stage) {
            continue;
        }
        let text = std::fs::read(folder.join("cases").join(case)).expect("the case is there");
        let text = String::from_utf8_lossy(&text);
        let documents = documents(&text);
        let index = record["document"].as_u64().expect("an index") as usize;
        let Some(plan) = documents.get(index).and_then(plan) else { continue };
        let given = answer(&plan);
        let wanted = record["message"].as_str().filter(|_| stage == "pod-create");
        if given.as_deref().map(causes) == wanted.map(causes) {
            refused += usize::from(wanted.is_some());
            taken += usize::from(wanted.is_none());
        } else {
            differing.push(format!("{case}\n  wanted {wanted:?}\n  given  {given:?}"));
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    assert!(refused >= 100 && taken >= 200, "{refused} refused and {taken} taken alike");
}
