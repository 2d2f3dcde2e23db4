//! The command line as types.

mod commands;

use crate::cli::values::{Destination, DestinationParser, LevelParser, TargetParser};
use crate::finding::Severity;
use crate::limits::Limits;
use crate::select::Target;
use clap::{Args, Parser, Subcommand, ValueHint};
use std::path::PathBuf;

pub use crate::cli::admission::AdmissionArgs;
pub use crate::cli::choices::{AnyShell, Color, Level, NewKind, Profile, RulesFormat, SchemaOf, TextOrJson};
pub use commands::{
    CompletionsArgs, ContractArgs, DecodeArgs, ExplainArgs, InitArgs, LspArgs, ManArgs, NewArgs, PolicyAction,
    PolicyArgs, PolicyTestArgs, RulesArgs, SchemaArgs,
};

const EXAMPLES: &str = "\
Examples:
  sandbox-lint                                   check every manifest below the current folder
  sandbox-lint check deploy/ web.yaml            check a folder and a file
  kustomize build . | sandbox-lint -             check what another tool prints
  sandbox-lint --format sarif=lint.sarif deploy/ for people on the screen, SARIF in a file
  sandbox-lint --fix deploy/                     apply the fixes that are certain
  sandbox-lint predict web.yaml                  how far its Pod comes, stage by stage
  sandbox-lint explain SB302                     what a rule means and how to fix it

Exit codes: 0 nothing found at or above --fail-on, 1 findings, 2 the job could not be done.";

const PREDICT_EXAMPLES: &str = "\
Examples:
  sandbox-lint predict web.yaml                         how far its Pod comes, stage by stage
  sandbox-lint predict --cluster cluster.yaml deploy/   the same on the nodes of a real cluster

Exit codes: 0 no Pod is certain to stop, 1 one is, or an object is refused, 2 the job could not be done.";

const WHY_EXAMPLES: &str = "\
Examples:
  kubectl get sandbox,pod,event -o yaml | sandbox-lint why       what is stuck, why, and what to change
  kubectl get sandbox,sandboxclaim,sandboxwarmpool,sandboxtemplate,pod,event,node -A -o yaml > now.yaml
  sandbox-lint why now.yaml                                      the same for everything in a cluster

Exit codes: 0 nothing is stuck or misplaced, 1 something is, 2 the input is not readable.";

/// What will happen to the Pods of Kubernetes agent sandboxes, before a manifest reaches a cluster.
///
/// Reads Sandbox, SandboxTemplate, SandboxWarmPool and SandboxClaim manifests as kubectl does, follows each Pod
/// through admission, controller, scheduler, kubelet and provider, and says at which stage it fails, in which
/// state it stays, with which words, and what to write instead. Nothing is sent anywhere.
#[derive(Debug, Parser)]
#[command(
    name = "sandbox-lint",
    bin_name = "sandbox-lint",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_long_help = EXAMPLES
)]
pub struct Cli {
    /// The command; `check` if none is named.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The flags of `check`.
    #[command(flatten)]
    pub check: CheckArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find what is wrong in manifests (the default command)
    Check(Box<CheckArgs>),
    /// Show how far the Pod of each resource comes, and what kubectl will show
    Predict(PredictArgs),
    /// Explain live objects that do not come up
    Why(WhyArgs),
    /// Print what kubectl would read, one JSON value a line
    Decode(DecodeArgs),
    /// Print the page of a rule
    Explain(ExplainArgs),
    /// List all rules
    Rules(RulesArgs),
    /// Print the contract between Pod templates and backends
    Contract(ContractArgs),
    /// Print a manifest to start from
    New(NewArgs),
    /// Write a configuration file to start from
    Init(InitArgs),
    /// Try policies on manifests
    Policy(PolicyArgs),
    /// Serve an editor over standard input and output (Language Server Protocol)
    #[cfg(feature = "lsp")]
    Lsp(LspArgs),
    /// Print admission policies that refuse in a cluster what the contract rules out
    Admission(Box<AdmissionArgs>),
    /// Print a JSON Schema
    Schema(SchemaArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man(ManArgs),
}

/// `check`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CheckArgs {
    /// Where the manifests are.
    #[command(flatten)]
    pub input: InputArgs,
    /// Which rules are on.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Findings that are known.
    #[command(flatten)]
    pub baseline: BaselineArgs,
    /// The world that the Pods meet.
    #[command(flatten)]
    pub world: WorldArgs,
    /// How findings are printed.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Changes of the files.
    #[command(flatten)]
    pub fixes: FixArgs,
    /// Print the settings that hold for each path, and stop
    #[arg(long, hide_short_help = true, help_heading = "Rules")]
    pub show_settings: bool,
    /// Print which files would be checked, and why others are not, and stop
    #[arg(long, hide_short_help = true, help_heading = "Input")]
    pub show_files: bool,
}

