//! Requests and limits of containers and of the Pod.

use super::field::Field;
use super::message::{Bad, Errors};
use super::names;
use crate::finding::Applicability;
use crate::quantity::Quantity;
use crate::yaml::Value;

const CONTAINER_RESOURCES: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

const STANDARD_RESOURCES: [&str; 20] = [
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
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
];

const COUNTED_RESOURCES: [&str; 9] = [
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];

/// Whose resources are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A container's, or the Pod's overhead.
    Container,
    /// The Pod's own (`spec.resources`).
    Pod,
}

/// The quantity of a field, if it holds one.
pub fn quantity(field: &Field<'_>) -> Option<Quantity> {
    match &field.node?.value {
        Value::Int(number) => Some(Quantity::from_int(*number)),
        Value::String(text) => Quantity::parse(text).ok(),
        _ => None,
    }
}

/// A quantity so great that the server never answers the request that carries it.
pub fn endless<'n>(spec: &Field<'n>) -> Option<Field<'n>> {
    let containers = ["containers", "initContainers", "ephemeralContainers"];
    let owners = containers.iter().flat_map(|list| spec.child(list).items());
    let owners = owners.chain(std::iter::once(spec.clone())).map(|owner| owner.child("resources"));
    let maps = owners.flat_map(|resources| ["requests", "limits"].map(|kind| resources.child(kind)));
    let amounts = maps.chain(std::iter::once(spec.child("overhead"))).flat_map(|map| map.entries());
    let limits = spec.child("volumes").items().into_iter().map(|volume| volume.at(&["emptyDir", "sizeLimit"]));
    let mut fields = amounts.map(|(_, field)| field).chain(limits);
    fields.find(|field| quantity(field).is_some_and(|amount| amount.is_endless() && amount > Quantity::from_int(1)))
}

/// One entry of limits or requests.
struct Amount<'n> {
    resource: &'n str,
    field: Field<'n>,
    amount: Quantity,
}

fn amounts<'n>(map: &Field<'n>) -> Vec<Amount<'n>> {
    map.entries()
        .into_iter()
        .filter_map(|(resource, field)| Some(Amount { resource, amount: quantity(&field)?, field }))
        .collect()
}

/// Requests with those that the server copies from the limits.
fn effective_requests<'n>(resources: &Field<'n>, limits: &[Amount<'n>]) -> Vec<Amount<'n>> {
    let map = resources.child("requests");
    let mut requests = amounts(&map);
    for limit in limits {
        if !requests.iter().any(|request| request.resource == limit.resource) {
            let shown = format!("{}[{}]", map.shown(), limit.resource);
            let field = limit.field.shown_as(shown);
            requests.push(Amount { resource: limit.resource, field, amount: limit.amount.clone() });
        }
    }
    requests
}

/// Checks requests, limits and claims of a container.
pub fn invalid_resources(resources: &Field<'_>, claims: &[&str], errors: &mut Errors) {
    let limits = amounts(&resources.child("limits"));
    let requests = effective_requests(resources, &limits);
    check(resources, &limits, &requests, Owner::Container, errors);
    claim_names(&resources.child("claims"), claims, errors);
}

/// Checks `spec.overhead`, which the server treats as limits.
pub fn overhead(overhead: &Field<'_>, errors: &mut Errors) {
    let mut limits = amounts(overhead);
    for limit in &mut limits {
        let shown = format!("{}.limits[{}]", overhead.shown(), limit.resource);
        limit.field = limit.field.shown_as(shown);
    }
    check(overhead, &limits, &[], Owner::Container, errors);
}

/// Checks `spec.resources` and that the containers fit into it.
pub fn pod_resources(spec: &Field<'_>, errors: &mut Errors) {
    let resources = spec.child("resources");
    if !resources.is_set() {
        return;
    }
    if spec.at(&["os", "name"]).text() == "windows" {
        errors.forbidden(&resources.at_key(), "may not be set for a windows pod");
        return;
    }
    if resources.child("claims").len() > 0 {
        errors.forbidden(&resources.child("claims"), "claims cannot be set for Resources at pod-level");
    }
    let limits = amounts(&resources.child("limits"));
    let requests = pod_requests(spec, &resources, &limits);
    check(&resources, &limits, &requests, Owner::Pod, errors);
    for (resource, sum) in container_requests(spec) {
        let Some(request) = requests.iter().find(|request| request.resource == resource) else { continue };
        if sum > request.amount {
            let detail = format!("must be greater than or equal to aggregate container requests of {sum}");
            errors.invalid(&request.field, request.amount.to_string().as_str(), &detail);
        }
    }
    for (index, container) in spec.child("containers").items().iter().enumerate() {
        for limit in amounts(&container.at(&["resources", "limits"])) {
            let Some(whole) = limits.iter().find(|whole| whole.resource == limit.resource) else { continue };
            if limit.amount > whole.amount {
                let shown = format!("{}.containers[{index}][{}].limits", resources.shown(), limit.resource);
                let detail = format!("must be less than or equal to pod limits of {}", whole.amount);
                let field = limit.field.shown_as(shown);
                errors.invalid(&field, limit.amount.to_string().as_str(), &detail);
            }
        }
    }
}

/// The Pod's requests with the server's defaults: the containers' sum, else the Pod's limit.
fn pod_requests<'n>(spec: &Field<'n>, resources: &Field<'n>, limits: &[Amount<'n>]) -> Vec<Amount<'n>> {
    let map = resources.child("requests");
    let mut requests = amounts(&map);
    for (resource, sum) in container_requests(spec) {
        if is_pod_resource(resource) && !requests.iter().any(|request| request.resource == resource) {
            let field = map.pointing_at(resources.place);
            let field = field.shown_as(format!("{}[{resource}]", map.shown()));
            requests.push(Amount { resource, field, amount: sum });
        }
    }
    for limit in limits {
        if is_pod_resource(limit.resource) && !requests.iter().any(|request| request.resource == limit.resource) {
            let field = limit.field.shown_as(format!("{}[{}]", map.shown(), limit.resource));
            requests.push(Amount { resource: limit.resource, field, amount: limit.amount.clone() });
        }
    }
    requests
}

