//! Runs every recorded case of `testdata/conformance/cases` and compares the prediction with what a real cluster
//! answered. `CONFORMANCE_GROUP=tol,sel` prints the disagreements of some groups only.

use sandbox_lint::finding::{Outcome, Phase, Stage};
use sandbox_lint::stage::admission::Accepted;
use sandbox_lint::{Linter, Report, Source, World};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

/// Cases whose stage may differ, with the reason. Each must really differ.
const STAGE_DIFFERS: &[(&str, &str)] = &[];

/// Cases whose message may differ, with the reason. Each must really differ.
const MESSAGE_DIFFERS: &[(&str, &str)] = &[];

/// Groups in which every case must agree on the stage.
const WHOLE_GROUPS: &[&str] = &["tol", "sel", "nodename", "restart", "annplace"];

/// Agreement that must never fall again, in per mille of the recorded documents.
const STAGE_FLOOR: usize = 1000;
const MESSAGE_FLOOR: usize = 998;

#[derive(Debug, Deserialize)]
struct Record {
    case: String,
    document: usize,
    accepted: String,
    stage: String,
    refusal: Option<String>,
    message: Option<String>,
    node: Option<String>,
    feasible_nodes: Option<Vec<String>>,
    server_side_apply: Option<String>,
}

fn records() -> Vec<Record> {
    let text = std::fs::read_to_string("testdata/conformance/expected.jsonl").expect("records are readable");
    text.lines().map(|line| serde_json::from_str(line).expect("a record is an object")).collect()
}

fn lint(case: &str) -> Report {
    let path = Path::new("testdata/conformance/cases").join(case);
    let bytes = std::fs::read(&path).expect("a case is readable");
    static LINTER: LazyLock<Linter> = LazyLock::new(|| Linter::new(World::assumed()));
    LINTER.check(vec![Source::explicit(case, bytes)])
}

/// What the linter says of one document, in the record's terms.
struct Answer {
    accepted: &'static str,
    outcome: Option<Outcome>,
    node: Option<String>,
    fits: Vec<String>,
    admission_messages: Vec<String>,
}

/// A record has one answer for each document: of several resources in one, that of the last.
fn answer(report: &Report, document: usize) -> Option<Answer> {
    let prediction = report.predictions.iter().rfind(|prediction| prediction.document == document)?;
    let admission_messages = report
        .findings
        .iter()
        .filter(|finding| finding.document == Some(document))
        .filter_map(|finding| finding.outcome.as_ref())
        .filter(|outcome| outcome.stage <= Stage::Admission)
        .filter_map(|outcome| outcome.message.clone())
        .collect();
    Some(Answer {
        accepted: match prediction.accepted {
            Accepted::Strict => "strict",
            Accepted::Lenient => "lenient",
            Accepted::Refused => "refused",
        },
        outcome: prediction.outcome.clone(),
        node: prediction.node.clone(),
        fits: prediction.nodes.iter().filter(|node| node.fits).map(|node| node.name.clone()).collect(),
        admission_messages,
    })
}

fn stage_agrees(record: &Record, answer: Option<&Answer>) -> bool {
    let Some(answer) = answer else { return record.stage == "stored" && record.accepted != "refused" };
    if answer.accepted != record.accepted {
        return false;
    }
    let Some(outcome) = &answer.outcome else { return record.stage == "stored" };
    match record.stage.as_str() {
        "stored" => outcome.stage >= Stage::Reconcile,
        "admission" => outcome.stage <= Stage::Admission,
        "running" => outcome.stage >= Stage::Kubelet && node_agrees(record, answer),
        stage => outcome.stage.name() == stage,
    }
}

/// The record names one node; a prediction may name any that was feasible, or list them all.
fn node_agrees(record: &Record, answer: &Answer) -> bool {
    let Some(feasible) = &record.feasible_nodes else { return true };
    match (&answer.node, &record.node) {
        (Some(node), _) => feasible.is_empty() || feasible.contains(node),
        (None, Some(_)) => feasible.iter().collect::<BTreeSet<_>>() == answer.fits.iter().collect(),
        (None, None) => true,
    }
}

