//! The search for source inputs: special values, random ones, steps towards sides that are not covered, and
//! finally more of everything until there are enough.
//!
//! It works in rounds. A round makes a batch of inputs from what is known, traces it on all threads, and
//! looks at the results in the order of the inputs, so the number of threads does not change the result.
//! Effort is counted in traced calls; a call that uses much fuel counts as several.

use std::collections::HashSet;

use genmorph_jit::Value;

use super::archive::{Archive, News, Origin};
use super::frontier::Frontier;
use super::row::{Row, columns, key};
use super::spaces::Spaces;
use super::vary::{probes, vary};
use super::{Progress, Settings, Watch};
use crate::subject::{Inputs, MachineFailure, Outcome, Subject, Traces};
use crate::support::seed::{Rng, Stream};
use crate::support::threads::Jobs;

/// Largest number of inputs in a round.
const BATCH: usize = 1024;
/// Smallest number of inputs in a round: where calls take long, rounds are small, so that the caller can stop soon.
const SMALLEST: usize = 64;
/// Number of parts into which a round is divided for the threads.
const PARTS: usize = 8;
/// Fuel per unit of effort: a call that uses more counts as several.
const FUEL: u64 = 128;
/// Number of sides that one round works on.
const TARGETS: usize = 8;
/// Rounds without news after which exploring ends. A guess.
const DRY: usize = 6;
/// Inputs whose numbers are below this are never left out as too large.
const SMALL: f64 = 1_000.0;
/// Largest number of inputs made of special values.
const FIRST: usize = 4 * BATCH;

