//! One table for all filters: a Pod spec, and what the scheduler says of it on the assumed nodes or on a snapshot.

use super::{plan, resource};
use crate::cluster::World;
use crate::stage::scheduling::{Placement, place};

const SELECTED: &str = "nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}
tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}]
";
const UNHELPFUL: &str =
    " no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";

/// Where a Pod with this spec goes; a container is added where the text names none.
fn placed(world: &World, spec: &str) -> Placement {
    let containers = if spec.contains("containers:") { "" } else { "containers: [{name: agent, image: a}]\n" };
    let lines: String = format!("{spec}{containers}").lines().map(|line| format!("      {line}\n")).collect();
    let labels = "    metadata: {labels: {app: web}}\n";
    let head = "kind: Sandbox\nmetadata: {name: web}\nspec:\n  podTemplate:\n";
    let text = format!("{head}{labels}    spec:\n{lines}");
    let resource = resource(&text).expect("a Sandbox");
    place(&plan(&resource), world)
}

fn message(world: &World, spec: &str) -> String {
    placed(world, spec).message.unwrap_or_default()
}

fn node(world: &World, spec: &str) -> Option<String> {
    placed(world, spec).node
}

#[test]
fn resources_are_summed_as_the_scheduler_does() {
    let world = World::assumed();
    let short = |resource: &str| {
        format!(
            "0/3 nodes are available: 1 Insufficient {resource}, 2 node(s) didn't match Pod's node affinity/selector.{UNHELPFUL}"
        )
    };
    let with = |containers: &str| message(&world, &format!("{SELECTED}{containers}\n"));
    assert_eq!(with("containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]"), short("nvidia.com/gpu"));
    assert_eq!(
        with("containers: [{name: a, resources: {requests: {ephemeral-storage: 1Mi}}}]"),
        short("ephemeral-storage")
    );
    let two =
        "containers: [{name: a, resources: {requests: {cpu: 2500}}}, {name: b, resources: {requests: {cpu: 1501}}}]";
    assert_eq!(with(two), short("cpu"));
    let init = "initContainers: [{name: i, resources: {requests: {memory: 9Ti}}}]\ncontainers: [{name: a}]";
    assert_eq!(with(init), short("memory"));
    let sidecar = "initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: 3000}}}]
containers: [{name: a, resources: {requests: {cpu: 1001}}}]";
    assert_eq!(with(sidecar), short("cpu"));
    let init_only = "initContainers: [{name: i, resources: {requests: {cpu: 3000}}}]
containers: [{name: a, resources: {requests: {cpu: 1001}}}]";
    assert_eq!(with(init_only), "");
    assert_eq!(with("resources: {requests: {cpu: 4001}}\ncontainers: [{name: a}]"), short("cpu"));
    assert_eq!(
        with("resources: {requests: {cpu: 1}}\ncontainers: [{name: a, resources: {requests: {cpu: 5000}}}]"),
        ""
    );
    let both = with("containers: [{name: a, resources: {requests: {cpu: 5k, memory: 9Ti}}}]");
    assert!(
        both.starts_with("0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 2 node(s)"),
        "{both}"
    );
    assert_eq!(with("containers: [{name: a, resources: {requests: {cpu: 1E}}}]"), "");
}

