//! Words as a POSIX shell reads them.

/// A word in quotes, if a shell would not take it as it is.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_minds() {
        assert_eq!(quoted("1e-9,1e-12"), "1e-9,1e-12");
        assert_eq!(quoted("SequenceFlip on s"), "'SequenceFlip on s'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
