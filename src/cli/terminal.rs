//! What the terminal is and wants.

use super::args::{Color, ColorArgs};
use crate::escape;
use crate::report::human::{self, Look};
use std::env;
use std::io::{self, IsTerminal, Write};

/// Columns where nobody says.
const WIDTH: usize = 100;

impl ColorArgs {
    /// The look for standard output.
    pub(super) fn look(&self) -> Look {
        let terminal = io::stdout().is_terminal();
        Look { color: self.wants_color(terminal), unicode: is_unicode(terminal), width: width(terminal) }
    }

    /// The look for a file: no colours, UTF-8.
    pub(super) fn look_of_file() -> Look {
        Look { color: false, unicode: true, width: WIDTH }
    }

    fn wants_color(&self, terminal: bool) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if is_set("NO_COLOR") => false,
            Color::Auto if is_set("CLICOLOR_FORCE") => true,
            Color::Auto => terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
        }
    }
}

/// A page as it is shown: folded between words on a terminal, as it stands elsewhere.
pub(super) fn page(text: &str) -> String {
    if io::stdout().is_terminal() { human::fold(text, width(true)) } else { text.to_owned() }
}

fn is(name: &str, value: &str) -> bool {
    env::var_os(name).is_some_and(|text| text == value)
}

/// Set, not empty, and not `0`, which `NO_COLOR` and `CLICOLOR_FORCE` agree on.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|text| !text.is_empty() && text != "0")
}

/// Columns: `COLUMNS`, else the terminal's, else a width that suits files and logs.
fn width(terminal: bool) -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).filter(|width| *width > 0);
    let seen = || terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0));
    columns.or_else(seen).unwrap_or(WIDTH).max(40)
}

/// A terminal shows what its locale says; files and pipes get UTF-8.
fn is_unicode(terminal: bool) -> bool {
    if !terminal {
        return true;
    }
    if cfg!(windows) {
        return env::var_os("WT_SESSION").is_some() || env::var_os("TERM_PROGRAM").is_some();
    }
    if is("TERM", "linux") || is("TERM", "dumb") {
        return false;
    }
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| env::var(name).ok().filter(|text| !text.is_empty()));
    locale.is_some_and(|text| {
        let text = text.to_ascii_lowercase();
        text.contains("utf-8") || text.contains("utf8")
    })
}

/// Says on standard error what could not be done, hidden characters escaped.
pub(super) fn notice(message: &str) {
    let _ = writeln!(io::stderr().lock(), "sandbox-lint: {}", escape::block(message));
}
