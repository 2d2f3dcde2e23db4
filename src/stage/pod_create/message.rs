//! The words of field errors: how the API server writes what it refuses, and the list of all that it refuses.

use super::field::Field;
use super::field_fix::FieldFix;
use super::names;
use crate::contract::has_placeholder;
use crate::finding::Applicability;
use crate::go::quote;
use crate::rule::Rule;
use crate::yaml::Span;

/// The refused value as a field error shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Bad {
    /// A Go string: quoted as `%q`.
    Text(String),
    /// A value of another string type: written as JSON, which escapes `<`, `>` and `&`.
    Typed(String),
    /// A number.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// Anything else, already in JSON.
    Json(String),
}

impl Bad {
    fn show(&self) -> String {
        match self {
            Bad::Text(text) => quote(text),
            Bad::Typed(text) => json_string(text),
            Bad::Int(number) => number.to_string(),
            Bad::Bool(flag) => flag.to_string(),
            Bad::Json(json) => json.clone(),
        }
    }
}

impl From<&str> for Bad {
    fn from(text: &str) -> Self {
        Bad::Text(text.to_owned())
    }
}

impl From<i64> for Bad {
    fn from(number: i64) -> Self {
        Bad::Int(number)
    }
}

impl From<bool> for Bad {
    fn from(flag: bool) -> Self {
        Bad::Bool(flag)
    }
}

/// One thing that the server refuses.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The rule of it.
    pub rule: &'static Rule,
    /// The server's words: `spec.hostname: Invalid value: "A": …`.
    pub text: String,
    /// The field's path from the Pod's root, as the author would name it.
    pub path: String,
    /// Where to point.
    pub place: Span,
    /// What is wrong, in a sentence without its end.
    pub sentence: String,
    /// What to write instead.
    pub help: Option<String>,
    /// A change that fixes it.
    pub fix: Option<FieldFix>,
    /// Another place that belongs to it.
    pub related: Option<(Span, String)>,
    /// Only a Pod is asked for it, not a template of one.
    pub pod_only: bool,
    /// It hangs on a text that another tool fills in, so nothing is known.
    open: bool,
}

impl Cause {
    /// Replaces the sentence.
    pub fn says(&mut self, sentence: impl Into<String>) -> &mut Self {
        self.sentence = sentence.into();
        self
    }

    /// Sets what to write instead.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Sets another text for the value as the change that fixes it.
    pub fn replace(&mut self, field: &Field<'_>, with: &str, how: Applicability) -> &mut Self {
        self.fix = FieldFix::text(field, with, how);
        self
    }

    /// Sets the change that fixes it.
    pub fn with_fix(&mut self, fix: Option<FieldFix>) -> &mut Self {
        self.fix = fix;
        self
    }

    /// Sets another place.
    pub fn related(&mut self, place: Span, words: impl Into<String>) -> &mut Self {
        self.related = Some((place, words.into()));
        self
    }
}

/// All that the server refuses of one Pod, in its order.
#[derive(Debug)]
pub struct Errors {
    /// The causes.
    pub causes: Vec<Cause>,
    /// The Kubernetes minor release, which decides a few texts.
    pub kube_minor: u32,
    rule: &'static Rule,
    pod_only: bool,
}

impl Errors {
    /// An empty list, its first causes belonging to `rule`.
    pub fn new(rule: &'static Rule, kube_minor: u32) -> Self {
        Self { causes: Vec::new(), kube_minor, rule, pod_only: false }
    }

    /// The following causes belong to `rule`.
    pub fn about(&mut self, rule: &'static Rule) {
        self.rule = rule;
    }

    /// The following causes are for Pods only, not for templates of them.
    pub fn only_for_pods(&mut self) {
        self.pod_only = true;
    }

    /// `Required value`, with a detail unless it is empty.
    pub fn required(&mut self, field: &Field<'_>, detail: &str) -> &mut Cause {
        let name = field.name();
        let sentence = match detail {
            "" => format!("`{name}` is missing or empty"),
            _ => format!("`{name}` is missing or empty: {detail}"),
        };
        self.push(field, "Required value".into(), detail, sentence)
    }

