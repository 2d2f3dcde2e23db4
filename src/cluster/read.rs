//! Reads a snapshot from what kubectl prints.

use super::demand::Demand;
use super::label_selector::{self, Labels};
use super::limit_range::LimitRange;
use super::quota::ResourceQuota;
use super::requests;
use super::snapshot::{PriorityClass, RunningPod, RuntimeClass, Snapshot, WarmPool};
use super::table::Origin;
use super::volume::{PersistentVolume, Requirement, StorageClass, VolumeClaim};
use super::{SandboxdPool, Webhook, World};
use crate::contract::{NodeShape, Taint};
use crate::yaml::{self, Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Why a snapshot cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// A text is neither YAML nor JSON.
    #[error("snapshot {file} is not readable: {reason}")]
    Syntax {
        /// Index of the text, from 0.
        file: usize,
        /// What is wrong with it, with its place.
        reason: String,
    },
    /// A text holds no Kubernetes object.
    #[error("snapshot {file} holds no Kubernetes object; write it with kubectl get … -A -o yaml")]
    Empty {
        /// Index of the text, from 0.
        file: usize,
    },
    /// An object has no name, so it is none that kubectl prints.
    #[error("snapshot {file} holds a {kind} without a name")]
    Nameless {
        /// Index of the text, from 0.
        file: usize,
        /// Its kind.
        kind: String,
    },
}

impl World {
    /// The world of a real cluster, from the texts of `kubectl get … -A -o yaml` or `-o json`: lists, single objects
    /// and streams of both. Kinds that are missing keep what is assumed of them; without any Node the assumed nodes
    /// stay.
    ///
    /// # Errors
    ///
    /// A text that is no YAML or JSON, or holds no object, or one without a name.
    pub fn from_snapshot<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, SnapshotError> {
        let mut reader = Reader::default();
        for (file, text) in texts.into_iter().enumerate() {
            reader.read(file, text)?;
        }
        if reader.objects == 0 {
            return Err(SnapshotError::Empty { file: 0 });
        }
        let mut world = Self::assumed();
        if reader.snapshot.nodes_known {
            world.nodes = reader.nodes;
        }
        if let Some(minor) = reader.kube_minor {
            world.kube_minor = minor;
        }
        if reader.snapshot.has_cocoon_webhook() == Some(true) {
            world.webhook = Some(Webhook::default());
        }
        reader.pools.sort();
        reader.pools.dedup();
        world.sandboxd_pools = reader.pools;
        world.snapshot = Some(reader.snapshot);
        Ok(world)
    }
}

#[derive(Default)]
struct Reader {
    nodes: Vec<NodeShape>,
    pools: Vec<SandboxdPool>,
    kube_minor: Option<u32>,
    snapshot: Snapshot,
    /// How many objects there are, a typed list without items counting as one.
    objects: usize,
    /// The kind of the first object without a name.
    nameless: Option<String>,
}

impl Reader {
    fn read(&mut self, file: usize, text: &str) -> Result<(), SnapshotError> {
        let stream = yaml::parse(text, &yaml::Options::default());
        let (mut objects, mut lists) = (0, 0);
        for document in &stream.documents {
            match &document.content {
                Ok(root) => {
                    lists += usize::from(root.get("kind").and_then(Node::as_str) == Some("List"));
                    objects += self.tree(root);
                }
                Err(error) => return Err(SnapshotError::Syntax { file, reason: error.message.clone() }),
            }
        }
        self.objects += objects;
        match self.nameless.take() {
            Some(kind) => Err(SnapshotError::Nameless { file, kind }),
            // `kubectl get secrets -A -o json` prints such a list where there are none; it means nothing.
            None if objects + lists == 0 => Err(SnapshotError::Empty { file }),
            None => Ok(()),
        }
    }

