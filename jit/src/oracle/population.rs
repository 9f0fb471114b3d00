//! Judges the population path: it must count what its members count one by one.

use std::sync::Arc;

use crate::engine::{Batch, DEFAULT_MEMORY, Isa, OneThread, reference};
use crate::expr::Predicate;
use crate::mask::Mask;
use crate::oracle::choices::Choices;
use crate::oracle::judge::{Case, Difference, Disagreement};
use crate::oracle::tally::{Tally, Verdict};
use crate::table::Table;

/// Whether batches give the counts and the bits of the reference engine, on every instruction set of
/// this machine: with no memory, with too little, and with plenty; on all rows, and on as few as differ in
/// what is read; in several orders, with copies; and again, when all of it is remembered.
pub fn batch_equals_single(
    predicates: &[Predicate],
    table: &Arc<Table>,
) -> Result<Tally, Box<Disagreement>> {
    let expected: Vec<Mask> =
        predicates.iter().map(|one| reference::evaluate(one, table)).collect();
    // About three atoms; what else a slot takes is a guess.
    let little = 4 * (8 * table.layout().words() + 200);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        for memory in [0, little, DEFAULT_MEMORY] {
            let who = format!("a batch of {} with {memory} bytes ({isa:?})", predicates.len());
            let batch = Batch::with_isa(Arc::clone(table), memory, isa);
            Trial { batch, table, predicates, expected: &expected, who }.run()?;
        }
        let who = format!("a digesting batch of {} ({isa:?})", predicates.len());
        let batch = Batch::with_isa(Arc::clone(table), DEFAULT_MEMORY, isa).digesting();
        Trial { batch, table, predicates, expected: &expected, who }.run()?;
    }
    let mut tally = Tally::default();
    expected.iter().for_each(|mask| tally.add(Verdict::of(mask)));
    Ok(tally)
}

/// A batch, and what its members must come to.
struct Trial<'a> {
    batch: Batch,
    table: &'a Arc<Table>,
    predicates: &'a [Predicate],
    expected: &'a [Mask],
    who: String,
}

impl Trial<'_> {
    fn run(mut self) -> Result<(), Box<Disagreement>> {
        let all: Vec<usize> = (0..self.predicates.len()).collect();
        let mut shuffled = [&all[..], &all[..all.len() / 2]].concat();
        shuffle(&mut shuffled);
        self.masks(&all[all.len() / 2..])?;
        self.counts(&all, "first seen")?;
        self.counts(&shuffled, "shuffled and seen before")?;
        self.masks(&shuffled)?;
        self.counts(&[], "nobody")?;
        self.counts(&all, "seen before")
    }

    fn counts(&mut self, order: &[usize], pass: &str) -> Result<(), Box<Disagreement>> {
        let population: Vec<Predicate> =
            order.iter().map(|&member| self.predicates[member].clone()).collect();
        let groups = self.table.layout().groups().len();
        let counts = self.batch.counts(&population, &OneThread);
        assert_eq!(counts.len(), population.len() * groups, "a count per member and group");
        for (i, &member) in order.iter().enumerate() {
            let mask = &self.expected[member];
            let expected: Vec<u32> =
                (0..groups).map(|group| mask.count_ones_in(group) as u32).collect();
            let found = &counts[i * groups..][..groups];
            if found != expected {
                let case = Case { predicate: &population[i], table: self.table };
                let who = format!("{}, {pass},", self.who);
                let mut disagreement = case.disagreement(who, mask, mask);
                disagreement.difference = Difference::Counts { expected, found: found.to_vec() };
                return Err(Box::new(disagreement));
            }
        }
        Ok(())
    }

    fn masks(&mut self, order: &[usize]) -> Result<(), Box<Disagreement>> {
        let mut found = Mask::empty(self.table.layout());
        for &member in order {
            let predicate = &self.predicates[member];
            self.batch.mask_into(predicate, &mut found);
            let expected = &self.expected[member];
            if found != *expected {
                let case = Case { predicate, table: self.table };
                return Err(Box::new(case.disagreement(self.who.clone(), expected, &found)));
            }
        }
        Ok(())
    }
}

fn shuffle(order: &mut [usize]) {
    let mut choices = Choices::from_seed(order.len() as u64);
    for i in (1..order.len()).rev() {
        order.swap(i, choices.below(i + 1));
    }
}
