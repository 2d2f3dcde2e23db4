//! Paths that lead to no ordinary file, files that cannot be read, outputs that cannot be written: a clear word, exit
//! code 2, and the rest of the run goes on.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with a manifest that has findings.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::copy("testdata/examples/sandboxd-broken.yaml", folder.at("good.yaml")).unwrap();
        folder
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn fifo(&self, name: &str) {
        assert!(Command::new("mkfifo").arg(self.at(name)).status().unwrap().success());
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbox-lint"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null());
        command
    }

    /// Runs the program; one that waits is a failure.
    fn run(&self, arguments: &[&str]) -> Answer {
        answer(self.command(arguments), arguments)
    }
}

struct Answer {
    code: Option<i32>,
    out: String,
    err: String,
}

fn answer(mut command: Command, what: &[&str]) -> Answer {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let read = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).map(|_| bytes).unwrap()
    });
    let read_err = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        err.read_to_end(&mut bytes).map(|_| bytes).unwrap()
    });
    let deadline = Instant::now() + Duration::from_secs(60);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{what:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let output = Output { status, stdout: read.join().unwrap(), stderr: read_err.join().unwrap() };
    Answer {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Answer {
    /// The run said `words` on standard error, ended with 2, and judged the good file all the same.
    fn goes_on(&self, words: &str) {
        assert!(self.err.contains(words), "{words:?} is not in {}", self.err);
        assert_eq!(self.code, Some(2), "{}", self.err);
        assert!(self.out.contains("good.yaml:"), "{}", self.out);
    }

    fn stops(&self, words: &str) {
        assert!(self.err.contains(words), "{words:?} is not in {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert_eq!(self.code, Some(2), "{}", self.err);
    }
}

const CONCISE: &str = "--format=concise";

#[test]
fn pipes_sockets_and_devices_are_refused_and_the_rest_goes_on() {
    let folder = Folder::new();
    folder.fifo("pipe.yaml");
    let _socket = std::os::unix::net::UnixListener::bind(folder.at("socket.yaml")).unwrap();
    symlink("/dev/zero", folder.at("zero.yaml")).unwrap();
    for arguments in [&[CONCISE, "."][..], &[CONCISE, "good.yaml", "pipe.yaml", "socket.yaml", "zero.yaml"]] {
        let answer = folder.run(arguments);
        answer.goes_on("pipe.yaml: a named pipe, not a file");
        answer.goes_on("socket.yaml: a socket, not a file");
        answer.goes_on("zero.yaml: a device, not a file");
    }
    folder.run(&["decode", "pipe.yaml"]).stops("a named pipe, not a file");
    folder.run(&["predict", "pipe.yaml"]).stops("a named pipe, not a file");
}

#[test]
fn pipes_in_place_of_other_files_are_refused() {
    let folder = Folder::new();
    folder.fifo("pipe");
    for flag in ["--config", "--policy", "--baseline", "--cluster"] {
        folder.run(&[flag, "pipe", "good.yaml"]).stops("a named pipe, not a file");
        folder.run(&[flag, "/dev/zero", "good.yaml"]).stops("a device, not a file");
    }
    folder.run(&["--output", "pipe", "good.yaml"]).stops("nobody reads");
    folder.fifo(".sandbox-lint.yaml");
    assert_eq!(folder.run(&["good.yaml"]).code, Some(1));
}

#[test]
fn a_pipe_as_ignore_file_hides_its_folder_only() {
    let folder = Folder::new();
    fs::create_dir(folder.at("sub")).unwrap();
    folder.fifo("sub/.gitignore");
    fs::copy(folder.at("good.yaml"), folder.at("sub/other.yaml")).unwrap();
    folder.run(&[CONCISE, "."]).goes_on("sub/.gitignore: a named pipe, not a file");
    folder.run(&[CONCISE, "good.yaml", "sub"]).goes_on("sub/.gitignore: a named pipe, not a file");
}

#[test]
fn what_a_shell_passes_as_a_file_is_read() {
    let folder = Folder::new();
    let mut command = Command::new("bash");
    let script = format!("'{}' --format=concise <(cat good.yaml)", env!("CARGO_BIN_EXE_sandbox-lint"));
    command.current_dir(folder.0.path()).args(["-c", &script]);
    let shown = answer(command, &["<(…)"]);
    assert_eq!((shown.code, shown.err.as_str()), (Some(1), ""));
    assert!(shown.out.contains("/dev/fd/"), "{}", shown.out);

    let mut command = folder.command(&[CONCISE, "/dev/stdin"]);
    command.stdin(fs::File::open(folder.at("good.yaml")).unwrap());
    assert_eq!(answer(command, &["/dev/stdin"]).code, Some(1));

    let mut command = folder.command(&[CONCISE, "--limit=file-size=1KiB", "-", "good.yaml"]);
    command.stdin(fs::File::open("/dev/zero").unwrap());
    answer(command, &["-"]).goes_on("<stdin>: larger than the limit of 1 KiB; raise it with --limit file-size=SIZE");
}

#[test]
fn links_that_lead_nowhere_are_named() {
    let folder = Folder::new();
    symlink("gone", folder.at("dangling.yaml")).unwrap();
    symlink("circle.yaml", folder.at("circle.yaml")).unwrap();
    symlink(".", folder.at("loop")).unwrap();
    for arguments in [&[CONCISE, "."][..], &[CONCISE, "dangling.yaml", "circle.yaml", "good.yaml", "gone/x.yaml"]] {
        let answer = folder.run(arguments);
        answer.goes_on("dangling.yaml: no such file or directory");
        answer.goes_on("circle.yaml: too many levels of symbolic links");
    }
}

#[test]
fn unreadable_files_and_folders_are_named() {
    let folder = Folder::new();
    fs::write(folder.at("secret.yaml"), "kind: Sandbox").unwrap();
    fs::create_dir(folder.at("closed")).unwrap();
    for name in ["secret.yaml", "closed"] {
        fs::set_permissions(folder.at(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    // The superuser reads everything.
    if fs::read(folder.at("secret.yaml")).is_err() {
        let answer = folder.run(&[CONCISE, "."]);
        answer.goes_on("secret.yaml: permission denied");
        answer.goes_on("closed: permission denied");
    }
    fs::set_permissions(folder.at("closed"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn names_that_are_not_unicode_are_read_and_fixed_in_place() {
    let folder = Folder::new();
    let names =
        [&b"a\xff.yaml"[..], &b"a\xfe.yaml"[..]].map(|name| folder.0.path().join(std::ffi::OsStr::from_bytes(name)));
    for name in &names {
        if fs::copy(folder.at("good.yaml"), name).is_err() {
            return;
        }
    }
    let answer = folder.run(&[CONCISE, "--fix", "--unsafe-fixes", "."]);
    assert_eq!((answer.code, answer.out.as_str()), (Some(0), ""), "{}", answer.err);
    assert!(answer.err.contains("in 3 files"), "{}", answer.err);
    let fixed = fs::read(folder.at("good.yaml")).unwrap();
    assert!(names.iter().all(|name| fs::read(name).unwrap() == fixed));
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3);
}

#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = Folder::new();
    folder.run(&["--output", "/dev/full", "good.yaml"]).stops("/dev/full: cannot write: no space left on device");
    let mut command = folder.command(&["good.yaml"]);
    command.stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap()).stderr(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

#[test]
fn a_closed_pipe_changes_no_exit_code() {
    let folder = Folder::new();
    for (arguments, code) in [(&["good.yaml"][..], 1), (&["predict", "good.yaml"], 1), (&["rules"], 0)] {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn the_other_outputs_are_written_where_one_cannot_be() {
    let folder = Folder::new();
    let answer = folder.run(&["--format=json=no/folder/x.json", "--format=sarif=b.sarif", CONCISE, "good.yaml"]);
    answer.goes_on("no/folder/x.json: cannot write: no such file or directory");
    assert!(fs::read_to_string(folder.at("b.sarif")).unwrap().ends_with("}\n"));
}

#[test]
fn a_folder_that_vanished_is_named() {
    let folder = Folder::new();
    let mut child = Command::new("bash");
    let script = format!("mkdir gone && cd gone && rmdir ../gone && '{}' .", env!("CARGO_BIN_EXE_sandbox-lint"));
    child.current_dir(folder.0.path()).args(["-c", &script]);
    let answer = answer(child, &["a vanished folder"]);
    assert!(answer.code == Some(2) || answer.err.contains("no .yaml"), "{:?} {}", answer.code, answer.err);
    assert!(!answer.err.contains("panicked"), "{}", answer.err);
}

#[test]
fn files_beyond_their_limits_are_named() {
    let folder = Folder::new();
    let big = [b"kind: Sandbox\n".as_slice(), &b"#\n".repeat(600_000)].concat();
    fs::write(folder.at("big.yaml"), &big).unwrap();
    let words = "big.yaml: larger than the limit of 1 MiB; raise it with --limit file-size=SIZE";
    folder.run(&[CONCISE, "--limit=file-size=1MiB", "."]).goes_on(words);
    assert_eq!(folder.run(&[CONCISE, "."]).code, Some(1));
    fs::write(folder.at(".sandbox-lint.yaml"), "limits: {file-size: 1MiB}\n").unwrap();
    folder.run(&[CONCISE, "."]).goes_on(words);
    for flag in ["--config", "--policy"] {
        let mut file = fs::File::create(folder.at("huge")).unwrap();
        file.write_all(&b"#\n".repeat(9 << 20)).unwrap();
        folder.run(&[flag, "huge", "good.yaml"]).stops("larger than the limit of 16 MiB");
    }
}

#[test]
fn more_documents_and_findings_than_the_limits_are_counted() {
    let folder = Folder::new();
    let one = fs::read_to_string(folder.at("good.yaml")).unwrap();
    let many: String =
        (0..30).map(|number| format!("{}---\n", one.replace("name: builder", &format!("name: b{number}")))).collect();
    fs::write(folder.at("many.yaml"), many).unwrap();
    let answer = folder.run(&[CONCISE, "--limit=documents=3", "."]);
    assert_eq!((answer.code, answer.out.matches("many.yaml:").count()), (Some(2), 6), "{}", answer.out);
    let answer = folder.run(&["--limit=documents=3", "."]);
    answer.goes_on("");
    let words = "skipped many.yaml, document 4: it and what follows is not judged, since only 3 documents of a file";
    assert!(answer.out.contains(words), "{}", answer.out);

    let answer = folder.run(&[CONCISE, "--limit=findings=5", "."]);
    assert_eq!((answer.code, answer.out.matches("many.yaml:").count()), (Some(1), 5), "{}", answer.out);
    assert!(
        answer.err.contains("55 findings are not shown; --limit findings=NUMBER shows more of a file"),
        "{}",
        answer.err
    );
    let answer = folder.run(&["--limit=findings=5", "many.yaml", "--format=json"]);
    let value: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((value["summary"]["omitted"].as_u64(), value["findings"].as_array().unwrap().len()), (Some(55), 5));
    let total: u64 = ["errors", "warnings", "notes"].iter().map(|key| value["summary"][*key].as_u64().unwrap()).sum();
    assert_eq!(total, 60);
    let answer = folder.run(&["--limit=findings=5", "many.yaml"]);
    assert!(answer.out.contains("55 of these not shown"), "{}", answer.out);
}

#[test]
fn hostile_nesting_aliases_numbers_and_keys_end_soon() {
    let folder = Folder::new();
    let head = "apiVersion: agents.x-k8s.io/v1beta1\nkind: Sandbox\nmetadata: {name: a}\n";
    let deep =
        |open: &str, close: &str, times: usize| format!("{head}x: {}{}\n", open.repeat(times), close.repeat(times));
    let bomb: String = (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |text, level| {
        let before = level - 1;
        format!("{text}a{level}: &a{level} [*a{before}, *a{before}, *a{before}, *a{before}, *a{before}, *a{before}]\n")
    });
    let files = [
        ("nested.yaml", deep("[", "]", 300)),
        ("flow.yaml", deep("[", "]", 200_000)),
        ("mapping.yaml", deep("{a: ", "}", 200_000)),
        (
            "block.yaml",
            format!("{head}x:\n{}", (0..3_000).map(|depth| format!("{}- \n", " ".repeat(depth))).collect::<String>()),
        ),
        ("bomb.yaml", format!("{head}{bomb}")),
        ("number.yaml", format!("{head}spec: {{replicas: {}}}\n", "9".repeat(1_000_000))),
        ("key.yaml", format!("{head}{}: 1\n\"{}\": 1\n", "k".repeat(100_000), "k".repeat(2_000_000))),
        ("documents.yaml", "---\n".repeat(500_000) + head),
        ("deep.json", format!("{{\"kind\": \"Sandbox\", \"a\": {}", "[".repeat(500_000))),
    ];
    for (name, text) in &files {
        fs::write(folder.at(name), text).unwrap();
        for arguments in
            [&[CONCISE, name][..], &["predict", name], &["decode", name], &["--cluster", name, "good.yaml"]]
        {
            let answer = folder.run(arguments);
            assert!(matches!(answer.code, Some(0..=2)), "{arguments:?}: {:?} {}", answer.code, answer.err);
            assert!(!answer.err.contains("panicked"), "{arguments:?}: {}", answer.err);
        }
        for flag in ["--config", "--policy", "--baseline"] {
            let answer = folder.run(&[flag, name, "good.yaml"]);
            assert_eq!(answer.code, Some(2), "{flag} {name}: {}", answer.err);
        }
    }
    let answer = folder.run(&["nested.yaml"]);
    assert!(answer.out.contains("nested more than 200 levels deep"), "{}", answer.out);
    assert_eq!(answer.code, Some(2));
}
