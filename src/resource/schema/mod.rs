//! What fields there are: the types of Kubernetes as the CustomResourceDefinitions of agent-sandbox embed them,
//! in v1alpha1 and v1beta1. The tables are `rules/schema/*.txt`, read once.

mod read;

use super::{Kind, Version};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A type with named fields.
#[derive(Debug, PartialEq)]
pub struct Definition {
    /// `PodSpec`, or `SandboxSpec/v1beta1` where the versions differ.
    pub name: &'static str,
    /// The fields, in the order of their names.
    pub fields: Vec<Field>,
}

/// A field of a type.
#[derive(Debug, PartialEq)]
pub struct Field {
    /// The name as written in a manifest.
    pub name: &'static str,
    /// Whether it has to be there.
    pub required: bool,
    /// What it holds.
    pub schema: Schema,
}

/// What a value has to be.
#[derive(Debug, PartialEq)]
pub struct Schema {
    /// Its shape.
    pub shape: Shape,
    /// For a list that is a map: the fields of an item that no two items share.
    pub keys: Vec<&'static str>,
    /// What the server fills in where nothing or null is written.
    pub default: Option<&'static str>,
    /// The allowed texts; empty for any.
    pub values: Vec<&'static str>,
    /// The least number.
    pub min: Option<i64>,
    /// The greatest number.
    pub max: Option<i64>,
}

/// The shape of a value.
#[derive(Debug, PartialEq)]
pub enum Shape {
    /// Text.
    String,
    /// `true` or `false`.
    Boolean,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// Text in the form of RFC 3339.
    DateTime,
    /// A whole number, or text with an amount.
    Quantity,
    /// A whole number or text.
    IntOrString,
    /// A list.
    List(Box<Schema>),
    /// A map with string keys.
    Map(Box<Schema>),
    /// A type with named fields.
    Object(Id),
    /// Anything.
    Any,
}

/// Names a [`Definition`] of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(usize);

/// All types.
#[derive(Debug)]
struct Tables {
    definitions: Vec<Definition>,
    names: HashMap<&'static str, Id>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    read::tables(&[
        include_str!("../../../rules/schema/kubernetes.txt"),
        include_str!("../../../rules/schema/agent-sandbox.txt"),
    ])
});

impl Id {
    /// The type.
    pub fn definition(self) -> &'static Definition {
        &TABLES.definitions[self.0]
    }
}

impl Definition {
    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.binary_search_by(|field| field.name.cmp(name)).ok().map(|at| &self.fields[at])
    }

    /// The names of its fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.name)
    }
}

/// The type with this name.
pub fn named(name: &str) -> Option<&'static Definition> {
    TABLES.names.get(name).map(|id| id.definition())
}

/// The type of a whole object.
pub fn root(kind: Kind, version: Version) -> &'static Definition {
    let name = match (kind, version) {
        (Kind::Workload(workload), _) => workload.name(),
        (Kind::Sandbox, Version::V1beta1) => "Sandbox/v1beta1",
        (Kind::Sandbox, Version::V1alpha1) => "Sandbox/v1alpha1",
        (Kind::SandboxTemplate, Version::V1beta1) => "SandboxTemplate/v1beta1",
        (Kind::SandboxTemplate, Version::V1alpha1) => "SandboxTemplate/v1alpha1",
        (Kind::SandboxWarmPool, Version::V1beta1) => "SandboxWarmPool/v1beta1",
        (Kind::SandboxWarmPool, Version::V1alpha1) => "SandboxWarmPool/v1alpha1",
        (Kind::SandboxClaim, Version::V1beta1) => "SandboxClaim/v1beta1",
        (Kind::SandboxClaim, Version::V1alpha1) => "SandboxClaim/v1alpha1",
    };
    named(name).expect("every kind has a table")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Workload;

    #[test]
    fn every_kind_has_its_fields() {
        let spec = |root: &'static Definition| match &root.field("spec").expect("spec").schema.shape {
            Shape::Object(id) => id.definition(),
            other => panic!("{other:?}"),
        };
        let beta = spec(root(Kind::Sandbox, Version::V1beta1));
        assert!(beta.field("operatingMode").is_some() && beta.field("replicas").is_none());
        let alpha = spec(root(Kind::Sandbox, Version::V1alpha1));
        assert_eq!(alpha.field("replicas").and_then(|field| field.schema.max), Some(1));
        for workload in [Workload::Pod, Workload::Deployment, Workload::CronJob] {
            assert!(root(Kind::Workload(workload), Version::V1beta1).field("spec").is_some());
        }
    }

    #[test]
    fn amendments_keep_the_other_fields() {
        let pod = named("PodSpec").expect("PodSpec");
        assert_eq!(pod.fields.len(), 42);
        assert_eq!(pod.field("volumes").map(|field| field.schema.keys.clone()), Some(vec!["name"]));
        assert!(pod.field("containers").is_some_and(|field| field.required));
        let port = named("ContainerPort").expect("ContainerPort");
        assert_eq!(port.field("protocol").and_then(|field| field.schema.default), Some("TCP"));
        assert!(port.field("containerPort").is_some_and(|field| field.required));
    }
}
