//! The settings that hold, as text; and the file that `init` writes.

use super::{ClusterFacts, Config, Override, PathGlobs};
use crate::files;
use crate::finding::Severity;
use crate::limits::Limits;
use crate::select::Target;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// A configuration file with everything it can say, commented out but for its first lines.
pub const STARTER: &str = include_str!("starter.yaml");

/// The settings of a configuration, as one JSON object with the keys of the file; paths are complete.
pub fn settings(config: &Config) -> Value {
    let mut out = Map::new();
    out.insert("config-file".into(), config.file.as_deref().map_or(Value::Null, path));
    out.insert("select".into(), rules(&config.select));
    out.insert("ignore".into(), rules(&config.ignore));
    out.insert("severity".into(), levels(&config.severity));
    out.insert("fail-on".into(), json!(config.fail_on.unwrap_or(Severity::Error)));
    out.insert("exclude".into(), globs(&config.exclude));
    out.insert("force-exclude".into(), json!(config.force_exclude));
    out.insert("respect-gitignore".into(), json!(config.respect_gitignore));
    out.insert("markdown".into(), json!(config.markdown));
    out.insert("overrides".into(), config.overrides.iter().map(overridden).collect());
    out.insert("targets".into(), targets(config));
    out.insert("cluster".into(), cluster(&config.cluster));
    let rules: Vec<&str> = config.house_rules.iter().map(|rule| rule.name.as_str()).collect();
    out.insert("policy".into(), json!({"files": paths(&config.policies), "rules": rules}));
    let backends: Vec<&str> = config.contract.backends.iter().map(|backend| backend.name.as_str()).collect();
    let annotations: Vec<&str> =
        config.contract.annotations.values().flatten().map(|annotation| annotation.key.as_str()).collect();
    out.insert("contract".into(), json!({"backends": backends, "annotations": annotations}));
    out.insert("baseline".into(), config.baseline.as_deref().map_or(Value::Null, path));
    out.insert("limits".into(), limits(&config.limits));
    Value::Object(out)
}

fn limits(limits: &Limits) -> Value {
    json!({
        "file-size": files::size(limits.file_size),
        "snapshot-size": files::size(limits.snapshot_size),
        "documents": limits.documents,
        "findings": limits.findings,
    })
}

fn path(path: &Path) -> Value {
    json!(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy())
}

fn paths(list: &[PathBuf]) -> Vec<Value> {
    list.iter().map(|item| path(item)).collect()
}

fn word(target: &Target) -> &str {
    match target {
        Target::All => "all",
        Target::Group(prefix) => prefix,
        Target::One(rule) => rule.name,
    }
}

fn rules(targets: &[Target]) -> Value {
    targets.iter().map(word).collect()
}

fn levels(levels: &[(Target, Severity)]) -> Value {
    Value::Object(levels.iter().map(|(target, level)| (word(target).to_owned(), json!(level))).collect())
}

fn globs(globs: &PathGlobs) -> Value {
    json!(globs.globs())
}

fn overridden(part: &Override) -> Value {
    json!({
        "paths": globs(&part.paths),
        "select": rules(&part.select),
        "ignore": rules(&part.ignore),
        "severity": levels(&part.severity),
    })
}

fn targets(config: &Config) -> Value {
    let agent_sandbox = config.agent_sandbox.map(|release| release.to_string());
    json!({"agent-sandbox": agent_sandbox, "kube": config.kube_minor.map(|minor| format!("1.{minor}"))})
}

fn cluster(facts: &ClusterFacts) -> Value {
    let webhook = facts
        .webhook
        .as_ref()
        .map(|webhook| json!({"pod-creators": webhook.pod_creators, "exempt-namespaces": webhook.exempt_namespaces}));
    let pools: Vec<Value> = (facts.sandboxd_pools.iter())
        .map(|pool| json!({"template": pool.template, "net": pool.net, "size": pool.size}))
        .collect();
    let nodes: Vec<&str> = facts.nodes.iter().map(|node| node.name.as_str()).collect();
    json!({
        "snapshot": paths(&facts.snapshots),
        "webhook": webhook,
        "aggregated-api": facts.aggregated_api,
        "from-files": !facts.snapshots_only,
        "cocoon-pools": facts.cocoon_pools,
        "sandboxd-pools": pools,
        "sizes": facts.sizes,
        "node-labels": facts.node_labels,
        "nodes": nodes,
    })
}
