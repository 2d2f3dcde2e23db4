//! What the API server refuses, in its words, and what the linter says of it.

use crate::finding::{Applicability, Edit, Findings, Fix, Outcome, Phase, Severity, Shown, Spot, Stage};
use crate::go;
use crate::resource::Resource;
use crate::rule::Rule;
use crate::yaml::{Node, Span, Style};
use std::collections::HashSet;

/// One refusal: the lines of the server, and what caused them.
#[derive(Debug)]
pub struct Fault {
    /// The server's lines, without bullets.
    pub lines: Vec<String>,
    /// Whether the server leaves later checks out because of it.
    pub blocking: bool,
    /// What can be built of the object once this is fixed: `false` where nothing is known of the rest.
    pub fixable: bool,
    /// What the linter says; `None` where another finding has the same cause.
    pub cause: Option<Cause>,
}

/// What the linter says of a fault.
#[derive(Debug)]
pub struct Cause {
    /// The rule.
    pub rule: &'static Rule,
    /// The place.
    pub spot: Spot,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// How to change the text.
    pub fix: Option<Fix>,
    /// Another place that belongs to it.
    pub related: Option<(Span, String)>,
    /// Its weight, where that is not the rule's own.
    pub severity: Option<Severity>,
    /// The path of the field that was meant, where that is elsewhere in the object.
    pub meant: Option<String>,
}

impl Cause {
    /// A cause without further details.
    pub fn new(rule: &'static Rule, spot: Spot, message: impl Into<String>) -> Self {
        Self { rule, spot, message: message.into(), help: None, fix: None, related: None, severity: None, meant: None }
    }

    /// Sets what to write instead.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets how to change the text.
    pub fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    /// Sets the path of the field that was meant.
    pub fn meant(mut self, path: Option<String>) -> Self {
        self.meant = path;
        self
    }

    /// Says it with the outcome, in the resource's own paths.
    pub fn report(self, resource: &Resource<'_>, outcome: Outcome, out: &mut Findings) {
        let spot = Spot::new(self.spot.span, resource.path(&self.spot.path));
        let finding = out.add(self.rule, spot, self.message);
        finding.outcome(outcome);
        finding.help = self.help;
        finding.fix = self.fix;
        finding.meant = self.meant.map(|path| resource.path(&path));
        if let Some(severity) = self.severity {
            finding.severity(severity);
        }
        if let Some((span, message)) = self.related {
            finding.related(span, message);
        }
    }
}

impl Fault {
    /// A fault of one line that does not keep the server from looking further.
    pub fn plain(line: String, cause: Cause) -> Self {
        Self { lines: vec![line], blocking: false, fixable: false, cause: Some(cause) }
    }

    /// A fault of one line that does.
    pub fn blocking(line: String, cause: Cause) -> Self {
        Self { blocking: true, ..Self::plain(line, cause) }
    }

    /// A line that only repeats what another fault is about.
    pub fn echo(line: String) -> Self {
        Self { lines: vec![line], blocking: false, fixable: true, cause: None }
    }

    /// Marks a fault that hides nothing of the rest of the object.
    pub fn fixable(mut self) -> Self {
        self.fixable = true;
        self
    }
}

/// What the server adds where it left out the rules of the schema that look at several fields.
pub const UNCHECKED: &str = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// kubectl's print of a refused object: one line as it is, several as a list, none twice.
pub fn invalid(kind: &str, name: &str, lines: &[String]) -> String {
    let mut seen: HashSet<&str> = HashSet::with_capacity(lines.len());
    let unique: Vec<&str> = lines.iter().map(String::as_str).filter(|line| seen.insert(line)).collect();
    let head = format!("The {kind} {} is invalid: ", go::quote(name));
    match unique.as_slice() {
        [line] => head + line,
        lines => lines.iter().fold(head, |text, line| text + "\n* " + line),
    }
}

/// kubectl's print of fields that strict validation does not know.
pub fn strict(resource: &Resource<'_>, version: &str, fields: &[String]) -> String {
    let kind = resource.kind.name();
    let fields: Vec<String> = fields.iter().map(|field| format!("unknown field \"{field}\"")).collect();
    format!(
        "Error from server (BadRequest): error when creating {}: {kind} in version \"{version}\" cannot be handled as a {kind}: strict decoding error: {}",
        go::quote(&resource.file_name),
        fields.join(", ")
    )
}

/// The outcome of an object that is not stored.
pub fn rejected(message: String) -> Outcome {
    let reason = if message.starts_with("Error from server (BadRequest)") { "BadRequest" } else { "Invalid" };
    let outcome = Outcome::new(Stage::Admission, Shown::None, Phase::Rejected);
    let outcome = if message.starts_with("error:") { outcome } else { outcome.reason(reason) };
    outcome.message(message).shown_on("kubectl")
}

/// The fix that puts quotes around a plain scalar, keeping the author's text.
pub fn quote(node: &Node<'_>) -> Option<Fix> {
    let insert = |at| Edit { span: Span::new(at, at), text: "\"".to_owned() };
    let here = node.style == Style::Plain && node.via.is_none() && node.span.start < node.span.end;
    here.then(|| Fix {
        applicability: Applicability::Safe,
        title: "quote the value".to_owned(),
        edits: vec![insert(node.span.start), insert(node.span.end)],
    })
}

/// The fix that writes another text in the place of a scalar.
pub fn replace(node: &Node<'_>, text: &str, applicability: Applicability) -> Option<Fix> {
    let quoted = match node.style {
        Style::DoubleQuoted => format!("\"{text}\""),
        Style::SingleQuoted => format!("'{text}'"),
        Style::Plain => text.to_owned(),
        _ => return None,
    };
    node.via.is_none().then(|| Fix {
        applicability,
        title: format!("write {text}"),
        edits: vec![Edit { span: node.span, text: quoted }],
    })
}

/// Whether a text waits for some tool to fill it in, so that nothing is known of its content:
/// `${X}`, `{{ x }}`, `$X`, `<IMAGE>`.
pub fn is_placeholder(text: &str) -> bool {
    let shouted = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_uppercase())
            && name
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || "_- ".contains(letter))
    };
    let dollar = text.strip_prefix('$').is_some_and(shouted);
    let angle = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).is_some_and(|name| !name.is_empty());
    dollar || angle || crate::contract::has_placeholder(text)
}
