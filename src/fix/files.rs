//! Fixes of whole files: applied again and again until nothing is left to fix.

use super::apply;
use crate::finding::{FileId, Finding, Fix};
use crate::input::Source;
use crate::linter::{Linter, Report};

/// One fix can make room for another; more rounds than this mean that two undo each other.
const ROUNDS: usize = 10;

/// A file with its fixes applied.
#[derive(Clone, Debug)]
pub struct FixedFile {
    /// Which file of the report it is.
    pub file: FileId,
    /// The file with its new content.
    pub source: Source,
    /// How many fixes were applied.
    pub applied: usize,
}

/// Applies the fixes of a report, file by file, until nothing is left to fix. `select` is applied to the report of each
/// further round, as it was to the first: it drops what the user does not want to hear of.
pub fn fix_files(linter: &Linter, report: &Report, select: impl Fn(&mut Report), with_unsafe: bool) -> Vec<FixedFile> {
    let mut fixes: Vec<Vec<&Fix>> = vec![Vec::new(); report.sources.len()];
    for finding in &report.findings {
        fixes[finding.file].extend(active_fix(finding));
    }
    let fix_file = |(file, fixes): (FileId, Vec<&Fix>)| {
        let fixed = apply(&report.sources[file], fixes, with_unsafe)?;
        let mut source = report.sources[file].clone();
        source.bytes = fixed.bytes;
        let mut applied = fixed.applied;
        for _ in 1..ROUNDS {
            let mut next = linter.check(vec![source.clone()]);
            select(&mut next);
            let Some(fixed) = apply(&source, next.findings.iter().filter_map(active_fix), with_unsafe) else { break };
            source.bytes = fixed.bytes;
            applied += fixed.applied;
        }
        Some(FixedFile { file, source, applied })
    };
    fixes.into_iter().enumerate().filter_map(fix_file).collect()
}

/// The fix of a finding that no comment suppresses.
fn active_fix(finding: &Finding) -> Option<&Fix> {
    finding.fix.as_ref().filter(|_| finding.suppressed.is_none())
}
