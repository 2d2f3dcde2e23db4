//! What follows from an earlier finding: no fault of its own, but a consequence of that one.

use crate::finding::{Consequence, FileId, Finding, Findings, ResourceId, Severity, Stage};
use crate::rule::{self, Rule};
use crate::suggest;
use std::collections::HashMap;

/// Fields whose loss later stages notice, with the stage that does.
const NOTICED: [(&str, Stage); 6] = [
    ("nodeSelector", Stage::Scheduling),
    ("affinity", Stage::Scheduling),
    ("nodeName", Stage::Scheduling),
    ("tolerations", Stage::Scheduling),
    ("annotations", Stage::Provider),
    ("metadata", Stage::Provider),
];

/// Rules that say that something is not there which a later stage needs.
const ABSENCES: [&Rule; 9] = [
    &rule::MISSING_SELECTOR,
    &rule::MISSING_TOLERATION,
    &rule::OPEN_PLACEMENT,
    &rule::TOLERATION_MISMATCH,
    &rule::TEMPLATE_IMAGE_MISMATCH,
    &rule::MISSING_TEMPLATE,
    &rule::MISSING_VM_NAME,
    &rule::UNMANAGED_WITHOUT_IDENTITY,
    &rule::MISSING_ANNOTATION,
];

/// Rules that say, at its path, that a field is not there.
const MISSING_FIELDS: [&Rule; 4] =
    [&rule::UNKNOWN_KIND, &rule::MISSING_FIELD, &rule::INVALID_NAME, &rule::INVALID_IMAGE];

/// File, document and resource of a finding.
type Place<'f> = (FileId, Option<usize>, Option<&'f ResourceId>);

/// Moves each finding that follows from another below that one.
pub fn attach(findings: &mut Vec<Finding>) {
    let mut roots: Vec<Option<Cause>> = vec![None; findings.len()];
    let mut resources: HashMap<Place<'_>, Vec<usize>> = HashMap::new();
    let mut lost_objects: HashMap<(FileId, Option<usize>), usize> = HashMap::new();
    for (index, finding) in findings.iter().enumerate() {
        let place = (finding.file, finding.document);
        resources.entry((place.0, place.1, finding.resource.as_ref())).or_default().push(index);
        if finding.rule == &rule::TEXT_NEVER_READ && finding.severity == Severity::Error {
            lost_objects.insert(place, index);
        }
    }
    for members in resources.values().filter(|members| members.len() > 1) {
        let causes = Causes::of(findings, members);
        for &index in members {
            roots[index] = causes.find(index);
        }
    }
    for (index, finding) in findings.iter().enumerate() {
        let lost = lost_objects.get(&(finding.file, finding.document));
        if let Some(&root) = lost.filter(|_| MISSING_FIELDS[..3].contains(&finding.rule)) {
            roots[index] = Some(Cause { root, once_fixed: false });
        }
    }
    for (index, root) in roots.iter_mut().enumerate() {
        // What is graver than its cause must count, so that it stays a finding.
        *root = root.filter(|cause| findings[index].severity <= findings[cause.root].severity);
    }
    if roots.iter().any(Option::is_some) {
        move_below(findings, &roots);
    }
}

/// From which finding another one follows.
#[derive(Clone, Copy)]
struct Cause {
    root: usize,
    once_fixed: bool,
}

/// Puts each finding that has a cause below the first cause of the chain.
fn move_below(findings: &mut Vec<Finding>, roots: &[Option<Cause>]) {
    let mut kept: Vec<Option<Finding>> = findings.drain(..).map(Some).collect();
    for (index, cause) in roots.iter().enumerate() {
        let Some(cause) = cause else { continue };
        // A cause may itself follow from another one; causes never follow from each other in a circle.
        let mut root = cause.root;
        while let Some(next) = roots[root] {
            root = next.root;
        }
        if let Some(finding) = kept[index].take()
            && let Some(root) = &mut kept[root]
        {
            root.consequences.push(Consequence { finding, once_fixed: cause.once_fixed });
        }
    }
    findings.extend(kept.into_iter().flatten());
    for finding in findings {
        let key = |one: &Consequence| {
            let follower = &one.finding;
            (follower.stage, follower.spot.span.start, follower.rule.code, follower.message.clone())
        };
        finding.consequences.sort_by_cached_key(key);
        finding.consequences.dedup_by(|a, b| key(a) == key(b));
    }
}

