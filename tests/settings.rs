//! Configuration, ignore files and policies through the command line, in real folders.

mod programs;

use programs::{Run, json, run_with};
use std::fs;
use std::path::Path;

const WEB: &str = "\
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: web
spec:
  podTemplate:
    metadata:
      annotations:
        sandbox.cocoonstack.io/template: rt:24.04
    spec:
      nodeSelector:
        sandbox.cocoonstack.io/runtime: sandboxd
      containers:
        - name: agent
          image: rt:24.04
";

/// `path:code` of every finding, in a compact form.
fn found(folder: &Path, args: &[&str]) -> Vec<String> {
    let run = run_with(folder, &[&["--format", "json"], args].concat(), &[], "");
    findings(&run)
}

fn findings(run: &Run) -> Vec<String> {
    let output = json(run);
    let list = output["findings"].as_array().expect("findings").iter();
    let shown = list.filter(|finding| finding["suppressed"].is_null());
    let text = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    shown
        .map(|finding| format!("{}:{}:{}", text(finding, "file"), text(finding, "code"), text(finding, "severity")))
        .collect()
}

/// A folder with these files that is the root of a repository.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = programs::folder(files);
    fs::create_dir(root.path().join(".git")).expect("created");
    root
}

#[test]
fn in_a_monorepo_the_nearest_configuration_counts_alone() {
    let root = folder(&[
        (".sandbox-lint.yaml", "select: [SB302]\nseverity: {SB302: note}\n"),
        ("a/.sandbox-lint.yaml", "select: [SB302]\nseverity: {missing-toleration: warning}\n"),
        ("a/deep/web.yaml", WEB),
        ("b/web.yaml", &WEB.replace("name: web", "name: b")),
    ]);
    let expected = ["a/deep/web.yaml:SB302:warning", "b/web.yaml:SB302:note"];
    assert_eq!(found(root.path(), &[]), expected);
    assert_eq!(found(&root.path().join("a/deep"), &["web.yaml"]), ["web.yaml:SB302:warning"], "it is found upwards");
    let isolated = found(root.path(), &["--isolated", "--select", "SB302"]);
    assert_eq!(isolated, ["a/deep/web.yaml:SB302:error", "b/web.yaml:SB302:error"]);
    let one = found(root.path(), &["--config", "a/.sandbox-lint.yaml"]);
    assert_eq!(one, ["a/deep/web.yaml:SB302:warning", "b/web.yaml:SB302:warning"]);
    let run = run_with(root.path(), &["--format", "json"], &[("SANDBOX_LINT_CONFIG", "a/.sandbox-lint.yaml")], "");
    assert_eq!(findings(&run), one);
}

#[test]
fn each_file_fails_the_run_as_its_own_configuration_says() {
    let root = folder(&[
        ("a/.sandbox-lint.yaml", "select: [SB302]\nseverity: {SB302: note}\n"),
        ("b/.sandbox-lint.yaml", "select: [SB302]\nseverity: {SB302: note}\nfail-on: note\n"),
        ("a/web.yaml", WEB),
        ("b/web.yaml", WEB),
    ]);
    assert_eq!(run_with(root.path(), &["a"], &[], "").code, 0);
    assert_eq!(run_with(root.path(), &["b"], &[], "").code, 1);
    assert_eq!(run_with(root.path(), &["--fail-on", "warning", "b"], &[], "").code, 0);
}

#[test]
fn standard_input_has_the_configuration_of_its_name() {
    let root = folder(&[("a/.sandbox-lint.yaml", "select: [SB302]\nseverity: {SB302: note}\n")]);
    let run = run_with(root.path(), &["--format", "json", "--stdin-filename", "a/x.yaml", "-"], &[], WEB);
    assert_eq!(findings(&run), ["a/x.yaml:SB302:note"]);
    let excluded = ["--exclude", "a", "--format", "json", "--stdin-filename", "a/x.yaml", "-"];
    assert_eq!(findings(&run_with(root.path(), &excluded, &[], WEB)).len(), 1);
    assert!(findings(&run_with(root.path(), &[&excluded[..], &["--force-exclude"]].concat(), &[], WEB)).is_empty());
}

#[test]
fn overrides_hold_for_their_files_and_flags_come_first() {
    let root = folder(&[
        (
            ".sandbox-lint.yaml",
            "select: [SB302]\noverrides:\n  - {paths: ['examples/**'], ignore: [SB3]}\n  - {paths: [kept.yaml], select: [SB302], severity: {SB302: note}}\n",
        ),
        ("examples/web.yaml", WEB),
        ("examples/kept.yaml", WEB),
        ("web.yaml", WEB),
    ]);
    assert_eq!(found(root.path(), &[]), ["examples/kept.yaml:SB302:note", "web.yaml:SB302:error"]);
    assert_eq!(
        found(root.path(), &["--severity", "SB302=warning"]),
        ["examples/kept.yaml:SB302:warning", "web.yaml:SB302:warning"]
    );
    assert!(found(root.path(), &["--ignore", "SB302"]).is_empty());
    assert!(found(root.path(), &["--select", "SB404"]).is_empty(), "what a flag does not choose keeps silent");
}

