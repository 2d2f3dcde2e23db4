//! Runs the stages in order for one resource, and says where its Pod stops.

pub mod shared;
pub mod trace;

use crate::cluster::World;
use crate::cluster::admit::admit;
use crate::finding::{FileId, Finding, Findings, Outcome, Phase, ResourceId, Shown, Stage};
use crate::resource::identify::NoMatch;
use crate::resource::pod::{self, PodPlan};
use crate::resource::{Kind, Resource, intent};
use crate::stage::admission::Accepted;
use crate::stage::scheduling::NodeAnswer;
use crate::stage::{self, Subject};
use serde::Serialize;
use std::sync::Arc;
use trace::Trace;

/// The checked of one resource.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The file.
    pub file: FileId,
    /// Index of the document in its file, from 0.
    pub document: usize,
    /// The resource.
    pub resource: ResourceId,
    /// The Pod, or an example of it.
    pub pod: Option<PodName>,
    /// The backend meant: a name of the contract, or `contradictory`.
    pub backend: String,
    /// How the API server takes the resource.
    pub accepted: Accepted,
    /// Where it stops, or that it runs; `None` where nothing is known (a pool whose template is elsewhere).
    pub outcome: Option<Outcome>,
    /// What stops it next, once the first stop is fixed, in order.
    pub next: Vec<Outcome>,
    /// The node that takes the Pod; none of a refused object.
    pub node: Option<String>,
    /// The backend of that node, by its name in the contract.
    pub served_by: Option<String>,
    /// Every node with the scheduler's answer; none of a refused object.
    pub nodes: Arc<[NodeAnswer]>,
    /// Signs that made the linter think of the backend.
    pub evidence: Vec<intent::Evidence>,
}

impl Prediction {
    /// A resource, or a document that is none, as long as nothing is known of its checked.
    pub fn new(file: FileId, document: usize, resource: ResourceId, accepted: Accepted) -> Self {
        Self {
            file,
            document,
            resource,
            pod: None,
            backend: "kubelet".into(),
            accepted,
            outcome: None,
            next: Vec::new(),
            node: None,
            served_by: None,
            nodes: Arc::default(),
            evidence: Vec::new(),
        }
    }

    /// A resource, or a document that is none, which the client or the API server refuses.
    pub fn refused(file: FileId, document: usize, resource: ResourceId, outcome: Outcome) -> Self {
        Self { outcome: Some(outcome), ..Self::new(file, document, resource, Accepted::Refused) }
    }

    /// No scheduler ever sees the Pod of a refused object.
    fn forget_nodes(&mut self) {
        self.node = None;
        self.served_by = None;
        self.nodes = Arc::default();
    }
}

/// Namespace and name of a Pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PodName {
    /// The namespace.
    pub namespace: String,
    /// The name, or an example of it.
    pub name: String,
}

/// What following one resource gave.
#[derive(Debug)]
pub struct Evaluation<'s> {
    /// What was found on the way.
    pub findings: Vec<Finding>,
    /// Where it ends.
    pub prediction: Prediction,
    /// What other resources ask of it.
    pub trace: Trace,
    /// The resource and its Pod; `None` once nobody looks at them any more.
    pub evaluated: Option<Box<Evaluated<'s>>>,
}

impl Evaluation<'_> {
    /// Lets go of the trees of a resource whose trace is all that others ask for.
    pub fn forget(&mut self) {
        let asked = [Kind::SandboxTemplate, Kind::SandboxWarmPool, Kind::SandboxClaim];
        if !asked.contains(&self.trace.kind) {
            self.evaluated = None;
        }
    }
}

/// A resource after its own evaluation.
#[derive(Clone, Debug)]
pub enum Evaluated<'s> {
    /// It makes a Pod.
    Pod(Box<Subject<'s>>),
    /// It makes none of its own, or was refused; the stored object, if there is one.
    Other {
        /// The resource as written.
        resource: Box<Resource<'s>>,
        /// The object as stored, unless refused.
        stored: Option<crate::yaml::Node<'s>>,
    },
}

impl<'s> Evaluated<'s> {
    /// The resource as written.
    pub fn resource(&self) -> &Resource<'s> {
        match self {
            Evaluated::Pod(subject) => &subject.resource,
            Evaluated::Other { resource, .. } => resource,
        }
    }

    fn trace(&self) -> Trace {
        match self {
            Evaluated::Pod(subject) => Trace::of(&subject.resource, Some(&subject.stored), Some(subject)),
            Evaluated::Other { resource, stored } => Trace::of(resource, stored.as_ref(), None),
        }
    }
}