fn is_pod_resource(resource: &str) -> bool {
    ["cpu", "memory"].contains(&resource) || resource.starts_with("hugepages-")
}

/// The requests of containers and sidecars added up, or those of one init container where these are more.
fn container_requests<'n>(spec: &Field<'n>) -> Vec<(&'n str, Quantity)> {
    let mut sums: Vec<(&'n str, Quantity)> = Vec::new();
    let of = |container: &Field<'n>| {
        let resources = container.child("resources");
        let limits = amounts(&resources.child("limits"));
        effective_requests(&resources, &limits)
    };
    let init = spec.child("initContainers").items();
    let (sidecars, steps): (Vec<_>, Vec<_>) =
        init.into_iter().partition(|container| container.child("restartPolicy").text() == "Always");
    for container in spec.child("containers").items().iter().chain(&sidecars) {
        for request in of(container) {
            match sums.iter_mut().find(|(resource, _)| *resource == request.resource) {
                Some((_, sum)) => *sum = sum.plus(&request.amount),
                None => sums.push((request.resource, request.amount)),
            }
        }
    }
    for request in steps.iter().flat_map(of) {
        match sums.iter_mut().find(|(resource, _)| *resource == request.resource) {
            Some((_, sum)) if request.amount > *sum => *sum = request.amount,
            Some(_) => {}
            None => sums.push((request.resource, request.amount)),
        }
    }
    sums
}

fn check(resources: &Field<'_>, limits: &[Amount<'_>], requests: &[Amount<'_>], owner: Owner, errors: &mut Errors) {
    for limit in limits {
        one_amount(limit, owner, errors);
        huge_page(limit, errors);
    }
    for request in requests {
        one_amount(request, owner, errors);
        against_limit(resources, request, limits, errors);
        huge_page(request, errors);
    }
    let mut all = limits.iter().chain(requests);
    let huge = all.clone().any(|amount| is_huge(amount.resource));
    if huge && !all.any(|amount| ["cpu", "memory"].contains(&amount.resource)) {
        errors.forbidden(resources, "HugePages require cpu or memory");
    }
}

fn one_amount(amount: &Amount<'_>, owner: Owner, errors: &mut Errors) {
    resource_name(amount, owner, errors);
    let text = amount.amount.to_string();
    if amount.amount.is_negative() {
        errors.invalid(&amount.field, text.as_str(), "must be greater than or equal to 0");
    }
    let counted = COUNTED_RESOURCES.contains(&amount.resource) || is_extended(amount.resource);
    if counted && !amount.amount.is_integer() {
        errors.invalid(&amount.field, Bad::Typed(text), "must be an integer");
    }
}

fn resource_name(amount: &Amount<'_>, owner: Owner, errors: &mut Errors) {
    let (name, field) = (amount.resource, amount.field.at_key());
    let typed = || Bad::Typed(name.to_owned());
    let details = names::label_key(name, errors.kube_minor);
    let known = errors.causes.len();
    errors.invalid_each(&field, name, &details);
    let bare = !name.contains('/');
    let standard = STANDARD_RESOURCES.contains(&name) || is_huge(name) || name.starts_with("requests.hugepages-");
    if details.is_empty() && bare && !standard {
        errors.invalid(&field, typed(), "must be a standard resource type or fully qualified");
    }
    if owner == Owner::Pod {
        if errors.causes.len() == known && !is_pod_resource(name) {
            errors.unsupported_text(&field, name, &["cpu", "hugepages-", "memory"]).fix = None;
        }
    } else if bare {
        if !CONTAINER_RESOURCES.contains(&name) && !is_huge(name) {
            errors.invalid(&field, typed(), "must be a standard resource for containers");
        }
    } else if !is_native(name) && !is_extended(name) {
        errors.invalid(&field, typed(), "doesn't follow extended resource name standard");
    }
    let help = resource_help(name);
    for cause in &mut errors.causes[known..] {
        cause.help.clone_from(&help);
    }
}

