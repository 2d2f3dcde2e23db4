//! Comments that silence findings: `# sandbox-lint: ignore[SB302] -- reason`. `docs/suppressions.md` says where they work.

use crate::finding::{Applicability, Consequence, Edit, FileId, Finding, Findings, Silencer, Spot, Suppressed};
use crate::rule::{self, UNKNOWN_RULE_IN_SUPPRESSION, UNREADABLE_SUPPRESSION, UNUSED_SUPPRESSION};
use crate::select::{Target, UnknownRule};
use crate::suggest;
use crate::yaml::{Comment, Document, Node, Span, Style, Value};
use std::collections::HashMap;

/// What begins a comment that is meant for the linter.
const MARK: &str = "sandbox-lint:";

/// One comment that silences findings.
#[derive(Clone, Debug)]
pub struct Suppression {
    file: FileId,
    document: usize,
    /// The comment.
    span: Span,
    /// The bytes to take out when the comment is not needed.
    removal: Span,
    silencer: Silencer,
    words: Vec<RuleWord>,
    /// Findings that begin in one of these are meant; for `ignore-file` the whole document.
    covers: Vec<Span>,
    reason: Option<String>,
}

/// A rule as a comment names it.
#[derive(Clone, Debug)]
struct RuleWord {
    text: String,
    span: Span,
    target: Named,
    used: bool,
}

/// What a word of a comment stands for.
#[derive(Clone, Debug)]
enum Named {
    Rules(Target),
    House(String),
    Unknown(UnknownRule),
}

/// What the comments of some documents say.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    list: Vec<Suppression>,
    /// Findings about the comments themselves.
    complaints: Vec<Finding>,
}

impl Suppressions {
    /// Reads the comments of a document. `loose` are comments that stand before it in documents without content;
    /// `house_rules` are the names of the house rules of the run.
    pub fn read(&mut self, file: FileId, text: &str, document: &Document<'_>, loose: &[Comment], house_rules: &[&str]) {
        let lines = Lines { text };
        let meant: Vec<&Comment> =
            loose.iter().chain(&document.comments).filter(|comment| directive(comment, text).is_some()).collect();
        if meant.is_empty() {
            return;
        }
        let starts = document.root().map(Starts::of).unwrap_or_default();
        let below = Below::of(&document.comments, &lines);
        for comment in meant {
            let Some((at, words)) = directive(comment, text) else { continue };
            let offset = comment.span.start + at as u32;
            let mut out = Findings::new(file, Some(document.index), None);
            match parse(words, offset, house_rules) {
                Err(problem) => unreadable_suppression(&mut out, comment.span, problem),
                Ok(parsed) if parsed.whole => {
                    let top = document.root().map_or(document.span.end, |root| root.span.start);
                    if comment.span.start > top {
                        unreadable_suppression(&mut out, comment.span, MISPLACED);
                    } else {
                        let start = comment.span.start.min(document.span.start);
                        let covers = vec![Span::new(start, document.span.end.max(start))];
                        self.list.push(parsed.at(file, document.index, comment, &lines, covers));
                    }
                }
                Ok(parsed) => {
                    let covers = starts.covered(comment, &below, &lines);
                    self.list.push(parsed.at(file, document.index, comment, &lines, covers));
                }
            }
            self.complaints.append(&mut out.list);
        }
    }

    /// Adds those of further documents.
    pub fn merge(&mut self, mut other: Suppressions) {
        self.list.append(&mut other.list);
        self.complaints.append(&mut other.complaints);
    }

    /// Marks the findings that comments silence, and adds findings about comments that silence nothing, name no rule
    /// or can't be read. It comes before rules are selected, so that a rule that is switched off still counts.
    pub fn apply(mut self, findings: &mut Vec<Finding>) {
        self.list.sort_by_key(|suppression| suppression.file);
        findings.append(&mut self.complaints);
        for suppression in &self.list {
            unknown_rule_in_suppression(suppression, findings);
        }
        self.silence(findings);
        let mut unused: Vec<Finding> = self.list.iter().flat_map(unused_suppression).collect();
        self.silence(&mut unused);
        findings.append(&mut unused);
    }

