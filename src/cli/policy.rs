//! `policy test`: tries the rules of a folder on its good and bad manifests.

use super::args::{PolicyAction, PolicyArgs, PolicyTestArgs};
use super::configs::Configs;
use super::{Error, Exit, output, terminal};
use crate::escape;
use crate::input::discover;
use crate::policy::{Policies, PolicyError};
use crate::report::words::plural;
use crate::verify::{self, Trial};
use std::path::PathBuf;

pub(super) fn run(args: &PolicyArgs) -> Result<Exit, Error> {
    match &args.action {
        PolicyAction::Test(args) => test(args),
    }
}

fn test(args: &PolicyTestArgs) -> Result<Exit, Error> {
    let configs = Configs::new(&args.config)?;
    let config = configs.of(&args.folder).1;
    configs.verify()?;
    let wrong = |error: PolicyError| Error::Settings(error.to_string());
    let own: Vec<PathBuf> = [&args.folder].into_iter().chain(&args.config.policy).cloned().collect();
    let mut policies = Policies::load(&own, Vec::new()).map_err(wrong)?;
    if policies.rules.is_empty() {
        policies = Policies::load(&config.policies, config.house_rules.clone()).map_err(wrong)?;
    }
    let outcome = verify::run(&args.folder, policies, args.world.world(&config)?).map_err(wrong)?;
    for notice in &outcome.notices {
        terminal::notice(&format!("{}: {}", escape::line(&notice.file), escape::line(&notice.message)));
    }
    let mut text = String::new();
    for trial in &outcome.trials {
        text += &line(trial);
    }
    let failed = outcome.trials.iter().filter(|trial| trial.failure.is_some()).count();
    let trials = plural(outcome.trials.len(), "manifest", "manifests");
    text += &format!("{}, {trials}: {failed} failed\n", plural(outcome.rules, "rule", "rules"));
    if !outcome.untested_rules.is_empty() {
        text += &format!("without a bad manifest: {}\n", escape::line(&outcome.untested_rules.join(", ")));
    }
    output::print(&text)?;
    Ok(if failed > 0 {
        Exit::Findings
    } else if outcome.trials.is_empty() {
        terminal::notice(&format!("no good or bad manifests in {}", discover::display(&args.folder)));
        Exit::Failed
    } else {
        Exit::Clean
    })
}

fn line(trial: &Trial) -> String {
    let rule = escape::line(trial.rule.as_deref().unwrap_or("all rules"));
    let file = escape::line(&trial.file);
    match &trial.failure {
        None => format!("ok    {rule}  {file}\n"),
        Some(failure) => format!("FAIL  {rule}  {file}: {}\n", escape::line(failure)),
    }
}
