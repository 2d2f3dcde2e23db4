//! On an ordinary node a mounted volume needs its ConfigMap or Secret, and the keys that it names; a virtual node
//! mounts none.

use super::{ORDINARY_RETRIES, Resolver, Source};
use crate::finding::{Findings, Outcome, Phase, Shown, Spot, Stage};
use crate::rule::{self, Rule};
use crate::suggest;
use crate::yaml::Node;
use std::collections::BTreeSet;

/// An object that a volume takes its files from.
struct Files<'n> {
    source: Source,
    node: &'n Node<'n>,
    path: String,
    /// The field with the object's name.
    name_field: &'static str,
}

/// What the kubelet misses of an object.
struct Gap<'n> {
    rule: &'static Rule,
    spot: Spot,
    message: String,
    /// The kubelet's words.
    words: String,
    source: Source,
    name: &'n str,
    /// The first missing key; `None` where the object itself is missing.
    key: Option<&'n str>,
}

impl Resolver<'_, '_> {
    /// Judges every volume that a container mounts; a kubelet leaves the others alone.
    pub(super) fn volumes(&self, out: &mut Findings) {
        let mounted = self.mounted_volumes();
        for (index, volume) in self.subject.plan.spec.get("volumes").into_iter().flat_map(Node::items).enumerate() {
            let Some(name) = volume.get("name").and_then(Node::as_str).filter(|name| mounted.contains(name)) else {
                continue;
            };
            let gaps: Vec<Gap<'_>> =
                files(volume, &format!("volumes[{index}]")).iter().filter_map(|files| self.gap(files)).collect();
            self.report(name, gaps, out);
        }
    }

    fn mounted_volumes(&self) -> BTreeSet<&str> {
        let spec = &self.subject.plan.spec;
        let containers = ["initContainers", "containers"].into_iter().filter_map(|list| spec.get(list));
        let lists = containers
            .flat_map(Node::items)
            .flat_map(|container| ["volumeMounts", "volumeDevices"].into_iter().filter_map(|list| container.get(list)));
        lists.flat_map(Node::items).filter_map(|mount| mount.get("name")?.as_str()).collect()
    }

    fn gap<'n>(&self, files: &Files<'n>) -> Option<Gap<'n>> {
        let optional = files.node.get("optional").and_then(Node::as_bool) == Some(true);
        let node = files.node.get(files.name_field).filter(|_| !optional)?;
        let name = node.as_str()?;
        if self.exists(files.source, name)? {
            return self.missing_keys(files, name);
        }
        let path = format!("{}.{}", files.path, files.name_field);
        Some(Gap {
            rule: &rule::MISSING_VOLUME_SOURCE,
            spot: Spot::of(node, self.subject.plan.path(&path)),
            message: format!("namespace {} has no {} `{name}`", self.subject.plan.namespace, files.source.kind()),
            words: format!("{} \"{name}\" not found", files.source.lower()),
            source: files.source,
            name,
            key: None,
        })
    }

    /// The kubelet names the first key that it misses.
    fn missing_keys<'n>(&self, files: &Files<'n>, name: &'n str) -> Option<Gap<'n>> {
        let keys = self.keys(files.source, name)?;
        let wanted = files.node.get("items").into_iter().flat_map(Node::items).enumerate();
        let named = wanted.filter_map(|(index, item)| Some((index, item.get("key")?, item.get("key")?.as_str()?)));
        let missing: Vec<(usize, &Node<'_>, &str)> = named.filter(|(_, _, key)| !keys.contains(*key)).collect();
        let (index, node, key) = *missing.first()?;
        let listed: Vec<String> = missing.iter().map(|(_, _, key)| format!("`{key}`")).collect();
        let noun = if missing.len() == 1 { "key" } else { "keys" };
        let words = match files.source {
            Source::ConfigMap => format!("configmap references non-existent config key: {key}"),
            Source::Secret => format!("references non-existent secret key: {key}"),
        };
        Some(Gap {
            rule: &rule::MISSING_VOLUME_KEY,
            spot: Spot::of(node, self.subject.plan.path(&format!("{}.items[{index}].key", files.path))),
            message: format!("{} `{name}` has no {noun} {}", files.source.kind(), listed.join(", ")),
            words,
            source: files.source,
            name,
            key: Some(key),
        })
    }

    /// The kubelet gives all that it misses of one volume in one event.
    fn report(&self, volume: &str, gaps: Vec<Gap<'_>>, out: &mut Findings) {
        let mut words: Vec<&str> = Vec::new();
        for gap in &gaps {
            if !words.contains(&gap.words.as_str()) {
                words.push(&gap.words);
            }
        }
        let words = match words[..] {
            [] => return,
            [one] => one.to_owned(),
            _ => format!("[{}]", words.join(", ")),
        };
        let outcome = Outcome::new(Stage::Kubelet, Shown::Pod, Phase::Pending)
            .reason("FailedMount")
            .message(format!("MountVolume.SetUp failed for volume \"{volume}\" : {words}"))
            .shown_on("event FailedMount")
            .retries(ORDINARY_RETRIES);
        for gap in gaps {
            let finding = out.add(gap.rule, gap.spot, gap.message);
            finding.outcome(outcome.clone());
            let Some(key) = gap.key else {
                self.advise(finding, gap.source, gap.name);
                continue;
            };
            let keys = self.keys(gap.source, gap.name).into_iter().flatten().map(String::as_str);
            match suggest::nearest(key, keys) {
                Some(near) => finding.help(format!("did you mean `{near}`")),
                None => finding.help("add the key, remove the item, or write optional: true"),
            };
        }
        out.stop(outcome);
    }
}

/// The ConfigMaps and Secrets of a volume.
fn files<'n>(volume: &'n Node<'n>, path: &str) -> Vec<Files<'n>> {
    let kinds = |holder: &'n Node<'n>, path: String, secret_name: &'static str| {
        let all = [("configMap", "name", Source::ConfigMap), ("secret", secret_name, Source::Secret)];
        all.into_iter().filter_map(move |(field, name_field, source)| {
            Some(Files { source, node: holder.get(field)?, path: format!("{path}.{field}"), name_field })
        })
    };
    let sources = volume.at(&["projected", "sources"]).into_iter().flat_map(Node::items).enumerate();
    let projected =
        sources.flat_map(|(index, source)| kinds(source, format!("{path}.projected.sources[{index}]"), "name"));
    kinds(volume, path.to_owned(), "secretName").chain(projected).collect()
}
