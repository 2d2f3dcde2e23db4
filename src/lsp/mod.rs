//! The language server: the linter in an editor, over standard input and output. `docs/language-server.md` describes
//! what it can do. One file per capability; `server` is the loop, `workspace` holds what the client has open.

mod actions;
mod complete;
mod diagnostics;
mod hover;
mod lines;
mod navigate;
mod outline;
mod position;
mod protocol;
mod server;
mod symbols;
mod transport;
mod worker;
mod workspace;

use crate::contract::Contract;
use crate::input::Source;
use crate::linter::Report;
use std::path::{Path, PathBuf};

pub use server::serve;

/// What flags and configuration files decide for the server.
pub trait Rules: Send {
    /// The manifests in folders, as a check of these folders finds them.
    fn gather(&mut self, folders: &[PathBuf]) -> Vec<Source>;

    /// A file as a search of its folder finds it; `None` where it is left out or cannot be read.
    fn read(&mut self, file: &Path) -> Option<Source>;

    /// An open file with its unsaved text; `None` where a configuration leaves it out.
    fn open(&mut self, path: &str, text: &str) -> Option<Source>;

    /// Checks all sources together: rules selected, suppressions and baseline applied.
    ///
    /// # Errors
    /// What is wrong in a configuration, a policy, a snapshot or a baseline.
    fn judge(&mut self, sources: Vec<Source>) -> Result<Report, Vec<Problem>>;

    /// Forgets configurations, policies and snapshots, so that they are read again.
    fn forget(&mut self);

    /// The contract that holds in a folder.
    fn contract(&mut self, folder: &Path) -> Contract;
}

/// Something wrong in a file of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, where one is known.
    pub path: Option<String>,
    /// Its line, from 1.
    pub line: u32,
    /// The column, from 1, in Unicode scalar values.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}
