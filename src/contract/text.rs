//! The contract for a reader at a terminal.

use super::{AnnotationSpec, Backend, Contract, Direction, Gate, Otherwise, ValueType};

/// All of the contract as plain text, one section for each backend.
pub fn render_text(contract: &Contract) -> String {
    let sections: Vec<String> = contract.backends.iter().map(backend_text).collect();
    sections.join("\n")
}

fn backend_text(backend: &Backend) -> String {
    let mut lines = vec![format!("{}  ({})", backend.name, backend.provider)];
    let mut field = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("  {name:<13}{value}"));
        }
    };
    field("summary", backend.summary.clone());
    field("isolation", backend.isolation.clone());
    field("delivery", backend.delivery.clone());
    field("node", node_text(backend));
    field("labels", pairs(&backend.node.labels));
    field("taints", taints(backend));
    field("allocatable", pairs(&backend.node.allocatable));
    for setting in &backend.node_settings {
        let set_by = if setting.set_by.is_empty() { String::new() } else { format!(" ({})", setting.set_by) };
        field("setting", format!("{}: {}{set_by}", setting.what, setting.value));
    }
    field("nodeSelector", selector(backend));
    field("toleration", toleration(backend));
    let class = if backend.reads_runtime_class_name { "read" } else { "not read" };
    field("runtimeClass", class.into());
    for (old, new) in &backend.former_keys {
        field("former key", format!("{old} is now {new}"));
    }
    for label in &backend.labels {
        field("label", format!("{}: {}", label.key, label.summary));
    }
    for spec in &backend.annotations {
        lines.push(annotation_text(spec));
    }
    for check in &backend.checks {
        lines.push(format!("  check {}: {}", check.name, check.message));
        lines.push(format!("      where {}", check.when.expression().source.trim()));
        lines.extend(check.words.as_ref().map(|words| format!("      error: {words}")));
    }
    for gate in &backend.gates {
        lines.push(gate_text(gate));
    }
    for ignored in &backend.ignores {
        lines.push(format!("  ignored      {}\n               {}", ignored.fields.join(", "), ignored.effect));
    }
    for lost in &backend.lost_commands {
        lines.push(format!("  kubectl {}: {}", lost.commands.join(", "), lost.answer));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn node_text(backend: &Backend) -> String {
    backend.node.name.clone()
}

fn pairs(map: &std::collections::BTreeMap<String, String>) -> String {
    map.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(", ")
}

fn taints(backend: &Backend) -> String {
    let texts = backend.node.taints.iter().map(|taint| match taint.value.as_str() {
        "" => format!("{}:{}", taint.key, taint.effect),
        value => format!("{}={value}:{}", taint.key, taint.effect),
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn selector(backend: &Backend) -> String {
    backend.selector.as_ref().map_or_else(String::new, |selector| {
        format!("{}: {}", selector.key, selector.value.as_deref().unwrap_or("<the cluster's choice>"))
    })
}

fn toleration(backend: &Backend) -> String {
    backend.toleration.as_ref().map_or_else(String::new, |toleration| {
        let value = if toleration.value.is_empty() { String::new() } else { format!(" {}", toleration.value) };
        format!("{} {}{value} {}", toleration.key, toleration.operator, toleration.effect)
    })
}

fn gate_text(gate: &Gate) -> String {
    let mut looks = Vec::new();
    looks.extend(gate.tolerations.iter().map(|key| format!("toleration of {key}")));
    looks.extend(gate.annotations.iter().map(|key| format!("annotation {key}")));
    looks.extend(gate.when.iter().map(|when| format!("where {}", when.expression().source.trim())));
    let force = gate.profile.as_ref().map_or_else(String::new, |profile| format!("  (with --profile {profile})"));
    let mut lines = vec![format!("  gate {}{force}", gate.name), format!("      looks at: {}", looks.join("; "))];
    if !gate.exempt_namespaces.is_empty() {
        lines.push(format!("      leaves out: {}", gate.exempt_namespaces.join(", ")));
    }
    lines.push(format!("      denial: {}", gate.denial));
    lines.join("\n")
}

fn annotation_text(spec: &AnnotationSpec) -> String {
    let mut lines = vec![format!("  {}  {}", spec.key, way(spec)), format!("      {}", spec.summary)];
    let mut facts = vec![kind(spec)];
    facts.extend(spec.default.as_ref().map(|default| format!("default {default}")));
    facts.extend(spec.empty.as_ref().map(|empty| format!("empty: {empty}")));
    if !spec.applies_to.is_empty() {
        facts.push(format!("for {}", spec.applies_to.join(", ")));
    }
    if spec.direction == Direction::In && spec.value_type != ValueType::Text {
        facts.push(format!("other values: {}", otherwise(spec.otherwise)));
    }
    lines.push(format!("      {}", facts.join("; ")));
    for message in [&spec.missing, &spec.refused].into_iter().flatten() {
        lines.push(format!("      error: {message}"));
    }
    for effect in &spec.effects {
        lines.push(format!("      effect: {}", effect.message.replace("{key}", &spec.key)));
    }
    lines.join("\n")
}

fn way(spec: &AnnotationSpec) -> String {
    match (spec.direction, spec.required, &spec.required_unless) {
        (Direction::In, true, _) => "(required)".into(),
        _ if spec.required_when.is_some() => {
            let when = spec.required_when.as_ref().map_or("", |when| when.expression().source.trim());
            format!("(required where {when})")
        }
        (_, _, Some(condition)) => format!("(required unless {} is \"{}\")", condition.key, condition.value),
        (Direction::In, ..) => "(optional)".into(),
        (Direction::Out, ..) => "(written by the provider)".into(),
        (Direction::Operator, ..) => "(written by an operator)".into(),
    }
}

fn kind(spec: &AnnotationSpec) -> String {
    let name = serde_json::to_value(spec.value_type).ok();
    let mut text = name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned();
    if !spec.values.is_empty() {
        text = spec.values.join(" | ");
    }
    if !spec.newer_values.is_empty() {
        text += &format!(" (newer releases: {})", spec.newer_values.join(" | "));
    }
    if spec.fold_case {
        text += ", in any case";
    }
    if let Some(least) = spec.minimum {
        text += &format!(", at least {least}");
    }
    if let Some(most) = spec.maximum {
        text += &format!(", at most {most}");
    }
    if let Some(least) = &spec.at_least {
        text += &format!(", at least {least}");
    }
    if let Some(most) = &spec.at_most {
        text += &format!(", at most {most}");
    }
    if let Some(pattern) = &spec.pattern {
        text += &format!(", matching {}", pattern.source());
    }
    if let Some(most) = spec.clamp_above {
        text += &format!(", more than {most} is taken as {most}");
    }
    text
}

fn otherwise(otherwise: Otherwise) -> &'static str {
    match otherwise {
        Otherwise::Refused => "CreatePod fails",
        Otherwise::Default => "the default, silently",
        Otherwise::Accepted => "taken as they are",
    }
}
