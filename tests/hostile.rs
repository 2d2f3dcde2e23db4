//! Names, values, keys, comments and file names full of control characters: none of them is printed as it is.

use assert_cmd::Command;
use proptest::prelude::*;
use sandbox_lint::escape::is_hidden;
use sandbox_lint::report::view::{self, View};
use sandbox_lint::report::{Machine, human, render};
use sandbox_lint::{Linter, Report, Source, World};
use std::fs;

/// What YAML takes as it is, and what it takes only escaped.
const RAW: [&str; 6] = ["\u{9b}31m", "\u{202e}", "\u{2066}x", "\u{200b}", "\u{feff}", "\u{e0041}"];
const ESCAPED: [&str; 8] = ["\\e[31m", "\\n", "\\r", "\\0", "\\x7f", "\\u009b2J", "\\u202e", "\\L"];

fn base() -> String {
    fs::read_to_string("testdata/examples/sandboxd-broken.yaml").unwrap()
}

fn report(path: &str, text: &str) -> Report {
    Linter::new(World::assumed()).check(vec![Source::explicit(path, text.as_bytes().to_vec())])
}

/// Everything that a report can become, each with a name.
fn renderings(report: &Report) -> Vec<(String, String)> {
    let texts = view::texts(report);
    let view = View::new(report, &texts);
    let mut all: Vec<_> = Machine::ALL.iter().map(|format| (format!("{format:?}"), render(&view, *format))).collect();
    let extras = human::Extras { statistics: true, intents: true, quiet: false };
    for (color, width) in [(false, 80), (true, 100), (false, 40)] {
        let look = human::Look { color, unicode: true, width };
        all.push((format!("human {width}"), without_colors(&human::render(&view, look, extras))));
        all.push((format!("predict {width}"), without_colors(&human::render_predictions(&view, look))));
    }
    all
}

/// Takes out what only our colours consist of: `ESC [ digits ; m`.
fn without_colors(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(after.len());
        let is_color = after[end..].starts_with('m');
        if !is_color {
            out.push('\u{1b}');
        }
        rest = if is_color { &after[end + 1..] } else { after };
    }
    out + rest
}

fn raw_ones(text: &str) -> Vec<char> {
    text.chars().filter(|c| is_hidden(*c) && !matches!(c, '\n' | '\t')).collect()
}

fn assert_safe(report: &Report, what: &str) {
    for (name, text) in renderings(report) {
        assert!(raw_ones(&text).is_empty(), "{name} of {what:?}:\n{}", text.escape_debug());
    }
}

/// The text with `piece` put into the scalar or comment of a line, quoted where `quoted`.
fn spoiled(text: &str, line: usize, piece: &str, quoted: bool, key: bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = line % lines.len();
    let own = lines[line].clone();
    let indent = &own[..own.len() - own.trim_start().len()];
    let Some((name, value)) = own.trim_start().split_once(": ") else {
        lines[line] = format!("{own} # {piece}");
        return lines.join("\n");
    };
    let quote = |text: &str| {
        let text = text.trim_matches('"');
        if quoted { format!("\"{text}{piece}\"") } else { format!("{text}{piece}") }
    };
    let dash = if name.starts_with("- ") { "- " } else { "" };
    let name = name.trim_start_matches("- ");
    lines[line] = if key {
        format!("{indent}{dash}{}: {value}", quote(name))
    } else {
        format!("{indent}{dash}{name}: {}", quote(value))
    };
    lines.join("\n")
}

#[test]
fn every_line_of_a_manifest_can_be_hostile() {
    let base = base();
    for line in 0..base.lines().count() {
        for key in [false, true] {
            for piece in ESCAPED {
                assert_safe(&report("a.yaml", &spoiled(&base, line, piece, true, key)), piece);
            }
            for piece in RAW {
                assert_safe(&report("a.yaml", &spoiled(&base, line, piece, false, key)), piece);
            }
        }
    }
}

#[test]
fn file_names_are_escaped_and_json_keeps_their_value() {
    let path = "dir/we\u{1b}[31mb\n\u{202e}::error::x.yaml";
    let report = report(path, &base());
    assert_safe(&report, path);
    for (name, text) in renderings(&report) {
        if name == "Json" {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["findings"][0]["file"], path);
            assert!(text.contains("\\u202e"), "{text}");
        } else if matches!(name.as_str(), "Concise" | "human 100" | "Junit") {
            assert!(text.contains("we\\u{1b}[31mb\\n\\u{202e}::error::x.yaml"), "{name}: {text}");
        }
    }
}

