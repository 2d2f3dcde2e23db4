//! The admission policies made from the contract: every recorded case is judged by the policies and by the linter, and
//! the two must agree, but for the differences that are listed here with their reasons.

mod support;

use k8s_openapi::api::admissionregistration::v1 as api;
use sandbox_lint::admission_policy::{self, Options};
use sandbox_lint::contract::{Contract, has_placeholder};
use sandbox_lint::finding::Severity;
use sandbox_lint::linter::Settings;
use sandbox_lint::policy::Policies;
use sandbox_lint::stage::admission::Accepted;
use sandbox_lint::{Finding, Linter, Report, Source, World};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

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

fn linter(world: &World, options: &Options) -> Linter {
    let policies = policies(&generated(&world.contract, options));
    Linter::with_settings(vec![Settings { world: world.clone(), policies }], HashMap::new(), 0)
}

fn source(path: &Path) -> Source {
    Source::explicit(path.to_string_lossy(), std::fs::read(path).expect("a readable case"))
}

/// A finding of the linter that says why the Pod fails in other words: one cause is one finding, and the policies see no
/// cause, only what is missing in the end.
const OTHER_WORDS: [(&str, &[&str], &str); 5] = [
    ("SB302", &["SB103", "SB210", "SB214"], "a toleration that the API server refuses or drops tolerates nothing"),
    ("SB305", &["SB103", "SB710"], "a selector under a misspelt field is dropped"),
    (
        "SB402",
        &["SB103", "SB710", "SB711", "SB713", "SB714", "SB307"],
        "the annotation has another key, stands elsewhere, or is for the other of two backends",
    ),
    (
        "SB501",
        &["SB103", "SB710", "SB711", "SB713", "SB714", "SB604", "SB307"],
        "the annotation has another key, stands elsewhere, or is for the other of two backends",
    ),
    (
        "SB502",
        &["SB103", "SB710", "SB711", "SB713", "SB714", "SB307"],
        "the annotation has another key, stands elsewhere, or is for the other of two backends",
    ),
];

/// Rules that the policies cover in part, with what they leave to the linter.
const IN_PART: [(&str, &str); 7] = [
    ("SB302", "a selector that is misspelt, or an affinity, shows the linter which backend is meant"),
    ("SB304", "keys and values that only resemble a selector's, and affinities"),
    ("SB305", "a nodeSelector with other labels, a preference, annotations of several backends"),
    ("SB307", "affinities, and backends without a conflicting nodeSelector key"),
    ("SB507", "sizes that only the cocoon command reads (20gigs)"),
    ("SB404", "numbers beyond 64 bits with 19 digits"),
    ("SB501", "a template gets the VM's name from its claims"),
];

/// What was said of one object: codes of the policies for Pods and for the object, and of the linter.
#[derive(Default)]
struct Said {
    pods: BTreeSet<String>,
    object: BTreeSet<String>,
    linter: BTreeSet<String>,
    /// What the linter says at any severity.
    all: BTreeSet<String>,
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

fn said(report: &Report) -> BTreeMap<(usize, usize, String), Said> {
    let mut all: BTreeMap<(usize, usize, String), Said> = BTreeMap::new();
    let key =
        |file: usize, document: usize, id: &sandbox_lint::finding::ResourceId| (file, document, format!("{id:?}"));
    for prediction in report.predictions.iter().filter(|prediction| prediction.accepted != Accepted::Refused) {
        all.entry(key(prediction.file, prediction.document, &prediction.resource)).or_default();
    }
    for finding in &report.findings {
        let (Some(document), Some(id)) = (finding.document, &finding.resource) else { continue };
        let Some(said) = all.get_mut(&key(finding.file, document, id)) else { continue };
        let certain = finding.severity == Severity::Error;
        match &finding.policy {
            Some(name) if certain && name.contains("-pods") => {
                said.pods.insert(code_of(finding));
            }
            Some(_) if certain => {
                said.object.insert(code_of(finding));
            }
            Some(_) => {}
            None => {
                said.all.insert(code(finding.rule.code));
                if certain && !finding.later {
                    said.linter.insert(code(finding.rule.code));
                }
            }
        }
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
    let linter = linter(&world, &options());
    let files = cases();
    let covered = covered(&world.contract, &options());
    let (mut denied, mut in_part, mut wrong, mut silent) = (0, 0, Vec::new(), Vec::new());
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file).expect("a readable case")).into_owned();
        let report = linter.check(vec![source(file)]);
        let shown = file.strip_prefix(support::testdata("")).expect("test data").to_string_lossy().into_owned();
        for ((_, document, id), said) in said(&report) {
            let by_policies: BTreeSet<&String> = said.pods.union(&said.object).collect();
            denied += usize::from(!by_policies.is_empty());
            for code in by_policies.iter().filter(|code| !said.all.contains(**code)) {
                let words =
                    OTHER_WORDS.iter().find(|(known, ..)| known == code).map_or(&[][..], |(_, others, _)| others);
                let of_template = **code == "SB501" && id.contains("SandboxTemplate");
                // What the linter waits for is a text like any other in a cluster.
                let open = has_placeholder(&text);
                if !of_template && !open && !words.iter().any(|other| said.all.contains(*other)) {
                    wrong.push(format!("{shown} {document} {code}: {:#?}", said.words));
                }
            }
            // Only a nodeSelector brings an object to a backend's policy, and a placeholder is a value like any other.
            let elsewhere = ["affinity", "nodeName", "nodeAffinity"].iter().any(|word| text.contains(word));
            for code in said.linter.intersection(&covered).filter(|code| !by_policies.contains(code)) {
                in_part += 1;
                if !elsewhere && !IN_PART.iter().any(|(known, _)| known == code) {
                    silent.push(format!("{shown} {document} {code}: {:?}", said.words));
                }
            }
        }
    }
    println!("{} files, {denied} objects denied, {in_part} errors that the policies leave to the linter", files.len());
    println!(
        "{} refused though fine\n{}\n{} let through\n{}",
        wrong.len(),
        wrong.join("\n"),
        silent.len(),
        silent.join("\n")
    );
    assert!(denied > 100, "{denied}");
    assert_eq!((wrong.len(), silent.len()), (0, 0));
}

