//! CreatePod: agreement with what real virtual-kubelets answered (`testdata/conformance/provider/`, read its README
//! first), and what the record does not hold.

use proptest::prelude::*;
use sandbox_lint::cluster::Webhook;
use sandbox_lint::config::Config;
use sandbox_lint::finding::{Outcome, Phase, Severity, Shown, Stage};
use sandbox_lint::rule::RULES;
use sandbox_lint::{Finding, Linter, Prediction, Report, Source, World};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Record {
    case: String,
    backend: String,
    stage: String,
    phase: String,
    reason: Option<String>,
    message: Option<String>,
    events: Vec<(String, String, String)>,
    depends_on_state: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance/provider")
}

fn records() -> Vec<Record> {
    let text = std::fs::read_to_string(folder().join("expected.jsonl")).expect("the record");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn check(text: &str, world: &World) -> Report {
    let source = Source::explicit("case.yaml", text.as_bytes().to_vec());
    Linter::new(world.clone()).check(vec![source])
}

/// The prediction of the only Sandbox or SandboxTemplate of a file.
fn predict(text: &str, world: &World) -> Prediction {
    let mut predictions = check(text, world).predictions;
    assert_eq!(predictions.len(), 1, "{text}");
    predictions.remove(0)
}

/// What differs between the record and the prediction; empty when they agree.
fn differences(record: &Record, outcome: &Outcome) -> Vec<String> {
    // Without a snapshot everything named exists, so what comes after the recorded stage is right, too.
    let recorded = Stage::ALL.into_iter().find(|stage| stage.name() == record.stage);
    if record.depends_on_state && recorded.is_some_and(|stage| outcome.stage > stage) {
        return Vec::new();
    }
    let mut differences = Vec::new();
    let mut compare = |what: &str, recorded: Option<&str>, predicted: Option<&str>| {
        if recorded != predicted {
            differences.push(format!("{what}: recorded {recorded:?}, predicted {predicted:?}"));
        }
    };
    compare("stage", Some(&record.stage), Some(outcome.stage.name()));
    let phase = serde_json::to_value(outcome.phase).expect("a name");
    compare("phase", Some(&record.phase), phase.as_str());
    if outcome.stage == Stage::Provider {
        compare("reason", record.reason.as_deref(), outcome.reason.as_deref());
        compare("message", record.message.as_deref(), outcome.message.as_deref());
        let shown = outcome.shown_on.as_deref().unwrap_or_default();
        for (_, reason, message) in &record.events {
            if !shown.contains(reason.as_str()) {
                compare("event", Some(reason), Some(shown));
            }
            let own = message.strip_prefix("create: ").unwrap_or(message);
            compare("event message", Some(own), outcome.message.as_deref());
        }
    }
    differences
}

#[test]
fn predictions_agree_with_the_record() {
    let records = records();
    let mut failures = Vec::new();
    for record in &records {
        let text = std::fs::read_to_string(folder().join("cases").join(&record.case)).expect("a case");
        let Some(outcome) = predict(&text, &World::assumed()).outcome else {
            failures.push((record, vec!["no outcome".to_owned()]));
            continue;
        };
        let differences = differences(record, &outcome);
        if !differences.is_empty() {
            failures.push((record, differences));
        }
    }
    println!("provider: {} of {} agree", records.len() - failures.len(), records.len());
    for (record, differences) in &failures {
        println!("{} ({}, {})\n    {}", record.case, record.backend, record.stage, differences.join("\n    "));
    }
    let decided = |record: &Record| matches!(record.stage.as_str(), "provider" | "running");
    let wrong: Vec<_> =
        failures.iter().filter(|(record, _)| decided(record)).map(|(record, _)| record.case.as_str()).collect();
    assert_eq!(wrong, [""; 0], "cases that the manifest decides");
    assert!(failures.len() <= FLOOR, "{} cases disagree", failures.len());
}

/// Cases that may disagree; this only ever goes down.
const FLOOR: usize = 7;

fn sandbox(kind: &str, annotations: &[(&str, &str)], selector: &str, more: &str) -> String {
    let group = if kind == "Sandbox" { "agents" } else { "extensions.agents" };
    let mut text = format!(
        "apiVersion: {group}.x-k8s.io/v1beta1\nkind: {kind}\nmetadata: {{name: web}}\nspec:\n  podTemplate:\n    metadata:\n      annotations:\n"
    );
    for (key, value) in annotations {
        let key = key.replace("sb/", "sandbox.cocoonstack.io/").replace("vm/", "vm.cocoonstack.io/");
        text += &format!("        {}: '{value}'\n", key.replace("cs/", "cocoonset.cocoonstack.io/"));
    }
    let tolerations = "      tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}]\n";
    text + &format!(
        "    spec:\n      nodeSelector: {{{selector}}}\n{tolerations}      containers: [{{name: agent, image: 'rt:1'}}]\n{more}"
    )
}

fn on_sandboxd(annotations: &[(&str, &str)], more: &str) -> String {
    sandbox("Sandbox", annotations, "sandbox.cocoonstack.io/runtime: sandboxd", more)
}

fn on_cocoon(annotations: &[(&str, &str)], more: &str) -> String {
    sandbox("Sandbox", annotations, "cocoonstack.io/pool: default", more)
}

fn provider_findings(text: &str, world: &World) -> Vec<Finding> {
    let groups = ["SB26", "SB4", "SB5"];
    let findings = check(text, world).findings;
    findings.into_iter().filter(|finding| groups.iter().any(|group| finding.rule.code.starts_with(group))).collect()
}

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule.code).collect()
}

