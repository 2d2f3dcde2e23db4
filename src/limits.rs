//! How much a run takes in and prints; docs/limits.md describes it.

use crate::files::{self, Limit};
use crate::input::templates::Skip;

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest manifest in bytes.
    pub file_size: u64,
    /// The largest snapshot of a cluster in bytes.
    pub snapshot_size: u64,
    /// Documents of a file that are judged.
    pub documents: usize,
    /// Findings of a file that are printed, the most severe ones; the rest is counted.
    pub findings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_size: 64 << 20, snapshot_size: 1 << 30, documents: 10_000, findings: 1_000 }
    }
}

/// The names of the limits as flags and configurations spell them.
pub const NAMES: [&str; 4] = ["file-size", "snapshot-size", "documents", "findings"];

/// Places in a file are kept in 32 bits.
const LARGEST: u64 = u32::MAX as u64;

impl Limits {
    /// Sets a limit by its name.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "file-size" => self.file_size = bytes(value)?,
            "snapshot-size" => self.snapshot_size = bytes(value)?,
            "documents" => self.documents = count(value)?,
            "findings" => self.findings = count(value)?,
            _ => return Err(format!("no limit is called `{name}`; known limits: {}", NAMES.join(", "))),
        }
        Ok(())
    }

    /// The limit of a manifest.
    pub fn file(&self) -> Limit {
        let advice = match self.file_size {
            LARGEST => "split the file",
            _ => "raise it with --limit file-size=SIZE",
        };
        Limit { bytes: self.file_size, advice }
    }

    /// The limit of a snapshot.
    pub fn snapshot(&self) -> Limit {
        let advice = match self.snapshot_size {
            LARGEST => "write the snapshot as several files",
            _ => "raise it with limits: {snapshot-size: SIZE} in the configuration",
        };
        Limit { bytes: self.snapshot_size, advice }
    }
}

/// The reason of what a limit left out, as a word.
pub const REASON: &str = "limit";

pub(crate) fn too_many_documents(limits: &Limits) -> Skip {
    let message = format!(
        "it and what follows is not judged, since only {} documents of a file are; raise it with --limit documents=NUMBER",
        limits.documents
    );
    Skip { reason: REASON, message }
}

pub(crate) fn too_deep(deepest: usize) -> Skip {
    let message =
        format!("it is nested more than {deepest} levels deep and not judged; nothing that Kubernetes serves is");
    Skip { reason: REASON, message }
}

/// A size such as `1000`, `512KiB`, `64 MiB` or `1GiB`.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "ki" | "kib" => 10,
        "m" | "mi" | "mib" => 20,
        "g" | "gi" | "gib" => 30,
        _ => return Err(format!("`{text}` is no size; write 64MiB, 1GiB or a number of bytes")),
    };
    let number: u64 =
        digits.trim().parse().map_err(|_| format!("`{text}` is no size; write 64MiB, 1GiB or a number of bytes"))?;
    let bytes = number.checked_mul(1 << shift).filter(|bytes| (1..=LARGEST).contains(bytes));
    bytes.ok_or_else(|| format!("`{text}` must be at least 1 and less than {}", files::size(1 << 32)))
}

fn count(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=LARGEST as usize).contains(number));
    number.ok_or_else(|| format!("`{text}` must be a number from 1 on"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_numbers_are_read() {
        let mut limits = Limits::default();
        for (name, value) in
            [("file-size", "2KiB"), ("snapshot-size", "3 GiB"), ("documents", "7"), ("findings", "100000")]
        {
            limits.set(name, value).unwrap();
        }
        let expected = Limits { file_size: 2048, snapshot_size: 3 << 30, documents: 7, findings: 100_000 };
        assert_eq!(limits, expected);
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        let wrong =
            [("file-size", "0"), ("file-size", "4GiB"), ("file-size", "1.5MiB"), ("documents", "-1"), ("depth", "1")];
        for (name, value) in wrong {
            assert!(Limits::default().set(name, value).is_err(), "{name}={value}");
        }
    }
}
