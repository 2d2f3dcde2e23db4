//! Provider packs as a user meets them: the example, its findings, and what is said of a wrong one.

mod programs;

use programs::{binary, command, printed, repository};
use std::process::Output;

const PACK: &str = "testdata/packs/example-provider.yaml";

fn run(arguments: &[&str]) -> Output {
    command(binary(), &repository("")).args(arguments).output().unwrap()
}

fn pod(labels: &str, annotations: &[(&str, &str)], spec: &str) -> String {
    let mut text = format!(
        "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {{name: web}}\nspec:\n  podTemplate:\n    metadata:\n      labels: {labels}\n      annotations:\n"
    );
    for (key, value) in annotations {
        text += &format!("        stonebox.example/{key}: '{value}'\n");
    }
    text + &format!(
        "    spec:\n      {spec}\n      nodeSelector: {{stonebox.example/node: 'true'}}\n      tolerations: [{{key: stonebox.example/only, operator: Equal, value: 'yes', effect: NoSchedule}}]\n      containers: [{{name: agent, image: 'r.example/guest:1'}}]\n"
    )
}

/// What `check` prints of a manifest, one line a finding.
fn check(manifest: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("web.yaml");
    std::fs::write(&file, manifest).unwrap();
    printed(&run(&["check", "--format", "concise", "--provider-pack", PACK, file.to_str().unwrap()]))
}

const IMAGE: (&str, &str) = ("image", "r.example/guest:1");
const TEAM: &str = "{team: red}";

#[test]
fn manifests_that_the_pack_allows_are_clean() {
    assert_eq!(check(&pod(TEAM, &[IMAGE], "hostname: ''")), "");
    let all = [
        IMAGE,
        ("lane", "slow"),
        ("vcpus", "8"),
        ("lease", "1h30m"),
        ("disk", "20Gi"),
        ("snapshot-path", "/var/snapshots"),
        ("probe-port", "22"),
        ("gateway", "10.0.0.1"),
    ];
    assert_eq!(check(&pod(TEAM, &all, "hostname: ''")), "");
}

#[test]
fn every_kind_of_value_has_a_grammar() {
    for (key, value, words) in [
        ("image", "GUEST", "SB591"),
        ("lane", "warp", "a stonebox host has the lanes slow or steady"),
        ("lane", "fast", "known to newer releases of vk-stonebox only"),
        ("vcpus", "99", "it uses 2"),
        ("vcpus", "12", "12 takes a whole host"),
        ("lease", "1 hour", "SB591"),
        ("lease", "30s", "SB591"),
        ("lease", "1m", "ends before most guests have booted"),
        ("disk", "1Gi", "SB591"),
        ("snapshot", "True", "SB591"),
        ("snapshot-path", "/a/../b", "SB591"),
        ("probe-port", "ssh", "SB591"),
        ("gateway", "router", "SB591"),
        ("vm", "v1", "SB592"),
    ] {
        let mut annotations = vec![(key, value)];
        if key != "image" {
            annotations.push(IMAGE);
        }
        let found = check(&pod(TEAM, &annotations, "hostname: ''"));
        assert!(found.contains(words) && found.lines().count() == 1, "{key}={value}: {found}");
        let open = check(&pod(TEAM, &[(key, "${VALUE}"), IMAGE][..if key == "image" { 1 } else { 2 }], "hostname: ''"));
        assert!(key == "vm" || open.is_empty(), "{key}: {open}");
    }
}