#[test]
fn every_failure_is_told_and_the_providers_first_stops_the_pod() {
    let text =
        on_sandboxd(&[("sb/size", "huge"), ("sb/net", "lan"), ("sb/ttl-seconds", "1h"), ("sb/runtime", "kata")], "");
    let prediction = predict(&text, &World::assumed());
    let mut findings = provider_findings(&text, &World::assumed());
    findings.sort_by_key(|finding| finding.rule.code);
    assert_eq!(codes(&findings), ["SB401", "SB402", "SB404", "SB405", "SB406"]);
    let stop = prediction.outcome.expect("a stop");
    assert_eq!(
        stop.message.as_deref(),
        Some("pod default/web requests runtime \"kata\"; this node serves \"sandboxd\"")
    );
    for later in &findings[1..] {
        assert!(later.help.as_deref().is_some_and(|help| help.ends_with("; shows once refused-runtime is fixed")));
    }
    let net = findings[3].outcome.as_ref().and_then(|outcome| outcome.message.as_deref()).expect("words");
    assert!(
        net.contains("(template <template>): sandboxd: http 400: invalid pool key: unknown net shape \"lan\""),
        "{net}"
    );
}

#[test]
fn a_size_of_newer_releases_is_foreseen_to_fail_but_not_for_certain() {
    let text = on_sandboxd(&[("sb/template", "rt:1"), ("sb/size", "xlarge")], "");
    let outcome = predict(&text, &World::assumed()).outcome.expect("a stop");
    assert_eq!((outcome.stage, outcome.certain), (Stage::Provider, false));
    assert_eq!(provider_findings(&text, &World::assumed())[0].severity, Severity::Warning);
    let mut world = World::assumed();
    let backends = world.contract.backends.iter_mut().flat_map(|backend| &mut backend.annotations);
    backends.filter(|spec| spec.key.ends_with("/size")).for_each(|spec| spec.values.push("huge".into()));
    let huge = text.replace("xlarge", "huge");
    assert_eq!(predict(&huge, &world).outcome.map(|outcome| outcome.phase), Some(Phase::Running));
}

