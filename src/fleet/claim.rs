//! What a claim adds to its template, judged in the order of the claim controller: metadata by itself, then
//! volumeClaimTemplates, metadata and env against the template.

use super::{Fleet, Member, Report, Reports};
use crate::cluster::World;
use crate::finding::{Finding, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::go::quote;
use crate::names;
use crate::resource::Kind;
use crate::rule::{self, Rule};
use crate::stage::running;
use crate::yaml::{Entry, Node};
use std::collections::HashSet;

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    for claim in fleet.of(Kind::SandboxClaim) {
        let report = reports.of(claim.index);
        claim_metadata_refused(claim, report);
        let Some(pool) = fleet.pool_of(claim) else { continue };
        let Some(template) = fleet.template_of(pool) else { continue };
        let pair = Pair { claim, pool, template };
        claim_volumes_refused(&pair, report);
        claim_metadata_conflict(&pair, report);
        claim_env_refused(&pair, report);
        late_annotation(fleet, &pair, report);
        env_never_arrives(fleet, &pair, report);
        cold_claim(&pair, report);
        service_of_claim(&pair, report);
    }
}

/// Policy Allowed refuses a claim's variables for a container that takes others from envFrom. Where a claim among the
/// files does so, that is said at the claim.
pub(super) fn env_from_refuses_claims(fleet: &Fleet<'_, '_>, template: Member<'_, '_>, report: &mut Report) {
    let sets =
        |claim: &Member<'_, '_>| claim.stored.at(&["spec", "env"]).is_some_and(|env| env.items().next().is_some());
    if policy(template, "envVarsInjectionPolicy") != "Allowed"
        || fleet.pools_of(template).any(|pool| fleet.claims_of(pool).any(|claim| sets(&claim)))
    {
        return;
    }
    for field in ["containers", "initContainers"] {
        let containers = template.stored.at(&["spec", "podTemplate", "spec", field]);
        for (index, container) in containers.into_iter().flat_map(Node::items).enumerate() {
            let Some(sources) = container.entry("envFrom").filter(|from| from.value.items().next().is_some()) else {
                continue;
            };
            let called = container.get("name").and_then(Node::as_str).unwrap_or_default();
            let path = template.resource.path(&format!("spec.podTemplate.spec.{field}[{index}].envFrom"));
            let message = format!(
                "container `{called}` has envFrom: policy Allowed refuses every claim that sets variables for it"
            );
            let finding = report.out.add(&rule::ENV_FROM_REFUSES_CLAIMS, Spot::new(sources.key_span, path), message);
            finding.help("set spec.envVarsInjectionPolicy to Overrides, or write the variables of envFrom in env");
            // A claim's variables go to the first container unless they name another one.
            if field != "containers" || index > 0 {
                finding.severity(Severity::Note);
            }
        }
    }
}

/// A claim with variables or volumes of its own waits for a Sandbox of its own, while warm ones are there.
fn cold_claim(pair: &Pair<'_, '_>, report: &mut Report) {
    let virtual_node = pair.template.subject.and_then(|subject| subject.serving_backend());
    let brings = |field| {
        let list = pair.claim.stored.at(&["spec", field]);
        list.filter(|list| list.items().next().is_some()).map(|list| (field, list))
    };
    // On a virtual node the variables have a finding of their own, which says so, too.
    let env = brings("env").filter(|_| virtual_node.is_none_or(|backend| backend == "kubelet"));
    let Some((field, list)) = env.or_else(|| brings("volumeClaimTemplates")) else { return };
    if report.refused.is_some() || pair.pool.replicas() == 0 {
        return;
    }
    let message = format!(
        "the claim sets {field}, so it starts a Sandbox of its own cold and takes none of the warm ones of pool `{}`",
        pair.pool.resource.name()
    );
    let path = pair.claim.resource.path(&format!("spec.{field}"));
    report.out.add(&rule::COLD_CLAIM, Spot::of(list, path), message).help(
        "write them in the SandboxTemplate, where every claim is to have them, or give claims that need them a pool with `replicas: 0`",
    );
}

