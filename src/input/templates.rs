//! Files that are input of another tool: recognised and said, never judged as if kubectl read them.

use crate::contract::has_placeholder;
use crate::files::{self, Limit};
use crate::yaml::stream::{self, Options};
use crate::yaml::{Node, Span, Text, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What the folders around a file say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileContext {
    /// The kustomization that lists the file as a patch, as output shows its path.
    pub patch_of: Option<String>,
    /// Whether it lies in the `templates` folder of a Helm chart.
    pub in_chart: bool,
}

/// Why a file or document is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The reason as a word: `helm-template`.
    pub reason: &'static str,
    /// The reason as a sentence, with what to do instead.
    pub message: String,
}

/// Looks at the folders around files; remembers what it has seen.
#[derive(Debug, Default)]
pub struct FolderLookup {
    kustomizations: HashMap<PathBuf, Option<Kustomization>>,
}

#[derive(Debug)]
struct Kustomization {
    path: PathBuf,
    /// The patches it lists, relative to its folder.
    patches: Vec<PathBuf>,
}

/// How many folders above a file are searched for a kustomization that lists it.
const ABOVE: usize = 4;
const KUSTOMIZATION_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

impl FolderLookup {
    /// What the folders around a file say of it.
    pub fn look(&mut self, file: &Path) -> FileContext {
        FileContext { patch_of: self.patch_of(file), in_chart: in_chart(file) }
    }

    fn patch_of(&mut self, file: &Path) -> Option<String> {
        let folders = file.ancestors().skip(1).take(ABOVE);
        folders.into_iter().find_map(|folder| {
            let known = self.kustomizations.entry(folder.to_owned()).or_insert_with(|| kustomization(folder));
            let within = file.strip_prefix(folder).ok()?;
            let listing = known.as_ref().filter(|one| one.patches.iter().any(|patch| patch == within))?;
            Some(super::discover::display(&listing.path))
        })
    }
}

fn kustomization(folder: &Path) -> Option<Kustomization> {
    let path = KUSTOMIZATION_NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file())?;
    let bytes = files::read(&path, &Limit::SETTINGS).ok()?;
    let text = Text::decode(&bytes);
    let stream = stream::parse(text.as_str(), &Options::default());
    let roots = stream.documents.iter().filter_map(stream::Document::root);
    let patches = roots.flat_map(patches).map(|patch| clean(&patch)).collect();
    Some(Kustomization { path, patches })
}

/// The files that a kustomization uses as patches, in each of the ways it can say so.
fn patches(root: &Node<'_>) -> Vec<String> {
    let listed = |field: &str| root.get(field).map(Node::items).into_iter().flatten().collect::<Vec<_>>();
    let by_path = ["patches", "patchesJson6902"].into_iter().flat_map(listed).filter_map(|patch| patch.get("path"));
    let plain = ["patchesStrategicMerge", "transformers", "configurations"].into_iter().flat_map(listed);
    by_path.chain(plain).filter_map(Node::as_str).map(str::to_owned).collect()
}

/// A relative path without `.` parts.
fn clean(path: &str) -> PathBuf {
    Path::new(path).components().filter(|part| *part != std::path::Component::CurDir).collect()
}

fn in_chart(file: &Path) -> bool {
    file.ancestors().skip(1).any(|folder| {
        folder.file_name().is_some_and(|name| name == "templates")
            && folder.parent().is_some_and(|chart| chart.join("Chart.yaml").is_file())
    })
}

