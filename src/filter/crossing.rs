//! Comparisons of numbers whose sides change places: between an input where one side is greater and an input where the other is,
//! there is one where they meet, or nearly.
//!
//! A path leads from the first input to the second: parameter by parameter, element by element, at last along one number. A round
//! cuts the path at a few places, and goes on with a piece over which the sides change places. That finds the inputs on which `a != b` is
//! false and those on which a guard `a == c` holds, which steps of any size jump over.

use std::ops::Range;

use genmorph_jit::engine::scalar;
use genmorph_jit::{Class, ComparisonOp, Node, Predicate, Tolerance, Value, subtree};

use super::trial::Trial;
use crate::inputs::Row;
use crate::subject::{Parameter, Scalar};
use crate::support::seed::Rng;

/// Comparisons of a relation that are followed, at most.
const FOLLOWED: usize = 3;
/// Inputs that are remembered on each side.
const REMEMBERED: usize = 4;
/// Places where a path is cut, at most.
const CUTS: usize = 15;
/// Rounds before a path is given up: one number takes at most sixteen, the elements of a long sequence a few more.
const PATIENCE: u32 = 40;

/// A comparison of two numbers in a relation.
#[derive(Clone, Debug)]
struct Comparison {
    left: Range<usize>,
    right: Range<usize>,
}

/// Pairs on which two integers that never meet are next to each other, at the least: if they met by chance, some of these would have.
/// A guess.
const NEAR: usize = 200;

/// The places where a comparison may change sides.
#[derive(Debug)]
pub(super) struct Crossing {
    op: ComparisonOp,
    comparison: Comparison,
    /// On how many pairs the sides were next to each other; and whether they are integers.
    near: usize,
    are_integers: bool,
    /// Inputs on which the left side is less, and on which it is greater, with the difference.
    sides: [Vec<(f64, Row)>; 2],
    path: Option<Path>,
}

/// A path from one input to another, on which a difference changes its sign.
#[derive(Debug)]
struct Path {
    ends: [(f64, Row); 2],
    rounds: u32,
}

impl Crossing {
    /// The equalities and inequalities of a relation.
    pub(super) fn all(relation: &Predicate) -> Vec<Crossing> {
        let found = comparisons(relation.nodes());
        let crossing = |(op, comparison)| Crossing {
            op,
            comparison,
            near: 0,
            are_integers: true,
            sides: [Vec::new(), Vec::new()],
            path: None,
        };
        found.into_iter().take(FOLLOWED).map(crossing).collect()
    }

    /// Remembers an input on which the relation was tried.
    pub(super) fn note(
        &mut self,
        relation: &Predicate,
        (trial, place): (&Trial, usize),
        row: &Row,
        tolerance: &Tolerance,
    ) {
        let difference = self.difference(relation, (trial, place), tolerance);
        if difference == 0.0 || difference.is_nan() {
            return;
        }
        self.near += usize::from(difference.abs() <= 1.0);
        self.are_integers &= difference.fract() == 0.0;
        let side = &mut self.sides[usize::from(difference > 0.0)];
        if side.len() < REMEMBERED {
            side.push((difference, row.clone()));
            return;
        }
        // The nearest are kept, and the last place changes, so that not all paths begin at the same inputs.
        let last = REMEMBERED - 1;
        match side[..last].iter().position(|(known, _)| difference.abs() < known.abs()) {
            Some(better) => side[better] = (difference, row.clone()),
            None if place.is_multiple_of(64) => side[last] = (difference, row.clone()),
            None => {}
        }
    }

    /// Whether two numbers are said to differ of which now one is greater, now the other. Integers that are often next to each other and
    /// never equal have a reason for it, such as parity; others may meet where nobody has looked.
    pub(super) fn is_open(&self) -> bool {
        let changes_sides = self.sides.iter().all(|side| !side.is_empty());
        let has_a_reason = self.are_integers && self.near >= NEAR;
        self.op == ComparisonOp::NumNe && changes_sides && !has_a_reason
    }

