//! `completions` and `man`: files that are generated from the command line's own definition.

use super::args::AnyShell;
use super::{Error, Exit, command, output};
use clap::ValueEnum;
use std::fmt::Write;
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
    let mut script = String::from_utf8_lossy(&bytes).into_owned();
    match shell {
        // clap_complete 4.6 looks up the branches of a program with a hyphen by another name than it gives them.
        AnyShell::Bash => script.replace("sandbox__subcmd__lint", "sandbox__lint"),
        AnyShell::Fish => {
            script += &fish_arguments(&command);
            script
        }
        AnyShell::Zsh => path_or_command(&script),
        _ => script,
    }
}

/// Lets the first word be a path or a command in the script for zsh. clap takes them for two words, so that nothing
/// behind a command is completed.
fn path_or_command(script: &str) -> String {
    const COMMANDS: &str = "\":: :_sandbox-lint_commands\" \\\n";
    const END: &str = "        esac\n    ;;\nesac\n";
    let Some((before, behind)) = script.split_once(COMMANDS) else { return script.to_owned() };
    let before = before.trim_end_matches('\n').rsplit_once('\n').map_or(before, |(rest, _path)| rest);
    let behind = behind.replace("$line[2]", "$line[1]");
    let Some((inner, rest)) = behind.rsplit_once(END) else { return script.to_owned() };
    let paths = "            (*)\n_files && ret=0\n;;\n";
    format!("{before}\n\":: :{{ _sandbox-lint_commands; _files }}\" \\\n{inner}{paths}{END}{rest}")
}

/// The values of arguments without a flag, which clap leaves out of the script for fish.
fn fish_arguments(command: &clap::Command) -> String {
    let mut lines = String::new();
    for one in command.get_subcommands() {
        let values = one.get_positionals().flat_map(clap::Arg::get_possible_values);
        for value in values.filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default().replace('\'', "\\'");
            let _ = writeln!(
                lines,
                "complete -c sandbox-lint -n \"__fish_sandbox_lint_using_subcommand {}\" -f -a \"{}\" -d '{help}'",
                one.get_name(),
                value.get_name()
            );
        }
    }
    lines
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
    let mut pages = Vec::new();
    write_pages(whole, &mut pages);
    pages
}

/// The page of a command, then those of the commands below it.
fn write_pages(one: clap::Command, pages: &mut Vec<(String, Vec<u8>)>) {
    let name = one.get_display_name().unwrap_or(one.get_name()).to_owned();
    let below: Vec<clap::Command> = one.get_subcommands().filter(|one| !one.is_hide_set()).cloned().collect();
    let mut page = Vec::new();
    // Of what `-h` leaves out clap_mangen knows the long help only.
    let one = one.mut_args(|arg| match (arg.is_hide_short_help_set(), arg.get_long_help(), arg.get_help().cloned()) {
        (true, None, Some(help)) => arg.long_help(help),
        (true, Some(_), _) => arg.hide_short_help(false),
        _ => arg,
    });
    clap_mangen::Man::new(one).title(name.clone()).render(&mut page).expect("a Vec takes everything");
    pages.push((format!("{name}.1"), page));
    for one in below {
        write_pages(one, pages);
    }
}
