//! Sandboxes that sandbox-operator's aggregated API serves without Pods: no scheduler, no virtual-kubelet.

use crate::cluster::World;
use crate::contract::Judgement;
use crate::finding::{Findings, Severity, Spot};
use crate::go;
use crate::resource::Kind;
use crate::rule;
use crate::stage::Subject;
use crate::yaml::Entry;

const TEMPLATE: &str = "sandbox.cocoonstack.io/template";
const NET: &str = "sandbox.cocoonstack.io/net";
const SIZE: &str = "sandbox.cocoonstack.io/size";
const TTL: &str = "sandbox.cocoonstack.io/ttl-seconds";

/// Judges one Sandbox by what the aggregated API reads of it: the first container's image and resources, the net
/// annotation of the Sandbox or its Pod template, shutdownTime and the Sandbox's own ttl-seconds annotation.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    if subject.resource.kind != Kind::Sandbox {
        return;
    }
    unread_annotation(subject, out);
    unknown_net(subject, world, out);
}

fn unread_annotation(subject: &Subject<'_>, out: &mut Findings) {
    let plan = &subject.plan;
    let image = plan.spec.get("containers").and_then(|containers| containers.items().next()?.get("image")?.as_str());
    let table = [
        (TEMPLATE, "the template is the first container's image"),
        (SIZE, "the size follows the containers' resources"),
        (TTL, "the lease follows shutdownTime, else the annotation of the Sandbox itself"),
    ];
    for (key, instead) in table {
        let Some(meta) = plan.annotation(key).filter(|meta| !meta.value.is_empty()) else { continue };
        if key == TEMPLATE && image == Some(meta.value.as_str()) {
            continue;
        }
        let spot = Spot::new(meta.key_span, format!("{}.annotations.{key}", plan.metadata_path));
        out.add(&rule::UNREAD_ANNOTATION, spot, format!("the aggregated API does not read {key}: {instead}"))
            .help("remove it, or leave the profile aggregated-api out if the cluster makes Pods of Sandboxes");
    }
}

/// Both places are read; a lane that sandboxd does not know has no pool.
fn unknown_net(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let Some((_, spec)) = world.contract.annotation(NET) else { return };
    let own = subject.stored.at(&["metadata", "annotations"]).and_then(|annotations| annotations.entry(NET));
    let template = subject.plan.metadata_path.clone();
    let pod = subject.stored.at(&["spec", "podTemplate", "metadata", "annotations"]);
    let places = [(own, subject.resource.path("metadata")), (pod.and_then(|pod| pod.entry(NET)), template)];
    let written = |entry: &Entry<'_>| entry.value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    for (entry, path) in places {
        let Some((entry, value)) = entry.and_then(|entry| Some((entry, written(entry)?))) else { continue };
        if spec.judge(&value) == Judgement::Unknown {
            let spot = Spot::of(&entry.value, format!("{path}.annotations.{NET}"));
            let message = format!("{NET} is {}; sandboxd knows {}", go::quote(&value), spec.values.join(" and "));
            out.add(&rule::UNKNOWN_NET, spot, message).severity(Severity::Warning).help("write none or egress");
        }
    }
}
