//! Where results go: standard output, or files that are written as a whole.

use super::Error;
use crate::escape;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes to standard output in one piece, hidden characters escaped. A value within a line is for the caller to
/// escape with [`escape::line`], JSON with [`escape::json`].
pub(super) fn print(text: &str) -> Result<(), Error> {
    print_report(&escape::block(text))
}

/// Writes what a report's writer made, which has escaped the input and may hold colours.
pub(super) fn print_report(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes a file so that a reader sees the old content or the new, never a part: into a neighbour, then renamed.
/// A link is followed, and permissions stay as they are.
pub(super) fn write_file(path: &Path, text: &[u8]) -> Result<(), Error> {
    replace(path, text).map_err(|error| {
        let trouble = crate::input::discover::Trouble::new(path, &error);
        Error::File(trouble.path, format!("cannot write: {}", trouble.reason))
    })
}

fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&target).ok();
    if known.as_ref().is_some_and(|meta| !meta.is_file()) {
        // A pipe or device such as /dev/stderr cannot be renamed over.
        return fs::OpenOptions::new().write(true).open(&target)?.write_all(text);
    }
    let neighbour = neighbour(&target)?;
    let written = fs::write(&neighbour, text)
        .and_then(|()| known.map_or(Ok(()), |meta| fs::set_permissions(&neighbour, meta.permissions())))
        .and_then(|()| fs::rename(&neighbour, &target));
    if written.is_err() {
        let _ = fs::remove_file(&neighbour);
    }
    written
}

fn neighbour(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(target.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        write_file(&path, b"one").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions(), permissions);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = write_file(Path::new("no/such/folder/x"), b"").unwrap_err();
        assert_eq!(error.to_string(), "no/such/folder/x: cannot write: no such file or directory");
    }
}
