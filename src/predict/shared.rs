//! What many predictions have in common, kept once.

use super::Prediction;
use crate::stage::scheduling::NodeAnswer;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

/// Texts and answers that predictions of one file share.
#[derive(Debug, Default)]
pub struct Shared {
    texts: HashSet<Arc<str>>,
    nodes: HashSet<Arc<[NodeAnswer]>>,
}

impl Shared {
    /// Lets a prediction share what an earlier one has, too.
    pub fn share(&mut self, prediction: &mut Prediction) {
        known(&mut self.nodes, &mut prediction.nodes);
        prediction.evidence.shrink_to_fit();
        for sign in &mut prediction.evidence {
            known(&mut self.texts, &mut sign.backend);
            known(&mut self.texts, &mut sign.text);
        }
    }
}

fn known<T: Eq + Hash + ?Sized>(all: &mut HashSet<Arc<T>>, one: &mut Arc<T>) {
    match all.get(one) {
        Some(earlier) => *one = Arc::clone(earlier),
        None => _ = all.insert(Arc::clone(one)),
    }
}
