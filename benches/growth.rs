//! What a run costs, without a statistics framework, so that sizes far apart can be compared: each kind of input at
//! three sizes, each twice the one before; the cost of a Sandbox; one thread beside two; a tree of unrelated files
//! beside `rg`; and the memory of whole runs. `cargo bench --bench growth -- WORD` runs the parts whose names hold WORD.

#[path = "growth/kinds.rs"]
mod kinds;

use kinds::{KINDS, Kind, Task, sandboxes};
use sandbox_lint::baseline::Baseline;
use sandbox_lint::fix::fix_files;
use sandbox_lint::input::discover::{self, Excludes, Filter};
use sandbox_lint::input::read;
use sandbox_lint::limits::Limits;
use sandbox_lint::linter::Report;
use sandbox_lint::report::human::{self, Extras, Look};
use sandbox_lint::report::view::{self, View};
use sandbox_lint::report::{Machine, render};
use sandbox_lint::{Linter, Source, World};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LOOK: Look = Look { color: false, unicode: true, width: 100 };

fn linter() -> Linter {
    Linter::new(World::assumed()).with_limits(Limits { documents: usize::MAX, ..Limits::default() })
}

/// Seconds of the shortest of some runs; what a run gives back is dropped outside of the measured time.
fn shortest<T>(runs: usize, run: impl Fn() -> T) -> f64 {
    let once = |_| {
        let start = Instant::now();
        let kept = black_box(run());
        let took = start.elapsed().as_secs_f64();
        drop(kept);
        took
    };
    (0..runs).map(once).fold(f64::INFINITY, f64::min)
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(run)
}

fn source(text: &str) -> Vec<Source> {
    vec![Source::explicit("all.yaml", text.as_bytes().to_vec())]
}

fn json(report: &Report) -> usize {
    render(&View::new(report, &view::texts(report)), Machine::Json).len()
}

/// Seconds of one kind of input at one size, on one thread.
fn time(kind: &Kind, count: usize) -> f64 {
    let bytes = (kind.make)(count);
    let source = || vec![Source::explicit("all.yaml", bytes.clone())];
    on_threads(1, || match kind.task {
        Task::Check => shortest(3, || linter().check(source())),
        Task::Fix => {
            let report = linter().check(source());
            shortest(3, || fix_files(&linter(), &report, |_| (), true))
        }
        Task::Baseline => {
            let report = linter().check(source());
            let name = |_: usize| "all.yaml".to_owned();
            let seen: Vec<_> = report.predictions.iter().map(|one| one.resource.clone()).collect();
            shortest(3, || Baseline::of(&report.findings, &name).apply(&mut report.findings.clone(), &seen, &name))
        }
        Task::Render(machine) => {
            let report = linter().check(source());
            shortest(3, || render(&View::new(&report, &view::texts(&report)), machine))
        }
        Task::RenderHuman => {
            let report = linter().check(source());
            shortest(3, || human::render(&View::new(&report, &view::texts(&report)), LOOK, Extras::default()))
        }
        Task::RenderPredictions => {
            let report = linter().check(source());
            shortest(3, || human::render_predictions(&View::new(&report, &view::texts(&report)), LOOK))
        }
    })
}

fn growth(word: &str) {
    println!("{:<44}{:>7} {:>10} {:>10} {:>10}   2N/N 4N/2N", "kind", "N", "N", "2N", "4N");
    let rendered = |task, name: String| {
        let make: fn(usize) -> Vec<u8> = |count| kinds::unknown_fields(count).into_bytes();
        Kind { name, count: 1_000, task, make }
    };
    let formats =
        Machine::ALL.map(|machine| rendered(Task::Render(machine), format!("report of findings, {machine:?}")));
    let human = [
        rendered(Task::RenderHuman, "report of findings, human".to_owned()),
        Kind {
            name: "report of predictions, human".to_owned(),
            count: 500,
            task: Task::RenderPredictions,
            make: |count| sandboxes(count).into_bytes(),
        },
    ];
    let named = KINDS.iter().map(|(name, count, task, make)| Kind {
        name: (*name).to_owned(),
        count: *count,
        task: *task,
        make: *make,
    });
    for kind in named.chain(formats).chain(human).filter(|kind| kind.name.contains(word)) {
        let times = [1, 2, 4].map(|factor| time(&kind, kind.count * factor));
        let [one, two, four] = times.map(|time| format!("{:.1} ms", time * 1e3));
        let (first, second) = (times[1] / times[0], times[2] / times[1]);
        let mark = if second > 2.3 { "  grows faster than its input" } else { "" };
        println!("{:<44}{:>7} {one:>10} {two:>10} {four:>10}   {first:4.1} {second:5.1}{mark}", kind.name, kind.count);
    }
}

