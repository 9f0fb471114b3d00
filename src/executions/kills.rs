//! Which mutants a relation kills: those with a row on which the relation is false.

use genmorph_jit::Mask;

use super::{Executions, INCORRECT};

/// Computes which mutants a relation kills. Holds scratch memory: keep one per thread and reuse it.
#[derive(Clone, Debug)]
pub struct Kills<'e> {
    executions: &'e Executions,
    killed: Vec<bool>,
}

impl<'e> Kills<'e> {
    /// Prepares to compute kills over these executions.
    pub fn new(executions: &'e Executions) -> Kills<'e> {
        Kills { executions, killed: vec![false; executions.mutants.len()] }
    }

    /// For every mutant, whether a relation that holds on the rows of the mask kills it.
    ///
    /// # Panics
    /// If the mask belongs to another table.
    pub fn of(&mut self, mask: &Mask) -> &[bool] {
        let executions = self.executions;
        assert_eq!(**mask.layout(), **executions.table.layout(), "the mask of another table");
        self.killed.fill(false);
        let words = mask.group_words(INCORRECT);
        for (word, mutants) in words.iter().zip(executions.row_mutants.chunks(64)) {
            let rows = !0_u64 >> (64 - mutants.len());
            let mut wrong = !word & rows;
            while wrong != 0 {
                self.killed[mutants[wrong.trailing_zeros() as usize] as usize] = true;
                wrong &= wrong - 1;
            }
        }
        for &(row, mutant) in &executions.also {
            if words[row as usize / 64] >> (row % 64) & 1 == 0 {
                self.killed[mutant as usize] = true;
            }
        }
        &self.killed
    }
}
