//! What kubectl refuses while it decodes a file, in its words and in plain ones.

use super::node::Span;

/// A document that kubectl does not decode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The true place in the text.
    pub span: Span,
    /// What is wrong.
    pub kind: Problem,
    /// kubectl's words after `error: error parsing FILE: `, with its own line number (counted from the document's start).
    pub message: String,
}

macro_rules! problems {
    ($($name:ident: $go:literal, $plain:literal;)*) => {
        /// What is wrong with a document. The texts of go-yaml are those that kubectl prints.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $(#[doc = $plain] $name,)*
        }

        impl Problem {
            /// go-yaml's text; empty where the message is built from the input.
            pub(super) fn go_text(self) -> &'static str {
                match self { $(Self::$name => $go,)* }
            }

            /// The reason in plain words, a clause without a full stop.
            pub fn plain_words(self) -> &'static str {
                match self { $(Self::$name => $plain,)* }
            }
        }
    };
}

problems! {
    ControlCharacter: "control characters are not allowed",
        "a control character (such as NUL, ESC or DEL) is in the text";
    InvalidUtf8: "",
        "bytes that are no UTF-8 follow a byte order mark";
    CannotStartToken: "found character that cannot start any token",
        "no value or key starts with this character (a tab cannot indent, and @ ` % need quotes)";
    MappingValueNotAllowed: "mapping values are not allowed in this context",
        "a second `: ` follows on the same line, or a key is indented under a value";
    MappingKeyNotAllowed: "mapping keys are not allowed in this context",
        "`? ` cannot stand here";
    SequenceEntryNotAllowed: "block sequence entries are not allowed in this context",
        "a list item `- ` cannot start here: it needs a line of its own";
    MissingColon: "could not find expected ':'",
        "this line should be a key, but no `:` follows it";
    ExpectedKey: "did not find expected key",
        "the indentation fits no mapping above, or text follows a finished value";
    ExpectedDash: "did not find expected '-' indicator",
        "a list item should start here with `- `";
    ExpectedCommaOrBracket: "did not find expected ',' or ']'",
        "a `,` or `]` is missing";
    ExpectedCommaOrBrace: "did not find expected ',' or '}'",
        "a `,` or `}` is missing";
    ExpectedContent: "did not find expected node content",
        "a value should stand here";
    ExpectedDocumentStart: "did not find expected <document start>",
        "a directive needs `---` behind it, and kubectl cuts the file at `---` first";
    IncompatibleVersion: "found incompatible YAML document",
        "kubectl reads YAML 1.1 only";
    DuplicateVersion: "found duplicate %YAML directive", "the %YAML directive stands twice";
    DuplicateTagDirective: "found duplicate %TAG directive", "the same %TAG directive stands twice";
    UndefinedTagHandle: "found undefined tag handle", "the tag's prefix was never declared";
    TooDeep: "exceeded max depth of 10000", "it is nested more than 10000 levels deep";
    TabIndentation: "found a tab character that violates indentation", "a tab stands where only spaces indent";
    TabInBlockScalar: "found a tab character where an indentation space is expected",
        "a tab stands where the text of a block scalar needs spaces";
    ZeroIndentation: "found an indentation indicator equal to 0", "a block scalar's indentation must be 1 to 9";
    TextAfterHeader: "did not find expected comment or line break",
        "nothing but a comment may follow `|` or `>` on its line";
    UnexpectedDocumentIndicator: "found unexpected document indicator", "`---` or `...` stands inside a quoted text";
    UnexpectedEnd: "found unexpected end of stream", "a quote is never closed";
    UnknownEscape: "found unknown escape character", "YAML knows no such escape in a double-quoted text";
    ExpectedHexDigit: "did not find expected hexdecimal number", "the escape needs more hexadecimal digits";
    InvalidEscapeCode: "found invalid Unicode character escape code", "the escape names no Unicode character";
    BadAnchorName: "did not find expected alphabetic or numeric character",
        "an anchor or alias has letters, digits, `_` and `-` only (quote a text that starts with & or *)";
    BadTag: "did not find expected whitespace or line break", "a blank must follow the tag";
    ExpectedTagUri: "did not find expected tag URI", "the tag has no name";
    ExpectedTagEnd: "did not find the expected '>'", "the tag's `>` is missing";
    ExpectedTagHandle: "did not find expected '!'", "the tag's prefix must be written between `!` and `!`";
    ExpectedWhitespace: "did not find expected whitespace", "a blank must follow the tag's prefix";
    BadUriEscape: "did not find URI escaped octet", "`%` in a tag needs two hexadecimal digits";
    BadLeadingOctet: "found an incorrect leading UTF-8 octet", "the tag's escapes are no UTF-8";
    BadTrailingOctet: "found an incorrect trailing UTF-8 octet", "the tag's escapes are no UTF-8";
    ExpectedDirectiveName: "could not find expected directive name", "`%` at the start of a line begins a directive";
    BadDirectiveName: "found unexpected non-alphabetical character", "a directive's name has letters only";
    UnknownDirective: "found unknown directive name", "`%` at the start of a line begins a directive";
    BadVersion: "did not find expected digit or '.' character", "the %YAML directive needs a version such as 1.1";
    ExpectedVersion: "did not find expected version number", "the %YAML directive needs a version such as 1.1";
    LongVersion: "found extremely long version number", "the %YAML directive needs a version such as 1.1";
    UnknownAnchor: "", "no anchor of that name stands above in this document";
    AnchorInsideItself: "", "the anchored value contains an alias of itself";
    ExcessiveAliasing: "document contains excessive aliasing", "its aliases multiply into too many values";
    BadMerge: "map merge requires map or sequence of maps as the value", "`<<` merges a mapping, or a list of mappings, and nothing else";
    InvalidMapKey: "", "a mapping or list is used as a key (an unquoted template such as {{ x }} reads as one)";
    UnsupportedMapKey: "", "the key is empty, null, or a number too big for one";
    WrongTag: "", "the text is not of the type that its tag demands";
    BadBase64: "!!binary value contains invalid base64 data", "the text of a !!binary is not base64";
    UnsupportedValue: "", "JSON has no such number";
    JsonTooDeep: "", "it is nested more than 10000 levels deep";
    InvalidSeparator: "", "only a comment may follow `---` on its line";
    Json: "", "it is not valid JSON";
    TooLarge: "", "it is larger than can be read";
}

