//! A file to its documents, as kubectl cuts and decodes it.

use memchr::{memchr, memmem};

use super::comment::Comment;
use super::compose::{Buffers, compose};
use super::error::{Fault, Problem, SyntaxError};
use super::json::read::{self, JsonFault};
use super::loss::{EndCause, Loss};
use super::node::{Node, Span};
use super::parse::Parser;
use super::scan::TokenKind;
use super::text::{Text, char_end, char_start};
use super::tree::{dismantle, is_shallow};

/// Whose reading is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The minor version of kubectl: from 33 on, a file that starts like JSON but is not falls back to YAML.
    pub kubectl_minor: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { kubectl_minor: 36 }
    }
}

/// One document of a file that has content.
#[derive(Debug)]
pub struct Document<'s> {
    /// Number in the file, from 0; documents that decode to nothing do not count.
    pub index: usize,
    /// The text between two separators, or one JSON value.
    pub span: Span,
    /// What kubectl reads, or why it refuses. kubectl stops at the first refusal; here each document is judged alone.
    pub content: Result<Node<'s>, SyntaxError>,
    /// The comments, in the order of the file; up to the error if there is one.
    pub comments: Vec<Comment>,
    /// What kubectl drops or changes without a word.
    pub losses: Vec<Loss>,
    /// The text of `span`.
    pub text: &'s str,
    /// Whether it was read as JSON.
    pub json: bool,
    /// Levels of nesting. kubectl allows 10,000: walk deep trees without recursion, or not at all.
    pub depth: usize,
}

impl<'s> Document<'s> {
    /// The tree, if kubectl reads the document.
    pub fn root(&self) -> Option<&Node<'s>> {
        self.content.as_ref().ok()
    }
}

impl Drop for Document<'_> {
    fn drop(&mut self) {
        if !is_shallow(self.depth)
            && let Ok(node) = &mut self.content
        {
            dismantle(node);
        }
    }
}

/// All documents of a file.
#[derive(Debug, Default)]
pub struct Stream<'s> {
    /// The documents that have content, in order.
    pub documents: Vec<Document<'s>>,
    /// Comments of chunks that decode to nothing.
    pub loose_comments: Vec<Comment>,
}

/// Decodes a whole file.
pub fn parse<'s>(text: &'s str, options: &Options) -> Stream<'s> {
    let mut documents = Documents::new(text, options);
    let mut stream = Stream { documents: documents.by_ref().collect(), loose_comments: Vec::new() };
    stream.loose_comments = documents.take_loose_comments();
    stream
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Yaml,
    Json,
    TooLarge,
    End,
}

/// Decodes a file document by document; memory is that of one document.
pub struct Documents<'s> {
    parser: Parser<'s>,
    buffers: Buffers<'s>,
    separators: memmem::Finder<'static>,
    text: &'s str,
    options: Options,
    mode: Mode,
    pos: usize,
    index: usize,
    /// JSON values read so far.
    json_count: usize,
    /// What belongs to the next document: the comment on its separator.
    separator_comment: Option<Comment>,
    loose_comments: Vec<Comment>,
    replaced: Vec<Span>,
    /// Bytes that go-yaml refuses, and its words.
    complaints: Vec<(u32, &'static str)>,
    control_characters: bool,
    /// The parts still to come, where the text has several: the next one last.
    parts: Vec<Span>,
    /// The text with all parts.
    whole: &'s str,
}

impl<'s> Documents<'s> {
    /// Starts at the beginning of a file's text.
    pub fn new(text: &'s str, options: &Options) -> Self {
        let bytes = text.as_bytes();
        let too_large = u32::try_from(text.len()).is_err();
        let mode = if too_large {
            Mode::TooLarge
        } else if looks_like_json(text) {
            Mode::Json
        } else {
            Mode::Yaml
        };
        let special = special_bytes(bytes);
        let exotic_breaks = special && has_exotic_break(bytes);
        Self {
            parser: Parser::new(text, exotic_breaks),
            buffers: Buffers::default(),
            separators: memmem::Finder::new(b"\n---"),
            text,
            options: *options,
            mode,
            pos: 0,
            index: 0,
            json_count: 0,
            separator_comment: None,
            loose_comments: Vec::new(),
            replaced: Vec::new(),
            complaints: Vec::new(),
            control_characters: special && first_control_character(text).is_some(),
            parts: Vec::new(),
            whole: text,
        }
    }

