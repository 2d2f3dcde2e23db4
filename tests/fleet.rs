//! What only shows across resources, compared with what the controllers of a real cluster said.

mod support;

use sandbox_lint::finding::{Outcome, Severity};
use sandbox_lint::{Linter, Report, Source, World};

/// What the claim's condition Ready said in the recorded cases.
const CLAIMS: [(&str, &str, &str); 11] = [
    (
        "flow-claim-env-badcontainer.yaml",
        "ReconcilerError",
        "Error seen: target container \"nope\" not found in template for environment variable \"A\"",
    ),
    (
        "flow-claim-meta-ann-badkey.yaml",
        "InvalidMetadata",
        "invalid additionalPodMetadata: failed to validate annotation \"a b\": invalid annotation key: \"a b\": name part must consist of alphanumeric characters, '-', '_' o",
    ),
    (
        "flow-claim-meta-ann-conflict.yaml",
        "ReconcilerError",
        "Error seen: metadata override conflict: annotation \"sandbox.cocoonstack.io/size\" is defined in template with value \"small\", but claim requests \"large\"",
    ),
    (
        "flow-claim-meta-ann-restricted.yaml",
        "InvalidMetadata",
        "invalid additionalPodMetadata: failed to validate annotation \"kubernetes.io/foo\": restricted system domain: \"kubernetes.io/foo\" is not allowed in AdditionalPodM",
    ),
    (
        "flow-claim-meta-label-badvalue.yaml",
        "InvalidMetadata",
        "invalid additionalPodMetadata: failed to validate label \"sandbox.users.io/app\": invalid label value: \"a b\" does not match allowed pattern: a valid label must be",
    ),
    (
        "flow-claim-meta-label-noprefix.yaml",
        "InvalidMetadata",
        "invalid additionalPodMetadata: failed to validate label \"app\": label \"app\" must have a domain prefix (e.g. 'sandbox.users.io/my-label') to prevent opting into u",
    ),
    (
        "flow-claim-meta-label-otherdomain.yaml",
        "InvalidMetadata",
        "invalid additionalPodMetadata: failed to validate label \"foo.io/app\": label domain \"foo.io\" is not in the allowlist",
    ),
    (
        "flow-tpl-vct-dup.yaml",
        "VolumeClaimTemplatesError",
        "invalid volume claim templates in template: invalid volume claim templates: duplicate name \"data\"",
    ),
    ("claim-ref-name-empty.yaml", "WarmPoolNotFound", "SandboxWarmPool \"\" not found"),
    ("flow-claim-meta-ann-noprefix.yaml", "", ""),
    ("multi-pool-template.yaml", "", ""),
];

#[test]
fn claims_are_refused_in_the_words_of_the_controller() {
    let folder = support::testdata("conformance/cases");
    for (file, reason, words) in CLAIMS {
        let report = support::lint(&folder, &[folder.join(file)], "");
        let mut claims = report.predictions.iter().filter(|one| one.resource.kind.as_deref() == Some("SandboxClaim"));
        let outcome = claims.next_back().and_then(|claim| claim.outcome.as_ref());
        let refusal = outcome.filter(|outcome| outcome.stage.name() == "reconcile");
        let said = refusal.map_or(("", ""), |outcome| (text(&outcome.reason), text(&outcome.message)));
        assert_eq!(said.0, reason, "{file}");
        assert!(said.1.starts_with(words), "{file}: {}", said.1);
    }
}

fn text(field: &Option<String>) -> &str {
    field.as_deref().unwrap_or_default()
}

fn template(name: &str, extra: &str, container: &str) -> String {
    format!(
        "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxTemplate\nmetadata: {{name: {name}}}\nspec:\n{extra}  podTemplate:\n    spec:\n      runtimeClassName: gvisor\n      containers:\n      - name: main\n        image: registry.example.com/main:1\n{container}---\n"
    )
}

fn pool(name: &str, template: &str) -> String {
    format!(
        "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {{name: {name}}}\nspec: {{sandboxTemplateRef: {{name: {template}}}}}\n---\n"
    )
}

