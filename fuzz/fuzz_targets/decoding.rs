//! Any bytes decode without a panic, and every span lies inside the text: `cargo fuzz run decoding`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox_lint::yaml::{Documents, Options, Text, objects};

fuzz_target!(|bytes: &[u8]| {
    let text = Text::decode(bytes);
    for document in Documents::of(&text, &Options::default()) {
        let mut waiting: Vec<_> = document.root().into_iter().collect();
        while let Some(node) = waiting.pop() {
            assert!(text.as_str().get(node.span.range()).is_some());
            waiting.extend(node.items().chain(node.entries().map(|entry| &entry.value)));
        }
        objects(&document);
    }
});
