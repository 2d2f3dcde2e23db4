//! Which configuration file counts for a file.

use crate::settings::FILE_NAMES;
use std::path::{Path, PathBuf};

/// The nearest configuration file above a file or folder: the first folder upwards that holds one. The search ends at
/// the root of the repository (a folder with `.git`), which is still looked at.
pub fn nearest(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let start = if absolute.is_dir() { absolute.as_path() } else { absolute.parent()? };
    for folder in start.ancestors() {
        let found = FILE_NAMES.iter().map(|name| folder.join(name)).find(|file| file.is_file());
        if found.is_some() {
            return found;
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
