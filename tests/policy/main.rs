//! House rules and ValidatingAdmissionPolicies: what they see, what they say, and what they may cost.

mod admission;
mod library;

use sandbox_lint::cluster::World;
use sandbox_lint::finding::{Finding, Severity};
use sandbox_lint::input::Source;
use sandbox_lint::linter::{Linter, Settings};
use sandbox_lint::policy::Policies;
use sandbox_lint::rule::HOUSE_RULE;
use sandbox_lint::verify;
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

const SANDBOX: &str = r#"
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: web
  namespace: team-a
  labels: {team: a, tier: "1"}
spec:
  podTemplate:
    metadata:
      annotations:
        sandbox.cocoonstack.io/template: rt:24.04
        sandbox.cocoonstack.io/ttl-seconds: "600"
    spec:
      nodeSelector: {sandbox.cocoonstack.io/runtime: sandboxd}
      tolerations: [{key: virtual-kubelet.io/provider, operator: Exists, effect: NoSchedule}]
      containers:
        - name: b
          image: rt:24.04
          resources: {requests: {cpu: 500m, memory: 1Gi}}
        - {name: a, image: "${IMAGE}"}
"#;

fn lint(policy: &str, manifest: &str) -> Vec<Finding> {
    let policies = Policies::parse("policy.yaml", policy).unwrap_or_else(|error| panic!("{error}\n{policy}"));
    let settings = Settings { world: World::assumed(), policies };
    let linter = Linter::with_settings(vec![settings], HashMap::new(), 0);
    let report = linter.check(vec![Source::explicit("web.yaml", manifest.as_bytes().to_vec())]);
    report.findings.into_iter().filter(|finding| finding.rule.code.starts_with("SB8")).collect()
}

fn rule(expression: &str) -> String {
    format!("rules:\n  - name: it\n    expression: |-\n      {}\n", expression.replace('\n', "\n      "))
}

/// `true`, `false`, or why there is no answer.
fn answer(expression: &str) -> String {
    let findings = lint(&rule(expression), SANDBOX);
    match findings.first() {
        None => "true".into(),
        Some(finding) if *finding.rule == HOUSE_RULE => "false".into(),
        Some(finding) => finding.message.clone(),
    }
}

