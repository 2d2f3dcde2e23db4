//! The language server, as a client meets it: a scripted session over standard input and output.

#![cfg(feature = "lsp")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const SANDBOX: &str = "apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: web
spec:
  podTemplate:
    metadata:
      annotations:
        sandbox.cocoonstack.io/template: ghcr.io/cocoonstack/sandbox/rt:24.04
    spec:
      runtimeClassName: kata
      nodeSelector:
        sandbox.cocoonstack.io/runtime: sandboxd
      containers:
        - name: agent
          image: ghcr.io/cocoonstack/sandbox/rt:24.04
";
const TEMPLATE: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata:
  name: python
spec:
  podTemplate:
    spec:
      containers:
        - name: agent
          image: python:3.13
";
const POOL: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata:
  name: warm
spec:
  replicas: 2
  sandboxTemplateRef:
    name: python
";
const CLAIM: &str = "apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxClaim
metadata:
  name: one
spec:
  warmPoolRef:
    name: warm
";

/// A running server with its client.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    next: i64,
    /// Diagnostics by address, the last ones.
    notes: Vec<Value>,
}

impl Session {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sandbox-lint"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut from = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, output) = channel();
        std::thread::spawn(move || {
            while let Some(message) = message(&mut from) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, next: 0, notes: Vec::new() }
    }

    fn in_folder(folder: &Path, encodings: &[&str]) -> Self {
        let mut session = Self::start();
        let folders = json!([{"uri": uri(folder, ""), "name": "work"}]);
        session.initialize(&json!({"workspaceFolders": folders}), encodings);
        session
    }

    fn initialize(&mut self, extra: &Value, encodings: &[&str]) -> Value {
        let mut params = json!({"processId": null, "rootUri": null, "capabilities": {
            "general": {"positionEncodings": encodings},
            "textDocument": {"completion": {"completionItem": {"snippetSupport": true}}},
        }});
        for (key, value) in extra.as_object().expect("an object") {
            params[key] = value.clone();
        }
        let answer = self.request("initialize", params);
        self.notify("initialized", json!({}));
        answer["result"].clone()
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(bytes).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(&json!(id))
    }

    /// The next message that is wanted; diagnostics in between are kept.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.output.recv_timeout(left).expect("an answer in time");
            if message["method"] == "textDocument/publishDiagnostics" {
                self.notes.push(message["params"].clone());
            }
            if wanted(&message) {
                return message;
            }
        }
    }

    fn answer(&mut self, id: &Value) -> Value {
        self.wait(|message| message["id"] == *id && message.get("method").is_none())
    }

    fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        self.diagnostics(uri, 1)
    }

    fn replace(&mut self, uri: &str, version: i64, text: &str) -> Vec<Value> {
        self.change(uri, version, json!([{"text": text}]));
        self.diagnostics(uri, version)
    }

    fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The diagnostics of a version, waiting for them.
    fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let found = self.wait(|message| message["params"]["uri"] == uri && message["params"]["version"] == version);
        found["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    fn at(&mut self, method: &str, uri: &str, line: usize, character: usize) -> Value {
        let mut place = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
        if method.ends_with("references") {
            place["context"] = json!({"includeDeclaration": true});
        }
        let answer = self.request(method, place);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    fn actions(&mut self, uri: &str, line: usize, only: Option<&str>) -> Vec<Value> {
        let mut context = json!({"diagnostics": []});
        if let Some(only) = only {
            context["only"] = json!([only]);
        }
        let range = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 99}});
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        self.request("textDocument/codeAction", params)["result"].as_array().expect("actions").clone()
    }

    fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

fn message(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().ok()?,
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn uri(folder: &Path, file: &str) -> String {
    let folder = folder.display();
    if file.is_empty() { format!("file://{folder}") } else { format!("file://{folder}/{file}") }
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().filter_map(|one| one["code"].as_str()).collect()
}

fn labels(items: &Value) -> Vec<&str> {
    items.as_array().expect("items").iter().filter_map(|one| one["label"].as_str()).collect()
}

/// Applies the edits of an action to an ASCII text.
fn applied(text: &str, uri: &str, action: &Value) -> String {
    let mut edits = action["edit"]["changes"][uri].as_array().expect("edits").clone();
    let offset = |place: &Value| {
        let line = place["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + place["character"].as_u64().expect("a column") as usize
    };
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
    let mut out = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        out.replace_range(range, edit["newText"].as_str().expect("text"));
    }
    out
}

fn line_of(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).unwrap_or_else(|| panic!("no line with {part}"))
}

