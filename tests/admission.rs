//! The examples on the pages of admission and reconcile rules, run through the linter.

use sandbox_lint::rule::{RULES, Rule};
use sandbox_lint::{Linter, Source, World};

/// 2026-08-29, so that times of the pages lie on the side they are meant to.
const NOW: i64 = 1_787_961_600;

fn codes(manifest: &str) -> Vec<&'static str> {
    let world = World { now: NOW, ..World::assumed() };
    let source = Source::explicit("web.yaml", manifest.as_bytes().to_vec());
    Linter::new(world).check(vec![source]).findings.iter().map(|finding| finding.rule.code).collect()
}

fn examples<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let part = page.split(heading).nth(1).unwrap_or_default();
    let part = part.split("\n## ").next().unwrap_or_default();
    part.split("```yaml\n").skip(1).filter_map(|fence| fence.split("\n```").next()).collect()
}

fn ours() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(|rule| rule.code.starts_with("SB1") || rule.code.starts_with("SB20"))
}

#[test]
fn every_failing_example_raises_its_rule() {
    for rule in ours() {
        let examples = examples(rule.page, "\n## Fails\n");
        assert!(!examples.is_empty(), "{} has no example", rule.code);
        for example in examples {
            assert!(codes(example).contains(&rule.code), "{}: {:?}\n{example}", rule.code, codes(example));
        }
    }
}

#[test]
fn no_passing_example_raises_its_rule() {
    for rule in ours() {
        let examples = examples(rule.page, "\n## Passes\n");
        assert!(!examples.is_empty(), "{} has no example", rule.code);
        for example in examples {
            assert!(!codes(example).contains(&rule.code), "{}\n{example}", rule.code);
        }
    }
}

#[test]
fn failing_examples_of_admission_have_one_cause() {
    for rule in ours().filter(|rule| rule.code.starts_with("SB1")) {
        for example in examples(rule.page, "\n## Fails\n") {
            let found: Vec<&str> = codes(example).into_iter().filter(|code| code.starts_with("SB1")).collect();
            assert_eq!(found, [rule.code], "{example}");
        }
    }
}
