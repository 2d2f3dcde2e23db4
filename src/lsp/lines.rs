//! Paths in YAML that need not decode: line by line, by indentation. It knows block style, not brackets.

use super::outline::{DEEPEST, Entry, Step};
use std::ops::Range;

/// A line taken apart.
#[derive(Debug, Default)]
struct Line {
    /// The columns of the dashes that begin it.
    dashes: Vec<usize>,
    /// The column of what follows them.
    column: usize,
    /// The bytes of the key, quotes included.
    key: Option<Range<usize>>,
    /// The bytes of the value.
    value: Range<usize>,
}

/// Open mappings and lists above a line, with their columns.
#[derive(Debug, Default)]
struct Stack {
    frames: Vec<(usize, Step)>,
}

/// Where a cursor stands that writes a key or a value.
#[derive(Debug, PartialEq)]
pub(super) struct Cursor {
    /// The way to the mapping or list that the cursor is in; for a value the way to that value.
    pub path: Vec<Step>,
    /// Whether a value is being written.
    pub in_value: bool,
    /// The bytes written so far of the key or value, up to the cursor.
    pub written: Range<usize>,
    /// The column where the key begins.
    pub column: usize,
}

/// Everything in some bytes of a text.
pub(super) fn entries(text: &str, range: Range<usize>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut stack = Stack::default();
    walk(text, range, |line| {
        for path in stack.enter(&line) {
            entries.push(Entry { path, key: None, value: line.value.clone(), text: None });
        }
        if line.key.is_none() && line.dashes.is_empty() {
            return;
        }
        let value = scalar(&text[line.value.clone()]);
        match &line.key {
            Some(key) => {
                stack.key(line.column, unquoted(&text[key.clone()]));
                entries.push(Entry { path: stack.path(), key: line.key, value: line.value, text: value });
            }
            None => {
                if let Some(entry) = entries.last_mut() {
                    entry.text = value;
                }
            }
        }
    });
    entries
}

/// Where a cursor at byte `at` of a document stands.
pub(super) fn cursor(text: &str, range: Range<usize>, at: usize) -> Option<Cursor> {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1).max(range.start.min(at));
    let mut stack = Stack::default();
    let mut literal = None;
    walk(text, range.start.min(start)..start, |line| {
        stack.enter(&line);
        literal = None;
        if let Some(key) = &line.key {
            stack.key(line.column, unquoted(&text[key.clone()]));
            if text[line.value.clone()].starts_with(['|', '>']) {
                literal = Some(line.column);
            }
        }
    });
    let written = &text[start..at];
    if written.trim_start().starts_with('#') || written.contains(" #") {
        return None;
    }
    let line = take_apart(text, start..at);
    let column = if written.trim().is_empty() { written.len() } else { line.column };
    if literal.is_some_and(|outer| column > outer) {
        return None;
    }
    stack.enter(&Line { dashes: line.dashes.clone(), column, ..Line::default() });
    Some(match line.key {
        Some(key) => {
            stack.key(line.column, unquoted(&text[key]));
            Cursor { path: stack.path(), in_value: true, written: line.value, column }
        }
        None => {
            stack.close(column);
            Cursor { path: stack.path(), in_value: false, written: line.value, column }
        }
    })
}

/// The document around a byte: what lies between two lines of `---`.
pub(super) fn document(text: &str, at: usize) -> Range<usize> {
    let mut range = 0..text.len();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == "---" || line.starts_with("--- ") {
            if end <= at {
                range.start = end;
            } else if start >= at {
                range.end = start;
                break;
            }
        }
        start = end;
    }
    range
}

/// Calls `each` for the lines that hold a key or a dash, texts in blocks left out.
fn walk(text: &str, range: Range<usize>, mut each: impl FnMut(Line)) {
    let mut at = range.start;
    let mut block: Option<usize> = None;
    for raw in text[range].split_inclusive('\n') {
        let bytes = at..at + raw.trim_end_matches(['\n', '\r']).len();
        at += raw.len();
        let content = raw.trim();
        let indent = raw.len() - raw.trim_start_matches(' ').len();
        if content.is_empty() || block.is_some_and(|outer| indent > outer) {
            continue;
        }
        block = None;
        if content.starts_with('#') || content.starts_with("---") || content.starts_with("...") {
            continue;
        }
        let line = take_apart(text, bytes);
        if line.key.is_some() && text[line.value.clone()].starts_with(['|', '>']) {
            block = Some(line.column);
        }
        each(line);
    }
}

fn take_apart(text: &str, bytes: Range<usize>) -> Line {
    let raw = &text[bytes.clone()];
    let mut column = raw.len() - raw.trim_start_matches(' ').len();
    let mut dashes = Vec::new();
    while raw[column..] == *"-" || raw[column..].starts_with("- ") {
        if dashes.len() < DEEPEST {
            dashes.push(column);
        }
        let rest = &raw[column + 1..];
        column += 1 + rest.len() - rest.trim_start_matches(' ').len();
    }
    let rest = &raw[column..];
    let start = bytes.start + column;
    match colon(rest) {
        Some(end) => {
            let after = &rest[end + 1..];
            let value = start + end + 1 + after.len() - after.trim_start().len();
            let key = start..start + rest[..end].trim_end().len();
            Line { dashes, column, key: Some(key), value: value..value + visible(&text[value..bytes.end]) }
        }
        None => Line { dashes, column, key: None, value: start..start + visible(rest) },
    }
}

