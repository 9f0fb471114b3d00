//! A population at once, with the work its members share done once.
//!
//! ```text
//!  relations ─► graph: each thing said once ─► counted before? ── yes ─► counts
//!  (a thread)                                    │ no
//!                                                ▼
//!                                 atoms: known, or a slot each ─► bits of the new ones   (the other threads)
//!                                                │
//!                                                └► logic on words, popcount per group ─► counts   (threads)
//! ```
//! Relations are taken in by one thread, a part of the population at a time, while the others compute the
//! atoms of the part before.
//!
//! In an evolving population most of what relations say has been said before, or is decided by what is
//! known of the columns: of the atoms that crossover makes, more than half hold on all rows or on
//! none. Bits of atoms are kept across batches in bounded memory, and what remains of a relation is a few
//! operations on words of 64 rows. New atoms are computed on one row of every kind that they can tell
//! apart, where that is less work (`digest.rs`). Results are those of evaluating one by one, whatever the
//! order, the memory and the number of threads: only the time differs.

mod codes;
mod digest;
mod graph;
mod intake;
mod known;
mod memo;
mod rules;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::{Arc, Mutex, PoisonError};

use self::digest::Digests;
use self::graph::Ref;
use self::intake::{Intake, Jobs, List};
use self::worker::{Worker, negate};
use crate::engine::Counters;
use crate::engine::kernels::{Isa, Kernels};
use crate::expr::Predicate;
use crate::mask::Mask;
use crate::table::Table;

/// Memory for two populations of 1,000 on the everyday table, with room to spare.
pub const DEFAULT_MEMORY: usize = 64 << 20;

/// How a batch uses threads. The caller brings them: this crate has none of its own.
///
/// ```
/// struct Rayon;
/// # mod rayon { pub mod prelude {} }
/// impl genmorph_jit::Threads for Rayon {
///     fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send) {
///         // items.par_iter_mut().for_each(each)
/// #       items.iter_mut().for_each(each)
///     }
/// }
/// ```
pub trait Threads {
    /// Runs `each` once on every item, in any order, on any number of threads.
    fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send);
}

/// No threads but the caller's.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneThread;

impl Threads for OneThread {
    fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send) {
        items.iter_mut().for_each(each);
    }
}

/// Evaluates populations on one table and remembers what they share.
#[derive(Debug)]
pub struct Batch {
    table: Arc<Table>,
    isa: Isa,
    intake: Intake,
    digests: Digests,
    /// The new atoms of the part that was taken in last.
    running: Jobs,
    counts: Vec<u32>,
    workers: Mutex<Vec<Worker>>,
}

/// Relations that are taken in before anything is computed: few, because other threads sleep through it.
const FIRST_PART: usize = 96;
const MOST_PART: usize = 1 << 14;

/// How much larger each part after that is. Threads have to be woken for each, so that a few are best; but
/// digests are made between parts, and the first batch has none.
const GROWTH: usize = 4;
const FIRST_GROWTH: usize = 2;

