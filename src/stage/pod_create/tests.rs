//! The recorded answers of a real API server, and the forms of messages that no recorded case shows.

use super::message::{pod_is_invalid, texts};
use super::{Pod, plugin, validate};
use crate::cluster::World;
use crate::finding::{Applicability, Finding, ResourceId, Severity, Stage};
use crate::rule::{RULES, Rule};

use crate::resource::pod::{self, PodPlan};
use crate::resource::{Kind, Resource, Version};
use crate::yaml::{self, Entry, Mapping, Node, Style, Value};
use crate::{Linter, Source};
use std::collections::BTreeSet;
use std::path::Path;

fn documents(text: &str) -> Vec<Node<'_>> {
    let stream = yaml::parse(text, &yaml::Options::default());
    stream.documents.iter().filter_map(|document| document.root().cloned()).collect()
}

fn plan<'s>(root: &Node<'s>) -> Option<PodPlan<'s>> {
    pod::plan(&resource(root)?, root)
}

fn resource<'s>(root: &Node<'s>) -> Option<Resource<'s>> {
    let kind = match root.get("kind")?.as_str()? {
        "Sandbox" => Kind::Sandbox,
        "SandboxTemplate" => Kind::SandboxTemplate,
        _ => return None,
    };
    let text = |keys: &[&str]| root.at(keys).and_then(Node::as_str).map(str::to_owned);
    let id = ResourceId {
        api_version: text(&["apiVersion"]),
        kind: text(&["kind"]),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    };
    Some(Resource {
        kind,
        version: Version::V1beta1,
        id,
        root: root.clone(),
        prefix: String::new(),
        file_name: String::new(),
        text: "",
    })
}

/// What the API server says of the Pod, or nothing where it takes it.
fn answer(plan: &PodPlan<'_>) -> Option<String> {
    answer_in(plan, &World::assumed())
}

fn answer_in(plan: &PodPlan<'_>, world: &World) -> Option<String> {
    let pod = Pod::of(plan);
    if let Some(refusal) = plugin::before_validation(&pod, world).into_iter().next() {
        return Some(refusal.message);
    }
    let errors = validate(&pod, &world.contract, world.kube_minor);
    if !errors.causes.is_empty() {
        return Some(pod_is_invalid(pod.name, &errors.causes));
    }
    plugin::after_validation(&pod, world).into_iter().next().map(|refusal| refusal.message)
}

/// A planned Pod named `web` from the `metadata` and `spec` of a case.
fn plan_of_case<'s>(case: &Node<'s>) -> PodPlan<'s> {
    const BARE: &str = "containers: [{name: agent, image: a}]";
    let bare = documents(BARE).remove(0);
    let mut spec = case.get("spec").expect("a case has a spec").clone();
    let own = spec.get("containers").is_some();
    if let (false, Value::Map(fields)) = (own, &mut spec.value) {
        fields.entries.extend(bare.entries().cloned());
    }
    let entry = |key: &'static str, value: Node<'s>| Entry { key: key.into(), key_span: value.span, value };
    let map = |entries| Node::new(spec.span, Style::Block, Value::Map(Mapping { entries }));
    let metadata = case.get("metadata").cloned().into_iter().map(|value| entry("metadata", value));
    let template = map(metadata.chain([entry("spec", spec.clone())]).collect());
    let text = |text: &'static str| Node::new(spec.span, Style::Plain, Value::String(text.into()));
    let root = map(vec![
        entry("kind", text("Sandbox")),
        entry("metadata", map(vec![entry("name", text("web"))])),
        entry("spec", map(vec![entry("podTemplate", template)])),
    ]);
    plan(&root).expect("a Sandbox makes a Pod")
}

#[test]
fn all_forms_of_messages() {
    let text = include_str!("../../../testdata/cases/pod-create.yaml");
    let cases = documents(text);
    assert!(cases.len() > 30);
    for case in &cases {
        let name = case.get("case").and_then(Node::as_str).expect("a case has a name");
        let plan = plan_of_case(case);
        if let Some(message) = case.get("message").and_then(Node::as_str) {
            assert_eq!(answer(&plan).as_deref(), Some(message), "{name}");
            continue;
        }
        let world = World::assumed();
        let errors = validate(&Pod::of(&plan), &world.contract, world.kube_minor);
        let given = texts(&errors.causes);
        let wanted: Vec<&str> =
            case.get("says").expect("a case has an answer").items().filter_map(Node::as_str).collect();
        for (given, wanted) in given.iter().zip(&wanted) {
            assert_eq!(given, wanted, "{name}");
        }
        assert_eq!(given, wanted, "{name}");
    }
}

