//! From a reference to what it names, and back: `warmPoolRef`, `sandboxTemplateRef`, `runtimeClassName`.

use super::outline::{Entry, Object, Outline, keys};
use super::workspace::Workspace;
use gen_lsp_types::Location;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// A file with its text and outlines.
type File = (String, Arc<str>, Vec<Outline>);

/// What a name is the name of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    kind: &'static str,
    /// Empty for kinds without one.
    namespace: String,
    name: String,
}

/// A place that declares a name, or refers to it.
struct Mention {
    target: Target,
    declares: bool,
    file: usize,
    bytes: Range<usize>,
}

/// The names of a workspace.
pub(super) struct Names {
    files: Vec<File>,
    mentions: Vec<Mention>,
}

const POOL: &str = "SandboxWarmPool";
const TEMPLATE: &str = "SandboxTemplate";
const RUNTIME_CLASS: &str = "RuntimeClass";

impl Names {
    /// Finds all names.
    pub fn of(workspace: &Workspace) -> Self {
        let files = workspace.outlines();
        let mut mentions = Vec::new();
        for (number, (_, _, outlines)) in files.iter().enumerate() {
            for object in outlines.iter().flat_map(Outline::objects) {
                declared(&object, number, &mut mentions);
                referred(&object, number, &mut mentions);
            }
        }
        Self { files, mentions }
    }

    /// The names of a kind in a namespace.
    pub fn declared(&self, kind: &str, namespace: &str) -> BTreeSet<String> {
        let wanted = |one: &&Mention| one.declares && one.target.kind == kind && one.target.namespace == namespace;
        self.mentions.iter().filter(wanted).map(|one| one.target.name.clone()).collect()
    }

    /// Where the name at a byte of a file is declared.
    pub fn definition(&self, workspace: &Workspace, path: &str, at: usize) -> Vec<Location> {
        let Some(target) = self.target(path, at) else { return Vec::new() };
        self.locations(workspace, |one| one.declares && one.target == *target)
    }

    /// Where it is referred to, and on wish declared.
    pub fn references(&self, workspace: &Workspace, path: &str, at: usize, with_declaration: bool) -> Vec<Location> {
        let Some(target) = self.target(path, at) else { return Vec::new() };
        self.locations(workspace, |one| (with_declaration || !one.declares) && one.target == *target)
    }

    fn target(&self, path: &str, at: usize) -> Option<&Target> {
        let file = self.files.iter().position(|(known, ..)| known == path)?;
        let here = |one: &&Mention| one.file == file && one.bytes.start <= at && at <= one.bytes.end;
        let direct = self.mentions.iter().find(here).map(|one| &one.target);
        direct.or_else(|| {
            // On a key rather than the name: `warmPoolRef`, its `name`, or `runtimeClassName`.
            let outline = self.files[file].2.iter().find(|outline| outline.at(at).is_some())?;
            let path = &outline.at(at)?.path;
            let named = |other: &&Entry| {
                other.path == *path && other.text.is_some()
                    || other.path.starts_with(path) && keys(&other.path[path.len()..]) == ["name"]
            };
            let below = outline.entries.iter().find(named)?;
            self.mentions.iter().find(|one| one.file == file && one.bytes == below.value).map(|one| &one.target)
        })
    }

    fn locations(&self, workspace: &Workspace, wanted: impl Fn(&Mention) -> bool) -> Vec<Location> {
        let place = |one: &Mention| {
            let (path, text, _) = &self.files[one.file];
            workspace.location(path, text, one.bytes.clone())
        };
        self.mentions.iter().filter(|one| wanted(one)).map(place).collect()
    }
}

fn declared(object: &Object<'_>, file: usize, mentions: &mut Vec<Mention>) {
    let kind = match object.text("kind") {
        Some("SandboxWarmPool") => POOL,
        Some("SandboxTemplate") => TEMPLATE,
        Some("RuntimeClass") => RUNTIME_CLASS,
        _ => return,
    };
    mention(object, object.entry("metadata.name"), kind, true, file, mentions);
}

fn referred(object: &Object<'_>, file: usize, mentions: &mut Vec<Mention>) {
    if object.text("kind").is_some_and(|kind| kind.starts_with("Sandbox")) {
        mention(object, object.entry("spec.warmPoolRef.name"), POOL, false, file, mentions);
        mention(object, object.entry("spec.sandboxTemplateRef.name"), TEMPLATE, false, file, mentions);
    }
    for entry in object.entries().filter(|entry| keys(&entry.path).ends_with(&["spec", "runtimeClassName"])) {
        mention(object, Some(entry), RUNTIME_CLASS, false, file, mentions);
    }
}

fn mention(
    object: &Object<'_>,
    entry: Option<&Entry>,
    kind: &'static str,
    declares: bool,
    file: usize,
    mentions: &mut Vec<Mention>,
) {
    let Some((entry, name)) = entry.and_then(|entry| Some((entry, entry.text.as_deref()?))) else { return };
    let namespace = match kind {
        RUNTIME_CLASS => "",
        _ => object.text("metadata.namespace").filter(|namespace| !namespace.is_empty()).unwrap_or("default"),
    };
    let target = Target { kind, namespace: namespace.to_owned(), name: name.to_owned() };
    mentions.push(Mention { target, declares, file, bytes: entry.value.clone() });
}
