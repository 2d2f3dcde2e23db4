//! Comments that silence findings: where they work, and what they say of themselves.

use sandbox_lint::finding::{Finding, Findings, Silencer, Spot};
use sandbox_lint::rule::{INVALID_TTL, MISSING_TOLERATION};
use sandbox_lint::suppress::Suppressions;
use sandbox_lint::yaml::{Documents, Options, Span};

/// Every `bad` of the text is a finding of SB302, every `worse` one of SB404.
fn check(text: &str) -> Vec<Finding> {
    let mut documents = Documents::new(text, &Options::default());
    let mut suppressions = Suppressions::default();
    let mut findings = Vec::new();
    while let Some(document) = documents.next() {
        let loose = documents.take_loose_comments();
        suppressions.read(0, text, &document, &loose, &["pinned-images"]);
        let mut out = Findings::new(0, Some(document.index), None);
        for (word, rule) in [("bad", &MISSING_TOLERATION), ("worse", &INVALID_TTL)] {
            let body = &text[document.span.range()];
            for (at, _) in body.match_indices(word) {
                let start = document.span.start + at as u32;
                out.add(rule, Spot::new(Span::new(start, start + word.len() as u32), ""), word);
            }
        }
        findings.append(&mut out.list);
    }
    suppressions.apply(&mut findings);
    findings
}

/// `line:code` of what is still reported.
fn shown(text: &str) -> Vec<String> {
    let mut shown: Vec<_> = check(text).into_iter().filter(|finding| finding.suppressed.is_none()).collect();
    shown.sort_by_key(|finding| finding.spot.span.start);
    let line = |finding: &Finding| text[..finding.spot.span.start as usize].matches('\n').count() + 1;
    shown.iter().map(|finding| format!("{}:{}", line(finding), finding.rule.code)).collect()
}

fn message(text: &str, code: &str) -> String {
    let findings = check(text);
    findings.into_iter().find(|finding| finding.rule.code == code).map(|finding| finding.message).unwrap_or_default()
}