#[test]
fn placeholders_are_no_errors() {
    let keys = ["sb/runtime", "sb/template", "sb/net", "sb/size", "sb/ttl-seconds"];
    let findings = provider_findings(&on_sandboxd(&keys.map(|key| (key, "${X}")), ""), &World::assumed());
    assert_eq!(codes(&findings), [""; 0]);
    let keys = ["vm/name", "cs/managed", "cs/mode", "cs/image", "cs/os", "cs/storage", "vm/probe-port", "vm/backend"];
    let findings = provider_findings(&on_cocoon(&keys.map(|key| (key, "${X}")), ""), &World::assumed());
    assert_eq!(codes(&findings), [""; 0]);
    let named = [
        ("vm/name", "web-${X}"),
        ("cs/managed", "true"),
        ("cs/mode", "run"),
        ("cs/image", "${X}"),
        ("cs/storage", "${X}"),
    ];
    let findings = provider_findings(&on_cocoon(&named, ""), &World::assumed());
    assert_eq!(codes(&findings), [""; 0]);
}

#[test]
fn a_vm_name_is_no_matter_of_a_template() {
    let annotations = [("cs/managed", "true"), ("cs/mode", "run"), ("cs/image", "a"), ("cs/snapshot-policy", "never")];
    let text = sandbox("SandboxTemplate", &annotations, "cocoonstack.io/pool: default", "");
    let findings = provider_findings(&text, &World::assumed());
    assert_eq!(codes(&findings), ["SB501"]);
    assert_eq!(findings[0].severity, Severity::Warning);
}

#[test]
fn a_pod_that_goes_astray_is_told_what_its_provider_would_say() {
    let text = on_sandboxd(&[("sb/template", "rt:1"), ("sb/ttl-seconds", "1h")], "");
    let astray = text
        .replace("nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}", "nodeSelector: {}")
        .replace("key: virtual-kubelet.io/provider", "key: other");
    assert_eq!(predict(&astray, &World::assumed()).outcome.map(|outcome| outcome.phase), Some(Phase::Running));
    let findings = provider_findings(&astray, &World::assumed());
    assert_eq!(codes(&findings), ["SB404"]);
    assert!(findings[0].later);
}

/// Applies the fix of the finding with this code, and lints again.
fn apply_fix(text: &str, code: &str) -> String {
    let findings = provider_findings(text, &World::assumed());
    let finding = findings.iter().find(|finding| finding.rule.code == code).expect(text);
    let fix = finding.fix.as_ref().unwrap_or_else(|| panic!("{code} has no fix:\n{text}"));
    let mut fixed = text.to_owned();
    for edit in fix.edits.iter().rev() {
        fixed.replace_range(edit.span.range(), &edit.text);
    }
    let left = provider_findings(&fixed, &World::assumed());
    assert!(!codes(&left).contains(&code), "{code} is left:\n{fixed}");
    fixed
}

#[test]
fn fixes_take_their_finding_away() {
    for (key, value, code) in [
        ("sb/runtime", "sandboxD", "SB401"),
        ("sb/ttl-seconds", "1h", "SB404"),
        ("sb/net", "egress ", "SB405"),
        ("sb/size", "Large", "SB406"),
        ("sb/template", "", "SB402"),
        ("sb/template", " rt:1", "SB403"),
    ] {
        apply_fix(&on_sandboxd(&[(key, value)], ""), code);
    }
    let named = |extra: (&str, &str)| on_cocoon(&[("vm/name", "a"), ("cs/managed", "true"), extra], "");
    for (key, value, code) in [
        ("cs/managed", "yes", "SB502"),
        ("vm/clone-from-dir", "/a/../b", "SB505"),
        ("cs/mode", "rum", "SB510"),
        ("cs/os", "Linxu", "SB511"),
        ("vm/backend", "Firecracker", "SB512"),
        ("cs/force-pull", "True", "SB513"),
        ("cs/snapshot-policy", "Never", "SB516"),
        ("vm/conn-type", "SSH", "SB518"),
    ] {
        apply_fix(&named((key, value)), code);
    }
}

