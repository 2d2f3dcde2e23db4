//! One file of a run.

use super::templates::FileContext;
use crate::yaml::Text;
use std::path::PathBuf;

/// A file, or standard input, with its bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as output shows it.
    pub path: String,
    /// The content as read.
    pub bytes: Vec<u8>,
    /// Whether the user named this very file: then nothing in it is passed over unread.
    pub explicit: bool,
    /// Where it was read from, which `path` cannot always say: names need not be Unicode.
    pub location: Option<PathBuf>,
    /// Whether it is read only for the objects around the Pods: nothing else in it is judged.
    pub around: bool,
    /// What the folders around it say of it.
    pub context: FileContext,
}

impl Source {
    /// A file that the user named.
    pub fn explicit(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        let context = FileContext::default();
        Self { path: path.into(), bytes, explicit: true, location: None, around: false, context }
    }

    /// A file that was found in a folder.
    pub fn found(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { explicit: false, ..Self::explicit(path, bytes) }
    }

    /// A file that was found in a folder and holds no sandbox, but objects that Pods meet.
    pub fn around(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { around: true, ..Self::found(path, bytes) }
    }

    /// The content as text; spans of findings are places in it.
    pub fn text(&self) -> Text<'_> {
        Text::decode(&self.bytes)
    }
}
