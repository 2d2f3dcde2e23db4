//! One CreatePod under judgement: failures are reported in the provider's order, the first of them stops the Pod.

use crate::cluster::World;
use crate::contract::{AnnotationSpec, Backend, MessageScope};
use crate::finding::{Applicability, Edit, Finding, Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::resource::Kind;
use crate::resource::pod::Meta;
use crate::rule::Rule;
use crate::stage::Subject;
use crate::yaml::Node;
use crate::yaml::edit::double_quoted;

/// What retries a failed CreatePod: virtual-kubelet's queue.
const RETRIES: &str = "20 attempts: 10 in the first 6 seconds, the last after 55 minutes; a changed annotation or label of the Pod brings the next attempt at once";
/// The same for a Pod of a template, whose edits do not reach Pods that exist.
const TEMPLATE_RETRIES: &str = "20 attempts: 10 in the first 6 seconds, the last after 55 minutes; an edit of the template does not reach Pods that exist";
/// What retries it under restartPolicy Never.
const NO_RETRIES: &str = "none: the Pod is Failed for good, and the controller makes no new one until it is deleted";

/// CreatePod of one Pod by one provider.
pub struct CreatePod<'a, 's, 'o> {
    /// The Pod.
    pub subject: &'a Subject<'s>,
    /// The world it meets.
    pub world: &'a World,
    /// The contract of the provider.
    pub backend: &'a Backend,
    /// Where findings go.
    pub out: &'o mut Findings,
    first: Option<&'static Rule>,
}

/// A failure of CreatePod.
pub struct Failure {
    /// The rule that reports it.
    pub rule: &'static Rule,
    /// The place of the cause.
    pub spot: Spot,
    /// What is wrong.
    pub message: String,
    /// The provider's words.
    pub words: String,
    /// What to write instead.
    pub help: String,
    /// Where the words are shown.
    pub shown_on: &'static str,
}

/// Where virtual-kubelet shows an error of CreatePod.
pub const STATUS: &str = "Pod status, event ProviderCreateFailed";
/// The same for what vk-cocoon does after it took the Pod.
pub const STATUS_AFTER_TRACKING: &str =
    "Pod status, event ProviderCreateFailed; newer releases of vk-cocoon add the event CreateBringUpFailed";

impl<'a, 's, 'o> CreatePod<'a, 's, 'o> {
    /// A CreatePod that nothing has failed yet.
    pub fn new(subject: &'a Subject<'s>, world: &'a World, backend: &'a Backend, out: &'o mut Findings) -> Self {
        Self { subject, world, backend, out, first: None }
    }

    /// Whether a failure has been reported.
    pub fn fails(&self) -> bool {
        self.first.is_some()
    }

    /// Tells a failure; the first one stops the Pod, later ones show once it is fixed.
    pub fn fail(&mut self, failure: Failure) -> &mut Finding {
        let outcome = self.outcome(failure.words).shown_on(failure.shown_on);
        let help = match self.first {
            Some(first) if first != failure.rule => format!("{}; shows once {} is fixed", failure.help, first.name),
            _ => failure.help,
        };
        self.first.get_or_insert(failure.rule);
        self.out.stop(outcome.clone());
        self.out.add(failure.rule, failure.spot, failure.message).help(help).outcome(outcome)
    }

    /// What virtual-kubelet makes of an error of CreatePod.
    pub fn outcome(&self, words: String) -> Outcome {
        let never = self.subject.plan.restart_policy() == "Never";
        let phase = if never { Phase::Failed } else { Phase::Pending };
        let retries = match (never, self.subject.resource.kind) {
            (true, Kind::Workload(_)) => "none: the Pod is Failed for good",
            (true, _) => NO_RETRIES,
            (false, Kind::SandboxTemplate) => TEMPLATE_RETRIES,
            (false, _) => RETRIES,
        };
        Outcome::new(Stage::Provider, Shown::Pod, phase)
            .reason("ProviderFailed")
            .message(words)
            .shown_on(STATUS)
            .retries(retries)
    }

