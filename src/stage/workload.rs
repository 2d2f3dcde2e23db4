//! Where Kubernetes' own kinds show what the stages found: they have no Sandbox to say it.

use crate::finding::{Findings, Outcome, Phase, Shown, Stage};
use crate::resource::{Kind, Resource, Workload};

/// Rewrites outcomes of the Pod's creation for a kind that is no Sandbox: a bare Pod is refused when it is applied, the
/// Pods of a controller are refused in its events. The words of the API server stay.
pub fn rephrase(resource: &Resource<'_>, out: &mut Findings, stops: &mut [Outcome]) {
    let Kind::Workload(workload) = resource.kind else { return };
    let outcomes = out.list.iter_mut().filter_map(|finding| finding.outcome.as_mut()).chain(stops);
    for outcome in outcomes.filter(|outcome| outcome.stage == Stage::PodCreate) {
        refused_pod(workload, outcome);
    }
}

fn refused_pod(workload: Workload, outcome: &mut Outcome) {
    let words = outcome.message.take();
    let words = words.map(|text| text.strip_prefix("Error seen: ").map(str::to_owned).unwrap_or(text));
    outcome.object = Shown::None;
    if workload == Workload::Pod {
        outcome.phase = Phase::Rejected;
        outcome.reason = None;
        outcome.shown_on = Some("the error of kubectl".to_owned());
        outcome.retries = None;
        outcome.message = words.map(|text| as_kubectl_says(&text));
        return;
    }
    let shown = match workload {
        Workload::Deployment => "event FailedCreate of the ReplicaSet; Deployment condition ReplicaFailure",
        Workload::CronJob => "event FailedCreate of the Job",
        Workload::StatefulSet => "event FailedCreate of the StatefulSet",
        Workload::ReplicaSet => "event FailedCreate of the ReplicaSet",
        Workload::DaemonSet => "event FailedCreate of the DaemonSet",
        _ => "event FailedCreate of the Job",
    };
    outcome.phase = Phase::NoPod;
    outcome.reason = Some("FailedCreate".to_owned());
    outcome.shown_on = Some(shown.to_owned());
    outcome.retries = Some("by the controller, with growing pauses".to_owned());
    outcome.message = words.map(|text| format!("Error creating: {text}"));
}

/// `Pod "web" is invalid: …` becomes kubectl's `The Pod "web" is invalid: …`; anything else is an error from the server.
fn as_kubectl_says(text: &str) -> String {
    if text.starts_with("The Pod ") {
        return text.to_owned();
    }
    match text.strip_prefix("Pod ").filter(|rest| rest.contains(" is invalid: ")) {
        Some(_) => format!("The {text}"),
        None => format!("Error from server (Forbidden): error when creating \"FILE\": {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(workload: Workload, text: &str) -> Outcome {
        let mut outcome = Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod).message(text);
        refused_pod(workload, &mut outcome);
        outcome
    }

    #[test]
    fn a_bare_pod_is_refused_at_apply() {
        let outcome = refused(Workload::Pod, "Error seen: Pod \"web\" is invalid: spec.containers: Required value");
        assert_eq!(outcome.phase, Phase::Rejected);
        assert_eq!(outcome.message.as_deref(), Some("The Pod \"web\" is invalid: spec.containers: Required value"));
        let outcome = refused(Workload::Pod, "pods \"web\" is forbidden: no PriorityClass with name high was found");
        assert!(outcome.message.is_some_and(|text| text.starts_with("Error from server (Forbidden): ")));
    }

    #[test]
    fn pods_of_a_deployment_are_refused_in_events() {
        let outcome =
            refused(Workload::Deployment, "Pod \"web-<hash>-xyz\" is invalid: spec.containers: Required value");
        assert_eq!((outcome.phase, outcome.reason.as_deref()), (Phase::NoPod, Some("FailedCreate")));
        assert!(outcome.message.is_some_and(|text| text.starts_with("Error creating: Pod ")));
    }
}
