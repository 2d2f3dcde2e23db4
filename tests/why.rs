//! `why`: recorded answers of real clusters, in the form in which kubectl prints them, lead to the recorded stage and to
//! the rules that the linter names for the manifest.

use sandbox_lint::finding::Stage;
use sandbox_lint::why::{self, Account, Live, State};
use sandbox_lint::{Linter, Source, World, yaml};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path)
}

fn records(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(testdata(path)).expect("the record");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A Sandbox as the API server stores it.
fn stored(manifest: &str) -> Option<Value> {
    let stream = yaml::parse(manifest, &yaml::Options::default());
    let [document] = stream.documents.as_slice() else { return None };
    let mut object = yaml::to_value(document.root()?);
    let metadata = object["metadata"].as_object_mut()?;
    metadata.entry("namespace").or_insert("default".into());
    metadata.insert("uid".into(), "f5b3a1c2".into());
    metadata.insert("resourceVersion".into(), "421".into());
    metadata.insert("creationTimestamp".into(), "2026-08-03T10:00:00Z".into());
    metadata.insert("generation".into(), 1.into());
    metadata.insert("managedFields".into(), json!([{"manager": "kubectl", "operation": "Update"}]));
    drop_nulls(&mut object);
    Some(object)
}

/// kubectl apply drops what is null.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn condition(kind: &str, status: &str, reason: &Value, message: &Value) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": message})
}

/// The Pod of a Sandbox as the API server stores it.
fn pod(sandbox: &Value) -> Value {
    let template = &sandbox["spec"]["podTemplate"];
    let name = &sandbox["metadata"]["name"];
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": name, "namespace": sandbox["metadata"]["namespace"],
            "labels": template["metadata"]["labels"], "annotations": template["metadata"]["annotations"],
            "ownerReferences": [{"apiVersion": "agents.x-k8s.io/v1beta1", "kind": "Sandbox", "name": name, "controller": true}],
        },
        "spec": template["spec"],
        "status": {"phase": "Pending", "conditions": []},
    });
    let labels = &mut pod["metadata"]["labels"];
    if !labels.is_object() {
        *labels = json!({});
    }
    labels["agents.x-k8s.io/sandbox-name-hash"] = "1a2b3c4d".into();
    drop_nulls(&mut pod);
    pod
}

/// An event of `v1`, or of `events.k8s.io/v1` where `new` says so.
fn event(sandbox: &Value, number: usize, event: &Value, new: bool) -> Value {
    let about =
        json!({"kind": "Pod", "namespace": sandbox["metadata"]["namespace"], "name": sandbox["metadata"]["name"]});
    let metadata = json!({"name": format!("demo.{number}"), "namespace": sandbox["metadata"]["namespace"]});
    let time = format!("2026-08-03T10:00:{number:02}Z");
    if new {
        json!({"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": metadata, "regarding": about, "type": event[0],
            "reason": event[1], "note": event[2], "eventTime": null, "deprecatedCount": 7, "deprecatedLastTimestamp": time})
    } else {
        json!({"apiVersion": "v1", "kind": "Event", "metadata": metadata, "involvedObject": about, "type": event[0],
            "reason": event[1], "message": event[2], "count": 7, "lastTimestamp": time})
    }
}

fn list(items: Vec<Value>) -> String {
    json!({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}).to_string()
}

/// What kubectl prints of a record of the providers; `None` where nothing was stored.
fn printed(record: &Value, new: bool) -> Option<String> {
    if record["stage"] == "admission" {
        return None;
    }
    let case = testdata("conformance/provider/cases").join(text(&record["case"]));
    let mut sandbox = stored(&std::fs::read_to_string(case).expect("a case"))?;
    let ready = &record["ready"];
    sandbox["status"] =
        json!({"conditions": [condition("Ready", text(&ready["status"]), &ready["reason"], &ready["message"])]});
    let mut items = Vec::new();
    if record["stage"] != "pod-create" {
        let mut pod = pod(&sandbox);
        pod["status"]["phase"] = match text(&record["phase"]) {
            "running" => "Running",
            "failed" => "Failed",
            _ => "Pending",
        }
        .into();
        if record["stage"] == "scheduling" {
            let scheduled = condition("PodScheduled", "False", &"Unschedulable".into(), &record["events"][0][2]);
            pod["status"]["conditions"] = json!([scheduled]);
        } else {
            pod["spec"]["nodeName"] = record["node"].clone();
            pod["status"]["reason"] = record["reason"].clone();
            pod["status"]["message"] = record["message"].clone();
        }
        drop_nulls(&mut pod);
        items.push(pod);
    }
    let events = record["events"].as_array().expect("events");
    items.extend(events.iter().enumerate().map(|(number, one)| event(&sandbox, number, one, new)));
    items.insert(0, sandbox);
    Some(list(items))
}

