//! Which of the kinds an object is, or why the API server has no such kind.

use super::{Kind, Resource, Version, Workload, json};
use crate::finding::{Applicability, Edit, Fix, ResourceId, Spot};
use crate::yaml::{Node, Style, Value};

/// What an object is.
#[derive(Clone, Debug)]
pub enum Identified<'s> {
    /// One of the kinds that the linter follows.
    Resource(Box<Resource<'s>>),
    /// Something else: no word about it.
    Unrelated,
    /// Meant as one of the kinds, but the API server does not know it by this name.
    NoMatch(Box<NoMatch<'s>>),
}

/// The file that an object stands in.
#[derive(Clone, Copy, Debug)]
pub struct File<'f, 's> {
    /// Its name as kubectl would print it.
    pub name: &'f str,
    /// Its text, which spans point into.
    pub text: &'s str,
}

/// An object that was meant as one of the kinds of agent-sandbox.
#[derive(Clone, Debug)]
pub struct NoMatch<'s> {
    /// The object under the identity that was meant.
    pub resource: Resource<'s>,
    /// The words of kubectl or of the server.
    pub refusal: String,
    /// The place to change.
    pub spot: Spot,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The change, where there is one.
    pub fix: Option<Fix>,
    /// Whether no release is known to serve it and the name is close to one that is served.
    pub sure: bool,
}

/// The group of Sandbox.
pub const CORE_GROUP: &str = "agents.x-k8s.io";
/// The group of SandboxTemplate, SandboxWarmPool and SandboxClaim.
pub const EXTENSIONS_GROUP: &str = "extensions.agents.x-k8s.io";

const KINDS: [(&str, Kind); 4] = [
    ("Sandbox", Kind::Sandbox),
    ("SandboxTemplate", Kind::SandboxTemplate),
    ("SandboxWarmPool", Kind::SandboxWarmPool),
    ("SandboxClaim", Kind::SandboxClaim),
];

const WORKLOADS: [(&str, &str, Workload); 7] = [
    ("v1", "Pod", Workload::Pod),
    ("apps/v1", "Deployment", Workload::Deployment),
    ("apps/v1", "StatefulSet", Workload::StatefulSet),
    ("apps/v1", "ReplicaSet", Workload::ReplicaSet),
    ("apps/v1", "DaemonSet", Workload::DaemonSet),
    ("batch/v1", "Job", Workload::Job),
    ("batch/v1", "CronJob", Workload::CronJob),
];

impl Kind {
    /// The kind as written in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Sandbox => "Sandbox",
            Kind::SandboxTemplate => "SandboxTemplate",
            Kind::SandboxWarmPool => "SandboxWarmPool",
            Kind::SandboxClaim => "SandboxClaim",
            Kind::Workload(workload) => workload.name(),
        }
    }

    /// The API group, empty for the core of Kubernetes.
    pub fn group(self) -> &'static str {
        match self {
            Kind::Sandbox => CORE_GROUP,
            Kind::Workload(Workload::Pod) => "",
            Kind::Workload(Workload::Job | Workload::CronJob) => "batch",
            Kind::Workload(_) => "apps",
            _ => EXTENSIONS_GROUP,
        }
    }
}

impl Version {
    /// The version as written in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Version::V1alpha1 => "v1alpha1",
            Version::V1beta1 => "v1beta1",
        }
    }
}

/// Says what a decoded object is. `prefix` is its field path inside the document (empty, or `items[2]`).
pub fn identify<'s>(root: &Node<'s>, prefix: &str, file: File<'_, 's>) -> Identified<'s> {
    if root.as_map().is_none() {
        return Identified::Unrelated;
    }
    let written = Written::of(root);
    if let Some((kind, version)) = written.known() {
        return Identified::Resource(Box::new(resource(root, prefix, file, kind, version)));
    }
    if let Some(workload) = written.workload() {
        let carries = carries_contract(root, workload);
        let kind = Kind::Workload(workload);
        return match carries {
            true => Identified::Resource(Box::new(resource(root, prefix, file, kind, Version::V1beta1))),
            false => Identified::Unrelated,
        };
    }
    match written.meant() {
        Some((kind, version)) => {
            let resource = resource(root, prefix, file, kind, version);
            Identified::NoMatch(Box::new(no_match(resource, &written)))
        }
        None => Identified::Unrelated,
    }
}