fn causes(message: &str) -> BTreeSet<&str> {
    let start = message.find(" is invalid: ").map_or(0, |at| at + " is invalid: ".len());
    let list = &message[start..];
    let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
    list.split(", spec.")
        .flat_map(|part| part.split(", metadata."))
        .map(|part| part.trim_start_matches("spec."))
        .collect()
}

#[test]
fn recorded_pods_are_refused_and_accepted_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance");
    let expected = std::fs::read_to_string(folder.join("expected.jsonl")).expect("the records are there");
    let mut differing = Vec::new();
    let (mut refused, mut taken) = (0, 0);
    for line in expected.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record is JSON");
        let (case, stage) = (record["case"].as_str().expect("a name"), record["stage"].as_str().expect("a stage"));
        if !["pod-create", "scheduling", "running"].contains(&stage) {
            continue;
        }
        let text = std::fs::read(folder.join("cases").join(case)).expect("the case is there");
        let text = String::from_utf8_lossy(&text);
        let documents = documents(&text);
        let index = record["document"].as_u64().expect("an index") as usize;
        let Some(plan) = documents.get(index).and_then(plan) else { continue };
        let given = answer(&plan);
        let wanted = record["message"].as_str().filter(|_| stage == "pod-create");
        if given.as_deref().map(causes) == wanted.map(causes) {
            refused += usize::from(wanted.is_some());
            taken += usize::from(wanted.is_none());
        } else {
            differing.push(format!("{case}\n  wanted {wanted:?}\n  given  {given:?}"));
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    assert!(refused >= 100 && taken >= 200, "{refused} refused and {taken} taken alike");
}

fn findings(spec: &str) -> Vec<Finding> {
    let text = format!(
        "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: web}}\nspec:\n  podTemplate:\n    spec:\n{spec}"
    );
    let report = Linter::new(World::assumed()).check(vec![Source::explicit("web.yaml", text.into_bytes())]);
    report.findings.into_iter().filter(|finding| finding.stage == Stage::PodCreate).collect()
}

const AGENT: &str = "      containers: [{name: agent, image: a}]\n";

#[test]
fn a_wrong_case_is_mended_safely() {
    let found = findings(&format!("      restartPolicy: always\n{AGENT}"));
    assert_eq!(found.len(), 1);
    let fix = found[0].fix.as_ref().expect("a fix");
    assert_eq!((fix.applicability, fix.edits[0].text.as_str()), (Applicability::Safe, "Always"));
    assert_eq!(found[0].spot.path, "spec.podTemplate.spec.restartPolicy");
}

#[test]
fn causes_at_one_place_are_one_finding_with_all_their_words() {
    let found = findings("      containers: [{name: agent, image: a, resources: {limits: {gpu: 1}}}]\n");
    assert_eq!(found.len(), 1);
    let outcome = found[0].outcome.as_ref().expect("an outcome");
    assert_eq!(outcome.message.as_deref().map(|message| message.matches("must be").count()), Some(4));
    assert_eq!(outcome.reason.as_deref(), Some("ReconcilerError"));
}

#[test]
fn a_mount_of_a_misspelt_volume_names_the_right_one() {
    let found = findings(
        "      volumes: [{name: workspace, emptyDir: {}}]\n      containers: [{name: agent, image: a, volumeMounts: [{name: worksapce, mountPath: /w}]}]\n",
    );
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].help.as_deref(), Some("write `workspace`"));
}

#[test]
fn a_placeholder_is_an_image() {
    assert!(
        findings("      containers: [{name: agent, image: '${IMAGE}'}, {name: other, image: <IMAGE>}]\n").is_empty()
    );
}

#[test]
fn what_another_tool_fills_in_is_not_judged() {
    let spec = "      restartPolicy: ${POLICY}\n      runtimeClassName: ${CLASS}\n      nodeSelector: {'${KEY} x': '${VALUE}'}\n      volumes: [{name: '${VOLUME}', emptyDir: {}}]\n      containers: [{name: '${NAME}', image: a, volumeMounts: [{name: data, mountPath: /d}]}]\n";
    assert!(findings(spec).is_empty());
}

