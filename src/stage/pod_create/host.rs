//! Fields of the Pod itself: names, DNS, deadlines, gates, claims.

use super::field::Field;
use super::message::{Bad, Errors, json_list, json_string};
use super::names;
use crate::finding::Applicability;

/// The policies of the Pod.
const RESTART_POLICIES: [&str; 3] = ["Always", "OnFailure", "Never"];
const DNS_POLICIES: [&str; 4] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/// Checks `spec.resourceClaims`.
pub fn resource_claims(claims: &Field<'_>, errors: &mut Errors) {
    let mut seen: Vec<&str> = Vec::new();
    for claim in claims.items() {
        let name = claim.child("name");
        if name.text().is_empty() {
            errors.required(&name, "");
        } else if seen.contains(&name.text()) {
            errors.duplicate(&name, name.text());
        } else {
            errors.invalid_each(&name, name.text(), &names::dns_label(name.text()));
            seen.push(name.text());
        }
        let (by_name, by_template) = (claim.child("resourceClaimName"), claim.child("resourceClaimTemplateName"));
        match (by_name.is_set(), by_template.is_set()) {
            (true, true) => {
                let detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
                errors.invalid(&claim, claim_json(&claim), detail);
            }
            (false, false) => {
                let detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
                errors.invalid(&claim, claim_json(&claim), detail);
            }
            _ => {}
        }
        for field in [by_name, by_template].iter().filter(|field| field.is_set()) {
            errors.invalid_each(field, field.text(), &names::dns_subdomain(field.text()));
        }
    }
}

fn claim_json(claim: &Field<'_>) -> Bad {
    let text = |name: &str| {
        let field = claim.child(name);
        if field.is_set() { json_string(field.text()) } else { "null".to_owned() }
    };
    Bad::Json(format!(
        "{{\"Name\":{},\"ResourceClaimName\":{},\"ResourceClaimTemplateName\":{}}}",
        json_string(claim.child("name").text()),
        text("resourceClaimName"),
        text("resourceClaimTemplateName")
    ))
}

/// Checks `spec.restartPolicy`.
pub fn restart_policy(spec: &Field<'_>, errors: &mut Errors) {
    let policy = spec.child("restartPolicy");
    if !policy.text().is_empty() && !RESTART_POLICIES.contains(&policy.text()) {
        errors.unsupported(&policy, &RESTART_POLICIES);
    }
}

/// Checks `spec.dnsPolicy`.
pub fn dns_policy(spec: &Field<'_>, errors: &mut Errors) {
    let policy = spec.child("dnsPolicy");
    if !policy.text().is_empty() && !DNS_POLICIES.contains(&policy.text()) {
        errors.unsupported(&policy, &DNS_POLICIES);
    }
}

/// Checks `spec.dnsConfig`.
pub fn dns_config(spec: &Field<'_>, errors: &mut Errors) {
    let config = spec.child("dnsConfig");
    let (servers, searches) = (config.child("nameservers"), config.child("searches"));
    if spec.child("dnsPolicy").text() == "None" {
        if !config.is_set() {
            let at_policy = config.pointing_at(spec.child("dnsPolicy").place);
            errors
                .required(&at_policy, "must provide `dnsConfig` when `dnsPolicy` is None")
                .help("add dnsConfig with a nameserver, or remove `dnsPolicy: None`");
            return;
        }
        if servers.len() == 0 {
            errors.required(&servers, "must provide at least one DNS nameserver when `dnsPolicy` is None");
            return;
        }
    }
    if servers.len() > 3 {
        let list = Bad::Json(json_list(&servers.texts()));
        errors.invalid(&servers, list, "must not have more than 3 nameservers");
    }
    for server in servers.items() {
        ip_address(&server, errors);
    }
    if searches.len() > 32 {
        let list = Bad::Json(json_list(&searches.texts()));
        errors.invalid(&searches, list, "must not have more than 32 search paths");
    }
    if searches.texts().join(" ").len() > 2048 {
        let list = Bad::Json(json_list(&searches.texts()));
        let detail = "must not have more than 2048 characters (including spaces) in the search list";
        errors.invalid(&searches, list, detail);
    }
    for search in searches.items() {
        let text = search.text().strip_suffix('.').unwrap_or(search.text());
        if search.text() != "." || errors.kube_minor < 32 {
            let details = if errors.kube_minor < 32 { names::dns_subdomain(text) } else { names::dns_search(text) };
            errors.invalid_each(&search, text, &details);
        }
    }
    for option in config.child("options").items() {
        if option.child("name").text().is_empty() {
            errors.required(&option, "must not be empty");
        }
    }
}

