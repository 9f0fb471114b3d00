//! `pad_start(text, n, c)`: the text with the character `c` before it until it has `n` characters.

use crate::record::{Execution, Value};

/// The original is 0. The mutants, by number:
///
/// | | change |
/// |---|---|
/// | 1 | pads at the end |
/// | 2 | pads one character too many |
/// | 3 | pads one character too few |
/// | 4 | cuts a text that is longer than `n` |
/// | 5 | pads with spaces |
/// | 6 | returns the text as it is |
/// | 7 | pads by `n`, not to `n` |
/// | 8 | returns the padding without the text |
/// | 9 | pads at both sides |
/// | 10 | throws where nothing is to be padded |
/// | 11 | returns the padded text in reverse |
/// | 12 | counts bytes, not characters |
pub const MUTANTS: usize = 12;

fn pad_start(mutant: usize, text: &str, n: i64, c: char) -> Option<String> {
    let length = if mutant == 12 { text.len() } else { text.chars().count() };
    let missing = n - length as i64;
    let missing = match mutant {
        2 => missing + 1,
        3 => missing - 1,
        7 => n,
        _ => missing,
    };
    if missing <= 0 {
        return match mutant {
            4 => Some(text.chars().take(usize::try_from(n).unwrap_or(0)).collect()),
            8 => Some(String::new()),
            10 => None,
            11 => Some(text.chars().rev().collect()),
            _ => Some(text.to_owned()),
        };
    }
    let missing = missing as usize;
    let padding = |count: usize| if mutant == 5 { ' ' } else { c }.to_string().repeat(count);
    Some(match mutant {
        1 => format!("{text}{}", padding(missing)),
        6 => text.to_owned(),
        8 => padding(missing),
        9 => format!("{}{text}{}", padding(missing - missing / 2), padding(missing / 2)),
        11 => format!("{}{text}", padding(missing)).chars().rev().collect(),
        _ => format!("{}{text}", padding(missing)),
    })
}

/// Executions with the follow-ups of `NumericAddition(1) on n`, `SequenceFlip on text` and
/// `SequenceRemove(0) on text`.
pub fn recorded() -> Vec<Execution> {
    let texts = [
        "", "a", "ab", "xyz", "7", "42", "-1", "noon", "hello", "  ", "äö", "naïve", "日本",
        "a b c", "0000", "genmorph", "🦀", "Z", "xx", "3.14", "A1", "level", "tab·", "end ", "·",
        "0x7f",
    ];
    let widths = [-1, 0, 1, 2, 3, 4, 5, 6, 8];
    let characters = ['0', ' ', 'x', '·'];
    let mut inputs: Vec<(String, i64, char)> = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let flipped: String = text.chars().rev().collect();
        let removed: String = text.chars().skip(1).collect();
        for (j, &n) in widths.iter().enumerate() {
            let c = characters[(i + j) % characters.len()];
            for (text, n) in [(*text, n), (text, n + 1), (&flipped, n), (&removed, n)] {
                let input = (text.to_owned(), n, c);
                if !inputs.contains(&input) {
                    inputs.push(input);
                }
            }
        }
    }
    let mut executions = Vec::new();
    for mutant in 0..=MUTANTS {
        for (text, n, c) in &inputs {
            executions.push(Execution {
                mutant,
                inputs: vec![
                    ("text", Value::Text(text.clone())),
                    ("n", Value::Integer(*n)),
                    ("c", Value::Text(c.to_string())),
                ],
                output: pad_start(mutant, text, *n, *c).map(Value::Text),
                exception: "IllegalArgumentException",
            });
        }
    }
    executions
}