/// A problem as the scanner, parser or composer of one document meets it.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) problem: Problem,
    pub(super) span: Span,
    /// The line number as go-yaml prints it; 0 = none.
    pub(super) line: u32,
    /// The text where [`Problem::go_text`] is empty.
    pub(super) detail: String,
}

/// Results of the layers below the stream. Boxed, so that the good case stays small.
pub(super) type Outcome<T> = Result<T, Box<Fault>>;

impl Fault {
    pub(super) fn boxed(problem: Problem, span: Span, line: u32) -> Box<Self> {
        Box::new(Self { problem, span, line, detail: String::new() })
    }

    pub(super) fn with_detail(problem: Problem, span: Span, detail: String) -> Box<Self> {
        Box::new(Self { problem, span, line: 0, detail })
    }

    /// The error with kubectl's words.
    pub(super) fn into_error(self) -> SyntaxError {
        let text = if self.detail.is_empty() { self.problem.go_text() } else { &self.detail };
        let message = match self.problem {
            Problem::InvalidSeparator | Problem::Json | Problem::TooLarge => text.to_owned(),
            Problem::UnsupportedMapKey | Problem::UnsupportedValue => {
                format!("error converting YAML to JSON: {text}")
            }
            Problem::JsonTooDeep => format!("error unmarshaling JSON: while decoding JSON: {text}"),
            _ if self.line == 0 => format!("error converting YAML to JSON: yaml: {text}"),
            _ => format!("error converting YAML to JSON: yaml: line {}: {text}", self.line),
        };
        SyntaxError { span: self.span, kind: self.problem, message }
    }
}