/// A claim that starts cold makes a Sandbox of its own name, and the Service of that has the name, too.
fn service_of_claim(pair: &Pair<'_, '_>, report: &mut Report) {
    let cold = pair.claim.starts_cold() || pair.pool.replicas() == 0;
    if !pair.template.wants_service() || !cold || report.refused.is_some() {
        return;
    }
    let name = pair.claim.resource.name();
    let Some((why, outcome)) = running::refused_service(name) else { return };
    let message = format!(
        "service: true of the template makes a Service called `{name}`, which the API server refuses: the name {why}"
    );
    let node = pair.claim.stored.at(&["metadata", "name"]).unwrap_or(pair.claim.stored);
    report
        .out
        .add(&rule::SERVICE_NAME, Spot::of(node, pair.claim.resource.path("metadata.name")), message)
        .help("give the claim a name of at most 63 lower-case letters, digits and dashes")
        .outcome(outcome);
}

/// A claim with what it resolves to.
struct Pair<'f, 's> {
    claim: Member<'f, 's>,
    pool: Member<'f, 's>,
    template: Member<'f, 's>,
}

/// The domain that label keys of a claim need, unless the controller is configured with others.
const LABEL_DOMAIN: &str = "sandbox.users.io";

/// Domains that a claim's annotations must not use.
const SYSTEM_DOMAINS: [&str; 3] = ["kubernetes.io", "k8s.io", "agents.x-k8s.io"];

/// The one key of a system domain that a claim may set.
const EXEMPT: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict";

/// Labels and annotations that the claim controller refuses whatever the template says.
fn claim_metadata_refused(claim: Member<'_, '_>, report: &mut Report) {
    for (field, kind) in [("labels", "label"), ("annotations", "annotation")] {
        for entry in added(claim, field) {
            let Some(value) = entry.value.as_str() else { continue };
            let Some((error, certain)) = metadata_error(kind, &entry.key, value) else { continue };
            let message =
                format!("invalid additionalPodMetadata: failed to validate {kind} {}: {error}", quote(&entry.key));
            let mut outcome = refusal("InvalidMetadata", message);
            if !certain {
                outcome = outcome.uncertain();
            }
            let path = claim.resource.path(&format!("spec.additionalPodMetadata.{field}.{}", entry.key));
            let said = format!("the claim controller refuses {kind} `{}`: {error}", entry.key);
            let finding = refuse(report, &rule::CLAIM_METADATA_REFUSED, Spot::new(entry.key_span, path), said, outcome);
            finding.help(match kind {
                "label" => "use a label key under sandbox.users.io/, or an annotation",
                _ => "use a key of your own domain, or write it in the SandboxTemplate",
            });
        }
    }
}

fn metadata_error(kind: &str, key: &str, value: &str) -> Option<(String, bool)> {
    let wrong = names::label_key(key, World::NEWEST_KUBE_MINOR);
    if !wrong.is_empty() {
        return Some((format!("invalid {kind} key: {}: {}", quote(key), wrong.join("; ")), true));
    }
    let label = kind == "label";
    if label && key.eq_ignore_ascii_case("app") && value.eq_ignore_ascii_case("sandbox-router") {
        let error = format!(
            "restricted system label value: {}={} is not allowed in AdditionalPodMetadata",
            quote(key),
            quote(value)
        );
        return Some((error, true));
    }
    let domain = key.split_once('/').map(|(prefix, _)| prefix.to_lowercase());
    let within = |domain: &str, parent: &str| {
        domain == parent || domain.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.'))
    };
    match (label, domain) {
        (true, None) => Some((
            format!(
                "label {} must have a domain prefix (e.g. 'sandbox.users.io/my-label') to prevent opting into unintended policy domains",
                quote(key)
            ),
            true,
        )),
        (true, Some(domain)) if !within(&domain, LABEL_DOMAIN) => {
            Some((format!("label domain {} is not in the allowlist", quote(&domain)), false))
        }
        (false, Some(domain)) if key != EXEMPT && SYSTEM_DOMAINS.iter().any(|parent| within(&domain, parent)) => {
            Some((format!("restricted system domain: {} is not allowed in AdditionalPodMetadata", quote(key)), true))
        }
        (true, Some(_)) => {
            let wrong = names::label_value(value, World::NEWEST_KUBE_MINOR);
            let error =
                format!("invalid label value: {} does not match allowed pattern: {}", quote(value), wrong.join("; "));
            (!wrong.is_empty()).then_some((error, true))
        }
        _ => None,
    }
}

