//! What fixes never do, whatever the file: write a key that is there already.

mod support;

use sandbox_lint::finding::Fix;
use sandbox_lint::fix;

fn fixed(text: &str) -> String {
    let report = support::lint_text(text, "");
    let fixes: Vec<Fix> = report.findings.iter().filter_map(|finding| finding.fix.clone()).collect();
    fix::apply(&report.sources[0], &fixes, true)
        .map_or_else(|| text.to_owned(), |fixed| String::from_utf8(fixed.bytes).expect("UTF-8"))
}

const HEAD: &str = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: web\n";

#[test]
fn a_misspelt_field_beside_the_right_one_is_not_renamed() {
    let spec = "spec:\n  podTemplate:\n    spec:\n      containers:\n        - name: agent\n          image: x\n";
    let alone = format!("{HEAD}{}", spec.replace("podTemplate", "PodTemplate"));
    assert!(fixed(&alone).contains("podTemplate:"));
    let beside = format!("{HEAD}{spec}  PodTemplate:\n    metadata: {{labels: {{a: b}}}}\n");
    assert!(fixed(&beside).contains("PodTemplate:"), "{}", fixed(&beside));
}

#[test]
fn of_two_misspelt_fields_one_is_renamed() {
    let twice = format!("{HEAD}Spec:\n  podTemplate: {{}}\nsPec:\n  podTemplate: {{}}\n");
    let changed = fixed(&twice);
    assert_eq!(changed.matches("\nspec:").count(), 1, "{changed}");
}
