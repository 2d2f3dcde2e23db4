//! The whole way from sources to a report.

mod file;
mod report;

pub use report::{Report, Skipped, Summary};

use crate::cluster::{self, ClusterObjects, World};
use crate::finding::{FileId, Finding, Findings, Outcome, Phase, ResourceId, Shown, Stage};
use crate::fleet::{self, OtherObjects};
use crate::input::markdown::Block;
use crate::input::templates::{self, Skip};
use crate::input::{Source, markdown, prefilter};
use crate::limits::{self, Limits};
use crate::policy::{self, Policies};
use crate::predict::shared::Shared;
use crate::predict::{self, Evaluation, Prediction};
use crate::resource::identify::{self, Identified};
use crate::stage::{consequence, decode};
use crate::suppress::Suppressions;
use crate::yaml::object::{Object, ObjectError};
use crate::yaml::{self, Document, Documents, Options, SyntaxError, Text};
use file::{Batch, File, Overview};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Judges manifests in a world.
#[derive(Clone, Debug)]
pub struct Linter {
    settings: Vec<Settings>,
    /// Which of the settings hold for a file, by its path; the first where none is named.
    assigned: HashMap<String, usize>,
    /// Which of them hold for what shows across files.
    shared: usize,
    options: Options,
    limits: Limits,
}

/// What holds for some files.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The world that their Pods meet.
    pub world: World,
    /// The policies that judge them.
    pub policies: Policies,
}

/// What one file gave.
#[derive(Default)]
struct Judged<'s> {
    /// Findings that belong to no resource.
    findings: Vec<Finding>,
    /// Resources that were followed.
    evaluations: Vec<Evaluation<'s>>,
    /// Documents and resources that the client refuses.
    refused: Vec<Prediction>,
    shared: Shared,
    other_objects: OtherObjects,
    suppressions: Suppressions,
    skipped: Vec<Skipped>,
    /// Those of `skipped` that mean the whole file.
    skipped_whole: Vec<usize>,
    documents: usize,
    /// Whether kubectl finds anything to send, or to refuse.
    has_objects: bool,
}

impl Linter {
    /// A linter for the given world.
    pub fn new(world: World) -> Self {
        Self::with_settings(vec![Settings { world, policies: Policies::default() }], HashMap::new(), 0)
    }

    /// A linter whose settings differ from file to file: `assigned` names them by the paths of sources (the first
    /// where it names none), `shared` those for what shows across files.
    pub fn with_settings(settings: Vec<Settings>, assigned: HashMap<String, usize>, shared: usize) -> Self {
        Self { settings, assigned, shared, options: Options::default(), limits: Limits::default() }
    }

