//! Ports that a Pod takes on the node itself.

use crate::yaml::Node;

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
pub fn host_ports(spec: &Node<'_>) -> Vec<HostPort> {
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
