//! Does kubectl read the file as its author meant it?
//!
//! What kubectl refuses is an error in its own words; what it drops or changes without a word is said in ours.

use crate::finding::{Applicability, Edit, Findings, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::rule::{
    COLLIDING_KEYS, CONVERTED_KEY, DUPLICATE_KEY, FOLDED_LIST_ITEM, INVALID_SEPARATOR, INVALID_UTF8, JSON_LIKE_FILE,
    MERGE_OVERWRITES_KEY, NOT_AN_OBJECT, SYNTAX_ERROR, TEXT_NEVER_READ, UNIDENTIFIED_OBJECT, WRONG_TYPE,
};
use crate::yaml::{Document, EndCause, Loss, Node, ObjectError, ObjectProblem, Problem, Span, SyntaxError, Value};
use std::collections::HashMap;
use std::fmt::Write;

/// A document that kubectl does not decode. `file` is the path as kubectl would name it.
pub fn syntax_error(error: &SyntaxError, document: usize, file: &str, text: &str, out: &mut Findings) {
    let message = format!("error: error parsing {file}: {}", error.message);
    let mut outcome = Outcome::new(Stage::Decode, Shown::None, Phase::Rejected).message(message);
    outcome.shown_on = Some(match document {
        0 => "kubectl's error".to_owned(),
        _ => "kubectl's error; the documents above are applied, this one and those below are not".to_owned(),
    });
    out.stop(outcome.clone());
    let (rule, words) = match error.kind {
        Problem::InvalidSeparator => {
            (&INVALID_SEPARATOR, "a line that starts with `---` separates documents".to_owned())
        }
        kind => (&SYNTAX_ERROR, format!("kubectl cannot read the document: {}", kind.plain_words())),
    };
    let words =
        if rule.code == INVALID_SEPARATOR.code { format!("{words}: {}", error.kind.plain_words()) } else { words };
    let finding = out.add(rule, Spot::new(error.span, ""), words);
    finding.outcome(outcome);
    if let Some(help) = remedy(error, text) {
        finding.help(help);
    }
}

/// What to write instead, where the kind of problem shows it.
fn remedy(error: &SyntaxError, text: &str) -> Option<String> {
    let at = text.get(error.span.range()).unwrap_or_default();
    let first = text.get(error.span.start as usize..).and_then(|rest| rest.chars().next());
    Some(match error.kind {
        Problem::CannotStartToken if first == Some('\t') => "indent with spaces".to_owned(),
        Problem::CannotStartToken => format!("quote the value: \"{}…\"", first.unwrap_or('@')),
        Problem::TabIndentation | Problem::TabInBlockScalar => "indent with spaces".to_owned(),
        Problem::MappingValueNotAllowed => {
            "quote a text that contains a colon and a blank, or give the key a line of its own".to_owned()
        }
        Problem::SequenceEntryNotAllowed => "start the list item on the next line".to_owned(),
        Problem::MissingColon => "write a key and a colon, or indent the line under the text it continues".to_owned(),
        Problem::ExpectedKey | Problem::ExpectedDash => {
            "align the line with the keys or items that it belongs to".to_owned()
        }
        Problem::UnexpectedEnd => "close the quote".to_owned(),
        Problem::UnexpectedDocumentIndicator => "indent the line, or close the quote before it".to_owned(),
        Problem::UnknownEscape => "use single quotes, or write the backslash twice".to_owned(),
        Problem::BadAnchorName | Problem::UnknownAnchor => {
            "quote a text that starts with `*` or `&`; anchors end with their document".to_owned()
        }
        Problem::InvalidMapKey if at.starts_with('{') => "quote a value that starts with `{`".to_owned(),
        Problem::UnsupportedValue => format!("quote it: \"{at}\""),
        Problem::InvalidSeparator => "leave the line with `---` alone, or indent the text".to_owned(),
        Problem::ExpectedDocumentStart => "remove the directive; kubectl reads YAML 1.1 without one".to_owned(),
        Problem::IncompatibleVersion => "remove the %YAML line".to_owned(),
        _ => return None,
    })
}

/// A document, or an item of a list, that kubectl does not send. `file` is the path as kubectl would name it.
pub fn object_error(error: &ObjectError, file: &str, out: &mut Findings) {
    let outcome = Outcome::new(Stage::Decode, Shown::None, Phase::Rejected)
        .message(error.message.replacen("FILE", file, 1))
        .shown_on("kubectl's error");
    out.stop(outcome.clone());
    let place = if error.path.is_empty() { "the document" } else { error.path.as_str() };
    let (rule, words, help) = match &error.kind {
        ObjectProblem::NotAnObject => {
            (&NOT_AN_OBJECT, format!("{place} is no mapping"), "an object starts with apiVersion and kind".to_owned())
        }
        ObjectProblem::ItemsNotList => {
            (&NOT_AN_OBJECT, "items is no list".to_owned(), "write one object for each `- ` below items".to_owned())
        }
        ObjectProblem::NestedList => (
            &NOT_AN_OBJECT,
            format!("{place} has a field `items`, which makes it a list inside a list"),
            "put its items into the outer list, or make documents of them".to_owned(),
        ),
        ObjectProblem::ApiVersionMissing => (
            &UNIDENTIFIED_OBJECT,
            format!("{place} has no apiVersion"),
            "apiVersion: agents.x-k8s.io/v1beta1".to_owned(),
        ),
        ObjectProblem::KindMissing => {
            (&UNIDENTIFIED_OBJECT, format!("{place} has no kind"), "kind: Sandbox".to_owned())
        }
        ObjectProblem::ApiVersionNotString => (
            &UNIDENTIFIED_OBJECT,
            "apiVersion is no string".to_owned(),
            "apiVersion: agents.x-k8s.io/v1beta1".to_owned(),
        ),
        ObjectProblem::KindNotString => {
            (&UNIDENTIFIED_OBJECT, "kind is no string".to_owned(), "kind: Sandbox".to_owned())
        }
        ObjectProblem::ApiVersionMalformed => (
            &UNIDENTIFIED_OBJECT,
            "apiVersion has more than one slash".to_owned(),
            "apiVersion: agents.x-k8s.io/v1beta1".to_owned(),
        ),
        ObjectProblem::WrongType { field, expected } => (
            &WRONG_TYPE,
            format!("{field} must be of another type: kubectl decodes it as Go's {expected}"),
            "quote numbers and booleans that are meant as text".to_owned(),
        ),
    };
    out.add(rule, Spot::new(error.span, error.path.clone()), words).help(help).outcome(outcome);
}

/// What kubectl drops or changes without a word in one document.
pub fn losses(document: &Document<'_>, text: &str, out: &mut Findings) {
    let paths = Paths::of(document);
    let mut undecodable: Vec<Span> = Vec::new();
    for loss in &document.losses {
        match loss {
            Loss::DuplicateKey { key, lost, kept } => duplicate_key(key, *lost, *kept, &paths, out),
            Loss::TextAfterEnd { span, cause } => text_never_read(*span, *cause, text, out),
            Loss::MergeOverwrites { key, written, merged_from } => {
                merge_overwrites_key(key, *written, *merged_from, &paths, out);
            }
            Loss::InvalidUtf8 { span } => undecodable.push(*span),
            Loss::RandomKeyCollision { key, first, second } => colliding_keys(key, *first, *second, &paths, out),
            Loss::FoldedDash { span } => folded_list_item(*span, out),
            Loss::FlowStyleFile { span, message } => json_like_file(*span, message, out),
            Loss::NonStringKey { key, span } => converted_key(key, *span, text, &paths, out),
        }
    }
    invalid_utf8(&undecodable, out);
}

/// Deeper documents get no field paths.
const DEEPEST: usize = 200;

fn duplicate_key(key: &str, lost: Span, kept: Span, paths: &Paths, out: &mut Findings) {
    let message = format!("`{key}` stands twice in one mapping; kubectl keeps the last one and says nothing");
    out.add(&DUPLICATE_KEY, Spot::new(lost, paths.at(kept)), message)
        .label("dropped with everything below it")
        .related(kept, "kubectl reads this one")
        .help("remove one of the two, or merge what stands below them");
}

fn text_never_read(span: Span, cause: EndCause, text: &str, out: &mut Findings) {
    let lost = text.get(span.range()).unwrap_or_default();
    let (why, help) = match cause {
        EndCause::DocumentEnd => ("a `...` line ends the document", "start the next document with `---`"),
        EndCause::ValueComplete => {
            ("the top-level value ended above", "indent the lines like the first one, or put `---` before them")
        }
        EndCause::LoneCarriageReturn => (
            "kubectl does not see a `---` after a lone carriage return",
            "save the file with line feeds, as editors on Unix do",
        ),
    };
    let object = lost.lines().find(|line| line.starts_with("kind:")).map(str::trim_end);
    let message = match object {
        Some(kind) => format!("kubectl never reads this object ({kind}): {why}"),
        None => format!("kubectl never reads this text: {why}"),
    };
    let finding = out.add(&TEXT_NEVER_READ, Spot::new(span, ""), message);
    finding.label("ignored from here on").help(help);
    if object.is_some() {
        finding.severity(Severity::Error);
    }
    if cause == EndCause::DocumentEnd
        && let Some(end) = end_marker(text, span.start)
    {
        let edit = Edit { span: end, text: "---".to_owned() };
        finding.fix(Applicability::Unsafe, "replace `...` by `---`", vec![edit]);
    }
}

/// The last line `...` before a place.
fn end_marker(text: &str, before: u32) -> Option<Span> {
    let above = text.get(..before as usize)?;
    let start = above.rfind("\n...").map(|at| at + 1).or_else(|| above.starts_with("...").then_some(0))?;
    Some(Span::new(start as u32, start as u32 + 3))
}

fn merge_overwrites_key(key: &str, written: Span, merged: Span, paths: &Paths, out: &mut Findings) {
    let message =
        format!("`{key}` is replaced by the merge below it: kubectl lets `<<` win over keys written before it");
    out.add(&MERGE_OVERWRITES_KEY, Spot::new(written, paths.at(written)), message)
        .label("this value is dropped")
        .related(merged, "the merged value stays")
        .help(format!("write `<<` first and `{key}` below it"));
}

fn invalid_utf8(places: &[Span], out: &mut Findings) {
    let [first, rest @ ..] = places else { return };
    let message = match rest.len() {
        0 => "a byte that is not UTF-8 becomes U+FFFD, and kubectl says nothing".to_owned(),
        more => format!("{} bytes that are not UTF-8 become U+FFFD, and kubectl says nothing", more + 1),
    };
    out.add(&INVALID_UTF8, Spot::new(*first, ""), message)
        .label("the text is lost here")
        .help("save the file as UTF-8");
}

fn colliding_keys(key: &str, first: Span, second: Span, paths: &Paths, out: &mut Findings) {
    let message = format!("two keys become the text `{key}`; which value kubectl sends changes from run to run");
    out.add(&COLLIDING_KEYS, Spot::new(second, paths.at(second)), message)
        .related(first, "becomes the same key")
        .help("remove one of the two");
}

fn folded_list_item(span: Span, out: &mut Findings) {
    out.add(
        &FOLDED_LIST_ITEM,
        Spot::new(span, ""),
        "this line looks like a list item, but it continues the text above",
    )
    .label("part of the value above")
    .help("indent the dash as the other items are, or quote the text");
}

fn json_like_file(span: Span, message: &str, out: &mut Findings) {
    let outcome = Outcome::new(Stage::Decode, Shown::None, Phase::Rejected)
        .message(message)
        .shown_on("error of kubectl up to 1.32")
        .uncertain();
    out.add(
        &JSON_LIKE_FILE,
        Spot::new(span, ""),
        "the file starts with `{` but is not JSON: kubectl up to 1.32 refuses it",
    )
    .label("no longer JSON here")
    .outcome(outcome)
    .help("write it in block style, or as strict JSON; a comment on the first line also makes it YAML");
}

fn converted_key(key: &str, span: Span, text: &str, paths: &Paths, out: &mut Findings) {
    let written = text.get(span.range()).unwrap_or_default();
    let message = format!("the key `{written}` is no text in YAML 1.1: kubectl reads it as `{key}`");
    let finding = out.add(&CONVERTED_KEY, Spot::new(span, paths.at(span)), message);
    finding.label(format!("becomes `{key}`")).help(format!("quote it: \"{written}\""));
    if !written.contains(['"', '\\', '\n', '&', '!', '*']) {
        let quote = |at| Edit { span: Span::new(at, at), text: "\"".to_owned() };
        finding.fix(Applicability::Safe, "quote the key", vec![quote(span.start), quote(span.end)]);
    }
}

/// Field paths of keys, by their place.
struct Paths(HashMap<Span, String>);

impl Paths {
    /// The paths of the keys that the losses of a document name.
    fn of(document: &Document<'_>) -> Self {
        let keys = document.losses.iter().filter_map(|loss| match loss {
            Loss::DuplicateKey { kept: key, .. }
            | Loss::MergeOverwrites { written: key, .. }
            | Loss::RandomKeyCollision { second: key, .. }
            | Loss::NonStringKey { span: key, .. } => Some(*key),
            _ => None,
        });
        let mut paths = Self(keys.map(|key| (key, String::new())).collect());
        if let Some(root) = document.root().filter(|_| document.depth < DEEPEST && !paths.0.is_empty()) {
            paths.walk(root, &mut String::new());
        }
        paths
    }

    /// Looks for the keys below a node whose path is given.
    fn walk(&mut self, node: &Node<'_>, path: &mut String) {
        let end = path.len();
        match &node.value {
            Value::Map(map) => {
                for entry in &map.entries {
                    if end > 0 {
                        path.push('.');
                    }
                    path.push_str(&entry.key);
                    if let Some(known) = self.0.get_mut(&entry.key_span).filter(|known| known.is_empty()) {
                        known.clone_from(path);
                    }
                    self.walk(&entry.value, path);
                    path.truncate(end);
                }
            }
            Value::Seq(items) => {
                for (index, item) in items.iter().enumerate() {
                    let _ = write!(path, "[{index}]");
                    self.walk(item, path);
                    path.truncate(end);
                }
            }
            _ => {}
        }
    }

    /// The path of the entry whose key stands at `key`, or an empty text.
    fn at(&self, key: Span) -> String {
        self.0.get(&key).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;
    use crate::yaml::{Documents, Options, Text};

    fn found(bytes: &[u8]) -> Vec<Finding> {
        let text = Text::decode(bytes);
        let mut list = Vec::new();
        for document in Documents::of(&text, &Options::default()) {
            let mut out = Findings::new(0, Some(document.index), None);
            match &document.content {
                Err(error) => syntax_error(error, document.index, "web.yaml", text.as_str(), &mut out),
                Ok(_) => losses(&document, text.as_str(), &mut out),
            }
            list.extend(out.list);
        }
        list
    }

    fn codes(text: &str) -> Vec<(&'static str, Severity)> {
        found(text.as_bytes()).iter().map(|finding| (finding.rule.code, finding.severity)).collect()
    }

    #[test]
    fn a_refusal_has_kubectls_words_and_the_exact_place() {
        let list = found(b"a: 1\nb:\n\t- c\n");
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].rule.code, "SB001");
        assert_eq!(list[0].help.as_deref(), Some("indent with spaces"));
        let message = list[0].outcome.as_ref().and_then(|outcome| outcome.message.as_deref());
        assert_eq!(
            message,
            Some(
                "error: error parsing web.yaml: error converting YAML to JSON: yaml: line 3: found character that cannot start any token"
            )
        );
        assert_eq!(list[0].spot.span, Span::new(8, 9));
    }

    #[test]
    fn separators_with_content_are_a_defect_of_their_own() {
        assert_eq!(codes("a: 1\n--- {}\n"), [("SB002", Severity::Error)]);
    }

    #[test]
    fn silent_losses_are_said() {
        use Severity::{Error, Warning};
        assert_eq!(codes("a: {b: 1, c: 2, b: 3}\n"), [("SB010", Error)]);
        assert_eq!(codes("a: 1\n...\nb: 2\n"), [("SB011", Warning)]);
        assert_eq!(codes("a: 1\n...\nkind: Sandbox\n"), [("SB011", Error)]);
        assert_eq!(codes("x: &x {b: 1}\na:\n  b: 2\n  <<: *x\n"), [("SB012", Warning)]);
        assert_eq!(codes("a: {1: x, \"1\": y}\n"), [("SB014", Warning)]);
        assert_eq!(codes("a:\n- b\n - c\n"), [("SB015", Warning)]);
        assert_eq!(codes("{a: 1}\n"), [("SB016", Warning)]);
        assert_eq!(codes("a: {yes: 1}\n"), [("SB017", Warning)]);
        assert_eq!(found(b"a: caf\xe9 \xe9\n").len(), 1);
        assert_eq!(codes("a: {b: 1}\nc: [1]\n"), []);
    }

    #[test]
    fn what_is_no_object_has_kubectls_words_too() {
        let rules = |text: &str| {
            let document = Documents::new(text, &Options::default()).next().unwrap();
            let mut out = Findings::new(0, Some(0), None);
            for error in crate::yaml::objects(&document).iter().filter_map(|object| object.as_ref().err()) {
                object_error(error, "web.yaml", &mut out);
            }
            let words =
                |finding: &Finding| finding.outcome.as_ref().and_then(|outcome| outcome.message.clone()).unwrap();
            out.list.iter().map(|finding| (finding.rule.code, words(finding))).collect::<Vec<_>>()
        };
        let refused = rules("kind: Sandbox\n");
        assert_eq!(refused[0].0, "SB004");
        assert!(
            refused[0]
                .1
                .starts_with("error: error validating \"web.yaml\": error validating data: apiVersion not set;")
        );
        assert_eq!(rules("- a\n")[0].0, "SB003");
        assert_eq!(rules("apiVersion: v1\nkind: Pod\nmetadata: {labels: {a: 1}}\n")[0].0, "SB105");
        assert_eq!(rules("apiVersion: v1\nkind: Pod\n").len(), 0);
    }

    #[test]
    fn a_loss_names_the_field() {
        let list = found(b"spec:\n  items:\n  - size: 1\n    size: 2\n");
        assert_eq!(list[0].spot.path, "spec.items[0].size");
    }

    #[test]
    fn quoting_a_key_is_a_fix() {
        let text = "a:\n  on: 1\n";
        let list = found(text.as_bytes());
        let source = crate::input::Source::explicit("a.yaml", text.as_bytes().to_vec());
        let fixed = crate::fix::apply(&source, list.iter().filter_map(|finding| finding.fix.as_ref()), false).unwrap();
        assert_eq!(fixed.bytes, b"a:\n  \"on\": 1\n");
    }
}
