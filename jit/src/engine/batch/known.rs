//! What is known of the values of a term on all rows of a table.

use crate::interval::Interval;
use crate::op;
use crate::table::dictionary::Dictionary;
use crate::table::{SeqColumn, StoredColumn, Table};
use crate::tolerance::Tolerance;

/// What is known of a number or a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Known {
    Num(Interval),
    Seq(Shape),
}

impl Known {
    pub(super) fn num(self) -> Interval {
        match self {
            Known::Num(interval) => interval,
            Known::Seq(_) => unreachable!("{CHECKED}"),
        }
    }

    pub(super) fn seq(self) -> Shape {
        match self {
            Known::Seq(shape) => shape,
            Known::Num(_) => unreachable!("{CHECKED}"),
        }
    }
}

pub(super) const CHECKED: &str = "a predicate is well-typed";

/// What all sequences have in common: lengths, and elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) shortest: f64,
    pub(super) longest: f64,
    /// What is known of every element.
    pub(super) elements: Interval,
}

/// Integers up to here are exact f64s, and so are their sums that stay below it.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Shape {
    /// What the sequences of a column have in common.
    fn of_column(column: &SeqColumn, table: &Table) -> Shape {
        let lengths = column.length.facts;
        let dictionary = table.dictionary();
        // A distinct sequence is looked at once.
        let mut spans: Vec<(u32, u32)> =
            column.starts.iter().copied().zip(column.lens.iter().copied()).collect();
        spans.sort_unstable();
        spans.dedup();
        Shape { elements: elements(&spans, dictionary), shortest: lengths.lo, longest: lengths.hi }
    }

    /// The shape of one sequence.
    pub(super) fn of(sequence: &[f64]) -> Shape {
        let len = sequence.len() as f64;
        Shape { shortest: len, longest: len, elements: Interval::of(sequence) }
    }

    pub(super) fn length(self) -> Interval {
        Interval::integers(self.shortest, self.longest)
    }

    /// Whether a sum of such elements is exact, in whatever order they are added.
    pub(super) fn sums_exactly(self) -> bool {
        self.elements.integer && self.longest * self.elements.bound() < EXACT
    }

    pub(super) fn sum(self) -> Interval {
        if self.longest == 0.0 {
            return Interval::constant(0.0);
        }
        if !self.sums_exactly() {
            return Interval::ANY;
        }
        let Interval { lo, hi, .. } = self.elements;
        let least = if lo < 0.0 { lo * self.longest } else { lo * self.shortest };
        let most = if hi > 0.0 { hi * self.longest } else { hi * self.shortest };
        Interval::integers(least, most)
    }

    /// What is known of an element, which may be none.
    pub(super) fn element(self, may_be_none: bool) -> Interval {
        let none = Interval::constant(0.0);
        match (self.longest == 0.0, may_be_none) {
            (true, _) => none,
            (false, true) => self.elements.or(none),
            (false, false) => self.elements,
        }
    }

    /// The shape of `s ++ t`.
    pub(super) fn joined(self, t: Shape) -> Shape {
        let elements = match (self.longest == 0.0, t.longest == 0.0) {
            (true, _) => t.elements,
            (_, true) => self.elements,
            (false, false) => self.elements.or(t.elements),
        };
        Shape { shortest: self.shortest + t.shortest, longest: self.longest + t.longest, elements }
    }

    /// The shape of `upper(s)` or `lower(s)`, which move letters down or up by so much.
    pub(super) fn cased(self, down: f64, up: f64) -> Shape {
        let Interval { lo, hi, .. } = self.elements;
        if hi < f64::from(b'A') || lo > f64::from(b'z') {
            return self;
        }
        Shape { elements: Interval { lo: lo + down, hi: hi + up, ..self.elements }, ..self }
    }

    /// The shape of `remove(s, n)`.
    pub(super) fn without_one(self) -> Shape {
        Shape { shortest: (self.shortest - 1.0).max(0.0), ..self }
    }

    /// The shape of `truncate(s, n)`.
    pub(super) fn cut(self, n: Interval) -> Shape {
        let index = |n: f64| op::index(n) as f64;
        let (lo, hi) = (index(n.lo), index(n.hi));
        // Bounds of how many are kept, and of how many fall away; NaN keeps none.
        if lo >= 0.0 {
            let shortest = if n.nan { 0.0 } else { self.shortest.min(lo) };
            return Shape { shortest, longest: self.longest.min(hi), ..self };
        }
        if hi < 0.0 && !n.nan {
            return Shape {
                shortest: (self.shortest + lo).max(0.0),
                longest: (self.longest + hi).max(0.0),
                ..self
            };
        }
        Shape { shortest: 0.0, ..self }
    }

    /// Whether `truncate(s, n)` is always `s`.
    pub(super) fn is_never_cut(self, n: Interval) -> bool {
        !n.nan && n.lo >= self.longest
    }

    /// Whether `remove(s, n)` is always `s`: the index is past the end on either side.
    pub(super) fn is_never_removed_from(self, n: Interval) -> bool {
        let past = n.lo >= self.longest || n.hi <= -self.longest - 1.0;
        self.longest == 0.0 || (past && !n.nan)
    }

    /// The shape of `toString(n)`.
    pub(super) fn of_text(n: Interval) -> Shape {
        let len = |n: f64| op::index(n).to_string().len() as f64;
        let longest = len(n.lo).max(len(n.hi));
        // Within ±10 there is a text of one character; elsewhere lengths grow away from 0.
        let shortest =
            if n.nan || (n.lo < 10.0 && n.hi > -1.0) { 1.0 } else { len(n.lo).min(len(n.hi)) };
        let first = if n.lo > -1.0 { b'0' } else { b'-' };
        let elements = Interval::integers(f64::from(first), f64::from(b'9'));
        Shape { shortest, longest: longest.max(1.0), elements }
    }

    /// What is known of `s == t`.
    pub(super) fn equals(self, t: Shape, tolerance: &Tolerance) -> Option<bool> {
        if self.longest == 0.0 && t.longest == 0.0 {
            return Some(true);
        }
        let apart = |a: f64, b: f64| a < b;
        if apart(self.longest, t.shortest) || apart(t.longest, self.shortest) {
            return Some(false);
        }
        // Two empty sequences are equal whatever their elements would be.
        let not_both_empty = self.shortest > 0.0 || t.shortest > 0.0;
        let (a, b) = (self.elements, t.elements);
        let differ = a.is_below(b, tolerance) || b.is_below(a, tolerance);
        (not_both_empty && differ && !(a.nan && b.nan)).then_some(false)
    }
}

