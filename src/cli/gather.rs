//! From paths on the command line to sources.

use super::Error;
use super::args::InputArgs;
use super::configs::Configs;
use super::terminal;
use crate::files::Limit;
use crate::input::Source;
use crate::input::discover::{self, Candidate, Excludes, Filter, InputError};
use crate::input::read;
use crate::limits::Limits;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the command line named.
pub(super) struct Gathered {
    /// What is worth decoding, sorted by path.
    pub sources: Vec<Source>,
    /// How many files were read.
    pub files: usize,
    /// Whether something could not be read; it has been said on standard error.
    pub failed: bool,
}

impl InputArgs {
    /// Lists and reads; says on standard error what cannot be read.
    pub(super) fn gather(&self, configs: &Configs) -> Result<Gathered, Error> {
        let filter = self.filter(configs)?;
        let limit = self.limits(configs).file();
        let here = [PathBuf::from(".")];
        let paths: &[PathBuf] = if self.paths.is_empty() { &here } else { &self.paths };
        let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| is_stdin(path));
        let listing = discover::list(&paths, &filter);
        configs.verify()?;
        let mut reading = read::read(&listing.files, &limit);
        let mut problems = listing.problems;
        problems.append(&mut reading.problems);
        let left_out = filter.force && filter.reason(Path::new(&self.stdin_filename)).is_some();
        if !stdin.is_empty() && !left_out {
            match read::stdin(&self.stdin_filename, &limit) {
                Ok(source) => {
                    reading.files += 1;
                    let at = reading.sources.partition_point(|known| !known.around && known.path < source.path);
                    reading.sources.insert(at, source);
                }
                Err(problem) => problems.push(problem),
            }
        }
        say(&problems);
        hint(&problems);
        if reading.files == 0 && problems.is_empty() && !filter.force {
            terminal::notice("no .yaml, .yml or .json file found");
        }
        Ok(Gathered { sources: reading.sources, files: reading.files, failed: !problems.is_empty() })
    }

    /// What is left out; whether ignore files count is for the configuration of the first path to say.
    /// Policies, the manifests they are tried on, and snapshots are no manifests to check.
    pub(super) fn filter(&self, configs: &Configs) -> Result<Filter, Error> {
        let first = self.paths.iter().find(|path| !is_stdin(path));
        let config = configs.of(first.map_or(Path::new("."), PathBuf::as_path)).1;
        let known = configs.clone();
        let (for_markdown, all_markdown) = (configs.clone(), self.markdown);
        Ok(Filter {
            excludes: Excludes::new(&self.exclude)?,
            configured: Arc::new(move |path| {
                let config = known.of(path.parent().unwrap_or(path)).1;
                config.exclude.matches(path) || known.is_own(path, &config)
            }),
            gitignore: config.respect_gitignore && !self.no_ignore,
            force: config.force_exclude || self.force_exclude,
            markdown: Arc::new(move |path| all_markdown || for_markdown.of(path.parent().unwrap_or(path)).1.markdown),
        })
    }

    /// The limits of the run: what the configuration of the first path says, and then the flags.
    pub(super) fn limits(&self, configs: &Configs) -> Limits {
        let first = self.paths.iter().find(|path| !is_stdin(path));
        let mut limits = configs.of(first.map_or(Path::new("."), PathBuf::as_path)).1.limits;
        for set in &self.limit {
            set.apply(&mut limits);
        }
        limits
    }

    /// Whether standard input is among the paths.
    pub(super) fn reads_stdin(&self) -> bool {
        self.paths.iter().any(|path| is_stdin(path))
    }
}

/// Reads one file, or standard input, up to a limit.
pub(super) fn open(path: &Path, limit: &Limit) -> Result<Source, Error> {
    if is_stdin(path) {
        return read::stdin("STDIN", limit).map_err(|problem| Error::File(problem.path, problem.reason));
    }
    let mut reading = read::read(&[Candidate { path: path.to_owned(), explicit: true }], limit);
    match (reading.sources.pop(), reading.problems.pop()) {
        (Some(source), _) => Ok(source),
        (None, Some(problem)) => Err(Error::File(problem.path, problem.reason)),
        (None, None) => Err(Error::File(discover::display(path), "nothing to read".to_owned())),
    }
}

pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A command after a flag is taken for a path.
fn hint(problems: &[InputError]) {
    let commands = super::command();
    let named = problems.iter().find(|problem| commands.find_subcommand(&problem.path).is_some());
    if let Some(problem) = named {
        terminal::notice(&format!("a command comes before its flags: sandbox-lint {} …", problem.path));
    }
}

fn say(problems: &[InputError]) {
    for problem in problems {
        terminal::notice(&problem.to_string());
    }
}
