//! A pool's template and a claim's pool: are they there?
//!
//! What is not among the files may well be in the cluster, so only a near miss counts: the name with a defect of the pen, or
//! the right name in another namespace.

use super::{Fleet, Member, Report, Reports};
use crate::finding::{Applicability, Edit, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::resource::{Kind, Version};
use crate::rule;
use crate::suggest;
use crate::yaml::{Node, Style};
use std::borrow::Cow;

pub(super) fn check(fleet: &Fleet<'_, '_>, reports: &mut Reports<'_, '_>) {
    for pool in fleet.of(Kind::SandboxWarmPool) {
        unknown_template(fleet, pool, reports.of(pool.index));
    }
    for claim in fleet.of(Kind::SandboxClaim) {
        unknown_pool(fleet, claim, reports.of(claim.index));
        template_of_pool_missing(fleet, claim, reports);
    }
}

/// The pool that a claim asks for. A v1alpha1 claim names a template; its conversion makes up a name.
pub(super) fn pool_name<'n>(claim: &'n Node<'_>) -> Option<Cow<'n, str>> {
    if let Some(name) = claim.at(&["spec", "warmPoolRef", "name"]) {
        return name.as_str().map(Cow::Borrowed);
    }
    let template = claim.at(&["spec", "sandboxTemplateRef", "name"])?.as_str()?;
    match claim.at(&["spec", "warmpool"]).and_then(Node::as_str) {
        None | Some("" | "none" | "default") => Some(Cow::Owned(format!("shadow-pool-{template}"))),
        Some(pool) => Some(Cow::Borrowed(pool)),
    }
}

fn unknown_template(fleet: &Fleet<'_, '_>, pool: Member<'_, '_>, report: &mut Report) {
    let Some(node) = pool.stored.at(&["spec", "sandboxTemplateRef", "name"]) else { return };
    let Some(name) = node.as_str() else { return };
    let Some(miss) = miss(fleet, pool, Kind::SandboxTemplate, node, name) else { return };
    let outcome = Outcome::new(Stage::Reconcile, Shown::Pool, Phase::NoPod)
        .shown_on(
            "nothing: no condition and no event; only the controller logs `Failed to get sandbox template and hash`",
        )
        .retries("until the template exists");
    let spot = Spot::of(node, pool.resource.path("spec.sandboxTemplateRef.name"));
    report_miss(fleet, report, &rule::UNKNOWN_TEMPLATE, spot, miss, outcome);
}

fn unknown_pool(fleet: &Fleet<'_, '_>, claim: Member<'_, '_>, report: &mut Report) {
    let Some(name) = pool_name(claim.stored) else { return };
    let outcome = not_found("WarmPoolNotFound", format!("SandboxWarmPool \"{name}\" not found"));
    if let (Version::V1alpha1, Cow::Owned(_)) = (claim.resource.version, &name) {
        return converted_claim(fleet, claim, &name, outcome, report);
    }
    let field = if claim.resource.version == Version::V1alpha1 { "spec.warmpool" } else { "spec.warmPoolRef.name" };
    let keys: Vec<&str> = field.split('.').collect();
    let Some(node) = claim.stored.at(&keys) else { return };
    let Some(miss) = miss(fleet, claim, Kind::SandboxWarmPool, node, &name) else { return };
    report_miss(fleet, report, &rule::UNKNOWN_POOL, Spot::of(node, claim.resource.path(field)), miss, outcome);
}

/// A v1alpha1 claim without a pool is stored with the name of a pool that nobody makes.
fn converted_claim(fleet: &Fleet<'_, '_>, claim: Member<'_, '_>, name: &str, outcome: Outcome, report: &mut Report) {
    if fleet.find(Kind::SandboxWarmPool, claim.resource.namespace(), name).is_some() {
        return;
    }
    let Some(node) = claim.stored.at(&["spec", "sandboxTemplateRef", "name"]) else { return };
    let spot = Spot::of(node, claim.resource.path("spec.sandboxTemplateRef.name"));
    let message = format!("this v1alpha1 claim is stored as a claim on the pool `{name}`, which nothing makes");
    let finding = report.out.add(&rule::UNKNOWN_POOL, spot, message);
    finding.severity(Severity::Warning).outcome(outcome.clone());
    finding
        .help("write the claim as v1beta1 with spec.warmPoolRef.name, and a SandboxWarmPool that names the template");
    report.refuse(outcome);
}

/// The claim is fine, its pool waits for a template: only the outcome is the claim's.
fn template_of_pool_missing(fleet: &Fleet<'_, '_>, claim: Member<'_, '_>, reports: &mut Reports<'_, '_>) {
    let Some(pool) = fleet.pool_of(claim) else { return };
    let name = pool.stored.at(&["spec", "sandboxTemplateRef", "name"]).and_then(Node::as_str);
    if let Some(name) = name.filter(|_| reports.of(pool.index).refused.is_some()) {
        reports.of(claim.index).refuse(not_found("TemplateNotFound", format!("SandboxTemplate \"{name}\" not found")));
    }
}

fn not_found(reason: &str, message: String) -> Outcome {
    Outcome::new(Stage::Reconcile, Shown::Claim, Phase::NoPod)
        .reason(reason)
        .message(message)
        .shown_on("SandboxClaim condition Ready")
        .retries("every minute")
}

/// Why a name is taken for a miss.
struct Miss<'f, 's> {
    message: String,
    help: String,
    certain: bool,
    near: Option<Member<'f, 's>>,
    /// The name to write, as it has to be written in place of the other.
    instead: Option<String>,
}

fn miss<'f, 's>(
    fleet: &Fleet<'f, 's>,
    from: Member<'_, '_>,
    kind: Kind,
    node: &Node<'_>,
    name: &str,
) -> Option<Miss<'f, 's>> {
    let namespace = from.resource.namespace();
    let word = word(kind);
    if fleet.declares(kind, namespace, name) {
        return None;
    }
    if name.is_empty() {
        let help = format!("write the name of a {word} of namespace {namespace}");
        return Some(Miss {
            message: format!("the {word} is named by an empty text"),
            help,
            certain: true,
            near: None,
            instead: None,
        });
    }
    if let Some(known) = in_snapshot(fleet, kind, namespace, name) {
        let help = known
            .near
            .map_or_else(|| format!("create it in namespace {namespace}"), |near| format!("did you mean `{near}`?"));
        let message =
            format!("no {word} `{name}` in namespace {namespace}, neither among the files nor in the snapshot");
        return (!known.there).then_some(Miss { message, help, certain: true, near: None, instead: None });
    }
    misspelt(fleet, from, kind, node, name)
        .or_else(|| elsewhere(fleet, from, kind, name))
        .or_else(|| template_as_pool(fleet, from, kind, name))
}

/// A claim that names a template, as claims of v1alpha1 do: the template is among the files, no such pool is.
fn template_as_pool<'f, 's>(
    fleet: &Fleet<'f, 's>,
    from: Member<'_, '_>,
    kind: Kind,
    name: &str,
) -> Option<Miss<'f, 's>> {
    let template = fleet.find(Kind::SandboxTemplate, from.resource.namespace(), name)?;
    let pool = fleet.pools_of(template).next();
    (kind == Kind::SandboxWarmPool).then(|| Miss {
        message: format!("`{name}` is a SandboxTemplate among the files, and no SandboxWarmPool; a claim names a pool"),
        help: pool.map_or_else(
            || "add a SandboxWarmPool that names the template, with replicas: 0 to keep nothing warm".to_owned(),
            |pool| format!("the pool of that template is `{}`", pool.resource.name()),
        ),
        certain: false,
        near: Some(template),
        instead: None,
    })
}

fn word(kind: Kind) -> &'static str {
    if kind == Kind::SandboxTemplate { "SandboxTemplate" } else { "SandboxWarmPool" }
}

