//! Domains of parameters as users write them: `n = { range = [0, 20] }`, as in `subject.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::subject::Domain;
use crate::subject::definition::alphabet::Alphabet;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    range: Option<[f64; 2]>,
    #[serde(default)]
    also: Vec<f64>,
    min_len: Option<usize>,
    max_len: Option<usize>,
    alphabet: Option<Alphabet>,
}

/// Reads the domain of one parameter.
///
/// # Errors
/// When the text says something else.
pub fn domain(text: &str) -> Result<(String, Domain), String> {
    let written: Result<BTreeMap<String, Bounds>, _> = toml::from_str(text);
    let written = written.map_err(|error| {
        format!("{}; write for example 'n = {{ range = [0, 20] }}' or 's = {{ max_len = 5, alphabet = \"abc\" }}'", error.message())
    })?;
    let mut all = written.into_iter();
    let (Some((name, bounds)), None) = (all.next(), all.next()) else {
        return Err("write the domain of one parameter; the flag may be repeated".to_owned());
    };
    let alphabet = bounds.alphabet.map(|written| written.characters(&name)).transpose()?;
    let Bounds { range, also, min_len, max_len, .. } = bounds;
    let range = range.map(|[least, most]| (least, most));
    Ok((name, Domain { range, also, max_len, min_len, alphabet }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_read_as_in_a_definition() {
        let (name, domain) = domain("n = { range = [-1, 5] }").unwrap();
        assert_eq!((name.as_str(), domain.range), ("n", Some((-1.0, 5.0))));
        let (_, domain) = super::domain("s = { max_len = 3, alphabet = [\"a-c\"] }").unwrap();
        assert_eq!((domain.max_len, domain.alphabet), (Some(3), Some(vec!['a', 'b', 'c'])));
    }

    #[test]
    fn what_is_no_domain_is_answered_with_an_example() {
        for text in ["n", "n = 3", "n = { rnge = [0, 1] }", "", "a = {}\nb = {}"] {
            assert!(domain(text).is_err(), "{text}");
        }
        assert!(domain("n = 3").unwrap_err().contains("range = [0, 20]"));
    }
}
