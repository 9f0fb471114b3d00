//! Whether a function gives the same outputs whenever it gets the same inputs.

use genmorph_jit::Value;

use super::{Inputs, MachineFailure, Outcome, Outcomes, Signature};

/// Whether outcomes depend on anything but the inputs of the row, as far as three runs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steadiness {
    /// All three runs gave the same outcomes.
    Steady,
    /// Two calls with the input of this row gave different results, under the same circumstances.
    Unsteady(usize),
    /// This row gave another result when the rows came in the opposite order: the function keeps state between calls.
    Remembers(usize),
}

/// A function whose calls cannot be related, because equal inputs do not give equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsteady {
    /// Two calls with the same input differ; inputs are counted from 1.
    #[error(
        "the function is not deterministic: two calls with input {0} gave different results; \
         no relation between its calls can be trusted"
    )]
    Chance(usize),
    /// A call depends on those before it; inputs are counted from 1.
    #[error(
        "the function keeps state between calls: its result for input {0} depends on the calls before it; \
         no relation between its calls can be trusted"
    )]
    State(usize),
}

impl Steadiness {
    /// Refuses a function whose results depend on anything but its inputs.
    ///
    /// # Errors
    /// When it is not steady.
    pub fn check(self) -> Result<(), Unsteady> {
        match self {
            Steadiness::Steady => Ok(()),
            Steadiness::Unsteady(row) => Err(Unsteady::Chance(row + 1)),
            Steadiness::Remembers(row) => Err(Unsteady::State(row + 1)),
        }
    }

    /// Runs rows twice in their order and once in the opposite order. `run` begins with a clean state every time.
    pub(super) fn of(
        signature: &Signature,
        inputs: &Inputs,
        run: impl Fn(&Inputs) -> Result<Outcomes, MachineFailure>,
    ) -> Result<Steadiness, MachineFailure> {
        let first = run(inputs)?;
        let last = inputs.len().saturating_sub(1);
        if let Some(row) = differs(&first, &run(inputs)?, |row| row) {
            return Ok(Steadiness::Unsteady(row));
        }
        let mut reversed = Inputs::new(signature);
        for row in (0..inputs.len()).rev() {
            reversed.push(&inputs.row(row).collect::<Vec<_>>());
        }
        Ok(match differs(&first, &run(&reversed)?, |row| last - row) {
            Some(row) => Steadiness::Remembers(row),
            None => Steadiness::Steady,
        })
    }
}

/// The first row on which two runs differ; `place` is where the second run has it. How far calls come that take long depends on
/// how fast the machine is, so these are not compared.
fn differs(a: &Outcomes, b: &Outcomes, place: impl Fn(usize) -> usize) -> Option<usize> {
    let depends =
        |outcome: Outcome| matches!(outcome, Outcome::NotRun | Outcome::Hung | Outcome::OutOfFuel);
    (0..a.len()).find(|&row| {
        let there = place(row);
        let outcomes = (a.outcomes()[row], b.outcomes()[there]);
        !depends(outcomes.0)
            && !depends(outcomes.1)
            && (outcomes.0 != outcomes.1
                || !a.row(row).zip(b.row(there)).all(|(a, b)| same(&a, &b)))
    })
}

/// Equality bit for bit, except that all NaNs are equal.
fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    a.agrees(b, |a, b| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
}
