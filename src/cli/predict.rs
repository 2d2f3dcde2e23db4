//! `predict`: how far each Pod comes.

use super::args::{PredictArgs, TextOrJson};
use super::configs::Configs;
use super::{Error, Exit, output, settings};
use crate::finding::Phase;
use crate::linter::Report;
use crate::report::view::{self, View};
use crate::report::{self, Machine, human};

/// Prints the journeys; 1 where one ends before its Pod runs.
pub(super) fn run(args: &PredictArgs) -> Result<Exit, Error> {
    let configs = Configs::new(&args.config)?;
    let gathered = args.input.gather(&configs)?;
    let linter = settings::linter(&configs, &gathered.sources, &args.config, &args.world)?;
    let mut report = linter.check(gathered.sources);
    report.summary.files = gathered.files;
    let texts = view::texts(&report);
    let view = View::new(&report, &texts);
    output::print(&match args.format {
        TextOrJson::Human => human::render_predictions(&view, args.color.look()),
        TextOrJson::Json => report::render(&view, Machine::Json),
    })?;
    Ok(if gathered.troubled {
        Exit::Trouble
    } else if stops(&report) {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

fn stops(report: &Report) -> bool {
    let undecodable = report.findings.iter().any(|finding| finding.resource.is_none() && finding.outcome.is_some());
    let outcomes = report.predictions.iter().filter_map(|prediction| prediction.outcome.as_ref());
    undecodable || outcomes.into_iter().any(|outcome| outcome.certain && outcome.phase != Phase::Running)
}
