//! `init`: a configuration file to start from.

use super::args::InitArgs;
use super::{Error, Exit, output, terminal};
use crate::config::{FILE_NAMES, STARTER};
use crate::escape;
use crate::input::discover;
use std::path::Path;

/// Writes the file, unless one is there.
pub(super) fn run(args: &InitArgs) -> Result<Exit, Error> {
    let there = FILE_NAMES.iter().map(|name| args.folder.join(name)).find(|file| file.exists());
    if let Some(file) = there.as_ref().filter(|_| !args.force) {
        return Err(Error::Flags(format!("{} is there already; --force replaces it", shown(file))));
    }
    let folder = args.folder.strip_prefix(".").unwrap_or(&args.folder);
    let file = there.unwrap_or_else(|| folder.join(FILE_NAMES[0]));
    output::write_file(&file, STARTER.as_bytes())?;
    terminal::notice(&format!("{} written", shown(&file)));
    Ok(Exit::Clean)
}

fn shown(file: &Path) -> String {
    escape::line(&discover::display(file)).into_owned()
}
