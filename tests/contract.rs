//! The contract's data says what the page "Runtime backends: the pod-template contract" says.

use sandbox_lint::contract::{AnnotationSpec, Backend, Contract, Direction, ValueType, render_text};

fn backend(name: &str) -> Backend {
    Contract::builtin().backend(name).cloned().expect("built-in backend")
}

fn annotation(backend: &Backend, key: &str) -> AnnotationSpec {
    backend.annotation(key).cloned().unwrap_or_else(|| panic!("{key} is missing"))
}

#[test]
fn three_backends_serve_a_sandbox_pod() {
    let contract = Contract::builtin();
    let names: Vec<_> = contract.backends.iter().map(|backend| backend.name.as_str()).collect();
    assert_eq!(names, ["kubelet", "sandboxd", "vk-cocoon"]);
    for (name, provider, isolation, delivery) in [
        ("kubelet", "kubelet", "RuntimeClass (Kata Containers, gVisor)", "Pod scheduling and image pull"),
        (
            "sandboxd",
            "vk-sandbox",
            "pre-booted microVM claimed from the node's warm pool",
            "ownership transfer, 0.2-0.7 ms",
        ),
        ("vk-cocoon", "vk-cocoon", "microVM booted or cloned for this Pod", "VM boot or snapshot clone"),
    ] {
        let backend = backend(name);
        assert_eq!(backend.provider, provider);
        assert!(backend.isolation.contains(isolation), "{}", backend.isolation);
        assert!(backend.delivery.contains(delivery), "{}", backend.delivery);
    }
}

#[test]
fn selectors_tolerations_and_taints_are_the_pages() {
    let kubelet = backend("kubelet");
    assert!(kubelet.selector.is_none() && kubelet.toleration.is_none() && kubelet.node.taints.is_empty());
    for (name, key, value, taint) in [
        ("sandboxd", "sandbox.cocoonstack.io/runtime", Some("sandboxd"), "sandboxd"),
        ("vk-cocoon", "cocoonstack.io/pool", None, "cocoon"),
    ] {
        let backend = backend(name);
        let selector = backend.selector.expect("a selector");
        assert_eq!((selector.key.as_str(), selector.value.as_deref()), (key, value));
        let toleration = backend.toleration.expect("a toleration");
        assert_eq!(
            (toleration.key.as_str(), toleration.operator.as_str(), toleration.effect.as_str()),
            ("virtual-kubelet.io/provider", "Exists", "NoSchedule")
        );
        let taints: Vec<_> =
            backend.node.taints.iter().map(|taint| format!("{}={}:{}", taint.key, taint.value, taint.effect)).collect();
        assert_eq!(taints, [format!("virtual-kubelet.io/provider={taint}:NoSchedule")]);
    }
    assert_eq!(backend("sandboxd").node.labels["sandbox.cocoonstack.io/runtime"], "sandboxd");
    assert_eq!(backend("vk-cocoon").node.labels["cocoonstack.io/pool"], "default");
    let settings = backend("vk-cocoon").node_settings;
    assert!(settings.iter().any(|setting| setting.set_by == "VK_NODE_POOL" && setting.value == "default"));
    assert!(backend("sandboxd").node_settings.iter().any(|setting| setting.set_by == "--node-labels"));
}

#[test]
fn neither_provider_reads_the_runtime_class() {
    for (name, reads) in [("kubelet", true), ("sandboxd", false), ("vk-cocoon", false)] {
        let backend = backend(name);
        assert_eq!(backend.reads_runtime_class_name, reads, "{name}");
        let ignored =
            backend.ignores.iter().any(|ignored| ignored.fields.iter().any(|field| field == "runtimeClassName"));
        assert_eq!(ignored, !reads, "{name}");
    }
}

#[test]
fn only_template_and_vm_name_are_required() {
    for (name, required) in [
        ("kubelet", &[][..]),
        ("sandboxd", &["sandbox.cocoonstack.io/template"][..]),
        ("vk-cocoon", &["vm.cocoonstack.io/name"][..]),
    ] {
        let backend = backend(name);
        let keys: Vec<_> =
            backend.annotations.iter().filter(|spec| spec.required).map(|spec| spec.key.as_str()).collect();
        assert_eq!(keys, required, "{name}");
        assert!(backend.annotations.iter().all(|spec| backend.owns(&spec.key)), "{name}");
    }
}

