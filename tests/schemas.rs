//! Keeps the JSON Schemas in `schemas/` true to what the program reads and prints.

mod programs;

use jsonschema::Validator;
use programs::{binary, command, fences, printed, repository, text};
use regex::Regex;
use sandbox_lint::config::{Config, STARTER};
use sandbox_lint::rule::RULES;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const CONFIG: &str = "schemas/config.schema.json";
const OUTPUT: &str = "schemas/output.schema.json";

fn schema(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn validator(path: &str) -> Validator {
    jsonschema::draft7::new(&schema(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn problems(validator: &Validator, instance: &Value) -> Vec<String> {
    let errors = validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path()));
    errors.take(5).collect()
}

#[test]
fn the_command_prints_the_schemas() {
    for (of, path) in [("config", CONFIG), ("output", OUTPUT)] {
        let output = command(binary(), &repository("")).args(["schema", of]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), text(path));
        assert!(jsonschema::draft7::meta::is_valid(&schema(path)), "{path}");
    }
}

/// `UPDATE_GENERATED=1` writes the list of rules into the schema.
#[test]
fn the_configuration_completes_every_rule() {
    let names = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
    let list = names.map(|name| format!("        \"{name}\"")).collect::<Vec<_>>().join(",\n");
    let place = Regex::new("(?s)(\"known-rule\": \\{\\s*\"enum\": \\[)[^\\]]*(\\])").unwrap();
    let wanted = place.replace(&text(CONFIG), format!("${{1}}\n{list}\n      ${{2}}")).into_owned();
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(repository(CONFIG), &wanted).unwrap();
    }
    assert!(text(CONFIG) == wanted, "{CONFIG} is out of date; run the tests with UPDATE_GENERATED=1");
}

/// Puts a value where a part of the schema describes it.
type Wrap<'w> = &'w dyn Fn(Value) -> Value;

/// Calls `visit` for every mapping with named keys that the schema describes, with its place in a configuration.
fn visit_objects(whole: &Value, part: &Value, wrap: Wrap<'_>, visit: &mut dyn FnMut(&Value, Wrap<'_>)) {
    if let Some(target) = part["$ref"].as_str() {
        let target = whole.pointer(target.trim_start_matches('#')).unwrap_or_else(|| panic!("{target}"));
        visit_objects(whole, target, wrap, visit);
    }
    for branch in ["anyOf", "allOf"].iter().filter_map(|key| part[*key].as_array()).flatten() {
        visit_objects(whole, branch, wrap, visit);
    }
    if part["items"].is_object() {
        visit_objects(whole, &part["items"], &|value| wrap(json!([value])), visit);
    }
    if part["additionalProperties"].is_object() {
        visit_objects(whole, &part["additionalProperties"], &|value| wrap(json!({"sandboxd": value})), visit);
    }
    if let Some(properties) = part["properties"].as_object() {
        visit(part, wrap);
        for (key, property) in properties {
            visit_objects(whole, property, &|value| wrap(json!({key.as_str(): value})), visit);
        }
    }
}

/// Why the program refuses a configuration, if it does.
fn refusal(config: &Value) -> Option<String> {
    Config::parse(&config.to_string(), Path::new("/repo/.sandbox-lint.yaml")).err().map(|error| error.to_string())
}

/// A refusal of an unknown key names all that are known, so both sides can be compared at every place.
#[test]
fn the_schema_and_the_program_know_the_same_keys() {
    let whole = schema(CONFIG);
    let names = Regex::new("`([^`]+)`").unwrap();
    let mut places = 0;
    visit_objects(&whole, &whole, &|value| value, &mut |object, wrap| {
        places += 1;
        assert_eq!(object["additionalProperties"], false, "{object}");
        let in_schema: BTreeSet<String> = object["properties"].as_object().unwrap().keys().cloned().collect();
        let config = wrap(json!({"zzqqxx": 1}));
        let message = refusal(&config).unwrap_or_else(|| panic!("{config} is taken"));
        let line =
            message.lines().find(|line| line.contains("`zzqqxx`")).unwrap_or_else(|| panic!("{config}: {message}"));
        let known: BTreeSet<String> = match line.split_once("known keys: ") {
            Some((_, list)) => list.split(", ").map(str::to_owned).collect(),
            None => {
                names.captures_iter(line.split_once("expected").unwrap().1).map(|name| name[1].to_owned()).collect()
            }
        };
        assert_eq!(known, in_schema, "{config}: {message}");
    });
    assert!(places > 20, "{places}");
}

