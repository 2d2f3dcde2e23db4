//! `explain`: the page of a rule.

use super::args::ExplainArgs;
use super::{Error, Exit, output, terminal};

/// Prints the page as it stands in `rules/`.
pub(super) fn run(args: &ExplainArgs) -> Result<Exit, Error> {
    output::print(&terminal::page(&format!("{}\n", args.rule.page.trim_end())))?;
    Ok(Exit::Clean)
}