    /// Silences findings in one sweep over the files, with the covers that are open at each place.
    fn silence(&mut self, findings: &mut [Finding]) {
        if self.list.is_empty() {
            return;
        }
        let covers = self.list.iter().enumerate().flat_map(|(by, suppression)| {
            suppression.covers.iter().map(move |span| Cover { file: suppression.file, span: *span, by })
        });
        let mut covers: Vec<Cover> = covers.collect();
        covers.sort_by_key(|cover| (cover.file, cover.span.start, cover.by));
        let mut coming = covers.into_iter().peekable();
        let mut taken: Vec<Vec<Consequence>> =
            findings.iter_mut().map(|one| std::mem::take(&mut one.consequences)).collect();
        let below = taken.iter_mut().flatten().map(|one| &mut one.finding);
        let mut all: Vec<&mut Finding> = findings.iter_mut().chain(below).collect();
        all.sort_by_key(|finding| (finding.file, finding.spot.span.start));
        let mut open: Vec<Cover> = Vec::new();
        for finding in all {
            let (file, start) = (finding.file, finding.spot.span.start);
            while let Some(cover) = coming.next_if(|cover| (cover.file, cover.span.start) <= (file, start)) {
                open.push(cover);
            }
            open.retain(|cover| cover.file == file && start <= cover.span.end);
            self.silence_one(finding, &open);
        }
        for (finding, consequences) in findings.iter_mut().zip(taken) {
            finding.consequences = consequences;
        }
    }

    /// The innermost comment that means a finding silences it; all that mean it are used.
    fn silence_one(&mut self, finding: &mut Finding, open: &[Cover]) {
        let mut closest: Option<(u32, usize)> = None;
        for cover in open {
            let suppression = &mut self.list[cover.by];
            if suppression.is_of_other_document(finding) {
                continue;
            }
            let mut meant = false;
            for word in suppression.words.iter_mut().filter(|word| word.means(finding)) {
                word.used = true;
                meant = true;
            }
            let key = (cover.span.end - cover.span.start, cover.by);
            if meant && closest.is_none_or(|least| key < least) {
                closest = Some(key);
            }
        }
        if let Some((_, by)) = closest {
            let Suppression { silencer, span, reason, .. } = &self.list[by];
            finding.suppressed = Some(Suppressed { by: *silencer, span: Some(*span), reason: reason.clone() });
        }
    }
}

/// A part of a file in which a comment silences findings.
struct Cover {
    file: FileId,
    span: Span,
    /// The comment, by its index.
    by: usize,
}

impl Suppression {
    /// Whether it covers a whole document that is not the finding's.
    fn is_of_other_document(&self, finding: &Finding) -> bool {
        let whole = self.silencer == Silencer::FileComment;
        whole && finding.document.is_some_and(|document| document != self.document)
    }
}

impl RuleWord {
    fn means(&self, finding: &Finding) -> bool {
        match &self.target {
            Named::Rules(target) => target.matches(finding.rule),
            Named::House(name) => finding.policy.as_ref() == Some(name),
            Named::Unknown(_) => false,
        }
    }
}

/// What follows the mark, and how many bytes stand before it in the comment.
fn directive<'t>(comment: &Comment, text: &'t str) -> Option<(usize, &'t str)> {
    let whole = text.get(comment.span.range())?;
    let at = whole.match_indices(MARK).map(|(at, _)| at).find(|at| whole[..*at].trim_end().ends_with('#'))?;
    let after = at + MARK.len();
    let words = whole[after..].trim_start();
    Some((whole.len() - words.len(), words.trim_end()))
}

const MISPLACED: &str = "`ignore-file` counts only above the first key of its document";
const SHAPE: &str = "a comment for the linter reads `# sandbox-lint: ignore[RULE, …] -- reason`, or `ignore-file[…]`";

struct Parsed {
    whole: bool,
    words: Vec<RuleWord>,
    reason: Option<String>,
}

impl Parsed {
    fn at(self, file: FileId, document: usize, comment: &Comment, lines: &Lines<'_>, covers: Vec<Span>) -> Suppression {
        let silencer = if self.whole { Silencer::FileComment } else { Silencer::Comment };
        Suppression {
            file,
            document,
            span: comment.span,
            removal: lines.removal(comment),
            silencer,
            words: self.words,
            covers,
            reason: self.reason,
        }
    }
}