/// Whether a whole file is input of another tool, as far as its name and folders show.
pub fn whole_file(path: &str, context: &FileContext, text: &str) -> Option<Skip> {
    if let Some(listing) = &context.patch_of {
        let folder = listing.rsplit_once('/').map_or(".", |(folder, _)| folder);
        return Some(Skip {
            reason: "kustomize-patch",
            message: format!(
                "{listing} lists it as a patch, which is no whole object; check the result: \
                 kustomize build {folder} | sandbox-lint -"
            ),
        });
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if KUSTOMIZATION_NAMES.contains(&name) {
        let message = "it is read by kustomize, not applied; check the result: kustomize build | sandbox-lint -";
        return Some(Skip { reason: "kustomization", message: message.to_owned() });
    }
    if is_ytt(text) {
        let message = "it is the source of a ytt template; render it first: ytt -f FILE | sandbox-lint -";
        return Some(Skip { reason: "template", message: message.to_owned() });
    }
    if context.in_chart && first_action(text).is_some() { Some(helm()) } else { None }
}

/// Whether comments are code of ytt: `#@ load(…)`, `name: #@ data.values.name`.
fn is_ytt(text: &str) -> bool {
    let code = |line: &str| {
        let before = line.split("#@ ").next().filter(|before| before.len() < line.len());
        before.is_some_and(|before| before.trim().is_empty() || before.ends_with(": ") || before.ends_with("- "))
    };
    text.contains("#@ ") && text.lines().any(code)
}

/// Whether text that kubectl cannot decode at the place `at` waits for another tool: a placeholder stands on the line
/// that kubectl stumbles over.
pub fn placeholder_at(text: &str, at: Span) -> Option<Skip> {
    let before = text.get(..at.start as usize).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    // A placeholder alone on a line stands for lines of YAML; kubectl stumbles over it or over what follows.
    let alone = |line: &str| line.trim_start().starts_with("${") && line.trim_end().ends_with('}');
    let above = before[..start].trim_end().rfind('\n').map_or(0, |end| end + 1);
    let start = if before[above..].lines().next().is_some_and(alone) { above } else { start };
    let line = text[start..].lines().next().unwrap_or_default();
    if let Some(place) = line.find("${").filter(|place| line[*place..].contains('}')) {
        let span = Span::new((start + place) as u32, (start + line.len()) as u32);
        return said(&[Placeholder { span, text: first_placeholder(line)? }]);
    }
    None
}

/// Whether text that kubectl cannot decode is the source of a template language. Lines are counted in the text; `of`
/// says what it is where it is no file.
pub fn template(text: &str, of: &str) -> Option<Skip> {
    if let Some(place) = text.find("{%").filter(|place| text[*place..].contains("%}")) {
        let line = text[..place].lines().count().max(1);
        let message = format!("line {line}{of} has a {{% … %}} tag; render the template first and check the result");
        return Some(Skip { reason: "template", message });
    }
    first_action(text).map(|_| helm())
}

fn helm() -> Skip {
    let message = "it is the source of a template; render it first: helm template CHART | sandbox-lint -";
    Skip { reason: "helm-template", message: message.to_owned() }
}

/// Bytes that an action of a template takes at most.
const LONGEST_ACTION: usize = 2_000;

/// The place of the first `{{ … }}` that reads as an action of a template rather than as YAML in braces.
fn first_action(text: &str) -> Option<usize> {
    text.match_indices("{{").map(|(place, _)| place).find(|place| {
        let start = place + 2;
        let near = &text.as_bytes()[start..text.len().min(start + LONGEST_ACTION + 1)];
        let end = memchr::memmem::find(near, b"}}");
        end.map(|end| &text[start..start + end]).is_some_and(|inside| {
            let action = inside.trim_start_matches(['-', '~']).trim();
            action.starts_with(|first: char| {
                first.is_alphabetic() || matches!(first, '.' | '$' | '(' | '"' | '/' | '`' | '_')
            })
        })
    })
}

/// A text that another tool fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The value that holds it.
    pub span: Span,
    /// Itself: `${TTL}`.
    pub text: String,
}

/// Fields in which `${…}` is a shell's business.
const SHELL_FIELDS: [&str; 3] = ["command", "args", "env"];

/// The placeholders of a document, in the order of the file. What a container runs is left out.
pub fn placeholders(root: &Node<'_>) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut rest = vec![root];
    while let Some(node) = rest.pop() {
        match &node.value {
            Value::String(text) if has_placeholder(text) => {
                found.extend(first_placeholder(text).map(|text| Placeholder { span: node.place(), text }));
            }
            Value::Seq(items) => rest.extend(items.iter().rev()),
            Value::Map(map) => {
                let entries = map.entries.iter().rev().filter(|entry| !SHELL_FIELDS.contains(&entry.key.as_ref()));
                rest.extend(entries.map(|entry| &entry.value));
            }
            _ => {}
        }
    }
    found
}

fn first_placeholder(text: &str) -> Option<String> {
    let filled = |open: &str, close: &str| {
        let start = text.find(open)?;
        let end = start + text[start..].find(close)? + close.len();
        Some((start, &text[start..end]))
    };
    let nearest = [filled("${", "}"), filled("{{", "}}")].into_iter().flatten().min_by_key(|(start, _)| *start);
    nearest.map(|(_, text)| text.to_owned())
}

