//! Small manifests for each kind of refusal; the words are the API server's and kubectl's.

mod releases;

use super::Accepted;
use crate::cluster::{AgentSandboxRelease, World};
use crate::finding::{Applicability, Finding, Severity};
use crate::input::Source;
use crate::linter::{Linter, Report};

const UNCHECKED: &str = "\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

fn check_in(world: World, manifest: &str) -> Report {
    Linter::new(world).check(vec![Source::explicit("web.yaml", manifest.as_bytes().to_vec())])
}

fn check(manifest: &str) -> Report {
    check_in(World::assumed(), manifest)
}

/// What admission says in the first place.
fn refusal(report: &Report) -> String {
    report.predictions[0].outcome.as_ref().and_then(|outcome| outcome.message.clone()).unwrap_or_default()
}

fn admission(report: &Report) -> Vec<&Finding> {
    report.findings.iter().filter(|finding| finding.rule.code.starts_with("SB1")).collect()
}

fn codes(report: &Report) -> Vec<&'static str> {
    admission(report).iter().map(|finding| finding.rule.code).collect()
}

/// A v1beta1 Sandbox with lines in its podTemplate's spec, and others in its spec.
fn sandbox(pod: &str, spec: &str) -> String {
    let pod: String = pod.lines().map(|line| format!("      {line}\n")).collect();
    let spec: String = spec.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: web\nspec:\n{spec}  podTemplate:\n    spec:\n      containers:\n      - name: agent\n        image: a\n{pod}"
    )
}

fn object(kind: &str, version: &str, spec: &str) -> String {
    let spec: String = spec.lines().map(|line| format!("  {line}\n")).collect();
    let group = if kind == "Sandbox" { "agents.x-k8s.io" } else { "extensions.agents.x-k8s.io" };
    format!("apiVersion: {group}/{version}\nkind: {kind}\nmetadata:\n  name: web\nspec:\n{spec}")
}

/// The refusal of a Sandbox whose Pod has these lines, without the head.
fn pod_refusal(pod: &str) -> String {
    let report = check(&sandbox(pod, ""));
    assert_eq!(report.predictions[0].accepted, Accepted::Refused, "{pod}");
    refusal(&report)
        .trim_start_matches("The Sandbox \"web\" is invalid: ")
        .trim_start()
        .replace(UNCHECKED, "")
        .replace("spec.podTemplate.spec.", "P.")
}