fn resource_help(name: &str) -> Option<String> {
    if let Some(meant) = super::message::meant(name, &CONTAINER_RESOURCES) {
        return Some(format!("write `{meant}`"));
    }
    (!name.contains('/')).then(|| {
        "a container asks for cpu, memory, ephemeral-storage, hugepages-<size>, or a device by its full name such as \
         nvidia.com/gpu"
            .into()
    })
}

fn against_limit(resources: &Field<'_>, request: &Amount<'_>, limits: &[Amount<'_>], errors: &mut Errors) {
    let overcommit = is_native(request.resource) && !is_huge(request.resource);
    let name = request.resource;
    let Some(limit) = limits.iter().find(|limit| limit.resource == name) else {
        if !overcommit {
            let limits = resources.child("limits").pointing_at(request.field.place);
            errors
                .required(&limits, "Limit must be set for non overcommitable resources")
                .help(format!("add a limit for {name} with the same amount"));
        }
        return;
    };
    let text = request.amount.to_string();
    let field = request.field.shown_as(resources.child("requests").shown());
    if !overcommit && request.amount != limit.amount {
        let detail = format!("must be equal to {name} limit of {}", limit.amount);
        errors.invalid(&field, text.as_str(), &detail).related(limit.field.place, "the limit stands here");
    } else if request.amount > limit.amount {
        let detail = format!("must be less than or equal to {name} limit of {}", limit.amount);
        errors
            .invalid(&field, text.as_str(), &detail)
            .says(format!("the request of {text} {name} is above the limit of {}", limit.amount))
            .help("lower the request or raise the limit")
            .related(limit.field.place, "the limit stands here");
    }
}

fn huge_page(amount: &Amount<'_>, errors: &mut Errors) {
    let Some(size) = amount.resource.strip_prefix("hugepages-") else { return };
    let page = Quantity::parse(size).ok().filter(|page| !page.is_zero() && !page.is_negative() && page.is_integer());
    if page.is_none_or(|page| amount.amount.value() % page.value() != 0) {
        let text = amount.amount.to_string();
        let detail = format!("{text} is not positive integer multiple of {}", amount.resource);
        errors.invalid(&amount.field, text.as_str(), &detail);
    }
}

fn claim_names(list: &Field<'_>, known: &[&str], errors: &mut Errors) {
    let mut seen: Vec<String> = Vec::new();
    for claim in list.items() {
        let (name, request) = (claim.child("name").text(), claim.child("request"));
        if name.is_empty() {
            errors.required(&claim, "");
            continue;
        }
        if seen.iter().any(|key| key == name) {
            errors.duplicate(&claim, name);
        } else {
            let mut key = name.to_owned();
            if !request.text().is_empty() {
                errors.invalid_each(&request, request.text(), &names::dns_label(request.text()));
                key = format!("{name}/{}", request.text());
            }
            let overlaps = |seen: &&String| seen.split_once('/').is_some_and(|(claim, _)| claim == name);
            if seen.contains(&key) {
                errors.duplicate(&claim, &key);
            } else if request.text().is_empty() && seen.iter().any(|seen| overlaps(&seen)) {
                errors.duplicate(&claim, name);
            }
            seen.push(key);
        }
        if !known.contains(&name) {
            unknown_claim(&claim, name, known, errors);
        }
    }
}

fn unknown_claim(claim: &Field<'_>, name: &str, known: &[&str], errors: &mut Errors) {
    let mut sorted = known.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let rest = if sorted.is_empty() { " which is empty".to_owned() } else { format!(": {}", sorted.join(", ")) };
    let detail = format!("must be one of the names in pod.spec.resourceClaims{rest}");
    let cause = errors.not_found(claim, name, &detail);
    if let Some(meant) = crate::suggest::nearest(name, sorted) {
        cause.help(format!("write `{meant}`")).replace(&claim.child("name"), meant, Applicability::Unsafe);
    }
}

fn is_huge(name: &str) -> bool {
    name.starts_with("hugepages-")
}

fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

fn is_extended(name: &str) -> bool {
    !is_native(name)
        && !name.starts_with("requests.")
        && names::label_key(&format!("requests.{name}"), crate::cluster::World::NEWEST_KUBE_MINOR).is_empty()
}
