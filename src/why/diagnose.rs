//! Matches what the cluster shows of an object to what the linter finds in its manifest.

use super::live::{Key, Live, owner, text};
use super::observe::{self, Condition, Observed};
use super::owners::follow_owners;
use super::signs::{self, Meaning};
use super::{Account, Field, ObjectName, Predicted, State, manifest, words};
use crate::cluster::World;
use crate::finding::{Finding, Outcome, Phase, Severity};
use crate::input::Source;
use crate::linter::{Linter, Report};
use crate::predict::Prediction;
use crate::rule::Stage;
use serde_json::Value;
use std::collections::HashMap;

/// An object that is explained.
struct Subject<'l> {
    name: ObjectName,
    /// The Pod, where there is one.
    pod: Option<(&'l Key, &'l Value)>,
    /// The object, unless only its Pod is known.
    object: Option<(&'l Key, &'l Value)>,
    /// What its author wrote.
    manifest: Value,
    observed: Observed,
}

/// Explains every Sandbox, Pod, claim and warm pool of the input in the given world. Pods that have nothing to do with
/// sandboxes are left out.
pub fn explain(live: &Live, world: &World) -> Vec<Account> {
    let subjects = subjects(live);
    let report = judge(live, &subjects, world);
    let mut findings: HashMap<usize, Vec<&Finding>> = HashMap::new();
    for finding in &report.findings {
        findings.entry(finding.file).or_default().push(finding);
    }
    let predictions: HashMap<usize, &Prediction> = report.predictions.iter().map(|one| (one.file, one)).collect();
    let mut accounts: Vec<Account> = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let prediction = predictions.get(&index).copied();
        // A Pod of its own that the linter does not follow is no sandbox.
        if subject.pod.is_some() && subject.object.is_none() && prediction.is_none() {
            continue;
        }
        let own = findings.get(&index).map(Vec::as_slice).unwrap_or_default();
        accounts.push(Case { subject, world, findings: own, prediction }.account());
    }
    follow_owners(live, &mut accounts);
    accounts.sort_by(|one, other| {
        let key = |account: &Account| (account.state, account.object.namespace.clone(), account.object.name.clone());
        key(one).cmp(&key(other)).then_with(|| one.object.kind.cmp(&other.object.kind))
    });
    accounts
}

fn subjects(live: &Live) -> Vec<Subject<'_>> {
    let mut subjects = Vec::new();
    let mut taken = Vec::new();
    for (key, object) in &live.sandboxes {
        let pod_key = (key.0.clone(), pod_name(object).unwrap_or(&key.1).to_owned());
        let pod = live.pods.get_key_value(&pod_key);
        taken.extend(pod.map(|(key, _)| key));
        let observed = observe::sandbox(live, Some((key, object)), pod);
        subjects.push(Subject {
            name: name("Sandbox", key),
            pod,
            object: Some((key, object)),
            manifest: versioned(manifest::authored(object)),
            observed,
        });
    }
    taken.sort();
    for (key, pod) in live.pods.iter().filter(|(key, _)| taken.binary_search(key).is_err()) {
        let manifest = manifest::sandbox_of_pod(pod).unwrap_or_else(|| versioned(manifest::created_pod(pod)));
        let observed = observe::sandbox(live, None, Some((key, pod)));
        subjects.push(Subject { name: name("Pod", key), pod: Some((key, pod)), object: None, manifest, observed });
    }
    subjects.extend(from_events(live));
    for (key, object) in &live.claims {
        let observed = observe::claim(live, key, object);
        subjects.push(other("SandboxClaim", key, object, observed));
    }
    for (key, object) in &live.pools {
        let observed = observe::pool(live, key, object);
        subjects.push(other("SandboxWarmPool", key, object, observed));
    }
    subjects
}

