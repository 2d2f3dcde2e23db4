//! `completions` and `man`: files that are generated from the command line's own definition.

use super::args::AnyShell;
use super::{Error, Exit, command, output};
use clap::ValueEnum;
use std::path::Path;

/// Prints the script for one shell.
pub(super) fn run(shell: AnyShell) -> Result<Exit, Error> {
    output::print(&script(shell))?;
    Ok(Exit::Clean)
}

/// Writes the manual pages into a folder.
pub(super) fn write_manual(folder: &Path) -> Result<Exit, Error> {
    for (name, page) in manual() {
        output::write_file(&folder.join(name), &page)?;
    }
    Ok(Exit::Clean)
}

fn script(shell: AnyShell) -> String {
    let (mut command, mut bytes) = (command(), Vec::new());
    match shell.common() {
        Some(shell) => clap_complete::generate(shell, &mut command, "sandbox-lint", &mut bytes),
        None => clap_complete::generate(clap_complete_nushell::Nushell, &mut command, "sandbox-lint", &mut bytes),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// All completion scripts with the names they have in `completions/`.
pub fn completions() -> Vec<(String, String)> {
    let name = |shell| match shell {
        AnyShell::Bash => "sandbox-lint.bash",
        AnyShell::Elvish => "sandbox-lint.elv",
        AnyShell::Fish => "sandbox-lint.fish",
        AnyShell::Nushell => "sandbox-lint.nu",
        AnyShell::PowerShell => "_sandbox-lint.ps1",
        AnyShell::Zsh => "_sandbox-lint",
    };
    AnyShell::value_variants().iter().map(|shell| (name(*shell).to_owned(), script(*shell))).collect()
}

/// All manual pages with the names they have in `man/`: one for the program, one for each command.
pub fn manual() -> Vec<(String, Vec<u8>)> {
    let mut whole = command().disable_help_subcommand(true);
    whole.build();
    let mut commands = vec![whole.clone()];
    commands.extend(whole.get_subcommands().filter(|one| !one.is_hide_set()).cloned());
    commands
        .into_iter()
        .map(|one| {
            let name = one.get_display_name().unwrap_or(one.get_name()).to_owned();
            let mut page = Vec::new();
            clap_mangen::Man::new(one).title(name.clone()).render(&mut page).expect("a Vec takes everything");
            (format!("{name}.1"), page)
        })
        .collect()
}