fn resource<'s>(root: &Node<'s>, prefix: &str, file: File<'_, 's>, kind: Kind, version: Version) -> Resource<'s> {
    let text = |keys: &[&str]| root.at(keys).and_then(Node::as_str).map(str::to_owned);
    let id = ResourceId {
        api_version: text(&["apiVersion"]),
        kind: text(&["kind"]),
        namespace: text(&["metadata", "namespace"]).filter(|namespace| !namespace.is_empty()),
        name: text(&["metadata", "name"]),
    };
    Resource {
        kind,
        version,
        id,
        root: root.clone(),
        prefix: prefix.to_owned(),
        file_name: file.name.to_owned(),
        text: file.text,
    }
}

/// `apiVersion` and `kind` as written.
struct Written<'n, 's> {
    root: &'n Node<'s>,
    api_version: Option<&'n Node<'s>>,
    kind: Option<&'n Node<'s>>,
}

impl<'n, 's> Written<'n, 's> {
    fn of(root: &'n Node<'s>) -> Self {
        let field = |key| root.get(key).filter(|node| !node.is_null());
        Self { root, api_version: field("apiVersion"), kind: field("kind") }
    }

    fn api_version(&self) -> &'n str {
        self.api_version.and_then(Node::as_str).unwrap_or_default()
    }

    fn kind(&self) -> &'n str {
        self.kind.and_then(Node::as_str).unwrap_or_default()
    }

    /// Group and version; a text without a slash is a version of the core.
    fn group_version(&self) -> (&'n str, &'n str) {
        self.api_version().split_once('/').unwrap_or(("", self.api_version()))
    }

    fn known(&self) -> Option<(Kind, Version)> {
        let (group, version) = self.group_version();
        let (_, kind) = KINDS.into_iter().find(|(name, kind)| *name == self.kind() && kind.group() == group)?;
        Some((kind, known_version(version)?))
    }

    fn workload(&self) -> Option<Workload> {
        let same = |(api, kind, _): &&(&str, &str, Workload)| *api == self.api_version() && *kind == self.kind();
        WORKLOADS.iter().find(same).map(|(_, _, workload)| *workload)
    }

    /// The identity that the author had in mind, if it is one of agent-sandbox.
    fn meant(&self) -> Option<(Kind, Version)> {
        let (group, version) = self.group_version();
        let version = known_version(&version.to_lowercase()).unwrap_or(Version::V1beta1);
        let ours = [CORE_GROUP, EXTENSIONS_GROUP].contains(&group.trim());
        let kind = match self.kind() {
            "" if ours => self.kind_by_fields(group),
            "" => return None,
            name if list_of(name).is_some() => list_of(name).filter(|_| ours && self.is_broken_list())?,
            name if ours => near_kind(name).unwrap_or_else(|| self.kind_by_fields(group)),
            name => same_kind(name).filter(|_| self.group_is_near())?,
        };
        Some((kind, version))
    }

    /// Whether an object called a list has no list of items; kubectl sends the items of one that has.
    fn is_broken_list(&self) -> bool {
        self.root.get("items").and_then(Node::as_seq).is_none()
    }

    /// A missing kind is guessed from what the spec holds.
    fn kind_by_fields(&self, group: &str) -> Kind {
        let has = |field: &str| self.root.at(&["spec", field]).is_some();
        match group.trim() {
            CORE_GROUP => Kind::Sandbox,
            _ if has("sandboxTemplateRef") || has("updateStrategy") => Kind::SandboxWarmPool,
            _ if has("warmPoolRef") || has("lifecycle") => Kind::SandboxClaim,
            _ => Kind::SandboxTemplate,
        }
    }

    /// Whether the group is missing, or a defect away from one of agent-sandbox.
    fn group_is_near(&self) -> bool {
        let Some(node) = self.api_version else { return true };
        let Some(text) = node.as_str() else { return true };
        let (group, version) = self.group_version();
        let lower = group.trim().to_lowercase();
        if lower.is_empty() {
            return is_version(version) || near_group(&version.trim().to_lowercase()) || text.trim().is_empty();
        }
        near_group(&lower)
    }
}

