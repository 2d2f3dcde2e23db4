//! One slip gives one error: each manifest of the record that is right gets one slip at a time, and what follows from
//! it must stand below it. Slips that truly break two things are listed with what they break.

use sandbox_lint::finding::Severity;
use sandbox_lint::{Finding, Linter, Report, Source, World};

const BASES: [&str; 5] = [
    include_str!("../testdata/examples/sandboxd.yaml"),
    include_str!("../testdata/examples/vk-cocoon.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-kub-sandbox.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-sbx-sandbox.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-vkc-sandbox.yaml"),
];

/// One slip: a line that begins so (blanks aside), and what becomes of it.
struct Slip {
    line: &'static str,
    becomes: fn(&str) -> Option<String>,
    /// The code of the one error.
    root: &'static str,
}

/// The line with one text replaced.
macro_rules! slip {
    ($root:literal, $line:literal, $old:literal => $new:literal) => {
        Slip { line: $line, becomes: |line| line.contains($old).then(|| line.replacen($old, $new, 1)), root: $root }
    };
}

const SLIPS: &[Slip] = &[
    slip!("SB101", "apiVersion:", "agents.x-k8s.io" => "agent.x-k8s.io"),
    slip!("SB101", "kind:", "Sandbox" => "Sandbx"),
    slip!("SB101", "kind:", "Sandbox" => "true"),
    slip!("SB103", "metadata:", "metadata" => "metadta"),
    slip!("SB103", "name:", "name:" => "nam:"),
    slip!("SB103", "image:", "image:" => "imge:"),
    slip!("SB103", "containers:", "containers:" => "container:"),
    slip!("SB103", "nodeSelector:", "nodeSelector" => "nodeSelecter"),
    slip!("SB103", "tolerations:", "tolerations" => "toleration"),
    slip!("SB103", "operator:", "operator" => "operater"),
    slip!("SB103", "annotations:", "annotations" => "annotation"),
    slip!("SB107", "operator:", "Exists" => "true"),
    slip!("SB107", "- key: virtual-kubelet.io/provider", "virtual-kubelet.io/provider" => "true"),
    slip!("SB107", "sandbox.cocoonstack.io/runtime:", "sandboxd" => "true"),
    slip!("SB107", "sandbox.cocoonstack.io/net:", "none" => "true"),
    slip!("SB107", "sandbox.cocoonstack.io/size:", "small" => "true"),
    slip!("SB406", "sandbox.cocoonstack.io/size:", "small" => "smal"),
    slip!("SB405", "sandbox.cocoonstack.io/net:", "none" => "nne"),
];

fn lint(text: &str) -> Report {
    Linter::new(World::assumed()).check(vec![Source::explicit("slip.yaml", text.as_bytes().to_vec())])
}

fn errors(report: &Report) -> Vec<&Finding> {
    report.findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// The manifest with the slip at one line after the other.
fn slips<'t>(text: &'t str, slip: &'t Slip) -> impl Iterator<Item = String> + 't {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).filter_map(move |at| {
        let written = lines[at].trim_start();
        let changed = (slip.becomes)(lines[at]).filter(|_| written.starts_with(slip.line))?;
        let mut lines = lines.clone();
        lines[at] = &changed;
        Some(format!("{}\n", lines.join("\n")))
    })
}

#[test]
fn one_slip_gives_one_error() {
    let mut wrong = String::new();
    for slip in SLIPS {
        let mut made = 0;
        for text in BASES.iter().flat_map(|base| slips(base, slip)) {
            made += 1;
            let report = lint(&text);
            let found: Vec<&str> = errors(&report).iter().map(|finding| finding.rule.code).collect();
            if found != [slip.root] {
                wrong.push_str(&format!("{} in {}: {found:?}\n{text}\n", slip.line, slip.root));
            }
            assert_eq!(report.summary.errors, found.len());
        }
        assert!(made > 0, "no manifest has a line {}", slip.line);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn two_slips_give_two_errors() {
    let text = BASES[0].replace("size: small", "size: smal").replace("net: none", "net: nne");
    let report = lint(&text);
    let mut found: Vec<&str> = errors(&report).iter().map(|finding| finding.rule.code).collect();
    found.sort_unstable();
    assert_eq!(found, ["SB405", "SB406"]);
    let text = BASES[0].replace("operator: Exists", "operater: Exists").replace("net: none", "net: nne");
    let report = lint(&text);
    assert_eq!(errors(&report).len(), 2);
}

#[test]
fn what_follows_stands_below_its_cause() {
    let report = lint(&BASES[0].replace("net: none", "net: true"));
    let [cause] = errors(&report)[..] else { panic!("one error") };
    let [then] = &cause.consequences[..] else { panic!("one consequence") };
    assert_eq!((cause.rule.code, then.finding.rule.code, then.once_fixed), ("SB107", "SB405", true));
    let report = lint(&BASES[0].replace("annotations:", "annotation:"));
    let [cause] = errors(&report)[..] else { panic!("one error") };
    assert!(cause.consequences.iter().any(|one| one.finding.rule.code == "SB402" && !one.once_fixed));
}

#[test]
fn a_silenced_cause_takes_its_consequences_along() {
    let text = BASES[0].replace("net: none", "net: true # sandbox-lint: ignore[SB107] -- known");
    let report = lint(&text);
    assert!(errors(&report).iter().all(|finding| finding.suppressed.is_some()));
    assert_eq!((report.summary.errors, report.summary.warnings), (0, 0));
}
