//! Adds source inputs that kill mutants which no other input kills.

use std::collections::HashSet;

use genmorph_jit::Column;

use super::error::InputsError;
use super::row::{Row, columns, key, rows};
use super::sources::Sources;
use super::spaces::Spaces;
use super::vary::vary;
use super::{Coverage, Watch};
use crate::subject::{Group, Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// The mutants to find inputs for, and the effort to spend.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<'h> {
    /// Mutants that return the same value as the original on all inputs; [`survivors`] finds them.
    pub mutants: &'h [usize],
    /// Number of calls that may be made, of the original and of mutants.
    pub effort: usize,
    /// Threads on which the calls are made.
    pub jobs: &'h Jobs,
    /// May end the hunt; its `progress` is never called.
    pub watch: &'h Watch<'h>,
}

/// The result of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrichment {
    /// Number of inputs that were added to the sources.
    pub added: usize,
    /// Mutants that still return the same value as the original on all inputs.
    pub survivors: Vec<usize>,
    /// Number of calls made, of the original and of mutants.
    pub calls: usize,
}

/// Number of inputs in a round.
const BATCH: usize = 256;

/// The training mutants that return the same value as the original on all inputs.
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

/// Adds inputs on which a surviving mutant returns another value than the original. The same seed adds the
/// same inputs on any number of threads.
///
/// # Errors
/// When a parameter has no values, or the machine fails.
pub fn enrich(
    subject: &dyn Subject,
    sources: &mut Sources,
    hunt: &Hunt<'_>,
    seed: Seed,
) -> Result<Enrichment, InputsError> {
    let signature = subject.signature();
    let spaces = Spaces::new(&signature.parameters, subject.constants())?;
    let stream = seed.stream("enrich");
    let mut known = rows(&sources.inputs);
    let before = known.len();
    let mut tried: HashSet<u64> = known.iter().map(|row| key(row)).collect();
    // Only inputs on which the original returns are varied.
    let parents: Vec<usize> =
        (0..before).filter(|&row| sources.outcomes.is_returned(row)).collect();
    let mut enriched = Enrichment { added: 0, survivors: hunt.mutants.to_vec(), calls: 0 };
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
                // Inputs that were added last were hard to find: their neighbours may kill more.
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

/// For each mutant, the first row on which both it and the original return, with different values.
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

/// Whether two columns have the same value in a row; NaN equals NaN.
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