    /// Reads an object or a list of objects; answers how many there were.
    fn tree(&mut self, root: &Node<'_>) -> usize {
        let Some(kind) = text(root, "kind") else { return 0 };
        match (kind.strip_suffix("List"), root.get("items")) {
            (Some(of), Some(items)) => {
                self.cover(of);
                items.items().for_each(|item| self.object(item, text(item, "kind").unwrap_or(of)));
                items.items().count().max(usize::from(!of.is_empty()))
            }
            _ => {
                self.object(root, kind);
                1
            }
        }
    }

    /// Notes the kind of a typed list, which is known even when the list is empty.
    fn cover(&mut self, kind: &str) {
        let snapshot = &mut self.snapshot;
        match kind {
            "Node" => snapshot.nodes_known = true,
            "Namespace" => snapshot.namespaces.cover(),
            "RuntimeClass" => snapshot.runtime_classes.cover(),
            "PriorityClass" => snapshot.priority_classes.cover(),
            "ServiceAccount" => snapshot.service_accounts.cover(),
            "ConfigMap" => snapshot.config_maps.cover(),
            "Secret" => snapshot.secrets.cover(),
            "PersistentVolumeClaim" => snapshot.claims.cover(),
            "StorageClass" => snapshot.storage_classes.cover(),
            "PersistentVolume" => snapshot.volumes.cover(),
            "ResourceQuota" => snapshot.quotas.cover(),
            "LimitRange" => snapshot.limit_ranges.cover(),
            "SandboxClaim" => snapshot.sandbox_claims.cover(),
            "Sandbox" => snapshot.sandboxes.cover(),
            "SandboxTemplate" => snapshot.templates.cover(),
            "SandboxWarmPool" => snapshot.warm_pools.cover(),
            "MutatingWebhookConfiguration" => {
                snapshot.webhooks.get_or_insert_default();
            }
            _ => {}
        }
    }

    fn object(&mut self, object: &Node<'_>, kind: &str) {
        let metadata = |field: &str| object.at(&["metadata", field]).and_then(Node::as_str).unwrap_or_default();
        let (namespace, name) = (metadata("namespace"), metadata("name"));
        if name.is_empty() {
            self.nameless.get_or_insert_with(|| kind.to_owned());
            return;
        }
        let snapshot = &mut self.snapshot;
        if around_the_pod(snapshot, object, kind, (namespace, name), None) {
            return;
        }
        match kind {
            "Node" => self.node(object, name),
            "Pod" => snapshot.pods.extend(pod(object, namespace, name)),
            "Sandbox" => snapshot.sandboxes.insert(namespace, name, (), None),
            "SandboxClaim" => snapshot.sandbox_claims.insert(namespace, name, (), None),
            "SandboxTemplate" => snapshot.templates.insert(namespace, name, (), None),
            "SandboxWarmPool" => snapshot.warm_pools.insert(namespace, name, warm_pool(object), None),
            "NodeInventory" => sandboxd_pools(object, &mut self.pools),
            "MutatingWebhookConfiguration" => {
                let names = object.get("webhooks").into_iter().flat_map(Node::items);
                let names = names.filter_map(|webhook| text(webhook, "name")).map(str::to_owned);
                snapshot.webhooks.get_or_insert_default().extend(names);
            }
            _ => {}
        }
    }

    fn node(&mut self, object: &Node<'_>, name: &str) {
        self.snapshot.nodes_known = true;
        self.nodes.push(node_shape(object, name));
        let version = object.at(&["status", "nodeInfo", "kubeletVersion"]).and_then(Node::as_str);
        self.kube_minor = self.kube_minor.max(version.and_then(minor));
    }
}

