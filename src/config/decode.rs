//! From the text of a configuration file to a [`Config`].

use super::{ClusterFacts, Config, Override, PathGlobs, SandboxdPool};
use crate::cluster::{Webhook, World};
use crate::contract::{AnnotationSpec, Backend, Contract, Extension, NodeShape, load_pack, quoted_place, typed};
use crate::finding::Severity;
use crate::limits;
use crate::policy::house::{self, SEVERITIES};
use crate::select::{Target, UnknownRule};
use crate::settings::{DEEPEST, Problem, Reader, TOO_DEEP, Word};
use crate::suggest;
use crate::yaml::{self, Node, Span, Value};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const KEYS: [&str; 15] = [
    "select",
    "ignore",
    "severity",
    "fail-on",
    "exclude",
    "force-exclude",
    "respect-gitignore",
    "markdown",
    "overrides",
    "targets",
    "cluster",
    "policy",
    "contract",
    "baseline",
    "limits",
];

pub(super) fn decode(text: &str, file: &Path) -> Result<Config, Vec<Problem>> {
    let stream = yaml::parse(text, &yaml::Options::default());
    let mut config = Config { file: Some(file.to_owned()), ..Config::builtin() };
    let Some(document) = stream.documents.first() else { return Ok(config) };
    let reader = Reader::default();
    match &document.content {
        _ if document.depth > DEEPEST => reader.complain(document.span, TOO_DEEP),
        Err(error) => reader.complain(error.span, error.kind.plain_words()),
        Ok(root) => Decoder { reader: &reader, folder: file.parent().unwrap_or(Path::new("")) }.fill(&mut config, root),
    }
    if let Some(second) = stream.documents.get(1) {
        reader.complain(second.span, "a configuration file holds one document");
    }
    for repeated in document.losses.iter().filter_map(repeated_key) {
        reader.complain(repeated, "this key stands a second time");
    }
    let problems = reader.finish();
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

fn repeated_key(loss: &yaml::Loss) -> Option<Span> {
    match loss {
        yaml::Loss::DuplicateKey { kept, .. } => Some(*kept),
        _ => None,
    }
}

struct Decoder<'r> {
    reader: &'r Reader,
    folder: &'r Path,
}

/// The keys of `contract`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContractKeys {
    /// Provider packs, which are read by themselves.
    #[serde(default, rename = "files")]
    _files: IgnoredAny,
    #[serde(default)]
    backends: Vec<Backend>,
    #[serde(default)]
    annotations: BTreeMap<String, Vec<AnnotationSpec>>,
}