fn claim(name: &str, pool: &str, extra: &str) -> String {
    format!(
        "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxClaim\nmetadata: {{name: {name}}}\nspec:\n  warmPoolRef: {{name: {pool}}}\n{extra}---\n"
    )
}

fn outcome_of<'r>(report: &'r Report, kind: &str) -> &'r Outcome {
    let found = report.predictions.iter().find(|one| one.resource.kind.as_deref() == Some(kind));
    found.and_then(|one| one.outcome.as_ref()).unwrap_or_else(|| panic!("{kind} has no outcome"))
}

fn codes(report: &Report) -> Vec<(&str, Severity)> {
    let across = report.findings.iter().filter(|finding| finding.rule.code.starts_with("SB6"));
    across.map(|finding| (finding.rule.name, finding.severity)).collect()
}

fn lint_files(files: &[&str]) -> Report {
    let sources = files
        .iter()
        .enumerate()
        .map(|(number, text)| Source::explicit(format!("{number}.yaml"), text.as_bytes().to_vec()));
    Linter::new(World::assumed()).check(sources.collect())
}

#[test]
fn env_of_a_claim_meets_the_policy_of_the_template() {
    let env = "  env: [{name: MODE, value: fast}]\n";
    let table = [
        (
            "",
            "",
            "environment variable injection rejected: environment variable injection is not allowed by the template policy",
        ),
        ("  envVarsInjectionPolicy: Allowed\n", "", ""),
        (
            "  envVarsInjectionPolicy: Allowed\n",
            "        env: [{name: MODE, value: slow}]\n",
            "Error seen: environment variable override is not allowed by the template policy for variable \"MODE\"",
        ),
        ("  envVarsInjectionPolicy: Overrides\n", "        env: [{name: MODE, value: slow}]\n", ""),
        (
            "  envVarsInjectionPolicy: Allowed\n",
            "        envFrom: [{configMapRef: {name: settings}}]\n",
            "environment variable injection rejected: container \"main\" uses EnvFrom sources; Allowed policy cannot safely prevent overriding EnvFrom-provided variables",
        ),
        ("  envVarsInjectionPolicy: Overrides\n", "        envFrom: [{configMapRef: {name: settings}}]\n", ""),
    ];
    for (policy, container, words) in table {
        let files = [template("t", policy, container), pool("p", "t"), claim("c", "p", env)].concat();
        let report = support::lint_text(&files, "");
        assert_eq!(text(&outcome_of(&report, "SandboxClaim").message), words, "{policy}{container}");
    }
}

#[test]
fn volumes_of_a_claim_meet_the_policy_of_the_template() {
    let volume = |name: &str| {
        format!(
            "  volumeClaimTemplates:\n  - metadata: {{name: {name}}}\n    spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 1Gi}}}}}}\n"
        )
    };
    let own = volume("data");
    let table = [
        ("", "data", "failed to merge volume claim templates: volume claim templates are disallowed by the template"),
        ("  volumeClaimTemplatesPolicy: Allowed\n", "more", ""),
        (
            "  volumeClaimTemplatesPolicy: Allowed\n",
            "data",
            "failed to merge volume claim templates: overriding volume claim templates is forbidden by the template: cannot override template volume \"data\"",
        ),
        ("  volumeClaimTemplatesPolicy: Overrides\n", "data", ""),
    ];
    for (policy, name, words) in table {
        let spec = format!("{policy}{own}");
        let files = [template("t", &spec, ""), pool("p", "t"), claim("c", "p", &volume(name))].concat();
        let outcome = outcome_of(&support::lint_text(&files, ""), "SandboxClaim").clone();
        let said = if outcome.stage.name() == "reconcile" { text(&outcome.message) } else { "" };
        assert_eq!(said, words, "{policy}{name}");
    }
}

#[test]
fn a_near_miss_is_an_error_in_one_file_and_a_warning_across_files() {
    let (template, pool) = (template("python-runtime", "", ""), pool("p", "python-runtme"));
    let together = lint_files(&[&[template.as_str(), &pool].concat()]);
    assert_eq!(codes(&together), [("unknown-template", Severity::Error)]);
    let apart = lint_files(&[&template, &pool]);
    assert_eq!(codes(&apart), [("unknown-template", Severity::Warning)]);
}

