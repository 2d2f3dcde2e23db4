//! sandbox-lint: what will happen to the Pods of Kubernetes agent sandboxes.

pub mod yaml;