#[test]
fn what_is_excluded_is_left_out_unless_it_is_named() {
    let root = folder(&[
        ("team/.sandbox-lint.yaml", "select: [SB302]\nexclude: [vendor, 'gen/*.yaml']\n"),
        ("team/web.yaml", WEB),
        ("team/vendor/x/web.yaml", WEB),
        ("team/gen/web.yaml", WEB),
        ("vendor/web.yaml", WEB),
    ]);
    let all = found(root.path(), &["--select", "SB302"]);
    assert_eq!(all, ["team/web.yaml:SB302:error", "vendor/web.yaml:SB302:error"], "globs belong to their folder");
    assert_eq!(found(root.path(), &["team/gen/web.yaml"]), ["team/gen/web.yaml:SB302:error"]);
    assert!(found(root.path(), &["--force-exclude", "team/gen/web.yaml"]).is_empty());
    assert!(found(root.path(), &["--force-exclude", "team/vendor/x/web.yaml"]).is_empty());
    fs::write(root.path().join("team/.sandbox-lint.yaml"), "exclude: [vendor]\nforce-exclude: true\n")
        .expect("written");
    assert!(found(root.path(), &["team/vendor/x/web.yaml"]).is_empty());
}

#[test]
fn ignore_files_count_until_told_otherwise() {
    let root = folder(&[
        (".gitignore", "build/\n*.tmp.yaml\n"),
        ("web.yaml", WEB),
        ("build/web.yaml", WEB),
        ("a/x.tmp.yaml", WEB),
    ]);
    let select = ["--select", "SB302"];
    let found = |more: &[&str]| found(root.path(), &[&select, more].concat()).len();
    assert_eq!(found(&[]), 1);
    assert_eq!(found(&["--no-ignore"]), 3);
    assert_eq!(found(&["build/web.yaml"]), 1);
    assert_eq!(found(&["--force-exclude", "build/web.yaml", "a/x.tmp.yaml"]), 0);
    fs::write(root.path().join(".sandbox-lint.yaml"), "respect-gitignore: false\n").expect("written");
    assert_eq!(found(&[]), 3);
}

#[test]
fn files_are_listed_with_the_reason_why_they_are_not_checked() {
    let root = folder(&[
        (".sandbox-lint.yaml", "exclude: [vendor]\n"),
        (".gitignore", "build/\n"),
        ("web.yaml", WEB),
        ("vendor/web.yaml", WEB),
        ("build/web.yaml", WEB),
        ("skip/web.yaml", WEB),
        ("other.yaml", "a: 1\n"),
        ("chart/Chart.yaml", "name: x\nversion: 1.0.0\n"),
        ("chart/templates/web.yaml", &WEB.replace("name: web", "name: {{ .Values.name }}")),
    ]);
    let run = run_with(root.path(), &["--show-files", "--exclude", "skip"], &[], "");
    assert_eq!(run.code, 0, "{}", run.err);
    for line in [
        "check  web.yaml",
        "skip   vendor/web.yaml  (the configuration excludes it)",
        "skip   build/web.yaml  (an ignore file names it)",
        "skip   skip/web.yaml  (--exclude leaves it out)",
        "skip   other.yaml  (it holds nothing of agent-sandbox or its backends)",
    ] {
        assert!(run.out.lines().any(|shown| shown == line), "{line}\n{}", run.out);
    }
    assert!(run.out.contains("skip   chart/templates/web.yaml  ("), "{}", run.out);
}

#[test]
fn the_settings_that_hold_are_shown() {
    let root = folder(&[("a/.sandbox-lint.yaml", "ignore: [SB7]\n"), ("a/web.yaml", WEB)]);
    let run = run_with(root.path(), &["--show-settings", "a/web.yaml"], &[], "");
    let shown: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(shown["ignore"][0], "SB7");
    assert!(shown["config-file"].as_str().is_some_and(|file| file.ends_with("a/.sandbox-lint.yaml")));
    let run = run_with(root.path(), &["--show-settings", "--isolated", "a"], &[], "");
    assert!(run.out.contains("\"config-file\": null"), "{}", run.out);
}

