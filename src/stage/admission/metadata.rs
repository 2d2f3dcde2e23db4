//! The object's own metadata: what kubectl reads of it, and what the API server checks.

use super::decode::{self, Misfit};
use super::fault::{self, Cause, Fault};
use super::place::Place;
use super::remark;
use super::unknown::Unknown;
use super::walk::Walk;
use crate::cluster::World;
use crate::finding::{Severity, Spot};
use crate::go::quote;
use crate::names;
use crate::resource::schema;
use crate::resource::{Kind, Resource};
use crate::rule;
use crate::yaml::{Entry, Node, Value};

/// All annotations of an object together, keys and values.
pub const ANNOTATIONS_LIMIT: usize = 256 * 1024;

/// What is wrong with the metadata.
#[derive(Debug, Default)]
pub struct Metadata {
    /// kubectl's refusal, which comes before everything else.
    pub client: Option<(String, Cause)>,
    /// Fields that do not exist.
    pub unknown: Vec<Unknown>,
    /// The refusal of a namespace that cannot exist, which comes before all validation.
    pub namespace: Option<(String, Cause)>,
    /// The server's refusals, in its order.
    pub faults: Vec<Fault>,
}

/// Checks the metadata of an object.
pub fn check(resource: &Resource<'_>, world: &World) -> Metadata {
    let definition = schema::named("ObjectMeta").expect("the tables have ObjectMeta");
    let written = resource.root.entry("metadata").filter(|entry| !entry.value.is_null());
    let mut found = Metadata::default();
    if let Some(entry) = written {
        let misfit = decode::misfit(&entry.value, definition, "metadataOnlyObject", "metadata");
        found.client = misfit.map(|misfit| unreadable(resource, entry, misfit));
        let mut walk = Walk::within(resource.text, "metadata");
        walk.object(&entry.value, definition);
        found.unknown = walk.unknown;
    }
    if found.client.is_some() {
        return found;
    }
    let node = written.map(|entry| &entry.value);
    found.namespace = namespace(resource, node);
    let mut faults = Vec::new();
    invalid_name(resource, node, &mut faults);
    labels(node, world, &mut faults);
    annotations(node, world, &mut faults);
    owners(node, &mut faults);
    finalizers(node, world, &mut faults);
    found.faults = faults;
    found
}

fn unreadable(resource: &Resource<'_>, metadata: &Entry<'_>, misfit: Misfit) -> (String, Cause) {
    let refusal = format!("error: unable to decode {}: {}", quote(&resource.file_name), misfit.error);
    let node = at(&metadata.value, misfit.path.strip_prefix("metadata").unwrap_or_default());
    let place = Place { path: &misfit.path, name: last_part(&misfit.path), text: resource.text };
    let cause = match node {
        Some(node) if misfit.error.ends_with(" of type string") && is_scalar(node) => {
            remark::non_string_value(place, node)
        }
        Some(node) if misfit.error.contains(" of type ") => {
            let message = format!("kubectl cannot read `{}`: {} is written", misfit.path, remark::written(&node.value));
            Cause::new(&rule::WRONG_TYPE, Spot::new(misfit.place, misfit.path.clone()), message)
                .help("write what the field takes, or take it away")
        }
        _ => {
            let message = format!("kubectl cannot read `{}`", misfit.path);
            Cause::new(&rule::INVALID_TIME, Spot::new(misfit.place, misfit.path.clone()), message)
                .help("take it away: the API server writes it")
        }
    };
    (refusal, cause)
}

/// The last part of a path; keys of labels and annotations hold dots of their own.
fn last_part(path: &str) -> &str {
    let key = ["metadata.labels.", "metadata.annotations."].iter().find_map(|map| path.strip_prefix(map));
    key.unwrap_or_else(|| path.rsplit('.').next().unwrap_or_default())
}

fn is_scalar(node: &Node<'_>) -> bool {
    matches!(node.value, Value::Bool(_) | Value::Int(_) | Value::Float(_))
}

/// Follows a path such as `.ownerReferences[0].name`; keys of maps may hold dots.
fn at<'n, 's>(node: &'n Node<'s>, path: &str) -> Option<&'n Node<'s>> {
    if path.is_empty() {
        return Some(node);
    }
    if let Some(rest) = path.strip_prefix('[') {
        let (index, rest) = rest.split_once(']')?;
        return at(node.as_seq()?.get(index.parse::<usize>().ok()?)?, rest);
    }
    let path = path.strip_prefix('.')?;
    node.entries().find_map(|entry| at(&entry.value, path.strip_prefix(&*entry.key)?))
}