/// What a snapshot knows of a name.
struct Known {
    there: bool,
    near: Option<String>,
}

/// `None` where the snapshot does not list objects of this kind.
fn in_snapshot(fleet: &Fleet<'_, '_>, kind: Kind, namespace: &str, name: &str) -> Option<Known> {
    let snapshot = fleet.world.snapshot.as_ref()?;
    let template = kind == Kind::SandboxTemplate;
    let there =
        if template { snapshot.has_template(namespace, name) } else { snapshot.has_warm_pool(namespace, name) }?;
    let near = if template {
        suggest::nearest(name, snapshot.template_names(namespace)).map(str::to_owned)
    } else {
        suggest::nearest(name, snapshot.warm_pool_names(namespace)).map(str::to_owned)
    };
    Some(Known { there, near })
}

/// Among more names than these, some are near every other, and comparing them takes long.
const MANY: usize = 1000;

/// The nearest name, if it is likely a misspelling; names that differ in digits only are siblings.
fn misspelt<'f, 's>(
    fleet: &Fleet<'f, 's>,
    from: Member<'_, '_>,
    kind: Kind,
    node: &Node<'_>,
    name: &str,
) -> Option<Miss<'f, 's>> {
    let (namespace, word) = (from.resource.namespace(), word(kind));
    let here = fleet.within(kind, namespace).filter(|here| here.len() <= MANY)?;
    let here: Vec<Member<'f, 's>> = here.iter().filter_map(|index| fleet.member(*index)).collect();
    let typed = letters(name);
    let candidates = here.iter().map(|member| member.resource.name());
    let near = suggest::nearest(name, candidates.filter(|other| letters(other) != typed))?;
    let near = here.iter().copied().find(|member| member.resource.name() == near)?;
    Some(Miss {
        message: format!("no {word} `{name}` in namespace {namespace} among the files"),
        help: format!("did you mean `{}`?", near.resource.name()),
        certain: fleet.file(near) == fleet.file(from),
        near: Some(near),
        instead: Some(quoted_like(node, near.resource.name())),
    })
}

