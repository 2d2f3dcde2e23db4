//! What the linter has to say: findings, the outcome they predict, and the places they point at.

use crate::rule::Rule;
pub use crate::rule::{Severity, Stage};
use crate::yaml::{Node, Span};
use serde::Serialize;

/// The object that shows an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// Nothing in the cluster: the client or the API server refused.
    None,
    /// The Sandbox.
    Sandbox,
    /// The Pod.
    Pod,
    /// The warm pool.
    Pool,
    /// The claim.
    Claim,
}

/// The state in which things come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Not stored.
    Rejected,
    /// Stored, but no Pod exists.
    NoPod,
    /// The Pod is Pending.
    Pending,
    /// The Pod is Failed.
    Failed,
    /// The Pod runs.
    Running,
}

/// What a user of the cluster will see, in the cluster's words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Outcome {
    /// The stage that decides.
    pub stage: Stage,
    /// The object that shows it.
    pub object: Shown,
    /// The state it rests in.
    pub phase: Phase,
    /// The machine-readable reason, such as `Unschedulable`.
    pub reason: Option<String>,
    /// The message, letter for letter; `<…>` stands for what can't be known offline.
    pub message: Option<String>,
    /// Where the message is shown, such as `Pod condition PodScheduled, event FailedScheduling`.
    pub shown_on: Option<String>,
    /// What is tried again, and for how long.
    pub retries: Option<String>,
    /// Whether it is certain on every cluster that follows the contract.
    pub certain: bool,
}

impl Outcome {
    /// A certain outcome without words yet.
    pub fn new(stage: Stage, object: Shown, phase: Phase) -> Self {
        Self { stage, object, phase, reason: None, message: None, shown_on: None, retries: None, certain: true }
    }

    /// Sets the reason.
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Sets the message.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sets where the message is shown.
    pub fn shown_on(mut self, place: impl Into<String>) -> Self {
        self.shown_on = Some(place.into());
        self
    }

    /// Sets what is tried again.
    pub fn retries(mut self, retries: impl Into<String>) -> Self {
        self.retries = Some(retries.into());
        self
    }

    /// Marks an outcome that hangs on the cluster.
    pub fn uncertain(mut self) -> Self {
        self.certain = false;
        self
    }
}

/// Index of a source file in the run.
pub type FileId = usize;

/// A place in a file, with the field path it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The bytes to underline.
    pub span: Span,
    /// The field, such as `spec.podTemplate.spec.tolerations[0].key`; empty for the whole document.
    pub path: String,
}

impl Spot {
    /// A place with its field path.
    pub fn new(span: Span, path: impl Into<String>) -> Self {
        Self { span, path: path.into() }
    }

    /// The place of a value.
    pub fn of(node: &Node<'_>, path: impl Into<String>) -> Self {
        Self::new(node.place(), path)
    }
}

/// A second place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file.
    pub file: FileId,
    /// The bytes to underline.
    pub span: Span,
    /// What this place has to do with it.
    pub message: String,
}

/// How safe a fix is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Does what the author meant, for certain.
    Safe,
    /// Likely what the author meant; a person should look.
    Unsafe,
}

/// A change of the text that removes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// How safe it is.
    pub applicability: Applicability,
    /// What it does, as an order: `quote the value`.
    pub title: String,
    /// Replacements in the finding's file; sorted, not overlapping.
    pub edits: Vec<Edit>,
}

/// One replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go away (empty: an insertion).
    pub span: Span,
    /// What comes in.
    pub text: String,
}

/// Names a resource in output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceId {
    /// As written.
    pub api_version: Option<String>,
    /// As written.
    pub kind: Option<String>,
    /// As written; `None` means the namespace of the context, taken as `default`.
    pub namespace: Option<String>,
    /// As written.
    pub name: Option<String>,
}

impl ResourceId {
    /// The namespace, `default` when none is written.
    pub fn namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or("default")
    }

    /// The name, or an empty text.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }
}

