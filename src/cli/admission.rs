//! `admission`: admission policies made from the contract.

use super::args::{Profile, WorldArgs};
use super::choices::{FailurePolicy, ValidationAction, YamlOrJson};
use super::contract::configuration;
use super::values::{BackendParser, TargetParser};
use super::{Error, Exit, output};
use crate::admission_policy::{self, Options};
use crate::cluster::{AgentSandboxRelease, World};
use crate::select::Target;
use clap::{Args, ValueHint};
use serde_json::json;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sandbox-lint admission | kubectl apply -f -
  sandbox-lint admission --validation-actions Warn,Audit --namespace-selector sandboxes=checked
  sandbox-lint admission --backend sandboxd --mutating --kube-version 1.36";

/// `admission`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct AdmissionArgs {
    /// Only these backends [default: all with nodes of their own]
    #[arg(long, value_name = "BACKEND", value_delimiter = ',', value_parser = BackendParser, hide_possible_values = true)]
    pub backend: Vec<String>,
    /// Only these rules: codes, names, groups such as SB4, or all
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = TargetParser, hide_possible_values = true)]
    pub select: Vec<Target>,
    /// Not these rules; of --select and --ignore the narrower wins
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = TargetParser, hide_possible_values = true)]
    pub ignore: Vec<Target>,
    /// What else runs there: cocoon-webhook, aggregated-api
    #[arg(long, value_name = "PROFILE", value_enum, value_delimiter = ',', hide_possible_values = true)]
    pub profile: Vec<Profile>,
    /// The agent-sandbox release, such as 1.0
    #[arg(long, value_name = "RELEASE")]
    pub agent_sandbox_version: Option<AgentSandboxRelease>,
    /// The Kubernetes release, such as 1.36
    #[arg(long, value_name = "RELEASE", value_parser = super::values::kube_minor)]
    pub kube_version: Option<u32>,
    /// What happens to an object that is certain to fail; what is no more than a warning is never denied
    #[arg(
        long,
        value_name = "ACTION",
        value_enum,
        value_delimiter = ',',
        default_value = "Deny",
        hide_possible_values = true
    )]
    pub validation_actions: Vec<ValidationAction>,
    /// What happens where an expression fails
    #[arg(long, value_name = "POLICY", value_enum, default_value = "Fail")]
    pub failure_policy: FailurePolicy,
    /// Only in namespaces with this label, such as sandboxes=checked
    #[arg(long, value_name = "KEY=VALUE", value_parser = label)]
    pub namespace_selector: Vec<(String, String)>,
    /// What names of the objects begin with
    #[arg(long, value_name = "PREFIX", default_value = "sandbox-lint", value_parser = prefix)]
    pub name_prefix: String,
    /// Add MutatingAdmissionPolicies that fill in nodeSelector and toleration (Kubernetes 1.32 or later)
    #[arg(long)]
    pub mutating: bool,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "yaml")]
    pub format: YamlOrJson,
    /// With the backends of this configuration, instead of the nearest .sandbox-lint.yaml above the current folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
    /// Without what any configuration adds
    #[arg(long, conflicts_with = "config")]
    pub isolated: bool,
}

/// Prints the policies.
pub(super) fn run(args: &AdmissionArgs) -> Result<Exit, Error> {
    let config = configuration(args.config.clone(), args.isolated, &[])?;
    let world = WorldArgs {
        cluster: Vec::new(),
        no_cluster_files: false,
        profile: args.profile.clone(),
        agent_sandbox_version: args.agent_sandbox_version,
        kube_version: args.kube_version,
    }
    .world(&config)?;
    let options = options(args, &world)?;
    let objects =
        admission_policy::generate(&world.contract, &options).map_err(|error| Error::Flags(error.to_string()))?;
    let text = match args.format {
        YamlOrJson::Json => {
            let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
            format!("{}\n", serde_json::to_string_pretty(&list).expect("the policies are plain data"))
        }
        YamlOrJson::Yaml => admission_policy::yaml(&objects),
    };
    output::print(&text)?;
    Ok(Exit::Clean)
}

fn options(args: &AdmissionArgs, world: &World) -> Result<Options, Error> {
    let actions: Vec<&'static str> = args
        .validation_actions
        .iter()
        .map(|action| match action {
            ValidationAction::Deny => "Deny",
            ValidationAction::Warn => "Warn",
            ValidationAction::Audit => "Audit",
        })
        .collect();
    // The API server refuses such a binding.
    if actions.contains(&"Deny") && actions.contains(&"Warn") {
        return Err(Error::Flags("--validation-actions: Deny and Warn cannot be used together".into()));
    }
    if actions.iter().enumerate().any(|(at, action)| actions[..at].contains(action)) {
        return Err(Error::Flags("--validation-actions: an action is named twice".into()));
    }
    Ok(Options {
        prefix: args.name_prefix.clone(),
        backends: args.backend.clone(),
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        actions,
        namespace_labels: args.namespace_selector.clone(),
        failure_policy: match args.failure_policy {
            FailurePolicy::Fail => "Fail",
            FailurePolicy::Ignore => "Ignore",
        },
        kube_minor: world.kube_minor,
        agent_sandbox: world.agent_sandbox,
        webhook: world.webhook.clone(),
        aggregated_api: world.aggregated_api,
        mutating: args.mutating,
    })
}

/// `KEY=VALUE` as a label.
fn label(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let ends = |text: &str| {
        let ends = [text.bytes().next(), text.bytes().last()];
        ends.into_iter().flatten().all(|byte| byte.is_ascii_alphanumeric())
    };
    let name = key.rsplit('/').next().unwrap_or(key);
    let valid_value = value.len() <= 63 && value.bytes().all(word) && ends(value);
    let valid_key = !name.is_empty()
        && name.len() <= 63
        && key.len() <= 317
        && key.matches('/').count() <= 1
        && key.bytes().all(|byte| word(byte) || byte == b'/')
        && ends(key)
        && ends(name);
    if valid_key && valid_value { Ok((key.to_owned(), value.to_owned())) } else { Err("no valid label".into()) }
}

/// The beginning of a name of the API.
fn prefix(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let valid = text.bytes().next().is_some_and(|first| first != b'-')
        && text.bytes().last().is_some_and(|last| last != b'-')
        && text.len() <= 100
        && text.bytes().all(plain);
    if valid { Ok(text.to_owned()) } else { Err("write lower case letters, digits and dashes".into()) }
}