/// Pods that only events mention, where the input holds neither Pods nor Sandboxes. Elsewhere such a Pod is gone.
fn from_events(live: &Live) -> Vec<Subject<'_>> {
    if !live.pods.is_empty() || !live.sandboxes.is_empty() {
        return Vec::new();
    }
    let pods = live.events.keys().filter(|(kind, _)| kind == "Pod");
    let subject = |key| Subject {
        name: name("Pod", key),
        pod: None,
        object: None,
        manifest: Value::Null,
        observed: observe::from_events(live, key),
    };
    let subjects = pods.map(|(_, key)| subject(key));
    // Pods of all kinds have events; those count that something is known of.
    let known = |subject: &Subject<'_>| {
        subject.observed.words.iter().any(|words| signs::find(words.place, &words.reason, &words.message).is_some())
    };
    subjects.filter(known).collect()
}

fn other<'l>(kind: &str, key: &'l Key, object: &'l Value, observed: Observed) -> Subject<'l> {
    let manifest = versioned(manifest::authored(object));
    Subject { name: name(kind, key), pod: None, object: Some((key, object)), manifest, observed }
}

fn name(kind: &str, key: &Key) -> ObjectName {
    ObjectName { kind: kind.to_owned(), namespace: key.0.clone(), name: key.1.clone() }
}

/// The name that an annotation gives to the Pod of a Sandbox.
fn pod_name(sandbox: &Value) -> Option<&str> {
    let name = text(&sandbox["metadata"]["annotations"]["agents.x-k8s.io/pod-name"]);
    Some(name).filter(|name| !name.is_empty())
}

/// Items of typed lists need not carry their apiVersion.
fn versioned(mut manifest: Value) -> Value {
    if text(&manifest["apiVersion"]).is_empty() {
        manifest["apiVersion"] = match text(&manifest["kind"]) {
            "Pod" => "v1",
            "Sandbox" => "agents.x-k8s.io/v1beta1",
            _ => "extensions.agents.x-k8s.io/v1beta1",
        }
        .into();
    }
    manifest
}

/// Lints the manifests, one file each in the order of the subjects, and then the templates.
fn judge(live: &Live, subjects: &[Subject<'_>], world: &World) -> Report {
    let mut world = world.clone();
    if let Some(snapshot) = &mut world.snapshot {
        // A Pod does not stand in its own way.
        let mut own: Vec<&Key> = subjects.iter().filter_map(|subject| Some(subject.pod?.0)).collect();
        own.sort();
        snapshot.pods.retain(|pod| own.binary_search(&&(pod.namespace.clone(), pod.name.clone())).is_err());
    }
    let templates = live.templates.values().map(|template| versioned(manifest::authored(template)));
    // An object that only events mention has no manifest: an empty file.
    let manifests = subjects.iter().map(|subject| subject.manifest.clone()).chain(templates);
    let source = |(index, manifest): (usize, Value)| {
        let text = if manifest.is_null() { String::new() } else { manifest.to_string() };
        Source::found(format!("{index}.json"), text.into_bytes())
    };
    Linter::new(world).check(manifests.enumerate().map(source).collect())
}

/// One object with everything that is known of it.
struct Case<'c, 'l> {
    subject: &'c Subject<'l>,
    world: &'c World,
    findings: &'c [&'c Finding],
    prediction: Option<&'c Prediction>,
}

impl Case<'_, '_> {
    fn account(&self) -> Account {
        let mut account = self.blank();
        match &self.subject.observed.condition {
            Condition::Ready => {
                account.state = State::Healthy;
                self.misplaced(&mut account);
            }
            Condition::AtRest(why) if !self.fails_to_end() => {
                account.state = State::AtRest;
                account.notes.push(why.clone());
            }
            _ => {
                self.not_ready(&mut account);
                if account.state == State::Waiting {
                    self.misplaced(&mut account);
                }
            }
        }
        self.describe_origin(&mut account);
        account
    }