fn message_agrees(record: &Record, answer: Option<&Answer>) -> bool {
    let Some(answer) = answer else { return record.stage == "stored" };
    let ours = answer.outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    let decided = match record.stage.as_str() {
        "stored" | "running" => true,
        "admission" => causes(record.refusal.as_deref(), &record.case) == causes(ours, &record.case),
        // The recorder had no words of the server for a Sandbox that makes no Pod.
        "reconcile" if matches!(record.message.as_deref(), Some("suspended" | "expired")) => true,
        _ => causes(record.message.as_deref(), &record.case) == causes(ours, &record.case),
    };
    decided && strict_refusal_agrees(record, answer)
}

/// Where only lenient validation takes it, the strict refusal must be reported by a finding.
fn strict_refusal_agrees(record: &Record, answer: &Answer) -> bool {
    if record.accepted != "lenient" {
        return true;
    }
    let wanted = causes(record.refusal.as_deref(), &record.case);
    let all: BTreeSet<String> =
        answer.admission_messages.iter().flat_map(|message| causes(Some(message), &record.case)).collect();
    wanted == all
}

/// The causes named by a message, as the README beside the cases counts them.
fn causes(message: Option<&str>, case: &str) -> BTreeSet<String> {
    let Some(message) = message else { return BTreeSet::new() };
    let message = message.replace(case, "FILE").replace("Error seen: ", "");
    message
        .lines()
        .filter(|line| !line.starts_with("* <nil>:"))
        .flat_map(|line| line.trim_start_matches("* ").split(", "))
        .flat_map(|part| match part.find("is invalid: ") {
            Some(at) => vec![&part[..at], &part[at + "is invalid: ".len()..]],
            None => vec![part],
        })
        .map(|part| without_line_numbers(part.trim().trim_start_matches('[').trim_end_matches(']')))
        .filter(|part| !part.is_empty())
        .collect()
}

fn without_line_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("line ") {
        let (head, tail) = rest.split_at(at + "line ".len());
        out.push_str(head);
        rest = tail.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    out.push_str(rest);
    out
}

fn group(case: &str) -> &str {
    case.split_once('-').map_or(case, |(group, _)| group)
}

#[derive(Default)]
struct Tally {
    cases: usize,
    stages: usize,
    messages: usize,
}

#[test]
fn recorded_cases_agree() {
    let shown: Option<Vec<String>> =
        std::env::var("CONFORMANCE_GROUP").ok().map(|list| list.split(',').map(str::to_owned).collect());
    let mut groups: BTreeMap<String, Tally> = BTreeMap::new();
    let mut stage_differs = BTreeSet::new();
    let mut message_differs = BTreeSet::new();
    let mut reports: BTreeMap<String, Report> = BTreeMap::new();
    let records = records();
    for record in &records {
        let report = reports.entry(record.case.clone()).or_insert_with(|| lint(&record.case));
        let answer = answer(report, record.document);
        let stage = stage_agrees(record, answer.as_ref());
        let message = stage && message_agrees(record, answer.as_ref());
        let tally = groups.entry(group(&record.case).to_owned()).or_default();
        tally.cases += 1;
        tally.stages += usize::from(stage);
        tally.messages += usize::from(message);
        if !stage {
            stage_differs.insert(record.case.as_str());
        } else if !message {
            message_differs.insert(record.case.as_str());
        }
        let wanted = shown.as_ref().is_some_and(|groups| groups.iter().any(|name| name == group(&record.case)));
        if wanted && !(stage && message) {
            print_disagreement(record, answer.as_ref());
        }
    }
    let total = |count: fn(&Tally) -> usize| groups.values().map(count).sum::<usize>();
    let (cases, stages, messages) = (total(|t| t.cases), total(|t| t.stages), total(|t| t.messages));
    for (name, tally) in &groups {
        println!("{name:>10}: {:>3} documents, stage {:>3}, message {:>3}", tally.cases, tally.stages, tally.messages);
    }
    println!("conformance: {stages} of {cases} stages agree, {messages} of {cases} messages agree");
    assert_listed("stage", &stage_differs, STAGE_DIFFERS, stages * 1000 / cases, STAGE_FLOOR);
    assert_listed("message", &message_differs, MESSAGE_DIFFERS, messages * 1000 / cases, MESSAGE_FLOOR);
    let broken: Vec<_> = stage_differs.iter().filter(|case| WHOLE_GROUPS.contains(&group(case))).collect();
    assert!(broken.is_empty(), "groups that must agree whole: {broken:?}");
}

