//! `new` as a user meets it: what it prints is clean, and what it cannot write it refuses.

mod programs;

use programs::{binary, command, printed, repository, text};
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(binary(), folder).arg("new").args(arguments).output().unwrap()
}

/// The findings in a text, with notes.
fn findings(folder: &Path, input: &[u8]) -> String {
    let mut check: Command = command(binary(), folder);
    std::fs::write(folder.join("new.yaml"), input).unwrap();
    let output = check.args(["check", "--format", "concise", "new.yaml"]).output().unwrap();
    printed(&output)
}

#[test]
fn every_kind_for_every_backend_is_clean() {
    let root = tempfile::tempdir().unwrap();
    for backend in ["sandboxd", "vk-cocoon", "kubelet"] {
        for kind in ["sandbox", "template", "pool", "claim"] {
            let output = run(root.path(), &[kind, "--backend", backend, "--name", "web-1"]);
            assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
            assert_eq!(findings(root.path(), &output.stdout), "", "{kind} for {backend}");
            let text = String::from_utf8(output.stdout).unwrap();
            let wanted = match kind {
                "sandbox" => "kind: Sandbox\n",
                "template" => "kind: SandboxTemplate\n",
                "pool" => "kind: SandboxWarmPool\n",
                _ => "kind: SandboxClaim\n",
            };
            assert!(text.contains(wanted) && text.contains("\n  name: web-1\n"), "{text}");
        }
    }
}