#[test]
fn an_annotation_is_added_wherever_the_template_stands() {
    let block = on_sandboxd(&[("sb/net", "none")], "");
    assert!(
        apply_fix(&block, "SB402")
            .contains("        sandbox.cocoonstack.io/template: \"rt:1\"\n        sandbox.cocoonstack.io/net")
    );
    let bare = block.replace("    metadata:\n      annotations:\n        sandbox.cocoonstack.io/net: 'none'\n", "");
    assert!(
        apply_fix(&bare, "SB402").contains(
            "    metadata:\n      annotations:\n        sandbox.cocoonstack.io/template: \"rt:1\"\n    spec:"
        )
    );
    let labels = block.replace("annotations:\n        sandbox.cocoonstack.io/net: 'none'", "labels:\n        a: b");
    assert!(
        apply_fix(&labels, "SB402")
            .contains("      annotations:\n        sandbox.cocoonstack.io/template: \"rt:1\"\n      labels:")
    );
    let json = r#"{"apiVersion": "agents.x-k8s.io/v1beta1", "kind": "Sandbox", "metadata": {"name": "web"}, "spec": {"podTemplate": {"spec":
        {"nodeSelector": {"sandbox.cocoonstack.io/runtime": "sandboxd"}, "tolerations": [{"key": "virtual-kubelet.io/provider", "operator": "Exists"}],
        "containers": [{"name": "agent", "image": "rt:1"}]}}}}"#;
    assert!(
        apply_fix(json, "SB402")
            .contains(r#"{"metadata": {"annotations": {"sandbox.cocoonstack.io/template": "rt:1"}}, "spec":"#)
    );
    let deployment =
        block.replace("agents.x-k8s.io/v1beta1", "apps/v1").replace("kind: Sandbox", "kind: Deployment").replace(
            "podTemplate:\n    metadata:\n",
            "selector: {matchLabels: {a: b}}\n  template:\n    metadata:\n      labels: {a: b}\n",
        );
    assert!(
        apply_fix(&deployment, "SB402")
            .contains("      annotations:\n        sandbox.cocoonstack.io/template: \"rt:1\"\n")
    );
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", block.replace('\n', "\n  "));
    assert!(apply_fix(&list, "SB402").contains("          sandbox.cocoonstack.io/template: \"rt:1\"\n"));
    apply_fix(&on_cocoon(&[("cs/managed", "true")], ""), "SB501");
    apply_fix(&on_cocoon(&[("vm/name", "a")], ""), "SB502");
}

#[test]
fn a_value_that_stands_elsewhere_is_not_rewritten() {
    let text = on_sandboxd(&[("sb/template", "rt:1"), ("sb/net", "none")], "").replace("'none'", "&net Egress");
    let merged = text.replace("&net Egress", "\"Egres\\u0073\"");
    let findings = provider_findings(&merged, &World::assumed());
    assert_eq!((codes(&findings), findings[0].fix.is_none()), (vec!["SB405"], true));
}

#[test]
fn the_contracts_own_examples_are_clean() {
    let sandboxd = [("sb/runtime", "sandboxd"), ("sb/template", "rt:1"), ("sb/net", "none"), ("sb/size", "small")];
    assert_eq!(codes(&provider_findings(&on_sandboxd(&sandboxd, ""), &World::assumed())), [""; 0]);
    let cocoon = [
        ("vm/name", "sandbox-default-web"),
        ("cs/managed", "true"),
        ("cs/mode", "run"),
        ("cs/image", "ubuntu-dev-base"),
        ("cs/os", "linux"),
    ];
    assert_eq!(codes(&provider_findings(&on_cocoon(&cocoon, ""), &World::assumed())), [""; 0]);
}

#[test]
fn both_annotation_sets_hurt_on_neither_node() {
    let both =
        [("sb/template", "rt:1"), ("vm/name", "a"), ("cs/managed", "true"), ("cs/mode", "run"), ("cs/image", "a")];
    assert_eq!(codes(&provider_findings(&on_sandboxd(&both, ""), &World::assumed())), [""; 0]);
    assert_eq!(codes(&provider_findings(&on_cocoon(&both, ""), &World::assumed())), [""; 0]);
}

