//! `contract`: what backends ask of a Pod template.

use super::args::{ContractArgs, TextOrJson};
use super::{Error, Exit, output};
use crate::contract::{Contract, render_text};

/// Prints the contract that the linter judges by.
pub(super) fn run(args: &ContractArgs) -> Result<Exit, Error> {
    let contract = Contract::builtin();
    output::print(&match args.format {
        TextOrJson::Human => render_text(&contract),
        TextOrJson::Json => {
            format!("{}\n", serde_json::to_string_pretty(&contract).expect("the contract is plain data"))
        }
    })?;
    Ok(Exit::Clean)
}
