//! Every format prints any report, without a control or hidden character of the input: `cargo fuzz run reports`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandbox_lint::report::human::{self, Extras, Look};
use sandbox_lint::report::{self, Machine, View, view};
use sandbox_lint_fuzz::{linters, source};

fuzz_target!(|bytes: &[u8]| {
    let report = linters()[0].check(vec![source(bytes)]);
    let texts = view::texts(&report);
    let view = View::new(&report, &texts);
    for machine in Machine::ALL {
        let printed = report::render(&view, machine);
        verify(&printed);
        if machine == Machine::Json {
            serde_json::from_str::<serde_json::Value>(&printed).expect("JSON");
        }
    }
    for (width, unicode) in [(40, false), (80, true), (200, true)] {
        let look = Look { color: false, unicode, width };
        verify(&human::render(&view, look, Extras { statistics: true, intents: true, quiet: false }));
        verify(&human::render_predictions(&view, look));
    }
});

/// Only line breaks of our own may control a terminal.
fn verify(printed: &str) {
    let hidden = |letter: char| {
        let bidirectional = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        bidirectional || (letter.is_control() && letter != '\n')
    };
    assert!(!printed.contains(hidden), "{printed:?}");
}
