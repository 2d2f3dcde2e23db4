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
    // SB7xx: running, advice
    // SB9xx: the linter's own use
}

/// The rule with this code or name.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code_or_name || rule.name == code_or_name)
}
