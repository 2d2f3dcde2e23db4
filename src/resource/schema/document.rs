//! The tables as JSON Schema (draft-07), for editors: what it refuses, the API server refuses under kubectl's strict
//! validation. Nulls pass where the server drops them.

use super::{Definition, Field, Schema, Shape, named, of_field, root_in};
use crate::contract::{AnnotationSpec, Contract, Direction};
use crate::resource::identify::{CORE_GROUP, EXTENSIONS_GROUP};
use crate::resource::{AgentSandboxRelease, Kind, Version};
use serde_json::{Map, Value, json};

/// What a JSON Schema is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Described {
    /// Files that hold objects of one kind of agent-sandbox.
    One(Kind),
    /// Files that hold objects of any kind; those of agent-sandbox are described, also inside a List.
    All,
}

const KINDS: [Kind; 4] = [Kind::Sandbox, Kind::SandboxTemplate, Kind::SandboxWarmPool, Kind::SandboxClaim];
const VERSIONS: [Version; 2] = [Version::V1beta1, Version::V1alpha1];

/// The server's check of the format, which lets more pass than RFC 3339.
const DATE_TIME: &str =
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})([Tt][\s\S]*)?$";
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// The JSON Schema of manifests, for a release of agent-sandbox; for the newest CustomResourceDefinitions with all
/// versions that were ever served without one. Annotations and labels of the contract are described, not judged.
pub fn json_schema(of: Described, release: Option<AgentSandboxRelease>, contract: &Contract) -> Value {
    let mut writer = Writer { contract, release, definitions: Map::new() };
    let mut schema = match of {
        Described::One(kind) => writer.one(kind),
        Described::All => writer.all(),
    };
    let definitions = std::mem::take(&mut writer.definitions);
    let whole = schema.as_object_mut().expect("a schema is an object");
    whole.insert("$schema".to_owned(), "http://json-schema.org/draft-07/schema#".into());
    whole.insert("definitions".to_owned(), definitions.into());
    schema
}

struct Writer<'c> {
    contract: &'c Contract,
    release: Option<AgentSandboxRelease>,
    definitions: Map<String, Value>,
}