#[test]
fn files_of_a_run_that_is_split_miss_nothing() {
    let other = template("node-runtime-2", "", "");
    for files in [vec![pool("p", "python-runtime")], vec![other.clone(), pool("p", "python-runtime")]] {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        assert_eq!(codes(&lint_files(&files)), []);
    }
    let siblings = [other, pool("p", "node-runtime-1")].concat();
    assert_eq!(codes(&lint_files(&[&siblings])), [], "names that differ in digits are siblings");
}

#[test]
fn members_of_a_pool_and_sandboxes_of_a_claim_have_their_own_names() {
    let folder = support::testdata("cases/mistakes");
    let report = support::lint(&folder, &[folder.join("pool-of-a-template-without-vm-name.yaml")], "");
    let outcome = outcome_of(&report, "SandboxWarmPool");
    assert_eq!(text(&outcome.message), "pod default/warm-xyz missing vm.cocoonstack.io/name annotation");
    let folder = support::testdata("cases/fine");
    let report = support::lint(&folder, &[folder.join("vm-name-by-claim.yaml")], "");
    let claim = report.predictions.last().expect("the claim");
    assert_eq!(claim.pod.as_ref().map(|pod| pod.name.as_str()), Some("mine"));
    assert_eq!(
        claim.outcome.as_ref().map(|outcome| outcome.stage.name()),
        Some("running"),
        "the claim brings the name"
    );
}

#[test]
fn the_nearest_name_is_offered_in_the_quotes_of_the_other() {
    for (written, instead) in [("pyton", "python"), ("\"pyton\"", "\"python\""), ("'pyton'", "'python'")] {
        let files = [template("python", "", ""), pool("p", written)].concat();
        let report = lint_files(&[&files]);
        let finding = report.findings.iter().find(|finding| finding.rule.name == "unknown-template").expect("a miss");
        let fix = finding.fix.as_ref().expect("a fix");
        assert_eq!(fix.edits[0].text, instead);
        assert_eq!(&files[fix.edits[0].span.range()], written);
    }
}

#[test]
fn a_vm_that_a_running_pod_holds_is_not_for_another_sandbox() {
    let cluster = |sandboxes: &str| {
        format!(
            "kind: Node\nmetadata: {{name: c1, labels: {{cocoonstack.io/pool: default}}}}\nspec: {{taints: [{{key: virtual-kubelet.io/provider, value: cocoon, effect: NoSchedule}}]}}\nstatus: {{allocatable: {{cpu: '8', memory: 8Gi, pods: '110'}}}}\n---\n\
             kind: Pod\nmetadata: {{name: other, namespace: a, annotations: {{vm.cocoonstack.io/name: desk}}}}\nspec: {{nodeName: c1, containers: []}}\n---\n\
             kind: SandboxList\nitems: [{sandboxes}]\n"
        )
    };
    let manifest = |name: &str| {
        format!(
            "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: {name}, namespace: a}}\nspec:\n  podTemplate:\n    metadata:\n      annotations: {{vm.cocoonstack.io/name: desk, cocoonset.cocoonstack.io/managed: \"true\", cocoonset.cocoonstack.io/image: r.example/a}}\n    spec:\n      nodeSelector: {{cocoonstack.io/pool: default}}\n      tolerations: [{{key: virtual-kubelet.io/provider, operator: Exists}}]\n      containers: [{{name: agent, image: r.example/a}}]\n"
        )
    };
    for (name, sandboxes, reported) in
        [("mine", "", true), ("other", "", false), ("mine", "{metadata: {name: mine, namespace: a}}", false)]
    {
        let world = World::from_snapshot([cluster(sandboxes).as_str()]).expect("a snapshot");
        let report = Linter::new(world).check(vec![Source::explicit("vm.yaml", manifest(name).into_bytes())]);
        let found = report.findings.iter().find(|finding| finding.rule.code == "SB603");
        assert_eq!(found.map(|finding| finding.severity), reported.then_some(Severity::Error), "{name} {sandboxes}");
    }
}
