//! What a run gives.

use crate::finding::{FileId, Finding, Severity};
use crate::input::Source;
use crate::limits;
use crate::predict::Prediction;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Everything a run has to say.
#[derive(Debug, Default)]
pub struct Report {
    /// The files, in the order given.
    pub sources: Vec<Source>,
    /// What was found, sorted by file, place and code.
    pub findings: Vec<Finding>,
    /// The outcome of each resource, in the order of files and documents.
    pub predictions: Vec<Prediction>,
    /// What was recognised and left alone.
    pub skipped: Vec<Skipped>,
    /// Counts.
    pub summary: Summary,
}

/// A file or document that was recognised and left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file, by its index in [`Report::sources`].
    pub file: usize,
    /// Index of the document, if it is not the whole file.
    pub document: Option<usize>,
    /// Why, as a word: `helm-template`.
    pub reason: &'static str,
    /// Why, as a sentence with what to do instead.
    pub message: String,
}

/// What was looked at and how much was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files read.
    pub files: usize,
    /// Documents in them.
    pub documents: usize,
    /// Resources that were followed.
    pub resources: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are notes.
    pub notes: usize,
    /// Findings among these that [`Report::omit`] took out.
    pub omitted: usize,
}

impl Report {
    /// Leaves the most severe findings of each file, up to a number, and counts the others.
    pub fn omit(&mut self, limit: usize) {
        let mut of_file: HashMap<FileId, Vec<usize>> = HashMap::new();
        for (index, finding) in self.findings.iter().enumerate().filter(|(_, one)| one.suppressed.is_none()) {
            of_file.entry(finding.file).or_default().push(index);
        }
        let mut omitted = HashSet::new();
        for mut indices in of_file.into_values().filter(|indices| indices.len() > limit) {
            indices.sort_by_key(|index| Reverse(self.findings[*index].severity));
            omitted.extend(indices.split_off(limit));
        }
        if !omitted.is_empty() {
            let mut index = 0..;
            self.findings.retain(|_| index.next().is_none_or(|index| !omitted.contains(&index)));
            self.summary.omitted = omitted.len();
        }
    }

    /// Whether a limit kept something from being judged.
    pub fn is_incomplete(&self) -> bool {
        self.skipped.iter().any(|skipped| skipped.reason == limits::REASON)
    }

    /// Sorts the findings and counts them.
    pub fn finish(&mut self) {
        self.findings.sort_by(|a, b| {
            let key =
                |finding: &Finding| (finding.file, finding.spot.span.start, finding.rule.code, finding.spot.span.end);
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        self.findings
            .dedup_by(|a, b| a.rule == b.rule && a.file == b.file && a.spot == b.spot && a.message == b.message);
        let shown = || self.findings.iter().filter(|finding| finding.suppressed.is_none());
        let count = |severity| shown().filter(|finding| finding.severity == severity).count();
        self.summary.errors = count(Severity::Error);
        self.summary.warnings = count(Severity::Warning);
        self.summary.notes = count(Severity::Note);
    }
}
