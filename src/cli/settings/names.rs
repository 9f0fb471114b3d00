//! Suggests the name that a user probably meant.

/// Similarity at which one name is taken for another: half as different as two random words. A guess.
const ALIKE: f64 = 0.6;

/// The name that is most similar to a word, if one is similar enough.
pub(super) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let alike = |name: &&str| strsim::normalized_damerau_levenshtein(word, name);
    let near = names.filter(|name| alike(name) >= ALIKE);
    near.max_by(|one, other| alike(one).total_cmp(&alike(other)).then(other.cmp(one)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
