//! Filtering, step 6: what a search took to be true must hold on fresh inputs, and withstand a hunt.
//!
//! Fresh inputs come from a generator of its own, so that what the search never saw is met here; a domain that is small enough
//! is gone through as a whole. The hunt looks for inputs on which a relation comes ever nearer to being false. What is refuted is
//! shrunk to a simplest counterexample. Knows nothing of how relations are found, and no clock: effort is counted in pairs and calls,
//! and whoever has a clock says when to stop.
//!
//! ```text
//!  fresh │ whole ─► trial ─► core ─► verdict          hunt: moves ─► trial ─► core ─► verdict
//!                                       │                     ▲                │
//!                               shrink ◄┘                     └── distance ◄───┘
//! ```

mod crossing;
mod distance;
mod drawn;
pub mod drift;
mod evidence;
pub mod fresh;
mod hunt;
mod moves;
pub mod recheck;
mod shrink;
mod trial;
mod tried;
mod whole;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use genmorph_jit::{Evaluator, Policy, Predicate, Table, Tolerance, Var};

pub use self::drawn::Drawn;
pub use self::trial::Pair;

use self::hunt::{Means, Terrain};
use self::trial::{Ground, Watched};
use self::whole::Whole;
use crate::inputs::key;
use crate::record::search::TriedInput;
use crate::subject::{Inputs, MachineFailure, Outcomes, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;
use crate::transform::Transform;

/// Inputs of the first block; the next ones are as large as their calls are cheap.
const FIRST: usize = 1 << 11;
/// The most inputs of a block.
const BLOCK: usize = 1 << 14;
/// The fewest inputs of a block.
const SMALLEST: usize = 1 << 6;
/// What the calls of a block may cost, about.
const EFFORT: usize = 1 << 15;
/// What is spent on fresh pairs however late it is, unless calls are dear.
const SPENT: usize = 3 * Verdict::LEAST;
/// Inputs that are drawn for each pair that is asked for, at most: most inputs of some functions have no follow-up,
/// or make the function fail.
const TRIES: usize = 3;
/// When fewer than one in this many inputs of a block are new, no further ones are drawn.
const EXHAUSTED: usize = 50;
/// Counterexamples of a relation that are reported, at most.
const COUNTEREXAMPLES: usize = 12;
/// Numbers in all blocks that are kept for the next judgement, at most: 64 MiB. Later blocks are made anew.
const KEPT: usize = 1 << 23;
/// Inputs that are known to have been drawn, at most.
const KNOWN: usize = 1 << 21;
/// A domain is gone through as a whole if it has at most this many times the inputs that pairs are asked for.
const WHOLE: usize = 4;

/// Pairs of inputs of one transformation, and what the function does on them.
pub struct Filter<'s> {
    ground: Ground<'s>,
    seen: &'s Inputs,
    seed: Seed,
    /// Fresh inputs that other filters have drawn, too.
    drawn: Arc<Drawn>,
    /// All inputs, if there are few.
    whole: Option<Whole>,
    /// The blocks that were drawn, in order.
    blocks: Vec<Block>,
    /// The pairs of the first ones; nothing for one without pairs.
    kept: Vec<Option<Arc<Table>>>,
    /// What each block was: the values of its inputs, and how many pairs it left out because of an output beyond 2^53.
    known_of: Vec<Option<(Vec<TriedInput>, usize)>>,
    /// How many numbers these are.
    numbers: usize,
    /// Source inputs of blocks that are kept: the function is pure, so once is enough.
    known: HashSet<u64>,
    /// There is hardly anything left to draw.
    is_exhausted: bool,
    /// Counterexamples: whatever is judged later is tried on them first.
    lessons: Vec<Pair>,
    terrain: Terrain,
    /// How many hunts there were.
    hunts: u64,
    /// How many inputs the next block has.
    next: usize,
    /// What all blocks cost.
    spent: usize,
}

/// Inputs that are drawn together.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// How many inputs were drawn before.
    start: usize,
    rows: usize,
}

/// Who found a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The trial on fresh inputs.
    Fresh,
    /// The hunt for counterexamples.
    Hunt,
}

impl By {
    /// Its name, in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            By::Fresh => "fresh",
            By::Hunt => "hunt",
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What became of a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The fresh pairs on which it was tried.
    pub tried: usize,
    /// As many fresh pairs as are enough.
    pub enough: usize,
    /// The pairs of the hunt.
    pub hunted: usize,
    /// Whether there are hardly any other inputs than those it was tried on.
    pub is_exhausted: bool,
    /// Pairs on which it is false; a few of them.
    pub counterexamples: Vec<Pair>,
    /// Which step found the counterexamples; `None` if there are none.
    pub by: Option<By>,
    /// The values that the inputs of the fresh pairs had.
    pub domain: Vec<TriedInput>,
    /// Whether time ran out before the whole effort was made.
    pub is_cut: bool,
    /// Whether it says that two numbers differ, of which now one is greater, now the other, and which hardly ever come near each
    /// other: that they never meet is not known then.
    pub is_open: bool,
}

