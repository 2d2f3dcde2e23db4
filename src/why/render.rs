//! Accounts for people and for machines.

use super::{Account, Field, State};
use crate::escape;
use serde::Serialize;
use std::fmt::Write;

/// How many objects are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Counts {
    /// They do not come up.
    pub stuck: usize,
    /// They run where they should not.
    pub misplaced: usize,
    /// Not ready yet.
    pub waiting: usize,
    /// Suspended, expired, completed or being deleted.
    pub at_rest: usize,
    /// They run.
    pub healthy: usize,
}

/// Counts the states.
pub fn count(accounts: &[Account]) -> Counts {
    let of = |state: State| accounts.iter().filter(|account| account.state == state).count();
    Counts {
        stuck: of(State::Stuck),
        misplaced: of(State::Misplaced),
        waiting: of(State::Waiting),
        at_rest: of(State::AtRest),
        healthy: of(State::Healthy),
    }
}

/// JSON: docs/why.md describes it.
pub fn json(accounts: &[Account]) -> String {
    let report = serde_json::json!({
        "version": 1,
        "tool": {"name": "sandbox-lint", "version": env!("CARGO_PKG_VERSION")},
        "objects": accounts,
        "summary": count(accounts),
    });
    escape::json(serde_json::to_string_pretty(&report).expect("plain data") + "\n")
}

/// Plain text; what comes from the input is escaped.
pub fn human(accounts: &[Account]) -> String {
    let mut text = String::new();
    for account in accounts.iter().filter(|one| matches!(one.state, State::Stuck | State::Misplaced)) {
        stuck_objects(account, &mut text);
        text.push('\n');
    }
    for (state, what) in [
        (State::Waiting, "not ready yet, without a sign of failure"),
        (State::AtRest, "at rest"),
        (State::Healthy, "healthy"),
    ] {
        summary(accounts, state, what, &mut text);
    }
    if accounts.is_empty() {
        text.push_str("no Sandbox, SandboxClaim or SandboxWarmPool in the input, and no Pod of a sandbox\n");
    }
    text
}

fn stuck_objects(account: &Account, text: &mut String) {
    let object = &account.object;
    let name = format!("{} {}/{}", object.kind, object.namespace, object.name);
    let (state, stage) = match (account.state, account.stage) {
        (State::Misplaced, _) => ("runs where it should not", String::new()),
        (_, Some(stage)) => ("is stuck", format!(" at {}", stage.name())),
        (_, None) => ("is stuck", ", at a stage that is not known".to_owned()),
    };
    let phase = account.phase.as_ref().map(|phase| format!(" (Pod {phase})")).unwrap_or_default();
    let _ = writeln!(text, "{}", escape::line(&format!("{name} {state}{stage}{phase}")));
    if let Some(message) = &account.message {
        line(text, "message", message);
    }
    if !account.shown_on.is_empty() {
        line(text, "shown on", &account.shown_on.join("; "));
    }
    if let Some(cause) = &account.cause {
        line(text, "cause", cause);
    }
    for field in &account.fields {
        line(text, "field", &field_in_words(field));
        if let Some(message) = field.message.as_ref().filter(|message| account.cause.as_ref() != Some(message)) {
            line(text, "", message);
        }
    }
    let mut helps: Vec<&String> = Vec::new();
    for help in account.fields.iter().filter_map(|field| field.help.as_ref()) {
        if !helps.contains(&help) && helps.len() < HELPS {
            helps.push(help);
        }
    }
    match (helps.is_empty(), &account.change) {
        (false, _) => helps.iter().for_each(|help| lines(text, "change", help)),
        (true, Some(change)) => line(text, "change", change),
        (true, None) => {}
    }
    if let Some(waiting) = &account.waiting {
        let helps = match waiting.helps.as_str() {
            "no" => "does not help",
            "yes" => "helps",
            _ => "may help",
        };
        line(text, "waiting", &format!("{helps}: {}", waiting.text));
    }
    for words in &account.unexplained {
        line(text, "also shown", &format!("{}: {}", words.place_in_words(), words.message));
    }
    for note in &account.notes {
        line(text, "note", note);
    }
}

fn field_in_words(field: &Field) -> String {
    match (field.code, field.name) {
        (Some(code), Some(name)) => format!("{} ({code} {name})", field.path),
        _ => field.path.clone(),
    }
}

fn line(text: &mut String, heading: &str, words: &str) {
    let _ = writeln!(text, "  {heading:<10} {}", escape::line(words));
}

/// Advice of our own, which may show several lines of YAML.
fn lines(text: &mut String, heading: &str, words: &str) {
    for (index, one) in words.lines().enumerate() {
        line(text, if index == 0 { heading } else { "" }, one);
    }
}

/// How many pieces of advice are printed of an object.
const HELPS: usize = 10;
/// How many names a line holds.
const NAMED: usize = 8;

fn summary(accounts: &[Account], state: State, what: &str, text: &mut String) {
    let of: Vec<&Account> = accounts.iter().filter(|account| account.state == state).collect();
    if of.is_empty() {
        return;
    }
    let name = |account: &&Account| {
        let object = &account.object;
        let note = match state {
            State::Healthy => None,
            _ => account.notes.first().map(|note| format!(" ({note})")),
        };
        format!("{} {}/{}{}", object.kind, object.namespace, object.name, note.unwrap_or_default())
    };
    let mut names: Vec<String> = of.iter().take(NAMED).map(name).collect();
    if of.len() > NAMED {
        names.push(format!("{} more", of.len() - NAMED));
    }
    let _ = writeln!(text, "{} {what}: {}", of.len(), escape::line(&names.join(", ")));
}
