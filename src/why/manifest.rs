//! From live objects back to the manifests that they were made from, for the linter to judge.

use super::live::{owner, text};
use serde_json::{Map, Value, json};

/// Metadata that only the API server and controllers write.
const SERVER_METADATA: [&str; 9] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
    "selfLink",
    "ownerReferences",
];

/// Annotations that kubectl and controllers write, not authors.
const SERVER_ANNOTATIONS: [&str; 3] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "opentelemetry.io/trace-context",
    "deployment.kubernetes.io/revision",
];

/// Prefixes of keys that agent-sandbox writes.
const CONTROLLER_PREFIXES: [&str; 3] = ["agents.x-k8s.io/", "extensions.agents.x-k8s.io/", "api.agents.x-k8s.io/"];

/// The annotation of a Sandbox that a controller reads from its author.
const POD_NAME: &str = "agents.x-k8s.io/pod-name";

/// A live object as its author wrote it, as far as that can be known: without status and what the server sets.
pub fn authored(object: &Value) -> Value {
    let mut manifest = object.clone();
    if let Value::Object(fields) = &mut manifest {
        fields.remove("status");
        if let Some(metadata) = fields.get_mut("metadata") {
            clean(metadata);
        }
        if let Some(metadata) = fields.get_mut("spec").and_then(|spec| spec.get_mut("podTemplate")?.get_mut("metadata"))
        {
            clean(metadata);
        }
    }
    manifest
}

fn clean(metadata: &mut Value) {
    let Value::Object(fields) = metadata else { return };
    for field in SERVER_METADATA {
        fields.remove(field);
    }
    for map in ["labels", "annotations"] {
        let Some(Value::Object(entries)) = fields.get_mut(map) else { continue };
        entries.retain(|key, _| {
            key == POD_NAME
                || !(SERVER_ANNOTATIONS.contains(&key.as_str())
                    || CONTROLLER_PREFIXES.iter().any(|prefix| key.starts_with(prefix)))
        });
        if entries.is_empty() {
            fields.remove(map);
        }
    }
}

/// A Pod as it was created: without what admission plugins and the scheduler put in.
pub fn created_pod(pod: &Value) -> Value {
    let mut manifest = authored(pod);
    let Some(Value::Object(spec)) = manifest.get_mut("spec") else { return manifest };
    // The scheduler binds a Pod by this field; whether the author wrote it cannot be known.
    spec.remove("nodeName");
    // What the admission plugin Priority computes.
    spec.remove("priority");
    spec.remove("preemptionPolicy");
    drop_items(spec, "tolerations", is_default_toleration);
    drop_items(spec, "volumes", |volume| text(&volume["name"]).starts_with("kube-api-access-"));
    for list in ["containers", "initContainers"] {
        for container in spec.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Value::Object(container) = container {
                drop_items(container, "volumeMounts", |mount| text(&mount["name"]).starts_with("kube-api-access-"));
            }
        }
    }
    manifest
}

/// Tolerations that the admission plugin DefaultTolerationSeconds adds to every Pod.
fn is_default_toleration(toleration: &Value) -> bool {
    ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].contains(&text(&toleration["key"]))
        && toleration["tolerationSeconds"] == 300
}

fn drop_items(map: &mut Map<String, Value>, field: &str, drop: impl Fn(&Value) -> bool) {
    if let Some(Value::Array(items)) = map.get_mut(field) {
        items.retain(|item| !drop(item));
        if items.is_empty() {
            map.remove(field);
        }
    }
}

/// The Sandbox that a Pod was made from, where only the Pod is known.
pub fn sandbox_of_pod(pod: &Value) -> Option<Value> {
    let name = owner(pod, "Sandbox")?;
    let created = created_pod(pod);
    let mut metadata = json!({"name": name, "namespace": pod["metadata"]["namespace"]});
    if text(&pod["metadata"]["name"]) != name {
        metadata["annotations"] = json!({POD_NAME: pod["metadata"]["name"]});
    }
    let mut template = Map::new();
    let copied = ["labels", "annotations"].into_iter();
    let copied = copied.filter_map(|map| Some((map.to_owned(), created["metadata"].get(map)?.clone())));
    let copied: Map<String, Value> = copied.collect();
    if !copied.is_empty() {
        template.insert("metadata".to_owned(), copied.into());
    }
    template.insert("spec".to_owned(), created["spec"].clone());
    Some(json!({
        "apiVersion": "agents.x-k8s.io/v1beta1",
        "kind": "Sandbox",
        "metadata": metadata,
        "spec": {"podTemplate": template},
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_sets_is_taken_out() {
        let live = json!({
            "kind": "Sandbox",
            "metadata": {"name": "web", "uid": "1", "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
                "labels": {"agents.x-k8s.io/warm-pool-sandbox": "x", "app": "web"}},
            "spec": {"podTemplate": {"metadata": {"labels": {"agents.x-k8s.io/sandbox-template-hash": "1"}}, "spec": {}}},
            "status": {"conditions": []},
        });
        let expected = json!({
            "kind": "Sandbox",
            "metadata": {"name": "web", "labels": {"app": "web"}},
            "spec": {"podTemplate": {"metadata": {}, "spec": {}}},
        });
        assert_eq!(authored(&live), expected);
    }

    #[test]
    fn a_pod_becomes_the_sandbox_that_made_it() {
        let pod = json!({
            "metadata": {"name": "web", "namespace": "lab", "annotations": {"a": "b"},
                "ownerReferences": [{"kind": "Sandbox", "name": "web"}]},
            "spec": {
                "nodeName": "vk", "priority": 0, "preemptionPolicy": "PreemptLowerPriority",
                "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
                "volumes": [{"name": "kube-api-access-x", "projected": {}}],
                "containers": [{"name": "c", "volumeMounts": [{"name": "kube-api-access-x", "mountPath": "/x"}]}],
            },
            "status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "True"}]},
        });
        let sandbox = sandbox_of_pod(&pod).expect("a Sandbox");
        let template = json!({"metadata": {"annotations": {"a": "b"}}, "spec": {"containers": [{"name": "c"}]}});
        assert_eq!(sandbox["spec"]["podTemplate"], template);
        assert_eq!(sandbox["metadata"], json!({"name": "web", "namespace": "lab"}));
    }
}
