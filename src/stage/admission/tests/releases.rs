//! Fields, values and defaults by the release of agent-sandbox.

use super::*;

#[test]
fn a_field_of_a_later_release_is_unknown_before_it() {
    let release = |text: &str| World { agent_sandbox: Some(text.parse().expect("a release")), ..World::assumed() };
    let pod = "podTemplate: {spec: {containers: [{name: a, image: b}]}}";
    let manifest = object("Sandbox", "v1alpha1", &format!("service: true\n{pod}"));
    let early = check_in(release("0.3.10.post1"), &manifest);
    assert_eq!((codes(&early), early.predictions[0].accepted), (vec!["SB103"], Accepted::Lenient));
    let finding = admission(&early)[0];
    assert_eq!(finding.message, "Sandbox v1alpha1 has no field `service` in `spec` before agent-sandbox 0.4.6");
    assert!(finding.help.as_deref().is_some_and(|help| help.contains("release 0.3.10.post1 drops it")));
    let words = finding.outcome.as_ref().and_then(|outcome| outcome.message.clone()).unwrap_or_default();
    assert!(words.ends_with("strict decoding error: unknown field \"spec.service\""), "{words}");
    assert!(codes(&check_in(release("0.4.6"), &manifest)).is_empty());
    assert_eq!(codes(&check(&manifest)), ["SB102"], "without a release, the newest decides");
}

#[test]
fn values_defaults_and_required_fields_follow_the_release() {
    let release = |text: &str| World { agent_sandbox: Some(text.parse().expect("a release")), ..World::assumed() };
    let claim = object(
        "SandboxClaim",
        "v1alpha1",
        "sandboxTemplateRef: {name: web}\nlifecycle: {shutdownPolicy: DeleteForeground}",
    );
    let early = check_in(release("0.2.1"), &claim);
    assert_eq!(codes(&early), ["SB106"]);
    assert!(
        refusal(&early).ends_with("Unsupported value: \"DeleteForeground\": supported values: \"Delete\", \"Retain\"")
    );
    assert!(admission(&early)[0].help.as_deref().is_some_and(|help| help.contains("0.3.10 or later")));
    assert!(codes(&check_in(release("0.3.10"), &claim)).is_empty());

    let pool = object("SandboxWarmPool", "v1beta1", "sandboxTemplateRef: {name: web}");
    let first = check_in(release("0.5.0"), &pool);
    assert_eq!((codes(&first), first.predictions[0].accepted), (vec!["SB104"], Accepted::Refused));
    assert_eq!(refusal(&first), "The SandboxWarmPool \"web\" is invalid: spec.replicas: Required value");
    assert!(admission(&first)[0].help.as_deref().is_some_and(|help| help.contains("from agent-sandbox 0.5.1 on")));
    assert!(codes(&check_in(release("0.5.1"), &pool)).is_empty());
}

#[test]
fn a_v1alpha1_claim_never_had_volume_claim_templates() {
    let spec = "sandboxTemplateRef: {name: web}\nvolumeClaimTemplates: [{metadata: {name: data}, spec: {}}]";
    let claim = object("SandboxClaim", "v1alpha1", spec);
    let now = check(&claim);
    assert!(codes(&now).contains(&"SB103"), "{:?}", codes(&now));
    assert_eq!(now.predictions[0].accepted, Accepted::Lenient);
    let help = admission(&now).iter().find_map(|finding| finding.help.clone().filter(|_| finding.rule.code == "SB103"));
    assert!(help.is_some_and(|help| help.contains("v1beta1")));
}
