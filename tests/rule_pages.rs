//! Every rule has a page, and what its page shows is what the linter does.

mod support;

use sandbox_lint::rule::{RULES, Rule};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const HEADINGS: [&str; 5] = ["## What will happen", "## Why", "## How to fix", "## Fails", "## Passes"];

#[test]
fn every_page_has_all_its_parts() {
    let mut wrong = Vec::new();
    for rule in RULES.iter().filter(|rule| !is_unwritten(rule)) {
        if !rule.page.starts_with(&format!("# {} {}\n\n", rule.code, rule.name)) {
            wrong.push(format!("{}: the title is not `# {} {}`", rule.code, rule.code, rule.name));
        }
        let headings: Vec<&str> = outside_fences(rule.page).filter(|line| line.starts_with("## ")).collect();
        if headings != HEADINGS {
            wrong.push(format!("{}: headings are {headings:?}", rule.code));
        }
        for heading in ["## Fails", "## Passes"] {
            if fences(rule.page, heading).is_empty() {
                wrong.push(format!("{}: no ```yaml fence under {heading}", rule.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unwritten: Vec<&str> = RULES.iter().filter(|rule| is_unwritten(rule)).map(|rule| rule.code).collect();
    assert!(unwritten.len() <= UNWRITTEN, "pages to write: {unwritten:?}");
}

/// Rules whose page has only its title yet; it only ever goes down.
const UNWRITTEN: usize = 5;

fn is_unwritten(rule: &Rule) -> bool {
    rule.page.lines().count() < 2
}

#[test]
fn codes_ascend_and_names_are_unique() {
    assert!(RULES.windows(2).all(|pair| pair[0].code < pair[1].code), "codes do not ascend");
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a name is used twice");
}

#[test]
fn every_page_belongs_to_a_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    for entry in std::fs::read_dir(folder).expect("rules/") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let Some(page) = name.strip_suffix(".md") else { continue };
        let known = RULES.iter().any(|rule| page == format!("{}-{}", rule.code, rule.name));
        assert!(known, "rules/{name} belongs to no rule");
    }
}

#[test]
fn failing_examples_raise_their_rule() {
    let wrong = unexpected("## Fails", |raised| !raised);
    assert!(wrong.is_empty(), "these do not raise their rule:\n{wrong}");
}

#[test]
fn passing_examples_do_not_raise_their_rule() {
    let wrong = unexpected("## Passes", |raised| raised);
    assert!(wrong.is_empty(), "these raise their rule:\n{wrong}");
}

#[test]
fn the_table_of_the_readme_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md");
    let (begin, end) = ("<!-- rules: begin -->\n", "<!-- rules: end -->");
    let start = readme.find(begin).expect("the begin of the table") + begin.len();
    let stop = readme.find(end).expect("the end of the table");
    let wanted = format!("{}\n{}{}", &readme[..start], table(), &readme[stop..]);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(&path, &wanted).expect("README.md can be written");
    } else {
        assert!(readme == wanted, "the rule table of README.md is old; run with UPDATE_GENERATED=1");
    }
}

fn table() -> String {
    let mut table = "| rule | weight | stage | finds |\n|---|---|---|---|\n".to_owned();
    for rule in RULES {
        let Rule { code, name, summary, .. } = rule;
        let severity = format!("{:?}", rule.severity).to_lowercase();
        let stage = rule.stage.name();
        writeln!(table, "| [{code} {name}](rules/{code}-{name}.md) | {severity} | {stage} | {summary} |")
            .expect("text takes text");
    }
    table.push('\n');
    table
}

/// The examples under a heading for which it holds that the rule was raised, or was not.
fn unexpected(heading: &str, is_wrong: fn(bool) -> bool) -> String {
    let mut wrong = String::new();
    for rule in RULES {
        for (number, fence) in fences(rule.page, heading).iter().enumerate() {
            let (codes, printed) = found(rule, fence);
            if is_wrong(codes.iter().any(|code| code == rule.code)) {
                writeln!(wrong, "{} {}, example {}:\n{printed}", rule.code, rule.name, number + 1)
                    .expect("text takes text");
            }
        }
    }
    wrong
}

/// The codes of what is found in an example, and the findings in words.
fn found(rule: &Rule, fence: &Fence) -> (Vec<String>, String) {
    if rule.code.starts_with("SB8") || rule.code.starts_with("SB9") {
        return found_by_command(fence);
    }
    let report = support::lint_text(&fence.text, &fence.flags);
    let codes = report.findings.iter().map(|finding| finding.rule.code.to_owned()).collect();
    (codes, support::all_told(&report))
}

/// The same by the command line, which knows configurations and comments that silence findings.
fn found_by_command(fence: &Fence) -> (Vec<String>, String) {
    let mut file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
    file.write_all(fence.text.as_bytes()).expect("a file that can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_sandbox-lint"))
        .args(["check", "--format", "json"])
        .args(fence.flags.split_whitespace())
        .arg(file.path())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let problem = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let list = report["findings"].as_array().cloned().unwrap_or_default();
    let codes = list.iter().filter_map(|finding| finding["code"].as_str().map(str::to_owned)).collect();
    (codes, format!("{text}{problem}"))
}

struct Fence {
    flags: String,
    text: String,
}

/// The fences of YAML or JSON under a heading, with the flags after the language.
fn fences(page: &str, heading: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut here = false;
    let mut open: Option<Fence> = None;
    for line in page.lines() {
        match &mut open {
            Some(_) if line == "```" => found.extend(open.take().filter(|_| here)),
            Some(fence) => {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            None if line.starts_with("## ") => here = line == heading,
            None => {
                let language = line.strip_prefix("```yaml").or_else(|| line.strip_prefix("```json"));
                open = language.map(|flags| Fence { flags: flags.trim().to_owned(), text: String::new() });
            }
        }
    }
    found
}

fn outside_fences(page: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    page.lines().filter(move |line| {
        if line.starts_with("```") {
            inside = !inside;
        }
        !inside
    })
}
