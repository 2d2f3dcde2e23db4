//! kubectl's object layer: documents to the objects that are sent.

use super::json;
use super::metadata::{self, go_type};
use super::node::{Entry, Node, Span, Style, Value};
use super::stream::Document;
use std::borrow::Cow;

/// An object that kubectl sends.
#[derive(Clone, Debug)]
pub struct Object<'d, 's> {
    /// What was written. `kind` and `apiVersion` may be missing in it, see [`Object::inherited`].
    pub node: &'d Node<'s>,
    /// `apiVersion`, written or inherited; `None` if there is none.
    pub api_version: Option<String>,
    /// `kind`, written or inherited.
    pub kind: String,
    /// Where the object is in its document: empty, or `items[2]`.
    pub path: String,
    /// Whether `kind` and `apiVersion` come from a list such as `SandboxList`.
    pub inherited: bool,
}

impl<'d, 's> Object<'d, 's> {
    /// The object as it is sent: with the `kind` and `apiVersion` that its list gives it.
    pub fn complete(&self) -> Cow<'d, Node<'s>> {
        if !self.inherited {
            return Cow::Borrowed(self.node);
        }
        let mut node = self.node.clone();
        let at = node.span;
        if let Value::Map(map) = &mut node.value {
            let inherited = [("apiVersion", self.api_version.as_deref()), ("kind", Some(self.kind.as_str()))];
            for (key, text) in inherited {
                if let Some(text) = text.filter(|_| map.get(key).is_none()) {
                    let value = Node::new(at, Style::Plain, Value::String(text.to_owned().into()));
                    map.entries.push(Entry { key: key.into(), key_span: at, value });
                }
            }
        }
        Cow::Owned(node)
    }
}

/// Why kubectl sends nothing for a document or an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectError {
    /// The place: the offending value, or the object that lacks something.
    pub span: Span,
    /// What is wrong.
    pub kind: ObjectProblem,
    /// The whole message of kubectl; `FILE` stands for the file's name.
    pub message: String,
    /// Where the object is in its document: empty, or `items[2]`.
    pub path: String,
}

/// What is wrong with an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectProblem {
    /// A document, or an item of a `v1` `List`, that is no mapping; or a `v1` `List` without a list of items.
    NotAnObject,
    /// `apiVersion` is missing or null.
    ApiVersionMissing,
    /// `apiVersion` is no string.
    ApiVersionNotString,
    /// `apiVersion` has more than one slash.
    ApiVersionMalformed,
    /// `kind` is missing, null or empty.
    KindMissing,
    /// `kind` is no string.
    KindNotString,
    /// `items` is no list.
    ItemsNotList,
    /// A list inside a list.
    NestedList,
    /// A field of `metadata` (or `apiVersion` of a list) has the wrong type, or a timestamp is none.
    WrongType {
        /// The field, such as `metadata.labels`.
        field: String,
        /// The Go type that it should have.
        expected: &'static str,
    },
}

/// The objects that `kubectl create` or `apply` sends for a document, in order, with its validation on (the default).
/// Empty for a document that is a syntax error and for lists without items.
pub fn objects<'d, 's>(document: &'d Document<'s>) -> Vec<Result<Object<'d, 's>, ObjectError>> {
    match document.root().and_then(validate) {
        Some(error) => vec![Err(error)],
        None => decoded_objects(document),
    }
}

/// The same with `--validate=false`, or for commands that send nothing.
pub fn decoded_objects<'d, 's>(document: &'d Document<'s>) -> Vec<Result<Object<'d, 's>, ObjectError>> {
    document.root().map(|root| decode(document, root)).unwrap_or_default()
}

