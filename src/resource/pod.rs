//! The Pod that the controller would create, every value with the place it came from.

use super::{Kind, Resource, Workload};
use crate::yaml::{Mapping, Node, Span, Style, Value};

/// A label or annotation of the planned Pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    /// Where the key is written.
    pub key_span: Span,
    /// Where the value is written.
    pub value_span: Span,
}

/// A Pod as it would be sent to the API server, before the server's defaults.
#[derive(Clone, Debug)]
pub struct PodPlan<'s> {
    /// Namespace of the Pod.
    pub namespace: String,
    /// Name of the Pod, or of an example where a controller makes names.
    pub name: String,
    /// Labels that the author wrote and the controller copies.
    pub labels: Vec<Meta>,
    /// Annotations that the author wrote and the controller copies.
    pub annotations: Vec<Meta>,
    /// The Pod spec as stored, with what the controller adds.
    pub spec: Node<'s>,
    /// Field path of the Pod's metadata in the resource: `spec.podTemplate.metadata`.
    pub metadata_path: String,
    /// Field path of the Pod's spec in the resource: `spec.podTemplate.spec`.
    pub spec_path: String,
    /// Where the metadata stands, or the place where it would have to be written.
    pub metadata_span: Span,
    /// The items of `volumeClaimTemplates`; their volumes are the last ones of the spec.
    pub claim_templates: Vec<Node<'s>>,
}

impl<'s> PodPlan<'s> {
    /// The annotation with this key, if it is set; an empty value counts as set.
    pub fn annotation(&self, key: &str) -> Option<&Meta> {
        self.annotations.iter().find(|meta| meta.key == key)
    }

    /// The annotation's text as providers read it: empty and absent are the same.
    pub fn annotation_text(&self, key: &str) -> Option<&str> {
        self.annotation(key).map(|meta| meta.value.as_str()).filter(|value| !value.is_empty())
    }

    /// The label with this key.
    pub fn label(&self, key: &str) -> Option<&Meta> {
        self.labels.iter().find(|meta| meta.key == key)
    }

    /// The resource's field path of a field of the Pod's spec: `tolerations[0]` → `spec.podTemplate.spec.tolerations[0]`.
    pub fn path(&self, field: &str) -> String {
        if field.is_empty() { self.spec_path.clone() } else { format!("{}.{field}", self.spec_path) }
    }

    /// `restartPolicy` as the server would default it.
    pub fn restart_policy(&self) -> &str {
        self.spec.get("restartPolicy").and_then(Node::as_str).filter(|text| !text.is_empty()).unwrap_or("Always")
    }

    /// `nodeName`, if set.
    pub fn node_name(&self) -> Option<&str> {
        self.spec.get("nodeName").and_then(Node::as_str).filter(|name| !name.is_empty())
    }
}

/// Where the template of the Pod stands in an object of this kind; empty where the object is the Pod. `None`: a pool and a
/// claim have none of their own.
pub fn template_keys(kind: Kind) -> Option<&'static [&'static str]> {
    match kind {
        Kind::Sandbox | Kind::SandboxTemplate => Some(&["spec", "podTemplate"]),
        Kind::SandboxWarmPool | Kind::SandboxClaim => None,
        Kind::Workload(Workload::Pod) => Some(&[]),
        Kind::Workload(Workload::CronJob) => Some(&["spec", "jobTemplate", "spec", "template"]),
        Kind::Workload(_) => Some(&["spec", "template"]),
    }
}

/// The name of the Pod, or of an example: `xyz` for what a controller makes up, `<hash>` and `<time>` for what it computes.
fn pod_name(resource: &Resource<'_>) -> String {
    let name = resource.name();
    match resource.kind {
        Kind::Sandbox | Kind::Workload(Workload::Pod) => name.to_owned(),
        Kind::Workload(Workload::Deployment) => format!("{name}-<hash>-xyz"),
        Kind::Workload(Workload::StatefulSet) => format!("{name}-0"),
        Kind::Workload(Workload::CronJob) => format!("{name}-<time>-xyz"),
        _ => format!("{name}-xyz"),
    }
}

