//! One defect gives one error: each manifest of the record that is right gets one defect at a time, and what follows from
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

/// One defect: a line that begins so (blanks aside), and what becomes of it.
struct KeyDefect {
    line: &'static str,
    becomes: fn(&str) -> Option<String>,
    /// The code of the one error.
    root: &'static str,
}

/// The line with one text replaced.
macro_rules! defect {
    ($root:literal, $line:literal, $old:literal => $new:literal) => {
        KeyDefect {
            line: $line,
            becomes: |line| line.contains($old).then(|| line.replacen($old, $new, 1)),
            root: $root,
        }
    };
}

const SLIPS: &[KeyDefect] = &[
    defect!("SB101", "apiVersion:", "agents.x-k8s.io" => "agent.x-k8s.io"),
    defect!("SB101", "kind:", "Sandbox" => "Sandbx"),
    defect!("SB101", "kind:", "Sandbox" => "true"),
    defect!("SB103", "metadata:", "metadata" => "metadta"),
    defect!("SB103", "name:", "name:" => "nam:"),
    defect!("SB103", "image:", "image:" => "imge:"),
    defect!("SB103", "containers:", "containers:" => "container:"),
    defect!("SB103", "nodeSelector:", "nodeSelector" => "nodeSelecter"),
    defect!("SB103", "tolerations:", "tolerations" => "toleration"),
    defect!("SB103", "operator:", "operator" => "operater"),
    defect!("SB103", "annotations:", "annotations" => "annotation"),
    defect!("SB107", "operator:", "Exists" => "true"),
    defect!("SB107", "- key: virtual-kubelet.io/provider", "virtual-kubelet.io/provider" => "true"),
    defect!("SB107", "sandbox.cocoonstack.io/runtime:", "sandboxd" => "true"),
    defect!("SB107", "sandbox.cocoonstack.io/net:", "none" => "true"),
    defect!("SB107", "sandbox.cocoonstack.io/size:", "small" => "true"),
    defect!("SB406", "sandbox.cocoonstack.io/size:", "small" => "smal"),
    defect!("SB405", "sandbox.cocoonstack.io/net:", "none" => "nne"),
];

fn lint(text: &str) -> Report {
    Linter::new(World::assumed()).check(vec![Source::explicit("defect.yaml", text.as_bytes().to_vec())])
}

fn errors(report: &Report) -> Vec<&Finding> {
    report.findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// The manifest with the defect at one line after the other.
fn defects<'t>(text: &'t str, defect: &'t KeyDefect) -> impl Iterator<Item = String> + 't {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).filter_map(move |at| {
        let written = lines[at].trim_start();
        let changed = (defect.becomes)(lines[at]).filter(|_| written.starts_with(defect.line))?;
        let mut lines = lines.clone();
        lines[at] = &changed;
        Some(format!("{}\n", lines.join("\n")))
    })
}

#[test]
fn one_slip_gives_one_error() {
    let mut wrong = String::new();
    for defect in SLIPS {
        let mut made = 0;
        for text in BASES.iter().flat_map(|base| defects(base, defect)) {
            made += 1;
            let report = lint(&text);
            let found: Vec<&str> = errors(&report).iter().map(|finding| finding.rule.code).collect();
            if found != [defect.root] {
                wrong.push_str(&format!("{} in {}: {found:?}\n{text}\n", defect.line, defect.root));
            }
            assert_eq!(report.summary.errors, found.len());
        }
        assert!(made > 0, "no manifest has a line {}", defect.line);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The manifest with the lines of a block one level out, up to the next line that stands as far out as it.
fn block_out(text: &str, key: &str) -> String {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut block = None;
    let lines = text.lines().map(|line| {
        if block.is_some_and(|own| depth(line) <= own) {
            block = None;
        }
        if line.trim_start() == key && depth(line) == 6 {
            block = Some(6);
        }
        if block.is_some() { format!("{}\n", &line[2..]) } else { format!("{line}\n") }
    });
    lines.collect()
}

#[test]
fn a_block_at_the_wrong_level_gives_one_finding() {
    for key in ["containers:", "annotations:", "nodeSelector:"] {
        let text = block_out(BASES[0], key);
        assert_ne!(text, BASES[0]);
        let report = lint(&text);
        let found: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(found, ["SB103"], "{text}");
    }
    let (before, spec) = BASES[0].split_once("    spec:\n").expect("the spec of the Pod");
    let text = format!("{before}  spec:\n{}", spec.replace("\n  ", "\n").strip_prefix("  ").expect("deeper lines"));
    let report = lint(&text);
    assert_eq!(errors(&report).iter().map(|one| one.rule.code).collect::<Vec<_>>(), ["SB103"], "{text}");
}

/// A defect in a value that several stages read.
#[test]
fn one_wrong_value_gives_one_finding() {
    let defects = [
        (
            "        sandbox.cocoonstack.io/runtime: sandboxd\n      tolerations",
            "        sandbox.cocoonstack.io/runtime: sandbxd\n      tolerations",
            "SB304",
        ),
        (
            "runtime: sandboxd\n        sandbox.cocoonstack.io/template",
            "runtime: sandbxd\n        sandbox.cocoonstack.io/template",
            "SB401",
        ),
        ("io/template:", "io/templte:", "SB711"),
        ("io/net:", "io/nt:", "SB711"),
        ("key: virtual-kubelet.io/provider", "key: virtual-kubelet.io/provder", "SB303"),
        ("effect: NoSchedule", "effect: NoExecute", "SB303"),
        ("effect: NoSchedule", "effect: NoSchdule", "SB210"),
        ("operator: Exists", "operator: Exist", "SB210"),
        ("effect: NoSchedule", "effect: NoSchedule\n          effect: NoSchedule", "SB010"),
        ("size: small", "size: small\n        sandbox.cocoonstack.io/size: small", "SB010"),
        ("v1beta1", "v1", "SB101"),
    ];
    for (right, wrong, code) in defects {
        assert!(BASES[0].contains(right), "{right}");
        let report = lint(&BASES[0].replace(right, wrong));
        let found: Vec<&str> = report.findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(found, [code], "{wrong}");
    }
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
