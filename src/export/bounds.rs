//! What the values of a parameter may be: its type and its domain as one.

use crate::subject::{Domain, Parameter, Scalar};

/// The longest sequence that is drawn where no domain says otherwise: longer ones take time and show little.
const LONGEST: usize = 32;

/// The values of a parameter, or the elements of its sequences, and how many of these there may be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounds {
    /// The type of single values.
    pub(super) scalar: Scalar,
    /// The least and the greatest number; none for floats that may be anything, NaN included.
    pub(super) range: Option<(f64, f64)>,
    /// Whether that is less than the type has.
    pub(super) is_narrow: bool,
    /// What is allowed besides.
    pub(super) also: Vec<f64>,
    /// The characters that are allowed, if these are named.
    pub(super) alphabet: Option<Vec<char>>,
    /// The shortest sequence…
    pub(super) shortest: usize,
    /// …and the longest, if the domain says so.
    pub(super) longest: Option<usize>,
}

impl Bounds {
    pub(super) fn of(parameter: &Parameter) -> Bounds {
        let scalar = parameter.ty.scalar();
        let Domain { range, also, max_len, min_len, alphabet } = &parameter.domain;
        // The values of a truth value are two, whatever a domain says.
        let written = if scalar == Scalar::Bool { None } else { *range };
        let range = match (scalar.integers(), written) {
            (Some((first, last)), Some((least, most))) => {
                Some((least.max(first).ceil(), most.min(last).floor()))
            }
            (Some(all), None) => Some(all),
            (None, written) => written,
        };
        let within = |&number: &f64| range.is_some_and(|(a, b)| (a..=b).contains(&number));
        let code = |c: &char| f64::from(u32::from(*c));
        Bounds {
            scalar,
            range,
            is_narrow: written.is_some() && range != scalar.integers(),
            also: also
                .iter()
                .copied()
                .filter(|n| written.is_some() && scalar.admits(*n) && !within(n))
                .collect(),
            alphabet: alphabet
                .as_ref()
                .filter(|_| scalar == Scalar::Char)
                .map(|all| all.iter().copied().filter(|c| within(&code(c))).collect()),
            shortest: min_len.unwrap_or(0),
            longest: *max_len,
        }
    }

    /// The lengths of sequences that are drawn.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let longest = self.longest.unwrap_or(LONGEST.max(self.shortest.saturating_add(1)));
        match &self.alphabet {
            // There is one text without characters.
            Some(alphabet) if alphabet.is_empty() => (0, 0),
            Some(_) | None => (self.shortest, longest.max(self.shortest)),
        }
    }
}

/// Characters as ranges, in order: from and to.
pub(super) fn runs(characters: &[char]) -> Vec<(char, char)> {
    let mut sorted = characters.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut runs: Vec<(char, char)> = Vec::new();
    for c in sorted {
        match runs.last_mut() {
            Some((_, last)) if u32::from(*last) + 1 == u32::from(c) => *last = c,
            _ => runs.push((c, c)),
        }
    }
    runs
}

/// Whether two parameters have the same values.
pub(super) fn are_alike(a: &Parameter, b: &Parameter) -> bool {
    a.ty == b.ty && Bounds::of(a) == Bounds::of(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Type;

    fn parameter(ty: Type, domain: Domain) -> Parameter {
        Parameter { name: "x".to_owned(), ty, domain }
    }

    #[test]
    fn a_type_bounds_what_a_domain_does_not() {
        let domain = Domain { range: Some((-5.0, f64::INFINITY)), ..Domain::default() };
        let bounds = Bounds::of(&parameter(Type::Scalar(Scalar::U8), domain.clone()));
        assert_eq!((bounds.range, bounds.is_narrow), (Some((0.0, 255.0)), false));
        let bounds = Bounds::of(&parameter(Type::Scalar(Scalar::S32), domain));
        assert_eq!((bounds.range, bounds.is_narrow), (Some((-5.0, 2_147_483_647.0)), true));
        let free = Bounds::of(&parameter(Type::Scalar(Scalar::F64), Domain::default()));
        assert_eq!((free.range, free.is_narrow), (None, false));
    }

    #[test]
    fn neighbouring_characters_are_a_range() {
        let characters: Vec<char> = "bca0é".chars().collect();
        assert_eq!(runs(&characters), [('0', '0'), ('a', 'c'), ('é', 'é')]);
    }
}