/// A namespace that no cluster can have.
fn namespace(resource: &Resource<'_>, metadata: Option<&Node<'_>>) -> Option<(String, Cause)> {
    let node = metadata?.get("namespace")?;
    let name = node.as_str().filter(|name| !name.is_empty() && !fault::is_placeholder(name))?;
    let detail = names::dns_label(name).into_iter().next()?;
    let file = quote(&resource.file_name);
    let refusal = match path_segment(name) {
        Some(detail) => format!("error: error when creating {file}: invalid namespace {}: [{detail}]", quote(name)),
        None => {
            format!("Error from server (NotFound): error when creating {file}: namespaces {} not found", quote(name))
        }
    };
    let spot = Spot::of(node, "metadata.namespace");
    let cause = Cause::new(&rule::INVALID_NAME, spot, format!("no namespace can be called `{name}`")).help(detail);
    Some((refusal, cause))
}

/// What a client refuses to put into a URL.
fn path_segment(name: &str) -> Option<&'static str> {
    match name {
        "." => Some("may not be '.'"),
        ".." => Some("may not be '..'"),
        _ if name.contains('/') => Some("may not contain '/'"),
        _ if name.contains('%') => Some("may not contain '%'"),
        _ => None,
    }
}

/// kubectl's words on a generateName that is applied; creating works.
pub fn generated_name_applied(resource: &Resource<'_>) -> Option<Cause> {
    let metadata = resource.root.get("metadata")?;
    let node = metadata.get("generateName").filter(|_| resource.name().is_empty())?;
    let generate = node.as_str().filter(|text| !text.is_empty())?;
    let message =
        format!("kubectl apply refuses a generateName: error: from {generate}: cannot use generate name with apply");
    let mut cause = Cause::new(&rule::INVALID_NAME, Spot::of(node, "metadata.generateName"), message)
        .help("use `kubectl create`, or write a name");
    cause.severity = Some(Severity::Warning);
    Some(cause)
}

/// The name of the object, and the beginning of a generated one.
fn invalid_name(resource: &Resource<'_>, metadata: Option<&Node<'_>>, faults: &mut Vec<Fault>) {
    let text =
        |key: &str| metadata.and_then(|node| node.get(key)).and_then(Node::as_str).filter(|text| !text.is_empty());
    let (name, generate) = (text("name"), text("generateName"));
    if let Some(generate) = generate {
        for detail in names::dns_subdomain_prefix(generate) {
            faults.push(bad_name(metadata, "generateName", generate, detail));
        }
        // The server makes the name before it checks anything.
        let made = shown_name(resource);
        for detail in names::dns_subdomain(&made.replace(RANDOM, "x")).into_iter().filter(|_| name.is_none()) {
            faults.push(Fault::echo(format!("metadata.name: Invalid value: {}: {detail}", quote(&made))));
        }
    }
    match name {
        Some(name) => {
            for detail in names::dns_subdomain(name) {
                faults.push(bad_name(metadata, "name", name, detail));
            }
        }
        None if generate.is_none() => {
            let entry = metadata.and_then(|node| node.entry("name"));
            let header = resource.root.entry("metadata").map(|entry| entry.key_span);
            let place = entry.map(|entry| entry.key_span).or(header).unwrap_or_else(|| resource.root.place());
            let spot = Spot::new(place, "metadata.name");
            let cause = Cause::new(&rule::INVALID_NAME, spot, format!("the {} has no name", resource.kind.name()))
                .help("write `metadata.name`");
            let line = "metadata.name: Required value: name or generateName is required".to_owned();
            faults.push(Fault::blocking(line, cause));
        }
        None => {}
    }
}

fn bad_name(metadata: Option<&Node<'_>>, field: &str, name: &str, detail: String) -> Fault {
    let path = format!("metadata.{field}");
    let line = format!("{path}: Invalid value: {}: {detail}", quote(name));
    let node = metadata.and_then(|node| node.get(field));
    let spot = Spot::new(node.map_or_else(Default::default, Node::place), path.clone());
    let mut cause = Cause::new(&rule::INVALID_NAME, spot, format!("`{name}` cannot be a name")).help(detail);
    if fault::is_placeholder(name) {
        cause.severity = Some(Severity::Note);
        cause.message = format!("`{path}` holds the placeholder `{name}`; as it stands, the API server refuses it");
        cause.help = Some("fill in the name before the file is applied".to_owned());
    }
    Fault::plain(line, cause)
}

