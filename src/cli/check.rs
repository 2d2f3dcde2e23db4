//! `check`: find what is wrong, print it, fix it.

use super::args::{CheckArgs, ColorArgs, OutputArgs, SelectionArgs};
use super::configs::Configs;
use super::settings::{self, Choice};
use super::values::{Destination, Format};
use super::{Error, Exit, files, fix, output, terminal};
use crate::finding::{Finding, Severity};
use crate::linter::Report;
use crate::report::human::{self, Extras};
use crate::report::view::{self, View};
use crate::report::words::plural;
use crate::report::{self};
use crate::select::Selection;

/// Checks, fixes where asked to, and prints.
pub(super) fn run(args: &CheckArgs) -> Result<Exit, Error> {
    args.output.verify()?;
    if args.fixes.fix && args.input.reads_stdin() {
        return Err(Error::Flags("--fix changes files; use --diff with standard input".to_owned()));
    }
    let configs = Configs::new(&args.config)?;
    if args.show_settings {
        output::print(&settings::show(args, &configs)?)?;
        return Ok(Exit::Clean);
    }
    let gathered = args.input.gather(&configs)?;
    let (files, failed) = (gathered.files, gathered.failed);
    let linter = settings::linter(&configs, &gathered.sources, &args.config, &args.world)?;
    if args.show_files {
        output::print(&files::show(&args.input, &configs, &linter, gathered)?)?;
        return Ok(if failed { Exit::Failed } else { Exit::Clean });
    }
    let limits = args.input.limits(&configs);
    let linter = linter.with_limits(limits);
    let choice = Choice::new(&configs, &gathered.sources, &args.selection);
    let mut report = linter.check(gathered.sources);
    report.summary.files = files;
    choice.apply(&mut report);
    args.baseline.apply(&configs, &mut report)?;
    if args.fixes.diff {
        let diff = fix::diff(&linter, &choice, &report, args.fixes.unsafe_fixes);
        output::print_report(&diff)?;
    } else {
        if args.fixes.fix {
            report = fix::fix(&linter, &choice, report, args.fixes.unsafe_fixes)?;
            report.summary.files = files;
            args.baseline.apply(&configs, &mut report)?;
        }
        let exit = args.selection.exit(&choice, &report, failed);
        report.omit(limits.findings);
        if report.summary.omitted > 0 {
            let omitted = plural(report.summary.omitted, "finding is", "findings are");
            terminal::notice(&format!("{omitted} not shown; --limit findings=NUMBER shows more of a file"));
        }
        args.output.write(&report)?;
        return Ok(exit);
    }
    Ok(args.selection.exit(&choice, &report, failed))
}

impl SelectionArgs {
    pub(super) fn selection(&self) -> Selection {
        Selection {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            levels: self.severity.clone(),
            floor: self.min_severity.map(Severity::from),
        }
    }

    fn exit(&self, choice: &Choice, report: &Report, failed: bool) -> Exit {
        let fails = |finding: &Finding| choice.fails(&report.sources[finding.file].path, finding);
        if failed || report.is_incomplete() {
            Exit::Failed
        } else if !self.exit_zero && report.findings.iter().any(fails) {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }
}

impl OutputArgs {
    /// Refuses two formats that go to the same place, before anything is read.
    fn verify(&self) -> Result<(), Error> {
        let places: Vec<_> = self.destinations().into_iter().map(|one| one.file).collect();
        let twice = places.iter().enumerate().any(|(index, place)| places[..index].contains(place));
        if twice {
            return Err(Error::Flags("two formats go to the same place; write --format FORMAT=FILE".to_owned()));
        }
        Ok(())
    }

    fn destinations(&self) -> Vec<Destination> {
        let place = |one: &Destination| Destination {
            format: one.format,
            file: one.file.clone().or_else(|| self.output.clone()),
        };
        self.format.iter().map(place).collect()
    }

    fn write(&self, report: &Report) -> Result<(), Error> {
        let texts = view::texts(report);
        let view = View::new(report, &texts);
        let mut failed: Option<Error> = None;
        for Destination { format, file } in self.destinations() {
            let look = if file.is_some() { ColorArgs::look_of_file() } else { self.color.look() };
            let extras = Extras { statistics: self.statistics, intents: self.explain_intent, quiet: self.quiet };
            let text = match format {
                Format::Human => human::render(&view, look, extras),
                Format::Machine(machine) => report::render(&view, machine),
            };
            let written = match file {
                Some(path) => output::write_file(&path, text.as_bytes()),
                None => output::print_report(&text),
            };
            // The other formats are written all the same.
            if let Err(error) = written
                && let Some(earlier) = failed.replace(error)
            {
                terminal::notice(&earlier.to_string());
            }
        }
        failed.map_or(Ok(()), Err)
    }
}