/// The findings on one resource that others follow from, by what ties those to them.
struct Causes<'f> {
    findings: &'f [Finding],
    /// Unknown fields by their parent.
    unknown: HashMap<&'f str, Vec<usize>>,
    /// Unknown fields by what they say and where to put them instead: the keys of one block at the wrong level.
    blocks: HashMap<(&'f str, &'f str), usize>,
    /// Unknown fields by the place where they belong, and by what holds it.
    misplaced: HashMap<&'f str, usize>,
    /// The first unknown field whose loss a stage notices.
    lost: HashMap<Stage, usize>,
    /// Values of the wrong type, and refused ones, by their path.
    values: HashMap<&'f str, usize>,
    /// What cannot be a kind or version, by its path.
    kinds: HashMap<&'f str, usize>,
    /// The same for items of tolerations, by the item.
    tolerations: HashMap<&'f str, usize>,
    /// The first of them, by the list.
    lists: HashMap<&'f str, usize>,
}

impl<'f> Causes<'f> {
    fn of(findings: &'f [Finding], members: &[usize]) -> Self {
        let mut causes = Self {
            findings,
            unknown: HashMap::new(),
            blocks: HashMap::new(),
            misplaced: HashMap::new(),
            lost: HashMap::new(),
            values: HashMap::new(),
            kinds: HashMap::new(),
            tolerations: HashMap::new(),
            lists: HashMap::new(),
        };
        for &index in members {
            let finding = &findings[index];
            let path = finding.spot.path.as_str();
            if finding.rule == &rule::UNKNOWN_FIELD {
                let (parent, _) = split(path);
                causes.unknown.entry(parent).or_default().push(index);
                if let Some(help) = &finding.help {
                    causes.blocks.entry((parent, help)).or_insert(index);
                }
                for place in finding.meant.iter().flat_map(|place| [place.as_str(), split(place).0]) {
                    causes.misplaced.entry(place).or_insert(index);
                }
                for stage in lost_to(path) {
                    causes.lost.entry(stage).or_insert(index);
                }
            }
            if finding.rule == &rule::UNKNOWN_KIND {
                causes.kinds.entry(path).or_insert(index);
            }
            if finding.rule == &rule::NON_STRING_VALUE {
                causes.values.entry(path).or_insert(index);
            }
            let refused =
                [&rule::NON_STRING_VALUE, &rule::UNKNOWN_FIELD, &rule::INVALID_TOLERATION].contains(&finding.rule);
            if let Some((list, item)) = toleration(path).filter(|_| refused) {
                causes.tolerations.entry(item).or_insert(index);
                causes.lists.entry(list).or_insert(index);
            }
        }
        causes
    }

    fn find(&self, index: usize) -> Option<Cause> {
        let follower = &self.findings[index];
        let path = follower.spot.path.as_str();
        let gone = |root: usize| Cause { root, once_fixed: false };
        if follower.rule == &rule::UNKNOWN_FIELD {
            let block = follower.help.as_deref().filter(|_| path.contains('/'))?;
            return self.blocks.get(&(split(path).0, block)).filter(|root| **root != index).map(|root| gone(*root));
        }
        if (follower.rule == &rule::DROPPED_NULL || follower.rule == &rule::MISSING_FIELD)
            && let Some(&root) = self.misplaced.get(path)
        {
            return Some(gone(root));
        }
        let is_absent = ABSENCES.contains(&follower.rule) || is_missing(follower);
        if let Some(&root) = self.lost.get(&follower.stage).filter(|_| is_absent) {
            return Some(gone(root));
        }
        if follower.rule == &rule::NON_STRING_VALUE {
            return self.kinds.get(path).map(|root| gone(*root));
        }
        if follower.severity == Severity::Error
            && MISSING_FIELDS.contains(&follower.rule)
            && let Some(root) = self.misspelt(path)
        {
            return Some(gone(root));
        }
        if follower.rule == &rule::TOLERATION_MISMATCH || follower.rule == &rule::MISSING_TOLERATION {
            let item = toleration(path).and_then(|(_, item)| self.tolerations.get(item));
            if let Some(&root) = item.or_else(|| self.lists.get(path)) {
                return Some(gone(root));
            }
        }
        self.values
            .get(path)
            .filter(|root| self.findings[**root].stage < follower.stage)
            .map(|root| Cause { root: *root, once_fixed: true })
    }

