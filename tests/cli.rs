//! The program as a user meets it: arguments, exit codes, standard output and standard error.

mod programs;

use assert_cmd::Command;
use programs::folder;
use std::fs;
use std::path::Path;
use std::process::Stdio;

const CLEAN: &str = include_str!("../testdata/examples/sandboxd.yaml");
const BROKEN: &str = include_str!("../testdata/examples/sandboxd-broken.yaml");

/// A run in `folder`, away from the settings of whoever runs the tests.
fn run(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    command(folder, arguments).assert()
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("sandbox-lint").unwrap();
    command.current_dir(folder).args(arguments).env("COLUMNS", "100");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "SOURCE_DATE_EPOCH"] {
        command.env_remove(name);
    }
    command
}

fn out(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn err(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn check_is_the_default_command_and_the_current_folder_the_default_path() {
    let root = folder(&[("a/clean.yaml", CLEAN), ("broken.yaml", BROKEN)]);
    let whole = out(&run(root.path(), &[]).code(1));
    assert!(whole.contains("─[broken.yaml:"), "{whole}");
    assert!(whole.contains("\n2 files, 2 documents, 2 sandbox resources: "), "{whole}");
    for arguments in [&["."][..], &["check"], &["check", "."], &["broken.yaml", "a"]] {
        assert_eq!(out(&run(root.path(), arguments).code(1)), whole, "{arguments:?}");
    }
    run(root.path(), &["a"]).code(0);
}

#[test]
fn the_exit_code_tells_clean_from_found_from_failed() {
    let root = folder(&[("broken.yaml", BROKEN), ("clean.yaml", CLEAN)]);
    let code = |arguments: &[&str]| run(root.path(), arguments).get_output().status.code();
    assert_eq!(code(&["clean.yaml"]), Some(0));
    assert_eq!(code(&["broken.yaml"]), Some(1));
    assert_eq!(code(&["broken.yaml", "--exit-zero"]), Some(0));
    assert_eq!(code(&["broken.yaml", "--severity", "all=warning"]), Some(0));
    assert_eq!(code(&["broken.yaml", "--severity", "all=warning", "--fail-on", "warning"]), Some(1));
    assert_eq!(code(&["broken.yaml", "--ignore", "all"]), Some(0));
    assert_eq!(code(&["broken.yaml", "nope.yaml"]), Some(2));
    assert_eq!(code(&["--no-such-flag"]), Some(2));
    assert_eq!(code(&["--exclude", "a[", "."]), Some(2));
    assert_eq!(code(&["explain", "SB302"]), Some(0));
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_goes_on() {
    let root = folder(&[("broken.yaml", BROKEN)]);
    let assert = run(root.path(), &["gone.yaml", "broken.yaml"]).code(2);
    assert_eq!(err(&assert), "sandbox-lint: gone.yaml: no such file or directory\n");
    assert!(out(&assert).contains("error[SB404]"));
}

#[test]
fn a_folder_without_manifests_is_said() {
    let root = folder(&[("notes.txt", "x")]);
    let assert = run(root.path(), &[]).code(0);
    assert_eq!(err(&assert), "sandbox-lint: no .yaml, .yml or .json file found\n");
    assert!(out(&assert).starts_with("0 files, 0 documents"));
}

#[test]
fn a_command_behind_a_flag_gets_a_hint() {
    let root = folder(&[("a.yaml", CLEAN)]);
    let assert = run(root.path(), &["--quiet", "predict", "a.yaml"]).code(2);
    assert!(err(&assert).contains("a command comes before its flags: sandbox-lint predict"), "{}", err(&assert));
}

#[test]
fn an_unknown_rule_names_the_nearest() {
    let root = folder(&[]);
    for flag in ["--select", "--ignore"] {
        let assert = run(root.path(), &[flag, "missing-tolerations"]).code(2);
        assert!(err(&assert).contains("'missing-toleration'"), "{}", err(&assert));
    }
    let assert = run(root.path(), &["--severity", "SB30Z=note"]).code(2);
    assert!(err(&assert).contains("'SB30"), "{}", err(&assert));
    let assert = run(root.path(), &["explain", "misspelt-anotation"]).code(2);
    assert!(err(&assert).contains("'misspelt-annotation'"), "{}", err(&assert));
    let assert = run(root.path(), &["--format", "sarf"]).code(2);
    assert!(err(&assert).contains("'sarif'"), "{}", err(&assert));
}

#[test]
fn standard_input_has_the_name_it_is_given() {
    let root = folder(&[]);
    let assert = command(root.path(), &["-"]).write_stdin(BROKEN).assert().code(1);
    assert!(out(&assert).contains("─[<stdin>:"), "{}", out(&assert));
    let arguments = ["-", "--stdin-filename", "deploy/web.yaml", "--format", "concise"];
    let assert = command(root.path(), &arguments).write_stdin(BROKEN).assert().code(1);
    assert!(out(&assert).starts_with("deploy/web.yaml:"), "{}", out(&assert));
}

#[test]
fn a_snapshot_replaces_the_assumed_nodes() {
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: only, labels: {kubernetes.io/hostname: only}}\n\
                status: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}}\n";
    let root = folder(&[("a.yaml", CLEAN), ("nodes.txt", node), ("broken.txt", "a: [\n"), ("empty.txt", "a: 1\n")]);
    run(root.path(), &["predict", "a.yaml"]).code(0);
    let assert = run(root.path(), &["predict", "a.yaml", "--cluster", "nodes.txt"]);
    assert!(out(&assert).contains("0/1 nodes are available"), "{}", out(&assert));
    for (file, reason) in
        [("broken.txt", "not a readable snapshot"), ("empty.txt", "no Kubernetes object"), ("no.txt", "no such file")]
    {
        let assert = run(root.path(), &["a.yaml", "--cluster", file]).code(2);
        assert!(err(&assert).contains(&format!("{file}: {reason}")), "{}", err(&assert));
    }
}