#[test]
fn conditions_checks_and_gates_are_judged() {
    let missing = check(&pod(TEAM, &[("lane", "slow")], "hostname: ''"));
    assert!(missing.contains("SB590") && missing.contains("vk-stonebox boots it"), "{missing}");
    let conditional = check(&pod(TEAM, &[IMAGE, ("snapshot", "true")], "hostname: ''"));
    assert!(conditional.contains("SB590") && conditional.contains("snapshot-path"), "{conditional}");
    let path = ("snapshot-path", "/s");
    assert_eq!(check(&pod(TEAM, &[IMAGE, ("snapshot", "true"), path], "hostname: ''")), "");
    let slow = check(&pod(TEAM, &[IMAGE, ("snapshot", "true"), path, ("lane", "slow")], "hostname: ''"));
    assert!(slow.contains("warning[SB595]"), "{slow}");
    let host = check(&pod(TEAM, &[IMAGE], "hostNetwork: true"));
    assert!(host.contains("error[SB595] vk-stonebox has no host network to give"), "{host}");
    let two = pod(TEAM, &[IMAGE], "hostname: ''").replace("containers: [", "containers: [{name: b, image: 'b:1'}, ");
    let gate = check(&two);
    assert!(gate.contains("error[SB260] stonebox-webhook denies the Pod with the annotation"), "{gate}");
    let exempt = check(&two.replace("{name: web}", "{name: web, namespace: kube-system}"));
    assert!(!exempt.contains("SB260"), "{exempt}");
}

#[test]
fn the_first_failure_in_the_order_of_the_pack_is_predicted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("web.yaml");
    std::fs::write(&file, pod(TEAM, &[IMAGE, ("lane", "warp")], "hostNetwork: true")).unwrap();
    let arguments = ["predict", "--format", "json", "--provider-pack", PACK, file.to_str().unwrap()];
    let text = printed(&run(&arguments));
    assert!(text.contains("\"message\": \"stonebox: pod default/web asks for the host network\""), "{text}");
}

#[test]
fn the_pack_is_printed_and_written_for() {
    let shown = printed(&run(&["contract", "--provider-pack", PACK]));
    for part in
        ["stonebox  (vk-stonebox)", "check host-network", "gate stonebox-webhook", "at least 10Gi", "(required where "]
    {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let json = run(&["contract", "--format", "json", "--provider-pack", PACK]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(value["backends"][3]["checks"][0]["name"], "host-network");
}

#[test]
fn a_wrong_pack_is_refused_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let pack = std::fs::read_to_string(repository(PACK)).unwrap();
    for (old, new, message) in [
        ("summary: Network lane", "sumary: Network lane", "sumary: unknown field `sumary`"),
        ("type: duration", "type: span", "span: unknown variant `span`"),
        ("atLeast: 10Gi", "atLeast: ten", "`ten` bounds annotation"),
        ("'[a-z0-9./-]+:[A-Za-z0-9._-]+'", "'[a-z'", "'[a-z': no regular expression"),
        ("pod.spec.?hostNetwork.orValue(false)", "spec.hostNetwork", "it names `spec`, which does not exist"),
        ("before: stonebox.example/lane", "before: stonebox.example/line", "no annotation of the backend"),
        ("name: stonebox\n", "name: sandboxd\n", "sandboxd: backend `sandboxd` exists already"),
        ("help: \"write {near}\"}", "help: \"write {nearest}\"}", "names `{nearest}`"),
    ] {
        assert!(pack.contains(old), "{old}");
        let file = folder.path().join("pack.yaml");
        let wrong = pack.replacen(old, new, 1);
        std::fs::write(&file, &wrong).unwrap();
        // The word before the message is the one that it points at.
        let message = match message.split_once(": ") {
            Some((word, rest)) if new.contains(word) => {
                let at = wrong.find(new).unwrap() + new.find(word).unwrap();
                let start = wrong[..at].rfind('\n').unwrap() + 1;
                format!("pack.yaml:{}:{}: {rest}", wrong[..at].lines().count(), at - start + 1)
            }
            _ => message.to_owned(),
        };
        let output = run(&["contract", "--provider-pack", file.to_str().unwrap()]);
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(&message) && text.contains("pack.yaml:"), "{message}: {text}");
        let config = folder.path().join("config.yaml");
        std::fs::write(&config, "contract:\n  files: pack.yaml\n").unwrap();
        let text = printed(&run(&["contract", "--config", config.to_str().unwrap()]));
        assert!(text.contains("config.yaml:2:10: ") && text.contains(&message), "{text}");
    }
}