/// A node with its labels, its taints and what it has to give.
pub(super) fn node_shape(object: &Node<'_>, name: &str) -> NodeShape {
    let taint = |item: &Node<'_>| {
        let field = |key: &str| text(item, key).unwrap_or_default().to_owned();
        Taint { key: field("key"), value: field("value"), effect: field("effect") }
    };
    let taints = object.at(&["spec", "taints"]).into_iter().flat_map(Node::items).map(taint).collect();
    let status = |list: &str| object.at(&["status", list]).map(|list| texts(Some(list)));
    NodeShape {
        name: name.to_owned(),
        labels: texts(object.at(&["metadata", "labels"])),
        taints,
        allocatable: status("allocatable").or_else(|| status("capacity")).unwrap_or_default(),
        unschedulable: object.at(&["spec", "unschedulable"]).and_then(Node::as_bool) == Some(true),
    }
}

/// Takes an object that Pods refer to or that admission asks: of a snapshot, or of a file of the run. Answers whether
/// the kind is one of those.
pub(super) fn around_the_pod(
    snapshot: &mut Snapshot,
    object: &Node<'_>,
    kind: &str,
    (namespace, name): (&str, &str),
    origin: Option<Origin>,
) -> bool {
    let key_sets = |fields: &[&str]| keys(object, fields);
    match kind {
        "Namespace" => snapshot.namespaces.insert("", name, texts(object.at(&["metadata", "labels"])), origin),
        "RuntimeClass" => snapshot.runtime_classes.insert("", name, runtime_class(object), origin),
        "PriorityClass" => snapshot.priority_classes.insert("", name, priority_class(object), origin),
        "StorageClass" => snapshot.storage_classes.insert("", name, storage_class(object), origin),
        "PersistentVolume" => snapshot.volumes.insert("", name, volume(object), origin),
        "ServiceAccount" => snapshot.service_accounts.insert(namespace, name, (), origin),
        "ConfigMap" => snapshot.config_maps.insert(namespace, name, key_sets(&["data", "binaryData"]), origin),
        "Secret" => snapshot.secrets.insert(namespace, name, key_sets(&["data", "stringData"]), origin),
        "PersistentVolumeClaim" => {
            snapshot.claims.insert(namespace, name, volume_claim(object, origin.is_some()), origin);
        }
        "ResourceQuota" => snapshot.quotas.insert(namespace, name, ResourceQuota::read(object), origin),
        "LimitRange" => snapshot.limit_ranges.insert(namespace, name, LimitRange::read(object), origin),
        _ => return false,
    }
    true
}

/// The minor release of a version such as `v1.36.2`.
fn minor(version: &str) -> Option<u32> {
    version.strip_prefix("v1.")?.split('.').next()?.parse().ok()
}

fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty())
}

/// A mapping of texts and whole numbers as texts.
fn texts(map: Option<&Node<'_>>) -> BTreeMap<String, String> {
    let read = |value: &Node<'_>| match &value.value {
        Value::String(text) => Some(text.to_string()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    };
    map.into_iter()
        .flat_map(Node::entries)
        .filter_map(|entry| Some((entry.key.to_string(), read(&entry.value)?)))
        .collect()
}

fn keys(object: &Node<'_>, fields: &[&str]) -> BTreeSet<String> {
    let maps = fields.iter().filter_map(|field| object.get(field));
    maps.flat_map(Node::entries).map(|entry| entry.key.to_string()).collect()
}

/// A Pod that is not finished.
fn pod(object: &Node<'_>, namespace: &str, name: &str) -> Option<RunningPod> {
    let phase = object.at(&["status", "phase"]).and_then(Node::as_str);
    if matches!(phase, Some("Succeeded" | "Failed")) {
        return None;
    }
    let spec = object.get("spec")?;
    let labels: Labels = texts(object.at(&["metadata", "labels"]));
    let demand = Demand::read(namespace, labels, spec, None);
    let mut annotations: Labels = texts(object.at(&["metadata", "annotations"]));
    annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
    Some(RunningPod {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        node: text(spec, "nodeName").unwrap_or_default().to_owned(),
        priority: spec.get("priority").and_then(Node::as_int).unwrap_or(0),
        requests: demand.requests,
        host_ports: demand.host_ports,
        anti_affinity: demand.pod_anti_affinity,
        labels: demand.labels,
        annotations,
    })
}