/// volumeClaimTemplates of a claim that the template's policy does not let in, or that clash.
fn claim_volumes_refused(pair: &Pair<'_, '_>, report: &mut Report) {
    let templates = |member: Member<'_, '_>| -> Vec<String> {
        let list = member.stored.at(&["spec", "volumeClaimTemplates"]);
        list.map(|list| list.items().map(volume_name).collect()).unwrap_or_default()
    };
    let (own, wanted) = (templates(pair.template), templates(pair.claim));
    let field = "spec.volumeClaimTemplates";
    let spot = |member: Member<'_, '_>| {
        let node = member.stored.at(&["spec", "volumeClaimTemplates"]).unwrap_or(member.stored);
        Spot::of(node, member.resource.path(field))
    };
    if let Some(error) = invalid_names(&own) {
        let lead = if wanted.is_empty() { "invalid volume claim templates in template" } else { "template" };
        let merged = if wanted.is_empty() { "" } else { "failed to merge volume claim templates: " };
        let message = format!("{merged}{lead}: invalid volume claim templates: {error}");
        report.refuse(refusal("VolumeClaimTemplatesError", message));
        return;
    }
    if wanted.is_empty() {
        return;
    }
    let policy = policy(pair.template, "volumeClaimTemplatesPolicy");
    let twice = wanted.iter().find(|name| own.contains(name));
    let (error, said) = if let Some(error) = invalid_names(&wanted) {
        (
            format!("claim: invalid volume claim templates: {error}"),
            format!("the claim's volumeClaimTemplates: {error}"),
        )
    } else if policy == "Disallowed" {
        let name = pair.template.resource.name();
        let said = format!(
            "SandboxTemplate `{name}` has volumeClaimTemplatesPolicy Disallowed, so its claims bring no volumes"
        );
        ("volume claim templates are disallowed by the template".to_owned(), said)
    } else if let Some(name) = twice.filter(|_| policy == "Allowed") {
        let error = format!(
            "overriding volume claim templates is forbidden by the template: cannot override template volume {}",
            quote(name)
        );
        (
            error,
            format!("volumeClaimTemplate `{name}` is in the template too, whose policy Allowed only lets new ones in"),
        )
    } else {
        return;
    };
    let outcome = refusal("VolumeClaimTemplatesError", format!("failed to merge volume claim templates: {error}"));
    let finding = refuse(report, &rule::CLAIM_VOLUMES_REFUSED, spot(pair.claim), said, outcome);
    finding.help(format!(
        "set spec.volumeClaimTemplatesPolicy of SandboxTemplate `{}` to Allowed or Overrides, or remove them",
        pair.template.resource.name()
    ));
}

fn volume_name(template: &Node<'_>) -> String {
    template.at(&["metadata", "name"]).and_then(Node::as_str).unwrap_or_default().to_owned()
}

fn invalid_names(names: &[String]) -> Option<String> {
    let mut seen = HashSet::new();
    names.iter().enumerate().find_map(|(index, name)| match name.as_str() {
        "" => Some(format!("name at index {index} is empty")),
        _ if !seen.insert(name) => Some(format!("duplicate name {}", quote(name))),
        _ => None,
    })
}

