//! The lines around the places of a finding, drawn by miette.

use super::{Look, View};
use crate::escape;
use crate::finding::{FileId, Severity};
use crate::yaml::Span;
use crate::yaml::text::{LineIndex, Position};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};
use std::fmt;

/// A place to underline.
pub(super) struct Label<'f> {
    /// The bytes.
    pub span: Span,
    /// The words under them.
    pub text: Option<&'f str>,
    /// Whether it is the finding's own place.
    pub primary: bool,
}

/// Lines above and below a place.
const CONTEXT: u32 = 1;
/// Longer lines are cut around their labels.
const LONGEST: usize = 160;
/// Labels with less room than this go below the frame.
const ROOM: usize = 26;

/// Draws one file's places, those around the finding's own first; the words that find no room stand below their frame.
pub(super) fn render(view: &View<'_>, look: Look, severity: Severity, file: FileId, labels: &[Label<'_>]) -> String {
    let mut text = String::new();
    for group in groups(view.lines(file), labels) {
        let excerpt = Excerpt::cut(view.path(file), view.text(file), view.lines(file), &group, look);
        excerpt.draw(&mut text, look, severity);
    }
    text
}

/// Labels whose lines lie so close that one frame shows them, the group with the finding's own place first.
fn groups<'l, 'f>(index: &LineIndex<'_>, labels: &'l [Label<'f>]) -> Vec<Vec<&'l Label<'f>>> {
    let line = |label: &Label<'_>| index.position(label.span.start).line;
    let mut sorted: Vec<&Label<'_>> = labels.iter().collect();
    sorted.sort_by_key(|label| label.span);
    let mut groups: Vec<Vec<&Label<'_>>> = Vec::new();
    for label in sorted {
        let near = |group: &Vec<&Label<'_>>| line(label) - line(group[group.len() - 1]) <= 2 * CONTEXT + 1;
        match groups.last_mut().filter(|group| near(group)) {
            Some(group) => group.push(label),
            None => groups.push(vec![label]),
        }
    }
    groups.sort_by_key(|group| !group.iter().any(|label| label.primary));
    groups
}

/// A few lines of a file, with the numbers that they have there.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    lines: Vec<Line>,
    labels: Vec<LabeledSpan>,
    below: Vec<String>,
}

/// One line of an excerpt.
#[derive(Debug)]
struct Line {
    /// Where it starts in the excerpt.
    start: usize,
    /// Its number in the file, from 0.
    number: usize,
    /// How many characters are cut away before it.
    cut: usize,
    /// Where each of its characters starts in the excerpt, in which escaped ones are longer.
    starts: Vec<usize>,
}

impl Excerpt {
    /// Lets miette draw the frame; its heading is ours.
    fn draw(&self, text: &mut String, look: Look, severity: Severity) {
        let handler = GraphicalReportHandler::new_themed(self.theme(look, severity))
            .with_width(look.width)
            .with_context_lines(CONTEXT as usize)
            .without_cause_chain();
        let mut drawn = String::new();
        if handler.render_report(&mut drawn, self).is_err() {
            return;
        }
        let corner = if look.unicode { '╭' } else { ',' };
        for line in drawn.lines().skip_while(|line| !line.trim_start().starts_with(corner)) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        for words in &self.below {
            super::Prose::new(look).field(text, "here", words);
        }
    }

    fn theme(&self, look: Look, severity: Severity) -> GraphicalTheme {
        let characters = if look.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
        let mut styles = if look.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
        if look.color {
            // The finding's own place has the colour of its weight, the others one of their own.
            let other = owo_colors::Style::new().blue().bold();
            let style = |label: &LabeledSpan| if label.primary() { look.severity(severity) } else { other };
            styles.highlights = self.labels.iter().map(style).collect();
        }
        GraphicalTheme { characters, styles }
    }

