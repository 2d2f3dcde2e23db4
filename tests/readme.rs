//! Every command of README.md is run, every snippet compared with what it shows.

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
    assert_eq!(shown, "", "the page's own manifests are clean");
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

/// The names in a folder of the repository.
fn entries(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repository(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// A folder as the commands expect it: manifests in `deploy`, one of them broken, and house rules in `policy`.
fn workplace() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("deploy")).unwrap();
    let copy = |from: &str, to: &str| fs::write(root.path().join(to), text(from)).unwrap();
    copy("testdata/examples/sandboxd.yaml", "deploy/clean.yaml");
    copy("testdata/examples/sandboxd-broken.yaml", "deploy/web.yaml");
    fs::create_dir_all(root.path().join("policy/tests")).unwrap();
    copy("testdata/policy/sandboxes.yaml", "policy/sandboxes.yaml");
    for rule in entries("testdata/policy/tests").iter().filter(|rule| !rule.contains(".example.com")) {
        fs::create_dir(root.path().join("policy/tests").join(rule)).unwrap();
        for name in entries(&format!("testdata/policy/tests/{rule}")) {
            let path = format!("policy/tests/{rule}/{name}");
            copy(&format!("testdata/{path}"), &path);
        }
    }
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
        // What looks at the broken manifest fails unless that is known, all else succeeds, and nothing is silent but
        // what writes a file, of which the linter's own are said on standard error.
        let broken = line.contains("deploy") && !line.contains("baseline") && !line.contains("--show-settings");
        assert_eq!(output.status.code(), Some(i32::from(broken)), "{line}\n{}", printed(&output));
        let is_init = line.ends_with(" init");
        let remarks = is_init || line.contains("--write-baseline");
        assert_eq!(output.stderr.is_empty(), !remarks, "{line}\n{}", printed(&output));
        assert_eq!(output.stdout.is_empty(), line.contains(" >") || is_init, "{line}\n{}", printed(&output));
    }
    for file in [
        ".sandbox-lint.yaml",
        ".sandbox-lint-baseline.json",
        "web.yaml",
        "sandbox-lint.sarif",
        "gl-code-quality.json",
        "junit.xml",
    ] {
        assert!(fs::metadata(root.path().join(file)).unwrap().len() > 0, "{file}");
    }
}

/// What the run over the broken manifest says, one finding a line.
fn findings(root: &Path) -> String {
    let output = command(binary(), root).args(["--format", "concise", "deploy"]).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", printed(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_configuration_holds() {
    let root = workplace();
    fs::write(root.path().join(".sandbox-lint.yaml"), &blocks("yaml .sandbox-lint.yaml")[0]).unwrap();
    fs::write(root.path().join(".sandbox-lint-baseline.json"), r#"{"sandbox-lint-baseline": 1, "findings": []}"#)
        .unwrap();
    let shown = findings(root.path());
    for words in ["[SB302]", "short-lease: a sandbox says how long it lives", "pinned-images: "] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
}

#[test]
fn the_comments_silence_what_they_name() {
    for (page, words) in [("README.md", "yaml suppression"), ("docs/suppressions.md", "yaml")] {
        let block = fences(&text(page)).into_iter().find(|(known, _)| known == words).unwrap().1;
        let block: String =
            block.lines().map(|line| format!("      {}\n", line.trim_start_matches("      "))).collect();
        let root = workplace();
        assert!(findings(root.path()).contains("[SB302]"));
        let broken = text("testdata/examples/sandboxd-broken.yaml");
        let plain = "      nodeSelector:\n        sandbox.cocoonstack.io/runtime: sandboxd\n";
        assert!(broken.contains(plain));
        fs::write(root.path().join("deploy/web.yaml"), broken.replace(plain, &block)).unwrap();
        let shown = findings(root.path());
        assert!(shown.contains("[SB404]") && !shown.contains("[SB302]") && !shown.contains("[SB9"), "{page}\n{shown}");
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
    let docs =
        fs::read_dir(repository("docs")).unwrap().map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    for page in docs.chain(["README.md".to_owned()]) {
        let text = text(&page);
        let folder = Path::new(&page).parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(repository("").join(folder).join(file).exists(), "{page}: {link}");
            }
        }
    }
}
