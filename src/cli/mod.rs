//! The command line: one file per command.

mod admission;
pub mod args;
mod ask;
mod baseline;
mod check;
pub mod choices;
mod completions;
mod configs;
mod contract;
mod decode;
mod explain;
mod files;
mod fix;
mod gather;
mod init;
#[cfg(feature = "lsp")]
mod lsp;
mod new;
mod output;
mod policy;
mod predict;
mod rules;
mod schema;
mod settings;
mod terminal;
pub mod values;
mod why;
mod world;

use crate::escape;
use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;

pub use completions::{completions, manual};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing at or above the weight that fails a run.
    Clean,
    /// Findings.
    Findings,
    /// The job could not be done, or not all of it.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
        })
    }
}

/// What ends a run with exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something cannot be read or written.
    #[error("{}: {}", escape::line(.0), escape::block(.1))]
    File(String, String),
    /// Standard output is gone.
    #[error("cannot write to standard output: {0}")]
    Stdout(#[from] io::Error),
    /// A glob of `--exclude` is malformed.
    #[error("--exclude: {0}")]
    Glob(#[from] globset::Error),
    /// Flags that do not go together.
    #[error("{0}")]
    Flags(String),
    /// A configuration or a policy that is wrong, a line for each mistake.
    #[error("{0}")]
    Settings(String),
}

impl From<crate::settings::SettingsError> for Error {
    fn from(error: crate::settings::SettingsError) -> Self {
        Error::Settings(error.to_string())
    }
}

impl From<crate::baseline::BaselineError> for Error {
    fn from(error: crate::baseline::BaselineError) -> Self {
        Error::Settings(error.to_string())
    }
}

/// The name by which kubectl finds the program as `kubectl sandbox-lint`.
const PLUGIN: &str = "kubectl-sandbox_lint";

/// Reads the arguments. Usage texts show the words by which the program was called.
fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let called = arguments.first().and_then(|path| Path::new(path).file_stem());
    let command = match called.is_some_and(|name| name == PLUGIN) {
        true => Cli::command().bin_name("kubectl sandbox-lint"),
        false => Cli::command(),
    };
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// The whole program: arguments in, exit code out.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match parse(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let failed = error.use_stderr();
            return match error.print() {
                Ok(()) if failed => Exit::Failed.into(),
                _ => Exit::Clean.into(),
            };
        }
    };
    match run(cli) {
        Ok(exit) => exit,
        // A reader that has seen enough (`… | head`) is no problem.
        Err(Error::Stdout(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Clean.into(),
        Err(error) => {
            terminal::notice(&error.to_string());
            Exit::Failed.into()
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Error> {
    let exit = match cli.command {
        #[cfg(feature = "lsp")]
        Some(Command::Lsp(args)) => return lsp::run(args),
        None => check::run(&cli.check),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Predict(args)) => predict::run(&args),
        Some(Command::Why(args)) => why::run(&args),
        Some(Command::Decode(args)) => decode::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Contract(args)) => contract::run(&args),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Init(args)) => init::run(&args),
        Some(Command::Policy(args)) => policy::run(&args),
        Some(Command::Admission(args)) => admission::run(&args),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Completions(args)) => completions::run(args.shell),
        Some(Command::Man(args)) => completions::write_manual(&args.folder),
    };
    exit.map(ExitCode::from)
}

/// The command line as clap sees it, for completions and manual pages.
pub fn command() -> clap::Command {
    Cli::command()
}
