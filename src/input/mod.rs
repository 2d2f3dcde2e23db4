//! What the linter reads.

pub mod discover;
mod heredoc;
pub mod markdown;
pub mod prefilter;
pub mod read;
mod source;
pub mod templates;

pub use source::Source;
