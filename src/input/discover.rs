//! Which files a run looks at.

use super::markdown::is_markdown;
use crate::escape;
use crate::files;
use crate::settings::FILE_NAMES;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::Gitignore;
use ignore::{DirEntry, Match, WalkBuilder};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
    pub problems: Vec<InputError>,
}

/// A path that can't be read; the run goes on without it and ends with exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", escape::line(.path), escape::line(.reason))]
pub struct InputError {
    /// The path as output shows it.
    pub path: String,
    /// Why, in the words of the operating system.
    pub reason: String,
}

impl InputError {
    /// A problem with the operating system's words.
    pub fn new(path: &Path, error: &std::io::Error) -> Self {
        Self { path: display(path), reason: describe(error) }
    }

    /// A path that is something else than a file: `a named pipe`.
    fn special_file(path: &Path, what: &str) -> Self {
        Self { path: display(path), reason: format!("{what}, not a file") }
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

/// A judgement of paths by what configuration files exclude.
pub type Judge = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

/// What is left out of a listing.
#[derive(Clone)]
pub struct Filter {
    /// The globs of `--exclude`.
    pub excludes: Excludes,
    /// Whether a configuration excludes a path.
    pub configured: Judge,
    /// Whether `.gitignore` and `.ignore` files of these folders and those above count; they need no repository.
    pub gitignore: bool,
    /// Whether all of this counts for files that are named, too.
    pub force: bool,
    /// Whether Markdown files are searched for below a folder.
    pub markdown: Judge,
}

impl Filter {
    /// A filter of these globs alone.
    pub fn of(excludes: Excludes) -> Self {
        Self {
            excludes,
            configured: Arc::new(|_| false),
            gitignore: false,
            force: false,
            markdown: Arc::new(|_| false),
        }
    }

    /// Why a path is left out, if it is.
    pub fn reason(&self, path: &Path) -> Option<&'static str> {
        let ignored = || self.gitignore && is_ignored(path);
        if path.ancestors().any(|part| self.excludes.matches(part)) {
            Some("--exclude leaves it out")
        } else if path.ancestors().any(|part| (self.configured)(part)) {
            Some("the configuration excludes it")
        } else if ignored() {
            Some("an ignore file names it")
        } else {
            None
        }
    }
}

/// Lists the files below `paths`. Folders are searched for `.yaml`, `.yml` and `.json` (spelled as kubectl demands), and
/// for Markdown where the filter wants it,
/// hidden folders left out; a link to a file counts, a link to a folder does not. A path to a file is taken whatever its name.
pub fn list(paths: &[PathBuf], filter: &Filter) -> Listing {
    let mut listing = Listing::default();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => walk(path, filter, &mut listing),
            Ok(meta) if !meta.is_file() && !files::is_inherited(path) && path != Path::new("/dev/null") => {
                listing.problems.extend(files::special_kind(&meta).map(|what| InputError::special_file(path, what)));
            }
            Ok(_) if filter.force && filter.reason(path).is_some() => {}
            Ok(_) => listing.files.push(Candidate { path: path.clone(), explicit: true }),
            Err(error) => listing.problems.push(InputError::new(path, &error)),
        }
    }
    listing.files = once_each(listing.files);
    listing
}

fn walk(root: &Path, filter: &Filter, listing: &mut Listing) {
    let chosen = filter.clone();
    let absolute = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    if let Some(problem) = absolute.ancestors().filter(|_| filter.gitignore).find_map(special_ignore_file) {
        listing.problems.push(problem);
        return;
    }
    let problems = Arc::new(Mutex::new(Vec::new()));
    let odd = Arc::clone(&problems);
    let entries = WalkBuilder::new(root)
        .hidden(false)
        .parents(filter.gitignore)
        .ignore(filter.gitignore)
        .git_ignore(filter.gitignore)
        .git_exclude(filter.gitignore)
        .git_global(false)
        .require_git(false)
        .sort_by_file_name(|one, other| one.cmp(other))
        .filter_entry(move |entry| {
            entry.depth() == 0
                || !(is_hidden_folder(entry)
                    || chosen.excludes.matches(entry.path())
                    || (chosen.configured)(entry.path())
                    || chosen.gitignore && is_folder(entry) && refuse_special_ignore_file(entry.path(), &odd))
        })
        .build();
    for entry in entries {
        match entry {
            Ok(entry) if has_manifest_name(&entry) || is_markdown(entry.path()) && (filter.markdown)(entry.path()) => {
                match is_file(&entry) {
                    Ok(true) => listing.files.push(Candidate { path: entry.into_path(), explicit: false }),
                    Ok(false) => {}
                    Err(problem) => listing.problems.push(problem),
                }
            }
            Ok(_) => {}
            Err(error) => listing.problems.push(problem(root, error)),
        }
    }
    listing.problems.append(&mut problems.lock().unwrap_or_else(PoisonError::into_inner));
}

