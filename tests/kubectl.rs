//! The program as a plugin of kubectl.
#![cfg(unix)]

mod programs;

use programs::{binary, folder, printed};
use std::process::Command;

#[test]
fn a_link_with_the_name_of_a_plugin_shows_the_words_of_kubectl() {
    let root = folder(&[("web.yaml", "kind: Sandbox\n")]);
    let plugin = root.path().join("kubectl-sandbox_lint");
    std::os::unix::fs::symlink(binary(), &plugin).unwrap();
    for (arguments, wanted) in [
        (&["--help"][..], "Usage: kubectl sandbox-lint "),
        (&["schema", "--help"], "Usage: kubectl sandbox-lint schema "),
        (&["check", "--nosuch"], "Usage: kubectl sandbox-lint check "),
    ] {
        let shown = printed(&Command::new(&plugin).args(arguments).output().unwrap());
        assert!(shown.contains(wanted), "{arguments:?}: {shown}");
        let shown = printed(&Command::new(binary()).args(arguments).output().unwrap());
        assert!(!shown.contains("kubectl sandbox-lint "), "{arguments:?}: {shown}");
    }
    let judged = |program: &std::path::Path| {
        let output = Command::new(program).args(["check", "web.yaml"]).current_dir(root.path()).output().unwrap();
        (output.status.code(), printed(&output))
    };
    assert_eq!(judged(&plugin), judged(&binary()));
}
