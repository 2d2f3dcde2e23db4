//! `contract`: what backends ask of a Pod template.

use super::args::{ConfigArgs, ContractArgs, TextOrJson};
use super::configs::Configs;
use super::{Error, Exit, output};
use crate::contract::{Contract, render_text};
use std::path::Path;

/// Prints the contract that the linter judges by, with what the configuration adds.
pub(super) fn run(args: &ContractArgs) -> Result<Exit, Error> {
    let config = ConfigArgs { config: args.config.clone(), isolated: args.isolated, policy: Vec::new() };
    let configs = Configs::new(&config)?;
    let config = configs.of(Path::new(".")).1;
    configs.verify()?;
    let mut contract = Contract::builtin();
    contract.extend(config.contract.clone()).map_err(|error| Error::Settings(error.to_string()))?;
    output::print(&match args.format {
        TextOrJson::Human => render_text(&contract),
        TextOrJson::Json => {
            format!("{}\n", serde_json::to_string_pretty(&contract).expect("the contract is plain data"))
        }
    })?;
    Ok(Exit::Clean)
}