/// What a thread does while a batch is evaluated.
enum Work<'a> {
    /// Takes in a part of the population; how many relations it had room for.
    Take(&'a mut Intake, &'a [Predicate], &'a mut usize),
    Run(&'a mut List),
}

impl Batch {
    /// A batch evaluator that remembers at most about `memory` bytes of bits.
    pub fn new(table: Arc<Table>, memory: usize) -> Batch {
        Batch::with_isa(table, memory, Isa::best())
    }

    /// As [`Batch::new`], with an instruction set, or the portable one where this machine lacks it.
    pub fn with_isa(table: Arc<Table>, memory: usize, isa: Isa) -> Batch {
        Batch {
            isa: Kernels::of(isa).isa(),
            intake: Intake::new(&table, memory - memory / 8),
            digests: Digests::new(&table, memory / 8),
            running: Jobs::default(),
            counts: Vec::new(),
            workers: Mutex::new(Vec::new()),
            table,
        }
    }

    /// Looks at as few rows as it can even where that takes longer, for tests.
    #[doc(hidden)]
    pub fn digesting(mut self) -> Batch {
        self.digests.make_all();
        self
    }

    /// What this evaluator has done so far.
    pub fn counters(&self) -> Counters {
        self.intake.counters
    }

    /// The bytes that are held now: of bits, and of what was said.
    pub fn memory(&self) -> usize {
        self.intake.bytes() + self.digests.bytes()
    }

    /// On how many rows each predicate holds: per predicate one count per group of the table.
    ///
    /// # Panics
    /// If a predicate was made for another schema than the table's.
    pub fn counts(&mut self, predicates: &[Predicate], threads: &impl Threads) -> &[u32] {
        self.intake.begin();
        self.intake.counters.evaluations += predicates.len() as u64;
        let is_first = self.intake.counters.memo_misses == 0;
        let growth = if is_first { FIRST_GROWTH } else { GROWTH };
        let (mut rest, mut size) = (predicates, FIRST_PART);
        while !rest.is_empty() {
            let part = &rest[..rest.len().min(size)];
            size = (growth * size).min(MOST_PART);
            let taken = self.run_and_take(part, threads);
            rest = &rest[taken..];
            if taken < part.len() {
                // The slots are full of this batch's own atoms: finish what is queued, and start over.
                self.flush(threads);
                self.intake.memo.tick();
                if self.intake.take(&rest[..1]) == 0 {
                    self.count_alone(&rest[0]);
                }
                rest = &rest[1..];
            }
        }
        self.flush(threads);
        let Batch { table, intake, counts, .. } = &mut *self;
        let groups = table.layout().groups().len();
        counts.clear();
        for &root in &intake.roots {
            let first = intake.verdict(root).expect("every relation that was taken in is counted");
            let start = counts.len();
            counts.extend_from_slice(&intake.counted[first..first + groups]);
            if root.is_negated() {
                negate(&mut counts[start..], table);
            }
        }
        counts
    }

    /// Where a predicate holds, from the remembered atoms as far as they are there.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn mask_into(&mut self, predicate: &Predicate, mask: &mut Mask) {
        // Not a batch of its own: what the last one used is as young as before.
        self.intake.forget_if_full();
        self.intake.counters.evaluations += 1;
        let mut root = self.intake.take_structure(predicate);
        self.run_and_take(&[], &OneThread);
        if root.is_none() {
            self.intake.memo.tick();
            root = self.intake.take_structure(predicate);
            self.run_and_take(&[], &OneThread);
        }
        let mut worker = lock(&self.workers).pop().unwrap_or_default();
        let Batch { table, intake, isa, .. } = &mut *self;
        let kernels = Kernels::of(*isa);
        let skeleton = std::mem::take(intake.only_skeleton());
        mask.fill(table.layout(), |words| {
            let Some(root) = root else {
                return worker.run(predicate.nodes(), table, kernels, words);
            };
            if root.truth() == Ref::TRUE.truth() {
                words.fill(!0);
            } else {
                worker.mask(table, kernels, &skeleton, intake.memo.slots(), words);
            }
            if root.is_negated() {
                words.iter_mut().for_each(|word| *word = !*word);
            }
        });
        *intake.only_skeleton() = skeleton;
        intake.only_skeleton().clear();
        lock(&self.workers).push(worker);
    }

    /// Computes the new atoms that are queued, and takes in more relations meanwhile; how many it took.
    fn run_and_take(&mut self, part: &[Predicate], threads: &impl Threads) -> usize {
        let Batch { table, isa, intake, digests, running, workers, .. } = &mut *self;
        std::mem::swap(running, &mut intake.jobs);
        let lists = running.queued();
        if lists.is_empty() {
            return intake.take(part);
        }
        let kernels = Kernels::of(*isa);
        let mut taken = 0;
        let take = std::iter::once(Work::Take(intake, part, &mut taken));
        let mut work: Vec<Work<'_>> = take.chain(lists.iter_mut().map(Work::Run)).collect();
        threads.for_each(&mut work, |work| match work {
            Work::Take(intake, part, taken) => **taken = intake.take(part),
            Work::Run(list) => {
                let mut worker = lock(workers).pop().unwrap_or_default();
                worker.run_list(list, table, kernels, digests);
                lock(workers).push(worker);
            }
        });
        drop(work);
        intake.put_bits(running, digests);
        taken
    }

    /// Computes everything that is queued.
    fn flush(&mut self, threads: &impl Threads) {
        self.run_and_take(&[], threads);
        let Batch { table, isa, intake, workers, .. } = &mut *self;
        let kernels = Kernels::of(*isa);
        let (tasks, memo) = intake.tasks();
        threads.for_each(tasks, |task| {
            let mut worker = lock(workers).pop().unwrap_or_default();
            worker.run_task(task, table, kernels, memo.slots());
            lock(workers).push(worker);
        });
        intake.put_counts();
    }

    /// Counts a relation that has more atoms than the memo has slots.
    fn count_alone(&mut self, predicate: &Predicate) {
        // Some of its atoms may have got slots before there were none left.
        self.run_and_take(&[], &OneThread);
        let Batch { table, isa, intake, workers, .. } = &mut *self;
        let (verdict, is_negated) = intake.take_alone(predicate);
        let mut worker = lock(workers).pop().unwrap_or_default();
        let kernels = Kernels::of(*isa);
        let layout = table.layout();
        let mut words = vec![0; layout.words()];
        worker.run(predicate.nodes(), table, kernels, &mut words);
        intake.counters.node_rows += (predicate.size() * table.rows()) as u64;
        layout.clear_padding(&mut words);
        let counts = &mut intake.counted[verdict as usize..][..layout.groups().len()];
        for (count, group) in counts.iter_mut().zip(layout.groups()) {
            *count = kernels.count_ones(&words[group.words()]) as u32;
        }
        if is_negated {
            negate(counts, table);
        }
        lock(workers).push(worker);
    }
}

/// The lock of a list: a panic elsewhere cannot have left it half-changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
