//! What the author sees of a refused Pod.

use super::message::{Cause, pod_is_invalid, texts};
use crate::finding::{Outcome, Phase, Shown, Stage};
use crate::go::quote;
use crate::resource::{Kind, Workload, pod};
use crate::stage::Subject;

/// What comes of these causes. Kinds that carry a template are refused when they are applied, except for what only a Pod
/// is asked for.
pub fn of_causes<'c>(subject: &Subject<'_>, causes: impl IntoIterator<Item = &'c Cause>) -> Outcome {
    let causes: Vec<&Cause> = causes.into_iter().collect();
    let own = |prefix: &str| {
        let texts: Vec<String> =
            texts(causes.iter().copied()).into_iter().map(|text| format!("{prefix}{text}")).collect();
        as_kubectl_prints(subject, &texts)
    };
    match subject.resource.kind {
        Kind::Workload(Workload::Pod) => at_creation(own("")),
        Kind::Workload(_) if causes.iter().any(|cause| !cause.pod_only) => {
            let prefix = pod::template_keys(subject.resource.kind).unwrap_or_default().join(".");
            Outcome::new(Stage::Admission, Shown::None, Phase::Rejected)
                .message(own(&format!("{prefix}.")))
                .shown_on("the error of kubectl")
        }
        _ => at_creation(pod_is_invalid(&subject.plan.name, causes)),
    }
}

/// A Pod that its controller can't create, for these words of the server.
pub fn at_creation(message: String) -> Outcome {
    Outcome::new(Stage::PodCreate, Shown::Sandbox, Phase::NoPod)
        .reason("ReconcilerError")
        .message(message)
        .shown_on("Sandbox condition Ready, behind the words `Error seen:`")
        .retries("the controller tries again, with growing pauses, until the Sandbox is changed")
}

fn as_kubectl_prints(subject: &Subject<'_>, texts: &[String]) -> String {
    let kind = subject.resource.id.kind.as_deref().unwrap_or("Pod");
    let head = format!("The {kind} {} is invalid: ", quote(subject.resource.name()));
    match texts {
        [one] => format!("{head}{one}"),
        _ => format!("{head}\n* {}", texts.join("\n* ")),
    }
}
