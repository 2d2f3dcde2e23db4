//! Which configuration holds for which file.

use super::Error;
use super::args::ConfigArgs;
use crate::config::{self, Config};
use crate::contract::{Contract, Extension, load_pack};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The environment variable that names a configuration file.
const VARIABLE: &str = "SANDBOX_LINT_CONFIG";

/// The configurations of a run, found folder by folder and read once.
#[derive(Clone, Default)]
pub(super) struct Configs(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    configs: Vec<Arc<Config>>,
    by_file: HashMap<PathBuf, usize>,
    by_folder: HashMap<PathBuf, usize>,
    /// One for all files.
    fixed: bool,
    /// Policies that flags name.
    policies: Vec<PathBuf>,
    /// Provider packs that flags name, read.
    packs: Extension,
    /// The files of those packs.
    pack_files: Vec<PathBuf>,
    /// The first file that is wrong.
    error: Option<Error>,
}

impl Configs {
    /// Reads the one that flags or environment name; others are read when a file asks for them.
    pub(super) fn new(args: &ConfigArgs) -> Result<Self, Error> {
        let mut packs = Extension::default();
        for file in &args.provider_pack {
            packs.merge(load_pack(file)?);
        }
        Contract::builtin().extend(packs.clone()).map_err(|error| Error::Settings(error.to_string()))?;
        let mut builtin = Config::builtin();
        builtin.contract.merge(packs.clone());
        let pack_files = args.provider_pack.clone();
        let configs = vec![Arc::new(builtin)];
        let mut known = Known { configs, policies: args.policy.clone(), packs, pack_files, ..Known::default() };
        let named = args
            .config
            .clone()
            .or_else(|| std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from));
        known.fixed = args.isolated || named.is_some();
        if let Some(file) = named.filter(|_| !args.isolated) {
            known.configs[0] = Arc::new(known.load(&file)?);
        }
        Ok(Self(Arc::new(Mutex::new(known))))
    }

    /// The configuration of a file or folder, and its number.
    pub(super) fn of(&self, path: &Path) -> (usize, Arc<Config>) {
        let mut known = self.known();
        let number = known.number(path);
        (number, Arc::clone(&known.configs[number]))
    }

    /// Whether a path is a policy or a snapshot that a flag or the configuration names.
    pub(super) fn is_own(&self, path: &Path, of: &Config) -> bool {
        let named: Vec<PathBuf> = {
            let known = self.known();
            known.policies.iter().chain(&known.pack_files).cloned().collect()
        };
        let mut all = of.policies.iter().chain(&of.packs).chain(&of.cluster.snapshots).chain(&named).peekable();
        if all.peek().is_none() {
            return false;
        }
        let path = config::normal(path);
        all.any(|own| config::normal(own) == path)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that were read, the settings without a file among them, by number.
    pub(super) fn all(&self) -> Vec<Arc<Config>> {
        self.known().configs.clone()
    }

    /// Fails if a configuration was wrong.
    pub(super) fn verify(&self) -> Result<(), Error> {
        self.known().error.take().map_or(Ok(()), Err)
    }
}

impl Known {
    /// Reads a configuration; the packs of the flags come behind its own backends.
    fn load(&self, file: &Path) -> Result<Config, Error> {
        let mut config = Config::load(file)?;
        config.contract.merge(self.packs.clone());
        Contract::builtin()
            .extend(config.contract.clone())
            .map_err(|error| Error::File(file.to_string_lossy().into_owned(), error.to_string()))?;
        Ok(config)
    }

    fn number(&mut self, path: &Path) -> usize {
        if self.fixed {
            return 0;
        }
        // The folder of a bare file name.
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(number) = self.by_folder.get(&absolute) {
            return *number;
        }
        let folder = if absolute.is_dir() { absolute } else { absolute.parent().unwrap_or(&absolute).to_owned() };
        if let Some(number) = self.by_folder.get(&folder) {
            return *number;
        }
        let number = config::nearest(&folder).map_or(0, |file| self.read(file));
        self.by_folder.insert(folder, number);
        number
    }

    fn read(&mut self, file: PathBuf) -> usize {
        if let Some(number) = self.by_file.get(&file) {
            return *number;
        }
        let number = match self.load(&file) {
            Ok(config) => {
                self.configs.push(Arc::new(config));
                self.configs.len() - 1
            }
            Err(error) => {
                self.error.get_or_insert(error);
                0
            }
        };
        self.by_file.insert(file, number);
        number
    }
}
