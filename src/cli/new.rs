//! `new`: a manifest to start from.

use super::args::{NewArgs, NewKind};
use super::{Error, Exit, ask, contract, output, terminal};
use crate::contract::{AnnotationSpec, Backend, Contract, Judgement};
use crate::draft::{self, Choices, Draft};
use crate::escape;
use crate::names;
use crate::suggest;
use crate::{Linter, Source, World};
use clap::ValueEnum;

/// Prints the manifest, once the linter finds nothing in it. What is missing is asked for at a terminal.
pub(super) fn run(args: &NewArgs) -> Result<Exit, Error> {
    let asking = !args.defaults && ask::is_possible();
    if asking {
        ask::end_on_interrupt();
    }
    if let Some(file) = args.output.as_ref().filter(|file| file.exists() && !args.force) {
        let shown = escape::line(&file.to_string_lossy()).into_owned();
        return Err(Error::Flags(format!("{shown} is there already; --force replaces it")));
    }
    if let Some(name) = &args.name {
        check_name(name).map_err(|problem| Error::Flags(format!("--name {problem}")))?;
    }
    let config = contract::configuration(args.config.clone(), args.isolated, &args.provider_pack)?;
    let mut world = World::assumed();
    config.describe(&mut world).map_err(|error| Error::Settings(error.to_string()))?;
    let kind = kind(args, asking)?;
    let backend = backend(&world.contract, args, asking)?.clone();
    let name = match &args.name {
        Some(name) => name.clone(),
        None if asking => ask::ask("Name", Some("example"), |name| check_name(name).map(|()| name.to_owned()))?,
        None => "example".into(),
    };
    let choices = choices(&backend, args, asking)?;
    let text = draft::manifest_with(kind, &backend, &name, &choices);
    let report = Linter::new(world).check(vec![Source::explicit("new.yaml", text.clone().into_bytes())]);
    if let Some(finding) = report.findings.first() {
        let message =
            format!("no manifest of this name and backend is clean: {}: {}", finding.rule.code, finding.message);
        return Err(Error::Flags(message));
    }
    match &args.output {
        Some(file) => {
            output::write_file(file, text.as_bytes())?;
            terminal::notice(&format!("{} written", escape::line(&file.to_string_lossy())));
        }
        None => output::print(&text)?,
    }
    Ok(Exit::Clean)
}

fn check_name(name: &str) -> Result<(), String> {
    match names::dns_subdomain(name).first() {
        Some(problem) => Err(format!("`{name}` is no name of a resource: {problem}")),
        None => Ok(()),
    }
}

fn kind(args: &NewArgs, asking: bool) -> Result<Draft, Error> {
    let kinds = NewKind::value_variants();
    let kind = match args.kind {
        Some(kind) => kind,
        None if asking => {
            let value = |kind: &NewKind| kind.to_possible_value().expect("no kind is hidden");
            let row = |kind: &NewKind| {
                let (value, help) = (value(kind), value(kind).get_help().map(ToString::to_string));
                (value.get_name().to_owned(), help.unwrap_or_default())
            };
            kinds[ask::choose("Kind", &kinds.iter().map(row).collect::<Vec<_>>(), "sandbox")?]
        }
        None => return Err(Error::Flags("the kind is missing: write sandbox, template, pool or claim".into())),
    };
    Ok(match kind {
        NewKind::Sandbox => Draft::Sandbox,
        NewKind::Template => Draft::Template,
        NewKind::Pool => Draft::Pool,
        NewKind::Claim => Draft::Claim,
    })
}

fn backend<'c>(contract: &'c Contract, args: &NewArgs, asking: bool) -> Result<&'c Backend, Error> {
    let known = || contract.backends.iter().map(|backend| backend.name.as_str());
    let Some(name) = &args.backend else {
        if !asking {
            let names = known().collect::<Vec<_>>().join(", ");
            return Err(Error::Flags(format!("the backend is missing: write --backend with one of {names}")));
        }
        let rows: Vec<_> =
            contract.backends.iter().map(|backend| (backend.name.clone(), backend.summary.clone())).collect();
        return Ok(&contract.backends[ask::choose("Backend", &rows, known().next().unwrap_or_default())?]);
    };
    let of_provider = || contract.backends.iter().find(|backend| backend.provider == *name);
    contract.backend(name).or_else(of_provider).ok_or_else(|| {
        let advice = match suggest::nearest(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known backends: {}", known().collect::<Vec<_>>().join(", ")),
        };
        Error::Flags(format!("no backend is called `{name}`; {advice}"))
    })
}

/// The image and the annotations: from flags, else asked for, else as the contract has them.
fn choices(backend: &Backend, args: &NewArgs, asking: bool) -> Result<Choices, Error> {
    let mut choices = Choices { image: args.image.clone(), ..Choices::default() };
    for pair in &args.annotation {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(Error::Flags(format!("--annotation `{pair}` needs a key and a value: KEY=VALUE")));
        };
        let spec = backend.annotation(key).ok_or_else(|| {
            let near = suggest::nearest(key, backend.annotations.iter().map(|spec| spec.key.as_str()));
            let advice = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            Error::Flags(format!("--annotation: {} has no annotation `{key}`{advice}", backend.name))
        })?;
        let value = take(spec, value).map_err(|problem| Error::Flags(format!("--annotation: {problem}")))?;
        choices.annotations.insert(key.to_owned(), value);
    }
    if asking {
        if choices.image.is_none() {
            let image = backend.example_image.as_deref().unwrap_or("example");
            choices.image = Some(ask::ask("Image", Some(image), image_name)?);
        }
        for (spec, default) in draft::questions(backend) {
            if !choices.annotations.contains_key(&spec.key) {
                let question = format!("{} ({})", spec.key, spec.summary);
                let value = ask::ask(&question, Some(&default), |value| take(spec, value))?;
                choices.annotations.insert(spec.key.clone(), value);
            }
        }
    }
    match choices.image.as_deref().map(image_name) {
        Some(Err(problem)) => Err(Error::Flags(format!("--image: {problem}"))),
        _ => Ok(choices),
    }
}

fn image_name(image: &str) -> Result<String, String> {
    if image.is_empty() || image.contains(char::is_whitespace) {
        return Err(format!("`{image}` is no image"));
    }
    Ok(image.to_owned())
}

/// A value that every release of the provider takes.
fn take(spec: &AnnotationSpec, value: &str) -> Result<String, String> {
    if !value.is_empty() && spec.judge(value) == Judgement::Known {
        return Ok(value.to_owned());
    }
    let known: Vec<&str> = spec.values.iter().map(String::as_str).collect();
    let advice = if known.is_empty() { spec.summary.clone() } else { format!("write {}", known.join(" or ")) };
    Err(format!("{} does not take `{value}`: {advice}", spec.key))
}
