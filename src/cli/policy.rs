//! `policy test`: tries the rules of a folder on its good and bad manifests.

use super::args::{PolicyAction, PolicyArgs, PolicyTestArgs};
use super::{Error, Exit, output, terminal};
use crate::config::Config;

use crate::report::words::plural;
use crate::verify::{self, Trial};

pub(super) fn run(args: &PolicyArgs) -> Result<Exit, Error> {
    match &args.action {
        PolicyAction::Test(args) => test(args),
    }
}

fn test(args: &PolicyTestArgs) -> Result<Exit, Error> {
    let world = args.world.world(&Config::builtin())?;
    let outcome = verify::run(&args.folder, world).map_err(|error| Error::Settings(error.to_string()))?;
    for notice in &outcome.notices {
        terminal::trouble(&format!("{}: {}", notice.file, notice.message));
    }
    let mut text = String::new();
    for trial in &outcome.trials {
        text += &line(trial);
    }
    let failed = outcome.trials.iter().filter(|trial| trial.failure.is_some()).count();
    let trials = plural(outcome.trials.len(), "manifest", "manifests");
    text += &format!("{}, {trials}: {failed} failed\n", plural(outcome.rules, "rule", "rules"));
    if !outcome.untried.is_empty() {
        text += &format!("without a bad manifest: {}\n", outcome.untried.join(", "));
    }
    output::print(&text)?;
    Ok(if failed > 0 {
        Exit::Findings
    } else if outcome.trials.is_empty() {
        terminal::trouble(&format!("no manifests below {}", args.folder.join(crate::policy::TESTS).display()));
        Exit::Trouble
    } else {
        Exit::Clean
    })
}

fn line(trial: &Trial) -> String {
    match &trial.failure {
        None => format!("ok    {}  {}\n", trial.rule, trial.file),
        Some(failure) => format!("FAIL  {}  {}: {failure}\n", trial.rule, trial.file),
    }
}
