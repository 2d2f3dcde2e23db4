//! A Pod as the scheduler sees it: everything it demands of a node, read from its spec.

use super::host_port::{HostPort, host_ports};
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
