//! SARIF 2.1.0, for code scanning services and editors.

use super::view::{Range, View, severity_name};
use super::words;
use crate::finding::{FileId, Finding, Silencer, Suppressed};
use crate::rule::Rule;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'r> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'r> {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<ResultOut<'r>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<RuleOut>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleOut {
    id: &'static str,
    name: String,
    short_description: Message,
    help: Help,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: [&'static str; 1],
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultOut<'r> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixOut<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression<'r>>,
}

#[derive(Serialize)]
struct Suppression<'r> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'r str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixOut<'r> {
    description: Message,
    artifact_changes: [ArtifactChange<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'r> {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'r> {
    deleted_region: Region,
    inserted_content: Content<'r>,
}

#[derive(Serialize)]
struct Content<'r> {
    text: &'r str,
}

/// One log with one run: the rules that codes_found with their pages, the findings, and what was skipped as notifications.
pub fn render(view: &View<'_>) -> String {
    let report = view.report;
    let codes_found: BTreeSet<&'static str> = report.findings.iter().map(|finding| finding.rule.code).collect();
    let index: BTreeMap<&str, usize> = codes_found.iter().enumerate().map(|(index, code)| (*code, index)).collect();
    let rules = codes_found.iter().filter_map(|code| crate::rule::find(code)).map(rule).collect();
    let results = report
        .findings
        .iter()
        .zip(view.fingerprints())
        .map(|(finding, print)| result(view, finding, index[finding.rule.code], print));
    let notifications = report.skipped.iter().map(|one| Notification {
        level: "note",
        message: Message::new(&one.message),
        locations: vec![location(view, one.file, None)],
    });
    let version = env!("CARGO_PKG_VERSION");
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver: Driver { name: "sandbox-lint", version, semantic_version: version, rules } },
            column_kind: "unicodeCodePoints",
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: notifications.collect(),
            }],
            results: results.collect(),
        }],
    };
    let mut text = serde_json::to_string_pretty(&log).expect("output is plain data");
    text.push('\n');
    text
}

fn rule(rule: &'static Rule) -> RuleOut {
    RuleOut {
        id: rule.code,
        name: pascal_case(rule.name),
        short_description: Message::new(rule.summary),
        help: Help { text: rule.summary.to_owned(), markdown: rule.page },
        default_configuration: Configuration { level: severity_name(rule.severity) },
        properties: Properties { tags: [rule.stage.name()] },
    }
}

fn result<'r>(view: &View<'r>, finding: &'r Finding, rule_index: usize, fingerprint: String) -> ResultOut<'r> {
    let mut place = location(view, finding.file, Some(view.range_of(finding)));
    if !finding.spot.path.is_empty() {
        place.logical_locations =
            vec![LogicalLocation { fully_qualified_name: words::field_of(finding), kind: "member" }];
    }
    let own = finding.related.iter().map(|one| (one.file, one.span, one.message.clone()));
    let related =
        own.chain(words::consequence_places(finding)).enumerate().map(|(id, (file, span, message))| Location {
            id: Some(id),
            message: Some(Message::new(message)),
            ..location(view, file, Some(view.range(file, span)))
        });
    ResultOut {
        rule_id: finding.rule.code,
        rule_index,
        level: severity_name(finding.severity),
        message: Message::new(words::in_full(finding)),
        locations: [place],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([("sandboxLint/v1", fingerprint)]),
        fixes: finding.fix.iter().map(|fix| self::fix(view, finding, fix)).collect(),
        suppressions: finding.suppressed.iter().map(suppression).collect(),
    }
}

fn fix<'r>(view: &View<'r>, finding: &Finding, fix: &'r crate::finding::Fix) -> FixOut<'r> {
    let replacements = fix.edits.iter().map(|edit| Replacement {
        deleted_region: region(view.range(finding.file, edit.span)),
        inserted_content: Content { text: &edit.text },
    });
    FixOut {
        description: Message::new(&fix.title),
        artifact_changes: [ArtifactChange {
            artifact_location: artifact(view, finding.file),
            replacements: replacements.collect(),
        }],
    }
}

fn suppression(suppressed: &Suppressed) -> Suppression<'_> {
    let kind = if suppressed.by == Silencer::Baseline { "external" } else { "inSource" };
    Suppression { kind, justification: suppressed.reason.as_deref() }
}

fn location(view: &View<'_>, file: FileId, range: Option<Range>) -> Location {
    let physical_location = PhysicalLocation { artifact_location: artifact(view, file), region: range.map(region) };
    Location { id: None, physical_location, logical_locations: Vec::new(), message: None }
}

fn region(range: Range) -> Region {
    Region {
        start_line: range.start.line,
        start_column: range.start.column,
        end_line: range.end.line,
        end_column: range.end.column,
    }
}

fn artifact(view: &View<'_>, file: FileId) -> ArtifactLocation {
    ArtifactLocation { uri: uri(view.path(file)) }
}

/// A path as a URI reference: relative paths stay relative, absolute ones become `file:` URIs.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn pascal_case(name: &str) -> String {
    name.split('-')
        .flat_map(|word| {
            let mut chars = word.chars();
            chars.next().into_iter().flat_map(char::to_uppercase).chain(chars)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uri_references() {
        assert_eq!(uri("a b/ü#1%.yaml"), "a%20b/%C3%BC%231%25.yaml");
        assert_eq!(uri("/tmp/a.yaml"), "file:///tmp/a.yaml");
    }

    #[test]
    fn rule_names_are_written_as_sarif_wants_them() {
        assert_eq!(pascal_case("missing-toleration"), "MissingToleration");
    }
}
