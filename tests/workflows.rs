//! The action, the problem matcher, and every workflow of `docs/ci.md`.

mod programs;

use programs::lines::{BROKEN, CLEAN, MIXED, mixed, output_of, rows_matched, rows_of_json, sorted};
use programs::{binary, command, fences, folder, printed, program, repository, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn the_problem_matcher_reads_every_line_of_the_concise_format() {
    let root = mixed();
    let wanted = rows_of_json(&output_of(root.path(), &["--format", "json"]));
    for severity in ["error", "warning", "note"] {
        assert!(wanted.iter().any(|row| row.3 == severity), "{severity} in {wanted:#?}");
    }
    let text_file = text(".github/problem-matcher.json");
    let matchers: Value = serde_json::from_str(&text_file).unwrap();
    let concise = output_of(root.path(), &["--format", "concise"]);
    let matchers = matchers["problemMatcher"].as_array().unwrap();
    let rows = matchers.iter().flat_map(|matcher| rows_matched(matcher, &concise)).collect();
    assert_eq!(sorted(rows), sorted(wanted));
}

#[test]
fn no_script_of_a_workflow_takes_an_expression() {
    for file in ["action.yml", ".github/workflows/ci.yml", ".github/workflows/release.yml"] {
        let parsed: serde_yaml::Value = serde_yaml::from_str(&text(file)).unwrap();
        let mut scripts = 0;
        visit_scripts(&parsed, &mut |script| {
            scripts += 1;
            assert!(!script.contains("${{"), "{file}: {script}");
        });
        assert!(scripts > 0, "{file} has scripts");
    }
}

fn visit_scripts(value: &serde_yaml::Value, visit: &mut impl FnMut(&str)) {
    match value {
        serde_yaml::Value::Mapping(map) => {
            for (key, value) in map {
                match value.as_str() {
                    Some(script) if key == "run" => visit(script),
                    _ => visit_scripts(value, visit),
                }
            }
        }
        serde_yaml::Value::Sequence(items) => items.iter().for_each(|item| visit_scripts(item, visit)),
        _ => {}
    }
}

/// Runs a step of the action as a runner would, with some inputs set and the others at their defaults.
fn action_step(name: &str, root: &Path, inputs: &[(&str, &str)]) -> (Option<i32>, String) {
    let action: serde_yaml::Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    let steps = action["runs"]["steps"].as_sequence().unwrap();
    let step = steps.iter().find(|step| step["name"] == name).unwrap();
    assert_eq!(step["shell"], "bash");
    for (input, _) in inputs {
        assert!(action["inputs"].get(*input).is_some(), "{input}");
    }
    let mut bash = command("bash", root);
    // The options that GitHub gives to bash.
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()]);
    bash.env("GITHUB_ACTION_PATH", repository("")).env("RUNNER_TEMP", root).env("GITHUB_PATH", root.join("path"));
    for (variable, expression) in step["env"].as_mapping().into_iter().flatten() {
        let expression = expression.as_str().unwrap();
        let input = expression.strip_prefix("${{ inputs.").and_then(|rest| rest.strip_suffix(" }}")).unwrap();
        let default = action["inputs"][input]["default"].as_str().unwrap();
        let value = inputs.iter().find(|(name, _)| *name == input).map_or(default, |(_, value)| value);
        bash.env(variable.as_str().unwrap(), value);
    }
    let output = bash.output().unwrap();
    (output.status.code(), printed(&output))
}

