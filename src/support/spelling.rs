//! How alike names are, to say which one was meant.

/// How many characters have to be inserted, removed or replaced to make one name of another.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    strsim::levenshtein(a, b)
}

/// How alike two names must be for one to be taken for the other: half as unlike as two random words. A guess.
const ALIKE: f64 = 0.6;

/// The name that is most like a word, if one is alike enough.
pub fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let alike = |name: &&str| strsim::normalized_damerau_levenshtein(word, name);
    let near = names.filter(|name| alike(name) >= ALIKE);
    near.max_by(|one, other| alike(one).total_cmp(&alike(other)).then(other.cmp(one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        for (a, b, edits) in [
            ("", "", 0),
            ("gcd", "gdc", 2),
            ("pow", "power", 2),
            ("a", "", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }

    #[test]
    fn a_slip_is_told_from_another_word() {
        let names = ["seed", "seeds", "max-size", "budget"];
        let meant = |word| nearest(word, names.into_iter());
        assert_eq!(meant("bugdet"), Some("budget"));
        assert_eq!(meant("max_size"), Some("max-size"));
        assert_eq!(meant("sed"), Some("seed"));
        assert_eq!(meant("colour"), None);
    }
}
