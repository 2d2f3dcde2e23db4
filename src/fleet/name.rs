//! Names that several resources share: objects of one name, and VMs of one name.

use super::{Fleet, Known, Reports};
use crate::finding::{Severity, Spot};
use crate::predict::trace::{VM_NAME, Vm};
use crate::resource::Kind;
use crate::rule;
use std::collections::HashMap;

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    duplicate_object(fleet, reports);
    shared_vm_name(fleet, reports);
    vm_of_running_pod(fleet, reports);
    vm_name_in_template(fleet, reports);
}

/// Two objects of one kind, namespace and name in one file: the later replaces the earlier.
fn duplicate_object(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    let mut first = HashMap::new();
    for known in fleet.all().filter(|known| !known.id.name().is_empty()) {
        let (id, trace) = (known.id, known.trace);
        let identity = (known.file, trace.kind, id.namespace(), id.name());
        let Some(earlier) = first.insert(identity, known) else { continue };
        let word = id.kind.as_deref().unwrap_or("object");
        let message = format!("{word} `{}` is written twice; the later one replaces the earlier", id.name());
        reports
            .of(known.index)
            .out
            .add(&rule::DUPLICATE_OBJECT, Spot::new(trace.name, trace.path("metadata.name")), message)
            .help("give one of them another name, or remove it")
            .related(earlier.trace.name, "this one is replaced");
    }
}

/// Two Sandboxes whose VM has one name: VM names are per node, whatever the namespace.
fn shared_vm_name(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    let mut first: HashMap<&str, (Known<'_>, &Vm)> = HashMap::new();
    for member in fleet.traces(Kind::Sandbox) {
        let Some(vm) = member.trace.vm.as_deref().filter(|vm| !vm.is_suspended) else { continue };
        let (earlier, other) = *first.entry(&vm.name).or_insert((member, vm));
        if earlier.id.namespace() == member.id.namespace() && earlier.id.name() == member.id.name() {
            continue;
        }
        let together = other.pool == vm.pool;
        let effect = if together {
            "the second Pod adopts the first Pod's VM, and deleting one takes the VM from both"
        } else {
            "on one node the second Pod adopts the first Pod's VM, on two nodes their snapshots overwrite each other"
        };
        let message = format!("VM name `{}` is also that of Sandbox `{}`: {effect}", vm.name, earlier.id.name());
        let certain = together && earlier.file == member.file;
        let finding = reports.of(member.index).out.add(&rule::SHARED_VM_NAME, spot(vm), message);
        finding.help("give every Sandbox a VM name of its own").related_in(earlier.file, other.span, "the first one");
        finding.severity(if certain { Severity::Error } else { Severity::Warning });
    }
}

/// A Sandbox whose VM name a Pod of the snapshot holds already. A Sandbox that is in the cluster may hold it itself.
fn vm_of_running_pod(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    let Some(snapshot) = fleet.world.snapshot.as_ref() else { return };
    for member in fleet.traces(Kind::Sandbox) {
        let (namespace, own) = (member.id.namespace(), member.id.name());
        let Some(vm) = member.trace.vm.as_deref().filter(|vm| !vm.is_suspended) else { continue };
        if snapshot.has_sandbox(namespace, own) == Some(true) {
            continue;
        }
        let Some(pod) = snapshot.pod_with_annotation(VM_NAME, &vm.name) else { continue };
        if pod.namespace == namespace && pod.name == own {
            continue;
        }
        let together = vm.node.as_ref() == Some(&pod.node);
        let effect = if together { "this Pod adopts its VM" } else { "on the same node this Pod adopts its VM" };
        let message = format!(
            "VM name `{}` is also that of Pod {}/{} on node {}: {effect}, and deleting one takes the VM from both",
            vm.name, pod.namespace, pod.name, pod.node
        );
        let finding = reports.of(member.index).out.add(&rule::SHARED_VM_NAME, spot(vm), message);
        finding.help("give every Sandbox a VM name of its own");
        finding.severity(if together { Severity::Error } else { Severity::Warning });
    }
}

fn spot(vm: &Vm) -> Spot {
    Spot::new(vm.span, vm.path.clone())
}

/// A VM name in a template is copied to every Sandbox that comes of it.
fn vm_name_in_template(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    for template in fleet.of(Kind::SandboxTemplate) {
        let Some(vm) = fleet.evaluations[template.index].trace.vm.as_deref() else { continue };
        let claims: usize = fleet.pools_of(template).map(|pool| fleet.claims_of(pool).count()).sum();
        let warm: i64 = fleet.pools_of(template).map(|pool| pool.replicas()).sum();
        let members = warm.saturating_add(i64::try_from(claims).unwrap_or(i64::MAX));
        let message = format!(
            "every Sandbox of this template gets the VM name `{}`: the second Pod adopts the first Pod's VM instead of booting its own",
            vm.name
        );
        let finding = reports.of(template.index).out.add(&rule::VM_NAME_IN_TEMPLATE, spot(vm), message);
        finding.help(
            "write the annotation per Sandbox, or per claim in spec.additionalPodMetadata.annotations with a pool of `replicas: 0`",
        );
        if members > 1 {
            finding.severity(Severity::Error);
        }
        for pool in fleet.pools_of(template) {
            finding.related_in(
                fleet.file(pool),
                fleet.evaluations[pool.index].trace.name,
                format!("{} from this pool", sandboxes(pool.replicas())),
            );
        }
    }
}

fn sandboxes(count: i64) -> String {
    if count == 1 { "1 Sandbox".to_owned() } else { format!("{count} Sandboxes") }
}
