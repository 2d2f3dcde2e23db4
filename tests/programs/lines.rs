//! What programs read from the concise format, and what they should.

use super::{binary, command, fences, folder, printed, text};
use regex::Regex;
use serde_json::Value;
use std::path::Path;

pub const CLEAN: &str = include_str!("../../testdata/examples/sandboxd.yaml");
pub const BROKEN: &str = include_str!("../../testdata/examples/sandboxd-broken.yaml");
/// An error, a warning and notes.
pub const MIXED: &str = "apiVersion: agents.x-k8s.io/v1alpha1\nkind: Sandbox\nmetadata:\n  name: web\nspec:\n  podTemplate:\n    spec:\n      \
    containers:\n        - name: agent\n          image: python:3.13\n          imagePullPolicy: Sometimes\n";

pub fn mixed() -> tempfile::TempDir {
    folder(&[("deploy/a b.yaml", MIXED), ("broken.yaml", BROKEN)])
}

/// What one format says of a folder.
pub fn output_of(root: &Path, arguments: &[&str]) -> String {
    let output = command(binary(), root).args(arguments).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", printed(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Findings as file, line, column, severity, code and message.
pub type Row = (String, u64, u64, String, String, String);

pub fn rows_of_json(text: &str) -> Vec<Row> {
    let output: Value = serde_json::from_str(text).unwrap();
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let number = |finding: &Value, key: &str| finding["start"][key].as_u64().unwrap();
    let row = |finding: &Value| {
        let message = word(finding, "message").split(char::is_control).collect::<Vec<_>>().join(" ");
        (
            word(finding, "file"),
            number(finding, "line"),
            number(finding, "column"),
            word(finding, "severity"),
            word(finding, "code"),
            message,
        )
    };
    output["findings"].as_array().unwrap().iter().map(row).collect()
}

/// What a matcher of GitHub or VS Code makes of the concise output; both have the same fields.
pub fn rows_matched(matcher: &Value, text: &str) -> Vec<Row> {
    let pattern = if matcher["pattern"].is_array() { &matcher["pattern"][0] } else { &matcher["pattern"] };
    let regex = Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let row = |line: &str| {
        let captures = regex.captures(line)?;
        let part = |name: &str| pattern[name].as_u64().map(|index| captures[index as usize].to_owned());
        let number = |name: &str| part(name).unwrap().parse().unwrap();
        let severity = part("severity").or_else(|| matcher["severity"].as_str().map(str::to_owned)).unwrap();
        let severity = severity.replace("notice", "note").replace("info", "note");
        Some((
            part("file").unwrap(),
            number("line"),
            number("column"),
            severity,
            part("code").unwrap(),
            part("message").unwrap(),
        ))
    };
    text.lines().filter_map(row).collect()
}

pub fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort();
    rows
}

/// A fenced block of a page, found by a text in it.
pub fn snippet(page: &str, words: &str, with: &str) -> String {
    let blocks = fences(&text(page));
    let found = blocks.iter().find(|(language, block)| language == words && block.contains(with));
    found.unwrap_or_else(|| panic!("{page} has no {words} block with {with}")).1.clone()
}
