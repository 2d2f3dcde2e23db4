//! Amounts of bytes that nobody can mean.

use crate::finding::{Findings, Spot};
use crate::quantity::Quantity;
use crate::rule;
use crate::stage::Subject;
use crate::yaml::{Node, Value};

/// Less than this is no amount of memory or storage that anything runs with.
const LEAST_BYTES: i64 = 1024;

/// `512m` is half a byte, and `512` is 512 bytes: the unit is wrong or missing.
pub(super) fn fractional_bytes(subject: &Subject<'_>, out: &mut Findings) {
    // The cocoon command has a rule of its own for the memory of a VM.
    if subject.serving_backend() == Some("vk-cocoon") {
        return;
    }
    for list in ["initContainers", "containers"] {
        for (index, container) in subject.plan.spec.get(list).into_iter().flat_map(Node::items).enumerate() {
            for (kind, resource) in [
                ("requests", "memory"),
                ("requests", "ephemeral-storage"),
                ("limits", "memory"),
                ("limits", "ephemeral-storage"),
            ] {
                let Some(node) = container.at(&["resources", kind, resource]) else { continue };
                let path = subject.plan.path(&format!("{list}[{index}].resources.{kind}.{resource}"));
                judge(node, resource, path, out);
            }
        }
    }
    for (index, template) in subject.plan.claim_templates.iter().enumerate() {
        let Some(node) = template.at(&["spec", "resources", "requests", "storage"]) else { continue };
        let field = format!("spec.volumeClaimTemplates[{index}].spec.resources.requests.storage");
        judge(node, "storage", subject.resource.path(&field), out);
    }
}

fn judge(node: &Node<'_>, resource: &str, path: String, out: &mut Findings) {
    let (amount, written) = match &node.value {
        Value::Int(number) => (Quantity::from_int(*number), number.to_string()),
        Value::String(text) => match Quantity::parse(text) {
            Ok(amount) => (amount, text.to_string()),
            Err(_) => return,
        },
        _ => return,
    };
    if amount.is_zero() || amount.is_negative() || (amount.is_integer() && amount.value() >= LEAST_BYTES) {
        return;
    }
    let number = written.trim_end_matches('m');
    let message = if written.len() > number.len() {
        format!("{resource} `{written}` is {number} thousandths of a byte")
    } else {
        format!("{resource} `{written}` is {} bytes", amount.value())
    };
    out.add(&rule::FRACTIONAL_BYTES, Spot::of(node, path), message).help(format!("write the unit: `{number}Mi`"));
}
