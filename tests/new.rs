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
