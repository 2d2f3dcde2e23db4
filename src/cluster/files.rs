//! Objects around the Pod that are written in files of the run: they count as those of a snapshot do.

use super::World;
use super::read::{around_the_pod, node_shape};
use super::snapshot::Snapshot;
use super::table::Origin;
use crate::contract::{NodeShape, has_placeholder};
use crate::finding::FileId;
use crate::input::prefilter;
use crate::yaml::{self, Documents, Node, Options, Span};

/// What the files of a run say of the cluster around the Pods.
#[derive(Clone, Debug, Default)]
pub struct ClusterObjects {
    snapshot: Snapshot,
    nodes: Vec<NodeShape>,
    found: bool,
}

/// Nothing that Kubernetes serves nests deeper; such documents are not walked.
const DEEPEST: usize = 200;

/// Kinds that have no namespace.
const WITHOUT_NAMESPACE: [&str; 6] =
    ["Namespace", "RuntimeClass", "PriorityClass", "StorageClass", "PersistentVolume", "Node"];

/// Reads the objects out of the texts of a run. What kubectl does not decode is left out; others say so. Only documents
/// that name one of the kinds are decoded.
pub fn gather<'t>(texts: impl IntoIterator<Item = (FileId, &'t str)>, options: &Options) -> ClusterObjects {
    let mut all = ClusterObjects::default();
    for (file, text) in texts {
        for (start, chunk) in prefilter::cluster_documents(text) {
            all.read(file, start, chunk, options);
        }
    }
    all
}

impl ClusterObjects {
    /// Whether the files say nothing of the cluster.
    pub fn is_empty(&self) -> bool {
        !self.found
    }

    fn read(&mut self, file: FileId, start: usize, text: &str, options: &Options) {
        for document in Documents::new(text, options) {
            if document.content.is_err() || document.depth >= DEEPEST {
                continue;
            }
            for object in yaml::objects(&document).into_iter().flatten() {
                self.take(file, start, &object.complete());
            }
        }
    }

    fn take(&mut self, file: FileId, start: usize, object: &Node<'_>) {
        let text = |keys: &[&str]| object.at(keys).and_then(Node::as_str);
        let (Some(kind), Some(named)) = (text(&["kind"]), object.at(&["metadata", "name"])) else { return };
        let Some(name) = named.as_str().filter(|name| !name.is_empty() && !has_placeholder(name)) else { return };
        let namespace = text(&["metadata", "namespace"]).filter(|namespace| !namespace.is_empty()).unwrap_or("default");
        if has_placeholder(namespace) || !is_served(kind, text(&["apiVersion"]).unwrap_or_default()) {
            return;
        }
        let namespace = if WITHOUT_NAMESPACE.contains(&kind) { "" } else { namespace };
        let place = named.place();
        let shift = |at: u32| at.saturating_add(u32::try_from(start).unwrap_or(u32::MAX));
        let origin = Origin { file, span: Span::new(shift(place.start), shift(place.end)) };
        if kind == "Node" {
            let node = node_shape(object, name);
            self.nodes.extend(Some(node).filter(|node| !node.allocatable.is_empty()));
            self.found = true;
        } else {
            self.found |= around_the_pod(&mut self.snapshot, object, kind, (namespace, name), Some(origin));
        }
    }
}

/// Whether Kubernetes has the kind in the group; another group's kind of the same name is none of these.
fn is_served(kind: &str, api_version: &str) -> bool {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    match kind {
        "RuntimeClass" => group == "node.k8s.io",
        "PriorityClass" => group == "scheduling.k8s.io",
        "StorageClass" => group == "storage.k8s.io",
        _ => api_version == "v1",
    }
}

impl World {
    /// Adds what the files of the run say of the cluster; where the snapshot says otherwise, the files count.
    pub fn overlay(&mut self, objects: &ClusterObjects) {
        if !self.from_files || objects.is_empty() {
            return;
        }
        self.snapshot.get_or_insert_default().overlay(&objects.snapshot);
        for node in &objects.nodes {
            match self.nodes.iter_mut().find(|known| known.name == node.name) {
                Some(known) => known.clone_from(node),
                None => self.nodes.push(node.clone()),
            }
        }
    }
}
