//! JSON, read and written as Go does.

pub(super) mod read;
mod write;

pub(super) use write::{escape_html, float, write_json, write_string};
pub use write::{to_json, to_value};
