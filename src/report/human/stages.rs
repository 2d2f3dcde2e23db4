//! The evaluation of each resource, stage by stage, and what the cluster will show of it.

use super::prose::Prose;
use super::{Look, View};
use crate::finding::{FileId, Finding, Outcome, Phase, Severity, Shown, Stage};
use crate::predict::Prediction;
use crate::report::words;
use crate::resource::intent::Evidence;
use crate::stage::admission::Accepted;
use std::collections::HashSet;
use std::fmt::Write;

/// The width of a stage's name and mark in a row of stages.
const CELL: usize = 13;

/// All evaluations, then the summary line.
pub fn render(view: &View<'_>, look: Look) -> String {
    let view = &view.visible();
    let mut text = String::new();
    let several = several(view);
    for (prediction, findings) in view.report.predictions.iter().zip(view.findings_by_prediction()) {
        if view.left_alone(prediction) {
            continue;
        }
        let findings = findings.into_iter().map(|index| &view.report.findings[index]);
        let findings: Vec<&Finding> = findings.filter(|finding| finding.suppressed.is_none()).collect();
        StageTable { view, look, prediction, findings, several: several.contains(&prediction.file) }.render(&mut text);
        text.push('\n');
    }
    super::skipped(&mut text, view, look);
    let _ = writeln!(text, "{}", Prose::new(look).fill(&words::summary(view), "", "  "));
    look.plain(text)
}

/// Which backend each resource means, and why.
pub(super) fn intents(view: &View<'_>, look: Look) -> String {
    let mut text = String::new();
    let several = several(view);
    for prediction in view.report.predictions.iter().filter(|one| one.pod.is_some()) {
        let several = several.contains(&prediction.file);
        let evaluation = StageTable { view, look, prediction, findings: Vec::new(), several };
        evaluation.title(&mut text);
        evaluation.meaning(&mut text);
        text.push('\n');
    }
    text
}

/// The files with several documents.
fn several(view: &View<'_>) -> HashSet<FileId> {
    view.report.predictions.iter().filter(|one| one.document > 0).map(|one| one.file).collect()
}

struct StageTable<'v, 'r> {
    view: &'v View<'r>,
    look: Look,
    prediction: &'v Prediction,
    findings: Vec<&'v Finding>,
    /// Whether its file has several documents.
    several: bool,
}

impl StageTable<'_, '_> {
    fn render(&self, text: &mut String) {
        self.title(text);
        self.meaning(text);
        self.stages(text);
        self.passed_wrongly(text);
        self.next(text);
        self.shown(text);
    }

    fn title(&self, text: &mut String) {
        let one = self.prediction;
        let mut place = self.view.path(one.file).to_owned();
        let name = match one.resource.kind.as_deref() {
            Some(kind) => format!("{kind} {}", words::qualified(&one.resource)),
            None => format!("Document {}", one.document + 1),
        };
        if self.several && one.resource.kind.is_some() {
            let _ = write!(place, ", document {}", one.document + 1);
        }
        let title = Prose::new(self.look).fill(&format!("{name}  ({})", place), "", "  ");
        let (name, rest) = title.split_at_checked(name.len()).unwrap_or((&title, ""));
        let _ = writeln!(text, "{}{rest}", self.look.bold().style(name));
    }

    fn meaning(&self, text: &mut String) {
        let one = self.prediction;
        if one.pod.is_none() {
            return;
        }
        let backend = match one.backend.as_str() {
            "kubelet" if one.evidence.is_empty() => "kubelet (no sign of a virtual node)".to_owned(),
            "contradictory" => "two backends at once".to_owned(),
            "sandboxd" => "vk-sandbox".to_owned(),
            other => other.to_owned(),
        };
        let signs: Vec<String> = self.signs();
        let by = if signs.is_empty() { String::new() } else { format!(", by {}", listing(&signs)) };
        let meaning = format!("{backend}{by}");
        let _ = writeln!(text, "{}", Prose::new(self.look).fill(&meaning, "  means  ", "         "));
    }

    /// The signs of the backend with their lines; of annotations the word stands once.
    fn signs(&self) -> Vec<String> {
        let line = |sign: &Evidence| self.view.range(self.prediction.file, sign.span).start.line;
        let mut before = "";
        let signs = self.prediction.evidence.iter().map(|sign| {
            let word = sign.text.split(' ').next().unwrap_or_default();
            let rest = sign.text.strip_prefix("annotation ").filter(|_| word == before).unwrap_or(&sign.text);
            before = word;
            format!("{rest} (line {})", line(sign))
        });
        signs.collect()
    }

