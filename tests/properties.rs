//! Whatever happens to a manifest, the linter answers: no panic, every place inside its file, and the same answer
//! when the keys of a mapping stand in another order.

use proptest::prelude::*;
use sandbox_lint::yaml::{self, Node, Options, Value};
use sandbox_lint::{Linter, Report, Source, World};
use std::sync::LazyLock;

const BASES: [&str; 6] = [
    include_str!("../testdata/conformance/cases/000-valid-kub-sandbox.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-kub-template.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-sbx-sandbox.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-sbx-template.yaml"),
    include_str!("../testdata/conformance/cases/000-valid-vkc-sandbox.yaml"),
    include_str!("../testdata/conformance/cases/multi-pool-template.yaml"),
];

/// What gets into manifests by accident, and what fields are sensitive to.
const PIECES: &[&str] = &[
    "true",
    "null",
    "~",
    "[]",
    "{}",
    "- ",
    ": ",
    "\n",
    "  ",
    "\t",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "|\n",
    ">\n",
    "---\n",
    "...\n",
    "010",
    "1e3",
    "-1",
    "0.5",
    "3600",
    "${VAR}",
    "{{ .x }}",
    "Exists",
    "Equal",
    "NoExecute",
    "Never",
    "metadata:",
    "spec:",
    "containers:",
    "nodeName: vk-sandboxd",
    "tolerations:",
    "é",
    "\u{feff}",
    "\u{2028}",
    "\r",
    "sandbox.cocoonstack.io/size: huge",
    "vm.cocoonstack.io/name: x",
    "kind: List\nitems:\n",
    "!!str ",
    "<<: *a",
];

#[derive(Clone, Debug)]
enum Change {
    Insert(usize, usize),
    Delete(usize, usize),
    Repeat(usize, usize),
    SwapLines(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let any = 0..usize::MAX;
    prop_oneof![
        (any.clone(), 0..PIECES.len()).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (any.clone(), 0..12usize).prop_map(|(at, length)| Change::Delete(at, length)),
        (any.clone(), 0..40usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        (any.clone(), any).prop_map(|(one, other)| Change::SwapLines(one, other)),
    ]
}

fn place(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn apply(text: &mut String, change: &Change) {
    match *change {
        Change::Insert(at, piece) => text.insert_str(place(text, at), PIECES[piece]),
        Change::Delete(at, length) => {
            let start = place(text, at);
            let end = place(text, (start + length).min(text.len()));
            text.replace_range(start.min(end)..end.max(start), "");
        }
        Change::Repeat(at, length) => {
            let start = place(text, at);
            let end = place(text, (start + length).min(text.len())).max(start);
            let part = text[start..end].to_owned();
            text.insert_str(end, &part);
        }
        Change::SwapLines(one, other) => {
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            if !lines.is_empty() {
                let (one, other) = (one % lines.len(), other % lines.len());
                lines.swap(one, other);
            }
            *text = lines.concat();
        }
    }
}

fn lint(text: &str) -> Report {
    static LINTER: LazyLock<Linter> = LazyLock::new(|| Linter::new(World::assumed()));
    LINTER.check(vec![Source::explicit("mutated.yaml", text.as_bytes().to_vec())])
}

fn assert_inside(report: &Report) {
    let text = report.sources[0].text();
    let text = text.as_str();
    for finding in &report.findings {
        let spans = std::iter::once(finding.spot.span).chain(finding.related.iter().map(|related| related.span));
        for span in spans {
            let inside = span.start <= span.end && span.end as usize <= text.len();
            assert!(inside, "{} points outside of its file: {span:?} of {}", finding.rule.code, text.len());
            assert!(text.is_char_boundary(span.start as usize), "{} cuts a character", finding.rule.code);
            assert!(text.is_char_boundary(span.end as usize), "{} cuts a character", finding.rule.code);
        }
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            assert!(edit.span.end as usize <= text.len(), "{} edits outside of its file", finding.rule.code);
        }
    }
}

/// The document as JSON with its keys in the order of the tree, or the other way round.
fn json(node: &Node<'_>, reversed: bool) -> String {
    match &node.value {
        Value::Seq(items) => {
            let parts: Vec<String> = items.iter().map(|item| json(item, reversed)).collect();
            format!("[{}]", parts.join(","))
        }
        Value::Map(map) => {
            let pair = |key: &str, value| format!("{}:{}", serde_json::Value::from(key), json(value, reversed));
            let mut parts: Vec<String> = map.entries.iter().map(|entry| pair(&entry.key, &entry.value)).collect();
            if reversed {
                parts.reverse();
            }
            format!("{{{}}}", parts.join(","))
        }
        _ => yaml::to_json(node),
    }
}

/// What must not depend on the order of keys: the rules that fire, on which fields, and the outcome of each resource.
fn essence(report: &Report) -> (Vec<(String, String, String)>, Vec<String>) {
    let mut findings: Vec<_> = report
        .findings
        .iter()
        // Which of several defects in one block is the finding, and which its consequences, is for the order to decide.
        .flat_map(|finding| std::iter::once(finding).chain(finding.consequences.iter().map(|one| &one.finding)))
        .map(|finding| (finding.rule.code.to_owned(), finding.spot.path.clone(), finding.message.clone()))
        .collect();
    findings.sort();
    let known_outcomes = report
        .predictions
        .iter()
        .map(|prediction| {
            let outcome = prediction.outcome.as_ref().map(|outcome| (outcome.stage, outcome.phase));
            format!("{:?} {outcome:?} {:?}", prediction.accepted, prediction.node)
        })
        .collect();
    (findings, known_outcomes)
}

/// A misspelt annotation is a sign of the backend that is meant; what the Pod lacks for it is no consequence of it.
#[test]
fn a_sign_of_the_backend_explains_nothing_wherever_it_stands() {
    let text = BASES[2]
        .replace("io/runtime: sandboxd\n        sandbox", "io/dbox.cocoonstack.io/runtime: sandboxd\n        sandbox")
        .replace("nodeSelector", "nodeSelecto      nodeSelector");
    let stream = yaml::parse(&text, &Options::default());
    let root = stream.documents[0].root().expect("a document");
    for text in [text.clone(), json(root, true)] {
        let mut codes: Vec<&str> = lint(&text).findings.iter().map(|finding| finding.rule.code).collect();
        codes.sort_unstable();
        assert_eq!(codes, ["SB103", "SB305", "SB711"], "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_manifests_are_answered(base in 0..BASES.len(), changes in prop::collection::vec(change(), 1..6)) {
        let mut text = BASES[base].to_owned();
        for change in &changes {
            apply(&mut text, change);
        }
        assert_inside(&lint(&text));
    }

    #[test]
    fn the_order_of_keys_does_not_matter(base in 0..BASES.len(), changes in prop::collection::vec(change(), 0..3)) {
        let mut text = BASES[base].to_owned();
        for change in &changes {
            apply(&mut text, change);
        }
        let stream = yaml::parse(&text, &Options::default());
        for document in stream.documents.iter().filter(|document| document.depth < 100) {
            let Some(root) = document.root().filter(|root| root.as_map().is_some()) else { continue };
            let (straight, reversed) = (json(root, false), json(root, true));
            prop_assert_eq!(essence(&lint(&straight)), essence(&lint(&reversed)), "{}", straight);
        }
    }
}
