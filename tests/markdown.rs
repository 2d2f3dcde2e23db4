//! Manifests inside Markdown: places, fixes, what is chosen, what is left alone.

mod programs;

use programs::lines::BROKEN;
use programs::{Run, folder, json, run_with};
use proptest::prelude::*;
use sandbox_lint::input::{Source, markdown};
use std::fs;
use std::time::{Duration, Instant};

/// A text with something before each line, blank lines without trailing blanks.
fn prefixed(prefix: &str, text: &str) -> String {
    text.lines().map(|line| format!("{prefix}{line}\n")).collect()
}

fn fence(prefix: &str, info: &str, body: &str) -> String {
    prefixed(prefix, &format!("```{info}\n{body}```\n"))
}

fn check(file: &str, text: &str, more: &[&str]) -> Run {
    let root = folder(&[(file, text)]);
    let arguments = [&["check", "--isolated", "--format", "json"], more, &[file]].concat();
    run_with(root.path(), &arguments, &[], "")
}

/// Code, line and column of each finding.
fn found(text: &str) -> Vec<(String, u64, u64)> {
    let shown = json(&check("page.md", text, &[]));
    let findings = shown["findings"].as_array().unwrap().iter();
    let place = |one: &serde_json::Value, key: &str| one["start"][key].as_u64().unwrap();
    findings.map(|one| (one["code"].as_str().unwrap().to_owned(), place(one, "line"), place(one, "column"))).collect()
}

fn as_yaml() -> Vec<(String, u64, u64)> {
    let shown = json(&check("web.yaml", BROKEN, &[]));
    let findings = shown["findings"].as_array().unwrap().iter();
    let place = |one: &serde_json::Value, key: &str| one["start"][key].as_u64().unwrap();
    findings.map(|one| (one["code"].as_str().unwrap().to_owned(), place(one, "line"), place(one, "column"))).collect()
}

fn moved(lines: u64, columns: u64) -> Vec<(String, u64, u64)> {
    let all = as_yaml();
    assert!(all.iter().any(|one| one.0 == "SB302"), "{all:?}");
    all.into_iter().map(|(code, line, column)| (code, line + lines, column + columns)).collect()
}

#[test]
fn places_are_those_of_the_page() {
    for (text, lines, columns) in [
        (format!("# Déjà vu 😀\n\n{}", fence("", "yaml", BROKEN)), 3, 0),
        (format!("1. Step\n\n{}", fence("   ", "yml title=\"web.yml\"", BROKEN)), 3, 3),
        (format!("{}text\n", fence("> ", "YAML", BROKEN)), 1, 2),
        (format!("> - x\n{}", fence(">   ", "{.yaml .numbered}", BROKEN)), 2, 4),
        (format!("~~~yaml{{1,3}}\n{BROKEN}~~~\n```\n"), 1, 0),
        (format!("```yaml\n{BROKEN}"), 1, 0),
        (format!("=== \"Tab\"\n\n{}", fence("    ", "yaml", BROKEN)), 3, 4),
        (format!("```sh\n$ kubectl apply -f - <<'EOF'\n{BROKEN}EOF\n```\n"), 2, 0),
        (format!("```console\n$ cat <<EOF | kubectl create -n web -f -\n{}> EOF\n```\n", prefixed("> ", BROKEN)), 2, 2),
        (
            format!("- x\n{}", prefixed("  ", &format!("```bash\nkubectl \\\n  apply -f- <<-\"E\"\n{BROKEN}E\n```\n"))),
            4,
            2,
        ),
    ] {
        assert_eq!(found(&text), moved(lines, columns), "{text}");
    }
}

#[test]
fn json_and_several_documents_are_read() {
    let tree: serde_json::Value = serde_yaml::from_str(BROKEN).unwrap();
    let codes = |text: &str| found(text).into_iter().map(|one| one.0).collect::<Vec<_>>();
    let wanted: Vec<String> = as_yaml().into_iter().map(|one| one.0).collect();
    assert_eq!(codes(&fence("", "json", &format!("{tree:#}\n"))), wanted);
    let config = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\n";
    let text = format!("- x\n\n{}", fence("  ", "yaml", &format!("{config}---\n{BROKEN}")));
    assert_eq!(found(&text), moved(7, 2));
}

