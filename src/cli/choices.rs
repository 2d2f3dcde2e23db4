//! Flags and arguments that take one of a few words.

use crate::finding::Severity;
use clap::ValueEnum;
use clap_complete::Shell;

/// A kind that `new` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NewKind {
    /// A Sandbox
    Sandbox,
    /// A SandboxTemplate
    Template,
    /// A SandboxWarmPool with its SandboxTemplate
    Pool,
    /// A SandboxClaim with its SandboxWarmPool and SandboxTemplate
    Claim,
}

/// What a JSON Schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The configuration file
    Config,
    /// The output of --format json
    Output,
    /// Manifests of a Sandbox
    Sandbox,
    /// Manifests of a SandboxTemplate
    #[value(alias = "template")]
    Sandboxtemplate,
    /// Manifests of a SandboxWarmPool
    #[value(alias = "pool")]
    Sandboxwarmpool,
    /// Manifests of a SandboxClaim
    #[value(alias = "claim")]
    Sandboxclaim,
    /// Manifests of every kind, in one schema
    All,
}

/// A weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Advice
    Note,
    /// Fails on some clusters
    Warning,
    /// Fails everywhere
    Error,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Severity::Note,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        }
    }
}

/// What else runs in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// cocoon-webhook gates Pods for vk-cocoon
    CocoonWebhook,
    /// The aggregated API serves sandboxes, without Pods
    AggregatedApi,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that has them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A format of manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum YamlOrJson {
    /// Documents of YAML
    Yaml,
    /// One List in JSON
    Json,
}

/// What a binding of an admission policy does with a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub enum ValidationAction {
    /// Refuse the request
    Deny,
    /// Answer with a warning
    Warn,
    /// Write it into the audit log
    Audit,
}

/// What an admission policy does where an expression fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub enum FailurePolicy {
    /// Refuse the request
    Fail,
    /// Let it pass
    Ignore,
}

/// A format of commands that print one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people
    Human,
    /// For machines
    Json,
}

/// A format of the list of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// For people
    Human,
    /// For machines
    Json,
    /// A table for a page
    Markdown,
}

/// A shell with completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum AnyShell {
    /// bash
    Bash,
    /// Elvish
    Elvish,
    /// fish
    Fish,
    /// Nushell
    Nushell,
    /// PowerShell
    PowerShell,
    /// zsh
    Zsh,
}

impl AnyShell {
    /// The shells that clap itself writes for; `None` for Nushell.
    pub fn common(self) -> Option<Shell> {
        match self {
            AnyShell::Bash => Some(Shell::Bash),
            AnyShell::Elvish => Some(Shell::Elvish),
            AnyShell::Fish => Some(Shell::Fish),
            AnyShell::Nushell => None,
            AnyShell::PowerShell => Some(Shell::PowerShell),
            AnyShell::Zsh => Some(Shell::Zsh),
        }
    }
}
