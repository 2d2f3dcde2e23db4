//! Semantic versions, as the API server's `semver` library has them since Kubernetes 1.33.

use super::{Answer, Any, declare, opaque, text};
use cel::extractors::This;
use cel::objects::Opaque;
use cel::{Context, ExecutionError, FunctionContext, Value};
use std::cmp::Ordering;
use std::sync::Arc;

/// A semantic version; build metadata counts for nothing in comparisons.
#[derive(Debug)]
pub struct Version {
    numbers: [u64; 3],
    prerelease: Vec<Identifier>,
}

/// A part of a prerelease: a number is lower than any text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Text(String),
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl Opaque for Version {
    fn runtime_type_name(&self) -> &str {
        "kubernetes.Semver"
    }
}

impl Version {
    /// The order of semver.org: a prerelease comes before its release.
    pub fn compare(&self, other: &Self) -> Ordering {
        let prereleases = match (self.prerelease.is_empty(), other.prerelease.is_empty()) {
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            _ => self.prerelease.cmp(&other.prerelease),
        };
        self.numbers.cmp(&other.numbers).then(prereleases)
    }

    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("Version string empty".into());
        }
        let parts: Vec<&str> = text.splitn(3, '.').collect();
        let [major, minor, rest] = parts[..] else { return Err("No Major.Minor.Patch elements found".into()) };
        let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (patch, prerelease) = rest.split_once('-').map_or((rest, None), |(patch, more)| (patch, Some(more)));
        let numbers = [number("Major", major)?, number("Minor", minor)?, number("Patch", patch)?];
        let prerelease = prerelease.into_iter().flat_map(|more| more.split('.'));
        let prerelease = prerelease.map(identifier).collect::<Result<_, _>>()?;
        for part in build.into_iter().flat_map(|build| build.split('.')) {
            if part.is_empty() {
                return Err("Build meta data is empty".into());
            }
            if !is_plain(part) {
                return Err(format!("Invalid character(s) found in build meta data {part:?}"));
            }
        }
        Ok(Self { numbers, prerelease })
    }
}

fn is_plain(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(name: &str, part: &str) -> Result<u64, String> {
    if part.bytes().any(|byte| !byte.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {} number {part:?}", name.to_lowercase()));
    }
    if part.len() > 1 && part.starts_with('0') {
        return Err(format!("{name} number must not contain leading zeroes {part:?}"));
    }
    part.parse().map_err(|_| format!("strconv.ParseUint: parsing {part:?}: {}", range_or_syntax(part)))
}

fn range_or_syntax(part: &str) -> &'static str {
    if part.is_empty() { "invalid syntax" } else { "value out of range" }
}

fn identifier(part: &str) -> Result<Identifier, String> {
    if part.is_empty() {
        return Err("Prerelease is empty".into());
    }
    if !is_number(part) {
        let wrong = || format!("Invalid character(s) found in prerelease {part:?}");
        return is_plain(part).then(|| Identifier::Text(part.to_owned())).ok_or_else(wrong);
    }
    if part.len() > 1 && part.starts_with('0') {
        return Err(format!("Numeric PreRelease version must not contain leading zeroes {part:?}"));
    }
    number("Prerelease", part).map(Identifier::Number)
}

/// Without a leading `v` and leading zeros, and with the numbers that are missing.
fn normalized(text: &str) -> Result<String, String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
    if parts.len() < 3 && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
        return Err("short version cannot contain PreRelease/Build meta data".into());
    }
    parts.resize(3, "0".into());
    Ok(parts.join("."))
}

fn without_zeros(part: &str) -> String {
    let kept = part.trim_start_matches('0');
    let needs_zero = part.len() > 1 && !kept.starts_with(|first: char| first.is_ascii_digit());
    if part.len() <= 1 { part.to_owned() } else { format!("{}{kept}", if needs_zero { "0" } else { "" }) }
}

/// Reads `(text[, normalize])`.
fn read(function: &str, call: &FunctionContext<'_, '_>, written: &str) -> Answer<Result<Version, String>> {
    let normalize = match call.args.get(1).map(|flag| Value::try_from(flag.as_ref())) {
        None => false,
        Some(Ok(Value::Bool(flag))) => flag,
        Some(other) => {
            let name = other.as_ref().map(text).unwrap_or_default();
            return Err(ExecutionError::no_such_overload(function, vec!["string".into(), name]));
        }
    };
    Ok(if normalize { normalized(written).and_then(|plain| Version::parse(&plain)) } else { Version::parse(written) })
}

/// Adds the functions that only versions have.
pub fn add(context: &mut Context<'_, '_>) {
    declare(context, "semver", |call: &FunctionContext<'_, '_>, text: Arc<String>| -> Answer<Value> {
        let version = read("semver", call, &text)?;
        version.map(opaque).map_err(|error| ExecutionError::function_error("semver", error))
    });
    declare(context, "isSemver", |call: &FunctionContext<'_, '_>, text: Arc<String>| -> Answer<bool> {
        Ok(read("isSemver", call, &text)?.is_ok())
    });
    for (at, name) in ["major", "minor", "patch"].into_iter().enumerate() {
        declare(context, name, move |This(this): This<Any>| -> Answer<i64> {
            let wrong = || ExecutionError::no_such_overload(name, vec![this.runtime_type_name().to_owned()]);
            this.downcast_ref::<Version>().map(|version| version.numbers[at] as i64).ok_or_else(wrong)
        });
    }
}