#[test]
fn references_count_across_blocks() {
    let head = "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind:";
    let claim =
        |pool: &str| format!("{head} SandboxClaim\nmetadata: {{name: c}}\nspec: {{warmPoolRef: {{name: {pool}}}}}\n");
    let pool = format!(
        "{head} SandboxWarmPool\nmetadata: {{name: web}}\nspec: {{replicas: 1, sandboxTemplateRef: {{name: web}}}}\n"
    );
    let codes = |claimed: &str| {
        let all = found(&format!("{}\ntext\n\n{}", fence("", "yaml", &pool), fence("", "yaml", &claim(claimed))));
        all.into_iter().map(|one| one.0).collect::<Vec<_>>()
    };
    assert!(codes("webb").contains(&"SB602".to_owned()), "{:?}", codes("webb"));
    assert!(!codes("web").contains(&"SB602".to_owned()), "{:?}", codes("web"));
}

#[test]
fn what_is_no_manifest_is_no_finding() {
    for text in [
        "# Sandbox\n\nagents.x-k8s.io and kind: Sandbox in prose\n",
        "```yaml\nreplicas: 3\n```\n",
        "```yaml\nkind: [\n```\n\nSandbox\n",
        "```python\nkind: Sandbox\n```\n",
        "```yaml\n```\n",
        "```sh\nkubectl get sandbox <<EOF\nkind: Sandbox\nEOF\n```\n",
        "<!--\n```yaml\napiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\n```\n-->\n",
        "",
    ] {
        assert_eq!(found(text), [], "{text}");
        let shown = run_with(folder(&[("page.md", text)]).path(), &["predict", "page.md"], &[], "");
        assert_eq!(shown.code, 0, "{text}: {}{}", shown.out, shown.err);
    }
}

#[test]
fn a_comment_excludes_a_block() {
    let block = fence("", "yaml", BROKEN);
    for comment in [
        "<!-- sandbox-lint: ignore -->",
        "<!--sandbox-lint: ignore -- shows a mistake-->",
        "{/* sandbox-lint: ignore */}",
        "<!-- sandbox-lint: ignore -->\n",
    ] {
        assert_eq!(found(&format!("{comment}\n{block}")), [], "{comment}");
        assert_eq!(found(&format!("{comment}\n{block}\n{block}")).len(), as_yaml().len(), "{comment}");
    }
    assert_eq!(found(&format!("> <!-- sandbox-lint: ignore -->\n{}", fence("> ", "yaml", BROKEN))), []);
    assert_eq!(found(&format!("<!-- note -->\n{block}")).len(), as_yaml().len());
    let silenced = fence("  ", "yaml", &format!("# sandbox-lint: ignore-file -- shows a mistake\n{BROKEN}"));
    let shown = json(&check("page.md", &format!("- x\n\n{silenced}"), &[]));
    assert_eq!(shown["summary"]["errors"], 0, "{shown:#}");
}

#[test]
fn what_a_shell_fills_in_is_not_judged() {
    let heredoc = |word: &str, name: &str| {
        let body = BROKEN.replace("1h", name);
        format!("```sh\nkubectl apply -f - <<{word}\n{body}EOF\n```\n")
    };
    for (text, judged) in [
        (heredoc("EOF", "$NAME"), false),
        (heredoc("EOF", "$(hostname)"), false),
        (heredoc("EOF", "${NAME}"), true),
        (heredoc("'EOF'", "$NAME"), true),
    ] {
        let shown = json(&check("page.md", &text, &[]));
        assert_eq!(shown["findings"].as_array().unwrap().iter().any(|one| one["code"] == "SB302"), judged, "{text}");
        let said = shown["skipped"].as_array().unwrap().iter().any(|one| one["reason"] == "placeholder");
        assert_eq!(said, !text.contains("'EOF'"), "{shown:#}");
    }
}

