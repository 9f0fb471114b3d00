//! Values as people read them: numbers, lists, and texts with whatever is in them.

use genmorph_jit::Value;

use super::tree::number_text;
use crate::subject::kinds::Kind;

/// Elements of a sequence that are shown before it is cut.
const SHOWN: usize = 24;

/// A value of a kind as text: `16`, `true`, `"ab\n"`, `[1, 2]`.
pub(super) fn text(kind: Kind, value: &Value<'_>) -> String {
    match value {
        Value::Num(number) => number_text(*number),
        Value::Bool(truth) => truth.to_string(),
        Value::Seq(codes) if kind == Kind::Text => quoted(codes),
        Value::Seq(numbers) => list(numbers),
    }
}

/// A computed number, with as many digits as tell something.
pub(super) fn rounded(number: f64) -> String {
    const DIGITS: usize = 9;
    let text = number_text(number);
    if text.len() <= DIGITS || number.fract() == 0.0 {
        return text;
    }
    let short = format!("{number:.5e}").parse().unwrap_or(number);
    number_text(short)
}

/// The first few numbers between brackets, and how many more there are.
fn list(numbers: &[f64]) -> String {
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(|&n| number_text(n)).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(", … {more} more") } else { String::new() };
    format!("[{}{more}]", shown.join(", "))
}

/// Characters between quotes. What has no form of its own (controls, halves of surrogate pairs, codes that are no
/// characters) is escaped; pairs of UTF-16 units are the character that they stand for.
fn quoted(codes: &[f64]) -> String {
    let mut text = String::from("\"");
    let mut rest = codes.iter().map(|&code| code as u32).peekable();
    let mut shown = 0;
    while let Some(code) = rest.next() {
        if shown == SHOWN {
            text += &format!("\"… {} more", 1 + rest.count());
            return text;
        }
        shown += 1;
        let pair = rest.peek().and_then(|&low| joined(code, low));
        if pair.is_some() {
            rest.next();
        }
        match pair.or(char::from_u32(code)) {
            Some('"') => text += "\\\"",
            Some('\\') => text += "\\\\",
            Some('\n') => text += "\\n",
            Some('\r') => text += "\\r",
            Some('\t') => text += "\\t",
            Some(c) if is_hidden(c) => text += &format!("\\u{{{:x}}}", c as u32),
            Some(c) => text.push(c),
            None => text += &format!("\\u{{{code:x}}}"),
        }
    }
    text.push('"');
    text
}

/// The character of two UTF-16 units.
fn joined(high: u32, low: u32) -> Option<char> {
    let is_pair = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
    is_pair.then(|| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)))?
}

/// Whether a character would not be seen, or would change how its neighbours are seen.
fn is_hidden(c: char) -> bool {
    let marks = ['\u{200b}'..='\u{200f}', '\u{2028}'..='\u{202e}', '\u{2060}'..='\u{206f}'];
    c.is_control()
        || c == '\u{feff}'
        || c == '\u{ad}'
        || marks.iter().any(|range| range.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(codes: &[u32]) -> String {
        let codes: Vec<f64> = codes.iter().map(|&code| f64::from(code)).collect();
        text(Kind::Text, &Value::Seq(codes.into()))
    }

    #[test]
    fn texts_are_quoted_and_what_cannot_be_seen_is_escaped() {
        assert_eq!(of(&[0x61, 0x22, 0x5c, 0x0a]), r#""a\"\\\n""#);
        assert_eq!(of(&[0xd83e, 0xdd80]), "\"🦀\"");
        assert_eq!(of(&[0xd800, 0x61]), r#""\u{d800}a""#);
        assert_eq!(of(&[0, 0x202e, 0x110000]), r#""\u{0}\u{202e}\u{110000}""#);
        assert_eq!(of(&[]), "\"\"");
    }

    #[test]
    fn long_sequences_are_cut() {
        let long = Value::Seq(vec![7.0; 30].into());
        assert!(text(Kind::Numbers, &long).ends_with("7, … 6 more]"));
        assert!(text(Kind::Text, &long).ends_with("\"… 6 more"));
    }

    #[test]
    fn numbers_are_plain() {
        let numbers = [2.0, -0.0, 0.1, f64::NAN, f64::INFINITY, 1e300].map(Value::Num);
        let texts = numbers.map(|number| text(Kind::Number, &number));
        assert_eq!(texts, ["2", "0", "0.1", "NaN", "inf", "1e300"]);
        assert_eq!(
            [1.0 / 3.0, 1e-20 / 3.0, 2147483648.0].map(rounded),
            ["0.333333", "3.33333e-21", "2147483648"]
        );
    }
}
