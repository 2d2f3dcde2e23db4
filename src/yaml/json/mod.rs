//! JSON, read and written as Go does.

pub(super) mod read;
mod write;

pub(super) use write::{float, write_json, write_string};
pub use write::{to_json, to_value};
