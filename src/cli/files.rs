//! `--show-files`: what is read, and why the rest is not.

use super::Error;
use super::args::InputArgs;
use super::configs::Configs;
use super::gather::{Gathered, is_stdin};
use crate::escape;
use crate::input::discover::{self, Excludes, Filter};
use crate::linter::Linter;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One line for each file, sorted: `check` or `skip`, the path, and the reason.
pub(super) fn show(input: &InputArgs, configs: &Configs, linter: &Linter, gathered: Gathered) -> Result<String, Error> {
    let mut files: BTreeMap<String, Option<String>> = BTreeMap::new();
    let filter = input.filter(configs)?;
    let here = [PathBuf::from(".")];
    let named = if input.paths.is_empty() { &here[..] } else { &input.paths };
    let paths: Vec<PathBuf> = named.iter().filter(|path| !is_stdin(path)).cloned().collect();
    let kept = discover::list(&paths, &filter);
    for candidate in discover::list(&paths, &Filter::of(Excludes::new::<&str>(&[])?)).files {
        let reason = if kept.files.iter().any(|one| one.path == candidate.path) {
            "it holds nothing of agent-sandbox or its backends"
        } else {
            filter.reason(&candidate.path).unwrap_or("an ignore file names it")
        };
        files.insert(discover::display(&candidate.path), Some(reason.to_owned()));
    }
    for source in &gathered.sources {
        let reason = source.around.then(|| "it is read for the objects around the Pods".to_owned());
        files.insert(source.path.clone(), reason);
    }
    let report = linter.check(gathered.sources);
    for skipped in report.skipped.iter().filter(|skipped| skipped.document.is_none()) {
        files.insert(report.sources[skipped.file].path.clone(), Some(skipped.message.clone()));
    }
    let line = |(path, reason): (String, Option<String>)| match reason {
        None => format!("check  {}\n", escape::line(&path)),
        Some(reason) => format!("skip   {}  ({})\n", escape::line(&path), escape::line(&reason)),
    };
    Ok(files.into_iter().map(line).collect())
}