/// A name in the quotes that another was written in.
fn quoted_like(node: &Node<'_>, name: &str) -> String {
    match node.style {
        Style::DoubleQuoted => format!("\"{name}\""),
        Style::SingleQuoted => format!("'{name}'"),
        _ => name.to_owned(),
    }
}

/// The right name in another namespace; references do not cross namespaces.
fn elsewhere<'f, 's>(fleet: &Fleet<'f, 's>, from: Member<'_, '_>, kind: Kind, name: &str) -> Option<Miss<'f, 's>> {
    let word = word(kind);
    let near = fleet.anywhere(kind, name)?;
    let written = from.resource.id.namespace.is_some() && near.resource.id.namespace.is_some();
    let (here, there) = (from.resource.namespace(), near.resource.namespace());
    let context = if written { "" } else { ", unless kubectl is given that namespace" };
    Some(Miss {
        message: format!(
            "{word} `{name}` is in namespace {there}, and a reference looks in its own only: {here}{context}"
        ),
        help: "put both in one namespace".to_owned(),
        certain: written && fleet.file(near) == fleet.file(from),
        near: Some(near),
        instead: None,
    })
}

fn letters(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

fn report_miss(
    fleet: &Fleet<'_, '_>,
    report: &mut Report,
    rule: &'static rule::Rule,
    spot: Spot,
    miss: Miss<'_, '_>,
    outcome: Outcome,
) {
    let span = spot.span;
    let finding = report.out.add(rule, spot, miss.message);
    finding.help(miss.help);
    if let Some(text) = miss.instead {
        finding.fix(Applicability::Unsafe, format!("write {text}"), vec![Edit { span, text }]);
    }
    if let Some(near) = miss.near {
        let place = near.stored.at(&["metadata", "name"]).map_or(near.stored.place(), Node::place);
        finding.related_in(fleet.file(near), place, "this one is near");
    }
    if miss.certain {
        finding.outcome(outcome.clone());
        report.refuse(outcome);
    } else {
        finding.severity(Severity::Warning).outcome(outcome.uncertain());
    }
}
