//! `contract`: what backends ask of a Pod template.

use super::args::{ConfigArgs, ContractArgs, TextOrJson};
use super::configs::Configs;
use super::{Error, Exit, output, terminal};
use crate::config::Config;
use crate::contract::{Contract, render_text};
use crate::escape;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Prints the contract that the linter judges by, with what the configuration adds.
pub(super) fn run(args: &ContractArgs) -> Result<Exit, Error> {
    let config = configuration(args.config.clone(), args.isolated, &args.provider_pack)?;
    let mut contract = Contract::builtin();
    contract.extend(config.contract.clone()).map_err(|error| Error::Settings(error.to_string()))?;
    output::print(&match args.format {
        TextOrJson::Human => terminal::page(&render_text(&contract)),
        TextOrJson::Json => {
            escape::json(serde_json::to_string_pretty(&contract).expect("the contract is plain data")) + "\n"
        }
    })?;
    Ok(Exit::Clean)
}

/// The configuration whose contract counts: the one named, or the nearest above the current folder.
pub(super) fn configuration(config: Option<PathBuf>, isolated: bool, packs: &[PathBuf]) -> Result<Arc<Config>, Error> {
    let args = ConfigArgs { config, isolated, policy: Vec::new(), provider_pack: packs.to_vec() };
    let configs = Configs::new(&args)?;
    let config = configs.of(Path::new(".")).1;
    configs.verify()?;
    Ok(config)
}
