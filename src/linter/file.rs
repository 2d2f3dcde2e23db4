//! One file while it is judged, and its documents in batches.

use super::Settings;
use crate::finding::FileId;
use crate::input::markdown::Block;
use crate::input::templates::{self, Skip};
use crate::input::{Source, markdown, prefilter};
use crate::limits::Limits;
use crate::yaml::{Comment, Document, Documents, Span};
use std::sync::OnceLock;

/// One file while it is judged.
#[derive(Clone, Copy)]
pub(super) struct File<'f, 's> {
    pub(super) id: FileId,
    pub(super) source: &'f Source,
    pub(super) text: &'s str,
    /// The blocks that hold manifests, if the file is Markdown.
    pub(super) blocks: Option<&'f [Block]>,
    pub(super) settings: &'f Settings,
    pub(super) glance: &'f Overview,
}

/// What the whole text of a file says, looked at once when a document cannot be decoded.
#[derive(Default)]
pub(super) struct Overview {
    names_a_sandbox: OnceLock<bool>,
    template: OnceLock<Option<Skip>>,
}

impl File<'_, '_> {
    /// Whether the text around a document that is not decoded names a sandbox: its block in Markdown, else the file.
    pub(super) fn names_a_sandbox(&self, document: &Document<'_>) -> bool {
        match self.blocks {
            Some(_) => prefilter::names_a_sandbox(document.text),
            None => *self.glance.names_a_sandbox.get_or_init(|| prefilter::names_a_sandbox(self.text)),
        }
    }

    /// Why the file, or what stands at a place in it, waits for another tool.
    pub(super) fn unrendered(&self, document: &Document<'_>, at: Span) -> Option<Skip> {
        let template = || match self.blocks {
            Some(_) => templates::template(document.text, " of the block"),
            None => self.glance.template.get_or_init(|| templates::template(self.text, "")).clone(),
        };
        templates::placeholder_at(self.text, at).or_else(template)
    }

    /// What is said of a document in a heredoc that a shell changes before kubectl reads it.
    pub(super) fn expanded(&self, document: &Document<'_>) -> Option<Skip> {
        let block = markdown::block_at(self.blocks?, document.span.start).filter(|block| block.is_expanded)?;
        prefilter::names_a_sandbox(&self.text[block.span.range()]).then(markdown::expanded)
    }
}

/// Documents of one file that follow each other, decoded, with the comments that stand loose before them.
pub(super) struct Batch<'s> {
    pub(super) documents: Vec<(Document<'s>, Vec<Comment>)>,
    /// Whether nothing of the file is judged after them.
    pub(super) is_last: bool,
    /// The first document beyond the limit.
    pub(super) beyond: Option<usize>,
}

impl<'s> Batch<'s> {
    /// Bytes of text after which a batch is full: enough to be worth a thread, little enough to hold its trees.
    const FULL: usize = 64 << 10;

    pub(super) fn next(documents: &mut Documents<'s>, limits: &Limits) -> Self {
        let mut batch = Self { documents: Vec::new(), is_last: false, beyond: None };
        let mut bytes = 0;
        while bytes < Self::FULL {
            let Some(document) = documents.next() else {
                batch.is_last = true;
                break;
            };
            if document.index >= limits.documents {
                batch.is_last = true;
                batch.beyond = Some(document.index);
                break;
            }
            bytes += document.text.len();
            batch.documents.push((document, documents.take_loose_comments()));
        }
        batch
    }
}
