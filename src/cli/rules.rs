//! `rules`: the table of rules.

use super::args::{RulesArgs, RulesFormat};
use super::{Error, Exit, output};
use crate::report::view::severity_name;
use crate::rule::RULES;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Row {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    stage: &'static str,
    summary: &'static str,
}

/// Prints all rules in the order of their codes.
pub(super) fn run(args: &RulesArgs) -> Result<Exit, Error> {
    output::print(&match args.format {
        RulesFormat::Human => human(),
        RulesFormat::Json => json(),
        RulesFormat::Markdown => markdown(),
    })?;
    Ok(Exit::Clean)
}

fn human() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    RULES.iter().fold(String::new(), |mut text, rule| {
        let severity = severity_name(rule.severity);
        let _ = writeln!(text, "{}  {:<width$}  {severity:<7}  {}", rule.code, rule.name, rule.summary);
        text
    })
}

fn json() -> String {
    let rows: Vec<Row> = RULES
        .iter()
        .map(|rule| Row {
            code: rule.code,
            name: rule.name,
            severity: severity_name(rule.severity),
            stage: rule.stage.name(),
            summary: rule.summary,
        })
        .collect();
    format!("{}\n", serde_json::to_string_pretty(&rows).expect("rows are plain data"))
}

/// The table of rules as the README has it.
pub fn markdown() -> String {
    let mut text = "| code | name | severity | stage | finds |\n|---|---|---|---|---|\n".to_owned();
    for rule in RULES {
        let (code, name) = (rule.code, rule.name);
        let (severity, stage) = (severity_name(rule.severity), rule.stage.name());
        let summary = rule.summary.replace('|', "\\|");
        let _ = writeln!(text, "| [{code}](rules/{code}-{name}.md) | {name} | {severity} | {stage} | {summary} |");
    }
    text
}
