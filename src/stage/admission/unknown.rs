//! Fields that the schema does not know, and what their author most likely meant.

use super::fault::Cause;
use crate::finding::{Applicability, Edit, Fix, Spot};
use crate::resource::AgentSandboxRelease;
use crate::resource::schema::{self, Definition, Field, Shape};
use crate::rule;
use crate::suggest;
use crate::yaml::{Entry, Mapping, Span, Style, Value};
use std::collections::HashSet;

/// One unknown field.
#[derive(Debug)]
pub struct Unknown {
    /// The path as the server prints it.
    pub path: String,
    /// The required field that is missing because of it.
    pub also_missing: Option<String>,
    /// What to say; `None` inside a value that is of a wrong type altogether.
    note: Option<Note>,
}

#[derive(Debug)]
struct Note {
    key: String,
    place: Span,
    meant: Meant,
}

/// What the author most likely meant.
#[derive(Debug)]
enum Meant {
    /// Another field in the same place.
    Sibling(&'static str, Option<Fix>),
    /// A field in another place: its path, and the field here that leads to it.
    Elsewhere { path: String, through: Option<String> },
    /// A key of the map of annotations at this path.
    Annotation(String),
    /// Something that takes a sentence; with the field it stands for, if there is one here.
    Advice { help: String, stands_for: Option<&'static str>, fix: Option<Fix> },
    /// A field that a later release of agent-sandbox brings.
    Later(AgentSandboxRelease),
    /// Nothing that is known; with the fields that there are.
    Nothing(String),
}

impl Unknown {
    /// A field inside a value of a wrong type.
    pub fn inside(path: &str) -> Self {
        Self { path: path.to_owned(), also_missing: None, note: None }
    }

    /// Whether the field was most likely meant as (a part of) `field`.
    pub fn stands_for(&self, field: &Field) -> bool {
        let Some(note) = &self.note else { return false };
        match &note.meant {
            Meant::Sibling(name, _) => *name == field.name,
            Meant::Advice { stands_for, .. } => *stands_for == Some(field.name),
            Meant::Elsewhere { through, .. } => through.as_deref() == Some(field.name),
            Meant::Annotation(_) | Meant::Later(_) | Meant::Nothing(_) => false,
        }
    }

    /// What the linter says of it; `release` is that of the cluster.
    pub fn cause(&self, kind: &str, version: &str, release: Option<AgentSandboxRelease>) -> Option<Cause> {
        let note = self.note.as_ref()?;
        let parent = self.path.strip_suffix(&note.key).unwrap_or_default().trim_end_matches('.');
        let place = if parent.is_empty() { String::new() } else { format!(" in `{parent}`") };
        let before = match note.meant {
            Meant::Later(since) => format!(" before agent-sandbox {since}"),
            _ => String::new(),
        };
        let message = format!("{kind} {version} has no field `{}`{place}{before}", note.key);
        let (help, fix) = match &note.meant {
            Meant::Sibling(name, fix) => (format!("did you mean `{name}`?"), fix.clone()),
            Meant::Elsewhere { path, .. } => (format!("its place is `{path}`"), None),
            Meant::Annotation(path) => (format!("it belongs under `{path}`"), None),
            Meant::Advice { help, fix, .. } => (help.clone(), fix.clone()),
            Meant::Later(since) => {
                let here = release.map_or_else(|| "the release".to_owned(), |release| format!("release {release}"));
                let help = format!(
                    "install agent-sandbox {since} or later, or take it away; without strict validation {here} drops it"
                );
                (help, None)
            }
            Meant::Nothing(fields) => (fields.clone(), None),
        };
        let place = match &note.meant {
            Meant::Elsewhere { path, .. } | Meant::Annotation(path) => Some(path.clone()),
            _ => None,
        };
        let spot = Spot::new(note.place, self.path.clone());
        Some(Cause::new(&rule::UNKNOWN_FIELD, spot, message).help(help).fix(fix).meant(place))
    }
}

/// Notes an unknown field below `parents`, the last of which holds it.
pub fn note(entry: &Entry<'_>, parents: &[(&'static Definition, String)]) -> Unknown {
    let (definition, path) = match parents.last() {
        Some((definition, path)) => (*definition, path.as_str()),
        None => return Unknown::inside(&entry.key),
    };
    let path = if path.is_empty() { entry.key.to_string() } else { format!("{path}.{}", entry.key) };
    let meant = meant(entry, definition, parents);
    Unknown { path, also_missing: None, note: Some(Note { key: entry.key.to_string(), place: entry.key_span, meant }) }
}

