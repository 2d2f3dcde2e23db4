//! The world that the flags describe.

use super::Error;
use super::args::{Profile, WorldArgs};
use super::gather::open;
use crate::cluster::{SnapshotError, Webhook, World};
use crate::config::Config;
use crate::input::Source;
use crate::yaml::Text;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

impl WorldArgs {
    /// The assumed world, or that of a snapshot, with what the configuration and then the flags say of it.
    pub(super) fn world(&self, config: &Config) -> Result<World, Error> {
        self.describe(self.snapshot(config)?, config)
    }

    /// A world with what the configuration and then the flags say of it.
    pub(super) fn describe(&self, mut world: World, config: &Config) -> Result<World, Error> {
        config.describe(&mut world).map_err(|error| {
            let file = config.file.as_deref().unwrap_or(Path::new("the configuration"));
            Error::File(file.to_string_lossy().into_owned(), error.to_string())
        })?;
        world.now = now();
        if let Some(minor) = self.kube_version {
            world.kube_minor = minor;
        }
        world.agent_sandbox = self.agent_sandbox_version.or(world.agent_sandbox);
        if self.profile.contains(&Profile::CocoonWebhook) {
            world.webhook.get_or_insert_with(Webhook::default);
        }
        world.from_files &= !self.no_cluster_files;
        world.aggregated_api |= self.profile.contains(&Profile::AggregatedApi);
        Ok(world)
    }

    /// The files that describe the cluster.
    pub(super) fn snapshots<'w>(&'w self, config: &'w Config) -> &'w [PathBuf] {
        if self.cluster.is_empty() { &config.cluster.snapshots } else { &self.cluster }
    }

    fn snapshot(&self, config: &Config) -> Result<World, Error> {
        let files = self.snapshots(config);
        if files.is_empty() {
            return Ok(World::assumed());
        }
        let sources =
            files.iter().map(|path| open(path, &config.limits.snapshot())).collect::<Result<Vec<Source>, Error>>()?;
        let texts: Vec<Text<'_>> = sources.iter().map(Source::text).collect();
        World::from_snapshot(texts.iter().map(Text::as_str)).map_err(|error| {
            let (file, reason) = match error {
                SnapshotError::Syntax { file, reason } => (file, format!("not a readable snapshot: {reason}")),
                SnapshotError::Nameless { file, kind } => {
                    (file, format!("not a readable snapshot: a {kind} has no name"))
                }
                SnapshotError::Empty { file } => {
                    (file, "no Kubernetes object in it; write it with kubectl get … -A -o yaml".to_owned())
                }
            };
            Error::File(sources[file].path.clone(), reason)
        })
    }
}

/// Seconds since 1970; `SOURCE_DATE_EPOCH` sets them for repeatable runs.
fn now() -> i64 {
    let from_variable = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs().cast_signed());
    from_variable.unwrap_or_else(clock)
}
