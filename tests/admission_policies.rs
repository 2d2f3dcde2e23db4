//! The admission policies made from the contract: every recorded case is judged by the policies and by the linter, and
//! the two must agree, but for the differences that are listed here with their reasons.

mod support;

use sandbox_lint::admission_policy::{self, Options};
use sandbox_lint::contract::{Contract, has_placeholder};
use sandbox_lint::finding::Severity;
use sandbox_lint::linter::Settings;
use sandbox_lint::policy::Policies;
use sandbox_lint::stage::admission::Accepted;
use sandbox_lint::{Finding, Linter, Report, Source, World};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

fn options() -> Options {
    Options {
        prefix: "sandbox-lint".into(),
        backends: Vec::new(),
        select: Vec::new(),
        ignore: Vec::new(),
        actions: vec!["Deny"],
        namespace_labels: Vec::new(),
        failure_policy: "Fail",
        kube_minor: 36,
        agent_sandbox: None,
        webhook: None,
        aggregated_api: false,
        mutating: false,
    }
}

fn generated(contract: &Contract, options: &Options) -> String {
    admission_policy::yaml(&admission_policy::generate(contract, options).expect("policies"))
}

fn policies(text: &str) -> Policies {
    let policies = Policies::parse("policies.yaml", text).expect("policies that can be read");
    assert!(policies.notices.is_empty(), "{:?}", policies.notices);
    policies
}

fn judge(world: &World, options: &Options, files: &[PathBuf]) -> Report {
    let policies = policies(&generated(&world.contract, options));
    let settings = vec![Settings { world: world.clone(), policies }];
    let read = |path: &PathBuf| Source::explicit(path.to_string_lossy(), std::fs::read(path).expect("a readable case"));
    Linter::with_settings(settings, HashMap::new(), 0).check(files.iter().map(read).collect())
}

/// What was said of one object: codes of the policies for Pods and for the object, and of the linter.
#[derive(Default)]
struct Said {
    pods: BTreeSet<String>,
    object: BTreeSet<String>,
    linter: BTreeSet<String>,
    words: Vec<String>,
}

/// Toleration rules are one for the policies.
fn code(code: &str) -> String {
    if code == "SB303" { "SB302".into() } else { code.into() }
}

fn code_of(finding: &Finding) -> String {
    let (_, rest) = finding.message.split_once('[').unwrap_or_else(|| panic!("{}", finding.message));
    rest[..5].to_owned()
}

fn said(report: &Report, severity: Severity) -> BTreeMap<(usize, usize, String), Said> {
    let mut all: BTreeMap<(usize, usize, String), Said> = BTreeMap::new();
    let key = |file: usize, document: usize, id: &sandbox_lint::finding::ResourceId| (file, document, format!("{id:?}"));
    for prediction in report.predictions.iter().filter(|prediction| prediction.accepted != Accepted::Refused) {
        all.entry(key(prediction.file, prediction.document, &prediction.resource)).or_default();
    }
    for finding in report.findings.iter().filter(|finding| finding.severity == severity) {
        let (Some(document), Some(id)) = (finding.document, &finding.resource) else { continue };
        let Some(said) = all.get_mut(&key(finding.file, document, id)) else { continue };
        match &finding.policy {
            Some(name) if name.contains("-pods") => said.pods.insert(code_of(finding)),
            Some(_) => said.object.insert(code_of(finding)),
            None => said.linter.insert(code(finding.rule.code)),
        };
        said.words.push(format!("{} {}", finding.rule.code, finding.message));
    }
    all
}

fn cases() -> Vec<PathBuf> {
    let folders = ["conformance/cases", "conformance/provider", "cases", "examples", "real"];
    let all = folders.iter().flat_map(|folder| support::files_below(&support::testdata(folder)));
    all.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

fn covered(contract: &Contract, options: &Options) -> BTreeSet<String> {
    let text = generated(contract, options);
    text.split("[SB").skip(1).filter_map(|rest| rest.get(..3)).map(|digits| format!("SB{digits}")).collect()
}

#[test]
fn policies_and_linter_agree_on_every_case() {
    let world = World { now: 1_788_220_800, ..World::assumed() };
    let files = cases();
    let mut denied = 0;
    let mut wrong = Vec::new();
    let mut silent: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let covered = covered(&world.contract, &options());
    for file in &files {
        let report = judge(&world, &options(), std::slice::from_ref(file));
        let shown = file.strip_prefix(support::testdata("")).expect("test data").to_string_lossy().into_owned();
        for ((_, document, id), said) in said(&report, Severity::Error) {
            let by_policies: BTreeSet<String> = said.pods.union(&said.object).cloned().collect();
            denied += usize::from(!by_policies.is_empty());
            let more: Vec<&String> = by_policies.difference(&said.linter).collect();
            if !more.is_empty() {
                wrong.push(format!("{shown} {document} {id}: {more:?} {:#?}", said.words));
            }
            for code in said.linter.intersection(&covered).filter(|code| !by_policies.contains(*code)) {
                silent.entry(code.clone()).or_default().push(format!("{shown} {document}"));
            }
        }
    }
    println!("{} files, {denied} objects denied", files.len());
    for (code, cases) in &silent {
        println!("{code}: {} not denied: {:?}", cases.len(), &cases[..cases.len().min(8)]);
    }
    println!("{} false refusals\n{}", wrong.len(), wrong.join("\n"));
    let _ = has_placeholder("");
    assert!(wrong.is_empty());
}
