//! Whether a file can hold anything that the linter checks, before it is decoded.

use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Texts of which at least one stands in every file of interest: the groups of agent-sandbox, the kinds, and the
/// domains of the contract's labels, taints and annotations.
const NEEDLES: [&str; 4] = ["agents.x-k8s.io", "cocoonstack.io", "virtual-kubelet.io", "Sandbox"];

/// Tags that turn other text into a needle.
const BINARY_TAGS: [&str; 2] = ["!!binary", "yaml.org,2002:binary"];

static FINDERS: LazyLock<Vec<Finder<'static>>> =
    LazyLock::new(|| NEEDLES.iter().chain(&BINARY_TAGS).map(Finder::new).collect());

/// Whether the bytes may hold something of interest. Never `false` for a file that does: UTF-16 and text in which
/// escapes of a double-quoted scalar or base64 could spell a needle count as interesting.
pub fn is_relevant(bytes: &[u8]) -> bool {
    is_utf16(bytes) || FINDERS.iter().any(|finder| finder.find(bytes).is_some()) || has_spelling_escape(bytes)
}

/// How deep a line may be indented to count as the head of an object.
const HEAD: usize = 4;

/// Whether text that could not be read as objects names one of agent-sandbox: a line at its top gives the group as
/// `apiVersion`, or a kind of it. Files of other tools that only mention sandboxes have none.
pub fn names_a_sandbox(text: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    // Blocks of Markdown are indented as a whole.
    let base = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    let names_one = |part: &str| {
        let head = part.trim_start_matches([' ', '\t', '-', '{', '"', '\'']);
        let value = |key: &str| {
            head.strip_prefix(key).map(|rest| rest.trim_start_matches(['"', '\''])).filter(|rest| rest.starts_with(':'))
        };
        value("apiVersion").is_some_and(|rest| rest.contains("agents.x-k8s.io"))
            || value("kind").is_some_and(|rest| rest.trim_start_matches([':', ' ', '"', '\'']).starts_with("Sandbox"))
    };
    text.lines().filter(|line| indent(line) <= base + HEAD).any(|line| {
        // In JSON on one line any key may come first.
        if line.trim_start().starts_with('{') { line.split([',', '{']).any(names_one) } else { names_one(line) }
    })
}

/// Whether a file holds a Pod that objects around it decide on: a kind of agent-sandbox, or keys of the contract.
pub fn asks_for_cluster(bytes: &[u8]) -> bool {
    FINDERS[1..3].iter().any(|finder| finder.find(bytes).is_some())
        || is_utf16(bytes)
        || names_a_sandbox(&String::from_utf8_lossy(bytes))
}

/// Kinds around the Pod that decide what becomes of it.
const CLUSTER_KINDS: [&str; 12] = [
    "Namespace",
    "ResourceQuota",
    "LimitRange",
    "RuntimeClass",
    "PriorityClass",
    "ServiceAccount",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "StorageClass",
    "ConfigMap",
    "Secret",
    "Node",
];

/// The pieces of a text, each with its first byte, between two separators of documents, that name one of the kinds
/// around the Pod, or a list; the whole text where it starts like JSON.
pub fn cluster_documents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_json = text.trim_start().starts_with('{');
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        let rest = &text[from..];
        let end = if is_json { None } else { memchr::memmem::find(rest.as_bytes(), b"\n---") };
        start = end.map(|end| from + end + 1);
        // A comment on the separator's line belongs to no document.
        let line = if rest.starts_with("---") { rest.find('\n').unwrap_or(rest.len()) } else { 0 };
        let end = end.map_or(rest.len(), |end| end + 1).max(line);
        Some((from + line, &rest[line..end]))
    })
    .filter(|(_, piece)| names_cluster_kind(piece.as_bytes()))
}

/// Whether bytes name one of the kinds around the Pod, or a list that may hold some, as a `kind`.
pub fn names_cluster_kind(bytes: &[u8]) -> bool {
    static KIND: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("kind"));
    KIND.find_iter(bytes).any(|at| {
        let rest = &bytes[at + "kind".len()..];
        let skip = rest.iter().take_while(|byte| matches!(byte, b':' | b' ' | b'"' | b'\'' | b'\t')).count();
        let word = rest[skip..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &rest[skip..skip + word];
        skip > 0 && (word.ends_with(b"List") || CLUSTER_KINDS.iter().any(|kind| kind.as_bytes() == word))
    })
}

fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

/// Whether a backslash stands where it can join or spell letters: `\x41`, `\u0041`, `\U00000041`, or at the end of a
/// line on which a double quote came before it.
fn has_spelling_escape(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| match bytes.get(at + 1) {
        Some(b'x' | b'u' | b'U') => true,
        Some(b'\n' | b'\r') => {
            let line = memchr::memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |end| end + 1);
            memchr::memchr(b'"', &bytes[line..at]).is_some()
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_relevant, names_a_sandbox};

    #[test]
    fn every_needle_makes_a_file_relevant() {
        for text in
            ["apiVersion: agents.x-k8s.io/v1beta1", "kind: Sandbox", "cocoonstack.io/pool", "virtual-kubelet.io/"]
        {
            assert!(is_relevant(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn an_ordinary_manifest_is_not() {
        let text = "kind: ConfigMap\ndata:\n  run.sh: |\n    docker run \\\n      image\n  path: C:\\dir\n";
        assert!(!is_relevant(text.as_bytes()));
    }

    #[test]
    fn needles_in_disguise_are_seen() {
        for text in [
            "apiVersion: \"agents\\x2ex-k8s.io/v1beta1\"\nkind: \"Sandb\\u006fx\"\n",
            "? \"cocoonst\\\n  ack.io/pool\"\n: default\n",
            "kind: !!binary U2FuZGJveA==\n",
            "kind: !<tag:yaml.org,2002:binary> U2FuZGJveA==\n",
        ] {
            assert!(is_relevant(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn heads_of_objects_are_told_from_talk_of_sandboxes() {
        for text in [
            "a: 1\nkind: Sandbox",
            "{\"apiVersion\": \"agents.x-k8s.io/v1beta1\"}",
            "- kind: 'SandboxClaim'",
            "  apiVersion: extensions.agents.x-k8s.io/v1beta1",
        ] {
            assert!(names_a_sandbox(text), "{text}");
        }
        for text in [
            "title: Sandbox",
            "- task:\n    k8s:\n      definition:\n        kind: Sandbox",
            "kind: Deployment",
            "kindred: Sandbox",
        ] {
            assert!(!names_a_sandbox(text), "{text}");
        }
    }

    #[test]
    fn utf16_is_seen_by_its_mark() {
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend("kind: Sandbox".encode_utf16().flat_map(u16::to_le_bytes));
        assert!(is_relevant(&bytes));
    }
}
