//! Relations in, scores out, on the tier and the threads that were asked for.
//!
//! Neither can change a score: all tiers give the same bits.

use std::sync::{Arc, Mutex, PoisonError};

use genmorph_jit::{
    Batch, Counters, DEFAULT_MEMORY, Evaluator, Mask, Policy, Predicate, Threads, Tier,
};

use super::EvolveError;
use super::grammar::Grammar;
use super::rows::Rows;
use super::score::Score;
use crate::support::threads::Jobs;

/// What a search runs on. Nothing of it changes what is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// Threads; 0 is one per processor.
    pub jobs: usize,
    /// Which tier evaluates. Bytecode, the default, shares work among the relations of a population.
    pub policy: Policy,
}

/// Relations per task of a thread.
const CHUNK: usize = 64;
/// What a batch may remember, at most: with it, two populations of 100,000 stay well below 2 GiB.
const MOST_MEMORY: usize = 768 << 20;

/// Scores relations on the rows of a search.
#[derive(Debug)]
pub(crate) struct Scorer {
    pub(crate) machine: Machine,
    pub(crate) rows: Rows,
    pub(crate) pool: Arc<Jobs>,
    engine: Engine,
    mask: Mask,
    samplers: Mutex<Vec<Evaluator>>,
}

/// The part of the core that counts rows.
#[derive(Debug)]
enum Engine {
    /// All relations at once: terms that several have are evaluated once.
    Batch(Box<Batch>),
    /// Each relation on its own, by the tier that the user asked for.
    Each(Policy, Mutex<Vec<Evaluator>>),
}

/// Relations whose counts are weighed at a time: fewer are done before another thread is awake.
const WEIGHED: usize = 1 << 14;

impl Scorer {
    pub(crate) fn new(
        rows: Rows,
        machine: Machine,
        population: usize,
    ) -> Result<Scorer, EvolveError> {
        let engine = match machine.policy {
            Policy::Auto | Policy::Only(Tier::Bytecode) => {
                let memory = (DEFAULT_MEMORY * population.div_ceil(1_000))
                    .clamp(DEFAULT_MEMORY, MOST_MEMORY);
                Engine::Batch(Box::new(Batch::new(Arc::clone(&rows.table), memory)))
            }
            Policy::Only(Tier::Reference | Tier::Native) => {
                Engine::Each(machine.policy, Mutex::default())
            }
        };
        let mask = Mask::empty(rows.table.layout());
        let pool =
            Jobs::new(machine.jobs).map_err(|error| EvolveError::Threads(error.to_string()))?;
        Ok(Scorer { machine, rows, pool: Arc::new(pool), engine, mask, samplers: Mutex::default() })
    }

    /// The scores of relations, in their order.
    pub(crate) fn scores(&mut self, relations: &[Predicate], grammar: &Grammar) -> Vec<Score> {
        let groups = self.rows.table.layout().groups().len();
        let each;
        let counts: &[u32] = match &mut self.engine {
            Engine::Batch(batch) => batch.counts(relations, &*self.pool),
            Engine::Each(policy, evaluators) => {
                each = count_each(*policy, evaluators, relations, &self.rows, &self.pool);
                &each
            }
        };
        let items: Vec<(&Predicate, &[u32])> =
            relations.iter().zip(counts.chunks(groups)).collect();
        let rows = &self.rows;
        self.pool.map(
            &items,
            WEIGHED,
            || (),
            |(), (relation, counts)| {
                let (fp, fn_, missed) = rows.weigh(counts);
                let related = grammar.relates_outputs(relation.nodes());
                Score { fp, fn_, missed, size: relation.size() as u16, related }
            },
        )
    }

    /// Where a relation holds.
    pub(crate) fn mask(&mut self, relation: &Predicate) -> (&Rows, &Mask) {
        match &mut self.engine {
            Engine::Batch(batch) => batch.mask_into(relation, &mut self.mask),
            Engine::Each(policy, evaluators) => {
                let mut evaluator =
                    lock(evaluators).pop().unwrap_or_else(|| Evaluator::new(*policy));
                evaluator.mask_into(relation, &self.rows.table, &mut self.mask);
                lock(evaluators).push(evaluator);
            }
        }
        (&self.rows, &self.mask)
    }

    /// Where relations are right on the sampled rows, one list of words after the other.
    pub(crate) fn right_on_sample(&self, relations: &[&Predicate]) -> Vec<u64> {
        let layout = self.rows.sample.layout();
        let words = layout.words();
        let mut tasks: Vec<(&[&Predicate], Vec<u64>)> = relations
            .chunks(CHUNK)
            .map(|relations| (relations, Vec::with_capacity(relations.len() * words)))
            .collect();
        // Right is: holds on a correct row, does not on an incorrect one.
        let first_incorrect = layout.groups()[0].words().end;
        self.pool.for_each(&mut tasks, |(relations, right)| {
            let policy = Policy::Only(Tier::Bytecode);
            let mut evaluator =
                lock(&self.samplers).pop().unwrap_or_else(|| Evaluator::new(policy));
            let mut mask = Mask::empty(layout);
            for relation in *relations {
                evaluator.mask_into(relation, &self.rows.sample, &mut mask);
                right.extend_from_slice(&mask.words()[..first_incorrect]);
                right.extend(mask.words()[first_incorrect..].iter().map(|word| !word));
            }
            lock(&self.samplers).push(evaluator);
        });
        tasks.into_iter().flat_map(|(_, right)| right).collect()
    }

    /// What the engine has done so far.
    pub(crate) fn counters(&self) -> Counters {
        match &self.engine {
            Engine::Batch(batch) => batch.counters(),
            Engine::Each(_, evaluators) => {
                let mut all = Counters::default();
                for evaluator in lock(evaluators).iter() {
                    all += evaluator.counters();
                }
                all
            }
        }
    }
}

/// The counts of relations, one evaluator per thread.
fn count_each(
    policy: Policy,
    evaluators: &Mutex<Vec<Evaluator>>,
    relations: &[Predicate],
    rows: &Rows,
    pool: &Jobs,
) -> Vec<u32> {
    let mut tasks: Vec<(&[Predicate], Vec<u32>)> =
        relations.chunks(CHUNK).map(|relations| (relations, Vec::new())).collect();
    pool.for_each(&mut tasks, |(relations, all)| {
        let mut evaluator = lock(evaluators).pop().unwrap_or_else(|| Evaluator::new(policy));
        let mut counts = Vec::new();
        for relation in *relations {
            evaluator.counts(relation, &rows.table, &mut counts);
            all.extend_from_slice(&counts);
        }
        lock(evaluators).push(evaluator);
    });
    tasks.into_iter().flat_map(|(_, counts)| counts).collect()
}

/// The lock of a list: a panic elsewhere cannot have left it half-changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