    /// The same for a decoded file, so that the losses include bytes that were not UTF-8.
    pub fn of(text: &'s Text<'_>, options: &Options) -> Self {
        let mut documents = Self::new(text.as_str(), options);
        documents.replaced = text.replaced().collect();
        documents.complaints = text.complaints().collect();
        if let Some(parts) = text.parts().filter(|_| documents.mode != Mode::TooLarge) {
            documents.mode = Mode::End;
            documents.parts = parts.iter().rev().copied().collect();
        }
        documents
    }

    /// Goes on with the next part as with a file of its own; `false` behind the last.
    fn next_part(&mut self) -> bool {
        let Some(part) = self.parts.pop() else { return false };
        self.text = &self.whole[..part.end as usize];
        self.pos = part.start as usize;
        self.mode = if looks_like_json(&self.text[self.pos..]) { Mode::Json } else { Mode::Yaml };
        self.json_count = 0;
        self.separator_comment = None;
        self.loose_comments.clear();
        true
    }

    /// Comments of chunks that decoded to nothing so far.
    pub fn take_loose_comments(&mut self) -> Vec<Comment> {
        std::mem::take(&mut self.loose_comments)
    }

    fn document(&mut self, span: Span, content: Result<Node<'s>, SyntaxError>) -> Document<'s> {
        let index = self.index;
        self.index += 1;
        let losses = self
            .replaced
            .iter()
            .filter(|place| span.contains(**place))
            .map(|place| Loss::InvalidUtf8 { span: *place })
            .collect();
        Document {
            index,
            span,
            content,
            comments: Vec::new(),
            losses,
            text: &self.text[span.range()],
            json: self.mode == Mode::Json,
            depth: 0,
        }
    }

    fn next_json(&mut self) -> Option<Document<'s>> {
        let rest = self.text[self.pos..].trim_start_matches([' ', '\t', '\r', '\n']);
        if rest.is_empty() {
            self.mode = Mode::End;
            return None;
        }
        let start = self.text.len() - rest.len();
        let mut pos = start;
        match read::read(self.text, &mut pos) {
            Ok(value) => {
                self.json_count += 1;
                self.pos = pos;
                if value.node.is_null() {
                    return None;
                }
                let mut document = self.document(value.node.span, Ok(value.node));
                document.losses.extend(value.losses);
                document.depth = value.deepest;
                Some(document)
            }
            Err(fault) => Some(self.not_json(start, fault)),
        }
    }

