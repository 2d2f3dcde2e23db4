//! For people: an excerpt with the places involved, what will happen, and what to write.

mod excerpt;
mod prose;
mod stages;

use super::view::{View, severity_name};
use super::words;
use crate::finding::{FileId, Finding, Severity};
use owo_colors::Style;
use prose::Prose;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

pub use prose::fold;
pub use stages::render as render_predictions;

/// How the terminal wants it.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether colours are wanted.
    pub color: bool,
    /// Whether characters beyond ASCII can be shown.
    pub unicode: bool,
    /// Columns.
    pub width: usize,
}

impl Look {
    /// The colour of a weight.
    fn severity(self, severity: Severity) -> Style {
        let style = Style::new().bold();
        match severity {
            _ if !self.color => Style::new(),
            Severity::Error => style.red(),
            Severity::Warning => style.yellow(),
            Severity::Note => style.cyan(),
        }
    }

    fn bold(self) -> Style {
        if self.color { Style::new().bold() } else { Style::new() }
    }

    fn faint(self) -> Style {
        if self.color { Style::new().dimmed() } else { Style::new() }
    }

    /// Replaces the few characters of our own that are not ASCII.
    fn plain(self, text: String) -> String {
        if self.unicode {
            return text;
        }
        text.chars()
            .map(|c| match c {
                '✓' => '+',
                '✗' => 'x',
                '·' => '-',
                '…' => '~',
                c => c,
            })
            .collect()
    }
}

/// What else the reader asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras {
    /// How often each rule spoke.
    pub statistics: bool,
    /// Which backend each resource means, and why.
    pub intents: bool,
    /// Findings only: no summary line.
    pub quiet: bool,
}

/// From this many findings with the same cause on, all but the first are short.
const SHORT_FROM: usize = 3;

/// The findings, then the summary line.
pub fn render(view: &View<'_>, look: Look, extras: Extras) -> String {
    let view = &view.visible();
    let mut text = String::new();
    let mut causes: HashMap<Cause<'_>, Repetition> = HashMap::new();
    for finding in view.shown_findings() {
        causes.entry(cause(finding)).or_default().times += 1;
    }
    let mut known_outcomes = HashSet::new();
    let mut after_short = false;
    for finding in view.shown_findings() {
        let seen = causes.entry(cause(finding)).or_default();
        let is_short = seen.before && seen.times >= SHORT_FROM;
        if after_short && !is_short {
            text.push('\n');
        }
        if is_short {
            short(&mut text, view, look, finding);
        } else {
            let outcome = finding.outcome.as_ref().filter(|outcome| outcome.message.is_some());
            let key = outcome.map(|outcome| (finding.file, finding.document, finding.resource.as_ref(), outcome));
            let known = Known { rule: seen.before, outcome: key.is_some_and(|key| !known_outcomes.insert(key)) };
            full(&mut text, view, look, finding, known);
            text.push('\n');
        }
        seen.before = true;
        after_short = is_short;
    }
    if after_short {
        text.push('\n');
    }
    if extras.intents {
        text.push_str(&stages::intents(view, look));
    }
    if extras.statistics {
        statistics(&mut text, view, look);
    }
    if !extras.quiet {
        skipped(&mut text, view, look);
        let _ = writeln!(text, "{}", Prose::new(look).fill(&words::summary(view), "", "  "));
    }
    look.plain(text)
}

/// What two findings share that need only one help text.
type Cause<'r> = (&'static str, Option<&'r str>);

#[derive(Default)]
struct Repetition {
    times: usize,
    before: bool,
}

fn cause(finding: &Finding) -> Cause<'_> {
    (finding.rule.code, finding.help.as_deref())
}

fn heading(text: &mut String, look: Look, finding: &Finding) {
    let badge = format!("{}[{}]", severity_name(finding.severity), finding.rule.code);
    let message = Prose::new(look).fill(&format!("{badge}: {}", finding.message), "", "  ");
    let style = look.severity(finding.severity);
    let rest = message.strip_prefix(badge.as_str()).unwrap_or(&message);
    let _ = writeln!(text, "{}{}", style.style(&badge), look.bold().style(rest));
}

