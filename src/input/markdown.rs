//! Manifests inside Markdown: fenced blocks of YAML and JSON, and heredocs that shell commands give to kubectl.
//!
//! Everything around them is replaced by blanks of the same length, so that places in what is judged are places in the
//! file.

use super::Source;
use super::heredoc;
use super::templates::Skip;
use crate::finding::{Edit, Finding};
use crate::yaml::{Span, Text};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use std::ops::Range;
use std::path::Path;

/// Endings of the names of Markdown files.
const ENDINGS: [&str; 3] = ["md", "mdx", "markdown"];
const MANIFESTS: [&str; 3] = ["yaml", "yml", "json"];
const SHELLS: [&str; 8] = ["sh", "bash", "zsh", "shell", "console", "shell-session", "shellsession", "terminal"];

/// Whether a file is Markdown, by the ending of its name.
pub fn is_markdown(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| ENDINGS.contains(&ending))
}

/// A block of a Markdown file that is read as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its lines, with what stands before them (indentation, `>`).
    pub span: Span,
    /// What stands before each line: the indentation of a list, `> ` of a quotation.
    pub prefix: String,
    /// Whether a shell changes it before kubectl reads it.
    pub is_expanded: bool,
}

/// The text of a source that is read as manifests, and the blocks that it comes from if it is Markdown.
pub fn manifests(source: &Source) -> (Text<'_>, Option<Vec<Block>>) {
    let text = source.text();
    if !is_markdown(Path::new(&source.path)) {
        return (text, None);
    }
    let found = parts(text.as_str());
    let masked = mask(text.as_str(), &found);
    let blocks: Vec<Block> = found.iter().map(|part| part.block(text.as_str())).collect();
    let spans = blocks.iter().map(|block| block.span).collect();
    (text.masked(masked, spans), Some(blocks))
}

/// The block that holds a place.
pub fn block_at(blocks: &[Block], at: u32) -> Option<&Block> {
    let after = blocks.partition_point(|block| block.span.start <= at);
    blocks[..after].last().filter(|block| at <= block.span.end)
}

/// What is said of a heredoc that a shell changes before kubectl reads it.
pub fn expanded() -> Skip {
    let message = "the shell fills in $NAME, $(…), `…` and \\ before kubectl reads the heredoc; quote its word ('EOF'), \
                   or check what kubectl reads";
    Skip { reason: "placeholder", message: message.to_owned() }
}

/// Lines of code, each without its line break and without what stands before it in the Markdown.
pub(super) struct Code {
    /// The words behind the fence.
    info: String,
    /// Where the fence begins.
    start: usize,
    pub(super) lines: Vec<Range<usize>>,
}

/// Lines that make one file of manifests.
pub(super) struct Part {
    pub(super) lines: Vec<Range<usize>>,
    pub(super) is_expanded: bool,
}

impl Part {
    fn block(&self, text: &str) -> Block {
        let (first, last) = (&self.lines[0], &self.lines[self.lines.len() - 1]);
        let start = line_start(text, first.start);
        let end = text[last.end..].find('\n').map_or(text.len(), |at| last.end + at + 1);
        let with_content = self.lines.iter().find(|line| !line.is_empty()).unwrap_or(first);
        let prefix = text[line_start(text, with_content.start)..with_content.start].to_owned();
        Block { span: Span::new(start as u32, end as u32), prefix, is_expanded: self.is_expanded }
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for code in codes(text) {
        let Some(language) = language(&code.info).filter(|_| !is_excluded(text, code.start)) else { continue };
        let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(language));
        if is(&MANIFESTS) && !code.lines.is_empty() {
            parts.push(Part { lines: code.lines, is_expanded: false });
        } else if is(&SHELLS) {
            parts.extend(heredoc::parts(text, &code.lines));
        }
    }
    parts
}

/// The language of a fence: `yaml title="web.yaml"`, `yaml{1,3}`, `{.yaml .numbered}`.
fn language(info: &str) -> Option<&str> {
    let info = info.trim_start().trim_start_matches(['{', '.', ' ']);
    info.split(|end: char| end.is_whitespace() || matches!(end, '{' | '}' | ',' | ':' | '[')).next()
}

/// Whether the line above a fence, or above the blank lines before it, is a comment that excludes it.
fn is_excluded(text: &str, fence: usize) -> bool {
    let above = text[..line_start(text, fence)].rsplit('\n');
    let mut above = above.map(|line| line.trim_start_matches([' ', '\t', '>']).trim_end());
    let Some(line) = above.find(|line| !line.is_empty()) else { return false };
    let within = |open: &str, close: &str| line.strip_prefix(open)?.strip_suffix(close).map(str::trim);
    let words = within("<!--", "-->").or_else(|| within("{/*", "*/}"));
    let words = words.and_then(|words| words.strip_prefix("sandbox-lint:")).map(str::trim);
    words.is_some_and(|words| {
        words.strip_prefix("ignore").is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with("--"))
    })
}

/// The fenced blocks, in the order of the text.
fn codes(text: &str) -> Vec<Code> {
    let mut codes = Vec::new();
    let mut open: Option<(Code, bool)> = None;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let (info, is_fenced) = match kind {
                    CodeBlockKind::Fenced(info) => (info.to_string(), true),
                    CodeBlockKind::Indented => (String::new(), false),
                };
                open = Some((Code { info, start: range.start, lines: Vec::new() }, is_fenced));
            }
            Event::Text(_) => {
                if let Some((code, _)) = &mut open {
                    add(&mut code.lines, text, range);
                }
            }
            Event::End(_) => match open.take() {
                Some((code, true)) => codes.push(code),
                Some((code, false)) => nested(text, &code.lines, &mut codes),
                None => {}
            },
            _ => {}
        }
    }
    codes
}