fn explain(printed: &str, world: &World) -> Vec<Account> {
    let mut live = Live::default();
    live.read(printed).expect("readable");
    live.finish();
    why::explain(&live, world)
}

/// The codes of the findings that lead to the predicted outcome of a manifest.
fn stopping_rules(manifest: &str) -> (Option<Stage>, BTreeSet<&'static str>) {
    let report = Linter::new(World::assumed()).check(vec![Source::explicit("case.yaml", manifest.as_bytes().to_vec())]);
    let outcome = report.predictions.first().and_then(|prediction| prediction.outcome.clone());
    let findings = report.findings.iter().filter(|finding| finding.outcome.is_some() && finding.outcome == outcome);
    (outcome.as_ref().map(|outcome| outcome.stage), findings.map(|finding| finding.rule.code).collect())
}

fn codes(account: &Account) -> BTreeSet<&'static str> {
    account.fields.iter().filter_map(|field| field.code).collect()
}

/// What differs between what is explained and what was recorded and is found in the manifest.
fn differences(record: &Value, accounts: &[Account], manifest: &str) -> Vec<String> {
    let [account] = accounts else { return vec![format!("{} accounts", accounts.len())] };
    let stage = account.stage.map(Stage::name);
    let mut differences = Vec::new();
    if account.state != State::Stuck || stage != Some(text(&record["stage"])) {
        differences.push(format!("{:?} at {stage:?}, recorded {}", account.state, record["stage"]));
    }
    let (predicted, wanted) = stopping_rules(manifest);
    let found = codes(account);
    if predicted.map(Stage::name) == Some(text(&record["stage"])) && !wanted.is_empty() && found.is_disjoint(&wanted) {
        differences.push(format!("rules {found:?}, the linter finds {wanted:?}"));
    }
    if !account.unexplained.is_empty() {
        differences.push(format!("not explained: {:?}", account.unexplained));
    }
    differences
}

fn report(what: &str, total: usize, failures: &[(String, Vec<String>)]) {
    println!("{what}: {} of {total} agree", total - failures.len());
    for (case, differences) in failures {
        println!("{case}\n    {}", differences.join("\n    "));
    }
}

#[test]
fn stuck_pods_of_the_providers_are_explained() {
    let (mut total, mut failures) = (0, Vec::new());
    for record in records("conformance/provider/expected.jsonl") {
        let stuck = record["stage"] != "running";
        for new in [false, true] {
            let Some(printed) = printed(&record, new).filter(|_| stuck) else { continue };
            total += 1;
            let case = testdata("conformance/provider/cases").join(text(&record["case"]));
            let manifest = std::fs::read_to_string(case).expect("a case");
            let differences = differences(&record, &explain(&printed, &World::assumed()), &manifest);
            if !differences.is_empty() {
                failures.push((text(&record["case"]).to_owned(), differences));
            }
        }
    }
    report("providers", total, &failures);
    assert!(total > 200);
    assert_eq!(failures.len(), 0);
}

#[test]
fn pods_that_run_are_not_called_stuck() {
    let mut silent = Vec::new();
    for record in records("conformance/provider/expected.jsonl") {
        let ready = record["ready"]["status"] == "True";
        let Some(printed) = printed(&record, false).filter(|_| ready) else { continue };
        let accounts = explain(&printed, &World::assumed());
        if accounts.len() != 1 || accounts[0].state != State::Healthy {
            silent.push(format!("{}: {:?}", record["case"], accounts[0].state));
        }
    }
    assert_eq!(silent, [""; 0]);
}

