//! Every command of README.md is run, every snippet compared with what it speaks of.

mod programs;

use programs::{binary, command, fences, printed, program, repository, text};
use std::fs;
use std::path::Path;

/// The lines of the indented blocks.
fn indented(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("    ")).collect()
}

/// The fenced blocks behind these words.
fn blocks(words: &str) -> Vec<String> {
    fences(&text("README.md")).into_iter().filter(|(known, _)| known == words).map(|(_, block)| block).collect()
}

#[test]
fn the_first_commands_are_the_check_of_the_examples_and_the_tests() {
    let readme = text("README.md");
    let lines = indented(&readme);
    assert_eq!(lines[..2], ["cargo run --release -- check testdata/examples", "cargo test"]);
    assert!(text(".ci/run").contains(&format!("\n{} --locked", lines[1])));
    let arguments = lines[0].split_once(" -- ").unwrap().1.split(' ');
    let output = command(binary(), &repository("")).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stdout).unwrap();
    for backend in ["kubelet", "sandboxd", "vk-cocoon"] {
        assert!(shown.contains(&format!("{backend}-broken.yaml:")), "{backend}");
    }
    let own = ["testdata/examples/sandboxd.yaml", "testdata/examples/vk-cocoon.yaml"];
    let output = command(binary(), &repository("")).args(["check", "--format", "concise"]).args(own).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.lines().count() == 1 && shown.contains(": note["), "{shown}");
}

#[test]
fn the_usage_lists_every_command() {
    let readme = text("README.md");
    let program = sandbox_lint::cli::command();
    for one in program.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = one.get_name();
        let listed = indented(&readme).iter().any(|line| {
            let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['[', ']'])).collect();
            words.first() == Some(&"sandbox-lint") && words.get(1) == Some(&name)
        });
        assert!(listed, "{name}");
    }
}

/// A folder as the commands expect it: manifests in `deploy`, one of them broken.
fn workplace() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("deploy")).unwrap();
    let copy = |from: &str, to: &str| fs::write(root.path().join(to), text(from)).unwrap();
    copy("testdata/examples/sandboxd.yaml", "deploy/clean.yaml");
    copy("testdata/examples/sandboxd-broken.yaml", "deploy/web.yaml");
    root
}

#[test]
fn every_command_runs() {
    let Some(bash) = program("bash") else { return };
    let root = workplace();
    let lines: Vec<String> = blocks("sh").iter().flat_map(|block| block.lines()).map(str::to_owned).collect();
    assert!(lines.len() > 8, "{lines:?}");
    for line in &lines {
        let output = command(&bash, root.path()).args(["-o", "pipefail", "-c", line]).output().unwrap();
        // What looks at the broken manifest fails, all else succeeds, and nothing is silent but what writes a file.
        let broken = line.contains("deploy");
        assert_eq!(output.status.code(), Some(i32::from(broken)), "{line}\n{}", printed(&output));
        assert!(output.stderr.is_empty(), "{line}\n{}", printed(&output));
        assert_eq!(output.stdout.is_empty(), line.contains(" >"), "{line}\n{}", printed(&output));
    }
    for file in ["web.yaml", "sandbox-lint.sarif", "gl-code-quality.json", "junit.xml"] {
        assert!(fs::metadata(root.path().join(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn snippets_name_what_exists() {
    let version = format!("v{}", env!("CARGO_PKG_VERSION"));
    let config: serde_yaml::Value = serde_yaml::from_str(&blocks("yaml pre-commit")[0]).unwrap();
    let repo = &config["repos"][0];
    assert_eq!(repo["rev"].as_str(), Some(version.as_str()));
    let hooks: Vec<serde_yaml::Value> = serde_yaml::from_str(&text(".pre-commit-hooks.yaml")).unwrap();
    assert!(hooks.iter().any(|hook| hook["id"] == repo["hooks"][0]["id"]));
    for hook in &hooks {
        assert!(text("README.md").contains(&format!("`{}`", hook["id"].as_str().unwrap())));
    }

    let step: serde_yaml::Value = serde_yaml::from_str(&blocks("yaml github")[0]).unwrap();
    assert!(step[0]["uses"].as_str().unwrap().ends_with(&format!("/sandbox-lint@{version}")));
    let action: serde_yaml::Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    for (input, _) in step[0]["with"].as_mapping().unwrap() {
        assert!(action["inputs"].get(input).is_some(), "{input:?}");
    }
    assert!(
        !text("docs/ci.md").contains("/sandbox-lint@")
            || text("docs/ci.md").contains(&format!("/sandbox-lint@{version}"))
    );
}

/// The example of the library is the one that its documentation runs.
#[test]
fn the_rust_example_is_part_of_the_library_s_own() {
    let docs: String = text("src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    for example in blocks("rust") {
        assert!(docs.contains(&example), "{example}");
    }
    assert_eq!(blocks("rust").len(), 1);
}

#[test]
fn every_link_to_a_file_leads_somewhere() {
    for page in ["README.md", "docs/ci.md", "docs/editors.md", "docs/config.md", "docs/contract-format.md"] {
        let text = text(page);
        let folder = Path::new(page).parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(repository("").join(folder).join(file).exists(), "{page}: {link}");
            }
        }
    }
}
