//! Agreement with what real virtual-kubelets answered (`testdata/conformance/provider/`, read its README first).

use sandbox_lint::cluster::World;
use sandbox_lint::finding::{Outcome, Phase, ResourceId, Stage};
use sandbox_lint::predict::{self, Journey};
use sandbox_lint::resource::{Kind, Resource, Version};
use sandbox_lint::yaml::{Entry, Mapping, Node, Span, Style, Value};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Record {
    case: String,
    backend: String,
    stage: String,
    phase: String,
    reason: Option<String>,
    message: Option<String>,
    events: Vec<(String, String, String)>,
    depends_on_state: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance/provider")
}

fn records() -> Vec<Record> {
    let text = std::fs::read_to_string(folder().join("expected.jsonl")).expect("the record");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn node(value: &serde_yaml::Value) -> Node<'static> {
    let span = Span::new(0, 0);
    let value = match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(flag) => Value::Bool(*flag),
        serde_yaml::Value::Number(number) => number.as_i64().map_or(Value::Float(0.0), Value::Int),
        serde_yaml::Value::String(text) => Value::String(text.clone().into()),
        serde_yaml::Value::Sequence(items) => Value::Seq(items.iter().map(node).collect()),
        serde_yaml::Value::Mapping(map) => Value::Map(Mapping {
            entries: map
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| Entry {
                    key: key.as_str().unwrap_or_default().to_owned().into(),
                    key_span: span,
                    value: node(value),
                })
                .collect(),
        }),
        serde_yaml::Value::Tagged(tagged) => return node(&tagged.value),
    };
    Node::new(span, Style::Plain, value)
}

fn follow(case: &str) -> Journey<'static> {
    let text = std::fs::read_to_string(folder().join("cases").join(case)).expect(case);
    let documents =
        serde_yaml::Deserializer::from_str(&text).map(|one| serde_yaml::Value::deserialize(one).expect(case));
    let sandbox = documents.filter(|value| value["kind"] == "Sandbox").next().expect("one Sandbox");
    let root = node(&sandbox);
    let name = root.at(&["metadata", "name"]).and_then(Node::as_str).map(str::to_owned);
    let id = ResourceId { api_version: None, kind: None, namespace: None, name };
    let resource = Resource {
        kind: Kind::Sandbox,
        version: Version::V1beta1,
        id,
        root,
        prefix: String::new(),
        file_name: String::new(),
        text: "",
    };
    predict::follow(0, 0, resource, &World::assumed())
}

/// What differs between the record and the prediction; empty when they agree.
fn differences(record: &Record, outcome: &Outcome) -> Vec<String> {
    let runs = outcome.phase == Phase::Running;
    if record.depends_on_state && runs {
        return Vec::new();
    }
    let mut differences = Vec::new();
    let mut compare = |what: &str, recorded: Option<&str>, predicted: Option<&str>| {
        if recorded != predicted {
            differences.push(format!("{what}: recorded {recorded:?}, predicted {predicted:?}"));
        }
    };
    compare("stage", Some(&record.stage), Some(outcome.stage.name()));
    let phase = serde_json::to_value(outcome.phase).expect("a name");
    compare("phase", Some(&record.phase), phase.as_str());
    if outcome.stage == Stage::Provider {
        compare("reason", record.reason.as_deref(), outcome.reason.as_deref());
        compare("message", record.message.as_deref(), outcome.message.as_deref());
        let shown = outcome.shown_on.as_deref().unwrap_or_default();
        for (_, reason, message) in &record.events {
            if !shown.contains(reason.as_str()) {
                compare("event", Some(reason), Some(shown));
            }
            let own = message.strip_prefix("create: ").unwrap_or(message);
            compare("event message", Some(own), outcome.message.as_deref());
        }
    }
    differences
}

/// The first word of a case's name: the kind of what is tried.
fn group(case: &str) -> &str {
    case.split('-').next().unwrap_or(case)
}

/// Cases whose answer hangs on what an image is, which the record does not call state.
const IMAGE_KIND: [&str; 1] = ["c-os-windows-oci.yaml"];

#[test]
fn predictions_agree_with_the_record() {
    let records = records();
    let (mut agreed, mut failures) = (0, Vec::new());
    for record in &records {
        let journey = follow(&record.case);
        let outcome = journey.prediction.outcome.expect("a Sandbox with a Pod");
        let differences = differences(record, &outcome);
        if differences.is_empty() {
            agreed += 1;
        } else {
            failures.push((record, differences));
        }
    }
    println!("provider: {agreed} of {} agree", records.len());
    for (record, differences) in &failures {
        println!("{} ({}, {})", record.case, record.backend, record.stage);
        for difference in differences {
            println!("    {difference}");
        }
    }
    let strict = ["ttl", "runtime", "template", "net", "size", "rp"];
    let wrong: Vec<_> = failures
        .iter()
        .filter(|(record, _)| record.stage == "provider" || strict.contains(&group(&record.case)))
        .filter(|(record, _)| record.stage != "kubelet")
        .filter(|(record, _)| !IMAGE_KIND.contains(&record.case.as_str()))
        .map(|(record, _)| record.case.as_str())
        .collect();
    assert_eq!(wrong, [""; 0], "cases that the manifest decides");
}