fn refusal(policy: &str) -> String {
    Policies::parse("policy.yaml", policy).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn expressions_see_object_pod_request_and_prediction() {
    for expression in [
        "object.kind == 'Sandbox' && object.metadata.name == 'web'",
        "object.metadata.labels['tier'] == '1'",
        "object.spec.podTemplate.spec.containers.size() == 2",
        "oldObject == null",
        "request.operation == 'CREATE' && request.namespace == 'team-a' && request.name == 'web'",
        "request.kind.kind == 'Sandbox' && request.resource.resource == 'sandboxes'",
        "request.resource.group == 'agents.x-k8s.io' && request.resource.version == 'v1beta1' && !request.dryRun",
        "pod.kind == 'Pod' && pod.metadata.name == 'web' && pod.metadata.namespace == 'team-a'",
        "pod.metadata.annotations['sandbox.cocoonstack.io/ttl-seconds'] == '600'",
        "pod.spec.containers[0].name == 'b'",
        "prediction.backend == 'sandboxd' && prediction.accepted == 'strict'",
        "prediction.phase == 'running' && prediction.stage == 'running'",
        "type(prediction.certain) == bool",
    ] {
        assert_eq!(answer(expression), "true", "{expression}");
    }
}

#[test]
fn the_language_is_that_of_kubernetes() {
    for expression in [
        "has(object.spec) && !has(object.spec.nothing)",
        "object.spec.?nothing.orValue(3) == 3 && object.?metadata.?labels[?'team'].value() == 'a'",
        "!object.spec.?nothing.hasValue() && optional.of(1).hasValue() && !optional.none().hasValue()",
        "optional.of(2).optMap(x, x * 2).value() == 4",
        "pod.spec.containers.all(c, c.image != '') && pod.spec.containers.exists(c, c.name == 'a')",
        "pod.spec.containers.exists_one(c, c.name == 'a') && pod.spec.containers.map(c, c.name) == ['b', 'a']",
        "pod.spec.containers.filter(c, c.name > 'a').size() == 1",
        "object.metadata.labels.all(k, k.startsWith('t')) && 'team' in object.metadata.labels",
        "'Abc'.lowerAscii() == 'abc' && 'abc'.upperAscii() == 'ABC' && ' a '.trim() == 'a'",
        "'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && ['a', 'b'].join() == 'ab'",
        "'abcabc'.replace('b', 'x') == 'axcaxc' && 'abcabc'.replace('b', 'x', 1) == 'axcabc'",
        "'hello'.substring(1, 3) == 'el' && 'hello'.indexOf('l') == 2 && 'hello'.lastIndexOf('l') == 3",
        "'hello'.charAt(0) == 'h' && 'hello'.contains('ell') && 'hello'.endsWith('llo')",
        "'%s has %d, %.1f'.format(['x', 3, 2.5]) == 'x has 3, 2.5'",
        "'abc123'.matches('[0-9]+$') && matches('abc', '^a') && !'abc'.matches('^b')",
        "'a1b22'.find('[0-9]+') == '1' && 'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b22'.findAll('[0-9]', 1) == ['1']",
        "[1, 2, 3].sum() == 6 && [3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && [1, 2].isSorted() && ![2, 1].isSorted()",
        "['a', 'b', 'a'].indexOf('a') == 0 && ['a', 'b', 'a'].lastIndexOf('a') == 2 && [1].indexOf(2) == -1",
        "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').isLessThan(quantity('1'))",
        "quantity('1Ki').compareTo(quantity('1024')) == 0 && quantity('1Ki') == quantity('1024')",
        "quantity('1').add(quantity('500m')) == quantity('1500m') && quantity('-1').sign() == -1",
        "isQuantity('20Gi') && !isQuantity('20GB') && quantity('2k').asInteger() == 2000 && !quantity('1m').isInteger()",
        "quantity('500m').asApproximateFloat() == 0.5",
        "int('3') + 1 == 4 && string(3) == '3' && double('1.5') > 1.0 && bool('true') && uint(3) == 3u",
        "1 in [1, 2] && {'a': 1}['a'] == 1 && 7 % 2 == 1 && (true ? 'x' : 'y') == 'x'",
        "type('a') == string && type(1) == int && dyn(1) == 1 && type([]) == list",
        "b'abc'.size() == 3 && 'ünïcode'.size() == 7",
        "true || 1 / 0 == 1",
        "[1, 2].exists(x, x == 2 || 1 / 0 == 1)",
    ] {
        assert_eq!(answer(expression), "true", "{expression}");
    }
}

#[test]
fn what_has_no_answer_is_said_with_the_reason() {
    for (expression, part) in [
        ("object.spec.nothing == 1", "it does not decide about this resource: no such key: nothing"),
        ("object.spec", "its value is of type map, not bool"),
        ("1 / 0 == 1", "division by zero"),
        ("int('x') == 1", "it does not decide about this resource"),
        ("'a'.matches('(')", "`(` is no regular expression: unclosed group"),
        ("quantity('1GB') == quantity('1')", "quantities must match the regular expression"),
        ("object.metadata.labels.team + 1 == 2", "it does not decide about this resource"),
    ] {
        let message = answer(expression);
        assert!(message.contains(part), "{expression}: {message}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_before_anything_is_judged() {
    for (expression, part) in [
        ("objekt.kind == 'x'", "the expression names `objekt.kind`, which does not exist here; did you mean `object`?"),
        ("params.x == 1", "the expression names `params.x`, which does not exist here"),
        ("request.userInfo.username == 'x'", "the expression names `request.userInfo`"),
        ("variables.x == 1", "the expression names `variables.x`, which is not defined above it"),
        ("now() == 'x'", "the function `now`, which does not exist here"),
        ("object.kind.startWith('S')", "did you mean `startsWith`?"),
        ("authorizer.path('/').check('get').allowed()", "authorizer"),
        ("object.kind ==", "line 1, column 15 of the expression"),
        ("", "of the expression"),
        ("object.spec.containers.all(c)", "the expression names `c`"),
    ] {
        let message = refusal(&rule(expression));
        assert!(message.contains(part), "{expression}: {message}");
    }
}

#[test]
fn a_breach_points_at_the_field_and_says_what_the_rule_says() {
    let policy = "
rules:
  - name: short-lease
    severity: warning
    variables:
      ttl: int(pod.metadata.annotations['sandbox.cocoonstack.io/ttl-seconds'])
    expression: variables.ttl <= 60
    messageExpression: \"'a lease of ' + string(variables.ttl) + ' s is too long'\"
    field: pod.metadata.annotations[\"sandbox.cocoonstack.io/ttl-seconds\"]
    help: at most 60
";
    let finding = &lint(policy, SANDBOX)[0];
    assert_eq!(finding.message, "short-lease: a lease of 600 s is too long");
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(finding.help.as_deref(), Some("at most 60"));
    assert_eq!(&SANDBOX[finding.spot.span.range()], "\"600\"");
    assert!(finding.spot.path.starts_with("spec.podTemplate.metadata.annotations"), "{}", finding.spot.path);
    assert_eq!(finding.policy.as_deref(), Some("short-lease"));
}

#[test]
fn a_field_that_is_not_written_is_pointed_at_by_what_holds_it() {
    let policy = "rules: [{name: it, expression: 'false', field: pod.spec.runtimeClassName}]";
    let finding = &lint(policy, SANDBOX)[0];
    assert_eq!(&SANDBOX[finding.spot.span.range()], "spec");
    let policy = "rules: [{name: it, expression: 'false'}]";
    assert_eq!(&SANDBOX[lint(policy, SANDBOX)[0].spot.span.range()], "web");
}

#[test]
fn a_message_that_cannot_be_made_gives_way_to_the_other() {
    let message = |more: &str| {
        let policy = format!("rules: [{{name: it, expression: 'false'{more}}}]");
        lint(&policy, SANDBOX)[0].message.clone()
    };
    assert_eq!(message(""), "it: failed expression: false");
    assert_eq!(message(", message: plain"), "it: plain");
    assert_eq!(message(", message: plain, messageExpression: object.nothing"), "it: plain");
    assert_eq!(message(", message: plain, messageExpression: \"'a\\\\nb'\""), "it: plain");
    assert_eq!(message(", message: plain, messageExpression: \"'made'\""), "it: made");
}

#[test]
fn a_rule_looks_only_at_what_it_matches() {
    for (scope, meant) in [
        ("{}", true),
        ("{kinds: [Sandbox]}", true),
        ("{kinds: [SandboxTemplate, Deployment]}", false),
        ("{namespaces: [team-*]}", true),
        ("{namespaces: [default, 'prod-*']}", false),
        ("{except-namespaces: [team-a]}", false),
        ("{labels: {team: a, tier: '1'}}", true),
        ("{labels: {team: b}}", false),
        ("{labels: {other: a}}", false),
    ] {
        let policy = format!("rules: [{{name: it, match: {scope}, expression: 'false'}}]");
        assert_eq!(!lint(&policy, SANDBOX).is_empty(), meant, "{scope}");
    }
    let policy = "rules: [{name: it, when: [\"object.kind == 'Sandbox'\", 'false'], expression: 'false'}]";
    assert!(lint(policy, SANDBOX).is_empty());
}

#[test]
fn a_rule_about_pods_passes_over_what_makes_none() {
    let pool = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxWarmPool\nmetadata: {name: p}\nspec: {replicas: 1, sandboxTemplateRef: {name: t}}\n";
    assert!(lint(&rule("pod.spec.containers.size() == 0"), pool).is_empty());
    assert_eq!(lint(&rule("object.spec.replicas == 0"), pool).len(), 1);
}

#[test]
fn a_value_that_is_still_to_be_filled_in_breaks_no_rule() {
    let policy = "rules: [{name: it, expression: \"!pod.spec.containers[1].image.contains('IMAGE')\", field: 'pod.spec.containers[1].image'}]";
    assert!(lint(policy, SANDBOX).is_empty());
}

#[test]
fn a_resource_of_a_list_is_judged_with_its_own_paths() {
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", SANDBOX.trim().replace('\n', "\n  "));
    let policy = "rules: [{name: it, expression: 'false', field: 'pod.spec.containers[0].image'}]";
    let finding = &lint(policy, &list)[0];
    assert_eq!(finding.spot.path, "items[0].spec.podTemplate.spec.containers[0].image");
    assert_eq!(&list[finding.spot.span.range()], "rt:24.04");
}

#[test]
fn expressions_cannot_run_away() {
    let ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let nested = (0..9).fold("true".to_owned(), |inner, n| format!("{ten}.all(x{n}, {inner})"));
    let doubled = (0..40)
        .fold("'0123456789'".to_owned(), |text, n| format!("optional.of({text}).optMap(x{n}, x{n} + x{n}).value()"));
    let lists =
        (0..24).fold("[1]".to_owned(), |list, n| format!("optional.of({list}).optMap(x{n}, [x{n}, x{n}]).value()"));
    let long = "'0123456789'.replace('', '0123456789')";
    let replaced = (0..8).fold(long.to_owned(), |text, _| format!("{text}.replace('', '0123456789')"));
    let million = (0..5).fold("'0123456789'".to_owned(), |text, _| format!("{text}.replace('', '0123456789')"));
    let parts = format!("{million}.split('').size() == 1");
    let found = format!("{million}.findAll('').size() == 1");
    let big = format!("[{}]", vec!["'0123456789012345678901234567890123456789'"; 80].join(", "));
    let joined = format!("{big}.map(x, {big}.map(y, {big}.join({big}.join(x + y)))).size() == 1");
    let regexes = format!(
        "{ten}.all(a, {ten}.all(b, {ten}.all(c, {ten}.all(d, 'x'.matches('x' + string(a * 1000 + b * 100 + c * 10 + d)) || true))))"
    );
    let deep = format!("{}true{}", "(".repeat(3000), ")".repeat(3000));
    let chain = vec!["1"; 3000].join(" + ") + " == 3000";
    let calls = format!("'a'{} == 'a'", ".trim()".repeat(1500));
    let map = format!("object.metadata.labels.all(a, {nested})");
    let before = Instant::now();
    for expression in [
        nested,
        doubled + " == ''",
        lists + " == []",
        replaced + " == ''",
        joined,
        parts,
        found,
        regexes,
        deep,
        chain,
        calls,
        map,
    ] {
        let start = Instant::now();
        let policy = rule(&expression);
        let said = match Policies::parse("policy.yaml", &policy) {
            Err(error) => error.to_string(),
            Ok(_) => lint(&policy, SANDBOX).first().map(|finding| finding.message.clone()).unwrap_or_default(),
        };
        let short: String = expression.chars().take(60).collect();
        println!("{:>8.2?}  {short}…  {}", start.elapsed(), said.chars().take(160).collect::<String>());
        let bounded =
            ["steps", "levels deep", "parts", "recursion", "longer than"].iter().any(|word| said.contains(word));
        assert!(bounded, "{short}: {said}");
    }
    assert!(before.elapsed().as_secs() < 60, "{:?}", before.elapsed());
    assert!(refusal(&rule(&"x".repeat(20_000))).contains("longer than 16384 bytes"));
}

#[test]
fn variables_multiply_no_further_than_the_limit() {
    let mut policy = "rules:\n  - name: it\n    variables:\n      v0: '1 + 1'\n".to_owned();
    for n in 1..30 {
        policy += &format!("      v{n}: variables.v{0} + variables.v{0}\n", n - 1);
    }
    policy += "    expression: variables.v29 == 1\n";
    assert!(refusal(&policy).contains("parts"), "{}", refusal(&policy));
}

#[test]
fn the_pack_keeps_good_manifests_and_breaks_bad_ones() {
    let folder = Path::new("testdata/policy");
    let policies = Policies::load(&[folder.to_owned()], Vec::new()).expect("policies");
    let outcome = verify::run(folder, policies, World::assumed()).expect("readable");
    assert!(outcome.rules >= 10);
    assert_eq!(outcome.untested_rules, Vec::<String>::new(), "every rule has a bad manifest");
    let failed: Vec<_> = outcome.trials.iter().filter(|trial| trial.failure.is_some()).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn a_trial_fails_where_the_manifest_does_not_do_what_it_should() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, text).expect("written");
    };
    write(
        "rules.yaml",
        "rules: [{name: it, expression: object.metadata.name == 'db'}, {name: untested_rules, expression: 'true'}]",
    );
    write("tests/it/good.yaml", SANDBOX);
    write("tests/it/bad.yaml", &SANDBOX.replace("name: web", "name: db"));
    write("tests/it/bad-empty.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
    write("tests/other/bad.yaml", SANDBOX);
    let policies = Policies::load(&[folder.path().to_owned()], Vec::new()).expect("policies");
    let outcome = verify::run(folder.path(), policies, World::assumed()).expect("readable");
    let failures: Vec<_> = outcome.trials.iter().map(|trial| (trial.file.as_str(), trial.failure.as_deref())).collect();
    assert_eq!(
        failures,
        [
            ("tests/it/bad-empty.yaml", Some("it holds nothing to judge")),
            ("tests/it/bad.yaml", Some("breaks no rule, and should")),
            ("tests/it/good.yaml", Some("should keep the rule: it: failed expression: object.metadata.name == 'db'")),
            ("tests/other/bad.yaml", Some("no rule has this name")),
        ]
    );
    assert_eq!(outcome.untested_rules, ["untested_rules"]);
}

#[test]
fn the_order_of_a_map_does_not_change_what_is_said() {
    let policy =
        "rules: [{name: it, expression: 'false', messageExpression: \"object.metadata.labels.map(k, k).join(',')\"}]";
    let many = SANDBOX.replace("{team: a, tier: \"1\"}", "{z: '1', w: '1', x: '1', b: '1', a: '1', m: '1'}");
    assert_eq!(lint(policy, &many)[0].message, "it: a,b,m,w,x,z");
}

#[test]
fn the_examples_of_the_page_can_be_read() {
    let page = std::fs::read_to_string("docs/policy.md").expect("the page");
    let examples: Vec<&str> = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!examples.is_empty());
    for example in examples {
        Policies::parse("docs/policy.md", example).unwrap_or_else(|error| panic!("{error}"));
    }
    for (name, _) in sandbox_lint::policy::VARIABLES {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..proptest::prelude::ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_is_an_expression_or_refused(tokens in proptest::collection::vec(proptest::sample::select(TOKENS.to_vec()), 0..24), glue in proptest::bool::ANY) {
        let expression = tokens.join(if glue { " " } else { "" });
        let policy = format!("rules:\n  - name: it\n    expression: |-\n      {expression}\n");
        if let Ok(policies) = Policies::parse("policy.yaml", &policy) {
            let settings = Settings { world: World::assumed(), policies };
            Linter::with_settings(vec![settings], HashMap::new(), 0).check(vec![Source::explicit("web.yaml", SANDBOX.into())]);
        }
    }

    #[test]
    fn any_text_is_a_policy_file_or_refused(text in "[a-z:\\[\\]{}'\" \n|>&*!%@#-]{0,200}") {
        let _ = Policies::parse("policy.yaml", &text);
    }
}

const TOKENS: [&str; 44] = [
    "object",
    ".",
    "metadata",
    "labels",
    "pod",
    "spec",
    "containers",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "?",
    ":",
    ",",
    "'a'",
    "\"b\"",
    "1",
    "2.5",
    "0x1F",
    "-",
    "+",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "&&",
    "||",
    "!",
    "in",
    "has",
    "all",
    "map",
    "size",
    "x",
    ".?",
    "[?",
    "null",
    "true",
    "b'\\xff'",
    "'",
];
