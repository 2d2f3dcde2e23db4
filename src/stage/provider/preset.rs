//! Annotations that a provider or an operator writes, and an author should not.

use super::create::CreatePod;
use crate::contract::Direction;
use crate::rule;

/// The one output that vk-cocoon leaves to the author of an unmanaged Pod, beside its id and address.
const VNC_PORT: &str = "vm.cocoonstack.io/vnc-port";
const MANAGED: &str = "cocoonset.cocoonstack.io/managed";

/// One finding for each such annotation; what an unmanaged Pod has to carry is its author's.
pub fn preset_annotation(create: &mut CreatePod<'_, '_, '_>) {
    for spec in &create.backend.annotations {
        let Some(meta) = create.annotation(&spec.key).filter(|_| spec.required_unless.is_none()) else { continue };
        let message = match spec.direction {
            Direction::In => continue,
            Direction::Out if spec.key == VNC_PORT && create.text(MANAGED) != Some("true") => continue,
            Direction::Out => format!(
                "{} is written back by {}; the value written here stays and hides the real one",
                spec.key, create.backend.provider
            ),
            Direction::Operator => {
                format!("{} is for an operator to write, not for a template: {}", spec.key, lower(&spec.summary))
            }
        };
        create.out.add(&rule::PRESET_ANNOTATION, create.key_spot(meta), message).help("remove it");
    }
}

/// A summary in the middle of a sentence.
fn lower(summary: &str) -> String {
    let mut chars = summary.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
