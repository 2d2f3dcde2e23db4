//! The table of rules. A new rule is one line here, one function in its stage, and one page in `rules/`.

use crate::finding::{Severity, Stage};

/// A rule: what the linter can find.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `SB` and three digits; never reused.
    pub code: &'static str,
    /// The defect in kebab-case.
    pub name: &'static str,
    /// Its usual weight.
    pub severity: Severity,
    /// The stage at which it usually shows.
    pub stage: Stage,
    /// One line for lists.
    pub summary: &'static str,
    /// The page of `rules/`, in Markdown.
    pub page: &'static str,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $id:ident = $code:literal, $name:literal, $severity:ident, $stage:ident, $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $id: Rule = Rule {
                code: $code,
                name: $name,
                severity: Severity::$severity,
                stage: Stage::$stage,
                summary: $summary,
                page: include_str!(concat!("../rules/", $code, "-", $name, ".md")),
            };
        )*
        /// All rules, in the order of their codes.
        pub static RULES: &[&Rule] = &[$(&$id),*];
    };
}

rules! {
    // SB0xx: files and decoding
    // SB1xx: admission of the resource
    // SB2xx: Pod creation, webhook, reconcile
    // SB3xx: scheduling
    MISSING_TOLERATION = "SB302", "missing-toleration", Error, Scheduling, "The taint of the selected virtual node is not tolerated";
    // SB4xx: sandboxd
    // SB5xx: vk-cocoon
    // SB6xx: across resources
    UNKNOWN_TEMPLATE = "SB601", "unknown-template", Error, Reconcile, "A warm pool names a SandboxTemplate that is not there";
    UNKNOWN_POOL = "SB602", "unknown-pool", Error, Reconcile, "A claim names a SandboxWarmPool that is not there";
    SHARED_VM_NAME = "SB603", "shared-vm-name", Error, Provider, "Two Sandboxes name one VM, so the second adopts the first one's";
    VM_NAME_IN_TEMPLATE = "SB604", "vm-name-in-template", Warning, Provider, "A SandboxTemplate gives every Sandbox the same VM name";
    DUPLICATE_OBJECT = "SB605", "duplicate-object", Warning, Admission, "Two objects of one kind and name, so the later replaces the earlier";
    CLAIM_METADATA_REFUSED = "SB606", "claim-metadata-refused", Error, Reconcile, "The claim controller refuses a key of additionalPodMetadata";
    CLAIM_METADATA_CONFLICT = "SB607", "claim-metadata-conflict", Error, Reconcile, "A claim sets a key to another value than its template";
    CLAIM_ENV_REFUSED = "SB608", "claim-env-refused", Error, Reconcile, "The template's policy refuses the claim's variables";
    CLAIM_VOLUMES_REFUSED = "SB609", "claim-volumes-refused", Error, Reconcile, "The template's policy refuses the claim's volumes";
    LATE_ANNOTATION = "SB610", "late-annotation", Warning, Provider, "A claim's annotation reaches a warm Sandbox too late";
    ENV_NEVER_ARRIVES = "SB611", "env-never-arrives", Warning, Running, "A claim's variables never reach a microVM's guest";
    EMPTY_POOL = "SB612", "empty-pool", Note, Reconcile, "A warm pool keeps nothing warm";
    POOL_OUTGROWS_NODES = "SB613", "pool-outgrows-nodes", Warning, Scheduling, "More members than nodes under required anti-affinity";
    UNSPREAD_POOL = "SB614", "unspread-pool", Note, Scheduling, "Nothing spreads a pool's Pods over the vk-sandbox nodes";
    LEASE_IN_POOL = "SB615", "lease-in-pool", Warning, Running, "A pool's members use up their lease while they wait";
    NEVER_RESTART_IN_POOL = "SB616", "never-restart-in-pool", Warning, Provider, "A pool member that fails once is Failed for good";
    HANDLER_AS_CLASS = "SB617", "handler-as-class", Error, PodCreate, "runtimeClassName is the handler of a RuntimeClass, not its name";
    // SB7xx: running, advice; misplaced and misspelt keys
    NO_RUNTIME_CLASS = "SB701", "no-runtime-class", Note, Running, "An ordinary container is not isolated without a RuntimeClass";
    RUNTIME_CLASS_UNREAD = "SB702", "runtime-class-unread", Warning, Running, "The provider of a virtual node does not read runtimeClassName";
    MANAGED_NETWORK = "SB703", "managed-network", Note, Running, "A template's default network does not reach a place it names";
    TOKEN_MOUNTED = "SB704", "token-mounted", Note, Running, "A ServiceAccount token is mounted into the sandbox";
    UNMOUNTED_CLAIM = "SB705", "unmounted-claim", Warning, Running, "No container mounts a volumeClaimTemplate";
    LEASE_TOO_SHORT = "SB706", "lease-too-short", Note, Running, "The microVM's lease ends before the Sandbox's shutdownTime";
    SERVICE_NAME = "SB707", "service-name", Warning, Running, "The Sandbox's name is no name for its Service";
    BLANKET_TOLERATION = "SB708", "blanket-toleration", Note, Running, "A toleration matches every taint";
    MISPLACED_ANNOTATION = "SB710", "misplaced-annotation", Warning, Provider, "A provider's annotation stands where the provider does not look";
    MISSPELT_ANNOTATION = "SB711", "misspelt-annotation", Warning, Provider, "An annotation is nearly one that a provider reads";
    RESERVED_KEY = "SB712", "reserved-key", Warning, Reconcile, "A key of the Pod template is not copied to the Pod";
    LABEL_AS_ANNOTATION = "SB713", "label-as-annotation", Warning, Scheduling, "A node label is written as an annotation and selects nothing";
    // SB9xx: the linter's own use
}

/// The rule with this code or name.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code_or_name || rule.name == code_or_name)
}
