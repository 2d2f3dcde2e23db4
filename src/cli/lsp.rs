//! `lsp`: the language server.

use super::args::{ConfigArgs, InputArgs, LspArgs, SelectionArgs, WorldArgs};
use super::configs::Configs;
use super::settings::{self, Choice};
use super::{Error, terminal};
use crate::baseline::{Baseline, is_baseline};
use crate::contract::Contract;
use crate::files::Limit;
use crate::input::discover::{self, Candidate, Filter};
use crate::input::templates::{FileContext, FolderLookup};
use crate::input::{Source, read};
use crate::linter::{Linter, Report};
use crate::lsp::{self, Problem, Rules};
use crate::settings::FILE_NAMES;
use std::collections::HashMap;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Serves until the client says goodbye.
pub(super) fn run(args: LspArgs) -> Result<ExitCode, Error> {
    let input = InputArgs::default();
    let rules = FromFlags {
        config: args.config,
        selection: args.selection,
        world: args.world,
        input,
        known: None,
        around: HashMap::new(),
    };
    let code = lsp::serve(Box::new(rules), BufReader::new(io::stdin()), io::stdout().lock())?;
    Ok(ExitCode::from(code))
}

/// Configurations and flags, as `check` takes them together.
struct FromFlags {
    config: ConfigArgs,
    selection: SelectionArgs,
    world: WorldArgs,
    input: InputArgs,
    known: Option<Known>,
    /// What the folders around open files say of them; `None` for a file that is left out.
    around: HashMap<String, Option<FileContext>>,
}

/// What was read for a set of files, until something of it changes.
struct Known {
    /// The files that the linter is made for.
    paths: Vec<String>,
    linter: Linter,
    choice: Choice,
    baseline: Option<Baseline>,
    /// How many findings of a file are shown.
    findings: usize,
}

impl FromFlags {
    /// What is left out around a file or folder, and how large a file may be.
    fn filter(&mut self, first: &Path) -> Option<(Filter, Limit)> {
        self.input.paths = vec![first.to_owned()];
        let configs = Configs::new(&self.config).ok()?;
        Some((self.input.filter(&configs).ok()?, self.input.limits(&configs).file()))
    }

    /// What the folders around a file say of it; `None` where it is left out.
    fn context(&mut self, file: &Path) -> Option<FileContext> {
        let own = file.file_name().is_some_and(|name| FILE_NAMES.iter().any(|own| name == *own));
        let left_out = own || self.filter(file)?.0.reason(file).is_some();
        (!left_out).then(|| FolderLookup::default().look(file))
    }

    fn prepare(&mut self, sources: &[Source]) -> Result<&Known, Error> {
        let same = |known: &Known| {
            known.paths.len() == sources.len() && known.paths.iter().zip(sources).all(|(path, one)| *path == one.path)
        };
        if !self.known.as_ref().is_some_and(same) {
            self.known = None;
            let configs = Configs::new(&self.config)?;
            let first = sources.first().map_or(Path::new("."), |source| Path::new(&source.path));
            self.input.paths = vec![first.to_owned()];
            let limits = self.input.limits(&configs);
            let linter = settings::linter(&configs, sources, &self.config, &self.world)?.with_limits(limits);
            let choice = Choice::new(&configs, sources, &self.selection);
            let baseline = configs.of(first).1.baseline.as_ref().map(|path| Baseline::load(path)).transpose()?;
            let paths = sources.iter().map(|source| source.path.clone()).collect();
            self.known = Some(Known { paths, linter, choice, baseline, findings: limits.findings });
        }
        Ok(self.known.as_ref().expect("just made"))
    }
}

impl Rules for FromFlags {
    fn gather(&mut self, folders: &[PathBuf]) -> Vec<Source> {
        let mut sources: Vec<Source> = Vec::new();
        for folder in folders {
            let Some((filter, limit)) = self.filter(folder) else { continue };
            let listing = discover::list(std::slice::from_ref(folder), &filter);
            let reading = read::read(&listing.files, &limit);
            for problem in listing.problems.iter().chain(&reading.problems) {
                terminal::notice(&problem.to_string());
            }
            sources.extend(reading.sources);
        }
        sources
    }

    fn read(&mut self, file: &Path) -> Option<Source> {
        let name = file.file_name()?.to_str()?;
        let manifest = matches!(file.extension()?.to_str()?, "yaml" | "yml" | "json");
        if !manifest || FILE_NAMES.contains(&name) {
            return None;
        }
        let (filter, limit) = self.filter(file)?;
        if filter.reason(file).is_some() {
            return None;
        }
        read::read(&[Candidate { path: file.to_owned(), explicit: false }], &limit).sources.pop()
    }

    fn open(&mut self, path: &str, text: &str) -> Option<Source> {
        if is_baseline(text.as_bytes()) {
            return None;
        }
        // Asked for on every key: the disk is read once.
        let context = match self.around.get(path) {
            Some(known) => known.clone(),
            None => {
                let found = self.context(Path::new(path));
                self.around.insert(path.to_owned(), found.clone());
                found
            }
        };
        Some(Source { context: context?, ..Source::found(path, text.as_bytes().to_vec()) })
    }

    fn judge(&mut self, sources: Vec<Source>) -> Result<Report, Vec<Problem>> {
        let known = self.prepare(&sources).map_err(|error| problems(&error))?;
        let mut report = known.linter.check(sources);
        known.choice.apply(&mut report);
        if let Some(baseline) = &known.baseline {
            let paths: Vec<String> = report.sources.iter().map(|source| source.path.clone()).collect();
            baseline.apply(&mut report.findings, &[], &|file| paths[file].clone());
        }
        report.omit(known.findings);
        Ok(report)
    }

    fn forget(&mut self) {
        self.known = None;
        self.around.clear();
    }

    fn contract(&mut self, folder: &Path) -> Contract {
        let mut contract = Contract::builtin();
        if let Ok(configs) = Configs::new(&self.config) {
            // What is wrong in it is a diagnostic of the check.
            let _ = contract.extend(configs.of(folder).1.contract.clone());
        }
        contract
    }
}

/// The lines of a message, each with the place that it begins with.
fn problems(error: &Error) -> Vec<Problem> {
    let text = error.to_string();
    text.lines().map(problem).collect()
}

fn problem(line: &str) -> Problem {
    let placed = || {
        let (before, message) = line.split_once(": ")?;
        let (before, column) = before.rsplit_once(':')?;
        let (path, number) = before.rsplit_once(':')?;
        let (line, column) = (number.parse().ok()?, column.parse().ok()?);
        Some(Problem { path: Some(path.to_owned()), line, column, message: message.to_owned() })
    };
    placed().unwrap_or_else(|| Problem { path: None, line: 1, column: 1, message: line.to_owned() })
}