impl Verdict {
    /// With fewer fresh pairs a relation is not trusted, unless there are no more, or fewer were asked for: 0 failures in 10,000
    /// pairs say that with 95 % confidence it fails on at most 3 in 10,000.
    pub const LEAST: usize = 10_000;

    /// Of a relation that was not tried at all.
    pub(crate) const UNTRIED: Verdict = Verdict {
        tried: 0,
        enough: Verdict::LEAST,
        hunted: 0,
        is_exhausted: false,
        counterexamples: Vec::new(),
        by: None,
        domain: Vec::new(),
        is_cut: false,
        is_open: false,
    };

    /// Whether nothing speaks against the relation, and enough for it.
    pub fn stands(&self) -> bool {
        let enough =
            self.is_exhausted || (self.tried >= self.enough && !self.is_cut && !self.is_open);
        !self.is_refuted() && enough && self.tried > 0
    }

    /// Whether nothing speaks against the relation, and too little for it.
    pub fn is_doubtful(&self) -> bool {
        !self.is_refuted() && !self.stands()
    }

    /// Whether there is a counterexample.
    pub fn is_refuted(&self) -> bool {
        !self.counterexamples.is_empty()
    }

    /// The share of fresh pairs on which a relation without counterexamples may fail after all, with 95 % confidence: the rule
    /// of three. What the hunt tried was not drawn by chance, and does not count.
    pub fn bound(&self) -> f64 {
        if self.tried == 0 { 1.0 } else { (3.0 / self.tried as f64).min(1.0) }
    }

    /// Takes in what another judge found.
    pub fn and(mut self, other: Verdict) -> Verdict {
        self.tried += other.tried;
        self.enough = self.enough.min(other.enough);
        self.hunted += other.hunted;
        self.is_exhausted |= other.is_exhausted;
        self.is_cut |= other.is_cut;
        self.is_open |= other.is_open;
        tried::merge(&mut self.domain, &other.domain);
        if !self.is_refuted() {
            (self.counterexamples, self.by) = (other.counterexamples, other.by);
        }
        self
    }
}

