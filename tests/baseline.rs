//! The baseline, through the command line: it outlives edits and moves, and reports what is stale.

mod programs;

use programs::{Run, folder, json, run_with};
use std::fs;
use std::path::Path;

const BROKEN: &str = "\
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: web
spec:
  podTemplate:
    metadata:
      annotations:
        sandbox.cocoonstack.io/template: rt:24.04
        sandbox.cocoonstack.io/ttl-seconds: 1h
    spec:
      nodeSelector:
        sandbox.cocoonstack.io/runtime: sandboxd
      containers:
        - name: agent
          image: rt:24.04
";

fn run(folder: &Path, arguments: &[&str]) -> Run {
    run_with(folder, arguments, &[], "")
}

#[test]
fn known_findings_keep_silent_whatever_lines_are_inserted_and_files_moved() {
    let root = folder(&[("deploy/web.yaml", BROKEN)]);
    assert_eq!(run(root.path(), &["deploy"]).code, 1);
    let written = run(root.path(), &["--write-baseline", "known.json", "deploy"]);
    assert_eq!(written.code, 0, "{}{}", written.out, written.err);
    assert_eq!(run(root.path(), &["--baseline", "known.json", "deploy"]).code, 0);
    let moved = format!("# moved\n\n{}", BROKEN.replace("kind: Sandbox\n", "kind: Sandbox\n\n# more\n"));
    fs::create_dir(root.path().join("other")).expect("created");
    fs::write(root.path().join("other/renamed.yaml"), moved).expect("written");
    fs::remove_file(root.path().join("deploy/web.yaml")).expect("removed");
    let later = run(root.path(), &["--baseline", "known.json", "."]);
    assert_eq!(later.code, 0, "{}{}", later.out, later.err);
    assert!(!later.err.contains("no longer found"), "{}", later.err);
}

#[test]
fn a_new_finding_of_a_known_kind_is_heard() {
    let root = folder(&[("web.yaml", BROKEN)]);
    run(root.path(), &["--write-baseline", "known.json", "."]);
    fs::write(root.path().join("second.yaml"), BROKEN.replace("name: web", "name: second")).expect("written");
    let later = run(root.path(), &["--baseline", "known.json", "--format", "concise", "."]);
    assert_eq!(later.code, 1);
    assert!(later.out.lines().all(|line| !line.starts_with("web.yaml")), "{}", later.out);
    assert!(later.out.contains("second.yaml"), "{}", later.out);
}

#[test]
fn silenced_findings_stay_in_the_output_of_machines() {
    let root = folder(&[("web.yaml", BROKEN)]);
    run(root.path(), &["--write-baseline", "known.json", "."]);
    let output = json(&run(root.path(), &["--baseline", "known.json", "--format", "json", "."]));
    let findings = output["findings"].as_array().expect("findings");
    assert!(!findings.is_empty());
    assert!(findings.iter().all(|finding| finding["suppressed"]["by"] == "baseline"));
    assert_eq!(output["summary"]["errors"], 0);
    let sarif = json(&run(root.path(), &["--baseline", "known.json", "--format", "sarif", "."]));
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["kind"], "external");
}

#[test]
fn what_is_mended_is_stale_and_can_be_pruned() {
    let root = folder(&[("web.yaml", BROKEN)]);
    run(root.path(), &["--write-baseline", "known.json", "."]);
    fs::write(root.path().join("web.yaml"), BROKEN.replace("1h", "\"3600\"")).expect("written");
    let stale = run(root.path(), &["--baseline", "known.json", "."]);
    assert_eq!(stale.code, 0);
    assert!(stale.err.contains("known.json: no longer found: SB404 Sandbox default/web"), "{}", stale.err);
    let pruned = run(root.path(), &["--baseline", "known.json", "--prune-baseline", "."]);
    assert_eq!(pruned.code, 0, "{}", pruned.err);
    let text = fs::read_to_string(root.path().join("known.json")).expect("a baseline");
    assert!(!text.contains("SB404") && text.contains("SB302"), "{text}");
    assert!(!run(root.path(), &["--baseline", "known.json", "."]).err.contains("no longer found"));
}

#[test]
fn a_part_of_the_files_does_not_make_the_rest_stale() {
    let root = folder(&[("web.yaml", BROKEN), ("db.yaml", &BROKEN.replace("name: web", "name: db"))]);
    run(root.path(), &["--write-baseline", "known.json", "."]);
    let part = run(root.path(), &["--baseline", "known.json", "web.yaml"]);
    assert_eq!(part.code, 0);
    assert!(!part.err.contains("no longer found"), "{}", part.err);
}

#[test]
fn the_configuration_can_name_it_and_the_written_file_is_stable() {
    let root = folder(&[("web.yaml", BROKEN), (".sandbox-lint.yaml", "baseline: known.json\n")]);
    run(root.path(), &["--write-baseline", "known.json", "."]);
    assert_eq!(run(root.path(), &["."]).code, 0);
    run(root.path(), &["--write-baseline", "again.json", "."]);
    let read = |name: &str| fs::read_to_string(root.path().join(name)).expect("a baseline");
    assert_eq!(read("known.json"), read("again.json"));
    assert!(read("known.json").ends_with("\n  ]\n}\n"));
}

#[test]
fn comments_come_before_the_baseline() {
    let silenced = BROKEN.replace("    spec:\n", "    spec: # sandbox-lint: ignore[SB302]\n");
    let root = folder(&[("web.yaml", &silenced)]);
    run(root.path(), &["--write-baseline", "known.json", "."]);
    let text = fs::read_to_string(root.path().join("known.json")).expect("a baseline");
    assert!(!text.contains("SB302") && text.contains("SB404"), "{text}");
}

#[test]
fn what_is_no_baseline_ends_the_run() {
    let root = folder(&[("web.yaml", BROKEN), ("bad.json", "{}")]);
    for (args, part) in [
        (&["--baseline", "bad.json", "."][..], "bad.json: not a baseline"),
        (&["--baseline", "none.json", "."], "none.json: "),
        (&["--prune-baseline", "."], "--prune-baseline needs a baseline"),
    ] {
        let run = run(root.path(), args);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(part), "{}", run.err);
    }
}