fn runtime_class(object: &Node<'_>) -> RuntimeClass {
    RuntimeClass {
        handler: text(object, "handler").unwrap_or_default().to_owned(),
        overhead: requests::of_node(object.at(&["overhead", "podFixed"])),
        node_selector: texts(object.at(&["scheduling", "nodeSelector"])),
        tolerations: object
            .at(&["scheduling", "tolerations"])
            .into_iter()
            .flat_map(Node::items)
            .map(|item| texts(Some(item)))
            .collect(),
    }
}

fn priority_class(object: &Node<'_>) -> PriorityClass {
    PriorityClass {
        value: object.get("value").and_then(Node::as_int).unwrap_or(0),
        is_default: object.get("globalDefault").and_then(Node::as_bool) == Some(true),
        never_preempts: text(object, "preemptionPolicy") == Some("Never"),
    }
}

/// A claim in a file is bound by all that is known once the cluster has it; one of a snapshot says so itself.
fn volume_claim(object: &Node<'_>, is_written: bool) -> VolumeClaim {
    let spec = |field: &str| object.at(&["spec", field]).and_then(Node::as_str).unwrap_or_default().to_owned();
    let volume = spec("volumeName");
    let bound = object.at(&["status", "phase"]).and_then(Node::as_str) == Some("Bound") || !volume.is_empty();
    let modes = object.at(&["spec", "accessModes"]).into_iter().flat_map(Node::items);
    let is_for_one_pod = modes.filter_map(Node::as_str).any(|mode| mode == "ReadWriteOncePod");
    VolumeClaim { bound: bound || is_written, volume, class: spec("storageClassName"), is_for_one_pod }
}

fn volume(object: &Node<'_>) -> PersistentVolume {
    let requirement = |item: &Node<'_>| Requirement {
        key: text(item, "key").unwrap_or_default().to_owned(),
        operator: text(item, "operator").unwrap_or_default().to_owned(),
        values: label_selector::texts(item.get("values")),
    };
    let term =
        |item: &Node<'_>| item.get("matchExpressions").into_iter().flat_map(Node::items).map(requirement).collect();
    let terms = object.at(&["spec", "nodeAffinity", "required", "nodeSelectorTerms"]);
    PersistentVolume { terms: terms.map(|terms| terms.items().map(term).collect()) }
}

fn storage_class(object: &Node<'_>) -> StorageClass {
    let annotations = texts(object.at(&["metadata", "annotations"]));
    let is_default =
        annotations.get("storageclass.kubernetes.io/is-default-class").is_some_and(|value| value == "true");
    StorageClass { waits_for_pod: text(object, "volumeBindingMode") == Some("WaitForFirstConsumer"), is_default }
}

fn warm_pool(object: &Node<'_>) -> WarmPool {
    let template = object.at(&["spec", "sandboxTemplateRef", "name"]).and_then(Node::as_str).unwrap_or_default();
    let replicas = object.at(&["spec", "replicas"]).and_then(Node::as_int).unwrap_or(1);
    WarmPool { template: template.to_owned(), replicas }
}

/// Pools in a NodeInventory: wherever its spec or status lists mappings that name a template.
fn sandboxd_pools(object: &Node<'_>, pools: &mut Vec<SandboxdPool>) {
    let lists = ["status", "spec"].into_iter().filter_map(|part| object.get(part)?.get("pools"));
    for pool in lists.flat_map(Node::items) {
        let key = pool.get("key").unwrap_or(pool);
        let field = |name: &str, default: &str| text(key, name).unwrap_or(default).to_owned();
        if let Some(template) = text(key, "template") {
            let (net, size) = (field("net", "none"), field("size", "small"));
            pools.push(SandboxdPool { template: template.to_owned(), net, size });
        }
    }
}
