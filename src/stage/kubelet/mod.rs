//! Does the (virtual) kubelet hand the Pod to its provider? It resolves the environment of every container first.

mod image;
#[cfg(test)]
mod tests;
mod volumes;

use super::Subject;
use crate::cluster::World;
use crate::finding::{Finding, Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::rule;
use crate::suggest;
use crate::yaml::Node;
use std::collections::BTreeSet;

/// Judges one Pod at this stage.
pub fn check(subject: &Subject<'_>, world: &World, out: &mut Findings) {
    let provider = serving_provider(subject, world);
    let resolver = Resolver { subject, world, provider };
    // An ordinary kubelet mounts before it looks at a container.
    if resolver.provider.is_none() {
        resolver.volumes(out);
    }
    for list in ["initContainers", "containers"] {
        let containers = subject.plan.spec.get(list).into_iter().flat_map(Node::items);
        for (index, container) in containers.enumerate() {
            resolver.container(container, &format!("{list}[{index}]"), out);
        }
    }
    if resolver.provider.is_none() {
        resolver.images(out);
    }
}

/// The provider of the virtual node that serves the Pod; `None` for an ordinary kubelet.
fn serving_provider<'w>(subject: &Subject<'_>, world: &'w World) -> Option<&'w str> {
    let backend = world.contract.backend(subject.serving_backend()?)?;
    backend.selector.is_some().then_some(backend.provider.as_str())
}

/// What a virtual kubelet tries again: 20 times with growing pauses, about an hour in all.
const VIRTUAL_RETRIES: &str =
    "tried 20 times over about an hour, then never again until the Pod or the kubelet changes";

/// What an ordinary kubelet tries again.
const ORDINARY_RETRIES: &str = "tried again until it exists";

/// Paths of `fieldRef` that the API server accepts and virtual-kubelet does not resolve.
const UNRESOLVED: [&str; 4] = ["status.podIP", "status.podIPs", "status.hostIP", "status.hostIPs"];

/// The kinds of objects that variables come from.
#[derive(Clone, Copy)]
enum Source {
    ConfigMap,
    Secret,
}

impl Source {
    /// In events and messages of both kubelets: `configmap`.
    fn lower(self) -> &'static str {
        match self {
            Source::ConfigMap => "configmap",
            Source::Secret => "secret",
        }
    }

    /// In reasons, and where a kubelet misses a key: `ConfigMap`.
    fn kind(self) -> &'static str {
        match self {
            Source::ConfigMap => "ConfigMap",
            Source::Secret => "Secret",
        }
    }
}

struct Resolver<'r, 's> {
    subject: &'r Subject<'s>,
    world: &'r World,
    provider: Option<&'r str>,
}

/// A reference to an object, or to one of its keys.
struct Reference<'n> {
    source: Source,
    node: &'n Node<'n>,
    path: String,
    key: Option<&'n str>,
}

impl Resolver<'_, '_> {
    /// `envFrom` comes before `env`.
    fn container(&self, container: &Node<'_>, path: &str, out: &mut Findings) {
        for (index, item) in container.get("envFrom").into_iter().flat_map(Node::items).enumerate() {
            for (field, source) in [("configMapRef", Source::ConfigMap), ("secretRef", Source::Secret)] {
                let Some(node) = item.get(field) else { continue };
                let path = format!("{path}.envFrom[{index}].{field}");
                self.reference(&Reference { source, node, path: path.clone(), key: None }, out);
                self.skipped_names(source, node, item.get("prefix").and_then(Node::as_str), path, out);
            }
        }
        for (index, item) in container.get("env").into_iter().flat_map(Node::items).enumerate() {
            let Some(from) = item.get("valueFrom") else { continue };
            let path = format!("{path}.env[{index}].valueFrom");
            self.unresolved_field_ref(from, &path, out);
            for (field, source) in [("configMapKeyRef", Source::ConfigMap), ("secretKeyRef", Source::Secret)] {
                let Some(node) = from.get(field) else { continue };
                let key = node.get("key").and_then(Node::as_str);
                self.reference(&Reference { source, node, path: format!("{path}.{field}"), key }, out);
            }
        }
    }