/// A key that the template sets to another value; a claim adds, it never overrides.
fn claim_metadata_conflict(pair: &Pair<'_, '_>, report: &mut Report) {
    for (field, kind) in [("labels", "label"), ("annotations", "annotation")] {
        let Some(own) = pair.template.stored.at(&["spec", "podTemplate", "metadata", field]) else { continue };
        for entry in added(pair.claim, field) {
            let (Some(wanted), Some(theirs)) = (entry.value.as_str(), own.entry(&entry.key)) else { continue };
            let Some(value) = theirs.value.as_str().filter(|value| *value != wanted) else { continue };
            let error = format!(
                "metadata override conflict: {kind} {} is defined in template with value {}, but claim requests {}",
                quote(&entry.key),
                quote(value),
                quote(wanted)
            );
            let path = pair.claim.resource.path(&format!("spec.additionalPodMetadata.{field}.{}", entry.key));
            let said = format!(
                "{kind} `{}` is `{value}` in SandboxTemplate `{}`, and a claim cannot override it",
                entry.key,
                pair.template.resource.name()
            );
            let outcome = refusal("ReconcilerError", format!("Error seen: {error}"));
            refuse(report, &rule::CLAIM_METADATA_CONFLICT, Spot::new(entry.key_span, path), said, outcome)
                .help("remove it from the claim or from the template");
        }
    }
}

/// Environment variables of a claim that the template's policy does not let in.
fn claim_env_refused(pair: &Pair<'_, '_>, report: &mut Report) {
    let Some(env) = pair.claim.stored.at(&["spec", "env"]).filter(|env| env.items().next().is_some()) else { return };
    let template = pair.template.resource.name();
    let policy = policy(pair.template, "envVarsInjectionPolicy");
    if policy == "Disallowed" {
        let said = format!(
            "SandboxTemplate `{template}` has envVarsInjectionPolicy Disallowed, so its claims set no variables"
        );
        let message = "environment variable injection rejected: environment variable injection is not allowed by the template policy";
        let spot = Spot::of(env, pair.claim.resource.path("spec.env"));
        let outcome = refusal("EnvVarsInjectionRejected", message);
        refuse(report, &rule::CLAIM_ENV_REFUSED, spot, said, outcome).help(format!(
            "set spec.envVarsInjectionPolicy of SandboxTemplate `{template}` to Allowed or Overrides, or remove spec.env"
        ));
        return;
    }
    for (index, variable) in env.items().enumerate() {
        let Some((reason, message, said)) = variable_error(pair, variable, policy) else { continue };
        let spot = Spot::of(variable, pair.claim.resource.path(&format!("spec.env[{index}]")));
        refuse(report, &rule::CLAIM_ENV_REFUSED, spot, said, refusal(reason, message));
    }
}

fn variable_error(pair: &Pair<'_, '_>, variable: &Node<'_>, policy: &str) -> Option<(&'static str, String, String)> {
    let text = |key: &str| variable.get(key).and_then(Node::as_str).unwrap_or_default();
    let (name, target) = (text("name"), text("containerName"));
    let Some(container) = container(pair.template, target) else {
        let error = format!(
            "target container {} not found in template for environment variable {}",
            quote(target),
            quote(name)
        );
        let said = format!("SandboxTemplate `{}` has no container `{target}`", pair.template.resource.name());
        return (!target.is_empty()).then(|| ("ReconcilerError", format!("Error seen: {error}"), said));
    };
    if policy != "Allowed" {
        return None;
    }
    let called = container.get("name").and_then(Node::as_str).unwrap_or_default();
    if container.get("envFrom").is_some_and(|sources| sources.items().next().is_some()) {
        let error = format!(
            "environment variable injection rejected: container {} uses EnvFrom sources; Allowed policy cannot safely prevent overriding EnvFrom-provided variables",
            quote(called)
        );
        let said = format!(
            "container `{called}` of the template uses envFrom, which policy Allowed does not mix with a claim's env"
        );
        return Some(("EnvVarsInjectionRejected", error, said));
    }
    let own = container.get("env")?;
    let set = own.items().any(|own| own.get("name").and_then(Node::as_str) == Some(name));
    set.then(|| {
        let error =
            format!("environment variable override is not allowed by the template policy for variable {}", quote(name));
        let said = format!("the template sets variable `{name}` itself, and its policy Allowed only lets new ones in");
        ("ReconcilerError", format!("Error seen: {error}"), said)
    })
}

