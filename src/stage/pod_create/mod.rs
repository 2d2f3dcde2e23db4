//! Does the API server accept the Pod? Its defaults (as far as validation needs them), its validation of a new Pod
//! and the admission plugins that refuse without looking at other objects, in the server's order and words
//! (API server validation of Pods, 1.36).

mod containers;
mod env;
mod field;
mod field_fix;
mod field_path;
mod field_ref;
mod files;
mod host;
mod message;
mod metadata;
mod mounts;
mod node_selection;
mod path;
mod persistent_claim;
mod plugin;
mod probes;
mod projected;
mod refusal;
mod resources;
mod security;
mod spread;
mod tolerations;
mod volume_sources;
mod volumes;
mod windows;

use super::Subject;
use crate::cluster::World;
use crate::contract::Contract;
use crate::finding::{Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::names;
use crate::resource::Kind;
use crate::resource::pod::{Meta, PodPlan, claim_template_name};
use crate::rule;
use crate::yaml::Span;
use field::Field;
use message::{Cause, Errors};
use plugin::Refusal;

/// The planned Pod as validation sees it.
#[derive(Debug)]
pub struct Pod<'n> {
    /// The Pod's name.
    name: &'n str,
    /// The Pod's namespace.
    namespace: &'n str,
    /// Labels that the author wrote.
    labels: &'n [Meta],
    /// Annotations that the author wrote.
    annotations: &'n [Meta],
    /// Where the metadata stands.
    metadata_place: Span,
    /// `spec`.
    spec: Field<'n>,
}

impl<'n> Pod<'n> {
    fn of(plan: &'n PodPlan<'_>) -> Self {
        Self {
            name: &plan.name,
            namespace: &plan.namespace,
            labels: &plan.labels,
            annotations: &plan.annotations,
            metadata_place: plan.metadata_span,
            spec: Field::root("spec", &plan.spec),
        }
    }

    /// Init containers, containers and ephemeral containers, in the server's order.
    fn all_containers(&self) -> Vec<Field<'n>> {
        ["initContainers", "containers", "ephemeralContainers"]
            .iter()
            .flat_map(|list| self.spec.child(list).items())
            .collect()
    }
}

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let plan = &subject.plan;
    let pod = Pod::of(plan);
    if let Some(amount) = resources::endless(&pod.spec) {
        endless_quantity(subject, &amount, out);
        return;
    }
    let early = plugin::before_validation(&pod, world);
    let errors = validate(&pod, &world.contract, world.kube_minor);
    let late = plugin::after_validation(&pod, world);
    for refusal in &early {
        refused_by_plugin(subject, refusal, out);
    }
    let (of_pods, of_templates): (Vec<&Cause>, Vec<&Cause>) = errors.causes.iter().partition(|cause| cause.pod_only);
    if !errors.causes.is_empty() {
        let carried = matches!(subject.resource.kind, Kind::Workload(_)) && !of_templates.is_empty();
        let causes = if carried { of_templates } else { [of_templates, of_pods].concat() };
        out.stop(refusal::of_causes(subject, causes));
    }
    // A plugin that refuses the same value has shown_findings already.
    let said = |causes: &Vec<&Cause>| early.iter().any(|refusal| refusal.field.place == causes[0].place);
    for causes in by_place(&errors.causes).iter().filter(|causes| !said(causes)) {
        add(subject, causes, out);
    }
    for refusal in &late {
        refused_by_plugin(subject, refusal, out);
    }
    if let Some(warned) = plugin::warnings(&pod, world) {
        pod_security_warning(subject, &warned, out);
    }
}

/// Pod Security warns the client that makes the Pod, which is a controller, or writes into the audit log.
fn pod_security_warning(subject: &Subject<'_>, warned: &plugin::Warned<'_>, out: &mut Findings) {
    let spot = Spot::new(warned.field.place, author_path(&subject.plan, &warned.field.path));
    let finding = out.add(&rule::POD_SECURITY_WARNING, spot, &warned.sentence).help(&warned.help);
    let running = Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::Running).message(warned.message.clone());
    finding.outcome(running.shown_on(warned.shown_on).uncertain());
    if let Some(origin) = warned.origin {
        finding.related_in(origin.file, origin.span, "the Namespace");
    }
}