#[test]
fn the_action_checks_with_the_inputs_it_is_given() {
    if program("bash").is_none() {
        return;
    }
    let root = folder(&[("broken.yaml", BROKEN), ("a b/clean.yaml", CLEAN), ("mixed.yaml", MIXED)]);
    let step = |inputs: &[(&str, &str)]| action_step("Check", root.path(), inputs);
    let (code, shown) = step(&[]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("\n::error file=broken.yaml,") && shown.contains("::warning file=mixed.yaml,"), "{shown}");
    assert_eq!(step(&[("exit-zero", "true")]).0, Some(0));
    assert_eq!(step(&[("paths", "a b/clean.yaml\n")]).0, Some(0));
    let quiet = step(&[("paths", "mixed.yaml"), ("min-severity", "error")]).1;
    assert!(!quiet.contains("::warning") && quiet.contains("::error"), "{quiet}");
    let ignored = [("paths", "mixed.yaml"), ("arguments", "--ignore\nSB214\n")];
    assert_eq!(step(&ignored).0, Some(0));
    assert_eq!(step(&[&ignored[..], &[("fail-on", "warning")]].concat()).0, Some(1));
    let (_, shown) = step(&[("format", "concise"), ("sarif", "out.sarif")]);
    assert!(shown.starts_with("::add-matcher::") && shown.contains("broken.yaml:11:"), "{shown}");
    let sarif: Value = serde_json::from_str(&fs::read_to_string(root.path().join("out.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let (code, shown) = step(&[("paths", "$(touch pwned)\n--fix\n`touch pwned`")]);
    assert_eq!(code, Some(2), "{shown}");
    assert!(!root.path().join("pwned").exists());
}

#[test]
fn the_action_takes_the_program_that_is_there() {
    if program("bash").is_none() {
        return;
    }
    let root = folder(&[]);
    assert_eq!(action_step("Install sandbox-lint", root.path(), &[]), (Some(0), String::new()));
    assert!(!root.path().join("path").exists());
}

#[test]
fn severities_decide_what_is_shown_and_what_fails() {
    let root = folder(&[("mixed.yaml", MIXED)]);
    let code = |arguments: &[&str]| command(binary(), root.path()).args(arguments).output().unwrap().status.code();
    assert_eq!(code(&["check", "mixed.yaml"]), Some(1));
    assert_eq!(code(&["check", "--exit-zero", "mixed.yaml"]), Some(0));
    assert_eq!(code(&["check", "--ignore", "SB214", "mixed.yaml"]), Some(0));
    assert_eq!(code(&["check", "--ignore", "SB214", "--fail-on", "warning", "mixed.yaml"]), Some(1));
    assert_eq!(code(&["check", "--select", "SB701", "--fail-on", "warning", "mixed.yaml"]), Some(0));
    assert_eq!(code(&["check", "--select", "SB701", "--fail-on", "note", "mixed.yaml"]), Some(1));
    for (least, levels) in [("note", 3), ("warning", 2), ("error", 1)] {
        let rows = rows_of_json(&output_of(root.path(), &["--min-severity", least, "--format", "json"]));
        let shown: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.3.as_str()).collect();
        assert_eq!(shown.len(), levels, "{least}: {shown:?}");
    }
}

/// The workflows of a page, by the word behind their language.
fn workflows(page: &str, kind: &str) -> Vec<serde_yaml::Value> {
    let blocks = fences(&text(page));
    let of_kind = blocks.iter().filter(|(words, _)| words.as_str() == format!("yaml {kind}"));
    let parsed: Vec<serde_yaml::Value> = of_kind
        .map(|(_, block)| serde_yaml::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}")))
        .collect();
    assert!(!parsed.is_empty(), "{page} has a workflow for {kind}");
    parsed
}

#[test]
fn workflows_give_the_action_only_inputs_that_it_has() {
    let action: serde_yaml::Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    let mut uses = 0;
    for workflow in workflows("docs/ci.md", "github") {
        for step in workflow["jobs"]["sandbox-lint"]["steps"].as_sequence().unwrap() {
            if step["uses"].as_str().unwrap().contains("/sandbox-lint@") {
                uses += 1;
                for (input, _) in step["with"].as_mapping().unwrap() {
                    assert!(action["inputs"].get(input).is_some(), "{input:?}");
                }
            }
        }
    }
    assert_eq!(uses, 2);
}

#[test]
fn the_job_for_gitlab_writes_the_reports_that_it_hands_over() {
    let root = folder(&[("deploy/web.yaml", BROKEN)]);
    let job = &workflows("docs/ci.md", "gitlab")[0]["sandbox-lint"];
    let line = job["script"].as_sequence().unwrap().iter().find_map(|line| {
        let line = line.as_str().unwrap();
        line.starts_with("sandbox-lint ").then_some(line)
    });
    let output = command("sh", root.path()).args(["-c", line.unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let report = |name: &str| {
        let file = job["artifacts"]["reports"][name].as_str().unwrap();
        fs::read_to_string(root.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let issues: Value = serde_json::from_str(&report("codequality")).unwrap();
    assert_eq!(issues.as_array().unwrap().len(), 2);
    assert!(report("junit").contains("<testsuites "));
    assert_eq!(job["artifacts"]["when"], "always");
}

/// Other people's readers of SARIF and JUnit agree on what there is.
#[test]
fn readers_of_sarif_find_every_finding() {
    let Some(sarif) = program("sarif") else { return };
    let root = mixed();
    let wanted = rows_of_json(&output_of(root.path(), &["--format", "json"]));
    output_of(root.path(), &["--format", "sarif=out.sarif"]);
    let read = |level: &str| {
        let output = command(&sarif, root.path()).args(["--check", level, "summary", "out.sarif"]).output().unwrap();
        let shown = String::from_utf8(output.stdout.clone()).unwrap();
        let count = shown.lines().find_map(|line| line.strip_prefix(&format!("{level}: "))?.trim().parse().ok());
        (output.status.success(), count.unwrap_or_else(|| panic!("{}", printed(&output))))
    };
    for level in ["error", "warning", "note"] {
        let count = wanted.iter().filter(|row| row.3 == level).count();
        assert_eq!(read(level), (false, count), "{level}");
    }
}

#[test]
fn readers_of_junit_tell_failed_files_from_clean_ones() {
    let Some(junitparser) = program("junitparser") else { return };
    let root = folder(&[("broken.yaml", BROKEN), ("clean.yaml", CLEAN)]);
    for (file, code) in [("broken.yaml", 1), ("clean.yaml", 0)] {
        output_of(root.path(), &["--format", "junit=junit.xml", file]);
        let output = command(&junitparser, root.path()).args(["verify", "junit.xml"]).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{file}: {}", printed(&output));
    }
}