#[test]
fn an_endless_quantity_is_never_answered() {
    let found =
        findings("      containers: [{name: agent, image: a, resources: {requests: {memory: '1e99999999999'}}}]\n");
    let message = found[0].outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    assert_eq!(message, Some("Timeout: request did not complete within requested timeout - context deadline exceeded"));
}

#[test]
fn a_name_that_no_class_can_have_is_said_once() {
    let found = findings(&format!("      runtimeClassName: Kata_X\n{AGENT}"));
    assert_eq!(found.iter().map(|finding| finding.rule.code).collect::<Vec<_>>(), ["SB224"]);
}

#[test]
fn older_releases_have_their_own_words() {
    let case = "spec: {tolerations: [{key: a, operator: Gt, value: '5'}], containers: [{name: a, image: a, env: [{name: 1a}], restartPolicy: Never}]}";
    let documents = documents(case);
    let plan = plan_of_case(&documents[0]);
    let contract = World::assumed().contract;
    let says = |minor| texts(&validate(&Pod::of(&plan), &contract, minor).causes).join("; ");
    assert!(says(36).ends_with("supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\""));
    assert!(says(34).ends_with("supported values: \"Equal\", \"Exists\""));
    assert!(says(34).contains("may not be set for non-init containers"));
    assert!(says(31).contains("must not start with a digit"));
}

#[test]
fn a_refused_claim_template_is_shown_where_it_stands() {
    let found = findings(
        "      containers: [{name: agent, image: a}]\n  volumeClaimTemplates: [{metadata: {name: a.b}, spec: {}}]\n",
    );
    assert_eq!(found[0].spot.path, "spec.volumeClaimTemplates[0].metadata.name");
}

#[test]
fn a_value_beside_exists_takes_its_line_along() {
    let found =
        findings(&format!("      tolerations:\n      - key: a\n        operator: Exists\n        value: b\n{AGENT}"));
    let fix = found[0].fix.as_ref().expect("a fix");
    assert_eq!((fix.applicability, fix.edits[0].text.as_str()), (Applicability::Unsafe, ""));
    assert_eq!(fix.edits[0].span.end - fix.edits[0].span.start, "        value: b\n".len() as u32);
}

const CLUSTER: &str = "
apiVersion: v1
kind: List
items:
- {apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata}, handler: kata-qemu, overhead: {podFixed: {cpu: 250m}}, scheduling: {nodeSelector: {runtime: kata}}}
- {apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: plain}, handler: runc}
- {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 100, globalDefault: true}
- {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: calm}, value: 200, preemptionPolicy: Never}
- {apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: default}}
";

#[test]
fn a_snapshot_knows_what_the_plugins_find() {
    let world = World::from_snapshot([CLUSTER]).expect("a readable snapshot");
    let says = |spec: &str| {
        let case = format!("spec: {{{spec}}}");
        let documents = documents(&case);
        answer_in(&plan_of_case(&documents[0]), &world)
    };
    let forbidden = |why: &str| Some(format!("pods \"web\" is forbidden: {why}"));
    assert_eq!(says("runtimeClassName: kata"), None);
    assert_eq!(says("runtimeClassName: kat"), forbidden("pod rejected: RuntimeClass \"kat\" not found"));
    assert_eq!(
        says("runtimeClassName: kata, overhead: {cpu: 1}"),
        forbidden("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
    );
    assert_eq!(says("runtimeClassName: kata, overhead: {cpu: 250m}"), None);
    assert_eq!(
        says("runtimeClassName: plain, overhead: {cpu: 1}"),
        forbidden("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")
    );
    assert_eq!(
        says("runtimeClassName: kata, nodeSelector: {runtime: runc}"),
        forbidden(
            "conflict: runtimeClass.scheduling.nodeSelector[runtime] = kata; pod.spec.nodeSelector[runtime] = runc"
        )
    );
    assert_eq!(says("priorityClassName: high"), forbidden("no PriorityClass with name high was found"));
    assert_eq!(says("priority: 100"), None);
    assert!(says("priority: 0").is_some_and(|text| text.contains("computed 100 from")));
    assert_eq!(says("priorityClassName: calm, preemptionPolicy: Never"), None);
    assert!(says("preemptionPolicy: Never").is_some_and(|text| text.contains("computed PreemptLowerPriority from")));
    assert_eq!(
        says("serviceAccountName: robot"),
        forbidden("error looking up service account default/robot: serviceaccount \"robot\" not found")
    );
    assert_eq!(says("serviceAccountName: default"), None);
}

fn fences<'p>(page: &'p str, heading: &str, language: &str) -> Vec<&'p str> {
    let (_, below) = page.split_once(&format!("\n## {heading}\n")).expect("a heading");
    let section = below.split("\n## ").next().unwrap_or_default();
    let opening = format!("```{language}\n");
    section.split(opening.as_str()).skip(1).filter_map(|fence| fence.split("```").next()).collect()
}