fn print_disagreement(record: &Record, answer: Option<&Answer>) {
    println!("--- {} document {}", record.case, record.document);
    println!("  recorded {} {} {:?}", record.accepted, record.stage, record.feasible_nodes);
    println!("    {:?}", record.refusal.as_ref().or(record.message.as_ref()));
    match answer {
        None => println!("  no prediction"),
        Some(answer) => {
            let outcome = answer.outcome.as_ref();
            println!(
                "  predicted {} {:?} {:?} {:?}",
                answer.accepted,
                outcome.map(|o| o.stage),
                answer.node,
                answer.fits
            );
            println!("    {:?}", outcome.and_then(|o| o.message.as_ref()));
            if record.accepted == "lenient" {
                println!("    {:?}", answer.admission_messages);
            }
        }
    }
}

/// Every difference is listed with a reason, and nothing is listed that agrees.
fn assert_listed(what: &str, differs: &BTreeSet<&str>, listed: &[(&str, &str)], agreement: usize, floor: usize) {
    assert!(agreement >= floor, "{what}: agreement fell to {agreement} per mille, the floor is {floor}");
    let listed: BTreeSet<&str> = listed.iter().map(|(case, _)| *case).collect();
    let stale: Vec<_> = listed.difference(differs).collect();
    assert!(stale.is_empty(), "{what}: listed as different but agrees: {stale:?}");
    let unlisted: Vec<_> = differs.difference(&listed).collect();
    assert!(unlisted.is_empty(), "{what}: differs without a reason: {unlisted:?}");
}

#[test]
fn nothing_runs_that_the_scheduler_left_pending() {
    for record in records().iter().filter(|record| record.stage == "scheduling") {
        let report = lint(&record.case);
        let runs = answer(&report, record.document)
            .and_then(|answer| answer.outcome)
            .is_some_and(|outcome| outcome.phase == Phase::Running);
        assert!(!runs, "{} is predicted to run", record.case);
    }
}

#[test]
fn what_server_side_apply_refuses_is_told_in_its_words() {
    let cases: Vec<_> = records()
        .into_iter()
        .filter(|record| record.accepted != "refused")
        .filter(|record| record.server_side_apply.as_ref().is_some_and(|text| text.contains("\"null\"")))
        .collect();
    for record in &cases {
        let report = lint(&record.case);
        let reported: BTreeSet<String> = report
            .findings
            .iter()
            .filter(|finding| finding.document == Some(record.document) && finding.rule.name == "dropped-null")
            .filter_map(|finding| finding.help.as_ref()?.split_once("refuses it: ").map(|(_, words)| words.to_owned()))
            .flat_map(|words| causes(Some(&words), &record.case))
            .collect();
        // What the lost value breaks is one finding with it.
        let broken = reported.is_empty() && report.summary.errors > 0;
        let recorded = causes(record.server_side_apply.as_deref(), &record.case);
        assert!(broken || reported == recorded, "{}: {reported:?} is not {recorded:?}", record.case);
    }
    println!("server-side apply: {} refusals reported in its words", cases.len());
    assert!(!cases.is_empty());
}
