//! Which files a run looks at.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// A file to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where it is.
    pub path: PathBuf,
    /// Whether the user named this very file.
    pub explicit: bool,
}

/// What the paths of a command line come to.
#[derive(Debug, Default)]
pub struct Listing {
    /// The files, sorted by path, each once.
    pub files: Vec<Candidate>,
    /// Paths that can't be looked at.
    pub troubles: Vec<Trouble>,
}

/// A path that can't be read; the run goes on without it and ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct Trouble {
    /// The path as output shows it.
    pub path: String,
    /// Why, in the words of the operating system.
    pub reason: String,
}

impl Trouble {
    /// A trouble with the operating system's words.
    pub fn new(path: &Path, error: &std::io::Error) -> Self {
        Self { path: display(path), reason: describe(error) }
    }
}

/// The globs of `--exclude`.
#[derive(Clone, Debug)]
pub struct Excludes(GlobSet);

impl Excludes {
    /// Compiles globs. One without a slash is compared with every file and folder name, one with a slash with the
    /// whole path as output shows it; either also excludes everything below a folder that it matches.
    ///
    /// # Errors
    /// The glob that is malformed, with the reason.
    pub fn new<S: AsRef<str>>(globs: &[S]) -> Result<Self, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            for glob in variants(glob.as_ref())? {
                set.add(glob);
            }
        }
        Ok(Self(set.build()?))
    }

    fn matches(&self, path: &Path) -> bool {
        !self.0.is_empty() && self.0.is_match(display(path))
    }
}

fn variants(glob: &str) -> Result<Vec<Glob>, globset::Error> {
    let glob = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
    let build = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
    if glob.contains('/') { Ok(vec![build(glob)?]) } else { Ok(vec![build(&format!("**/{glob}"))?]) }
}

/// Lists the files below `paths`. Folders are searched for `.yaml`, `.yml` and `.json` (spelled as kubectl demands),
/// hidden folders left out; a link to a file counts, a link to a folder does not. A path to a file is taken whatever its name.
pub fn list(paths: &[PathBuf], excludes: &Excludes) -> Listing {
    let mut listing = Listing::default();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => walk(path, excludes, &mut listing),
            Ok(_) => listing.files.push(Candidate { path: path.clone(), explicit: true }),
            Err(error) => listing.troubles.push(Trouble::new(path, &error)),
        }
    }
    listing.files = once_each(listing.files);
    listing
}

fn walk(root: &Path, excludes: &Excludes, listing: &mut Listing) {
    let entries = WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !(is_hidden_folder(entry) || excludes.matches(entry.path())));
    for entry in entries {
        match entry {
            Ok(entry) if is_manifest(&entry) => {
                listing.files.push(Candidate { path: entry.into_path(), explicit: false });
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                let error = error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links"));
                listing.troubles.push(Trouble::new(&path, &error));
            }
        }
    }
}