    /// A Pod or host address: virtual-kubelet gives up without a word.
    fn unresolved_field_ref(&self, from: &Node<'_>, path: &str, out: &mut Findings) {
        let (Some(provider), Some(node)) = (self.provider, from.at(&["fieldRef", "fieldPath"])) else { return };
        let Some(field) = node.as_str().filter(|field| UNRESOLVED.contains(field)) else { return };
        let outcome = Outcome::new(Stage::Kubelet, Shown::Pod, Phase::Pending).retries(VIRTUAL_RETRIES);
        let spot = Spot::of(node, self.subject.plan.path(&format!("{path}.fieldRef.fieldPath")));
        let message = format!("the virtual kubelet of {provider} does not resolve {field}");
        let finding = out.add(&rule::UNRESOLVED_FIELD_REF, spot, message);
        finding.label("the Pod stays Pending with neither event nor message, whatever its restartPolicy");
        finding.help("remove the variable; none reaches the guest anyway").outcome(outcome.clone());
        out.stop(outcome);
    }

    fn reference(&self, reference: &Reference<'_>, out: &mut Findings) {
        let optional = reference.node.get("optional").and_then(Node::as_bool) == Some(true);
        let Some(name) = reference.node.get("name").and_then(Node::as_str).filter(|_| !optional) else { return };
        match self.exists(reference.source, name) {
            Some(false) => self.missing_env_source(reference, name, out),
            Some(true) => self.missing_env_key(reference, name, out),
            None => {}
        }
    }

    fn exists(&self, source: Source, name: &str) -> Option<bool> {
        let (snapshot, namespace) = (self.world.snapshot.as_ref()?, &self.subject.plan.namespace);
        match source {
            Source::ConfigMap => snapshot.has_config_map(namespace, name),
            Source::Secret => snapshot.has_secret(namespace, name),
        }
    }

    fn keys(&self, source: Source, name: &str) -> Option<&BTreeSet<String>> {
        let (snapshot, namespace) = (self.world.snapshot.as_ref()?, &self.subject.plan.namespace);
        match source {
            Source::ConfigMap => snapshot.config_map_keys(namespace, name),
            Source::Secret => snapshot.secret_keys(namespace, name),
        }
    }

    /// A ConfigMap or Secret that the cluster does not have.
    fn missing_env_source(&self, reference: &Reference<'_>, name: &str, out: &mut Findings) {
        let (source, namespace) = (reference.source, &self.subject.plan.namespace);
        let words = format!("{} \"{name}\" not found", source.lower());
        let outcome = self.outcome(&format!("Mandatory{}NotFound", source.kind()), words);
        let node = reference.node.get("name").unwrap_or(reference.node);
        let spot = Spot::of(node, self.subject.plan.path(&format!("{}.name", reference.path)));
        let message = format!("namespace {namespace} has no {} `{name}`", source.kind());
        let finding = out.add(&rule::MISSING_ENV_SOURCE, spot, message);
        finding.outcome(outcome.clone());
        self.advise(finding, source, name);
        out.stop(outcome);
    }

    fn advise(&self, finding: &mut Finding, source: Source, name: &str) {
        let namespace = self.subject.plan.namespace.as_str();
        let near = self.world.snapshot.as_ref().and_then(|snapshot| match source {
            Source::ConfigMap => suggest::nearest(name, snapshot.config_map_names(namespace)),
            Source::Secret => suggest::nearest(name, snapshot.secret_names(namespace)),
        });
        match near {
            Some(near) => finding.help(format!("did you mean `{near}`")),
            None => finding.help("create it, or write optional: true"),
        };
    }