fn labels(metadata: Option<&Node<'_>>, world: &World, faults: &mut Vec<Fault>) {
    let mut entries: Vec<&Entry<'_>> =
        metadata.and_then(|node| node.get("labels")).into_iter().flat_map(Node::entries).collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    for entry in entries {
        for detail in names::label_key(&entry.key, world.kube_minor) {
            faults.push(bad_entry("labels", entry, &entry.key, true, detail));
        }
        let value = entry.value.as_str().unwrap_or_default();
        for detail in names::label_value(value, world.kube_minor) {
            faults.push(bad_entry("labels", entry, value, false, detail));
        }
    }
}

fn annotations(metadata: Option<&Node<'_>>, world: &World, faults: &mut Vec<Fault>) {
    let Some(annotations) = metadata.and_then(|node| node.entry("annotations")) else { return };
    let mut entries: Vec<&Entry<'_>> = annotations.value.entries().collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    for entry in &entries {
        for detail in names::label_key(&entry.key.to_lowercase(), world.kube_minor) {
            faults.push(bad_entry("annotations", entry, &entry.key, true, detail));
        }
    }
    if size(&annotations.value) > ANNOTATIONS_LIMIT {
        let line = format!("metadata.annotations: Too long: may not be more than {ANNOTATIONS_LIMIT} bytes");
        let spot = Spot::new(annotations.key_span, "metadata.annotations");
        let message = format!("keys and values of the annotations take more than {ANNOTATIONS_LIMIT} bytes together");
        let cause = Cause::new(&rule::INVALID_METADATA, spot, message).help("keep long texts in a ConfigMap");
        faults.push(Fault::blocking(line, cause).fixable());
    }
}

/// Bytes of the keys and values of a map of strings.
pub fn size(map: &Node<'_>) -> usize {
    map.entries().map(|entry| entry.key.len() + entry.value.as_str().map_or(0, str::len)).sum()
}

/// A key or value of the object's own labels or annotations; the server names the map alone.
fn bad_entry(map: &str, entry: &Entry<'_>, text: &str, is_key: bool, detail: String) -> Fault {
    let line = format!("metadata.{map}: Invalid value: {}: {detail}", quote(text));
    let place = if is_key { entry.key_span } else { entry.value.place() };
    let spot = Spot::new(place, format!("metadata.{map}.{}", entry.key));
    let what = match (map, is_key) {
        ("labels", true) => "cannot be the key of a label",
        ("labels", false) => "cannot be the value of a label",
        _ => "cannot be the key of an annotation",
    };
    let mut cause = Cause::new(&rule::INVALID_METADATA, spot, format!("`{text}` {what}")).help(detail);
    if fault::is_placeholder(text) {
        cause.severity = Some(Severity::Note);
    }
    Fault::plain(line, cause).fixable()
}

fn owners(metadata: Option<&Node<'_>>, faults: &mut Vec<Fault>) {
    let Some(owners) = metadata.and_then(|node| node.get("ownerReferences")) else { return };
    let mut controller: Option<&str> = None;
    for (index, owner) in owners.items().enumerate() {
        let text = |key: &str| owner.get(key).and_then(Node::as_str).unwrap_or_default();
        for (field, value, detail) in [
            ("apiVersion", group_version(text("apiVersion")), "version must not be empty"),
            ("kind", text("kind"), "must not be empty"),
            ("name", text("name"), "must not be empty"),
            ("uid", text("uid"), "must not be empty"),
        ] {
            if value.is_empty() {
                let path = format!("metadata.ownerReferences.{field}");
                let line = format!("{path}: Invalid value: {}: {detail}", quote(text(field)));
                let spot = Spot::of(owner, format!("metadata.ownerReferences[{index}].{field}"));
                let message = format!("the owner reference has no {field}");
                let help = "take ownerReferences away; controllers write them";
                faults
                    .push(Fault::plain(line, Cause::new(&rule::INVALID_METADATA, spot, message).help(help)).fixable());
            }
        }
        if owner.get("controller").and_then(Node::as_bool) == Some(true) {
            match controller {
                Some(first) => faults.push(second_controller(owners, owner, first, text("name"))),
                None => controller = Some(owner.get("name").and_then(Node::as_str).unwrap_or_default()),
            }
        }
    }
}

