//! ResourceQuotas: what they count, which Pods they count, and how they refuse (API server, plugin ResourceQuota).

use super::label_selector;
use super::limit_range::Resources;
use super::requests::{self, Quantities, quantities};
use crate::quantity::Quantity;
use crate::yaml::Node;
use std::collections::{BTreeMap, BTreeSet};

/// A ResourceQuota.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceQuota {
    /// `spec.hard`.
    pub hard: Quantities,
    /// `status.used`; `None` where no cluster has counted yet.
    pub used: Option<Quantities>,
    /// What a Pod must be for the quota to count it.
    pub scopes: Vec<Scope>,
}

/// A scope, or a requirement of `scopeSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Such as `BestEffort` or `PriorityClass`.
    pub name: String,
    /// `Exists` for a plain scope.
    pub operator: String,
    /// Values for `In` and `NotIn`.
    pub values: Vec<String>,
}

/// A Pod as a quota sees it.
#[derive(Clone, Debug, Default)]
pub struct CountedPod {
    /// What it uses of everything that a quota can name.
    pub usage: Quantities,
    /// The containers, init containers last, with what each sets of cpu and memory; none where the Pod itself has
    /// resources, which frees its containers from setting any.
    pub containers: Vec<(String, BTreeSet<&'static str>)>,
    /// Its PriorityClass; empty where none is named.
    pub priority_class: String,
    /// Whether `activeDeadlineSeconds` is set.
    pub is_terminating: bool,
    /// Whether it requests and limits nothing of cpu and memory.
    pub is_best_effort: bool,
    /// Whether its pod affinity names other namespaces.
    pub crosses_namespaces: bool,
}

/// Resources of which every container must name its share, once a quota counts them.
const REQUIRED: [&str; 6] = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

/// Resources that Pods use.
const OF_PODS: [&str; 11] = [
    "count/pods",
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
];

/// Resources that PersistentVolumeClaims use, beside those by class.
const OF_CLAIMS: [&str; 3] = ["count/persistentvolumeclaims", "persistentvolumeclaims", "requests.storage"];

/// What stands between a class and a resource of its claims.
const CLASS_SUFFIX: &str = ".storageclass.storage.k8s.io/";

impl ResourceQuota {
    /// Reads a ResourceQuota.
    pub fn read(object: &Node<'_>) -> Self {
        let spec = |keys: &[&str]| object.get("spec").and_then(|spec| spec.at(keys)).into_iter().flat_map(Node::items);
        let text = |node: &Node<'_>, field: &str| node.get(field).and_then(Node::as_str).unwrap_or_default().to_owned();
        let plain = spec(&["scopes"]).filter_map(Node::as_str);
        let plain = plain.map(|name| Scope { name: name.into(), operator: "Exists".into(), values: Vec::new() });
        let selected = spec(&["scopeSelector", "matchExpressions"]).map(|item| Scope {
            name: text(item, "scopeName"),
            operator: text(item, "operator"),
            values: label_selector::texts(item.get("values")),
        });
        Self {
            hard: quantities(object.at(&["spec", "hard"])),
            used: object.at(&["status", "used"]).map(|used| quantities(Some(used))),
            scopes: plain.chain(selected).collect(),
        }
    }

    /// Whether the quota counts a Pod at all.
    pub fn counts(&self, pod: &CountedPod) -> bool {
        self.hard.keys().any(|name| is_of_pods(name)) && self.scopes.iter().all(|scope| scope.takes(pod))
    }

    /// Whether the quota counts PersistentVolumeClaims; no scope of Pods takes one.
    pub fn counts_claims(&self) -> bool {
        self.scopes.is_empty() && self.hard.keys().any(|name| is_of_claims(name))
    }

    /// What every container must set and some do not, in the server's words: `limits.cpu for: agent; …`.
    pub fn missing(&self, pod: &CountedPod) -> Option<String> {
        let mut missing: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for name in REQUIRED.iter().filter(|name| self.hard.contains_key(**name)) {
            for (container, _) in pod.containers.iter().filter(|(_, set)| !set.contains(name)) {
                missing.entry(name).or_default().insert(container);
            }
        }
        let words: Vec<String> = missing
            .iter()
            .map(|(name, containers)| {
                format!("{name} for: {}", containers.iter().copied().collect::<Vec<_>>().join(","))
            })
            .collect();
        (!words.is_empty()).then(|| words.join("; "))
    }

    /// The resources of which `used` and `requested` together are more than the quota allows.
    pub fn exceeded(&self, used: &Quantities, requested: &Quantities) -> Vec<&str> {
        let over = |(name, hard): (&'_ String, &'_ Quantity)| {
            let more = requested.get(name).filter(|more| !more.is_zero())?;
            let sum = used.get(name).map_or_else(|| more.clone(), |known| known.plus(more));
            Some(sum > *hard)
        };
        self.hard.iter().filter(|entry| over(*entry) == Some(true)).map(|(name, _)| name.as_str()).collect()
    }

