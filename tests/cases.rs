//! Mistakes that people made, with what is wanted of a linter; and manifests as people write them, which are right.

mod support;

use sandbox_lint::Report;
use sandbox_lint::finding::{Finding, Severity};
use serde::Deserialize;

/// One case of `testdata/cases/public.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    case: String,
    file: String,
    #[serde(default)]
    flags: String,
    findings: Vec<Wanted>,
}

/// One finding that is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    severity: String,
    /// How the field path begins.
    #[serde(default)]
    path: String,
    /// Part of the message, the help or the outcome's words.
    #[serde(default)]
    mentions: String,
}

#[test]
fn every_case_is_told_as_wanted() {
    let folder = support::testdata("cases");
    let text = std::fs::read_to_string(folder.join("public.yaml")).expect("the table");
    let cases: Vec<Case> = serde_yaml::from_str(&text).expect("a table of cases");
    let mut wrong = Vec::new();
    for case in &cases {
        let report = support::lint(&folder, &[folder.join(&case.file)], &case.flags);
        let misses = misses(case, &report.findings);
        if !misses.is_empty() {
            wrong.push(format!("{} {}: {}\n{}", case.case, case.file, misses.join("; "), support::all_told(&report)));
        }
    }
    println!("{} cases, {} as wanted", cases.len(), cases.len() - wrong.len());
    assert!(
        wrong.is_empty(),
        "{} cases differ:
{}",
        wrong.len(),
        wrong.join(
            "
"
        )
    );
}

/// Every wanted finding is there, each by a finding of its own, and no error or warning is left over.
fn misses(case: &Case, findings: &[Finding]) -> Vec<String> {
    let mut left: Vec<&Finding> = findings.iter().collect();
    let mut misses = Vec::new();
    for wanted in &case.findings {
        match left.iter().position(|finding| fits(wanted, finding)) {
            Some(at) => {
                left.remove(at);
            }
            None => misses.push(format!("no finding like {wanted:?}")),
        }
    }
    let over = left.iter().filter(|finding| finding.severity > Severity::Note);
    misses.extend(over.map(|finding| format!("one too many: {} {}", finding.rule.code, finding.message)));
    misses
}

fn fits(wanted: &Wanted, finding: &Finding) -> bool {
    let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    let said = [Some(finding.message.as_str()), finding.help.as_deref(), words];
    let severity = format!("{:?}", finding.severity).to_lowercase();
    severity == wanted.severity
        && finding.spot.path.starts_with(&wanted.path)
        && said.into_iter().flatten().any(|text| text.contains(&wanted.mentions))
}

/// Files of `testdata/real` that have an error or a warning, and which.
const EXPECTED: [(&str, &str); 2] = [("flow.yaml", "SB016"), ("claims-only.yaml", "SB112")];