fn ip_address(field: &Field<'_>, errors: &mut Errors) {
    if let Some(detail) = names::ip_address(field.text()) {
        errors.invalid(field, field.text(), detail);
    }
}

/// Checks `spec.readinessGates`.
pub fn readiness_gates(gates: &Field<'_>, errors: &mut Errors) {
    for gate in gates.items() {
        let kind = gate.child("conditionType");
        errors.invalid_each(&kind, kind.text(), &names::label_key(kind.text(), errors.kube_minor));
    }
}

/// Checks `spec.schedulingGates`.
pub fn scheduling_gates(gates: &Field<'_>, errors: &mut Errors) {
    let mut seen: Vec<&str> = Vec::new();
    for gate in gates.items() {
        let name = gate.child("name");
        let field = name.shown_as(gate.shown());
        errors.invalid_each(&field, name.text(), &names::label_key(name.text(), errors.kube_minor));
        if seen.contains(&name.text()) {
            errors.duplicate(&field, name.text());
        }
        seen.push(name.text());
    }
}

/// Checks the account's and the node's names, the deadline, and the Pod's own host name.
pub fn names_and_deadline(spec: &Field<'_>, errors: &mut Errors) {
    let account = match spec.child("serviceAccountName") {
        field if field.text().is_empty() => spec.child("serviceAccount").shown_as("spec.serviceAccountName"),
        field => field,
    };
    for field in [account, spec.child("nodeName")] {
        if !field.text().is_empty() {
            errors.invalid_each(&field, field.text(), &names::dns_subdomain(field.text()));
        }
    }
    let deadline = spec.child("activeDeadlineSeconds");
    if let Some(seconds) = deadline.int().filter(|seconds| !(1..=2_147_483_647).contains(seconds)) {
        errors.invalid(&deadline, seconds, &names::in_range(1, 2_147_483_647));
    }
    for field in ["hostname", "subdomain"].map(|name| spec.child(name)) {
        if field.text().is_empty() {
            continue;
        }
        errors.invalid_dns_label(&field, |cause, label| {
            cause.help(format!("write `{label}`")).replace(&field, label, Applicability::Unsafe);
        });
    }
}

/// Checks `spec.hostAliases`.
pub fn host_aliases(aliases: &Field<'_>, errors: &mut Errors) {
    for alias in aliases.items() {
        ip_address(&alias.child("ip"), errors);
        for name in alias.child("hostnames").items() {
            errors.invalid_each(&name, name.text(), &names::dns_subdomain(name.text()));
        }
    }
}

/// Checks the names of the Pod's classes and its preemption policy.
pub fn classes(spec: &Field<'_>, errors: &mut Errors) {
    let (priority, runtime) = (spec.child("priorityClassName"), spec.child("runtimeClassName"));
    if !priority.text().is_empty() {
        errors.invalid_each(&priority, priority.text(), &names::dns_subdomain(priority.text()));
    }
    if runtime.is_set() {
        errors.invalid_each(&runtime, runtime.text(), &names::dns_subdomain(runtime.text()));
    }
    let preemption = spec.child("preemptionPolicy");
    if preemption.is_set() && !["PreemptLowerPriority", "Never"].contains(&preemption.text()) {
        if preemption.text().is_empty() {
            errors.required(&preemption, "");
        } else {
            errors.unsupported(&preemption, &["PreemptLowerPriority", "Never"]);
        }
    }
}

/// The Pod's host name by another field, since 1.35.
pub fn hostname_override(spec: &Field<'_>, errors: &mut Errors) {
    let name = spec.child("hostnameOverride");
    if errors.kube_minor >= 35 && name.is_set() {
        errors.invalid_each(&name, name.text(), &names::dns_subdomain(name.text()));
    }
}

/// What a Pod can't have when it is created.
pub fn only_later(spec: &Field<'_>, errors: &mut Errors) {
    let ephemeral = spec.child("ephemeralContainers");
    if ephemeral.len() > 0 {
        errors
            .forbidden(&ephemeral.at_key(), "cannot be set on create")
            .help("remove it; `kubectl debug` adds ephemeral containers to a Pod that runs");
    }
    let (node, gates) = (spec.child("nodeName"), spec.child("schedulingGates"));
    if !node.text().is_empty() && gates.len() > 0 {
        errors
            .forbidden(&node, "cannot be set until all schedulingGates have been cleared")
            .help("remove nodeName or schedulingGates")
            .related(gates.at_key().place, "the gates stand here");
    }
}