    /// The server's words for what is exceeded: `exceeded quota: q, requested: pods=1, used: pods=8, limited: pods=8`.
    pub fn words(&self, name: &str, exceeded: &[&str], used: &Quantities, requested: &Quantities) -> String {
        let print = |list: &Quantities| {
            let zero = Quantity::zero();
            let one = |name: &&str| format!("{name}={}", list.get(*name).unwrap_or(&zero));
            exceeded.iter().map(one).collect::<Vec<_>>().join(",")
        };
        format!(
            "exceeded quota: {name}, requested: {}, used: {}, limited: {}",
            print(requested),
            print(used),
            print(&self.hard)
        )
    }
}

impl Scope {
    fn takes(&self, pod: &CountedPod) -> bool {
        match self.name.as_str() {
            "Terminating" => pod.is_terminating,
            "NotTerminating" => !pod.is_terminating,
            "BestEffort" => pod.is_best_effort,
            "NotBestEffort" => !pod.is_best_effort,
            "CrossNamespacePodAffinity" => pod.crosses_namespaces,
            "PriorityClass" => {
                let class = pod.priority_class.as_str();
                let listed = self.values.iter().any(|value| value == class);
                match self.operator.as_str() {
                    "Exists" => !class.is_empty(),
                    "DoesNotExist" => class.is_empty(),
                    "In" => !class.is_empty() && listed,
                    "NotIn" => !listed,
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

fn is_of_pods(name: &str) -> bool {
    let extended =
        name.strip_prefix("requests.").is_some_and(|rest| rest.contains('/') && !rest.contains("kubernetes.io/"));
    OF_PODS.contains(&name)
        || name.starts_with("hugepages-")
        || name.starts_with("requests.hugepages-")
        || (extended && !name.contains(CLASS_SUFFIX))
}

fn is_of_claims(name: &str) -> bool {
    let by_class = name.split_once(CLASS_SUFFIX).is_some_and(|(_, rest)| OF_CLAIMS[1..].contains(&rest));
    OF_CLAIMS.contains(&name) || by_class
}

impl CountedPod {
    /// Reads the Pod that comes of a spec with all defaults in it. `class_overhead` is that of its RuntimeClass.
    pub fn read(spec: &Node<'_>, class_overhead: Option<&requests::Amounts>) -> Self {
        let list = |field: &str| spec.get(field).into_iter().flat_map(Node::items);
        let all: Vec<(&Node<'_>, Resources)> =
            list("containers").chain(list("initContainers")).map(|one| (one, requests::of_container(one))).collect();
        let amounts = |resources: &Resources| {
            let both = resources.requests.iter().chain(&resources.limits);
            both.filter(|(name, _)| matches!(name.as_str(), "cpu" | "memory")).any(|(_, amount)| !amount.is_zero())
        };
        let pod_level = spec.get("resources").map(requests::of_resources);
        let best_effort = !all.iter().map(|(_, own)| own).chain(&pod_level).any(amounts);
        let name = |one: &Node<'_>| one.get("name").and_then(Node::as_str).unwrap_or_default().to_owned();
        Self {
            usage: usage(&requests::of_whole_pod(spec, class_overhead)),
            containers: if pod_level.is_some() {
                Vec::new()
            } else {
                all.iter().map(|(one, own)| (name(one), set(own))).collect()
            },
            priority_class: spec.get("priorityClassName").and_then(Node::as_str).unwrap_or_default().to_owned(),
            is_terminating: spec
                .get("activeDeadlineSeconds")
                .and_then(Node::as_int)
                .is_some_and(|seconds| seconds >= 0),
            is_best_effort: best_effort,
            crosses_namespaces: crosses_namespaces(spec),
        }
    }
}

/// What a container sets of the resources that a quota asks every container for.
fn set(own: &Resources) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for (resource, plain, request, limit) in
        [("cpu", "cpu", "requests.cpu", "limits.cpu"), ("memory", "memory", "requests.memory", "limits.memory")]
    {
        if own.requests.contains_key(resource) {
            names.extend([plain, request]);
        }
        if own.limits.contains_key(resource) {
            names.insert(limit);
        }
    }
    names
}

/// What a Pod uses by the names of quotas.
fn usage(whole: &Resources) -> Quantities {
    let mut usage = Quantities::new();
    usage.insert("pods".into(), Quantity::from_int(1));
    usage.insert("count/pods".into(), Quantity::from_int(1));
    for (name, amount) in &whole.requests {
        if matches!(name.as_str(), "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-") {
            usage.insert(name.clone(), amount.clone());
        }
        usage.insert(format!("requests.{name}"), amount.clone());
    }
    for (name, amount) in &whole.limits {
        if matches!(name.as_str(), "cpu" | "memory" | "ephemeral-storage") {
            usage.insert(format!("limits.{name}"), amount.clone());
        }
    }
    usage
}

/// What a PersistentVolumeClaim uses by the names of quotas.
pub fn claim_usage(spec: &Node<'_>) -> Quantities {
    let mut usage = Quantities::new();
    let class = spec.get("storageClassName").and_then(Node::as_str).filter(|class| !class.is_empty());
    let storage = quantities(spec.at(&["resources", "requests"])).remove("storage");
    let one = Quantity::from_int(1);
    usage.insert("count/persistentvolumeclaims".into(), one.clone());
    for (name, amount) in [("persistentvolumeclaims", Some(one)), ("requests.storage", storage)] {
        let Some(amount) = amount else { continue };
        if let Some(class) = class {
            usage.insert(format!("{class}{CLASS_SUFFIX}{name}"), amount.clone());
        }
        usage.insert(name.into(), amount);
    }
    usage
}

fn crosses_namespaces(spec: &Node<'_>) -> bool {
    let kinds = ["podAffinity", "podAntiAffinity"].map(|kind| spec.at(&["affinity", kind]));
    let crosses = |term: &Node<'_>| {
        term.get("namespaceSelector").is_some()
            || term.get("namespaces").is_some_and(|names| names.items().next().is_some())
    };
    kinds.into_iter().flatten().any(|kind| {
        let required = kind.get("requiredDuringSchedulingIgnoredDuringExecution").into_iter().flat_map(Node::items);
        let preferred = kind.get("preferredDuringSchedulingIgnoredDuringExecution").into_iter().flat_map(Node::items);
        required.chain(preferred.filter_map(|item| item.get("podAffinityTerm"))).any(crosses)
    })
}
