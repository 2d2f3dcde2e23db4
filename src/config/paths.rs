//! Globs that are relative to the folder of a configuration file.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::{Component, Path, PathBuf};

/// A set of globs under one folder. A glob without a slash is compared with every file and folder name below it, one
/// with a slash with the path from that folder on; both also mean everything below a folder that they match.
#[derive(Clone, Debug, Default)]
pub struct PathGlobs {
    root: PathBuf,
    globs: Vec<String>,
    set: GlobSet,
}

impl PathGlobs {
    /// Compiles globs that are relative to `root`.
    ///
    /// # Errors
    /// The index of the first malformed glob, and what is wrong with it.
    pub fn new(root: &Path, globs: &[String]) -> Result<Self, (usize, String)> {
        let mut set = GlobSetBuilder::new();
        for (at, glob) in globs.iter().enumerate() {
            for form in forms(glob) {
                let compiled = GlobBuilder::new(&form).literal_separator(true).build();
                set.add(compiled.map_err(|error| (at, error.kind().to_string()))?);
            }
        }
        let set = set.build().map_err(|error| (0, error.to_string()))?;
        Ok(Self { root: normal(root), globs: globs.to_vec(), set })
    }

    /// Whether there are no globs at all.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// The globs as written.
    pub fn globs(&self) -> &[String] {
        &self.globs
    }

    /// Whether a path is meant; paths outside of the folder never are.
    pub fn matches(&self, path: &Path) -> bool {
        !self.is_empty() && normal(path).strip_prefix(&self.root).is_ok_and(|inside| self.set.is_match(inside))
    }
}

fn forms(glob: &str) -> [String; 2] {
    let trimmed = glob.strip_prefix("./").unwrap_or(glob).trim_end_matches('/');
    let anchored = match trimmed.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if trimmed.contains('/') => trimmed.to_owned(),
        None => format!("**/{trimmed}"),
    };
    let below = format!("{anchored}/**");
    [anchored, below]
}

/// The absolute path without `.` and `..`, not asking the file system.
pub fn normal(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut out = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(globs: &[&str], path: &str) -> bool {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        PathGlobs::new(Path::new("/repo/team"), &globs).expect("valid").matches(Path::new(path))
    }

    #[test]
    fn a_glob_without_a_slash_is_a_name_anywhere_below() {
        assert!(matches(&["vendor"], "/repo/team/a/vendor/x.yaml"));
        assert!(matches(&["*.gen.yaml"], "/repo/team/a/b.gen.yaml"));
        assert!(!matches(&["vendor"], "/repo/vendor/x.yaml"));
        assert!(!matches(&["vendor"], "/repo/team/vendors/x.yaml"));
    }

    #[test]
    fn a_glob_with_a_slash_begins_at_the_folder() {
        assert!(matches(&["charts/*.yaml"], "/repo/team/charts/a.yaml"));
        assert!(!matches(&["charts/*.yaml"], "/repo/team/sub/charts/a.yaml"));
        assert!(!matches(&["charts/*.yaml"], "/repo/team/charts/sub/a.yaml"));
        assert!(matches(&["charts/**/*.yaml"], "/repo/team/charts/sub/a.yaml"));
        assert!(matches(&["/top.yaml"], "/repo/team/top.yaml"));
        assert!(!matches(&["/top.yaml"], "/repo/team/sub/top.yaml"));
        assert!(matches(&["./a/b/"], "/repo/team/a/b/c/d.yaml"));
    }

    #[test]
    fn dots_in_paths_do_not_matter() {
        assert!(matches(&["a/*.yaml"], "/repo/other/../team/./a/x.yaml"));
    }

    #[test]
    fn a_malformed_glob_is_named() {
        let globs = ["ok".to_owned(), "a[".to_owned()];
        let (at, message) = PathGlobs::new(Path::new("/"), &globs).expect_err("malformed");
        assert_eq!(at, 1);
        assert!(message.contains("character class"), "{message}");
    }
}