fn known_version(text: &str) -> Option<Version> {
    match text {
        "v1alpha1" => Some(Version::V1alpha1),
        "v1beta1" => Some(Version::V1beta1),
        _ => None,
    }
}

/// `v1`, `v1beta2`, in any case.
fn is_version(text: &str) -> bool {
    let mut letters = text.trim().chars();
    letters.next().is_some_and(|first| first.eq_ignore_ascii_case(&'v'))
        && letters.next().is_some_and(|second| second.is_ascii_digit())
}

fn near_group(group: &str) -> bool {
    // `k8s.io` and `x-k8s.io` are what is left when the first labels are forgotten.
    [CORE_GROUP, EXTENSIONS_GROUP].iter().any(|ours| strsim::damerau_levenshtein(group, ours) <= 2)
        || ["k8s.io", "x-k8s.io", "extensions.x-k8s.io", "sandbox.x-k8s.io", "sandboxes.x-k8s.io"].contains(&group)
}

/// The kind that a list such as `SandboxList` is a list of.
fn list_of(name: &str) -> Option<Kind> {
    let item = name.strip_suffix("List")?;
    KINDS.into_iter().find(|(known, _)| *known == item).map(|(_, kind)| kind)
}

/// The kind with this name in another case, or its plural.
fn same_kind(name: &str) -> Option<Kind> {
    let lower = name.trim().to_lowercase();
    KINDS.into_iter().find(|(known, _)| is_name_of(&lower, &known.to_lowercase())).map(|(_, kind)| kind)
}

fn is_name_of(lower: &str, known: &str) -> bool {
    lower == known || lower.strip_suffix("es") == Some(known) || lower.strip_suffix('s') == Some(known)
}

/// The kind that a name in one of our groups most likely stands for.
fn near_kind(name: &str) -> Option<Kind> {
    if let Some(kind) = same_kind(name) {
        return Some(kind);
    }
    let lower = name.trim().to_lowercase();
    let short = |kind: &str| kind.to_lowercase().strip_prefix("sandbox").is_some_and(|rest| is_name_of(&lower, rest));
    if let Some((_, kind)) = KINDS.into_iter().skip(1).find(|(known, _)| short(known)) {
        return Some(kind);
    }
    let near = crate::suggest::nearest(name, KINDS.iter().map(|(known, _)| *known))?;
    KINDS.into_iter().find(|(known, _)| *known == near).map(|(_, kind)| kind)
}

fn no_match<'s>(resource: Resource<'s>, written: &Written<'_, 's>) -> NoMatch<'s> {
    let (kind, version) = (resource.kind, resource.version);
    let right = format!("{}/{}", kind.group(), version.name());
    let api_is_right = written.api_version() == right;
    let (field, node, wanted) = match api_is_right {
        true => ("kind", written.kind, kind.name().to_owned()),
        false => ("apiVersion", written.api_version, right.clone()),
    };
    let place = node.map_or_else(|| written.root.place(), Node::place);
    let sure = written.kind().is_empty() || list_of(written.kind()).is_some() || near_kind(written.kind()).is_some();
    // A release to come serves new kinds, but none that is a Sandbox by its fields under another name of that sort.
    let garbled = api_is_right && written.kind().to_lowercase().contains("sandbox");
    NoMatch {
        refusal: refusal(&resource, written),
        spot: Spot::new(place, resource.path(field)),
        message: complaint(written, kind, api_is_right),
        help: format!("write apiVersion: {right} and kind: {}", kind.name()),
        fix: node.filter(|_| sure).map(|node| fix(node, field, &wanted, written)),
        sure: sure || garbled,
        resource,
    }
}

