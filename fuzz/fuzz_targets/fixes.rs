//! A fixed file decodes as well as before, keeps all values that no fix changes, and is stable: `cargo fuzz run fixes`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox_lint::fix::{apply, fix_files};
use sandbox_lint::yaml::{Documents, Node, Options, Span, Text, Value};
use sandbox_lint::{Finding, Linter, Report, Source};
use sandbox_lint_fuzz::{linters, source};

fuzz_target!(|bytes: &[u8]| {
    let linter = &linters()[0];
    for with_unsafe in [false, true] {
        let report = linter.check(vec![source(bytes)]);
        one_round_keeps_other_values(&report, with_unsafe);
        for fixed in fix_files(linter, &report, |_| (), with_unsafe) {
            is_stable(linter, &fixed.source, with_unsafe);
        }
    }
});

fn one_round_keeps_other_values(report: &Report, with_unsafe: bool) {
    let source = &report.sources[0];
    let fixes = || report.findings.iter().filter(active).filter_map(|finding| finding.fix.as_ref());
    let Some(fixed) = apply(source, fixes(), with_unsafe) else { return };
    let touched: Vec<Span> = fixes().flat_map(|fix| fix.edits.iter().map(|edit| edit.span)).collect();
    let fixed = Source { bytes: fixed.bytes, ..source.clone() };
    let (before, after) = (source.text(), fixed.text());
    let (old, new) = (values(&before), values(&after));
    let Some(old) = old else { return };
    let new = new.unwrap_or_else(|| panic!("no longer decodes:\n{}\n---- was\n{}", after.as_str(), before.as_str()));
    let mut remaining = new.iter();
    for (span, value) in old {
        let is_touched = touched.iter().any(|edit| edit.start <= span.end && span.start <= edit.end);
        if !is_touched && !remaining.any(|(_, found)| *found == value) {
            panic!("lost {value}:\n{}\n---- was\n{}", after.as_str(), before.as_str());
        }
    }
}

fn is_stable(linter: &Linter, source: &Source, with_unsafe: bool) {
    let report = linter.check(vec![source.clone()]);
    let fixes = report.findings.iter().filter(active).filter_map(|finding| finding.fix.as_ref());
    if let Some(next) = apply(source, fixes, with_unsafe) {
        assert_eq!(next.bytes, source.bytes, "fixes do not come to an end:\n{}", source.text().as_str());
    }
}

fn active(finding: &&Finding) -> bool {
    finding.suppressed.is_none()
}

/// All scalars in the order of the text; `None` where a document cannot be decoded.
fn values(text: &Text<'_>) -> Option<Vec<(Span, String)>> {
    let mut all = Vec::new();
    for document in Documents::of(text, &Options::default()) {
        collect(document.root()?, &mut all);
    }
    all.sort_by_key(|(span, _)| (span.start, span.end));
    Some(all)
}

fn collect(node: &Node<'_>, all: &mut Vec<(Span, String)>) {
    match &node.value {
        Value::Map(_) => node.entries().for_each(|entry| collect(&entry.value, all)),
        Value::Seq(_) => node.items().for_each(|item| collect(item, all)),
        value => all.push((node.place(), format!("{value:?}"))),
    }
}
