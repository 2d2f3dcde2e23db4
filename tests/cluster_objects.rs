//! Objects around the Pod, in files of the run and in snapshots.

mod support;

use sandbox_lint::cluster::World;
use sandbox_lint::{Linter, Report, Source};
use std::path::Path;
use std::process::Command;

#[test]
fn the_page_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_sandbox-lint"))
        .args(["check", "--color", "never", "testdata/examples-cluster"])
        .current_dir(root)
        .output()
        .expect("the command runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let page = std::fs::read_to_string(root.join("docs/cluster-objects.md")).expect("the page");
    assert!(page.contains(&printed), "the page does not show:\n{printed}");
}

const SANDBOX: &str = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: web, namespace: agents}\nspec: {podTemplate: {spec: {containers: [{name: agent, image: python:3.12-slim, env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: mode}}}]}]}}}\n";

fn check(world: World, others: &[&str]) -> Report {
    let mut sources = vec![Source::explicit("web.yaml", SANDBOX.as_bytes().to_vec())];
    for (number, text) in others.iter().enumerate() {
        sources.push(Source::around(format!("other{number}.yaml"), text.as_bytes().to_vec()));
    }
    Linter::new(world).check(sources)
}

fn codes(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|finding| finding.rule.code).filter(|code| !code.starts_with("SB7")).collect()
}

fn namespace(level: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Namespace\nmetadata: {{name: agents, labels: {{pod-security.kubernetes.io/enforce: {level}}}}}\n"
    )
}

#[test]
fn files_count_unless_they_are_turned_off_or_contradict_each_other() {
    let (strict, open) = (namespace("restricted"), namespace("privileged"));
    assert_eq!(codes(&check(World::assumed(), &[&strict])), ["SB225"]);
    let off = World { from_files: false, ..World::assumed() };
    assert!(codes(&check(off, &[&strict])).is_empty());
    assert!(codes(&check(World::assumed(), &[&strict, &open])).is_empty());
    let helm = strict.replace("restricted", "{{ .Values.level }}");
    assert!(codes(&check(World::assumed(), &[&helm])).is_empty());
    let report = check(World::assumed(), &[&strict]);
    assert_eq!((report.summary.files, report.summary.documents, report.summary.resources), (1, 1, 1));
}

#[test]
fn a_file_wins_over_the_snapshot() {
    let world = World::from_snapshot([namespace("restricted").as_str()]).expect("a snapshot");
    assert_eq!(codes(&check(world.clone(), &[])), ["SB225"]);
    assert!(codes(&check(world, &[&namespace("privileged")])).is_empty());
}

#[test]
fn a_config_map_in_a_file_makes_its_keys_known_and_no_other() {
    let map = |name: &str| {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: agents}}\ndata: {{level: x}}\n")
    };
    assert_eq!(codes(&check(World::assumed(), &[&map("settings")])), ["SB362"]);
    assert!(codes(&check(World::assumed(), &[&map("others")])).is_empty());
}

#[test]
fn defaults_of_a_limit_range_are_in_the_pod_before_it_is_validated() {
    let range = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: bounds, namespace: agents}\nspec: {limits: [{type: Container, default: {cpu: 1}, defaultRequest: {cpu: 2}}]}\n";
    let report = check(World::assumed(), &[range]);
    let message = report.predictions[0].outcome.as_ref().and_then(|outcome| outcome.message.clone());
    let wanted = "Pod \"web\" is invalid: spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1";
    assert_eq!(message.as_deref(), Some(wanted));
}
