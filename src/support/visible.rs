//! Texts of subjects as a terminal may show them: characters that steer it, or that hide or reorder others, become visible.
//!
//! Names of exports and parameters, messages of exceptions and panics, and names of files are chosen by whoever wrote the
//! subject. Shown as they are, ESC could change the title of a terminal or hide a line, and U+202E make a text read backwards.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The same text with `\u001b` in place of ESC, and so on; lines and tabs stay. The escapes are those of JSON, so that JSON
/// still says the same.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    if !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_escaped(c) {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(shown, "\\u{unit:04x}");
            }),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Whether a character steers a terminal, changes its neighbours, or is not seen at all: control characters, marks and overrides
/// of direction, separators of lines, spaces and joiners without width, tags, and numbers that are no characters.
pub fn is_hidden(c: char) -> bool {
    let is_noncharacter = u32::from(c) & 0xfffe == 0xfffe;
    let is_format = matches!(c,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}');
    c.is_control() || is_format || is_noncharacter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_steer_a_terminal_are_escaped() {
        assert_eq!(visible("\u{1b}]0;title\u{7}"), "\\u001b]0;title\\u0007");
        assert_eq!(visible("a\rb\u{8}\u{9b}2J\u{7f}"), "a\\u000db\\u0008\\u009b2J\\u007f");
    }

    #[test]
    fn characters_that_reorder_or_hide_others_are_escaped() {
        assert_eq!(visible("abc\u{202e}cba"), "abc\\u202ecba");
        assert_eq!(visible("\u{2066}x\u{2069}\u{200b}\u{feff}"), "\\u2066x\\u2069\\u200b\\ufeff");
        assert_eq!(visible("\u{e0041}"), "\\udb40\\udc41");
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in ["", "two\nlines\tand a tab", "żółw → 東京 😀", "مرحبا"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }
}