#[test]
fn a_session_follows_the_order_of_the_protocol() {
    let mut session = Session::start();
    let early = session.request("textDocument/hover", json!({}));
    assert_eq!(early["error"]["code"], -32002);
    let result = session.initialize(&json!({}), &["utf-16", "utf-8"]);
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(session.request("initialize", json!({}))["error"]["code"], -32600);
    assert_eq!(session.request("no/such", json!({}))["error"]["code"], -32601);
    assert_eq!(session.request("textDocument/hover", json!({"what": 1}))["error"]["code"], -32602);
    session.raw(b"Content-Length: 5\r\n\r\n{oops");
    assert_eq!(session.answer(&Value::Null)["error"]["code"], -32700);
    session.raw(b"Content-Length: 24\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":9}");
    session.notify("$/no/such", json!(null));
    session.notify("textDocument/didChange", json!({"textDocument": 7}));
    assert_eq!(session.request("shutdown", Value::Null)["result"], Value::Null);
    assert_eq!(session.request("textDocument/hover", json!({}))["error"]["code"], -32600);
    session.notify("exit", Value::Null);
    assert_eq!(session.child.wait().expect("it ends").code(), Some(0));
    let mut rude = Session::start();
    rude.notify("exit", Value::Null);
    assert_eq!(rude.child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_cancelled_request_is_answered_as_such_and_a_new_session_works() {
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..2 {
        let mut session = Session::in_folder(folder.path(), &["utf-8"]);
        let file = uri(folder.path(), "web.yaml");
        session.open(&file, SANDBOX);
        // The change makes the request wait for a check; the cancellation overtakes it.
        session.change(&file, 2, json!([{"text": format!("{SANDBOX}\n")}]));
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
        let params = json!({"textDocument": {"uri": file}, "range": range, "context": {"diagnostics": []}});
        let id = session.ask("textDocument/codeAction", params);
        session.notify("$/cancelRequest", json!({"id": id}));
        assert_eq!(session.answer(&json!(id))["error"]["code"], -32800);
        session.notify("$/cancelRequest", json!({"id": 12345}));
        assert_eq!(session.end(), Some(0));
    }
}

#[test]
fn diagnostics_follow_the_text_and_a_fix_leaves_it_clean() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = Session::in_folder(folder.path(), &["utf-8"]);
    let file = uri(folder.path(), "web.yaml");
    let found = session.open(&file, SANDBOX);
    assert!(codes(&found).contains(&"SB302"), "{found:?}");
    let finding = found.iter().find(|one| one["code"] == "SB302").expect("SB302");
    assert_eq!((&finding["severity"], &finding["source"]), (&json!(1), &json!("sandbox-lint")));
    let line = finding["range"]["start"]["line"].as_u64().expect("a line") as usize;
    let actions = session.actions(&file, line, Some("quickfix"));
    let fix = actions.iter().find(|one| one["isPreferred"] == true && one["diagnostics"][0]["code"] == "SB302");
    let fixed = applied(SANDBOX, &file, fix.expect("a safe fix"));
    assert!(!codes(&session.replace(&file, 2, &fixed)).contains(&"SB302"), "{fixed}");
    session.replace(&file, 3, SANDBOX);
    let ignore = session.actions(&file, line, Some("quickfix"));
    let ignore = ignore.iter().find(|one| one["title"].as_str().is_some_and(|title| title.starts_with("Ignore SB302")));
    let silenced = applied(SANDBOX, &file, ignore.expect("an action that ignores"));
    assert!(!codes(&session.replace(&file, 4, &silenced)).contains(&"SB302"), "{silenced}");
    session.replace(&file, 5, SANDBOX);
    let all = session.actions(&file, 0, Some("source.fixAll"));
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["kind"], "source.fixAll.sandbox-lint");
    let fixed = applied(SANDBOX, &file, &all[0]);
    assert!(!codes(&session.replace(&file, 6, &fixed)).contains(&"SB302"), "{fixed}");
    assert!(session.actions(&file, 0, Some("refactor")).is_empty());
    session.notify("textDocument/didClose", json!({"textDocument": {"uri": file}}));
    let closed = session.wait(|message| message["params"]["uri"] == file.as_str());
    assert_eq!(closed["params"]["diagnostics"], json!([]));
    assert_eq!(session.end(), Some(0));
}

