//! What a policy looks at: a resource, or the Pod that comes of it; and which of them it is meant for.

use crate::resource::Resource;
use crate::resource::pod::PodPlan;
use globset::GlobSet;
use std::collections::BTreeMap;

/// An object of a request, as far as the choice of policies depends on it.
#[derive(Clone, Debug)]
pub struct Target {
    /// The API group; empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    labels: BTreeMap<String, String>,
}

impl Target {
    /// A resource as written.
    pub fn of_resource(resource: &Resource<'_>) -> Self {
        let api_version = resource.id.api_version.as_deref().unwrap_or_default();
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let labels = resource.root.at(&["metadata", "labels"]);
        let pairs = labels.into_iter().flat_map(|labels| labels.entries());
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: resource.id.kind.clone().unwrap_or_default(),
            namespace: resource.namespace().to_owned(),
            name: resource.name().to_owned(),
            labels: pairs.filter_map(|pair| Some((pair.key.to_string(), pair.value.as_str()?.to_owned()))).collect(),
        }
    }

    /// The Pod that the controller would create.
    pub fn of_pod(plan: &PodPlan<'_>) -> Self {
        Self {
            group: String::new(),
            version: "v1".into(),
            kind: "Pod".into(),
            namespace: plan.namespace.clone(),
            name: plan.name.clone(),
            labels: plan.labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect(),
        }
    }

    /// The name of its kind in paths of the API: `sandboxes`.
    pub fn plural(&self) -> String {
        let lower = self.kind.to_lowercase();
        if lower.ends_with('x') { format!("{lower}es") } else { format!("{lower}s") }
    }
}

/// Which objects a rule looks at. What is empty does not matter.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Kinds, such as `Sandbox`.
    pub kinds: Vec<String>,
    /// Groups, versions and resources, as a ValidatingAdmissionPolicy names them.
    pub resources: Option<Vec<ResourceRule>>,
    /// Those that are left out.
    pub except_resources: Vec<ResourceRule>,
    /// Globs of namespaces.
    pub namespaces: Option<GlobSet>,
    /// Globs of namespaces that are left out.
    pub except_namespaces: Option<GlobSet>,
    /// What the object's labels must be like.
    pub labels: Vec<Requirement>,
    /// What the label `kubernetes.io/metadata.name` of the namespace must be like.
    pub namespace_names: Vec<Requirement>,
}

/// Groups, versions, resources and names; `*` stands for any, and no names for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceRule {
    /// API groups.
    pub groups: Vec<String>,
    /// Versions.
    pub versions: Vec<String>,
    /// Plural names of kinds.
    pub resources: Vec<String>,
    /// Names of objects.
    pub names: Vec<String>,
}

/// One requirement of a label selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The label's key.
    pub key: String,
    /// How its value is compared.
    pub operator: Operator,
    /// The values.
    pub values: Vec<String>,
}

/// How a label requirement compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The label has one of the values.
    In,
    /// It is absent or has another value.
    NotIn,
    /// It is there.
    Exists,
    /// It is absent.
    DoesNotExist,
}

impl Scope {
    /// Whether an object is meant.
    pub fn includes(&self, target: &Target) -> bool {
        let one_of = |rules: &[ResourceRule]| rules.iter().any(|rule| rule.includes(target));
        (self.kinds.is_empty() || self.kinds.contains(&target.kind))
            && self.resources.as_deref().is_none_or(one_of)
            && !one_of(&self.except_resources)
            && self.namespaces.as_ref().is_none_or(|globs| globs.is_match(&target.namespace))
            && !self.except_namespaces.as_ref().is_some_and(|globs| globs.is_match(&target.namespace))
            && self.labels.iter().all(|one| one.holds(target.labels.get(&one.key).map(String::as_str)))
            && self.namespace_names.iter().all(|one| one.holds(Some(&target.namespace)))
    }
}

impl ResourceRule {
    fn includes(&self, target: &Target) -> bool {
        let listed = |list: &[String], value: &str| list.iter().any(|item| item == "*" || item == value);
        let resources = |item: &String| item == "*" || item == "*/*" || *item == target.plural();
        listed(&self.groups, &target.group)
            && listed(&self.versions, &target.version)
            && self.resources.iter().any(resources)
            && (self.names.is_empty() || self.names.contains(&target.name))
    }
}

impl Requirement {
    /// The label must have this value.
    pub fn equal(key: String, value: String) -> Self {
        Self { key, operator: Operator::In, values: vec![value] }
    }

    fn holds(&self, value: Option<&str>) -> bool {
        let listed = value.is_some_and(|value| self.values.iter().any(|known| known == value));
        match self.operator {
            Operator::In => listed,
            Operator::NotIn => !listed,
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
        }
    }
}