/// What the elements of these slices have in common.
fn elements(spans: &[(u32, u32)], dictionary: &Dictionary) -> Interval {
    let mut used = Vec::new();
    for &(start, len) in spans {
        used.extend_from_slice(&dictionary.codes()[start as usize..][..len as usize]);
        if used.len() > 1 << 16 {
            used.sort_unstable();
            used.dedup();
        }
    }
    used.sort_unstable();
    used.dedup();
    let numbers: Vec<f64> = used.into_iter().map(|code| dictionary.number(code)).collect();
    Interval::of(&numbers)
}

/// What is known of a Num or Seq column.
pub(super) fn of_column(column: &StoredColumn, table: &Table) -> Option<Known> {
    match column {
        StoredColumn::Num(column) => Some(Known::Num(column.facts)),
        StoredColumn::Seq(column) => Some(Known::Seq(Shape::of_column(column, table))),
        StoredColumn::Bool(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Op, Value};

    fn lengths(shape: Shape) -> (f64, f64) {
        (shape.shortest, shape.longest)
    }

    #[test]
    fn cut_and_removed_sequences_have_the_lengths_that_are_known() {
        let tolerance = Tolerance::default();
        let ends = [-30.0, -7.5, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 30.0, f64::INFINITY];
        for short in 0..4 {
            let sequences = [vec![1.0; short], vec![1.0; 4]];
            let shape = Shape { shortest: short as f64, ..Shape::of(&sequences[1]) };
            for a in ends {
                for b in ends.into_iter().filter(|b| *b >= a) {
                    let n = Interval { lo: a, hi: b, nan: false, integer: false };
                    for s in &sequences {
                        for x in [a, b, (a / 2.0 + b / 2.0).clamp(a, b)] {
                            let apply = |op: Op| {
                                let s = Value::Seq(s.as_slice().into());
                                let result = op.apply(&[s, Value::Num(x)], &tolerance);
                                let Value::Seq(result) = result else { unreachable!() };
                                result.len()
                            };
                            let (cut, removed) = (apply(Op::Truncate), apply(Op::Remove));
                            let (from, to) = lengths(shape.cut(n));
                            assert!(from <= cut as f64 && cut as f64 <= to, "{s:?} {x} {n:?}");
                            let (from, to) = lengths(shape.without_one());
                            assert!(from <= removed as f64 && removed as f64 <= to);
                            assert!(!shape.is_never_cut(n) || cut == s.len(), "{s:?} {x}");
                            assert!(!shape.is_never_removed_from(n) || removed == s.len());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn texts_have_the_lengths_and_characters_that_are_known() {
        let ends =
            [-1e300, -100.0, -99.9, -10.0, -9.9, -1.0, -0.5, 0.0, 9.0, 9.9, 10.0, 99.0, 1e300];
        for a in ends {
            for b in ends.into_iter().filter(|b| *b >= a) {
                let shape = Shape::of_text(Interval { lo: a, hi: b, nan: false, integer: false });
                for x in ends.into_iter().filter(|x| a <= *x && *x <= b) {
                    let text = op::index(x).to_string();
                    let (from, to) = lengths(shape);
                    assert!(from <= text.len() as f64 && text.len() as f64 <= to, "{x} {a} {b}");
                    let Interval { lo, hi, .. } = shape.elements;
                    assert!(text.bytes().all(|c| lo <= f64::from(c) && f64::from(c) <= hi), "{x}");
                }
            }
        }
    }

    #[test]
    fn sums_of_known_sequences_are_within_what_is_known() {
        let shape = Shape { shortest: 1.0, longest: 3.0, elements: Interval::integers(-2.0, 5.0) };
        assert_eq!(shape.sum(), Interval::integers(-6.0, 15.0));
        let letters = Shape { elements: Interval::integers(97.0, 99.0), ..shape };
        assert_eq!(letters.sum(), Interval::integers(97.0, 297.0));
        assert_eq!(Shape::of(&[0.5]).sum(), Interval::ANY);
        assert_eq!(Shape::of(&[]).sum(), Interval::constant(0.0));
    }
}