#[test]
fn each_type_is_refused_in_the_words_of_the_server() {
    let table = [
        (
            "nodeName: true",
            "P.nodeName: Invalid value: \"boolean\": P.nodeName in body must be of type string: \"boolean\"",
        ),
        ("nodeName: [a]", "P.nodeName: Invalid value: \"array\": P.nodeName in body must be of type string: \"array\""),
        (
            "hostNetwork: 1",
            "P.hostNetwork: Invalid value: \"integer\": P.hostNetwork in body must be of type boolean: \"integer\"",
        ),
        (
            "hostNetwork: 0.5",
            "P.hostNetwork: Invalid value: \"number\": P.hostNetwork in body must be of type boolean: \"number\"",
        ),
        (
            "priority: 'a'",
            "P.priority: Invalid value: \"string\": P.priority in body must be of type integer: \"string\"",
        ),
        ("priority: yes", "P.priority: Invalid value: \"\": P.priority in body must be of type int32: \"\""),
        ("priority: {}", "P.priority: Invalid value: \"\": P.priority in body must be of type int32: \"\""),
        (
            "tolerations: {}",
            "P.tolerations: Invalid value: \"object\": P.tolerations in body must be of type array: \"object\"",
        ),
        (
            "affinity: soft",
            "P.affinity: Invalid value: \"string\": P.affinity in body must be of type object: \"string\"",
        ),
        ("overhead: [1]", "P.overhead: Invalid value: \"array\": P.overhead in body must be of type object: \"array\""),
    ];
    for (pod, words) in table {
        assert_eq!(pod_refusal(pod), format!("* {words}"), "{pod}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused_twice() {
    assert_eq!(
        pod_refusal("terminationGracePeriodSeconds: 0.5"),
        "* P.terminationGracePeriodSeconds: Invalid value: \"float64\": P.terminationGracePeriodSeconds in body must be of type int64: \"float64\"\n* <nil>: Invalid value: \"\": Checked value must be of type integer with format int64 in P.terminationGracePeriodSeconds"
    );
    assert_eq!(
        pod_refusal("priority: 3000000000"),
        "<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in P.priority"
    );
}

#[test]
fn amounts_are_whole_numbers_or_texts() {
    let words = pod_refusal("overhead: {cpu: 0.5}");
    assert_eq!(
        words,
        "* P.overhead.cpu: Invalid value: \"number\": P.overhead.cpu in body must be of type integer,string: \"number\"\n* <nil>: Invalid value: \"\": \"P.overhead.cpu\" must validate at least one schema (anyOf)\n* P.overhead.cpu: Invalid value: \"number\": P.overhead.cpu in body must be of type integer: \"number\"\n* <nil>: Invalid value: \"\": Checked value must be of type integer (default format) in P.overhead.cpu"
    );
    assert!(
        pod_refusal("overhead: {cpu: 1GiB}")
            .starts_with("P.overhead.cpu: Invalid value: \"1GiB\": P.overhead.cpu in body should match '^(")
    );
    for pod in ["overhead: {cpu: 1}", "overhead: {cpu: '0.5'}", "overhead: {cpu: 1e3}", "overhead: {cpu: 500m}"] {
        assert!(codes(&check(&sandbox(pod, ""))).is_empty(), "{pod}");
    }
    let report = check(&sandbox("overhead: {cpu: 6GiB}", ""));
    let fix = admission(&report)[0].fix.as_ref().expect("a fix");
    assert_eq!((fix.edits[0].text.as_str(), fix.applicability), ("6Gi", Applicability::Unsafe));
}

#[test]
fn unknown_fields_speak_before_validation_and_hide_nothing() {
    let report = check(&sandbox("nodeselector: {a: b}\nhostNetwork: 1", ""));
    assert_eq!(
        refusal(&report),
        "Error from server (BadRequest): error when creating \"web.yaml\": Sandbox in version \"v1beta1\" cannot be handled as a Sandbox: strict decoding error: unknown field \"spec.podTemplate.spec.nodeselector\""
    );
    assert_eq!(codes(&report), ["SB103", "SB105"]);
    let lenient = check(&sandbox("nodeselector: {a: b}", ""));
    assert_eq!(lenient.predictions[0].accepted, Accepted::Lenient);
    let fix = admission(&lenient)[0].fix.as_ref().expect("a fix");
    assert_eq!((fix.edits[0].text.as_str(), fix.applicability), ("nodeSelector", Applicability::Safe));
}

#[test]
fn one_cause_is_one_finding() {
    let template = object("Sandbox", "v1beta1", "template:\n  spec:\n    containers: []");
    for (manifest, stands_for) in [
        (template, "podTemplate"),
        (object("SandboxTemplate", "v1beta1", "podTemplateSpec: {}"), "podTemplate"),
        (object("Sandbox", "v1beta1", "podTemplate:\n  containers: []"), "spec.podTemplate.spec.containers"),
        (object("SandboxWarmPool", "v1beta1", "templateName: web"), "sandboxTemplateRef"),
        (object("SandboxClaim", "v1beta1", "sandboxTemplateRef: {name: web}"), "warmPoolRef"),
        (object("SandboxClaim", "v1beta1", "warmpool: web"), "warmPoolRef"),
    ] {
        let report = check(&manifest);
        assert_eq!(codes(&report), ["SB103"], "{manifest}");
        let help = admission(&report)[0].help.clone().unwrap_or_default();
        assert!(help.contains(stands_for) && help.contains("missing, too"), "{help}");
        assert_eq!(report.predictions[0].accepted, Accepted::Refused);
    }
    assert_eq!(codes(&check(&sandbox("env: {A: b}", ""))), ["SB103"]);
    let report = check(&sandbox("imagePullSecrets: {name: a}", ""));
    assert_eq!(codes(&report), ["SB105"]);
}

#[test]
fn misplaced_fields_are_told_where_they_belong() {
    let table = [
        (
            object("Sandbox", "v1beta1", "podTemplate:\n  annotations: {a: b}\n  spec: {containers: []}"),
            "`spec.podTemplate.metadata.annotations`",
        ),
        (
            object("Sandbox", "v1beta1", "podTemplate:\n  metadata: {tolerations: []}\n  spec: {containers: []}"),
            "`spec.podTemplate.spec.tolerations`",
        ),
        (
            object("Sandbox", "v1beta1", "runtimeClassName: kata\npodTemplate:\n  spec: {containers: []}"),
            "`spec.podTemplate.spec.runtimeClassName`",
        ),
        (
            object("Sandbox", "v1beta1", "podTemplate:\n  spec: {containers: [{name: a, tolerations: []}]}"),
            "`spec.podTemplate.spec.tolerations`",
        ),
        (
            object("Sandbox", "v1beta1", "podTemplate:\n  metadata: {a.io/b: c}\n  spec: {containers: []}"),
            "`spec.podTemplate.metadata.annotations`",
        ),
        (object("Sandbox", "v1beta1", "lifecycle: {}\npodTemplate:\n  spec: {containers: []}"), "SandboxClaim"),
        (
            object(
                "SandboxTemplate",
                "v1beta1",
                "networkPolicy: {policyTypes: []}\npodTemplate:\n  spec: {containers: []}",
            ),
            "`ingress`",
        ),
    ];
    for (manifest, place) in table {
        let report = check(&manifest);
        assert_eq!(codes(&report), ["SB103"], "{manifest}");
        let help = admission(&report)[0].help.clone().unwrap_or_default();
        assert!(help.contains(place), "{help}");
    }
}

#[test]
fn replicas_become_the_operating_mode() {
    let report = check(&sandbox("", "replicas: 0"));
    let fix = admission(&report)[0].fix.clone().expect("a fix");
    let texts: Vec<&str> = fix.edits.iter().map(|edit| edit.text.as_str()).collect();
    assert_eq!((texts, fix.applicability), (vec!["operatingMode", "Suspended"], Applicability::Safe));
    assert_eq!(report.predictions[0].accepted, Accepted::Lenient);
}

#[test]
fn scalars_are_quoted_as_they_are_typed() {
    let manifest = sandbox("nodeSelector: {zone: 010, fast: yes}", "");
    let report = check(&manifest);
    let found = admission(&report);
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages[0], "`zone` must be a string, but kubectl reads `010` as the number 8");
    assert_eq!(messages[1], "`fast` must be a string, but kubectl reads `yes` as the boolean true");
    let source = Source::explicit("web.yaml", manifest.into_bytes());
    let fixed =
        crate::fix::apply(&source, found.iter().filter_map(|finding| finding.fix.as_ref()), false).expect("fixes");
    let text = String::from_utf8(fixed.bytes).expect("text");
    assert!(text.contains("{zone: \"010\", fast: \"yes\"}"), "{text}");
    assert!(codes(&check(&text)).is_empty());
}

#[test]
fn later_stages_see_what_quoting_would_give() {
    let report = check(&sandbox("nodeSelector: {no.such/label: yes}", ""));
    assert_eq!(report.predictions[0].accepted, Accepted::Refused);
    assert!(!report.predictions[0].next.is_empty(), "the scheduler's answer follows");
    let broken = check(&sandbox("tolerations: {}", ""));
    assert!(broken.predictions[0].next.is_empty(), "nothing is known of the tolerations meant");
}

#[test]
fn entries_with_one_name_are_refused() {
    let report = check(&sandbox("volumes: [{name: a}, {name: b}, {name: a}, {name: a}]", ""));
    assert_eq!(
        refusal(&report),
        "The Sandbox \"web\" is invalid: spec.podTemplate.spec.volumes[2]: Duplicate value: {\"name\":\"a\"}"
    );
    assert_eq!(admission(&report)[0].related.len(), 1);
    let ports = sandbox(
        "- name: other\n  ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}, {containerPort: 80, protocol: UDP}]",
        "",
    );
    assert_eq!(
        refusal(&check(&ports)),
        "The Sandbox \"web\" is invalid: spec.podTemplate.spec.containers[1].ports[1]: Duplicate value: {\"containerPort\":80,\"protocol\":\"TCP\"}"
    );
    assert_eq!(pod_refusal("imagePullSecrets: [{}, {}]"), "P.imagePullSecrets[1]: Duplicate value: {\"name\":\"\"}");
    assert_eq!(
        pod_refusal("schedulingGates: [x]"),
        "* P.schedulingGates[0]: Invalid value: \"string\": P.schedulingGates[0] in body must be of type object: \"string\"\n* P.schedulingGates[0]: Invalid value: \"x\": must be an object for an array of list-type map"
    );
}

#[test]
fn nulls_are_dropped_unless_they_are_items_or_required() {
    let report = check(&sandbox("nodeSelector: {a: }\nschedulerName:", "service: ~"));
    assert_eq!((report.predictions[0].accepted, codes(&report)), (Accepted::Strict, vec!["SB114"; 3]));
    assert!(codes(&check(&sandbox("", "operatingMode: ~"))).is_empty(), "the default takes its place");
    assert_eq!(pod_refusal("hostAliases: [{ip: }]"), "* P.hostAliases[0].ip: Required value");
    assert_eq!(
        pod_refusal("tolerations: [~]"),
        "* P.tolerations[0]: Invalid value: \"null\": P.tolerations[0] in body must be of type object: \"null\""
    );
}

#[test]
fn pools_repeat_the_errors_of_their_scale() {
    let pool = |replicas: &str| {
        let spec = format!("replicas: {replicas}\nsandboxTemplateRef: {{name: web}}");
        refusal(&check(&object("SandboxWarmPool", "v1beta1", &spec)))
            .replace("The SandboxWarmPool \"web\" is invalid: ", "")
    };
    assert_eq!(
        pool("1.5"),
        "\n* spec.replicas: Invalid value: \"float64\": spec.replicas in body must be of type int32: \"float64\"\n* <nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in spec.replicas\n* .spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64"
    );
    assert_eq!(
        pool("[1, a]"),
        "\n* spec.replicas: Invalid value: \"array\": spec.replicas in body must be of type integer: \"array\"\n* .spec.replicas: Invalid value: 0: .spec.replicas accessor error: [1 a] is of the type []interface {}, expected int64"
    );
    assert_eq!(
        refusal(&check(
            "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {name: p}\nspec: three\n"
        )),
        "The SandboxWarmPool \"p\" is invalid: \n* spec: Invalid value: \"string\": spec in body must be of type object: \"string\"\n* .spec.replicas: Invalid value: 0: .spec.replicas accessor error: three is of the type string, expected map[string]interface{}"
    );
}

#[test]
fn fixed_words_are_compared_with_their_capitals() {
    let report = check(&sandbox("", "operatingMode: running\nshutdownPolicy: 1"));
    assert_eq!(
        refusal(&report).replace(UNCHECKED, ""),
        "The Sandbox \"web\" is invalid: \n* spec.operatingMode: Unsupported value: \"running\": supported values: \"Running\", \"Suspended\"\n* spec.shutdownPolicy: Invalid value: \"integer\": spec.shutdownPolicy in body must be of type string: \"integer\"\n* spec.shutdownPolicy: Unsupported value: 1: supported values: \"Delete\", \"Retain\""
    );
    assert_eq!(codes(&report), ["SB106", "SB106"]);
    assert_eq!(admission(&report)[0].fix.as_ref().map(|fix| fix.applicability), Some(Applicability::Safe));
}

#[test]
fn metadata_is_read_by_kubectl_first() {
    let with = |metadata: &str| {
        format!(
            "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {metadata}\nspec: {{podTemplate: {{spec: {{containers: []}}}}}}\n"
        )
    };
    let table = [
        ("{name: 1}", "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string"),
        (
            "{name: a, labels: [a]}",
            "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string",
        ),
        (
            "{name: a, annotations: {a.b/c: on}}",
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.annotations of type string",
        ),
        ("[a]", "json: cannot unmarshal array into Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta"),
        (
            "{name: a, finalizers: a}",
            "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string",
        ),
        (
            "{name: a, generation: 1.5}",
            "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64",
        ),
        (
            "{name: a, uid: 1}",
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.uid of type types.UID",
        ),
    ];
    for (metadata, words) in table {
        let report = check(&with(metadata));
        assert_eq!(refusal(&report), format!("error: unable to decode \"web.yaml\": {words}"), "{metadata}");
        assert_eq!(admission(&report).len(), 1, "{metadata}");
    }
}

#[test]
fn names_and_namespaces_have_a_form() {
    let named = |metadata: &str| {
        format!(
            "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxTemplate\n{metadata}spec: {{podTemplate: {{spec: {{containers: []}}}}}}\n"
        )
    };
    assert_eq!(
        refusal(&check(&named(""))),
        "The SandboxTemplate \"\" is invalid: metadata.name: Required value: name or generateName is required"
    );
    assert_eq!(
        refusal(&check(&named("metadata: {name: a, namespace: Bad_NS}\n"))),
        "Error from server (NotFound): error when creating \"web.yaml\": namespaces \"Bad_NS\" not found"
    );
    let open = check(&named("metadata: {name: '${NAME}'}\n"));
    assert!(open.findings.iter().all(|finding| finding.severity != Severity::Error));
    let generated = check(&named("metadata: {generateName: web-}\n"));
    assert_eq!((codes(&generated), admission(&generated)[0].severity), (vec!["SB112"], Severity::Warning));
    assert_eq!(generated.predictions[0].accepted, Accepted::Strict);
}

#[test]
fn v1alpha1_is_deprecated_and_then_gone() {
    let manifest = object("SandboxWarmPool", "v1alpha1", "replicas: 1\nsandboxTemplateRef: {name: web}");
    let now = check(&manifest);
    assert_eq!((codes(&now), admission(&now)[0].severity), (vec!["SB102"], Severity::Warning));
    assert_eq!(now.predictions[0].accepted, Accepted::Strict);
    let release = AgentSandboxRelease::new(1, 0, 3);
    let gone = check_in(World { agent_sandbox: Some(release), ..World::assumed() }, &manifest);
    assert_eq!((codes(&gone), admission(&gone)[0].severity), (vec!["SB102"], Severity::Error));
    assert_eq!(
        refusal(&gone),
        "error: resource mapping not found for name: \"web\" namespace: \"\" from \"web.yaml\": no matches for kind \"SandboxWarmPool\" in version \"extensions.agents.x-k8s.io/v1alpha1\"\nensure CRDs are installed first"
    );
}

#[test]
fn v1beta1_is_unknown_before_it_was_served() {
    let release =
        |minor, patch| World { agent_sandbox: Some(AgentSandboxRelease::new(0, minor, patch)), ..World::assumed() };
    let beta = object("SandboxWarmPool", "v1beta1", "sandboxTemplateRef: {name: web}");
    let early = check_in(release(4, 6), &beta);
    assert_eq!((codes(&early), early.predictions[0].accepted), (vec!["SB101"], Accepted::Refused));
    assert!(
        refusal(&early)
            .contains("no matches for kind \"SandboxWarmPool\" in version \"extensions.agents.x-k8s.io/v1beta1\"")
    );
    assert_eq!(check_in(release(5, 1), &beta).predictions[0].accepted, Accepted::Strict);
    let alpha = object("SandboxWarmPool", "v1alpha1", "replicas: 1\nsandboxTemplateRef: {name: web}");
    assert!(codes(&check_in(release(4, 6), &alpha)).is_empty(), "nothing was deprecated then");
}

#[test]
fn kinds_that_are_nearly_ours_are_told_and_foreign_ones_are_not() {
    let typed = |api: &str, kind: &str| {
        check(&format!("apiVersion: {api}\nkind: {kind}\nmetadata: {{name: web}}\nspec: {{}}\n"))
    };
    for (api, kind) in [
        ("agent.x-k8s.io/v1beta1", "Sandbox"),
        ("agents.x-k8s.io/v1", "Sandbox"),
        ("v1", "Sandbox"),
        ("extensions.agents.x-k8s.io/v1beta1", "Sandbox"),
        ("agents.x-k8s.io/v1beta1", "SandBox"),
        ("extensions.agents.x-k8s.io/v1beta1", "sandboxwarmpools"),
    ] {
        let report = typed(api, kind);
        assert!(codes(&report).contains(&"SB101"), "{api} {kind}");
        assert_eq!(report.predictions[0].accepted, Accepted::Refused, "{api} {kind}");
    }
    for (api, kind) in [
        ("agents.kruise.io/v1alpha1", "Sandbox"),
        ("sandbox.opensandbox.io/v1alpha1", "Sandbox"),
        ("cluster.x-k8s.io/v1beta1", "Sandbox"),
        ("apps/v1", "Deployment"),
        ("v1", "ConfigMap"),
        ("example.com/v1", "SandboxTemplate"),
    ] {
        let report = typed(api, kind);
        assert!(report.findings.is_empty() && report.predictions.is_empty(), "{api} {kind}");
    }
    let lower = typed("extensions.agents.x-k8s.io/v1beta1", "sandboxtemplate");
    assert_eq!(
        refusal(&lower),
        "The sandboxtemplate \"web\" is invalid: kind: Invalid value: \"sandboxtemplate\": must be SandboxTemplate"
    );
    assert_eq!(typed("agents.x-k8s.io/v1beta1", "Gateway").findings[0].severity, Severity::Warning);
}

#[test]
fn built_in_kinds_are_decoded_in_the_words_of_go() {
    let manifest = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {}\n  template:\n    metadata:\n      annotations: {sandbox.cocoonstack.io/net: yes}\n    spec: {containers: []}\n";
    assert_eq!(
        refusal(&check(manifest)),
        "Error from server (BadRequest): error when creating \"web.yaml\": Deployment in version \"v1\" cannot be handled as a Deployment: json: cannot unmarshal bool into Go struct field ObjectMeta.spec.template.metadata.annotations of type string"
    );
}

#[test]
fn values_that_go_cannot_read_stop_at_reconcile() {
    let reconcile = |manifest: &str| {
        let report = check(manifest);
        let outcome = report.predictions[0].outcome.clone().expect("an outcome");
        (outcome.stage.name(), outcome.message.unwrap_or_default())
    };
    let probes = "- name: b\n  lifecycle: {preStop: {tcpSocket: {port: 3000000000}}}";
    assert_eq!(
        reconcile(&sandbox(probes, "")),
        ("reconcile", "json: cannot unmarshal number 3000000000 into Go struct field TCPSocketAction.spec.podTemplate.spec.containers.lifecycle.preStop.tcpSocket.port of type int32".to_owned())
    );
    let claim = object("SandboxClaim", "v1beta1", "warmPoolRef: {name: p}\nlifecycle: {shutdownTime: [now]}");
    assert_eq!(
        reconcile(&claim),
        (
            "reconcile",
            "json: cannot unmarshal array into Go struct field Lifecycle.spec.lifecycle.shutdownTime of type string"
                .to_owned()
        )
    );
    assert_eq!(reconcile(&sandbox("overhead: {cpu: '1e.5'}", "")).0, "reconcile");
    assert_eq!(reconcile(&sandbox("overhead: {cpu: '1e99999999999'}", "")).0, "reconcile");
    assert_eq!(
        reconcile(&object("Sandbox", "v1alpha1", "replicas: 0\npodTemplate: {spec: {containers: []}}")).1,
        "Sandbox is suspended"
    );
}

#[test]
fn the_metadata_of_an_ephemeral_claim_has_no_fields_in_the_crds_alone() {
    let volumes = "volumes: [{name: a, ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b}}, spec: {}}}}]";
    assert_eq!(codes(&check(&sandbox(volumes, ""))), ["SB103"]);
    let pod = format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: web, annotations: {{sandbox.cocoonstack.io/net: none}}}}\nspec:\n  containers: [{{name: a, image: a}}]\n  {volumes}\n"
    );
    assert!(codes(&check(&pod)).is_empty());
}
