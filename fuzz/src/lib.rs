//! What the fuzz targets share: worlds to check in, and sources made of any bytes.

use sandbox_lint::cluster::{Webhook, World};
use sandbox_lint::{Linter, Source};
use std::sync::LazyLock;

static LINTERS: LazyLock<[Linter; 3]> = LazyLock::new(|| {
    let day = 1_788_220_800;
    let assumed = World { now: day, ..World::assumed() };
    let gated = World { webhook: Some(Webhook::default()), ..assumed.clone() };
    let real = World::from_snapshot([include_str!("../../testdata/cluster.yaml")]).expect("the snapshot is readable");
    [assumed, gated, World { now: day, ..real }].map(Linter::new)
});

/// Linters of the assumed cluster, of one with cocoon-webhook, and of a snapshot.
pub fn linters() -> &'static [Linter; 3] {
    &LINTERS
}

/// A file that the user named.
pub fn source(bytes: &[u8]) -> Source {
    Source::explicit("fuzz.yaml", bytes.to_vec())
}
