//! What a person reads on the screen: nothing twice, nothing under the wrong heading, nothing left open.

use assert_cmd::Command;

const BROKEN: &str = include_str!("../testdata/examples/sandboxd-broken.yaml");
const CLEAN: &str = include_str!("../testdata/examples/sandboxd.yaml");

fn shown(command: &str, manifest: &str) -> String {
    let mut program = Command::cargo_bin("sandbox-lint").unwrap();
    program.args([command, "--isolated", "-"]).env("COLUMNS", "100").env_remove("CLICOLOR_FORCE");
    String::from_utf8(program.write_stdin(manifest).output().unwrap().stdout).unwrap()
}

fn with(manifest: &str, from: &str, to: &str) -> String {
    assert!(manifest.contains(from), "{from}");
    manifest.replace(from, to)
}

#[test]
fn one_fate_of_a_resource_is_told_once() {
    let misspelt = with(BROKEN, "cocoonstack.io/runtime: sandboxd", "cocoonstack.io/runtme: sandboxd");
    let wrong = with(
        &misspelt,
        "      containers:",
        "      tolerations: [{key: virtual-kubelet.io/provider, value: sandbox}]\n      containers:",
    );
    let text = shown("check", &wrong);
    assert!(text.contains("[SB303]") && text.contains("[SB304]"), "{text}");
    assert_eq!(text.matches("nodes are available: 1 node(s)").count(), 1, "{text}");
    assert_eq!(text.matches("stays Pending: Unschedulable, as above").count(), 1, "{text}");
    assert!(text.contains("is meant for the vk-sandbox nodes") && !text.contains("picks the vk-sandbox"), "{text}");
}

#[test]
fn a_pod_that_runs_in_the_wrong_place_is_said_to_run_there() {
    let bare = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: plain\nspec:\n  podTemplate:\n    \
                metadata:\n      annotations: {sandbox.cocoonstack.io/template: a}\n    spec:\n      \
                containers: [{name: agent, image: a}]\n";
    let text = shown("check", bare);
    assert!(text.contains("Pod default/plain runs as a plain container on the node worker-1"), "{text}");
    assert!(text.contains("\n  help         without it the Pod stays Pending"), "{text}");

    let tolerated = with(bare, "      containers", "      tolerations: [{operator: Exists}]\n      containers");
    let text = shown("check", &tolerated);
    assert!(text.contains("or as a plain container on an ordinary node, whichever"), "{text}");
    assert!(!text.contains("without it"), "{text}");
}

#[test]
fn a_field_without_effect_is_nothing_to_write() {
    let with_env =
        with(CLEAN, "        - name: agent\n", "        - name: agent\n          env: [{name: A, value: \"1\"}]\n");
    let text = shown("check", &with_env);
    assert!(text.contains("\n  help         references are resolved and a missing one blocks the Pod"), "{text}");
    let several = with(&with_env, "      containers:", "      volumes: [{name: a}]\n      containers:");
    let text = shown("check", &several);
    assert!(
        text.contains("\n  help         of volumes: nothing is mounted in the guest; of containers[0].env: "),
        "{text}"
    );
}

#[test]
fn what_the_cluster_decides_is_left_to_it() {
    let text = shown("predict", include_str!("../testdata/examples/kubelet-broken.yaml"));
    assert!(!text.contains("depends on the cluster"), "{text}");
    let arm = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: arm\nspec:\n  podTemplate:\n    \
               spec:\n      automountServiceAccountToken: false\n      runtimeClassName: gvisor\n      \
               nodeSelector: {kubernetes.io/arch: arm64}\n      containers: [{name: agent, image: a}]\n";
    let text = shown("predict", arm);
    assert!(text.contains("Pending, Unschedulable (depends on the cluster)"), "{text}");
    assert!(text.contains("no finding, since the nodes of your cluster decide; --cluster FILE"), "{text}");
}

#[test]
fn a_refused_object_has_no_node() {
    let refused = with(CLEAN, "image: ", "image: 1 # ");
    let kind = with(CLEAN, "agents.x-k8s.io/v1beta1", "agents.x-k8s.io/v2");
    for (manifest, has_node) in [(CLEAN, true), (refused.as_str(), false), (kind.as_str(), false)] {
        let mut program = Command::cargo_bin("sandbox-lint").unwrap();
        program.args(["predict", "--isolated", "--format", "json", "-"]);
        let output = program.write_stdin(manifest).output().unwrap().stdout;
        let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
        let prediction = &report["predictions"][0];
        assert_eq!(prediction["accepted"] == "refused", !has_node, "{prediction}");
        assert_eq!(prediction["node"].is_string(), has_node, "{prediction}");
        assert_eq!(prediction["nodes"].as_array().unwrap().is_empty(), !has_node, "{prediction}");
    }
}
