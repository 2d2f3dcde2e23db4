//! Completion: fields and values by the schema, keys of the contract, and names of the workspace.

use super::hover::{along, code, definition, kind_of, plain, type_of};
use super::lines::{self, Cursor};
use super::navigate::Names;
use super::outline::{Object, Outline, Step, keys};
use super::position::Places;
use crate::contract::{Backend, Contract, Direction};
use crate::resource::schema::{self, Shape};
use crate::resource::{Kind, Version};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, Documentation, InsertTextFormat, MarkupContent,
    MarkupKind, TextEdit,
};
use std::ops::Range;

/// What a completion is made of.
pub(super) struct Completion<'c> {
    /// The text.
    pub text: &'c str,
    /// Its lines.
    pub places: &'c Places<'c>,
    /// The contract.
    pub contract: &'c Contract,
    /// The names of pools and templates.
    pub names: &'c Names,
    /// Whether the client fills in snippets.
    pub snippets: bool,
}

/// One proposal.
struct Proposal {
    label: String,
    kind: CompletionItemKind,
    detail: String,
    insert: String,
    snippet: bool,
    documentation: Option<String>,
}

impl Completion<'_> {
    /// The proposals at a byte of the text.
    pub fn items(&self, at: usize) -> Vec<CompletionItem> {
        let range = lines::document(self.text, at);
        let Some(cursor) = lines::cursor(self.text, range.clone(), at) else { return Vec::new() };
        let outline = Outline { index: 0, entries: lines::entries(self.text, range.clone()), range };
        let Some(object) = outline.object_of(&cursor.path).or_else(|| outline.objects().pop()) else {
            return Vec::new();
        };
        let path = &cursor.path[object.depth.min(cursor.path.len())..];
        let proposals =
            if cursor.in_value { self.values(&object, path) } else { self.keys(&object, path, &cursor, &outline) };
        let end = self.end_of_word(at, cursor.in_value);
        proposals.into_iter().map(|one| self.item(one, cursor.written.start..end)).collect()
    }

    /// What is left of the word behind the cursor is replaced, too.
    fn end_of_word(&self, at: usize, in_value: bool) -> usize {
        let rest = &self.text[at..];
        let stop = |character: char| character.is_whitespace() || character == ':' && !in_value || character == '#';
        at + rest.find(stop).unwrap_or(rest.len())
    }

    fn values(&self, object: &Object<'_>, path: &[Step]) -> Vec<Proposal> {
        let names = keys(path);
        match names.as_slice() {
            ["kind"] => return KINDS.iter().map(|kind| value(kind.name(), "a kind of agent-sandbox")).collect(),
            ["apiVersion"] => return api_versions(object),
            ["spec", "sandboxTemplateRef", "name"] => return self.named(object, Kind::SandboxTemplate),
            ["spec", "warmPoolRef", "name"] => return self.named(object, Kind::SandboxWarmPool),
            [.., "annotations", key] => return self.annotation_values(key),
            [.., "nodeSelector", key] => return self.selector_values(key),
            [.., "tolerations", "key"] => return self.toleration_keys(),
            _ => {}
        }
        let Some((kind, version)) = kind_of(object) else { return Vec::new() };
        let Some((_, schema)) = along(schema::root(kind, version), path) else { return Vec::new() };
        if schema.shape == Shape::Boolean {
            return ["true", "false"].map(|word| value(word, "boolean")).into();
        }
        let note = |word: &str| if schema.default == Some(word) { "the default" } else { "an allowed value" };
        schema.values.iter().map(|word| value(word, note(word))).collect()
    }

    fn named(&self, object: &Object<'_>, kind: Kind) -> Vec<Proposal> {
        let namespace = object.text("metadata.namespace").unwrap_or("default");
        let names = self.names.declared(kind.name(), namespace);
        names.into_iter().map(|name| value(&name, &format!("{} in namespace {namespace}", kind.name()))).collect()
    }

    fn annotation_values(&self, key: &str) -> Vec<Proposal> {
        let Some((backend, spec)) = self.contract.annotation(key) else { return Vec::new() };
        let mut words: Vec<&String> = spec.values.iter().chain(&spec.newer_values).collect();
        let flags = [String::from("true"), String::from("false")];
        if spec.value_type == crate::contract::ValueType::Boolean && words.is_empty() {
            words.extend(&flags);
        }
        words.extend(spec.example.iter().filter(|example| !example.contains('{')));
        words.extend(&spec.default);
        let mut seen = Vec::new();
        words.retain(|word| {
            !seen.contains(word) && {
                seen.push(*word);
                true
            }
        });
        let note = |word: &String| {
            if spec.newer_values.contains(word) {
                format!("{}, newer releases only", backend.provider)
            } else if spec.default.as_ref() == Some(word) {
                format!("{}, the default", backend.provider)
            } else {
                backend.provider.clone()
            }
        };
        words.into_iter().map(|word| Proposal { insert: quoted(word), ..value(word, &note(word)) }).collect()
    }

    fn selector_values(&self, key: &str) -> Vec<Proposal> {
        let of = |backend: &Backend| {
            let selector = backend.selector.as_ref().filter(|selector| selector.key == key)?;
            selector.value.as_ref().map(|word| Proposal { insert: quoted(word), ..value(word, &backend.provider) })
        };
        self.contract.backends.iter().filter_map(of).collect()
    }

    fn toleration_keys(&self) -> Vec<Proposal> {
        let mut keys: Vec<&str> =
            self.contract.backends.iter().filter_map(|one| Some(one.toleration.as_ref()?.key.as_str())).collect();
        keys.dedup();
        keys.into_iter().map(|key| value(key, "the taint of virtual nodes")).collect()
    }

    fn keys(&self, object: &Object<'_>, path: &[Step], cursor: &Cursor, outline: &Outline) -> Vec<Proposal> {
        let here = |entry: &&super::outline::Entry| {
            entry.path.len() == cursor.path.len() + 1
                && entry.path.starts_with(&cursor.path)
                && entry.key.as_ref().is_none_or(|key| key.start != cursor.written.start)
        };
        let taken: Vec<&str> = outline.entries.iter().filter(here).flat_map(|one| keys(&one.path).pop()).collect();
        let names = keys(path);
        let mut proposals = match names.as_slice() {
            [.., "annotations"] => self.annotation_keys(&taken),
            [.., "nodeSelector"] => self.selector_keys(&taken),
            [.., "tolerations"] => self.tolerations(cursor),
            [] => [("apiVersion", "string"), ("kind", "string"), ("metadata", "ObjectMeta")]
                .map(|(name, of)| field(name, of, if of == "ObjectMeta" { ":\n  " } else { ": " }))
                .into(),
            _ => Vec::new(),
        };
        if let Some((kind, version)) = kind_of(object) {
            let root = schema::root(kind, version);
            if let Some(definition) = definition(root, path) {
                proposals.extend(fields(definition, cursor.column, kind, version, &names));
            } else if let Some((_, schema)) = along(root, path) {
                proposals.extend(schema.values.iter().map(|word| value(word, "an allowed value")));
            }
        }
        let mut seen: Vec<String> = taken.iter().map(|key| (*key).to_owned()).collect();
        proposals.retain(|one| {
            !seen.contains(&one.label) && {
                seen.push(one.label.clone());
                true
            }
        });
        if names.last() == Some(&"spec") && names.len() > 1 {
            proposals.extend(self.pairs(cursor, &taken));
        }
        proposals
    }

    fn annotation_keys(&self, taken: &[&str]) -> Vec<Proposal> {
        let mut proposals = Vec::new();
        for backend in &self.contract.backends {
            let written = backend.annotations.iter().filter(|spec| spec.direction == Direction::In);
            for spec in written.filter(|spec| !taken.contains(&spec.key.as_str())) {
                let need = if spec.required { ", required" } else { "" };
                proposals.push(Proposal {
                    documentation: Some(plain(&spec.summary)),
                    ..field(&spec.key, &format!("{}{need}", backend.provider), ": ")
                });
            }
        }
        proposals
    }

    fn selector_keys(&self, taken: &[&str]) -> Vec<Proposal> {
        let mut proposals = Vec::new();
        for backend in &self.contract.backends {
            let Some(selector) = backend.selector.as_ref().filter(|one| !taken.contains(&one.key.as_str())) else {
                continue;
            };
            let value = selector.value.as_deref().map(quoted).unwrap_or_default();
            proposals.push(Proposal {
                label: selector.key.clone(),
                ..field(&selector.key, &backend.provider, &format!(": {value}"))
            });
        }
        proposals
    }

    /// The tolerations of the backends, as items of the list.
    fn tolerations(&self, cursor: &Cursor) -> Vec<Proposal> {
        // Behind a dash the item has begun.
        let begun = matches!(cursor.path.last(), Some(Step::Item(_)));
        let dash = if begun { "" } else { "- " };
        let indent = " ".repeat(cursor.column + dash.len());
        let of = |backend: &Backend| {
            let insert = format!("{dash}{}", toleration(backend, &indent)?);
            Some(Proposal {
                label: format!("toleration for {}", backend.provider),
                kind: CompletionItemKind::Snippet,
                detail: format!("the taint of {}", backend.node.name),
                insert,
                snippet: false,
                documentation: None,
            })
        };
        self.contract.backends.iter().filter_map(of).collect()
    }

    /// Node selector and toleration of a backend together.
    fn pairs(&self, cursor: &Cursor, taken: &[&str]) -> Vec<Proposal> {
        if taken.contains(&"nodeSelector") || taken.contains(&"tolerations") || !self.snippets {
            return Vec::new();
        }
        let indent = " ".repeat(cursor.column);
        let of = |backend: &Backend| {
            let selector = backend.selector.as_ref()?;
            let value =
                selector.value.as_deref().map_or_else(|| "${1:pool}".to_owned(), |value| escaped(&quoted(value)));
            let toleration = escaped(&toleration(backend, &format!("{indent}    "))?);
            Some(Proposal {
                label: format!("nodeSelector and toleration for {}", backend.provider),
                kind: CompletionItemKind::Snippet,
                detail: backend.isolation.clone(),
                insert: format!(
                    "nodeSelector:\n{indent}  {}: {value}\n{indent}tolerations:\n{indent}  - {toleration}",
                    escaped(&selector.key)
                ),
                snippet: true,
                documentation: None,
            })
        };
        self.contract.backends.iter().filter_map(of).collect()
    }

    fn item(&self, one: Proposal, written: Range<usize>) -> CompletionItem {
        let markdown = |value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
        let edit = TextEdit { range: self.places.range(written), new_text: one.insert };
        CompletionItem {
            label: one.label.clone(),
            kind: Some(one.kind),
            detail: Some(one.detail).filter(|detail| !detail.is_empty()),
            documentation: one.documentation.map(markdown),
            insert_text_format: Some(if one.snippet { InsertTextFormat::Snippet } else { InsertTextFormat::PlainText }),
            // The text brings its own indentation.
            insert_text_mode: Some(gen_lsp_types::InsertTextMode::AsIs),
            filter_text: Some(one.label),
            text_edit: Some(CompletionItemTextEdit::TextEdit(edit)),
            ..CompletionItem::default()
        }
    }
}

