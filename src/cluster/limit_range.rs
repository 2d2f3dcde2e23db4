//! LimitRanges: the defaults that they give to containers, and the bounds that they set (API server, plugin LimitRanger).

use super::requests::{Quantities, quantities};
use crate::quantity::Quantity;
use crate::yaml::Node;
use std::collections::BTreeMap;

/// A LimitRange with the API server's own defaults applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitRange {
    /// `spec.limits`.
    pub items: Vec<LimitItem>,
}

/// One item of `spec.limits`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitItem {
    /// `Container`, `Pod` or `PersistentVolumeClaim`.
    pub kind: String,
    /// Least requests and limits.
    pub min: Quantities,
    /// Greatest requests and limits.
    pub max: Quantities,
    /// Limits of containers that have none.
    pub default: Quantities,
    /// Requests of containers that have none.
    pub default_request: Quantities,
    /// How many times a request its limit may be.
    pub max_ratio: Quantities,
}

/// Requests and limits of a container, a Pod or a claim.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The requests, those that the server copies from the limits included.
    pub requests: Quantities,
    /// The limits.
    pub limits: Quantities,
}

impl LimitRange {
    /// Reads a LimitRange.
    pub fn read(object: &Node<'_>) -> Self {
        let items = object.at(&["spec", "limits"]).into_iter().flat_map(Node::items);
        Self { items: items.map(LimitItem::read).collect() }
    }

    /// The limits and requests that a container without them gets.
    pub fn defaults(&self) -> Resources {
        let mut defaults = Resources::default();
        for item in self.items.iter().filter(|item| item.kind == "Container") {
            defaults.limits.extend(item.default.clone());
            defaults.requests.extend(item.default_request.clone());
        }
        defaults
    }
}

impl LimitItem {
    fn read(item: &Node<'_>) -> Self {
        let list = |field: &str| quantities(item.get(field));
        let mut read = Self {
            kind: item.get("type").and_then(Node::as_str).unwrap_or_default().to_owned(),
            min: list("min"),
            max: list("max"),
            default: list("default"),
            default_request: list("defaultRequest"),
            max_ratio: list("maxLimitRequestRatio"),
        };
        if read.kind == "Container" {
            fill(&mut read.default, &read.max);
            fill(&mut read.default_request, &read.default);
            fill(&mut read.default_request, &read.min);
        }
        read
    }

    /// What is wrong with these resources, in the server's words.
    pub fn violations(&self, resources: &Resources) -> Vec<String> {
        let bounds = self.min.iter().filter_map(|(name, bound)| self.below(name, bound, resources));
        let claim = self.kind == "PersistentVolumeClaim";
        let maxima = self.max.iter().filter_map(|(name, bound)| self.above(name, bound, resources, !claim));
        let ratios = self.max_ratio.iter().filter(|_| !claim);
        let ratios = ratios.filter_map(|(name, bound)| self.beyond_ratio(name, bound, resources));
        bounds.chain(maxima).chain(ratios).collect()
    }

    fn below(&self, name: &str, bound: &Quantity, own: &Resources) -> Option<String> {
        let head = format!("minimum {name} usage per {} is {bound}", self.kind);
        let Some(request) = own.requests.get(name) else { return Some(format!("{head}.  No request is specified")) };
        if less(request, bound) {
            return Some(format!("{head}, but request is {request}"));
        }
        let limit = own.limits.get(name).filter(|limit| less(limit, bound))?;
        Some(format!("{head}, but limit is {limit}"))
    }

    fn above(&self, name: &str, bound: &Quantity, own: &Resources, has_limits: bool) -> Option<String> {
        let head = format!("maximum {name} usage per {} is {bound}", self.kind);
        if has_limits {
            let Some(limit) = own.limits.get(name) else { return Some(format!("{head}.  No limit is specified")) };
            if less(bound, limit) {
                return Some(format!("{head}, but limit is {limit}"));
            }
        } else if !own.requests.contains_key(name) {
            return Some(format!("{head}.  No request is specified"));
        }
        let request = own.requests.get(name).filter(|request| less(bound, request))?;
        Some(format!("{head}, but request is {request}"))
    }

    fn beyond_ratio(&self, name: &str, bound: &Quantity, own: &Resources) -> Option<String> {
        let head = format!("{name} max limit to request ratio per {} is {bound}", self.kind);
        let set = |list: &BTreeMap<String, Quantity>| list.get(name).filter(|one| !one.is_zero()).cloned();
        let Some(request) = set(&own.requests) else {
            return Some(format!("{head}, but no request is specified or request is 0"));
        };
        let Some(limit) = set(&own.limits) else {
            return Some(format!("{head}, but no limit is specified or limit is 0"));
        };
        let ratio = limit.milli_value() as f64 / request.milli_value() as f64;
        let most = bound.milli_value() as f64;
        (ratio * 1000.0 > most).then(|| format!("{head}, but provided ratio is {ratio:.6}"))
    }
}

/// The server compares in thousandths, where these fit into 64 bits.
fn less(one: &Quantity, other: &Quantity) -> bool {
    one.milli_value() < other.milli_value() || (one.milli_value() == i64::MAX && one < other)
}

fn fill(list: &mut Quantities, from: &Quantities) {
    for (name, quantity) in from {
        list.entry(name.clone()).or_insert_with(|| quantity.clone());
    }
}
