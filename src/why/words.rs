//! Whether the words of a cluster are those that the linter predicts.

use std::collections::BTreeSet;

/// Whether both say the same: letter for letter but for what cannot be known offline (`<…>` in the prediction), and, of
/// the scheduler, the same reasons on however many nodes.
pub fn agree(predicted: &str, observed: &str) -> bool {
    let (predicted, observed) = (bare(predicted), bare(observed));
    predicted == observed
        || matches!((reasons(predicted), reasons(observed)), (Some(one), Some(other)) if one == other)
        || fits(predicted, observed)
        // A controller puts several errors of one object on lines of their own.
        || (!predicted.is_empty() && observed.lines().any(|line| line == predicted))
}

/// Without what objects put in front of others' words.
fn bare(words: &str) -> &str {
    let words = words.strip_prefix("Error seen: ").unwrap_or(words);
    words.strip_prefix("create: ").unwrap_or(words)
}

/// The scheduler's reasons without their counts: `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) …. …`.
pub fn reasons(words: &str) -> Option<BTreeSet<&str>> {
    let (nodes, rest) = words.split_once(" nodes are available: ")?;
    nodes.strip_prefix("0/")?;
    let end = rest.find(". ").or_else(|| rest.strip_suffix('.').map(str::len)).unwrap_or(rest.len());
    let bare = |reason: &'_ str| -> usize { reason.find(|c: char| !c.is_ascii_digit()).unwrap_or(0) };
    Some(rest[..end].split(", ").map(|reason| reason[bare(reason)..].trim_start()).collect())
}

/// Whether the text fits when each `<word>` of the pattern may stand for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut stars = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('<') {
        stars.push_str(before);
        let word = after.find('>').filter(|end| {
            *end > 0 && after[..*end].chars().all(|c| c.is_ascii_lowercase() || matches!(c, ' ' | '-' | '\''))
        });
        match word {
            Some(end) => {
                stars.push('*');
                rest = &after[end + 1..];
            }
            None => {
                stars.push('<');
                rest = after;
            }
        }
    }
    stars.push_str(rest);
    stars != pattern && super::signs::captures(&stars, text).is_some()
}

/// Fields that the API server names in a refusal: `Pod "x" is invalid: [spec.a: …, spec.b: …]`.
pub fn refused_fields(words: &str) -> Vec<String> {
    let Some((_, rest)) = bare(words).split_once(" is invalid: ") else { return Vec::new() };
    let rest = rest.strip_prefix('[').unwrap_or(rest);
    let mut fields = Vec::new();
    for piece in rest.split(", ") {
        let field = piece.split(": ").next().filter(|_| piece.contains(": ")).unwrap_or_default();
        let is_field = field.starts_with("spec.") || field.starts_with("metadata.");
        if is_field && !field.contains(' ') && !fields.iter().any(|known| known == field) {
            fields.push(field.to_owned());
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_known_offline_may_be_anything() {
        assert!(agree("create VM (id: <id>)", "create VM (id: vm-1)"));
        assert!(agree("Pod \"a\" is invalid", "Error seen: Pod \"a\" is invalid"));
        assert!(!agree("invalid character '<'", "invalid character 'x'"));
        assert!(!agree("a", "b"));
    }

    #[test]
    fn the_scheduler_says_the_same_on_any_number_of_nodes() {
        let one = "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. preemption: 0/3";
        let other = "0/9 nodes are available: 2 Insufficient cpu, 7 node(s) had untolerated taint(s). no new claims";
        assert!(agree(one, other));
        assert!(!agree(one, "0/9 nodes are available: 9 Insufficient cpu."));
    }

    #[test]
    fn fields_are_read_from_refusals() {
        let words =
            "Error seen: Pod \"x\" is invalid: [spec.a[0].b: Invalid value: \"c, d: e\": no, spec.f: Required value]";
        assert_eq!(refused_fields(words), ["spec.a[0].b", "spec.f"]);
    }
}
