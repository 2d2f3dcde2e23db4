//! A Pod as the scheduler sees it: everything it demands of a node, read from its spec.

use super::label_selector::{LabelSelector, Labels, PodTerm};
use super::node_selector::NodeAffinity;
use super::requests::{self, Amounts};
use super::snapshot::RuntimeClass;
use super::toleration::Toleration;
use crate::yaml::Node;

/// What a Pod demands of a node.
#[derive(Clone, Debug)]
pub struct Demand<'a> {
    /// The Pod's namespace.
    pub namespace: &'a str,
    /// The Pod's labels.
    pub labels: Labels,
    /// nodeSelector and node affinity.
    pub node_affinity: NodeAffinity<'a>,
    /// Labels that the RuntimeClass adds to the nodeSelector.
    pub class_selector: Labels,
    /// Tolerations.
    pub tolerations: Vec<Toleration<'a>>,
    /// Ports it takes on the node itself.
    pub host_ports: Vec<HostPort>,
    /// Requests in the scheduler's integers.
    pub requests: Amounts,
    /// Spread constraints that filter (`DoNotSchedule`).
    pub spread: Vec<Spread>,
    /// Required podAffinity.
    pub pod_affinity: Vec<PodTerm>,
    /// Required podAntiAffinity.
    pub pod_anti_affinity: Vec<PodTerm>,
    /// Whether `preemptionPolicy: Never` is written.
    pub never_preempts: bool,
}

/// A port on the node itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPort {
    /// The port number.
    pub port: i64,
    /// `TCP`, `UDP` or `SCTP`.
    pub protocol: String,
    /// The address; `0.0.0.0` is all of them.
    pub ip: String,
}

/// A topology spread constraint.
#[derive(Clone, Debug)]
pub struct Spread {
    /// The node label whose value makes a domain.
    pub topology_key: String,
    /// The greatest difference allowed.
    pub max_skew: i64,
    /// Which Pods count.
    pub selector: LabelSelector,
    /// Fewer domains than this count as an empty one.
    pub min_domains: i64,
    /// Whether only nodes that match the Pod's node affinity make domains (the default).
    pub honors_affinity: bool,
    /// Whether nodes with untolerated taints make no domains.
    pub honors_taints: bool,
}

impl<'a> Demand<'a> {
    /// Reads a Pod. A RuntimeClass adds overhead to the requests and labels to the nodeSelector.
    pub fn read(namespace: &'a str, labels: Labels, spec: &'a Node<'a>, class: Option<&RuntimeClass>) -> Self {
        let list = |field: &str| spec.get(field).into_iter().flat_map(Node::items);
        let affinity = |kind: &str| spec.at(&["affinity", kind]);
        Self {
            namespace,
            node_affinity: NodeAffinity::read(spec),
            tolerations: list("tolerations").map(Toleration::read).collect(),
            host_ports: host_ports(spec),
            class_selector: class.map(|class| class.node_selector.clone()).unwrap_or_default(),
            requests: requests::of_pod(spec, class.map(|class| &class.overhead)),
            spread: list("topologySpreadConstraints").filter_map(|item| Spread::read(item, &labels)).collect(),
            pod_affinity: PodTerm::read_required(affinity("podAffinity"), namespace, &labels),
            pod_anti_affinity: PodTerm::read_required(affinity("podAntiAffinity"), namespace, &labels),
            never_preempts: spec.get("preemptionPolicy").and_then(Node::as_str) == Some("Never"),
            labels,
        }
    }
}

impl Spread {
    fn read(item: &Node<'_>, own: &Labels) -> Option<Self> {
        let text = |field: &str| item.get(field).and_then(Node::as_str).unwrap_or_default();
        let number = |field: &str| item.get(field).and_then(Node::as_int).unwrap_or(1);
        (text("whenUnsatisfiable") == "DoNotSchedule").then(|| Self {
            topology_key: text("topologyKey").to_owned(),
            max_skew: number("maxSkew"),
            selector: LabelSelector::read(item.get("labelSelector")).with_own_labels(
                item.get("matchLabelKeys"),
                "In",
                own,
            ),
            min_domains: number("minDomains"),
            honors_affinity: text("nodeAffinityPolicy") != "Ignore",
            honors_taints: text("nodeTaintsPolicy") == "Honor",
        })
    }
}

impl HostPort {
    /// Whether two ports cannot both be had on one node.
    pub fn conflicts(&self, other: &HostPort) -> bool {
        let everywhere = |ip: &str| ip == "0.0.0.0";
        self.port == other.port
            && self.protocol == other.protocol
            && (self.ip == other.ip || everywhere(&self.ip) || everywhere(&other.ip))
    }
}

/// Ports of containers and sidecars; with hostNetwork every container port is one of the node.
fn host_ports(spec: &Node<'_>) -> Vec<HostPort> {
    let on_host = spec.get("hostNetwork").and_then(Node::as_bool) == Some(true);
    let sidecar = |one: &&Node<'_>| one.get("restartPolicy").and_then(Node::as_str) == Some("Always");
    let sidecars = spec.get("initContainers").into_iter().flat_map(Node::items).filter(sidecar);
    let containers = spec.get("containers").into_iter().flat_map(Node::items).chain(sidecars);
    let ports = containers.flat_map(|one| one.get("ports").into_iter().flat_map(Node::items));
    let read = |port: &Node<'_>| {
        let number = |field: &str| port.get(field).and_then(Node::as_int).filter(|number| *number > 0);
        let text = |field: &str, default: &str| {
            let written = port.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
            written.unwrap_or(default).to_owned()
        };
        let default = if on_host { number("containerPort") } else { None };
        let port = number("hostPort").or(default)?;
        Some(HostPort { port, protocol: text("protocol", "TCP"), ip: text("hostIP", "0.0.0.0") })
    };
    ports.filter_map(read).collect()
}
