//! Every format against its schema or shape, over manifests with each kind of finding.

use sandbox_lint::cli::{completions, manual};
use sandbox_lint::finding::{Findings, Outcome, Phase, ResourceId, Shown, Spot, Stage};
use sandbox_lint::predict::PodName;
use sandbox_lint::report::view::{self, View};
use sandbox_lint::report::{Machine, human, render};
use sandbox_lint::resource::intent::{Evidence, Sign};
use sandbox_lint::rule::{self, RULES};
use sandbox_lint::stage::admission::Accepted;
use sandbox_lint::stage::scheduling::NodeAnswer;
use sandbox_lint::yaml::Span;
use sandbox_lint::{Linter, Prediction, Report, Skipped, Source, Summary, World};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn report(files: &[(&str, &[u8])]) -> Report {
    let sources = files.iter().map(|(path, bytes)| Source::explicit(*path, bytes.to_vec())).collect();
    Linter::new(World::assumed()).check(sources)
}

/// The examples, a file with many kinds of text in it, and one that cannot be decoded.
fn sample() -> Report {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut paths: Vec<_> = fs::read_dir("testdata/examples").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        files.push((path.display().to_string(), fs::read(&path).unwrap()));
    }
    let broken = fs::read_to_string("testdata/examples/sandboxd-broken.yaml").unwrap();
    let odd = broken.replace("name: builder", "name: builder\n  annotations: {on: é, on: \"]]> & <😀>\"}");
    files.push(("a b/ü#1%.yaml".to_owned(), odd.into_bytes()));
    files.push(("latin.yaml".to_owned(), [broken.as_bytes(), b"# caf\xe9\n"].concat()));
    files.push(("syntax.yaml".to_owned(), b"a: 1\n---\nkind: Sandbox\n\tb: 2\n".to_vec()));
    files.push(("helm.yaml".to_owned(), b"kind: Sandbox\nname: {{ .Values.x }}\n".to_vec()));
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    report(&files)
}

fn rendered(report: &Report, format: Machine) -> String {
    let texts = view::texts(report);
    render(&View::new(report, &texts), format)
}

fn json(report: &Report, format: Machine) -> Value {
    serde_json::from_str(&rendered(report, format)).unwrap()
}

/// Our own schemas are part of the program, those of others are test data.
fn schema_folder(schema: &str) -> &'static str {
    if schema.ends_with(".schema.json") { "schemas" } else { "testdata/schemas" }
}

fn assert_valid(schema: &str, instance: &Value) {
    let text = fs::read_to_string(Path::new(schema_folder(schema)).join(schema)).unwrap();
    // One pattern of the official schema is a regular expression in JavaScript only.
    let text = text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}\\\\]?$");
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{schema}: {errors:#?}");
}

#[test]
fn json_follows_its_schema() {
    let report = sample();
    let output = json(&report, Machine::Json);
    assert_valid("output.schema.json", &output);
    assert!(output["findings"].as_array().unwrap().len() > 5);
    assert!(output["predictions"].as_array().unwrap().len() > 5);
    assert_eq!(output["skipped"].as_array().unwrap().len(), 1);
    assert_valid("output.schema.json", &json(&Report::default(), Machine::Json));
}

#[test]
fn the_schema_refuses_other_output() {
    let text = fs::read_to_string("schemas/output.schema.json").unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let good = json(&sample(), Machine::Json);
    for (path, value) in [("/findings/0/help", None), ("/findings/0/severity", Some("fatal")), ("/version", Some("1"))]
    {
        let mut bad = good.clone();
        match value {
            Some(value) => *bad.pointer_mut(path).unwrap() = value.into(),
            None => {
                bad["findings"][0].as_object_mut().unwrap().remove("help");
            }
        }
        assert!(!validator.is_valid(&bad), "{path}");
    }
}

#[test]
fn json_lines_are_the_parts_of_the_whole() {
    let report = sample();
    let whole = json(&report, Machine::Json);
    let lines: Vec<Value> =
        rendered(&report, Machine::Jsonl).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (name, list) in [("finding", "findings"), ("prediction", "predictions"), ("skipped", "skipped")] {
        let mut parts: Vec<Value> = lines.iter().filter(|line| line["type"] == name).cloned().collect();
        for part in &mut parts {
            part.as_object_mut().unwrap().remove("type");
        }
        assert_eq!(Value::from(parts), whole[list], "{name}");
    }
    assert_eq!(lines.last().unwrap()["type"], "summary");
}

