//! Peak memory of checking one large file: `cargo run --release --example peak_memory [MEGABYTES]`.
//!
//! Prints the largest resident size that the kernel saw before and after, from `/proc/self/status`.

use sandbox_lint::{Linter, Source, World};

const MANIFEST: &str = include_str!("../testdata/examples/sandboxd.yaml");

fn main() {
    let megabytes: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut text = String::with_capacity((megabytes << 20) + MANIFEST.len() + 64);
    let mut number = 0;
    while text.len() < megabytes << 20 {
        text.push_str("---\n");
        text.push_str(&MANIFEST.replace("sandboxd-example", &format!("agent-{number}")));
        number += 1;
    }
    let before = peak();
    let start = std::time::Instant::now();
    let report = Linter::new(World::assumed()).check(vec![Source::explicit("all.yaml", text.into_bytes())]);
    let time = start.elapsed();
    println!("{megabytes} MB, {} resources, {} findings", report.summary.resources, report.findings.len());
    println!("peak before {before}, after {}, {:.2} s", peak(), time.as_secs_f64());
}

/// `VmHWM` as the kernel prints it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |size| size.trim().to_owned())
}