/// What kubectl prints of a record of the scheduler and the API server.
fn printed_by_cluster(record: &Value, manifest: &str) -> Option<String> {
    let mut sandbox = stored(manifest)?;
    if sandbox["kind"] != "Sandbox" {
        return None;
    }
    let ready = &record["sandbox_ready"];
    let mut conditions = vec![condition("Ready", "False", &ready["reason"], &ready["message"])];
    let mut items = Vec::new();
    if record["stage"] == "scheduling" {
        let held = text(&record["message"]).starts_with("Scheduling is blocked");
        let reason = if held { "SchedulingGated" } else { "Unschedulable" };
        let scheduled = condition("PodScheduled", "False", &reason.into(), &record["message"]);
        if record["message"].is_null() {
            let unknown = "Pod has not reported a PodScheduled condition yet";
            conditions.push(condition("PodScheduled", "Unknown", &"PodSchedulingUnknown".into(), &unknown.into()));
        }
        let mut pod = pod(&sandbox);
        if !record["message"].is_null() {
            pod["status"]["conditions"] = json!([scheduled]);
        }
        items.push(pod);
    }
    sandbox["status"] = json!({"conditions": conditions});
    items.insert(0, sandbox);
    Some(list(items))
}

#[test]
fn refused_and_unschedulable_pods_are_explained() {
    let (mut total, mut failures) = (0, Vec::new());
    for record in records("conformance/expected.jsonl") {
        if !["pod-create", "scheduling"].contains(&text(&record["stage"])) || record["documents"] != 1 {
            continue;
        }
        let case = testdata("conformance/cases").join(text(&record["case"]));
        let manifest = String::from_utf8_lossy(&std::fs::read(case).expect("a case")).into_owned();
        let Some(printed) = printed_by_cluster(&record, &manifest) else { continue };
        total += 1;
        let differences = differences(&record, &explain(&printed, &World::assumed()), &manifest);
        if !differences.is_empty() {
            failures.push((text(&record["case"]).to_owned(), differences));
        }
    }
    report("API server and scheduler", total, &failures);
    assert!(total > 100);
    assert_eq!(failures.len(), 0);
}

fn run(arguments: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandbox-lint"))
        .arg("why")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("an end")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn record(case: &str) -> Value {
    let records = records("conformance/provider/expected.jsonl");
    records.into_iter().find(|record| record["case"] == case).expect(case)
}

#[test]
fn the_report_names_stage_words_field_and_advice() {
    let input = printed(&record("annotation-wrong-prefix.yaml"), false).expect("an input");
    let output = run(&[], &input);
    assert_eq!(output.status.code(), Some(1));
    let text = out(&output);
    for line in [
        "Sandbox default/demo is stuck at provider (Pod Pending)",
        "  message    pod default/demo: missing sandbox.cocoonstack.io/template annotation",
        "  shown on   Pod status ProviderFailed; Pod event ProviderCreateFailed, 7 times",
        "(SB402 missing-template)",
        "  waiting    does not help: virtual-kubelet tries CreatePod 20 times",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let json: Value = serde_json::from_str(&out(&run(&["--format", "json", "-"], &input))).expect("JSON");
    assert_eq!(json["objects"][0]["stage"], "provider");
    assert_eq!(json["objects"][0]["fields"][0]["code"], "SB402");
    assert_eq!(json["objects"][0]["predicted"]["agrees"], true);
    assert_eq!(json["summary"], json!({"stuck": 1, "misplaced": 0, "waiting": 0, "at-rest": 0, "healthy": 0}));
}

#[test]
fn a_failed_pod_is_final() {
    let input = printed(&record("rp-never-500.yaml"), false).expect("an input");
    assert!(out(&run(&[], &input)).contains("waiting    does not help: a Failed Pod is never tried again"));
}

#[test]
fn healthy_objects_take_one_line_and_exit_with_0() {
    let input = printed(&record("active-deadline-3s.yaml"), false).expect("an input");
    let output = run(&[], &input);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "1 healthy: Sandbox default/demo\n"));
}

#[test]
fn what_is_no_input_is_said() {
    for (input, words) in
        [("{", "STDIN: not readable as YAML or JSON"), ("", "holds no Kubernetes object"), ("a: 1", "holds no")]
    {
        let output = run(&[], input);
        assert_eq!(output.status.code(), Some(2), "{input}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{input}");
    }
    assert_eq!(run(&["no-such-file.yaml"], "").status.code(), Some(2));
}

#[test]
fn unknown_words_are_quoted_and_escaped() {
    let mut sandbox = stored(SANDBOX).expect("a Sandbox");
    sandbox["status"] = json!({"conditions": [condition("Ready", "False", &"DependenciesNotReady".into(), &"Pod exists with phase: Pending".into())]});
    let pod = pod(&sandbox);
    let novel = event(&sandbox, 1, &json!(["Warning", "Novel", "some\u{1b}[31m words"]), false);
    let output = run(&[], &list(vec![sandbox, pod, novel]));
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("is stuck, at a stage that is not known"), "{text}");
    assert!(text.contains("also shown Pod event Novel, 7 times: some\\u{1b}[31m words"), "{text}");
}