#[test]
fn pages_show_what_happens() {
    let own = |rule: &&&Rule| ("SB210".."SB260").contains(&rule.code);
    for rule in RULES.iter().filter(own) {
        let judge = |text: &str| {
            let source = Source::explicit("web.yaml", text.as_bytes().to_vec());
            Linter::new(World::assumed()).check(vec![source]).findings
        };
        let says = fences(rule.page, "What will happen", "")[0].trim();
        for example in fences(rule.page, "Fails", "yaml") {
            let found = judge(example);
            let messages: Vec<&str> = found
                .iter()
                .filter(|finding| finding.rule == *rule)
                .filter_map(|finding| finding.outcome.as_ref()?.message.as_deref())
                .collect();
            assert_eq!(messages, [says], "{}", rule.code);
        }
        for example in fences(rule.page, "Passes", "yaml") {
            let errors = judge(example).into_iter().filter(|found| found.severity == Severity::Error);
            let errors: Vec<String> = errors.map(|found| found.message).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", rule.code);
        }
    }
}

/// Trees with one node replaced by another value, for every node.
fn mutants<'s>(node: &Node<'s>, values: &[Value<'s>]) -> Vec<Node<'s>> {
    let mut all: Vec<Node<'s>> = values.iter().map(|value| Node { value: value.clone(), ..node.clone() }).collect();
    let children: Vec<&Node<'s>> = match &node.value {
        Value::Seq(items) => items.iter().collect(),
        Value::Map(map) => map.entries.iter().map(|entry| &entry.value).collect(),
        _ => Vec::new(),
    };
    for (index, child) in children.into_iter().enumerate() {
        all.extend(mutants(child, values).into_iter().map(|mutant| {
            let mut whole = node.clone();
            match &mut whole.value {
                Value::Seq(items) => items[index] = mutant,
                Value::Map(map) => map.entries[index].value = mutant,
                _ => {}
            }
            whole
        }));
    }
    all
}

#[test]
fn any_value_anywhere_gets_an_answer() {
    let values = [Value::Int(i64::MIN), Value::String("-\u{e9}..'] /\u{0}".into()), Value::Map(Mapping::default())];
    let text = include_str!("../../../testdata/cases/pod-create.yaml");
    let world = World::assumed();
    for case in documents(text).iter().flat_map(|case| mutants(case, &values)) {
        if case.get("spec").is_some() {
            assert_ne!(answer_in(&plan_of_case(&case), &world).as_deref(), Some(""));
        }
    }
}

fn workload(kind: &str, spec: &str) -> Option<String> {
    let head = format!("kind: {kind}\nmetadata: {{name: web}}\nspec:\n");
    let pod = format!("nodeSelector: {{sandbox.cocoonstack.io/runtime: sandboxd}}, {spec}");
    let text = match kind {
        "Pod" => format!("apiVersion: v1\n{head}  {{{pod}}}\n"),
        _ => format!("apiVersion: apps/v1\n{head}  template: {{spec: {{{pod}}}}}\n"),
    };
    let report = Linter::new(World::assumed()).check(vec![Source::explicit("web.yaml", text.into_bytes())]);
    report.predictions.into_iter().next()?.outcome?.message
}

#[test]
fn other_kinds_are_refused_in_their_own_words() {
    let wrong = "restartPolicy: always, hostname: A_, containers: [{name: a, image: a}]";
    let says = workload("Pod", wrong).expect("a refusal");
    assert!(says.starts_with("The Pod \"web\" is invalid: \n* spec.restartPolicy: Unsupported value"), "{says}");
    assert!(says.contains("\n* spec.hostname: Invalid value"), "{says}");
    let says = workload("Deployment", wrong).expect("a refusal");
    assert!(says.starts_with("The Deployment \"web\" is invalid: \n* spec.template.spec.restartPolicy: "), "{says}");
    let says = workload("StatefulSet", "containers: [{name: a, image: ' a'}]").expect("a refusal");
    assert_eq!(
        says,
        "Error creating: Pod \"web-0\" is invalid: spec.containers[0].image: Invalid value: \" a\": must not have leading or trailing whitespace"
    );
}