/// What kubectl's own validation refuses before anything of the document is sent. It also ends the whole run.
fn validate(root: &Node<'_>) -> Option<ObjectError> {
    let mut problems = validate_type(root, String::new());
    let is_list =
        problems.is_empty() && text_of(root, "kind") == Some("List") && text_of(root, "apiVersion") == Some("v1");
    if is_list {
        let items = root.get("items");
        match items.map(|items| &items.value) {
            Some(Value::Seq(items)) => {
                for (index, item) in items.iter().enumerate() {
                    problems.extend(validate_type(item, item_path(index)));
                }
            }
            _ => problems.push((
                items.map_or(root.span, Node::place),
                if items.is_some() { ObjectProblem::ItemsNotList } else { ObjectProblem::NotAnObject },
                "invalid object to validate".to_owned(),
                String::new(),
            )),
        }
    }
    let words: Vec<&str> = problems.iter().map(|(_, _, words, _)| words.as_str()).collect();
    let words = if let [one] = words[..] { one.to_owned() } else { format!("[{}]", unique(&words).join(", ")) };
    let message = format!(
        "error: error validating \"FILE\": error validating data: {words}; if you choose to ignore these errors, turn validation off with --validate=false"
    );
    let (span, kind, _, path) = problems.into_iter().next()?;
    Some(ObjectError { span, kind, message, path })
}

/// Kubernetes names each error of a list of errors once.
fn unique<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut seen = Vec::new();
    for word in words {
        if !seen.contains(word) {
            seen.push(*word);
        }
    }
    seen
}

type Invalid = (Span, ObjectProblem, String, String);

fn validate_type(node: &Node<'_>, path: String) -> Vec<Invalid> {
    let Value::Map(map) = &node.value else {
        return vec![(node.place(), ObjectProblem::NotAnObject, "invalid object to validate".to_owned(), path)];
    };
    let mut problems = Vec::new();
    let mut add = |span: Span, problem, words: &str| problems.push((span, problem, words.to_owned(), path.clone()));
    match map.entry("apiVersion").map(|entry| (&entry.value.value, entry.value.place())) {
        None | Some((Value::Null, _)) => add(node.span, ObjectProblem::ApiVersionMissing, "apiVersion not set"),
        Some((Value::String(text), place)) => {
            if is_malformed_version(text) {
                add(place, ObjectProblem::ApiVersionMalformed, &format!("unexpected GroupVersion string: {text}"));
            }
        }
        Some((_, place)) => add(place, ObjectProblem::ApiVersionNotString, "apiVersion isn't string type"),
    }
    match map.entry("kind").map(|entry| (&entry.value.value, entry.value.place())) {
        None | Some((Value::Null, _)) => add(node.span, ObjectProblem::KindMissing, "kind not set"),
        Some((Value::String(_), _)) => {}
        Some((_, place)) => add(place, ObjectProblem::KindNotString, "kind isn't string type"),
    }
    problems
}

/// More than one slash (a lone `/` passes as empty).
fn is_malformed_version(version: &str) -> bool {
    version.matches('/').count() > 1
}

fn text_of<'n>(node: &'n Node<'_>, key: &str) -> Option<&'n str> {
    node.get(key).and_then(Node::as_str)
}

fn item_path(index: usize) -> String {
    format!("items[{index}]")
}

fn undecodable(span: Span, kind: ObjectProblem, words: &str) -> ObjectError {
    ObjectError { span, kind, message: format!("error: unable to decode \"FILE\": {words}"), path: String::new() }
}

fn decode<'d, 's>(document: &'d Document<'s>, root: &'d Node<'s>) -> Vec<Result<Object<'d, 's>, ObjectError>> {
    let Value::Map(map) = &root.value else {
        let words =
            format!("json: cannot unmarshal {} into Go value of type unstructured.detector", go_type(&root.value));
        return vec![Err(undecodable(root.span, ObjectProblem::NotAnObject, &words))];
    };
    let items = map.entry("items");
    if let Some(error) = items.and_then(wrong_items) {
        return vec![Err(error)];
    }
    let api_version = text_of(root, "apiVersion").unwrap_or_default();
    let kind = if is_malformed_version(api_version) { "" } else { text_of(root, "kind").unwrap_or_default() };
    if kind.is_empty() {
        return vec![Err(missing_kind(document, root))];
    }
    if let Some(fault) = metadata::check(root, document.json) {
        let problem = ObjectProblem::WrongType { field: fault.field, expected: fault.expected };
        return vec![Err(undecodable(fault.span, problem, &fault.message))];
    }
    match items {
        Some(items) => decode_items(items, kind, api_version),
        None => vec![Ok(Object {
            node: root,
            api_version: text_of(root, "apiVersion").map(str::to_owned),
            kind: kind.to_owned(),
            path: String::new(),
            inherited: false,
        })],
    }
}

