//! Decoding a manifest as kubectl does, with the place of every value.
//!
//! This module knows nothing of Kubernetes above kubectl's stream of objects. `text` turns bytes into text,
//! `stream` splits text into documents, `parse` and `scalar` build the [`Node`] tree.

mod node;

pub use node::{Entry, Mapping, Node, Span, Style, Value};