#[test]
fn on_the_line_and_on_the_line_above() {
    for (text, expected) in [
        ("a: bad # sandbox-lint: ignore[SB302]\nb: bad\n", &["2:SB302"][..]),
        ("# sandbox-lint: ignore[SB302]\na: bad\nb: bad\n", &["3:SB302"]),
        ("a: worse # sandbox-lint: ignore[SB302]\n", &["1:SB404", "1:SB901"]),
        ("# sandbox-lint: ignore[SB302]\n# why\na: bad\n", &[]),
        ("# sandbox-lint: ignore[SB302]\n\na: bad\n", &["1:SB901", "3:SB302"]),
        ("b: bad\n# sandbox-lint: ignore[SB302]\n", &["1:SB302", "2:SB901"]),
        ("a: bad # because # sandbox-lint: ignore[SB302]\n", &[]),
        ("a: bad # see sandbox-lint: ignore[SB302]\n", &["1:SB302"]),
        ("a: bad #sandbox-lint:ignore[SB302]\n", &[]),
        ("a: bad # sandbox-lint: ignore[SB302]\r\nb: bad\r\n", &["2:SB302"]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn rules_are_named_by_code_name_beginning_or_not_at_all() {
    for (words, silent) in [
        ("[SB302]", true),
        ("[sb302]", true),
        ("[missing-toleration]", true),
        ("[SB3]", true),
        ("[SB404, SB302]", true),
        ("[ SB302 ]", true),
        ("[all]", true),
        ("", true),
        ("[SB4]", false),
    ] {
        let text = format!("a: bad # sandbox-lint: ignore{words}\n");
        assert_eq!(!shown(&text).contains(&"1:SB302".to_owned()), silent, "{text}");
    }
}

#[test]
fn the_reason_and_the_place_are_kept() {
    for tail in [" -- the node is cordoned", " the node is cordoned"] {
        let text = format!("a: bad # sandbox-lint: ignore[SB302]{tail}\n");
        let suppressed = check(&text)[0].suppressed.clone().expect("silenced");
        assert_eq!(suppressed.by, Silencer::Comment);
        assert_eq!(suppressed.reason.as_deref(), Some("the node is cordoned"));
        assert!(text[suppressed.span.expect("a comment").range()].starts_with("# sandbox-lint"));
    }
    let text = "a: bad # sandbox-lint: ignore -- legacy\n";
    assert_eq!(check(text)[0].suppressed.clone().and_then(|by| by.reason).as_deref(), Some("legacy"));
}

#[test]
fn a_key_covers_all_below_it() {
    for (text, expected) in [
        ("a: # sandbox-lint: ignore[SB302]\n  b: bad\n  c:\n    - bad\nd: bad\n", &["5:SB302"][..]),
        ("# sandbox-lint: ignore[SB302]\na:\n  b: bad\n  c: [bad]\nd: bad\n", &["5:SB302"]),
        ("a:\n  # sandbox-lint: ignore[SB302]\n  b:\n    c: bad\n  d: bad\n", &["5:SB302"]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn in_a_list_the_line_above_covers_the_item_and_the_line_its_first_key() {
    for (text, expected) in [
        ("l:\n  # sandbox-lint: ignore[SB302]\n  - a: bad\n    b: bad\n  - a: bad\n", &["5:SB302"][..]),
        ("l:\n  - a: bad # sandbox-lint: ignore[SB302]\n    b: bad\n", &["3:SB302"]),
        ("l:\n  - bad # sandbox-lint: ignore[SB302]\n  - bad\n", &["3:SB302"]),
        ("l: # sandbox-lint: ignore[SB302]\n- bad\n- a: bad\n", &[]),
        ("l:\n  - # sandbox-lint: ignore[SB302]\n    a: bad\n", &["2:SB901", "3:SB302"]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn in_flow_style_the_line_counts_and_the_keys_that_begin_on_it() {
    for (text, expected) in [
        ("a: {b: bad, c: bad} # sandbox-lint: ignore[SB302]\n", &[][..]),
        ("a: { # sandbox-lint: ignore[SB302]\n  b: bad }\n", &[]),
        ("a: {\n  b: bad, # sandbox-lint: ignore[SB302]\n  c: bad }\n", &["3:SB302"]),
        ("a: [\n  # sandbox-lint: ignore[SB302]\n  bad,\n  bad ]\n", &["4:SB302"]),
        ("a: {\n  b: bad\n} # sandbox-lint: ignore[SB302]\n", &["2:SB302", "3:SB901"]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn multi_line_texts_take_a_comment_above_at_the_header_or_behind_the_end() {
    for (text, expected) in [
        ("a: | # sandbox-lint: ignore[SB302]\n  bad\n  more\n", &[][..]),
        ("# sandbox-lint: ignore[SB302]\na: |\n  bad\nb: bad\n", &["4:SB302"]),
        ("a: |\n  bad # sandbox-lint: ignore[SB302]\n", &["2:SB302"]),
        ("a: \"bad\n  more\" # sandbox-lint: ignore[SB302]\n", &[]),
        ("a: 'x # sandbox-lint: ignore[SB302]\n  bad'\n", &["2:SB302"]),
        ("a: bad\n  more # sandbox-lint: ignore[SB302]\n", &[]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn a_document_is_silenced_from_its_top() {
    for (text, expected) in [
        ("# sandbox-lint: ignore-file[SB302]\na: bad\nb: {c: bad}\n---\na: bad\n", &["5:SB302"][..]),
        ("# sandbox-lint: ignore-file\na: bad\nb: worse\n", &[]),
        ("# sandbox-lint: ignore-file[SB302]\n---\na: bad\n---\na: bad\n", &["5:SB302"]),
        ("a: bad\n--- # sandbox-lint: ignore-file[SB302]\na: bad\n", &["1:SB302"]),
        ("a: bad\n---\n# sandbox-lint: ignore-file[SB302]\na: bad\n", &["1:SB302"]),
        ("a: 1\n# sandbox-lint: ignore-file[SB302]\nb: bad\n", &["2:SB904", "3:SB302"]),
        ("# sandbox-lint: ignore-file[SB302]\na: fine\n", &["1:SB901"]),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn an_alias_is_silenced_where_it_is_written() {
    let text = "a: &x bad\nb: *x # sandbox-lint: ignore[SB302]\n";
    assert_eq!(shown(text), ["1:SB302", "2:SB901"], "the text of the alias stands on line 1");
}

#[test]
fn a_document_that_kubectl_refuses_still_has_its_comments() {
    assert_eq!(shown("a: bad # sandbox-lint: ignore[SB302]\nb: [1\n"), [""; 0]);
}

#[test]
fn what_silences_nothing_is_said_and_can_be_removed() {
    assert_eq!(
        message("a: 1 # sandbox-lint: ignore[SB302]\n", "SB901"),
        "this comment silences nothing: no finding of SB302 here"
    );
    assert_eq!(message("a: bad # sandbox-lint: ignore[SB302, SB404]\n", "SB901"), "SB404 silences nothing here");
    for (text, rest) in [
        ("a: 1 # sandbox-lint: ignore[SB302]\nb: 2\n", "a: 1\nb: 2\n"),
        ("a: 1\n  # sandbox-lint: ignore[SB302]\nb: 2\n", "a: 1\nb: 2\n"),
    ] {
        let fix = check(text)[0].fix.clone().expect("can be removed");
        let edit = &fix.edits[0];
        let after = format!("{}{}{}", &text[..edit.span.start as usize], edit.text, &text[edit.span.end as usize..]);
        assert_eq!(after, rest);
    }
}

#[test]
fn a_word_that_is_no_rule_is_said_with_the_nearest() {
    assert_eq!(
        message("a: bad # sandbox-lint: ignore[missing-tolerations]\n", "SB902"),
        "no rule is called `missing-tolerations`, did you mean `missing-toleration`?; `sandbox-lint rules` lists them all"
    );
    assert_eq!(shown("a: 1 # sandbox-lint: ignore[nonsense]\n"), ["1:SB902"], "and not unused as well");
    assert_eq!(shown("a: 1 # sandbox-lint: ignore[pinned-images]\n"), ["1:SB901"], "a house rule is known");
}

#[test]
fn what_cannot_be_read_is_said() {
    for words in ["ignore SB302", "ignore[SB302", "ignor[SB302]", "ignore[]", "disable", ""] {
        let text = format!("a: bad # sandbox-lint: {words}\n");
        assert_eq!(shown(&text), ["1:SB302", "1:SB904"], "{text}");
    }
}

#[test]
fn findings_about_comments_can_be_silenced_too() {
    let text = "# sandbox-lint: ignore-file[SB901]\na: 1 # sandbox-lint: ignore[SB302]\n";
    assert_eq!(shown(text), [""; 0]);
}

#[test]
fn json_has_no_comments() {
    assert_eq!(shown("{\"a\": \"bad # sandbox-lint: ignore[SB302]\"}\n"), ["1:SB302"]);
}

#[test]
fn many_comments_stay_fast() {
    let text: String = (0..3000).map(|n| format!("k{n}: bad # sandbox-lint: ignore[SB302]\n")).collect();
    let before = std::time::Instant::now();
    assert_eq!(shown(&text), [""; 0]);
    assert!(before.elapsed().as_secs() < 20);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..proptest::prelude::ProptestConfig::default() })]

    #[test]
    fn any_comment_is_read_or_said_to_be_unreadable(parts in proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 0..16)) {
        check(&parts.concat());
    }
}

const PARTS: [&str; 22] = [
    "# sandbox-lint: ",
    "sandbox-lint:",
    "ignore",
    "ignore-file",
    "[",
    "]",
    "SB302",
    ",",
    " -- ",
    "ü",
    "\r\n",
    "\n",
    "a: bad",
    "- ",
    "  ",
    "#",
    "---\n",
    "|\n",
    "\"",
    "{",
    "}",
    "\u{85}",
];