fn stream() {
    let count = 20_000;
    let text = sandboxes(count);
    let run = |threads| {
        on_threads(threads, || {
            shortest(3, || {
                let report = linter().check(source(&text));
                (json(&report), report)
            })
        })
    };
    let check = on_threads(1, || shortest(3, || linter().check(source(&text))));
    let (one, two) = (run(1), run(2));
    let each = |time: f64| time * 1e6 / count as f64;
    println!("\none stream of {count} ordinary Sandboxes, {:.1} MB", text.len() as f64 / 1e6);
    println!("check, one thread: {:.0} ms, {:.1} µs a Sandbox", check * 1e3, each(check));
    println!("check and JSON, one thread: {:.0} ms, {:.1} µs a Sandbox", one * 1e3, each(one));
    println!("check and JSON, two threads: {:.0} ms, {:.2} times as fast", two * 1e3, one / two);
}

fn check(root: &Path) -> Report {
    let filter = Filter::of(Excludes::new::<&str>(&[]).expect("no globs"));
    let listing = discover::list(&[root.to_owned()], &filter);
    linter().check(read::read(&listing.files, &Limits::default().file()).sources)
}

fn unrelated() {
    let root = tempfile::tempdir().expect("a folder for files");
    let count = 20_000;
    for number in 0..count {
        let folder = root.path().join(format!("team-{:03}", number / 20));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{number:05}.yaml")), kinds::service(number)).expect("a file");
    }
    let ours = shortest(5, || check(root.path()));
    let whole = shortest(5, || run_binary(root.path(), "human"));
    println!("\n{count} unrelated files: {:.0} ms in the library, {:.0} ms as a program", ours * 1e3, whole * 1e3);
    let search = || Command::new("rg").args(["-c", "agents.x-k8s.io"]).arg(root.path()).output();
    if search().is_err() {
        println!("rg is not installed: nothing to compare with");
        return;
    }
    let theirs = shortest(5, search);
    println!("rg -c agents.x-k8s.io: {:.0} ms; the program takes {:.2} times as long", theirs * 1e3, whole / theirs);
}

/// Runs the program on a path; the answer is its highest resident memory in KB, where the system says it.
fn run_binary(path: &Path, format: &str) -> u64 {
    let program = env!("CARGO_BIN_EXE_sandbox-lint");
    let arguments = ["check", "--format", format, "--limit", "documents=1000000", "--limit", "findings=1000000"];
    let mut child = Command::new(program)
        .args(arguments)
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let status = format!("/proc/{}/status", child.id());
    let mut highest = 0;
    while child.try_wait().expect("a child").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        highest = highest.max(line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0));
        std::thread::sleep(Duration::from_micros(500));
    }
    highest
}

fn memory() {
    let root = tempfile::tempdir().expect("a folder for files");
    println!(
        "\n{:<44}{:>9} {:>9} {:>9}   (highest resident memory; limit: 3 x the file + 20 MB)",
        "memory", "file", "peak", "limit"
    );
    let files = [
        ("20,000 ordinary Sandboxes", sandboxes(20_000)),
        ("one file with 8,000 findings", kinds::unknown_fields(8_000)),
        ("4,000 broken Sandboxes", kinds::broken(4_000)),
    ];
    for (name, text) in files {
        let path = root.path().join("all.yaml");
        fs::write(&path, &text).expect("a file");
        for format in ["human", "json", "sarif"] {
            let peak = run_binary(&path, format) as f64 / 1024.0;
            let size = text.len() as f64 / f64::from(1 << 20);
            let label = format!("{name}, {format}");
            println!("{label:<44}{size:>6.1} MB {peak:>6.1} MB {:>6.1} MB", 3.0 * size + 20.0);
        }
    }
}

fn main() {
    let word = std::env::args().skip(1).find(|word| !word.starts_with("--")).unwrap_or_default();
    growth(&word);
    let parts: [(&str, fn()); 3] = [("stream", stream), ("unrelated", unrelated), ("memory", memory)];
    for (_, part) in parts.iter().filter(|(name, _)| name.contains(word.as_str())) {
        part();
    }
}
