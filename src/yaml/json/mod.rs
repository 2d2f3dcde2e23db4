//! JSON, read and written as Go does.

pub(super) mod read;
mod write;

pub use write::{to_json, to_value};
