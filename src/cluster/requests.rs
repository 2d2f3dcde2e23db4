//! What a Pod requests in all: containers, init containers, sidecars, pod-level resources and overhead.

use super::limit_range::Resources;
use crate::quantity::Quantity;
use crate::yaml::{Node, Value};
use std::collections::BTreeMap;

/// Amounts by resource name, in the scheduler's integers: thousandths for `cpu`, units for everything else.
pub type Amounts = BTreeMap<String, i64>;

/// Exact amounts by resource name.
pub type Quantities = BTreeMap<String, Quantity>;

/// Sums up the requests of a Pod spec as the scheduler's `PodRequests` does, after the API server's defaults.
pub fn of_pod(spec: &Node<'_>, extra_overhead: Option<&Amounts>) -> Amounts {
    let mut sum = of_containers(spec, requests);
    if let Some(resources) = spec.get("resources") {
        over_containers(&mut sum, resources);
    }
    add(&mut sum, &quantities(spec.get("overhead")));
    let mut amounts: Amounts = sum.iter().map(|(name, quantity)| (name.clone(), integer(name, quantity))).collect();
    for (name, amount) in extra_overhead.into_iter().flatten() {
        let entry = amounts.entry(name.clone()).or_default();
        *entry = entry.saturating_add(*amount);
    }
    amounts
}

/// Reads one amount of a list such as a node's `allocatable`, already taken out of the tree.
pub fn of_texts(texts: &BTreeMap<String, String>, name: &str) -> Option<i64> {
    Some(integer(name, &Quantity::parse(texts.get(name)?).ok()?))
}

/// Reads a mapping of quantities.
pub fn of_node(node: Option<&Node<'_>>) -> Amounts {
    quantities(node).iter().map(|(name, quantity)| (name.clone(), integer(name, quantity))).collect()
}

/// What one container requests of one resource: the request, else the limit.
pub fn container_request<'a>(container: &'a Node<'a>, resource: &str) -> Option<&'a Node<'a>> {
    let resources = container.get("resources")?;
    ["requests", "limits"].iter().find_map(|list| resources.get(list)?.get(resource))
}

/// Requests and limits of a container, a missing request being the limit.
pub fn of_container(container: &Node<'_>) -> Resources {
    container.get("resources").map(of_resources).unwrap_or_default()
}

/// Requests and limits of a `resources` mapping, a missing request being the limit.
pub fn of_resources(resources: &Node<'_>) -> Resources {
    let limits = quantities(resources.get("limits"));
    let mut requests = limits.clone();
    requests.extend(quantities(resources.get("requests")));
    Resources { requests, limits }
}

/// Requests and limits of all containers of a Pod together, without overhead.
pub fn of_all_containers(spec: &Node<'_>) -> Resources {
    Resources { requests: of_containers(spec, requests), limits: of_containers(spec, limits) }
}

/// Requests and limits of a whole Pod as quotas count them: resources of the Pod itself stand above those of its
/// containers, and overhead is added. `class_overhead` is that of the RuntimeClass.
pub fn of_whole_pod(spec: &Node<'_>, class_overhead: Option<&Amounts>) -> Resources {
    let mut whole = of_all_containers(spec);
    if let Some(resources) = spec.get("resources") {
        over_containers(&mut whole.requests, resources);
        let own = quantities(resources.get("limits"));
        whole.limits.extend(own.into_iter().filter(|(name, _)| is_pod_level(name)));
    }
    let mut overhead = quantities(spec.get("overhead"));
    for (name, amount) in class_overhead.into_iter().flatten() {
        let suffix = if name == "cpu" { "m" } else { "" };
        overhead.extend(Quantity::parse(&format!("{amount}{suffix}")).ok().map(|amount| (name.clone(), amount)));
    }
    add(&mut whole.requests, &overhead);
    let limited = overhead.into_iter().filter(|(name, _)| whole.limits.get(name).is_some_and(|limit| !limit.is_zero()));
    let limited: Quantities = limited.collect();
    add(&mut whole.limits, &limited);
    whole
}

fn of_containers(spec: &Node<'_>, of: fn(&Node<'_>) -> Quantities) -> Quantities {
    let mut sum = Quantities::new();
    for container in list(spec, "containers") {
        add(&mut sum, &of(container));
    }
    let (mut sidecars, mut largest) = (Quantities::new(), Quantities::new());
    for container in list(spec, "initContainers") {
        let mut own = of(container);
        if container.get("restartPolicy").and_then(Node::as_str) == Some("Always") {
            add(&mut sum, &own);
            add(&mut sidecars, &own);
            own = sidecars.clone();
        } else {
            add(&mut own, &sidecars);
        }
        raise(&mut largest, &own);
    }
    raise(&mut sum, &largest);
    sum
}

/// Pod-level `resources` stand above the containers' for cpu, memory and huge pages.
fn over_containers(sum: &mut Quantities, resources: &Node<'_>) {
    let requests = quantities(resources.get("requests"));
    for (name, limit) in quantities(resources.get("limits")) {
        if is_pod_level(&name) && !sum.contains_key(&name) && !requests.contains_key(&name) {
            sum.insert(name, limit);
        }
    }
    for (name, request) in requests {
        if is_pod_level(&name) {
            sum.insert(name, request);
        }
    }
}

/// Whether a Pod can set the resource for all its containers.
fn is_pod_level(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || name.starts_with("hugepages-")
}

/// A container's requests, where a missing one defaults to the limit.
fn requests(container: &Node<'_>) -> Quantities {
    of_container(container).requests
}

fn limits(container: &Node<'_>) -> Quantities {
    quantities(container.at(&["resources", "limits"]))
}

fn list<'a>(spec: &'a Node<'a>, field: &str) -> impl Iterator<Item = &'a Node<'a>> {
    spec.get(field).into_iter().flat_map(Node::items)
}

/// Reads a mapping of quantities; what is none is left out.
pub fn quantities(node: Option<&Node<'_>>) -> Quantities {
    let read = |value: &Node<'_>| match &value.value {
        Value::String(text) => Quantity::parse(text).ok(),
        Value::Int(number) => Some(Quantity::from_int(*number)),
        _ => None,
    };
    node.into_iter()
        .flat_map(Node::entries)
        .filter_map(|entry| Some((entry.key.to_string(), read(&entry.value)?)))
        .collect()
}

/// Adds amounts to a sum.
pub fn add(sum: &mut Quantities, more: &Quantities) {
    for (name, quantity) in more {
        let total = sum.get(name).map_or_else(|| quantity.clone(), |known| known.plus(quantity));
        sum.insert(name.clone(), total);
    }
}

fn raise(least: &mut Quantities, other: &Quantities) {
    for (name, quantity) in other {
        if least.get(name).is_none_or(|known| known < quantity) {
            least.insert(name.clone(), quantity.clone());
        }
    }
}

/// Most digits of a number that Go keeps as a 64-bit integer with a scale.
const SHORT_NUMBER: usize = 18;

/// The scheduler's integer for an amount. A short number whose scale carries it beyond 64 bits becomes 0 there
/// (`cpu: 1E` requests nothing), any other huge one stays huge.
fn integer(name: &str, quantity: &Quantity) -> i64 {
    let amount = if name == "cpu" { quantity.milli_value() } else { quantity.value() };
    if amount < i64::MAX {
        return amount;
    }
    let digits = quantity.to_string().bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    if digits <= SHORT_NUMBER { 0 } else { amount }
}
