//! What a warm pool makes of its template.

use super::{Fleet, Member, Report, Reports};
use crate::cluster::label_selector::LabelSelector;
use crate::finding::{Finding, Severity, Spot, Stage};
use crate::go;
use crate::resource::Kind;
use crate::resource::pod::PodPlan;
use crate::rule;
use crate::stage::{Subject, running};
use crate::yaml::Node;

const HOSTNAME: &str = "kubernetes.io/hostname";
const TTL: &str = "sandbox.cocoonstack.io/ttl-seconds";
const VM_NAME: &str = "vm.cocoonstack.io/name";

/// A lease that a member which waits for its claim uses up: an hour.
const SHORT_LEASE: i64 = 3600;
/// The longest lease that sandboxd gives: a day.
const LONGEST_LEASE: i64 = 86_400;
/// So many members are hardly meant.
const VAST: i64 = 100_000;
/// What a kubelet takes by default.
const PODS_PER_NODE: i64 = 110;
/// The lease of an explicit `0`.
const DEFAULT_LEASE: i64 = 300;

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    for template in fleet.of(Kind::SandboxTemplate) {
        named_by_claims(fleet, template, reports.of(template.index));
        super::claim::env_from_refuses_claims(fleet, template, reports.of(template.index));
    }
    for pool in fleet.of(Kind::SandboxWarmPool) {
        let report = reports.of(pool.index);
        empty_pool(fleet, pool, report);
        vast_pool(pool, report);
        let Some(template) = fleet.template_of(pool) else { continue };
        service_of_member(pool, template, report);
        let Some(subject) = template.subject else { continue };
        let users = Users { fleet, pool, template, subject };
        pool_outgrows_nodes(&users, report);
        unspread_pool(&users, report);
        lease_in_pool(&users, report);
        if never_restart_in_pool(&users, report) {
            reports.of(template.index).explained.push(|finding| finding.rule == &rule::UNRETRIED_FAILURE);
        }
    }
}

struct Users<'u, 'f, 's> {
    fleet: &'u Fleet<'f, 's>,
    pool: Member<'f, 's>,
    template: Member<'f, 's>,
    subject: &'f Subject<'s>,
}

impl Users<'_, '_, '_> {
    fn spot(&self) -> Spot {
        replicas_spot(self.pool)
    }

    /// Points at a place of the template.
    fn show(&self, finding: &mut Finding, place: crate::yaml::Span, words: &str) {
        finding.related_in(self.fleet.file(self.template), place, words);
    }
}

fn replicas_spot(pool: Member<'_, '_>) -> Spot {
    match pool.stored.at(&["spec", "replicas"]) {
        Some(node) => Spot::of(node, pool.resource.path("spec.replicas")),
        None => {
            let name = pool.stored.at(&["spec", "sandboxTemplateRef", "name"]).unwrap_or(pool.stored);
            Spot::of(name, pool.resource.path("spec.sandboxTemplateRef.name"))
        }
    }
}

/// A template without a VM name is right where every Sandbox of it is started cold by a claim that brings the name.
fn named_by_claims(fleet: &Fleet<'_, '_>, template: Member<'_, '_>, report: &mut Report) {
    let cold = fleet.pools_of(template).all(|pool| pool.replicas() == 0);
    let mut claims = fleet.pools_of(template).flat_map(|pool| fleet.claims_of(pool)).peekable();
    let named = |claim: Member<'_, '_>| {
        let annotations = claim.stored.at(&["spec", "additionalPodMetadata", "annotations"]);
        annotations.and_then(|map| map.get(VM_NAME)).and_then(Node::as_str).is_some_and(|name| !name.is_empty())
    };
    if cold && claims.peek().is_some() && claims.all(named) {
        report.explained.push(misses_vm_name);
    }
}

fn misses_vm_name(finding: &Finding) -> bool {
    let message = finding.outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
    finding.stage == Stage::Provider
        && message.is_some_and(|text| text.contains(&format!("missing {VM_NAME} annotation")))
}

/// Nothing is kept warm.
fn empty_pool(fleet: &Fleet<'_, '_>, pool: Member<'_, '_>, report: &mut Report) {
    let cocoon = fleet.template_of(pool).and_then(|template| template.subject?.serving_backend()) == Some("vk-cocoon");
    if pool.replicas() != 0 || cocoon {
        return;
    }
    report
        .out
        .add(&rule::EMPTY_POOL, replicas_spot(pool), "the pool keeps no Sandbox warm: every claim starts its own cold")
        .help("set spec.replicas to the number of claims expected at once");
}

/// More members than nearly any cluster has room for.
fn vast_pool(pool: Member<'_, '_>, report: &mut Report) {
    let replicas = pool.replicas();
    if replicas < VAST {
        return;
    }
    let nodes = (replicas + PODS_PER_NODE - 1) / PODS_PER_NODE;
    let message = format!("`replicas` is {replicas}: at {PODS_PER_NODE} Pods on a node, that takes {nodes} nodes");
    report.out.add(&rule::VAST_POOL, replicas_spot(pool), message).help(
        "write the number of claims expected at once; the controller creates a Sandbox for each, and Pods without room stay Pending (Kubernetes is made for up to 5000 nodes and 150000 Pods)",
    );
}