fn second_controller(owners: &Node<'_>, owner: &Node<'_>, first: &str, second: &str) -> Fault {
    let line = format!(
        "metadata.ownerReferences: Invalid value: {}: Only one reference can have Controller set to true. Found \"true\" in references for {first} and {second}",
        crate::resource::json::text(owners)
    );
    let spot = Spot::of(owner, "metadata.ownerReferences");
    let cause = Cause::new(&rule::INVALID_METADATA, spot, "two owner references say `controller: true`")
        .help("take ownerReferences away; controllers write them");
    Fault::plain(line, cause).fixable()
}

/// The version of `group/version`, empty if the text is none.
fn group_version(text: &str) -> &str {
    match text.matches('/').count() {
        0 | 1 => text.rsplit('/').next().unwrap_or_default(),
        _ => "",
    }
}

fn finalizers(metadata: Option<&Node<'_>>, world: &World, faults: &mut Vec<Fault>) {
    let Some(finalizers) = metadata.and_then(|node| node.get("finalizers")) else { return };
    for (index, item) in finalizers.items().enumerate() {
        let text = item.as_str().unwrap_or_default();
        for detail in names::label_key(text, world.kube_minor) {
            let line = format!("metadata.finalizers: Invalid value: {}: {detail}", quote(text));
            let spot = Spot::of(item, format!("metadata.finalizers[{index}]"));
            let cause =
                Cause::new(&rule::INVALID_METADATA, spot, format!("`{text}` cannot be a finalizer")).help(detail);
            faults.push(Fault::plain(line, cause).fixable());
        }
    }
}

/// Stands for the letters that the server adds to a generateName.
const RANDOM: &str = "<random>";

/// What the server keeps of a generateName.
const LONGEST_GENERATED: usize = 58;

/// The name as refusals quote it; a generated one ends in letters of the server's choice.
pub fn shown_name(resource: &Resource<'_>) -> String {
    let generate = resource.root.at(&["metadata", "generateName"]).and_then(Node::as_str).unwrap_or_default();
    match (resource.name(), generate) {
        ("", "") => String::new(),
        ("", generate) => format!("{}{RANDOM}", generate.get(..LONGEST_GENERATED).unwrap_or(generate)),
        (name, _) => name.to_owned(),
    }
}

/// A kubectl that applies keeps the whole object in an annotation, which has the limit of annotations.
pub fn too_large_to_apply(resource: &Resource<'_>) -> Option<Cause> {
    const KEY: &str = "kubectl.kubernetes.io/last-applied-configuration";
    // An object is hardly longer as JSON than its file.
    if resource.text.len() < ANNOTATIONS_LIMIT / 4 || matches!(resource.kind, Kind::Workload(_)) {
        return None;
    }
    if longest_json(&resource.root) < ANNOTATIONS_LIMIT / 3 {
        return None;
    }
    let own = resource.root.at(&["metadata", "annotations"]).map_or(0, size);
    let total = own + KEY.len() + crate::yaml::to_json(&resource.root).len() + 1;
    (own <= ANNOTATIONS_LIMIT && total > ANNOTATIONS_LIMIT).then(|| {
        let place = resource.root.entry("metadata").map_or_else(|| resource.root.place(), |entry| entry.key_span);
        let message = format!(
            "the object is too large for kubectl apply, which keeps a copy of it in an annotation: metadata.annotations: Too long: may not be more than {ANNOTATIONS_LIMIT} bytes"
        );
        let mut cause = Cause::new(&rule::INVALID_METADATA, Spot::new(place, "metadata"), message)
            .help("apply it with `kubectl apply --server-side` or `kubectl create`, or keep long texts in a ConfigMap");
        cause.severity = Some(Severity::Warning);
        cause
    })
}

/// No fewer bytes than a value takes as JSON, by a count that is quick to make.
fn longest_json(node: &Node<'_>) -> usize {
    // A byte becomes `\u0000` at worst.
    let text = |text: &str| text.len() * 6 + 2;
    match &node.value {
        Value::Null | Value::Bool(_) => 5,
        Value::Int(_) => 20,
        Value::Float(_) => 400,
        Value::String(value) => text(value),
        Value::Seq(items) => items.iter().map(|item| longest_json(item) + 1).sum::<usize>() + 2,
        Value::Map(map) => {
            map.entries.iter().map(|entry| text(&entry.key) + longest_json(&entry.value) + 2).sum::<usize>() + 2
        }
    }
}