fn missing_kind(document: &Document<'_>, root: &Node<'_>) -> ObjectError {
    let (span, problem) = match root.entry("kind") {
        Some(entry) if matches!(entry.value.value, Value::Null | Value::String(_)) => {
            (entry.value.place(), ObjectProblem::KindMissing)
        }
        Some(entry) => (entry.value.place(), ObjectProblem::KindNotString),
        None => (root.span, ObjectProblem::KindMissing),
    };
    let body = if document.json { document.text.to_owned() } else { json::escape_html(json::to_json(root)) };
    let malformed = root.entry("apiVersion").filter(|entry| entry.value.as_str().is_some_and(is_malformed_version));
    let (span, problem) =
        malformed.map_or((span, problem), |entry| (entry.value.place(), ObjectProblem::ApiVersionMalformed));
    undecodable(span, problem, &format!("Object 'Kind' is missing in '{body}'"))
}

fn wrong_items(items: &Entry<'_>) -> Option<ObjectError> {
    let (place, words) = match &items.value.value {
        Value::Null => return None,
        Value::Seq(list) => {
            let item = list.iter().find(|item| !matches!(item.value, Value::Map(_) | Value::Null))?;
            (
                item.place(),
                format!(
                    "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                    go_type(&item.value)
                ),
            )
        }
        other => {
            let words = format!(
                "json: cannot unmarshal {} into Go struct field decodeList.items of type []json.RawMessage",
                go_type(other)
            );
            return Some(undecodable(items.value.place(), ObjectProblem::ItemsNotList, &words));
        }
    };
    Some(undecodable(place, ObjectProblem::NotAnObject, &words))
}

fn decode_items<'d, 's>(
    items: &'d Entry<'s>,
    list_kind: &str,
    list_version: &str,
) -> Vec<Result<Object<'d, 's>, ObjectError>> {
    let items = items.value.as_seq().unwrap_or_default();
    if let Some(index) = items.iter().position(|item| item.get("items").is_some()) {
        let place = items[index].entry("items").map_or(items[index].span, |entry| entry.key_span);
        let message = "error: *unstructured.Unstructured is not a list: no Items field in this object".to_owned();
        return vec![Err(ObjectError {
            span: place,
            kind: ObjectProblem::NestedList,
            message,
            path: item_path(index),
        })];
    }
    let item_kind = list_kind.strip_suffix("List").unwrap_or(list_kind);
    items.iter().enumerate().map(|(index, item)| decode_item(item, index, item_kind, list_version)).collect()
}

fn decode_item<'d, 's>(
    item: &'d Node<'s>,
    index: usize,
    item_kind: &str,
    list_version: &str,
) -> Result<Object<'d, 's>, ObjectError> {
    let (kind, api_version) =
        (text_of(item, "kind").unwrap_or_default(), text_of(item, "apiVersion").unwrap_or_default());
    let inherited = kind.is_empty() && api_version.is_empty();
    let (kind, api_version) = if inherited { (item_kind, list_version) } else { (kind, api_version) };
    let (problem, words) = if kind.is_empty() {
        (ObjectProblem::KindMissing, "Object 'Kind' is missing in 'object has no kind field '")
    } else if api_version.is_empty() {
        (ObjectProblem::ApiVersionMissing, "Object 'apiVersion' is missing in 'object has no apiVersion field'")
    } else {
        return Ok(Object {
            node: item,
            api_version: Some(api_version.to_owned()),
            kind: kind.to_owned(),
            path: item_path(index),
            inherited,
        });
    };
    let message = format!("unable to get type info from the object \"*unstructured.Unstructured\": {words}");
    Err(ObjectError { span: item.place(), kind: problem, message, path: item_path(index) })
}