#[test]
fn a_configuration_that_is_wrong_ends_the_run_with_its_place() {
    let root = folder(&[("a/.sandbox-lint.yaml", "ignore:\n  - SB3022\n"), ("a/web.yaml", WEB)]);
    for args in [&["a"][..], &["a/web.yaml"], &["predict", "a"], &["--show-settings", "a"]] {
        let run = run_with(root.path(), args, &[], "");
        assert_eq!(run.code, 2, "{args:?} {}", run.out);
        assert!(run.err.contains("a/.sandbox-lint.yaml:2:5: no rule is called `SB3022`"), "{}", run.err);
        assert!(run.out.is_empty());
    }
    assert_ne!(run_with(root.path(), &["--isolated", "a"], &[], "").code, 2);
    assert_eq!(run_with(root.path(), &["--config", "none.yaml", "a"], &[], "").code, 2);
}

#[test]
fn init_writes_a_file_that_is_read_again_and_never_overwrites() {
    let root = folder(&[("web.yaml", WEB)]);
    assert_eq!(run_with(root.path(), &["init"], &[], "").code, 0);
    assert_eq!(run_with(root.path(), &["--select", "SB302", "."], &[], "").code, 1);
    let again = run_with(root.path(), &["init"], &[], "");
    assert_eq!(again.code, 2);
    assert!(again.err.contains(".sandbox-lint.yaml is there already"), "{}", again.err);
    assert_eq!(run_with(root.path(), &["init", "--force"], &[], "").code, 0);
}

#[test]
fn policies_come_from_configuration_and_flag_and_can_be_silenced_by_name() {
    let policy = "rules: [{name: named-db, expression: object.metadata.name == 'db'}]";
    let root = folder(&[
        (
            ".sandbox-lint.yaml",
            "select: [SB8]\npolicy: {files: [policy], rules: [{name: labelled, expression: has(object.metadata.labels), severity: note}]}\n",
        ),
        ("policy/names.yaml", policy),
        ("web.yaml", WEB),
    ]);
    assert_eq!(found(root.path(), &["."]), ["web.yaml:SB801:note", "web.yaml:SB801:error"], "policies are not checked");
    assert_eq!(
        found(root.path(), &["--isolated", "--select", "SB8", "--policy", "policy", "web.yaml"]),
        ["web.yaml:SB801:error"]
    );
    let silenced =
        WEB.replace("  name: web\n", "  name: web # sandbox-lint: ignore[named-db] -- kept for old clients\n");
    fs::write(root.path().join("web.yaml"), silenced).expect("written");
    assert_eq!(found(root.path(), &["web.yaml"]), ["web.yaml:SB801:note"]);
}

#[test]
fn policy_test_tells_what_failed_and_ends_with_its_exit_code() {
    let root = folder(&[
        ("p/rules.yaml", "rules: [{name: named-db, expression: object.metadata.name == 'db'}]"),
        ("p/tests/named-db/bad.yaml", WEB),
        ("p/tests/named-db/good.yaml", &WEB.replace("name: web", "name: db")),
    ]);
    let run = run_with(root.path(), &["policy", "test", "p"], &[], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("1 rule, 2 manifests: 0 failed\n"), "{}", run.out);
    fs::write(root.path().join("p/tests/named-db/good.yaml"), WEB).expect("written");
    let run = run_with(root.path(), &["policy", "test", "p"], &[], "");
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("FAIL  named-db  tests/named-db/good.yaml: should keep the rule: named-db: failed expression"),
        "{}",
        run.out
    );
    fs::write(root.path().join("p/rules.yaml"), "rules: [{name: x, expression: 'a ='}]").expect("written");
    assert_eq!(run_with(root.path(), &["policy", "test", "p"], &[], "").code, 2);
}

#[test]
fn what_a_comment_silences_stays_in_the_output_of_machines() {
    let silenced = WEB.replace("    spec:\n", "    spec: # sandbox-lint: ignore[SB302] -- by hand\n");
    let root = folder(&[("web.yaml", &silenced)]);
    let run = run_with(root.path(), &["--select", "SB302", "--format", "json", "."], &[], "");
    assert_eq!(run.code, 0);
    let output: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let suppressed = &output["findings"][0]["suppressed"];
    assert_eq!((&suppressed["by"], &suppressed["reason"]), (&"comment".into(), &"by hand".into()));
    assert_eq!(suppressed["start"]["line"], 10);
    assert_eq!(output["summary"]["errors"], 0);
    let run = run_with(root.path(), &["--select", "SB302", "--format", "sarif", "."], &[], "");
    let sarif: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["kind"], "inSource");
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["justification"], "by hand");
}

#[test]
fn a_backend_of_another_vendor_needs_a_configuration_and_no_code() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("testdata/config/third-party");
    let select = ["--select", "SB5,SB3"];
    assert!(found(&folder, &[&select[..], &["sandbox.yaml"]].concat()).is_empty());
    let broken = found(&folder, &[&select[..], &["broken.yaml"]].concat());
    assert_eq!(broken, ["broken.yaml:SB590:error", "broken.yaml:SB591:error"]);
    let run = run_with(&folder, &["predict", "sandbox.yaml"], &[], "");
    assert!(run.out.contains("running  on fb-1"), "{}", run.out);
    let run = run_with(&folder, &["contract", "--format", "json"], &[], "");
    let contract: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(contract["backends"][3]["name"], "firebox");
}

