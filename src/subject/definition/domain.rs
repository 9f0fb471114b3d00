//! Domains of parameters as users write them: `n = { range = [0, 20] }`, as in `subject.toml`.

use std::collections::BTreeMap;

use super::limits::Limits;
use crate::subject::Domain;

/// Reads the domain of one parameter.
///
/// # Errors
/// When the text says something else.
pub fn domain(text: &str) -> Result<(String, Domain), String> {
    let written: Result<BTreeMap<String, Limits>, _> = toml::from_str(text);
    let written = written.map_err(|error| {
        format!("{}; write for example 'n = {{ range = [0, 20] }}' or 's = {{ max_len = 5, alphabet = \"abc\" }}'", error.message())
    })?;
    let mut all = written.into_iter();
    let (Some((name, limits)), None) = (all.next(), all.next()) else {
        return Err("write the domain of one parameter; the flag may be repeated".to_owned());
    };
    let domain = limits.domain(&name)?;
    Ok((name, domain))
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