/// Where the manifests are.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// Files and folders; `-` is standard input [default: .]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = None)]
    pub paths: Vec<PathBuf>,
    /// Leave out files and folders that match
    ///
    /// A glob without a slash is compared with every name, one with a slash with the path as output shows it.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Check the manifests in Markdown files, too
    ///
    /// Fenced blocks of YAML and JSON, and heredocs for kubectl. A Markdown file that is named is checked without it.
    #[arg(long, hide_short_help = true)]
    pub markdown: bool,
    /// Look at files that .gitignore and .ignore files name, too
    #[arg(long, hide_short_help = true)]
    pub no_ignore: bool,
    /// Leave excluded and ignored files out even where they are named
    #[arg(long, hide_short_help = true)]
    pub force_exclude: bool,
    /// The name that output gives to standard input, by which its configuration is found
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "<stdin>", hide_default_value = true)]
    pub stdin_filename: String,
    /// Change a limit: file-size, documents or findings of a file
    ///
    /// The limits keep a run from taking in or printing more than anyone wants: file-size=64MiB, documents=10000, findings=1000.
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", value_parser = SetLimit::parse)]
    pub limit: Vec<SetLimit>,
}

/// A limit with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetLimit {
    name: String,
    value: String,
}

impl SetLimit {
    fn parse(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as findings=5000")?;
        if name == "snapshot-size" {
            return Err("snapshot-size is for the configuration to say, under `limits`".to_owned());
        }
        Limits::default().set(name, value)?;
        Ok(Self { name: name.to_owned(), value: value.to_owned() })
    }

    /// Changes the limit.
    pub fn apply(&self, limits: &mut Limits) {
        limits.set(&self.name, &self.value).expect("the value was looked at when it was read");
    }
}

/// Where settings come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub struct ConfigArgs {
    /// Use this configuration for all files
    ///
    /// Without it the nearest .sandbox-lint.yaml or sandbox-lint.yaml above each file counts. The environment variable SANDBOX_LINT_CONFIG does the same.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Use no configuration at all
    #[arg(long, hide_short_help = true, conflicts_with = "config")]
    pub isolated: bool,
    /// House rules and ValidatingAdmissionPolicies: a file or folder
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub policy: Vec<PathBuf>,
    /// A file that describes a further backend; repeatable
    ///
    /// See docs/contract-format.md. The configuration names such files under `contract: files`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = "Cluster")]
    pub provider_pack: Vec<PathBuf>,
}

/// Findings that are known.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub struct BaselineArgs {
    /// Keep silent about the findings that this file lists
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Write the findings of now into a file
    #[arg(long, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["baseline", "prune_baseline", "fix", "diff"])]
    pub write_baseline: Option<PathBuf>,
    /// Take out of the baseline what was not found
    #[arg(long, hide_short_help = true, conflicts_with_all = ["fix", "diff"])]
    pub prune_baseline: bool,
}

/// Which rules are on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub struct SelectionArgs {
    /// Only these rules: codes, names, groups such as SB3, or all
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = TargetParser, hide_possible_values = true)]
    pub select: Vec<Target>,
    /// Not these rules; of --select and --ignore the narrower wins
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = TargetParser, hide_possible_values = true)]
    pub ignore: Vec<Target>,
    /// Give a rule another weight
    #[arg(long, value_name = "RULE=LEVEL", value_delimiter = ',', value_parser = LevelParser, hide_possible_values = true)]
    pub severity: Vec<(Target, Severity)>,
    /// Leave out findings below note, warning or error
    #[arg(long, hide_short_help = true, value_name = "LEVEL", value_enum, hide_possible_values = true)]
    pub min_severity: Option<Level>,
    /// Exit with 1 from this weight on [default: error]
    #[arg(long, value_name = "LEVEL", value_enum, hide_possible_values = true)]
    pub fail_on: Option<Level>,
    /// Exit with 0 whatever is found
    #[arg(long, hide_short_help = true)]
    pub exit_zero: bool,
}

