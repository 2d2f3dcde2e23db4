//! "Did you mean": the nearest of the names that would have worked.

/// The candidate that `typed` most likely stands for: equal but for case, or at most a third of its letters away
/// (two at least for words of four letters and more, one below), a swap of other_objects counting as one.
/// Among equals the first candidate wins.
pub fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = tolerance(typed);
    let folded = typed.to_lowercase();
    let letters = Letters::of(&folded);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(typed.len()) > limit.max(1) * 4 {
            continue;
        }
        let lower = candidate.to_lowercase();
        // The distance is costly, and most names are out of reach at first sight.
        let reach = best.map_or(limit, |(least, _)| least.saturating_sub(1)).min(limit);
        if letters.least_distance(&Letters::of(&lower)) > reach {
            continue;
        }
        let distance = if lower == folded { 0 } else { strsim::damerau_levenshtein(&folded, &lower) };
        if candidate != typed && distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How often each letter occurs in a word, letters being distinguished by their lowest bits.
struct Letters([i16; 32]);

impl Letters {
    fn of(word: &str) -> Self {
        let mut counts = [0i16; 32];
        for letter in word.chars() {
            let count = &mut counts[letter as usize % 32];
            *count = count.saturating_add(1);
        }
        Self(counts)
    }

    /// What two words are apart at least: an edit adds one letter at most, and takes one away at most.
    fn least_distance(&self, other: &Self) -> usize {
        let gaps = || self.0.iter().zip(other.0).map(|(own, other)| isize::from(*own) - isize::from(other));
        let sum = |more: isize| usize::try_from(more).unwrap_or(0);
        let more = gaps().filter(|gap| *gap > 0).sum();
        let fewer: isize = gaps().filter(|gap| *gap < 0).sum();
        sum(more).max(sum(-fewer))
    }
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
    use super::{Letters, nearest};

    #[test]
    fn finds_slips_of_the_pen() {
        let fields = ["podTemplate", "volumeClaimTemplates", "service", "shutdownTime"];
        assert_eq!(nearest("podTemplat", fields), Some("podTemplate"));
        assert_eq!(nearest("podtemplate", fields), Some("podTemplate"));
        assert_eq!(nearest("sevrice", fields), Some("service"));
        assert_eq!(nearest("python-runtme", ["python-runtime"]), Some("python-runtime"));
    }

    #[test]
    fn letters_never_put_words_further_apart_than_they_are() {
        let words = [
            "",
            "net",
            "ten",
            "runtime",
            "runtmie",
            "größe",
            "große",
            "toleration",
            "tolerations",
            "kelvin",
            "aaaa",
            "aab",
        ];
        for (one, other) in words.iter().flat_map(|one| words.map(|other| (*one, other))) {
            let least = Letters::of(one).least_distance(&Letters::of(other));
            assert!(least <= strsim::damerau_levenshtein(one, other), "{one} {other}");
        }
    }

    #[test]
    fn stays_silent_about_other_words() {
        assert_eq!(nearest("net", ["size", "template"]), None);
        assert_eq!(nearest("api", ["web", "db"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("web", ["web"]), None);
    }
}