    fn cut(name: &str, text: &str, index: &LineIndex<'_>, labels: &[&Label<'_>], look: Look) -> Self {
        let mut cut =
            Self { name: name.to_owned(), text: String::new(), lines: Vec::new(), labels: vec![], below: vec![] };
        let anchors: Vec<Position> = labels.iter().map(|label| index.position(label.span.start)).collect();
        let mut wanted: Vec<u32> = anchors
            .iter()
            .flat_map(|at| at.line.saturating_sub(CONTEXT).max(1)..=(at.line + CONTEXT).min(index.len()))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let gutter = wanted.last().map_or(1, |line| line.to_string().len()) + 5;
        for line in wanted {
            let Some(span) = index.line_span(line) else { continue };
            let here: Vec<&Label<'_>> =
                labels.iter().zip(&anchors).filter(|(_, at)| at.line == line).map(|(label, _)| *label).collect();
            if here.is_empty() && text[span.range()].trim().is_empty() {
                continue;
            }
            cut.add_line(index, (line, span), text, &here, Look { width: look.width.saturating_sub(gutter), ..look });
        }
        cut.labels.sort_by_key(LabeledSpan::offset);
        cut
    }

    fn add_line(
        &mut self,
        index: &LineIndex<'_>,
        (line, span): (u32, Span),
        text: &str,
        labels: &[&Label<'_>],
        look: Look,
    ) {
        let window = window(text, span, labels.iter().map(|label| label.span).min(), LONGEST.min(look.width));
        let start = self.text.len();
        let (before, after) = (window.start > span.start, window.end < span.end);
        let cut = if before { index.position(window.start).column as usize - 1 } else { 0 };
        let mut starts = Vec::new();
        if before {
            self.text.push('…');
        }
        let base = self.text.len();
        let mut ends: Vec<usize> = vec![base];
        for c in text[window.range()].chars() {
            starts.push(self.text.len());
            match c {
                '\t' => self.text.push(c),
                c => self.text.push_str(&escape::line(c.encode_utf8(&mut [0; 4]))),
            }
            ends.resize(ends.len() + c.len_utf8(), self.text.len());
        }
        if after {
            self.text.push('…');
        }
        self.text.push('\n');
        self.lines.push(Line { start, number: line as usize - 1, cut, starts });
        let place = |at: u32| ends[(at.clamp(window.start, window.end) - window.start) as usize];
        for label in labels {
            let (from, to) = (place(label.span.start), place(label.span.end.min(span.end)));
            // The words hang from the middle of the label.
            let column = self.text[start..from].chars().count() + self.text[from..to.max(from)].chars().count() / 2;
            let words = label.text.and_then(|words| self.fit(words, look, look.width.saturating_sub(column)));
            let span = SourceSpan::new(from.into(), to.saturating_sub(from));
            self.labels.push(if label.primary {
                LabeledSpan::new_primary_with_span(words, span)
            } else {
                LabeledSpan::new_with_span(words, span)
            });
        }
    }

    /// The words folded to the room right of their place, or put below the frame where there is too little.
    fn fit(&mut self, words: &str, look: Look, room: usize) -> Option<String> {
        let room = room.saturating_sub(5);
        let longest = words.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
        if words.chars().count() > room && (room < ROOM || longest > room) {
            self.below.push(words.to_owned());
            return None;
        }
        Some(super::Prose::new(Look { width: room.max(ROOM), ..look }).fill(words, "", ""))
    }
}

/// The part of a line that is shown: its beginning, or the neighbourhood of its first label where that lies too far right.
fn window(text: &str, line: Span, label: Option<Span>, limit: usize) -> Span {
    if text[line.range()].chars().nth(limit).is_none() {
        return line;
    }
    let room = limit.saturating_sub(2);
    let label = label.unwrap_or(Span::new(line.start, line.start));
    let at = label.start.clamp(line.start, line.end) as usize;
    let reaches = (label.end.min(line.end)).saturating_sub(line.start) as usize <= room;
    let start = if reaches { line.start as usize } else { at.saturating_sub(room / 3).max(line.start as usize) };
    let start = boundary(text, start);
    let end = boundary(text, (start + room).min(line.end as usize));
    Span::new(start as u32, end as u32)
}

/// The last place not after `at` where a character starts.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

impl SourceCode for Excerpt {
    /// miette asks for a label with context to learn the lines to draw, and without to learn what its header says.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let own = self.line_at(span.offset());
        let (first, last) = if before == 0 { (own, own) } else { self.block(own) };
        if span.offset() + span.len() > self.end_of(last) {
            return Err(MietteError::OutOfBounds);
        }
        let line = &self.lines[first];
        let column = if before == 0 { self.column(own, span.offset()) } else { 0 };
        let (from, to) = (line.start, self.end_of(last));
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[from..to],
            SourceSpan::new(from.into(), to - from),
            line.number,
            column,
            last - first + 1,
        )))
    }
}

impl Excerpt {
    fn line_at(&self, at: usize) -> usize {
        self.lines.partition_point(|line| line.start <= at).saturating_sub(1)
    }

    fn end_of(&self, line: usize) -> usize {
        self.lines.get(line + 1).map_or(self.text.len(), |next| next.start)
    }

    /// The first and last line of the lines around one that follow each other in the file.
    fn block(&self, line: usize) -> (usize, usize) {
        let follows = |line: usize| self.lines[line - 1].number + 1 == self.lines[line].number;
        let first = (1..=line).rev().find(|line| !follows(*line)).unwrap_or(0);
        let last = (line + 1..self.lines.len()).find(|line| !follows(*line)).unwrap_or(self.lines.len()) - 1;
        (first, last)
    }

    /// The column in the file, from 0.
    fn column(&self, line: usize, at: usize) -> usize {
        let line = &self.lines[line];
        line.cut + line.starts.partition_point(|start| *start < at)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Excerpt {}

impl Diagnostic for Excerpt {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}