/// The container that a claim's variable goes to: the named one, init containers included, else the first.
fn container<'f, 's>(template: Member<'f, 's>, name: &str) -> Option<&'f Node<'s>> {
    let spec = template.stored.at(&["spec", "podTemplate", "spec"])?;
    let list = |field: &str| spec.get(field).and_then(Node::as_seq).unwrap_or_default().iter();
    if name.is_empty() {
        return list("containers").next();
    }
    let called = |container: &&Node<'_>| container.get("name").and_then(Node::as_str) == Some(name);
    list("initContainers").chain(list("containers")).find(called)
}

/// A provider's annotation that a claim brings to members which are claimed or booted already.
fn late_annotation(fleet: &Fleet<'_, '_>, pair: &Pair<'_, '_>, report: &mut Report) {
    if pair.claim.starts_cold() || pair.pool.replicas() == 0 {
        return;
    }
    let own = pair.template.stored.at(&["spec", "podTemplate", "metadata", "annotations"]);
    let specs = || fleet.world.contract.backends.iter().flat_map(|backend| &backend.annotations);
    for entry in added(pair.claim, "annotations") {
        let in_template = own.is_some_and(|own| own.get(&entry.key).is_some());
        if in_template || !specs().any(|spec| spec.key == entry.key) {
            continue;
        }
        let path = pair.claim.resource.path(&format!("spec.additionalPodMetadata.annotations.{}", entry.key));
        let said = format!(
            "annotation `{}` reaches a warm Sandbox of pool `{}` after its provider has read the annotations",
            entry.key,
            pair.pool.resource.name()
        );
        report.out.add(&rule::LATE_ANNOTATION, Spot::new(entry.key_span, path), said).help(
            "write it in the SandboxTemplate, or give the pool `replicas: 0`, so that every claim starts its Sandbox cold",
        );
    }
}

/// Variables of a claim on a template whose Pods are microVMs: no provider hands them to the guest.
fn env_never_arrives(fleet: &Fleet<'_, '_>, pair: &Pair<'_, '_>, report: &mut Report) {
    let Some(env) = pair.claim.stored.at(&["spec", "env"]).filter(|env| env.items().next().is_some()) else { return };
    let backend = pair.template.subject.and_then(|subject| subject.serving_backend());
    let Some(backend) = backend.filter(|backend| *backend != "kubelet") else { return };
    let provider = fleet.world.contract.backend(backend).map_or(backend, |backend| backend.provider.as_str());
    if policy(pair.template, "envVarsInjectionPolicy") == "Disallowed" {
        return;
    }
    let said =
        format!("the claim's variables never reach the guest behind {provider}, and the claim starts cold for them");
    report
        .out
        .add(&rule::ENV_NEVER_ARRIVES, Spot::of(env, pair.claim.resource.path("spec.env")), said)
        .help("hand them over through the sandbox SDK, and leave spec.env out");
}

fn added<'f>(claim: Member<'f, '_>, field: &str) -> impl Iterator<Item = &'f Entry<'f>> {
    let map = claim.stored.at(&["spec", "additionalPodMetadata", field]);
    map.and_then(Node::as_map).map(|map| map.entries.as_slice()).unwrap_or_default().iter()
}

fn policy<'f>(template: Member<'f, '_>, field: &str) -> &'f str {
    template.stored.at(&["spec", field]).and_then(Node::as_str).filter(|text| !text.is_empty()).unwrap_or("Disallowed")
}

fn refusal(reason: &str, message: impl Into<String>) -> Outcome {
    Outcome::new(Stage::Reconcile, Shown::Claim, Phase::NoPod)
        .reason(reason)
        .message(message)
        .shown_on("SandboxClaim condition Ready")
}

fn refuse<'r>(
    report: &'r mut Report,
    rule: &'static Rule,
    spot: Spot,
    message: String,
    outcome: Outcome,
) -> &'r mut Finding {
    report.refuse(outcome.clone());
    report.out.add(rule, spot, message).outcome(outcome)
}