    /// A key that the object does not have.
    fn missing_env_key(&self, reference: &Reference<'_>, name: &str, out: &mut Findings) {
        let (Some(key), Some(keys)) = (reference.key, self.keys(reference.source, name)) else { return };
        if keys.contains(key) {
            return;
        }
        let (source, namespace) = (reference.source, &self.subject.plan.namespace);
        let words = match self.provider {
            Some(_) => format!("key \"{key}\" does not exist in {} \"{name}\"", source.lower()),
            None => format!("couldn't find key {key} in {} {namespace}/{name}", source.kind()),
        };
        let outcome = self.outcome(&format!("Mandatory{}KeyNotFound", source.kind()), words);
        let node = reference.node.get("key").unwrap_or(reference.node);
        let spot = Spot::of(node, self.subject.plan.path(&format!("{}.key", reference.path)));
        let message = format!("{} `{name}` has no key `{key}`", source.kind());
        let finding = out.add(&rule::MISSING_ENV_KEY, spot, message);
        match suggest::nearest(key, keys.iter().map(String::as_str)) {
            Some(near) => finding.help(format!("did you mean `{near}`")),
            None => finding.help("add the key, or write optional: true"),
        };
        finding.outcome(outcome.clone());
        out.stop(outcome);
    }

    /// The words of the kubelet that serves the Pod: `event` is the reason of a virtual one's event.
    fn outcome(&self, event: &str, words: String) -> Outcome {
        let pending = Outcome::new(Stage::Kubelet, Shown::Pod, Phase::Pending).message(words);
        match self.provider {
            Some(_) => pending.reason(event).shown_on(format!("event {event}")).retries(VIRTUAL_RETRIES),
            None => pending
                .reason("CreateContainerConfigError")
                .shown_on("Pod container state waiting, event Failed")
                .retries(ORDINARY_RETRIES),
        }
    }

    /// Keys that are no names of variables are left out, with an event.
    fn skipped_names(&self, source: Source, node: &Node<'_>, prefix: Option<&str>, path: String, out: &mut Findings) {
        let Some(name) = node.get("name").and_then(Node::as_str).filter(|_| self.provider.is_some()) else { return };
        let prefixed = |key: &&String| !is_variable_name(&format!("{}{key}", prefix.unwrap_or_default()));
        let bad: Vec<&str> =
            self.keys(source, name).into_iter().flatten().filter(prefixed).map(String::as_str).collect();
        if bad.is_empty() {
            return;
        }
        let words = format!(
            "keys [{}] from {} {}/{name} were skipped since they are invalid as environment variable names",
            bad.join(", "),
            source.lower(),
            self.subject.plan.namespace
        );
        let spot = Spot::of(node.get("name").unwrap_or(node), self.subject.plan.path(&format!("{path}.name")));
        let message = format!("{} `{name}` has keys that are no names of variables: {}", source.kind(), bad.join(", "));
        let outcome = Outcome::new(Stage::Kubelet, Shown::Pod, Phase::Running);
        let reason = "InvalidEnvironmentVariableNames";
        out.add(&rule::SKIPPED_ENV_NAMES, spot, message)
            .outcome(outcome.reason(reason).message(words).shown_on(format!("event {reason}")));
    }

    /// On an ordinary node every image is pulled; the providers of virtual nodes have readers of their own.
    fn images(&self, out: &mut Findings) {
        for list in ["initContainers", "containers"] {
            let containers = self.subject.plan.spec.get(list).into_iter().flat_map(Node::items);
            for (index, container) in containers.enumerate() {
                let path = format!("{list}[{index}]");
                self.invalid_image_name(container, &path, out);
                self.scratch_image(container, &path, out);
            }
        }
    }
}

/// What virtual-kubelet takes for the name of a variable.
fn is_variable_name(name: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let first = name.chars().next().is_some_and(|letter| inner(letter) && !letter.is_ascii_digit());
    first && name.chars().all(inner) && name != "." && !name.starts_with("..")
}