    /// `Invalid value: <bad>: <detail>`.
    pub fn invalid(&mut self, field: &Field<'_>, bad: impl Into<Bad>, detail: &str) -> &mut Cause {
        let bad = bad.into();
        let shown = bad.show();
        let typed = match &bad {
            Bad::Text(text) | Bad::Typed(text) => field.text() == text && !text.is_empty(),
            Bad::Int(_) => true,
            Bad::Bool(_) | Bad::Json(_) => false,
        };
        let (name, why) = (field.name(), brief(detail));
        let sentence = match (typed, why.starts_with("must ")) {
            (true, true) => format!("`{name}` is {shown}, but it {why}"),
            (true, false) => format!("`{name}` is {shown}: {why}"),
            (false, true) => format!("`{name}` {why}"),
            (false, false) => format!("`{name}`: {why}"),
        };
        let advice = typed.then(|| advice(field.text(), detail)).flatten();
        let open = matches!(&bad, Bad::Text(text) | Bad::Typed(text) if has_placeholder(text));
        let cause = self.push(field, format!("Invalid value: {shown}"), detail, sentence);
        cause.help = advice;
        cause.open |= open;
        cause
    }

    /// One `Invalid value` for each detail.
    pub fn invalid_each(&mut self, field: &Field<'_>, bad: &str, details: &[String]) {
        for detail in details {
            self.invalid(field, bad, detail);
        }
    }

    /// Refuses a text that is no DNS label; `fix` gets each cause with the label that comes nearest.
    pub fn invalid_dns_label(&mut self, field: &Field<'_>, fix: impl Fn(&mut Cause, &str)) {
        for detail in names::dns_label(field.text()) {
            let cause = self.invalid(field, field.text(), &detail);
            if let Some(label) = names::to_dns_label(field.text()) {
                fix(cause, &label);
            }
        }
    }

    /// `Unsupported value: "<bad>": supported values: "A", "B"`; proposes the value that was likely meant.
    pub fn unsupported(&mut self, field: &Field<'_>, supported: &[&str]) -> &mut Cause {
        let bad = field.text();
        self.unsupported_text(field, bad, supported)
    }

    /// The same for a text that is not the field's value, such as a key.
    pub fn unsupported_text(&mut self, field: &Field<'_>, bad: &str, supported: &[&str]) -> &mut Cause {
        let list = supported.iter().map(|value| quote(value)).collect::<Vec<_>>().join(", ");
        let what = format!("Unsupported value: {}", json_string(bad));
        let sentence = match bad {
            "" => format!("`{}` is empty, but must be one of {list}", field.name()),
            _ => format!("`{}` is {}, which is not one of {list}", field.name(), json_string(bad)),
        };
        let meant = meant(bad, supported);
        let cause = self.push(field, what, &format!("supported values: {list}"), sentence);
        if let Some(meant) = meant {
            let same = meant.eq_ignore_ascii_case(bad);
            cause.help(if same {
                format!("upper and lower case count: write `{meant}`")
            } else {
                format!("write `{meant}`")
            });
            cause.replace(field, meant, if same { Applicability::Safe } else { Applicability::Unsafe });
        }
        cause
    }

    /// `Forbidden: <detail>`.
    pub fn forbidden(&mut self, field: &Field<'_>, detail: &str) -> &mut Cause {
        let sentence = format!("`{}` is not allowed here: {detail}", field.name());
        self.push(field, "Forbidden".into(), detail, sentence)
    }

    /// `Duplicate value: <bad>`.
    pub fn duplicate(&mut self, field: &Field<'_>, bad: &str) -> &mut Cause {
        let sentence = format!("`{}` {} occurs a second time", field.name(), quote(bad));
        self.push(field, format!("Duplicate value: {}", quote(bad)), "", sentence)
    }

    /// `Not found: <bad>`, with a detail unless it is empty.
    pub fn not_found(&mut self, field: &Field<'_>, bad: &str, detail: &str) -> &mut Cause {
        let sentence = format!("`{}` names {}, which the Pod does not have", field.name(), quote(bad));
        self.push(field, format!("Not found: {}", quote(bad)), detail, sentence)
    }

    /// `Too long: may not be more than <limit> bytes`.
    pub fn too_long(&mut self, field: &Field<'_>, limit: usize) -> &mut Cause {
        let detail = format!("may not be more than {limit} bytes");
        let sentence = format!("`{}` is too long: {detail}", field.name());
        self.push(field, "Too long".into(), &detail, sentence)
    }

