//! What only the way through JSON refuses.

use super::{Composer, UNSUPPORTED_KEY};
use crate::yaml::error::{Fault, Outcome, Problem};
use crate::yaml::node::{Node, Value};
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
        for node in walk(root) {
            for entry in node.entries().filter(|entry| entry.key.starts_with(UNSUPPORTED_KEY)) {
                let bad = self.bad_keys.iter().find(|(span, _)| *span == entry.key_span);
                let value =
                    bad.map_or(String::new(), |(_, at)| syntax::go_syntax(self.text, self.nodes, self.strings, *at));
                let number = entry.key[UNSUPPORTED_KEY.len()..]
                    .trim()
                    .parse()
                    .ok()
                    .and_then(|number: u64| (number > 0).then_some(number));
                let (kind, key) = match number {
                    Some(number) => ("uint64".to_owned(), format!("{number:#x}")),
                    None => ("%!s(<nil>)".to_owned(), "<nil>".to_owned()),
                };
                let detail = format!("unsupported map key of type: {kind}, key: {key}, value: {value}");
                return Err(Fault::with_detail(Problem::UnsupportedMapKey, entry.key_span, detail));
            }
        }
        Ok(())
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
