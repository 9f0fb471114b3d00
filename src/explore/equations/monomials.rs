//! Monomials of degree up to 2 over quantities, and their values.

use super::{Quantity, Role};

/// A product of at most two quantities; none is the constant 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Monomial {
    /// The numbers of the quantities, in order.
    pub(super) factors: Vec<usize>,
    /// Whether an output of the follow-up, an output of the source, or an input is among them.
    pub(super) follow_up: bool,
    pub(super) source: bool,
    input: bool,
}

impl Monomial {
    fn new(factors: Vec<usize>, quantities: &[&Quantity]) -> Monomial {
        let has = |role: Role| factors.iter().any(|&factor| quantities[factor].role == role);
        let [follow_up, source, input] = [Role::FollowUp, Role::Source, Role::Input].map(has);
        Monomial { factors, follow_up, source, input }
    }

    /// Whether it has nothing but outputs of the follow-up.
    pub(super) fn is_of_follow_up(&self) -> bool {
        !self.source && !self.input
    }

    pub(super) fn degree(&self) -> usize {
        self.factors.len()
    }

    /// Its value on a row.
    pub(super) fn value(&self, quantities: &[&Quantity], row: usize) -> f64 {
        self.factors.iter().map(|&factor| quantities[factor].values[row]).product()
    }
}

/// All monomials of degree up to 2: those with an output of the follow-up first, and of these and the others the simple ones
/// first.
pub(super) fn monomials(quantities: &[&Quantity]) -> Vec<Monomial> {
    let count = quantities.len();
    let products = (0..count).flat_map(|i| (i..count).map(move |j| vec![i, j]));
    let factors = std::iter::once(Vec::new()).chain((0..count).map(|i| vec![i])).chain(products);
    let mut all: Vec<Monomial> =
        factors.map(|factors| Monomial::new(factors, quantities)).collect();
    all.sort_by_key(|monomial| (!monomial.follow_up, monomial.degree()));
    all
}

/// The monomial that is a monomial times a quantity, if it is of degree 2 at most.
pub(super) fn times(all: &[Monomial], monomial: usize, quantity: usize) -> Option<usize> {
    let mut factors = all[monomial].factors.clone();
    factors.push(quantity);
    factors.sort_unstable();
    all.iter().position(|monomial| monomial.factors == factors)
}
