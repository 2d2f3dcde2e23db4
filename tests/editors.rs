//! Every snippet of `docs/editors.md`, in the editor itself where it is installed.

mod programs;

use programs::lines::{BROKEN, CLEAN, MIXED, Row, mixed, output_of, rows_matched, rows_of_json, snippet, sorted};
use programs::{binary, command, folder, printed, program};
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The call of an editor: the text on standard input, the name of the file beside it.
fn editor_call(root: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = command(binary(), root)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A run that does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const EDITOR: [&str; 7] = ["check", "--quiet", "--stdin-filename", "deploy/web.yaml", "--format", "json", "-"];

#[test]
fn an_editor_gets_the_configuration_of_the_folder_of_its_file() {
    let root = folder(&[("deploy/.sandbox-lint.yaml", "ignore: [SB302]\n")]);
    let (code, out, err) = editor_call(root.path(), &EDITOR, BROKEN);
    let rows = rows_of_json(&out);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(rows.iter().all(|row| row.0 == "deploy/web.yaml" && row.4 != "SB302") && !rows.is_empty(), "{rows:?}");
    let elsewhere = EDITOR.map(|word| if word == "deploy/web.yaml" { "web.yaml" } else { word });
    let rows = rows_of_json(&editor_call(root.path(), &elsewhere, BROKEN).1);
    assert!(rows.iter().any(|row| row.4 == "SB302"), "{rows:?}");
}

#[test]
fn an_editor_gets_json_whatever_it_sends() {
    let root = folder(&[("deploy/x", "")]);
    for input in ["", "\n", "a: [\n", "kind: Sandbox\n\tx: 1\n", "# only a comment\n", "{{ if }}\n", CLEAN] {
        let (code, out, err) = editor_call(root.path(), &EDITOR, input);
        assert!(code.is_some_and(|code| code < 2), "{input:?}: {err}");
        rows_of_json(&out);
    }
    let excluded = [&["check", "--force-exclude", "--exclude", "deploy"], &EDITOR[1..]].concat();
    let (code, out, err) = editor_call(root.path(), &excluded, BROKEN);
    assert_eq!((code, rows_of_json(&out).len(), err.as_str()), (Some(0), 0, ""));
}

#[test]
fn the_tasks_of_vs_code_match_every_line() {
    let root = mixed();
    let tasks: Value = serde_json::from_str(&snippet("docs/editors.md", "json", "problemMatcher")).unwrap();
    let task = &tasks["tasks"][0];
    assert_eq!(task["command"], "sandbox-lint");
    let arguments: Vec<&str> = task["args"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let concise = output_of(root.path(), &arguments);
    let wanted = rows_of_json(&output_of(root.path(), &["--format", "json"]));
    let matchers = task["problemMatcher"].as_array().unwrap();
    let rows = matchers.iter().flat_map(|matcher| rows_matched(matcher, &concise)).collect();
    assert_eq!(sorted(rows), sorted(wanted));
}

#[test]
fn the_errorformat_of_vim_reads_the_concise_format() {
    let Some(vim) = program("vim") else { return };
    let root = mixed();
    let settings = snippet("docs/editors.md", "vim", "errorformat");
    assert!(settings.contains("makeprg=sandbox-lint"), "{settings}");
    let script = format!(
        "{settings}\nsilent make .\ncall writefile(map(getqflist(), {{_, q -> json_encode([bufname(q.bufnr), q.lnum, q.col, q.type, q.text])}}), 'rows')\nqall!\n"
    );
    fs::write(root.path().join("script.vim"), script).unwrap();
    let mut run = command(vim, root.path());
    run.args(["-Nu", "NONE", "-es", "-S", "script.vim"]).stdin(Stdio::null()).output().unwrap();
    let rows = fs::read_to_string(root.path().join("rows")).unwrap();
    let rows: Vec<(String, u64, u64, String, String)> =
        rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wanted: Vec<(String, u64, u64, String, String)> = rows_of_json(&output_of(root.path(), &["--format", "json"]))
        .into_iter()
        .map(|(file, line, column, severity, code, message)| {
            (file, line, column, severity[..1].to_owned(), format!("[{code}] {message}"))
        })
        .collect();
    assert_eq!(rows, wanted);
}

#[test]
fn efm_reads_the_concise_format() {
    let config: serde_yaml::Value = serde_yaml::from_str(&snippet("docs/editors.md", "yaml", "lint-source")).unwrap();
    let tool = &config["languages"]["yaml"][0];
    let root = folder(&[("web.yaml", "")]);
    let line = tool["lint-command"].as_str().unwrap().replace("${INPUT}", "web.yaml");
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], "sandbox-lint");
    let (_, out, _) = editor_call(root.path(), &words[1..], MIXED);
    let formats: Vec<Regex> = (tool["lint-formats"].as_sequence().unwrap().iter())
        .map(|format| Regex::new(&regex_of_errorformat(format.as_str().unwrap())).unwrap())
        .collect();
    let read: Vec<[String; 4]> = out
        .lines()
        .map(|line| {
            let captures = formats.iter().find_map(|format| format.captures(line)).unwrap_or_else(|| panic!("{line}"));
            ["f", "l", "c", "t"].map(|name| captures[name].to_owned())
        })
        .collect();
    let json = EDITOR.map(|word| if word == "deploy/web.yaml" { "web.yaml" } else { word });
    let wanted: Vec<[String; 4]> = rows_of_json(&editor_call(root.path(), &json, MIXED).1)
        .into_iter()
        .map(|row| [row.0, row.1.to_string(), row.2.to_string(), row.3[..1].to_owned()])
        .collect();
    assert_eq!(read, wanted);
}

