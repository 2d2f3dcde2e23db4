//! Decoding a manifest as kubectl does, with the place of every value.
//!
//! This module knows nothing of Kubernetes above kubectl's stream of objects. `text` turns bytes into text,
//! `stream` splits text into documents, `scan`, `parse`, `compose` and `scalar` build the [`Node`] tree.

mod comment;
mod compose;
pub mod de;
pub mod decode;
pub mod edit;
mod error;
mod json;
mod loss;
mod mapping;
mod metadata;
mod node;
pub mod object;
mod parse;
mod scalar;
mod scan;
pub mod stream;
mod syntax;
pub mod text;
mod tree;

pub use comment::Comment;
pub use de::{DeError, from_node};
pub use decode::{Refusal, decode_lines, document_lines};
pub use edit::Edit;
pub use error::{Problem, SyntaxError};
pub use json::{escape_html, to_json, to_value};
pub use loss::{EndCause, Loss};
pub use node::{Entry, Mapping, Node, Span, Style, Value};
pub use object::{Object, ObjectError, ObjectProblem, decoded_objects, objects};
pub use stream::{Document, Documents, Options, Stream, parse};
pub use text::{Encoding, LineIndex, Position, Text};
