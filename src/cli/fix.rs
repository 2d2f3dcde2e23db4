//! `--fix` and `--diff`: fixes applied until nothing is left to fix.

use super::settings::Choice;
use super::{Error, output, terminal};
use crate::escape;
use crate::fix::{FixedFile, fix_files};
use crate::linter::{Linter, Report};
use crate::report::words::plural;
use similar::TextDiff;
use std::path::Path;

/// Writes the fixed files and judges all again.
pub(super) fn fix(linter: &Linter, choice: &Choice, mut report: Report, with_unsafe: bool) -> Result<Report, Error> {
    let fixed = fix_files(linter, &report, |report| choice.apply(report), with_unsafe);
    if fixed.is_empty() {
        return Ok(report);
    }
    let (files, fixes) = (fixed.len(), fixed.iter().map(|one| one.applied).sum());
    for FixedFile { file, source, .. } in fixed {
        let place = source.location.as_deref().unwrap_or(Path::new(&source.path));
        output::write_file(place, &source.bytes)?;
        report.sources[file] = source;
    }
    terminal::notice(&format!("{} applied in {}", plural(fixes, "fix", "fixes"), plural(files, "file", "files")));
    let mut report = linter.check(report.sources);
    choice.apply(&mut report);
    Ok(report)
}

/// The fixes as a unified diff.
pub(super) fn diff(linter: &Linter, choice: &Choice, report: &Report, with_unsafe: bool) -> String {
    let mut text = String::new();
    let mut is_escaped = false;
    for FixedFile { file, source, .. } in fix_files(linter, report, |report| choice.apply(report), with_unsafe) {
        let (old, new) = (report.sources[file].text(), source.text());
        let diff = TextDiff::from_lines(old.as_str(), new.as_str());
        let (from, to) = (format!("a/{}", source.path), format!("b/{}", source.path));
        let diff = diff.unified_diff().header(&escape::line(&from), &escape::line(&to)).to_string();
        let shown = escape::quoted(&diff);
        is_escaped |= shown != diff;
        text.push_str(&shown);
    }
    if is_escaped {
        terminal::notice("the diff shows hidden characters escaped, so that it cannot be applied; use --fix");
    }
    text
}