impl Decoder<'_> {
    fn fill(&self, config: &mut Config, root: &Node<'_>) {
        for entry in self.reader.fields(root, "the configuration", &KEYS) {
            let value = &entry.value;
            match entry.key.as_ref() {
                "select" => config.select = self.rules(value, "select"),
                "ignore" => config.ignore = self.rules(value, "ignore"),
                "severity" => config.severity = self.levels(value),
                "fail-on" => config.fail_on = self.reader.choice(value, "fail-on", &SEVERITIES),
                "exclude" => config.exclude = self.globs(value, "exclude"),
                "force-exclude" => config.force_exclude = self.reader.flag(value, "force-exclude").unwrap_or_default(),
                "respect-gitignore" => {
                    config.respect_gitignore = self.reader.flag(value, "respect-gitignore").unwrap_or(true);
                }
                "markdown" => config.markdown = self.reader.flag(value, "markdown").unwrap_or_default(),
                "overrides" => {
                    config.overrides = self.reader.items(value).into_iter().map(|item| self.overridden(item)).collect();
                }
                "targets" => self.targets(config, value),
                "cluster" => config.cluster = self.cluster(value),
                "policy" => self.policy(config, value),
                "contract" => self.contract(config, value),
                "baseline" => config.baseline = self.reader.text(value, "baseline").map(|path| self.folder.join(path)),
                "limits" => self.limits(config, value),
                _ => {}
            }
        }
        self.check_backends(config, root);
    }

    fn limits(&self, config: &mut Config, node: &Node<'_>) {
        for entry in self.reader.fields(node, "limits", &limits::NAMES) {
            let value = match &entry.value.value {
                Value::Int(number) => Some(number.to_string()),
                _ => self.reader.text(&entry.value, &entry.key),
            };
            let problem = value.and_then(|value| config.limits.set(&entry.key, &value).err());
            if let Some(problem) = problem {
                self.reader.complain(entry.value.place(), format!("{}: {problem}", entry.key));
            }
        }
    }

    /// Labels are given to backends that exist, the file's own included.
    fn check_backends(&self, config: &Config, root: &Node<'_>) {
        let builtin = Contract::builtin();
        let known = || builtin.backends.iter().chain(&config.contract.backends).map(|backend| backend.name.as_str());
        for entry in root.at(&["cluster", "node-labels"]).into_iter().flat_map(Node::entries) {
            if !known().any(|name| name == entry.key) {
                let advice = match suggest::nearest(&entry.key, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known backends: {}", known().collect::<Vec<_>>().join(", ")),
                };
                self.reader.complain(entry.key_span, format!("no backend is called `{}`; {advice}", entry.key));
            }
        }
    }

    /// Rules by code, name, beginning of codes or `all`.
    fn rules(&self, node: &Node<'_>, what: &str) -> Vec<Target> {
        self.reader.words(node, what).iter().filter_map(|word| self.rule(word)).collect()
    }

    fn rule(&self, word: &Word) -> Option<Target> {
        word.text.parse().map_err(|error: UnknownRule| self.reader.complain(word.span, error.to_string())).ok()
    }

    fn levels(&self, node: &Node<'_>) -> Vec<(Target, Severity)> {
        if node.as_map().is_none() {
            self.reader.pairs(node, "severity");
        }
        let mut levels = Vec::new();
        for entry in node.entries() {
            let word = Word { text: entry.key.to_string(), span: entry.key_span };
            let level = self.reader.choice(&entry.value, "severity", &SEVERITIES);
            levels.extend(self.rule(&word).zip(level));
        }
        levels
    }

    fn globs(&self, node: &Node<'_>, what: &str) -> PathGlobs {
        let words = self.reader.words(node, what);
        let globs: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        PathGlobs::new(self.folder, &globs).unwrap_or_else(|(at, error)| {
            self.reader.complain(words[at].span, format!("`{}` is no glob: {error}", words[at].text));
            PathGlobs::default()
        })
    }

    fn overridden(&self, node: &Node<'_>) -> Override {
        let mut part = Override::default();
        for entry in self.reader.fields(node, "an override", &["paths", "select", "ignore", "severity"]) {
            match entry.key.as_ref() {
                "paths" => part.paths = self.globs(&entry.value, "paths"),
                "select" => part.select = self.rules(&entry.value, "select"),
                "ignore" => part.ignore = self.rules(&entry.value, "ignore"),
                _ => part.severity = self.levels(&entry.value),
            }
        }
        if node.get("paths").is_none() {
            self.reader.complain(node.place(), "an override needs `paths`");
        }
        part
    }

    fn targets(&self, config: &mut Config, node: &Node<'_>) {
        for entry in self.reader.fields(node, "targets", &["agent-sandbox", "kube"]) {
            let Some(word) = self.reader.word(&entry.value, &entry.key) else { continue };
            if entry.key == "kube" {
                config.kube_minor = kube_minor(&word.text);
                if config.kube_minor.is_none() {
                    self.reader.complain(word.span, format!("kube `{}` is no release such as \"1.36\"", word.text));
                }
            } else {
                config.agent_sandbox = word.text.parse().ok();
                if config.agent_sandbox.is_none() {
                    let message = format!("agent-sandbox `{}` is no release such as \"0.5.3\"", word.text);
                    self.reader.complain(word.span, message);
                }
            }
        }
    }

    fn cluster(&self, node: &Node<'_>) -> ClusterFacts {
        const KEYS: [&str; 9] = [
            "snapshot",
            "webhook",
            "aggregated-api",
            "from-files",
            "cocoon-pools",
            "sandboxd-pools",
            "sizes",
            "node-labels",
            "nodes",
        ];
        let mut facts = ClusterFacts::default();
        for entry in self.reader.fields(node, "cluster", &KEYS) {
            let value = &entry.value;
            match entry.key.as_ref() {
                "snapshot" => facts.snapshots = self.paths(value, "snapshot"),
                "webhook" => facts.webhook = self.webhook(value),
                "from-files" => {
                    facts.snapshots_only = !self.reader.flag(value, "from-files").unwrap_or(true);
                }
                "aggregated-api" => {
                    facts.aggregated_api = self.reader.flag(value, "aggregated-api").unwrap_or_default();
                }
                "cocoon-pools" => facts.cocoon_pools = self.reader.texts(value, "cocoon-pools"),
                "sandboxd-pools" => {
                    facts.sandboxd_pools =
                        self.reader.items(value).into_iter().filter_map(|item| self.pool(item)).collect();
                }
                "sizes" => facts.sizes = self.reader.texts(value, "sizes"),
                "node-labels" => {
                    let labels = |node: &Node<'_>| self.reader.pairs(node, "labels").into_iter().collect();
                    facts.node_labels =
                        value.entries().map(|entry| (entry.key.to_string(), labels(&entry.value))).collect();
                }
                _ => facts.nodes = typed::<Vec<NodeShape>>(self.reader, value).unwrap_or_default(),
            }
        }
        facts
    }

    /// `true`, or a mapping of what differs from the webhook's defaults.
    fn webhook(&self, node: &Node<'_>) -> Option<Webhook> {
        if let Some(flag) = node.as_bool() {
            return flag.then(Webhook::default);
        }
        let mut webhook = Webhook::default();
        for entry in self.reader.fields(node, "webhook", &["pod-creators", "exempt-namespaces"]) {
            match entry.key.as_ref() {
                "pod-creators" => webhook.pod_creators = self.reader.texts(&entry.value, "pod-creators"),
                _ => webhook.exempt_namespaces = self.reader.texts(&entry.value, "exempt-namespaces"),
            }
        }
        Some(webhook)
    }

    fn pool(&self, node: &Node<'_>) -> Option<SandboxdPool> {
        let mut pool = SandboxdPool { template: String::new(), net: "none".into(), size: "small".into() };
        for entry in self.reader.fields(node, "a pool of sandboxd", &["template", "net", "size"]) {
            let text = self.reader.text(&entry.value, &entry.key)?;
            match entry.key.as_ref() {
                "template" => pool.template = text,
                "net" => pool.net = text,
                _ => pool.size = text,
            }
        }
        if node.get("template").is_none() {
            self.reader.complain(node.place(), "a pool of sandboxd needs `template`");
        }
        Some(pool)
    }

    fn policy(&self, config: &mut Config, node: &Node<'_>) {
        for entry in self.reader.fields(node, "policy", &["files", "rules"]) {
            match entry.key.as_ref() {
                "files" => config.policies = self.paths(&entry.value, "files"),
                _ => config.house_rules = house::read_rules(self.reader, &entry.value),
            }
        }
    }

    /// Backends and annotations, in the format of the contract's own files, and the packs that hold more of them.
    fn contract(&self, config: &mut Config, node: &Node<'_>) {
        let mut packs = Extension::default();
        if let Some(files) = node.get("files") {
            for word in self.reader.words(files, "files") {
                let path = self.folder.join(&word.text);
                match load_pack(&path) {
                    Ok(pack) => packs.merge(pack),
                    Err(error) => {
                        error.to_string().lines().for_each(|line| self.reader.complain(word.span, line.to_owned()));
                    }
                }
                config.packs.push(path);
            }
        }
        let own: ContractKeys = typed(self.reader, node).unwrap_or_default();
        packs.merge(Extension { backends: own.backends, annotations: own.annotations });
        if let Err(error) = Contract::builtin().extend(packs.clone()) {
            let message = error.to_string();
            self.reader.complain(quoted_place(node, &message), message);
        }
        config.contract = packs;
    }

    fn paths(&self, node: &Node<'_>, what: &str) -> Vec<PathBuf> {
        self.reader.texts(node, what).into_iter().map(|path| self.folder.join(path)).collect()
    }
}

/// The minor release of `1.36`, `v1.36` or `1.36.2`, if it is one whose messages are known.
pub fn kube_minor(text: &str) -> Option<u32> {
    let mut parts = text.trim_start_matches('v').split('.');
    let minor = (parts.next()? == "1").then(|| parts.next())??.parse().ok()?;
    let patch_is_number = parts.next().is_none_or(|patch| patch.parse::<u32>().is_ok());
    (patch_is_number && parts.next().is_none() && (1..=World::NEWEST_KUBE_MINOR).contains(&minor)).then_some(minor)
}