#[test]
fn a_line_break_in_a_name_makes_no_line_of_its_own() {
    let text = base().replace("name: builder", "name: \"builder\\n::error file=x::fake\\r\\nerror[SB999]: fake\"");
    let report = report("a.yaml", &text);
    for (name, text) in renderings(&report) {
        let forged = |line: &str| {
            let line = line.trim_start();
            line.starts_with("::error file=x") || line.starts_with("error[SB999]")
        };
        assert!(!text.lines().any(forged), "{name}:\n{text}");
    }
}

#[test]
fn columns_are_those_of_the_file_where_an_excerpt_is_escaped() {
    let text = base().replace("name: builder", "\"na\u{202e}me\": x # \u{9b}");
    let report = report("a.yaml", &text);
    let texts = view::texts(&report);
    let view = View::new(&report, &texts);
    let look = human::Look { color: false, unicode: true, width: 120 };
    let human = human::render(&view, look, human::Extras::default());
    for finding in view.shown_findings() {
        let start = view.range_of(finding).start;
        let place = format!("a.yaml:{}:{}", start.line, start.column);
        assert!(human.contains(&place), "{place} in\n{human}");
    }
}

#[test]
fn commands_print_nothing_raw() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let name = if cfg!(windows) { "a.yaml" } else { "a\u{1b}[2J\n\u{202e}.yaml" };
    let text = base().replace("name: builder", "name: \"b\\e[31m\\n\" # \u{9b}31m \u{202e}");
    fs::write(at(name), text).unwrap();
    fs::write(at("fixable.yaml"), base().replace("ttl-seconds: 1h", "ttl-seconds: 1h # \u{202e}")).unwrap();
    fs::write(at("rules.yaml"), "rules:\n- name: \"x\u{202e}\"\n  expr: nonsense(\n- {\"\\e[31m\": 1}\n").unwrap();
    fs::write(at(".sandbox-lint.yaml"), "\"\\e[31m\\n\u{9b}\": 1\n").unwrap();
    fs::write(at("base.json"), "{\"sandbox-lint-baseline\": \"\u{9b}\", \"\u{202e}\": 1}").unwrap();
    let calls: [&[&str]; 14] = [
        &["--isolated", "."],
        &["--isolated", "--color=always", "--explain-intent", "."],
        &["--isolated", "--diff", "--unsafe-fixes", "."],
        &["--isolated", "--show-files", "."],
        &["--isolated", "--policy", "rules.yaml", "."],
        &["--isolated", "--baseline", "base.json", "."],
        &["--isolated", "--cluster", name, "."],
        &["--isolated", "no\u{1b}[31m\u{9b}.yaml"],
        &["predict", "--isolated", "."],
        &["predict", "--isolated", "--format=json", "."],
        &["decode", name],
        &["policy", "test", "--isolated", "."],
        &["."],
        &["--config", ".sandbox-lint.yaml", "--show-settings", "."],
    ];
    for call in calls {
        let mut command = Command::cargo_bin("sandbox-lint").unwrap();
        let output = command.current_dir(folder.path()).args(call).output().unwrap();
        for bytes in [&output.stdout, &output.stderr] {
            let text = without_colors(std::str::from_utf8(bytes).unwrap());
            assert!(raw_ones(&text).is_empty(), "{call:?}: {}", text.escape_debug());
        }
        assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{call:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_control_character_gets_through(
        spots in prop::collection::vec((0usize..200, any::<char>(), any::<bool>(), any::<bool>()), 1..5),
        hidden in prop::sample::select(('\0'..='\u{2fff}').filter(|c| is_hidden(*c)).collect::<Vec<_>>()),
        name in any::<String>(),
    ) {
        let mut text = base();
        for (line, other, key, is_hidden) in spots {
            let c = if is_hidden { hidden } else { other };
            let quoted = format!("\\U{:08x}", u32::from(c));
            text = spoiled(&text, line, &quoted, true, key);
            text = spoiled(&text, line + 1, &c.to_string(), false, key);
        }
        assert_safe(&report(&format!("{hidden}{name}"), &text), &text);
    }
}