fn is_hidden_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn is_manifest(entry: &DirEntry) -> bool {
    let kind = entry.file_type();
    let extension = entry.path().extension().and_then(|text| text.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
        && (kind.is_file() || kind.is_symlink() && entry.path().metadata().is_ok_and(|meta| meta.is_file()))
}

/// Sorts by the shown path and drops repetitions; a file that is also named explicitly counts as named.
fn once_each(files: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(files.len());
    let mut kept: Vec<(String, Candidate)> = Vec::with_capacity(files.len());
    for file in files {
        let shown = display(&file.path);
        if let Some(&index) = seen.get(&shown) {
            kept[index].1.explicit |= file.explicit;
        } else {
            seen.insert(shown.clone(), kept.len());
            kept.push((shown, file));
        }
    }
    kept.sort_by(|a, b| a.0.cmp(&b.0));
    kept.into_iter().map(|(_, file)| file).collect()
}

/// A path as output shows it: as typed, with slashes, without a leading `./`.
pub fn display(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let mut rest = text.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    if rest.is_empty() { text } else { rest.to_owned() }
}

/// The operating system's words without the trailing `(os error 2)`, in lower case like the rest of a sentence.
pub(crate) fn describe(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "a: 1\n").unwrap();
        }
        root
    }

    fn shown(listing: &Listing, root: &Path) -> Vec<String> {
        listing.files.iter().map(|file| display(file.path.strip_prefix(root).unwrap())).collect()
    }

    fn excludes(globs: &[&str]) -> Excludes {
        Excludes::new(globs).unwrap()
    }

    #[test]
    fn folders_are_searched_as_kubectl_does_without_hidden_ones() {
        let root =
            tree(&["b.yml", "a/z.yaml", "a/c.json", "d.YAML", "e.txt", ".git/x.yaml", ".dot.yaml", "a/.h/y.yaml"]);
        let listing = list(&[root.path().to_owned()], &excludes(&[]));
        assert_eq!(shown(&listing, root.path()), [".dot.yaml", "a/c.json", "a/z.yaml", "b.yml"]);
        assert!(listing.troubles.is_empty());
    }

    #[test]
    fn a_hidden_folder_that_is_named_is_searched() {
        let root = tree(&[".hidden/x.yaml"]);
        assert_eq!(list(&[root.path().join(".hidden")], &excludes(&[])).files.len(), 1);
    }

    #[test]
    fn a_named_file_is_taken_whatever_its_extension() {
        let root = tree(&["e.txt"]);
        let listing = list(&[root.path().join("e.txt"), root.path().to_owned()], &excludes(&[]));
        assert_eq!(listing.files, [Candidate { path: root.path().join("e.txt"), explicit: true }]);
    }

    #[test]
    fn a_file_that_is_found_and_named_counts_once_as_named() {
        let root = tree(&["e.yaml", "a.yaml"]);
        let listing = list(&[root.path().to_owned(), root.path().join("e.yaml")], &excludes(&[]));
        assert_eq!(listing.files.iter().map(|file| file.explicit).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn globs_exclude_names_paths_and_whole_folders() {
        let root = tree(&["a/vendor/x.yaml", "a/b.yaml", "b.yaml", "c/skip-me.yaml"]);
        let listing = list(&[root.path().to_owned()], &excludes(&["vendor", "skip-*.yaml"]));
        assert_eq!(shown(&listing, root.path()), ["a/b.yaml", "b.yaml"]);
        let whole = format!("{}/a/**", root.path().display());
        assert_eq!(
            shown(&list(&[root.path().to_owned()], &excludes(&[&whole])), root.path()),
            ["b.yaml", "c/skip-me.yaml"]
        );
    }

    #[test]
    fn what_is_not_there_is_a_trouble_and_the_rest_goes_on() {
        let root = tree(&["a.yaml"]);
        let listing = list(&[root.path().join("nope.yaml"), root.path().to_owned()], &excludes(&[]));
        assert_eq!(listing.files.len(), 1);
        assert_eq!(listing.troubles[0].reason, "no such file or directory");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_followed_and_links_to_folders_are_not() {
        let root = tree(&["real/x.yaml"]);
        std::os::unix::fs::symlink(root.path().join("real/x.yaml"), root.path().join("link.yaml")).unwrap();
        std::os::unix::fs::symlink(root.path().join("real"), root.path().join("folder.yaml")).unwrap();
        std::os::unix::fs::symlink(root.path().join("gone"), root.path().join("dangling.yaml")).unwrap();
        assert_eq!(shown(&list(&[root.path().to_owned()], &excludes(&[])), root.path()), ["link.yaml", "real/x.yaml"]);
    }

    #[test]
    fn shown_paths_are_as_typed_without_the_dot() {
        assert_eq!(display(Path::new("./a/b.yaml")), "a/b.yaml");
        assert_eq!(display(Path::new("../a.yaml")), "../a.yaml");
        assert_eq!(display(Path::new(".")), ".");
    }
}
