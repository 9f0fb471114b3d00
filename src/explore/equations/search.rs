//! All sets of monomials that are dependent.

use std::cmp::Ordering;

use super::Scene;
use super::algebra::{Basis, ROUNDING, add, dot, norm};
use super::coefficients::plain;
use super::monomials::Monomial;

/// Columns of unit length that are dependent up to this are worth a look. Rounding alone makes sums differ by less, and the engine has the
/// last word.
const NEAR: f64 = 1e-6;
/// A coefficient of scaled columns that is smaller is none: the set has a part that is dependent.
const NONE: f64 = 1e-8;

/// A set of monomials that add up to 0 with coefficients.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) set: Vec<usize>,
    pub(super) coefficients: Vec<f64>,
    /// Whether the coefficients are those that a person would write.
    pub(super) written: bool,
    /// Whether nothing but rounding keeps the monomials from adding up to 0.
    pub(super) exact: bool,
}

impl Candidate {
    /// The monomials with their coefficients.
    pub(super) fn parts(&self) -> Vec<(usize, f64)> {
        self.set.iter().copied().zip(self.coefficients.iter().copied()).collect()
    }

    /// The simpler candidate first: of low degree, about the follow-up's outputs alone or with one of the source's, with small
    /// coefficients.
    pub(super) fn order(&self, other: &Candidate, monomials: &[Monomial]) -> Ordering {
        let key = |candidate: &Candidate| {
            let degree: usize = candidate.set.iter().map(|&i| monomials[i].degree()).sum();
            let source = candidate.set.iter().any(|&i| monomials[i].source);
            let others = candidate.set.iter().any(|&i| !monomials[i].is_of_follow_up());
            (degree, others, !source)
        };
        let size = |candidate: &Candidate| -> f64 {
            candidate.coefficients.iter().map(|coefficient| coefficient.abs()).sum()
        };
        key(self)
            .cmp(&key(other))
            .then(size(self).total_cmp(&size(other)))
            .then(self.set.cmp(&other.set))
    }
}

/// Calls `found` for every set of `size` monomials of a degree at most, the first of which has an output of the follow-up, that is dependent and
/// that has no smaller dependent set among its first ones. Tells how many sets were tried.
pub(super) fn sets(
    scene: &Scene<'_>,
    degree: usize,
    size: usize,
    found: &mut dyn FnMut(&[usize]),
) -> u64 {
    let vectors = scene.field.vectors.iter().enumerate();
    let vectors = vectors.filter(|(i, _)| scene.monomials[*i].degree() <= degree);
    let all: Vec<(usize, Vec<f64>)> =
        vectors.filter_map(|(i, vector)| Some((i, vector.clone()?))).collect();
    let mut tried = 0;
    let mut picked = Vec::with_capacity(size);
    extend(scene, size, &all, &mut picked, &mut tried, found);
    tried
}

/// Picks one more of the monomials that are left, each with the rest of its column that no picked one explains.
fn extend(
    scene: &Scene<'_>,
    size: usize,
    left: &[(usize, Vec<f64>)],
    picked: &mut Vec<usize>,
    tried: &mut u64,
    found: &mut dyn FnMut(&[usize]),
) {
    for (at, (pick, rest)) in left.iter().enumerate() {
        if picked.is_empty() && !scene.monomials[*pick].follow_up {
            return;
        }
        let length = norm(rest);
        if length <= ROUNDING {
            // Dependent already: no larger set around it is minimal.
            continue;
        }
        let direction: Vec<f64> = rest.iter().map(|x| x / length).collect();
        let others = &left[at + 1..];
        picked.push(*pick);
        if picked.len() + 1 == size {
            for (other, rest) in others {
                let along = dot(rest, &direction);
                let square = dot(rest, rest);
                if square <= ROUNDING * ROUNDING {
                    continue;
                }
                *tried += 1;
                // The difference of squares is exact to 1e-16, well below the square of NEAR.
                if square - along * along <= NEAR * NEAR {
                    picked.push(*other);
                    found(picked);
                    picked.pop();
                }
            }
        } else {
            let reduced: Vec<(usize, Vec<f64>)> = others
                .iter()
                .map(|(other, rest)| {
                    let mut rest = rest.clone();
                    let along = dot(&rest, &direction);
                    add(&mut rest, -along, &direction);
                    (*other, rest)
                })
                .collect();
            extend(scene, size, &reduced, picked, tried, found);
        }
        picked.pop();
    }
}

/// The coefficients of a dependent set; `None` if a part of it is dependent, or it is dependent only nearly and nobody would write them.
pub(super) fn candidate(scene: &Scene<'_>, set: &[usize]) -> Option<Candidate> {
    let (last, first) = set.split_last()?;
    let mut basis = Basis::default();
    for &i in first {
        basis.add(i, scene.field.vectors[i].as_ref()?, ROUNDING).ok()?;
    }
    // The last one has been found to be near enough.
    let last = basis.add(*last, scene.field.vectors[*last].as_ref()?, f64::INFINITY).err()?;
    let exact = last.apart <= ROUNDING;
    let scaled: Vec<f64> = last.factors.iter().map(|(_, factor)| *factor).chain([-1.0]).collect();
    let largest = scaled.iter().fold(0.0_f64, |most, factor| most.max(factor.abs()));
    if scaled.iter().any(|factor| factor.abs() <= NONE * largest) {
        return None;
    }
    let coefficients: Vec<f64> =
        set.iter().zip(&scaled).map(|(&i, factor)| factor / scene.field.scales[i]).collect();
    let constant = set.iter().position(|&i| scene.monomials[i].degree() == 0);
    let set = set.to_vec();
    match plain(&coefficients, constant) {
        Some(coefficients) => Some(Candidate { set, coefficients, written: true, exact }),
        None if exact => Some(Candidate { set, coefficients, written: false, exact }),
        None => None,
    }
}