#[test]
fn excluded_paths_are_left_out() {
    let root = folder(&[("vendor/broken.yaml", BROKEN), ("a.yaml", CLEAN)]);
    run(root.path(), &[]).code(1);
    run(root.path(), &["--exclude", "vendor"]).code(0);
    run(root.path(), &["--exclude", "vendor/*.yaml"]).code(0);
}

#[test]
fn several_formats_go_to_several_places() {
    let root = folder(&[("broken.yaml", BROKEN)]);
    let arguments = ["broken.yaml", "--format", "human", "--format", "sarif=out.sarif", "--format", "json=out.json"];
    let assert = run(root.path(), &arguments).code(1);
    assert!(out(&assert).contains("error[SB404]"));
    for file in ["out.sarif", "out.json"] {
        let text = fs::read_to_string(root.path().join(file)).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
    let assert = run(root.path(), &["broken.yaml", "--format", "json", "--output", "all.json"]).code(1);
    assert_eq!(out(&assert), "");
    assert!(fs::read(root.path().join("all.json")).unwrap() == fs::read(root.path().join("out.json")).unwrap());
    let assert = run(root.path(), &["--format", "json", "--format", "sarif"]).code(2);
    assert!(err(&assert).contains("two formats go to the same place"));
}

#[test]
fn a_file_that_cannot_be_written_is_trouble() {
    let root = folder(&[("broken.yaml", BROKEN)]);
    let assert = run(root.path(), &["--output", "no/such/folder/out.txt"]).code(2);
    assert_eq!(err(&assert), "sandbox-lint: no/such/folder/out.txt: cannot write: no such file or directory\n");
}

#[test]
fn a_pipe_gets_no_escape_codes_unless_they_are_forced() {
    let root = folder(&[("broken.yaml", BROKEN)]);
    let has_codes = |command: &mut Command| command.output().unwrap().stdout.contains(&0x1b);
    assert!(!has_codes(&mut command(root.path(), &[])));
    assert!(!has_codes(&mut command(root.path(), &["predict"])));
    assert!(has_codes(&mut command(root.path(), &["--color", "always"])));
    assert!(has_codes(command(root.path(), &[]).env("CLICOLOR_FORCE", "1")));
    assert!(!has_codes(command(root.path(), &[]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")));
    assert!(!has_codes(command(root.path(), &["--color", "never"]).env("CLICOLOR_FORCE", "1")));
}

#[test]
fn escape_codes_of_a_manifest_do_not_reach_the_terminal() {
    let text = BROKEN.replace("1h", "\"1\\e[31mh\"").replace("name: builder", "name: builder # \u{9b}31m");
    let root = folder(&[("a.yaml", text.as_str())]);
    let shown = command(root.path(), &[]).output().unwrap().stdout;
    assert!(!shown.contains(&0x1b) && !String::from_utf8(shown).unwrap().contains('\u{9b}'));
}

#[cfg(unix)]
#[test]
fn a_reader_that_closes_the_pipe_is_no_trouble() {
    let many: String = (0..3_000).map(|_| format!("---\n{BROKEN}")).collect();
    let root = folder(&[("many.yaml", many.as_str())]);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("sandbox-lint"))
        .current_dir(root.path())
        .args(["--limit", "findings=10000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    // The findings that it did not read are there all the same.
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn output_is_the_same_every_time() {
    let files: Vec<(String, String)> = (0..120)
        .map(|number| {
            (format!("{number:03}.yaml"), BROKEN.replace("name: builder", &format!("name: builder-{number}")))
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let root = folder(&files);
    let json =
        |threads: &str| command(root.path(), &["--format", "json"]).env("RAYON_NUM_THREADS", threads).output().unwrap();
    assert!(json("1").stdout == json("7").stdout);
}

#[test]
fn fixes_are_applied_shown_or_left() {
    let text = CLEAN.replace("  name: sandboxd-example\n", "  name: sandboxd-example\n  annotations:\n    on: call\n");
    let root = folder(&[("a.yaml", text.as_str())]);
    let read = || fs::read_to_string(root.path().join("a.yaml")).unwrap();
    let diff = out(&run(root.path(), &["--diff"]).code(0));
    assert!(diff.starts_with("--- a/a.yaml\n+++ b/a.yaml\n@@"), "{diff}");
    assert!(diff.contains("-    on: call\n+    \"on\": call\n"), "{diff}");
    assert_eq!(read(), text);
    let assert = run(root.path(), &["--fix"]).code(0);
    assert_eq!(err(&assert), "sandbox-lint: 1 fix applied in 1 file\n");
    assert_eq!(read(), text.replace("on: call", "\"on\": call"));
    assert_eq!(out(&run(root.path(), &["--diff"]).code(0)), "");
    let assert = command(root.path(), &["--fix", "-"]).write_stdin(text.as_str()).assert().code(2);
    assert!(err(&assert).contains("--diff"));
}

#[test]
fn decode_prints_what_kubectl_reads_up_to_the_first_refusal() {
    let root = folder(&[("a.yaml", "a: yes\n---\n# nothing\n---\nb: 010\n---\nc: [\n---\nd: 1\n")]);
    let assert = run(root.path(), &["decode", "a.yaml"]).code(1);
    assert_eq!(out(&assert), "{\"a\":true}\n{\"b\":8}\n");
    let message = err(&assert);
    assert!(
        message.starts_with("sandbox-lint: a.yaml:8:1: error: error parsing a.yaml: error converting YAML"),
        "{message}"
    );
    let assert =
        command(root.path(), &["decode"]).write_stdin("kind: SandboxList\napiVersion: v1\nitems: [{a: 1}]\n").assert();
    assert_eq!(out(&assert.code(0)), "{\"apiVersion\":\"v1\",\"items\":[{\"a\":1}],\"kind\":\"SandboxList\"}\n");
    let assert = command(root.path(), &["decode", "--objects", "-"])
        .write_stdin("kind: SandboxList\napiVersion: v1\nitems: [{a: 1}]\n---\na: 1\n")
        .assert()
        .code(1);
    assert_eq!(out(&assert), "{\"a\":1,\"apiVersion\":\"v1\",\"kind\":\"Sandbox\"}\n");
    assert!(
        err(&assert).contains("STDIN:5:1: error: unable to decode \"STDIN\": Object 'Kind' is missing in"),
        "{}",
        err(&assert)
    );
    run(root.path(), &["decode", "gone.yaml"]).code(2);
}

#[test]
fn explain_and_rules_speak_of_the_same_rules() {
    let root = folder(&[]);
    let json = out(&run(root.path(), &["rules", "--format", "json"]).code(0));
    let rules: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(rules.len(), sandbox_lint::rule::RULES.len());
    let by_code = out(&run(root.path(), &["explain", "SB404"]).code(0));
    assert!(by_code.starts_with("# SB404 invalid-ttl\n"));
    assert_eq!(by_code, out(&run(root.path(), &["explain", "invalid-ttl"]).code(0)));
    assert_eq!(out(&run(root.path(), &["rules"]).code(0)).lines().count(), rules.len());
}

#[test]
fn the_contract_is_printed_for_people_and_machines() {
    let root = folder(&[]);
    assert!(out(&run(root.path(), &["contract"]).code(0)).contains("sandbox.cocoonstack.io/template"));
    let json = out(&run(root.path(), &["contract", "--format", "json"]).code(0));
    let contract: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(contract["backends"].as_array().unwrap().len(), 3);
}

#[test]
fn short_help_fits_a_screen_and_long_help_has_examples() {
    let root = folder(&[]);
    let short = out(&run(root.path(), &["-h"]).code(0));
    assert!(short.lines().count() <= 50, "{}", short.lines().count());
    assert!(out(&run(root.path(), &["--help"]).code(0)).contains("kustomize build . | sandbox-lint -"));
}

#[test]
fn input_of_other_tools_is_said_and_not_judged() {
    let helm = "{{- if .Values.on }}\napiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: {{ .Values.name }}\n{{- end }}\n";
    let patch = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: dev}\nspec: {podTemplate: {spec: {runtimeClassName: gvisor}}}\n";
    let root = folder(&[
        ("chart/templates/box.yaml", helm),
        ("overlay/kustomization.yaml", "patches:\n- path: patch.yaml\n"),
        ("overlay/patch.yaml", patch),
    ]);
    let assert = run(root.path(), &["--format", "json"]).code(0);
    let output: serde_json::Value = serde_json::from_str(&out(&assert)).unwrap();
    assert_eq!(output["findings"], serde_json::json!([]));
    let reasons: Vec<&str> =
        output["skipped"].as_array().unwrap().iter().filter_map(|one| one["reason"].as_str()).collect();
    assert_eq!(reasons, ["helm-template", "kustomize-patch"]);
    let text = out(&run(root.path(), &["chart"]).code(0));
    assert!(text.starts_with("skipped chart/templates/box.yaml: it is the source of a template"), "{text}");
    assert!(text.ends_with("0 notes · 1 skipped (Helm template)\n"), "{text}");
}
