//! Adds source inputs that kill mutants which no other input kills.

use std::collections::HashSet;

use genmorph_jit::Column;

use super::error::InputsError;
use super::row::{Row, columns, key, rows};
use super::sources::Sources;
use super::spaces::Spaces;
use super::vary::vary;
use super::{Coverage, Watch};
use crate::subject::{Deadline, Group, Inputs, MachineFailure, Outcomes, Subject, Version};
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
    let (inputs, deadline) = (&sources.inputs, subject.deadline());
    let differ = differing(subject, inputs, &sources.outcomes, &training, (jobs, deadline))?;
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
        && !hunt.watch.is_over()
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
        batch.iter_mut().for_each(|row| {
            spaces.tidy(row);
            signature.fit(row);
        });
        batch.retain(|row| signature.satisfied_by(row) && tried.insert(key(row)));
        idle = if batch.is_empty() { idle + 1 } else { 0 };
        let inputs = columns(signature, &batch);
        let deadline = hunt.watch.deadline;
        let original = subject.run_within(Version::Original, &inputs, deadline)?;
        // Mutants are compared where the original returns, and would only take time elsewhere.
        let returned: Vec<usize> =
            (0..batch.len()).filter(|&row| original.is_returned(row)).collect();
        let inputs = inputs.only(signature, returned.iter().copied());
        let mut known_to = Outcomes::new(signature);
        returned.iter().for_each(|&row| known_to.push(&original, row));
        let (survivors, means) = (&enriched.survivors, (hunt.jobs, deadline));
        let differ = differing(subject, &inputs, &known_to, survivors, means)?;
        enriched.calls += batch.len() * (1 + enriched.survivors.len());
        let mut chosen: Vec<usize> = differ.iter().flatten().copied().collect();
        chosen.sort_unstable();
        chosen.dedup();
        known.extend(chosen.into_iter().map(|row| batch[returned[row]].clone()));
        let mut differ = differ.iter();
        enriched.survivors.retain(|_| differ.next().is_some_and(Option::is_none));
    }
    let mut inputs = sources.inputs.clone();
    known[before..].iter().for_each(|row| inputs.push(row));
    if inputs.len() > before {
        let traces = subject.trace(&inputs)?;
        // Without the traces of all of them the sources stay as they are.
        if (0..inputs.len()).all(|row| traces.outcomes.is_run(row)) {
            enriched.added = inputs.len() - before;
            sources.coverage = Coverage::of(subject, &inputs, &traces)?;
            (sources.inputs, sources.outcomes) = (inputs, traces.outcomes);
        }
    }
    Ok(enriched)
}

/// For each mutant, the first row on which both it and the original return, with different values.
fn differing(
    subject: &dyn Subject,
    inputs: &Inputs,
    original: &Outcomes,
    mutants: &[usize],
    (jobs, deadline): (&Jobs, &Deadline),
) -> Result<Vec<Option<usize>>, MachineFailure> {
    jobs.try_map(
        mutants,
        1,
        || (),
        |(), &number| {
            let version = Version::Mutant { number, original };
            let mutant = subject.run_within(version, inputs, deadline)?;
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