    /// The text of the manifest.
    pub fn source(&self) -> &'s str {
        self.subject.resource.text
    }

    /// `namespace/name` of the Pod.
    pub fn pod(&self) -> String {
        format!("{}/{}", self.subject.plan.namespace, self.subject.plan.name)
    }

    /// The node that takes the Pod, else the backend's own.
    pub fn node(&self) -> &'a str {
        self.subject.placement.node.as_deref().unwrap_or(&self.backend.node.name)
    }

    /// The annotation as written, unless it is empty, which providers take for absent.
    pub fn annotation(&self, key: &str) -> Option<&'a Meta> {
        self.subject.plan.annotation(key).filter(|meta| !meta.value.is_empty())
    }

    /// The annotation's text, unless empty.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.annotation(key).map(|meta| meta.value.as_str())
    }

    /// How an annotation without text is written: `empty` or `missing`.
    pub fn state(&self, key: &str) -> &'static str {
        if self.subject.plan.annotation(key).is_some() { "empty" } else { "missing" }
    }

    /// The contract's entry for an annotation.
    pub fn spec(&self, key: &str) -> Option<&'a AnnotationSpec> {
        self.backend.annotation(key)
    }

    /// The place of an annotation's value, or the place where it would have to be written.
    pub fn spot(&self, key: &str) -> Spot {
        let plan = &self.subject.plan;
        match plan.annotation(key) {
            Some(meta) => Spot::new(meta.value_span, format!("{}.annotations.{key}", plan.metadata_path)),
            None => {
                let annotations = self.template().and_then(|template| template.get("metadata")?.entry("annotations"));
                let span = annotations.filter(|entry| entry.value.via.is_none()).map(|entry| entry.key_span);
                Spot::new(span.unwrap_or(plan.metadata_span), format!("{}.annotations", plan.metadata_path))
            }
        }
    }

    /// The mapping that holds the Pod's metadata and spec.
    pub fn template(&self) -> Option<&'a Node<'s>> {
        let resource = &self.subject.resource;
        let path = self.subject.plan.metadata_path.strip_prefix(resource.prefix.as_str())?;
        let parents = path.trim_start_matches('.').strip_suffix("metadata")?.trim_end_matches('.');
        parents.split('.').filter(|name| !name.is_empty()).try_fold(&self.subject.stored, |node, name| node.get(name))
    }

    /// The place of an annotation's key.
    pub fn key_spot(&self, meta: &Meta) -> Spot {
        Spot::new(meta.key_span, format!("{}.annotations.{}", self.subject.plan.metadata_path, meta.key))
    }

    /// A message of the contract, filled in; an annotation that is absent shows as `<name>`.
    pub fn words(&self, format: Option<&String>, spec: &AnnotationSpec) -> String {
        let pod = self.pod();
        let annotation = |key: &str| match self.subject.plan.annotation_text(key) {
            Some(text) => text,
            None => placeholder(key),
        };
        let scope = MessageScope { pod: &pod, node: self.node(), annotation: &annotation };
        format.map_or_else(|| "<the provider's words>".into(), |format| scope.fill(format, spec))
    }
}

/// What stands for the value of an annotation that is not written.
fn placeholder(key: &str) -> &'static str {
    match key {
        "sandbox.cocoonstack.io/template" => "<template>",
        _ => "<value>",
    }
}

/// The fix that writes `value` instead, where the value stands on one line just as it is: an alias, a merge or an
/// escape has its text elsewhere.
pub fn rewrite(finding: &mut Finding, text: &str, meta: &Meta, applicability: Applicability, value: &str) {
    let Some(written) = text.get(meta.value_span.range()) else { return };
    let quoted = ['"', '\''].iter().find_map(|quote| written.strip_prefix(*quote)?.strip_suffix(*quote));
    if quoted.unwrap_or(written) == meta.value && !meta.value.contains('\n') {
        let edit = Edit { span: meta.value_span, text: double_quoted(value) };
        finding.fix(applicability, format!("write \"{value}\""), vec![edit]);
    }
}

/// `a, b or c`.
pub fn choice<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let values: Vec<&str> = values.into_iter().collect();
    match values.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
