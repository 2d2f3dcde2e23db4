//! What a run prints: one file per format, all from the same resolved view.

mod concise;
mod github;
mod gitlab;
#[cfg(feature = "cli")]
pub mod human;
mod json;
mod junit;
mod rdjson;
mod sarif;
pub mod view;
mod visible;
pub mod words;

use crate::escape;
pub use view::View;

/// A format for machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    /// One line for each finding.
    Concise,
    /// One JSON object.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// GitLab's Code Quality report.
    Gitlab,
    /// JUnit's XML.
    Junit,
    /// Reviewdog's rdjson.
    Rdjson,
}

impl Machine {
    /// All of them, in the order in which help lists them.
    pub const ALL: [Self; 8] =
        [Self::Concise, Self::Json, Self::Jsonl, Self::Sarif, Self::Github, Self::Gitlab, Self::Junit, Self::Rdjson];
}

/// Prints a report in a format for machines; ends with a line break unless it is empty. Hidden characters of the input
/// are escaped: in JSON as JSON does it, elsewhere visibly.
pub fn render(view: &View<'_>, format: Machine) -> String {
    match format {
        Machine::Concise => concise::render(&view.visible()),
        Machine::Json => escape::json(json::render(view)),
        Machine::Jsonl => escape::json(json::render_lines(view)),
        Machine::Sarif => escape::json(sarif::render(view)),
        Machine::Github => github::render(&view.visible()),
        Machine::Gitlab => escape::json(gitlab::render(view)),
        Machine::Junit => junit::render(&view.visible()),
        Machine::Rdjson => escape::json(rdjson::render(view)),
    }
}
