//! The plugin PodSecurity: the levels `baseline` and `restricted`, as the labels of the namespace ask for them
//! (pod-security-admission of Kubernetes; contract.md §6).

mod baseline;
mod check;
mod restricted;

use super::Refusal;
use crate::cluster::label_selector::Labels;
use crate::cluster::{Origin, World};
use crate::rule;
use crate::stage::pod_create::Pod;
use crate::stage::pod_create::field::Field;
use check::{Violation, words};

/// The prefix of the labels.
const PREFIX: &str = "pod-security.kubernetes.io/";

/// A level with the release whose checks count.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Policy {
    is_restricted: bool,
    /// As the server prints it: `restricted:latest`.
    text: String,
    /// The minor release.
    minor: u32,
}

/// What Pod Security only warns of.
pub struct Warned<'n> {
    /// The first field that violates the level.
    pub field: Field<'n>,
    /// What is wrong.
    pub sentence: String,
    /// What to write instead.
    pub help: String,
    /// The server's words.
    pub message: String,
    /// Who reads them.
    pub shown_on: &'static str,
    /// The Namespace, where a file of the run has it.
    pub origin: Option<Origin>,
}

impl Policy {
    /// The policy that the labels give to a mode; `None` for `privileged`, for no label, and for a level that no
    /// Namespace can be stored with.
    fn read(labels: &Labels, mode: &str, kube_minor: u32) -> Option<Self> {
        let level = labels.get(&format!("{PREFIX}{mode}")).map(String::as_str)?;
        let is_restricted = match level {
            "baseline" => false,
            "restricted" => true,
            _ => return None,
        };
        let version = labels.get(&format!("{PREFIX}{mode}-version")).map_or("latest", String::as_str);
        let minor = match version {
            "latest" => kube_minor,
            _ => version.strip_prefix("v1.")?.parse::<u32>().ok()?.min(kube_minor),
        };
        Some(Self { is_restricted, text: format!("{level}:{version}"), minor })
    }

    /// What the Pod does that the level forbids, in the server's order: checks of `baseline` that `restricted` does not
    /// replace, then those of `restricted`.
    fn violations<'n>(&self, pod: &Pod<'n>) -> Vec<Violation<'n>> {
        let mut violations = baseline::check(pod, self.minor, self.is_restricted);
        if self.is_restricted {
            violations.extend(restricted::check(pod, self.minor));
        }
        violations
    }

    fn level(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }
}

fn labels<'w>(pod: &Pod<'_>, world: &'w World) -> Option<&'w Labels> {
    world.snapshot.as_ref()?.namespace_labels(pod.namespace)
}

fn origin(pod: &Pod<'_>, world: &World) -> Option<Origin> {
    world.snapshot.as_ref()?.namespace_origin(pod.namespace)
}

/// A Pod that the namespace's level forbids.
pub fn violates_pod_security<'n>(pod: &Pod<'n>, world: &World) -> Option<Refusal<'n>> {
    let policy = Policy::read(labels(pod, world)?, "enforce", world.kube_minor)?;
    let violations = policy.violations(pod);
    let first = violations.first()?;
    let why = format!("violates PodSecurity \"{}\": {}", policy.text, words(&violations));
    let sentence = format!(
        "Pod Security level {} of namespace `{}` forbids {}",
        policy.level(),
        pod.namespace,
        reasons(&violations)
    );
    let refusal = Refusal::new(first.field.clone(), pod, &why, sentence, &help(&violations));
    let mut shown = vec![first.field.place];
    let mut others = Vec::new();
    for one in &violations[1..] {
        if !shown.contains(&one.field.place) {
            shown.push(one.field.place);
            others.push((one.field.place, one.reason.clone()));
        }
    }
    let refusal = Refusal { others, ..refusal }.by(&rule::VIOLATES_POD_SECURITY);
    Some(refusal.because_of(origin(pod, world), "the Namespace with its level"))
}

/// A Pod that the server lets in with a warning, or with a line in the audit log.
pub fn warned<'n>(pod: &Pod<'n>, world: &World) -> Option<Warned<'n>> {
    let labels = labels(pod, world)?;
    let enforced = Policy::read(labels, "enforce", world.kube_minor);
    if enforced.is_some_and(|policy| !policy.violations(pod).is_empty()) {
        return None;
    }
    let (policy, violations, mode) = ["warn", "audit"].into_iter().find_map(|mode| {
        let policy = Policy::read(labels, mode, world.kube_minor)?;
        let violations = policy.violations(pod);
        (!violations.is_empty()).then_some((policy, violations, mode))
    })?;
    let verb = if mode == "warn" { "warns of" } else { "records in the audit log" };
    let shown_on =
        if mode == "warn" { "a warning to the client that makes the Pod" } else { "the audit log of the API server" };
    let sentence = format!(
        "namespace `{}` {verb} what Pod Security level {} forbids: {}",
        pod.namespace,
        policy.level(),
        reasons(&violations)
    );
    Some(Warned {
        field: violations[0].field.clone(),
        sentence,
        help: help(&violations),
        message: format!("would violate PodSecurity \"{}\": {}", policy.text, words(&violations)),
        shown_on,
        origin: origin(pod, world),
    })
}

fn reasons(violations: &[Violation<'_>]) -> String {
    violations.iter().map(|one| one.reason.as_str()).collect::<Vec<_>>().join(", ")
}

/// What to write, one line for each change.
fn help(violations: &[Violation<'_>]) -> String {
    violations.iter().map(|one| one.help).collect::<Vec<_>>().join("\n")
}
