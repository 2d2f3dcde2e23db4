//! Probes, lifecycle hooks and their handlers.

use super::field::Field;
use super::field_fix::FieldFix;
use super::message::{Bad, Errors};
use super::names;
use crate::finding::Applicability;

const PROBE_HANDLERS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "grpc"];
const HOOK_HANDLERS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "sleep"];

/// Checks the three probes of a container.
pub fn invalid_probe(container: &Field<'_>, errors: &mut Errors) {
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = container.child(name);
        if !probe.is_set() {
            continue;
        }
        handler(&probe, &PROBE_HANDLERS, None, errors);
        for number in ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
        {
            not_negative(&probe.child(number), errors);
        }
        let grace = probe.child("terminationGracePeriodSeconds");
        if let Some(seconds) = grace.int().filter(|seconds| *seconds <= 0) {
            errors.invalid(&grace, seconds, "must be greater than 0");
        }
        if name == "readinessProbe" {
            if let Some(seconds) = grace.int() {
                errors.invalid(&grace, seconds, "must not be set for readinessProbes");
            }
            continue;
        }
        let successes = probe.child("successThreshold");
        if let Some(number) = successes.int().filter(|number| ![0, 1].contains(number)) {
            errors.invalid(&successes, number, "must be 1").with_fix(FieldFix::number(
                &successes,
                "1",
                Applicability::Unsafe,
            ));
        }
    }
}

fn not_negative(field: &Field<'_>, errors: &mut Errors) {
    if let Some(number) = field.int().filter(|number| *number < 0) {
        errors.invalid(field, number, "must be greater than or equal to 0");
    }
}

/// Checks `lifecycle`.
pub fn lifecycle(lifecycle: &Field<'_>, grace: Option<i64>, errors: &mut Errors) {
    for hook in ["postStart", "preStop"].map(|name| lifecycle.child(name)) {
        if hook.is_set() {
            handler(&hook, &HOOK_HANDLERS, grace, errors);
        }
    }
    let signal = lifecycle.child("stopSignal");
    if signal.is_set() {
        stop_signal(&signal, errors);
    }
}

/// A stop signal goes with `spec.os.name` alone; the stage's root checks that, so only emptiness shows here.
fn stop_signal(signal: &Field<'_>, errors: &mut Errors) {
    if signal.text().is_empty() {
        errors.unsupported(signal, &["SIGTERM", "SIGKILL"]);
    }
}

fn handler(owner: &Field<'_>, kinds: &[&str], grace: Option<i64>, errors: &mut Errors) {
    let mut taken = false;
    for kind in kinds {
        let action = owner.child(kind);
        if !action.is_set() {
            continue;
        }
        if taken {
            errors
                .forbidden(&action.at_key(), "may not specify more than 1 handler type")
                .help("keep one of the handlers");
            continue;
        }
        taken = true;
        match *kind {
            "exec" => exec(&action, errors),
            "httpGet" => http_get(&action, errors),
            "tcpSocket" => port(&action.child("port"), errors),
            "grpc" => grpc_port(&action.child("port"), errors),
            _ => sleep(&action, grace, errors),
        }
    }
    if !taken {
        let list = kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
        errors
            .required(owner, "must specify a handler type")
            .says(format!("`{}` says nothing of what to do", owner.name()))
            .help(format!("add one of {list}"));
    }
}

fn exec(action: &Field<'_>, errors: &mut Errors) {
    if action.child("command").len() == 0 {
        errors.required(&action.child("command"), "");
    }
}

fn http_get(action: &Field<'_>, errors: &mut Errors) {
    port(&action.child("port"), errors);
    let scheme = action.child("scheme");
    if !["", "HTTP", "HTTPS"].contains(&scheme.text()) {
        errors.unsupported(&scheme, &["HTTP", "HTTPS"]);
    }
    for header in action.child("httpHeaders").items() {
        let name = header.child("name");
        let shown = name.shown_as(action.child("httpHeaders").shown());
        errors.invalid_each(&shown, name.text(), &names::http_header(name.text()));
    }
}

/// A port by number or by name.
fn port(field: &Field<'_>, errors: &mut Errors) {
    if let Some(number) = field.int() {
        for detail in names::port_number(number) {
            errors.invalid(field, number, &detail);
        }
        return;
    }
    if !field.is_set() {
        for detail in names::port_number(0) {
            errors.invalid(field, 0, &detail);
        }
        return;
    }
    let name = field.text();
    for detail in names::port_name(name) {
        let cause = errors.invalid(field, name, &detail);
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            cause
                .says(format!("`port` is the text \"{name}\", which the server takes for a port's name"))
                .help("write the number without quotes")
                .with_fix(FieldFix::number(field, name, Applicability::Safe));
        }
    }
}

fn grpc_port(field: &Field<'_>, errors: &mut Errors) {
    let number = field.int().unwrap_or(0);
    for detail in names::port_number(number) {
        errors.invalid(field, number, &detail);
    }
}

/// Zero seconds are allowed since 1.34.
fn sleep(action: &Field<'_>, grace: Option<i64>, errors: &mut Errors) {
    let Some(grace) = grace else { return };
    let field = action.pointing_at(action.child("seconds").place);
    let seconds = action.child("seconds").int().unwrap_or(0);
    let zero_allowed = errors.kube_minor >= 33;
    if seconds < 0 || seconds > grace || (seconds == 0 && !zero_allowed) {
        let detail = if zero_allowed {
            format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})")
        } else {
            format!(
                "must be greater than 0 and less than terminationGracePeriodSeconds ({grace}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."
            )
        };
        errors.invalid(&field, Bad::Int(seconds), &detail);
    }
}