/// The world that the Pods meet.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cluster")]
pub struct WorldArgs {
    /// A snapshot of your cluster: kubectl get nodes,… -A -o yaml
    ///
    /// The files hold what `kubectl get` prints, as YAML or JSON; several make one snapshot. Kinds that are missing in
    /// it keep what is assumed of them. Values of Secrets are never kept.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub cluster: Vec<PathBuf>,
    /// Take namespaces, quotas and other cluster objects from snapshots only, not from the files checked
    #[arg(long, hide_short_help = true)]
    pub no_cluster_files: bool,
    /// What else runs there: cocoon-webhook, aggregated-api
    ///
    /// `cocoon-webhook`: the webhook of vk-cocoon gates Pods that carry its toleration. `aggregated-api`: the
    /// aggregated API serves sandboxes without Pods.
    #[arg(
        long,
        value_name = "PROFILE",
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub profile: Vec<Profile>,
    /// The agent-sandbox release, such as 1.0
    #[arg(long, hide_short_help = true, value_name = "RELEASE")]
    pub agent_sandbox_version: Option<crate::cluster::AgentSandboxRelease>,
    /// The Kubernetes release, such as 1.36
    #[arg(long, hide_short_help = true, value_name = "RELEASE", value_parser = super::values::kube_minor)]
    pub kube_version: Option<u32>,
}

/// How findings are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// human, concise, json, jsonl, sarif, github, gitlab, junit or rdjson; repeatable
    ///
    /// With =FILE behind it the format goes to that file. May be given several times, with a place for each.
    #[arg(
        long,
        value_name = "FORMAT[=FILE]",
        value_parser = DestinationParser,
        default_value = "human",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub format: Vec<Destination>,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub output: Option<PathBuf>,
    /// Colours and frames
    #[command(flatten)]
    pub color: ColorArgs,
    /// Print findings only
    #[arg(long, short)]
    pub quiet: bool,
    /// Count how often each rule spoke
    #[arg(long, hide_short_help = true)]
    pub statistics: bool,
    /// Say which backend each Pod means, and why
    #[arg(long, hide_short_help = true)]
    pub explain_intent: bool,
}

/// Colours.
#[derive(Debug, Args)]
pub struct ColorArgs {
    /// Colours: auto, always or never
    ///
    /// `auto` means on a terminal; it heeds NO_COLOR, CLICOLOR and CLICOLOR_FORCE.
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub color: Color,
}

/// Changes of the files.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// Apply the fixes that are certain, then report what is left
    #[arg(long)]
    pub fix: bool,
    /// Print the fixes as a diff and change nothing
    #[arg(long, conflicts_with_all = ["fix", "output"])]
    pub diff: bool,
    /// Also the fixes that a person should look at
    #[arg(long, hide_short_help = true)]
    pub unsafe_fixes: bool,
}

/// `predict`
#[derive(Debug, Args)]
#[command(after_long_help = PREDICT_EXAMPLES)]
pub struct PredictArgs {
    /// Where the manifests are.
    #[command(flatten)]
    pub input: InputArgs,
    /// The world that the Pods meet.
    #[command(flatten)]
    pub world: WorldArgs,
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    pub format: TextOrJson,
    /// Colours and frames
    #[command(flatten)]
    pub color: ColorArgs,
}

/// `why`
#[derive(Debug, Args)]
#[command(after_long_help = WHY_EXAMPLES)]
pub struct WhyArgs {
    /// Files with what kubectl get prints; `-` is standard input [default: -]
    ///
    /// YAML or JSON: objects, lists and streams of both. Sandboxes, Pods, events, claims, warm pools and templates are
    /// looked at; nodes in it are the nodes of the cluster.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// The world that the Pods meet.
    #[command(flatten)]
    pub world: WorldArgs,
    /// Where settings come from.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    pub format: TextOrJson,
}
