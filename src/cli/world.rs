//! The world that the flags describe.

use super::args::{Profile, WorldArgs};
use crate::cluster::{Webhook, World};
use std::time::{SystemTime, UNIX_EPOCH};

impl WorldArgs {
    /// The assumed world with what the flags say of it.
    pub(super) fn world(&self) -> World {
        let mut world = World { now: now(), ..World::assumed() };
        if let Some(minor) = self.kube_version {
            world.kube_minor = minor;
        }
        world.agent_sandbox = self.agent_sandbox_version;
        if self.profile.contains(&Profile::CocoonWebhook) {
            world.webhook = Some(Webhook::default());
        }
        world.aggregated_api = self.profile.contains(&Profile::AggregatedApi);
        world
    }
}

/// Seconds since 1970; `SOURCE_DATE_EPOCH` sets them for repeatable runs.
fn now() -> i64 {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs().cast_signed());
    told.unwrap_or_else(clock)
}
