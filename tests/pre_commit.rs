//! The hooks for pre-commit, and the wheel they install.

mod programs;

use programs::{all_wanted, binary, command, printed, program, repository, say, succeed, text};
use serde_yaml::Value;
use std::fs;
use std::path::{Path, PathBuf};

const CLEAN: &str = include_str!("../testdata/examples/sandboxd.yaml");
const BROKEN: &str = include_str!("../testdata/examples/sandboxd-broken.yaml");
const TEMPLATE: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxTemplate\nmetadata: {name: python}\n\
    spec:\n  podTemplate:\n    spec:\n      runtimeClassName: kata\n      containers: [{name: agent, image: 'python:3.13'}]\n";
const POOL: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {name: warm}\n\
    spec: {replicas: 2, sandboxTemplateRef: {name: python}}\n";
const CLAIM: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\nmetadata: {name: mine}\n\
    spec: {warmPoolRef: {name: warm}}\n";

fn hooks() -> Vec<Value> {
    serde_yaml::from_str(&text(".pre-commit-hooks.yaml")).unwrap()
}

#[test]
fn each_hook_is_one_process_that_keeps_to_the_excludes() {
    let languages: Vec<String> = hooks().iter().map(|hook| hook["language"].as_str().unwrap().to_owned()).collect();
    assert_eq!(languages, ["python", "rust", "system"]);
    for hook in hooks() {
        assert_eq!(hook["entry"], "sandbox-lint check --force-exclude");
        assert_eq!(hook["require_serial"], true);
        assert_eq!(hook["types_or"], serde_yaml::from_str::<Value>("[yaml, json]").unwrap());
    }
}

#[test]
fn what_is_excluded_stays_excluded_when_it_is_named() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("vendor")).unwrap();
    fs::write(root.path().join("vendor/broken.yaml"), BROKEN).unwrap();
    fs::write(root.path().join(".sandbox-lint.yaml"), "exclude: [vendor]\n").unwrap();
    let run = |arguments: &[&str]| {
        let output = command(binary(), root.path()).args(arguments).output().unwrap();
        (output.status.code(), printed(&output))
    };
    assert_eq!(run(&["check", "vendor/broken.yaml"]).0, Some(1));
    let (code, shown) = run(&["check", "--force-exclude", "vendor/broken.yaml"]);
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(shown, "0 files, 0 documents, 0 sandbox resources: 0 errors, 0 warnings, 0 notes\n");
}

/// pre-commit shows only the files of a commit, so every part of a clean whole must be clean.
#[test]
fn a_part_of_the_files_has_no_finding_that_the_whole_lacks() {
    let root = tempfile::tempdir().unwrap();
    let files = [("template.yaml", TEMPLATE), ("pool.yaml", POOL), ("claim.yaml", CLAIM), ("box.yaml", CLEAN)];
    for (name, text) in files {
        fs::write(root.path().join(name), text).unwrap();
    }
    for chosen in 1..1 << files.len() {
        let names: Vec<&str> =
            (0..files.len()).filter(|index| chosen >> index & 1 == 1).map(|index| files[index].0).collect();
        let mut check = command(binary(), root.path());
        check.args(["check", "--format", "concise", "--fail-on", "note"]).args(&names);
        assert_eq!(succeed(&mut check), "", "{names:?}");
    }
}

/// A similar name in another file is a warning at most: the right one may be in a file that did not change.
#[test]
fn a_similar_name_among_the_changed_files_does_not_block_the_commit() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("pool.yaml"), POOL).unwrap();
    fs::write(root.path().join("template.yaml"), TEMPLATE.replace("{name: python}", "{name: pythons}")).unwrap();
    let output = command(binary(), root.path()).args(["check", "pool.yaml", "template.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
}

/// A git repository with a first commit and these files.
fn git_repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(root.path().join(name), text).unwrap();
    }
    git(root.path(), &["init", "--quiet"]);
    for (key, value) in [("user.name", "test"), ("user.email", "test@example.org"), ("commit.gpgsign", "false")] {
        git(root.path(), &["config", key, value]);
    }
    git(root.path(), &["add", "--all"]);
    git(root.path(), &["commit", "--quiet", "--message", "first"]);
    root
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    succeed(command("git", folder).args(arguments))
}

