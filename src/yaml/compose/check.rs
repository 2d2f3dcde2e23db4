//! What only the way through JSON refuses.

use super::{Composer, UNSUPPORTED_KEY};
use crate::yaml::error::{Fault, Outcome, Problem};
use crate::yaml::node::{Entry, Node, Value};
use crate::yaml::syntax;
use crate::yaml::tree::walk;

impl<'s> Composer<'s, '_> {
    /// What only the way through JSON refuses, if it is still there: later duplicates may have replaced it.
    pub(super) fn check(&self, root: &Node<'s>) -> Outcome<()> {
        if !self.bad_keys.is_empty() {
            self.check_keys(root)?;
        }
        if self.odd_numbers {
            self.check_numbers(root)?;
        }
        match self.too_deep {
            Some(bracket) => {
                let detail = format!("invalid character '{bracket}' exceeded max depth");
                Err(Fault::with_detail(Problem::JsonTooDeep, root.span, detail))
            }
            None => Ok(()),
        }
    }

    fn check_keys(&self, root: &Node<'s>) -> Outcome<()> {
        let is_bad = |entry: &&Entry<'_>| entry.key.starts_with(UNSUPPORTED_KEY);
        let Some(entry) = walk(root).find_map(|node| node.entries().find(is_bad)) else { return Ok(()) };
        let bad = self.bad_keys.iter().find(|(span, _)| *span == entry.key_span);
        let value = bad.map_or(String::new(), |(_, at)| syntax::go_syntax(self.text, self.nodes, self.strings, *at));
        let (kind, key) = match entry.key[UNSUPPORTED_KEY.len()..].trim() {
            number if number.starts_with(|digit: char| digit.is_ascii_digit()) => {
                ("uint64", number.parse().map_or(number.to_owned(), |number: u64| format!("{number:#x}")))
            }
            _ => ("%!s(<nil>)", "<nil>".to_owned()),
        };
        let detail = format!("unsupported map key of type: {kind}, key: {key}, value: {value}");
        Err(Fault::with_detail(Problem::UnsupportedMapKey, entry.key_span, detail))
    }

    fn check_numbers(&self, root: &Node<'s>) -> Outcome<()> {
        for node in walk(root) {
            if let Value::Float(number) = node.value
                && !number.is_finite()
            {
                let name = if number.is_nan() {
                    "NaN"
                } else if number > 0.0 {
                    "+Inf"
                } else {
                    "-Inf"
                };
                let detail = format!("json: unsupported value: {name}");
                return Err(Fault::with_detail(Problem::UnsupportedValue, node.place(), detail));
            }
        }
        Ok(())
    }
}
