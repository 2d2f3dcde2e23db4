//! The plugin LimitRanger: bounds over requests and limits. Its defaults are in the Pod already.

use super::Refusal;
use crate::cluster::World;
use crate::cluster::requests;
use crate::rule;
use crate::stage::pod_create::Pod;

/// A Pod whose requests or limits a LimitRange of its namespace does not allow; one refusal for each LimitRange.
pub fn out_of_range<'n>(pod: &Pod<'n>, world: &World) -> Vec<Refusal<'n>> {
    let (Some(snapshot), Some(spec)) = (&world.snapshot, pod.spec.node) else { return Vec::new() };
    let mut refusals = Vec::new();
    for (name, range, origin) in snapshot.limit_ranges(pod.namespace) {
        let mut reasons = Vec::new();
        let mut field = None;
        for item in &range.items {
            match item.kind.as_str() {
                "Container" => {
                    let lists = ["containers", "initContainers"].map(|list| pod.spec.child(list).items());
                    for container in lists.into_iter().flatten() {
                        let Some(node) = container.node else { continue };
                        let found = item.violations(&requests::of_container(node));
                        if !found.is_empty() {
                            field.get_or_insert_with(|| container.child("resources"));
                        }
                        reasons.extend(found);
                    }
                }
                "Pod" => {
                    let found = item.violations(&requests::of_all_containers(spec));
                    if !found.is_empty() {
                        field.get_or_insert_with(|| pod.spec.child("containers"));
                    }
                    reasons.extend(found);
                }
                _ => {}
            }
        }
        let Some(field) = field else { continue };
        let why = aggregate(&reasons);
        let sentence =
            format!("LimitRange `{name}` of namespace `{}` does not allow the Pod: {}", pod.namespace, reasons[0]);
        let help = "write requests and limits within the bounds of the LimitRange";
        let refusal = Refusal::new(field.at_key(), pod, &why, sentence, help).by(&rule::OUT_OF_LIMIT_RANGE);
        refusals.push(refusal.because_of(origin, "the LimitRange"));
    }
    refusals
}

/// Several reasons as the server joins them: each once, in brackets.
pub fn aggregate(reasons: &[String]) -> String {
    let mut once: Vec<&str> = Vec::new();
    for reason in reasons {
        if !once.contains(&reason.as_str()) {
            once.push(reason);
        }
    }
    if let [one] = once[..] { one.to_owned() } else { format!("[{}]", once.join(", ")) }
}