fn complaint(written: &Written<'_, '_>, kind: Kind, api_is_right: bool) -> String {
    let name = kind.name();
    match (written.api_version, written.kind) {
        (None, _) => format!("apiVersion is missing, so kubectl cannot know which {name} is meant"),
        (_, None) => "kind is missing".to_owned(),
        (Some(api), _) if api.as_str().is_none() => "apiVersion is not a string".to_owned(),
        (_, Some(kind)) if kind.as_str().is_none() => "kind is not a string".to_owned(),
        (_, Some(kind)) if kind.as_str() == Some("") => "kind is empty".to_owned(),
        _ if list_of(written.kind()).is_some() => {
            format!("a {} needs `items`; for one object the kind is {name}", written.kind())
        }
        _ if api_is_right && near_kind(written.kind()).is_some() => {
            format!("there is no kind `{}` in {}; the kind is {name}", written.kind(), kind.group())
        }
        _ if api_is_right => format!("no known release has a kind `{}` in {}", written.kind(), kind.group()),
        _ if written.kind() == name => {
            let (group, version) = written.group_version();
            match group == kind.group() {
                true => format!("{group} has no version `{version}`"),
                false => format!("kind {name} is served by {}, not by `{}`", kind.group(), written.api_version()),
            }
        }
        _ => format!("there is no kind `{}` in `{}`", written.kind(), written.api_version()),
    }
}

fn fix(node: &Node<'_>, field: &str, wanted: &str, written: &Written<'_, '_>) -> Fix {
    let text = match node.style {
        Style::DoubleQuoted => format!("\"{wanted}\""),
        Style::SingleQuoted => format!("'{wanted}'"),
        _ => wanted.to_owned(),
    };
    let (_, version) = written.group_version();
    let sure = field == "kind" || known_version(&version.to_lowercase()).is_some();
    let applicability = if sure { Applicability::Safe } else { Applicability::Unsafe };
    Fix { applicability, title: format!("write {field}: {wanted}"), edits: vec![Edit { span: node.span, text }] }
}

/// The words of kubectl, or of the server for a kind in lower case.
fn refusal(resource: &Resource<'_>, written: &Written<'_, '_>) -> String {
    let file = &resource.file_name;
    let problems = unreadable(written);
    if !problems.is_empty() {
        let text = if problems.len() == 1 { problems[0].clone() } else { format!("[{}]", problems.join(", ")) };
        return format!(
            "error: error validating \"{file}\": error validating data: {text}; if you choose to ignore these errors, turn validation off with --validate=false"
        );
    }
    let (name, kind) = (resource.name(), written.kind());
    if kind.is_empty() {
        return format!(
            "error: unable to decode \"{file}\": Object 'Kind' is missing in '{}'",
            json::text(written.root)
        );
    }
    let (group, version) = written.group_version();
    let served = group == resource.kind.group() && known_version(version).is_some();
    let right = resource.kind.name();
    if served && kind == right.to_lowercase() {
        let value = crate::go::quote(kind);
        return format!("The {kind} \"{name}\" is invalid: kind: Invalid value: {value}: must be {right}");
    }
    if served && list_of(kind).is_some() {
        return broken_list(resource, written.root, kind, version);
    }
    no_such_kind(resource, kind, if group.is_empty() { version } else { written.api_version() })
}

