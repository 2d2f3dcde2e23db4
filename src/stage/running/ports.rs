//! Probes that name a port which the container does not declare.

use super::on_kubelet;
use crate::finding::{Findings, Severity, Spot};
use crate::rule;
use crate::stage::Subject;
use crate::yaml::Node;

/// The kubelet looks a name up among the ports of the container itself, and never finds this one.
pub(super) fn unknown_port_name(subject: &Subject<'_>, out: &mut Findings) {
    if !on_kubelet(subject) {
        return;
    }
    for list in ["initContainers", "containers"] {
        for (index, container) in subject.plan.spec.get(list).into_iter().flat_map(Node::items).enumerate() {
            for (probe, effect, severity) in [
                ("startupProbe", "the container never counts as started, so the Pod is never Ready", Severity::Error),
                ("readinessProbe", "the Pod is never Ready", Severity::Error),
                ("livenessProbe", "the container is never restarted", Severity::Warning),
            ] {
                for kind in ["httpGet", "tcpSocket"] {
                    let Some(port) = container.at(&[probe, kind, "port"]) else { continue };
                    let path = subject.plan.path(&format!("{list}[{index}].{probe}.{kind}.port"));
                    let Some(name) = port.as_str().filter(|name| is_undeclared(name, container)) else { continue };
                    let message = format!("the container declares no port `{name}`: every probe fails, and {effect}");
                    out.add(&rule::UNKNOWN_PORT_NAME, Spot::of(port, path), message)
                        .severity(severity)
                        .help(help(name, container));
                }
            }
        }
    }
}

/// A port name that is no number in quotes and no name of a port of the container.
fn is_undeclared(name: &str, container: &Node<'_>) -> bool {
    !name.is_empty() && name.parse::<i64>().is_err() && !name.contains('$') && names(container).all(|one| one != name)
}

fn names<'n>(container: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    let ports = container.get("ports").into_iter().flat_map(Node::items);
    ports.filter_map(|port| port.get("name").and_then(Node::as_str))
}

fn help(name: &str, container: &Node<'_>) -> String {
    match crate::suggest::nearest(name, names(container)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write the number of the port, or give a port of this container the name `{name}`"),
    }
}
