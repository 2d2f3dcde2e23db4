//! Claims and warm pools whose Sandboxes are stuck.

use super::live::{Key, Live, key_of, owner, text};
use super::{Account, State};
use crate::rule::Stage;
use serde_json::Value;
use std::collections::HashMap;

/// A claim or pool whose Sandbox is stuck is stuck with it.
pub(super) fn follow_owners(live: &Live, accounts: &mut [Account]) {
    let mut stuck: HashMap<Key, (Option<Stage>, Option<String>)> = HashMap::new();
    for account in accounts.iter().filter(|one| one.state == State::Stuck && one.object.kind == "Sandbox") {
        let key = (account.object.namespace.clone(), account.object.name.clone());
        stuck.insert(key, (account.stage, account.message.clone()));
    }
    let mut members: HashMap<Key, Vec<Key>> = HashMap::new();
    for object in live.sandboxes.values() {
        if let Some(pool) = owner(object, "SandboxWarmPool") {
            let key = key_of(object);
            members.entry((key.0.clone(), pool.to_owned())).or_default().push(key);
        }
    }
    for account in accounts.iter_mut().filter(|account| account.state == State::Waiting) {
        let key = (account.object.namespace.clone(), account.object.name.clone());
        let sandboxes: Vec<Key> = match account.object.kind.as_str() {
            "SandboxWarmPool" => members.get(&key).cloned().unwrap_or_default(),
            "SandboxClaim" => {
                let status = &live.claims.get(&key).map_or(&Value::Null, |claim| &claim["status"]["sandbox"]);
                let name = Some(text(&status["name"])).filter(|name| !name.is_empty());
                vec![(key.0.clone(), name.unwrap_or(&key.1).to_owned())]
            }
            _ => continue,
        };
        let broken: Vec<&Key> = sandboxes.iter().filter(|key| stuck.contains_key(*key)).collect();
        let Some(first) = broken.first() else { continue };
        let (stage, message) = stuck[*first].clone();
        account.state = State::Stuck;
        account.stage = stage;
        account.message = message;
        account.notes.clear();
        account.cause = Some(match account.object.kind.as_str() {
            "SandboxClaim" => format!("its Sandbox {} is stuck, see there", first.1),
            _ => format!("{} of its {} Sandboxes are stuck, see {}", broken.len(), sandboxes.len(), first.1),
        });
    }
}
