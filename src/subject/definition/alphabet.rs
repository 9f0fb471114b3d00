//! Alphabets: which characters the texts of a parameter are made of, as users write them.

use serde::Deserialize;

/// The most characters of an alphabet.
const MOST_CHARACTERS: usize = 10_000;

/// The characters of texts, as a definition has them.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "an alphabet is a text, or a list of texts and ranges, such as [\"a-z\", \" ,.\"]"
)]
pub(in crate::subject) enum Alphabet {
    /// Those of a text.
    Text(String),
    /// Those of several texts, some of them ranges.
    Pieces(Vec<String>),
}

impl Alphabet {
    /// The characters, in order.
    pub(in crate::subject) fn characters(&self, name: &str) -> Result<Vec<char>, String> {
        let mut characters = Vec::new();
        match self {
            Alphabet::Text(text) => characters.extend(text.chars()),
            Alphabet::Pieces(pieces) => {
                for piece in pieces {
                    match piece.chars().collect::<Vec<_>>()[..] {
                        [first, '-', last] if first > last => {
                            return Err(format!("the range `{piece}` is empty"));
                        }
                        [first, '-', last] => {
                            characters.extend((first..=last).take(MOST_CHARACTERS + 1));
                        }
                        _ => characters.extend(piece.chars()),
                    }
                }
            }
        }
        characters.sort_unstable();
        characters.dedup();
        match characters.len() {
            0 => Err(format!("the alphabet of `{name}` is empty")),
            n if n > MOST_CHARACTERS => Err(format!(
                "the alphabet of `{name}` has more than {MOST_CHARACTERS} characters; \
                 without an alphabet all are possible"
            )),
            _ => Ok(characters),
        }
    }
}
