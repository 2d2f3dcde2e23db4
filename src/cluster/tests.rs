//! What a snapshot knows, and what it does not.

use super::{SnapshotError, World};

const EXAMPLE: &str = include_str!("../../testdata/cluster.yaml");

#[test]
fn a_list_of_many_kinds_is_read() {
    let world = World::from_snapshot([EXAMPLE]).expect("the example");
    let names: Vec<&str> = world.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["worker-a", "vk-sandboxd"]);
    assert_eq!(world.backend_of(&world.nodes[0]).map(|backend| backend.name.as_str()), Some("kubelet"));
    assert_eq!(world.backend_of(&world.nodes[1]).map(|backend| backend.name.as_str()), Some("sandboxd"));
    assert!(world.has_real_nodes());
    let snapshot = world.snapshot.as_ref().expect("a snapshot");
    assert_eq!(snapshot.pods[0].requests.get("cpu"), Some(&3000));
    assert_eq!(snapshot.pods[0].host_ports[0].port, 5432);
    assert_eq!(snapshot.has_runtime_class("gvisor"), Some(true));
    assert_eq!(snapshot.has_runtime_class("kata"), Some(false));
    assert_eq!(snapshot.runtime_class("gvisor").map(|class| class.handler.as_str()), Some("runsc"));
    assert_eq!(snapshot.has_priority_class("system-node-critical"), Some(true));
    assert_eq!(snapshot.config_map_keys("default", "agent-settings").map(|keys| keys.contains("mode")), Some(true));
    assert_eq!(
        snapshot.pod_with_annotation("vm.cocoonstack.io/name", "database").map(|pod| pod.name.as_str()),
        Some("database")
    );
}

#[test]
fn what_is_not_in_the_snapshot_is_not_known() {
    let world = World::from_snapshot([EXAMPLE]).expect("the example");
    let snapshot = world.snapshot.expect("a snapshot");
    assert_eq!(snapshot.has_template("default", "web"), None);
    assert_eq!(snapshot.has_cocoon_webhook(), None);
    assert_eq!(snapshot.class_waits_for_pod(""), None);
    // Secrets of one namespace say nothing of another.
    assert_eq!(snapshot.has_secret("default", "nope"), Some(false));
    assert_eq!(snapshot.has_secret("agents", "nope"), None);
}

#[test]
fn a_typed_list_without_items_still_covers_its_kind() {
    let world =
        World::from_snapshot(["apiVersion: node.k8s.io/v1\nkind: RuntimeClassList\nitems: []\n"]).expect("a list");
    assert!(!world.has_real_nodes());
    assert_eq!(world.nodes.len(), World::assumed().nodes.len());
    assert_eq!(world.snapshot.and_then(|snapshot| snapshot.has_runtime_class("kata")), Some(false));
}

#[test]
fn several_files_streams_and_json_make_one_world() {
    let stream = "kind: Namespace\nmetadata: {name: agents, labels: {team: a}}\n---\nkind: SandboxWarmPool\nmetadata: {name: pool, namespace: agents}\nspec: {replicas: 3, sandboxTemplateRef: {name: web}}\n";
    let json = r#"{"kind": "MutatingWebhookConfiguration", "metadata": {"name": "cocoon"}, "webhooks": [{"name": "pods.mutate.cocoonstack.io"}]}"#;
    let pools = "kind: NodeInventory\nmetadata: {name: vk-sandboxd}\nstatus: {pools: [{key: {template: rt, size: large}, warm: 2}]}\n";
    let world = World::from_snapshot([stream, json, pools]).expect("three texts");
    assert!(world.webhook.is_some());
    assert_eq!((world.sandboxd_pools[0].template.as_str(), world.sandboxd_pools[0].size.as_str()), ("rt", "large"));
    let snapshot = world.snapshot.expect("a snapshot");
    assert_eq!(
        snapshot.namespace_labels("agents").and_then(|labels| labels.get("team")).map(String::as_str),
        Some("a")
    );
    assert_eq!(
        snapshot.warm_pool("agents", "pool").map(|pool| (pool.template.as_str(), pool.replicas)),
        Some(("web", 3))
    );
    assert_eq!(snapshot.has_cocoon_webhook(), Some(true));
}

#[test]
fn values_of_secrets_are_not_kept() {
    let world = World::from_snapshot([EXAMPLE]).expect("the example");
    assert!(!format!("{world:?}").contains("eA=="));
}

#[test]
fn texts_that_are_no_snapshot_are_refused() {
    assert_eq!(World::from_snapshot(["a: b\n"]).unwrap_err(), SnapshotError::Empty { file: 0 });
    let empty = r#"{"apiVersion":"v1","kind":"List","items":[]}"#;
    assert_eq!(World::from_snapshot([empty]).unwrap_err(), SnapshotError::Empty { file: 0 });
    assert!(World::from_snapshot([empty, EXAMPLE]).is_ok());
    let nameless = SnapshotError::Nameless { file: 0, kind: "Node".to_owned() };
    assert_eq!(World::from_snapshot(["kind: Node\nmetadata: {name: 5}\n"]).unwrap_err(), nameless);
    assert!(matches!(World::from_snapshot([EXAMPLE, "a: [\n"]).unwrap_err(), SnapshotError::Syntax { file: 1, .. }));
}
