//! What fields there are: the types of Kubernetes as the CustomResourceDefinitions of agent-sandbox embed them,
//! in v1alpha1 and v1beta1, in each of the releases. The tables are `rules/schema/*.txt`, read once for each edition
//! of the CustomResourceDefinitions that is asked for.

mod describe;
mod document;
mod path;
mod read;

pub use describe::{describe, of_field};
pub use document::{Described, json_schema};
pub use path::{field, since};

use super::{AgentSandboxRelease, Kind, Version};
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

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
    /// The release that brought it; `None` where it is as old as its version.
    pub since: Option<AgentSandboxRelease>,
    /// The release from which on it may be left out, where it has to be there.
    pub optional_since: Option<AgentSandboxRelease>,
    /// The release from which on it never changes once the object is stored.
    pub immutable_since: Option<AgentSandboxRelease>,
    /// The release from which on server-side apply replaces the list as a whole.
    pub atomic_since: Option<AgentSandboxRelease>,
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
    /// Texts that a later release allows, with that release.
    pub later_values: Vec<(&'static str, AgentSandboxRelease)>,
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
pub struct Id {
    /// Which of the editions.
    edition: usize,
    /// Its place there.
    at: usize,
}

/// All types of one edition.
#[derive(Debug)]
struct Tables {
    definitions: Vec<Definition>,
    names: HashMap<&'static str, Id>,
}

/// The CustomResourceDefinitions from one release on.
struct Edition {
    from: AgentSandboxRelease,
    tables: OnceLock<Tables>,
}

static RELEASES: LazyLock<Vec<AgentSandboxRelease>> =
    LazyLock::new(|| read::releases(include_str!("../../../rules/schema/releases.txt")));

static EDITIONS: LazyLock<Vec<Edition>> =
    LazyLock::new(|| RELEASES.iter().map(|from| Edition { from: *from, tables: OnceLock::new() }).collect());

/// The types of an edition.
fn tables(edition: usize) -> &'static Tables {
    let Edition { from, tables } = &EDITIONS[edition];
    let texts =
        [include_str!("../../../rules/schema/kubernetes.txt"), include_str!("../../../rules/schema/agent-sandbox.txt")];
    tables.get_or_init(|| read::tables(&texts, *from, edition))
}

/// The edition that a release has: the newest that is not newer than it; the newest of all without a release.
fn edition(release: Option<AgentSandboxRelease>) -> usize {
    let newest = EDITIONS.len() - 1;
    release.map_or(newest, |release| EDITIONS.partition_point(|edition| edition.from <= release).saturating_sub(1))
}

/// The releases of agent-sandbox in which its CustomResourceDefinitions changed, oldest first. A release between two
/// of them has the definitions of the former.
pub fn releases() -> &'static [AgentSandboxRelease] {
    &RELEASES
}

impl Id {
    /// The type.
    pub fn definition(self) -> &'static Definition {
        &tables(self.edition).definitions[self.at]
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

/// The type with this name, in the newest release.
pub fn named(name: &str) -> Option<&'static Definition> {
    named_in(name, None)
}

/// The type with this name, in a release; in the newest without one.
fn named_in(name: &str, release: Option<AgentSandboxRelease>) -> Option<&'static Definition> {
    tables(edition(release)).names.get(name).map(|id| id.definition())
}

/// The type of a whole object, in the newest release.
pub fn root(kind: Kind, version: Version) -> &'static Definition {
    root_in(kind, version, None)
}

/// The type of a whole object, in a release of agent-sandbox; in the newest without one, and where the release does
/// not serve the version yet.
pub fn root_in(kind: Kind, version: Version, release: Option<AgentSandboxRelease>) -> &'static Definition {
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
    named_in(name, release.filter(|release| version.served().0 <= *release)).expect("every kind has a table")
}

impl Version {
    /// The releases of agent-sandbox that serve it: the first, and the first that no longer does.
    pub fn served(self) -> (AgentSandboxRelease, Option<AgentSandboxRelease>) {
        match self {
            Version::V1alpha1 => (AgentSandboxRelease::new(0, 1, 0), Some(AgentSandboxRelease::new(1, 0, 0))),
            Version::V1beta1 => (AgentSandboxRelease::new(0, 5, 0), None),
        }
    }
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

    fn spec(kind: Kind, version: Version, release: impl ToString) -> &'static Definition {
        let root = root_in(kind, version, Some(release.to_string().parse().expect("a release")));
        match root.field("spec").expect("spec").schema.shape {
            Shape::Object(id) => id.definition(),
            _ => panic!("a spec is an object"),
        }
    }

    #[test]
    fn each_release_has_its_fields() {
        let alpha = |kind, release: &str| spec(kind, Version::V1alpha1, release);
        assert!(alpha(Kind::Sandbox, "0.4.5").field("service").is_none());
        assert!(alpha(Kind::Sandbox, "0.4.6").field("service").is_some());
        assert!(alpha(Kind::SandboxClaim, "0.3.10").field("env").is_none());
        assert!(alpha(Kind::SandboxClaim, "0.3.10.post1").field("env").is_some());
        let default = |release| alpha(Kind::Sandbox, release).field("replicas").and_then(|field| field.schema.default);
        assert_eq!((default("0.3.9"), default("0.3.10"), default("0.9.0")), (None, Some("1"), Some("1")));
        for release in releases() {
            let claim = spec(Kind::SandboxClaim, Version::V1alpha1, release);
            assert!(claim.field("volumeClaimTemplates").is_none(), "{release}");
        }
    }

    #[test]
    fn what_changes_later_is_known() {
        let replicas = |release| spec(Kind::SandboxWarmPool, Version::V1beta1, release).field("replicas").expect("it");
        let (first, next) = (replicas("0.5.0"), replicas("0.5.1"));
        assert_eq!((first.required, next.required), (true, false));
        assert_eq!(first.optional_since, Some(AgentSandboxRelease::new(0, 5, 1)));
        assert_eq!((first.since, next.since, next.optional_since), (None, None, None));
        let root = root_in(Kind::SandboxClaim, Version::V1alpha1, Some(AgentSandboxRelease::new(0, 3, 0)));
        let policy = field(root, "spec.lifecycle.shutdownPolicy").expect("it");
        assert_eq!(policy.schema.values, ["Delete", "Retain"]);
        assert_eq!(policy.schema.later_values, [("DeleteForeground", AgentSandboxRelease::new(0, 3, 10))]);
    }

    #[test]
    fn every_mark_of_a_table_is_a_listed_release() {
        let text = include_str!("../../../rules/schema/agent-sandbox.txt");
        let words: Vec<&str> =
            text.lines().filter(|line| line.starts_with("  ")).flat_map(str::split_whitespace).collect();
        let marks = words.windows(2).filter(|pair| ["since", "until", "immutable", "atomic"].contains(&pair[0]));
        let marks: Vec<AgentSandboxRelease> = marks.map(|pair| pair[1].parse().expect("a release")).collect();
        assert!(marks.len() > 20 && marks.iter().all(|mark| releases().contains(mark)), "{marks:?}");
        assert!(releases().is_sorted());
    }
}