#[test]
fn node_affinity_knows_terms_names_and_numbers() {
    let world = World::assumed();
    let required = |terms: &str| {
        format!(
            "tolerations: [{{operator: Exists}}]\naffinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: {terms}}}}}}}\n"
        )
    };
    let named = |operator: &str, name: &str| format!("{{key: metadata.name, operator: {operator}, values: [{name}]}}");
    let conflict =
        required(&format!("[{{matchFields: [{}, {}]}}]", named("In", "worker-1"), named("In", "vk-sandboxd")));
    assert_eq!(message(&world, &conflict), "0/3 nodes are available: pod affinity terms conflict. not found");
    let union = required(&format!(
        "[{{matchFields: [{}]}}, {{matchFields: [{}]}}]",
        named("In", "nope"),
        named("In", "cocoon-pool")
    ));
    assert_eq!(node(&world, &union).as_deref(), Some("cocoon-pool"));
    let others =
        required(&format!("[{{matchFields: [{}, {}]}}]", named("NotIn", "worker-1"), named("NotIn", "cocoon-pool")));
    assert_eq!(node(&world, &others).as_deref(), Some("vk-sandboxd"));
    let tainted =
        required(&format!("[{{matchFields: [{}]}}]", named("In", "vk-sandboxd"))).replace("[{operator: Exists}]", "[]");
    let words = "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't satisfy plugin(s) [NodeAffinity].";
    assert_eq!(message(&world, &tainted), format!("{words}{UNHELPFUL}"));
    let role = required("[{matchExpressions: [{key: node-role.kubernetes.io/cocoon-vm, operator: Exists}]}]");
    assert_eq!(node(&world, &role).as_deref(), Some("cocoon-pool"));
    let empty = required("[{}]");
    assert!(message(&world, &empty).contains("3 node(s) didn't match Pod's node affinity/selector"));
}

#[test]
fn numbers_compare_as_whole_numbers() {
    let mut world = World::assumed();
    world.nodes[0].labels.insert("cores".into(), "16".into());
    let bound = |operator: &str, value: &str| {
        let terms = format!("[{{matchExpressions: [{{key: cores, operator: {operator}, values: [\"{value}\"]}}]}}]");
        let spec = format!(
            "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: {terms}}}}}}}\n"
        );
        node(&world, &spec).is_some()
    };
    assert!(bound("Gt", "9") && bound("Lt", "100"));
    assert!(!bound("Gt", "16") && !bound("Lt", "16") && !bound("Gt", "nine"));
}

#[test]
fn the_assumed_pool_is_the_one_that_is_asked_for() {
    let world = World::assumed();
    let tolerated = "tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}]\n";
    for pool in ["default", "gpu", "A.b-c"] {
        let spec = format!("{tolerated}nodeSelector: {{cocoonstack.io/pool: {pool}}}\n");
        assert_eq!(node(&world, &spec).as_deref(), Some("cocoon-pool"), "{pool}");
    }
    assert_eq!(node(&world, &format!("{tolerated}nodeSelector: {{cocoonstack.io/pool: \"\"}}\n")), None);
}

#[test]
fn what_holds_a_pod_has_no_message_of_nodes() {
    let world = World::assumed();
    let gated = placed(&world, &format!("{SELECTED}schedulingGates: [{{name: a.example/b}}]\n"));
    assert_eq!((gated.node, gated.message), (None, None));
    assert!(gated.hold.is_some() && gated.certain);
    let foreign = placed(&world, &format!("{SELECTED}schedulerName: volcano\n"));
    assert!(foreign.hold.is_some() && !foreign.certain);
    let pinned = placed(&world, "nodeName: cocoon-pool\n");
    assert_eq!((pinned.node.as_deref(), pinned.backend.as_deref()), (Some("cocoon-pool"), Some("vk-cocoon")));
}

#[test]
fn domains_need_their_label_and_count_pods() {
    let world = World::assumed();
    let spread = |key: &str, rest: &str| {
        format!(
            "{SELECTED}topologySpreadConstraints: [{{maxSkew: 1, topologyKey: {key}, whenUnsatisfiable: DoNotSchedule, labelSelector: {{matchLabels: {{app: web}}}}{rest}}}]\n"
        )
    };
    let missing = "1 node(s) didn't match pod topology spread constraints (missing required label)";
    assert!(message(&world, &spread("topology.kubernetes.io/zone", "")).contains(missing));
    assert_eq!(node(&world, &spread("kubernetes.io/hostname", "")).as_deref(), Some("vk-sandboxd"));
    // Without any Pod anywhere the skew is one, whatever the number of domains wanted.
    assert_eq!(node(&world, &spread("kubernetes.io/hostname", ", minDomains: 3")).as_deref(), Some("vk-sandboxd"));
}

