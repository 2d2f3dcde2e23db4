//! The JSON Schemas of manifests against the recorded answers: what they refuse, the API server refuses.

mod programs;

use jsonschema::Validator;
use programs::{binary, command, repository, succeed};
use sandbox_lint::yaml::{self, Options};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A document of two resources: the record has the answer for the second only, and the schema refuses the first.
const RECORDED_IN_PART: &str = "list-one-bad.yaml";

fn schema(arguments: &[&str]) -> Validator {
    let text = succeed(command(binary(), &repository("")).arg("schema").args(arguments));
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::draft7::meta::is_valid(&schema), "{arguments:?}");
    jsonschema::draft7::new(&schema).unwrap()
}

fn problems(validator: &Validator, instance: &Value) -> Vec<String> {
    validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path())).take(3).collect()
}

/// The documents of a case as kubectl decodes them; `None` for one that it does not decode.
fn documents(case: &str) -> Vec<Option<Value>> {
    let text = fs::read(repository("testdata/conformance/cases").join(case)).unwrap();
    let text = yaml::Text::decode(&text);
    let stream = yaml::stream::parse(text.as_str(), &Options::default());
    let decoded = |document: &yaml::Document<'_>| document.root().map(plain);
    stream.documents.iter().map(decoded).collect()
}

fn plain(node: &yaml::Node<'_>) -> Value {
    serde_json::from_str(&sandbox_lint::resource::json::text(node)).expect("a node is JSON")
}

#[test]
fn what_a_schema_refuses_the_server_refuses() {
    let all = schema(&["all"]);
    let kinds = ["sandbox", "template", "pool", "claim"].map(|name| schema(&[name]));
    let names = ["Sandbox", "SandboxTemplate", "SandboxWarmPool", "SandboxClaim"];
    let records = fs::read_to_string(repository("testdata/conformance/expected.jsonl")).unwrap();
    let mut tally: BTreeMap<(String, bool), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for record in records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (case, accepted) = (record["case"].as_str().unwrap(), record["accepted"].as_str().unwrap());
        let documents = documents(case);
        let Some(Some(document)) = documents.get(record["document"].as_u64().unwrap() as usize) else { continue };
        let found = problems(&all, document);
        let kind = names.iter().position(|name| document["kind"] == *name);
        let of_kind = kind.map(|kind| problems(&kinds[kind], document)).unwrap_or_default();
        *tally.entry((accepted.to_owned(), found.is_empty())).or_default() += 1;
        if accepted == "strict" && case != RECORDED_IN_PART && !(found.is_empty() && of_kind.is_empty()) {
            wrong.push(format!("{case}: {found:?} {of_kind:?}"));
        }
    }
    println!("answer of the server, whether the schema is content: {tally:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    let count = |accepted: &str, content| tally.get(&(accepted.to_owned(), content)).copied().unwrap_or_default();
    assert!(count("strict", true) > 350 && count("refused", false) > 90 && count("lenient", false) > 25, "{tally:?}");
}

#[test]
fn releases_have_schemas_of_their_own() {
    let object = |version: &str, spec: &str| -> Value {
        serde_json::from_str(&format!(
            r#"{{"apiVersion": "agents.x-k8s.io/{version}", "kind": "Sandbox", "metadata": {{"name": "a"}},
            "spec": {{{spec} "podTemplate": {{"spec": {{"containers": [{{"name": "a", "image": "b"}}]}}}}}}}}"#
        ))
        .unwrap()
    };
    for (release, version, spec, fits) in [
        ("0.4.5", "v1alpha1", "", true),
        ("0.4.5", "v1alpha1", r#""service": true,"#, false),
        ("0.4.6", "v1alpha1", r#""service": true,"#, true),
        ("0.4.6", "v1beta1", "", false),
        ("0.5.0", "v1beta1", r#""operatingMode": "Running","#, true),
        ("0.5.0", "v1beta1", r#""operatingMode": "running","#, false),
        ("1.0", "v1alpha1", "", false),
        ("1.0", "v1beta1", "", true),
    ] {
        for of in ["sandbox", "all"] {
            let found = problems(&schema(&[of, "--agent-sandbox-version", release]), &object(version, spec));
            assert_eq!(found.is_empty(), fits, "{of} {release} {version} {spec}: {found:?}");
        }
    }
}

#[test]
fn lists_are_looked_into_and_other_kinds_left_alone() {
    let all = schema(&["all"]);
    let list = |kind: &str| -> Value {
        let text = format!(
            r#"{{"apiVersion": "v1", "kind": "List", "items": [{{"apiVersion": "agents.x-k8s.io/v1beta1", "kind": "{kind}"}}]}}"#
        );
        serde_json::from_str(&text).unwrap()
    };
    assert!(!problems(&all, &list("Sandbox")).is_empty() && !problems(&all, &list("Sandbx")).is_empty());
    let service = serde_json::from_str(r#"{"apiVersion": "v1", "kind": "Service", "spec": 1}"#).unwrap();
    assert!(problems(&all, &service).is_empty());
}
