//! The pages of the rules of this stage and the next: every example does what its heading says.

use crate::cluster::World;
use crate::config::Config;
use crate::linter::Linter;
use crate::rule::{RULES, Rule};
use crate::stage::scheduling::tests::source;

/// The YAML fences below a heading: flags and text.
fn fences(page: &'static str, heading: &str) -> Vec<(&'static str, &'static str)> {
    let below = page.split_once(heading).map_or("", |(_, below)| below);
    let section = below.split("\n## ").next().unwrap_or_default();
    let fences = section.split("```yaml").skip(1);
    fences
        .filter_map(|fence| fence.split("```").next()?.split_once('\n'))
        .map(|(flags, text)| (flags.trim(), text))
        .collect()
}

fn world(flags: &str) -> World {
    let Some((flag, file)) = flags.split_once(' ') else { return World::assumed() };
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if flag == "--config" {
        let mut world = World::assumed();
        let config = Config::load(&path).expect("the configuration of the example");
        config.describe(&mut world).expect("a contract that holds together");
        return world;
    }
    assert_eq!(flag, "--cluster");
    let text = std::fs::read_to_string(path).expect("the cluster of the example");
    World::from_snapshot([text.as_str()]).expect("a readable snapshot")
}

fn raises(rule: &Rule, flags: &str, text: &str) -> bool {
    let report = Linter::new(world(flags)).check(vec![source(text)]);
    report.findings.iter().any(|finding| finding.rule.code == rule.code)
}

#[test]
fn examples_of_the_pages_fail_and_pass() {
    let mut wrong = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.code.starts_with("SB3")) {
        let (fails, passes) = (fences(rule.page, "## Fails"), fences(rule.page, "## Passes"));
        assert!(!fails.is_empty() && !passes.is_empty(), "{}", rule.code);
        let silent = fails.iter().filter(|(flags, text)| !raises(rule, flags, text));
        wrong.extend(silent.map(|(_, text)| format!("{} does not fire on\n{text}", rule.code)));
        let loud = passes.iter().filter(|(flags, text)| raises(rule, flags, text));
        wrong.extend(loud.map(|(_, text)| format!("{} fires on\n{text}", rule.code)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