    /// Left minus right on a row; 0 if they are equal within the tolerance.
    fn difference(
        &self,
        relation: &Predicate,
        (trial, place): (&Trial, usize),
        tolerance: &Tolerance,
    ) -> f64 {
        let side = |range: &Range<usize>| {
            let nodes = &relation.nodes()[range.clone()];
            match scalar::value(nodes, tolerance, |var| trial.value(var, place)) {
                Value::Num(number) => number,
                Value::Bool(_) | Value::Seq(_) => f64::NAN,
            }
        };
        let (left, right) = (side(&self.comparison.left), side(&self.comparison.right));
        if tolerance.eq(left, right) { 0.0 } else { left - right }
    }

    /// The inputs of the next round, in their order along the path; none if there is no path to follow.
    pub(super) fn cuts(&mut self, parameters: &[Parameter], rng: &mut Rng) -> Vec<Row> {
        for _ in 0..4 {
            if self.path.is_none() {
                let [less, more] = &self.sides;
                if less.is_empty() || more.is_empty() {
                    return Vec::new();
                }
                let ends = [less, more].map(|side| side[rng.below(side.len())].clone());
                self.path = Some(Path { ends, rounds: 0 });
            }
            let Some(path) = &mut self.path else { return Vec::new() };
            path.rounds += 1;
            let cuts = if path.rounds > PATIENCE { Vec::new() } else { path.cuts(parameters) };
            if !cuts.is_empty() {
                return cuts;
            }
            self.path = None;
        }
        Vec::new()
    }

    /// Goes on with the piece of the path over which the difference changes its sign. `rows` are the cuts that could be tried.
    pub(super) fn follow(
        &mut self,
        relation: &Predicate,
        trial: &Trial,
        rows: &[(usize, &Row)],
        tolerance: &Tolerance,
    ) {
        let Some(path) = self.path.take() else { return };
        let [mut from, end] = path.ends;
        let cuts = rows.iter().map(|&(place, row)| {
            (self.difference(relation, (trial, place), tolerance), row.clone())
        });
        for to in cuts.chain([end]) {
            if to.0.is_nan() {
                continue;
            }
            if to.0 == 0.0 {
                // They meet: the round has tried the relation there.
                return;
            }
            if (to.0 > 0.0) != (from.0 > 0.0) {
                // Nothing between them could be tried: another path.
                let is_stuck = rows.is_empty();
                self.path = (!is_stuck).then_some(Path { ends: [from, to], rounds: path.rounds });
                return;
            }
            from = to;
        }
    }
}

impl Path {
    fn cuts(&self, parameters: &[Parameter]) -> Vec<Row> {
        let [(from_difference, from), (to_difference, to)] = &self.ends;
        let same = |i: usize| from[i].agrees(&to[i], |a, b| a.to_bits() == b.to_bits());
        let different: Vec<usize> = (0..from.len()).filter(|&i| !same(i)).collect();
        let mut rows: Vec<Row> = match different[..] {
            [] => Vec::new(),
            [at] => {
                let share = from_difference / (from_difference - to_difference);
                let values = between(&parameters[at], &from[at], &to[at], share);
                let with = |value| {
                    let mut row = from.clone();
                    row[at] = value;
                    row
                };
                values.into_iter().map(with).collect()
            }
            _ => {
                let mut row = from.clone();
                let changed = different[..different.len() - 1].iter().map(|&at| {
                    row[at] = to[at].clone();
                    row.clone()
                });
                changed.collect()
            }
        };
        rows.retain(|row| parameters.iter().zip(row).all(|(p, value)| p.admits(value)));
        rows
    }
}

/// Values between two others, in order; `share` is where a straight line would meet zero.
fn between(
    parameter: &Parameter,
    from: &Value<'static>,
    to: &Value<'static>,
    share: f64,
) -> Vec<Value<'static>> {
    let scalar = parameter.ty.scalar();
    match (from, to) {
        (Value::Num(from), Value::Num(to)) => {
            numbers(scalar, *from, *to, share).into_iter().map(Value::Num).collect()
        }
        (Value::Seq(from), Value::Seq(to)) => {
            let sequences = sequences(scalar, from, to, share);
            sequences.into_iter().map(|elements| Value::Seq(elements.into())).collect()
        }
        (Value::Num(_) | Value::Seq(_) | Value::Bool(_), _) => Vec::new(),
    }
}