fn refuse_special_ignore_file(folder: &Path, problems: &Mutex<Vec<InputError>>) -> bool {
    let problem = special_ignore_file(folder);
    let is_odd = problem.is_some();
    problems.lock().unwrap_or_else(PoisonError::into_inner).extend(problem);
    is_odd
}

/// An ignore file of a folder that is a pipe or a device: reading it might never end, so the folder is not searched.
fn special_ignore_file(folder: &Path) -> Option<InputError> {
    [".ignore", ".gitignore", ".git/info/exclude"].iter().find_map(|name| {
        let path = folder.join(name);
        let meta = path.metadata().ok().filter(|meta| !meta.is_dir())?;
        files::special_kind(&meta).map(|what| InputError::special_file(&path, what))
    })
}

fn problem(root: &Path, error: ignore::Error) -> InputError {
    let path = path_of(&error).unwrap_or(root).to_owned();
    let error = error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links"));
    InputError::new(&path, &error)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// Whether an ignore file of the folders above names a file: the walk of its own folder passes it over.
fn is_ignored(path: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else { return false };
    let Some(folder) = path.parent() else { return false };
    let repository = folder.ancestors().find(|folder| folder.join(".git").exists());
    let counts = |part: &&Path| repository.is_none_or(|root| part.starts_with(root));
    for folder in folder.ancestors().take_while(counts) {
        for name in [".ignore", ".gitignore"] {
            let file = folder.join(name);
            if !file.is_file() {
                continue;
            }
            let (rules, _) = Gitignore::new(file);
            match rules.matched_path_or_any_parents(&path, false) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
    }
    false
}

fn is_hidden_folder(entry: &DirEntry) -> bool {
    is_folder(entry) && entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn has_manifest_name(entry: &DirEntry) -> bool {
    let extension = entry.path().extension().and_then(|text| text.to_str());
    matches!(extension, Some("yaml" | "yml" | "json")) && !FILE_NAMES.iter().any(|own| entry.file_name() == *own)
}

/// Whether an entry is a file, or a link to one; not so a folder. What is neither, kubectl stumbles over, too.
fn is_file(entry: &DirEntry) -> Result<bool, InputError> {
    let path = entry.path();
    match entry.file_type() {
        Some(kind) if kind.is_file() => return Ok(true),
        Some(kind) if kind.is_dir() => return Ok(false),
        _ => {}
    }
    let meta = path.metadata().map_err(|error| InputError::new(path, &error))?;
    match files::special_kind(&meta) {
        None => Ok(true),
        Some(_) if meta.is_dir() => Ok(false),
        Some(what) => Err(InputError::special_file(path, what)),
    }
}

/// Sorts by the shown path and drops repetitions; a file that is also named explicitly counts as named.
fn once_each(files: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen: HashMap<OsString, usize> = HashMap::with_capacity(files.len());
    let mut kept: Vec<(String, Candidate)> = Vec::with_capacity(files.len());
    for file in files {
        let shown = display(&file.path);
        // Names that are not Unicode may look alike.
        let name = file.path.to_str().map_or_else(|| file.path.clone().into_os_string(), |_| OsString::from(&shown));
        if let Some(&index) = seen.get(&name) {
            kept[index].1.explicit |= file.explicit;
        } else {
            seen.insert(name, kept.len());
            kept.push((shown, file));
        }
    }
    kept.sort_by(|a, b| (&a.0, &a.1.path).cmp(&(&b.0, &b.1.path)));
    kept.into_iter().map(|(_, file)| file).collect()
}

/// A path as output shows it: as typed, with slashes, without a leading `./`; bytes that are no Unicode as `\xff`.
pub fn display(path: &Path) -> String {
    let text = path.to_str().map_or_else(|| readable(path), str::to_owned);
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text };
    let mut rest = text.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    if rest.is_empty() { text } else { rest.to_owned() }
}

/// A path whose name is not Unicode.
fn readable(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
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

    fn excludes(globs: &[&str]) -> Filter {
        Filter::of(Excludes::new(globs).unwrap())
    }

    #[test]
    fn folders_are_searched_as_kubectl_does_without_hidden_ones() {
        let root =
            tree(&["b.yml", "a/z.yaml", "a/c.json", "d.YAML", "e.txt", ".git/x.yaml", ".dot.yaml", "a/.h/y.yaml"]);
        let listing = list(&[root.path().to_owned()], &excludes(&[]));
        assert_eq!(shown(&listing, root.path()), [".dot.yaml", "a/c.json", "a/z.yaml", "b.yml"]);
        assert!(listing.problems.is_empty());
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
        assert_eq!(listing.problems[0].reason, "no such file or directory");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_followed_and_links_to_folders_are_not() {
        let root = tree(&["real/x.yaml"]);
        std::os::unix::fs::symlink(root.path().join("real/x.yaml"), root.path().join("link.yaml")).unwrap();
        std::os::unix::fs::symlink(root.path().join("real"), root.path().join("folder.yaml")).unwrap();
        std::os::unix::fs::symlink(root.path().join("gone"), root.path().join("dangling.yaml")).unwrap();
        std::os::unix::fs::symlink("circle.yaml", root.path().join("circle.yaml")).unwrap();
        let listing = list(&[root.path().to_owned()], &excludes(&[]));
        assert_eq!(shown(&listing, root.path()), ["link.yaml", "real/x.yaml"]);
        let reasons: Vec<&str> = listing.problems.iter().map(|problem| problem.reason.as_str()).collect();
        assert_eq!(reasons, ["too many levels of symbolic links", "no such file or directory"]);
    }

    #[test]
    fn shown_paths_are_as_typed_without_the_dot() {
        assert_eq!(display(Path::new("./a/b.yaml")), "a/b.yaml");
        assert_eq!(display(Path::new("../a.yaml")), "../a.yaml");
        assert_eq!(display(Path::new(".")), ".");
    }

    #[test]
    fn ignore_files_count_without_a_repository_unless_a_file_is_named() {
        let root = tree(&["a.yaml", "b.yaml", "sub/c.yaml", "sub/d.yaml"]);
        fs::write(root.path().join(".gitignore"), "b.yaml\nd.yaml\n").unwrap();
        fs::write(root.path().join("sub/.gitignore"), "!d.yaml\n").unwrap();
        fs::write(root.path().join("sub/.ignore"), "c.yaml\n").unwrap();
        let mut filter = Filter { gitignore: true, ..excludes(&[]) };
        assert_eq!(shown(&list(&[root.path().to_owned()], &filter), root.path()), ["a.yaml", "sub/d.yaml"]);
        let named = [root.path().join("b.yaml"), root.path().join("sub/d.yaml"), root.path().join("sub/c.yaml")];
        assert_eq!(list(&named, &filter).files.len(), 3);
        filter.force = true;
        fs::create_dir(root.path().join(".git")).unwrap();
        assert_eq!(shown(&list(&named, &filter), root.path()), ["sub/d.yaml"]);
        filter.gitignore = false;
        assert_eq!(list(&named, &filter).files.len(), 3);
    }

    #[test]
    fn what_a_configuration_excludes_is_left_out_unless_a_file_is_named() {
        let root = tree(&["a.yaml", "vendor/b.yaml"]);
        let configured: Judge = Arc::new(|path| path.ends_with("vendor"));
        let mut filter = Filter { configured, ..excludes(&[]) };
        assert_eq!(shown(&list(&[root.path().to_owned()], &filter), root.path()), ["a.yaml"]);
        let named = [root.path().join("vendor/b.yaml")];
        assert_eq!(list(&named, &filter).files.len(), 1);
        filter.force = true;
        assert_eq!(list(&named, &filter).files.len(), 0);
        assert_eq!(filter.reason(&named[0]), Some("the configuration excludes it"));
    }
}