#[test]
fn columns_count_in_the_negotiated_unit() {
    let text =
        "{apiVersion: agents.x-k8s.io/v1beta1, kind: Sandbox, metadata: {name: \"\u{1f600}\u{e9}\", namspace: x}}\n";
    for (unit, before) in [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)] {
        let mut session = Session::start();
        session.initialize(&json!({}), &[unit]);
        let found = session.open("untitled:one", text);
        let start = "{apiVersion: agents.x-k8s.io/v1beta1, kind: Sandbox, metadata: {name: \"".len() + before + 3;
        let found: Vec<_> =
            found.iter().filter(|one| one["message"].as_str().is_some_and(|text| text.contains("namspace"))).collect();
        assert_eq!(found[0]["range"]["start"], json!({"line": 0, "character": start}), "{unit}");
        // Behind the astral character, one is replaced.
        let at = |character| json!({"line": 0, "character": character});
        let range = json!({"start": at(start), "end": at(start + 8)});
        session.change("untitled:one", 2, json!([{"range": range, "text": "namespace"}]));
        let found = session.diagnostics("untitled:one", 2);
        assert!(found.iter().all(|one| !one["message"].as_str().unwrap_or_default().contains("namspace")), "{found:?}");
        assert_eq!(session.end(), Some(0));
    }
}

#[test]
fn references_lead_across_files_and_unsaved_text_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("template.yaml", TEMPLATE);
    write("pool.yaml", POOL);
    write("class.yaml", "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata:\n  name: kata\nhandler: kata\n");
    let mut session = Session::in_folder(folder.path(), &["utf-8"]);
    let (claim, pool) = (uri(folder.path(), "claim.yaml"), uri(folder.path(), "pool.yaml"));
    session.open(&claim, CLAIM);
    session.open(&pool, POOL);
    let line = line_of(CLAIM, "name: warm");
    let definition = session.at("textDocument/definition", &claim, line, 11);
    assert_eq!(definition[0]["uri"], pool.as_str());
    assert_eq!(definition[0]["range"]["start"], json!({"line": 3, "character": 8}));
    let definition = session.at("textDocument/definition", &claim, line - 1, 4);
    assert_eq!(definition[0]["uri"], pool.as_str(), "from the key of the reference");
    let back = session.at("textDocument/references", &pool, 3, 9);
    assert_eq!(back.as_array().map(Vec::len), Some(2), "{back}");
    let template = session.at("textDocument/definition", &pool, line_of(POOL, "name: python"), 12);
    assert_eq!(template[0]["uri"], uri(folder.path(), "template.yaml"));
    let names = session.at("textDocument/completion", &claim, line, 10);
    assert_eq!(labels(&names), ["warm"]);
    // The pool gets another name that is not saved: the claim is published again.
    session.change(&pool, 2, json!([{"text": POOL.replace("name: warm", "name: warm-2")}]));
    let found = session.wait(|message| message["params"]["uri"] == claim.as_str());
    assert!(codes(found["params"]["diagnostics"].as_array().expect("a list")).contains(&"SB602"), "{found}");
    // Closed, the file counts as it is on the disk.
    session.notify("textDocument/didClose", json!({"textDocument": {"uri": pool}}));
    let found = session
        .wait(|message| message["params"]["uri"] == claim.as_str() && message["params"]["diagnostics"] == json!([]));
    assert_eq!(found["params"]["version"], 1);
    write("pool.yaml", &POOL.replace("name: warm", "name: warm-3"));
    let changes = json!({"changes": [{"uri": pool, "type": 2}]});
    session.notify("workspace/didChangeWatchedFiles", changes);
    session.wait(|message| message["params"]["uri"] == claim.as_str() && message["params"]["diagnostics"] != json!([]));
    assert_eq!(session.end(), Some(0));
}

#[test]
fn the_configuration_counts_and_what_is_wrong_in_it_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join(".sandbox-lint.yaml");
    std::fs::write(&config, "ignore: [SB302]\n").expect("written");
    let mut session = Session::in_folder(folder.path(), &["utf-8"]);
    let (file, own) = (uri(folder.path(), "web.yaml"), uri(folder.path(), ".sandbox-lint.yaml"));
    let found = session.open(&file, SANDBOX);
    assert!(!codes(&found).contains(&"SB302"), "{found:?}");
    std::fs::write(&config, "ignroe: [SB302]\n").expect("written");
    session.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": own, "type": 2}]}));
    let wrong = session.wait(|message| message["params"]["uri"] == own.as_str());
    assert!(wrong["params"]["diagnostics"][0]["message"].as_str().is_some_and(|text| text.contains("ignroe")));
    std::fs::write(&config, "{}\n").expect("written");
    session.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": own, "type": 2}]}));
    let right = session.wait(|message| message["params"]["uri"] == file.as_str());
    assert!(codes(right["params"]["diagnostics"].as_array().expect("a list")).contains(&"SB302"));
    session.wait(|message| message["params"]["uri"] == own.as_str() && message["params"]["diagnostics"] == json!([]));
    assert_eq!(session.end(), Some(0));
}

