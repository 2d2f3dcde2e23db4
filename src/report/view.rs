//! The one resolved view that all formats print: places as lines and columns, findings tied to their predictions.

use crate::finding::{FileId, Finding, ResourceId, Severity};
use crate::input::Source;
use crate::linter::Report;
use crate::predict::Prediction;
use crate::yaml::Span;
use crate::yaml::text::{LineIndex, Text};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, counted in Unicode scalar values.
    pub column: u32,
    /// The offset in the file's bytes, from 0.
    pub offset: usize,
}

/// A half-open range in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Range {
    /// Its first place.
    pub start: Place,
    /// The place after its last character.
    pub end: Place,
}

/// The texts of a report's files, decoded when they are asked for, and the report as text formats show it.
#[derive(Debug)]
pub struct Texts<'r> {
    files: Vec<OnceLock<Text<'r>>>,
    visible: OnceLock<Option<Report>>,
}

/// Room for the texts of a report's files.
pub fn texts(report: &Report) -> Texts<'_> {
    Texts { files: report.sources.iter().map(|_| OnceLock::new()).collect(), visible: OnceLock::new() }
}

/// A report with the means to find lines and columns. Lines are counted only in files that are asked for.
pub struct View<'r> {
    /// The report.
    pub report: &'r Report,
    /// The files with their bytes; those of an escaped report have none.
    sources: &'r [Source],
    texts: &'r Texts<'r>,
    lines: Vec<OnceLock<LineIndex<'r>>>,
    predicted: OnceLock<HashMap<(FileId, usize, &'r ResourceId), &'r Prediction>>,
    skipped: OnceLock<HashSet<(FileId, Option<usize>)>>,
}

impl<'r> View<'r> {
    /// A view of a report, given room for its [`texts`].
    pub fn new(report: &'r Report, texts: &'r Texts<'r>) -> Self {
        Self::over(report, &report.sources, texts)
    }

    fn over(report: &'r Report, sources: &'r [Source], texts: &'r Texts<'r>) -> Self {
        let lines = sources.iter().map(|_| OnceLock::new()).collect();
        Self { report, sources, texts, lines, predicted: OnceLock::new(), skipped: OnceLock::new() }
    }

    /// The view that text formats print: hidden characters in all texts of the report are escaped. The texts of files
    /// stay as they are, since places are counted in them; whoever quotes them escapes what is quoted.
    pub fn visible(&self) -> Self {
        let copy = self.texts.visible.get_or_init(|| super::visible::visible(self.report));
        Self::over(copy.as_ref().unwrap_or(self.report), self.sources, self.texts)
    }

    /// The path of a file as output shows it.
    pub fn path(&self, file: FileId) -> &'r str {
        &self.report.sources[file].path
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> &'r str {
        self.decoded(file).as_str()
    }

    fn decoded(&self, file: FileId) -> &'r Text<'r> {
        self.texts.files[file].get_or_init(|| self.sources[file].text())
    }

    /// The lines of a file.
    pub fn lines(&self, file: FileId) -> &LineIndex<'r> {
        self.lines[file].get_or_init(|| LineIndex::new(self.text(file)))
    }

    /// Lines, columns and byte offsets of a span.
    pub fn range(&self, file: FileId, span: Span) -> Range {
        Range { start: self.place(file, span.start), end: self.place(file, span.end.max(span.start)) }
    }

    fn place(&self, file: FileId, at: u32) -> Place {
        let position = self.lines(file).position(at);
        Place { line: position.line, column: position.column, offset: self.decoded(file).byte_offset(at) }
    }

    /// The findings that nothing silences.
    pub fn shown_findings(&self) -> impl Iterator<Item = &'r Finding> + use<'r> {
        self.report.findings.iter().filter(|finding| finding.suppressed.is_none())
    }

    /// Whether a prediction only says that kubectl refuses the input of another tool.
    pub fn left_alone(&self, prediction: &Prediction) -> bool {
        let skipped =
            self.skipped.get_or_init(|| self.report.skipped.iter().map(|one| (one.file, one.document)).collect());
        skipped.contains(&(prediction.file, None))
            || (prediction.resource.kind.is_none() && skipped.contains(&(prediction.file, Some(prediction.document))))
    }

    /// The prediction of a finding's resource.
    pub fn prediction_of(&self, finding: &Finding) -> Option<&'r Prediction> {
        let predicted = self.predicted.get_or_init(|| {
            let all = self.report.predictions.iter().rev();
            all.map(|one| ((one.file, one.document, &one.resource), one)).collect()
        });
        predicted.get(&(finding.file, finding.document?, finding.resource.as_ref()?)).copied()
    }

    /// The place of a finding.
    pub fn range_of(&self, finding: &Finding) -> Range {
        self.range(finding.file, finding.spot.span)
    }

    /// For each prediction the indices of the findings on its resource.
    pub fn findings_by_prediction(&self) -> Vec<Vec<usize>> {
        let mut by_resource: HashMap<(FileId, usize, Option<&ResourceId>), Vec<usize>> = HashMap::new();
        for (index, finding) in self.report.findings.iter().enumerate() {
            if let Some(document) = finding.document {
                by_resource.entry((finding.file, document, finding.resource.as_ref())).or_default().push(index);
            }
        }
        let of = |prediction: &Prediction| {
            let about = |resource| by_resource.get(&(prediction.file, prediction.document, resource));
            let mut own: Vec<usize> =
                [about(Some(&prediction.resource)), about(None)].into_iter().flatten().flatten().copied().collect();
            own.sort_unstable();
            own
        };
        self.report.predictions.iter().map(of).collect()
    }

    /// A name for each finding that stays the same while lines move: made of the rule, the file, the resource, the
    /// field and the message; findings that are alike are counted.
    pub fn fingerprints(&self) -> Vec<String> {
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let print = |finding: &Finding| {
            let hash = self.fingerprint(finding);
            let ordinal = seen.entry(hash).or_default();
            *ordinal += 1;
            if *ordinal == 1 { format!("{hash:016x}") } else { format!("{hash:016x}-{ordinal}") }
        };
        self.report.findings.iter().map(print).collect()
    }

    fn fingerprint(&self, finding: &Finding) -> u64 {
        let resource = finding.resource.as_ref();
        let field = |text: Option<&Option<String>>| text.and_then(|text| text.clone()).unwrap_or_default();
        let parts = [
            finding.rule.code.to_owned(),
            self.path(finding.file).to_owned(),
            field(resource.map(|id| &id.kind)),
            field(resource.map(|id| &id.namespace)),
            field(resource.map(|id| &id.name)),
            finding.spot.path.clone(),
            finding.message.clone(),
        ];
        fnv1a(parts.iter().flat_map(|part| part.bytes().chain([0xff])))
    }
}

/// A reason of [`Skipped`](crate::linter::Skipped) as people read it: `helm-template` is `Helm template`.
pub fn reason_words(reason: &str) -> String {
    reason.replace('-', " ").replace("helm", "Helm")
}

/// The name of a weight in output.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// FNV-1a, 64 bits: a hash that is the same in every release of the compiler.
fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