/// What an errorformat means, for the few items that the page uses.
fn regex_of_errorformat(format: &str) -> String {
    let mut pattern = regex::escape(format);
    for (item, meaning) in [
        ("%f", "(?P<f>.+?)"),
        ("%l", "(?P<l>[0-9]+)"),
        ("%c", "(?P<c>[0-9]+)"),
        ("%t", "(?P<t>[a-z])"),
        ("%m", "(?P<m>.+)"),
    ] {
        pattern = pattern.replace(item, meaning);
    }
    format!("^{pattern}$")
}

#[test]
fn flycheck_reads_the_concise_format() {
    let checker = snippet("docs/editors.md", "elisp", "flycheck-define-checker");
    let (_, rest) = checker.split_once(":command (").unwrap();
    let (arguments, _) = rest.split_once(')').unwrap();
    let arguments = arguments.replace("source-original", "\"web.yaml\"");
    let words: Vec<&str> = arguments.split('"').skip(1).step_by(2).collect();
    assert_eq!(words[0], "sandbox-lint");
    let root = folder(&[("web.yaml", "")]);
    let (_, out, _) = editor_call(root.path(), &words[1..], MIXED);
    let pattern = Regex::new("^web.yaml:[0-9]+:[0-9]+: (error|warning|note)\\[[[:alnum:]]+\\] .+$").unwrap();
    assert!(out.lines().count() > 2 && out.lines().all(|line| pattern.is_match(line)), "{out}");
    for severity in ["error", "warning", "note"] {
        assert!(checker.contains(&format!("\": {severity}[\" (id (one-or-more alnum)) \"] \"")), "{severity}");
    }
}

