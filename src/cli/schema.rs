//! `schema`: what the configuration and the JSON output look like, for editors and programs.

use super::args::SchemaOf;
use super::{Error, Exit, output};

/// Prints a JSON Schema (draft-07).
pub(super) fn run(of: SchemaOf) -> Result<Exit, Error> {
    output::print(match of {
        SchemaOf::Config => include_str!("../../schemas/config.schema.json"),
        SchemaOf::Output => include_str!("../../schemas/output.schema.json"),
    })?;
    Ok(Exit::Clean)
}