/// The server computes with such a number until the client gives up.
fn endless_quantity(subject: &Subject<'_>, amount: &Field<'_>, out: &mut Findings) {
    let outcome = refusal::at_creation(
        "Timeout: request did not complete within requested timeout - context deadline exceeded".into(),
    );
    let message = format!(
        "`{}` is {}; the API server and the controller compute with this number for minutes or for good and answer nobody",
        amount.name(),
        crate::go::quote(amount.text())
    );
    let spot = Spot::new(amount.place, author_path(&subject.plan, &amount.path));
    out.add(&rule::INVALID_RESOURCES, spot, message)
        .help("write an amount that a node can have")
        .outcome(outcome.clone());
    out.stop(outcome);
}

/// All that validation refuses of a new Pod, in the server's order.
fn validate(pod: &Pod<'_>, contract: &Contract, kube_minor: u32) -> Errors {
    let mut errors = Errors::new(&rule::INVALID_POD_METADATA, kube_minor);
    let spec = &pod.spec;
    metadata::invalid_pod_metadata(pod, contract, &mut errors);
    metadata::special_annotations(pod, &mut errors);
    let around = volumes_and_claims(pod, &mut errors);
    let container_context =
        containers::ContainerContext { pod, volumes: &around, claims: claim_names(spec), grace: grace_period(spec) };
    containers::invalid_container(&container_context, &mut errors);
    containers::invalid_init_container(&container_context, &mut errors);
    containers::ephemeral_containers(&container_context, &mut errors);
    errors.about(&rule::INVALID_RESOURCES);
    resources::pod_resources(spec, &mut errors);
    errors.about(&rule::INVALID_CONTAINER);
    containers::host_network_ports(pod, &mut errors);
    errors.about(&rule::INVALID_POD_FIELD);
    host::restart_policy(spec, &mut errors);
    host::dns_policy(spec, &mut errors);
    errors.about(&rule::INVALID_NODE_SELECTOR);
    node_selection::invalid_node_selector(&spec.child("nodeSelector"), &mut errors);
    errors.about(&rule::INVALID_SECURITY_CONTEXT);
    security::invalid_security_context(pod, &mut errors);
    errors.about(&rule::INVALID_AFFINITY);
    node_selection::invalid_affinity(&spec.child("affinity"), pod.labels, &mut errors);
    pod_fields(pod, &mut errors);
    errors.only_for_pods();
    errors.about(&rule::INVALID_IMAGE);
    containers::untrimmed_images(pod, &mut errors);
    errors.about(&rule::INVALID_POD_FIELD);
    host::only_later(spec, &mut errors);
    errors.about(&rule::INVALID_SECURITY_CONTEXT);
    security::profiles_match(pod, &mut errors);
    errors.finish()
}

fn volumes_and_claims<'n>(pod: &Pod<'n>, errors: &mut Errors) -> volumes::Volumes<'n> {
    errors.about(&rule::INVALID_VOLUME);
    let volumes = volumes::invalid_volume(&pod.spec.child("volumes"), pod.name, errors);
    errors.about(&rule::INVALID_RESOURCES);
    host::resource_claims(&pod.spec.child("resourceClaims"), errors);
    volumes
}

/// The grace period with its default; the server turns a negative one into a second.
fn grace_period(spec: &Field<'_>) -> i64 {
    match spec.child("terminationGracePeriodSeconds").int() {
        Some(seconds) if seconds < 0 => 1,
        seconds => seconds.unwrap_or(30),
    }
}

fn claim_names<'n>(spec: &Field<'n>) -> Vec<&'n str> {
    let claims = spec.child("resourceClaims").items();
    claims.iter().map(|claim| claim.child("name").text()).filter(|name| !name.is_empty()).collect()
}