    /// `Too many: <count>: must have at most <limit> items`.
    pub fn too_many(&mut self, field: &Field<'_>, count: usize, limit: usize) -> &mut Cause {
        let detail = format!("must have at most {limit} items");
        let sentence = format!("`{}` has {count} items, but {detail}", field.name());
        self.push(field, format!("Too many: {count}"), &detail, sentence)
    }

    /// Leaves out what hangs on placeholders.
    pub fn finish(mut self) -> Self {
        self.causes.retain(|cause| !cause.open);
        self
    }

    fn push(&mut self, field: &Field<'_>, what: String, detail: &str, sentence: String) -> &mut Cause {
        let shown = field.shown();
        let text = if detail.is_empty() { format!("{shown}: {what}") } else { format!("{shown}: {what}: {detail}") };
        self.causes.push(Cause {
            rule: self.rule,
            text,
            path: field.path.to_string(),
            place: field.place,
            sentence,
            help: None,
            fix: None,
            related: None,
            pod_only: self.pod_only,
            open: has_placeholder(field.text()),
        });
        let last = self.causes.len() - 1;
        &mut self.causes[last]
    }
}

/// The texts of causes in their order; equal ones count once.
pub fn texts<'c>(causes: impl IntoIterator<Item = &'c Cause>) -> Vec<&'c str> {
    let mut texts: Vec<&str> = Vec::new();
    for cause in causes {
        if !texts.contains(&cause.text.as_str()) {
            texts.push(&cause.text);
        }
    }
    texts
}

/// `Pod "x" is invalid: …` for these causes.
pub fn pod_is_invalid<'c>(pod: &str, causes: impl IntoIterator<Item = &'c Cause>) -> String {
    let texts = texts(causes);
    let list = match texts.as_slice() {
        [one] => (*one).to_owned(),
        _ => format!("[{}]", texts.join(", ")),
    };
    format!("Pod {} is invalid: {list}", quote(pod))
}

/// The supported value that was likely meant; of very short texts only another case counts.
pub fn meant<'s>(typed: &str, supported: &[&'s str]) -> Option<&'s str> {
    let values = supported.iter().copied().filter(|value| !value.is_empty());
    let meant = crate::suggest::nearest(typed, values)?;
    (typed.len() > 3 || meant.eq_ignore_ascii_case(typed)).then_some(meant)
}

/// What to write instead of a name that breaks a rule of syntax.
fn advice(typed: &str, detail: &str) -> Option<String> {
    const KEY: &str = "a key has letters, digits, `-`, `_` and `.`, begins and ends with a letter or digit, and may have one \
                       lower-case DNS name before one `/`";
    const LABEL: &str = "write lower-case letters, digits and `-`, with a letter or digit at both ends";
    let starts = |prefix: &str| detail.starts_with(prefix);
    if starts("a lowercase RFC 1123 label") || starts("must not contain dots") {
        let label = names::to_dns_label(typed);
        return Some(label.map_or_else(|| LABEL.into(), |label| format!("write a name such as `{label}`")));
    }
    let text = if starts("a lowercase RFC 1123 subdomain") {
        "write lower-case letters, digits, `-` and `.`, with a letter or digit at both ends"
    } else if starts("name part") || starts("prefix part") || starts("a valid label key") || starts("a qualified name")
    {
        KEY
    } else if starts("a valid label must") {
        "a label value has at most 63 letters, digits, `-`, `_` and `.`, and begins and ends with a letter or digit"
    } else {
        return None;
    };
    Some(text.into())
}

/// The detail without the examples and regular expressions that the server appends.
fn brief(detail: &str) -> &str {
    detail.find(" (e.g. '").map_or(detail, |cut| &detail[..cut])
}

/// A string as Go's `json.Marshal` writes it.
pub fn json_string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                json.push_str(&format!("\\u{:04x}", letter as u32));
            }
            _ => json.push(letter),
        }
    }
    json.push('"');
    json
}

/// A list of strings as Go's `json.Marshal` writes it.
pub fn json_list(texts: &[&str]) -> String {
    format!("[{}]", texts.iter().map(|text| json_string(text)).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_json_as_go_does() {
        assert_eq!(json_string("<a & b>\u{1}"), "\"\\u003ca \\u0026 b\\u003e\\u0001\"");
        assert_eq!(json_list(&["a", "b"]), r#"["a","b"]"#);
    }
}
