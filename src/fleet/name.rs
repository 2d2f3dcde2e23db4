//! Names that several resources share: objects of one name, and VMs of one name.

use super::{Fleet, Member, Report};
use crate::finding::{Severity, Spot};
use crate::resource::Kind;
use crate::rule;
use crate::yaml::Node;
use std::collections::HashMap;

/// The annotation that names the VM on its node.
const VM_NAME: &str = "vm.cocoonstack.io/name";

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    duplicate_object(fleet, reports);
    shared_vm_name(fleet, reports);
    vm_of_running_pod(fleet, reports);
    vm_name_in_template(fleet, reports);
}

/// Two objects of one kind, namespace and name in one file: the later replaces the earlier.
fn duplicate_object(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    let mut first = HashMap::new();
    for member in fleet.all().filter(|member| !member.resource.name().is_empty()) {
        let resource = member.resource;
        let identity = (fleet.file(member), resource.kind, resource.namespace(), resource.name());
        let Some(earlier) = first.insert(identity, member) else { continue };
        let (place, before) = (name_place(member), name_place(earlier));
        let word = resource.id.kind.as_deref().unwrap_or("object");
        let message = format!("{word} `{}` is written twice; the later one replaces the earlier", resource.name());
        reports[member.index]
            .out
            .add(&rule::DUPLICATE_OBJECT, Spot::new(place, resource.path("metadata.name")), message)
            .help("give one of them another name, or remove it")
            .related(before, "this one is replaced");
    }
}

fn name_place(member: Member<'_, '_>) -> crate::yaml::Span {
    member.stored.at(&["metadata", "name"]).map_or(member.stored.place(), Node::place)
}

/// Two Sandboxes whose VM has one name: VM names are per node, whatever the namespace.
fn shared_vm_name(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    let mut first: HashMap<&str, Member<'_, '_>> = HashMap::new();
    for member in fleet.of(Kind::Sandbox).filter(|member| serves_vms(*member) && !is_suspended(*member)) {
        let Some(name) = vm_name(member) else { continue };
        let Some(earlier) = first.get(name.value.as_str()).copied() else {
            first.insert(&name.value, member);
            continue;
        };
        let same_object = earlier.resource.namespace() == member.resource.namespace()
            && earlier.resource.name() == member.resource.name();
        let other = vm_name(earlier).filter(|_| !same_object);
        let Some(other) = other else { continue };
        let together = pool(earlier) == pool(member);
        let fate = if together {
            "the second Pod adopts the first Pod's VM, and deleting one takes the VM from both"
        } else {
            "on one node the second Pod adopts the first Pod's VM, on two nodes their snapshots overwrite each other"
        };
        let message = format!("VM name `{}` is also that of Sandbox `{}`: {fate}", name.value, earlier.resource.name());
        let certain = together && fleet.file(earlier) == fleet.file(member);
        let file = fleet.file(earlier);
        let finding = reports[member.index].out.add(&rule::SHARED_VM_NAME, vm_spot(member, name), message);
        finding.help("give every Sandbox a VM name of its own").related_in(file, other.value_span, "the first one");
        finding.severity(if certain { Severity::Error } else { Severity::Warning });
    }
}

/// A Sandbox whose VM name a Pod of the snapshot holds already. A Sandbox that is in the cluster may hold it itself.
fn vm_of_running_pod(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    let Some(snapshot) = fleet.world.snapshot.as_ref() else { return };
    for member in fleet.of(Kind::Sandbox).filter(|member| serves_vms(*member) && !is_suspended(*member)) {
        let (namespace, own) = (member.resource.namespace(), member.resource.name());
        let Some(name) = vm_name(member).filter(|_| snapshot.has_sandbox(namespace, own) != Some(true)) else {
            continue;
        };
        let Some(pod) = snapshot.pod_with_annotation(VM_NAME, &name.value) else { continue };
        if pod.namespace == namespace && pod.name == own {
            continue;
        }
        let placed = member.subject.map(|subject| &subject.placement);
        let together = placed.is_some_and(|placement| placement.certain && placement.node.as_ref() == Some(&pod.node));
        let fate = if together { "this Pod adopts its VM" } else { "on the same node this Pod adopts its VM" };
        let message = format!(
            "VM name `{}` is also that of Pod {}/{} on node {}: {fate}, and deleting one takes the VM from both",
            name.value, pod.namespace, pod.name, pod.node
        );
        let finding = reports[member.index].out.add(&rule::SHARED_VM_NAME, vm_spot(member, name), message);
        finding.help("give every Sandbox a VM name of its own");
        finding.severity(if together { Severity::Error } else { Severity::Warning });
    }
}

/// A VM name in a template is copied to every Sandbox that comes of it.
fn vm_name_in_template(fleet: &Fleet<'_, '_>, reports: &mut [Report]) {
    for template in fleet.of(Kind::SandboxTemplate).filter(|member| serves_vms(*member)) {
        let Some(name) = vm_name(template) else { continue };
        let pools = fleet.pools_of(template);
        let claims: usize = pools.iter().map(|pool| fleet.claims_of(*pool).len()).sum();
        let warm: i64 = pools.iter().map(Member::replicas).sum();
        let members = warm.saturating_add(i64::try_from(claims).unwrap_or(i64::MAX));
        let message = format!(
            "every Sandbox of this template gets the VM name `{}`: the second Pod adopts the first Pod's VM instead of booting its own",
            name.value
        );
        let finding = reports[template.index].out.add(&rule::VM_NAME_IN_TEMPLATE, vm_spot(template, name), message);
        finding.help(
            "write the annotation per Sandbox, or per claim in spec.additionalPodMetadata.annotations with a pool of `replicas: 0`",
        );
        if members > 1 {
            finding.severity(Severity::Error);
        }
        for pool in pools {
            finding.related_in(
                fleet.file(pool),
                name_place(pool),
                format!("{} from this pool", sandboxes(pool.replicas())),
            );
        }
    }
}

fn sandboxes(count: i64) -> String {
    if count == 1 { "1 Sandbox".to_owned() } else { format!("{count} Sandboxes") }
}

fn serves_vms(member: Member<'_, '_>) -> bool {
    member.subject.is_some_and(|subject| subject.serving_backend() == Some("vk-cocoon"))
}

fn is_suspended(member: Member<'_, '_>) -> bool {
    let spec = |field| member.stored.at(&["spec", field]);
    spec("operatingMode").and_then(Node::as_str) == Some("Suspended")
        || spec("replicas").and_then(Node::as_int) == Some(0)
}

fn vm_name<'f>(member: Member<'f, '_>) -> Option<&'f crate::resource::pod::Meta> {
    member.subject?.plan.annotation(VM_NAME).filter(|meta| !meta.value.is_empty())
}

fn vm_spot(member: Member<'_, '_>, name: &crate::resource::pod::Meta) -> Spot {
    let metadata = member.subject.map_or("metadata", |subject| subject.plan.metadata_path.as_str());
    Spot::new(name.value_span, format!("{metadata}.annotations.{VM_NAME}"))
}

/// The node pool that a Pod asks for.
fn pool<'f>(member: Member<'f, '_>) -> Option<&'f str> {
    member.subject?.plan.spec.at(&["nodeSelector", "cocoonstack.io/pool"]).and_then(Node::as_str)
}