#[test]
fn affinity_to_other_pods_needs_them_unless_it_is_to_itself() {
    let world = World::assumed();
    let near = |app: &str| {
        format!(
            "{SELECTED}affinity: {{podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: kubernetes.io/hostname, labelSelector: {{matchLabels: {{app: {app}}}}}}}]}}}}\n"
        )
    };
    assert_eq!(node(&world, &near("web")).as_deref(), Some("vk-sandboxd"));
    assert!(message(&world, &near("cache")).contains("1 node(s) didn't match pod affinity rules"));
    assert_eq!(node(&world, &near("cache").replace("podAffinity", "podAntiAffinity")).as_deref(), Some("vk-sandboxd"));
}

#[test]
fn older_releases_have_other_words() {
    let world = World { kube_minor: 31, ..World::assumed() };
    let words = "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {virtual-kubelet.io/provider: cocoon}, 1 node(s) had untolerated taint {virtual-kubelet.io/provider: sandboxd}. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
    assert_eq!(message(&world, "nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}\n"), words);
}

#[test]
fn a_pod_that_never_preempts_says_so() {
    let world = World::assumed();
    let words = message(&world, &format!("{SELECTED}preemptionPolicy: Never\nresources: {{requests: {{cpu: 9k}}}}\n"));
    assert!(
        words.ends_with(" no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never."),
        "{words}"
    );
}

const CLUSTER: &str = "
kind: List
items:
- {kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a, zone: one}}, status: {allocatable: {cpu: '2', memory: 4Gi, pods: '3'}}}
- {kind: Node, metadata: {name: b, labels: {kubernetes.io/hostname: b, zone: two}}, status: {allocatable: {cpu: '4', memory: 8Gi, pods: '1'}}}
- {kind: Node, metadata: {name: c, labels: {kubernetes.io/hostname: c}}, spec: {unschedulable: true}, status: {allocatable: {cpu: '4', memory: 8Gi, pods: '9'}}}
- kind: Pod
  metadata: {name: old, namespace: default, labels: {app: web}}
  spec: {nodeName: a, containers: [{name: a, ports: [{containerPort: 80, hostPort: 80}], resources: {requests: {cpu: 1500m}}}]}
- kind: Pod
  metadata: {name: full, namespace: other, labels: {app: web}}
  spec: {nodeName: b, containers: [{name: a}]}
- kind: Pod
  metadata: {name: done, namespace: default, labels: {app: web}}
  spec: {nodeName: a, containers: [{name: a, resources: {requests: {cpu: '2'}}}]}
  status: {phase: Succeeded}
";

#[test]
fn pods_of_a_snapshot_take_room() {
    let world = World::from_snapshot([CLUSTER]).expect("a snapshot");
    let free = placed(&world, "");
    assert_eq!((free.node.as_deref(), free.certain), (Some("a"), true));
    let rest = "1 Too many pods, 1 node(s) were unschedulable";
    let full = message(&world, "resources: {requests: {cpu: '1'}}\n");
    let victims = "preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.";
    assert_eq!(
        full,
        format!("0/3 nodes are available: 1 Insufficient cpu, {rest}. no new claims to deallocate, {victims}")
    );
    let port = message(&world, "containers: [{name: a, ports: [{containerPort: 8080, hostPort: 80}]}]\n");
    assert!(port.starts_with(&format!("0/3 nodes are available: {}", "1 Too many pods, 1 node(s) didn't have free ports for the requested pod ports, 1 node(s) were unschedulable.")), "{port}");
    let away = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}\n";
    assert!(
        message(&world, away).contains("1 node(s) didn't match pod anti-affinity rules"),
        "{}",
        message(&world, away)
    );
    let spread = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]\n";
    assert!(
        message(&world, spread).contains("1 node(s) didn't match pod topology spread constraints,"),
        "{}",
        message(&world, spread)
    );
}
