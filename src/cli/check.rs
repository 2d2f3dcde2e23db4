//! `check`: find what is wrong, print it, mend it.

use super::args::{CheckArgs, ColorArgs, OutputArgs, SelectionArgs};
use super::gather::Gathered;
use super::values::{Destination, Format};
use super::{Error, Exit, mend, output};
use crate::finding::Severity;
use crate::linter::{Linter, Report};
use crate::report::human::{self, Extras};
use crate::report::view::{self, View};
use crate::report::{self};
use crate::select::Selection;

/// Checks, mends where asked to, and prints.
pub(super) fn run(args: &CheckArgs) -> Result<Exit, Error> {
    args.output.verify()?;
    if args.fixes.fix && args.input.reads_stdin() {
        return Err(Error::Flags("--fix changes files; use --diff with standard input".to_owned()));
    }
    let gathered = args.input.gather()?;
    let (files, troubled) = (gathered.files, gathered.troubled);
    let linter = Linter::new(args.world.world()?);
    let selection = args.selection.selection();
    let mut report = check(&linter, &selection, gathered);
    if args.fixes.diff {
        let diff = mend::diff(&linter, &selection, &report, args.fixes.unsafe_fixes);
        output::print(&diff)?;
    } else {
        if args.fixes.fix {
            report = mend::fix(&linter, &selection, report, args.fixes.unsafe_fixes)?;
            report.summary.files = files;
        }
        args.output.write(&report)?;
    }
    Ok(args.selection.exit(&report, troubled))
}

/// Judges what was gathered; only wanted findings are left.
fn check(linter: &Linter, selection: &Selection, gathered: Gathered) -> Report {
    let mut report = linter.check(gathered.sources);
    report.summary.files = gathered.files;
    choose(&mut report, selection);
    report
}

/// Leaves the wanted findings with their chosen weights.
pub(super) fn choose(report: &mut Report, selection: &Selection) {
    selection.apply(&mut report.findings);
    report.finish();
}

impl SelectionArgs {
    fn selection(&self) -> Selection {
        Selection {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            levels: self.severity.clone(),
            floor: self.min_severity.map(Severity::from),
        }
    }

    fn exit(&self, report: &Report, troubled: bool) -> Exit {
        let limit = Severity::from(self.fail_on);
        if troubled {
            Exit::Trouble
        } else if !self.exit_zero
            && report.findings.iter().any(|finding| finding.suppressed.is_none() && finding.severity >= limit)
        {
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
        for Destination { format, file } in self.destinations() {
            let look = if file.is_some() { ColorArgs::look_of_file() } else { self.color.look() };
            let extras = Extras { statistics: self.statistics, intents: self.explain_intent, quiet: self.quiet };
            let text = match format {
                Format::Human => human::render(&view, look, extras),
                Format::Machine(machine) => report::render(&view, machine),
            };
            match file {
                Some(path) => output::write_file(&path, text.as_bytes())?,
                None => output::print(&text)?,
            }
        }
        Ok(())
    }
}