/// A fix gives the page with the block that the fix of the block alone gives.
#[test]
fn fixes_keep_what_stands_before_the_lines() {
    let fix = |name: &str, text: &str| {
        let root = folder(&[(name, text)]);
        let run = run_with(root.path(), &["check", "--isolated", "--fix", "--unsafe-fixes", name], &[], "");
        assert!(run.err.contains("applied"), "{}{}", run.out, run.err);
        fs::read_to_string(root.path().join(name)).unwrap()
    };
    let fixed = fix("web.yaml", BROKEN);
    assert!(fixed.lines().count() > BROKEN.lines().count());
    let pages: [fn(&str) -> String; 6] = [
        |body| format!("# é\n\n{}", fence("", "yaml", body)),
        |body| format!("1. Step\n\n{}\n   text\n", fence("   ", "yaml", body)),
        |body| format!("{}\nafter\n", fence("> ", "yaml", body)),
        |body| format!("- x\n{}", fence("\t", "yaml", body)),
        |body| format!("> 1. a\n{}", fence(">    ", "yaml", &format!("kind: ConfigMap\napiVersion: v1\n---\n{body}"))),
        |body| format!("```sh\ncat <<-EOF | kubectl apply -f -\n{}EOF\n```\n", prefixed("\t", body)),
    ];
    for page in pages {
        assert_eq!(fix("page.md", &page(BROKEN)), page(&fixed));
        let windows = |text: &str| page(text).replace('\n', "\r\n");
        assert_eq!(fix("page.md", &windows(BROKEN)), windows(&fixed));
    }
}

#[test]
fn pages_are_searched_for_where_that_is_wanted() {
    let page = fence("", "yaml", BROKEN);
    let files = [("docs/page.md", page.as_str()), ("docs/page.mdx", &page), ("docs/page.txt", &page)];
    let root = folder(&files);
    let count = |arguments: &[&str]| {
        let arguments = [&["check", "--format", "json"], arguments].concat();
        let shown = json(&run_with(root.path(), &arguments, &[], ""));
        shown["summary"]["files"].as_u64().unwrap()
    };
    assert_eq!((count(&["docs"]), count(&["--markdown", "docs"]), count(&["docs/page.md"])), (0, 2, 1));
    fs::write(root.path().join("docs/.sandbox-lint.yaml"), "markdown: true\n").unwrap();
    assert_eq!((count(&["."]), count(&["--isolated", "."])), (2, 0));
    let run = run_with(root.path(), &["check", "--format", "json", "--stdin-filename", "x.md", "-"], &[], &page);
    assert_eq!(json(&run)["findings"].as_array().unwrap().len(), as_yaml().len());
}

fn masked(text: &str) -> String {
    let source = Source::explicit("page.md", text.as_bytes().to_vec());
    markdown::manifests(&source).0.as_str().to_owned()
}

#[test]
fn hostile_pages_take_linear_time() {
    let size = 10 << 20;
    for piece in [
        "```yaml\n",
        "```yaml\na: 1\n```\n",
        "> ",
        "- ",
        "~~~sh\nkubectl apply -f - <<E\n",
        "`",
        "[",
        "    ```yaml\n",
        "<!--\n",
        "\n> ```\n",
        "1. ```yaml\n",
        "*_",
    ] {
        let text = piece.repeat(size / piece.len() / 10);
        let start = Instant::now();
        let long = masked(&text).len();
        let taken = start.elapsed();
        assert_eq!(long, text.len());
        assert!(taken < Duration::from_secs(20), "{piece:?}: {taken:?}");
    }
}

fn page() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "```yaml\n",
        "```\n",
        "~~~\n",
        "~~~sh\n",
        "kubectl apply -f - <<EOF\n",
        "EOF\n",
        "> ",
        "- ",
        "1. ",
        "   ",
        "\t",
        "---\n",
        "...\n",
        "a: é\n",
        "kind: Sandbox\n",
        "\r\n",
        "\n",
        "\r",
        "😀",
        "<!-- sandbox-lint: ignore -->\n",
        "\u{85}",
        "    ```yaml\n",
        "{\"a\": 1}\n",
        "`",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn masking_keeps_the_length_and_the_lines(text in page()) {
        let masked = masked(&text);
        prop_assert_eq!(masked.len(), text.len());
        let breaks = |text: &str| text.bytes().enumerate().filter(|one| matches!(one.1, b'\n' | b'\r')).collect::<Vec<_>>();
        prop_assert_eq!(breaks(&masked), breaks(&text));
        let source = Source::explicit("page.md", text.clone().into_bytes());
        for block in markdown::manifests(&source).1.unwrap() {
            prop_assert!(text.get(block.span.range()).is_some());
        }
    }

    #[test]
    fn any_page_is_judged(text in page()) {
        let world = sandbox_lint::cluster::World::assumed();
        sandbox_lint::linter::Linter::new(world).check(vec![Source::explicit("page.md", text.into_bytes())]);
    }
}