#[test]
fn predictions_point_at_the_findings_of_their_resource() {
    let output = json(&sample(), Machine::Json);
    let findings = output["findings"].as_array().unwrap();
    let mut pointed = 0;
    for prediction in output["predictions"].as_array().unwrap() {
        for index in prediction["findings"].as_array().unwrap() {
            let finding = &findings[index.as_u64().unwrap() as usize];
            assert_eq!((&finding["file"], &finding["document"]), (&prediction["file"], &prediction["document"]));
            pointed += 1;
        }
    }
    assert_eq!(pointed, findings.len());
}

#[test]
fn places_are_counted_in_lines_characters_and_bytes() {
    let report = report(&[(
        "a.yaml",
        "\u{feff}# é\nkind: Sandbox\nmetadata: {é😀: 1, on: 2}\napiVersion: agents.x-k8s.io/v1beta1\n".as_bytes(),
    )]);
    let output = json(&report, Machine::Json);
    let finding = output["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == "SB017").unwrap();
    let text = "\u{feff}# é\nkind: Sandbox\nmetadata: {é😀: 1, ";
    let start = serde_json::json!({"line": 3, "column": 19, "offset": text.len()});
    assert_eq!(finding["start"], start);
}

#[test]
fn sarif_follows_the_official_schema() {
    let output = json(&sample(), Machine::Sarif);
    assert_valid("sarif-2.1.0.json", &output);
    let run = &output["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.contains([' ', '#', 'ü']) && !uri.starts_with('/'), "{uri}");
    }
    assert_valid("sarif-2.1.0.json", &json(&Report::default(), Machine::Sarif));
}

#[test]
fn gitlab_has_unique_fingerprints_that_survive_moved_lines() {
    let prints = |report: &Report| -> Vec<String> {
        let output = json(report, Machine::Gitlab);
        assert_valid("gitlab-code-quality.json", &output);
        output.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let all = prints(&sample());
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    let broken = fs::read_to_string("testdata/examples/sandboxd-broken.yaml").unwrap();
    let moved = format!("# one\n# two\n{broken}");
    let (here, there) = (report(&[("a.yaml", broken.as_bytes())]), report(&[("a.yaml", moved.as_bytes())]));
    assert!(!here.findings.is_empty());
    assert_eq!(prints(&here), prints(&there));
}

#[test]
fn rdjson_follows_reviewdogs_definition() {
    let output = json(&sample(), Machine::Rdjson);
    assert_valid("rdjson.json", &output);
    let fixed = output["diagnostics"].as_array().unwrap().iter().find(|one| one["suggestions"].is_array()).unwrap();
    assert_eq!(fixed["suggestions"].as_array().unwrap().len(), 1);
}

#[test]
fn github_commands_are_one_line_each() {
    let report = sample();
    let text = rendered(&report, Machine::Github);
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), report.findings.len());
    assert_eq!(text.lines().count(), commands.len() + 1);
    for command in commands {
        let (properties, _) = command[2..].split_once("::").unwrap();
        let (level, properties) = properties.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&level));
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').unwrap();
            assert!(["file", "line", "endLine", "col", "endColumn", "title"].contains(&name), "{command}");
            assert!(!value.contains(':'), "{command}");
        }
    }
}

