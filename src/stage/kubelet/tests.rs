//! The events that real virtual kubelets wrote, and the words of an ordinary one.

use crate::cluster::World;
use crate::finding::{Finding, Stage};
use crate::linter::Linter;
use crate::{Report, Source};
use serde_json::Value;
use std::fs;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/conformance/provider/");

/// What the recorded cluster held: an object without the key `k`, and with one that names no variable.
const CLUSTER: &str = "
kind: List
items:
- {kind: ConfigMap, metadata: {name: have, namespace: default}, data: {1-bad.key: x, good: x}}
- {kind: Secret, metadata: {name: have, namespace: default}, data: {1-bad.key: eA==, good: eA==}}
";

fn check(text: Vec<u8>) -> Report {
    let world = World::from_snapshot([CLUSTER]).expect("a snapshot");
    Linter::new(world).check(vec![Source::explicit("case.yaml", text)])
}

fn shown_findings(finding: &Finding) -> Option<(String, String)> {
    let outcome = finding.outcome.as_ref().filter(|outcome| outcome.stage == Stage::Kubelet)?;
    Some((outcome.reason.clone().unwrap_or_default(), outcome.message.clone().unwrap_or_default()))
}

#[test]
fn speaks_as_virtual_kubelets_were_recorded() {
    let lines = fs::read_to_string(format!("{FOLDER}expected.jsonl")).expect("recorded answers");
    let mut compared = 0;
    for line in lines.lines() {
        let record: Value = serde_json::from_str(line).expect("a record");
        let events: Vec<(String, String)> = record["events"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|event| (event[1].as_str().unwrap_or_default().into(), event[2].as_str().unwrap_or_default().into()))
            .filter(|(reason, _): &(String, String)| reason.starts_with("Mandatory") || reason.starts_with("Invalid"))
            .collect();
        let case = record["case"].as_str().unwrap_or_default();
        if record["stage"] != "kubelet" && events.is_empty() {
            continue;
        }
        let report = check(fs::read(format!("{FOLDER}cases/{case}")).expect("a case"));
        let said: Vec<(String, String)> = report.findings.iter().filter_map(shown_findings).collect();
        let expected = if events.is_empty() { vec![(String::new(), String::new())] } else { events };
        assert_eq!(said, expected, "{case}");
        let outcome = report.predictions[0].outcome.as_ref().expect("an outcome");
        if record["stage"] == "kubelet" {
            assert_eq!(outcome.stage, Stage::Kubelet, "{case}");
        }
        compared += 1;
    }
    assert!(compared >= 12, "only {compared} cases were compared");
}

#[test]
fn an_ordinary_kubelet_has_other_words() {
    let env = |reference: &str| {
        format!(
            "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: web}}\nspec: {{podTemplate: {{spec: {{containers: [{{name: a, image: a, env: [{{name: A, valueFrom: {{{reference}}}}}]}}]}}}}}}\n"
        )
    };
    let table = [
        ("configMapKeyRef: {name: nope, key: k}", Some("configmap \"nope\" not found")),
        ("secretKeyRef: {name: have, key: k}", Some("couldn't find key k in Secret default/have")),
        ("secretKeyRef: {name: have, key: good}", None),
        ("secretKeyRef: {name: nope, key: k, optional: true}", None),
        ("fieldRef: {fieldPath: status.podIP}", None),
    ];
    for (reference, words) in table {
        let report = check(env(reference).into_bytes());
        let said = report.findings.iter().find_map(shown_findings);
        assert_eq!(said.as_ref().map(|(_, message)| message.as_str()), words, "{reference}");
        assert!(said.is_none_or(|(reason, _)| reason == "CreateContainerConfigError"));
    }
}

#[test]
fn an_ordinary_kubelet_mounts_what_containers_use() {
    let pod = |mounted: &str, volume: &str| {
        format!(
            "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: web}}\nspec: {{podTemplate: {{spec: {{containers: [{{name: a, image: a, volumeMounts: [{{name: {mounted}, mountPath: /a}}]}}], volumes: [{{name: v, {volume}}}, {{name: w, emptyDir: {{}}}}]}}}}}}\n"
        )
    };
    let missing_key = "MountVolume.SetUp failed for volume \"v\" : configmap references non-existent config key: k";
    let table = [
        ("v", "configMap: {name: have, items: [{key: good, path: a}]}", "", None),
        ("v", "configMap: {name: have, items: [{key: k, path: a}, {key: l, path: b}]}", "SB366", Some(missing_key)),
        ("v", "configMap: {name: have, optional: true, items: [{key: k, path: a}]}", "", None),
        ("w", "configMap: {name: have, items: [{key: k, path: a}]}", "", None),
        ("w", "configMap: {name: nope}", "", None),
        (
            "v",
            "configMap: {name: nope, items: [{key: k, path: a}]}",
            "SB364",
            Some("MountVolume.SetUp failed for volume \"v\" : configmap \"nope\" not found"),
        ),
        (
            "v",
            "secret: {secretName: have, items: [{key: k, path: a}]}",
            "SB366",
            Some("MountVolume.SetUp failed for volume \"v\" : references non-existent secret key: k"),
        ),
        (
            "v",
            "projected: {sources: [{configMap: {name: have, items: [{key: k, path: a}]}}, {secret: {name: nope}}]}",
            "SB366 SB364",
            Some(
                "MountVolume.SetUp failed for volume \"v\" : [configmap references non-existent config key: k, secret \"nope\" not found]",
            ),
        ),
        ("v", "projected: {sources: [{secret: {name: nope, optional: true}}]}", "", None),
    ];
    for (mounted, volume, rules, words) in table {
        let report = check(pod(mounted, volume).into_bytes());
        let found: Vec<&Finding> = report.findings.iter().filter(|finding| shown_findings(finding).is_some()).collect();
        let said: Vec<&str> = found.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(said.join(" "), rules, "{volume}");
        for finding in found {
            let (reason, message) = shown_findings(finding).expect("words of the kubelet");
            assert_eq!((reason.as_str(), Some(message.as_str())), ("FailedMount", words), "{volume}");
        }
    }
}
