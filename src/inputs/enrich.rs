//! More source inputs: such that mutants differ on them that differ on no other.

use std::collections::HashSet;

use genmorph_jit::Column;

use super::error::InputsError;
use super::row::{Row, columns, key, rows};
use super::sources::Sources;
use super::space::Spaces;
use super::vary::vary;
use super::{Coverage, Watch};
use crate::subject::{Group, Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// Which mutants inputs are sought for, and how hard.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<'h> {
    /// Mutants that return another value than the original on none of the inputs: [`survivors`] says
    /// which.
    pub mutants: &'h [usize],
    /// How many calls may be made, of the original and of mutants.
    pub effort: usize,
    /// The threads to make them on.
    pub jobs: &'h Jobs,
    /// Who may end it. Told nothing.
    pub watch: &'h Watch<'h>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enriched {
    /// How many inputs were added.
    pub added: usize,
    /// The mutants that still differ on no input.
    pub survivors: Vec<usize>,
    /// How many calls were made.
    pub calls: usize,
}

/// Inputs of a round.
const BATCH: usize = 256;

/// The mutants for training that return another value than the original on none of the inputs.
///
/// # Errors
/// When the machine fails.
pub fn survivors(
    subject: &dyn Subject,
    sources: &Sources,
    jobs: &Jobs,
) -> Result<Vec<usize>, MachineFailure> {
    let training = subject.mutants_of(Group::A);
    let differ = differing(subject, &sources.inputs, &sources.outcomes, &training, jobs)?;
    let both = training.into_iter().zip(differ);
    Ok(both.filter(|(_, row)| row.is_none()).map(|(number, _)| number).collect())
}

/// Adds inputs on which mutants return another value that do so on no other input. The same seed adds the same inputs on any
/// number of threads.
///
/// # Errors
/// When a parameter has no values, or the machine fails.
pub fn enrich(
    subject: &dyn Subject,
    sources: &mut Sources,
    hunt: &Hunt<'_>,
    seed: Seed,
) -> Result<Enriched, InputsError> {
    let signature = subject.signature();
    let spaces = Spaces::new(&signature.parameters, subject.constants())?;
    let stream = seed.stream("enrich");
    let mut known = rows(&sources.inputs);
    let before = known.len();
    let mut tried: HashSet<u64> = known.iter().map(|row| key(row)).collect();
    // Inputs on which the original fails lead to no others.
    let parents: Vec<usize> =
        (0..before).filter(|&row| sources.outcomes.is_returned(row)).collect();
    let mut enriched = Enriched { added: 0, survivors: hunt.mutants.to_vec(), calls: 0 };
    let mut round = 0;
    let mut idle = 0;
    while !enriched.survivors.is_empty()
        && enriched.calls + BATCH * (1 + enriched.survivors.len()) <= hunt.effort
        && idle < 4
        && !(hunt.watch.stop)()
    {
        round += 1;
        let mut rng = stream.at(round).rng();
        let mut batch: Vec<Row> = (0..BATCH)
            .map(|i| {
                // What was added last was hard to find: its neighbours may do more.
                let added = known.len() - before;
                if added > 0 && i % 4 == 0 {
                    let (row, mate) = (before + rng.below(added), before + rng.below(added));
                    vary(&spaces, &known[row], &known[mate], &mut rng)
                } else if !parents.is_empty() && i % 4 != 3 {
                    let (row, mate) = (rng.pick(&parents), rng.pick(&parents));
                    vary(&spaces, &known[row], &known[mate], &mut rng)
                } else {
                    spaces.row(&mut rng)
                }
            })
            .collect();
        batch.iter_mut().for_each(|row| spaces.tidy(row));
        batch.retain(|row| tried.insert(key(row)));
        idle = if batch.is_empty() { idle + 1 } else { 0 };
        let inputs = columns(signature, &batch);
        let original = subject.run(Version::Original, &inputs)?;
        let differ = differing(subject, &inputs, &original, &enriched.survivors, hunt.jobs)?;
        enriched.calls += batch.len() * (1 + enriched.survivors.len());
        let mut chosen: Vec<usize> = differ.iter().flatten().copied().collect();
        chosen.sort_unstable();
        chosen.dedup();
        known.extend(chosen.into_iter().map(|row| batch[row].clone()));
        let mut differ = differ.iter();
        enriched.survivors.retain(|_| differ.next().is_some_and(Option::is_none));
    }
    enriched.added = known.len() - before;
    if enriched.added > 0 {
        known[before..].iter().for_each(|row| sources.inputs.push(row));
        let traces = subject.trace(&sources.inputs)?;
        sources.coverage = Coverage::of(subject, &sources.inputs, &traces)?;
        sources.outcomes = traces.outcomes;
    }
    Ok(enriched)
}

/// For each mutant the first row on which both return and it returns another value.
fn differing(
    subject: &dyn Subject,
    inputs: &Inputs,
    original: &Outcomes,
    mutants: &[usize],
    jobs: &Jobs,
) -> Result<Vec<Option<usize>>, MachineFailure> {
    jobs.try_map(
        mutants,
        1,
        || (),
        |(), &number| {
            let mutant = subject.run(Version::Mutant { number, original }, inputs)?;
            let both = |row: &usize| original.is_returned(*row) && mutant.is_returned(*row);
            Ok((0..inputs.len()).filter(both).find(|&row| {
                let columns = original.columns().iter().zip(mutant.columns());
                columns.into_iter().any(|(a, b)| !same(a, b, row))
            }))
        },
    )
}

/// Whether two columns have the same value in a row; NaN is the same as NaN.
fn same(a: &Column, b: &Column, row: usize) -> bool {
    let equal = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    match (a, b) {
        (Column::Num(a), Column::Num(b)) => equal(a[row], b[row]),
        (Column::Bool(a), Column::Bool(b)) => a[row] == b[row],
        (Column::Seq(a), Column::Seq(b)) => {
            let (a, b) = (a.get(row), b.get(row));
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(*a, *b))
        }
        (Column::Num(_) | Column::Bool(_) | Column::Seq(_), _) => false,
    }
}