/// Drops fixes that would write a key which the mapping at `path` has already, or which another fix writes: the second
/// of two equal keys replaces the first with all that is below it.
pub fn keep_keys_unique(unknown: &mut [Unknown], map: &Mapping<'_>, path: &str) {
    let mut taken: Option<HashSet<String>> = None;
    for Unknown { path: own, note, .. } in unknown {
        let Some(note) = note.as_mut().filter(|note| *own == join(path, &note.key)) else { continue };
        let (Meant::Sibling(_, fix) | Meant::Advice { fix, .. }) = &mut note.meant else { continue };
        let Some(edit) = fix.as_ref().and_then(|fix| fix.edits.first()) else { continue };
        let taken = taken.get_or_insert_with(|| map.entries.iter().map(|entry| entry.key.to_string()).collect());
        if !taken.insert(edit.text.trim_matches('"').to_owned()) {
            *fix = None;
        }
    }
}

fn meant(entry: &Entry<'_>, definition: &'static Definition, parents: &[(&'static Definition, String)]) -> Meant {
    let key: &str = &entry.key;
    let newest = schema::named(definition.name).and_then(|newest| newest.field(key));
    if let Some(since) = newest.and_then(|field| field.since) {
        return Meant::Later(since);
    }
    if let Some(known) = known_mistake(definition, entry) {
        return known;
    }
    let same_letters = definition.names().find(|name| name.eq_ignore_ascii_case(key));
    if let Some(name) = same_letters {
        return Meant::Sibling(name, rename(entry, name, Applicability::Safe));
    }
    if key.contains('/') {
        return Meant::Annotation(annotations_of(definition, parents));
    }
    if let Some(name) = longer_or_shorter(definition, key) {
        let fits = definition.field(name).is_some_and(|field| outlines(&field.schema.shape, &entry.value.value));
        return Meant::Sibling(name, rename(entry, name, Applicability::Unsafe).filter(|_| fits));
    }
    if let Some(path) = below(definition, key) {
        let here = parents.last().map_or("", |(_, here)| here);
        let through = path.split('.').next().map(str::to_owned);
        return Meant::Elsewhere { path: join(here, &path), through };
    }
    if let Some(path) = above(parents, key) {
        return Meant::Elsewhere { path, through: None };
    }
    if let Some(name) = suggest::nearest(key, definition.names()) {
        let fits = definition.field(name).is_some_and(|field| outlines(&field.schema.shape, &entry.value.value));
        return Meant::Sibling(name, rename(entry, name, Applicability::Unsafe).filter(|_| fits));
    }
    let names: Vec<String> = definition.names().map(|name| format!("`{name}`")).collect();
    Meant::Nothing(match names.len() {
        0 => "take it away; there are no fields here".to_owned(),
        1..=12 => format!("take it away, or write one of {}", names.join(", ")),
        _ => "take it away, or write the name as the API reference has it".to_owned(),
    })
}

/// The one field whose name ends with the key, or the other way round: `path` for `mountPath`, `configMapName` for
/// `name`. Where several do, the required one is meant.
fn longer_or_shorter(definition: &Definition, key: &str) -> Option<&'static str> {
    let ends = |long: &str, short: &str| {
        let mut letters = short.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let (rest, end) = (letters.as_str(), long.len().checked_sub(short.len()).filter(|start| *start > 0));
        short.len() > 2
            && end.is_some_and(|start| long.is_char_boundary(start) && long[start..].chars().next() == first)
            && long.ends_with(rest)
    };
    let near: Vec<&Field> =
        definition.fields.iter().filter(|field| ends(field.name, key) || ends(key, field.name)).collect();
    let required: Vec<&&Field> = near.iter().filter(|field| field.required).collect();
    match (near.as_slice(), required.as_slice()) {
        ([only], _) => Some(only.name),
        (_, [only]) => Some(only.name),
        _ => None,
    }
}

/// Whether a value has the outline that a shape asks for: a list, a mapping, or neither.
fn outlines(shape: &Shape, value: &Value<'_>) -> bool {
    match shape {
        Shape::List(_) => matches!(value, Value::Seq(_)),
        Shape::Map(_) | Shape::Object(_) => matches!(value, Value::Map(_)),
        Shape::Any => true,
        _ => !matches!(value, Value::Seq(_) | Value::Map(_)),
    }
}

/// Where a key with a slash belongs: to the annotations nearest by.
fn annotations_of(definition: &Definition, parents: &[(&'static Definition, String)]) -> String {
    let own = definition.field("annotations").map(|_| "annotations".to_owned());
    own.or_else(|| below(definition, "annotations"))
        .map(|path| join(parents.last().map_or("", |(_, path)| path), &path))
        .or_else(|| above(parents, "annotations"))
        .unwrap_or_else(|| "annotations".to_owned())
}

/// The path of a field with this name inside the fields of a type, the nearest first; lists are not entered.
fn below(definition: &Definition, key: &str) -> Option<String> {
    let mut level: Vec<(String, &'static Definition)> = children(definition, "");
    // Deeper than `podTemplate.spec.securityContext` the same name hardly means the same.
    for _ in 0..2 {
        let mut found = level.iter().filter(|(_, definition)| definition.field(key).is_some());
        match (found.next(), found.next()) {
            (Some((path, _)), None) => return Some(format!("{path}.{key}")),
            (Some(_), Some(_)) => return None,
            (None, _) => level = level.iter().flat_map(|(path, definition)| children(definition, path)).collect(),
        }
    }
    None
}

fn children(definition: &Definition, path: &str) -> Vec<(String, &'static Definition)> {
    let objects = definition.fields.iter().filter_map(|field| match field.schema.shape {
        Shape::Object(id) => Some((join(path, field.name), id.definition())),
        _ => None,
    });
    objects.collect()
}

/// The path of a field with this name in one of the types around, the nearest first.
fn above(parents: &[(&'static Definition, String)], key: &str) -> Option<String> {
    let (_, around) = parents.split_last()?;
    around.iter().rev().find_map(|(definition, path)| {
        let own = definition.field(key).map(|field| field.name.to_owned());
        own.or_else(|| below(definition, key)).map(|found| join(path, &found))
    })
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Another key in the place of this one.
fn rename(entry: &Entry<'_>, name: &str, applicability: Applicability) -> Option<Fix> {
    change(entry, name, None, applicability)
}

/// Another key, and another value where one is given; in quotes where the key has them, as in JSON.
fn change(entry: &Entry<'_>, key: &str, value: Option<&str>, applicability: Applicability) -> Option<Fix> {
    let span = entry.key_span;
    if span.end <= span.start || entry.value.via.is_some() {
        return None;
    }
    let quoted = (span.end - span.start) as usize > entry.key.len();
    let word = |text: &str| if quoted { format!("\"{text}\"") } else { text.to_owned() };
    let mut edits = vec![Edit { span, text: word(key) }];
    edits.extend(value.map(|value| Edit { span: entry.value.span, text: word(value) }));
    let title = value.map_or_else(|| format!("write {key}"), |value| format!("write {key}: {value}"));
    Some(Fix { applicability, title, edits })
}

/// Mistakes that need more than another name.
fn known_mistake(definition: &Definition, entry: &Entry<'_>) -> Option<Meant> {
    let owner = definition.name.split('/').next().unwrap_or_default();
    let beta = definition.name.ends_with("/v1beta1");
    let key: &str = &entry.key;
    let advise = |stands_for, help: &str| Some(Meant::Advice { help: help.to_owned(), stands_for, fix: None });
    match (owner, key) {
        ("SandboxSpec" | "SandboxTemplateSpec", "template" | "podTemplateSpec" | "podSpec" | "pod") => {
            Some(Meant::Sibling("podTemplate", rename(entry, "podTemplate", Applicability::Unsafe)))
        }
        ("SandboxSpec", "replicas") if beta => Some(operating_mode(entry)),
        ("SandboxSpec", "operatingMode") => advise(
            None,
            "operatingMode came with v1beta1; in v1alpha1 write `replicas: 0` for Suspended and `replicas: 1` for Running",
        ),
        ("SandboxSpec", "lifecycle") => advise(
            None,
            "lifecycle belongs to SandboxClaim; a Sandbox has `shutdownTime` and `shutdownPolicy` right under `spec`",
        ),
        ("SandboxSpec", "templateRef" | "sandboxTemplateRef" | "warmPoolRef" | "templateName" | "warmpool") => advise(
            None,
            "a Sandbox carries its podTemplate itself; to take a Pod from a warm pool, write a SandboxClaim with `warmPoolRef`",
        ),
        ("SandboxSpec" | "SandboxTemplateSpec" | "SandboxWarmPoolSpec", "selector") => advise(
            None,
            "take it away: the controller finds its Pods by labels of its own; `selector` belongs to Deployments",
        ),
        ("SandboxSpec", "ttl" | "ttlSeconds" | "ttlSecondsAfterFinished" | "timeout" | "expiresAt") => {
            advise(None, "a Sandbox ends at a point in time: write `shutdownTime`, such as \"2030-01-01T00:00:00Z\"")
        }
        ("SandboxSpec" | "SandboxTemplateSpec", "runtimeClass") => Some(Meant::Elsewhere {
            path: "spec.podTemplate.spec.runtimeClassName".to_owned(),
            through: Some("podTemplate".to_owned()),
        }),
        ("SandboxWarmPoolSpec", "minReplicas" | "maxReplicas" | "minSize" | "maxSize") => {
            advise(None, "a pool keeps one number of Sandboxes warm: write `replicas`")
        }
        ("SandboxClaimSpec", "podTemplate" | "template") => advise(
            None,
            "podTemplate belongs to SandboxTemplate; a claim adds labels and annotations in `additionalPodMetadata`",
        ),
        ("EnvVar" | "SandboxClaimEnvVar", _) if is_variable(key) => {
            advise(Some("name"), &format!("a variable is written as `name: {key}` and `value: …`"))
        }
        ("SandboxTemplateSpec", "replicas") => {
            advise(None, "a template makes no Pods of its own; `replicas` belongs to SandboxWarmPool")
        }
        ("SandboxTemplateSpec", "operatingMode") => advise(None, "operatingMode belongs to Sandbox"),
        ("SandboxTemplateSpec", "shutdownTime" | "shutdownPolicy" | "lifecycle") => {
            advise(None, "the end of a sandbox is set on the SandboxClaim, under `spec.lifecycle`")
        }
        ("SandboxTemplateSpec", "volumeClaimTemplatesPolicy") => {
            advise(None, "volumeClaimTemplatesPolicy came with v1beta1")
        }
        ("SandboxClaimSpec", "volumeClaimTemplates") => advise(
            None,
            "volumeClaimTemplates of a claim came with v1beta1; in v1alpha1 write them in the SandboxTemplate",
        ),
        ("SandboxNetworkPolicy", "policyTypes" | "podSelector") => {
            advise(None, "take it away: the controller sets it; `networkPolicy` has `ingress` and `egress` only")
        }
        ("SandboxWarmPoolSpec", "podTemplate" | "template") => advise(
            Some("sandboxTemplateRef"),
            "a warm pool has no Pod template of its own; write a SandboxTemplate and name it in `sandboxTemplateRef: {name: …}`",
        ),
        ("SandboxWarmPoolSpec", "templateName" | "templateRef" | "sandboxTemplate" | "sandboxTemplateName") => {
            Some(reference(entry, "sandboxTemplateRef"))
        }
        ("SandboxClaimSpec", "sandboxTemplateRef" | "templateRef" | "templateName") if beta => advise(
            Some("warmPoolRef"),
            "a v1beta1 claim names a warm pool, and the pool names the template: write `warmPoolRef: {name: …}`",
        ),
        ("SandboxClaimSpec", "warmpool" | "warmPool" | "warmPoolName") if beta => Some(reference(entry, "warmPoolRef")),
        ("SandboxClaimSpec", "warmPoolRef") => advise(
            Some("sandboxTemplateRef"),
            "warmPoolRef came with v1beta1; write `apiVersion: extensions.agents.x-k8s.io/v1beta1`",
        ),
        ("SandboxClaimSpec", "shutdownTime" | "shutdownPolicy" | "ttlSecondsAfterFinished") => {
            Some(Meant::Elsewhere { path: format!("spec.lifecycle.{key}"), through: None })
        }
        ("SandboxReference", "namespace") => {
            advise(None, "take it away: a reference stays within the namespace of its object")
        }
        ("SandboxClaimEnvVar", "valueFrom") => advise(Some("value"), "a claim sets plain values only; write `value`"),
        (
            "PodTemplateMetadata",
            "name" | "namespace" | "generateName" | "creationTimestamp" | "finalizers" | "ownerReferences",
        ) => advise(
            None,
            "take it away: the controller names the Pod; podTemplate.metadata holds `labels` and `annotations` only",
        ),
        ("PodTemplate", "apiVersion" | "kind") => {
            advise(None, "take it away: podTemplate holds `metadata` and `spec` only")
        }
        _ => None,
    }
}

/// Whether a key looks like the name of a variable rather than like one of its fields.
fn is_variable(key: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    key.len() > 1 && key.chars().all(inner) && !["NAME", "VALUE"].contains(&key)
}

/// v1alpha1's number of replicas as v1beta1's operating mode.
fn operating_mode(entry: &Entry<'_>) -> Meant {
    let mode = match entry.value.as_int() {
        Some(0) => Some("Suspended"),
        Some(1) => Some("Running"),
        _ => None,
    };
    let help = match mode {
        Some(mode) => format!("replicas was v1alpha1's; write `operatingMode: {mode}`"),
        None => "replicas was v1alpha1's; write `operatingMode: Suspended` for 0 and `operatingMode: Running` for 1"
            .to_owned(),
    };
    let fix = mode.and_then(|mode| change(entry, "operatingMode", Some(mode), Applicability::Safe));
    Meant::Advice { help, stands_for: None, fix }
}

/// A name where a reference belongs.
fn reference(entry: &Entry<'_>, field: &'static str) -> Meant {
    // v1alpha1's `warmpool` knew two words that name no pool.
    let Some(name) = entry.value.as_str().filter(|name| !["none", "default", ""].contains(name)) else {
        return Meant::Advice { help: format!("write `{field}: {{name: …}}`"), stands_for: Some(field), fix: None };
    };
    let key_is_plain = (entry.key_span.end - entry.key_span.start) as usize == entry.key.len();
    let plain = entry.value.style == Style::Plain && key_is_plain;
    let value = format!("{{name: {name}}}");
    let fix = plain.then(|| change(entry, field, Some(&value), Applicability::Unsafe)).flatten();
    Meant::Advice { help: format!("write `{field}: {value}`"), stands_for: Some(field), fix }
}
