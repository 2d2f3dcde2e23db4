//! Speed of whole runs: relevant files, a folder of unrelated files beside a plain walk, and growing files.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sandbox_lint::input::discover::{self, Excludes, Filter};
use sandbox_lint::input::read;
use sandbox_lint::limits::Limits;
use sandbox_lint::report::view::{self, View};
use sandbox_lint::report::{Machine, render};
use sandbox_lint::{Linter, Source, World};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};

const CLEAN: &str = include_str!("../testdata/examples/sandboxd.yaml");
const BROKEN: &str = include_str!("../testdata/examples/sandboxd-broken.yaml");
const SERVICE: &str =
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports:\n";

/// Writes `count` files into folders of twenty.
fn tree(count: usize, text: impl Fn(usize) -> String) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder for files");
    for number in 0..count {
        let folder = root.path().join(format!("team-{:03}", number / 20));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{number:05}.yaml")), text(number)).expect("a file");
    }
    root
}

/// About 1 KB, as manifests of services are.
fn unrelated(number: usize) -> String {
    let port = |at: usize| format!("  - {{name: port-{at}, port: {}, targetPort: 80}}\n", number + at);
    SERVICE.to_owned() + &(0..18).map(port).collect::<String>()
}

/// One of ten is broken.
fn relevant(number: usize) -> String {
    let text = if number.is_multiple_of(10) { BROKEN } else { CLEAN };
    text.replace("name: builder", &format!("name: builder-{number}")).replace("-example", &format!("-{number}"))
}

fn check(root: &Path) -> usize {
    let filter = Filter::of(Excludes::new::<&str>(&[]).expect("no globs"));
    let listing = discover::list(&[root.to_owned()], &filter);
    let reading = read::read(&listing.files, &Limits::default().file());
    let report = Linter::new(World::assumed()).check(reading.sources);
    let texts = view::texts(&report);
    render(&View::new(&report, &texts), Machine::Json).len()
}

/// What any program must do that looks at every file: the yardstick.
fn walk_open_read(root: &Path) -> usize {
    let mut buffer = Vec::with_capacity(1 << 16);
    let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().flatten();
    let files: Vec<PathBuf> =
        entries.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()).collect();
    let mut bytes = 0;
    for file in files {
        buffer.clear();
        File::open(file).and_then(|mut file| file.read_to_end(&mut buffer)).expect("a readable file");
        bytes += black_box(&buffer).len();
    }
    bytes
}

fn files(criterion: &mut Criterion) {
    let root = tree(250, relevant);
    criterion.bench_function("check of 250 relevant files", |bencher| bencher.iter(|| check(root.path())));

    let root = tree(5_000, unrelated);
    let mut group = criterion.benchmark_group("5,000 unrelated files");
    group.sample_size(20);
    group.bench_function("check", |bencher| bencher.iter(|| check(root.path())));
    group.bench_function("walk, open, read", |bencher| bencher.iter(|| walk_open_read(root.path())));
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one file");
    group.sample_size(10);
    for factor in [1, 2, 4] {
        let text: String = (0..factor * 1_000).map(|number| format!("---\n{}", relevant(number))).collect();
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(format!("{factor},000 documents")), |bencher| {
            let linter = Linter::new(World::assumed());
            let source = || vec![Source::explicit("all.yaml", text.clone().into_bytes())];
            bencher.iter_with_large_drop(|| linter.check(source()));
        });
    }
    group.finish();
}

criterion_group!(benches, files, growth);
criterion_main!(benches);
