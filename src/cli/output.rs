//! Where results go: standard output, or files that are written as a whole.

use super::Error;
use crate::escape;
use crate::files;
use std::io::{self, Write};
use std::path::Path;

/// Writes to standard output in one piece, hidden characters escaped. A value within a line is for the caller to
/// escape with [`escape::line`], JSON with [`escape::json`].
pub(super) fn print(text: &str) -> Result<(), Error> {
    print_report(&escape::block(text))
}

/// Writes what a report's writer made, which has escaped the input and may hold colours.
pub(super) fn print_report(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that has seen enough (`… | head`) is no problem; the run still ends with the exit code it earned.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Writes a file as a whole or not at all; see [`files::write`].
pub(super) fn write_file(path: &Path, text: &[u8]) -> Result<(), Error> {
    files::write(path, text).map_err(|error| {
        let problem = crate::input::discover::InputError::new(path, &error);
        Error::File(problem.path, format!("cannot write: {}", problem.reason))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = write_file(Path::new("no/such/folder/x"), b"").unwrap_err();
        assert_eq!(error.to_string(), "no/such/folder/x: cannot write: no such file or directory");
    }
}
