//! Numbers as people read them.

/// A count with commas between thousands.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_in_thousands() {
        let counts = [0, 999, 1000, 123_456, 1_234_567];
        assert_eq!(counts.map(grouped), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }
}
