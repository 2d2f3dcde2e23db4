//! `--fix` never loses a file: killed at any moment, each file is the old one or the fixed one, as a whole.

mod programs;

use programs::binary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Files of one run.
const FILES: usize = 6;

/// Runs that are killed.
const KILLS: u64 = 300;

/// A manifest that `--fix` changes; filled up so that a write takes more than one page.
fn manifest(name: usize) -> String {
    let comment = "# filled up\n".repeat(500);
    format!(
        "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata:\n  name: web-{name}\nspec:\n  podTemplate:\n    \
         metadata:\n      annotations:\n        sandbox.cocoonstack.io/template: rt\n        \
         sandbox.cocoonstack.io/ttl-seconds: 3600\n    spec:\n      nodeSelector:\n        \
         sandbox.cocoonstack.io/runtime: sandboxd\n      tolerations:\n        - key: virtual-kubelet.io/provider\n          \
         operator: Exists\n          effect: NoSchedule\n      containers:\n        - name: agent\n          image: rt\n{comment}"
    )
}

fn fill(folder: &Path) -> Vec<PathBuf> {
    (0..FILES)
        .map(|name| {
            let path = folder.join(format!("{name:02}.yaml"));
            fs::write(&path, manifest(name)).expect("a writable folder");
            path
        })
        .collect()
}

fn fix(folder: &Path) -> Command {
    let mut command = Command::new(binary());
    command.args(["--fix", "--quiet", "."]).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_killed_run_leaves_each_file_old_or_fixed() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = fill(folder.path());
    let started = std::time::Instant::now();
    fix(folder.path()).status().expect("the program runs");
    let whole_run = started.elapsed();
    let fixed: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).expect("a file")).collect();
    assert!(fixed.iter().enumerate().all(|(name, text)| *text != manifest(name)), "nothing was fixed");

    let mut partly = 0;
    for kill in 0..KILLS {
        fill(folder.path());
        let mut run = fix(folder.path()).spawn().expect("the program runs");
        thread::sleep(whole_run.mul_f64(kill as f64 / KILLS as f64) + Duration::from_micros(kill));
        run.kill().expect("the run is ours");
        run.wait().expect("the run is ours");
        let mut changed = 0;
        for (name, path) in paths.iter().enumerate() {
            let text = fs::read_to_string(path).expect("the file is still there");
            changed += usize::from(text == fixed[name]);
            assert!(text == fixed[name] || text == manifest(name), "{} is neither old nor fixed", path.display());
        }
        partly += usize::from(changed > 0 && changed < FILES);
    }
    programs::say(&format!("{KILLS} runs killed, {partly} of them between the first and the last write"));
    // What a killed run leaves behind is no manifest: the next run takes no notice of it.
    fill(folder.path());
    let report = Command::new(binary()).args(["--exit-zero", "."]).current_dir(folder.path()).output().expect("runs");
    assert!(String::from_utf8_lossy(&report.stdout).contains(&format!("{FILES} files, {FILES} documents")));
}

#[cfg(unix)]
#[test]
fn mode_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let real = folder.path().join("real.txt");
    fs::write(&real, manifest(0)).expect("a writable folder");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("our file");
    let link = folder.path().join("link.yaml");
    symlink("real.txt", &link).expect("links");
    fix(folder.path()).status().expect("the program runs");
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert_ne!(fs::read_to_string(&real).expect("the file"), manifest(0));
    assert_eq!(fs::metadata(&real).expect("the file").permissions().mode() & 0o7777, 0o640);
}
