//! Heredocs that shell commands give to kubectl: `kubectl apply -f - <<EOF`.

use super::markdown::Part;
use std::ops::Range;

/// What begins a heredoc on a line.
struct Opening<'t> {
    /// The word that ends it.
    word: &'t str,
    /// Whether the shell leaves the text as it is.
    is_quoted: bool,
    /// Whether tabs before its lines are dropped.
    drops_tabs: bool,
}

/// The heredocs among the lines of a shell that kubectl reads from its standard input.
pub(super) fn parts(text: &str, lines: &[Range<usize>]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut command: Vec<&str> = Vec::new();
    let mut rest = lines.iter();
    while let Some(line) = rest.next() {
        let written = &text[line.clone()];
        command.push(written);
        if let Some(opening) = opening(written) {
            let body = body(text, &mut rest, &opening);
            if reads_stdin(&command) && !body.is_empty() {
                let is_expanded = !opening.is_quoted && body.iter().any(|line| is_expanded(&text[line.clone()]));
                parts.push(Part { lines: body, is_expanded });
            }
            command.clear();
        } else if !written.ends_with('\\') {
            command.clear();
        }
    }
    parts
}

/// The `<<WORD`, `<<-WORD` or `<<'WORD'` of a line; not `<<<`.
fn opening(line: &str) -> Option<Opening<'_>> {
    let (before, behind) = line.split_once("<<")?;
    if behind.starts_with('<') || before.trim_start().starts_with("# ") {
        return None;
    }
    let (drops_tabs, behind) = behind.strip_prefix('-').map_or((false, behind), |behind| (true, behind));
    let behind = behind.trim_start_matches([' ', '\t']);
    let is_quoted = behind.starts_with(['\'', '"', '\\']);
    let behind = behind.trim_start_matches(['\'', '"', '\\']);
    let end = behind.find(|end: char| !(end.is_ascii_alphanumeric() || matches!(end, '_' | '-' | '.' | '!')));
    let word = &behind[..end.unwrap_or(behind.len())];
    (!word.is_empty()).then_some(Opening { word, is_quoted, drops_tabs })
}

/// The lines up to the word; all if it does not come. The prompts of a console (`> `) and dropped tabs belong to none.
fn body<'l>(text: &str, rest: &mut impl Iterator<Item = &'l Range<usize>>, opening: &Opening<'_>) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    for line in rest {
        let written = &text[line.clone()];
        let shown = if written == ">" { "" } else { written.strip_prefix("> ").unwrap_or(written) };
        let shown = if opening.drops_tabs { shown.trim_start_matches('\t') } else { shown };
        if shown.trim_end() == opening.word {
            break;
        }
        lines.push(line.end - shown.len()..line.end);
    }
    lines
}

/// Whether a command has kubectl read manifests from its standard input.
fn reads_stdin(command: &[&str]) -> bool {
    let words: Vec<&str> = command.iter().flat_map(|line| line.split_whitespace()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(word));
    let is_input = |flag: &str, value: &str| {
        matches!(flag, "-f" | "--filename") && matches!(value.trim_end_matches([')', ';']), "-" | "/dev/stdin")
    };
    has(&["kubectl"])
        && has(&["apply", "create", "replace"])
        && (has(&["-f-", "-f=-", "--filename=-"]) || words.windows(2).any(|pair| is_input(pair[0], pair[1])))
}

/// Whether a shell changes a line of a heredoc beyond `${NAME}`, which counts as a placeholder.
fn is_expanded(line: &str) -> bool {
    let follows = |mark: char, wanted: fn(char) -> bool| {
        line.match_indices(mark).any(|(at, _)| line[at + 1..].chars().next().is_none_or(wanted))
    };
    line.contains('`')
        || follows('\\', |next| matches!(next, '$' | '`' | '\\'))
        || line.match_indices('$').any(|(at, _)| {
            let next = line[at + 1..].chars().next();
            next.is_some_and(|next| {
                next.is_ascii_alphanumeric() || matches!(next, '_' | '(' | '@' | '*' | '#' | '?' | '!')
            })
        })
}