#[test]
fn emacs_reads_the_checker_and_flycheck_its_patterns() {
    let Some(emacs) = program("emacs") else { return };
    let root = mixed();
    let checker = snippet("docs/editors.md", "elisp", "flycheck-define-checker");
    let script = format!(
        "(condition-case nil (require 'flycheck) (error (princ \"no flycheck\") (kill-emacs 0)))\n{checker}\n\
         (princ (json-encode (mapcar (lambda (e) (vector (flycheck-error-filename e) (flycheck-error-line e) (flycheck-error-column e) \
         (symbol-name (flycheck-error-level e)) (flycheck-error-id e) (flycheck-error-message e))) \
         (flycheck-parse-with-patterns (shell-command-to-string \"sandbox-lint check --format concise\") 'sandbox-lint (current-buffer)))))\n"
    );
    fs::write(root.path().join("script.el"), script).unwrap();
    let output = command(emacs, root.path())
        .args(["--batch", "--eval", "(package-initialize)", "--eval", "(require 'json)", "-l", "script.el"])
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout.clone()).unwrap();
    if shown == "no flycheck" {
        assert!(!programs::all_wanted(), "Emacs has no flycheck");
        return programs::say("not tested: Emacs has no flycheck");
    }
    let rows: Vec<Row> = serde_json::from_str(&shown).unwrap_or_else(|_| panic!("{}", printed(&output)));
    let rows: Vec<Row> =
        rows.into_iter().map(|row| (row.0, row.1, row.2, row.3.replace("info", "note"), row.4, row.5)).collect();
    let file_name = |row: Row| (row.0.rsplit('/').next().unwrap().to_owned(), row.1, row.2, row.3, row.4, row.5);
    let wanted = rows_of_json(&output_of(root.path(), &["--format", "json"]));
    assert_eq!(sorted(rows.into_iter().map(file_name).collect()), sorted(wanted.into_iter().map(file_name).collect()));
}

#[test]
fn the_linter_of_neovim_reads_the_json_format() {
    let Some(nvim) = program("nvim") else { return };
    let wide = MIXED
        .replace("  name: web", "  name: web # 😀é")
        .replace("imagePullPolicy: S", "? \"é\"\n          : x\n          imagePullPolicy: S");
    let root = folder(&[("deploy/web.yaml", wide.as_str())]);
    fs::write(root.path().join("linter.lua"), snippet("docs/editors.md", "lua", "sandbox_lint")).unwrap();
    let script = r#"
        local lint = {linters = {}, linters_by_ft = {}}
        package.loaded.lint = lint
        dofile("linter.lua")
        vim.cmd("edit deploy/web.yaml")
        local linter = lint.linters[lint.linters_by_ft.yaml[1]]
        local words = {linter.cmd}
        for _, word in ipairs(linter.args) do
          table.insert(words, type(word) == "function" and word() or word)
        end
        local buffer = vim.api.nvim_get_current_buf()
        local input = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
        local output = vim.fn.system(words, input)
        local file = io.open("rows", "w")
        for _, one in ipairs(linter.parser(output, buffer)) do
          local line = vim.api.nvim_buf_get_lines(buffer, one.lnum, one.lnum + 1, false)[1]
          local last = vim.api.nvim_buf_get_lines(buffer, one.end_lnum, one.end_lnum + 1, false)[1] or ""
          file:write(vim.json.encode({one.lnum + 1, vim.fn.strchars(line:sub(1, one.col)) + 1,
            one.end_lnum + 1, vim.fn.strchars(last:sub(1, one.end_col)) + 1, one.severity, one.code, one.message}) .. "\n")
        end
        file:close()
        vim.cmd("qall!")
    "#;
    fs::write(root.path().join("script.lua"), script).unwrap();
    let output = command(nvim, root.path())
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile script.lua"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let rows = fs::read_to_string(root.path().join("rows")).unwrap_or_else(|_| panic!("{}", printed(&output)));
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let json: Value = serde_json::from_str(&output_of(root.path(), &["--format", "json"])).unwrap();
    let levels = ["error", "warning", "note"];
    let wanted: Vec<Value> = (json["findings"].as_array().unwrap().iter())
        .map(|one| {
            let (start, end) = (&one["start"], &one["end"]);
            let level = levels.iter().position(|level| one["severity"] == *level).unwrap() + 1;
            serde_json::json!([
                start["line"],
                start["column"],
                end["line"],
                end["column"],
                level,
                one["code"],
                one["message"]
            ])
        })
        .collect();
    assert!(wanted.len() > 3);
    assert_eq!(rows, wanted);
}