/// Where the colon behind a key is.
fn colon(rest: &str) -> Option<usize> {
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
    let from = match quote {
        Some(quote) => 1 + rest[1..].find(quote)? + 1,
        None => 0,
    };
    let bytes = rest.as_bytes();
    (from..bytes.len()).find(|at| bytes[*at] == b':' && bytes.get(at + 1).is_none_or(|next| *next == b' '))
}

/// The length of a value without a comment behind it.
fn visible(value: &str) -> usize {
    let end = if value.starts_with('#') { 0 } else { value.find(" #").unwrap_or(value.len()) };
    value[..end].trim_end().len()
}

fn scalar(value: &str) -> Option<String> {
    let plain = !value.is_empty() && !value.starts_with(['|', '>', '{', '[', '&', '*', '!']);
    plain.then(|| unquoted(value).to_owned())
}

/// A text without its quotes.
fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

impl Stack {
    /// Closes what ends before a line and opens the items that it begins; the answer has the paths of these items.
    fn enter(&mut self, line: &Line) -> Vec<Vec<Step>> {
        let mut items = Vec::new();
        for &column in &line.dashes {
            while self.frames.last().is_some_and(|(outer, _)| *outer > column) {
                self.frames.pop();
            }
            let next = match self.frames.last() {
                Some((outer, Step::Item(index))) if *outer == column => {
                    let next = index + 1;
                    self.frames.pop();
                    next
                }
                _ => 0,
            };
            self.push(column, Step::Item(next));
            items.push(self.path());
        }
        items
    }

    fn key(&mut self, column: usize, key: &str) {
        self.close(column);
        self.push(column, Step::Key(key.to_owned()));
    }

    /// Closes everything that begins at a column or behind it.
    fn close(&mut self, column: usize) {
        while self.frames.last().is_some_and(|(outer, _)| *outer >= column) {
            self.frames.pop();
        }
    }

    fn push(&mut self, column: usize, step: Step) {
        if self.frames.len() < DEEPEST {
            self.frames.push((column, step));
        }
    }

    fn path(&self) -> Vec<Step> {
        self.frames.iter().map(|(_, step)| step.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &[Step]) -> String {
        path.iter().fold(String::new(), |text, step| match step {
            Step::Key(key) => format!("{text}/{key}"),
            Step::Item(index) => format!("{text}/{index}"),
        })
    }

    fn at(text: &str) -> Option<(String, bool, String)> {
        let at = text.find('@').expect("a cursor");
        let text = text.replace('@', "");
        let cursor = cursor(&text, 0..text.len(), at)?;
        Some((shown(&cursor.path), cursor.in_value, text[cursor.written].to_owned()))
    }

    #[test]
    fn the_path_at_a_cursor_needs_no_decoding() {
        let pod = "kind: Sandbox\nspec:\n  bad: [\n  podTemplate:\n    spec:\n      containers:\n";
        for (text, path, in_value, written) in [
            ("@", "", false, ""),
            ("ki@", "", false, "ki"),
            ("kind: Sa@", "/kind", true, "Sa"),
            ("      - na@", "/spec/podTemplate/spec/containers/0", false, "na"),
            ("        - name: x\n          @", "/spec/podTemplate/spec/containers/0", false, ""),
            ("        - name: x\n        - image: @", "/spec/podTemplate/spec/containers/1/image", true, ""),
            ("        - name: x\n      @", "/spec/podTemplate/spec", false, ""),
            (
                "        - \"name\": 'x'\n          args:\n          - a\n          - @",
                "/spec/podTemplate/spec/containers/0/args/1",
                false,
                "",
            ),
        ] {
            let wanted = Some((path.to_owned(), in_value, written.to_owned()));
            assert_eq!(at(&format!("{pod}{text}")), wanted.clone(), "{text}");
        }
        assert_eq!(at("a: |\n  te@xt\n"), None);
        assert_eq!(at("a: 1 # com@ment\n"), None);
    }

    #[test]
    fn entries_have_paths_and_values() {
        let text = "a:\n- b: \"x\" # c\n  d: |\n    e: 1\n- f\ng: h:i\n";
        let all: Vec<String> = entries(text, 0..text.len())
            .iter()
            .map(|entry| format!("{}={}", shown(&entry.path), entry.text.as_deref().unwrap_or("-")))
            .collect();
        assert_eq!(all, ["/a=-", "/a/0=-", "/a/0/b=x", "/a/0/d=-", "/a/1=f", "/g=h:i"]);
    }

    #[test]
    fn the_cost_of_deep_nesting_is_bounded() {
        let deep: String = (0..5000).map(|depth| format!("{:depth$}a:\n", "")).collect();
        let all = entries(&deep[..deep.len().min(1 << 20)], 0..deep.len().min(1 << 20));
        assert!(all.iter().all(|entry| entry.path.len() <= DEEPEST));
    }
}
