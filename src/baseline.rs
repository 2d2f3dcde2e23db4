//! Findings that are known and accepted: a file of them, by rule, resource and field, so that new ones stand out.
//! `docs/baseline.md` describes it.

use crate::escape;
use crate::files::{self, Limit};
use crate::finding::{Finding, ResourceId, Silencer, Suppressed};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The format's version.
const VERSION: u32 = 1;

/// What a file of this format begins with.
const HEAD: &str = "{\n  \"sandbox-lint-baseline\": ";

/// Whether a file is a baseline, by its first bytes; a search for manifests passes it over.
pub fn is_baseline(bytes: &[u8]) -> bool {
    bytes.starts_with(HEAD.as_bytes())
}

/// Known findings with how many there are of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<Key, u32>,
}

/// What distinguishes findings. Lines and files do not matter, so that text can be inserted and files moved;
/// neither do the positions of list items.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    /// The rule's code.
    rule: String,
    /// The house rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    /// The resource, or the name of the file without its folder where there is none.
    #[serde(flatten)]
    subject: Subject,
    /// The field, list positions left out.
    path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
enum Subject {
    Resource { kind: String, namespace: String, name: String },
    File { file: String },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    #[serde(rename = "sandbox-lint-baseline")]
    version: u32,
    findings: Vec<StoredEntry>,
}

#[derive(Serialize, Deserialize)]
struct StoredEntry {
    #[serde(flatten)]
    key: Key,
    count: u32,
}

/// Why a baseline can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It can't be read or written.
    #[error("{}: {}", escape::line(path), crate::input::discover::describe(error))]
    Io {
        /// The file.
        path: String,
        /// The operating system's words.
        error: std::io::Error,
    },
    /// It is no baseline.
    #[error("{}: not a baseline: {}", escape::line(path), escape::line(error))]
    Format {
        /// The file.
        path: String,
        /// What is wrong.
        error: String,
    },
}

/// What a baseline did for a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matched {
    /// Findings that it silenced.
    pub silenced: usize,
    /// Entries of resources in this run that no longer occur, or less often, each as a line.
    pub stale: Vec<String>,
    /// Entries of resources that this run did not see.
    pub unseen: usize,
}

impl Baseline {
    /// The findings as they are now; those that comments silence are left out. `file_name` gives a file's path.
    pub fn of(findings: &[Finding], file_name: &dyn Fn(usize) -> String) -> Self {
        let mut baseline = Self::default();
        for finding in findings.iter().filter(|finding| finding.suppressed.is_none()) {
            *baseline.entries.entry(key(finding, file_name)).or_default() += 1;
        }
        baseline
    }

    /// Silences known findings, the first of each kind up to the known number. `seen` are the resources of the run.
    pub fn apply(&self, findings: &mut [Finding], seen: &[ResourceId], file_name: &dyn Fn(usize) -> String) -> Matched {
        let mut left = self.entries.clone();
        let mut matched = Matched::default();
        for finding in findings.iter_mut().filter(|finding| finding.suppressed.is_none()) {
            let Some(count) = left.get_mut(&key(finding, file_name)).filter(|count| **count > 0) else { continue };
            *count -= 1;
            matched.silenced += 1;
            finding.suppressed = Some(Suppressed { by: Silencer::Baseline, span: None, reason: None });
        }
        let seen: BTreeSet<Subject> = seen.iter().map(subject).collect();
        for (key, count) in left.iter().filter(|(_, count)| **count > 0) {
            if seen.contains(&key.subject) {
                matched.stale.push(key.describe(*count));
            } else {
                matched.unseen += 1;
            }
        }
        matched
    }

    /// Takes out what does not occur in the findings, silenced by it or not, and lowers numbers that are too high.
    /// The answer is how many entries changed.
    pub fn prune(&mut self, findings: &[Finding], file_name: &dyn Fn(usize) -> String) -> usize {
        let mut now: BTreeMap<Key, u32> = BTreeMap::new();
        let by_comment = |finding: &&Finding| finding.suppressed.as_ref().is_some_and(|by| by.by != Silencer::Baseline);
        for finding in findings.iter().filter(|finding| !by_comment(finding)) {
            *now.entry(key(finding, file_name)).or_default() += 1;
        }
        let before = self.entries.clone();
        self.entries.retain(|key, count| {
            *count = (*count).min(now.get(key).copied().unwrap_or_default());
            *count > 0
        });
        before.iter().filter(|(key, count)| self.entries.get(*key) != Some(*count)).count()
    }