/// Reads `ignore[…] -- reason`, which begins at byte `offset` of the text.
fn parse(words: &str, offset: u32, house_rules: &[&str]) -> Result<Parsed, &'static str> {
    let (whole, rest) = match (words.strip_prefix("ignore-file"), words.strip_prefix("ignore")) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return Err(SHAPE),
    };
    let (list, tail) = match rest.strip_prefix('[') {
        Some(inside) => inside.split_once(']').map(|(list, tail)| (Some(list), tail)).ok_or(SHAPE)?,
        None => (None, rest),
    };
    let tail = tail.trim();
    let reason = match tail.strip_prefix("--") {
        Some(reason) => reason.trim(),
        None if list.is_some() || tail.is_empty() => tail,
        None => return Err(SHAPE),
    };
    let reason = Some(reason.to_owned()).filter(|reason| !reason.is_empty());
    let start = offset + (words.len() - rest.len()) as u32;
    let words = match list {
        None => vec![RuleWord {
            text: "all".into(),
            span: Span::new(offset, start),
            target: Named::Rules(Target::All),
            used: false,
        }],
        Some(list) => read_words(list, start + 1, house_rules),
    };
    if words.is_empty() { Err(SHAPE) } else { Ok(Parsed { whole, words, reason }) }
}

fn read_words(list: &str, start: u32, house_rules: &[&str]) -> Vec<RuleWord> {
    let mut words = Vec::new();
    let mut at = start;
    for part in list.split(',') {
        let word = part.trim();
        let from = at + (part.len() - part.trim_start().len()) as u32;
        at += part.len() as u32 + 1;
        if word.is_empty() {
            continue;
        }
        let target = match word.parse() {
            Ok(target) => Named::Rules(target),
            Err(_) if house_rules.contains(&word) => Named::House(word.to_owned()),
            Err(unknown) => Named::Unknown(nearest_of_both(unknown, house_rules)),
        };
        words.push(RuleWord {
            text: word.to_owned(),
            span: Span::new(from, from + word.len() as u32),
            target,
            used: false,
        });
    }
    words
}

fn nearest_of_both(unknown: UnknownRule, house_rules: &[&str]) -> UnknownRule {
    let house = suggest::nearest(&unknown.word, house_rules.iter().copied());
    match house {
        Some(_) => UnknownRule { nearest: None, ..unknown },
        None => unknown,
    }
}

/// Where values begin and end, to know what a comment means.
#[derive(Debug, Default)]
struct Starts {
    /// Keys with their values, from start of the key to end of the value; sorted by start.
    entries: Vec<Span>,
    /// Items of lists, sorted by start.
    items: Vec<Span>,
    /// Texts that can take several lines, sorted by end.
    tall: Vec<Span>,
}

impl Starts {
    fn of(root: &Node<'_>) -> Self {
        let mut starts = Starts::default();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            match &node.value {
                Value::Map(map) => {
                    for entry in &map.entries {
                        let place = entry.value.place();
                        if place.start >= entry.key_span.start {
                            starts.entries.push(entry.key_span.to(place));
                        }
                        stack.push(&entry.value);
                    }
                }
                Value::Seq(items) => {
                    starts.items.extend(items.iter().map(Node::place));
                    stack.extend(items);
                }
                _ if node.style != Style::Literal && node.style != Style::Folded => starts.tall.push(node.place()),
                _ => {}
            }
        }
        starts.entries.sort_by_key(|span| span.start);
        starts.items.sort_by_key(|span| span.start);
        starts.tall.sort_by_key(|span| span.end);
        starts
    }

    /// The parts of the text that a comment means.
    fn covered(&self, comment: &Comment, below: &Below, lines: &Lines<'_>) -> Vec<Span> {
        let line = if comment.own_line { below.line(comment, lines) } else { Some(lines.of(comment.span.start)) };
        let Some(line) = line else { return Vec::new() };
        let mut covers = vec![line];
        // What ends in the line is covered by it; the others lie within each other, so that they are few.
        let beyond = |span: &&Span| span.end > line.end;
        covers.extend(beginning_in(&self.entries, line).iter().filter(beyond));
        if comment.own_line {
            covers.extend(beginning_in(&self.items, line).iter().filter(beyond));
        } else {
            let from = self.tall.partition_point(|span| span.end < line.start);
            let ending = self.tall[from..].iter().take_while(|span| line.contains(Span::new(span.end, span.end)));
            covers.extend(ending.filter(|span| span.start < line.start));
        }
        covers
    }
}

/// The spans that begin in a line, of some that are sorted by their starts.
fn beginning_in(spans: &[Span], line: Span) -> &[Span] {
    let from = spans.partition_point(|span| span.start < line.start);
    let until = spans.partition_point(|span| span.start < line.end);
    &spans[from..until.max(from)]
}

