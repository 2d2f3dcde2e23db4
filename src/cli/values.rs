//! Values of flags: what shells complete, and how they are read.

use crate::cluster::World;
use crate::finding::Severity;
use crate::report::Machine;
use crate::rule::{RULES, Rule};
use crate::select::{self, Target, UnknownRule};
use crate::suggest;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;
use std::path::PathBuf;

/// A format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people.
    Human,
    /// For machines.
    Machine(Machine),
}

/// The formats by name.
pub const FORMATS: [(&str, Format, &str); 9] = [
    ("human", Format::Human, "Excerpts for people"),
    ("concise", Format::Machine(Machine::Concise), "One line for each finding"),
    ("json", Format::Machine(Machine::Json), "One JSON object"),
    ("jsonl", Format::Machine(Machine::Jsonl), "One JSON object a line"),
    ("sarif", Format::Machine(Machine::Sarif), "SARIF 2.1.0"),
    ("github", Format::Machine(Machine::Github), "Annotations of GitHub Actions"),
    ("gitlab", Format::Machine(Machine::Gitlab), "GitLab Code Quality"),
    ("junit", Format::Machine(Machine::Junit), "JUnit XML"),
    ("rdjson", Format::Machine(Machine::Rdjson), "Reviewdog"),
];

/// A format with the file it goes to; `None` is standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The format.
    pub format: Format,
    /// The file.
    pub file: Option<PathBuf>,
}

fn invalid(cmd: &Command, arg: Option<&Arg>, value: &str, reason: &str) -> Error {
    let arg = arg.map(ToString::to_string).unwrap_or_default();
    let place = if arg.is_empty() { String::new() } else { format!(" for '{arg}'") };
    Error::raw(ErrorKind::ValueValidation, format!("invalid value '{value}'{place}: {reason}\n")).with_cmd(cmd)
}

fn text<'v>(cmd: &Command, arg: Option<&Arg>, value: &'v OsStr) -> Result<&'v str, Error> {
    value.to_str().ok_or_else(|| invalid(cmd, arg, &value.to_string_lossy(), "it is not valid UTF-8"))
}

fn unknown_rule(cmd: &Command, arg: Option<&Arg>, error: &UnknownRule) -> Error {
    if error.nearest.is_none() {
        return invalid(cmd, arg, &error.word, "no rule is called so; `sandbox-lint rules` lists them all");
    }
    let mut answer = Error::new(ErrorKind::InvalidValue).with_cmd(cmd);
    if let Some(arg) = arg {
        answer.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
    }
    answer.insert(ContextKind::InvalidValue, ContextValue::String(error.word.clone()));
    if let Some(nearest) = error.nearest {
        answer.insert(ContextKind::SuggestedValue, ContextValue::String(nearest.to_owned()));
    }
    answer
}

fn rule_values() -> Box<dyn Iterator<Item = PossibleValue>> {
    let codes = RULES.iter().map(|rule| PossibleValue::new(rule.code).help(rule.name));
    let names = RULES.iter().map(|rule| PossibleValue::new(rule.name).help(rule.code));
    Box::new(codes.chain(names))
}

/// Reads `--format`: a format, with `=FILE` behind it or not.
#[derive(Clone, Debug)]
pub struct DestinationParser;

impl TypedValueParser for DestinationParser {
    type Value = Destination;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Destination, Error> {
        let text = text(cmd, arg, value)?;
        let (name, file) = text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
        let Some((_, format, _)) = FORMATS.iter().find(|(known, ..)| *known == name) else {
            let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(cmd);
            if let Some(arg) = arg {
                error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
            }
            error.insert(ContextKind::InvalidValue, ContextValue::String(name.to_owned()));
            let names: Vec<String> = FORMATS.iter().map(|(known, ..)| (*known).to_owned()).collect();
            if let Some(near) = suggest::nearest(name, FORMATS.iter().map(|(known, ..)| *known)) {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(near.to_owned()));
            }
            error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
            return Err(error);
        };
        if file == Some("") {
            return Err(invalid(cmd, arg, text, "a file name must follow the `=`"));
        }
        Ok(Destination { format: *format, file: file.map(PathBuf::from) })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FORMATS.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help))))
    }
}

/// Reads rules of `--select` and `--ignore`.
#[derive(Clone, Debug)]
pub struct TargetParser;

impl TypedValueParser for TargetParser {
    type Value = Target;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Target, Error> {
        text(cmd, arg, value)?.trim().parse().map_err(|error: UnknownRule| unknown_rule(cmd, arg, &error))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(rule_values())
    }
}

/// Reads `RULE=LEVEL` of `--severity`.
#[derive(Clone, Debug)]
pub struct LevelParser;

impl TypedValueParser for LevelParser {
    type Value = (Target, Severity);

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        let text = text(cmd, arg, value)?;
        let Some((rule, level)) = text.split_once('=') else {
            return Err(invalid(cmd, arg, text, "write RULE=LEVEL, such as SB302=warning"));
        };
        let target = rule.trim().parse().map_err(|error: UnknownRule| unknown_rule(cmd, arg, &error))?;
        let level = match level.trim() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "note" => Severity::Note,
            _ => return Err(invalid(cmd, arg, text, "the level is one of error, warning, note")),
        };
        Ok((target, level))
    }
}

/// Reads the one rule of `explain`.
#[derive(Clone, Debug)]
pub struct RuleParser;

impl TypedValueParser for RuleParser {
    type Value = &'static Rule;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<&'static Rule, Error> {
        select::one(text(cmd, arg, value)?.trim()).map_err(|error| unknown_rule(cmd, arg, &error))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(rule_values())
    }
}

/// The backends that come with the linter.
const BACKENDS: [&str; 3] = ["kubelet", "sandboxd", "vk-cocoon"];

/// Reads the backend of `new`; the names of the built-in ones complete, a configuration may add others.
#[derive(Clone, Debug)]
pub struct BackendParser;

impl TypedValueParser for BackendParser {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        text(cmd, arg, value).map(str::to_owned)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(BACKENDS.into_iter().map(PossibleValue::new)))
    }
}

/// Reads `1.36`, `v1.36.2` or `36` as the minor release of Kubernetes.
///
/// # Errors
/// A sentence on what is wrong.
pub fn kube_minor(text: &str) -> Result<u32, String> {
    let numbers = version(text)?;
    match numbers[..] {
        [minor] => Ok(minor),
        [1, minor, ..] => Ok(minor),
        _ => Err(format!("write a release such as 1.{}", World::NEWEST_KUBE_MINOR)),
    }
}

fn version(text: &str) -> Result<Vec<u32>, String> {
    let plain = text.strip_prefix('v').unwrap_or(text);
    let plain = plain.split(['-', '+']).next().unwrap_or_default();
    let numbers: Result<Vec<u32>, _> = plain.split('.').map(str::parse).collect();
    numbers.ok().filter(|numbers| numbers.len() <= 3).ok_or_else(|| "write a release such as 1.0 or v1.36.2".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backends_that_complete_are_those_of_the_contract() {
        let contract = crate::contract::Contract::builtin();
        assert!(contract.backends.iter().map(|backend| backend.name.as_str()).eq(BACKENDS));
    }

    #[test]
    fn releases_are_read_as_people_write_them() {
        assert_eq!(["1.36", "v1.33.2", "34", "1.36.0-rc.1"].map(|text| kube_minor(text).unwrap()), [36, 33, 34, 36]);
        assert!(kube_minor("2.1").is_err() && kube_minor("new").is_err() && kube_minor("1.2.3.4").is_err());
    }
}
