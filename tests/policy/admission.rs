//! ValidatingAdmissionPolicies and their bindings.

use super::{SANDBOX, lint, refusal};
use sandbox_lint::finding::{Finding, Phase, Severity, Stage};
use sandbox_lint::policy::Policies;

fn admission(spec: &str, binding: &str) -> Vec<Finding> {
    let policy = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: p.example.com}}\nspec:\n{spec}\n---\n{binding}\n"
    );
    lint(&policy, SANDBOX)
}

const RULES: &str = "  matchConstraints: {resourceRules: [{apiGroups: [agents.x-k8s.io], apiVersions: ['*'], operations: ['*'], resources: [sandboxes]}]}\n";

fn bound(action: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {{name: b}}\nspec: {{policyName: p.example.com, validationActions: [{action}]}}"
    )
}

#[test]
fn a_policy_of_a_cluster_is_judged_as_it_stands() {
    let spec = format!("{RULES}  validations: [{{expression: object.metadata.name == 'db', message: only db}}]");
    let findings = admission(&spec, &bound("Deny"));
    assert_eq!(findings[0].message, "p.example.com: only db");
    let outcome = findings[0].outcome.clone().expect("what the API server says");
    assert_eq!((outcome.stage, outcome.phase, outcome.certain), (Stage::Admission, Phase::Rejected, false));
    assert_eq!(
        outcome.message.as_deref(),
        Some("ValidatingAdmissionPolicy 'p.example.com' with binding 'b' denied request: only db")
    );
    let bare = format!("{RULES}  validations: [{{expression: object.metadata.name == 'db'}}]");
    let words = admission(&bare, "")[0].outcome.clone().and_then(|outcome| outcome.message).unwrap_or_default();
    assert!(
        words.ends_with("with binding '<binding>' denied request: failed expression: object.metadata.name == 'db'"),
        "{words}"
    );
}

#[test]
fn a_binding_sets_the_weight() {
    let spec = format!("{RULES}  validations: [{{expression: 'false'}}]");
    for (action, severity) in [
        ("Deny", Severity::Error),
        ("Warn", Severity::Warning),
        ("Audit", Severity::Note),
        ("Audit, Deny", Severity::Error),
    ] {
        assert_eq!(admission(&spec, &bound(action))[0].severity, severity, "{action}");
    }
}

#[test]
fn match_constraints_choose_the_objects() {
    for (constraints, meant) in [
        (
            "resourceRules: [{apiGroups: [agents.x-k8s.io], apiVersions: [v1beta1], operations: [CREATE], resources: [sandboxes]}]",
            true,
        ),
        ("resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]", true),
        ("resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments]}]", false),
        (
            "resourceRules: [{apiGroups: [agents.x-k8s.io], apiVersions: [v1], operations: ['*'], resources: [sandboxes]}]",
            false,
        ),
        ("resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [UPDATE], resources: ['*']}]", false),
        (
            "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes], resourceNames: [db]}]",
            false,
        ),
        (
            "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes]}], excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes], resourceNames: [web]}]",
            false,
        ),
        (
            "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes]}], objectSelector: {matchLabels: {team: a}}",
            true,
        ),
        (
            "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes]}], objectSelector: {matchExpressions: [{key: team, operator: NotIn, values: [a]}]}",
            false,
        ),
        (
            "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes]}], namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team-a}}",
            true,
        ),
        (
            "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [sandboxes]}], namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}",
            false,
        ),
    ] {
        let spec =
            format!("  matchConstraints: {{{constraints}}}\n  validations: [{{expression: object.kind == 'x'}}]");
        let meant_resource = admission(&spec, "").iter().any(|finding| finding.stage == Stage::Admission);
        assert_eq!(meant_resource, meant, "{constraints}");
    }
}

#[test]
fn a_policy_for_pods_judges_the_pod_that_the_controller_makes() {
    let spec = "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}\n  validations: [{expression: object.spec.containers.size() < 2, message: one container}]";
    let outcome = admission(spec, &bound("Deny"))[0].outcome.clone().expect("what the controller says");
    assert_eq!((outcome.stage, outcome.phase), (Stage::PodCreate, Phase::NoPod));
    let words = "pods \"web\" is forbidden: ValidatingAdmissionPolicy 'p.example.com' with binding 'b' denied request: one container";
    assert_eq!(outcome.message.as_deref(), Some(words));
}

#[test]
fn an_expression_that_fails_counts_as_the_policy_says() {
    let spec = |policy: &str| {
        format!("  failurePolicy: {policy}\n{RULES}  validations: [{{expression: object.spec.nothing == 1}}]")
    };
    assert_eq!(
        admission(&spec("Fail"), "")[0].message,
        "p.example.com: expression 'object.spec.nothing == 1' resulted in error: no such key: nothing"
    );
    assert!(admission(&spec("Ignore"), "").is_empty());
}

#[test]
fn what_only_a_cluster_knows_is_said_and_left_out() {
    for (spec, part) in [
        (format!("{RULES}  validations: [{{expression: params.x == 1}}]"), "validation 1 needs `params.x`, which is not known without a cluster; it is left out"),
        (format!("{RULES}  validations: [{{expression: namespaceObject.metadata.labels.x == 'y'}}]"), "needs `namespaceObject.metadata`"),
        (format!("{RULES}  validations: [{{expression: \"authorizer.group('').resource('pods').check('create').allowed()\"}}]"), "needs "),
        (format!("{RULES}  matchConditions: [{{name: c, expression: request.userInfo.username == 'x'}}]\n  validations: [{{expression: 'true'}}]"), "its match condition c needs `request.userInfo`"),
        (format!("{RULES}  validations: [{{expression: \"image('a.io/b:c').registry() == 'a.io'\"}}]"), "needs the function `image`"),
        ("  matchConstraints: {namespaceSelector: {matchLabels: {env: prod}}, resourceRules: []}\n  validations: [{expression: 'true'}]".to_owned(), "selects namespaces by the label env"),
    ] {
        let policy = format!("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: p}}\nspec:\n{spec}\n");
        let policies = Policies::parse("policy.yaml", &policy).unwrap_or_else(|error| panic!("{error}"));
        assert!(policies.rules.is_empty());
        assert!(policies.notices[0].message.contains(part), "{:?}", policies.notices);
    }
}

#[test]
fn variables_of_a_policy_are_looked_at_only_where_they_are_needed() {
    let spec = format!(
        "{RULES}  variables: [{{name: broken, expression: object.spec.nothing}}, {{name: twice, expression: variables.broken}}]\n  validations: [{{expression: 'has(object.spec.nothing) ? variables.twice == 1 : true'}}]"
    );
    assert!(admission(&spec, "").is_empty());
}

#[test]
fn what_is_no_policy_is_refused() {
    for (text, part) in [
        ("kind: ConfigMap", "kind `ConfigMap` is no policy"),
        ("rule: []", "unknown key `rule` in a policy file; did you mean `rules`?"),
        ("rules: [{name: a, expression: 'true'}, {name: a, expression: 'true'}]", "house rule `a` exists already"),
        ("kind: ValidatingAdmissionPolicy\nmetadata: {name: x}\nspec: {validation: []}", "did you mean `validations`?"),
    ] {
        assert!(refusal(text).contains(part), "{text}: {}", refusal(text));
    }
}
