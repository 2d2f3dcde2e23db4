//! From paths to the text that is worth decoding.

use super::Source;
use super::discover::{Candidate, Trouble, display};
use super::prefilter;
use super::templates::Neighbours;
use crate::baseline::is_baseline;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file in bytes; places are kept in 32 bits.
pub const LIMIT: u64 = u32::MAX as u64;

/// From here on a buffer is handed over rather than copied.
const LARGE: usize = 1 << 18;

/// Below this number of files, starting threads costs more than it gains.
const FEW: usize = 64;

/// What reading gave.
#[derive(Debug, Default)]
pub struct Reading {
    /// The files worth decoding, in the order of the candidates.
    pub sources: Vec<Source>,
    /// Files that can't be read.
    pub troubles: Vec<Trouble>,
    /// How many files were read, the irrelevant ones included.
    pub files: usize,
}

/// Reads the candidates. A file that was found in a folder and cannot hold anything of interest is dropped undecoded.
pub fn read(candidates: &[Candidate]) -> Reading {
    let answers: Vec<Answer> = if candidates.len() < FEW {
        let mut buffer = Vec::new();
        candidates.iter().map(|candidate| read_one(candidate, &mut buffer)).collect()
    } else {
        candidates.par_iter().with_min_len(16).map_init(Vec::new, |buffer, one| read_one(one, buffer)).collect()
    };
    let mut reading = Reading::default();
    let mut neighbours = Neighbours::default();
    for (candidate, answer) in candidates.iter().zip(answers) {
        match answer {
            Ok(source) => {
                reading.files += 1;
                reading
                    .sources
                    .extend(source.map(|source| Source { surroundings: neighbours.look(&candidate.path), ..source }));
            }
            Err(trouble) => reading.troubles.push(trouble),
        }
    }
    reading
}

/// Standard input as a file that the user named.
///
/// # Errors
/// What the operating system says.
pub fn stdin(name: &str) -> Result<Source, Trouble> {
    let mut bytes = Vec::new();
    fill(io::stdin().lock(), &mut bytes).map_err(|error| Trouble::new(Path::new(name), &error))?;
    Ok(Source::explicit(name, bytes))
}

type Answer = Result<Option<Source>, Trouble>;

fn read_one(candidate: &Candidate, buffer: &mut Vec<u8>) -> Answer {
    let path = &candidate.path;
    buffer.clear();
    File::open(path).and_then(|file| fill(file, buffer)).map_err(|error| Trouble::new(path, &error))?;
    if !candidate.explicit && (!prefilter::is_relevant(buffer) || is_baseline(buffer)) {
        return Ok(None);
    }
    let bytes = if buffer.len() < LARGE { buffer.clone() } else { std::mem::take(buffer) };
    let shown = display(path);
    Ok(Some(if candidate.explicit { Source::explicit(shown, bytes) } else { Source::found(shown, bytes) }))
}

/// Reads all of `from` into `buffer`, up to the limit.
fn fill(from: impl Read, buffer: &mut Vec<u8>) -> io::Result<()> {
    from.take(LIMIT + 1).read_to_end(buffer)?;
    if buffer.len() as u64 > LIMIT {
        buffer.clear();
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 4 GiB"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
        let reading = read(&candidates);
        assert_eq!(reading.files, 200);
        let names: Vec<_> = reading.sources.iter().map(|source| source.path.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["000.yaml", "007.yaml", "050.yaml", "100.yaml", "150.yaml"]);
    }

    #[test]
    fn an_unreadable_file_is_a_trouble() {
        let gone = Candidate { path: "no/such/file.yaml".into(), explicit: true };
        let reading = read(&[gone]);
        assert_eq!(reading.troubles[0].to_string(), "no/such/file.yaml: no such file or directory");
    }
}
