//! What live objects show of their state: the words of status, conditions and events, the deciding ones first.

use super::live::{Event, Key, Live, condition, text};
use super::signs::{self, Place};
use serde::Serialize;
use serde_json::Value;

/// Words of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// Where they stand.
    pub place: Place,
    /// The reason.
    pub reason: String,
    /// The message.
    pub message: String,
    /// How often an event happened; 1 for anything else.
    pub count: i64,
}

impl Words {
    fn new(place: Place, reason: &str, message: &str) -> Self {
        Self { place, reason: reason.to_owned(), message: message.to_owned(), count: 1 }
    }

    fn event(place: Place, event: &Event) -> Self {
        Self { count: event.count, ..Self::new(place, &event.reason, &event.message) }
    }

    /// Where they stand, for people: `Pod event ProviderCreateFailed, 13 times`.
    pub fn place_in_words(&self) -> String {
        let mut place = self.place.words().to_owned();
        if !self.reason.is_empty() {
            place = format!("{place} {}", self.reason);
        }
        if self.count > 1 {
            place = format!("{place}, {} times", self.count);
        }
        place
    }
}

/// How an object is doing, by its own status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Ready, or bound and running.
    Ready,
    /// Not running, as its author wants it, or finished: why.
    AtRest(String),
    /// It is not there yet.
    NotReady,
    /// No controller has reported anything.
    Silent,
}

/// What an object shows.
#[derive(Clone, Debug)]
pub struct Observed {
    /// How it is doing.
    pub condition: Condition,
    /// The deciding words first.
    pub words: Vec<Words>,
}

/// A Sandbox with its Pod, as far as they are known.
pub fn sandbox(live: &Live, sandbox: Option<(&Key, &Value)>, pod: Option<(&Key, &Value)>) -> Observed {
    let mut words = Vec::new();
    let ready = sandbox.and_then(|(_, object)| condition(object, "Ready"));
    if let Some(ready) = ready.filter(|ready| is_error(text(&ready["reason"]))) {
        words.push(of_condition(Place::SandboxCondition, ready));
    }
    if let Some((key, object)) = pod {
        of_pod(live, key, object, &mut words);
    } else if let Some(scheduled) = sandbox.and_then(|(_, object)| condition(object, "PodScheduled"))
        && text(&scheduled["status"]) == "False"
    {
        words.push(of_condition(Place::SandboxCondition, scheduled));
    }
    if let Some((key, _)) = sandbox {
        words.extend(events(live, "Sandbox", key, Place::SandboxEvent));
        // Events of a Pod that is not in the input.
        if pod.is_none() && live.pods.is_empty() {
            words.extend(events(live, "Pod", key, Place::PodEvent));
        }
    }
    let scheduled = sandbox.and_then(|(_, object)| condition(object, "PodScheduled"));
    let is_bound = pod.is_some_and(|(_, object)| !text(&object["spec"]["nodeName"]).is_empty());
    if let Some(scheduled) = scheduled.filter(|scheduled| text(&scheduled["status"]) == "Unknown" && !is_bound) {
        words.push(of_condition(Place::SandboxCondition, scheduled));
    }
    if let Some(ready) = ready.filter(|ready| !is_error(text(&ready["reason"])) && text(&ready["status"]) != "True") {
        words.push(of_condition(Place::SandboxCondition, ready));
    }
    let condition = match (sandbox, pod) {
        (Some((_, object)), _) => of_sandbox(object),
        (None, Some((_, object))) => pod_condition(object),
        (None, None) => Condition::NotReady,
    };
    Observed { condition, words }
}

/// A Pod that only events mention.
pub fn from_events(live: &Live, key: &Key) -> Observed {
    Observed { condition: Condition::NotReady, words: events(live, "Pod", key, Place::PodEvent).collect() }
}

/// Reasons of the condition Ready that say more than the Pod does.
fn is_error(reason: &str) -> bool {
    !matches!(reason, "DependenciesReady" | "DependenciesNotReady" | "PodFailed" | "PodSucceeded")
}

