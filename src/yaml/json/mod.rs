//! JSON, read and written as Go does.

pub(super) mod read;
mod write;

pub use write::{escape_html, to_json, to_value};
pub(super) use write::{write_json, write_string};
