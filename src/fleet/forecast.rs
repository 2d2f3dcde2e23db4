//! What comes of the Sandboxes that a pool or a claim makes: the template's Pod, under the name that it gets.

use super::{Fleet, Member, Report};
use crate::finding::{Outcome, Phase, ResourceId, Shown, Stage};
use crate::predict::{self, Prediction};
use crate::resource::{Kind, Resource, Version};
use crate::stage::admission::Accepted;
use crate::yaml::{Entry, Mapping, Node, Style, Value};

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    for pool in fleet.of(Kind::SandboxWarmPool) {
        let Some(template) = fleet.template_of(pool) else { continue };
        let report = &mut reports[pool.index];
        if pool.replicas() == 0 {
            let outcome = Outcome::new(Stage::Reconcile, Shown::Pool, Phase::NoPod);
            report.refuse(outcome.shown_on("SandboxWarmPool status: replicas 0"));
            continue;
        }
        report.forecast = forecast(fleet, template, &format!("{}xyz", member_prefix(pool.resource.name())), None);
    }
    for claim in fleet.of(Kind::SandboxClaim) {
        let Some(pool) = fleet.pool_of(claim) else { continue };
        let Some(template) = fleet.template_of(pool) else { continue };
        let additions = claim.stored.at(&["spec", "additionalPodMetadata"]);
        reports[claim.index].forecast = forecast(fleet, template, claim.resource.name(), additions);
    }
}

/// The server cuts the base of a made name to 58 bytes, the dash included.
fn member_prefix(pool: &str) -> String {
    let mut base = format!("{pool}-");
    let end = base.char_indices().map(|(at, _)| at).chain([base.len()]).take_while(|at| *at <= 58).last();
    base.truncate(end.unwrap_or(0));
    base
}

/// Follows a Sandbox of this name with the template's blueprint; what it finds is the template's to say.
fn forecast<'s>(
    fleet: &Fleet<'_, 's>,
    template: Member<'_, 's>,
    name: &str,
    additions: Option<&Node<'s>>,
) -> Option<Prediction> {
    if fleet.journeys[template.index].prediction.accepted == Accepted::Refused || name.is_empty() {
        return None;
    }
    let mut spec = template.stored.get("spec")?.clone();
    if let Value::Map(fields) = &mut spec.value {
        fields.entries.retain(|entry| matches!(&*entry.key, "podTemplate" | "volumeClaimTemplates" | "service"));
        let pod_template = fields.entries.iter_mut().find(|entry| entry.key == "podTemplate")?;
        for field in ["labels", "annotations"] {
            if let Some(added) = additions.and_then(|additions| additions.get(field)) {
                add_metadata(&mut pod_template.value, field, added);
            }
        }
    }
    let at = template.stored.place();
    let text = |value: &str| Node::new(at, Style::Plain, Value::String(value.to_owned().into()));
    let namespace = template.resource.namespace();
    let metadata = map(template.stored, vec![("name", text(name)), ("namespace", text(namespace))]);
    let version = "agents.x-k8s.io/v1beta1";
    let fields = vec![("apiVersion", text(version)), ("kind", text("Sandbox")), ("metadata", metadata), ("spec", spec)];
    let resource = Resource {
        kind: Kind::Sandbox,
        version: Version::V1beta1,
        id: ResourceId {
            api_version: Some(version.to_owned()),
            kind: Some("Sandbox".to_owned()),
            namespace: Some(namespace.to_owned()),
            name: Some(name.to_owned()),
        },
        root: map(template.stored, fields),
        prefix: String::new(),
        file_name: template.resource.file_name.clone(),
        text: template.resource.text,
    };
    let prediction = &fleet.journeys[template.index].prediction;
    Some(predict::follow(prediction.file, prediction.document, resource, fleet.world).prediction)
}

/// Adds the claim's keys to the Pod's metadata, as the claim controller merges them.
fn add_metadata<'s>(pod_template: &mut Node<'s>, field: &'static str, added: &Node<'s>) {
    let metadata = child(pod_template, "metadata");
    let target = child(metadata, field);
    let Value::Map(own) = &mut target.value else { return };
    for entry in added.entries() {
        if own.get(&entry.key).is_none() {
            own.entries.push(entry.clone());
        }
    }
}

/// The mapping under a key, made where it is missing.
fn child<'n, 's>(node: &'n mut Node<'s>, key: &'static str) -> &'n mut Node<'s> {
    let at = node.place();
    if !matches!(node.value, Value::Map(_)) {
        node.value = Value::Map(Mapping::default());
    }
    let Value::Map(map) = &mut node.value else { unreachable!("made a mapping above") };
    let known = map.entries.iter().position(|entry| entry.key == key);
    let index = known.unwrap_or_else(|| {
        let value = Node::new(at, Style::Block, Value::Map(Mapping::default()));
        map.entries.push(Entry { key: key.into(), key_span: at, value });
        map.entries.len() - 1
    });
    &mut map.entries[index].value
}

fn map<'s>(at: &Node<'s>, fields: Vec<(&'static str, Node<'s>)>) -> Node<'s> {
    let span = at.place();
    let entries = fields.into_iter().map(|(key, value)| Entry { key: key.into(), key_span: span, value }).collect();
    Node::new(span, Style::Block, Value::Map(Mapping { entries }))
}
