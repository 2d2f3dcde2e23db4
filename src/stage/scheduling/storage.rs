//! Rules over the PersistentVolumeClaims of a Pod.

use super::case::{Case, typed};
use super::filter::{Claim, Made, claims};
use crate::finding::{Findings, Severity, Spot};
use crate::names;
use crate::resource::pod::claim_template_name;
use crate::rule;
use crate::yaml::Node;

/// Judges every claim that the Pod mounts.
pub fn check(case: &Case<'_, '_>, out: &mut Findings) {
    for claim in claims(&case.subject.plan) {
        match &claim.made {
            Made::FromTemplate(index, Some(words)) => refused_claim(case, &claim, *index, words, out),
            Made::Elsewhere if is_missing(case, &claim) => missing_claim(case, &claim, out),
            _ => claim_on_virtual_node(case, &claim, out),
        }
    }
}

fn is_missing(case: &Case<'_, '_>, claim: &Claim) -> bool {
    let snapshot = case.world.snapshot.as_ref();
    snapshot.and_then(|known| known.has_claim(case.demand.namespace, &claim.name)) == Some(false)
}

/// A template whose claim the API server refuses: the Pod is made all the same and waits for the claim.
fn refused_claim(case: &Case<'_, '_>, claim: &Claim, index: usize, words: &str, out: &mut Findings) {
    let Some(template) = case.subject.plan.claim_templates.get(index) else { return };
    let (own, _) = claim_template_name(template);
    // The refusal of the Pod reports such a name.
    if reason(words).starts_with("metadata.name") && !names::dns_label(own).is_empty() {
        return;
    }
    let spot = Spot::of(template, case.subject.resource.path(&format!("spec.volumeClaimTemplates[{index}]")));
    let message = format!("the API server refuses the claim {}: {}", typed(&claim.name), reason(words));
    let finding = out.add(&rule::REFUSED_CLAIM, spot, message);
    finding.label(format!("Sandbox Ready=False ReconcilerError: Error seen: {words}")).outcome(case.outcome());
}

/// The words after `… is invalid: `.
fn reason(words: &str) -> &str {
    words.split_once(" is invalid: ").map_or(words, |(_, reason)| reason)
}

/// A claim that the snapshot does not have.
fn missing_claim(case: &Case<'_, '_>, claim: &Claim, out: &mut Findings) {
    let message = format!("namespace {} has no PersistentVolumeClaim {}", case.demand.namespace, typed(&claim.name));
    out.add(&rule::MISSING_CLAIM, volume_spot(case, claim), message).outcome(case.outcome());
}

fn volume_spot(case: &Case<'_, '_>, claim: &Claim) -> Spot {
    let path = case.subject.plan.path(&format!("volumes[{}]", claim.volume));
    let volume = case.spec().get("volumes").and_then(|volumes| volumes.as_seq()?.get(claim.volume));
    let named = volume.and_then(|volume| volume.at(&["persistentVolumeClaim", "claimName"]));
    match (named, volume) {
        (Some(name), _) => Spot::of(name, format!("{path}.persistentVolumeClaim.claimName")),
        (None, Some(volume)) => Spot::of(volume, path),
        (None, None) => case.spot("volumes"),
    }
}

/// A claim of a Pod that is meant for a virtual node, where no storage driver runs.
fn claim_on_virtual_node(case: &Case<'_, '_>, claim: &Claim, out: &mut Findings) {
    let Some(backend) = case.meant() else { return };
    let spot = match &claim.made {
        Made::FromTemplate(index, _) => {
            let path = case.subject.resource.path(&format!("spec.volumeClaimTemplates[{index}]"));
            let template = case.subject.plan.claim_templates.get(*index);
            template.map_or_else(|| volume_spot(case, claim), |template: &Node<'_>| Spot::of(template, path))
        }
        _ => volume_spot(case, claim),
    };
    let waits = claim.made != Made::Elsewhere;
    let message = if waits {
        format!(
            "no storage driver runs on a {} node, so nothing binds the claim {} there",
            backend.provider,
            typed(&claim.name)
        )
    } else {
        format!(
            "a {} node mounts no claim; {} has to be bound to a volume that is not tied to other nodes",
            backend.provider,
            typed(&claim.name)
        )
    };
    let finding = out.add(&rule::CLAIM_ON_VIRTUAL_NODE, spot, message);
    finding.severity(Severity::Warning).help("remove the volume; nothing is mounted in the guest");
    if waits && case.stop.is_some() {
        finding.outcome(case.outcome());
    }
}
