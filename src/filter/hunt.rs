//! The hunt: a search for a pair of executions on which a relation is false.
//!
//! Works in rounds. A round makes a batch of inputs, runs them with their follow-ups, and looks at all relations
//! that still stand: one that is false somewhere is refuted; of the others, the inputs on which they come nearest to
//! being false are where the next rounds begin. Steps of all sizes along one number or element lead from there, and paths on which
//! the sides of a comparison change places are cut ever shorter (`crossing`); every few rounds go to inputs that take rare branches, and to fresh ones. Whoever gets no nearer for long begins anew.
//! Effort is counted in calls; what is found depends on the seed and on the effort, not on threads.

use std::collections::HashSet;
use std::ops::Range;

use genmorph_jit::engine::scalar;
use genmorph_jit::{Class, Evaluator, Node, Policy, Predicate, Tolerance, Value, subtree};

use super::crossing::Crossing;
use super::distance::to_false;
use super::fresh;
use super::moves::Moves;
use super::trial::{Ground, Pair, Trial, Watched, owned};
use crate::inputs::{Row, key};
use crate::subject::{Inputs, MachineFailure, Signature};
use crate::support::seed::{Rng, Seed};

/// The most inputs of a round.
const BATCH: usize = 1_024;
/// The fewest: where calls are dear, rounds are small.
const SMALLEST: usize = 64;
/// Relations that are worked on in a round.
const TARGETS: usize = 4;
/// How many of the nearest inputs are remembered for a relation.
const NEAREST: usize = 8;
/// Sizes of inputs of which the nearest is remembered.
const NICHES: usize = 10;
/// Rounds without coming nearer before a relation is begun anew. A guess.
const PATIENCE: u32 = 10;
/// One round more for this many places of the input. A guess.
const PLACES: usize = 8;
/// In one of this many rounds branches are watched, and inputs come from anywhere.
const EXPLORED: u64 = 4;
/// Inputs that are remembered for each side of a branch.
const BY_SIDE: usize = 4;
/// Inputs that are known to have been tried, at most; then they are forgotten.
const REMEMBERED: usize = 1 << 20;
/// The fewest calls for each relation. A guess; relations of real numbers with `!=` took 4,000 to 8,000.
pub(super) const LEAST: usize = 8_000;
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
    /// For each relation: whether it says of two numbers that they differ, although they may well meet.
    pub(super) are_open: Vec<bool>,
    /// Whether time ran out.
    pub(super) is_cut: bool,
}

/// What inputs are made from.
pub(super) struct Means<'h> {
    pub(super) ground: &'h Ground<'h>,
    /// Inputs that are known to be interesting.
    pub(super) seen: &'h Inputs,
    pub(super) seed: Seed,
    /// How many calls may be made; dear ones count for several.
    pub(super) effort: usize,
    /// Calls for each relation, at least.
    pub(super) least: usize,
    /// Whether to stop; asked between rounds.
    pub(super) stop: &'h dyn Fn() -> bool,
}

/// A relation that is hunted.
#[derive(Debug)]
struct Target {
    /// The inputs on which it came nearest to being false, nearest first.
    nearest: Vec<(f64, Row)>,
    /// The nearest input of each size: where small inputs are near and large ones are false, the way leads through large ones.
    niches: Vec<Option<(f64, Row)>>,
    crossings: Vec<Crossing>,
    /// The sequences that the relation computes on the nearest input.
    computed: Vec<Vec<f64>>,
    coordinate: usize,
    stale: u32,
}

/// The niche of an input: by the length of its sequences, or the magnitude of its greatest number.
fn niche(row: &Row) -> usize {
    let size = |value: &Value<'_>| match value {
        Value::Seq(elements) => Some(elements.len()),
        Value::Num(_) | Value::Bool(_) => None,
    };
    let bits = match row.iter().filter_map(size).reduce(|a, b| a + b) {
        Some(length) => length.checked_ilog2().map_or(0, |bits| 1 + bits as usize),
        None => {
            let greatest = row.iter().fold(0.0_f64, |most, value| match value {
                Value::Num(number) => most.max(number.abs()),
                Value::Seq(_) | Value::Bool(_) => most,
            });
            (greatest.log2() / 8.0 + 2.0).clamp(0.0, 1e3) as usize
        }
    };
    bits.min(NICHES - 1)
}

/// Cuts of a path that a round tries: of which target, of which of its crossings, and the rows.
struct Cut {
    target: usize,
    crossing: usize,
    rows: Range<usize>,
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
    fn new(relation: &Predicate) -> Target {
        Target {
            nearest: Vec::new(),
            niches: vec![None; NICHES],
            crossings: Crossing::all(relation),
            computed: Vec::new(),
            coordinate: 0,
            stale: 0,
        }
    }

