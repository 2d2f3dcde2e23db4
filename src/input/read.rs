//! From paths to the text that is worth decoding.

use super::Source;
use super::discover::{Candidate, InputError, display};
use super::prefilter;
use super::templates::FolderLookup;
use crate::baseline::is_baseline;
use crate::files::{self, Limit};
use rayon::prelude::*;
use std::io::{self, Read};
use std::path::Path;

/// From here on a buffer is handed over rather than copied.
const LARGE: usize = 1 << 18;

/// Below this number of files, starting threads costs more than it gains.
const FEW: usize = 64;

/// What reading gave.
#[derive(Debug, Default)]
pub struct Reading {
    /// The files worth decoding, in the order of the candidates; behind them those with objects around the Pods.
    pub sources: Vec<Source>,
    /// Files that can't be read.
    pub problems: Vec<InputError>,
    /// How many files were read, the irrelevant ones included.
    pub files: usize,
}

/// Reads the candidates, each up to a limit. A file that was found in a folder and cannot hold anything of interest is dropped undecoded.
pub fn read(candidates: &[Candidate], limit: &Limit) -> Reading {
    let answers: Vec<Answer> = if candidates.len() < FEW {
        let mut buffer = Vec::new();
        candidates.iter().map(|candidate| read_one(candidate, limit, &mut buffer)).collect()
    } else {
        candidates.par_iter().with_min_len(16).map_init(Vec::new, |buffer, one| read_one(one, limit, buffer)).collect()
    };
    let mut reading = Reading::default();
    let mut folders = FolderLookup::default();
    let mut left_out = Vec::new();
    for (candidate, answer) in candidates.iter().zip(answers) {
        match answer {
            Ok(source) => {
                reading.files += 1;
                if source.is_none() {
                    left_out.push(candidate);
                }
                reading
                    .sources
                    .extend(source.map(|source| Source { context: folders.look(&candidate.path), ..source }));
            }
            Err(problem) => reading.problems.push(problem),
        }
    }
    if reading.sources.iter().any(|source| prefilter::asks_for_cluster(&source.bytes)) {
        let around = around(&left_out, limit);
        let placed = around.into_iter().map(|(path, source)| Source { context: folders.look(path), ..source });
        reading.sources.extend(placed);
    }
    reading
}

/// The files among those left out that hold objects around the Pods. They are read a second time, which only runs with
/// a sandbox among their files pay for.
fn around<'c>(left_out: &[&'c Candidate], limit: &Limit) -> Vec<(&'c Path, Source)> {
    let look = |buffer: &mut Vec<u8>, candidate: &&'c Candidate| {
        buffer.clear();
        files::open(&candidate.path).and_then(|file| files::fill(file, limit, buffer)).ok()?;
        let wanted = prefilter::names_cluster_kind(buffer) && !is_baseline(buffer);
        wanted.then(|| (candidate.path.as_path(), Source::around(display(&candidate.path), buffer.clone())))
    };
    left_out.par_iter().with_min_len(FEW).map_init(Vec::new, look).flatten().collect()
}

/// Standard input as a file that the user named.
///
/// # Errors
/// What the operating system says, and more bytes than the limit.
pub fn stdin(name: &str, limit: &Limit) -> Result<Source, InputError> {
    let mut bytes = Vec::new();
    files::fill(io::stdin().lock(), limit, &mut bytes).map_err(|error| InputError::new(Path::new(name), &error))?;
    Ok(Source::explicit(name, bytes))
}

type Answer = Result<Option<Source>, InputError>;

fn read_one(candidate: &Candidate, limit: &Limit, buffer: &mut Vec<u8>) -> Answer {
    let path = &candidate.path;
    buffer.clear();
    let problem = |error: io::Error| InputError::new(path, &error);
    if let Err(error) = files::open(path).and_then(|file| files::fill(file, limit, buffer)) {
        let is_large = error.kind() == io::ErrorKind::FileTooLarge && !candidate.explicit;
        return if is_large && !may_be_relevant(path).map_err(problem)? { Ok(None) } else { Err(problem(error)) };
    }
    if !candidate.explicit && (!prefilter::is_relevant(buffer) || is_baseline(buffer)) {
        return Ok(None);
    }
    let bytes = if buffer.len() < LARGE { buffer.clone() } else { std::mem::take(buffer) };
    let shown = display(path);
    let source = if candidate.explicit { Source::explicit(shown, bytes) } else { Source::found(shown, bytes) };
    Ok(Some(Source { location: Some(path.clone()), ..source }))
}

/// Bytes of a large file that are looked at together, and those that the next look takes in again.
const WINDOW: usize = 1 << 20;
const OVERLAP: usize = 1 << 10;

/// Whether a file too large to be read can hold anything of interest.
fn may_be_relevant(path: &Path) -> io::Result<bool> {
    let mut file = files::open(path)?;
    let mut window = Vec::with_capacity(WINDOW + OVERLAP);
    loop {
        let read = file.by_ref().take(WINDOW as u64).read_to_end(&mut window)?;
        if prefilter::is_relevant(&window) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        window.drain(..window.len().saturating_sub(OVERLAP));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const LIMIT: Limit = Limit { bytes: 100, advice: "raise it" };

    #[test]
    fn a_large_file_is_a_trouble_only_where_it_may_matter() {
        let root = tempfile::tempdir().unwrap();
        let candidate = |name: &str, text: String, explicit| {
            let path = root.path().join(name);
            fs::write(&path, text).unwrap();
            Candidate { path, explicit }
        };
        let filler = "# nothing\n".repeat(200_000);
        let candidates = [
            candidate("other.yaml", filler.clone(), false),
            candidate("sandbox.yaml", format!("{filler}kind: Sandbox\n"), false),
            candidate("named.yaml", filler, true),
        ];
        let reading = read(&candidates, &LIMIT);
        assert_eq!(reading.files, 1);
        let problems: Vec<String> = reading.problems.iter().map(|problem| problem.reason.clone()).collect();
        assert_eq!(problems, ["larger than the limit of 100 bytes; raise it"; 2]);
    }

    #[test]
    fn folders_give_relevant_files_and_named_files_always_count() {
        let root = tempfile::tempdir().unwrap();
        let candidates: Vec<Candidate> = (0..200)
            .map(|number| {
                let path = root.path().join(format!("{number:03}.yaml"));
                fs::write(&path, if number % 50 == 0 { "kind: Sandbox\n" } else { "kind: Service\n" }).unwrap();
                Candidate { path, explicit: number == 7 }
            })
            .collect();
        let reading = read(&candidates, &LIMIT);
        assert_eq!(reading.files, 200);
        let names: Vec<_> = reading.sources.iter().map(|source| source.path.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["000.yaml", "007.yaml", "050.yaml", "100.yaml", "150.yaml"]);
    }

    #[test]
    fn an_unreadable_file_is_a_trouble() {
        let gone = Candidate { path: "no/such/file.yaml".into(), explicit: true };
        let reading = read(&[gone], &LIMIT);
        assert_eq!(reading.problems[0].to_string(), "no/such/file.yaml: no such file or directory");
    }
}
