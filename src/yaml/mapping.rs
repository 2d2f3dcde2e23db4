//! A mapping while it is composed: later keys replace earlier ones, merged or not.

use std::borrow::Cow;
use std::collections::HashMap;

use super::loss::Loss;
use super::node::{Entry, Mapping, Node, Span};
use super::tree::dismantle;

/// The type of a key before it became a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyType {
    String,
    /// A boolean, integer or float.
    Other,
    /// Null or an integer above 64 bits: an error if it survives.
    Unsupported,
}

#[derive(Clone, Debug)]
pub(super) struct Key<'s> {
    pub(super) text: Cow<'s, str>,
    pub(super) kind: KeyType,
    pub(super) span: Span,
}

/// From this many entries on, keys are found by hash.
const INDEX_FROM: usize = 16;

pub(super) struct MappingBuilder<'s> {
    entries: Vec<Entry<'s>>,
    /// Part of an alias's value: what is lost there was reported at the anchor.
    quiet: bool,
    /// What most mappings do not need.
    rare: Option<Box<Rare<'s>>>,
}

#[derive(Default)]
struct Rare<'s> {
    /// Entries that a later key replaced.
    dead: Vec<u32>,
    /// Entries whose key is no string, or that were merged.
    special: Vec<(u32, KeyType, bool)>,
    index: HashMap<Cow<'s, str>, u32>,
}

impl<'s> MappingBuilder<'s> {
    pub(super) fn new(pairs: usize, quiet: bool) -> Self {
        Self { entries: Vec::with_capacity(pairs), quiet, rare: None }
    }

    /// Adds an entry, and notes in `losses` what it replaces. `merged_from` is the alias or `<<` that brings it.
    #[inline]
    pub(super) fn insert(&mut self, key: Key<'s>, value: Node<'s>, merged_from: Option<Span>, losses: &mut Vec<Loss>) {
        let small = self.entries.len() < INDEX_FROM && key.kind == KeyType::String && merged_from.is_none();
        if !small || self.entries.iter().any(|entry| entry.key == key.text) {
            self.note(&key, merged_from, losses);
        }
        self.entries.push(Entry { key: key.text, key_span: key.span, value });
    }

    /// Notes all that is unusual about the next entry.
    #[cold]
    fn note(&mut self, key: &Key<'s>, merged_from: Option<Span>, losses: &mut Vec<Loss>) {
        let at = self.entries.len() as u32;
        if let Some(known) = self.find(key) {
            if !self.quiet {
                losses.extend(self.loss(known, key, merged_from));
            }
            self.rare().dead.push(known);
        }
        if at as usize >= INDEX_FROM {
            self.rare().index.insert(key.text.clone(), at);
        }
        if key.kind != KeyType::String || merged_from.is_some() {
            self.rare().special.push((at, key.kind, merged_from.is_some()));
        }
    }

    fn rare(&mut self) -> &mut Rare<'s> {
        self.rare.get_or_insert_default()
    }

    /// The live entry of a key: the last one with its text.
    fn find(&mut self, key: &Key<'s>) -> Option<u32> {
        if self.entries.len() < INDEX_FROM {
            return self.entries.iter().rposition(|entry| entry.key == key.text).map(|at| at as u32);
        }
        if self.rare().index.is_empty() {
            let index = self.entries.iter().zip(0..).map(|(entry, at)| (entry.key.clone(), at)).collect();
            self.rare().index = index;
        }
        self.rare().index.get(&key.text).copied()
    }

    fn loss(&self, known: u32, key: &Key<'s>, merged_from: Option<Span>) -> Option<Loss> {
        // They are noted in the order of the entries.
        let special = self.rare.iter().find_map(|rare| {
            let place = rare.special.binary_search_by_key(&known, |(at, ..)| *at).ok()?;
            rare.special.get(place)
        });
        let (kind, merged) = special.map_or((KeyType::String, false), |(_, kind, merged)| (*kind, *merged));
        let written = self.entries[known as usize].key_span;
        let text = key.text.clone().into_owned();
        match (merged, merged_from) {
            (false, Some(merged_from)) => Some(Loss::MergeOverwrites { key: text, written, merged_from }),
            (false, None) if kind == key.kind => Some(Loss::DuplicateKey { key: text, lost: written, kept: key.span }),
            (false, None) => Some(Loss::RandomKeyCollision { key: text, first: written, second: key.span }),
            (true, _) => None,
        }
    }

    pub(super) fn finish(mut self) -> Mapping<'s> {
        if let Some(mut rare) = self.rare
            && !rare.dead.is_empty()
        {
            rare.dead.sort_unstable();
            for dead in &rare.dead {
                dismantle(&mut self.entries[*dead as usize].value);
            }
            let mut at = 0;
            let mut dead = rare.dead.iter().peekable();
            self.entries.retain(|_| {
                let drop = dead.next_if(|dead| **dead == at).is_some();
                at += 1;
                !drop
            });
        }
        Mapping { entries: self.entries }
    }
}
