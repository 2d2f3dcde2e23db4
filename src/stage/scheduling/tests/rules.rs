//! Which rules are on of which Pod, and what becomes of it once it is fixed.

use super::findings;
use crate::cluster::World;
use crate::finding::{Applicability, Findings, Severity};

/// A Sandbox with sandboxd's annotation and this Pod spec.
fn sandboxd(spec: &str) -> String {
    manifest("sandbox.cocoonstack.io/template: a", spec)
}

/// A Sandbox without annotations.
fn plain(spec: &str) -> String {
    manifest("", spec)
}

fn manifest(annotation: &str, spec: &str) -> String {
    let lines: String = spec.lines().map(|line| format!("      {line}\n")).collect();
    format!(
        "kind: Sandbox\nmetadata:\n  name: web\nspec:\n  podTemplate:\n    metadata:\n      annotations: {{{annotation}}}\n    spec:\n{lines}      containers:\n        - name: agent\n          image: a\n"
    )
}

const SELECTOR: &str = "nodeSelector:\n  sandbox.cocoonstack.io/runtime: sandboxd\n";
const TOLERATION: &str = "tolerations:\n  - key: virtual-kubelet.io/provider\n    operator: Exists\n";

fn codes(out: &Findings) -> Vec<&'static str> {
    let mut codes: Vec<&str> = out.list.iter().map(|finding| finding.rule.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn every_kind_of_defect_has_its_rule() {
    let world = World::assumed();
    let both = format!("{SELECTOR}{TOLERATION}");
    let with = |extra: &str| sandboxd(&format!("{both}{extra}"));
    let tolerated = |key: &str, rest: &str| format!("{SELECTOR}tolerations:\n  - {{key: {key}, {rest}}}\n");
    let provider = "virtual-kubelet.io/provider";
    let select = |label: &str| sandboxd(&format!("nodeSelector: {{{label}}}\n{TOLERATION}"));
    let required = |one: &str| {
        format!(
            "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: [{one}]}}]}}}}}}\n"
        )
    };
    let table = [
        (sandboxd(SELECTOR), vec!["SB302"]),
        (plain(SELECTOR), vec!["SB302"]),
        (plain("nodeSelector: {type: virtual-kubelet}\n"), vec!["SB302"]),
        (sandboxd(&tolerated(provider, "operator: Equal, value: cocoon")), vec!["SB303"]),
        (sandboxd(&tolerated(provider, "effect: NoSchedule")), vec!["SB303"]),
        (sandboxd(&tolerated("virtual-kubelet.io/providers", "operator: Exists")), vec!["SB303"]),
        (sandboxd(&tolerated("virtual-kubelet.io", "operator: Exists")), vec!["SB303"]),
        (sandboxd(&tolerated(provider, "operator: Exists, effect: PreferNoSchedule")), vec!["SB303"]),
        (sandboxd(&tolerated("dedicated", "operator: Exists")), vec!["SB302"]),
        (plain("tolerations: [{key: virtual-kubelet.io/provider, effect: NoSchedule}]\n"), vec!["SB303"]),
        (sandboxd("tolerations: [{key: virtual-kubelet.io/provider, value: cocoon}]\n"), vec!["SB303", "SB305"]),
        (select("sandbox.cocoonstack.io/runtime: Sandboxd"), vec!["SB304"]),
        (select("sandbox.cocoonstack.io/runtimes: sandboxd"), vec!["SB304"]),
        (select("sandboxes.cocoonstack.io/runtime: sandboxd"), vec!["SB304"]),
        (select("cocoon-sandbox.io/runtime: sandboxd"), vec!["SB304"]),
        (select("runtime: sandboxd"), vec!["SB304"]),
        (plain(&format!("nodeSelector: {{cocoonstack.io/runtime: sandboxd}}\n{TOLERATION}")), vec!["SB304"]),
        (select("cocoonstack.io/pool: \"\""), vec!["SB304"]),
        (
            sandboxd(&format!(
                "{}{TOLERATION}",
                required("{key: sandbox.cocoonstack.io/runtime, operator: In, values: [sandbox]}")
            )),
            vec!["SB304"],
        ),
        (select("cocoonstack.io/pool: Default"), vec!["SB304"]),
        (select("cocoonstack.io/pool: defualt"), vec!["SB304"]),
        (sandboxd(""), vec!["SB305"]),
        (sandboxd(TOLERATION), vec!["SB305"]),
        (manifest("vm.cocoonstack.io/name: a", ""), vec!["SB305"]),
        (plain("tolerations: [{key: virtual-kubelet.io/provider, value: sandboxd}]\n"), vec!["SB305"]),
        (plain(TOLERATION), vec!["SB306"]),
        (select("type: virtual-kubelet"), vec!["SB306"]),
        (select("sandbox.cocoonstack.io/runtime: sandboxd, cocoonstack.io/pool: default"), vec!["SB307"]),
        (with(&required("{key: cocoonstack.io/pool, operator: Exists}")), vec!["SB307"]),
        (with(&required("{key: node-role.kubernetes.io/cocoon-vm, operator: Exists}")), vec!["SB307"]),
        (select("sandbox.cocoonstack.io/runtime: sandboxd, kubernetes.io/arch: amd64"), vec!["SB308"]),
        (with(&required("{key: kubernetes.io/os, operator: In, values: [linux]}")), vec!["SB308"]),
        (select("virtual-kubelet.io/provider: sandboxd"), vec!["SB309"]),
        (select("sandbox.cocoonstack.io/template: a"), vec!["SB309"]),
        (with(&required("{key: type, operator: NotIn, values: [virtual-kubelet]}")), vec!["SB310"]),
        (with(&required("{key: type, operator: DoesNotExist}")), vec!["SB310"]),
        (with(&required("{key: sandbox.cocoonstack.io/runtime, operator: NotIn, values: [sandboxd]}")), vec!["SB310"]),
        (sandboxd(&format!("{}{TOLERATION}", required(""))), vec!["SB311"]),
        (select("sandbox.cocoonstack.io/runtime: sandboxd, disktype: ssd"), vec!["SB301"]),
        (select("sandbox.cocoonstack.io/runtime: sandboxd, kubernetes.io/hostname: vk-2"), vec!["SB301"]),
        (select("cocoonstack.io/pool: default, cocoonstack.io/snapshot-cpu-class: v3"), vec!["SB301"]),
        (sandboxd("nodeName: vk-sandboxd\n"), vec!["SB312"]),
        (sandboxd("nodeName: somewhere\n"), vec!["SB312"]),
        (plain("nodeName: worker-1\n"), vec!["SB312"]),
        (with("schedulerName: Default-Scheduler\n"), vec!["SB313"]),
        (with("schedulingGates: [{name: a.example/b}]\n"), vec!["SB314"]),
        (with("resources: {requests: {memory: 9Ti}}\n"), vec!["SB320"]),
        (with("hostNetwork: true\ninitContainers: [{name: a, image: a, ports: [{containerPort: 1}]}]\n"), vec![]),
        (with("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]\n"), vec!["SB342"]),
        (with("volumes: [{name: data, ephemeral: {volumeClaimTemplate: {}}}]\n"), vec!["SB342"]),
    ];
    for (text, expected) in table {
        assert_eq!(codes(&findings(&text, &world)), expected, "{text}");
    }
}

#[test]
fn what_looks_wrong_and_is_fine_stays_silent() {
    let world = World::assumed();
    let affinity = |one: &str| {
        format!(
            "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: [{one}]}}]}}}}}}\n{TOLERATION}"
        )
    };
    let fine = [
        sandboxd(&format!("{SELECTOR}{TOLERATION}")),
        sandboxd(&format!("{SELECTOR}tolerations: [{{key: virtual-kubelet.io/provider, value: sandboxd}}]\n")),
        sandboxd(&format!("{SELECTOR}tolerations: [{{operator: Exists}}]\n")),
        sandboxd(&affinity("{key: sandbox.cocoonstack.io/runtime, operator: In, values: [sandboxd]}")),
        sandboxd(&affinity("{key: sandbox.cocoonstack.io/runtime, operator: Exists}")),
        sandboxd(&format!("nodeSelector: {{kubernetes.io/hostname: vk-sandboxd}}\n{TOLERATION}")),
        manifest("vm.cocoonstack.io/name: a", &format!("nodeSelector: {{cocoonstack.io/pool: gpu}}\n{TOLERATION}")),
        manifest(
            "vm.cocoonstack.io/name: a",
            &format!("nodeSelector: {{cocoonstack.io/pool: default-b}}\n{TOLERATION}"),
        ),
        plain(""),
        plain("nodeSelector: {pool: gpu}\n"),
        plain("nodeSelector: {kubernetes.io/hostname: workr-1}\n"),
        plain("nodeSelector: {kubernetes.io/os: linux}\n"),
        plain("tolerations: [{key: dedicated, operator: Exists}]\n"),
        plain("schedulerName: default-scheduler\n"),
        plain(&affinity("{key: type, operator: NotIn, values: [virtual-kubelet]}").replace(TOLERATION, "")),
        manifest("example.com/owner: me", ""),
        // An image or container that is called sandboxd says nothing.
        plain("initContainers: [{name: sandboxd, image: ghcr.io/acme/sandboxd}]\n"),
        // Former values of the runtime annotation route nothing.
        manifest("sandbox.cocoonstack.io/runtime: standard", ""),
    ];
    for text in fine {
        assert_eq!(codes(&findings(&text, &world)), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn fixes_mend_what_they_are_for() {
    let world = World::assumed();
    let flow = "kind: Sandbox\nmetadata: {name: web}\nspec: {podTemplate: {spec: {nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}, containers: [{name: a, image: a}]}}}\n";
    let json = r#"{"kind": "Sandbox", "metadata": {"name": "web"}, "spec": {"podTemplate": {"spec": {"nodeSelector": {"sandbox.cocoonstack.io/runtime": "sandbox"}, "containers": [{"name": "a", "image": "a"}]}}}}"#;
    let broken = [
        sandboxd(SELECTOR),
        sandboxd(&format!("{SELECTOR}tolerations:\n- key: dedicated\n  operator: Exists\n")),
        sandboxd(&format!("{SELECTOR}tolerations:\n  -   key: dedicated\n")),
        sandboxd(&format!("{SELECTOR}tolerations: []\n")),
        sandboxd(&format!("{SELECTOR}tolerations: [{{key: dedicated}}]\n")),
        sandboxd(&format!("{SELECTOR}tolerations:\n  - effect: NoSchedule\n    key: virtual-kubelet.io/provider\n")),
        sandboxd(&format!(
            "{SELECTOR}tolerations: [{{key: virtual-kubelet.io/provider, operator: Exists, effect: \"NoExecute\"}}]\n"
        )),
        sandboxd(&format!("nodeSelector: {{'sandbox.cocoonstack.io/runtimes': 'sandboxd'}}\n{TOLERATION}")),
        sandboxd(&format!("nodeSelector:\n  sandbox.cocoonstack.io/runtime: \"Sandboxd\"\n{TOLERATION}")),
        sandboxd(""),
        sandboxd(TOLERATION),
        flow.to_owned(),
        json.to_owned(),
    ];
    for text in broken {
        let mut fixed = text.clone();
        for _ in 0..3 {
            let out = findings(&fixed, &world);
            let Some(fix) = out.list.iter().find_map(|finding| finding.fix.clone()) else { break };
            assert_eq!(fix.applicability, Applicability::Safe, "{fixed}");
            for edit in fix.edits.iter().rev() {
                fixed.replace_range(edit.span.range(), &edit.text);
            }
        }
        let out = findings(&fixed, &world);
        assert_eq!(codes(&out), Vec::<&str>::new(), "{text}\nbecame\n{fixed}");
        assert!(out.stop.is_none(), "{fixed}");
    }
}

#[test]
fn only_what_every_cluster_does_is_an_error() {
    let world = World::assumed();
    let severity = |text: &str| findings(text, &world).list.iter().map(|finding| finding.severity).max();
    let both = format!("{SELECTOR}{TOLERATION}");
    let request = |amount: &str| sandboxd(&format!("{both}resources: {{requests: {{memory: {amount}}}}}\n"));
    assert_eq!(severity(&request("9Ti")), Some(Severity::Warning));
    assert_eq!(severity(&plain("resources: {requests: {memory: 64Gi}}\n")), Some(Severity::Note));
    let storage =
        format!("{both}initContainers: [{{name: a, image: a, resources: {{limits: {{ephemeral-storage: 1Gi}}}}}}]\n");
    assert_eq!(severity(&sandboxd(&storage)), Some(Severity::Error));
    assert_eq!(severity(&plain("nodeSelector: {type: virtual-kubelet}\n")), Some(Severity::Warning));
    assert_eq!(severity(&sandboxd(&format!("{both}schedulerName: volcano\n"))), Some(Severity::Warning));
}

#[test]
fn a_snapshot_counts_real_nodes() {
    let nodes = "kind: NodeList\nitems:\n- {kind: Node, metadata: {name: worker-1, labels: {kubernetes.io/hostname: worker-1}}, status: {allocatable: {cpu: '2', memory: 4Gi, pods: '9'}}}\n";
    let world = World::from_snapshot([nodes]).expect("a snapshot");
    let out = findings(&plain("nodeSelector: {kubernetes.io/hostname: workr-1}\n"), &world);
    let finding = &out.list[0];
    assert_eq!((finding.rule.code, finding.severity), ("SB301", Severity::Error));
    assert_eq!(finding.message, "0 of 1 nodes match `kubernetes.io/hostname: workr-1`; nearest: worker-1");
    let out = findings(&sandboxd(&format!("{SELECTOR}{TOLERATION}")), &world);
    assert_eq!(out.list[0].message, "none of the 1 nodes is one of vk-sandbox");
    assert!(out.stop.is_some_and(|stop| stop.certain));
}

/// Nodes as kubectl prints them: name, whether cordoned, taint key, cpu.
fn cluster(nodes: &[(&str, bool, &str, &str)]) -> World {
    let node = |(name, cordoned, taint, cpu): &(&str, bool, &str, &str)| {
        let (labels, taints) = match *taint {
            "" => (String::new(), String::new()),
            "sandboxd" => (
                "sandbox.cocoonstack.io/runtime: sandboxd".to_owned(),
                "{key: virtual-kubelet.io/provider, value: sandboxd, effect: NoSchedule}".to_owned(),
            ),
            other => (String::new(), format!("{{key: {other}, effect: NoSchedule}}")),
        };
        format!(
            "kind: Node\nmetadata: {{name: {name}, labels: {{{labels}}}}}\nspec: {{unschedulable: {cordoned}, taints: [{taints}]}}\nstatus: {{allocatable: {{cpu: '{cpu}', memory: 8Gi, pods: '110'}}}}\n"
        )
    };
    let text: Vec<String> = nodes.iter().map(node).collect();
    World::from_snapshot([text.join("---\n").as_str()]).expect("nodes")
}

#[test]
fn a_pod_that_no_node_of_a_snapshot_takes_is_never_passed_over() {
    let full = [("a", true, "", "8"), ("b", false, "gpu", "8"), ("c", false, "", "1")];
    let demanding = "resources: {requests: {cpu: 2}}";
    for (nodes, manifest, code) in [
        (&full[..], plain(demanding), "SB322"),
        (&full[..2], plain(demanding), "SB322"),
        (&full[2..], plain(demanding), "SB320"),
        (&[("v", false, "sandboxd", "8")], sandboxd("dnsPolicy: Default"), "SB305"),
        (&[("v", true, "sandboxd", "8")], sandboxd(&format!("{SELECTOR}{TOLERATION}")), "SB322"),
    ] {
        let out = findings(&manifest, &cluster(nodes));
        let errors: Vec<&str> =
            out.list.iter().filter(|one| one.severity == Severity::Error).map(|one| one.rule.code).collect();
        assert_eq!(errors, [code], "{nodes:?}\n{manifest}");
        let stop = out.stop.as_ref().expect("the Pod waits");
        assert!(stop.certain && stop.reason.as_deref() == Some("Unschedulable"), "{stop:?}");
    }
}
