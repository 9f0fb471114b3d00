//! Kernels over slices of any length: whole columns of numbers that belong to no table.
//!
//! Kernels run over whole words of 64 rows. Here the last rows of a slice go through a word of their own on the
//! stack, so that a caller may have as many rows as it likes. Nothing allocates.

use crate::engine::kernels::{Isa, Kernels, Side, Source};
use crate::mask::WORD;
use crate::op::{ArithmeticOp, ComparisonOp};
use crate::program::{Comparison, ComparisonKernel, Domain, Extra};
use crate::tolerance::Tolerance;

/// A comparison of columns of numbers: an operator, a tolerance and an instruction set, chosen once.
///
/// The answers are those of [`ComparisonOp::apply`] row by row, for NaN and the infinities too.
#[derive(Clone, Copy, Debug)]
pub struct Comparator {
    kernels: &'static Kernels,
    comparison: Comparison,
    /// `a > b` is `b < a`.
    exchanged: bool,
    negate: bool,
    tolerance: Tolerance,
}

impl Comparator {
    /// A comparison on the widest instruction set of this machine; `None` for the operators that compare
    /// sequences.
    #[inline]
    pub fn new(op: ComparisonOp, tolerance: &Tolerance) -> Option<Comparator> {
        Comparator::on(Kernels::best(), op, tolerance)
    }

    /// A comparison on this instruction set, or on the portable one where this machine lacks it.
    pub fn with_isa(op: ComparisonOp, tolerance: &Tolerance, isa: Isa) -> Option<Comparator> {
        Comparator::on(Kernels::of(isa), op, tolerance)
    }

    #[inline]
    pub(crate) fn on(
        kernels: &'static Kernels,
        op: ComparisonOp,
        tolerance: &Tolerance,
    ) -> Option<Comparator> {
        let (comparison, exchanged) = match op {
            ComparisonOp::NumEq | ComparisonOp::NumNe => (Comparison::Eq, false),
            ComparisonOp::Lt => (Comparison::Lt, false),
            ComparisonOp::Gt => (Comparison::Lt, true),
            ComparisonOp::Le => (Comparison::Le, false),
            ComparisonOp::Ge => (Comparison::Le, true),
            ComparisonOp::SeqEq | ComparisonOp::SeqNe => return None,
        };
        let negate = op == ComparisonOp::NumNe;
        Some(Comparator { kernels, comparison, exchanged, negate, tolerance: *tolerance })
    }

    /// Where the comparison of `a` with `b` holds: one bit per row, 64 to a word, the first row lowest. Bits
    /// past the last row are 0.
    ///
    /// # Panics
    /// If the columns are not of one length, or `to` has not a word for every 64 rows begun.
    #[inline]
    pub fn compare(&self, a: &[f64], b: &[f64], to: &mut [u64]) {
        assert_eq!(a.len(), b.len(), "columns of the same rows");
        assert_eq!(to.len(), a.len().div_ceil(WORD), "a word for every 64 rows");
        let (a, b) = self.sides(a, b);
        let kernel = ComparisonKernel {
            comparison: self.comparison,
            domain: Domain::Any,
            negate: self.negate,
        };
        let run = |to: &mut [u64], a: &[f64], b: &[f64]| {
            let [a, b] = [a, b].map(|side| Side::Leaf(Source::Rows(side)));
            self.kernels.compare(kernel, to, a, b, &self.tolerance);
        };
        let (a, a_last) = split(a);
        let (b, b_last) = split(b);
        let (to, to_last) = to.split_at_mut(a.len() / WORD);
        run(to, a, b);
        if !a_last.is_empty() {
            run(to_last, &padded(a_last), &padded(b_last));
            to_last[0] &= (1 << a_last.len()) - 1;
        }
    }

    /// The first row on which the comparison of `a` with `b` fails; `None` if it holds on all rows. Looks at
    /// eight rows at a time and no further than it must.
    ///
    /// # Panics
    /// If the columns are not of one length.
    #[inline]
    pub fn first_failure(&self, a: &[f64], b: &[f64]) -> Option<usize> {
        let (a, b) = self.sides(a, b);
        let row = self.kernels.first_failure(self.comparison, self.negate, a, b, &self.tolerance);
        (row < a.len()).then_some(row)
    }

    #[inline]
    fn sides<'a>(&self, a: &'a [f64], b: &'a [f64]) -> (&'a [f64], &'a [f64]) {
        if self.exchanged { (b, a) } else { (a, b) }
    }
}