/// kubectl's own validation of a list that has no items.
fn broken_list(resource: &Resource<'_>, root: &Node<'_>, kind: &str, version: &str) -> String {
    const LIST_META: [&str; 4] = ["continue", "remainingItemCount", "resourceVersion", "selfLink"];
    let model = match resource.kind {
        Kind::Sandbox => format!("io.x-k8s.agents.{version}.{kind}"),
        _ => format!("io.x-k8s.agents.extensions.{version}.{kind}"),
    };
    let keys = |node: Option<&Node<'_>>| {
        let mut keys: Vec<String> =
            node.into_iter().flat_map(Node::entries).map(|entry| entry.key.to_string()).collect();
        keys.sort();
        keys
    };
    let mut errors = Vec::new();
    for key in keys(root.get("metadata")).iter().filter(|key| !LIST_META.contains(&key.as_str())) {
        let meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
        errors.push(format!("ValidationError({kind}.metadata): unknown field \"{key}\" in {meta}"));
    }
    for key in
        keys(Some(root)).iter().filter(|key| !["apiVersion", "kind", "metadata", "items"].contains(&key.as_str()))
    {
        errors.push(format!("ValidationError({kind}): unknown field \"{key}\" in {model}"));
    }
    errors.push(format!("ValidationError({kind}): missing required field \"items\" in {model}"));
    let text = if errors.len() == 1 { errors.remove(0) } else { format!("[{}]", errors.join(", ")) };
    format!(
        "error: error validating \"{}\": error validating data: {text}; if you choose to ignore these errors, turn validation off with --validate=false",
        resource.file_name
    )
}

/// kubectl's words for a kind that the cluster does not serve.
pub fn no_such_kind(resource: &Resource<'_>, kind: &str, api_version: &str) -> String {
    let namespace = resource.id.namespace.as_deref().unwrap_or_default();
    format!(
        "error: resource mapping not found for name: \"{}\" namespace: \"{namespace}\" from \"{}\": no matches for kind \"{kind}\" in version \"{api_version}\"\nensure CRDs are installed first",
        resource.name(),
        resource.file_name
    )
}

/// What kubectl says of `apiVersion` and `kind` before it looks any further.
fn unreadable(written: &Written<'_, '_>) -> Vec<String> {
    let mut problems = Vec::new();
    match written.api_version.map(|node| &node.value) {
        None => problems.push("apiVersion not set".to_owned()),
        Some(Value::String(text)) if text.matches('/').count() > 1 => {
            problems.push(format!("unexpected GroupVersion string: {text}"));
        }
        Some(Value::String(_)) => {}
        Some(_) => problems.push("apiVersion isn't string type".to_owned()),
    }
    match written.kind.map(|node| &node.value) {
        None => problems.push("kind not set".to_owned()),
        Some(Value::String(_)) => {}
        Some(_) => problems.push("kind isn't string type".to_owned()),
    }
    problems
}

/// Whether a workload carries a key of the contract: labels, annotations and selectors under `cocoonstack.io`,
/// or the toleration of virtual nodes.
fn carries_contract(root: &Node<'_>, workload: Workload) -> bool {
    let template = match workload {
        Workload::Pod => Some(root),
        Workload::CronJob => root.at(&["spec", "jobTemplate", "spec", "template"]),
        _ => root.at(&["spec", "template"]),
    };
    let metas = [root.get("metadata"), template.and_then(|template| template.get("metadata"))];
    let marked =
        metas.into_iter().flatten().any(|metadata| has_key(metadata, "labels") || has_key(metadata, "annotations"));
    marked || template.and_then(|template| template.get("spec")).is_some_and(selects_virtual_node)
}

fn selects_virtual_node(spec: &Node<'_>) -> bool {
    let tolerates = |item: &Node<'_>| item.get("key").and_then(Node::as_str) == Some("virtual-kubelet.io/provider");
    let required = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"];
    let by_affinity = spec.at(&required).into_iter().flat_map(Node::items).any(|term| {
        let expressions = term.get("matchExpressions").into_iter().flat_map(Node::items);
        expressions.filter_map(|item| item.get("key")?.as_str()).any(is_contract_key)
    });
    by_affinity
        || has_key(spec, "nodeSelector")
        || spec.get("tolerations").into_iter().flat_map(Node::items).any(tolerates)
}

fn has_key(node: &Node<'_>, field: &str) -> bool {
    node.get(field).into_iter().flat_map(Node::entries).any(|entry| is_contract_key(&entry.key))
}

fn is_contract_key(key: &str) -> bool {
    let domain = key.split('/').next().unwrap_or_default().to_lowercase();
    domain == "cocoonstack.io" || domain.ends_with(".cocoonstack.io")
}
