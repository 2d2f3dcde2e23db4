//! Any bytes can be checked in any world: no panic, every place inside its file, and the same report twice:
//! `cargo fuzz run run`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox_lint_fuzz::{linters, source};

fuzz_target!(|bytes: &[u8]| {
    for linter in linters() {
        let report = linter.check(vec![source(bytes)]);
        let text = report.sources[0].text();
        for finding in &report.findings {
            assert!(text.as_str().get(finding.spot.span.range()).is_some(), "{finding:?}");
        }
        let again = linter.check(vec![source(bytes)]);
        assert_eq!(format!("{:?}", report.findings), format!("{:?}", again.findings));
    }
});
