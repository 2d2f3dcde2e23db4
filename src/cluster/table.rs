//! The objects of one kind: those of a snapshot, and over them those among the files of a run.

use crate::finding::FileId;
use crate::yaml::Span;
use std::collections::BTreeMap;

/// Namespace and name; the namespace is empty for objects without one.
type Key = (String, String);

/// Where an object among the files is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// The name of the object.
    pub span: Span,
}

/// An object that is written in a file of the run.
#[derive(Clone, Debug)]
struct Written<T> {
    object: T,
    origin: Origin,
    /// Whether another file of the run gives the same object otherwise: then only its existence is known.
    is_ambiguous: bool,
}

/// The objects of one kind.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    /// `None` where the snapshot does not cover the kind.
    snapshot: Option<BTreeMap<Key, T>>,
    files: BTreeMap<Key, Written<T>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { snapshot: None, files: BTreeMap::new() }
    }
}

/// One object with its key.
pub(super) struct Entry<'t, T> {
    pub namespace: &'t str,
    pub name: &'t str,
    pub object: &'t T,
    /// Where it is written, if that is a file of the run.
    pub origin: Option<Origin>,
}

impl<T: PartialEq> Table<T> {
    /// Adds an object of the snapshot, or one that is written in a file.
    pub fn insert(&mut self, namespace: &str, name: &str, object: T, origin: Option<Origin>) {
        let key = (namespace.to_owned(), name.to_owned());
        let Some(origin) = origin else {
            self.snapshot.get_or_insert_default().insert(key, object);
            return;
        };
        match self.files.get_mut(&key) {
            Some(known) => known.is_ambiguous |= known.object != object,
            None => _ = self.files.insert(key, Written { object, origin, is_ambiguous: false }),
        }
    }
}

impl<T> Table<T> {
    /// Notes that the kind was asked for, even if there is no object of it.
    pub fn cover(&mut self) {
        self.snapshot.get_or_insert_default();
    }

    /// Whether the snapshot covers the kind.
    pub fn is_covered(&self) -> bool {
        self.snapshot.is_some()
    }

    /// The object, that of a file first.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&T> {
        let key = (namespace.to_owned(), name.to_owned());
        match self.files.get(&key) {
            Some(written) => (!written.is_ambiguous).then_some(&written.object),
            None => self.snapshot.as_ref()?.get(&key),
        }
    }

    /// Takes over what is written in files.
    pub fn overlay(&mut self, other: &Self)
    where
        T: Clone,
    {
        self.files.extend(other.files.iter().map(|(key, written)| (key.clone(), written.clone())));
    }

    /// Where the object is written, if that is a file of the run.
    pub fn origin(&self, namespace: &str, name: &str) -> Option<Origin> {
        self.files.get(&(namespace.to_owned(), name.to_owned())).map(|written| written.origin)
    }

    /// Whether the object exists; `None` where the kind, or the namespace, is not covered. A snapshot of one namespace
    /// alone says nothing of the others, and files only of what they hold.
    pub fn has(&self, namespace: &str, name: &str) -> Option<bool> {
        let key = (namespace.to_owned(), name.to_owned());
        if self.files.contains_key(&key) {
            return Some(true);
        }
        let objects = self.snapshot.as_ref()?;
        let mut namespaces = objects.keys().map(|(namespace, _)| namespace.as_str());
        let first = namespaces.next();
        let alone = first.is_some_and(|first| first != namespace && namespaces.all(|other| other == first));
        (!alone).then(|| objects.contains_key(&key))
    }

    /// Whether the snapshot itself, not a file, has the object.
    pub fn is_in_snapshot(&self, namespace: &str, name: &str) -> bool {
        let key = (namespace.to_owned(), name.to_owned());
        self.snapshot.as_ref().is_some_and(|objects| objects.contains_key(&key))
    }

    /// All objects of which the content is known, by namespace and name.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_, T>> {
        let written = self.files.iter().filter(|(_, written)| !written.is_ambiguous);
        let files = written.map(|(key, written)| (key, &written.object, Some(written.origin)));
        let older = self.snapshot.iter().flatten().filter(|(key, _)| !self.files.contains_key(*key));
        let older = older.map(|(key, object)| (key, object, None));
        files.chain(older).map(|((namespace, name), object, origin)| Entry { namespace, name, object, origin })
    }

    /// The names in one namespace, for "did you mean".
    pub fn names<'t>(&'t self, namespace: &'t str) -> impl Iterator<Item = &'t str> {
        let keys = self.files.keys().chain(self.snapshot.iter().flat_map(BTreeMap::keys));
        keys.filter(move |(within, _)| within == namespace).map(|(_, name)| name.as_str())
    }
}