    /// A file that starts like JSON and is not: an error, or YAML from here on.
    fn not_json(&mut self, start: usize, fault: JsonFault) -> Document<'s> {
        let at = Span::new(fault.at as u32, char_end(self.text, fault.at + 1) as u32);
        let message = match fault.message.strip_prefix("invalid character") {
            // From 1.33 on kubectl leaves the place out behind two JSON objects.
            Some(_) if self.options.kubectl_minor < 33 || self.json_count <= 1 => {
                format!("json: offset {}: {}", fault.at + 1, fault.message)
            }
            _ => fault.message,
        };
        let error = Fault::with_detail(Problem::Json, at, message.clone()).into_error();
        if self.options.kubectl_minor >= 33 && self.json_count <= 1 {
            self.mode = Mode::Yaml;
            if let Some(mut document) = self.next_yaml() {
                if document.content.is_ok() {
                    document.losses.push(Loss::FlowStyleFile { span: at, message });
                } else {
                    document.content = Err(error);
                }
                return document;
            }
        }
        self.mode = Mode::End;
        self.document(Span::new(start as u32, self.text.len() as u32), Err(error))
    }

    fn next_yaml(&mut self) -> Option<Document<'s>> {
        while let Some(chunk) = self.next_chunk() {
            let comment = self.separator_comment.take();
            if let Some(error) = chunk.error {
                let span = chunk.span;
                self.separator_comment = None;
                return Some(self.document(span, Err(error)));
            }
            self.separator_comment = chunk.comment_behind;
            let (decoded, mut comments) = self.decode(chunk.span);
            if let Some(comment) = comment {
                comments.insert(0, comment);
            }
            let Some(decoded) = decoded else {
                self.loose_comments.append(&mut comments);
                continue;
            };
            let mut document = self.document(chunk.span, decoded.content);
            document.losses.extend(decoded.losses);
            document.depth = decoded.depth;
            document.comments = comments;
            return Some(document);
        }
        self.mode = Mode::End;
        None
    }

    /// The text up to the next line that starts with `---`. Such a line belongs to no chunk, but to one that would be empty.
    fn next_chunk(&mut self) -> Option<Chunk> {
        let (text, bytes, start) = (self.text, self.text.as_bytes(), self.pos);
        if start >= text.len() {
            return None;
        }
        let mut from = start;
        loop {
            let separator = match bytes[from..].starts_with(b"---") {
                true => Some(from),
                false => self.separators.find(&bytes[from..]).map(|at| from + at + 1),
            };
            let Some(separator) = separator else {
                self.pos = text.len();
                return Some(Chunk::new(start, text.len()));
            };
            let end = memchr(b'\n', &bytes[separator..]).map_or(text.len(), |at| separator + at);
            let next = (end + 1).min(text.len());
            let line = &text[separator + 3..end];
            let words = line.trim();
            if !words.is_empty() && !words.starts_with('#') {
                self.pos = next;
                let span = Span::new(separator as u32, (separator + 3 + line.trim_end().len()) as u32);
                let detail = format!("invalid Yaml document separator: {words}");
                let error = Fault::with_detail(Problem::InvalidSeparator, span, detail).into_error();
                return Some(Chunk { error: Some(error), ..Chunk::new(start, next) });
            }
            if separator > start {
                self.pos = next;
                let comment_behind = words.starts_with('#').then(|| {
                    let at = (separator + 3 + line.len() - line.trim_start().len()) as u32;
                    Comment { span: Span::new(at, at + words.len() as u32), own_line: false }
                });
                return Some(Chunk { comment_behind, ..Chunk::new(start, separator) });
            }
            from = next;
            if from >= text.len() {
                self.pos = text.len();
                return Some(Chunk::new(start, text.len()));
            }
        }
    }

    /// Decodes one chunk; no content if there is nothing but null in it.
    fn decode(&mut self, span: Span) -> (Option<Decoded<'s>>, Vec<Comment>) {
        let parsed = self.parser.parse(span.range());
        let comments = std::mem::take(&mut self.parser.scanner.comments);
        if let Some(error) = self.unreadable(span, self.parser.scanner.position()) {
            return (Some(Decoded::error(error)), comments);
        }
        if let Err(fault) = parsed {
            return (Some(Decoded::error(fault.into_error())), comments);
        }
        if self.parser.nodes.is_empty() {
            return (None, comments);
        }
        let mut composed = compose(self.text, &mut self.parser, &mut self.buffers);
        if matches!(&composed.content, Ok(node) if node.is_null()) {
            return (None, comments);
        }
        composed.losses.extend(self.parser.scanner.folded_dashes.iter().map(|span| Loss::FoldedDash { span: *span }));
        composed.losses.extend(self.text_behind(span));
        let content = composed.content.map_err(|fault| fault.into_error());
        (Some(Decoded { content, losses: composed.losses, depth: composed.depth }), comments)
    }

    /// The text that kubectl does not look at any more.
    fn text_behind(&self, chunk: Span) -> Option<Loss> {
        let behind = self.parser.behind?;
        let (start, cause) = match behind.kind {
            TokenKind::StreamEnd => return None,
            TokenKind::DocumentEnd => (behind.span.end, EndCause::DocumentEnd),
            TokenKind::DocumentStart => (behind.span.start, EndCause::LoneCarriageReturn),
            _ => (behind.span.start, EndCause::ValueComplete),
        };
        let text = &self.text[start as usize..chunk.end as usize];
        let only_comments = text.lines().all(|line| matches!(line.trim_start().chars().next(), None | Some('#')));
        if only_comments {
            return None;
        }
        let first = start + (text.len() - text.trim_start().len()) as u32;
        Some(Loss::TextAfterEnd { span: Span::new(first, first + text.trim().len() as u32), cause })
    }

    /// The first character that go-yaml's reader refuses, if it comes that far: it looks at blocks of 512 bytes before it
    /// scans them.
    fn unreadable(&self, span: Span, reached: usize) -> Option<SyntaxError> {
        let chunk = &self.text[span.range()];
        let control = if self.control_characters { first_control_character(chunk) } else { None };
        let first = self.complaints.partition_point(|(at, _)| *at < span.start);
        let complaint = self.complaints[first..].first().filter(|(at, _)| *at < span.end);
        let complaint = complaint.map(|(at, words)| ((at - span.start) as usize, '\u{fffd}'.len_utf8(), *words));
        let (at, length, words) =
            [control.map(|(at, length)| (at, length, "")), complaint].into_iter().flatten().min()?;
        let read = (reached - span.start as usize) + 4;
        if read <= at / 512 * 512 {
            return None;
        }
        let start = span.start + at as u32;
        let place = Span::new(start, start + length as u32);
        Some(match words {
            "" => Fault::boxed(Problem::ControlCharacter, place, 0).into_error(),
            words => Fault::with_detail(Problem::InvalidUtf8, place, words.to_owned()).into_error(),
        })
    }
}

