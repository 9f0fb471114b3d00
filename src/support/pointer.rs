//! A line of a text with a mark under one of its characters, for error messages.

use std::fmt;

/// The most characters of a line that are shown on either side of a place.
const SHOWN: usize = 60;

/// A line of a text with a mark under one of its characters.
///
/// ```
/// # use genmorph::support::pointer::Pointer;
/// assert_eq!(Pointer::at("a < bb", 1, 5).to_string(), "    a < bb\n        ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    line: String,
    column: usize,
}

impl Pointer {
    /// Points at a line and a column (in characters) of a text, both counted from 1. Of a long line
    /// only the surroundings are kept. A place past the end is the end.
    pub fn at(text: &str, line: usize, column: usize) -> Pointer {
        let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
        let before = column.saturating_sub(1);
        let first = before.saturating_sub(SHOWN);
        // One column per character, whatever it is: the mark is placed by counting.
        let shown = |c: char| if c.is_control() { ' ' } else { c };
        let mut characters = line.chars().skip(first).map(shown);
        let mut kept = String::from(if first > 0 { "…" } else { "" });
        kept.extend(characters.by_ref().take(before - first + SHOWN));
        if characters.next().is_some() {
            kept.push('…');
        }
        let column = (before - first + usize::from(first > 0)).min(kept.chars().count());
        Pointer { line: kept, column }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "    {}\n    {:>width$}", self.line, '^', width = self.column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_only_the_surroundings_are_shown() {
        let line = format!("{}!{}", "a".repeat(1000), "b".repeat(1000));
        let pointer = Pointer::at(&line, 1, 1001);
        assert_eq!(pointer.line, format!("…{}!{}…", "a".repeat(SHOWN), "b".repeat(SHOWN - 1)));
        assert_eq!(pointer.line.chars().nth(pointer.column), Some('!'));
    }

    #[test]
    fn control_characters_take_one_column() {
        assert_eq!(Pointer::at("\tx\r", 1, 2).to_string(), "     x \n     ^");
    }

    #[test]
    fn a_place_past_the_end_is_the_end() {
        for (text, line, column) in [("", 1, 1), ("ab", 1, 90), ("ab", 7, 3), ("", 0, 0)] {
            let pointer = Pointer::at(text, line, column);
            assert!(pointer.column <= pointer.line.chars().count(), "{pointer:?}");
        }
    }
}
