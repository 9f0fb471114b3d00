//! Durations as users write them: `500ms`, `30s`, `2m`, `1h`.

use std::time::Duration;

/// The longest time: a year.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Parses a duration that is longer than zero.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is a number and ms, s, m or h, such as 30s".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| format!("`{digits}` is not a number"))?;
    let time = Duration::try_from_secs_f64(number * seconds)
        .map_err(|_| "a time must not be negative or too long".to_owned())?;
    if time > LONGEST {
        return Err("a time must not be longer than a year, 8784h".to_owned());
    }
    if time.is_zero() {
        return Err("a time must be longer than zero".to_owned());
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_and_a_unit() {
        assert_eq!(parse("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse("1.5h"), Ok(Duration::from_secs(5400)));
        for bad in
            ["", "s", "30", "30 s", "-1s", "1e400s", "infs", "nans", "0s", "8785h", "3d", "ü"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
