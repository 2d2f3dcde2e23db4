//! Recorded answers of kubectl against our decoding.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sandbox_lint::yaml::{
    Document, Documents, Node, Options, Span, Text, decode_lines, objects, parse, to_json, to_value,
};
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
            let (lines, refusal) = decode_lines(&Text::decode(&bytes), true, &Options { kubectl_minor: minor });
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

/// Every span lies inside the text, and inside its parent's where nothing was brought from elsewhere.
fn check_spans(text: &str, document: &Document<'_>) {
    let whole = Span::new(0, text.len() as u32);
    let inside = |outer: Span, inner: Span| {
        assert!(outer.contains(inner) && inner.start <= inner.end, "{inner:?} is not in {outer:?} of {text:?}");
        assert!(text.get(inner.range()).is_some(), "{inner:?} cuts a character of {text:?}");
    };
    inside(whole, document.span);
    for comment in &document.comments {
        inside(whole, comment.span);
        assert!(text[comment.span.range()].starts_with('#'));
    }
    let mut waiting = Vec::new();
    match &document.content {
        Ok(root) => {
            inside(document.span, root.span);
            waiting.push(root);
        }
        Err(error) => inside(whole, error.span),
    }
    while let Some(node) = waiting.pop() {
        for child in node.items().chain(node.entries().map(|entry| &entry.value)) {
            inside(if child.via.is_some() { whole } else { node.span }, child.span);
            waiting.push(child);
        }
        node.entries().for_each(|entry| inside(whole, entry.key_span));
    }
}

fn check_anything(bytes: &[u8]) {
    let text = Text::decode(bytes);
    for kubectl_minor in [32, 36] {
        let options = Options { kubectl_minor };
        for document in Documents::of(&text, &options) {
            check_spans(text.as_str(), &document);
            objects(&document);
        }
        decode_lines(&text, true, &options);
    }
    assert!(text.byte_offset(text.as_str().len() as u32) == bytes.len());
}

/// Random edits that hurt: pieces of YAML put into a recorded document, and pieces taken out.
fn mutate(text: &str, edits: &[(u16, u8, u8)]) -> String {
    const PIECES: [&str; 40] = [
        "- ",
        ": ",
        "? ",
        "[",
        "]",
        "{",
        "}",
        ",",
        " #",
        "&a ",
        "*a",
        "<<: *a\n",
        "!!str ",
        "!x ",
        "|\n",
        ">-\n",
        "\"",
        "'",
        "\\",
        "\t",
        "\n",
        "  ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "@",
        "~",
        "yes",
        "0x1F",
        ".inf",
        "!!int ",
        "\r",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{e9}",
        "\0",
        "!!binary ",
        "\r\n",
        "<<: [*a, *a]\n",
    ];
    let mut text = text.to_owned();
    for (place, piece, cut) in edits {
        let boundary = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let at = boundary(*place as usize % (text.len() + 1));
        let end = boundary(at + *cut as usize % 8);
        text.replace_range(at..end, PIECES[*piece as usize % PIECES.len()]);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_bytes_break_the_decoder(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_anything(&bytes);
    }

    #[test]
    fn no_document_breaks_the_decoder(number in any::<prop::sample::Index>(), edits in prop::collection::vec(any::<(u16, u8, u8)>(), 1..8)) {
        let records = std::fs::read_to_string(fixture("mutated.jsonl")).expect("the fixture is readable");
        let lines: Vec<&str> = records.lines().collect();
        let record = parse_json(lines[number.index(lines.len())]);
        check_anything(mutate(record["input"].as_str().expect("text"), &edits).as_bytes());
    }
}

#[test]
fn nasty_shapes_take_linear_time() {
    let size = 1 << 18;
    let anchors: String = (0..20_000).map(|number| format!("k{number}: &a{number} x\n")).collect();
    let aliases: String = (0..20_000).map(|number| format!("k{number}: *x\n")).collect();
    let merges: String = (0..10_000).map(|number| format!("k{number}: {{<<: *x}}\n")).collect();
    let repeated: String = (0..40_000).map(|number| format!("k{}: 1\n", number % 15_000)).collect();
    let shapes = [
        "[".repeat(size),
        "{a: ".repeat(size / 4),
        "- ".repeat(size / 2),
        "? ".repeat(size / 2),
        format!("{}{}", "[".repeat(9_000), "]".repeat(9_000)),
        format!("{}{{{}: 1}}", "- ".repeat(5_000), "[".repeat(4_900) + &"]".repeat(4_900)),
        format!("a: {0}\na: {0}\n", "[".repeat(5_000) + &"]".repeat(5_000)),
        format!("? {{{}}}\n: 1\n", (0..50_000).map(|number| format!("k{number}, ")).collect::<String>()),
        (0..20_000).map(|number| format!("k{number}: x\n")).collect(),
        repeated,
        anchors,
        format!("x: &x [1, 2]\n{aliases}"),
        format!("x: &x {{a: 1, b: 2}}\n{merges}"),
        format!("# {}\na: 1\n", "x".repeat(size)),
        "#\n".repeat(size / 2),
        format!("\"{}\"", "\\\n".repeat(size / 2)),
        format!("'{}'", "\n".repeat(size)),
        format!("a: |\n{}", " \n".repeat(size / 2)),
        format!("a: x\n{}b", "  y\n".repeat(size / 4)),
        "---\n".repeat(size / 4),
        "--- x\n".repeat(size / 6),
        "a: 'x".repeat(size / 5),
        "\u{85}".repeat(size / 2),
        "\r".repeat(size),
        "{\"a\":".repeat(size / 5),
        "{} ".repeat(size / 3),
        "!".repeat(size),
        "[a\0b".to_owned(),
        "a: [{b\0".to_owned(),
        format!("a: &x \"{}\\n\"\nb: [{}]", "y".repeat(100_000), "*x, ".repeat(20_000)),
    ];
    for shape in &shapes {
        let start = std::time::Instant::now();
        check_anything(shape.as_bytes());
        let name: String = shape.chars().take(20).collect();
        assert!(start.elapsed().as_secs() < 10, "{name:?} took {:?}", start.elapsed());
    }
}

#[test]
fn client_side_refusals_of_the_conformance_cases_are_kubectls() {
    const CLIENT: [&str; 3] = ["error: error parsing", "error: unable to decode", "error: error validating"];
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/conformance");
    let records = std::fs::read_to_string(directory.join("expected.jsonl")).expect("the records are readable");
    let mut refused = 0;
    for record in records.lines().map(parse_json) {
        let case = record["case"].as_str().expect("a name");
        let bytes = std::fs::read(directory.join("cases").join(case)).expect("the case is readable");
        let text = Text::decode(&bytes);
        let stream = parse(text.as_str(), &Options::default());
        let document = stream.documents.get(record["document"].as_u64().expect("a number") as usize);
        let message = document.and_then(|document| match &document.content {
            Err(error) => Some(format!("error: error parsing FILE: {}", error.message)),
            Ok(_) => objects(document).into_iter().find_map(|object| object.err().map(|error| error.message)),
        });
        let expected = record["refusal"].as_str().filter(|words| CLIENT.iter().any(|start| words.starts_with(start)));
        refused += usize::from(expected.is_some());
        assert_eq!(message.as_deref(), expected, "{case}");
    }
    assert!(refused > 30, "only {refused} refusals");
}
