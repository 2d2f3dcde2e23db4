//! What the linter reads.

pub mod discover;
pub mod prefilter;
pub mod read;
mod source;
pub mod templates;

pub use source::Source;