/// Sequences between two others: with ever more of the elements of the second; if a single element differs, with others there.
fn sequences(scalar: Scalar, from: &[f64], to: &[f64], share: f64) -> Vec<Vec<f64>> {
    let longest = from.len().max(to.len());
    let differs = |i: &usize| from.get(*i).map(|n| n.to_bits()) != to.get(*i).map(|n| n.to_bits());
    let different: Vec<usize> = (0..longest).filter(differs).collect();
    if let [place] = different[..]
        && from.len() == to.len()
    {
        let with = |number| {
            let mut elements = from.to_vec();
            elements[place] = number;
            elements
        };
        return numbers(scalar, from[place], to[place], share).into_iter().map(with).collect();
    }
    let inner = different.len().saturating_sub(1);
    let cuts = CUTS.min(inner);
    let cut = |i: usize| {
        let place = different[(i + 1) * inner / (cuts + 1)] + 1;
        [&to[..place.min(to.len())], &from[place.min(from.len())..]].concat()
    };
    (0..cuts).map(cut).collect()
}

/// Numbers strictly between two others, in order from the first: evenly by value, evenly by representation, and where a straight
/// line would meet zero.
fn numbers(scalar: Scalar, from: f64, to: f64, share: f64) -> Vec<f64> {
    if !from.is_finite() || !to.is_finite() {
        return Vec::new();
    }
    let half = CUTS / 2;
    let mut all: Vec<f64> = Vec::with_capacity(2 * half + 3);
    let line = |share: f64| from * (1.0 - share) + to * share;
    let part = |i: usize| (i + 1) as f64 / (half + 1) as f64;
    all.extend((0..half).map(|i| line(part(i))));
    let (low, high) = (ordered(from), ordered(to));
    let step = |i: usize| (low as f64 * (1.0 - part(i)) + high as f64 * part(i)) as i64;
    all.extend((0..half).map(|i| unordered(step(i))));
    all.extend([line(share), unordered(low.midpoint(high))]);
    if scalar.integers().is_some() {
        all.iter_mut().for_each(|number| *number = number.round() + 0.0);
    } else if scalar == Scalar::F32 {
        all.iter_mut().for_each(|number| *number = f64::from(*number as f32));
    }
    let (least, most) = (from.min(to), from.max(to));
    all.retain(|number| *number > least && *number < most);
    all.sort_by(f64::total_cmp);
    all.dedup();
    if from > to {
        all.reverse();
    }
    all
}

/// The place of a number among all floats.
fn ordered(number: f64) -> i64 {
    let bits = number.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn unordered(place: i64) -> f64 {
    let bits = if place < 0 { i64::MIN.wrapping_sub(place) } else { place };
    f64::from_bits(bits as u64)
}

/// Where an expression says that numbers are equal or not, with the nodes of both sides.
fn comparisons(nodes: &[Node]) -> Vec<(ComparisonOp, Comparison)> {
    let mut found = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Node::Op(op) = node
            && let Class::Comparison(op) = op.class()
            && matches!(op, ComparisonOp::NumEq | ComparisonOp::NumNe)
        {
            let right = subtree(nodes, at - 1);
            let left = subtree(nodes, right.start - 1);
            found.push((op, Comparison { left, right }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_are_in_order_and_strictly_inside() {
        let reals = numbers(Scalar::F64, 1e300, -3.0, 0.4);
        assert!(reals.len() > CUTS / 2 && reals.iter().all(|n| *n < 1e300 && *n > -3.0));
        assert!(reals.windows(2).all(|two| two[0] > two[1]));
        assert_eq!(numbers(Scalar::S32, 3.0, 6.0, 0.5), [4.0, 5.0]);
        assert!(numbers(Scalar::S32, 3.0, 4.0, 0.5).is_empty());
        assert!(numbers(Scalar::F64, 1.0, f64::INFINITY, 0.5).is_empty());
        for number in [0.0, 1.5, -2.5, 5e-324, f64::MAX, f64::MIN] {
            assert_eq!(unordered(ordered(number)), number);
        }
    }

    #[test]
    fn a_path_between_sequences_takes_over_ever_more() {
        let path = sequences(Scalar::S32, &[1.0, 2.0, 3.0], &[4.0, 5.0], 0.5);
        assert_eq!(path, [vec![4.0, 2.0, 3.0], vec![4.0, 5.0, 3.0]]);
        let one = sequences(Scalar::S32, &[1.0, 2.0], &[1.0, 4.0], 0.5);
        assert_eq!(one, [[1.0, 3.0]]);
    }
}