impl Writer<'_> {
    /// The versions that the release serves, the current one first.
    fn served(&self) -> Vec<Version> {
        let serves = |version: &Version| {
            let (first, gone) = version.served();
            self.release.is_none_or(|release| first <= release && gone.is_none_or(|gone| release < gone))
        };
        VERSIONS.into_iter().filter(serves).collect()
    }

    fn one(&mut self, kind: Kind) -> Value {
        let versions = self.served();
        let names: Vec<String> = versions.iter().map(|version| api_version(kind, *version)).collect();
        let cases: Vec<Value> = versions
            .iter()
            .map(|version| {
                let condition = condition(&json!({"const": api_version(kind, *version)}), None);
                json!({"if": condition, "then": self.reference(root_in(kind, *version, self.release))})
            })
            .collect();
        json!({
            "title": kind.name(),
            "type": "object",
            "required": ["apiVersion", "kind"],
            "properties": {"apiVersion": {"enum": names}, "kind": {"const": kind.name()}},
            "allOf": cases,
        })
    }

    fn all(&mut self) -> Value {
        let versions = self.served();
        let mut cases = Vec::new();
        for kind in KINDS {
            for version in &versions {
                let condition = condition(&json!({"const": api_version(kind, *version)}), Some(kind.name()));
                cases.push(json!({"if": condition, "then": self.reference(root_in(kind, *version, self.release))}));
            }
        }
        for (group, kinds) in [(CORE_GROUP, &KINDS[..1]), (EXTENSIONS_GROUP, &KINDS[1..])] {
            let names: Vec<String> = versions.iter().map(|version| format!("{group}/{}", version.name())).collect();
            let lists = kinds.iter().map(|kind| format!("{}List", kind.name()));
            let kinds: Vec<String> = kinds.iter().map(|kind| kind.name().to_owned()).chain(lists).collect();
            let pattern = format!("^{}/", group.replace('.', "\\."));
            cases.push(json!({
                "if": condition(&json!({"type": "string", "pattern": pattern}), None),
                "then": {"properties": {"apiVersion": {"enum": names}, "kind": {"enum": kinds}}},
            }));
        }
        cases.push(json!({
            "if": condition(&json!({"const": "v1"}), Some("List")),
            "then": {"properties": {"items": {"type": ["array", "null"], "items": {"$ref": "#/definitions/Object"}}}},
        }));
        self.definitions.insert("Object".to_owned(), json!({"allOf": cases}));
        json!({"title": "Manifests of agent-sandbox", "allOf": [{"$ref": "#/definitions/Object"}]})
    }

    fn reference(&mut self, definition: &'static Definition) -> Value {
        let name = definition.name.replace('/', ".");
        if !self.definitions.contains_key(&name) {
            // Types that hold themselves find it there.
            self.definitions.insert(name.clone(), Value::Null);
            let body = self.object(definition);
            self.definitions.insert(name.clone(), body);
        }
        json!({"$ref": format!("#/definitions/{name}")})
    }

    fn object(&mut self, definition: &'static Definition) -> Value {
        let is_root = KINDS.iter().any(|kind| definition.name.split('/').next() == Some(kind.name()));
        let meta = definition.name == "ObjectMeta";
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in &definition.fields {
            // What has a default is filled in.
            let needed = field.required && field.schema.default.is_none();
            if needed && !meta {
                required.push(field.name);
            }
            let mut value = match (is_root, field.name) {
                (true, "metadata") => {
                    let reference = self.reference(named("ObjectMeta").expect("the tables have ObjectMeta"));
                    json!({"allOf": [reference], "type": ["object", "null"]})
                }
                // The last part of the object that is judged before is its head.
                (true, "apiVersion" | "kind") => json!({"type": "string"}),
                _ => self.value(&field.schema, !needed || meta),
            };
            self.annotate(&mut value, definition, field);
            properties.insert(field.name.to_owned(), value);
        }
        let mut object = json!({
            "type": ["object", "null"],
            "properties": properties,
            "additionalProperties": false,
        });
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        object
    }

    /// Adds what is for people: a description, a default, the keys of the contract.
    fn annotate(&self, value: &mut Value, definition: &Definition, field: &Field) {
        let Some(map) = value.as_object_mut() else { return };
        if let Some(text) = of_field(definition, field.name) {
            map.insert("description".to_owned(), text.into());
        }
        if let Some(default) = default(&field.schema) {
            map.insert("default".to_owned(), default);
        }
        let keys = match (definition.name, field.name) {
            ("PodTemplateMetadata", "annotations") => self.annotations(),
            ("PodSpec", "nodeSelector") => self.selectors(),
            _ => return,
        };
        map.insert("properties".to_owned(), keys.into());
    }

    fn annotations(&self) -> Map<String, Value> {
        let backends = self.contract.backends.iter();
        let specs = backends.flat_map(|backend| backend.annotations.iter().map(move |spec| (backend, spec)));
        specs
            .filter(|(_, spec)| spec.direction == Direction::In)
            .map(|(backend, spec)| (spec.key.clone(), annotation(&backend.provider, spec)))
            .collect()
    }

    fn selectors(&self) -> Map<String, Value> {
        let mut keys = Map::new();
        for backend in &self.contract.backends {
            let Some(selector) = &backend.selector else { continue };
            let key = keys.entry(selector.key.clone()).or_insert_with(
                || json!({"type": ["string", "null"], "description": "Picks the nodes of a backend.", "examples": []}),
            );
            if let (Some(value), Some(examples)) = (&selector.value, key["examples"].as_array_mut()) {
                examples.push(value.as_str().into());
            }
        }
        keys
    }

    fn value(&mut self, schema: &'static Schema, nullable: bool) -> Value {
        let types = |names: &[&str]| -> Value {
            let null = nullable.then_some("null");
            json!(names.iter().copied().chain(null).collect::<Vec<_>>())
        };
        let mut value = match &schema.shape {
            Shape::Any => return json!({}),
            Shape::String => json!({"type": types(&["string"])}),
            Shape::Boolean => json!({"type": types(&["boolean"])}),
            Shape::Int32 | Shape::Int64 => json!({"type": types(&["integer"])}),
            // The server leaves a list to the format, which looks at texts alone.
            Shape::DateTime => json!({"type": types(&["string", "array"]), "pattern": DATE_TIME}),
            Shape::Quantity => json!({"type": types(&["integer", "string"]), "pattern": QUANTITY}),
            Shape::IntOrString => json!({"type": types(&["integer", "string"])}),
            Shape::List(item) => json!({"type": types(&["array"]), "items": self.value(item, false)}),
            Shape::Map(inner) => {
                json!({"type": types(&["object"]), "additionalProperties": self.value(inner, true)})
            }
            Shape::Object(id) => {
                json!({"allOf": [self.reference(id.definition())], "type": types(&["object"])})
            }
        };
        if !schema.values.is_empty() {
            let mut values: Vec<Value> = schema.values.iter().map(|value| (*value).into()).collect();
            values.extend(nullable.then_some(Value::Null));
            value["enum"] = values.into();
        }
        for (bound, limit) in [("minimum", schema.min), ("maximum", schema.max)] {
            if let Some(limit) = limit {
                value[bound] = limit.into();
            }
        }
        value
    }
}

fn api_version(kind: Kind, version: Version) -> String {
    format!("{}/{}", kind.group(), version.name())
}

fn condition(api_version: &Value, kind: Option<&str>) -> Value {
    let mut condition = json!({
        "type": "object",
        "required": ["apiVersion"],
        "properties": {"apiVersion": api_version},
    });
    if let Some(kind) = kind {
        condition["required"] = json!(["apiVersion", "kind"]);
        condition["properties"]["kind"] = json!({"const": kind});
    }
    condition
}

/// The default as the value that it stands for.
fn default(schema: &Schema) -> Option<Value> {
    let text = schema.default?;
    Some(match schema.shape {
        Shape::Boolean => (text == "true").into(),
        Shape::Int32 | Shape::Int64 => text.parse::<i64>().map_or(Value::Null, Value::from),
        _ => text.into(),
    })
}

/// An annotation of the contract. The API server takes any text; its values are examples.
fn annotation(provider: &str, spec: &AnnotationSpec) -> Value {
    let mut value = json!({"type": ["string", "null"], "description": format!("{provider}: {}", spec.summary)});
    let mut examples: Vec<Value> = spec.known_values().map(Value::from).collect();
    if examples.is_empty() {
        examples.extend(spec.example.as_deref().filter(|example| !example.contains("{name}")).map(Value::from));
    }
    if !examples.is_empty() {
        value["examples"] = examples.into();
    }
    value
}
