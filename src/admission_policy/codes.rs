//! Which rule of the linter says what the contract says of an annotation.

use crate::rule::{self, Rule};

/// The rule for an annotation that is missing.
pub(super) fn missing(key: &str) -> &'static Rule {
    match key {
        "sandbox.cocoonstack.io/template" => &rule::MISSING_TEMPLATE,
        "vm.cocoonstack.io/name" => &rule::MISSING_VM_NAME,
        "vm.cocoonstack.io/id" | "vm.cocoonstack.io/ip" => &rule::UNMANAGED_WITHOUT_IDENTITY,
        _ => &rule::MISSING_ANNOTATION,
    }
}

/// The rule for a value that is not taken as it is; `None` where the linter says nothing of it.
pub(super) fn value(backend: &str, key: &str) -> Option<&'static Rule> {
    Some(match (backend, key) {
        ("sandboxd", "sandbox.cocoonstack.io/runtime") => &rule::REFUSED_RUNTIME,
        ("sandboxd", "sandbox.cocoonstack.io/ttl-seconds") => &rule::INVALID_TTL,
        ("sandboxd", "sandbox.cocoonstack.io/net") => &rule::UNKNOWN_NET,
        ("sandboxd", "sandbox.cocoonstack.io/size") => &rule::UNKNOWN_SIZE,
        ("vk-cocoon", "vm.cocoonstack.io/name") => &rule::INVALID_VM_NAME,
        ("vk-cocoon", "cocoonset.cocoonstack.io/mode") => &rule::UNKNOWN_MODE,
        ("vk-cocoon", "vm.cocoonstack.io/backend") => &rule::UNKNOWN_HYPERVISOR,
        ("vk-cocoon", "cocoonset.cocoonstack.io/snapshot-policy") => &rule::UNKNOWN_SNAPSHOT_POLICY,
        ("sandboxd" | "vk-cocoon", _) => return None,
        _ => &rule::REFUSED_ANNOTATION,
    })
}
