//! Does the API server accept the resource?

mod date_time;
mod decode;
mod fault;
mod judge;
mod metadata;
mod place;
mod remark;
mod unknown;
mod version;
mod walk;
mod workload;

#[cfg(test)]
mod tests;

use crate::cluster::World;
use crate::finding::{Findings, Severity, Spot};
use crate::go::float;
use crate::resource::identify::NoMatch;
use crate::resource::schema;
use crate::resource::{Kind, Resource, Version};
use crate::rule;
use crate::yaml::{Node, Value};
use fault::{Cause, Fault};
use metadata::Metadata;
use serde::Serialize;
use unknown::Unknown;
use walk::{Dropped, Walk};

/// How the API server takes a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    /// With kubectl's default strict validation.
    Strict,
    /// Only without it: unknown fields are dropped.
    Lenient,
    /// Not at all.
    Refused,
}

/// The answer of admission.
#[derive(Clone, Debug)]
pub struct Admission<'s> {
    /// How it is taken.
    pub accepted: Accepted,
    /// What is stored: nulls dropped, unknown fields pruned, defaults filled in. Where the object is refused for
    /// defects that hide nothing of the rest, what would be stored once they are fixed.
    pub stored: Option<Node<'s>>,
}

/// Judges one resource. Where it is refused, `out.stop` has the server's words.
pub fn check<'s>(resource: &Resource<'s>, world: &World, out: &mut Findings) -> Admission<'s> {
    if let Kind::Workload(workload) = resource.kind {
        return workload::check(resource, workload, out);
    }
    let gone = served_version(resource, world, out);
    let mut walk = Walk::within(resource.text, "");
    let stored = walk.object(&resource.root, schema::root_in(resource.kind, resource.version, world.agent_sandbox));
    let Walk { faults, lists, unknown, nulls, .. } = walk;
    let Metadata { client, unknown: unknown_metadata, namespace, faults: mut all, .. } =
        metadata::check(resource, world);
    all.extend(faults);
    all.extend(scale(resource));
    all.extend(lists);
    let mut all_unknown = unknown_metadata;
    all_unknown.extend(unknown);

    let refused = gone.is_some() || client.is_some() || namespace.is_some() || !all.is_empty();
    let whole = client.is_none() && namespace.is_none() && all.iter().all(|fault| fault.fixable);
    if let Some(text) = gone.or_else(|| client.as_ref().map(|(text, _)| text.clone())) {
        out.stop(fault::rejected(text));
    } else if refused {
        let strict = !all_unknown.is_empty();
        let namespace = namespace.as_ref().map(|(text, _)| text.clone());
        out.stop(fault::rejected(
            namespace.filter(|_| !strict).unwrap_or_else(|| refusal(resource, &all_unknown, &all)),
        ));
    }
    for (text, cause) in client.into_iter().chain(namespace) {
        cause.report(resource, fault::rejected(text), out);
    }
    report_unknown(resource, &all_unknown, world, out);
    let lenient = !all_unknown.is_empty();
    report_faults(resource, all, out);
    dropped_null(resource, &nulls, out);
    for cause in
        [metadata::too_large_to_apply(resource), metadata::generated_name_applied(resource)].into_iter().flatten()
    {
        cause.say(resource, out);
    }
    let accepted = match (refused, lenient) {
        (true, _) => Accepted::Refused,
        (false, true) => Accepted::Lenient,
        (false, false) => Accepted::Strict,
    };
    Admission { accepted, stored: (!refused || whole).then_some(stored) }
}

/// Says that the API server has no such kind, and stops there.
pub fn unknown_kind(found: &NoMatch<'_>, out: &mut Findings) {
    let outcome = fault::rejected(found.refusal.clone());
    let finding = out.add(&rule::UNKNOWN_KIND, found.spot.clone(), found.message.clone());
    finding.help(found.help.clone()).outcome(outcome.clone());
    finding.fix = found.fix.clone();
    if !found.sure {
        finding.severity(Severity::Warning);
    }
    out.stop(outcome);
}

/// Says what the release does not serve, or not for long; the answer is kubectl's refusal where it does not.
fn served_version(resource: &Resource<'_>, world: &World, out: &mut Findings) -> Option<String> {
    let (cause, refusal) = version::served_version(resource, world)?;
    match &refusal {
        Some(text) => cause.report(resource, fault::rejected(text.clone()), out),
        None => cause.say(resource, out),
    }
    refusal
}

/// The words of a refusal: strict decoding comes before validation.
fn refusal(resource: &Resource<'_>, unknown: &[Unknown], faults: &[Fault]) -> String {
    if !unknown.is_empty() {
        return fault::strict(resource, resource.version.name(), &sorted(unknown));
    }
    let mut lines: Vec<String> = faults.iter().flat_map(|fault| fault.lines.clone()).collect();
    // Only the v1beta1 Sandbox has a rule over several fields (volumeClaimTemplates never change).
    let has_rules = resource.kind == Kind::Sandbox && resource.version == Version::V1beta1;
    if has_rules && faults.iter().any(|fault| fault.blocking) {
        lines.push(fault::UNCHECKED.to_owned());
    }
    fault::invalid(resource.kind.name(), &metadata::shown_name(resource), &lines)
}

/// Fields of the metadata first, each part in the order of the paths.
fn sorted(unknown: &[Unknown]) -> Vec<String> {
    let mut fields: Vec<String> = unknown.iter().map(|unknown| unknown.path.clone()).collect();
    fields.sort_by(|a, b| b.starts_with("metadata.").cmp(&a.starts_with("metadata.")).then_with(|| a.cmp(b)));
    fields
}

