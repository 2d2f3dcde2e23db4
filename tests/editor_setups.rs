//! The set-ups under `editors/`: what can be checked without the editors, and in those that are installed.
#![cfg(feature = "lsp")]

mod programs;

use programs::lines::{BROKEN, snippet};
use programs::{command, folder, printed, program, repository, run_with, text};
use serde_json::{Value, json};
use std::fs;
use std::process::Stdio;

fn parsed(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What starts the server in each of the set-ups.
const SERVER: [&str; 2] = ["sandbox-lint", "lsp"];

#[test]
fn the_command_that_they_start_is_there() {
    let run = run_with(folder(&[]).path(), &["lsp", "--help"], &[], "");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn the_tasks_of_vs_code_are_those_of_the_page() {
    let page: Value = serde_json::from_str(&snippet("docs/editors.md", "json", "problemMatcher")).unwrap();
    assert_eq!(parsed("editors/vscode/tasks.json"), page);
}

/// Schemas stand where the page has them written, and the files of the repository exist as commands print them.
#[test]
fn schemas_are_named_as_the_pages_print_them() {
    let pages = text("docs/editors.md") + &text("docs/schemas.md");
    for (file, schemas) in [
        ("editors/vscode/settings.json", &parsed("editors/vscode/settings.json")["yaml.schemas"]),
        (
            "editors/yaml-language-server/settings.json",
            &parsed("editors/yaml-language-server/settings.json")["yaml"]["schemas"],
        ),
    ] {
        let names: Vec<&str> =
            schemas.as_object().unwrap().keys().map(|name| name.rsplit('/').next().unwrap()).collect();
        assert_eq!(names.len(), 2, "{file}");
        for name in names {
            assert!(pages.contains(&format!("{name}\n")) || pages.contains(&format!("{name}`")), "{file}: {name}");
        }
    }
}

#[test]
fn the_extension_of_vs_code_starts_the_server() {
    let package = parsed("editors/vscode-extension/package.json");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let settings = package["contributes"]["configuration"]["properties"].as_object().unwrap();
    for name in ["sandbox-lint.path", "sandbox-lint.arguments"] {
        // A folder that is opened must not choose what runs.
        assert_eq!(settings[name]["scope"], "machine", "{name}");
    }
    let Some(node) = program("node") else { return };
    let root = folder(&[
        ("node_modules/vscode/index.js", VSCODE),
        ("node_modules/vscode-languageclient/node.js", CLIENT),
        (
            "run.js",
            "const log = []; global.log = log;\nconst extension = require('./extension.js');\nconst context = {subscriptions: []};\nextension.activate(context).then(async () => {\n  await global.restart();\n  await extension.deactivate();\n  console.log(JSON.stringify({log, subscriptions: context.subscriptions.length}));\n});\n",
        ),
    ]);
    fs::copy(repository("editors/vscode-extension/extension.js"), root.path().join("extension.js")).unwrap();
    let output = command(node, root.path()).arg("run.js").output().unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", printed(&output)));
    let start = json!({"command": "sandbox-lint", "args": ["lsp", "--ignore", "SB7"], "transport": 0});
    assert_eq!(shown["log"], json!([["start", start], ["stop"], ["start", start], ["stop"]]));
    assert_eq!(shown["subscriptions"], 2);
}

/// What the extension uses of the editor.
const VSCODE: &str = "const settings = {path: '', arguments: ['--ignore', 'SB7']};
exports.workspace = {
  getConfiguration: () => ({get: (name) => settings[name]}),
  onDidChangeConfiguration: () => ({}),
};
exports.commands = {registerCommand: (name, run) => { global.restart = run; return {}; }};
exports.window = {showErrorMessage: (text) => log.push(['error', text])};
";
const CLIENT: &str = "exports.TransportKind = {stdio: 0};
exports.LanguageClient = class {
  constructor(id, name, server) { this.server = server; }
  async start() { log.push(['start', this.server]); }
  async stop() { log.push(['stop']); }
};
";

#[test]
fn each_set_up_starts_the_server() {
    let quoted = format!("\"{}\", \"{}\"", SERVER[0], SERVER[1]);
    assert!(text("editors/neovim/sandbox-lint.lua").contains(&format!("cmd = {{ {quoted} }}")));
    let lisp = format!("(\"{}\" \"{}\")", SERVER[0], SERVER[1]);
    for mode in ["eglot", "lsp-mode"] {
        assert!(text(&format!("editors/emacs/sandbox-lint-{mode}.el")).contains(&lisp), "{mode}");
    }
    let helix = text("editors/helix/languages.toml");
    assert!(helix.contains("[language-server.sandbox-lint]\ncommand = \"sandbox-lint\"\nargs = [\"lsp\"]\n"));
    let template = parsed("editors/jetbrains/template.json");
    assert_eq!(template["programArgs"]["default"], SERVER.join(" "));
    assert_eq!(template["programArgs"]["windows"], "sandbox-lint.exe lsp");
    for mapping in template["fileTypeMappings"].as_array().unwrap() {
        assert!(mapping["fileType"]["patterns"].is_array() && mapping["languageId"].is_string(), "{mapping}");
    }
}

#[test]
fn neovim_shows_what_the_server_finds() {
    let Some(nvim) = program("nvim") else { return };
    let root = folder(&[("deploy/web.yaml", BROKEN), (".sandbox-lint.yaml", "ignore: [SB404]\n")]);
    let script = format!(
        "vim.cmd('luafile {}')\nvim.cmd('edit deploy/web.yaml')\nvim.bo.filetype = 'yaml'\n\
         vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)\nlocal file = io.open('rows', 'w')\n\
         for _, one in ipairs(vim.diagnostic.get(0)) do file:write(one.lnum + 1, ':', one.col + 1, ' ', one.source, '\\n') end\n\
         file:close()\nvim.cmd('qall!')\n",
        repository("editors/neovim/sandbox-lint.lua").display()
    );
    fs::write(root.path().join("script.lua"), script).unwrap();
    let output = command(nvim, root.path())
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile script.lua"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let rows = fs::read_to_string(root.path().join("rows")).unwrap_or_else(|_| panic!("{}", printed(&output)));
    assert_eq!(rows, "13:7 sandbox-lint\n", "{}", printed(&output));
}

#[test]
fn emacs_reads_its_set_ups() {
    let Some(emacs) = program("emacs") else { return };
    let root = folder(&[]);
    for mode in ["eglot", "lsp-mode"] {
        let file = repository(&format!("editors/emacs/sandbox-lint-{mode}.el"));
        let script = format!(
            "(progn (package-initialize) (if (locate-library \"{mode}\") (progn (load \"{}\") (princ \"loaded\")) (princ \"no {mode}\")))",
            file.display()
        );
        let output = command(&emacs, root.path()).args(["--batch", "--eval", &script]).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown == "loaded" || shown.ends_with(&format!("no {mode}")), "{}", printed(&output));
        if shown != "loaded" {
            assert!(!programs::all_wanted(), "Emacs has no {mode}");
            programs::say(&format!("not tested: Emacs has no {mode}"));
        }
    }
}