    /// How many findings it knows.
    pub fn len(&self) -> usize {
        self.entries.values().map(|count| *count as usize).sum()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the file can't be read or is no baseline.
    pub fn load(path: &Path) -> Result<Self, BaselineError> {
        let shown = path.to_string_lossy().into_owned();
        let bytes =
            files::read(path, &Limit::BASELINE).map_err(|error| BaselineError::Io { path: shown.clone(), error })?;
        let text = String::from_utf8_lossy(&bytes);
        Self::parse(&text).map_err(|error| BaselineError::Format { path: shown, error })
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn save(&self, path: &Path) -> Result<(), BaselineError> {
        let failed = |error| BaselineError::Io { path: path.to_string_lossy().into_owned(), error };
        files::write(path, self.render().as_bytes()).map_err(failed)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let stored: Stored = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if stored.version != VERSION {
            return Err(format!("its version is {}, this is a reader of version {VERSION}", stored.version));
        }
        let mut entries: BTreeMap<Key, u32> = BTreeMap::new();
        for entry in stored.findings {
            let count = entries.entry(entry.key).or_default();
            *count = count.saturating_add(entry.count);
        }
        Ok(Self { entries })
    }

    /// The text of the file: one entry a line, sorted, so that changes read well in a diff.
    fn render(&self) -> String {
        let line = |(key, count): (&Key, &u32)| {
            escape::json(
                serde_json::to_string(&StoredEntry { key: key.clone(), count: *count })
                    .expect("texts and numbers only"),
            )
        };
        let lines: Vec<String> = self.entries.iter().map(line).map(|line| format!("\n    {line}")).collect();
        let end = if lines.is_empty() { "" } else { "\n  " };
        format!("{HEAD}{VERSION},\n  \"findings\": [{}{end}]\n}}\n", lines.join(","))
    }
}

impl Key {
    fn describe(&self, count: u32) -> String {
        let rule = self.policy.as_ref().unwrap_or(&self.rule);
        let subject = match &self.subject {
            Subject::Resource { kind, namespace, name } => format!("{kind} {namespace}/{name}"),
            Subject::File { file } => file.clone(),
        };
        let field = if self.path.is_empty() { String::new() } else { format!(" {}", self.path) };
        let times = if count == 1 { String::new() } else { format!(" ({count} times)") };
        format!("{rule} {subject}{field}{times}")
    }
}

fn key(finding: &Finding, file_name: &dyn Fn(usize) -> String) -> Key {
    let file = || {
        let path = file_name(finding.file);
        Subject::File { file: path.rsplit('/').next().unwrap_or(&path).to_owned() }
    };
    Key {
        rule: finding.rule.code.to_owned(),
        policy: finding.policy.clone(),
        subject: finding.resource.as_ref().filter(|id| id.kind.is_some()).map_or_else(file, subject),
        path: without_positions(&finding.spot.path),
    }
}

fn subject(id: &ResourceId) -> Subject {
    let text = |part: &Option<String>| part.clone().unwrap_or_default();
    let namespace = id.namespace.clone().unwrap_or_else(|| "default".into());
    Subject::Resource { kind: text(&id.kind), namespace, name: text(&id.name) }
}

/// `containers[2].ports[0]` is `containers[].ports[]`; keys in brackets stay.
fn without_positions(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        out.push('[');
        let digits = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest = if digits.starts_with(']') { digits } else { after };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_left_out_and_keys_stay() {
        for (path, expected) in [
            ("spec.containers[12].ports[0].name", "spec.containers[].ports[].name"),
            ("metadata.annotations[a.b/c]", "metadata.annotations[a.b/c]"),
            ("a[1x].b[", "a[1x].b["),
            ("", ""),
        ] {
            assert_eq!(without_positions(path), expected);
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let resource = Subject::Resource { kind: "Sandbox".into(), namespace: "default".into(), name: "web".into() };
        let file = Subject::File { file: "a.yaml".into() };
        let key = |subject, policy| Key { rule: "SB302".into(), policy, subject, path: "spec".into() };
        let entries = BTreeMap::from([(key(resource, Some("pinned".into())), 2), (key(file, None), 1)]);
        let baseline = Baseline { entries };
        assert!(is_baseline(baseline.render().as_bytes()));
        assert_eq!(Baseline::parse(&baseline.render()), Ok(baseline));
        assert_eq!(Baseline::parse(&Baseline::default().render()), Ok(Baseline::default()));
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        let shapes = [
            "",
            "{}",
            "[]",
            r#"{"sandbox-lint-baseline": 2, "findings": []}"#,
            r#"{"sandbox-lint-baseline": 1, "findings": [{}]}"#,
        ];
        for text in shapes {
            assert!(Baseline::parse(text).is_err(), "{text}");
        }
    }
}
