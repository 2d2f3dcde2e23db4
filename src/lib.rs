//! sandbox-lint: what will happen to the Pods of Kubernetes agent sandboxes.

pub mod baseline;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cluster;
pub mod config;
pub mod contract;
pub mod draft;
pub mod finding;
pub mod fix;
pub mod fleet;
pub mod go;
pub mod input;
pub mod linter;
pub mod names;
pub mod policy;
pub mod predict;
pub mod quantity;
pub mod report;
pub mod resource;
pub mod rule;
pub mod select;
pub mod settings;
pub mod stage;
pub mod suggest;
pub mod suppress;
pub mod timestamp;
pub mod verify;
pub mod yaml;

pub use cluster::World;
pub use finding::Finding;
pub use input::Source;
pub use linter::{Linter, Report, Skipped, Summary};
pub use predict::Prediction;