#[test]
fn hover_says_what_keys_mean_and_what_becomes_of_the_pod() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = Session::in_folder(folder.path(), &["utf-8"]);
    let file = uri(folder.path(), "web.yaml");
    session.open(&file, SANDBOX);
    let mut hover = |part: &str, column: usize| {
        let answer = session.at("textDocument/hover", &file, line_of(SANDBOX, part), column);
        answer["contents"]["value"].as_str().unwrap_or_else(|| panic!("no hover on {part}")).to_owned()
    };
    assert!(hover("sandbox.cocoonstack.io/template", 12).contains("vk\u{2d}sandbox"), "the contract");
    assert!(hover("sandbox.cocoonstack.io/runtime", 12).contains("nodeSelector"), "the selector");
    let outcome = hover("name: web", 9);
    assert!(outcome.contains("Unschedulable") && outcome.contains("untolerated taint"), "{outcome}");
    let field = hover("runtimeClassName", 8);
    assert!(field.contains("string") && field.contains("vk\u{2d}sandbox"), "{field}");
    // Text of a manifest is shown as text.
    let hostile = SANDBOX.replace("name: web", "name: \"[x](http://evil) <b>`\"");
    session.replace(&file, 2, &hostile);
    let answer = session.at("textDocument/hover", &file, 1, 2);
    let text = answer["contents"]["value"].as_str().expect("a hover");
    assert!(!text.contains("](http://evil)") || text.contains("`"), "{text}");
    assert!(text.lines().next().is_some_and(|title| !title.contains("[x](") && !title.contains(" <b>")), "{text}");
    assert_eq!(session.end(), Some(0));
}

#[test]
fn broken_text_keeps_completion_hover_and_symbols_alive() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = Session::in_folder(folder.path(), &["utf-8"]);
    let file = uri(folder.path(), "web.yaml");
    session.open(&file, SANDBOX);
    let broken = SANDBOX.replace("      containers:", "      bad: [\"\n      restart\n      containers:");
    let found = session.replace(&file, 2, &broken);
    assert!(codes(&found).contains(&"SB001"), "{found:?}");
    let items = session.at("textDocument/completion", &file, line_of(&broken, "      restart"), 13);
    assert!(labels(&items).contains(&"restartPolicy"), "{items}");
    let hover = session.at("textDocument/hover", &file, line_of(&broken, "runtimeClassName"), 8);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("string")), "{hover}");
    let symbols = session.at("textDocument/documentSymbol", &file, 0, 0);
    assert_eq!((&symbols[0]["name"], &symbols[0]["detail"]), (&json!("web"), &json!("Sandbox")));
    for (version, text) in (3..).zip(["", "---", "a: b: c", "{", "\u{feff}\t- ", "k: |\n", "- - - -\n-"]) {
        session.replace(&file, version, text);
        for method in ["completion", "hover", "definition", "references", "documentSymbol"] {
            session.at(&format!("textDocument/{method}"), &file, 0, 2);
        }
    }
    assert_eq!(session.end(), Some(0));
}

#[test]
fn completion_knows_fields_values_and_the_contract() {
    let mut session = Session::start();
    session.initialize(&json!({}), &["utf-8"]);
    let file = "untitled:web";
    session.open(file, "");
    let mut version = 1;
    let mut complete = |text: &str| {
        version += 1;
        session.replace(file, version, text);
        let line = text.lines().count() - 1;
        let column = text.lines().last().map_or(0, str::len);
        session.at("textDocument/completion", file, line, column)
    };
    let head = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: web\nspec:\n";
    assert!(labels(&complete("ki")).contains(&"kind"));
    assert!(labels(&complete("kind: ")).contains(&"SandboxTemplate"));
    assert_eq!(labels(&complete(&format!("{head}  operatingMode: "))), ["Running", "Suspended"]);
    let fields = complete(&format!("{head}  operatingMode: Running\n  po"));
    assert!(labels(&fields).contains(&"podTemplate") && !labels(&fields).contains(&"operatingMode"));
    let pod = format!("{head}  podTemplate:\n    metadata:\n      annotations:\n        sandbox.cocoonstack.io/");
    assert!(labels(&complete(&format!("{pod}n"))).contains(&"sandbox.cocoonstack.io/net"));
    assert_eq!(labels(&complete(&format!("{pod}net: "))), ["none", "egress"]);
    let spec = format!("{head}  podTemplate:\n    spec:\n      ");
    assert!(labels(&complete(&format!("{spec}no"))).contains(&"nodeSelector and toleration for vk-sandbox"));
    let selector = complete(&format!("{spec}nodeSelector:\n        sandb"));
    assert!(labels(&selector).contains(&"sandbox.cocoonstack.io/runtime"), "{selector}");
    let tolerations = complete(&format!("{spec}tolerations:\n        - "));
    assert!(labels(&tolerations).contains(&"toleration for vk-cocoon"), "{tolerations}");
    assert_eq!(session.end(), Some(0));
}

