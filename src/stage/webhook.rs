//! Does cocoon-webhook let the Pod in, where it runs?

use super::Subject;
use super::gate::{denied, trigger};
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Severity, Spot};
use crate::resource::{Kind, Workload};
use crate::rule;
use crate::yaml::Node;

/// Its name in the contract, where its triggers, exempt namespaces and denial stand.
pub(crate) const NAME: &str = "cocoon-webhook";
/// The account that makes the Pods of Sandboxes.
const CONTROLLER: &str = "system:serviceaccount:agent-sandbox-system:agent-sandbox-controller";
/// Its name in whatever namespace it is installed.
pub(crate) const CONTROLLER_NAME: &str = ":agent-sandbox-controller";

/// Its answer to a Pod that a CocoonSet owns and somebody else creates.
const FOREIGN: &str = "admission webhook \"pods.mutate.cocoonstack.io\" denied the request: cocoon pods must be created by the CocoonSet controller, got user \"<user>\"";

/// Judges one Pod by the gates of the contract, and by cocoon-webhook where it is known to run.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    super::gate::check(subject, world, out);
    cocoon(subject, world, out);
}

fn cocoon(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let Some(webhook) = &world.webhook else { return };
    let gates = world.contract.backends.iter().flat_map(|backend| &backend.gates);
    let Some(gate) = gates.into_iter().find(|gate| gate.profile.as_deref() == Some(NAME)) else { return };
    let namespace = &subject.plan.namespace;
    let exempt = gate.exempt_namespaces.contains(namespace)
        || webhook.exempt_namespaces.iter().any(|exempt| exempt == namespace);
    let Some((spot, sign)) = trigger(subject, gate).filter(|_| !exempt) else { return };
    // The page of the contract lets a listed creator in; releases that look at the owner first do not.
    let listed =
        made_by_sandbox(subject) && webhook.pod_creators.iter().any(|creator| creator.ends_with(CONTROLLER_NAME));
    webhook_denial(subject, spot, &sign, (&gate.denial, listed), out);
}

fn made_by_sandbox(subject: &Subject<'_>) -> bool {
    !matches!(subject.resource.kind, Kind::Workload(_))
}

fn webhook_denial(subject: &Subject<'_>, spot: Spot, sign: &str, (denial, listed): (&str, bool), out: &mut Findings) {
    let outcome = outcome(subject, denial);
    if !listed {
        out.stop(outcome.clone());
    }
    let (message, remedy) = if listed {
        (
            format!(
                "cocoon-webhook gates {sign}; releases that ask for a CocoonSet as owner first deny the Pod, though its creator is listed"
            ),
            "on such a release ".to_owned(),
        )
    } else if !made_by_sandbox(subject) {
        (
            format!("cocoon-webhook denies the Pod for {sign}: it lets in what the CocoonSet controller makes"),
            String::new(),
        )
    } else {
        (
            format!("cocoon-webhook denies the Pod for {sign}, as no CocoonSet owns it"),
            format!(
                "list {CONTROLLER} in the webhook's POD_CREATORS; releases that ask for a CocoonSet as owner first still deny the Pod, there "
            ),
        )
    };
    let finding = out.add(&rule::WEBHOOK_DENIAL, spot, message);
    finding
        .help(format!("{remedy}use a namespace that the webhook leaves out, such as one its configuration excludes"));
    if listed {
        finding.severity(Severity::Warning).outcome(outcome.uncertain());
    } else {
        finding.outcome(outcome);
    }
}

fn outcome(subject: &Subject<'_>, denial: &str) -> Outcome {
    let owners = subject.stored.at(&["metadata", "ownerReferences"]).into_iter().flat_map(Node::items);
    let owned = owners.filter_map(|owner| owner.get("kind")).any(|kind| kind.as_str() == Some("CocoonSet"));
    let pod = subject.resource.kind == Kind::Workload(Workload::Pod);
    denied(subject, if owned && pod { FOREIGN } else { denial })
}
