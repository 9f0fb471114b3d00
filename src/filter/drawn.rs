//! Fresh inputs that the filters of several transformations share: drawn once, and run once by the function itself.
//!
//! Filters with the same seed draw the same batches. What a filter makes of them does not depend on whether somebody has drawn
//! them before; how many are kept is a matter of memory alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use genmorph_jit::{Column, Value};

use super::fresh;
use crate::subject::{Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::seed::Seed;

/// Numbers in all batches that are kept, at most: 128 MiB.
const KEPT: usize = 1 << 24;

/// Batches of fresh inputs, with what the function does on them.
#[derive(Debug, Default)]
pub struct Drawn {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    batches: HashMap<(u64, usize), Arc<Batch>>,
    numbers: usize,
}

/// Fresh inputs that are drawn together, and how the function ends on each.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) inputs: Inputs,
    pub(super) outcomes: Outcomes,
}

impl Drawn {
    /// The batch with this seed and number; `seen` are inputs that are known to be interesting, the same for all filters.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn batch(
        &self,
        subject: &dyn Subject,
        seen: &Inputs,
        (seed, number): (Seed, usize),
    ) -> Result<Arc<Batch>, MachineFailure> {
        let name = (seed.0, number);
        if let Some(batch) = self.locked(|kept| kept.batches.get(&name).cloned()) {
            return Ok(batch);
        }
        let batch = Arc::new(Batch::new(subject, seen, seed, number)?);
        let is_whole = (0..batch.outcomes.len()).all(|row| batch.outcomes.is_run(row));
        if is_whole {
            let numbers = numbers(batch.inputs.columns()) + numbers(batch.outcomes.columns());
            self.locked(|kept| {
                if kept.numbers + numbers <= KEPT {
                    kept.numbers += numbers;
                    kept.batches.insert(name, Arc::clone(&batch));
                }
            });
        }
        Ok(batch)
    }

    fn locked<R>(&self, work: impl FnOnce(&mut Kept) -> R) -> R {
        // Whoever panicked left whole batches behind.
        work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Batch {
    fn new(
        subject: &dyn Subject,
        seen: &Inputs,
        seed: Seed,
        number: usize,
    ) -> Result<Batch, MachineFailure> {
        let inputs = fresh::batch(subject.signature(), subject.constants(), seen, seed, number);
        let outcomes = subject.run(Version::Original, &inputs)?;
        Ok(Batch { inputs, outcomes })
    }

    /// The values of a row.
    pub(super) fn row(&self, row: usize) -> Vec<Value<'_>> {
        self.inputs.row(row).collect()
    }
}

/// How many numbers columns have, elements of sequences included.
pub(super) fn numbers(columns: &[Column]) -> usize {
    let of = |column: &Column| match column {
        Column::Num(values) => values.len(),
        Column::Bool(values) => values.len().div_ceil(8),
        Column::Seq(values) => values.iter().map(|elements| 2 + elements.len()).sum(),
    };
    columns.iter().map(of).sum()
}
