//! Numbers of things as users write them, within limits that are named when they are exceeded.

use std::ops::RangeInclusive;

/// How many source inputs can be asked for.
pub(super) const SOURCES: RangeInclusive<usize> = 1..=1_000_000;
/// How many pairs of inputs or calls can be asked for.
pub(super) const CALLS: RangeInclusive<usize> = 0..=1_000_000_000_000;
/// How many rows of a table can be asked for.
pub(super) const ROWS: RangeInclusive<usize> = 1..=1_000_000_000;

/// A number of source inputs.
pub(super) fn sources(text: &str) -> Result<usize, String> {
    within(text, &SOURCES)
}

/// A number of pairs or calls.
pub(super) fn calls(text: &str) -> Result<usize, String> {
    within(text, &CALLS)
}

/// A number of rows.
pub(super) fn rows(text: &str) -> Result<usize, String> {
    within(text, &ROWS)
}

fn within(text: &str, range: &RangeInclusive<usize>) -> Result<usize, String> {
    let limits = || format!("a number from {} to {}", range.start(), range.end());
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) | Err(_) => Err(limits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_a_limit_are_refused_with_the_limit() {
        assert_eq!(sources("2000"), Ok(2_000));
        for absurd in ["0", "99999999999999", "-1", "1e3", "", "999999999999999999999999"] {
            let refused = sources(absurd).unwrap_err();
            assert_eq!(refused, "a number from 1 to 1000000", "{absurd}");
        }
        assert_eq!(calls("0"), Ok(0));
        assert!(rows("0").is_err() && rows("5").is_ok());
    }
}