    /// The unknown field that is meant by a missing one or by what holds it.
    fn misspelt(&self, missing: &str) -> Option<usize> {
        let mut path = missing;
        while !path.is_empty() {
            let (parent, name) = split(path);
            let name = name.split('[').next().unwrap_or(name);
            let near = |index: &&usize| {
                let (_, written) = split(&self.findings[**index].spot.path);
                suggest::nearest(written, [name]).is_some()
            };
            if let Some(root) = self.unknown.get(parent).and_then(|list| list.iter().take(NEAR).find(near)) {
                return Some(*root);
            }
            path = parent;
        }
        None
    }
}

/// So many unknown fields of one parent are compared with a missing one.
const NEAR: usize = 16;

/// The parent and the name of a field. A key with a slash is one name, whatever dots stand before the slash.
fn split(path: &str) -> (&str, &str) {
    let end = path.find('/').unwrap_or(path.len());
    let prefix = before_domain(&path[..end], end < path.len());
    match prefix.rfind('.') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => ("", path),
    }
}

/// What stands before the domain of a key: the parts up to the last known field of a Pod template.
fn before_domain(path: &str, is_key: bool) -> &str {
    if !is_key {
        return path;
    }
    let fields = [".annotations.", ".labels.", ".nodeSelector.", ".metadata.", ".spec.", ".podTemplate.", ".template."];
    let end = fields.iter().filter_map(|field| path.rfind(field).map(|at| at + field.len())).max();
    end.map_or(path, |end| &path[..end])
}

/// The stages that notice the loss of an unknown field: one that is misspelt, or stands at the wrong level.
fn lost_to(path: &str) -> impl Iterator<Item = Stage> {
    let (_, field) = split(path);
    // A key without its block was meant as an annotation or as a label of nodes.
    let is_key = field.contains('/');
    let names = NOTICED.iter().map(|(name, _)| *name);
    let meant = names.clone().find(|name| *name == field).or_else(|| suggest::nearest(field, names));
    NOTICED.iter().filter(move |(name, _)| is_key || meant == Some(*name)).map(|(_, stage)| *stage)
}

/// The list and the item of a toleration that a path leads to or into.
fn toleration(path: &str) -> Option<(&str, &str)> {
    let list = path.find("tolerations[")? + "tolerations".len();
    let item = list + path[list..].find(']')? + 1;
    Some((&path[..list], &path[..item]))
}

/// A key without a value is listed by what misses it, at the place of the key.
pub fn merge_nulls(out: &mut Findings) {
    let nulls: Vec<Finding> = out.list.iter().filter(|finding| finding.rule == &rule::DROPPED_NULL).cloned().collect();
    for null in nulls {
        let path = &null.spot.path;
        let misses = |finding: &&mut Finding| {
            let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref()).unwrap_or_default();
            let named = || path.split_once("annotations.").is_some_and(|(_, key)| words.contains(key));
            finding.rule != null.rule
                && finding.severity == Severity::Error
                && (finding.spot.path == *path || (is_missing(finding) && named()))
        };
        let Some(listed) = out.list.iter_mut().find(misses) else { continue };
        listed.spot = null.spot.clone();
        out.list.retain(|finding| finding.rule != null.rule || finding.spot != null.spot);
    }
}

fn is_missing(finding: &Finding) -> bool {
    let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    finding.stage == Stage::Provider
        && finding.severity == Severity::Error
        && words.is_some_and(|text| text.contains("missing "))
}
