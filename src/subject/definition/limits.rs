//! The domain of one parameter as users write it: `{ range = [0, 20] }`.

use serde::Deserialize;

use super::alphabet::Alphabet;
use super::check_length;
use crate::subject::Domain;

/// The domain in a definition file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::subject) struct Limits {
    range: Option<[f64; 2]>,
    #[serde(default)]
    also: Vec<f64>,
    min_len: Option<usize>,
    max_len: Option<usize>,
    alphabet: Option<Alphabet>,
}

impl Limits {
    /// The domain of the parameter with this name.
    pub(in crate::subject) fn domain(self, name: &str) -> Result<Domain, String> {
        let Limits { range, also, min_len, max_len, alphabet } = self;
        let alphabet = alphabet.map(|written| written.characters(name)).transpose()?;
        for length in [min_len, max_len].into_iter().flatten() {
            check_length(name, length)?;
        }
        let range = range.map(|[least, most]| (least, most));
        Ok(Domain { range, also, max_len, min_len, alphabet })
    }
}
