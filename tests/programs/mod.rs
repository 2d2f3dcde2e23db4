//! Programs of other people that tests run where they are installed.
#![allow(dead_code)]

pub mod lines;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where a program is on `PATH`. Its absence is said on standard error, and fails the test where
/// `SANDBOX_LINT_TEST_TOOLS=all` is set.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    if found.is_none() {
        assert!(!all_wanted(), "{name} is not on PATH");
        say(&format!("not tested: {name} is not on PATH"));
    }
    found
}

/// Whether no test may be left out for want of a program or of time.
pub fn all_wanted() -> bool {
    std::env::var_os("SANDBOX_LINT_TEST_TOOLS").is_some_and(|value| value == "all")
}

/// Says something straight to standard error, which the test harness does not keep back.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The program under test.
pub fn binary() -> PathBuf {
    assert_cmd::cargo::cargo_bin("sandbox-lint")
}

/// `PATH` with the program under test in front.
pub fn path_with_binary() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binary().parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

/// A command in a folder that finds the program under test, away from the settings of whoever runs the tests.
pub fn command(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path_with_binary()).env("COLUMNS", "100");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "SANDBOX_LINT_CONFIG", "GIT_DIR", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
}

/// Everything that a run has printed.
pub fn printed(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", printed(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with these files, which goes away with the value.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    root
}

/// What a run of the program under test has given.
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs the program under test in a folder, with variables of the environment and standard input.
pub fn run_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Run {
    let mut command = assert_cmd::Command::from_std(command(binary(), folder));
    command.args(arguments).write_stdin(input).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

/// The output of a run with `--format json`.
pub fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}\n{}{}", run.out, run.err))
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text of a file of the repository.
pub fn text(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The fenced blocks of a Markdown text: the words behind the fence, and the block.
pub fn fences(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(words)) => open = Some((words.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, block)), None) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}
