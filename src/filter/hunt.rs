//! The hunt: a search for a pair of executions on which a relation is false.
//!
//! Works in rounds. A round makes a batch of inputs, runs them with their follow-ups, and looks at all relations
//! that still stand: one that is false somewhere is refuted; of the others, the inputs on which they come nearest to
//! being false are where the next rounds begin. Steps of all sizes along one number or element lead from there;
//! every few rounds go to inputs that take rare branches, and to fresh ones. Whoever gets no nearer for long begins anew.
//! Effort is counted in calls; what is found depends on the seed and on the effort, not on threads.

use std::collections::HashSet;

use genmorph_jit::{Evaluator, Node, Policy, Predicate};

use super::distance::to_false;
use super::fresh;
use super::moves::Moves;
use super::trial::{Ground, Pair, Trial, Watched, owned};
use crate::inputs::{Row, key};
use crate::subject::{Inputs, MachineFailure};
use crate::support::seed::{Rng, Seed};

/// The most inputs of a round.
const BATCH: usize = 1_024;
/// The fewest: where calls are dear, rounds are small.
const SMALLEST: usize = 64;
/// Relations that are worked on in a round.
const TARGETS: usize = 4;
/// How many of the nearest inputs are remembered for a relation.
const NEAREST: usize = 8;
/// Rounds without coming nearer before a relation is begun anew. A guess.
const PATIENCE: u32 = 10;
/// Every so many rounds branches are watched, and inputs come from anywhere.
const EXPLORED: u64 = 4;
/// Inputs that are remembered for each side of a branch.
const BY_SIDE: usize = 4;
/// Inputs that are known to have been tried, at most; then they are forgotten.
const REMEMBERED: usize = 1 << 20;
/// Calls that are made for each relation however late it is: without any hunt, too little speaks for it. A guess; relations of
/// real numbers with `!=` took 4,000 to 8,000.
const LEAST: usize = 8_000;
/// Counterexamples that are told of a relation, at most.
const TOLD: usize = 12;

/// Inputs by the branches that they take, and which sides were taken at all.
#[derive(Clone, Debug, Default)]
pub(super) struct Terrain {
    /// For each side, by its number: how many inputs took it, and some of them.
    sides: Vec<(u64, Vec<Row>)>,
}

/// What a hunt came to.
#[derive(Clone, Debug)]
pub(super) struct Hunted {
    /// For each relation: pairs on which it is false, if there are any.
    pub(super) counterexamples: Vec<Vec<Pair>>,
    /// For each relation: on how many pairs it was tried.
    pub(super) pairs: Vec<usize>,
}

/// What inputs are made from.
pub(super) struct Means<'h> {
    pub(super) ground: &'h Ground<'h>,
    /// Inputs that are known to be interesting.
    pub(super) seen: &'h Inputs,
    pub(super) seed: Seed,
    /// How many calls may be made; dear ones count for several.
    pub(super) effort: usize,
    /// Whether to stop; asked between rounds, but for the first few.
    pub(super) stop: &'h dyn Fn() -> bool,
}

/// A relation that is hunted.
#[derive(Debug, Default)]
struct Target {
    /// The inputs on which it came nearest to being false, nearest first.
    nearest: Vec<(f64, Row)>,
    coordinate: usize,
    stale: u32,
}

impl Terrain {
    /// How many sides of branches were taken.
    pub(super) fn covered(&self) -> usize {
        self.sides.iter().filter(|(taken, _)| *taken > 0).count()
    }

    fn note(&mut self, rows: &[Row], hits: &[Vec<bool>]) {
        for (row, hits) in rows.iter().zip(hits) {
            self.sides.resize_with(self.sides.len().max(hits.len()), Default::default);
            for ((taken, some), _) in self.sides.iter_mut().zip(hits).filter(|(_, hit)| **hit) {
                *taken += 1;
                // Of many, a few that come at longer and longer intervals.
                let place = some.len();
                if place < BY_SIDE {
                    some.push(row.clone());
                } else if taken.is_power_of_two() {
                    some[taken.trailing_zeros() as usize % BY_SIDE] = row.clone();
                }
            }
        }
    }

    /// An input: any side is as likely as any other, so that rare ones come often.
    fn row(&self, rng: &mut Rng) -> Option<&Row> {
        let taken: Vec<&Vec<Row>> =
            self.sides.iter().map(|(_, rows)| rows).filter(|rows| !rows.is_empty()).collect();
        if taken.is_empty() {
            return None;
        }
        let rows = taken[rng.below(taken.len())];
        Some(&rows[rng.below(rows.len())])
    }
}

impl Target {
    fn offer(&mut self, distance: f64, row: &Row) {
        let full = self.nearest.len() == NEAREST;
        // On a plateau newer ones take the place of older ones, so that the search drifts.
        if full && self.nearest[NEAREST - 1].0 < distance {
            return;
        }
        let nearest = self.nearest.first().map_or(f64::INFINITY, |first| first.0);
        let place = self.nearest.partition_point(|(other, _)| *other < distance);
        if full {
            self.nearest.pop();
        }
        self.nearest.insert(place, (distance, row.clone()));
        if distance < nearest {
            self.stale = 0;
        }
    }

