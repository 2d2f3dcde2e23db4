//! What fields are for, in a sentence: the tables `rules/schema/*descriptions.txt`.

use super::{Definition, Shape, root_in};
use crate::resource::{AgentSandboxRelease, Kind, Version};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Type, then field, then sentence.
type Descriptions = HashMap<&'static str, HashMap<&'static str, &'static str>>;

static KUBERNETES: LazyLock<Descriptions> =
    LazyLock::new(|| read(include_str!("../../../rules/schema/descriptions.txt")));

static AGENT_SANDBOX: LazyLock<Descriptions> =
    LazyLock::new(|| read(include_str!("../../../rules/schema/agent-sandbox-descriptions.txt")));

/// The block of what several types say alike.
const COMMON: &str = "*";

/// What the field at a path is for. Parts of the path are fields, keys of maps and indices of lists, from the root of
/// the object: `["spec", "podTemplate", "spec", "containers", "0", "image"]`; indices may be left out. `None` where
/// nothing is known of it, keys of maps among them.
pub fn describe(
    kind: Kind,
    version: Version,
    release: Option<AgentSandboxRelease>,
    path: &[&str],
) -> Option<&'static str> {
    let mut inside = root_in(kind, version, release);
    let mut parts = path.iter().filter(|part| part.parse::<usize>().is_err()).peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return of_field(inside, part);
        }
        // The tables leave the object's own metadata to Kubernetes.
        inside = match (&inside.field(part)?.schema.shape, *part) {
            (Shape::Any, "metadata") => super::named("ObjectMeta")?,
            (shape, _) => object(shape)?,
        };
    }
    None
}

/// What a field of a type is for.
pub fn of_field(definition: &Definition, field: &str) -> Option<&'static str> {
    let known = definition.field(field)?.name;
    let name = definition.name.split('/').next().unwrap_or_default();
    if let Some(own) = AGENT_SANDBOX.get(name) {
        return own.get(known).copied();
    }
    let own = KUBERNETES.get(name)?;
    let text = own.get(known).or_else(|| KUBERNETES.get(COMMON)?.get(known)).copied();
    text.filter(|text| !text.is_empty())
}

/// The type of the objects that a shape holds, through lists.
fn object(shape: &'static Shape) -> Option<&'static Definition> {
    match shape {
        Shape::Object(id) => Some(id.definition()),
        Shape::List(item) => object(&item.shape),
        _ => None,
    }
}

fn read(text: &'static str) -> Descriptions {
    let mut all = Descriptions::new();
    let mut block = "";
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("  ") {
            Some(line) => {
                let (field, text) = line.split_once(':').expect("a field and its description");
                all.entry(block).or_default().insert(field, text.trim());
            }
            None => {
                block = line;
                all.entry(block).or_default();
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_described_by_their_path() {
        let of = |path: &str| describe(Kind::Sandbox, Version::V1beta1, None, &path.split('.').collect::<Vec<_>>());
        assert_eq!(of("spec.podTemplate.spec.containers.0.image"), Some("Container image name."));
        assert_eq!(of("spec.podTemplate.spec.containers.image"), Some("Container image name."));
        assert!(of("spec.operatingMode").is_some_and(|text| text.contains("Suspended")));
        assert!(of("metadata.name").is_some_and(|text| text.starts_with("Name must be unique")));
        assert_eq!(of("spec.replicas"), None);
        assert_eq!(of("spec.podTemplate.spec.nodeSelector.zone"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn every_field_of_agent_sandbox_is_described() {
        for kind in [Kind::Sandbox, Kind::SandboxTemplate, Kind::SandboxWarmPool, Kind::SandboxClaim] {
            for version in [Version::V1alpha1, Version::V1beta1] {
                let mut rest = vec![root_in(kind, version, None)];
                while let Some(definition) = rest.pop() {
                    let name = definition.name.split('/').next().unwrap();
                    if KUBERNETES.contains_key(name) || definition.fields.is_empty() {
                        continue;
                    }
                    for field in &definition.fields {
                        assert!(of_field(definition, field.name).is_some(), "{}.{}", definition.name, field.name);
                        rest.extend(object(&field.schema.shape));
                    }
                }
            }
        }
    }
}