/// The fields that the server looks at after the containers and the affinity.
fn pod_fields(pod: &Pod<'_>, errors: &mut Errors) {
    let spec = &pod.spec;
    errors.about(&rule::INVALID_POD_FIELD);
    host::dns_config(spec, errors);
    host::readiness_gates(&spec.child("readinessGates"), errors);
    host::scheduling_gates(&spec.child("schedulingGates"), errors);
    errors.about(&rule::INVALID_SPREAD_CONSTRAINT);
    spread::invalid_spread_constraint(&spec.child("topologySpreadConstraints"), pod.labels, errors);
    errors.about(&rule::INVALID_SECURITY_CONTEXT);
    windows::host_process(pod, errors);
    security::host_users(spec, errors);
    errors.about(&rule::INVALID_POD_FIELD);
    host::names_and_deadline(spec, errors);
    errors.about(&rule::INVALID_TOLERATION);
    tolerations::invalid_toleration(&spec.child("tolerations"), errors);
    errors.about(&rule::INVALID_POD_FIELD);
    host::host_aliases(&spec.child("hostAliases"), errors);
    host::classes(spec, errors);
    errors.about(&rule::INVALID_RESOURCES);
    resources::overhead(&spec.child("overhead"), errors);
    errors.about(&rule::INVALID_POD_FIELD);
    windows::operating_system(pod, errors);
    host::hostname_override(spec, errors);
}

/// Causes of one rule at one place belong to one finding.
fn by_place(causes: &[Cause]) -> Vec<Vec<&Cause>> {
    let mut groups: Vec<Vec<&Cause>> = Vec::new();
    for cause in causes {
        let same = |group: &&mut Vec<&Cause>| group[0].rule == cause.rule && group[0].place == cause.place;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(cause),
            None => groups.push(vec![cause]),
        }
    }
    groups
}

fn add(subject: &Subject<'_>, causes: &[&Cause], out: &mut Findings) {
    let Some(first) = causes.first() else { return };
    let path = claim_template_path(subject, first).unwrap_or_else(|| author_path(&subject.plan, &first.path));
    let spot = Spot::new(first.place, path);
    let message = format!("{}; the API server refuses the Pod", first.sentence);
    let outcome = refusal::of_causes(subject, causes.iter().copied());
    let finding = out.add(first.rule, spot, message).outcome(outcome);
    if let Some(help) = causes.iter().find_map(|cause| cause.help.as_ref()) {
        finding.help(help);
    }
    let fix = causes.iter().find_map(|cause| cause.fix.as_ref());
    if let Some((fix, edit)) = fix.and_then(|fix| Some((fix, fix.edit(subject.resource.text)?))) {
        finding.fix(fix.how, fix.title.clone(), vec![edit]);
    }
    for (place, words) in causes.iter().filter_map(|cause| cause.related.as_ref()) {
        if *place != first.place {
            finding.related(*place, words);
        }
    }
}

fn refused_by_plugin(subject: &Subject<'_>, plugin: &Refusal<'_>, out: &mut Findings) {
    let outcome = refusal::at_creation(plugin.message.clone());
    let outcome = if plugin.certain { outcome } else { outcome.uncertain() };
    let spot = Spot::new(plugin.field.place, author_path(&subject.plan, &plugin.field.path));
    let message = format!("{}; the API server refuses the Pod", plugin.sentence);
    let finding = out.add(plugin.rule, spot, message).help(&plugin.help).outcome(outcome.clone());
    for (place, words) in &plugin.others {
        finding.related(*place, words);
    }
    if let Some((origin, words)) = &plugin.origin {
        finding.related_in(origin.file, origin.span, words);
    }
    out.stop(outcome);
}

/// The path of the volumeClaimTemplate that a volume came from.
fn claim_template_path(subject: &Subject<'_>, cause: &Cause) -> Option<String> {
    if !cause.path.starts_with("spec.volumes[") {
        return None;
    }
    let templates = subject.stored.at(&["spec", "volumeClaimTemplates"])?;
    let index = templates.items().position(|template| claim_template_name(template).1 == cause.place)?;
    Some(subject.resource.path(&format!("spec.volumeClaimTemplates[{index}].metadata.name")))
}

/// The resource's field path for a path of the Pod.
fn author_path(plan: &PodPlan<'_>, path: &str) -> String {
    match path.split_once('.') {
        Some(("spec", rest)) => plan.path(rest),
        Some(("metadata", rest)) => format!("{}.{rest}", plan.metadata_path),
        _ => plan.spec_path.clone(),
    }
}

#[cfg(test)]
mod tests;
