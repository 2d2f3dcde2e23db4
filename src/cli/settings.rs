//! What holds for each file of a run: flags and configurations taken together.

use super::args::{CheckArgs, ConfigArgs, SelectionArgs, WorldArgs};
use super::configs::Configs;
use super::{Error, terminal};
use crate::cluster::World;
use crate::config::{Config, Override};
use crate::escape;
use crate::finding::{Finding, Severity};
use crate::input::Source;
use crate::linter::{Linter, Report, Settings};
use crate::policy::Policies;
use crate::select::Selection;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The choice of rules and weights for every file.
pub(super) struct Choice {
    configs: Vec<Layers>,
    /// The number of a file's configuration, by the path of its source.
    assigned: HashMap<String, usize>,
    flags: Selection,
    fail_on: Option<Severity>,
}

/// A configuration's choices.
struct Layers {
    config: Arc<Config>,
    /// The choice for all its files, flags taken in.
    base: Selection,
    /// The choices for some files, in the order of the configuration's overrides.
    parts: Vec<Selection>,
}

/// The linter for these sources.
pub(super) fn linter(
    configs: &Configs,
    sources: &[Source],
    args: &ConfigArgs,
    world: &WorldArgs,
) -> Result<Linter, Error> {
    let assigned = assign(configs, sources);
    let shared = configs.of(&common_folder(sources)).0;
    configs.verify()?;
    let used = |number: usize| number == shared || assigned.values().any(|used| *used == number);
    let mut settings = Vec::new();
    let mut said = Vec::new();
    for (number, config) in configs.all().into_iter().enumerate() {
        let (world, policies) = if used(number) {
            (world.world(&config)?, policies_of(&config, args)?)
        } else {
            (World::assumed(), Policies::default())
        };
        for notice in &policies.notices {
            let line = format!("{}: {}", escape::line(&notice.file), escape::line(&notice.message));
            if !said.contains(&line) {
                terminal::notice(&line);
                said.push(line);
            }
        }
        settings.push(Settings { world, policies });
    }
    Ok(Linter::with_settings(settings, assigned, shared))
}

fn assign(configs: &Configs, sources: &[Source]) -> HashMap<String, usize> {
    let judged = sources.iter().filter(|source| !source.around);
    judged.map(|source| (source.path.clone(), configs.of(Path::new(&source.path)).0)).collect()
}

/// The deepest folder that holds all files.
fn common_folder(sources: &[Source]) -> PathBuf {
    let folder =
        |source: &Source| std::path::absolute(&source.path).ok().and_then(|path| path.parent().map(Path::to_owned));
    let mut folders = sources.iter().filter_map(folder);
    let Some(mut common) = folders.next() else { return PathBuf::from(".") };
    for other in folders {
        while !other.starts_with(&common) && common.pop() {}
    }
    common
}

fn policies_of(config: &Config, args: &ConfigArgs) -> Result<Policies, Error> {
    let paths: Vec<PathBuf> = config.policies.iter().chain(&args.policy).cloned().collect();
    Policies::load(&paths, config.house_rules.clone()).map_err(|error| Error::Settings(error.to_string()))
}

impl Choice {
    /// Takes flags and configurations together.
    pub(super) fn new(configs: &Configs, sources: &[Source], args: &SelectionArgs) -> Self {
        let flags = args.selection();
        let layers = configs.all().into_iter().map(|config| Layers::new(config, &flags)).collect();
        let fail_on = args.fail_on.map(Severity::from);
        Self { configs: layers, assigned: assign(configs, sources), flags, fail_on }
    }

    /// Leaves the wanted findings with their chosen weights.
    pub(super) fn apply(&self, report: &mut Report) {
        let sources = &report.sources;
        report.findings.retain_mut(|finding| self.keeps(&sources[finding.file].path, finding));
        report.finish();
    }

    /// The flags come before the part of a configuration that is for a file, and that before its rest.
    fn keeps(&self, path: &str, finding: &mut Finding) -> bool {
        let layers = self.layers(path);
        let rule = finding.rule;
        let mut is_on = layers.base.includes(rule);
        let mut level = layers.base.level_of(rule);
        for (at, _) in layers.config.overrides_for(Path::new(path)) {
            let part = &layers.parts[at];
            is_on = part.decision(rule).unwrap_or(is_on);
            level = part.level_of(rule).or(level);
        }
        let allowed = if self.flags.select.is_empty() {
            self.flags.decision(rule) != Some(false)
        } else {
            self.flags.includes(rule)
        };
        finding.severity = self.flags.level_of(rule).or(level).unwrap_or(finding.severity);
        is_on && allowed && self.flags.floor.is_none_or(|floor| finding.severity >= floor)
    }

    /// Whether a finding makes the run fail.
    pub(super) fn fails(&self, path: &str, finding: &Finding) -> bool {
        let limit = self.fail_on.or(self.layers(path).config.fail_on).unwrap_or(Severity::Error);
        finding.suppressed.is_none() && finding.severity >= limit
    }

    fn layers(&self, path: &str) -> &Layers {
        &self.configs[self.assigned.get(path).copied().unwrap_or_default()]
    }
}

impl Layers {
    /// `--select` takes the place of a configuration's choice; what is ignored for some files stays ignored.
    fn new(config: Arc<Config>, flags: &Selection) -> Self {
        let levels = config.severity.clone();
        let base = if flags.select.is_empty() {
            let ignore = config.ignore.iter().chain(&flags.ignore).cloned().collect();
            Selection { select: config.select.clone(), ignore, levels, floor: None }
        } else {
            Selection { select: flags.select.clone(), ignore: flags.ignore.clone(), levels, floor: None }
        };
        let part = |part: &Override| Selection {
            select: part.select.clone(),
            ignore: part.ignore.clone(),
            levels: part.severity.clone(),
            floor: None,
        };
        let parts = config.overrides.iter().map(part).collect();
        Self { config, base, parts }
    }
}

/// The settings of each configuration that holds for a path of the command line, as one JSON object a line.
pub(super) fn show(args: &CheckArgs, configs: &Configs) -> Result<String, Error> {
    let here = [PathBuf::from(".")];
    let paths = if args.input.paths.is_empty() { &here[..] } else { &args.input.paths };
    let mut shown = Vec::new();
    let mut text = String::new();
    for path in paths {
        let path = if super::gather::is_stdin(path) { Path::new(&args.input.stdin_filename) } else { path };
        let (number, config) = configs.of(path);
        configs.verify()?;
        if shown.contains(&number) {
            continue;
        }
        shown.push(number);
        let settings = crate::config::settings(&config);
        text += &escape::json(serde_json::to_string_pretty(&settings).expect("settings are plain data"));
        text.push('\n');
    }
    Ok(text)
}