#[test]
fn a_clone_fails_in_the_words_of_its_source() {
    let words = |extra: &[(&str, &str)]| {
        let mut annotations = vec![("vm/name", "a/b"), ("cs/managed", "true")];
        annotations.extend_from_slice(extra);
        let outcome = predict(&on_cocoon(&annotations, ""), &World::assumed()).outcome;
        outcome.and_then(|outcome| outcome.message).expect("words")
    };
    assert!(words(&[("cs/image", "snap:v1")]).starts_with("clone vm a/b from snap:v1: cocoon vm clone: exit status 1"));
    assert!(words(&[("cs/image", "snap:latest")]).starts_with("clone vm a/b from snap: "));
    assert!(words(&[("vm/fork-from", "anchor"), ("cs/mode", "run")]).starts_with("clone vm a/b from fork-anchor: "));
    assert!(words(&[("vm/clone-from-dir", "/snaps/a")]).starts_with("clone vm a/b from dir /snaps/a: "));
    let mac = words(&[("cs/os", "macOS")]);
    assert_eq!(mac, "macos pod default/web missing cocoonset.cocoonstack.io/image annotation");
}

#[test]
fn an_address_that_is_none_leaves_the_pod_pending_without_a_word() {
    let text = on_cocoon(&[("vm/name", "a"), ("vm/id", "vm-1"), ("vm/ip", "host")], "");
    let outcome = predict(&text, &World::assumed()).outcome.expect("a stop");
    assert_eq!((outcome.phase, outcome.reason, outcome.message), (Phase::Pending, None, None));
}

#[test]
fn the_webhook_speaks_only_where_it_runs() {
    let text = on_sandboxd(&[("sb/template", "rt:1")], "");
    assert_eq!(codes(&provider_findings(&text, &World::assumed())), [""; 0]);
    let mut world = World::assumed();
    world.webhook = Some(Webhook::default());
    let prediction = predict(&text, &world);
    let stop = prediction.outcome.expect("a stop");
    assert_eq!((stop.stage, stop.object, stop.phase), (Stage::PodCreate, Shown::Sandbox, Phase::NoPod));
    assert_eq!(codes(&provider_findings(&text, &world)), ["SB260"]);
    let exempt = text.replace("{name: web}", "{name: web, namespace: cert-manager}");
    assert_eq!(codes(&provider_findings(&exempt, &world)), [""; 0]);
    let dodged = text.replace("key: virtual-kubelet.io/provider, ", "");
    assert_eq!(codes(&provider_findings(&dodged, &world)), [""; 0]);
    let creator = "system:serviceaccount:agent-sandbox-system:agent-sandbox-controller".to_owned();
    world.webhook = Some(Webhook { pod_creators: vec![creator], ..Webhook::default() });
    let listed = provider_findings(&text, &world);
    assert_eq!((codes(&listed), listed[0].severity), (vec!["SB260"], Severity::Warning));
}

#[test]
fn the_aggregated_api_needs_no_pod() {
    let mut world = World::assumed();
    world.aggregated_api = true;
    let text = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: web, annotations: {sandbox.cocoonstack.io/net: Egress}}\nspec:\n  podTemplate:\n    spec:\n      containers: [{name: agent, image: 'rt:1'}]\n";
    let report = check(text, &world);
    let prediction = &report.predictions[0];
    assert!(prediction.pod.is_none());
    let outcome = prediction.outcome.as_ref().expect("an outcome");
    assert_eq!((outcome.object, outcome.phase), (Shown::Sandbox, Phase::Running));
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.rule.code, finding.severity)).collect();
    assert_eq!(found, [("SB405", Severity::Warning)]);
}

fn configured(file: &str) -> World {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let mut world = World::assumed();
    Config::load(&file).expect("a valid configuration").describe(&mut world).expect("a contract that fits");
    world
}