/// The Pod that comes of an object, given as the API server stores it.
pub fn plan<'s>(resource: &Resource<'s>, stored: &Node<'s>) -> Option<PodPlan<'s>> {
    let keys = template_keys(resource.kind)?;
    let template = stored.at(keys)?;
    let spec = template.get("spec")?.clone();
    let metadata = template.get("metadata");
    let path = |field: &str| {
        let names: Vec<&str> = keys.iter().copied().chain([field]).collect();
        resource.path(&names.join("."))
    };
    let name = pod_name(resource);
    let claims = has_claim_templates(resource.kind).then(|| stored.at(&["spec", "volumeClaimTemplates"])).flatten();
    let owner = if resource.kind == Kind::SandboxTemplate { resource.name() } else { &name };
    Some(PodPlan {
        namespace: resource.namespace().to_owned(),
        labels: metas(resource.kind, metadata, "labels"),
        annotations: metas(resource.kind, metadata, "annotations"),
        spec: with_claim_volumes(spec, claims, owner),
        metadata_path: path("metadata"),
        spec_path: path("spec"),
        metadata_span: metadata.map_or(template.place(), Node::place),
        claim_templates: claims.into_iter().flat_map(Node::items).cloned().collect(),
        name,
    })
}

fn has_claim_templates(kind: Kind) -> bool {
    matches!(kind, Kind::Sandbox | Kind::SandboxTemplate | Kind::Workload(Workload::StatefulSet))
}

/// Keys with these prefixes belong to the controller and are not copied.
const RESERVED: [&str; 2] = ["agents.x-k8s.io/", "extensions.agents.x-k8s.io/"];

/// Whether the controller leaves out this key of `labels` or `annotations` when it makes the Pod.
pub fn is_reserved(field: &str, key: &str) -> bool {
    RESERVED.iter().any(|prefix| key.starts_with(prefix))
        || (field == "annotations" && key == "opentelemetry.io/trace-context")
}

fn metas(kind: Kind, metadata: Option<&Node<'_>>, field: &str) -> Vec<Meta> {
    let copied = |key: &str| matches!(kind, Kind::Workload(_)) || !is_reserved(field, key);
    let Some(map) = metadata.and_then(|metadata| metadata.get(field)) else { return Vec::new() };
    map.entries()
        .filter(|entry| copied(&entry.key))
        .filter_map(|entry| {
            Some(Meta {
                key: entry.key.to_string(),
                value: entry.value.as_str()?.to_owned(),
                key_span: entry.key_span,
                value_span: entry.value.place(),
            })
        })
        .collect()
}

/// The controller adds one volume for each volumeClaimTemplate, bound to the claim `<template>-<sandbox>`.
fn with_claim_volumes<'s>(mut spec: Node<'s>, templates: Option<&Node<'s>>, owner: &str) -> Node<'s> {
    let Some(templates) = templates else { return spec };
    let added: Vec<Node<'s>> = templates
        .items()
        .map(|template| {
            let (text, at) = claim_template_name(template);
            let string = |value: String| Node::new(at, Style::Plain, Value::String(value.into()));
            let claim = map(at, [("claimName", string(format!("{text}-{owner}")))]);
            map(at, [("name", string(text.to_owned())), ("persistentVolumeClaim", claim)])
        })
        .collect();
    let Value::Map(fields) = &mut spec.value else { return spec };
    match fields.entries.iter_mut().find(|entry| entry.key == "volumes") {
        Some(entry) => {
            if let Value::Seq(volumes) = &mut entry.value.value {
                volumes.extend(added);
            }
        }
        None if !added.is_empty() => {
            let at = templates.place();
            let value = Node::new(at, Style::Block, Value::Seq(added));
            fields.entries.push(crate::yaml::Entry { key: "volumes".into(), key_span: at, value });
        }
        None => {}
    }
    spec
}

/// The name of a volumeClaimTemplate, empty where it has none, and where it is written.
pub fn claim_template_name<'n>(template: &'n Node<'_>) -> (&'n str, Span) {
    let name = template.at(&["metadata", "name"]).and_then(|name| Some((name.as_str()?, name.place())));
    name.unwrap_or(("", template.place()))
}

fn map<'s, const N: usize>(at: Span, fields: [(&'static str, Node<'s>); N]) -> Node<'s> {
    let entries =
        fields.into_iter().map(|(key, value)| crate::yaml::Entry { key: key.into(), key_span: at, value }).collect();
    Node::new(at, Style::Block, Value::Map(Mapping { entries }))
}
