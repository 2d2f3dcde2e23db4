//! `--fix` and `--diff`: fixes applied until nothing is left to fix.

use super::settings::Choice;
use super::{Error, output, terminal};
use crate::escape;
use crate::finding::FileId;
use crate::fix;
use crate::input::Source;
use crate::linter::{Linter, Report};
use crate::report::words::plural;
use similar::TextDiff;
use std::path::Path;

/// One fix can make room for another; more rounds than this mean that two undo each other.
const ROUNDS: usize = 10;

/// A file before and after its fixes.
struct Mended {
    file: FileId,
    source: Source,
    applied: usize,
}

/// Writes the fixed files and judges all again.
pub(super) fn fix(linter: &Linter, choice: &Choice, mut report: Report, with_unsafe: bool) -> Result<Report, Error> {
    let mended = mend(linter, choice, &report, with_unsafe);
    if mended.is_empty() {
        return Ok(report);
    }
    let (files, fixes) = (mended.len(), mended.iter().map(|one| one.applied).sum());
    for Mended { file, source, .. } in mended {
        let place = source.location.as_deref().unwrap_or(Path::new(&source.path));
        output::write_file(place, &source.bytes)?;
        report.sources[file] = source;
    }
    terminal::trouble(&format!("{} applied in {}", plural(fixes, "fix", "fixes"), plural(files, "file", "files")));
    let mut report = linter.check(report.sources);
    choice.apply(&mut report);
    Ok(report)
}

/// The fixes as a unified diff.
pub(super) fn diff(linter: &Linter, choice: &Choice, report: &Report, with_unsafe: bool) -> String {
    let mut text = String::new();
    let mut is_escaped = false;
    for Mended { file, source, .. } in mend(linter, choice, report, with_unsafe) {
        let (old, new) = (report.sources[file].text(), source.text());
        let diff = TextDiff::from_lines(old.as_str(), new.as_str());
        let (from, to) = (format!("a/{}", source.path), format!("b/{}", source.path));
        let diff = diff.unified_diff().header(&escape::line(&from), &escape::line(&to)).to_string();
        let shown = escape::quoted(&diff);
        is_escaped |= shown != diff;
        text.push_str(&shown);
    }
    if is_escaped {
        terminal::trouble("the diff shows hidden characters escaped, so that it cannot be applied; use --fix");
    }
    text
}

fn mend(linter: &Linter, choice: &Choice, report: &Report, with_unsafe: bool) -> Vec<Mended> {
    let mend_one = |file: FileId| {
        let of_file = report.findings.iter().filter(|finding| finding.file == file && finding.suppressed.is_none());
        let first = fix::apply(&report.sources[file], of_file.filter_map(|finding| finding.fix.as_ref()), with_unsafe)?;
        let mut mended = Mended { file, source: changed(&report.sources[file], first.bytes), applied: first.applied };
        for _ in 1..ROUNDS {
            let mut next = linter.check(vec![mended.source.clone()]);
            choice.apply(&mut next);
            let heard = next.findings.iter().filter(|finding| finding.suppressed.is_none());
            let fixes = heard.filter_map(|finding| finding.fix.as_ref());
            let Some(fixed) = fix::apply(&mended.source, fixes, with_unsafe) else { break };
            mended.source = changed(&mended.source, fixed.bytes);
            mended.applied += fixed.applied;
        }
        Some(mended)
    };
    (0..report.sources.len()).filter_map(mend_one).collect()
}

fn changed(source: &Source, bytes: Vec<u8>) -> Source {
    Source { bytes, ..source.clone() }
}
