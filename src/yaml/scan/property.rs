//! Anchors, aliases, tags and directives.

use super::class::{BLANK, URI, WORD, is};
use super::{Content, Scanner, TagText, TokenKind};
use crate::yaml::error::{Outcome, Problem};
use crate::yaml::node::{Span, Style};

impl Scanner<'_> {
    pub(super) fn fetch_anchor(&mut self, kind: TokenKind) -> Outcome<()> {
        let key = self.save_key()?;
        self.key_allowed = false;
        let start = self.pos;
        self.pos += 1;
        let name = self.pos;
        self.pass_word();
        let ends = self.is_blank_or_end(self.pos)
            || matches!(self.byte(), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if self.pos == name || !ends {
            let end = self.pos + self.slice(self.pos..self.line_end(self.pos)).chars().next().map_or(0, char::len_utf8);
            return self.fault_at(Problem::BadAnchorName, Span::new(start as u32, end as u32));
        }
        let content = Content::Source(name as u32, self.pos as u32);
        self.push_token(kind, (start, self.line), Style::Plain, content, key);
        Ok(())
    }

    fn pass_word(&mut self) {
        while is(self.byte(), WORD) {
            self.pos += 1;
        }
    }

    fn pass_blank(&mut self) {
        while is(self.byte(), BLANK) {
            self.pos += 1;
        }
    }

    pub(super) fn fetch_tag(&mut self) -> Outcome<()> {
        let key = self.save_key()?;
        self.key_allowed = false;
        let start = self.pos;
        let tag = if self.at(self.pos + 1) == b'<' {
            self.pos += 2;
            let suffix = self.scan_tag_uri("")?;
            if self.byte() != b'>' {
                return self.fault(Problem::ExpectedTagEnd);
            }
            self.pos += 1;
            TagText { handle: String::new(), suffix }
        } else {
            self.scan_short_tag()?
        };
        if !self.is_blank_or_end(self.pos) {
            return self.fault(Problem::BadTag);
        }
        let content = self.keep_tag(tag);
        self.push_token(TokenKind::Tag, (start, self.line), Style::Plain, content, key);
        Ok(())
    }

    fn keep_tag(&mut self, tag: TagText) -> Content {
        self.tags.push(tag);
        Content::Built((self.tags.len() - 1) as u32)
    }

    /// `!suffix`, `!handle!suffix` or `!`.
    fn scan_short_tag(&mut self) -> Outcome<TagText> {
        let handle = self.scan_tag_handle(false)?;
        if handle.len() > 1 && handle.ends_with('!') {
            return Ok(TagText { suffix: self.scan_tag_uri("")?, handle });
        }
        let suffix = self.scan_tag_uri(&handle)?;
        Ok(if suffix.is_empty() {
            TagText { handle: String::new(), suffix: "!".to_owned() }
        } else {
            TagText { handle: "!".to_owned(), suffix }
        })
    }

    fn scan_tag_handle(&mut self, directive: bool) -> Outcome<String> {
        if self.byte() != b'!' {
            return self.fault(Problem::ExpectedTagHandle);
        }
        let start = self.pos;
        self.pos += 1;
        self.pass_word();
        if self.byte() == b'!' {
            self.pos += 1;
        } else if directive && self.pos - start > 1 {
            return self.fault(Problem::ExpectedTagHandle);
        }
        Ok(self.slice(start..self.pos).to_owned())
    }

    /// The rest of a tag. `head` is what was read of it; its leading `!` is not taken over.
    fn scan_tag_uri(&mut self, head: &str) -> Outcome<String> {
        let mut uri = head.get(1..).unwrap_or_default().to_owned();
        let mut found = !head.is_empty();
        while is(self.byte(), URI | WORD) {
            if self.byte() == b'%' {
                let character = self.scan_uri_escape()?;
                uri.push_str(&character);
            } else {
                uri.push(char::from(self.byte()));
                self.pos += 1;
            }
            found = true;
        }
        if found { Ok(uri) } else { self.fault(Problem::ExpectedTagUri) }
    }

    fn scan_uri_escape(&mut self) -> Outcome<String> {
        let mut octets = Vec::new();
        let mut width = 1;
        while octets.len() < width {
            let digit = |at: u8| char::from(at).to_digit(16).map(|digit| digit as u8);
            let (Some(high), Some(low), b'%') =
                (digit(self.at(self.pos + 1)), digit(self.at(self.pos + 2)), self.byte())
            else {
                return self.fault(Problem::BadUriEscape);
            };
            let octet = high << 4 | low;
            if octets.is_empty() {
                width = match octet {
                    0x00..=0x7F => 1,
                    0xC0..=0xDF => 2,
                    0xE0..=0xEF => 3,
                    0xF0..=0xF7 => 4,
                    _ => return self.fault(Problem::BadLeadingOctet),
                };
            } else if octet & 0xC0 != 0x80 {
                return self.fault(Problem::BadTrailingOctet);
            }
            octets.push(octet);
            self.pos += 3;
        }
        Ok(String::from_utf8_lossy(&octets).into_owned())
    }

    pub(super) fn fetch_directive(&mut self) -> Outcome<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.pos;
        self.pos += 1;
        let name = self.pos;
        self.pass_word();
        if self.pos == name {
            return self.fault(Problem::ExpectedDirectiveName);
        }
        if !self.is_blank_or_end(self.pos) {
            return self.fault(Problem::BadDirectiveName);
        }
        let (kind, content) = match self.slice(name..self.pos) {
            "YAML" => (TokenKind::VersionDirective, self.scan_version()?),
            "TAG" => (TokenKind::TagDirective, self.scan_tag_directive()?),
            _ => {
                return self.fault_at(Problem::UnknownDirective, Span::new(start as u32, self.pos as u32));
            }
        };
        self.push_token(kind, (start, self.line), Style::Plain, content, super::NO_KEY);
        self.pass_blank();
        if self.byte() == b'#' {
            self.pass_comment();
        }
        if !self.is_line_end(self.pos) {
            return self.fault(Problem::TextAfterHeader);
        }
        if self.is_break(self.pos) {
            self.pass_break();
        }
        Ok(())
    }

    /// The two numbers of `%YAML`, as the two numbers of the content.
    fn scan_version(&mut self) -> Outcome<Content> {
        self.pass_blank();
        let major = self.scan_version_number()?;
        if self.byte() != b'.' {
            return self.fault(Problem::BadVersion);
        }
        self.pos += 1;
        let minor = self.scan_version_number()?;
        Ok(Content::Source(major, minor))
    }

    fn scan_version_number(&mut self) -> Outcome<u32> {
        let (mut number, mut digits) = (0, 0);
        while self.byte().is_ascii_digit() {
            digits += 1;
            if digits > 2 {
                return self.fault(Problem::LongVersion);
            }
            number = number * 10 + u32::from(self.byte() - b'0');
            self.pos += 1;
        }
        if digits == 0 { self.fault(Problem::ExpectedVersion) } else { Ok(number) }
    }

    fn scan_tag_directive(&mut self) -> Outcome<Content> {
        self.pass_blank();
        let handle = self.scan_tag_handle(true)?;
        if !is(self.byte(), BLANK) {
            return self.fault(Problem::ExpectedWhitespace);
        }
        self.pass_blank();
        let suffix = self.scan_tag_uri("")?;
        if !self.is_blank_or_end(self.pos) {
            return self.fault(Problem::BadTag);
        }
        Ok(self.keep_tag(TagText { handle, suffix }))
    }
}
