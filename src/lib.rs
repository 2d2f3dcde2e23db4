//! sandbox-lint: what will happen to the Pods of Kubernetes agent sandboxes.

pub mod cluster;
pub mod contract;
pub mod finding;
pub mod fleet;
pub mod go;
pub mod predict;
pub mod quantity;
pub mod resource;
pub mod rule;
pub mod stage;
pub mod suggest;
pub mod yaml;