fn short(text: &mut String, view: &View<'_>, look: Look, finding: &Finding) {
    heading(text, look, finding);
    let start = view.range_of(finding).start;
    let resource = finding.resource.as_ref().map(|id| format!(" ({})", words::named(id))).unwrap_or_default();
    let place = format!("at {}:{}:{}{resource}; as above", view.path(finding.file), start.line, start.column);
    let place = Prose::new(look).fill(&place, "  ", "  ");
    let _ = writeln!(text, "{}", look.faint().style(place));
}

/// What the findings above have seen already.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The rule's help.
    rule: bool,
    /// The outcome, of the same resource.
    outcome: bool,
}

fn full(text: &mut String, view: &View<'_>, look: Look, finding: &Finding, known: Known) {
    heading(text, look, finding);
    for (file, labels) in places(finding) {
        text.push_str(&excerpt::render(view, look, finding.severity, file, &labels));
    }
    let prose = Prose::new(look);
    if let Some(outcome) = &finding.outcome {
        let mut happening = words::precondition(finding).to_owned();
        happening.push_str(&words::outcome_text(outcome, finding.resource.as_ref(), view.prediction_of(finding)));
        match &outcome.message {
            Some(_) if known.outcome => happening.push_str(", as above"),
            Some(message) => {
                let _ = write!(happening, "\n{message}");
            }
            None => {}
        }
        prose.field(text, words::when(outcome), &happening);
        if let Some(place) = outcome.shown_on.as_ref().filter(|_| !known.outcome) {
            prose.field(text, "seen in", place);
        }
    }
    if let Some(help) = &finding.help {
        let (manifest, sentence) = prose::manifest_first(help);
        for (heading, words) in [("write", manifest), ("help", sentence)] {
            if !words.is_empty() {
                prose.field(text, heading, words);
            }
        }
    }
    for one in finding.shown_consequences() {
        let start = view.range_of(&one.finding).start;
        let code = one.finding.rule.code;
        let what = format!("{code} at {}:{}: {}", start.line, start.column, one.finding.message);
        prose.field(text, words::then(one), &what);
    }
    if !known.rule {
        prose.field(text, "more", &format!("sandbox-lint explain {}", finding.rule.code));
    }
}

/// The labels of a finding, file by file, its own first.
fn places(finding: &Finding) -> Vec<(FileId, Vec<excerpt::Label<'_>>)> {
    let own = excerpt::Label { span: finding.spot.span, text: finding.label.as_deref(), primary: true };
    let mut places = vec![(finding.file, vec![own])];
    for related in &finding.related {
        let label = excerpt::Label { span: related.span, text: Some(&related.message), primary: false };
        match places.iter_mut().find(|(file, _)| *file == related.file) {
            Some((_, labels)) => labels.push(label),
            None => places.push((related.file, vec![label])),
        }
    }
    places
}

/// So many skipped files and documents are named.
const SKIPPED_SHOWN: usize = 5;

/// Says what was left alone and why.
pub(super) fn skipped(text: &mut String, view: &View<'_>, look: Look) {
    let skipped = &view.report.skipped;
    for one in skipped.iter().take(SKIPPED_SHOWN) {
        let document = one.document.map(|index| format!(", document {}", index + 1)).unwrap_or_default();
        let line = format!("skipped {}{document}: {}", view.path(one.file), one.message);
        let _ = writeln!(text, "{}", Prose::new(look).fill(&line, "", "  "));
    }
    if skipped.len() > SKIPPED_SHOWN {
        let _ = writeln!(text, "and {} more skipped", skipped.len() - SKIPPED_SHOWN);
    }
}

fn statistics(text: &mut String, view: &View<'_>, look: Look) {
    let mut counts: Vec<(usize, &Finding)> = Vec::new();
    for finding in view.shown_findings() {
        match counts.iter_mut().find(|(_, known)| known.rule.code == finding.rule.code) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, finding)),
        }
    }
    counts.sort_by_key(|(count, finding)| (std::cmp::Reverse(*count), finding.rule.code));
    for (count, finding) in &counts {
        let rule = finding.rule;
        let code = look.severity(finding.severity).style(rule.code).to_string();
        let _ = writeln!(text, "{count:>5}  {code}  {}", rule.name);
    }
    if !counts.is_empty() {
        text.push('\n');
    }
}