/// What is said of a document with placeholders; `None` where it has none.
pub fn said(placeholders: &[Placeholder]) -> Option<Skip> {
    let mut names: Vec<&str> = placeholders.iter().map(|one| one.text.as_str()).collect();
    names.dedup();
    let (first, more) = match names.as_slice() {
        [] => return None,
        [one] => (*one, String::new()),
        [one, rest @ ..] => (*one, format!(" and {} more", rest.len())),
    };
    let message = format!(
        "{first}{more} is filled in by another tool; values that hold a placeholder are not judged, check the filled-in file"
    );
    Some(Skip { reason: "placeholder", message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn reason(skip: Option<Skip>) -> Option<&'static str> {
        skip.map(|skip| skip.reason)
    }

    #[test]
    fn actions_are_told_from_braces() {
        let unrendered = |text: &str| template(text, "");
        for text in
            ["name: {{ .Values.name }}", "{{- if .x }}\na: 1\n{{- end }}", "{{ include \"x\" . }}", "{{/* note */}}"]
        {
            assert_eq!(reason(unrendered(text)), Some("helm-template"), "{text}");
        }
        for text in ["a: {{a: 1}: 2}", "a: {{}}", "a: {{ never closed", "a: [}"] {
            assert_eq!(reason(unrendered(text)), None, "{text}");
        }
        assert_eq!(reason(unrendered("a: 1\n{% if x %}\nb: 2\n{% endif %}")), Some("template"));
    }

    #[test]
    fn a_placeholder_in_braces_is_no_syntax_error() {
        let text = "a: 1\nref: {name: ${NAME}}\nb: [\n";
        let at = |place: &str| Span::new(text.find(place).unwrap() as u32, text.len() as u32);
        assert_eq!(reason(placeholder_at(text, at("{NAME"))), Some("placeholder"));
        assert_eq!(reason(placeholder_at(text, at("["))), None);
    }

    #[test]
    fn patches_are_found_wherever_a_kustomization_lists_them() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("overlay/patches")).unwrap();
        let listing = "patches:\n- path: ./gvisor.yaml\n- path: patches/deep.yaml\n  target: {kind: Sandbox}\n- patch: |\n    a: 1\n\
                       patchesStrategicMerge: [old.yaml]\nresources: [whole.yaml]\n";
        fs::write(at("overlay/kustomization.yaml"), listing).unwrap();
        let mut folders = FolderLookup::default();
        for (name, is_patch) in [
            ("overlay/gvisor.yaml", true),
            ("overlay/patches/deep.yaml", true),
            ("overlay/old.yaml", true),
            ("overlay/whole.yaml", false),
            ("other.yaml", false),
        ] {
            let context = folders.look(&at(name));
            assert_eq!(context.patch_of.is_some(), is_patch, "{name}");
            let skip = whole_file(name, &context, "a: 1");
            assert_eq!(reason(skip), is_patch.then_some("kustomize-patch"), "{name}");
        }
    }

    #[test]
    fn chart_templates_are_skipped_only_where_they_have_actions() {
        let root = tempfile::tempdir().unwrap();
        let templates = root.path().join("chart/templates/sandbox");
        fs::create_dir_all(&templates).unwrap();
        fs::write(root.path().join("chart/Chart.yaml"), "name: x\n").unwrap();
        let context = FolderLookup::default().look(&templates.join("pool.yaml"));
        assert!(context.in_chart);
        assert_eq!(reason(whole_file("pool.yaml", &context, "name: \"{{ .Values.x }}\"")), Some("helm-template"));
        assert_eq!(reason(whole_file("pool.yaml", &context, "name: x")), None);
    }

    #[test]
    fn placeholders_are_found_outside_of_what_a_container_runs() {
        let text = "a: ${POOL}\nspec:\n  containers:\n  - args: ['echo ${HOME}']\n    env:\n    - {name: X, value: '${HOME}'}\n    image: repo:{{ tag }}\n";
        let stream = stream::parse(text, &Options::default());
        let root = stream.documents[0].content.as_ref().unwrap();
        let found: Vec<String> = placeholders(root).into_iter().map(|one| one.text).collect();
        assert_eq!(found, ["${POOL}", "{{ tag }}"]);
        assert!(said(&placeholders(root)).unwrap().message.starts_with("${POOL} and 1 more is filled in"));
        assert_eq!(said(&[]), None);
    }
}
