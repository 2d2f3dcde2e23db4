//! The configuration file `.sandbox-lint.yaml`: what it can say. `docs/config.md` describes it.

mod decode;
mod discover;
mod paths;
mod show;
mod world;

pub use crate::settings::FILE_NAMES;
pub use discover::nearest;
pub use paths::{PathGlobs, normal};
pub use show::{STARTER, settings};

use crate::cluster::{AgentSandboxRelease, SandboxdPool, Webhook};
use crate::contract::{Extension, NodeShape};
use crate::files::{self, Limit};
use crate::finding::Severity;
use crate::limits::Limits;
use crate::policy::HouseRule;
use crate::select::Target;
use crate::settings::SettingsError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One configuration file, or the settings that hold without one.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file; `None` for the settings that hold without one.
    pub file: Option<PathBuf>,
    /// Rules that are on; empty means all.
    pub select: Vec<Target>,
    /// Rules that keep silent.
    pub ignore: Vec<Target>,
    /// Weights of rules.
    pub severity: Vec<(Target, Severity)>,
    /// The weight from which on a finding makes the run fail.
    pub fail_on: Option<Severity>,
    /// Files and folders that are not looked at.
    pub exclude: PathGlobs,
    /// Whether `exclude` counts for files named on the command line, too.
    pub force_exclude: bool,
    /// Whether `.gitignore` and `.ignore` files count.
    pub respect_gitignore: bool,
    /// Whether manifests in Markdown files are checked.
    pub markdown: bool,
    /// What holds for some files only.
    pub overrides: Vec<Override>,
    /// The agent-sandbox release.
    pub agent_sandbox: Option<AgentSandboxRelease>,
    /// The Kubernetes minor release.
    pub kube_minor: Option<u32>,
    /// What is known of the cluster.
    pub cluster: ClusterFacts,
    /// House rules written in the file.
    pub house_rules: Vec<HouseRule>,
    /// Files and folders of policies.
    pub policies: Vec<PathBuf>,
    /// What it adds to the contract.
    pub contract: Extension,
    /// Files of the contract: provider packs.
    pub packs: Vec<PathBuf>,
    /// The baseline.
    pub baseline: Option<PathBuf>,
    /// How much is taken in and printed.
    pub limits: Limits,
}

/// What holds for some files only; the last that matches wins.
#[derive(Clone, Debug, Default)]
pub struct Override {
    /// The files.
    pub paths: PathGlobs,
    /// Rules that stay on nevertheless.
    pub select: Vec<Target>,
    /// Rules that keep silent.
    pub ignore: Vec<Target>,
    /// Weights of rules.
    pub severity: Vec<(Target, Severity)>,
}

/// What a user knows of the cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterFacts {
    /// Snapshots, as `kubectl get … -o yaml` writes them.
    pub snapshots: Vec<PathBuf>,
    /// cocoon-webhook, where it runs.
    pub webhook: Option<Webhook>,
    /// Sandboxes are served by the aggregated API.
    pub aggregated_api: bool,
    /// Objects around the Pods come from snapshots only, not from the files of the run (`from-files: false`).
    pub snapshots_only: bool,
    /// Pools of the vk-cocoon nodes.
    pub cocoon_pools: Vec<String>,
    /// Pool keys that sandboxd serves.
    pub sandboxd_pools: Vec<SandboxdPool>,
    /// Size classes beyond those of sandboxd itself.
    pub sizes: Vec<String>,
    /// Labels that the nodes of a backend have beside or instead of the usual ones, by the backend's name.
    pub node_labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The nodes, instead of the assumed ones; empty means the assumed ones.
    pub nodes: Vec<NodeShape>,
}

impl Config {
    /// The settings that hold without a file.
    pub fn builtin() -> Self {
        Self { respect_gitignore: true, ..Self::default() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Everything that is wrong in it, with line and column.
    pub fn load(file: &Path) -> Result<Self, SettingsError> {
        let shown = file.to_string_lossy();
        let bytes = files::read(file, &Limit::SETTINGS).map_err(|error| SettingsError::unreadable(&shown, &error))?;
        let text = String::from_utf8_lossy(&bytes);
        Self::parse(&text, file)
    }

    /// Reads the text of a file; paths in it are relative to the file's folder.
    ///
    /// # Errors
    /// Everything that is wrong in it, with line and column.
    pub fn parse(text: &str, file: &Path) -> Result<Self, SettingsError> {
        decode::decode(text, file).map_err(|problems| SettingsError::new(&file.to_string_lossy(), text, problems))
    }

    /// The overrides that hold for a file, in their order, with their numbers.
    pub fn overrides_for(&self, path: &Path) -> impl Iterator<Item = (usize, &Override)> {
        self.overrides.iter().enumerate().filter(move |(_, part)| part.paths.matches(path))
    }
}
