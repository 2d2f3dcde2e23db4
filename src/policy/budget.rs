//! What an expression may cost. Every loop, comparison and text it builds is paid for from one purse, so that no
//! expression takes more than a bounded time or memory, whatever it says and whatever it looks at.

use cel::ExecutionError;
use cel::common::types::{CelList, CelMap, CelString};
use cel::common::value::Val;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Steps that one evaluation may take: one for each part of the expression that a loop repeats, each value looked at,
/// and each 16 bytes of text.
pub const STEPS: i64 = 1_000_000;

/// The message of an evaluation that runs out of steps.
pub const OUT_OF_STEPS: &str = "the expression takes more than 1000000 steps";

/// Stands before the source of a loop: it puts the keys of a map in order and pays for all its turns.
pub const RANGE: &str = "@range";

/// Stands around a value that is looked at as a whole.
pub const PAID: &str = "@paid";

/// Stands around a text that may fall into as many parts as it has bytes (`split`, `findAll`).
pub const SPLIT: &str = "@split";

/// Takes the place of `replace`, whose result can be far larger than what they are given.
pub const REPLACE: &str = "@replace";
/// The same for `join`.
pub const JOIN: &str = "@join";

/// Takes the place of `duration`, which the crate reads less strictly than Go.
pub const DURATION: &str = "@duration";
/// The same for `timestamp`.
pub const TIMESTAMP: &str = "@timestamp";

/// The purse of one evaluation.
#[derive(Clone, Debug)]
pub struct Budget(Arc<AtomicI64>);

impl Default for Budget {
    /// A full purse.
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(STEPS)))
    }
}

impl Budget {
    /// Fills the purse for the next evaluation.
    pub fn refill(&self) {
        self.0.store(STEPS, Ordering::Relaxed);
    }

    /// Whether everything is spent.
    pub fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) < 0
    }

    /// Pays.
    ///
    /// # Errors
    /// When the purse holds less.
    pub fn spend(&self, steps: usize) -> Result<(), ExecutionError> {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX).min(STEPS + 1);
        if self.0.fetch_sub(steps, Ordering::Relaxed) < steps {
            self.0.store(-1, Ordering::Relaxed);
            return Err(ExecutionError::InternalError(OUT_OF_STEPS.to_owned()));
        }
        Ok(())
    }

    /// Pays for looking at a whole value.
    ///
    /// # Errors
    /// When the purse holds less.
    pub fn spend_for(&self, value: &dyn Val) -> Result<(), ExecutionError> {
        self.spend(weight(value))
    }
}

/// How much there is to a value: one for each part, and one for each 16 bytes of text.
pub fn weight(value: &dyn Val) -> usize {
    if let Some(text) = value.downcast_ref::<CelString>() {
        return 1 + text.inner().len() / 16;
    }
    if let Some(list) = value.downcast_ref::<CelList>() {
        return 1 + list.inner().iter().map(|item| weight(item.as_ref())).sum::<usize>();
    }
    if let Some(map) = value.downcast_ref::<CelMap>() {
        return 1 + map
            .inner()
            .iter()
            .map(|(key, item)| 1 + weight(key.inner()) + weight(item.as_ref()))
            .sum::<usize>();
    }
    1
}