    fn blank(&self) -> Account {
        let pod = self.subject.pod;
        let of_pod = |pick: fn(&Value) -> &str| {
            pod.map(|(_, object)| pick(object)).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Account {
            object: self.subject.name.clone(),
            pod: pod.map(|(key, _)| key.1.clone()),
            node: of_pod(|pod| text(&pod["spec"]["nodeName"])),
            state: State::Waiting,
            stage: None,
            phase: of_pod(|pod| text(&pod["status"]["phase"])),
            reason: None,
            message: None,
            shown_on: Vec::new(),
            cause: None,
            fields: Vec::new(),
            change: None,
            waiting: None,
            predicted: None,
            unexplained: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Whether a Pod that is to go cannot.
    fn fails_to_end(&self) -> bool {
        self.subject.observed.words.iter().any(|words| words.reason == "ProviderDeleteFailed")
    }

    /// The first outcome that the manifest leads to, if it is certain and keeps the Pod from running.
    fn foreseen(&self) -> Option<&Outcome> {
        let outcome = self.prediction?.outcome.as_ref()?;
        (outcome.phase != Phase::Running && outcome.certain).then_some(outcome)
    }

    fn not_ready(&self, account: &mut Account) {
        let observed = &self.subject.observed;
        let meanings: Vec<Option<Meaning>> =
            observed.words.iter().map(|words| signs::find(words.place, &words.reason, &words.message)).collect();
        let deciding = meanings.iter().position(|meaning| meaning.as_ref().is_some_and(|one| self.counts(one)));
        if let Some((at, meaning)) = deciding.and_then(|at| Some((at, meanings[at].as_ref()?))) {
            let words = &observed.words[at];
            account.state = State::Stuck;
            account.reason = Some(words.reason.clone()).filter(|reason| !reason.is_empty());
            account.message = Some(words.message.clone());
            let same = observed.words.iter().filter(|other| words::agree(&words.message, &other.message));
            account.shown_on = same.map(observe::Words::place_in_words).collect();
            self.explain(meaning, &words.message, account);
        } else if let Some(outcome) = self.foreseen() {
            self.silent(outcome, account);
        }
        let unknown = observed.words.iter().zip(&meanings).filter(|(_, meaning)| meaning.is_none());
        let said = account.message.clone().unwrap_or_default();
        let unknown = unknown.filter(|(words, _)| !is_plain(words) && !words::agree(&words.message, &said));
        account.unexplained = unknown.map(|(words, _)| words.clone()).collect();
        if account.state == State::Waiting && !account.unexplained.is_empty() {
            account.state = State::Stuck;
        }
        if account.state == State::Waiting {
            self.describe_waiting(account);
        }
    }

    /// Words that also show on the way of a healthy object count only where the manifest leads to them.
    fn counts(&self, meaning: &Meaning) -> bool {
        !meaning.sign.normal || self.findings.iter().any(|finding| self.is_named(meaning, finding))
    }

    fn is_named(&self, meaning: &Meaning, finding: &Finding) -> bool {
        finding.severity >= Severity::Warning && meaning.sign.rules.iter().any(|code| code == finding.rule.code)
    }

    fn explain(&self, meaning: &Meaning, message: &str, account: &mut Account) {
        let sign = meaning.sign;
        account.stage = Some(sign.stage);
        account.cause = Some(meaning.cause.clone());
        account.change = Some(meaning.change.clone());
        let failed = account.phase.as_deref() == Some("Failed") && sign.stage < Stage::Running;
        account.waiting = Some(if failed { signs::waiting("failed") } else { meaning.waiting() }.clone());
        let predicted = self.prediction.and_then(|prediction| prediction.outcome.as_ref());
        account.predicted = predicted.map(|outcome| Predicted {
            stage: outcome.stage,
            message: outcome.message.clone(),
            agrees: outcome.stage == sign.stage
                && outcome.message.as_deref().is_none_or(|predicted| words::agree(predicted, message)),
        });
        let fields = self.findings_behind(meaning, message);
        account.fields = fields.into_iter().map(field_of).collect();
        // The scheduler names what keeps the Pod off every node; only the manifest says which of it is wrong.
        if let (Stage::Scheduling, Some(first)) = (sign.stage, account.fields.first()) {
            account.cause.clone_from(&first.message);
        }
        if account.fields.is_empty() {
            account.fields = self.fields_in_words(meaning, message);
            let foreseen = self.prediction.filter(|one| one.outcome.is_some());
            if foreseen.is_some() && !sign.rules.is_empty() && account.predicted.as_ref().is_some_and(|one| !one.agrees)
            {
                account.notes.push(
                    "the manifest as it stands now does not lead to this: it hangs on the state of the cluster, or was changed since"
                        .to_owned(),
                );
            }
        }
    }

    /// The findings that lead to the words: those that predict them, else those of the rules that the table names.
    fn findings_behind(&self, meaning: &Meaning, message: &str) -> Vec<&Finding> {
        let stage = meaning.sign.stage;
        let predicts = |finding: &&&Finding| {
            let outcome = finding.outcome.as_ref().filter(|outcome| outcome.stage == stage);
            let predicted = outcome.and_then(|outcome| outcome.message.as_deref());
            predicted.is_some_and(|predicted| words::agree(predicted, message))
        };
        let exact: Vec<&Finding> = self.findings.iter().filter(predicts).copied().collect();
        if !exact.is_empty() {
            return exact;
        }
        let named: Vec<&Finding> =
            self.findings.iter().filter(|finding| self.is_named(meaning, finding)).copied().collect();
        if !named.is_empty() {
            return named;
        }
        // A refusal that lists several mistakes is the sum of several findings.
        let whole = self.prediction.and_then(|one| one.outcome.as_ref()?.message.as_deref());
        if !whole.is_some_and(|whole| words::agree(whole, message)) {
            return Vec::new();
        }
        let at_stage =
            |finding: &&&Finding| finding.severity == Severity::Error && !finding.later && finding.stage == stage;
        self.findings.iter().filter(at_stage).copied().collect()
    }

    /// The fields that the words name, else the field that the table names.
    fn fields_in_words(&self, meaning: &Meaning, message: &str) -> Vec<Field> {
        let sign = meaning.sign;
        let refused = words::refused_fields(message);
        let paths = if refused.is_empty() { sign.field.clone().into_iter().collect() } else { refused };
        let path = |path: String| if sign.whole { path } else { self.path(&path) };
        paths
            .into_iter()
            .map(|one| Field { path: path(one), code: None, name: None, message: None, help: None })
            .collect()
    }

    /// A field of the Pod as a field of the manifest.
    fn path(&self, field: &str) -> String {
        match text(&self.subject.manifest["kind"]) {
            "Sandbox" => format!("spec.podTemplate.{field}"),
            _ => field.to_owned(),
        }
    }

    /// A stop that the manifest leads to and that the cluster does not report.
    fn silent(&self, outcome: &Outcome, account: &mut Account) {
        // What the API server refuses is not there; what the Pod has passed does not stop it.
        let passed = account.phase.as_deref() == Some("Running") || outcome.stage <= Stage::Admission;
        let scheduled = account.node.is_some() && outcome.stage <= Stage::Scheduling;
        let has_message = matches!(outcome.stage, Stage::PodCreate | Stage::Scheduling) && outcome.message.is_some();
        if passed || scheduled || (has_message && self.subject.observed.condition != Condition::Silent) {
            return;
        }
        account.state = State::Stuck;
        account.stage = Some(outcome.stage);
        account.predicted = Some(Predicted {
            stage: outcome.stage,
            message: outcome.message.clone(),
            agrees: outcome.message.is_none(),
        });
        let behind = self.findings.iter().filter(|finding| {
            finding.outcome.as_ref().is_some_and(|own| own.stage == outcome.stage && own.message == outcome.message)
        });
        account.fields = behind.copied().map(field_of).collect();
        account.cause = Some("nothing is shown; the manifest leads to it".to_owned());
        if let Some(retries) = &outcome.retries {
            account.waiting = Some(signs::Waiting { helps: "no".to_owned(), text: retries.clone() });
        }
    }

    fn describe_waiting(&self, account: &mut Account) {
        let what = match (&self.subject.observed.condition, account.object.kind.as_str()) {
            (Condition::Silent, "Sandbox") => "no status yet: it is new, or the agent-sandbox controller does not run",
            (Condition::Silent, _) => "no status yet: it is new, or the controller runs without --extensions",
            (_, "SandboxWarmPool") => "fewer Sandboxes are ready than spec.replicas asks for",
            _ => match account.phase.as_deref() {
                Some("Running") => "the Pod runs and is not Ready yet",
                _ => "nothing says that it will not come up",
            },
        };
        account.notes.push(what.to_owned());
    }

    /// A Pod that was meant for a microVM and runs somewhere else.
    fn misplaced(&self, account: &mut Account) {
        let (Some(prediction), Some((_, pod))) = (self.prediction, self.subject.pod) else { return };
        let meant = self.world.contract.backend(&prediction.backend).filter(|backend| backend.selector.is_some());
        let (Some(meant), "Running") = (meant, text(&pod["status"]["phase"])) else { return };
        let node = self.world.nodes.iter().find(|node| Some(&node.name) == account.node.as_ref());
        let node = node.filter(|_| self.world.has_real_nodes());
        let served = node.and_then(|node| self.world.backend_of(node)).map(|backend| backend.name.as_str());
        let where_it_runs = match served {
            Some(name) if name == meant.name => return,
            Some("kubelet") => "a plain container on an ordinary node".to_owned(),
            Some(name) => format!("a Pod of {name}"),
            None if is_container(pod) => "a plain container on an ordinary node".to_owned(),
            None => return,
        };
        account.state = State::Misplaced;
        account.stage = Some(Stage::Scheduling);
        let evidence = prediction.evidence.first().map_or("its manifest", |evidence| evidence.text.as_ref());
        let node = account.node.as_deref().unwrap_or("its node");
        account.cause =
            Some(format!("meant for {} ({evidence}), but it runs as {where_it_runs} ({node})", meant.provider));
        let at_scheduling = self.findings.iter().filter(|finding| {
            finding.stage == Stage::Scheduling && finding.severity >= Severity::Warning && finding.rule.code < "SB320"
        });
        account.fields = at_scheduling.copied().map(field_of).collect();
        if account.fields.is_empty() {
            let path = self.path("spec.nodeSelector");
            account.fields.push(Field { path, code: None, name: None, message: None, help: None });
        }
        account.change = Some(format!(
            "bind the Pod to the nodes of {} with nodeSelector and toleration, then delete the Pod: its spec is never updated",
            meant.provider
        ));
        let text = "the Pod stays where it runs".to_owned();
        account.waiting = Some(signs::Waiting { helps: "no".to_owned(), text });
    }

    /// Where the manifest is kept that has to be edited.
    fn describe_origin(&self, account: &mut Account) {
        if !matches!(account.state, State::Stuck | State::Misplaced) {
            return;
        }
        let Some((_, object)) = self.subject.object else {
            if let Some(owner) = self.subject.pod.and_then(|(_, pod)| owner(pod, "Sandbox")) {
                account.notes.push(format!("the Pod belongs to the Sandbox {owner}, which is not in the input"));
            }
            return;
        };
        if let Some(pool) = owner(object, "SandboxWarmPool") {
            let template = text(&object["metadata"]["annotations"]["agents.x-k8s.io/sandbox-template-ref"]);
            let template = if template.is_empty() { "its SandboxTemplate" } else { template };
            account.notes.push(format!(
                "a member of the warm pool {pool}: edit the SandboxTemplate ({template}), then delete the member; edits do not reach members, and one that is not Ready is replaced 5 to 6 minutes after its creation"
            ));
        } else if let Some(claim) = owner(object, "SandboxClaim") {
            account.notes.push(format!("made for the claim {claim} from a SandboxTemplate: edit the template, then delete the claim and create it again"));
        }
    }
}

/// Words that only say that something is not there yet.
fn is_plain(words: &observe::Words) -> bool {
    matches!(
        words.reason.as_str(),
        "DependenciesNotReady" | "PodSchedulingUnknown" | "SandboxNotReady" | "SandboxCreatePending"
    )
}

/// Whether a container runtime of an ordinary node started a container of the Pod.
fn is_container(pod: &Value) -> bool {
    let statuses = pod["status"]["containerStatuses"].as_array().into_iter().flatten();
    let mut ids = statuses.map(|status| text(&status["containerID"]));
    ids.any(|id| ["containerd://", "cri-o://", "docker://"].iter().any(|runtime| id.starts_with(runtime)))
}

fn field_of(finding: &Finding) -> Field {
    Field {
        path: finding.spot.path.clone(),
        code: Some(finding.rule.code),
        name: Some(finding.rule.name),
        message: Some(finding.message.clone()),
        help: finding.help.clone(),
    }
}
