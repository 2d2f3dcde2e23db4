//! `schema`: what manifests, the configuration and the JSON output look like, for editors and programs.

use super::args::{SchemaArgs, SchemaOf};
use super::{Error, Exit, output};
use crate::contract::Contract;
use crate::resource::Kind;
use crate::resource::schema::{Described, json_schema};

/// Prints a JSON Schema (draft-07).
pub(super) fn run(args: &SchemaArgs) -> Result<Exit, Error> {
    let described = match args.of {
        SchemaOf::Config => return own(args, include_str!("../../schemas/config.schema.json")),
        SchemaOf::Output => return own(args, include_str!("../../schemas/output.schema.json")),
        SchemaOf::Sandbox => Described::One(Kind::Sandbox),
        SchemaOf::Sandboxtemplate => Described::One(Kind::SandboxTemplate),
        SchemaOf::Sandboxwarmpool => Described::One(Kind::SandboxWarmPool),
        SchemaOf::Sandboxclaim => Described::One(Kind::SandboxClaim),
        SchemaOf::All => Described::All,
    };
    let schema = json_schema(described, args.agent_sandbox_version, &Contract::builtin());
    let text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
    output::print(&(text + "\n"))?;
    Ok(Exit::Clean)
}

fn own(args: &SchemaArgs, text: &str) -> Result<Exit, Error> {
    if args.agent_sandbox_version.is_some() {
        return Err(Error::Flags("--agent-sandbox-version goes with the schemas of manifests".to_owned()));
    }
    output::print(text)?;
    Ok(Exit::Clean)
}
