//! Reading of the files that people write for the linter itself: strictly, with the place of everything that is wrong.

use crate::escape;
use crate::suggest;
use crate::yaml::{Entry, Node, Span, Value};
use std::cell::RefCell;

/// The names of a configuration file, the preferred one first.
pub const FILE_NAMES: [&str; 2] = [".sandbox-lint.yaml", "sandbox-lint.yaml"];

/// How deep a file of settings may be nested; nothing in one needs more.
pub const DEEPEST: usize = 64;

/// What is said of a deeper one.
pub const TOO_DEEP: &str = "nested more than 64 levels deep";

/// Something wrong in a file of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, in bytes of the text.
    pub span: Span,
    /// What, and what to write instead.
    pub message: String,
}

/// A file of settings that can't be used, with everything that is wrong in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.path, .problems))]
pub struct SettingsError {
    /// The file as output shows it.
    pub path: String,
    /// Line, column (both from 1) and message of each problem, in the order of the file.
    pub problems: Vec<(usize, usize, String)>,
}

fn lines(path: &str, problems: &[(usize, usize, String)]) -> String {
    let line = |(line, column, message): &(usize, usize, String)| {
        format!("{}:{line}:{column}: {}", escape::line(path), escape::line(message))
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl SettingsError {
    /// Places problems in the text of their file.
    pub fn new(path: &str, text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.span.start);
        let place = |problem: Problem| {
            let before = text.get(..problem.span.start as usize).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1, problem.message)
        };
        Self { path: path.to_owned(), problems: problems.into_iter().map(place).collect() }
    }

    /// A file that can't be read at all.
    pub fn unreadable(path: &str, error: &std::io::Error) -> Self {
        Self { path: path.to_owned(), problems: vec![(1, 1, format!("cannot be read: {error}"))] }
    }
}

/// Reads values out of a tree and keeps what is wrong with them.
#[derive(Debug, Default)]
pub struct Reader {
    problems: RefCell<Vec<Problem>>,
}

/// A text with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

impl Reader {
    /// Keeps a problem.
    pub fn complain(&self, span: Span, message: impl Into<String>) {
        self.problems.borrow_mut().push(Problem { span, message: message.into() });
    }

    /// Everything that was wrong.
    pub fn finish(self) -> Vec<Problem> {
        self.problems.into_inner()
    }

    /// The entries of a mapping whose keys are all in `known`; others are problems. `what` names it in messages.
    pub fn fields<'n, 's>(&self, node: &'n Node<'s>, what: &str, known: &[&str]) -> Vec<&'n Entry<'s>> {
        if node.is_null() {
            return Vec::new();
        }
        if node.as_map().is_none() {
            self.wrong_type(node, what, "a mapping");
            return Vec::new();
        }
        let (good, bad): (Vec<_>, Vec<_>) = node.entries().partition(|entry| known.contains(&entry.key.as_ref()));
        for entry in bad {
            let advice = match suggest::nearest(&entry.key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys: {}", known.join(", ")),
            };
            self.complain(entry.key_span, format!("unknown key `{}` in {what}; {advice}", entry.key));
        }
        good
    }

    /// The items of a list; a single value counts as a list of one.
    pub fn items<'n, 's>(&self, node: &'n Node<'s>) -> Vec<&'n Node<'s>> {
        match &node.value {
            Value::Seq(items) => items.iter().collect(),
            Value::Null => Vec::new(),
            _ => vec![node],
        }
    }

    /// A text.
    pub fn word(&self, node: &Node<'_>, what: &str) -> Option<Word> {
        match node.as_str() {
            Some(text) => Some(Word { text: text.to_owned(), span: node.place() }),
            None => {
                self.wrong_type(node, what, "a text");
                None
            }
        }
    }

    /// A text without its place.
    pub fn text(&self, node: &Node<'_>, what: &str) -> Option<String> {
        self.word(node, what).map(|word| word.text)
    }

    /// A list of texts, or a single one.
    pub fn words(&self, node: &Node<'_>, what: &str) -> Vec<Word> {
        self.items(node).into_iter().filter_map(|item| self.word(item, what)).collect()
    }

    /// A list of texts without their places.
    pub fn texts(&self, node: &Node<'_>, what: &str) -> Vec<String> {
        self.words(node, what).into_iter().map(|word| word.text).collect()
    }

    /// A mapping of texts to texts.
    pub fn pairs(&self, node: &Node<'_>, what: &str) -> Vec<(String, String)> {
        if node.as_map().is_none() && !node.is_null() {
            self.wrong_type(node, what, "a mapping");
        }
        let pair = |entry: &Entry<'_>| Some((entry.key.to_string(), self.text(&entry.value, &entry.key)?));
        node.entries().filter_map(pair).collect()
    }

    /// A boolean.
    pub fn flag(&self, node: &Node<'_>, what: &str) -> Option<bool> {
        let flag = node.as_bool();
        if flag.is_none() {
            self.wrong_type(node, what, "true or false");
        }
        flag
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&self, node: &Node<'_>, what: &str, choices: &[(&str, T)]) -> Option<T> {
        let word = self.word(node, what)?;
        let found = choices.iter().find(|(name, _)| *name == word.text);
        if found.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            self.complain(word.span, format!("{what} `{}` is none of {}", word.text, names.join(", ")));
        }
        found.map(|(_, choice)| *choice)
    }

    fn wrong_type(&self, node: &Node<'_>, what: &str, wanted: &str) {
        let quote = matches!(node.value, Value::Bool(_) | Value::Int(_) | Value::Float(_)) && wanted == "a text";
        let advice = if quote { "; put it in quotes" } else { "" };
        let found = node.value.type_name();
        self.complain(node.place(), format!("{what} must be {wanted}, it is of type {found}{advice}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_come_in_the_order_of_the_file_with_line_and_column() {
        let text = "a: 1\nä: ü\n";
        let at = |start| Problem { span: Span::new(start, start + 1), message: format!("at {start}") };
        let error = SettingsError::new("f.yaml", text, vec![at(9), at(0)]);
        assert_eq!(error.to_string(), "f.yaml:1:1: at 0\nf.yaml:2:4: at 9");
    }
}