impl<'s> Filter<'s> {
    /// A filter for relations under a transformation. `seen` are inputs that are known to be interesting.
    pub fn new(
        subject: &'s dyn Subject,
        transform: &'s Transform,
        seen: &'s Inputs,
        tolerance: Tolerance,
        seed: Seed,
        jobs: &'s Jobs,
    ) -> Filter<'s> {
        Filter {
            ground: Ground::new(subject, transform, tolerance, jobs),
            seen,
            seed,
            drawn: Arc::default(),
            whole: Whole::of(subject.signature()),
            blocks: Vec::new(),
            kept: Vec::new(),
            known_of: Vec::new(),
            numbers: 0,
            known: HashSet::new(),
            is_exhausted: false,
            lessons: Vec::new(),
            terrain: Terrain::default(),
            hunts: 0,
            next: FIRST,
            spent: 0,
        }
    }

    /// Draws fresh inputs together with other filters of the same function, seen inputs and seed.
    #[must_use]
    pub fn sharing(mut self, drawn: &Arc<Drawn>) -> Filter<'s> {
        self.drawn = Arc::clone(drawn);
        self
    }

    /// Tries relations on at least `pairs` fresh pairs, if there are that many, and on the counterexamples of others; one
    /// that is refuted is tried no further. `stop` is asked between blocks of pairs; verdicts that it cuts short say so.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn judge(
        &mut self,
        relations: &[Predicate],
        pairs: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let mut evaluator = Evaluator::new(Policy::Auto);
        // Of those that are asked for, not all may be had.
        let enough = Verdict::LEAST.min(pairs.div_ceil(TRIES));
        let mut verdicts = vec![Verdict { enough, ..Verdict::UNTRIED }; relations.len()];
        self.recall(relations, &mut verdicts)?;
        let is_whole =
            self.whole.as_ref().is_some_and(|w| w.count() <= WHOLE.saturating_mul(pairs));
        let (mut block, mut seen, mut is_cut) = (0, 0, false);
        let mut domain = Vec::new();
        while seen < pairs || is_whole {
            if verdicts.iter().all(Verdict::is_refuted) {
                break;
            }
            // What is there already costs next to nothing, and a little is always done.
            let is_kept = block < self.kept.len();
            let is_free = is_kept || self.spent < SPENT;
            if !is_free && stop() || !is_kept && self.ground.subject.deadline().is_over() {
                is_cut = true;
                break;
            }
            if block == self.blocks.len() && !self.draw(pairs, is_whole) {
                break;
            }
            let table = self.table(block)?;
            if let Some((tried, _)) = self.known_of.get(block).and_then(Option::as_ref) {
                tried::merge(&mut domain, tried);
            }
            // The time was up in the middle of the block.
            is_cut |= self.blocks.len() == block;
            block += 1;
            let Some(table) = table else { continue };
            seen += table.rows();
            for (relation, verdict) in relations.iter().zip(&mut verdicts) {
                if verdict.is_refuted() {
                    continue;
                }
                let mask = evaluator.mask(relation, &table);
                let wrong = mask.iter().enumerate().filter(|(_, holds)| !holds);
                verdict.tried += table.rows();
                verdict.counterexamples =
                    wrong.take(COUNTEREXAMPLES).map(|(row, _)| self.pair(&table, row)).collect();
                verdict.by = verdict.is_refuted().then_some(By::Fresh);
            }
        }
        let is_exhausted = self.is_exhausted && block == self.blocks.len();
        for verdict in &mut verdicts {
            (verdict.is_exhausted, verdict.is_cut) = (is_exhausted, is_cut);
            verdict.domain.clone_from(&domain);
        }
        Ok(verdicts)
    }

    /// Hunts for counterexamples of relations, with this many calls, and at least 8,000 for each relation; dear ones
    /// count for several. `stop` is asked between rounds of a thousand calls or so; verdicts that it cuts short say so.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn hunt(
        &mut self,
        relations: &[Predicate],
        effort: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        self.hunt_at_least(relations, effort, hunt::LEAST, stop)
    }

    /// The same with this many calls for all relations together: what is false only in few places is not found. For relations that
    /// are going to be hunted with the whole effort.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn hunt_briefly(
        &mut self,
        relations: &[Predicate],
        effort: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        self.hunt_at_least(relations, effort, 0, stop)
    }

    fn hunt_at_least(
        &mut self,
        relations: &[Predicate],
        effort: usize,
        least: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let seed = Seed(self.seed.stream("hunt").at(self.hunts).rng().next());
        self.hunts += 1;
        let means = Means { ground: &self.ground, seen: self.seen, seed, effort, least, stop };
        let hunted = hunt::hunt(&means, &mut self.terrain, relations)?;
        let is_cut = hunted.is_cut;
        let found = hunted.counterexamples.into_iter().zip(hunted.pairs).zip(hunted.are_open);
        let verdict = |((counterexamples, hunted), is_open): ((Vec<Pair>, usize), bool)| {
            let by = (!counterexamples.is_empty()).then_some(By::Hunt);
            Verdict { hunted, counterexamples, by, is_cut, is_open, ..Verdict::UNTRIED }
        };
        let verdicts: Vec<Verdict> = found.map(verdict).collect();
        for verdict in &verdicts {
            self.lessons.extend(verdict.counterexamples.first().cloned());
        }
        Ok(verdicts)
    }

    /// The simplest pair on which a relation is false that can be reached from one on which it is.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn shrink(
        &self,
        relation: &Predicate,
        pair: &Pair,
        stop: &dyn Fn() -> bool,
    ) -> Result<Pair, MachineFailure> {
        shrink::shrink(&self.ground, relation, pair, stop)
    }

    /// How many fresh pairs on which the function returns twice were left out, because an output is a 64-bit integer of 2^53 or
    /// more in magnitude.
    pub fn beyond(&self) -> usize {
        self.known_of.iter().flatten().map(|(_, beyond)| beyond).sum()
    }

    /// How many sides of branches the hunts took, in sources and follow-ups.
    pub fn covered(&self) -> usize {
        self.terrain.covered()
    }

    /// Tries relations on pairs that begin with these source inputs. Who found what they refute is left to the caller.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn judge_on(
        &self,
        relations: &[Predicate],
        sources: &Inputs,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let mut verdicts = vec![Verdict::UNTRIED; relations.len()];
        let trial = self.ground.run(sources, Watched::No)?;
        let Some(table) = trial.into_table(&self.ground) else { return Ok(verdicts) };
        let mut evaluator = Evaluator::new(Policy::Auto);
        for (relation, verdict) in relations.iter().zip(&mut verdicts) {
            let mask = evaluator.mask(relation, &table);
            let wrong = mask.iter().enumerate().filter(|(_, holds)| !holds);
            verdict.tried = table.rows();
            verdict.counterexamples =
                wrong.take(COUNTEREXAMPLES).map(|(row, _)| self.pair(&table, row)).collect();
        }
        Ok(verdicts)
    }

    /// Tries relations on the counterexamples of others.
    fn recall(
        &self,
        relations: &[Predicate],
        verdicts: &mut [Verdict],
    ) -> Result<(), MachineFailure> {
        if self.lessons.is_empty() {
            return Ok(());
        }
        let rows = self.lessons.iter().map(|pair| pair.source.as_slice());
        let sources = Inputs::from_rows(self.ground.subject.signature(), rows);
        for (verdict, known) in verdicts.iter_mut().zip(self.judge_on(relations, &sources)?) {
            verdict.by = known.is_refuted().then_some(By::Hunt);
            verdict.counterexamples = known.counterexamples;
        }
        Ok(())
    }

    /// Plans a further block; false if there are no further inputs.
    fn draw(&mut self, pairs: usize, is_whole: bool) -> bool {
        let start = self.blocks.last().map_or(0, |block| block.start + block.rows);
        let most = TRIES.saturating_mul(pairs).max(FIRST);
        if self.is_exhausted || (start >= most && !is_whole) {
            return false;
        }
        self.blocks.push(Block { start, rows: self.next });
        self.known_of.push(None);
        true
    }

    /// The pairs of a block; nothing if it has none.
    fn table(&mut self, block: usize) -> Result<Option<Arc<Table>>, MachineFailure> {
        if let Some(kept) = self.kept.get(block) {
            return Ok(kept.clone());
        }
        let keeps = self.kept.len() == block && self.numbers < KEPT && self.known.len() < KNOWN;
        let (sources, known) = self.sources(block, keeps)?;
        let trial = self.ground.run_known(&sources, known.as_ref(), Watched::No)?;
        self.spent += trial.effort;
        if trial.is_cut {
            // It is made again, should there be time after all.
            self.blocks.truncate(block);
            self.known_of.truncate(block);
            self.is_exhausted = false;
            return Ok(trial.into_table(&self.ground).map(Arc::new));
        }
        if block + 1 == self.blocks.len() {
            // By what calls cost, which does not depend on the machine.
            let rows = EFFORT * sources.len() / trial.effort.max(1);
            self.next = rows.clamp(SMALLEST, BLOCK).min(8 * self.next);
        }
        let numbers = trial.numbers();
        self.known_of[block] = Some((trial.tried.clone(), trial.beyond));
        let table = trial.into_table(&self.ground).map(Arc::new);
        if keeps {
            self.numbers += numbers;
            self.kept.push(table.clone());
        }
        Ok(table)
    }

    /// The source inputs of a block: those that no block has that is kept, nor the block itself twice; and what the function does on
    /// them, if that is known.
    fn sources(
        &mut self,
        block: usize,
        keeps: bool,
    ) -> Result<(Inputs, Option<Outcomes>), MachineFailure> {
        let Block { start, rows } = self.blocks[block];
        let subject = self.ground.subject;
        let signature = subject.signature();
        if let Some(whole) = &self.whole {
            let sources = whole.inputs(signature, start, rows);
            self.is_exhausted |= start + rows >= whole.count();
            return Ok((sources, None));
        }
        let seed = Seed(self.seed.stream("fresh").at(block as u64).rng().next());
        let places: Vec<usize> = (0..rows.div_ceil(fresh::BATCH)).collect();
        let batch =
            |(): &mut (), &place: &usize| self.drawn.batch(subject, self.seen, (seed, place));
        let batches = self.ground.jobs.try_map(&places, 1, || (), batch)?;
        let mut own = HashSet::new();
        let (mut sources, mut outcomes) = (Inputs::new(signature), Outcomes::new(signature));
        let drawn =
            batches.iter().flat_map(|part| (0..part.inputs.len()).map(move |row| (part, row)));
        for (part, row) in drawn.take(rows) {
            let values = part.row(row);
            let key = key(&values);
            let is_new = if keeps {
                self.known.insert(key)
            } else {
                !self.known.contains(&key) && own.insert(key)
            };
            if is_new {
                sources.push(&values);
                outcomes.push(&part.outcomes, row);
            }
        }
        self.is_exhausted |= sources.len() < rows / EXHAUSTED;
        Ok((sources, Some(outcomes)))
    }

    /// A pair of a table.
    fn pair(&self, table: &Table, row: usize) -> Pair {
        let variables = self.ground.schema.len();
        self.ground.paired((0..variables).map(|var| table.value(Var(var as u16), row)))
    }
}