impl<'s> Iterator for Documents<'s> {
    type Item = Document<'s>;

    fn next(&mut self) -> Option<Document<'s>> {
        loop {
            let document = match self.mode {
                Mode::Yaml => self.next_yaml(),
                Mode::Json => self.next_json(),
                Mode::TooLarge => {
                    self.mode = Mode::End;
                    let detail = "files above 4 GiB are not read".to_owned();
                    let error = Fault::with_detail(Problem::TooLarge, Span::default(), detail).into_error();
                    Some(self.document(Span::default(), Err(error)))
                }
                Mode::End => {
                    if !self.next_part() {
                        return None;
                    }
                    None
                }
            };
            if document.is_some() {
                return document;
            }
        }
    }
}

struct Chunk {
    span: Span,
    error: Option<SyntaxError>,
    /// The comment on the separator that ends the chunk.
    comment_behind: Option<Comment>,
}

impl Chunk {
    fn new(start: usize, end: usize) -> Self {
        Self { span: Span::new(start as u32, end as u32), error: None, comment_behind: None }
    }
}

struct Decoded<'s> {
    content: Result<Node<'s>, SyntaxError>,
    losses: Vec<Loss>,
    depth: usize,
}

impl Decoded<'_> {
    fn error(error: SyntaxError) -> Self {
        Self { content: Err(error), losses: Vec::new(), depth: 0 }
    }
}

/// The first character that is no blank is `{`, as far as kubectl looks.
fn looks_like_json(text: &str) -> bool {
    let head = &text[..char_start(text, 4096)];
    head.trim_start().starts_with('{')
}

/// Whether any byte occurs that may be a control character or the start of an unusual line break. Fast.
fn special_bytes(bytes: &[u8]) -> bool {
    bytes.chunks(4096).any(|block| {
        block.iter().fold(false, |found, byte| {
            found
                | ((*byte < 0x20) & (*byte != b'\n') & (*byte != b'\r') & (*byte != b'\t'))
                | (*byte == 0x7F)
                | (*byte == 0xC2)
                | (*byte == 0xE2)
                | (*byte == 0xEF)
        })
    })
}

fn has_exotic_break(bytes: &[u8]) -> bool {
    memmem::find(bytes, "\u{85}".as_bytes()).is_some()
        || memmem::find(bytes, "\u{2028}".as_bytes()).is_some()
        || memmem::find(bytes, "\u{2029}".as_bytes()).is_some()
}

/// Place and length of the first character that go-yaml does not allow.
fn first_control_character(text: &str) -> Option<(usize, usize)> {
    text.char_indices()
        .find(|(_, character)| {
            matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\x7f'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
        })
        .map(|(at, character)| (at, character.len_utf8()))
}
