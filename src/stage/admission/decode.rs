//! What Go's JSON decoder says of values that do not fit a typed struct: kubectl of an object's metadata,
//! and the API server of Kubernetes' own kinds.

use crate::go::time;
use crate::resource::json;
use crate::resource::schema::{Definition, Schema, Shape};
use crate::yaml::{Entry, Node, Span, Value};

/// The first value that does not fit, in the order of the decoder.
#[derive(Debug, PartialEq)]
pub struct Misfit {
    /// Go's words.
    pub error: String,
    /// The field, with indices.
    pub path: String,
    /// The place of the value.
    pub place: Span,
}

/// Fields whose Go type is a string under another name.
const NAMED_STRINGS: [(&str, &str, &str); 16] = [
    ("ObjectMeta", "uid", "types.UID"),
    ("OwnerReference", "uid", "types.UID"),
    ("PodSpec", "restartPolicy", "v1.RestartPolicy"),
    ("PodSpec", "dnsPolicy", "v1.DNSPolicy"),
    ("PodSpec", "preemptionPolicy", "v1.PreemptionPolicy"),
    ("Container", "imagePullPolicy", "v1.PullPolicy"),
    ("Container", "restartPolicy", "v1.ContainerRestartPolicy"),
    ("Container", "terminationMessagePolicy", "v1.TerminationMessagePolicy"),
    ("ContainerPort", "protocol", "v1.Protocol"),
    ("Toleration", "operator", "v1.TolerationOperator"),
    ("Toleration", "effect", "v1.TaintEffect"),
    ("NodeSelectorRequirement", "operator", "v1.NodeSelectorOperator"),
    ("LabelSelectorRequirement", "operator", "v1.LabelSelectorOperator"),
    ("TopologySpreadConstraint", "whenUnsatisfiable", "v1.UnsatisfiableConstraintAction"),
    ("DeploymentStrategy", "type", "v1.DeploymentStrategyType"),
    ("EmptyDirVolumeSource", "medium", "v1.StorageMedium"),
];

/// Decodes `node` into the struct `definition`, which is the field `path` of a struct `owner`.
pub fn misfit(node: &Node<'_>, definition: &'static Definition, owner: &str, path: &str) -> Option<Misfit> {
    let mut decoder = Decoder { structure: owner.to_owned(), go_path: path.to_owned(), path: path.to_owned() };
    decoder.object(node, definition)
}

struct Decoder {
    /// The innermost struct that has a field on the way.
    structure: String,
    /// The path as Go prints it: without indices and keys of maps.
    go_path: String,
    path: String,
}

impl Decoder {
    fn object(&mut self, node: &Node<'_>, definition: &'static Definition) -> Option<Misfit> {
        let Value::Map(map) = &node.value else {
            return (!node.is_null()).then(|| self.refuse(node, &format!("v1.{}", definition.name)));
        };
        let mut entries: Vec<&Entry<'_>> = map.entries.iter().collect();
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        entries.into_iter().find_map(|entry| {
            let field = definition.field(&entry.key)?;
            let (go_path, path) = (self.go_path.len(), self.path.len());
            let outer = std::mem::replace(&mut self.structure, definition.name.to_owned());
            self.push(field.name);
            let named = NAMED_STRINGS.iter().find(|(owner, name, _)| *owner == definition.name && *name == field.name);
            let found = self.value(&entry.value, &field.schema, named.map_or("string", |(_, _, go)| go));
            self.structure = outer;
            self.go_path.truncate(go_path);
            self.path.truncate(path);
            found
        })
    }

    fn value(&mut self, node: &Node<'_>, schema: &'static Schema, string: &str) -> Option<Misfit> {
        match (&schema.shape, &node.value) {
            (_, Value::Null) | (Shape::Any | Shape::Quantity | Shape::IntOrString, _) => None,
            (Shape::String, Value::String(_)) | (Shape::Boolean, Value::Bool(_)) | (Shape::Int64, Value::Int(_)) => {
                None
            }
            (Shape::Int32, Value::Int(number)) if i32::try_from(*number).is_ok() => None,
            (Shape::DateTime, Value::String(text)) => time::parse(text).err().map(|error| self.at(node, error)),
            (Shape::Object(id), _) => self.object(node, id.definition()),
            (Shape::List(inner), Value::Seq(items)) => items.iter().enumerate().find_map(|(index, item)| {
                let path = self.path.len();
                self.path.push_str(&format!("[{index}]"));
                let found = self.value(item, inner, "string");
                self.path.truncate(path);
                found
            }),
            (Shape::Map(inner), Value::Map(map)) => {
                let mut entries: Vec<&Entry<'_>> = map.entries.iter().collect();
                entries.sort_by(|a, b| a.key.cmp(&b.key));
                entries.into_iter().find_map(|entry| {
                    let path = self.path.len();
                    self.path.push_str(&format!(".{}", entry.key));
                    let found = self.value(&entry.value, inner, "string");
                    self.path.truncate(path);
                    found
                })
            }
            (shape, _) => Some(self.refuse(node, &go_type(shape, string))),
        }
    }

    fn push(&mut self, name: &str) {
        for path in [&mut self.go_path, &mut self.path] {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
    }

    fn refuse(&self, node: &Node<'_>, go_type: &str) -> Misfit {
        let whole = go_type.starts_with("int");
        let seen = match &node.value {
            Value::Bool(_) => "bool".to_owned(),
            Value::Int(number) if whole => format!("number {number}"),
            Value::Float(_) if whole => format!("number {}", json::text(node)),
            Value::Int(_) | Value::Float(_) => "number".to_owned(),
            Value::Seq(_) => "array".to_owned(),
            Value::Map(_) => "object".to_owned(),
            Value::String(_) | Value::Null => "string".to_owned(),
        };
        let (structure, path) = (&self.structure, &self.go_path);
        self.at(
            node,
            format!("json: cannot unmarshal {seen} into Go struct field {structure}.{path} of type {go_type}"),
        )
    }

    fn at(&self, node: &Node<'_>, error: String) -> Misfit {
        Misfit { error, path: self.path.clone(), place: node.place() }
    }
}

fn go_type(shape: &Shape, string: &str) -> String {
    match shape {
        Shape::String => string.to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Int32 => "int32".to_owned(),
        Shape::Int64 => "int64".to_owned(),
        Shape::DateTime => "string".to_owned(),
        Shape::Quantity => "resource.Quantity".to_owned(),
        Shape::IntOrString => "intstr.IntOrString".to_owned(),
        Shape::List(inner) => format!("[]{}", go_type(&inner.shape, "string")),
        Shape::Map(inner) => format!("map[string]{}", go_type(&inner.shape, "string")),
        Shape::Object(id) => format!("v1.{}", id.definition().name),
        Shape::Any => "interface {}".to_owned(),
    }
}
