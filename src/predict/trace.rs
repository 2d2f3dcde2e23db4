//! What is left of a resource when its trees are gone: the few facts that other resources of a run ask for.

use crate::cluster::World;
use crate::cluster::quota::CountedPod;
use crate::resource::{Kind, Resource};
use crate::stage::Subject;
use crate::yaml::{Node, Span};

/// The annotation that names the VM on its node.
pub const VM_NAME: &str = "vm.cocoonstack.io/name";

/// Labels without which the controller does not adopt a Pod of the Sandbox's name (agent-sandbox, sandbox controller).
pub const ADOPTABLE: [&str; 2] = ["agents.x-k8s.io/adoptable", "agents.x-k8s.io/sandbox-name-hash"];

/// The facts of one resource.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What it is.
    pub kind: Kind,
    /// Field path of the object inside its document: empty, or `items[2]` in a List.
    pub prefix: String,
    /// Whether the object is stored, or would be once its defects are fixed.
    pub is_stored: bool,
    /// Where its name stands, or the object where it has none.
    pub name: Span,
    /// Whether a Sandbox of the name adopts it, were it a Pod.
    pub is_adoptable: bool,
    /// The VM that it names, where vk-cocoon serves its Pod.
    pub vm: Option<Box<Vm>>,
    /// What quotas count of its Pod; `None` where its namespace has no quota that is known.
    pub counted: Option<Box<CountedPod>>,
    /// The RuntimeClass that its Pod names.
    pub runtime_class: Option<Box<ClassName>>,
}

/// A VM that a Pod on vk-cocoon asks for by name.
#[derive(Clone, Debug)]
pub struct Vm {
    /// The name, not empty.
    pub name: String,
    /// Where the name is written.
    pub span: Span,
    /// Field path of the annotation.
    pub path: String,
    /// The node pool that the Pod asks for.
    pub pool: Option<String>,
    /// The node that takes the Pod, where no other would.
    pub node: Option<String>,
    /// Whether the Sandbox asks for no Pod at present.
    pub is_suspended: bool,
}

/// A RuntimeClass by the name that a Pod has for it.
#[derive(Clone, Debug)]
pub struct ClassName {
    /// The name.
    pub name: String,
    /// Where it is written.
    pub span: Span,
    /// Its field path.
    pub path: String,
    /// The Pod, or an example of it.
    pub pod: String,
}

impl Trace {
    /// The facts of a resource; `stored` is its object, if the API server takes it, `subject` its Pod, if it has one.
    pub(super) fn of(resource: &Resource<'_>, stored: Option<&Node<'_>>, subject: Option<&Subject<'_>>) -> Self {
        let object = stored.unwrap_or(&resource.root);
        Self {
            kind: resource.kind,
            prefix: resource.prefix.clone(),
            is_stored: stored.is_some(),
            name: object.at(&["metadata", "name"]).map_or(object.place(), Node::place),
            is_adoptable: is_adoptable(object),
            vm: subject.and_then(vm).map(Box::new),
            counted: None,
            runtime_class: subject.and_then(runtime_class).map(Box::new),
        }
    }

    /// Takes note of what quotas of the namespace count of a Pod.
    pub(super) fn count(&mut self, subject: &Subject<'_>, world: &World) {
        let plan = &subject.plan;
        let Some(snapshot) = &world.snapshot else { return };
        if snapshot.quotas(&plan.namespace).next().is_none() {
            return;
        }
        let class = plan.spec.get("runtimeClassName").and_then(Node::as_str);
        let overhead = class.and_then(|name| snapshot.runtime_class(name)).map(|class| &class.overhead);
        self.counted = Some(Box::new(CountedPod::read(&plan.spec, overhead)));
    }

    /// A field path of the object as output shows it (with the List prefix).
    pub fn path(&self, field: &str) -> String {
        if self.prefix.is_empty() { field.to_owned() } else { format!("{}.{field}", self.prefix) }
    }
}

/// Whether a Sandbox adopts a Pod of its name.
pub fn is_adoptable(pod: &Node<'_>) -> bool {
    let labels = pod.at(&["metadata", "labels"]);
    labels.is_some_and(|labels| ADOPTABLE.iter().any(|key| labels.get(key).is_some()))
}

fn vm(subject: &Subject<'_>) -> Option<Vm> {
    let plan = &subject.plan;
    let name = plan.annotation(VM_NAME).filter(|meta| !meta.value.is_empty())?;
    let pool = plan.spec.at(&["nodeSelector", "cocoonstack.io/pool"]).and_then(Node::as_str);
    (subject.serving_backend() == Some("vk-cocoon")).then(|| Vm {
        name: name.value.clone(),
        span: name.value_span,
        path: format!("{}.annotations.{VM_NAME}", plan.metadata_path),
        pool: pool.map(str::to_owned),
        node: subject.placement.node.clone().filter(|_| subject.placement.certain),
        is_suspended: is_suspended(&subject.stored),
    })
}

fn is_suspended(sandbox: &Node<'_>) -> bool {
    let spec = |field| sandbox.at(&["spec", field]);
    spec("operatingMode").and_then(Node::as_str) == Some("Suspended")
        || spec("replicas").and_then(Node::as_int) == Some(0)
}

fn runtime_class(subject: &Subject<'_>) -> Option<ClassName> {
    let plan = &subject.plan;
    let node = plan.spec.get("runtimeClassName")?;
    Some(ClassName {
        name: node.as_str()?.to_owned(),
        span: node.place(),
        path: plan.path("runtimeClassName"),
        pod: plan.name.clone(),
    })
}
