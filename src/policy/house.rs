//! House rules as a config or a policy file writes them.

use super::expression::{Expression, Variables};
use super::target::{Requirement, Scope};
use super::{HouseRule, KINDS, Origin, TYPES, VARIABLES, glob_set, library, missing};
use crate::finding::Severity;
use crate::settings::{Reader, Word};
use crate::suggest;
use crate::yaml::Node;
use std::collections::BTreeMap;

/// The names of the weights.
pub const SEVERITIES: [(&str, Severity); 3] =
    [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Note)];

const KEYS: [&str; 10] =
    ["name", "match", "severity", "variables", "when", "expression", "message", "messageExpression", "field", "help"];

/// Reads a list of house rules.
pub fn read_rules(reader: &Reader, node: &Node<'_>) -> Vec<HouseRule> {
    let mut rules: Vec<HouseRule> = Vec::new();
    for item in reader.items(node) {
        let Some(rule) = read_rule(reader, item) else { continue };
        if rules.iter().any(|known| known.name == rule.name) {
            reader.complain(item.place(), format!("house rule `{}` exists already", rule.name));
        }
        rules.push(rule);
    }
    rules
}

fn read_rule(reader: &Reader, node: &Node<'_>) -> Option<HouseRule> {
    let mut name = None;
    let mut scope = Scope::default();
    let mut severity = Severity::Error;
    let (mut message, mut help, mut field) = (None, None, None);
    let mut texts: BTreeMap<&str, Word> = BTreeMap::new();
    let mut conditions = Vec::new();
    let mut variables = Variables::new();
    let fields = reader.fields(node, "a house rule", &KEYS);
    if let Some(entry) = fields.iter().find(|entry| entry.key == "variables") {
        variables = read_variables(reader, &entry.value);
    }
    for entry in fields {
        let value = &entry.value;
        match entry.key.as_ref() {
            "name" => name = read_name(reader, value),
            "match" => scope = read_scope(reader, value),
            "severity" => severity = reader.choice(value, "severity", &SEVERITIES).unwrap_or(severity),
            "message" => message = reader.text(value, "message"),
            "help" => help = reader.text(value, "help"),
            "field" => field = reader.text(value, "field"),
            "when" => conditions = reader.words(value, "when"),
            "expression" => drop(reader.word(value, "expression").map(|word| texts.insert("expression", word))),
            "messageExpression" => {
                drop(reader.word(value, "messageExpression").map(|word| texts.insert("messageExpression", word)));
            }
            _ => {}
        }
    }
    let compile = |word: &Word| compile(reader, word, &variables);
    let expression = texts.get("expression").map(compile);
    for (key, there) in [("name", name.is_some()), ("expression", expression.is_some())] {
        if !there && node.get(key).is_none() {
            reader.complain(node.place(), format!("a house rule needs `{key}`"));
        }
    }
    Some(HouseRule {
        name: name?,
        scopes: vec![scope],
        severity,
        conditions: conditions.iter().filter_map(compile).collect(),
        expression: expression??,
        message,
        message_expression: texts.get("messageExpression").and_then(compile),
        help,
        field,
        origin: Origin::House,
    })
}

/// A name that comments can hold: letters, digits, `-`, `_`, `.` and `/`, and not that of a rule of the linter.
fn read_name(reader: &Reader, node: &Node<'_>) -> Option<String> {
    let word = reader.word(node, "name")?;
    let good = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if word.text.is_empty() || !word.text.chars().all(good) {
        reader
            .complain(word.span, format!("name `{}` may hold only letters, digits, `-`, `_`, `.` and `/`", word.text));
    } else if crate::rule::find(&word.text).is_some() || is_code_like(&word.text) {
        reader.complain(word.span, format!("`{}` is a name of the linter's own rules", word.text));
    }
    Some(word.text)
}

fn is_code_like(name: &str) -> bool {
    name.strip_prefix("SB").is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()))
}

fn read_variables(reader: &Reader, node: &Node<'_>) -> Variables {
    if node.as_map().is_none() {
        reader.fields(node, "variables", &[]);
    }
    let mut variables = Variables::new();
    for entry in node.entries() {
        let word = reader.word(&entry.value, &entry.key);
        if let Some(expression) = word.and_then(|word| compile(reader, &word, &variables)) {
            variables.push((entry.key.to_string(), expression));
        }
    }
    variables
}

/// Compiles an expression of a house rule: everything it names must exist.
fn compile(reader: &Reader, word: &Word, variables: &Variables) -> Option<Expression> {
    let expression = match Expression::compile(&word.text, variables) {
        Ok(expression) => expression,
        Err(message) => {
            reader.complain(word.span, message);
            return None;
        }
    };
    match missing(&expression) {
        None => Some(expression),
        Some(unknown) => {
            reader.complain(word.span, unknown_name(&unknown, variables));
            None
        }
    }
}

fn unknown_name(unknown: &str, variables: &Variables) -> String {
    let bare = unknown.trim_start_matches("the function ").trim_matches('`');
    if unknown.starts_with("the function") {
        let near = suggest::nearest(bare, library::FUNCTIONS);
        return with_advice(format!("the expression calls {unknown}, which does not exist here"), near);
    }
    if let Some(variable) = bare.strip_prefix("variables.") {
        let near = suggest::nearest(variable, variables.iter().map(|(name, _)| name.as_str()));
        return with_advice(format!("the expression names {unknown}, which is not defined above it"), near);
    }
    let root = bare.split('.').next().unwrap_or(bare);
    let near = suggest::nearest(root, VARIABLES.iter().map(|(name, _)| *name).chain(TYPES));
    with_advice(format!("the expression names {unknown}, which does not exist here"), near)
}

fn with_advice(message: String, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("{message}; did you mean `{near}`?"),
        None => message,
    }
}

fn read_scope(reader: &Reader, node: &Node<'_>) -> Scope {
    let mut scope = Scope::default();
    for entry in reader.fields(node, "match", &["kinds", "namespaces", "except-namespaces", "labels"]) {
        match entry.key.as_ref() {
            "kinds" => scope.kinds = read_kinds(reader, &entry.value),
            "labels" => {
                let pairs = reader.pairs(&entry.value, "labels").into_iter();
                scope.labels = pairs.map(|(key, value)| Requirement::equal(key, value)).collect();
            }
            key => {
                let globs = glob_set(&reader.words(&entry.value, key)).unwrap_or_else(|(word, error)| {
                    reader.complain(word.span, format!("`{}` is no glob: {error}", word.text));
                    None
                });
                if key == "namespaces" {
                    scope.namespaces = globs;
                } else {
                    scope.except_namespaces = globs;
                }
            }
        }
    }
    scope
}

fn read_kinds(reader: &Reader, node: &Node<'_>) -> Vec<String> {
    let mut kinds = Vec::new();
    for word in reader.words(node, "kinds") {
        if !KINDS.contains(&word.text.as_str()) {
            let near = suggest::nearest(&word.text, KINDS);
            let message = format!("`{}` is no kind that is checked", word.text);
            reader.complain(word.span, with_advice(message, near));
        }
        kinds.push(word.text);
    }
    kinds
}