    fn stages(&self, text: &mut String) {
        if self.prediction.accepted == Accepted::Lenient {
            text.push_str("  applied without strict validation (kubectl alone refuses it):\n");
        }
        let outcome = self.prediction.outcome.as_ref();
        let stop = outcome.filter(|outcome| outcome.phase != Phase::Running).map(|outcome| outcome.stage);
        let passed: Vec<Stage> = match (stop, outcome) {
            (Some(stop), _) => Stage::ALL.into_iter().filter(|stage| *stage < stop).collect(),
            (None, Some(_)) => Stage::ALL.to_vec(),
            // A resource without a Pod of its own is followed as far as the API server.
            (None, None) => vec![Stage::Decode, Stage::Admission],
        };
        self.row(text, '✓', &passed, &self.remark(outcome, stop));
        let Some((stop, outcome)) = stop.zip(outcome) else { return };
        self.stop_line(text, "  ", stop, outcome);
        if outcome.stage == Stage::Scheduling {
            self.nodes(text);
        }
        if outcome.stage == Stage::Scheduling && !outcome.certain && self.findings.is_empty() {
            let words = "no finding, since the nodes of your cluster decide; --cluster FILE judges by them";
            let _ = writeln!(text, "{}", Prose::new(self.look).fill(words, "      ", "      "));
        }
        let rest: Vec<Stage> =
            Stage::ALL.into_iter().filter(|stage| *stage > stop && *stage < Stage::Running).collect();
        self.row(text, '·', &rest, "not reached");
    }

    fn remark(&self, outcome: Option<&Outcome>, stop: Option<Stage>) -> String {
        match (outcome, stop, &self.prediction.node) {
            (_, Some(_), _) => String::new(),
            (Some(_), None, Some(node)) => format!("on {node}"),
            (Some(_), None, None) => String::new(),
            (None, None, _) => "stored; makes no Pod of its own".to_owned(),
        }
    }

    fn row(&self, text: &mut String, mark: char, stages: &[Stage], remark: &str) {
        if stages.is_empty() {
            return;
        }
        let fit = (self.look.width.saturating_sub(2) / (CELL + 1)).clamp(1, 4);
        let rows: Vec<String> = stages
            .chunks(fit)
            .map(|row| {
                let cells = row.iter().map(|stage| format!("{:<CELL$}", format!("{mark} {}", stage.name())));
                cells.collect::<Vec<_>>().join(" ").trim_end().to_owned()
            })
            .collect();
        for (number, row) in rows.iter().enumerate() {
            let is_last = number + 1 == rows.len() && !remark.is_empty();
            let fits = row.chars().count() + remark.chars().count() + 4 <= self.look.width;
            let remark = match is_last {
                true if fits => format!("  {remark}"),
                true => format!("\n    {remark}"),
                false => String::new(),
            };
            let _ = writeln!(text, "  {row}{remark}");
        }
    }

    /// `✗ scheduling  Pending, Unschedulable      SB302, line 11`
    fn stop_line(&self, text: &mut String, indent: &str, stop: Stage, outcome: &Outcome) {
        let state = match outcome.phase {
            Phase::Rejected => "refused",
            Phase::NoPod => "no Pod",
            Phase::Pending => "Pending",
            Phase::Failed => "Failed",
            Phase::Running => "Running",
        };
        let reason = outcome.reason.as_deref().map(|reason| format!(", {reason}")).unwrap_or_default();
        let certainty = if outcome.certain { "" } else { " (depends on the cluster)" };
        let cell = format!("✗ {}", stop.name());
        let left = format!("{indent}{cell:<CELL$} {state}{reason}{certainty}");
        let left = Prose::new(self.look).fill(&left, "", "      ");
        let right = self.blame(outcome);
        let free = self.look.width.min(100).checked_sub(left.chars().count() + right.chars().count());
        let gap = match free {
            _ if right.is_empty() => String::new(),
            Some(free) if free >= 2 => " ".repeat(free),
            _ => "\n      ".to_owned(),
        };
        let style = self.look.severity(Severity::Error);
        let _ = writeln!(text, "{}{gap}{right}", style.style(left));
        if stop != Stage::Scheduling
            && let Some(message) = &outcome.message
        {
            let _ = writeln!(text, "{}", Prose::new(self.look).fill(message, "      ", "      "));
        }
    }

    /// What is wrong without stopping the Pod: `! scheduling  nothing selects …      SB305, line 9`.
    fn passed_wrongly(&self, text: &mut String) {
        let stop = self.prediction.outcome.as_ref().filter(|outcome| outcome.phase != Phase::Running);
        let wrong = self.findings.iter().filter(|finding| {
            let stops = stop.is_some_and(|stop| stop.stage <= finding.stage);
            finding.severity >= Severity::Warning && !finding.later && !stops
        });
        for finding in wrong {
            let line = self.view.range_of(finding).start.line;
            let words = format!("{} ({}, line {line})", finding.message, finding.rule.code);
            let first = format!("  {:<CELL$} ", format!("! {}", finding.stage.name()));
            let filled = Prose::new(self.look).fill(&words, &first, "      ");
            let _ = writeln!(text, "{}", self.look.severity(finding.severity).style(filled));
        }
    }