#[test]
fn what_is_known_of_the_cluster_changes_the_answer() {
    let tolerated = "      tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}]\n      containers:\n";
    let cocoon = WEB.replace("sandbox.cocoonstack.io/runtime: sandboxd", "cocoonstack.io/pool: gpu");
    let cocoon = cocoon.replace("      containers:\n", tolerated);
    let root = folder(&[
        ("web.yaml", &cocoon),
        ("known.yaml", "cluster: {cocoon-pools: [default, gpu]}\n"),
        ("other.yaml", "cluster: {cocoon-pools: [default]}\n"),
    ]);
    let message = |config: &str| {
        let run = run_with(root.path(), &["--config", config, "--format", "json", "web.yaml"], &[], "");
        let output: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        output["predictions"][0]["outcome"]["message"].as_str().unwrap_or_default().to_owned()
    };
    let (known, other) = (message("known.yaml"), message("other.yaml"));
    assert!(other.starts_with("0/3 nodes are available: 3 node(s) didn't match"), "{other}");
    assert!(known.contains("missing vm.cocoonstack.io/name"), "{known}");
}

#[test]
fn snapshots_are_read_from_the_folder_of_the_configuration_and_flags_replace_them() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cluster = fs::read_to_string(here.join("testdata/cluster.yaml")).expect("a snapshot");
    let root = folder(&[
        ("a/.sandbox-lint.yaml", "cluster: {snapshot: facts/cluster.yaml}\n"),
        ("a/facts/cluster.yaml", &cluster),
        ("a/web.yaml", WEB),
        ("empty.yaml", "{}\n"),
    ]);
    let nodes = |args: &[&str]| {
        let run = run_with(root.path(), &[&["--format", "json"], args].concat(), &[], "");
        let output: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_default();
        let list = output["predictions"][0]["nodes"].as_array().cloned().unwrap_or_default();
        list.iter().map(|node| node["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let assumed = nodes(&["--isolated", "a/web.yaml"]);
    let real = nodes(&["a/web.yaml"]);
    assert!(!real.is_empty() && real != assumed, "{real:?}");
    let listed = run_with(root.path(), &["--show-files", "a"], &[], "").out;
    assert!(listed.contains("skip   a/facts/cluster.yaml  (the configuration excludes it)"), "{listed}");
    assert!(real.iter().all(|name| cluster.contains(name.as_str())), "{real:?}");
    assert_eq!(run_with(root.path(), &["--cluster", "empty.yaml", "a/web.yaml"], &[], "").code, 2, "the flag counts");
}

#[test]
fn a_folder_of_manifests_alone_is_tried_on_rules_from_elsewhere() {
    let root = folder(&[
        (".sandbox-lint.yaml", "policy: {rules: [{name: named-db, expression: object.metadata.name == 'db'}]}\n"),
        ("other/rules.yaml", "rules: [{name: short, expression: size(object.metadata.name) < 3}]\n"),
        ("cases/good/db.yaml", &WEB.replace("name: web", "name: db")),
        ("cases/bad/web.yaml", WEB),
    ]);
    let run = run_with(root.path(), &["policy", "test", "cases"], &[], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("ok    all rules  bad/web.yaml"), "{}", run.out);
    let run = run_with(root.path(), &["policy", "test", "--policy", "other", "cases"], &[], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = run_with(root.path(), &["policy", "test", "--isolated", "cases"], &[], "");
    assert_eq!(run.code, 1, "no rule, so nothing breaks: {}", run.out);
    let run = run_with(root.path(), &["policy", "test", "other"], &[], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("no good or bad manifests in other"), "{}", run.err);
}

#[test]
fn references_across_configurations_are_followed() {
    let template = WEB
        .replace("agents.x-k8s.io/v1beta1", "extensions.agents.x-k8s.io/v1beta1")
        .replace("kind: Sandbox", "kind: SandboxTemplate");
    let pool = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {name: p}\nspec: {replicas: 1, sandboxTemplateRef: {name: web}}\n";
    let root = folder(&[
        ("a/.sandbox-lint.yaml", "ignore: [SB7]\n"),
        ("b/.sandbox-lint.yaml", "ignore: [SB7]\n"),
        ("a/template.yaml", &template),
        ("b/pool.yaml", pool),
    ]);
    assert!(found(root.path(), &["--select", "SB601", "a", "b"]).is_empty());
    fs::write(root.path().join("b/pool.yaml"), pool.replace("name: web", "name: wob")).expect("written");
    assert_eq!(found(root.path(), &["--select", "SB601", "a", "b"]).len(), 1);
}
