//! `new`: a manifest to start from.

use super::args::{NewArgs, NewKind};
use super::{Error, Exit, contract, output};
use crate::contract::{Backend, Contract};
use crate::draft::{self, Draft};
use crate::names;
use crate::suggest;
use crate::{Linter, Source, World};

/// Prints the manifest, once the linter finds nothing in it.
pub(super) fn run(args: &NewArgs) -> Result<Exit, Error> {
    if let Some(problem) = names::dns_subdomain(&args.name).first() {
        return Err(Error::Flags(format!("--name `{}` is no name of a resource: {problem}", args.name)));
    }
    let config = contract::configuration(args.config.clone(), args.isolated, &args.provider_pack)?;
    let mut world = World::assumed();
    config.describe(&mut world).map_err(|error| Error::Settings(error.to_string()))?;
    let backend = backend(&world.contract, &args.backend)?;
    let kind = match args.kind {
        NewKind::Sandbox => Draft::Sandbox,
        NewKind::Template => Draft::Template,
        NewKind::Pool => Draft::Pool,
        NewKind::Claim => Draft::Claim,
    };
    let text = draft::manifest(kind, backend, &args.name);
    let report = Linter::new(world).check(vec![Source::explicit("new.yaml", text.clone().into_bytes())]);
    if let Some(finding) = report.findings.first() {
        let message =
            format!("no manifest of this name and backend is clean: {}: {}", finding.rule.code, finding.message);
        return Err(Error::Flags(message));
    }
    output::print(&text)?;
    Ok(Exit::Clean)
}

fn backend<'c>(contract: &'c Contract, name: &str) -> Result<&'c Backend, Error> {
    let of_provider = || contract.backends.iter().find(|backend| backend.provider == name);
    contract.backend(name).or_else(of_provider).ok_or_else(|| {
        let known = || contract.backends.iter().map(|backend| backend.name.as_str());
        let advice = match suggest::nearest(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known backends: {}", known().collect::<Vec<_>>().join(", ")),
        };
        Error::Flags(format!("no backend is called `{name}`; {advice}"))
    })
}