#[test]
fn nothing_is_refused_that_the_contract_page_shows() {
    let world = World { now: 1_788_220_800, ..World::assumed() };
    let linter = linter(&world, &options());
    for name in ["sandboxd.yaml", "vk-cocoon.yaml"] {
        let report = linter.check(vec![source(&support::testdata("examples").join(name))]);
        let refused: Vec<&str> =
            report.findings.iter().filter(|one| one.policy.is_some()).map(|one| one.message.as_str()).collect();
        assert_eq!(refused, [""; 0], "{name}");
    }
}

#[test]
fn the_objects_are_those_of_the_api() {
    let contract = Contract::builtin();
    let options = Options { mutating: true, ..options() };
    let objects = admission_policy::generate(&contract, &options).expect("policies");
    let mut names = BTreeSet::new();
    for object in &objects {
        let kind = object["kind"].as_str().expect("a kind");
        assert!(names.insert((kind, object["metadata"]["name"].as_str())), "{object}");
        let read = match kind {
            "ValidatingAdmissionPolicy" => again::<api::ValidatingAdmissionPolicy>(object),
            "ValidatingAdmissionPolicyBinding" => again::<api::ValidatingAdmissionPolicyBinding>(object),
            "MutatingAdmissionPolicy" => again::<api::MutatingAdmissionPolicy>(object),
            "MutatingAdmissionPolicyBinding" => again::<api::MutatingAdmissionPolicyBinding>(object),
            other => panic!("{other}"),
        };
        assert_eq!(read, *object, "a field is unknown to the API");
        for validation in object["spec"]["validations"].as_array().into_iter().flatten() {
            assert!(validation["message"].as_str().is_some_and(|text| !text.contains('\n')), "{validation}");
        }
    }
    assert!(names.len() > 10);
}

/// An object as the API's type reads and writes it.
fn again<T: serde::Serialize + serde::de::DeserializeOwned>(object: &serde_json::Value) -> serde_json::Value {
    let read: T = serde_json::from_value(object.clone()).expect("an object of its type");
    serde_json::to_value(read).expect("plain data")
}

#[test]
fn releases_decide_versions_and_what_exists() {
    let contract = Contract::builtin();
    let version = |kube_minor| {
        let objects = admission_policy::generate(&contract, &Options { kube_minor, mutating: true, ..options() });
        let objects = objects.map_err(|error| error.to_string())?;
        let found = objects.iter().find(|object| object["kind"] == "MutatingAdmissionPolicy");
        Ok::<_, String>(found.expect("a policy")["apiVersion"].as_str().expect("text").to_owned())
    };
    assert_eq!(version(36).as_deref(), Ok("admissionregistration.k8s.io/v1"));
    assert_eq!(version(34).as_deref(), Ok("admissionregistration.k8s.io/v1beta1"));
    assert_eq!(version(32).as_deref(), Ok("admissionregistration.k8s.io/v1alpha1"));
    assert!(version(31).is_err_and(|error| error.contains("1.32")));
    assert!(version(29).is_err_and(|error| error.contains("1.30")));
    let newer = Options { agent_sandbox: Some("1.0".parse().expect("a release")), ..options() };
    assert!(!generated(&contract, &newer).contains("v1alpha1"));
}

#[test]
fn the_default_output_is_kept() {
    let path = support::testdata("admission/default.yaml");
    let text = generated(&Contract::builtin(), &options());
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(known == text, "{} is out of date; run the tests with UPDATE_GENERATED=1", path.display());
}

/// A Sandbox with as many tolerations and as much annotation as anybody has: no expression runs out of the steps that one
/// evaluation may take here.
#[test]
fn a_large_object_is_judged_within_the_limits() {
    let mut text = String::from(
        "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: web}\nspec:\n  podTemplate:\n    metadata:\n      annotations:\n        sandbox.cocoonstack.io/template: rt\n",
    );
    (0..500).for_each(|at| text += &format!("        example.com/a{at}: '{}'\n", "x".repeat(400)));
    text += "    spec:\n      nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}\n      containers: [{name: a, image: rt}]\n      tolerations:\n";
    (0..500).for_each(|at| text += &format!("        - {{key: example.com/t{at}, operator: Exists}}\n"));
    let world = World { now: 1_788_220_800, ..World::assumed() };
    let report = linter(&world, &options()).check(vec![Source::explicit("web.yaml", text.into_bytes())]);
    let said: Vec<&str> =
        report.findings.iter().filter(|one| one.policy.is_some()).map(|one| one.message.as_str()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().all(|words| words.contains("[SB302]")), "{said:?}");
}