type Check = fn(&Subject<'_>, &World, &mut Findings);

/// The stages after admission, in the order in which a Pod meets them.
const CHECKS: [(Stage, Check); 7] = [
    (Stage::Reconcile, stage::reconcile::check),
    (Stage::PodCreate, stage::pod_create::check),
    (Stage::PodCreate, stage::webhook::check),
    (Stage::Scheduling, stage::scheduling::check),
    (Stage::Kubelet, stage::kubelet::check),
    (Stage::Provider, stage::provider::check),
    (Stage::Running, stage::running::check),
];

/// Follows one resource through all stages.
pub fn follow<'s>(file: FileId, document: usize, resource: Resource<'s>, world: &World) -> Evaluation<'s> {
    let mut out = Findings::new(file, Some(document), Some(resource.id.clone()));
    let admission = stage::admission::check(&resource, world, &mut out);
    let mut stops: Vec<Outcome> = out.stop.take().into_iter().collect();
    if let Some(stored) = &admission.stored {
        let known = out.list.len();
        stage::reconcile::check_object(&resource, stored, world, &mut out);
        for finding in &mut out.list[known..] {
            finding.later |= !stops.is_empty();
        }
        stops.extend(out.stop.take());
    }
    let plan = admission.stored.as_ref().and_then(|stored| pod::plan(&resource, stored));
    let mut prediction = Prediction::new(file, document, resource.id.clone(), admission.accepted);
    let evaluated = match (plan, admission.stored) {
        (Some(plan), Some(stored)) => {
            let subject = subject(resource, stored, plan, world);
            walk(&subject, world, &mut out, &mut stops);
            stage::keys::check(&subject, world, &stops, &mut out);
            stage::consequence::merge_nulls(&mut out);
            stage::workload::rephrase(&subject.resource, &mut out, &mut stops);
            describe(&subject, world, &mut prediction);
            Evaluated::Pod(Box::new(subject))
        }
        (_, stored) => {
            if let Some(stored) = &stored {
                stage::keys::check_object(&resource, stored, world, &mut out);
            }
            Evaluated::Other { resource: Box::new(resource), stored }
        }
    };
    let mut stops = stops.into_iter();
    prediction.outcome = stops.next().or_else(|| running(&prediction, &evaluated, world));
    prediction.next = stops.collect();
    if prediction.accepted == Accepted::Refused {
        prediction.forget_nodes();
    }
    let mut trace = evaluated.trace();
    if let Evaluated::Pod(subject) = &evaluated {
        trace.count(subject, world);
    }
    Evaluation { findings: out.list, prediction, trace, evaluated: Some(Box::new(evaluated)) }
}

/// An object that was meant as one of the kinds, but that the API server does not know by this name: refused, with
/// what would come of it under its right name.
pub fn follow_no_match<'s>(file: FileId, document: usize, found: NoMatch<'s>, world: &World) -> Evaluation<'s> {
    let mut out = Findings::new(file, Some(document), Some(found.resource.id.clone()));
    stage::admission::unknown_kind(&found, &mut out);
    let stop = out.stop.take();
    let mut evaluation = follow(file, document, found.resource, world);
    for finding in &mut evaluation.findings {
        finding.later = true;
    }
    evaluation.findings.splice(0..0, out.list);
    let prediction = &mut evaluation.prediction;
    prediction.accepted = Accepted::Refused;
    prediction.forget_nodes();
    let then = std::mem::replace(&mut prediction.outcome, stop);
    prediction.next.splice(0..0, then.filter(|outcome| outcome.phase != Phase::Running));
    evaluation
}

fn subject<'s>(
    resource: Resource<'s>,
    stored: crate::yaml::Node<'s>,
    mut plan: PodPlan<'s>,
    world: &World,
) -> Subject<'s> {
    let intent = intent::read(&plan, world);
    if let Some(snapshot) = &world.snapshot {
        admit(&mut plan.spec, &plan.namespace, snapshot);
    }
    let placement = stage::scheduling::place(&plan, world);
    Subject { resource, stored, plan, intent, placement }
}

/// Runs the checks in order; findings of a stage that an earlier stop hides are marked as later.
fn walk(subject: &Subject<'_>, world: &World, out: &mut Findings, stops: &mut Vec<Outcome>) {
    let landed = subject.as_landed();
    for (stage, check) in CHECKS {
        // The aggregated API makes no Pod: nothing of its way to a node happens.
        if world.aggregated_api && stage != Stage::Provider {
            continue;
        }
        let known = out.list.len();
        let hidden = stops.first().is_some_and(|stop| stop.stage < stage);
        check(subject, world, out);
        // The findings are those of the backend meant, the checked is that of the node.
        if let Some(landed) = landed.as_ref().filter(|_| stage > Stage::Scheduling) {
            let mut checked = Findings::new(0, None, None);
            check(landed, world, &mut checked);
            out.stop = checked.stop;
        }
        for finding in &mut out.list[known..] {
            finding.later |= hidden;
        }
        // Behind the scheduler nothing is more certain than the node.
        let certain = stage <= Stage::Scheduling || subject.placement.certain;
        stops.extend(out.stop.take().map(|stop| if certain { stop } else { stop.uncertain() }));
    }
}

fn describe(subject: &Subject<'_>, world: &World, prediction: &mut Prediction) {
    if world.aggregated_api {
        prediction.backend = "sandboxd".into();
        return;
    }
    let plan = &subject.plan;
    prediction.pod = Some(PodName { namespace: plan.namespace.clone(), name: plan.name.clone() });
    prediction.backend = subject.intent.name().to_owned();
    prediction.evidence = subject.intent.evidence.clone();
    prediction.node = subject.placement.node.clone();
    prediction.served_by = subject.placement.backend.clone();
    prediction.nodes = subject.placement.nodes.as_slice().into();
}

fn running(prediction: &Prediction, evaluated: &Evaluated<'_>, world: &World) -> Option<Outcome> {
    let served =
        world.aggregated_api && matches!(evaluated, Evaluated::Pod(_)) && evaluated.resource().kind == Kind::Sandbox;
    match (&prediction.pod, served) {
        (Some(_), _) => {
            let running = Outcome::new(Stage::Running, Shown::Pod, Phase::Running);
            let certain = matches!(evaluated, Evaluated::Pod(subject) if subject.placement.certain);
            Some(if certain { running } else { running.uncertain() })
        }
        // Whether something is warm decides; the API answers 503 otherwise.
        (None, true) => Some(Outcome::new(Stage::Running, Shown::Sandbox, Phase::Running)),
        (None, false) => None,
    }
}