#[test]
fn a_backend_of_the_configuration_gets_what_its_contract_demands() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join(".sandbox-lint.yaml"), text("testdata/config/firebox.yaml")).unwrap();
    let output = run(root.path(), &["sandbox", "--backend", "firebox"]);
    let shown = String::from_utf8(output.stdout.clone()).unwrap();
    for line in ["firebox.example/kernel: example", "firebox.example/node: \"yes\"", "- key: firebox.example/only"] {
        assert!(shown.contains(line), "{line} in {}", printed(&output));
    }
    assert_eq!(findings(root.path(), &output.stdout), "");
    let output = run(root.path(), &["sandbox", "--backend", "firebox", "--isolated"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_cannot_be_written_is_refused_with_the_reason() {
    let long = "n".repeat(60);
    let cases: [(&[&str], &str); 4] = [
        (&["sandbox", "--backend", "sandbxd"], "no backend is called `sandbxd`; did you mean `sandboxd`?"),
        (&["sandbox", "--backend", "docker"], "known backends: kubelet, sandboxd, vk-cocoon"),
        (&["sandbox", "--backend", "sandboxd", "--name", "My App"], "--name `My App` is no name of a resource"),
        (&["sandbox", "--backend", "vk-cocoon", "--name", long.as_str()], "SB503"),
    ];
    for (arguments, reason) in cases {
        let output = run(&repository(""), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(printed(&output).contains(reason) && output.stdout.is_empty(), "{}", printed(&output));
    }
}

#[test]
fn a_pack_gets_every_kind_and_choices_are_taken() {
    let root = tempfile::tempdir().unwrap();
    let pack = repository("testdata/packs/example-provider.yaml");
    let config = repository("testdata/packs/config.yaml");
    let config = format!("contract:\n  files: ['{}']\n", config.with_file_name("example-provider.yaml").display());
    std::fs::write(root.path().join(".sandbox-lint.yaml"), config).unwrap();
    for kind in ["sandbox", "template", "pool", "claim"] {
        let arguments = [kind, "--backend", "stonebox", "--image", "r.example/own:2", "--isolated", "--provider-pack"];
        let output = run(root.path(), &[&arguments[..], &[pack.to_str().unwrap()]].concat());
        let shown = printed(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(shown.contains("stonebox.example/image: r.example/own:2") && shown.contains("image: r.example/own:2"));
        assert_eq!(findings(root.path(), &output.stdout), "", "{kind}");
    }
    let lane = ["sandbox", "--backend", "stonebox", "--annotation", "stonebox.example/lane=slow"];
    assert!(printed(&run(root.path(), &lane)).contains("stonebox.example/lane: slow"));
    for (pair, reason) in [
        ("stonebox.example/lane=warp", "does not take `warp`: write slow or steady"),
        ("stonebox.example/line=slow", "did you mean `stonebox.example/lane`?"),
        ("lane", "needs a key and a value"),
    ] {
        let output = run(root.path(), &["sandbox", "--backend", "stonebox", "--annotation", pair]);
        assert_eq!(output.status.code(), Some(2));
        assert!(printed(&output).contains(reason) && output.stdout.is_empty(), "{}", printed(&output));
    }
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let root = tempfile::tempdir().unwrap();
    let arguments = ["sandbox", "--backend", "sandboxd", "--output", "out.yaml"];
    assert_eq!(run(root.path(), &arguments).status.code(), Some(0));
    std::fs::write(root.path().join("out.yaml"), "mine").unwrap();
    let output = run(root.path(), &arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("out.yaml is there already; --force replaces it"));
    assert_eq!(std::fs::read(root.path().join("out.yaml")).unwrap(), b"mine");
    assert_eq!(run(root.path(), &[&arguments[..], &["--force"]].concat()).status.code(), Some(0));
    assert!(std::fs::read_to_string(root.path().join("out.yaml")).unwrap().starts_with("apiVersion"));
}

#[test]
fn without_a_terminal_what_is_missing_is_named() {
    for (arguments, reason) in [
        (&[][..], "the kind is missing: write sandbox, template, pool or claim"),
        (&["pool"][..], "the backend is missing: write --backend with one of kubelet, sandboxd, vk-cocoon"),
    ] {
        let output = run(&repository(""), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(printed(&output).contains(reason) && output.stdout.is_empty(), "{}", printed(&output));
    }
}

/// Runs `new` at a terminal: standard input and standard error are a pseudo-terminal, standard output is a pipe. Each
/// answer is typed once the terminal shows the question before it.
#[cfg(unix)]
const TERMINAL: &str = r#"
import json, os, pty, select, subprocess, sys, time
program, arguments, steps = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
leader, follower = pty.openpty()
def own_terminal():
    import fcntl, termios
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = subprocess.Popen([program, "new"] + arguments, stdin=follower, stderr=follower, stdout=subprocess.PIPE,
                         preexec_fn=own_terminal)
os.close(follower)
shown, end = "", time.time() + 60
def read_until(text):
    global shown
    start = len(shown)
    while text not in shown[start:] and time.time() < end:
        if select.select([leader], [], [], 0.2)[0]:
            try:
                shown += os.read(leader, 4096).decode()
            except OSError:
                return
for question, answer in steps:
    read_until(question)
    os.write(leader, answer.encode())
out = child.stdout.read().decode()
print(json.dumps({"code": child.wait(), "out": out, "shown": shown}))
"#;

/// Exit code, standard output and what the terminal showed; `None` where there is no Python.
#[cfg(unix)]
fn at_a_terminal(arguments: &[&str], steps: &[(&str, &str)]) -> Option<(i64, String, String)> {
    let steps: Vec<[&str; 2]> = steps.iter().map(|(question, answer)| [*question, *answer]).collect();
    let json = |value| serde_json::to_string(value).unwrap();
    let output = command("python3", &repository(""))
        .args(["-c", TERMINAL, binary().to_str().unwrap()])
        .args([json(&serde_json::json!(arguments)), json(&serde_json::json!(steps))])
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no python3 to open a terminal with");
        return None;
    };
    let value: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", printed(&output)));
    let text = |field: &str| value[field].as_str().unwrap().to_owned();
    Some((value["code"].as_i64().unwrap(), text("out"), text("shown")))
}

#[cfg(unix)]
#[test]
fn a_terminal_is_asked_for_what_is_missing() {
    let root = tempfile::tempdir().unwrap();
    for (kind, number) in
        [("Sandbox", "1"), ("SandboxTemplate", "template"), ("SandboxWarmPool", "po"), ("SandboxClaim", "4")]
    {
        for backend in ["kubelet", "sandboxd", "vk-cocoon"] {
            let (number, backend) = (format!("{number}\n"), format!("{backend}\n"));
            let steps = [("Kind", &*number), ("Backend", &backend), ("Name", "web\n"), ("Image", "r.example/own:2\n")];
            let Some((code, out, shown)) = at_a_terminal(&[], &steps) else { return };
            assert_eq!(code, 0, "{shown}");
            assert!(out.contains(&format!("kind: {kind}\n")) && out.contains("name: web\n"), "{out}");
            assert!(out.contains("r.example/own:2"), "{out}");
            assert_eq!(findings(root.path(), out.as_bytes()), "");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_answer_that_does_not_fit_is_asked_for_again_and_enter_is_the_default() {
    let steps =
        [("Kind", "ship\n"), ("write a number", "\n"), ("Name", "My App\n"), ("no name", "\n"), ("Image", "\n")];
    let Some((code, out, shown)) = at_a_terminal(&["--backend", "sandboxd"], &steps) else { return };
    assert_eq!(code, 0, "{shown}");
    assert!(out.contains("kind: Sandbox\n") && out.contains("name: example\n"), "{out}");
    let Some((code, out, shown)) = at_a_terminal(&["pool", "--backend", "sandboxd", "--defaults"], &[]) else { return };
    assert!(code == 0 && out.contains("kind: SandboxWarmPool") && shown.is_empty(), "{shown}");
    let config = "testdata/config/firebox.yaml";
    let arguments = ["sandbox", "--backend", "firebox", "--name", "a", "--image", "b:1", "--config", config];
    let Some((code, out, shown)) = at_a_terminal(&arguments, &[("firebox.example/kernel", "6.12\n")]) else { return };
    assert!(code == 0 && out.contains("firebox.example/kernel: \"6.12\""), "{out}{shown}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_and_the_end_of_input_end_without_a_manifest() {
    for key in ["\u{3}", "\u{4}"] {
        let steps = [("Kind", "1\n"), ("Backend", key)];
        let Some((code, out, shown)) = at_a_terminal(&[], &steps) else { return };
        assert_eq!((code, out.as_str()), (2, ""), "{shown}");
    }
}
