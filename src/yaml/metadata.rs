//! The types of `metadata` that kubectl checks before it sends an object (Go's `metav1.ObjectMeta`).

use super::node::{Entry, Node, Span, Value};
use crate::go::{float, time};

/// A Go type as JSON decoding sees it.
enum Shape {
    /// A string; with the name of its Go type.
    Text(&'static str),
    Int64,
    Bool,
    Time,
    /// `map[string]string`
    Texts,
    /// A list of what `of` says; with the name of the Go type.
    List(&'static str, &'static Shape),
    /// A struct: its Go name in errors about its fields, its Go type, its fields.
    Struct(&'static str, &'static str, &'static [(&'static str, Shape)]),
}

const STRING: Shape = Shape::Text("string");

const OWNER_REFERENCE: Shape = Shape::Struct(
    "OwnerReference",
    "v1.OwnerReference",
    &[
        ("apiVersion", STRING),
        ("kind", STRING),
        ("name", STRING),
        ("uid", Shape::Text("types.UID")),
        ("controller", Shape::Bool),
        ("blockOwnerDeletion", Shape::Bool),
    ],
);

const MANAGED_FIELDS_ENTRY: Shape = Shape::Struct(
    "ManagedFieldsEntry",
    "v1.ManagedFieldsEntry",
    &[
        ("manager", STRING),
        ("operation", Shape::Text("v1.ManagedFieldsOperationType")),
        ("apiVersion", STRING),
        ("time", Shape::Time),
        ("fieldsType", STRING),
        ("subresource", STRING),
    ],
);

const OBJECT_META: Shape = Shape::Struct(
    "ObjectMeta",
    "v1.ObjectMeta",
    &[
        ("name", STRING),
        ("generateName", STRING),
        ("namespace", STRING),
        ("selfLink", STRING),
        ("uid", Shape::Text("types.UID")),
        ("resourceVersion", STRING),
        ("generation", Shape::Int64),
        ("creationTimestamp", Shape::Time),
        ("deletionTimestamp", Shape::Time),
        ("deletionGracePeriodSeconds", Shape::Int64),
        ("labels", Shape::Texts),
        ("annotations", Shape::Texts),
        ("ownerReferences", Shape::List("[]v1.OwnerReference", &OWNER_REFERENCE)),
        ("finalizers", Shape::List("[]string", &STRING)),
        ("managedFields", Shape::List("[]v1.ManagedFieldsEntry", &MANAGED_FIELDS_ENTRY)),
    ],
);

const TYPE_AND_META: Shape = Shape::Struct(
    "metadataOnlyObject",
    "resource.metadataOnlyObject",
    &[("kind", STRING), ("apiVersion", STRING), ("metadata", OBJECT_META)],
);

/// A value of the wrong type, in Go's words.
pub(super) struct TypeFault {
    pub(super) span: Span,
    pub(super) message: String,
    /// The path of the field, such as `metadata.labels`.
    pub(super) field: String,
    /// The Go type that the value should have.
    pub(super) expected: &'static str,
}

/// The first type error of an object's apiVersion, kind and metadata, in the order in which kubectl decodes them:
/// sorted keys, for a file in JSON as written.
pub(super) fn check(root: &Node<'_>, as_written: bool) -> Option<TypeFault> {
    Checker { as_written, path: Vec::new(), owner: "" }.value(root, &TYPE_AND_META)
}

struct Checker {
    as_written: bool,
    path: Vec<&'static str>,
    /// The struct that the field is in.
    owner: &'static str,
}

impl Checker {
    fn value(&mut self, node: &Node<'_>, shape: &'static Shape) -> Option<TypeFault> {
        match (shape, &node.value) {
            (_, Value::Null)
            | (Shape::Text(_), Value::String(_))
            | (Shape::Int64, Value::Int(_))
            | (Shape::Bool, Value::Bool(_)) => None,
            (Shape::Time, Value::String(text)) => {
                let message = time::parse(text).err()?;
                Some(TypeFault { span: node.place(), message, field: self.path.join("."), expected: "time" })
            }
            (Shape::Texts, Value::Map(map)) => {
                self.ordered(&map.entries).into_iter().find_map(|entry| self.value(&entry.value, &STRING))
            }
            (Shape::List(_, of), Value::Seq(items)) => items.iter().find_map(|item| self.value(item, of)),
            (Shape::Struct(name, _, fields), Value::Map(map)) => {
                let outer = std::mem::replace(&mut self.owner, name);
                let fault = self.ordered(&map.entries).into_iter().find_map(|entry| self.field(entry, fields));
                self.owner = outer;
                fault
            }
            _ => Some(self.fault(node, shape)),
        }
    }

    fn field(&mut self, entry: &Entry<'_>, fields: &'static [(&'static str, Shape)]) -> Option<TypeFault> {
        let (name, shape) = fields.iter().find(|(name, _)| *name == entry.key)?;
        self.path.push(name);
        let fault = self.value(&entry.value, shape);
        self.path.pop();
        fault
    }

    fn ordered<'n, 's>(&self, entries: &'n [Entry<'s>]) -> Vec<&'n Entry<'s>> {
        let mut entries: Vec<_> = entries.iter().collect();
        if !self.as_written {
            entries.sort_by(|one, other| one.key.cmp(&other.key));
        }
        entries
    }

    fn fault(&self, node: &Node<'_>, shape: &'static Shape) -> TypeFault {
        let expected = match shape {
            Shape::Text(name) | Shape::List(name, _) | Shape::Struct(_, name, _) => name,
            Shape::Int64 => "int64",
            Shape::Bool => "bool",
            Shape::Time => "string",
            Shape::Texts => "map[string]string",
        };
        let value = match (&node.value, shape) {
            (Value::Float(number), Shape::Int64) => format!("number {}", float::json(*number)),
            (value, _) => go_type(value).to_owned(),
        };
        let field = self.path.join(".");
        let message =
            format!("json: cannot unmarshal {value} into Go struct field {}.{field} of type {expected}", self.owner);
        TypeFault { span: node.place(), message, field, expected }
    }
}

/// The JSON type as Go's decoder names it.
pub(super) fn go_type(value: &Value<'_>) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Float(_) => "number",
        Value::String(_) => "string",
        Value::Seq(_) => "array",
        Value::Map(_) => "object",
    }
}
