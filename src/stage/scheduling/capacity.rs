//! Rules over what a node has to give: resources and ports.

use super::board::Place;
use super::case::{Case, typed};
use super::contract_keys;
use super::filter::{Shortage, shortages};
use crate::cluster::requests::container_request;
use crate::contract::Backend;
use crate::finding::{Findings, Severity, Spot};
use crate::rule;
use crate::yaml::{Node, Value};

/// Judges the Pod's requests and ports against the nodes that match otherwise.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    insufficient_resources(case, out);
    host_port(case, out);
}

/// The nodes that match the Pod's selector and are of the kind it is meant for.
fn candidates<'b, 'c>(case: &'b Case<'c, '_>) -> Vec<&'b Place<'c>> {
    let meant = case.meant().map(|backend| backend.name.as_str());
    let wanted = |place: &&Place<'_>| match meant {
        Some(name) => place.backend == Some(name),
        None => !contract_keys::is_virtual(case.world, place),
    };
    case.board.nodes.iter().filter(wanted).filter(|place| case.demand.node_affinity.matches(&place.shape)).collect()
}

/// More of a resource than any node for the Pod has.
fn insufficient_resources(case: &Case<'_, '_>, out: &mut Findings) {
    let nodes = candidates(case);
    if nodes.is_empty() || case.subject.plan.node_name().is_some() {
        return;
    }
    let lacks: Vec<Vec<Shortage>> = nodes.iter().map(|place| shortages(&case.demand, place)).collect();
    if lacks.iter().any(Vec::is_empty) {
        return;
    }
    let (place, short) = (nodes[0], &lacks[0]);
    for one in short {
        let absent = place.allocatable(&one.resource).is_none();
        let certain = case.meant().is_some() && (absent || one.absurd);
        let spot = request_spot(case, &one.resource);
        let finding = out.add(&rule::INSUFFICIENT_RESOURCES, spot, shortage_text(case, place, one, absent));
        let otherwise = if case.meant().is_some() { Severity::Warning } else { Severity::Note };
        finding.severity(case.weight(certain, otherwise)).outcome(case.outcome());
        if case.meant().is_some() {
            finding.help("lower or remove it: on a virtual node requests only count for the scheduler");
        }
    }
}

fn shortage_text(case: &Case<'_, '_>, place: &Place<'_>, one: &Shortage, absent: bool) -> String {
    let whose = match case.meant() {
        Some(backend) => format!("a {} node", backend.provider),
        None if case.has_snapshot() => format!("node {}", place.shape.name),
        None => "the assumed ordinary node".to_owned(),
    };
    if one.resource == "pods" {
        return format!("{whose} has no room for another Pod");
    }
    if absent {
        return format!("{whose} has no {}", typed(&one.resource));
    }
    let offered = place.shape.allocatable.get(&one.resource).map(String::as_str).unwrap_or("0");
    if one.resolvable {
        return format!("{whose} has too little {} left of {offered}", one.resource);
    }
    format!("the Pod requests more {} than {whose} has, which is {offered}", one.resource)
}

/// The first container field that asks for a resource.
fn request_spot(case: &Case<'_, '_>, resource: &str) -> Spot {
    for list in ["containers", "initContainers"] {
        let containers = case.spec().get(list).into_iter().flat_map(Node::items).enumerate();
        let mut asking = containers
            .filter_map(|(index, container)| Some((index, container, container_request(container, resource)?)));
        if let Some((index, container, node)) = asking.next() {
            let field =
                if container.at(&["resources", "requests", resource]).is_some() { "requests" } else { "limits" };
            return Spot::of(node, case.subject.plan.path(&format!("{list}[{index}].resources.{field}.{resource}")));
        }
    }
    let pod = ["requests", "limits"]
        .into_iter()
        .find_map(|list| Some((list, case.spec().at(&["resources", list, resource])?)));
    match pod {
        Some((list, node)) => Spot::of(node, case.subject.plan.path(&format!("resources.{list}.{resource}"))),
        None => case.spot("containers"),
    }
}

/// A port on a virtual node is only counted, never opened.
fn host_port(case: &Case<'_, '_>, out: &mut Findings) {
    let plan = &case.subject.plan;
    let Some((spot, port)) = first_host_port(case) else { return };
    let clash = candidates(case).iter().all(|place| {
        let held = || place.pods.iter().flat_map(|pod| &pod.host_ports);
        case.demand.host_ports.iter().any(|port| held().any(|held| held.conflicts(port)))
    });
    if case.has_snapshot() && clash && plan.node_name().is_none() && !candidates(case).is_empty() {
        let message = format!("host port {port} is taken on every node for this Pod");
        out.add(&rule::HOST_PORT, spot, message).severity(Severity::Error).outcome(case.outcome());
        return;
    }
    let Some(backend) = case.meant() else { return };
    let message =
        format!("host port {port} lets one such Pod onto each {} node, and is not opened there", backend.provider);
    out.add(&rule::HOST_PORT, spot, message).help(remedy(case, backend));
}

fn remedy(case: &Case<'_, '_>, backend: &Backend) -> String {
    let on_host = case.spec().get("hostNetwork").and_then(Node::as_bool) == Some(true);
    let what = if on_host { "hostNetwork" } else { "hostPort" };
    format!("remove {what}; {} gives the guest a network of its own", backend.provider)
}

fn first_host_port(case: &Case<'_, '_>) -> Option<(Spot, i64)> {
    let on_host = case.spec().get("hostNetwork").and_then(Node::as_bool) == Some(true);
    let containers = case.spec().get("containers").into_iter().flat_map(Node::items).enumerate();
    let mut ports = containers.flat_map(|(at, container)| {
        let ports = container.get("ports").into_iter().flat_map(Node::items).enumerate();
        ports.map(move |(index, port)| (at, index, port))
    });
    ports.find_map(|(at, index, port)| {
        let number =
            |field: &str| port.get(field).filter(|node| matches!(node.value, Value::Int(number) if number > 0));
        let (field, node) = match (number("hostPort"), number("containerPort")) {
            (Some(node), _) => ("hostPort", node),
            (None, Some(node)) if on_host => ("containerPort", node),
            _ => return None,
        };
        let path = case.subject.plan.path(&format!("containers[{at}].ports[{index}].{field}"));
        Some((Spot::of(node, path), node.as_int()?))
    })
}