const KINDS: [Kind; 4] = [Kind::Sandbox, Kind::SandboxTemplate, Kind::SandboxWarmPool, Kind::SandboxClaim];

fn api_versions(object: &Object<'_>) -> Vec<Proposal> {
    let kind = object.text("kind");
    let mut proposals: Vec<Proposal> = Vec::new();
    for one in KINDS.into_iter().filter(|one| kind.is_none_or(|kind| kind == one.name())) {
        for version in [Version::V1beta1, Version::V1alpha1] {
            let text = format!("{}/{}", one.group(), version.name());
            if !proposals.iter().any(|known| known.label == text) {
                let note = if version == Version::V1beta1 { "current" } else { "gone in agent-sandbox 1.0" };
                proposals.push(value(&text, note));
            }
        }
    }
    proposals
}

fn fields(
    definition: &'static schema::Definition,
    column: usize,
    kind: Kind,
    version: Version,
    names: &[&str],
) -> Vec<Proposal> {
    let indent = " ".repeat(column);
    let one = |one: &'static schema::Field| {
        let tail = match &one.schema.shape {
            Shape::Object(_) | Shape::Map(_) => format!(":\n{indent}  "),
            Shape::List(_) => format!(":\n{indent}  - "),
            Shape::Any if one.name == "metadata" => format!(":\n{indent}  "),
            _ => ": ".to_owned(),
        };
        let need = if one.required { ", required" } else { "" };
        let default = one.schema.default.map(|default| format!("default {}", code(default)));
        let path = names.iter().copied().chain([one.name]).collect::<Vec<_>>().join(".");
        let since = schema::since(kind, version, &path).map(|release| format!("since agent-sandbox {release}"));
        let sentence = schema::of_field(definition, one.name).map(plain);
        let documentation: Vec<String> = sentence.into_iter().chain(default).chain(since).collect();
        Proposal {
            documentation: Some(documentation.join("\n\n")).filter(|text| !text.is_empty()),
            ..field(one.name, &format!("{}{need}", type_of(&one.schema)), &tail)
        }
    };
    definition.fields.iter().filter(|field| field.name != "status").map(one).collect()
}

fn toleration(backend: &Backend, indent: &str) -> Option<String> {
    let toleration = backend.toleration.as_ref()?;
    let mut lines = vec![format!("key: {}", toleration.key), format!("operator: {}", toleration.operator)];
    if !toleration.value.is_empty() {
        lines.push(format!("value: {}", quoted(&toleration.value)));
    }
    lines.push(format!("effect: {}", toleration.effect));
    Some(lines.join(&format!("\n{indent}")))
}

fn value(label: &str, detail: &str) -> Proposal {
    Proposal {
        label: label.to_owned(),
        kind: CompletionItemKind::Value,
        detail: detail.to_owned(),
        insert: label.to_owned(),
        snippet: false,
        documentation: None,
    }
}

fn field(label: &str, detail: &str, tail: &str) -> Proposal {
    Proposal { kind: CompletionItemKind::Field, insert: format!("{label}{tail}"), ..value(label, detail) }
}

/// A text as YAML reads it as text.
fn quoted(text: &str) -> String {
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'))
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "null"
        );
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// A text that a snippet shows as it is.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}
