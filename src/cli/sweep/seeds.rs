//! Seeds as a user writes them: `1-10,42`.

/// The seeds of a sweep, in the order in which they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seeds(pub(super) Vec<u64>);

/// The most seeds at once: more is a typing error.
const MOST: usize = 1_000_000;
/// The greatest seed that a database has an integer for.
const GREATEST: u64 = i64::MAX as u64;

/// Reads numbers and ranges, such as `1-10,42`.
pub(super) fn parse(text: &str) -> Result<Seeds, String> {
    let number = |text: &str| match text.parse::<u64>() {
        Ok(seed) if seed <= GREATEST => Ok(seed),
        Ok(_) => Err(format!("a seed of a sweep is at most {GREATEST}")),
        Err(_) => Err(format!("`{text}` is not a seed: write numbers and ranges, such as 1-10,42")),
    };
    let mut seeds = Vec::new();
    for part in text.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if first > last {
            return Err(format!("the range {part} is empty: write {last}-{first}"));
        }
        if last - first >= (MOST - seeds.len()) as u64 {
            return Err(format!("more than {MOST} seeds"));
        }
        seeds.extend(first..=last);
    }
    let mut sorted = seeds.clone();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("seed {} occurs twice", twice[0]));
    }
    Ok(Seeds(seeds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_and_ranges() {
        assert_eq!(parse("3"), Ok(Seeds(vec![3])));
        assert_eq!(parse("1-3,42"), Ok(Seeds(vec![1, 2, 3, 42])));
        for bad in ["", "a", "1-", "-1", "3-1", "1,1", "1-3,2", "0-9999999", "9223372036854775808"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
