//! Does cocoon-webhook let the Pod in, where it runs?

use super::Subject;
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::resource::{Kind, Workload};
use crate::rule;
use crate::yaml::Node;

/// The toleration key that the webhook gates.
const TOLERATION: &str = "virtual-kubelet.io/provider";
/// The annotation that it gates by the page of the contract.
const VM_NAME: &str = "vm.cocoonstack.io/name";
/// Namespaces that its configuration leaves out.
const EXEMPT: [&str; 5] = ["kube-system", "kube-node-lease", "kube-public", "cocoon-system", "cert-manager"];
/// Its answer to a Pod that no CocoonSet owns.
const DENIAL: &str =
    "admission webhook \"pods.mutate.cocoonstack.io\" denied the request: cocoon pods must be managed by a CocoonSet";
/// The account that makes the Pods of Sandboxes.
const CONTROLLER: &str = "system:serviceaccount:agent-sandbox-system:agent-sandbox-controller";
/// Its name in whatever namespace it is installed.
const CONTROLLER_NAME: &str = ":agent-sandbox-controller";

/// Its answer to a Pod that a CocoonSet owns and somebody else creates.
const FOREIGN: &str = "admission webhook \"pods.mutate.cocoonstack.io\" denied the request: cocoon pods must be created by the CocoonSet controller, got user \"<user>\"";

/// Judges one Pod where the webhook is known to run.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let Some(webhook) = &world.webhook else { return };
    let namespace = subject.plan.namespace.as_str();
    let exempt = EXEMPT.contains(&namespace) || webhook.exempt_namespaces.iter().any(|exempt| exempt == namespace);
    let Some((spot, sign)) = trigger(subject).filter(|_| !exempt) else { return };
    // The page of the contract lets a listed creator in; releases that look at the owner first do not.
    let listed =
        made_by_sandbox(subject) && webhook.pod_creators.iter().any(|creator| creator.ends_with(CONTROLLER_NAME));
    webhook_denial(subject, spot, &sign, listed, out);
}

fn made_by_sandbox(subject: &Subject<'_>) -> bool {
    !matches!(subject.resource.kind, Kind::Workload(_))
}

fn trigger(subject: &Subject<'_>) -> Option<(Spot, String)> {
    let plan = &subject.plan;
    let tolerations = plan.spec.get("tolerations").into_iter().flat_map(Node::items).enumerate();
    let toleration = tolerations
        .filter_map(|(index, toleration)| Some((index, toleration.get("key")?)))
        .find(|(_, key)| key.as_str() == Some(TOLERATION))
        .map(|(index, key)| {
            (Spot::of(key, plan.path(&format!("tolerations[{index}].key"))), format!("the toleration of {TOLERATION}"))
        });
    let annotation = || {
        let meta = plan.annotation(VM_NAME)?;
        let spot = Spot::new(meta.key_span, format!("{}.annotations.{VM_NAME}", plan.metadata_path));
        Some((spot, format!("the annotation {VM_NAME}")))
    };
    toleration.or_else(annotation)
}

fn webhook_denial(subject: &Subject<'_>, spot: Spot, sign: &str, listed: bool, out: &mut Findings) {
    let outcome = outcome(subject);
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

fn outcome(subject: &Subject<'_>) -> Outcome {
    let owners = subject.stored.at(&["metadata", "ownerReferences"]).into_iter().flat_map(Node::items);
    let owned = owners.filter_map(|owner| owner.get("kind")).any(|kind| kind.as_str() == Some("CocoonSet"));
    match subject.resource.kind {
        Kind::Workload(Workload::Pod) => {
            let denial = if owned { FOREIGN } else { DENIAL };
            let words = format!("Error from server (Forbidden): error when creating \"<file>\": {denial}");
            Outcome::new(Stage::PodCreate, Shown::None, Phase::Rejected).message(words).shown_on("kubectl's error")
        }
        Kind::Workload(_) => Outcome::new(Stage::PodCreate, Shown::None, Phase::NoPod)
            .reason("FailedCreate")
            .message(DENIAL)
            .shown_on("event FailedCreate of the controller that makes the Pod, after Error creating: ")
            .retries("the controller tries again, with growing pauses"),
        _ => Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(DENIAL)
            .shown_on("Sandbox condition Ready, behind the words `Error seen:`")
            .retries("the controller tries again, with growing pauses, until the Sandbox is changed"),
    }
}