/// How many unknown fields the outcome of each finding names; the outcome of the resource names them all. With all
/// in each, output would grow with the square of their number.
const SHOWN_UNKNOWN: usize = 100;

/// One finding for each unknown field; what the user sees of each is kubectl's one message of all.
fn report_unknown(resource: &Resource<'_>, unknown: &[Unknown], world: &World, out: &mut Findings) {
    if unknown.is_empty() {
        return;
    }
    let mut fields = sorted(unknown);
    let left_out = fields.len().saturating_sub(SHOWN_UNKNOWN);
    fields.truncate(SHOWN_UNKNOWN);
    let mut words = fault::strict(resource, resource.version.name(), &fields);
    if left_out > 0 {
        words.push_str(&format!(", <{left_out} more unknown fields>"));
    }
    for field in unknown {
        let Some(mut cause) = field.cause(resource.kind.name(), resource.version.name(), world.agent_sandbox) else {
            continue;
        };
        if let (Some(missing), Some(help)) = (&field.also_missing, &mut cause.help) {
            let gap = if help.ends_with('?') { " As" } else { "; as" };
            help.push_str(&format!("{gap} it stands, `{missing}` is missing, too"));
        }
        cause.report(resource, fault::rejected(words.clone()), out);
    }
}

fn report_faults(resource: &Resource<'_>, faults: Vec<Fault>, out: &mut Findings) {
    if faults.is_empty() {
        return;
    }
    let name = metadata::shown_name(resource);
    for fault in faults {
        if let Some(cause) = fault.cause {
            let words = fault::invalid(resource.kind.name(), &name, &fault.lines);
            cause.report(resource, fault::rejected(words), out);
        }
    }
}

/// The checks of the scale subresource repeat what the schema says of `spec.replicas`.
fn scale(resource: &Resource<'_>) -> Option<Fault> {
    let scaled = match resource.kind {
        Kind::SandboxWarmPool => true,
        Kind::Sandbox => resource.version == Version::V1alpha1,
        _ => false,
    };
    let spec = resource.root.get("spec").filter(|_| scaled)?;
    let line = match &spec.value {
        Value::Map(map) => replicas_line(map.get("replicas")?)?,
        Value::Null => return None,
        _ => {
            let (shown, kind) = go_value(spec);
            let detail = format!(
                ".spec.replicas accessor error: {shown} is of the type {kind}, expected map[string]interface{{}}"
            );
            format!(".spec.replicas: Invalid value: 0: {detail}")
        }
    };
    Some(Fault::echo(line))
}

fn replicas_line(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Value::Null => None,
        Value::Int(number) if *number < 0 => {
            Some(format!(".spec.replicas: Invalid value: {number}: should be a non-negative integer"))
        }
        Value::Int(number) if *number > i64::from(i32::MAX) => {
            Some(format!(".spec.replicas: Invalid value: {number}: should be less than or equal to {}", i32::MAX))
        }
        Value::Int(_) => None,
        _ => {
            let (shown, kind) = go_value(node);
            let detail = format!(".spec.replicas accessor error: {shown} is of the type {kind}, expected int64");
            Some(format!(".spec.replicas: Invalid value: 0: {detail}"))
        }
    }
}

/// A value and its type as Go's `%v` and `%T` print them.
fn go_value(node: &Node<'_>) -> (String, &'static str) {
    match &node.value {
        Value::String(text) => (text.to_string(), "string"),
        Value::Bool(flag) => (flag.to_string(), "bool"),
        Value::Int(number) => (number.to_string(), "int64"),
        Value::Float(number) => (float::shown(*number), "float64"),
        Value::Seq(items) => {
            let items: Vec<String> = items.iter().map(|item| go_value(item).0).collect();
            (format!("[{}]", items.join(" ")), "[]interface {}")
        }
        // The server has dropped the keys by then.
        Value::Map(_) => ("map[]".to_owned(), "map[string]interface {}"),
        Value::Null => ("<nil>".to_owned(), "<nil>"),
    }
}

/// Says of each null that it vanishes, and that server-side apply does not take it.
fn dropped_null(resource: &Resource<'_>, nulls: &[Dropped], out: &mut Findings) {
    for null in nulls.iter().filter(|null| !null.defaulted) {
        let path = &null.path;
        let line = format!("{path}: Invalid value: \"null\": {path} in body must be of type {}: \"null\"", null.types);
        let words = fault::invalid(resource.kind.name(), &metadata::shown_name(resource), &[line]);
        let message = format!("`{}` has no value: the API server drops it, as if it were not written", null.name);
        let help = format!(
            "give it a value, or take the key away; server-side apply, as Argo CD and Flux use it, refuses it: {words}"
        );
        Cause::new(&rule::DROPPED_NULL, Spot::new(null.key, path.clone()), message).help(help).say(resource, out);
    }
}

impl Cause {
    /// Says it without an outcome of its own.
    fn say(self, resource: &Resource<'_>, out: &mut Findings) {
        let spot = Spot::new(self.spot.span, resource.path(&self.spot.path));
        let finding = out.add(self.rule, spot, self.message);
        finding.help = self.help;
        finding.fix = self.fix;
        finding.severity(self.severity.unwrap_or(self.rule.severity));
    }
}
