//! What only shows across resources: references between them, names that they share, and what a template's users get.
//!
//! Runs once, after every resource has been followed by itself. It adds findings to the evaluations of the resources that
//! they name, and gives pools and claims the outcome of the Sandboxes that they make.

mod claim;
mod forecast;
mod name;
mod other_objects;
mod pool;
mod quota;
mod reference;

pub use other_objects::OtherObjects;

use crate::cluster::World;
use crate::finding::{FileId, Finding, Findings, Outcome, ResourceId, Stage};
use crate::predict::trace::Trace;
use crate::predict::{Evaluated, Evaluation, Prediction};
use crate::resource::{Kind, Resource};
use crate::stage::Subject;
use crate::yaml::Node;
use std::collections::HashMap;

/// Judges all resources of a run together.
pub fn check(evaluations: &mut [Evaluation<'_>], other_objects: &OtherObjects, world: &World) {
    let mut reports = Reports { made: evaluations.iter().map(|_| None).collect(), evaluations };
    let fleet = Fleet::new(evaluations, other_objects, world);
    name::check(&fleet, &mut reports);
    reference::check(&fleet, &mut reports);
    claim::check(&fleet, &mut reports);
    pool::check(&fleet, &mut reports);
    other_objects::check(&fleet, &mut reports);
    forecast::check(&fleet, &mut reports);
    quota::check(&fleet, &mut reports);
    let made = reports.made;
    for (evaluation, report) in evaluations.iter_mut().zip(made) {
        if let Some(report) = report {
            report.apply(evaluation);
        }
    }
}

/// What the fleet has to say, by resource; of most it says nothing.
struct Reports<'j, 's> {
    made: Vec<Option<Box<Report>>>,
    evaluations: &'j [Evaluation<'s>],
}

impl Reports<'_, '_> {
    /// What it has to say about the resource with this index.
    fn of(&mut self, index: usize) -> &mut Report {
        self.made[index].get_or_insert_with(|| Box::new(Report::new(&self.evaluations[index])))
    }
}

/// What the fleet has to say about one resource.
struct Report {
    out: Findings,
    /// Findings of the resource's own evaluation that another resource explains.
    explained: Vec<fn(&Finding) -> bool>,
    /// The controller's refusal; the first one counts.
    refused: Option<Outcome>,
    /// What comes of the Sandboxes that a pool or a claim makes.
    forecast: Option<Box<Prediction>>,
}

impl Report {
    fn new(evaluation: &Evaluation<'_>) -> Self {
        let prediction = &evaluation.prediction;
        let out = Findings::new(prediction.file, Some(prediction.document), Some(prediction.resource.clone()));
        Self { out, explained: Vec::new(), refused: None, forecast: None }
    }

    fn refuse(&mut self, outcome: Outcome) {
        self.refused.get_or_insert(outcome);
    }

    fn apply(self, evaluation: &mut Evaluation<'_>) {
        evaluation.findings.retain(|finding| !self.explained.iter().any(|explains| explains(finding)));
        evaluation.findings.extend(self.out.list);
        let prediction = &mut evaluation.prediction;
        if let Some(forecast) = self.forecast.filter(|_| prediction.outcome.is_none()) {
            prediction.pod = forecast.pod;
            prediction.backend = forecast.backend;
            prediction.outcome = forecast.outcome;
            prediction.next = forecast.next;
            prediction.node = forecast.node;
            prediction.served_by = forecast.served_by;
            prediction.nodes = forecast.nodes;
        }
        let Some(refused) = self.refused else { return };
        if prediction.outcome.as_ref().is_none_or(|outcome| refused.stage < outcome.stage) {
            let hidden = prediction.outcome.replace(refused).filter(|outcome| outcome.stage != Stage::Running);
            prediction.next.splice(0..0, hidden);
        }
    }
}

/// All resources of a run, by kind, namespace and name.
struct Fleet<'f, 's> {
    evaluations: &'f [Evaluation<'s>],
    other_objects: &'f OtherObjects,
    world: &'f World,
    named: HashMap<(Kind, &'f str, &'f str), usize>,
    kinds: HashMap<Kind, Vec<usize>>,
    /// Members by kind and namespace.
    spaces: HashMap<(Kind, &'f str), Vec<usize>>,
    /// The first member of each kind and name, in any namespace.
    names: HashMap<(Kind, &'f str), usize>,
    pools: HashMap<usize, Vec<usize>>,
    claims: HashMap<usize, Vec<usize>>,
}

/// One resource that the API server takes, as far as any other asks for it.
#[derive(Clone, Copy)]
struct Known<'f> {
    index: usize,
    file: FileId,
    id: &'f ResourceId,
    trace: &'f Trace,
}

/// One template, pool or claim that the API server takes.
#[derive(Clone, Copy)]
struct Member<'f, 's> {
    index: usize,
    resource: &'f Resource<'s>,
    stored: &'f Node<'s>,
    subject: Option<&'f Subject<'s>>,
}

