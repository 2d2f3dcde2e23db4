//! Long files: the same output whatever the threads, and output in proportion to the input.

use sandbox_lint::report::view::{self, View};
use sandbox_lint::report::{Machine, render};
use sandbox_lint::{Linter, Report, Source, World};
use std::fs;

/// A stream of all examples, several batches long.
fn stream() -> String {
    let mut paths: Vec<_> = fs::read_dir("testdata/examples").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    let once: String = paths.iter().map(|path| format!("---\n{}\n", fs::read_to_string(path).unwrap())).collect();
    let round = |number: usize| {
        let comment = "# sandbox-lint: ignore[SB302] -- not yet\n";
        once.replace("name: builder", &format!("name: builder-{number}")) + "---\n" + comment
    };
    let mut text = String::new();
    for number in 0.. {
        text += &round(number);
        if text.len() > 250_000 {
            break;
        }
    }
    text
}

fn checked(text: &str, threads: usize) -> Report {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let source = Source::explicit("stream.yaml", text.as_bytes().to_vec());
        Linter::new(World::assumed()).check(vec![source])
    })
}

fn rendered(report: &Report, format: Machine) -> String {
    let texts = view::texts(report);
    render(&View::new(report, &texts), format)
}

#[test]
fn threads_do_not_change_the_output_of_a_long_stream() {
    let text = stream();
    let one = checked(&text, 1);
    assert!(one.summary.resources > 100 && one.findings.len() > 100, "{:?}", one.summary);
    for threads in [2, 5] {
        let several = checked(&text, threads);
        assert_eq!(several.summary, one.summary);
        for format in [Machine::Json, Machine::Sarif, Machine::Github] {
            assert_eq!(rendered(&several, format), rendered(&one, format), "{threads} threads");
        }
    }
}

fn with_unknown_fields(count: usize) -> Report {
    let fields: String = (0..count).map(|number| format!("  unknown{number:05}: 1\n")).collect();
    let text = format!("apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: s}}\nspec:\n{fields}");
    checked(&text, 1)
}

#[test]
fn outcomes_of_unknown_fields_grow_with_their_number() {
    let (few, many) = (with_unknown_fields(1_000), with_unknown_fields(2_000));
    let size = |report: &Report| rendered(report, Machine::Json).len();
    assert!(size(&many) < size(&few) * 21 / 10, "{} and {}", size(&few), size(&many));
    let message =
        |report: &Report| report.predictions[0].outcome.clone().and_then(|outcome| outcome.message).unwrap_or_default();
    assert!(message(&many).contains("unknown field \"spec.unknown01999\""), "the resource's outcome names them all");
}

#[test]
fn an_ordinary_number_of_unknown_fields_is_named_in_full() {
    let report = with_unknown_fields(100);
    let whole = report.predictions[0].outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    let unknown: Vec<_> = report.findings.iter().filter(|finding| finding.message.contains("unknown0")).collect();
    assert!(unknown.len() >= 100);
    for finding in unknown {
        assert_eq!(finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref()), whole);
    }
}
