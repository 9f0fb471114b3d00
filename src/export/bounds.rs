//! The values that a parameter can have, by its type and its domain.

use crate::subject::{Domain, Parameter, Scalar};

/// The longest sequence that is drawn where the domain has no `max_len`: longer ones take time and show little.
const LONGEST: usize = 32;

/// The values of a parameter, or the elements and lengths of its sequences.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bounds {
    /// The type of single values.
    pub(super) scalar: Scalar,
    /// The least and the greatest number; none for floats without a range, which may be NaN too.
    pub(super) range: Option<(f64, f64)>,
    /// Whether the range leaves out values of the type.
    pub(super) is_narrow: bool,
    /// Values outside the range that the domain allows too.
    pub(super) also: Vec<f64>,
    /// The allowed characters, if the domain lists them.
    pub(super) alphabet: Option<Vec<char>>,
    /// The least number of elements of a sequence.
    pub(super) shortest: usize,
    /// The greatest number of elements, if the domain has one.
    pub(super) longest: Option<usize>,
}

impl Bounds {
    pub(super) fn of(parameter: &Parameter) -> Bounds {
        let scalar = parameter.ty.scalar();
        let Domain { range, also, max_len, min_len, alphabet } = &parameter.domain;
        // A range of truth values means nothing.
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

    /// The least and the greatest length of sequences that are drawn.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let longest = self.longest.unwrap_or(LONGEST.max(self.shortest.saturating_add(1)));
        match &self.alphabet {
            // Without characters there is only the empty text.
            Some(alphabet) if alphabet.is_empty() => (0, 0),
            Some(_) | None => (self.shortest, longest.max(self.shortest)),
        }
    }
}

/// Characters as sorted ranges: the first and the last character of each.
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