impl<'f, 's> Fleet<'f, 's> {
    fn new(evaluations: &'f [Evaluation<'s>], other_objects: &'f OtherObjects, world: &'f World) -> Self {
        let mut named = HashMap::new();
        let mut kinds: HashMap<Kind, Vec<usize>> = HashMap::new();
        let mut spaces: HashMap<(Kind, &str), Vec<usize>> = HashMap::new();
        let mut names = HashMap::new();
        for (index, evaluation) in evaluations.iter().enumerate() {
            let (kind, id) = (evaluation.trace.kind, &evaluation.prediction.resource);
            kinds.entry(kind).or_default().push(index);
            if evaluation.trace.is_stored {
                spaces.entry((kind, id.namespace())).or_default().push(index);
                names.entry((kind, id.name())).or_insert(index);
            }
            if id.name().is_empty() {
                continue;
            }
            let name = (kind, id.namespace(), id.name());
            // A later object replaces an earlier one, unless the API server refuses it.
            match evaluation.trace.is_stored {
                false => _ = named.entry(name).or_insert(index),
                true => _ = named.insert(name, index),
            }
        }
        let (pools, claims) = (HashMap::new(), HashMap::new());
        let mut fleet = Self { evaluations, other_objects, world, named, kinds, spaces, names, pools, claims };
        fleet.pools = fleet.users(Kind::SandboxWarmPool, Self::template_of);
        fleet.claims = fleet.users(Kind::SandboxClaim, Self::pool_of);
        fleet
    }

    /// The members of a kind by what they refer to.
    fn users(
        &self,
        kind: Kind,
        target: fn(&Self, Member<'f, 's>) -> Option<Member<'f, 's>>,
    ) -> HashMap<usize, Vec<usize>> {
        let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
        for member in self.of(kind) {
            if let Some(target) = target(self, member) {
                users.entry(target.index).or_default().push(member.index);
            }
        }
        users
    }

    fn member(&self, index: usize) -> Option<Member<'f, 's>> {
        let (resource, stored, subject) = match self.evaluations[index].evaluated.as_deref()? {
            Evaluated::Pod(subject) => (&subject.resource, &subject.stored, Some(&**subject)),
            Evaluated::Other { resource, stored } => (&**resource, stored.as_ref()?, None),
        };
        Some(Member { index, resource, stored, subject })
    }

    fn known(&self, index: usize) -> Option<Known<'f>> {
        let evaluation = &self.evaluations[index];
        let known = Known {
            index,
            file: evaluation.prediction.file,
            id: &evaluation.prediction.resource,
            trace: &evaluation.trace,
        };
        evaluation.trace.is_stored.then_some(known)
    }

    /// Everything that the API server takes.
    fn all(&self) -> impl Iterator<Item = Known<'f>> {
        (0..self.evaluations.len()).filter_map(|index| self.known(index))
    }

    /// What the API server takes of one kind, without its trees.
    fn traces(&self, kind: Kind) -> impl Iterator<Item = Known<'f>> {
        self.kinds.get(&kind).into_iter().flatten().filter_map(|index| self.known(*index))
    }

    fn trace(&self, kind: Kind, namespace: &str, name: &str) -> Option<Known<'f>> {
        self.known(*self.named.get(&(kind, namespace, name))?)
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = Member<'f, 's>> {
        self.kinds.get(&kind).into_iter().flatten().filter_map(|index| self.member(*index))
    }

    fn find(&self, kind: Kind, namespace: &str, name: &str) -> Option<Member<'f, 's>> {
        self.member(*self.named.get(&(kind, namespace, name))?)
    }

    /// The members of a kind in a namespace.
    fn within<'m>(&'m self, kind: Kind, namespace: &'m str) -> Option<&'m [usize]> {
        self.spaces.get(&(kind, namespace)).map(Vec::as_slice)
    }

    /// The first member of a kind with this name, in whatever namespace.
    fn anywhere(&self, kind: Kind, name: &str) -> Option<Member<'f, 's>> {
        self.member(*self.names.get(&(kind, name))?)
    }

    /// Whether the files have such an object at all, even one that the API server refuses.
    fn declares(&self, kind: Kind, namespace: &str, name: &str) -> bool {
        self.named.contains_key(&(kind, namespace, name))
    }

    fn file(&self, member: Member<'_, '_>) -> usize {
        self.evaluations[member.index].prediction.file
    }

    /// The template of a pool, if it is among the files.
    fn template_of(&self, pool: Member<'f, 's>) -> Option<Member<'f, 's>> {
        let name = pool.stored.at(&["spec", "sandboxTemplateRef", "name"])?.as_str()?;
        self.find(Kind::SandboxTemplate, pool.resource.namespace(), name)
    }

    /// The pool of a claim, if it is among the files.
    fn pool_of(&self, claim: Member<'f, 's>) -> Option<Member<'f, 's>> {
        let name = reference::pool_name(claim.stored)?;
        self.find(Kind::SandboxWarmPool, claim.resource.namespace(), &name)
    }

    /// The pools of a template among the files.
    fn pools_of(&self, template: Member<'f, 's>) -> impl Iterator<Item = Member<'f, 's>> {
        self.pools.get(&template.index).into_iter().flatten().filter_map(|index| self.member(*index))
    }

    /// The claims of a pool among the files.
    fn claims_of(&self, pool: Member<'f, 's>) -> impl Iterator<Item = Member<'f, 's>> {
        self.claims.get(&pool.index).into_iter().flatten().filter_map(|index| self.member(*index))
    }
}

impl Member<'_, '_> {
    /// Whether a template asks for a Service for each of its Sandboxes.
    fn wants_service(&self) -> bool {
        self.stored.at(&["spec", "service"]).and_then(Node::as_bool) == Some(true)
    }

    /// Whether a claim brings variables or volumes of its own, for which no warm Sandbox is taken.
    fn starts_cold(&self) -> bool {
        let brings = |field| self.stored.at(&["spec", field]).is_some_and(|list| list.items().next().is_some());
        brings("env") || brings("volumeClaimTemplates")
    }

    /// `spec.replicas` of a pool, 1 where it is not written.
    fn replicas(&self) -> i64 {
        self.stored.at(&["spec", "replicas"]).and_then(Node::as_int).unwrap_or(1)
    }
}
