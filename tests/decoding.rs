//! Recorded answers of kubectl against our decoding.

use std::path::{Path, PathBuf};

use sandbox_lint::yaml::{Documents, Node, Options, Text, decode_lines, parse, to_json, to_value};
use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/decoding").join(name)
}

fn records(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(fixture(name)).expect("the fixture is readable");
    text.lines().map(parse_json).collect()
}

/// serde_json with a deeper limit than its own 128 levels.
fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// Integers above 64 bits with a sign arrive as floats.
fn on_the_wire(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_u64() && !number.is_i64() => number.as_f64().into(),
        Value::Array(items) => items.iter().map(on_the_wire).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), on_the_wire(value))).collect(),
        other => other.clone(),
    }
}

/// What plain `decode` prints, and the first refusal.
fn decode(text: &str) -> (Vec<Value>, Option<String>) {
    let mut values = Vec::new();
    for document in Documents::new(text, &Options::default()) {
        match &document.content {
            Ok(node) => values.push(to_value(node)),
            Err(error) => return (values, Some(error.message.clone())),
        }
    }
    (values, None)
}

/// The recorded value as JSON text: numbers are recorded by their text.
fn recorded_text(record: &Value) -> String {
    match record {
        Value::Object(map) if map.contains_key("__num__") => map["__num__"].as_str().expect("text").to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(recorded_text).collect::<Vec<_>>().join(",")),
        Value::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), recorded_text(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        other => other.to_string(),
    }
}

#[test]
fn plain_scalars_become_what_kubectl_makes_of_them() {
    let mut wrong = Vec::new();
    for record in records("scalar-values.jsonl") {
        let text = format!("a: {}\n", record["yaml"].as_str().expect("text"));
        let stream = parse(&text, &Options::default());
        let root = stream.documents.first().and_then(|document| document.root());
        let value = root.and_then(|root| root.get("a"));
        let expected = match (record.get("json"), record["type"].as_str()) {
            (Some(number), Some("number")) => Some(number.as_str().expect("text").to_owned()),
            (json, _) => json.map(recorded_text),
        };
        if value.map(to_json) != expected {
            wrong.push(format!("{record}: {value:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keys_become_what_kubectl_makes_of_them() {
    let mut wrong = Vec::new();
    for record in records("scalar-keys.jsonl") {
        let (values, error) = decode(&format!("spec:\n  {}: x\n", record["yaml"].as_str().expect("text")));
        let keys: Option<Vec<Value>> = values.first().map(|value| match &value["spec"] {
            Value::Object(map) => map.keys().map(|key| key.as_str().into()).collect(),
            Value::Array(items) => items.clone(),
            Value::Number(_) => vec!["__num__".into()],
            other => vec![other.clone()],
        });
        let expected = record.get("json").map(|json| json.as_array().cloned().unwrap_or_else(|| vec![json.clone()]));
        if keys != expected {
            wrong.push(format!("{record}: {keys:?} {error:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mutated_documents_decode_as_recorded() {
    let records = records("mutated.jsonl");
    let (mut wrong, mut words, mut refused) = (Vec::new(), 0, 0);
    for record in &records {
        let (values, error) = decode(record["input"].as_str().expect("text"));
        let agrees = match (&record["documents"], &error) {
            (Value::Array(documents), None) => {
                let documents: Vec<Value> =
                    documents.iter().filter(|document| !document.is_null()).map(on_the_wire).collect();
                documents == values
            }
            (_, error) => error.is_some() && !record["error"].is_null(),
        };
        if !agrees {
            wrong.push(format!("{record}\n    {values:?} {error:?}"));
        }
        if let (Some(expected), Some(error)) = (record["error"].as_str(), &error) {
            refused += 1;
            words += usize::from(error.strip_prefix("error converting YAML to JSON: ").unwrap_or(error) == expected);
            if std::env::var_os("SHOW").is_some()
                && error.strip_prefix("error converting YAML to JSON: ").unwrap_or(error) != expected
            {
                println!("{}\n   {expected}\n   {error}", record["input"]);
            }
        }
    }
    let share = 100.0 * (records.len() - wrong.len()) as f64 / records.len() as f64;
    println!("{share:.2} % of {} documents agree; {words} of {refused} messages are equal", records.len());
    assert!(share >= 99.9, "{}", wrong.join("\n"));
}

/// One version's answer about a snippet. Some are nested too deeply for serde_json, so our own reader reads them all.
struct Answer {
    documents: Vec<String>,
    error: Option<String>,
}

fn answer(record: &Node<'_>, version: &str) -> Answer {
    let answer = record.get(version).or_else(|| record.get("kubectl_1_32")).expect("an answer");
    Answer {
        documents: answer.get("documents").expect("documents").items().map(to_json).collect(),
        error: answer.get("error").and_then(Node::as_str).map(str::to_owned),
    }
}

#[test]
fn snippets_decode_as_recorded() {
    let text = std::fs::read_to_string(fixture("snippets.jsonl")).expect("the fixture is readable");
    let stream = parse(&text, &Options::default());
    let (mut wrong, mut words, mut refused, mut total) = (Vec::new(), 0, 0, 0);
    for record in stream.documents.iter().map(|document| document.root().expect("JSON")) {
        let name = record.get("snippet").and_then(Node::as_str).expect("a name");
        let bytes = std::fs::read(fixture(&format!("snippets/{name}.yaml"))).expect("the snippet is readable");
        for (version, minor) in [("kubectl_1_32", 32), ("kubectl_1_33", 36)] {
            let answer = answer(record, version);
            total += 1;
            let (lines, refusal) = decode_lines(Text::decode(&bytes).as_str(), true, &Options { kubectl_minor: minor });
            if answer.documents != lines || answer.error.is_some() != refusal.is_some() {
                let report =
                    format!("{name} {version}: {:?} {:?}\n    {lines:?} {refusal:?}", answer.documents, answer.error);
                wrong.push(report.chars().take(1500).collect::<String>());
            }
            if let (Some(expected), Some(refusal)) = (answer.error, refusal) {
                refused += 1;
                words += usize::from(refusal.message == expected);
                if refusal.message != expected {
                    println!("{name}\n   {expected}\n   {}", refusal.message);
                }
            }
        }
    }
    assert_eq!(total, 2 * 257);
    println!("{total} answers; {words} of {refused} messages are equal");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