#[test]
fn sandboxd_annotations_are_the_pages() {
    let sandboxd = backend("sandboxd");
    let table: [(&str, &[&str], Option<&str>); 3] = [
        ("runtime", &["sandboxd"], Some("sandboxd")),
        ("net", &["none", "egress"], Some("none")),
        ("size", &["small", "medium", "large"], Some("small")),
    ];
    for (key, values, default) in table {
        let spec = annotation(&sandboxd, &format!("sandbox.cocoonstack.io/{key}"));
        assert_eq!(spec.values, values);
        assert_eq!(spec.default.as_deref(), default);
        assert!(spec.refused.is_some());
    }
    let ttl = annotation(&sandboxd, "sandbox.cocoonstack.io/ttl-seconds");
    assert_eq!((ttl.value_type, ttl.minimum, ttl.clamp_above), (ValueType::Integer, Some(0), Some(86400)));
    assert_eq!(ttl.default.as_deref(), Some("86400"));
    assert!(ttl.summary.contains("an explicit 0 takes sandboxd's five-minute default"));
    assert_eq!(annotation(&sandboxd, "sandbox.cocoonstack.io/claim-id").direction, Direction::Out);
    assert_eq!(sandboxd.annotations.len(), 6);
}

#[test]
fn vk_cocoon_annotations_are_the_pages() {
    let cocoon = backend("vk-cocoon");
    let name = annotation(&cocoon, "vm.cocoonstack.io/name");
    assert!(name.required && name.summary.contains("adopts that VM instead of booting one"));
    let managed = annotation(&cocoon, "cocoonset.cocoonstack.io/managed");
    assert!(managed.summary.contains("pre-assigned vm.cocoonstack.io/id and vm.cocoonstack.io/ip"));
    for key in ["vm.cocoonstack.io/id", "vm.cocoonstack.io/ip"] {
        let condition = annotation(&cocoon, key).required_unless.expect("needed by an unmanaged Pod");
        assert_eq!((condition.key.as_str(), condition.value.as_str()), ("cocoonset.cocoonstack.io/managed", "true"));
    }
    assert_eq!(annotation(&cocoon, "cocoonset.cocoonstack.io/mode").values, ["run", "clone"]);
    let os = annotation(&cocoon, "cocoonset.cocoonstack.io/os");
    assert_eq!(os.values, ["linux", "windows", "macos"]);
    assert_eq!(os.default.as_deref(), Some("linux"));
    assert!(annotation(&cocoon, "cocoonset.cocoonstack.io/image").summary.contains("Cocoon image library"));
    for (key, kind) in [
        ("cocoonset.cocoonstack.io/storage", ValueType::Quantity),
        ("cocoonset.cocoonstack.io/network", ValueType::Text),
        ("cocoonset.cocoonstack.io/snapshot-policy", ValueType::Enum),
        ("vm.cocoonstack.io/probe-port", ValueType::Port),
        ("vm.cocoonstack.io/backend", ValueType::Enum),
    ] {
        assert_eq!(annotation(&cocoon, key).value_type, kind, "{key}");
    }
}

#[test]
fn the_printed_contract_names_every_key_and_message() {
    let contract = Contract::builtin();
    let text = render_text(&contract);
    for backend in &contract.backends {
        assert!(text.contains(&backend.name));
        for spec in &backend.annotations {
            assert!(text.contains(&spec.key) && text.contains(&spec.summary), "{}", spec.key);
            for message in [&spec.missing, &spec.refused].into_iter().flatten() {
                assert!(text.contains(message.as_str()), "{message}");
            }
        }
    }
    let json = serde_json::to_value(&contract).expect("plain data");
    assert_eq!(json["backends"][1]["annotations"][0]["key"], "sandbox.cocoonstack.io/runtime");
    assert_eq!(json["backends"][1]["annotations"][0]["type"], "enum");
}
