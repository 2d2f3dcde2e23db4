//! Does cocoon-webhook let the Pod in, where it runs?

use super::Subject;
use crate::cluster::World;
use crate::finding::{Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::resource::Kind;
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

/// Judges one Pod where the webhook is known to run.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let Some(webhook) = &world.webhook else { return };
    let namespace = subject.plan.namespace.as_str();
    let exempt = EXEMPT.contains(&namespace) || webhook.exempt_namespaces.iter().any(|exempt| exempt == namespace);
    if exempt {
        return;
    }
    if let Some((spot, sign)) = trigger(subject) {
        webhook_denial(subject, spot, &sign, webhook.pod_creators.iter().any(|creator| creator == CONTROLLER), out);
    }
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
    let outcome = match subject.resource.kind {
        Kind::Sandbox | Kind::SandboxTemplate => Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
            .reason("ReconcilerError")
            .message(format!("Error seen: {DENIAL}"))
            .shown_on("Sandbox condition Ready")
            .retries("the controller tries again, up to every 1000 seconds"),
        _ => Outcome::new(Stage::PodCreate, Shown::None, Phase::NoPod).message(DENIAL),
    };
    let remedy = if listed {
        format!("POD_CREATORS lists {CONTROLLER}, but the webhook asks for a CocoonSet as owner first; ")
    } else {
        format!(
            "list {CONTROLLER} in the webhook's POD_CREATORS; releases that ask for a CocoonSet as owner first still deny the Pod, there "
        )
    };
    out.stop(outcome.clone());
    out.add(&rule::WEBHOOK_DENIAL, spot, format!("cocoon-webhook denies the Pod for {sign}, as no CocoonSet owns it"))
        .outcome(outcome)
        .help(format!("{remedy}use a namespace that the webhook leaves out, such as one its configuration excludes"));
}
