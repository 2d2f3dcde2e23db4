//! `why`: explains live objects that do not come up.

use super::args::{TextOrJson, WhyArgs};
use super::configs::Configs;
use super::gather::open;
use super::{Error, Exit, output};
use crate::cluster::World;
use crate::input::Source;
use crate::why::{self, Live, render};
use crate::yaml::Text;
use std::path::{Path, PathBuf};

/// Prints what is wrong; 1 where something is.
pub(super) fn run(args: &WhyArgs) -> Result<Exit, Error> {
    let configs = Configs::new(&args.config)?;
    let config = configs.of(Path::new(".")).1;
    configs.verify()?;
    let stdin = [PathBuf::from("-")];
    let files: &[PathBuf] = if args.files.is_empty() { &stdin } else { &args.files };
    let limit = config.limits.snapshot();
    let sources = files.iter().map(|path| open(path, &limit)).collect::<Result<Vec<Source>, Error>>()?;
    let mut live = Live::default();
    for source in &sources {
        live.read(source.text().as_str()).map_err(|error| Error::File(source.path.clone(), error.to_string()))?;
    }
    live.finish();
    let world = if args.world.snapshots(&config).is_empty() {
        // What the input says of nodes and of other objects counts; it is readable, or it would not be here.
        let texts: Vec<Text<'_>> = sources.iter().map(Source::text).collect();
        let seen = World::from_snapshot(texts.iter().map(Text::as_str)).unwrap_or_else(|_| World::assumed());
        args.world.describe(seen, &config)?
    } else {
        args.world.world(&config)?
    };
    let accounts = why::explain(&live, &world);
    output::print_report(&match args.format {
        TextOrJson::Human => render::human(&accounts),
        TextOrJson::Json => render::json(&accounts),
    })?;
    let counts = render::count(&accounts);
    Ok(if counts.stuck + counts.misplaced > 0 { Exit::Findings } else { Exit::Clean })
}