/// Adds a piece of code to its lines: pieces of one line are joined, line breaks left out.
fn add(lines: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let mut start = range.start;
    for piece in text[range].split_inclusive('\n') {
        let end = start + piece.trim_end_matches(['\n', '\r']).len();
        match lines.last_mut().filter(|last| !text[last.end..start].contains('\n')) {
            Some(last) => last.end = end.max(last.end),
            None => lines.push(start..end),
        }
        start += piece.len();
    }
}

/// Fences that are indented so far that CommonMark takes them for code: tabs and admonitions of documentation tools
/// indent them so.
fn nested(text: &str, lines: &[Range<usize>], codes: &mut Vec<Code>) {
    let mut open: Option<(Code, &str, usize)> = None;
    for line in lines {
        let content = &text[line.clone()];
        let (blanks, body) = content.split_at(content.len() - content.trim_start_matches([' ', '\t']).len());
        let mark = &body[..body.len() - body.trim_start_matches(['`', '~']).len()];
        let is_fence = mark.len() >= 3 && mark.bytes().all(|byte| byte == mark.as_bytes()[0]);
        match open.take() {
            None if is_fence => {
                let info = body[mark.len()..].trim().to_owned();
                open = Some((Code { info, start: line.start, lines: Vec::new() }, mark, blanks.len()));
            }
            Some((code, fence, _)) if is_fence && mark.starts_with(fence) && body.trim_end() == mark => {
                codes.push(code);
            }
            Some((mut code, fence, indent)) => {
                let inside = content.len() - content.trim_start_matches([' ', '\t']).len();
                code.lines.push(line.start + inside.min(indent)..line.end);
                open = Some((code, fence, indent));
            }
            None => {}
        }
    }
    codes.extend(open.map(|(code, ..)| code));
}

/// The text with blanks in place of all bytes that belong to no part, line breaks excepted. A separator stands on the
/// line before each part. Lines that YAML knows by their first column (`---`, `...`, `%YAML`) begin there.
fn mask(text: &str, parts: &[Part]) -> String {
    let bytes = text.as_bytes();
    let mut masked: Vec<u8> =
        bytes.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' }).collect();
    for part in parts {
        for line in &part.lines {
            let content = &text[line.clone()];
            let start = line_start(text, line.start);
            let is_of_column = ["---", "...", "%"].iter().any(|mark| content.starts_with(mark));
            let at = if is_of_column { start } else { line.start };
            masked[at..at + content.len()].copy_from_slice(content.as_bytes());
        }
        let first = line_start(text, part.lines[0].start);
        let before = first.checked_sub(1).map(|end| line_start(text, end));
        if let Some(before) = before.filter(|before| masked.get(*before..before + 3) == Some(b"   ")) {
            masked[before..before + 3].copy_from_slice(b"---");
        }
    }
    String::from_utf8_lossy(&masked).into_owned()
}

/// Brings a finding about masked text to the text of the file: what stands before the lines of a block is written before
/// each line that an edit adds.
pub fn restore(finding: &mut Finding, masked: &str, written: &str, blocks: &[Block]) {
    let prefix_at = |at: u32| block_at(blocks, at).map(|block| block.prefix.as_str()).filter(|text| !text.is_empty());
    if let Some(prefix) = prefix_at(finding.spot.span.start) {
        finding.spot.span = unmoved(finding.spot.span, masked, written, prefix).unwrap_or(finding.spot.span);
    }
    for edit in finding.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
        let Some(prefix) = prefix_at(edit.span.start) else { continue };
        match unmoved(edit.span, masked, written, prefix) {
            Some(span) => edit.span = span,
            None => restore_lines(edit, masked, prefix),
        }
    }
}

/// Where text stands that masking moved to the first column of its line.
fn unmoved(span: Span, masked: &str, written: &str, prefix: &str) -> Option<Span> {
    let start = line_start(masked, span.start as usize);
    let first = masked.as_bytes().get(start).filter(|byte| !byte.is_ascii_whitespace())?;
    let is_moved = written.as_bytes().get(start) != Some(first) && !masked[span.range()].contains('\n');
    is_moved.then(|| Span::new(span.start + prefix.len() as u32, span.end + prefix.len() as u32))
}

fn restore_lines(edit: &mut Edit, masked: &str, prefix: &str) {
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    let begins_line = |at: usize| at == 0 || masked.as_bytes().get(at - 1) == Some(&b'\n');
    let segments: Vec<&str> = edit.text.split('\n').collect();
    let last = segments.len() - 1;
    let restored: Vec<String> = segments
        .into_iter()
        .enumerate()
        .map(|(number, segment)| {
            let is_start = number > 0 || begins_line(start);
            // What follows is a line with all that stands before it, or the end of one.
            let is_whole = number == last && begins_line(end) && segment.is_empty();
            if !is_start || is_whole {
                return segment.to_owned();
            }
            let blanks = segment.len() - segment.trim_start_matches(' ').len();
            format!("{prefix}{}", &segment[blanks.min(prefix.len())..])
        })
        .collect();
    edit.text = restored.join("\n");
}