/// One thing the linter has to say.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Its weight here.
    pub severity: Severity,
    /// The stage at which it shows.
    pub stage: Stage,
    /// What is wrong, naming what the author typed.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The file.
    pub file: FileId,
    /// The place.
    pub spot: Spot,
    /// Words under the underlined place.
    pub label: Option<String>,
    /// Index of the document in its file, from 0.
    pub document: Option<usize>,
    /// The resource.
    pub resource: Option<ResourceId>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// What will happen.
    pub outcome: Option<Outcome>,
    /// How to change the text.
    pub fix: Option<Fix>,
    /// Shows only once the problem of an earlier stage is fixed.
    pub later: bool,
    /// The house rule that found it, if one did.
    pub policy: Option<String>,
    /// What silences it; such a finding counts for nothing, and stays in the output of machines.
    pub suppressed: Option<Suppressed>,
    /// The path of the field that an unknown one was most likely meant as, where that is elsewhere in the object.
    pub meant: Option<String>,
    /// What follows from it, by stage; it counts for nothing of its own. A consequence has none itself.
    pub consequences: Vec<Consequence>,
}

/// What follows from a finding: no fault of its own.
#[derive(Clone, Debug)]
pub struct Consequence {
    /// What shows at a later stage, or elsewhere.
    pub finding: Finding,
    /// Whether the same place is still wrong once the cause is fixed; the others go away with the cause.
    pub once_fixed: bool,
}

/// Who silences a finding, where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// Who.
    pub by: Silencer,
    /// The comment, in the finding's file; `None` for a baseline.
    pub span: Option<Span>,
    /// The reason given.
    pub reason: Option<String>,
}

/// What can silence a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Silencer {
    /// `# sandbox-lint: ignore[…]`.
    Comment,
    /// `# sandbox-lint: ignore-file[…]`.
    FileComment,
    /// An entry of the baseline.
    Baseline,
}

impl Finding {
    /// The consequences that nothing silences.
    pub fn shown_consequences(&self) -> impl Iterator<Item = &Consequence> {
        self.consequences.iter().filter(|one| one.finding.suppressed.is_none())
    }

    /// Sets what to write instead.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the words under the underlined place.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = Some(label.into());
        self
    }

    /// Adds another place of the same file.
    pub fn related(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        let file = self.file;
        self.related_in(file, span, message)
    }

    /// Adds a place of any file.
    pub fn related_in(&mut self, file: FileId, span: Span, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { file, span, message: message.into() });
        self
    }

    /// Sets what will happen.
    pub fn outcome(&mut self, outcome: Outcome) -> &mut Self {
        self.outcome = Some(outcome);
        self
    }

    /// Changes the weight from the rule's own.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }

    /// Changes the stage from the rule's own.
    pub fn stage(&mut self, stage: Stage) -> &mut Self {
        self.stage = stage;
        self
    }

    /// Sets how to change the text.
    pub fn fix(&mut self, applicability: Applicability, title: impl Into<String>, edits: Vec<Edit>) -> &mut Self {
        self.fix = Some(Fix { applicability, title: title.into(), edits });
        self
    }
}

/// Where a stage puts what it found: findings, and the outcome that stops the Pod.
#[derive(Debug)]
pub struct Findings {
    file: FileId,
    document: Option<usize>,
    resource: Option<ResourceId>,
    /// What was found, in the order of discovery.
    pub list: Vec<Finding>,
    /// What stops the Pod at this stage; the first one wins.
    pub stop: Option<Outcome>,
}

impl Findings {
    /// An empty collection for one document.
    pub fn new(file: FileId, document: Option<usize>, resource: Option<ResourceId>) -> Self {
        Self { file, document, resource, list: Vec::new(), stop: None }
    }

    /// Adds a finding with the rule's own severity and stage; the answer takes further details.
    pub fn add(&mut self, rule: &'static Rule, spot: Spot, message: impl Into<String>) -> &mut Finding {
        self.list.push(Finding {
            rule,
            severity: rule.severity,
            stage: rule.stage,
            message: message.into(),
            help: None,
            file: self.file,
            spot,
            label: None,
            document: self.document,
            resource: self.resource.clone(),
            related: Vec::new(),
            outcome: None,
            fix: None,
            later: false,
            policy: None,
            suppressed: None,
            meant: None,
            consequences: Vec::new(),
        });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Records what stops the Pod at this stage; the first call wins.
    pub fn stop(&mut self, outcome: Outcome) {
        self.stop.get_or_insert(outcome);
    }
}
