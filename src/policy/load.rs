//! Policies from files: house rules, ValidatingAdmissionPolicies and their bindings.

use super::admission::{Binding, Policy};
use super::{HouseRule, Notice, Policies, house};
use crate::escape;
use crate::files::{self, Limit};
use crate::settings::{DEEPEST, Reader, SettingsError, TOO_DEEP};
use crate::yaml::{self, Node};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The folder of a policy folder that holds the manifests its rules are tried on.
pub const TESTS: &str = "tests";

/// What the name of a file or folder says of the manifests: `good` or `bad`, alone or with more behind it
/// (`bad-tag.yaml`).
pub fn verdict(name: &str) -> Option<bool> {
    let ends = |rest: &str| rest.chars().next().is_none_or(|next| !next.is_ascii_alphabetic());
    let good = name.strip_prefix("good").is_some_and(ends);
    let bad = name.strip_prefix("bad").is_some_and(ends);
    (good || bad).then_some(good)
}

/// Why policies can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// A file is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A path can't be read.
    #[error("{}: {}", escape::line(path), crate::input::discover::describe(error))]
    Io {
        /// The path.
        path: String,
        /// The operating system's words.
        error: std::io::Error,
    },
    /// Two rules have one name.
    #[error("{}: house rule `{}` exists already", escape::line(file), escape::line(name))]
    Twice {
        /// The file of the second.
        file: String,
        /// The name.
        name: String,
    },
}

/// Policies as they are read, file by file.
#[derive(Default)]
struct PolicySources {
    policies: Policies,
    admission: Vec<(String, Policy)>,
    bindings: Vec<Binding>,
}

impl Policies {
    /// Reads files, and folders with all that is below them but for the manifests to try rules on; rules of a
    /// configuration come first.
    ///
    /// # Errors
    /// The first file that is wrong, with everything that is wrong in it.
    pub fn load(paths: &[PathBuf], configured: Vec<HouseRule>) -> Result<Self, PolicyError> {
        let mut pile =
            PolicySources { policies: Self { rules: configured, ..Self::default() }, ..PolicySources::default() };
        for path in paths {
            for file in files(path)? {
                let shown = file.to_string_lossy().into_owned();
                let bytes = files::read(&file, &Limit::SETTINGS)
                    .map_err(|error| PolicyError::Io { path: shown.clone(), error })?;
                pile.read(&shown, &String::from_utf8_lossy(&bytes))?;
            }
        }
        Ok(pile.finish())
    }

    /// Reads one text.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(file: &str, text: &str) -> Result<Self, PolicyError> {
        let mut pile = PolicySources::default();
        pile.read(file, text)?;
        Ok(pile.finish())
    }
}

fn files(path: &Path) -> Result<Vec<PathBuf>, PolicyError> {
    let wanted = |path: &Path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let mut files = Vec::new();
    for entry in WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| !is_aside(entry)) {
        let entry = entry.map_err(|error| PolicyError::Io {
            path: error.path().unwrap_or(path).to_string_lossy().into_owned(),
            error: error.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links")),
        })?;
        // Links are followed; what is neither file nor folder is refused when it is read.
        if !entry.path().is_dir() && (entry.depth() == 0 || wanted(entry.path())) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// Manifests to try rules on, and what is hidden.
fn is_aside(entry: &walkdir::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let folder = entry.file_type().is_dir() && (name == TESTS || name.starts_with('.'));
    entry.depth() > 0 && (folder || verdict(&name).is_some())
}

impl PolicySources {
    fn read(&mut self, file: &str, text: &str) -> Result<(), PolicyError> {
        let reader = Reader::default();
        let stream = yaml::parse(text, &yaml::Options::default());
        let mut rules = Vec::new();
        for document in &stream.documents {
            match &document.content {
                _ if document.depth > DEEPEST => reader.complain(document.span, TOO_DEEP),
                Err(error) => reader.complain(error.span, error.kind.plain_words()),
                Ok(root) => self.read_document(&reader, file, root, &mut rules),
            }
        }
        let problems = reader.finish();
        if !problems.is_empty() {
            return Err(SettingsError::new(file, text, problems).into());
        }
        for rule in rules {
            if self.policies.rules.iter().any(|known| known.name == rule.name) {
                return Err(PolicyError::Twice { file: file.to_owned(), name: rule.name });
            }
            self.policies.rules.push(rule);
        }
        Ok(())
    }

    fn read_document(&mut self, reader: &Reader, file: &str, root: &Node<'_>, rules: &mut Vec<HouseRule>) {
        match root.get("kind").and_then(Node::as_str) {
            Some("ValidatingAdmissionPolicy") => {
                self.admission.extend(Policy::read(reader, root).map(|policy| (file.to_owned(), policy)));
            }
            Some("ValidatingAdmissionPolicyBinding") => self.bindings.extend(Binding::read(reader, root)),
            Some("List" | "ValidatingAdmissionPolicyList" | "ValidatingAdmissionPolicyBindingList") => {
                for item in root.get("items").into_iter().flat_map(Node::items) {
                    self.read_document(reader, file, item, rules);
                }
            }
            Some(other) => {
                let message = format!(
                    "kind `{other}` is no policy; a policy file holds `rules`, ValidatingAdmissionPolicies and their bindings"
                );
                reader.complain(root.place(), message);
            }
            None => {
                for entry in reader.fields(root, "a policy file", &["rules"]) {
                    rules.extend(house::read_rules(reader, &entry.value));
                }
            }
        }
    }

    fn finish(mut self) -> Policies {
        for (file, policy) in &self.admission {
            let mut notices = Vec::new();
            self.policies.rules.extend(policy.rules(&self.bindings, &mut notices));
            let notices = notices.into_iter().map(|message| Notice { file: file.clone(), message });
            self.policies.notices.extend(notices);
        }
        self.policies
    }
}