const SANDBOX: &str = "
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata: {name: web}
spec:
  podTemplate:
    metadata: {annotations: {sandbox.cocoonstack.io/template: 'rt:1'}}
    spec:
      nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}
      tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}]
      containers: [{name: agent, image: 'rt:1'}]
";

#[test]
fn a_pod_that_runs_without_its_microvm_is_misplaced() {
    let manifest = SANDBOX.replace("      nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}\n", "");
    let mut sandbox = stored(&manifest).expect("a Sandbox");
    sandbox["status"] =
        json!({"conditions": [condition("Ready", "True", &"DependenciesReady".into(), &"Pod is Ready".into())]});
    let mut pod = pod(&sandbox);
    pod["spec"]["nodeName"] = "worker-7".into();
    pod["status"] =
        json!({"phase": "Running", "containerStatuses": [{"name": "agent", "containerID": "containerd://abc"}]});
    let output = run(&[], &list(vec![sandbox.clone(), pod.clone()]));
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1));
    for words in [
        "Sandbox default/web runs where it should not (Pod Running)",
        "meant for vk-sandbox (annotation sandbox.cocoonstack.io/template), but it runs as a plain container on an ordinary node (worker-7)",
        "SB305",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    // Without a sign of a container runtime the node decides.
    pod["status"] = json!({"phase": "Running"});
    assert_eq!(run(&[], &list(vec![sandbox.clone(), pod.clone()])).status.code(), Some(0));
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker-7", "labels": {"kubernetes.io/os": "linux"}}});
    assert_eq!(run(&[], &list(vec![sandbox, pod, node])).status.code(), Some(1));
}

#[test]
fn claims_and_pools_are_explained() {
    let claim = json!({"apiVersion": "extensions.agents.x-k8s.io/v1beta1", "kind": "SandboxClaim",
        "metadata": {"name": "c", "namespace": "lab"}, "spec": {"warmPoolRef": {"name": "runners"}},
        "status": {"conditions": [condition("Ready", "False", &"WarmPoolNotFound".into(), &"SandboxWarmPool \"runners\" not found".into())]}});
    let text = out(&run(&[], &list(vec![claim])));
    for words in ["SandboxClaim lab/c is stuck at reconcile", "spec.warmPoolRef.name", "looks again every minute"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let pool = json!({"apiVersion": "extensions.agents.x-k8s.io/v1beta1", "kind": "SandboxWarmPool",
        "metadata": {"name": "p", "namespace": "default"}, "spec": {"replicas": 2, "sandboxTemplateRef": {"name": "t"}}, "status": {"replicas": 1}});
    let mut member = stored(&SANDBOX.replace("{sandbox.cocoonstack.io/template: 'rt:1'}", "{}")).expect("a Sandbox");
    member["metadata"]["ownerReferences"] = json!([{"kind": "SandboxWarmPool", "name": "p"}]);
    let mut pod = pod(&member);
    pod["spec"]["nodeName"] = "vk".into();
    pod["status"] = json!({"phase": "Pending", "reason": "ProviderFailed", "message": "pod default/web: missing sandbox.cocoonstack.io/template annotation"});
    let text = out(&run(&[], &list(vec![pool, member, pod])));
    assert!(text.contains("1 of its 1 Sandboxes are stuck, see web"), "{text}");
    assert!(text.contains("a member of the warm pool p: edit the SandboxTemplate"), "{text}");
}

#[test]
fn a_pod_or_events_alone_are_enough() {
    let input = printed(&record("annotation-wrong-prefix.yaml"), true).expect("an input");
    let all: Value = serde_json::from_str(&input).expect("JSON");
    let items = all["items"].as_array().expect("items");
    let pod = items.iter().find(|item| item["kind"] == "Pod").expect("a Pod");
    let text = out(&run(&[], &list(vec![pod.clone()])));
    for words in
        ["Pod default/demo is stuck at provider", "SB402", "belongs to the Sandbox demo, which is not in the input"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let event = items.iter().find(|item| item["kind"] == "Event").expect("an event");
    let text = out(&run(&[], &list(vec![event.clone()])));
    assert!(text.contains("Pod default/demo is stuck at provider"), "{text}");
}