/// The Service of a member has the member's name, which begins with the pool's.
fn service_of_member(pool: Member<'_, '_>, template: Member<'_, '_>, report: &mut Report) {
    if !template.wants_service() || pool.replicas() == 0 {
        return;
    }
    let member = super::forecast::member_name(pool.resource.name());
    let Some((why, outcome)) = running::refused_service(&member) else { return };
    let message = format!(
        "service: true of the template makes Services called like `{member}`, which the API server refuses: the name {why}"
    );
    let node = pool.stored.at(&["metadata", "name"]).unwrap_or(pool.stored);
    report
        .out
        .add(&rule::SERVICE_NAME, Spot::of(node, pool.resource.path("metadata.name")), message)
        .help("give the pool a name of lower-case letters, digits and dashes, or leave service out of the template")
        .outcome(outcome);
}

/// Members that keep away from each other's node need a node each.
fn pool_outgrows_nodes(users: &Users<'_, '_, '_>, report: &mut Report) {
    let plan = &users.subject.plan;
    let terms = plan.spec.at(&["affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
    let mine = |term: &&Node<'_>| {
        term.get("topologyKey").and_then(Node::as_str) == Some(HOSTNAME) && selects(term.get("labelSelector"), plan)
    };
    let Some(term) = terms.and_then(|terms| terms.items().find(mine)) else { return };
    let nodes = users.subject.placement.nodes.iter().filter(|node| node.fits).count();
    let replicas = users.pool.replicas();
    if nodes == 0 || replicas <= i64::try_from(nodes).unwrap_or(i64::MAX) {
        return;
    }
    let known = users.fleet.world.has_real_nodes();
    let counted = if known {
        format!("{nodes} nodes of the snapshot take them")
    } else {
        "each needs a node of its own".to_owned()
    };
    let message = format!(
        "{replicas} members keep away from each other's node by podAntiAffinity: {counted}, the rest stay Pending"
    );
    let finding = report.out.add(&rule::POOL_OUTGROWS_NODES, users.spot(), message);
    finding.help("spread with topologySpreadConstraints and whenUnsatisfiable ScheduleAnyway instead");
    users.show(finding, term.place(), "the anti-affinity");
}

/// The scheduler packs one of several vk-sandbox nodes, which all look alike to it. A constraint that counts other Pods
/// is reported at the template.
fn unspread_pool(users: &Users<'_, '_, '_>, report: &mut Report) {
    if users.subject.serving_backend() != Some("sandboxd") || users.pool.replicas() < 2 {
        return;
    }
    let plan = &users.subject.plan;
    let spreads = |constraint: &Node<'_>| constraint.get("topologyKey").and_then(Node::as_str) == Some(HOSTNAME);
    let constraints = plan.spec.get("topologySpreadConstraints");
    if constraints.is_some_and(|constraints| constraints.items().any(spreads)) || has_anti_affinity(plan) {
        return;
    }
    let message = "nothing spreads the pool's Pods: the scheduler packs one of several vk-sandbox nodes, and a drained pool refills slowly";
    report.out.add(&rule::UNSPREAD_POOL, users.spot(), message).help(
        "label the Pods under spec.podTemplate.metadata.labels, and add a topologySpreadConstraint over kubernetes.io/hostname that selects that label",
    );
}

fn has_anti_affinity(plan: &PodPlan<'_>) -> bool {
    plan.spec.at(&["affinity", "podAntiAffinity"]).is_some()
}

/// Whether a label selector matches the Pod's own labels.
fn selects(selector: Option<&Node<'_>>, plan: &PodPlan<'_>) -> bool {
    let labels = plan.labels.iter().map(|meta| (meta.key.clone(), meta.value.clone())).collect();
    LabelSelector::read(selector).matches(&labels)
}

/// The lease of a member starts when it is made, not when it is claimed.
fn lease_in_pool(users: &Users<'_, '_, '_>, report: &mut Report) {
    if users.subject.serving_backend() != Some("sandboxd") || users.pool.replicas() == 0 {
        return;
    }
    let Some(meta) = users.subject.plan.annotation(TTL) else { return };
    let Some(lease) = go::atoi(&meta.value).filter(|lease| *lease >= 0) else { return };
    let lease = if lease == 0 { DEFAULT_LEASE } else { lease };
    if lease >= LONGEST_LEASE {
        return;
    }
    let message = format!(
        "the lease of {lease} seconds starts when a member is made: one that waits for a claim so long fails, and a claimed one has only the rest"
    );
    let finding = report.out.add(&rule::LEASE_IN_POOL, users.spot(), message);
    finding.help(format!("leave {TTL} out of templates that a pool uses"));
    if lease > SHORT_LEASE {
        finding.severity(Severity::Note);
    }
    users.show(finding, meta.value_span, "the lease");
}

/// A member that fails once stays Failed until the pool replaces it. Says whether it spoke.
fn never_restart_in_pool(users: &Users<'_, '_, '_>, report: &mut Report) -> bool {
    let Some(policy) = users.subject.plan.spec.get("restartPolicy") else { return false };
    let virtual_node = users.subject.serving_backend().is_some_and(|backend| backend != "kubelet");
    if policy.as_str() != Some("Never") || users.pool.replicas() == 0 || !virtual_node {
        return false;
    }
    let message = "restartPolicy Never in a pool: a member whose create fails once is Failed for good, and is replaced only after five minutes";
    let finding = report.out.add(&rule::NEVER_RESTART_IN_POOL, users.spot(), message);
    finding.help("leave restartPolicy at Always in the template; on a virtual node it restarts nothing, but a failed create is tried again");
    users.show(finding, policy.place(), "the policy");
    true
}