/// The world that the flags after a fence of a page ask for.
fn flagged(flags: &str) -> World {
    match flags.split_whitespace().collect::<Vec<_>>()[..] {
        [] => World::assumed(),
        ["--profile", "cocoon-webhook"] => World { webhook: Some(Webhook::default()), ..World::assumed() },
        ["--profile", "aggregated-api"] => World { aggregated_api: true, ..World::assumed() },
        ["--config", file] => configured(file),
        _ => panic!("unknown flags {flags}"),
    }
}

#[test]
fn the_examples_of_every_page_do_what_they_say() {
    for rule in RULES.iter().filter(|rule| ["SB26", "SB4", "SB5"].iter().any(|group| rule.code.starts_with(group))) {
        for (part, raises) in [("\n## Fails\n", true), ("\n## Passes\n", false)] {
            let (_, after) = rule.page.split_once(part).expect(rule.code);
            let fences: Vec<_> = after.split("\n## ").next().unwrap_or_default().split("```yaml").skip(1).collect();
            assert!(!fences.is_empty(), "{}", rule.code);
            for fence in fences {
                let (flags, text) = fence.split_once('\n').expect("a fence");
                let text = text.split("```").next().unwrap_or_default();
                let report = check(text, &flagged(flags));
                let raised = report.findings.iter().any(|finding| finding.rule == *rule);
                assert_eq!(raised, raises, "{}\n{text}", rule.code);
                let refused = report.findings.iter().any(|finding| finding.severity == Severity::Error && !raises);
                assert!(!refused, "{}: an example that passes has an error\n{text}", rule.code);
            }
        }
    }
}

#[test]
fn a_configured_backend_is_judged_by_its_data() {
    let world = configured("testdata/config/firebox.yaml");
    let pod = |annotations: &[(&str, &str)]| {
        sandbox("Sandbox", annotations, "firebox.example/node: 'yes'", "")
            .replace("virtual-kubelet.io/provider", "firebox.example/only")
    };
    let wrong = pod(&[("firebox.example/lane", "fast"), ("firebox.example/vcpus", "99"), ("firebox.example/box", "b")]);
    let findings = provider_findings(&wrong, &world);
    let found: Vec<_> = findings.iter().map(|finding| (finding.rule.code, finding.severity)).collect();
    let (error, warning) = (Severity::Error, Severity::Warning);
    assert_eq!(found, [("SB590", error), ("SB591", error), ("SB591", warning), ("SB592", warning)]);
    let stop = predict(&wrong, &world).outcome.and_then(|outcome| outcome.message);
    assert_eq!(stop.as_deref(), Some("firebox: pod default/web has no firebox.example/kernel"));
    let right =
        pod(&[("firebox.example/kernel", "6.12"), ("firebox.example/lane", "slow"), ("firebox.example/vcpus", "4")]);
    assert_eq!(codes(&provider_findings(&right, &world)), [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_annotation_value_makes_it_panic(values in proptest::collection::vec("[ -~]{0,12}|[0-9]{0,30}[a-zA-Z.]{0,4}|\\PC{0,8}", 27)) {
        let contract = sandbox_lint::contract::Contract::builtin();
        let keys: Vec<_> = contract.backends.iter().flat_map(|backend| &backend.annotations).map(|spec| &spec.key).collect();
        let annotations: serde_json::Map<_, _> =
            keys.iter().zip(&values).map(|(key, value)| ((*key).clone(), serde_json::Value::from(value.as_str()))).collect();
        for selector in ["sandbox.cocoonstack.io/runtime: sandboxd", "cocoonstack.io/pool: default"] {
            let text = sandbox("Sandbox", &[], selector, "");
            let text = text.replace("annotations:", &format!("annotations: {}", serde_json::Value::from(annotations.clone())));
            let report = check(&text, &World::assumed());
            prop_assert!(report.findings.iter().all(|finding| finding.spot.span.start <= finding.spot.span.end));
        }
    }
}
