//! "Did you mean": the nearest of the names that would have worked.

/// The candidate that `typed` most likely stands for: equal but for case, or at most a third of its letters away
/// (two at least for words of four letters and more, one below), a swap of neighbours counting as one.
/// Among equals the first candidate wins.
pub fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = tolerance(typed);
    let folded = typed.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(typed.len()) > limit.max(1) * 4 {
            continue;
        }
        let lower = candidate.to_lowercase();
        let distance = if lower == folded { 0 } else { strsim::damerau_levenshtein(&folded, &lower) };
        if candidate != typed && distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn tolerance(typed: &str) -> usize {
    match typed.chars().count() {
        0 => 0,
        1..=3 => 1,
        letters => (letters / 3).clamp(2, 4),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_of_the_pen() {
        let fields = ["podTemplate", "volumeClaimTemplates", "service", "shutdownTime"];
        assert_eq!(nearest("podTemplat", fields), Some("podTemplate"));
        assert_eq!(nearest("podtemplate", fields), Some("podTemplate"));
        assert_eq!(nearest("sevrice", fields), Some("service"));
        assert_eq!(nearest("python-runtme", ["python-runtime"]), Some("python-runtime"));
    }

    #[test]
    fn stays_silent_about_other_words() {
        assert_eq!(nearest("net", ["size", "template"]), None);
        assert_eq!(nearest("api", ["web", "db"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("web", ["web"]), None);
    }
}