fn of_sandbox(object: &Value) -> Condition {
    if !object["metadata"]["deletionTimestamp"].is_null() {
        return Condition::AtRest("is being deleted".to_owned());
    }
    let Some(ready) = condition(object, "Ready") else { return Condition::Silent };
    match (text(&ready["status"]), text(&ready["reason"])) {
        ("True", _) => Condition::Ready,
        (_, "SandboxSuspended") => Condition::AtRest("is suspended".to_owned()),
        (_, "SandboxExpired") => Condition::AtRest("has expired".to_owned()),
        (_, "PodSucceeded") => Condition::AtRest("has completed".to_owned()),
        _ => Condition::NotReady,
    }
}

fn pod_condition(pod: &Value) -> Condition {
    if !pod["metadata"]["deletionTimestamp"].is_null() {
        return Condition::AtRest("is being deleted".to_owned());
    }
    let ready = condition(pod, "Ready").is_none_or(|ready| text(&ready["status"]) == "True");
    match text(&pod["status"]["phase"]) {
        "Running" if ready => Condition::Ready,
        "Succeeded" => Condition::AtRest("has completed".to_owned()),
        _ => Condition::NotReady,
    }
}

fn of_pod(live: &Live, key: &Key, pod: &Value, words: &mut Vec<Words>) {
    let status = &pod["status"];
    if !text(&status["reason"]).is_empty() {
        words.push(Words::new(Place::PodStatus, text(&status["reason"]), text(&status["message"])));
    }
    for list in ["initContainerStatuses", "containerStatuses"] {
        for container in status[list].as_array().into_iter().flatten() {
            let waiting = &container["state"]["waiting"];
            let reason = text(&waiting["reason"]);
            if !matches!(reason, "" | "ContainerCreating" | "PodInitializing") {
                words.push(Words::new(Place::Container, reason, text(&waiting["message"])));
            }
        }
    }
    let scheduled = condition(pod, "PodScheduled");
    let is_bound = !text(&pod["spec"]["nodeName"]).is_empty();
    if let Some(scheduled) = scheduled.filter(|scheduled| text(&scheduled["status"]) == "False" && !is_bound) {
        words.push(of_condition(Place::PodCondition, scheduled));
    }
    // A Pod that has a node is past the scheduler, whatever it said before.
    let of_pod = events(live, "Pod", key, Place::PodEvent);
    words.extend(of_pod.filter(|event| !(is_bound && event.reason == "FailedScheduling")));
}

fn of_condition(place: Place, condition: &Value) -> Words {
    Words::new(place, text(&condition["reason"]), text(&condition["message"]))
}

fn events<'l>(live: &'l Live, kind: &str, key: &Key, place: Place) -> impl Iterator<Item = Words> + 'l {
    let warnings = live.warnings(kind, key).filter(|event| !signs::is_harmless(&event.reason));
    warnings.map(move |event| Words::event(place, event)).collect::<Vec<_>>().into_iter()
}

/// A SandboxClaim.
pub fn claim(live: &Live, key: &Key, object: &Value) -> Observed {
    let mut words = Vec::new();
    let ready = condition(object, "Ready");
    let status = ready.map_or("", |ready| text(&ready["status"]));
    if let Some(ready) = ready.filter(|_| status != "True") {
        words.push(of_condition(Place::ClaimCondition, ready));
    }
    words.extend(events(live, "SandboxClaim", key, Place::ClaimEvent));
    let condition = match (status, ready.map_or("", |ready| text(&ready["reason"]))) {
        _ if !object["metadata"]["deletionTimestamp"].is_null() => Condition::AtRest("is being deleted".to_owned()),
        ("", _) => Condition::Silent,
        ("True", _) => Condition::Ready,
        (_, "ClaimExpired" | "SandboxExpired") => Condition::AtRest("has expired".to_owned()),
        (_, "SandboxSuspended") => Condition::AtRest("is suspended".to_owned()),
        _ => Condition::NotReady,
    };
    Observed { condition, words }
}

/// A SandboxWarmPool.
pub fn pool(live: &Live, key: &Key, object: &Value) -> Observed {
    let wanted = object["spec"]["replicas"].as_i64().unwrap_or(1);
    let ready = object["status"]["readyReplicas"].as_i64().unwrap_or(0);
    let condition = if !object["metadata"]["deletionTimestamp"].is_null() {
        Condition::AtRest("is being deleted".to_owned())
    } else if wanted <= ready {
        Condition::Ready
    } else if object["status"].is_object() {
        Condition::NotReady
    } else {
        Condition::Silent
    };
    Observed { condition, words: events(live, "SandboxWarmPool", key, Place::PoolEvent).collect() }
}
