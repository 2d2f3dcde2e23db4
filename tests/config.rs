//! The configuration file: what it takes, what it refuses, and which one counts.

use sandbox_lint::cluster::World;
use sandbox_lint::config::{Config, STARTER, nearest, settings};
use sandbox_lint::finding::Severity;
use sandbox_lint::select::Target;
use std::fs;
use std::path::Path;

fn read(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("repo/.sandbox-lint.yaml")).map_err(|error| error.to_string())
}

fn target(word: &str) -> Target {
    word.parse().expect(word)
}

fn refusal(text: &str) -> String {
    read(text).expect_err(text)
}

#[test]
fn every_part_is_read() {
    let config = read(
        r#"
select: [all]
ignore: [SB7, unspread-pool]
severity: {missing-toleration: warning, SB4: note}
fail-on: warning
exclude: [vendor, "charts/**"]
force-exclude: true
respect-gitignore: false
overrides:
  - paths: [examples/**]
    select: [SB302]
    ignore: [SB3]
    severity: {all: note}
targets: {agent-sandbox: "0.5.3", kube: "1.34"}
cluster:
  snapshot: nodes.yaml
  webhook: {pod-creators: [system:serviceaccount:a:b], exempt-namespaces: [sandboxes]}
  aggregated-api: true
  cocoon-pools: [default, gpu]
  sandboxd-pools: [{template: rt, size: large}]
  sizes: [4xlarge]
  node-labels: {sandboxd: {zone: eu}}
policy:
  files: [policy]
  rules:
    - name: owned
      expression: has(object.metadata.labels)
contract:
  annotations:
    sandboxd: [{key: sandbox.cocoonstack.io/region, direction: in, summary: Region}]
baseline: known.json
limits: {file-size: 2MiB, findings: 20}
"#,
    )
    .expect("valid");
    assert_eq!(config.ignore, [target("SB7"), target("unspread-pool")]);
    assert_eq!(config.severity[0], (target("missing-toleration"), Severity::Warning));
    assert_eq!(config.fail_on, Some(Severity::Warning));
    assert!(config.exclude.matches(Path::new("repo/a/vendor/x.yaml")) && config.force_exclude);
    assert!(!config.respect_gitignore);
    assert_eq!(config.overrides_for(Path::new("repo/examples/a.yaml")).count(), 1);
    assert_eq!(config.overrides_for(Path::new("repo/a.yaml")).count(), 0);
    assert_eq!(config.kube_minor, Some(34));
    assert_eq!(config.cluster.sandboxd_pools[0].net, "none");
    assert_eq!(config.cluster.snapshots, [Path::new("repo/nodes.yaml")]);
    assert_eq!(config.policies, [Path::new("repo/policy")]);
    assert_eq!(config.house_rules[0].name, "owned");
    assert_eq!(config.baseline.as_deref(), Some(Path::new("repo/known.json")));
    assert_eq!((config.limits.file_size, config.limits.findings), (2 << 20, 20));
}

#[test]
fn an_empty_file_changes_nothing() {
    for text in ["", "# nothing\n", "select:\n"] {
        let config = read(text).expect(text);
        assert!(config.respect_gitignore && config.select.is_empty());
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_the_nearest_name() {
    let table = [
        (
            "fail-om: error\n",
            "repo/.sandbox-lint.yaml:1:1: unknown key `fail-om` in the configuration; did you mean `fail-on`?",
        ),
        (
            "ignore:\n  - SB302\n  - missing-tolerance\n",
            "repo/.sandbox-lint.yaml:3:5: no rule is called `missing-tolerance`, did you mean `missing-toleration`?",
        ),
        ("select: [SB0, XX1]\n", ":1:15: no rule is called `XX1`; `sandbox-lint rules` lists them all"),
        ("severity: {SB302: eror}\n", ":1:19: severity `eror` is none of error, warning, note"),
        ("severity: [SB302]\n", ":1:11: severity must be a mapping, it is of type array"),
        ("force-exclude: \"true\"\n", ":1:16: force-exclude must be true or false, it is of type string"),
        ("exclude: ['a[']\n", ":1:11: `a[` is no glob: unclosed character class"),
        ("overrides:\n  - ignore: [SB3]\n", ":2:5: an override needs `paths`"),
        ("targets: {kube: 1.30}\n", ":1:17: kube must be a text, it is of type number; put it in quotes"),
        ("targets: {kube: \"2.1\"}\n", ":1:17: kube `2.1` is no release such as \"1.36\""),
        ("targets: {agent-sandbox: latest}\n", ":1:26: agent-sandbox `latest` is no release"),
        ("cluster:\n  webhok: true\n", ":2:3: unknown key `webhok` in cluster; did you mean `webhook`?"),
        ("cluster:\n  sandboxd-pools: [{net: none}]\n", ":2:20: a pool of sandboxd needs `template`"),
        (
            "cluster:\n  node-labels: {sandbox: {a: b}}\n",
            ":2:17: no backend is called `sandbox`; did you mean `sandboxd`?",
        ),
        (
            "contract:\n  backends: [{name: x, provider: y, node: {name: n}, colour: red}]\n",
            ":2:54: unknown field `colour`",
        ),
        (
            "contract:\n  annotations:\n    sandboxed: []\n",
            ":3:5: annotations are added to backend `sandboxed`, which does not exist",
        ),
        ("policy:\n  rules:\n    - name: x\n", ":3:7: a house rule needs `expression`"),
        (
            "policy: {rules: [{name: x, expression: 'objct.a == 1'}]}\n",
            ":1:40: the expression names `objct.a`, which does not exist here; did you mean `object`?",
        ),
        ("policy: {rules: [{name: x, expression: 'object.a ='}]}\n", ":1:40: line 1, column 10 of the expression:"),
        (
            "policy: {rules: [{name: x, expression: 'objects(1)'}]}\n",
            "the expression calls the function `objects`, which does not exist here",
        ),
        (
            "policy: {rules: [{name: x, match: {kinds: [Sandboxs]}, expression: 'true'}]}\n",
            "`Sandboxs` is no kind that is checked; did you mean `Sandbox`?",
        ),
        (
            "policy: {rules: [{name: SB302, expression: 'true'}]}\n",
            ":1:25: `SB302` is a name of the linter's own rules",
        ),
        ("select: [all]\nselect: [SB3]\n", ":2:1: this key stands a second time"),
        ("a: 1\n---\nb: 2\n", "a configuration file holds one document"),
        ("select: [all\n", "a `,` or `]` is missing"),
        ("- select\n", ":1:1: the configuration must be a mapping, it is of type array"),
    ];
    for (text, part) in table {
        let message = refusal(text);
        assert!(message.contains(part), "{text}\n  {message}\n  {part}");
    }
}

#[test]
fn a_file_that_is_nested_without_end_is_refused() {
    let deep = format!("contract: {}{}", "[".repeat(5000), "]".repeat(5000));
    assert!(refusal(&deep).contains("nested more than 64 levels deep"));
}

#[test]
fn all_problems_are_reported_at_once() {
    let message = refusal("fail-om: error\nignore: [nonsense-rule]\n");
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn the_starter_is_valid_as_it_is_and_with_everything_uncommented() {
    read(STARTER).expect("valid");
    let is_setting =
        |line: &str| line.starts_with("# ") && (line.contains(": ") || line.ends_with(':')) || line.starts_with("#  ");
    let prose = |line: &&str| {
        !(line.starts_with('#') && (line.ends_with('.') || line.contains("; ") || line.contains("here.")))
    };
    let live: Vec<&str> =
        STARTER.lines().filter(prose).map(|line| if is_setting(line) { &line[2..] } else { line }).collect();
    let config = read(&live.join("\n")).unwrap_or_else(|error| panic!("{error}\n{}", live.join("\n")));
    assert_eq!(config.house_rules.len(), 1);
    assert!(config.cluster.webhook.is_some() && config.baseline.is_some());
}

#[test]
fn the_nearest_file_counts_up_to_the_root_of_the_repository() {
    let root = tempfile::tempdir().expect("temporary folder");
    let at = |path: &str| root.path().join(path);
    fs::create_dir_all(at("repo/.git")).expect("created");
    fs::create_dir_all(at("repo/teams/a/deep")).expect("created");
    fs::create_dir_all(at("repo/teams/b")).expect("created");
    fs::write(at(".sandbox-lint.yaml"), "").expect("written");
    assert_eq!(nearest(&at("repo/teams/a/x.yaml")), None, "the search ends at .git");
    fs::write(at("repo/sandbox-lint.yaml"), "").expect("written");
    fs::write(at("repo/teams/a/.sandbox-lint.yaml"), "").expect("written");
    assert_eq!(nearest(&at("repo/teams/a/deep/x.yaml")), Some(at("repo/teams/a/.sandbox-lint.yaml")));
    assert_eq!(nearest(&at("repo/teams/b/x.yaml")), Some(at("repo/sandbox-lint.yaml")));
    assert_eq!(nearest(&at("repo/teams/b")), Some(at("repo/sandbox-lint.yaml")));
    fs::write(at("repo/.sandbox-lint.yaml"), "").expect("written");
    assert_eq!(nearest(&at("repo/x.yaml")), Some(at("repo/.sandbox-lint.yaml")), "the hidden name is preferred");
}

#[test]
fn the_world_gets_what_the_configuration_knows() {
    let config = read("cluster:\n  cocoon-pools: [a, b]\n  sizes: [4xlarge]\n  node-labels: {sandboxd: {zone: eu}}\n")
        .expect("valid");
    let mut world = World::assumed();
    config.describe(&mut world).expect("no contradiction");
    let pools: Vec<_> = world.nodes.iter().filter_map(|node| node.labels.get("cocoonstack.io/pool")).collect();
    assert_eq!(pools, ["a", "b"]);
    let size = world.contract.annotation("sandbox.cocoonstack.io/size").expect("known").1;
    assert!(size.values.contains(&"4xlarge".to_owned()));
    assert!(world.nodes.iter().any(|node| node.labels.get("zone").is_some_and(|zone| zone == "eu")));
    assert_eq!(world.cocoon_pools, ["a", "b"], "pools that are named are all there are");
    assert!(!world.has_real_nodes(), "the other nodes are still assumed");
}

#[test]
fn a_backend_of_another_vendor_is_described_by_a_file_alone() {
    let config = Config::load(Path::new("testdata/config/third-party/.sandbox-lint.yaml")).expect("valid");
    let mut world = World::assumed();
    config.describe(&mut world).expect("no contradiction");
    assert!(world.contract.backend("firebox").is_some_and(|backend| backend.owns("firebox.example/kernel")));
    assert!(world.nodes.iter().any(|node| node.name == "fb-1"));
}

#[test]
fn the_settings_are_shown_with_the_keys_of_the_file() {
    let config = read("ignore: [SB7]\ntargets: {kube: \"1.34\"}\n").expect("valid");
    let shown = settings(&config);
    assert_eq!(shown["ignore"][0], "SB7");
    assert_eq!(shown["targets"]["kube"], "1.34");
    assert_eq!(shown["fail-on"], "error");
    assert!(shown["config-file"].as_str().is_some_and(|path| path.ends_with("repo/.sandbox-lint.yaml")));
}