/// The text of a file in which what is commented out counts.
fn uncommented(text: &str) -> String {
    let key = Regex::new("^# ( *)(- |[a-z-]+:)").unwrap();
    text.lines().map(|line| format!("{}\n", if key.is_match(line) { &line[2..] } else { line })).collect()
}

fn example_configs() -> Vec<(String, String)> {
    let mut configs = vec![("init".to_owned(), STARTER.to_owned()), ("all of init".to_owned(), uncommented(STARTER))];
    for page in ["docs/config.md", "docs/policy.md", "docs/contract-format.md", "docs/baseline.md"] {
        let blocks = fences(&text(page));
        let own = blocks
            .into_iter()
            .filter(|(words, block)| words.starts_with("yaml") && block.contains(".sandbox-lint.yaml"));
        configs.extend(own.map(|(_, block)| (page.to_owned(), block)));
    }
    for name in ["firebox.yaml", "pools.yaml", "third-party/.sandbox-lint.yaml"] {
        configs.push((name.to_owned(), text(&format!("testdata/config/{name}"))));
    }
    configs
}

#[test]
fn every_example_of_a_configuration_is_taken_by_both() {
    let validator = validator(CONFIG);
    let configs = example_configs();
    assert!(configs.len() > 4 && configs[1].1.contains("\noverrides:\n"), "{configs:#?}");
    for (name, text) in configs {
        let parsed = Config::parse(&text, Path::new("/repo/.sandbox-lint.yaml"));
        assert!(parsed.is_ok(), "{name}: {}", parsed.unwrap_err());
        let value: Value = serde_yaml::from_str(&text).unwrap();
        assert_eq!(problems(&validator, &value), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn what_the_program_refuses_the_schema_refuses() {
    let validator = validator(CONFIG);
    let wrong = [
        json!({"selct": "SB3"}),
        json!({"select": ["SB3", 4]}),
        json!({"select": "no-such-rule"}),
        json!({"severity": {"SB302": "fatal"}}),
        json!({"severity": {"no-such-rule": "note"}}),
        json!({"fail-on": "never"}),
        json!({"force-exclude": "true"}),
        json!({"respect-gitignore": 1}),
        json!({"overrides": [{"ignore": "SB7"}]}),
        json!({"overrides": [{"paths": "x", "fail-on": "note"}]}),
        json!({"targets": {"kube": 1.36}}),
        json!({"cluster": {"webhook": {"creators": []}}}),
        json!({"cluster": {"sandboxd-pools": [{"net": "none"}]}}),
        json!({"cluster": {"node-labels": {"sandboxd": {"zone": 1}}}}),
        json!({"cluster": {"nodes": [{"labels": {}}]}}),
        json!({"cluster": {"nodes": [{"name": "a", "taints": [{"key": "k"}]}]}}),
        json!({"policy": {"rules": [{"name": "x"}]}}),
        json!({"policy": {"rules": [{"name": "a b", "expression": "true"}]}}),
        json!({"policy": {"rules": [{"name": "x", "expression": "true", "severity": "high"}]}}),
        json!({"contract": {"backends": [{"name": "x"}]}}),
        json!({"contract": {"annotations": {"sandboxd": [{"key": "a/b", "direction": "both", "summary": ""}]}}}),
        json!({"contract": {"annotations": {"sandboxd": [{"key": "a", "direction": "in", "summary": ""}]}}}),
        json!({"baseline": 1}),
        json!({"limits": {"file-size": "lots"}}),
        json!({"limits": {"findings": 0}}),
        json!({"limits": {"depth": 3}}),
    ];
    for config in wrong {
        assert!(refusal(&config).is_some(), "the program takes {config}");
        assert!(!validator.is_valid(&config), "the schema takes {config}");
    }
}

#[test]
fn what_the_schema_takes_the_program_takes() {
    let validator = validator(CONFIG);
    let right = [
        json!(null),
        json!({"select": "all", "ignore": ["SB7", "SB302", "missing-toleration"], "severity": {"SB4": "note", "all": "warning"}}),
        json!({"exclude": "vendor", "overrides": {"paths": ["a", "b/**"], "select": "SB1"}}),
        json!({"select": null, "exclude": null, "targets": null, "cluster": null, "policy": null}),
        json!({"cluster": {"webhook": true, "aggregated-api": true, "cocoon-pools": "gpu", "sizes": ["4xlarge"]}}),
        json!({"cluster": {"webhook": {"pod-creators": "system:admin"}, "node-labels": {"sandboxd": {"zone": "a"}}}}),
        json!({"cluster": {"nodes": [{"name": "a", "unschedulable": true, "allocatable": {"cpu": "1"}}]}}),
    ];
    for config in right {
        assert_eq!(problems(&validator, &config), Vec::<String>::new(), "{config}");
        assert_eq!(refusal(&config), None, "{config}");
    }
}

/// No key is optional: what the schema describes is always printed, and nothing else is.
#[test]
fn every_key_of_the_output_is_required() {
    let whole = schema(OUTPUT);
    let mut objects = 0;
    visit_objects(&whole, &whole, &|value| value, &mut |object, _| {
        objects += 1;
        let keys: BTreeSet<&str> = object["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let required: BTreeSet<&str> =
            object["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(keys, required);
        assert_eq!(object["additionalProperties"], false, "{keys:?}");
    });
    assert!(objects > 10, "{objects}");
}

#[test]
fn everything_that_is_printed_follows_the_schema() {
    let validator = validator(OUTPUT);
    let mut seen = BTreeSet::new();
    let silenced = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    let comment = "# sandbox-lint: ignore-file[SB404, SB302] known\n";
    fs::write(&silenced, format!("{comment}{}", text("testdata/examples/sandboxd-broken.yaml"))).unwrap();
    let runs: [&[&str]; 9] = [
        &["check", "--format", "json", silenced.path().to_str().unwrap()],
        &["check", "--format", "json", "testdata"],
        &["check", "--format", "json", "--profile", "cocoon-webhook", "testdata/cases"],
        &["check", "--format", "json", "--profile", "aggregated-api", "testdata/cases"],
        &["check", "--format", "json", "--kube-version", "1.30", "--agent-sandbox-version", "0.4", "testdata/cases"],
        &["check", "--format", "json", "--config", "testdata/config/firebox.yaml", "testdata/config"],
        &["check", "--format", "json", "src"],
        &["predict", "--format", "json", "testdata/cases", "testdata/examples"],
        &["predict", "--format", "json", "--cluster", "testdata/cluster.yaml", "testdata/examples"],
    ];
    for arguments in runs {
        let output = command(binary(), &repository("")).args(arguments).output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", printed(&output)));
        assert_eq!(problems(&validator, &value), Vec::<String>::new(), "{arguments:?}");
        collect(&value, &mut seen);
    }
    // The runs above show what the schema describes: each list, and each part that may be null.
    for key in ["related", "fix", "edits", "outcome", "suppressed", "nodes", "skipped", "resource", "pod"] {
        assert!(seen.contains(key), "no run shows {key}: {seen:?}");
    }
}

/// The keys under which something stands that is neither null nor empty.
fn collect(value: &Value, seen: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
                if !empty {
                    seen.insert(key.clone());
                }
                collect(value, seen);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, seen)),
        _ => {}
    }
}
