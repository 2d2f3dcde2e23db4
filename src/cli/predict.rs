//! `predict`: how far each Pod comes.

use super::args::{PredictArgs, TextOrJson};
use super::configs::Configs;
use super::{Error, Exit, output, settings};
use crate::finding::Phase;
use crate::report::view::{self, View};
use crate::report::{self, Machine, human};

/// Prints the evaluations; 1 where one ends before its Pod runs.
pub(super) fn run(args: &PredictArgs) -> Result<Exit, Error> {
    let configs = Configs::new(&args.config)?;
    let gathered = args.input.gather(&configs)?;
    let linter = settings::linter(&configs, &gathered.sources, &args.config, &args.world)?
        .with_limits(args.input.limits(&configs));
    let mut report = linter.check(gathered.sources);
    report.summary.files = gathered.files;
    let texts = view::texts(&report);
    let view = View::new(&report, &texts);
    output::print_report(&match args.format {
        TextOrJson::Human => human::render_predictions(&view, args.color.look()),
        TextOrJson::Json => report::render(&view, Machine::Json),
    })?;
    Ok(if gathered.failed || report.is_incomplete() {
        Exit::Failed
    } else if stops(&view) {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// Whether a Pod stops on the way, or a document is refused; input of other tools does not count.
fn stops(view: &View<'_>) -> bool {
    let judged = view.report.predictions.iter().filter(|prediction| !view.left_alone(prediction));
    let mut outcomes = judged.filter_map(|prediction| prediction.outcome.as_ref());
    outcomes.any(|outcome| outcome.certain && outcome.phase != Phase::Running)
}