/// `to = a op b`, row by row; of `abs` and `floor` the second operand is not read, but it has as many rows.
pub(crate) fn arithmetic(
    kernels: &Kernels,
    op: ArithmeticOp,
    to: &mut [f64],
    [a, b]: [&[f64]; 2],
    tolerance: &Tolerance,
) {
    assert!(a.len() == to.len() && b.len() == to.len(), "columns of the same rows");
    let extra = match op {
        ArithmeticOp::Add
        | ArithmeticOp::Sub
        | ArithmeticOp::Mul
        | ArithmeticOp::Div
        | ArithmeticOp::Abs => None,
        ArithmeticOp::Min => Some(Extra::Min),
        ArithmeticOp::Max => Some(Extra::Max),
        ArithmeticOp::Mod => Some(Extra::Mod),
        ArithmeticOp::Floor => Some(Extra::Floor),
    };
    let run = |to: &mut [f64], a: &[f64], b: &[f64]| {
        let sides = [a, b].map(Source::Rows);
        match extra {
            Some(extra) => kernels.extra(extra, to, sides, tolerance),
            None => {
                let [a, b] = sides.map(Side::Leaf);
                kernels.arith(op, to, a, b, tolerance);
            }
        }
    };
    let (a, a_last) = split(a);
    let (b, b_last) = split(b);
    let (to, to_last) = to.split_at_mut(a.len());
    run(to, a, b);
    if !to_last.is_empty() {
        let mut last = [0.0; WORD];
        run(&mut last, &padded(a_last), &padded(b_last));
        to_last.copy_from_slice(&last[..to_last.len()]);
    }
}

/// Whole words of rows, and the rows that are left.
#[inline]
fn split(rows: &[f64]) -> (&[f64], &[f64]) {
    rows.split_at(rows.len() - rows.len() % WORD)
}

/// The last rows as a whole word.
#[inline]
fn padded(rows: &[f64]) -> [f64; WORD] {
    let mut word = [0.0; WORD];
    word[..rows.len()].copy_from_slice(rows);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Value;

    const NUMBERS: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.0 + 1e-13,
        1e-10,
        -1e-10,
        5e-324,
        1e308,
        -1e308,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        3.5,
    ];

    /// Every pair of numbers, and then some to fill the rows.
    fn columns(rows: usize) -> (Vec<f64>, Vec<f64>) {
        let n = NUMBERS.len();
        (0..rows).map(|row| (NUMBERS[row / n % n], NUMBERS[row % n])).unzip()
    }

    fn comparators(tolerance: &Tolerance) -> impl Iterator<Item = (ComparisonOp, Comparator)> + '_ {
        let available = Isa::ALL.into_iter().filter(|isa| isa.is_available());
        available.flat_map(move |isa| {
            let of =
                move |op: &ComparisonOp| Some((*op, Comparator::with_isa(*op, tolerance, isa)?));
            ComparisonOp::ALL.iter().filter_map(of)
        })
    }

    fn holds(op: ComparisonOp, a: f64, b: f64, tolerance: &Tolerance) -> bool {
        op.apply(&Value::Num(a), &Value::Num(b), tolerance).unwrap()
    }

    #[test]
    fn comparisons_of_slices_are_those_of_their_rows() {
        let exact = Tolerance::new(0.0, 0.0).unwrap();
        for tolerance in [Tolerance::default(), Tolerance::PAPER, exact] {
            for (op, comparator) in comparators(&tolerance) {
                for rows in [0, 1, 7, 8, 9, 63, 64, 65, 200] {
                    let (a, b) = columns(rows);
                    let mut bits = vec![!0; rows.div_ceil(WORD)];
                    comparator.compare(&a, &b, &mut bits);
                    let mut expected = vec![0; bits.len()];
                    for row in 0..rows {
                        let holds = holds(op, a[row], b[row], &tolerance);
                        expected[row / WORD] |= u64::from(holds) << (row % WORD);
                    }
                    assert_eq!(bits, expected, "{op:?} {rows} {comparator:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_failure_is_the_first_row_that_does_not_hold() {
        let tolerance = Tolerance::default();
        for (op, comparator) in comparators(&tolerance) {
            for (x, y) in columns(NUMBERS.len() * NUMBERS.len()).0.into_iter().zip(NUMBERS) {
                // A pair on which it holds everywhere, and another somewhere among it.
                let (p, q) = if holds(op, 1.0, 1.0, &tolerance) {
                    (1.0, 1.0)
                } else if holds(op, 1.0, 2.0, &tolerance) {
                    (1.0, 2.0)
                } else {
                    (2.0, 1.0)
                };
                for rows in [1, 5, 8, 21, 64, 70] {
                    for place in [0, rows / 2, rows - 1] {
                        let (mut a, mut b) = (vec![p; rows], vec![q; rows]);
                        assert_eq!(comparator.first_failure(&a, &b), None);
                        (a[place], b[place]) = (x, y);
                        let expected = (!holds(op, x, y, &tolerance)).then_some(place);
                        assert_eq!(comparator.first_failure(&a, &b), expected, "{op:?} {x} {y}");
                    }
                }
            }
            assert_eq!(comparator.first_failure(&[], &[]), None);
        }
    }

    #[test]
    fn sequences_are_not_compared_as_numbers() {
        for op in [ComparisonOp::SeqEq, ComparisonOp::SeqNe] {
            assert!(Comparator::new(op, &Tolerance::default()).is_none());
        }
    }
}
