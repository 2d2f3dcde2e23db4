//! Values that the schema lets pass and Go cannot read back, so that no controller can work with the object.

use super::schema::{Definition, Schema, Shape};
use crate::go::time;
use crate::quantity::Quantity;
use crate::yaml::{Entry, Node, Span, Value};

/// One such value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The field.
    pub path: String,
    /// The last part of it.
    pub name: String,
    /// Where the value is written.
    pub place: Span,
    /// The value as text.
    pub value: String,
    /// What is the matter with it.
    pub reason: ReadFailure,
}

/// What is the matter with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFailure {
    /// Reading it fails, in Go's words.
    Error(String),
    /// Reading it takes minutes, or never ends.
    Endless,
}

/// Structs whose name in Go is another one.
const GO_NAMES: [(&str, &str); 1] = [("SandboxClaimLifecycle", "Lifecycle")];

/// All such values of an object, in the order in which Go comes upon them.
pub fn find(root: &Node<'_>, definition: &'static Definition) -> Vec<Unreadable> {
    let mut search = Search { path: String::new(), name: 0, go_path: Vec::new(), structure: "", found: Vec::new() };
    search.object(root, definition);
    search.found
}

struct Search {
    path: String,
    /// Where the last part of the path begins.
    name: usize,
    /// Names of fields and embedded structs, as Go prints them.
    go_path: Vec<&'static str>,
    structure: &'static str,
    found: Vec<Unreadable>,
}

impl Search {
    fn object(&mut self, node: &Node<'_>, definition: &'static Definition) {
        let name = definition.name.split('/').next().unwrap_or_default();
        let name = GO_NAMES.iter().find(|(known, _)| *known == name).map_or(name, |(_, go)| go);
        let outer = std::mem::replace(&mut self.structure, name);
        for entry in sorted(node) {
            let Some(field) = definition.field(&entry.key) else { continue };
            let depth = self.go_path.len();
            self.go_path.extend(embedded(name, field.name));
            self.go_path.push(field.name);
            self.below(&entry.key, |search| search.value(&entry.value, &field.schema));
            self.go_path.truncate(depth);
        }
        self.structure = outer;
    }

    fn value(&mut self, node: &Node<'_>, schema: &'static Schema) {
        match (&schema.shape, &node.value) {
            (Shape::Object(id), Value::Map(_)) => self.object(node, id.definition()),
            (Shape::Map(inner), Value::Map(_)) => {
                for entry in sorted(node) {
                    self.below(&entry.key, |search| search.value(&entry.value, inner));
                }
            }
            (Shape::List(inner), Value::Seq(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let before = self.path.len();
                    self.path.push_str(&format!("[{index}]"));
                    self.value(item, inner);
                    self.path.truncate(before);
                }
            }
            (Shape::Quantity, Value::String(text)) => match Quantity::parse(text) {
                Err(error) => self.note(node, text, ReadFailure::Error(error.to_string())),
                Ok(amount) if amount.is_endless() => self.note(node, text, ReadFailure::Endless),
                Ok(_) => {}
            },
            (Shape::DateTime, Value::String(text)) => {
                if let Err(error) = time::parse(text) {
                    self.note(node, text, ReadFailure::Error(error));
                }
            }
            (Shape::DateTime, Value::Seq(_)) => self.misfit(node, "array", "string"),
            (Shape::IntOrString, Value::Int(number)) if i32::try_from(*number).is_err() => {
                self.misfit(node, &format!("number {number}"), "int32");
            }
            _ => {}
        }
    }

    fn below(&mut self, key: &str, visit: impl FnOnce(&mut Self)) {
        let before = (self.path.len(), self.name);
        if before.0 > 0 {
            self.path.push('.');
        }
        self.name = self.path.len();
        self.path.push_str(key);
        visit(self);
        self.path.truncate(before.0);
        self.name = before.1;
    }

    fn misfit(&mut self, node: &Node<'_>, seen: &str, wanted: &str) {
        let (structure, path) = (self.structure, self.go_path.join("."));
        let error = format!("json: cannot unmarshal {seen} into Go struct field {structure}.{path} of type {wanted}");
        self.note(node, &super::json::text(node), ReadFailure::Error(error));
    }

    fn note(&mut self, node: &Node<'_>, value: &str, reason: ReadFailure) {
        let (path, name) = (self.path.clone(), self.path[self.name..].to_owned());
        self.found.push(Unreadable { path, name, place: node.place(), value: value.to_owned(), reason });
    }
}

/// Stored objects have their keys in order.
fn sorted<'n, 's>(node: &'n Node<'s>) -> Vec<&'n Entry<'s>> {
    let mut entries: Vec<&Entry<'_>> = node.entries().collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    entries
}

/// The struct that Go embeds a field with.
fn embedded(structure: &str, field: &str) -> Option<&'static str> {
    match (structure, field) {
        ("Probe", "exec" | "grpc" | "httpGet" | "tcpSocket") => Some("ProbeHandler"),
        ("EphemeralContainer", "targetContainerName") | ("Volume", "name") => None,
        ("EphemeralContainer", _) => Some("EphemeralContainerCommon"),
        ("Volume", _) => Some("VolumeSource"),
        _ => None,
    }
}
