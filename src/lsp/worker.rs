//! Checks away from the loop that answers requests, so that a large workspace does not delay an answer.

use super::{Problem, Rules};
use crate::contract::Contract;
use crate::input::Source;
use crate::linter::Report;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the worker is to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Read these folders; everything known of the disk and of configurations is stale.
    Folders(Vec<PathBuf>),
    /// These files changed on the disk.
    Changed(Vec<PathBuf>),
    /// Check the workspace with the texts of open files.
    Check(Vec<Open>),
}

/// An open file.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Its path, or the address where it has none.
    pub path: String,
    /// The version that the client gave it.
    pub version: i32,
    /// Its text.
    pub text: Arc<str>,
}

/// What a check gave.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// The report.
    pub report: Arc<Report>,
    /// The contract.
    pub contract: Arc<Contract>,
    /// The versions of the open files that were checked, by path.
    pub versions: BTreeMap<String, i32>,
}

/// How a check ended.
#[derive(Debug)]
pub(super) enum Done {
    /// With a report.
    Checked(Checked),
    /// Settings are wrong.
    Settings(Vec<Problem>),
    /// A panic; the report before stays.
    Failed,
}

/// The files of the disk, and the rules they are checked by.
pub(super) struct Worker {
    rules: Box<dyn Rules>,
    folders: Vec<PathBuf>,
    disk: BTreeMap<String, Source>,
    contract: Option<Arc<Contract>>,
}

impl Worker {
    pub fn new(rules: Box<dyn Rules>) -> Self {
        Self { rules, folders: Vec::new(), disk: BTreeMap::new(), contract: None }
    }

    /// Does one job; checks have an answer.
    pub fn run(&mut self, job: Job) -> Option<Done> {
        let done = catch_unwind(AssertUnwindSafe(|| match job {
            Job::Folders(folders) => {
                self.folders = folders;
                self.reload();
                None
            }
            Job::Changed(files) => {
                self.change(&files);
                None
            }
            Job::Check(open) => Some(self.check(&open)),
        }));
        done.unwrap_or(Some(Done::Failed))
    }

    fn reload(&mut self) {
        self.rules.forget();
        self.contract = None;
        let found = if self.folders.is_empty() { Vec::new() } else { self.rules.gather(&self.folders) };
        self.disk = found.into_iter().map(|source| (source.path.clone(), source)).collect();
    }

    /// Reads changed files again. A file that is no manifest may be a configuration, a policy, a snapshot, a baseline
    /// or a kustomization: then everything is read again.
    fn change(&mut self, files: &[PathBuf]) {
        for file in files {
            let path = crate::input::discover::display(file);
            let inside = self.folders.iter().any(|folder| file.starts_with(folder));
            match self.rules.read(file).filter(|_| inside) {
                Some(source) => {
                    self.disk.insert(path, source);
                }
                None if self.disk.remove(&path).is_some() && !file.exists() => {}
                None => return self.reload(),
            }
        }
    }

    fn check(&mut self, open: &[Open]) -> Done {
        let mut sources = self.disk.clone();
        let mut versions = BTreeMap::new();
        for one in open {
            versions.insert(one.path.clone(), one.version);
            match self.rules.open(&one.path, &one.text) {
                Some(source) => sources.insert(one.path.clone(), source),
                None => sources.remove(&one.path),
            };
        }
        let folder = self.folders.first().map_or(Path::new("."), PathBuf::as_path);
        let contract = match &self.contract {
            Some(contract) => Arc::clone(contract),
            None => Arc::clone(self.contract.insert(Arc::new(self.rules.contract(folder)))),
        };
        match self.rules.judge(sources.into_values().collect()) {
            Ok(report) => Done::Checked(Checked { report: Arc::new(report), contract, versions }),
            Err(problems) => Done::Settings(problems),
        }
    }
}
