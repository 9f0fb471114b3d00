//! Whether what comes out depends on more than what goes in.

use genmorph_jit::Value;

use crate::subject::{Inputs, Outcomes, Signature};

/// What two runs of the same rows, and one of the rows in the other order, say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steadiness {
    /// The outcomes are the same, as far as we see.
    Steady,
    /// It did something else on this row the second time, in another process.
    Unsteady(usize),
    /// It did something else on this row when the rows came in the other order: it keeps something between calls.
    Remembers(usize),
}

/// Runs rows three times, each time from the beginning.
pub(super) fn of(
    signature: &Signature,
    inputs: &Inputs,
    run: impl Fn(&Inputs) -> Outcomes,
) -> Steadiness {
    let first = run(inputs);
    let last = inputs.len().saturating_sub(1);
    if let Some(row) = differs(&first, &run(inputs), |row| row) {
        return Steadiness::Unsteady(row);
    }
    let mut reversed = Inputs::new(signature);
    for row in (0..inputs.len()).rev() {
        reversed.push(&inputs.row(row).collect::<Vec<_>>());
    }
    match differs(&first, &run(&reversed), |row| last - row) {
        Some(row) => Steadiness::Remembers(row),
        None => Steadiness::Steady,
    }
}

/// The first row on which two runs differ; the second has its rows elsewhere.
fn differs(a: &Outcomes, b: &Outcomes, place: impl Fn(usize) -> usize) -> Option<usize> {
    (0..a.len()).find(|&row| {
        let there = place(row);
        a.outcomes()[row] != b.outcomes()[there]
            || !a.row(row).zip(b.row(there)).all(|(a, b)| same(&a, &b))
    })
}

/// Bit for bit, but for the many forms of NaN.
fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    let number = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    match (a, b) {
        (Value::Num(a), Value::Num(b)) => number(*a, *b),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Seq(a), Value::Seq(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| number(*a, *b))
        }
        _ => false,
    }
}