    /// Remembers a row by how near the relation is to being false there; whether it is the nearest of all.
    fn offer(&mut self, distance: f64, row: &Row) -> bool {
        let niche = &mut self.niches[niche(row)];
        if niche.as_ref().is_none_or(|(known, _)| distance <= *known) {
            *niche = Some((distance, row.clone()));
        }
        let full = self.nearest.len() == NEAREST;
        // On a plateau newer ones take the place of older ones, so that the search drifts.
        if full && self.nearest[NEAREST - 1].0 < distance {
            return false;
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
        place == 0
    }

    /// Adds at most `count` inputs that are a step away from the nearest ones.
    fn steps(&mut self, moves: &Moves<'_>, count: usize, rng: &mut Rng, rows: &mut Vec<Row>) {
        let known = self.nearest.len();
        if known == 0 {
            return;
        }
        let end = rows.len() + count;
        // The nearest most of the time, sometimes one of the others, or the nearest of another size.
        let from = match rng.below(10) {
            0..5 => &self.nearest[0].1,
            5..7 => &self.nearest[rng.below(known)].1,
            _ => {
                let niches: Vec<&Row> = self.niches.iter().flatten().map(|(_, row)| row).collect();
                niches[rng.below(niches.len())]
            }
        };
        let from = from.clone();
        for _ in 0..from.len() {
            rows.extend(moves.probes(&from, self.coordinate, &self.computed, rng));
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
        // A long sequence has many places that have to be tried.
        let places: usize = from
            .iter()
            .map(|value| match value {
                Value::Seq(elements) => elements.len(),
                Value::Num(_) | Value::Bool(_) => 1,
            })
            .sum();
        if self.stale > PATIENCE + (places / PLACES) as u32 {
            self.nearest.clear();
            self.niches.fill(None);
            self.stale = 0;
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
    let Means { ground, seed, effort, least, stop, .. } = *means;
    let signature = ground.subject.signature();
    let moves = Moves::new(signature, ground.subject.constants(), &constants(relations));
    let mut evaluator = Evaluator::new(Policy::Auto);
    let mut targets: Vec<Target> = relations.iter().map(Target::new).collect();
    let mut hunted = Hunted {
        counterexamples: vec![Vec::new(); relations.len()],
        pairs: vec![0; relations.len()],
        are_open: Vec::new(),
        is_cut: false,
    };
    let effort = effort.max(least * relations.len());
    let mut tried: HashSet<u64> = HashSet::new();
    let (mut spent, mut batch, mut idle) = (0, BATCH, 0);
    for round in 0.. {
        let standing: Vec<usize> =
            (0..relations.len()).filter(|&r| hunted.counterexamples[r].is_empty()).collect();
        // Nothing new for many rounds: there are hardly any other inputs.
        if standing.is_empty() || spent >= effort || idle > 3 * EXPLORED {
            break;
        }
        if stop() || ground.subject.deadline().is_over() {
            hunted.is_cut = true;
            break;
        }
        let mut rng = seed.stream("hunt").at(round).rng();
        let explored = round % EXPLORED == 0;
        let mut rows: Vec<Row> = Vec::with_capacity(batch);
        let cuts = cut(&mut targets, &standing, (round, batch), signature, &mut rng, &mut rows);
        let of_cuts = rows.len();
        if !explored {
            let turn = (round / EXPLORED * (EXPLORED - 1) + round % EXPLORED) as usize;
            let worked_on = TARGETS.min(standing.len());
            let share = (batch * 7 / 8).saturating_sub(rows.len()) / worked_on;
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
        let mut place = 0;
        rows.retain(|row| {
            place += 1;
            // What is cut out of paths stays together.
            tried.insert(key(row)) || place <= of_cuts
        });
        idle = if rows.len() < batch / 64 { idle + 1 } else { 0 };
        if rows.is_empty() {
            continue;
        }
        let watched = if explored { Watched::Yes } else { Watched::No };
        let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
        let trial = ground.run(&inputs, watched)?;
        spent += trial.effort;
        hunted.is_cut |= trial.is_cut;
        batch = (2 * BATCH * rows.len() / trial.effort.max(1)).clamp(SMALLEST, BATCH);
        terrain.note(&rows, &trial.hits);
        follow(&mut targets, relations, &cuts, &rows, &trial, &ground.tolerance);
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
    hunted.are_open =
        targets.iter().map(|target| target.crossings.iter().any(Crossing::is_open)).collect();
    Ok(hunted)
}

/// Cuts the paths of all relations that have one, in turns if there is no room for all; at most a quarter of a round.
fn cut(
    targets: &mut [Target],
    standing: &[usize],
    (round, batch): (u64, usize),
    signature: &Signature,
    rng: &mut Rng,
    rows: &mut Vec<Row>,
) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for i in 0..standing.len() {
        let target = standing[(i + 7 * round as usize) % standing.len()];
        for (crossing, path) in targets[target].crossings.iter_mut().enumerate() {
            if rows.len() > batch / 4 {
                return cuts;
            }
            let start = rows.len();
            rows.extend(path.cuts(&signature.parameters, rng));
            cuts.push(Cut { target, crossing, rows: start..rows.len() });
        }
    }
    cuts
}

/// Goes on with the pieces of paths on which sides change places.
fn follow(
    targets: &mut [Target],
    relations: &[Predicate],
    cuts: &[Cut],
    rows: &[Row],
    trial: &Trial,
    tolerance: &Tolerance,
) {
    for cut in cuts {
        let from = trial.sources.partition_point(|&source| source < cut.rows.start);
        let places = from..trial.sources.partition_point(|&source| source < cut.rows.end);
        let tried: Vec<(usize, &Row)> =
            places.map(|place| (place, &rows[trial.sources[place]])).collect();
        let crossing = &mut targets[cut.target].crossings[cut.crossing];
        crossing.follow(&relations[cut.target], trial, &tried, tolerance);
    }
}

/// The sequences that a relation computes on a row: what an input may have to be like.
fn computed(
    relation: &Predicate,
    trial: &Trial,
    place: usize,
    tolerance: &Tolerance,
) -> Vec<Vec<f64>> {
    let nodes = relation.nodes();
    let mut sequences = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Node::Op(op) = node
            && let Class::Sequence(_) = op.class()
        {
            let part = &nodes[subtree(nodes, at)];
            let value = scalar::value(part, tolerance, |var| trial.value(var, place));
            if let Value::Seq(elements) = value {
                sequences.push(elements.into_owned());
            }
        }
    }
    sequences
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
        if target.offer(distance, &rows[source]) {
            target.computed = computed(relation, trial, place, &ground.tolerance);
        }
        for crossing in &mut target.crossings {
            crossing.note(relation, (trial, place), &rows[source], &ground.tolerance);
        }
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