    /// The findings that explain a stop: `SB302, line 11`.
    fn blame(&self, stop: &Outcome) -> String {
        let causes: Vec<_> = self.findings.iter().filter(|finding| finding.stage == stop.stage).collect();
        let has_message =
            |finding: &&&&Finding| finding.outcome.as_ref().is_some_and(|signs| signs.message == stop.message);
        let heavy = |finding: &&&&Finding| finding.severity > Severity::Note;
        let Some(first) = causes.iter().find(has_message).or(causes.iter().find(heavy)) else { return String::new() };
        let more = causes.len() - 1;
        let line = self.view.range_of(first).start.line;
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{}, line {line}{more}", first.rule.code)
    }

    fn nodes(&self, text: &mut String) {
        let nodes = &self.prediction.nodes;
        let width = nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(0);
        for node in nodes.iter() {
            let answer = if node.fits { "fits".to_owned() } else { node.reasons.join("; ") };
            let first = format!("      {:<width$}  ", node.name);
            let rest = " ".repeat(width + 8);
            let _ = writeln!(text, "{}", Prose::new(self.look).fill(&answer, &first, &rest));
        }
    }

    fn next(&self, text: &mut String) {
        for outcome in &self.prediction.next {
            self.stop_line(text, "  once that is fixed: ", outcome.stage, outcome);
        }
    }

    /// What `kubectl` prints once the resource is applied.
    fn shown(&self, text: &mut String) {
        let one = self.prediction;
        let Some(outcome) = &one.outcome else { return };
        let message = outcome.message.as_deref().unwrap_or_default();
        let name = one.resource.name.as_deref().unwrap_or("<name>");
        let flag = one.resource.namespace.as_deref().map(|namespace| format!(" -n {namespace}")).unwrap_or_default();
        let mut rows: Vec<(String, String)> = Vec::new();
        if outcome.phase != Phase::Rejected {
            if one.resource.kind.as_deref() == Some("Sandbox") {
                let ready = self.ready(outcome);
                rows.push((format!("kubectl get sandbox{flag} {name}"), ready));
            }
            if let Some(pod) = one.pod.as_ref().filter(|_| outcome.object == Shown::Pod)
                && outcome.phase != Phase::Running
            {
                let event = outcome.shown_on.as_deref().and_then(event).map(|event| format!("Warning  {event}"));
                let status = event.or(outcome.reason.clone()).unwrap_or_default();
                // A kubelet's event Failed puts this before what the container's state says.
                let error = if status.ends_with("Failed") && outcome.stage == Stage::Kubelet { "Error: " } else { "" };
                rows.push((format!("kubectl describe pod{flag} {}", pod.name), format!("{status}  {error}{message}")));
            }
        }
        if rows.is_empty() {
            return;
        }
        text.push('\n');
        let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
        for (command, answer) in rows {
            let first = format!("  {command:<width$}  ");
            let prose = Prose::new(self.look);
            if first.len() + 30 > self.look.width {
                let _ = writeln!(text, "  {command}\n{}", prose.fill(answer.trim(), "      ", "      "));
            } else {
                let _ = writeln!(text, "{}", prose.fill(answer.trim(), &first, &" ".repeat(first.len())));
            }
        }
    }

    /// The Sandbox's Ready condition.
    fn ready(&self, outcome: &Outcome) -> String {
        let message = outcome.message.as_deref().unwrap_or_default();
        match (outcome.object, outcome.phase) {
            (Shown::Pod, Phase::Pending) => {
                "Ready=False DependenciesNotReady  Pod exists with phase: Pending".to_owned()
            }
            (Shown::Pod, Phase::Failed) => "Ready=False PodFailed  Pod failed".to_owned(),
            (_, Phase::Running) => "Ready=True DependenciesReady  Pod is Ready".to_owned(),
            (Shown::Sandbox, _) => {
                let reason = outcome.reason.as_deref().unwrap_or("ReconcilerError");
                let seen = if reason == "ReconcilerError" && !message.starts_with("Error seen: ") {
                    "Error seen: "
                } else {
                    ""
                };
                format!("Ready=False {reason}  {seen}{message}")
            }
            _ => message.to_owned(),
        }
    }
}

/// The event that an outcome is shown on: `event FailedScheduling` somewhere in its text.
fn event(shown_on: &str) -> Option<&str> {
    let (_, rest) = shown_on.split_once("event ")?;
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    Some(&rest[..end])
}

fn listing(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