#[test]
fn manifests_as_people_write_them_are_right() {
    let folder = support::testdata("real");
    let files = support::files_below(&folder);
    assert!(files.len() >= 25, "only {} files", files.len());
    let mut wrong = String::new();
    for file in &files {
        let name = file.strip_prefix(&folder).expect("below the folder").to_str().expect("a plain name");
        let flags = if name == "aggregated.yaml" { "--profile aggregated-api" } else { "" };
        let report = support::lint(&folder, std::slice::from_ref(file), flags);
        let heavy = report.findings.iter().filter(|finding| finding.severity > Severity::Note);
        let found: Vec<&str> = heavy.map(|finding| finding.rule.code).collect();
        let expected: Vec<&str> = EXPECTED.iter().filter(|(file, _)| *file == name).map(|(_, code)| *code).collect();
        if found != expected {
            wrong.push_str(&format!("{name}: expected {expected:?}\n{}", support::all_told(&report)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_folder_of_manifests_is_right_as_a_whole() {
    let folder = support::testdata("real");
    let report = support::lint(&folder, &support::files_below(&folder), "");
    let across = report.findings.iter().filter(|finding| finding.rule.code.starts_with("SB6"));
    let heavy: Vec<String> =
        across.filter(|finding| finding.severity > Severity::Note).map(support::summary_line).collect();
    assert!(heavy.is_empty(), "{heavy:#?}");
}

/// A template that lets claims set variables, a pool of it and the beginning of a claim on it.
const CLAIM: &str = r#"
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata: {name: web}
spec:
  envVarsInjectionPolicy: Allowed
  volumeClaimTemplatesPolicy: Allowed
  podTemplate:
    spec:
      runtimeClassName: gvisor
      containers: [{name: agent, image: python:3.12-slim, env: [{name: FIRST, value: "1"}]}]
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata: {name: warm}
spec: {replicas: 1, sandboxTemplateRef: {name: web}}
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata: {name: mine}
spec:
  warmPoolRef: {name: warm}
"#;

/// What comes of the claim at the end of a text.
fn claim_outcome(text: &str) -> (Report, String) {
    let report = support::lint_text(text, "");
    let outcome = report.predictions.last().and_then(|prediction| prediction.outcome.clone()).expect("an outcome");
    (report, outcome.message.unwrap_or_default())
}

#[test]
fn a_claims_pod_has_the_claims_variables_and_volumes() {
    let (report, said) = claim_outcome(&format!("{CLAIM}  env: [{{name: A=B, value: x}}]\n"));
    assert!(
        said.starts_with("Pod \"mine\" is invalid: spec.containers[0].env[1].name: Invalid value: \"A=B\""),
        "{said}"
    );
    assert!(report.findings.iter().any(|finding| finding.rule.code == "SB608"), "{}", support::all_told(&report));
    let (report, said) = claim_outcome(&format!("{CLAIM}  env: [{{name: A_B, value: x}}]\n"));
    assert_eq!(said, "", "{}", support::all_told(&report));
    let volume = "{metadata: {name: data}, spec: {accessModes: []}}";
    let (_, said) = claim_outcome(&format!("{CLAIM}  volumeClaimTemplates: [{volume}]\n"));
    assert_eq!(said, "0/3 nodes are available: persistentvolumeclaim \"data-mine\" not found. not found");
}

#[test]
fn a_refused_object_of_the_same_name_hides_no_pool() {
    let refused = "---\napiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {name: NAME}\nspec: {replicas: -1, sandboxTemplateRef: {name: web}}\n";
    for name in ["warm", "other"] {
        let text = format!(
            "{}{}",
            CLAIM.replace("warmPoolRef: {name: warm}", &format!("warmPoolRef: {{name: {name}}}")),
            refused.replace("NAME", name)
        );
        let report = support::lint_text(&text, "");
        let codes: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
        assert!(codes.contains(&"SB108") && !codes.contains(&"SB602"), "{name}: {}", support::all_told(&report));
    }
}

#[test]
fn a_list_without_items_is_nothing_to_create() {
    let list = "apiVersion: v1\nkind: List\nitems: []\n";
    for (text, said) in
        [(list.to_owned(), Some("error: no objects passed to create")), (format!("{list}---{CLAIM}"), None)]
    {
        let report = support::lint_text(&text, "");
        let first = report.predictions[0].outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
        assert_eq!(first, said, "{text}");
    }
}

#[test]
fn refused_claims_of_templates_are_told_in_the_servers_words() {
    let sandbox = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: web}\nspec:\n  podTemplate: {spec: {runtimeClassName: gvisor, containers: [{name: agent, image: a, volumeMounts: [{name: data, mountPath: /data}]}]}}\n";
    let pending = "0/3 nodes are available: persistentvolumeclaim \"data-web\" not found. not found";
    let table = [
        (
            "{metadata: {name: data}, spec: {}}",
            pending,
            "[spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]",
        ),
        (
            "{metadata: {name: data, annotations: {a b: c}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}",
            pending,
            "metadata.annotations: Invalid value: \"a b\": name part must consist of",
        ),
        (
            "{metadata: {name: data}, spec: {accessModes: [RWO, ReadWriteOnce], storageClassName: Fast_SSD, volumeMode: block, resources: {requests: {storage: 0}}}}",
            pending,
            "[spec.accessModes: Unsupported value: \"RWO\": supported values: \"ReadOnlyMany\", \"ReadWriteMany\", \"ReadWriteOnce\", \"ReadWriteOncePod\", spec.resources[storage]: Invalid value: \"0\": must be greater than zero, spec.storageClassName: Invalid value: \"Fast_SSD\": a lowercase RFC 1123 subdomain",
        ),
        (
            "{spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}",
            "Pod \"web\" is invalid: [spec.volumes[0].name: Required value, spec.containers[0].volumeMounts[0].name: Not found: \"data\"]",
            "",
        ),
    ];
    for (template, said, reason) in table {
        let report = support::lint_text(&format!("{sandbox}  volumeClaimTemplates: [{template}]\n"), "");
        let outcome = report.predictions[0].outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
        assert_eq!(outcome, Some(said), "{template}");
        let refused: Vec<&Finding> = report.findings.iter().filter(|finding| finding.rule.code == "SB340").collect();
        assert_eq!(refused.len(), usize::from(!reason.is_empty()), "{}", support::all_told(&report));
        assert!(refused.iter().all(|finding| finding.message.contains(reason)), "{}", support::all_told(&report));
    }
}

#[test]
fn a_refused_service_is_told_in_the_servers_words() {
    let long = "a".repeat(64);
    for (name, detail) in
        [("my.sandbox", "must not contain dots"), (long.as_str(), "must be no more than 63 characters")]
    {
        let text = format!(
            "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: {name}}}\nspec:\n  service: true\n  podTemplate: {{spec: {{containers: [{{name: agent, image: a}}]}}}}\n"
        );
        let report = support::lint_text(&text, "");
        let finding = report.findings.iter().find(|finding| finding.rule.code == "SB707").expect("a finding");
        let said = finding.outcome.as_ref().and_then(|outcome| outcome.message.clone());
        let words =
            format!("Error seen: Service \"{name}\" is invalid: metadata.name: Invalid value: \"{name}\": {detail}");
        assert_eq!(said, Some(words));
    }
}