#[test]
fn junit_is_well_formed_and_counts_add_up() {
    let report = sample();
    let text = rendered(&report, Machine::Junit);
    let elements = xml_elements(&text);
    let number = |attributes: &str, name: &str| -> usize {
        let (_, rest) = attributes.split_once(&format!(" {name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let of = |name: &str| elements.iter().filter(|(known, _)| known == name).map(|(_, rest)| rest).collect::<Vec<_>>();
    let whole = of("testsuites")[0];
    assert_eq!(of("testsuite").len(), report.sources.len());
    assert_eq!(number(whole, "tests"), of("testcase").len());
    assert_eq!(number(whole, "failures"), of("failure").len());
    assert_eq!(number(whole, "tests"), of("testsuite").iter().map(|one| number(one, "tests")).sum::<usize>());
    assert!(of("testcase").iter().all(|one| one.contains(" name=\"") && one.contains(" classname=\"")));
}

/// The elements of an XML text with their attributes; fails where it is not well-formed.
fn xml_elements(text: &str) -> Vec<(String, String)> {
    let mut open: Vec<String> = Vec::new();
    let mut elements = Vec::new();
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    assert!(!body.contains(|c: char| c.is_control() && c != '\n'));
    for part in body.split('<').skip(1) {
        let (tag, content) = part.split_once('>').unwrap();
        assert!(!content.contains('>'));
        for reference in content.split('&').skip(1).chain(tag.split('&').skip(1)) {
            let name = reference.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "quot", "#10", "#9", "#13"].contains(&name), "{name}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
        assert_eq!(attributes.matches('"').count() % 2, 0);
        elements.push((name.to_owned(), format!(" {attributes}")));
        if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty());
    elements
}

#[test]
fn concise_has_one_line_for_each_finding() {
    let report = sample();
    let text = rendered(&report, Machine::Concise);
    assert_eq!(text.lines().count(), report.findings.len());
}

/// A report made by hand: two places in one file, one in another, an outcome with a long message, a fix, a later finding.
fn made() -> Report {
    let web = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: web\nspec:\n  podTemplate:\n    metadata:\n      \
               annotations:\n        sandbox.cocoonstack.io/ttl-seconds: 3600\n    spec:\n      nodeSelector:\n        \
               sandbox.cocoonstack.io/runtime: sandboxd\n";
    let pool = "kind: SandboxWarmPool\n";
    let span = |text: &str, part: &str| {
        let start = text.find(part).unwrap() as u32;
        Span::new(start, start + part.len() as u32)
    };
    let id = |kind: &str| ResourceId { kind: Some(kind.into()), name: Some("web".into()), ..ResourceId::default() };
    let scheduling = Outcome::new(Stage::Scheduling, Shown::Pod, Phase::Pending)
        .reason("Unschedulable")
        .message(
            "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 node(s) had untolerated taint(s). \
             no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
        )
        .shown_on("Pod condition PodScheduled, event FailedScheduling");
    let provider = Outcome::new(Stage::Provider, Shown::Pod, Phase::Pending)
        .reason("ProviderFailed")
        .message("pod default/web: missing sandbox.cocoonstack.io/template annotation")
        .shown_on("Pod status, event ProviderCreateFailed");
    let mut out = Findings::new(0, Some(0), Some(id("Sandbox")));
    out.add(
        &rule::MISSING_TOLERATION,
        Spot::new(span(web, "nodeSelector"), "spec.podTemplate.spec"),
        "vk-sandbox's taint is not tolerated",
    )
    .label("picks the vk-sandbox nodes, which carry the taint virtual-kubelet.io/provider=sandboxd:NoSchedule")
    .related(span(web, "Sandbox"), "the Pod comes from here")
    .related_in(1, span(pool, "SandboxWarmPool"), "and so do those of this pool")
    .help("tolerations:\n  - key: virtual-kubelet.io/provider\n    operator: Exists\n    effect: NoSchedule")
    .outcome(scheduling.clone());
    out.add(
        &rule::MISSING_TEMPLATE,
        Spot::new(span(web, "annotations"), "spec.podTemplate.metadata.annotations"),
        "no template",
    )
    .help("name the pool's template")
    .outcome(provider.clone());
    out.list[1].later = true;
    let node = |name: &str, reason: &str| NodeAnswer { name: name.into(), fits: false, reasons: vec![reason.into()] };
    let evidence = |sign, text: &str, part: &str| Evidence {
        backend: "sandboxd".into(),
        sign,
        span: span(web, part),
        text: text.into(),
    };
    let prediction = Prediction {
        file: 0,
        document: 0,
        resource: id("Sandbox"),
        pod: Some(PodName { namespace: "default".into(), name: "web".into() }),
        backend: "sandboxd".into(),
        accepted: Accepted::Strict,
        outcome: Some(scheduling),
        next: vec![provider],
        node: None,
        served_by: None,
        nodes: vec![
            node("worker-1", "node(s) didn't match Pod's node affinity/selector"),
            node("vk-sandboxd", "node(s) had untolerated taint(s)"),
        ]
        .into(),
        evidence: vec![
            evidence(Sign::Selector, "nodeSelector", "nodeSelector"),
            evidence(
                Sign::Annotation,
                "annotation sandbox.cocoonstack.io/ttl-seconds",
                "sandbox.cocoonstack.io/ttl-seconds",
            ),
        ],
    };
    let runs = Prediction {
        resource: id("SandboxTemplate"),
        outcome: Some(Outcome::new(Stage::Running, Shown::Pod, Phase::Running)),
        next: vec![],
        node: Some("worker-1".into()),
        nodes: vec![].into(),
        evidence: vec![],
        backend: "kubelet".into(),
        file: 1,
        ..prediction.clone()
    };
    let mut report = Report {
        sources: vec![Source::explicit("web.yaml", web.into()), Source::explicit("pool.yaml", pool.into())],
        findings: out.list,
        predictions: vec![prediction, runs],
        skipped: vec![Skipped {
            file: 1,
            document: Some(0),
            reason: "placeholder",
            message: "${A} is filled in".into(),
        }],
        summary: Summary { files: 2, documents: 2, resources: 2, ..Summary::default() },
    };
    report.finish();
    report
}

#[test]
fn people_read_this() {
    let report = made();
    let texts = view::texts(&report);
    let view = View::new(&report, &texts);
    let look = human::Look { color: false, unicode: true, width: 100 };
    insta::assert_snapshot!("check", human::render(&view, look, human::Extras::default()));
    insta::assert_snapshot!("predict", human::render_predictions(&view, look));
    let narrow = human::Look { color: false, unicode: false, width: 60 };
    let text = human::render(&view, narrow, human::Extras { statistics: true, intents: true, quiet: false });
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("narrow", text);
    let color = human::Look { color: true, unicode: true, width: 100 };
    insta::assert_snapshot!("color", human::render(&view, color, human::Extras::default()).replace('\u{1b}', "ESC"));
}

#[test]
fn no_line_is_wider_than_the_terminal_but_for_long_words_and_commands() {
    let report = sample();
    let texts = view::texts(&report);
    let view = View::new(&report, &texts);
    for width in [40, 60, 80, 132] {
        let look = human::Look { color: false, unicode: true, width };
        for text in [human::render(&view, look, human::Extras::default()), human::render_predictions(&view, look)] {
            for line in text.lines().filter(|line| line.chars().count() > width) {
                let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
                // A command stays in one piece, to be copied.
                assert!(longest + 17 > width || line.starts_with("  kubectl "), "{width}: {line}");
            }
        }
    }
}

#[test]
fn the_same_cause_in_many_documents_is_told_once() {
    let broken = fs::read_to_string("testdata/examples/sandboxd-broken.yaml").unwrap();
    let many: String =
        (0..12).map(|number| format!("---\n{}", broken.replace("builder", &format!("builder-{number}")))).collect();
    let report = report(&[("many.yaml", many.as_bytes())]);
    let texts = view::texts(&report);
    let look = human::Look { color: false, unicode: true, width: 100 };
    let text = human::render(&View::new(&report, &texts), look, human::Extras::default());
    assert_eq!(text.matches("explain SB404").count(), 1);
    assert_eq!(text.matches("error[SB404]").count(), 12);
    assert!(text.lines().count() < 90, "{}", text.lines().count());
}

/// Compares a generated file with the one in the repository; `UPDATE_GENERATED=1` writes it instead.
fn assert_generated(path: &str, content: &[u8]) {
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let known = fs::read(path).unwrap_or_default();
    assert!(known == content, "{path} is out of date; run the tests with UPDATE_GENERATED=1");
}

#[test]
fn completions_and_manual_pages_are_up_to_date() {
    for (name, script) in completions() {
        assert_generated(&format!("completions/{name}"), script.as_bytes());
        // clap writes no values for Elvish and PowerShell.
        let complete = script.contains("SB404") && script.contains("sarif");
        assert!(complete || name.ends_with(".elv") || name.ends_with(".ps1"), "{name} completes rules and formats");
    }
    for (name, page) in manual() {
        assert_generated(&format!("man/{name}"), &page);
    }
}

#[test]
fn every_rule_has_a_page_that_begins_with_its_name() {
    for rule in RULES {
        assert!(rule.page.starts_with(&format!("# {} {}\n", rule.code, rule.name)), "{}", rule.code);
    }
    assert!(RULES.is_sorted_by_key(|rule| rule.code));
}