    /// Inputs a step from the nearest, at most so many.
    fn steps(&mut self, moves: &Moves<'_>, count: usize, rng: &mut Rng, rows: &mut Vec<Row>) {
        let known = self.nearest.len();
        if known == 0 {
            return;
        }
        let end = rows.len() + count;
        // The nearest most of the time, sometimes one of the others.
        let pick = if rng.chance(0.7) { 0 } else { rng.below(known) };
        let from = self.nearest[pick].1.clone();
        for _ in 0..from.len() {
            rows.extend(moves.probes(&from, self.coordinate, rng));
            self.coordinate += 1;
            if rows.len() + count / 3 > end {
                break;
            }
        }
        rows.truncate(end);
        while rows.len() < end {
            let (row, mate) = (rng.below(known), rng.below(known));
            rows.push(moves.vary(&self.nearest[row].1, &self.nearest[mate].1, rng));
        }
        self.stale += 1;
        if self.stale > PATIENCE {
            *self = Target { coordinate: self.coordinate, ..Target::default() };
        }
    }
}

/// Hunts for counterexamples of all relations at once: a call is dear, a relation is cheap.
///
/// # Errors
/// When the machine fails.
pub(super) fn hunt(
    means: &Means<'_>,
    terrain: &mut Terrain,
    relations: &[Predicate],
) -> Result<Hunted, MachineFailure> {
    let Means { ground, seed, effort, stop, .. } = *means;
    let signature = ground.subject.signature();
    let moves = Moves::new(signature, ground.subject.constants(), &constants(relations));
    let mut evaluator = Evaluator::new(Policy::Auto);
    let mut targets: Vec<Target> = relations.iter().map(|_| Target::default()).collect();
    let mut hunted = Hunted {
        counterexamples: vec![Vec::new(); relations.len()],
        pairs: vec![0; relations.len()],
    };
    let mut tried: HashSet<u64> = HashSet::new();
    let (mut spent, mut batch, mut idle) = (0, BATCH, 0);
    for round in 0.. {
        let standing: Vec<usize> =
            (0..relations.len()).filter(|&r| hunted.counterexamples[r].is_empty()).collect();
        let least = LEAST * standing.len();
        // Nothing new for many rounds: there are hardly any other inputs.
        if standing.is_empty()
            || spent >= effort
            || idle > 3 * EXPLORED
            || (spent >= least && stop())
        {
            break;
        }
        let mut rng = seed.stream("hunt").at(round).rng();
        let explored = round % EXPLORED == 0;
        let mut rows: Vec<Row> = Vec::with_capacity(batch);
        if !explored {
            let turn = (round / EXPLORED * (EXPLORED - 1) + round % EXPLORED) as usize;
            let worked_on = TARGETS.min(standing.len());
            let share = batch * 7 / 8 / worked_on;
            for i in 0..worked_on {
                let target = standing[(turn * worked_on + i) % standing.len()];
                targets[target].steps(&moves, share, &mut rng, &mut rows);
            }
        }
        let others = batch.saturating_sub(rows.len());
        let fresh = others.div_ceil(2);
        let drawn = draw(means, round, fresh, &mut rng);
        for i in 0..others - fresh {
            let mate = &drawn[i % drawn.len()];
            let row = terrain.row(&mut rng).unwrap_or(mate);
            rows.push(moves.vary(row, mate, &mut rng));
        }
        rows.extend(drawn);
        if tried.len() > REMEMBERED {
            tried.clear();
        }
        rows.retain(|row| tried.insert(key(row)));
        idle = if rows.len() < batch / 64 { idle + 1 } else { 0 };
        if rows.is_empty() {
            continue;
        }
        let watched = if explored { Watched::Yes } else { Watched::No };
        let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
        let trial = ground.run(&inputs, watched)?;
        spent += trial.effort;
        batch = (2 * BATCH * rows.len() / trial.effort.max(1)).clamp(SMALLEST, BATCH);
        terrain.note(&rows, &trial.hits);
        let Some(table) = trial.table(ground) else { continue };
        for r in standing {
            let mask = evaluator.mask(&relations[r], &table);
            hunted.pairs[r] += trial.rows();
            let wrong = mask.iter().enumerate().filter(|(_, holds)| !holds);
            hunted.counterexamples[r] =
                wrong.take(TOLD).map(|(row, _)| ground.pair(&trial, row)).collect();
            if hunted.counterexamples[r].is_empty() {
                guide(&mut targets[r], &relations[r], &trial, &rows, ground);
            }
        }
    }
    Ok(hunted)
}

/// Remembers where a relation came nearest to being false.
fn guide(
    target: &mut Target,
    relation: &Predicate,
    trial: &Trial,
    rows: &[Row],
    ground: &Ground<'_>,
) {
    for (place, &source) in trial.sources.iter().enumerate() {
        let distance = to_false(relation, trial, place, &ground.tolerance);
        target.offer(distance, &rows[source]);
    }
}

/// Fresh inputs, and some that were seen; the first round is theirs.
fn draw(means: &Means<'_>, round: u64, count: usize, rng: &mut Rng) -> Vec<Row> {
    let Means { ground, seen, seed, .. } = means;
    let other = Seed(seed.stream("hunt fresh").at(round).rng().next());
    let signature = ground.subject.signature();
    let drawn = fresh::inputs(signature, ground.subject.constants(), seen, other, count);
    let row = |i: usize| -> Row {
        if !seen.is_empty() && (round == 0 || i.is_multiple_of(8)) {
            seen.row(rng.below(seen.len())).map(owned).collect()
        } else {
            drawn.row(i).map(owned).collect()
        }
    };
    (0..count).map(row).collect()
}

/// The numbers that relations name.
fn constants(relations: &[Predicate]) -> Vec<f64> {
    let mut numbers: Vec<f64> = Vec::new();
    for node in relations.iter().flat_map(|relation| relation.nodes()) {
        if let Node::Num(number) = node
            && !numbers.contains(number)
            && numbers.len() < 64
        {
            numbers.push(*number);
        }
    }
    numbers
}