    /// Sets how much of a file is judged.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    fn settings(&self, path: &str) -> &Settings {
        &self.settings[self.assigned.get(path).copied().unwrap_or_default()]
    }

    /// Judges all sources together, in the cluster that their other objects make; the result does not depend on the
    /// number of threads.
    pub fn check(&self, sources: Vec<Source>) -> Report {
        let objects = self.cluster_objects(&sources);
        if objects.is_empty() { self.judge_all(sources) } else { self.among(&objects).judge_all(sources) }
    }

    /// The objects around the Pods that are written in the sources; none where no sandbox asks for them.
    fn cluster_objects(&self, sources: &[Source]) -> ClusterObjects {
        let wanted = self.settings.iter().any(|settings| settings.world.from_files);
        if !wanted || !sources.iter().any(|source| !source.around && prefilter::asks_for_cluster(&source.bytes)) {
            return ClusterObjects::default();
        }
        let named = |source: &&(usize, &Source)| prefilter::names_cluster_kind(&source.1.bytes);
        let numbered: Vec<(usize, &Source)> = sources.iter().enumerate().collect();
        let texts: Vec<(usize, Text<'_>)> = numbered
            .par_iter()
            .filter(named)
            .map(|(id, source)| (*id, source, markdown::manifests(source).0))
            .filter(|(_, source, text)| templates::whole_file(&source.path, &source.context, text.as_str()).is_none())
            .map(|(id, _, text)| (id, text))
            .collect();
        cluster::gather(texts.iter().map(|(id, text)| (*id, text.as_str())), &self.options)
    }

    /// The same linter in worlds that have these objects, too.
    fn among(&self, objects: &ClusterObjects) -> Self {
        let mut linter = self.clone();
        linter.settings.iter_mut().for_each(|settings| settings.world.overlay(objects));
        linter
    }

    fn judge_all(&self, sources: Vec<Source>) -> Report {
        let texts: Vec<(Text<'_>, Option<Vec<Block>>)> = sources.par_iter().map(markdown::manifests).collect();
        let judged: Vec<Judged<'_>> = sources
            .par_iter()
            .zip(&texts)
            .enumerate()
            .map(|(id, (source, (text, blocks)))| {
                let (settings, glance) = (self.settings(&source.path), &Overview::default());
                self.judge(File { id, source, text: text.as_str(), blocks: blocks.as_deref(), settings, glance }, text)
            })
            .collect();
        let mut report = Report::default();
        report.summary.files = sources.iter().filter(|source| !source.around).count();
        let mut other_objects = OtherObjects::default();
        let mut evaluations = Vec::new();
        let mut suppressions = Suppressions::default();
        for one in judged {
            report.summary.documents += one.documents;
            report.findings.extend(one.findings);
            report.skipped.extend(one.skipped);
            report.predictions.extend(one.refused);
            other_objects.merge(one.other_objects);
            suppressions.merge(one.suppressions);
            append(&mut evaluations, one.evaluations);
        }
        fleet::check(&mut evaluations, &other_objects, &self.settings[self.shared].world);
        evaluations.par_iter_mut().for_each(|evaluation| {
            let settings = self.settings(&sources[evaluation.prediction.file].path);
            policy::check(&settings.policies, evaluation);
        });
        report.summary.resources = evaluations.len();
        let (findings, predictions) = (&mut report.findings, &mut report.predictions);
        let followed = evaluations.into_iter().map(|evaluation| {
            findings.extend(evaluation.findings);
            evaluation.prediction
        });
        append(predictions, followed.collect());
        consequence::attach(&mut report.findings);
        suppressions.apply(&mut report.findings);
        report.predictions.sort_by_key(|prediction| (prediction.file, prediction.document));
        for (id, (masked, blocks)) in texts.iter().enumerate() {
            if let Some(blocks) = blocks {
                let written = sources[id].text();
                let of_file = report.findings.iter_mut().filter(|finding| finding.file == id);
                of_file.for_each(|finding| markdown::restore(finding, masked.as_str(), written.as_str(), blocks));
            }
        }
        drop(texts);
        report.sources = sources;
        report.finish();
        report
    }

    fn judge<'s>(&self, file: File<'_, 's>, text: &'s Text<'_>) -> Judged<'s> {
        let mut judged = Judged::default();
        if file.source.around {
            return judged;
        }
        if let Some(skip) = templates::whole_file(&file.source.path, &file.source.context, file.text) {
            judged.skip(file.id, None, skip);
            return judged;
        }
        let mut documents = Documents::of(text, &self.options);
        let first = Batch::next(&mut documents, &self.limits);
        if first.is_last {
            self.judge_batch(file, &first, &mut judged);
        } else {
            self.judge_stream(file, first, documents, &mut judged);
        }
        // Documents without objects are Lists without items.
        if !judged.has_objects && file.source.explicit && file.blocks.is_none() {
            let outcome = rejected(Stage::Decode, "error: no objects passed to create");
            judged.refused.push(Prediction::refused(file.id, 0, ResourceId::default(), outcome));
        }
        judged
    }

    /// Judges the documents of a long file on all threads, while this one decodes those that follow.
    fn judge_stream<'s>(
        &self,
        file: File<'_, 's>,
        first: Batch<'s>,
        mut documents: Documents<'s>,
        judged: &mut Judged<'s>,
    ) {
        let limit = 2 * rayon::current_num_threads();
        let waiting = AtomicUsize::new(0);
        let parts: Mutex<Vec<(usize, Judged<'s>)>> = Mutex::default();
        let judge = |number: usize, batch: &Batch<'s>| {
            let mut part = Judged::default();
            self.judge_batch(file, batch, &mut part);
            parts.lock().unwrap_or_else(PoisonError::into_inner).push((number, part));
        };
        let (judge, waiting) = (&judge, &waiting);
        rayon::scope(|scope| {
            let mut batch = first;
            for number in 0.. {
                let is_last = batch.is_last;
                // Decoding waits for judging, so that few trees are held at once.
                if is_last || waiting.load(Ordering::Relaxed) >= limit {
                    judge(number, &batch);
                } else {
                    waiting.fetch_add(1, Ordering::Relaxed);
                    scope.spawn(move |_| {
                        judge(number, &batch);
                        waiting.fetch_sub(1, Ordering::Relaxed);
                    });
                }
                if is_last {
                    break;
                }
                batch = Batch::next(&mut documents, &self.limits);
            }
        });
        let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_by_key(|(number, _)| *number);
        for (_, part) in parts {
            judged.merge(part);
        }
    }

    fn judge_batch<'s>(&self, file: File<'_, 's>, batch: &Batch<'s>, judged: &mut Judged<'s>) {
        let house_rules = file.settings.policies.names();
        for (document, loose) in &batch.documents {
            judged.documents += 1;
            self.judge_document(file, document, judged);
            judged.suppressions.read(file.id, file.text, document, loose, &house_rules);
        }
        if let Some(index) = batch.beyond {
            judged.skip(file.id, Some(index), limits::too_many_documents(&self.limits));
        }
    }

    fn judge_document<'s>(&self, file: File<'_, 's>, document: &Document<'s>, judged: &mut Judged<'s>) {
        if let Some(skip) = file.expanded(document) {
            judged.skip(file.id, Some(document.index), skip);
            return;
        }
        let known = (judged.evaluations.len(), judged.findings.len());
        judged.has_objects |= document.content.is_err() || document.depth >= DEEPEST;
        match &document.content {
            Err(error) => {
                undecodable(file, document, error, judged);
                // Broken files of other tools are not ours to report.
                if !file.names_a_sandbox(document) {
                    return;
                }
            }
            Ok(_) if document.depth < DEEPEST => {
                for object in yaml::objects(document) {
                    judged.has_objects = true;
                    match object {
                        Ok(object) => self.judge_object(file, document.index, &object, judged),
                        Err(error) => self.judge_unreadable(file, document, &error, judged),
                    }
                }
            }
            Ok(_) => {
                if prefilter::names_a_sandbox(&file.text[document.span.range()]) {
                    judged.skip(file.id, Some(document.index), limits::too_deep(DEEPEST));
                }
            }
        }
        // What is lost in a document that is none of ours is not ours to report.
        if (judged.evaluations.len(), judged.findings.len()) == known {
            return;
        }
        let resource = judged.evaluations[known.0..].last().map(|evaluation| evaluation.prediction.resource.clone());
        let mut out = Findings::new(file.id, Some(document.index), resource);
        decode::losses(document, file.text, &mut out);
        judged.findings.extend(out.list);
        if let Some(root) = document.root()
            && let Some(skip) = templates::said(&templates::placeholders(root))
        {
            judged.skip(file.id, Some(document.index), skip);
        }
    }

    /// An object that kubectl does not send. One of our kinds is followed all the same, under kubectl's words.
    fn judge_unreadable<'s>(
        &self,
        file: File<'_, 's>,
        document: &Document<'s>,
        error: &ObjectError,
        judged: &mut Judged<'s>,
    ) {
        let named = identify::File { name: &file.source.path, text: file.text };
        let whole = document.root().filter(|_| error.path.is_empty());
        let evaluation = match whole.map(|root| identify::identify(root, "", named)) {
            Some(Identified::Resource(found)) => predict::follow(file.id, document.index, *found, &file.settings.world),
            Some(Identified::NoMatch(found)) => {
                predict::follow_no_match(file.id, document.index, *found, &file.settings.world)
            }
            _ => {
                let mut out = Findings::new(file.id, Some(document.index), None);
                decode::object_error(error, &file.source.path, &mut out);
                let is_ours = prefilter::names_a_sandbox(&file.text[document.span.range()]);
                if let Some(outcome) = out.stop.take().filter(|_| is_ours || file.blocks.is_none()) {
                    let id = ResourceId::default();
                    judged.refused.push(Prediction::refused(file.id, document.index, id, outcome));
                }
                // Broken files of other tools are not ours to report.
                if is_ours {
                    judged.findings.extend(out.list);
                }
                return;
            }
        };
        judged.keep(evaluation, file);
    }

    fn judge_object<'s>(&self, file: File<'_, 's>, document: usize, object: &Object<'_, 's>, judged: &mut Judged<'s>) {
        let named = identify::File { name: &file.source.path, text: file.text };
        let node = object.complete();
        match identify::identify(&node, &object.path, named) {
            Identified::Resource(resource) => {
                judged.keep(predict::follow(file.id, document, *resource, &file.settings.world), file);
            }
            Identified::NoMatch(no_match) => {
                judged.keep(predict::follow_no_match(file.id, document, *no_match, &file.settings.world), file);
            }
            Identified::Unrelated => judged.other_objects.add(&node),
        }
    }
}

