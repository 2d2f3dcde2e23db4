//! The baseline: written, applied and pruned.

use super::args::BaselineArgs;
use super::configs::Configs;
use super::{Error, terminal};
use crate::baseline::{Baseline, Matched};
use crate::escape;
use crate::input::discover;
use crate::linter::Report;
use crate::report::words::plural;
use std::path::{Path, PathBuf};

/// Stale entries that are named; further ones are counted.
const NAMED: usize = 10;

impl BaselineArgs {
    /// Silences known findings, or writes down the present ones.
    pub(super) fn apply(&self, configs: &Configs, report: &mut Report) -> Result<(), Error> {
        let paths: Vec<String> = report.sources.iter().map(|source| source.path.clone()).collect();
        let name = |file: usize| paths[file].clone();
        if let Some(path) = &self.write_baseline {
            let baseline = Baseline::of(&report.findings, &name);
            baseline.save(path)?;
            terminal::notice(&format!("{} written to {}", plural(baseline.len(), "finding", "findings"), shown(path)));
            baseline.apply(&mut report.findings, &[], &name);
            report.finish();
            return Ok(());
        }
        let Some(path) = self.path(configs, &paths) else {
            return if self.prune_baseline {
                Err(Error::Flags("--prune-baseline needs a baseline: name it with --baseline".into()))
            } else {
                Ok(())
            };
        };
        let mut baseline = Baseline::load(&path)?;
        let seen: Vec<_> = report.predictions.iter().map(|prediction| prediction.resource.clone()).collect();
        let matched = baseline.apply(&mut report.findings, &seen, &name);
        if self.prune_baseline {
            let changed = baseline.prune(&report.findings, &name);
            baseline.save(&path)?;
            let entries = plural(changed, "entry", "entries");
            terminal::notice(&format!("{entries} of {} removed or lowered", shown(&path)));
        } else {
            report_stale(&path, &matched);
        }
        report.finish();
        Ok(())
    }

    /// The flag's file, else that of the configuration of the first file.
    fn path(&self, configs: &Configs, paths: &[String]) -> Option<PathBuf> {
        let first = paths.first().map_or(Path::new("."), Path::new);
        self.baseline.clone().or_else(|| configs.of(first).1.baseline.clone())
    }
}

fn report_stale(path: &Path, matched: &Matched) {
    for entry in matched.stale.iter().take(NAMED) {
        terminal::notice(&format!("{}: no longer found: {}", shown(path), escape::line(entry)));
    }
    if matched.stale.len() > NAMED {
        terminal::notice(&format!("{}: and {} more", shown(path), matched.stale.len() - NAMED));
    }
    if !matched.stale.is_empty() {
        terminal::notice("--prune-baseline takes them out");
    }
}

fn shown(path: &Path) -> String {
    escape::line(&discover::display(path)).into_owned()
}
