//! What the client has open, and where the files of the workspace are.

use super::outline::{self, Outline};
use super::position::{Places, Unit};
use super::worker::{Checked, Open};
use crate::finding::FileId;
use crate::input::discover;
use gen_lsp_types::{Location, TextDocumentContentChangeEvent, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What stays as it is in the path of an address.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A file that the client has open.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Its address, as the client writes it.
    pub uri: Uri,
    /// Its version.
    pub version: i32,
    /// Its text, without a byte order mark.
    pub text: Arc<str>,
}

/// The state of a session.
pub(super) struct Workspace {
    /// What columns count.
    pub unit: Unit,
    /// The open files, by path.
    pub open: BTreeMap<String, Document>,
    /// The folders.
    pub folders: Vec<PathBuf>,
    /// The last check.
    pub checked: Option<Checked>,
}

/// The path of a file, or its address where it has none.
pub(super) fn path_of(uri: &Uri) -> String {
    file_of(uri).map_or_else(|| uri.0.clone(), |path| discover::display(&path))
}

/// The file of an address.
pub(super) fn file_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    // A drive letter comes behind the slash.
    let drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if drive { path[1..].to_owned() } else { path }))
}

fn uri_of(path: &str) -> Uri {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    let shown = discover::display(&absolute);
    let slash = if shown.starts_with('/') { "" } else { "/" };
    Uri(format!("file://{slash}{}", utf8_percent_encode(&shown, PATH)))
}

impl Workspace {
    pub fn new(unit: Unit, folders: Vec<PathBuf>) -> Self {
        Self { unit, open: BTreeMap::new(), folders, checked: None }
    }

    /// The texts of the open files, for a check.
    pub fn texts(&self) -> Vec<Open> {
        let open = |(path, document): (&String, &Document)| Open {
            path: path.clone(),
            version: document.version,
            text: Arc::clone(&document.text),
        };
        self.open.iter().map(open).collect()
    }

    /// Opens a file, or replaces it.
    pub fn opened(&mut self, uri: Uri, version: i32, text: &str) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).into();
        self.open.insert(path_of(&uri), Document { uri, version, text });
    }

    /// Applies changes in their order.
    pub fn changed(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(document) = self.open.get_mut(&path_of(uri)) else { return };
        let mut text = document.text.to_string();
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let bytes = Places::new(&text, self.unit).bytes(part.range);
                    text.replace_range(bytes, &part.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            }
        }
        document.text = text.strip_prefix('\u{feff}').unwrap_or(&text).into();
        document.version = version;
    }

    /// The open file with this address.
    pub fn document(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(&path_of(uri))
    }

    /// The number of a file in the last report.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.checked.as_ref()?.report.sources.iter().position(|source| source.path == path)
    }

    /// Whether the last check saw the present text of a file.
    pub fn is_current(&self, uri: &Uri) -> bool {
        let (path, checked) = (path_of(uri), self.checked.as_ref());
        let version = self.open.get(&path).map(|document| document.version);
        checked.is_some_and(|checked| checked.versions.get(&path).copied() == version)
    }

    /// The address of a file: the one that the client uses, where it has the file open.
    pub fn uri(&self, path: &str) -> Uri {
        match self.open.get(path) {
            Some(document) => document.uri.clone(),
            None if path.contains(':') && !Path::new(path).is_absolute() => Uri(path.to_owned()),
            None => uri_of(path),
        }
    }

    /// The outlines of every file, with the texts that they are places in; open files as they are now.
    pub fn outlines(&self) -> Vec<(String, Arc<str>, Vec<Outline>)> {
        let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
        if let Some(checked) = &self.checked {
            for source in &checked.report.sources {
                texts.insert(source.path.clone(), source.text().as_str().into());
            }
        }
        for (path, document) in &self.open {
            texts.insert(path.clone(), Arc::clone(&document.text));
        }
        texts
            .into_iter()
            .map(|(path, text)| {
                let outlines = outline::outlines(&text);
                (path, text, outlines)
            })
            .collect()
    }

    /// A place in a file.
    pub fn location(&self, path: &str, text: &str, bytes: Range<usize>) -> Location {
        Location { uri: self.uri(path), range: Places::new(text, self.unit).range(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_turned_into_each_other() {
        let uri = uri_of("/tmp/a b/\u{e9}#?.yaml");
        assert_eq!(uri.0, "file:///tmp/a%20b/%C3%A9%23%3F.yaml");
        assert_eq!(path_of(&uri), "/tmp/a b/\u{e9}#?.yaml");
        assert_eq!(path_of(&Uri("untitled:Untitled-1".into())), "untitled:Untitled-1");
        assert_eq!(path_of(&Uri("file://host/x.yaml".into())), "/x.yaml");
    }
}