/// A document that kubectl does not decode: the source of a template, or an error.
fn undecodable(file: File<'_, '_>, document: &Document<'_>, error: &SyntaxError, judged: &mut Judged<'_>) {
    let mut out = Findings::new(file.id, Some(document.index), None);
    decode::syntax_error(error, document.index, &file.source.path, file.text, &mut out);
    let is_ours = file.names_a_sandbox(document);
    if let Some(outcome) = out.stop.take().filter(|_| is_ours || file.blocks.is_none()) {
        judged.refused.push(Prediction::refused(file.id, document.index, ResourceId::default(), outcome));
    }
    if !is_ours {
        return;
    }
    match file.unrendered(document, error.span) {
        Some(skip) => {
            let whole_file = skip.reason != "placeholder" && file.blocks.is_none();
            judged.skip(file.id, (!whole_file).then_some(document.index), skip);
        }
        None => judged.findings.extend(out.list),
    }
}

fn rejected(stage: Stage, message: impl Into<String>) -> Outcome {
    Outcome::new(stage, Shown::None, Phase::Rejected).message(message)
}

impl<'s> Judged<'s> {
    /// Keeps what following a resource gave; its trees only where something still looks at them.
    fn keep(&mut self, mut evaluation: Evaluation<'s>, file: File<'_, 's>) {
        if file.settings.policies.rules.is_empty() {
            evaluation.forget();
        }
        self.shared.share(&mut evaluation.prediction);
        self.evaluations.push(evaluation);
    }

