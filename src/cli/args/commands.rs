//! The arguments of the smaller commands.

use super::{ConfigArgs, SelectionArgs, WorldArgs};
use crate::cli::choices::{AnyShell, NewKind, RulesFormat, SchemaOf, TextOrJson};
use crate::cli::values::{BackendParser, RuleParser};
use crate::rule::Rule;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// `decode`
#[derive(Debug, Args)]
pub struct DecodeArgs {
    /// A file, or `-` for standard input
    #[arg(value_name = "PATH", default_value = "-", value_hint = ValueHint::FilePath)]
    pub path: PathBuf,
    /// Add kubectl's object layer: Lists expanded, `kind` required
    #[arg(long)]
    pub objects: bool,
}

/// `explain`
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The code or name of a rule
    #[arg(value_name = "CODE|NAME", value_parser = RuleParser, hide_possible_values = true)]
    pub rule: &'static Rule,
}

/// `rules`
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    pub format: RulesFormat,
}

/// `contract`
#[derive(Debug, Args)]
pub struct ContractArgs {
    /// With what this configuration adds, instead of the nearest .sandbox-lint.yaml above the current folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Without what any configuration adds
    #[arg(long, conflicts_with = "config")]
    pub isolated: bool,
    /// A file that describes a further backend; repeatable
    ///
    /// See docs/contract-format.md. The configuration names such files under `contract: files`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub provider_pack: Vec<PathBuf>,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    pub format: TextOrJson,
}

/// `new`
///
/// Asks for what is missing where standard input and standard error are a terminal.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The kind
    #[arg(value_enum)]
    pub kind: Option<NewKind>,
    /// What is to serve the Pods: kubelet, sandboxd (vk-sandbox), vk-cocoon, or a backend of the configuration
    #[arg(long, value_name = "BACKEND", value_parser = BackendParser, hide_possible_values = true)]
    pub backend: Option<String>,
    /// The name of the resource [default: example]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The image that the Pods run, or the pool's template [default: the backend's example]
    #[arg(long, value_name = "IMAGE")]
    pub image: Option<String>,
    /// An annotation of the backend; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub annotation: Vec<String>,
    /// Ask nothing at a terminal; what is not given has its default
    #[arg(long)]
    pub defaults: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long, requires = "output")]
    pub force: bool,
    /// With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Without what any configuration adds
    #[arg(long, conflicts_with = "config")]
    pub isolated: bool,
    /// A file that describes a further backend; repeatable
    ///
    /// See docs/contract-format.md. The configuration names such files under `contract: files`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub provider_pack: Vec<PathBuf>,
}

/// `schema`
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// What it describes
    #[arg(value_enum)]
    pub of: SchemaOf,
    /// The agent-sandbox release that manifests are for, such as 1.0
    #[arg(long, value_name = "RELEASE")]
    pub agent_sandbox_version: Option<crate::cluster::AgentSandboxRelease>,
}

/// `init`
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = ".", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
}

/// `policy`
#[derive(Debug, Args)]
pub struct PolicyArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: PolicyAction,
}

/// What `policy` does.
#[derive(Debug, Subcommand)]
pub enum PolicyAction {
    /// Run rules on the good and bad manifests of a folder
    ///
    /// Manifests whose names begin with `good`, or that lie in a folder of that name, must keep the rule; those of `bad`
    /// must break it. The folders above (but for `tests`) name the rule: tests/pinned-images/bad-tag.yaml; without one,
    /// all rules are meant. The rules are those in the folder and those of --policy; where there are none, those of
    /// the configuration.
    Test(PolicyTestArgs),
}

/// `policy test`
#[derive(Debug, Args)]
pub struct PolicyTestArgs {
    /// The folder
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// The world that the Pods meet.
    #[command(flatten)]
    pub world: WorldArgs,
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `lsp`
#[cfg(feature = "lsp")]
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Which rules are on.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// The world that the Pods meet.
    #[command(flatten)]
    pub world: WorldArgs,
    /// Nothing else is possible; editors pass it
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: AnyShell,
}

/// `man`
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The folder
    #[arg(value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}