#[test]
fn a_key_in_a_file_of_a_thousand_lines_is_checked_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        let text = SANDBOX.replace("name: web", &format!("name: web-{number}"));
        std::fs::write(folder.path().join(format!("{number}.yaml")), text).expect("written");
    }
    let mut session = Session::in_folder(folder.path(), &["utf-16"]);
    let file = uri(folder.path(), "long.yaml");
    let text: Vec<String> =
        (0..60).map(|number| SANDBOX.replace("name: web", &format!("name: long-{number}"))).collect();
    let text = text.join("---\n");
    assert!(text.lines().count() > 1000);
    session.open(&file, &text);
    let mut times = Vec::new();
    for version in 2..22 {
        let start = json!({"line": 3, "character": 8});
        let began = Instant::now();
        session.change(&file, version, json!([{"range": {"start": start, "end": start}, "text": "x"}]));
        session.diagnostics(&file, version);
        times.push(began.elapsed());
    }
    times.sort();
    println!("median {:?}, longest {:?}", times[times.len() / 2], times[times.len() - 1]);
    assert!(times[times.len() / 2] < Duration::from_secs(1), "{times:?}");
    assert_eq!(session.end(), Some(0));
}

/// What Neovim does with the server, by its own client.
const NEOVIM: &str = r#"
local function run()
  vim.cmd('edit web.yaml')
  local id = vim.lsp.start_client({ name = 'sandbox-lint', cmd = { vim.env.SERVER, 'lsp' }, root_dir = vim.fn.getcwd() })
  assert(vim.lsp.buf_attach_client(0, id), 'not attached')
  local function has(code)
    for _, one in ipairs(vim.diagnostic.get(0)) do
      if one.code == code then return true end
    end
    return false
  end
  assert(vim.wait(20000, function() return has('SB302') end), 'no diagnostic')
  local uri = vim.uri_from_bufnr(0)
  local function ask(method, line, character, more)
    local params = { textDocument = { uri = uri }, position = { line = line, character = character } }
    local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, more or {}), 20000)
    local answer = answers and answers[id]
    assert(answer and answer.result, method .. ': ' .. vim.inspect(answers))
    return answer.result
  end
  local hover = ask('textDocument/hover', 1, 2)
  assert(hover.contents.value:find('Unschedulable'), vim.inspect(hover))
  local range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 0 } }
  local context = { diagnostics = {}, only = { 'source.fixAll' } }
  local actions = ask('textDocument/codeAction', 0, 0, { range = range, context = context })
  assert(#actions == 1, vim.inspect(actions))
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  assert(vim.wait(20000, function() return not has('SB302') end), 'the fix does not help')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'sp', '  bad: [' })
  assert(vim.wait(20000, function() return has('SB001') end), 'no diagnostic of broken text')
  local items = ask('textDocument/completion', 5, 4)
  assert(#(items.items or items) > 0, vim.inspect(items))
  assert(#ask('textDocument/documentSymbol', 0, 0) > 0, 'no symbols')
  vim.lsp.stop_client(id)
  assert(vim.wait(20000, function() return not vim.lsp.get_client_by_id(id) end), 'it does not end')
end
local fine, why = pcall(run)
if not fine then
  io.stderr:write(tostring(why) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
"#;

#[test]
fn neovim_shows_diagnostics_and_applies_fixes() {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("skipped: nvim is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("web.yaml"), SANDBOX).expect("written");
    std::fs::write(folder.path().join("run.lua"), NEOVIM).expect("written");
    let output = Command::new("nvim")
        .args(["--headless", "--clean", "-i", "NONE", "-n", "-c", "luafile run.lua"])
        .env("SERVER", env!("CARGO_BIN_EXE_sandbox-lint"))
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("nvim starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