/// The state of a search.
pub(super) struct Search<'s> {
    subject: &'s dyn Subject,
    settings: &'s Settings,
    spaces: &'s Spaces,
    stream: Stream,
    jobs: &'s Jobs,
    watch: &'s Watch<'s>,
    pub(super) archive: Archive,
    frontier: Frontier,
    tried: HashSet<u64>,
    pub(super) calls: usize,
    /// Effort of the calls made so far.
    spent: usize,
    /// Number of inputs in the next round.
    batch: usize,
    round: u64,
    pub(super) ended: Vec<(Outcome, usize)>,
    /// The largest number in each input whose call was costly, sorted.
    costly: Vec<f64>,
    /// An input on which the function does not return.
    pub(super) failing: Option<Row>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        subject: &'s dyn Subject,
        settings: &'s Settings,
        spaces: &'s Spaces,
        stream: Stream,
        (jobs, watch): (&'s Jobs, &'s Watch<'s>),
    ) -> Search<'s> {
        Search {
            subject,
            settings,
            spaces,
            stream,
            jobs,
            watch,
            archive: Archive::new(settings.count, settings.fuel),
            frontier: Frontier::new(2 * subject.branches().len()),
            tried: HashSet::new(),
            calls: 0,
            spent: 0,
            batch: BATCH,
            round: 0,
            ended: Vec::new(),
            costly: Vec::new(),
            failing: None,
        }
    }

    /// Runs all phases, until there are enough inputs, the effort is spent, or the caller stops the search.
    pub(super) fn run(&mut self, supplied: &[Row]) -> Result<(), MachineFailure> {
        for rows in supplied.chunks(BATCH) {
            self.trace(rows.to_vec(), Origin::Plain)?;
        }
        self.costly.clear();
        let mut rng = self.rng();
        let mut first = self.spaces.first(FIRST, &mut rng).into_iter().peekable();
        while first.peek().is_some() && !self.is_over(0.25) {
            let rows = first.by_ref().take(self.batch).collect();
            self.trace(rows, Origin::Search)?;
        }
        self.plain(2 * self.settings.count, 0.5)?;
        self.explore()?;
        // Four times as many as are wanted, to choose from.
        self.plain(4 * self.settings.count, 1.0)
    }

    fn rng(&mut self) -> Rng {
        self.round += 1;
        self.stream.at(self.round).rng()
    }

    /// Whether this share of the effort is spent, or the caller stops the search.
    fn is_over(&self, share: f64) -> bool {
        self.spent as f64 >= share * self.settings.effort as f64 || self.watch.is_over()
    }

    /// Draws inputs, some of them near earlier ones, until the function has returned on `wanted` inputs.
    fn plain(&mut self, wanted: usize, share: f64) -> Result<(), MachineFailure> {
        let mut idle = 0;
        while self.archive.plain() < wanted && idle < 4 && !self.is_over(share) {
            let mut rng = self.rng();
            // Where the function seldom returns, it is likelier to return near inputs on which it did.
            let returns = self.ended.iter().find(|(outcome, _)| *outcome == Outcome::Returned);
            let seldom = returns.map_or(0, |(_, calls)| 2 * *calls) < self.calls;
            let chance = if seldom { 0.6 } else { 0.35 };
            let rows = (0..self.batch).map(|_| self.row(chance, &mut rng)).collect();
            let (before, batch) = (self.calls, self.batch);
            self.trace(rows, Origin::Plain)?;
            // A round with hardly any new input: nearly all possible inputs may have been seen.
            idle = if self.calls > before + batch / 64 { 0 } else { idle + 1 };
        }
        Ok(())
    }

    /// With probability `near` a variation of an earlier input, otherwise a random one.
    fn row(&self, near: f64, rng: &mut Rng) -> Row {
        let parents = rng
            .chance(near)
            .then(|| self.archive.parent(rng).zip(self.archive.parent(rng)))
            .flatten();
        match parents {
            Some((row, mate)) => vary(self.spaces, row, mate, rng),
            None => self.spaces.row(rng),
        }
    }

    /// Works towards sides that are not covered, and towards anything new, until several rounds show no news.
    fn explore(&mut self) -> Result<(), MachineFailure> {
        let mut dry = 0;
        while !self.is_over(0.75) {
            let mut rng = self.rng();
            let mut rows: Vec<Row> = Vec::new();
            let mut targets = self.frontier.turn(TARGETS);
            let some = !targets.is_empty();
            let share = if some { self.batch * 3 / 4 / targets.len() } else { 0 };
            for target in &mut targets {
                let count = target.nearest.len();
                // Mostly the nearest input, sometimes one of the others.
                let pick = if rng.chance(0.7) { 0 } else { rng.below(count) };
                let start = rows.len();
                for _ in 0..target.nearest[0].1.len() {
                    let row = &target.nearest[pick].1;
                    rows.extend(probes(self.spaces, row, target.coordinate, &mut rng));
                    target.coordinate += 1;
                    if rows.len() - start > share / 2 {
                        break;
                    }
                }
                while rows.len() - start < share {
                    let (row, mate) = (rng.below(count), rng.below(count));
                    let (row, mate) = (&target.nearest[row].1, &target.nearest[mate].1);
                    rows.push(vary(self.spaces, row, mate, &mut rng));
                }
                target.worked_on();
            }
            while rows.len() < self.batch {
                rows.push(self.row(0.75, &mut rng));
            }
            let news = self.trace(rows, Origin::Search)?;
            dry = if some || news >= News::Trait { 0 } else { dry + 1 };
            if dry >= DRY {
                break;
            }
        }
        Ok(())
    }

    /// Leaves out most inputs with numbers as large as those of costly calls: a few such calls take as
    /// long as all others.
    fn spare(&mut self, rows: &mut Vec<Row>, origin: Origin) {
        let Some(&bound) = self.costly.get(self.costly.len() / 10) else { return };
        let keep = match origin {
            Origin::Plain => 0.02,
            Origin::Search => 0.2,
        };
        let mut rng = self.rng();
        rows.retain(|row| size(row) < bound.max(SMALL) || rng.chance(keep));
    }

    /// Traces the inputs that were not tried before and learns from their calls; returns the greatest news.
    fn trace(&mut self, mut rows: Vec<Row>, origin: Origin) -> Result<News, MachineFailure> {
        let signature = self.subject.signature();
        rows.iter_mut().for_each(|row| {
            self.spaces.tidy(row);
            signature.fit(row);
        });
        rows.retain(|row| signature.satisfied_by(row));
        self.spare(&mut rows, origin);
        rows.retain(|row| self.tried.insert(key(row)));
        let chunks: Vec<&[Row]> = rows.chunks(rows.len().div_ceil(PARTS).max(1)).collect();
        let (subject, deadline) = (self.subject, self.watch.deadline);
        let traced: Vec<Traces> = self.jobs.try_map(
            &chunks,
            1,
            || (),
            |(), chunk| {
                let inputs: Inputs = columns(signature, chunk);
                subject.trace_within(&inputs, deadline)
            },
        )?;
        let mut most = News::None;
        let (mut calls, mut spent) = (0, 0);
        for (chunk, traces) in chunks.iter().zip(&traced) {
            for (i, row) in chunk.iter().enumerate() {
                let outcome = traces.outcomes.outcomes()[i];
                if outcome == Outcome::NotRun {
                    continue;
                }
                calls += 1;
                match self.ended.iter_mut().find(|(other, _)| *other == outcome) {
                    Some((_, calls)) => *calls += 1,
                    None => self.ended.push((outcome, 1)),
                }
                if outcome != Outcome::Returned && self.failing.is_none() {
                    self.failing = Some(row.clone());
                }
                if traces.outcomes.fuel()[i] > self.settings.fuel {
                    let size = size(row);
                    let place = self.costly.partition_point(|other| *other < size);
                    self.costly.insert(place, size);
                }
                spent += 1 + (traces.outcomes.fuel()[i] / FUEL) as usize;
                self.frontier.note(row, traces, i);
                most = most.max(self.archive.add(row, traces, i, origin));
            }
        }
        self.calls += calls;
        self.spent += spent;
        if calls > 0 {
            self.batch = (BATCH * calls / spent).clamp(SMALLEST, BATCH);
        }
        (self.watch.progress)(&Progress {
            spent: self.spent,
            effort: self.settings.effort,
            covered: self.frontier.covered(),
            sides: 2 * self.subject.branches().len(),
        });
        Ok(most)
    }
}

/// The largest magnitude in a row.
fn size(row: &Row) -> f64 {
    let largest = |numbers: &[f64]| numbers.iter().fold(0.0, |most: f64, n| most.max(n.abs()));
    let sizes = row.iter().map(|value| match value {
        Value::Num(number) => number.abs(),
        Value::Bool(_) => 0.0,
        Value::Seq(elements) => largest(elements),
    });
    sizes.fold(0.0, f64::max)
}
