//! Live objects, as `kubectl get … -o yaml` or `-o json` prints them.

use crate::yaml::{self, Node};
use serde_json::Value;
use std::collections::BTreeMap;

/// Namespace and name.
pub type Key = (String, String);

/// Why a text cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// It is neither YAML nor JSON.
    #[error("not readable as YAML or JSON: {0}")]
    Syntax(String),
    /// It nests deeper than any object of Kubernetes.
    #[error("nested more than {DEEPEST} levels deep")]
    TooDeep,
    /// It holds no Kubernetes object.
    #[error("holds no Kubernetes object; write it with kubectl get … -o yaml")]
    Empty,
}

/// Nothing that Kubernetes serves nests deeper.
const DEEPEST: usize = 200;

/// The kinds that are looked at, by namespace and name.
#[derive(Debug, Default)]
pub struct Live {
    /// `agents.x-k8s.io` Sandbox.
    pub sandboxes: BTreeMap<Key, Value>,
    /// `v1` Pod.
    pub pods: BTreeMap<Key, Value>,
    /// SandboxTemplate.
    pub templates: BTreeMap<Key, Value>,
    /// SandboxWarmPool.
    pub pools: BTreeMap<Key, Value>,
    /// SandboxClaim.
    pub claims: BTreeMap<Key, Value>,
    /// Events by kind, namespace and name of the object they are about.
    pub events: BTreeMap<(String, Key), Vec<Event>>,
}

/// An event of `v1` or `events.k8s.io/v1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// `Warning` or `Normal`.
    pub level: String,
    /// The reason, such as `FailedScheduling`.
    pub reason: String,
    /// The message.
    pub message: String,
    /// How often it happened.
    pub count: i64,
    /// When it happened last, as written.
    pub last: String,
}

impl Live {
    /// Reads a text: objects, lists and streams of both. The same object in two texts counts once, the later one.
    ///
    /// # Errors
    /// A text that is no YAML or JSON, or holds no object.
    pub fn read(&mut self, text: &str) -> Result<(), InputError> {
        let stream = yaml::parse(text, &yaml::Options::default());
        let mut objects = 0;
        for document in &stream.documents {
            if document.depth >= DEEPEST {
                return Err(InputError::TooDeep);
            }
            match &document.content {
                Ok(root) => objects += self.tree(root),
                Err(error) => return Err(InputError::Syntax(error.message.clone())),
            }
        }
        if objects == 0 { Err(InputError::Empty) } else { Ok(()) }
    }

    /// Reads an object or a list; answers how many objects there are, a list counting as one.
    fn tree(&mut self, root: &Node<'_>) -> usize {
        let Some(kind) = root.get("kind").and_then(Node::as_str) else { return 0 };
        match (kind.strip_suffix("List"), root.get("items")) {
            (Some(of), Some(items)) => {
                for item in items.items() {
                    let own = item.get("kind").and_then(Node::as_str).unwrap_or(of);
                    self.add(own, item);
                }
                items.items().count().max(1)
            }
            _ => {
                self.add(kind, root);
                1
            }
        }
    }

    fn add(&mut self, kind: &str, node: &Node<'_>) {
        let table = match kind {
            "Sandbox" => &mut self.sandboxes,
            "Pod" => &mut self.pods,
            "SandboxTemplate" => &mut self.templates,
            "SandboxWarmPool" => &mut self.pools,
            "SandboxClaim" => &mut self.claims,
            "Event" => return self.event(&yaml::to_value(node)),
            _ => return,
        };
        let mut value = yaml::to_value(node);
        if let Value::Object(map) = &mut value {
            map.entry("kind").or_insert_with(|| kind.into());
        }
        let key = key_of(&value);
        if !key.1.is_empty() {
            table.insert(key, value);
        }
    }

    fn event(&mut self, event: &Value) {
        let about = [&event["regarding"], &event["involvedObject"]].into_iter().find(|about| about.is_object());
        let Some(about) = about else { return };
        let namespace = Some(text(&about["namespace"])).filter(|name| !name.is_empty());
        let namespace = namespace.unwrap_or_else(|| or(text(&event["metadata"]["namespace"]), "default"));
        let key = (namespace.to_owned(), text(&about["name"]).to_owned());
        let number = |value: &Value| value.as_i64().filter(|count| *count > 0);
        let counts = [&event["series"]["count"], &event["count"], &event["deprecatedCount"]];
        let times = [
            &event["series"]["lastObservedTime"],
            &event["lastTimestamp"],
            &event["deprecatedLastTimestamp"],
            &event["eventTime"],
            &event["metadata"]["creationTimestamp"],
        ];
        let words = or(text(&event["message"]), text(&event["note"]));
        let one = Event {
            level: text(&event["type"]).to_owned(),
            reason: text(&event["reason"]).to_owned(),
            message: words.to_owned(),
            count: counts.into_iter().find_map(number).unwrap_or(1),
            last: times.into_iter().map(text).find(|time| !time.is_empty()).unwrap_or_default().to_owned(),
        };
        self.events.entry((text(&about["kind"]).to_owned(), key)).or_default().push(one);
    }

    /// Puts repeated events together and the latest first.
    pub fn finish(&mut self) {
        for events in self.events.values_mut() {
            let mut merged: BTreeMap<(String, String, String), Event> = BTreeMap::new();
            for event in events.drain(..) {
                let key = (event.level.clone(), event.reason.clone(), event.message.clone());
                match merged.get_mut(&key) {
                    Some(known) => {
                        known.count = known.count.saturating_add(event.count);
                        known.last = std::mem::take(&mut known.last).max(event.last);
                    }
                    None => {
                        merged.insert(key, event);
                    }
                }
            }
            events.extend(merged.into_values());
            events.sort_by(|one, other| other.last.cmp(&one.last));
        }
    }

    /// The warnings about an object, the latest first.
    pub fn warnings<'l>(&'l self, kind: &str, key: &Key) -> impl Iterator<Item = &'l Event> {
        let events = self.events.get(&(kind.to_owned(), key.clone()));
        events.into_iter().flatten().filter(|event| event.level == "Warning")
    }
}

/// Namespace (`default` where none is written) and name.
pub fn key_of(object: &Value) -> Key {
    let metadata = &object["metadata"];
    (or(text(&metadata["namespace"]), "default").to_owned(), text(&metadata["name"]).to_owned())
}

/// A text, or an empty one for anything else.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn or<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    if text.is_empty() { otherwise } else { text }
}

/// The name of the owner of this kind.
pub fn owner<'o>(object: &'o Value, kind: &str) -> Option<&'o str> {
    let owners = object["metadata"]["ownerReferences"].as_array()?;
    owners.iter().find(|owner| text(&owner["kind"]) == kind).map(|owner| text(&owner["name"]))
}

/// A condition by its type.
pub fn condition<'o>(object: &'o Value, kind: &str) -> Option<&'o Value> {
    object["status"]["conditions"].as_array()?.iter().find(|condition| text(&condition["type"]) == kind)
}
