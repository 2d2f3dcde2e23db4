//! What comes of the Sandboxes that a pool or a claim makes: the template's Pod, under the name that it gets.

use super::{Fleet, Member, Report, Reports};
use crate::finding::{Outcome, Phase, ResourceId, Shown, Spot, Stage};
use crate::predict::{self, Prediction};
use crate::resource::{Kind, Resource, Version};
use crate::rule;
use crate::stage::admission::Accepted;
use crate::yaml::{Entry, Mapping, Node, Style, Value};

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    for pool in fleet.of(Kind::SandboxWarmPool) {
        let Some(template) = fleet.template_of(pool) else { continue };
        let report = reports.of(pool.index);
        if pool.replicas() == 0 {
            let outcome = Outcome::new(Stage::Reconcile, Shown::Pool, Phase::NoPod);
            report.refuse(outcome.shown_on("SandboxWarmPool status: replicas 0"));
            continue;
        }
        report.forecast = forecast(fleet, template, &member_name(pool.resource.name()), None);
    }
    for claim in fleet.of(Kind::SandboxClaim) {
        let Some(pool) = fleet.pool_of(claim) else { continue };
        let Some(template) = fleet.template_of(pool) else { continue };
        let report = reports.of(claim.index);
        report.forecast = forecast(fleet, template, claim.resource.name(), claim.stored.get("spec"));
        claim_env_refused(fleet, claim, template, report);
    }
}

/// A variable that the API server refuses in the Pod, where the template's own Pod would pass.
fn claim_env_refused(fleet: &Fleet<'_, '_>, claim: Member<'_, '_>, template: Member<'_, '_>, report: &mut Report) {
    let refused = |prediction: &Prediction| {
        prediction.outcome.clone().filter(|outcome| outcome.stage == Stage::PodCreate && outcome.message.is_some())
    };
    let Some(env) = claim.stored.at(&["spec", "env"]).filter(|_| report.refused.is_none()) else { return };
    let Some(outcome) = report.forecast.as_deref().and_then(refused) else { return };
    if refused(&fleet.evaluations[template.index].prediction).is_some() {
        return;
    }
    let spot = Spot::of(env, claim.resource.path("spec.env"));
    report
        .out
        .add(&rule::CLAIM_ENV_REFUSED, spot, "the API server refuses the Pod with the claim's variables in it")
        .help("write each variable's name as letters, digits and `_`")
        .outcome(outcome);
}

/// The name of an example member of a pool.
pub(super) fn member_name(pool: &str) -> String {
    format!("{}xyz", member_prefix(pool))
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
    claim: Option<&Node<'s>>,
) -> Option<Box<Prediction>> {
    if fleet.evaluations[template.index].prediction.accepted == Accepted::Refused || name.is_empty() {
        return None;
    }
    let mut spec = template.stored.get("spec")?.clone();
    if let Value::Map(fields) = &mut spec.value {
        fields.entries.retain(|entry| matches!(&*entry.key, "podTemplate" | "volumeClaimTemplates" | "service"));
        let pod_template = fields.entries.iter_mut().find(|entry| entry.key == "podTemplate")?;
        let added = |keys: &[&str]| claim.and_then(|claim| claim.at(keys));
        for field in ["labels", "annotations"] {
            if let Some(added) = added(&["additionalPodMetadata", field]) {
                add_metadata(&mut pod_template.value, field, added);
            }
        }
        if let Some(env) = added(&["env"]) {
            env.items().for_each(|variable| add_variable(&mut pod_template.value, variable));
        }
    }
    if let Some(claims) = claim.and_then(|claim| claim.get("volumeClaimTemplates")) {
        let list = list(&mut spec, "volumeClaimTemplates");
        list.extend(claims.items().cloned());
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
    let prediction = &fleet.evaluations[template.index].prediction;
    Some(Box::new(predict::follow(prediction.file, prediction.document, resource, fleet.world).prediction))
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

/// Adds a variable of the claim to the container that it names, or to the first; a known name gets the new value.
fn add_variable<'s>(pod_template: &mut Node<'s>, variable: &Node<'s>) {
    let text = |node: &Node<'s>, key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default().to_owned();
    let target = text(variable, "containerName");
    let spec = child(pod_template, "spec");
    let fields = if target.is_empty() { &["containers"][..] } else { &["initContainers", "containers"] };
    for field in fields {
        let called = |container: &&mut Node<'s>| target.is_empty() || text(container, "name") == target;
        let Some(container) = list(spec, field).iter_mut().find(called) else { continue };
        let mut variable = variable.clone();
        if let Value::Map(map) = &mut variable.value {
            map.entries.retain(|entry| entry.key != "containerName");
        }
        let env = list(container, "env");
        match env.iter_mut().find(|known| text(known, "name") == text(&variable, "name")) {
            Some(known) => *known = variable,
            None => env.push(variable),
        }
        return;
    }
}

/// The items of the list under a key, made where it is missing.
fn list<'n, 's>(node: &'n mut Node<'s>, key: &'static str) -> &'n mut Vec<Node<'s>> {
    let child = child(node, key);
    if !matches!(child.value, Value::Seq(_)) {
        child.value = Value::Seq(Vec::new());
    }
    let Value::Seq(items) = &mut child.value else { unreachable!("made a list above") };
    items
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