#[test]
fn pre_commit_blocks_a_broken_template_and_lets_a_clean_one_pass() {
    let (Some(pre_commit), Some(_)) = (program("pre-commit"), program("git")) else { return };
    let hooks = git_repository(&[(".pre-commit-hooks.yaml", &text(".pre-commit-hooks.yaml"))]);
    let revision = git(hooks.path(), &["rev-parse", "HEAD"]);
    let config = format!(
        "repos:\n  - repo: {}\n    rev: {}\n    hooks:\n      - id: sandbox-lint-system\n",
        hooks.path().display(),
        revision.trim()
    );
    let work = git_repository(&[
        (".pre-commit-config.yaml", config.as_str()),
        (".sandbox-lint.yaml", "exclude: [old.yaml]\n"),
        ("README.md", "x\n"),
    ]);
    let home = tempfile::tempdir().unwrap();
    let in_work = |program: &Path, arguments: &[&str]| {
        let mut command = command(program, work.path());
        command.env("PRE_COMMIT_HOME", home.path()).env("PRE_COMMIT_COLOR", "never").args(arguments).output().unwrap()
    };
    let commit = |name: &str, text: &str| {
        fs::write(work.path().join(name), text).unwrap();
        git(work.path(), &["add", "--all"]);
        let output = in_work(Path::new("git"), &["commit", "--message", name]);
        (output.status.success(), printed(&output))
    };
    assert!(in_work(&pre_commit, &["install"]).status.success());

    let (passed, shown) = commit("web.yaml", BROKEN);
    assert!(!passed && shown.contains("exit code: 1") && shown.contains("error[SB404]"), "{shown}");
    let (passed, shown) = commit("web.yaml", CLEAN);
    assert!(passed && shown.contains("Passed"), "{shown}");
    let (passed, shown) = commit("old.yaml", BROKEN);
    assert!(passed && shown.contains("Passed"), "{shown}");
    let (passed, shown) = commit("notes.md", "no manifest\n");
    assert!(passed && shown.contains("Skipped"), "{shown}");
    assert!(in_work(&pre_commit, &["run", "--all-files"]).status.success());
}

#[test]
fn the_wheel_installs_without_a_network_and_brings_the_program() {
    if !all_wanted() {
        return say("not tested: the wheel, whose build takes minutes; set SANDBOX_LINT_TEST_TOOLS=all");
    }
    let (Some(maturin), Some(python)) = (program("maturin"), program("python3")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let wheels = folder.path().join("wheels");
    let mut build = command(maturin, &repository(""));
    // A folder of its own: a build beside the tests would replace the program that they run.
    build.env("CARGO_TARGET_DIR", binary().with_file_name("wheel"));
    build.args(["build", "--quiet", "--offline", "--profile", "dev", "--out"]).arg(&wheels);
    succeed(&mut build);
    let wheel: PathBuf = fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    succeed(command(&python, folder.path()).args(["-m", "venv", "fresh"]));
    let fresh = folder.path().join("fresh/bin");
    succeed(command(fresh.join("pip"), folder.path()).args(["install", "--quiet", "--no-index"]).arg(&wheel));
    fs::write(folder.path().join("broken.yaml"), BROKEN).unwrap();
    let installed = fresh.join("sandbox-lint");
    let version = succeed(command(&installed, folder.path()).arg("--version"));
    assert_eq!(version, format!("sandbox-lint {}\n", env!("CARGO_PKG_VERSION")));
    let output = command(&installed, folder.path()).args(["check", "broken.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
}