/// The lines below the comments that have a line of their own, by the start of that line; further comments in between
/// do not count.
struct Below(HashMap<u32, Option<Span>>);

impl Below {
    fn of(comments: &[Comment], lines: &Lines<'_>) -> Self {
        let mut below = Self(HashMap::new());
        for comment in comments.iter().rev().filter(|comment| comment.own_line) {
            let line = below.line(comment, lines);
            below.0.insert(lines.of(comment.span.start).start, line);
        }
        below
    }

    fn line(&self, comment: &Comment, lines: &Lines<'_>) -> Option<Span> {
        let line = lines.of(comment.span.start);
        if line.end as usize >= lines.text.len() {
            return None;
        }
        let next = lines.of(line.end + 1);
        self.0.get(&next.start).copied().unwrap_or(Some(next))
    }
}

struct Lines<'t> {
    text: &'t str,
}

impl Lines<'_> {
    /// The line around a byte, without its line break.
    fn of(&self, at: u32) -> Span {
        let bytes = self.text.as_bytes();
        let at = (at as usize).min(bytes.len());
        let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
        let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |found| at + found);
        Span::new(start as u32, end as u32)
    }

    /// What to take out with a comment: its whole line, or the blanks before it.
    fn removal(&self, comment: &Comment) -> Span {
        let line = self.of(comment.span.start);
        let before = &self.text[line.start as usize..comment.span.start as usize];
        if before.trim().is_empty() {
            let end = (line.end as usize + 1).min(self.text.len());
            return Span::new(line.start, end as u32);
        }
        Span::new(line.start + before.trim_end().len() as u32, line.end)
    }
}

fn unreadable_suppression(out: &mut Findings, span: Span, problem: &str) {
    let message = format!("this comment silences nothing: {problem}");
    out.add(&UNREADABLE_SUPPRESSION, Spot::new(span, ""), message);
}

fn unknown_rule_in_suppression(suppression: &Suppression, findings: &mut Vec<Finding>) {
    let mut out = Findings::new(suppression.file, Some(suppression.document), None);
    for word in &suppression.words {
        let Named::Unknown(unknown) = &word.target else { continue };
        let finding = out.add(&UNKNOWN_RULE_IN_SUPPRESSION, Spot::new(word.span, ""), unknown.to_string());
        if let Some(near) = unknown.nearest {
            let edit = Edit { span: word.span, text: near.to_owned() };
            finding.fix(Applicability::Unsafe, format!("write {near}"), vec![edit]);
        }
    }
    findings.append(&mut out.list);
}

/// The words of a comment that silence nothing, or the comment as a whole.
fn unused_suppression(suppression: &Suppression) -> Vec<Finding> {
    let mut out = Findings::new(suppression.file, Some(suppression.document), None);
    let known = |word: &&RuleWord| !matches!(word.target, Named::Unknown(_));
    let unused: Vec<&RuleWord> =
        suppression.words.iter().filter(known).filter(|word| !word.used && !is_beyond(word)).collect();
    if unused.is_empty() {
        return Vec::new();
    }
    let place = if suppression.silencer == Silencer::FileComment { "in this document" } else { "here" };
    let names: Vec<&str> = unused.iter().map(|word| word.text.as_str()).collect();
    if unused.len() == suppression.words.len() {
        let message = format!("this comment silences nothing: no finding of {} {place}", names.join(", "));
        let edit = Edit { span: suppression.removal, text: String::new() };
        out.add(&UNUSED_SUPPRESSION, Spot::new(suppression.span, ""), message)
            .help("remove the comment, or move it to the line it is meant for")
            .fix(Applicability::Unsafe, "remove the comment", vec![edit]);
        return out.list;
    }
    for word in unused {
        let message = format!("{} silences nothing {place}", word.text);
        out.add(&UNUSED_SUPPRESSION, Spot::new(word.span, ""), message).help("remove it from the comment");
    }
    out.list
}

/// Whether a word can silence something that does not show now: findings across files show only where all the files
/// are checked, and findings about comments are found last.
fn is_beyond(word: &RuleWord) -> bool {
    let across = match &word.target {
        Named::Rules(Target::One(one)) => one.code.starts_with("SB6"),
        Named::Rules(Target::Group(prefix)) => prefix.starts_with("SB6"),
        _ => false,
    };
    across
        || matches!(&word.target, Named::Rules(Target::One(one)) if rule::find(one.code).is_some_and(|rule| *rule == UNUSED_SUPPRESSION))
}