    /// Notes a file or document that is left alone; a file is named once.
    fn skip(&mut self, file: FileId, document: Option<usize>, skip: Skip) {
        let skipped = Skipped { file, document, reason: skip.reason, message: skip.message };
        self.keep_skipped(skipped);
    }

    fn keep_skipped(&mut self, skipped: Skipped) {
        // Documents come one after the other, so that one of them is named last.
        let is_known = match skipped.document {
            Some(_) => self.skipped.last() == Some(&skipped),
            None => self.skipped_whole.iter().any(|one| self.skipped[*one] == skipped),
        };
        if !is_known {
            self.skipped_whole.extend(skipped.document.is_none().then_some(self.skipped.len()));
            self.skipped.push(skipped);
        }
    }

    /// Adds what later documents of the same file gave.
    fn merge(&mut self, later: Judged<'s>) {
        self.findings.extend(later.findings);
        self.evaluations.extend(later.evaluations);
        self.refused.extend(later.refused);
        self.other_objects.merge(later.other_objects);
        self.suppressions.merge(later.suppressions);
        later.skipped.into_iter().for_each(|skipped| self.keep_skipped(skipped));
        self.documents += later.documents;
        self.has_objects |= later.has_objects;
    }
}

/// Moves items to the end of others; the first come without a copy.
fn append<T>(all: &mut Vec<T>, mut more: Vec<T>) {
    if all.is_empty() {
        *all = more;
    } else {
        all.append(&mut more);
    }
}

/// Nothing that Kubernetes serves nests deeper; such documents are not walked.
const DEEPEST: usize = 200;
