//! Fields by their path.

use super::{Definition, Field, Schema, Shape};
use crate::resource::{AgentSandboxRelease, Kind, Version};

/// The field at a path such as `spec.lifecycle.shutdownPolicy` or `spec.env[0].name`; indices may be left out. Keys of
/// maps (labels, annotations) are no fields.
pub fn field(root: &'static Definition, path: &str) -> Option<&'static Field> {
    along(root, path).pop()
}

/// The first release of agent-sandbox that knows a field of the newest one; `None` for a path that leads to no field,
/// and for kinds of Kubernetes itself. `path` is as for [`field`].
pub fn since(kind: Kind, version: Version, path: &str) -> Option<AgentSandboxRelease> {
    if matches!(kind, Kind::Workload(_)) {
        return None;
    }
    let fields = along(super::root(kind, version), path);
    let newest = fields.iter().filter_map(|field| field.since).max();
    (!fields.is_empty()).then(|| newest.unwrap_or_default().max(version.served().0))
}

/// The fields that a path leads along; none if it leads to none.
fn along(root: &'static Definition, path: &str) -> Vec<&'static Field> {
    let mut fields: Vec<&'static Field> = Vec::new();
    let mut inside = Some(root);
    for part in path.split('.') {
        let name = part.split('[').next().unwrap_or_default();
        let Some(field) = inside.and_then(|definition| definition.field(name)) else { return Vec::new() };
        fields.push(field);
        inside = object(&field.schema);
    }
    fields
}

/// The type of the objects that a value holds, through lists.
fn object(schema: &'static Schema) -> Option<&'static Definition> {
    match &schema.shape {
        Shape::Object(id) => Some(id.definition()),
        Shape::List(item) => object(item),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(kind: Kind, version: Version, path: &str) -> Option<String> {
        since(kind, version, path).map(|release| release.to_string())
    }

    #[test]
    fn a_field_is_as_young_as_the_youngest_on_its_path() {
        let alpha = |kind, path| first(kind, Version::V1alpha1, path);
        assert_eq!(alpha(Kind::Sandbox, "spec.service").as_deref(), Some("0.4.6"));
        assert_eq!(alpha(Kind::Sandbox, "spec.replicas").as_deref(), Some("0.1.0"));
        assert_eq!(alpha(Kind::SandboxClaim, "spec.env[0].name").as_deref(), Some("0.3.10.post1"));
        assert_eq!(alpha(Kind::SandboxClaim, "spec.lifecycle.shutdownPolicy").as_deref(), Some("0.1.1"));
        assert_eq!(alpha(Kind::SandboxClaim, "spec.lifecycle.ttlSecondsAfterFinished").as_deref(), Some("0.4.3"));
        assert_eq!(alpha(Kind::SandboxClaim, "spec.volumeClaimTemplates"), None);
        assert_eq!(alpha(Kind::Sandbox, "spec.podTemplate.spec.containers.image").as_deref(), Some("0.1.0"));
        let beta = |kind, path| first(kind, Version::V1beta1, path);
        assert_eq!(beta(Kind::SandboxClaim, "spec.volumeClaimTemplates").as_deref(), Some("0.5.0"));
        assert_eq!(beta(Kind::SandboxWarmPool, "spec.replicas").as_deref(), Some("0.5.0"));
        assert_eq!(beta(Kind::Sandbox, "spec.nosuch"), None);
        assert_eq!(first(Kind::Workload(crate::resource::Workload::Pod), Version::V1beta1, "spec"), None);
    }
}
