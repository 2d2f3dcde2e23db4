//! Running the linter over test data, in the world that a few flags of the command line describe.
#![allow(dead_code)]

use sandbox_lint::cluster::{Webhook, World};
use sandbox_lint::config::Config;
use sandbox_lint::finding::Finding;
use sandbox_lint::input::discover::Candidate;
use sandbox_lint::input::read;
use sandbox_lint::limits::Limits;
use sandbox_lint::rule::Rule;
use sandbox_lint::{Linter, Report, Source};
use std::path::{Path, PathBuf};

/// A folder of `testdata`.
pub fn testdata(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(folder)
}

/// Lints the files in the world that the flags describe; snapshots are named relative to `folder`.
pub fn lint(folder: &Path, files: &[PathBuf], flags: &str) -> Report {
    let candidates: Vec<Candidate> =
        files.iter().map(|path| Candidate { path: path.clone(), explicit: false }).collect();
    let reading = read::read(&candidates, &Limits::default().file());
    assert!(reading.problems.is_empty(), "cannot read {files:?}: {:?}", reading.problems);
    Linter::new(world(folder, flags)).check(reading.sources)
}

/// Lints a text as if it were a file; with `--latin-1` one that is saved in that encoding.
pub fn lint_text(text: &str, flags: &str) -> Report {
    let latin = |letter: char| u8::try_from(u32::from(letter)).expect("a letter of Latin-1");
    let (flags, bytes) = match flags.strip_prefix("--latin-1") {
        Some(rest) => (rest, text.chars().map(latin).collect()),
        None => (flags, text.as_bytes().to_vec()),
    };
    let source = Source::explicit("example.yaml", bytes);
    Linter::new(world(Path::new("."), flags)).check(vec![source])
}

fn world(folder: &Path, flags: &str) -> World {
    // Tests must not change with the day: 2026-09-01.
    let mut world = World { now: 1_788_220_800, ..World::assumed() };
    let words: Vec<&str> = flags.split_whitespace().collect();
    for pair in words.chunks(2) {
        match pair {
            ["--profile", "cocoon-webhook"] => world.webhook = Some(Webhook::default()),
            ["--profile", "aggregated-api"] => world.aggregated_api = true,
            ["--agent-sandbox-version", release] => world.agent_sandbox = Some(release.parse().expect("a release")),
            ["--config", file] => {
                let config = Config::load(&folder.join(file)).expect("a configuration");
                config.describe(&mut world).expect("a contract that holds together");
            }
            ["--cluster", file] => world = snapshot(world, &folder.join(file)),
            other => panic!("unknown flags {other:?}"),
        }
    }
    world
}

fn snapshot(world: World, file: &Path) -> World {
    let text = std::fs::read_to_string(file).expect("a snapshot");
    let real = World::from_snapshot([text.as_str()]).expect("a snapshot of a cluster");
    World { now: world.now, webhook: world.webhook.or(real.webhook), ..real }
}

/// All files of a folder and those below, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.expect("a readable folder"))
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect();
    files.sort();
    files
}

/// A finding in one line, for messages of failed tests.
pub fn summary_line(finding: &Finding) -> String {
    let Rule { code, name, .. } = finding.rule;
    let outcome = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref()).unwrap_or("");
    format!("{code} {name} {:?} at {}: {} ({outcome})", finding.severity, finding.spot.path, finding.message)
}

/// All findings of a report with their consequences.
pub fn with_consequences(report: &Report) -> Vec<&Finding> {
    let own = |finding| std::iter::once(finding).chain(consequences(finding));
    report.findings.iter().flat_map(own).collect()
}

fn consequences(finding: &Finding) -> impl Iterator<Item = &Finding> {
    finding.consequences.iter().map(|one| &one.finding)
}

/// All findings of a report with their consequences, one a line.
pub fn all_told(report: &Report) -> String {
    with_consequences(report).into_iter().map(|finding| format!("    {}\n", summary_line(finding))).collect()
}
