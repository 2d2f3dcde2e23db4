//! Questions at a terminal, a line each. They go to standard error, so that standard output holds the result alone.

use super::Error;
use crate::escape;
use std::io::{self, BufRead, IsTerminal, Write};

/// Whether somebody is there to answer.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Lets Ctrl-C end the program as any job that could not be done.
pub(super) fn end_on_interrupt() {
    // A second handler, or a system without signals: the default ends the program as well.
    let _ = ctrlc::set_handler(|| {
        let _ = writeln!(io::stderr());
        std::process::exit(2);
    });
}

/// One answer that `read` takes; an empty line is the default. `read` says what is wrong with any other.
///
/// # Errors
/// The input ends, or is no text.
pub(super) fn ask<T>(
    question: &str,
    default: Option<&str>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Error> {
    loop {
        let shown = default.map_or_else(String::new, |default| format!(" [{}]", escape::line(default)));
        let mut out = io::stderr().lock();
        let _ = write!(out, "{}{shown}: ", escape::line(question));
        let _ = out.flush();
        drop(out);
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) => return Err(Error::Flags("the input ended before all was answered; nothing is printed".into())),
            Ok(_) => {}
            Err(error) => return Err(Error::Flags(format!("the answer cannot be read: {error}"))),
        }
        let answer = match (line.trim(), default) {
            ("", Some(default)) => default,
            (answer, _) => answer,
        };
        match read(answer) {
            Ok(value) => return Ok(value),
            Err(reason) => {
                let _ = writeln!(io::stderr(), "  {}", escape::line(&reason));
            }
        }
    }
}

/// One of several, by number, name or the beginning of its name; the default is a name.
///
/// # Errors
/// As [`ask`].
pub(super) fn choose(question: &str, choices: &[(String, String)], default: &str) -> Result<usize, Error> {
    let widest = choices.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (at, (name, summary)) in choices.iter().enumerate() {
        let line = format!("  {}) {name:<widest$}  {summary}", at + 1);
        let _ = writeln!(io::stderr(), "{}", escape::line(line.trim_end()));
    }
    ask(question, Some(default), |answer| pick(choices, answer))
}

fn pick(choices: &[(String, String)], answer: &str) -> Result<usize, String> {
    let by_name = || choices.iter().position(|(name, _)| name == answer);
    let by_number = || answer.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < choices.len());
    let mut beginning =
        choices.iter().enumerate().filter(|(_, (name, _))| !answer.is_empty() && name.starts_with(answer));
    let first = beginning.next().map(|(at, _)| at);
    let only = first.filter(|_| beginning.next().is_none());
    by_name().or_else(by_number).or(only).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| name.as_str()).collect();
        format!("write a number from 1 to {}, or one of {}", choices.len(), names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::pick;

    #[test]
    fn a_choice_is_a_number_a_name_or_its_beginning() {
        let choices = ["sandbox", "sandboxd", "pool"].map(|name| (name.to_owned(), String::new()));
        for (answer, at) in
            [("1", Some(0)), ("sandbox", Some(0)), ("sandboxd", Some(1)), ("p", Some(2)), ("3", Some(2))]
        {
            assert_eq!(pick(&choices, answer).ok(), at, "{answer}");
        }
        for answer in ["", "0", "4", "s", "x", "-1"] {
            assert!(pick(&choices, answer).is_err(), "{answer}");
        }
    }
}
