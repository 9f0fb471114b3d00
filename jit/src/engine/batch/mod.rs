//! A population at once, with the work its members share done once.
//!
//! ```text
//!  relations ─► graph: each thing said once ─► counted before? ── yes ─► counts
//!                                                │ no
//!                                                ▼
//!                                 atoms: known, or a slot each ─► bits of the new ones   (threads)
//!                                                │
//!                                                └► logic on words, popcount per group ─► counts   (threads)
//! ```
//! In an evolving population most of what relations say has been said before, or is decided by what is
//! known of the columns: of the atoms that crossover makes, more than half hold on all rows or on
//! none. Bits of atoms are kept across batches in bounded memory, and what remains of a relation is a few
//! operations on words of 64 rows. Results are those of evaluating one by one, whatever the order, the
//! memory and the number of threads: only the time differs.

mod graph;
mod known;
mod memo;
mod rules;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::{Arc, Mutex, PoisonError};

use self::graph::{Graph, Ref, Truth};
use self::memo::{Memo, Place};
use self::worker::{Skeleton, Walk, Worker, negate, walk};
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
    graph: Graph,
    /// The most bytes that graph and counts may take.
    most_bytes: usize,
    memo: Memo,
    /// Where the counts of each truth of the graph are, if they are.
    verdicts: Vec<u32>,
    /// Counts of truths, one per group each.
    counted: Vec<u32>,
    jobs: Jobs,
    tasks: Vec<Task>,
    /// The task that takes the next relation.
    open: usize,
    /// What every relation of the batch says.
    roots: Vec<Ref>,
    counts: Vec<u32>,
    pending: Vec<Walk>,
    workers: Mutex<Vec<Worker>>,
    counters: Counters,
}

/// New atoms, in lists that a thread takes at a time.
#[derive(Debug, Default)]
struct Jobs {
    lists: Vec<Vec<Job>>,
    open: usize,
}

/// A new atom: the slot it got, and that slot's bits while they are computed.
#[derive(Debug)]
struct Job {
    atom: u32,
    slot: u32,
    bits: Vec<u64>,
    nodes: usize,
}

/// Relations whose atoms are all there, to be counted.
#[derive(Debug, Default)]
struct Task {
    relations: Vec<Pending>,
    /// The boolean structures of all of them, one after the other.
    skeletons: Vec<Skeleton>,
    counts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    verdict: u32,
    /// Where the structure ends.
    end: u32,
}

/// Relations per task and atoms per list: far more than a lock costs, far less than a thread's share.
const CHUNK: usize = 64;
const LIST: usize = 8;

/// No counts yet.
const NONE: u32 = u32::MAX;

impl Batch {
    /// A batch evaluator that remembers at most about `memory` bytes of bits.
    pub fn new(table: Arc<Table>, memory: usize) -> Batch {
        Batch::with_isa(table, memory, Isa::best())
    }

    /// As [`Batch::new`], with an instruction set, or the portable one where this machine lacks it.
    pub fn with_isa(table: Arc<Table>, memory: usize, isa: Isa) -> Batch {
        // What is said is some hundred bytes a relation, an atom's bits are thousands.
        let most_bytes = memory / 4;
        let mut batch = Batch {
            isa: Kernels::of(isa).isa(),
            graph: Graph::new(&table),
            most_bytes,
            memo: Memo::new(memory - most_bytes, table.layout().words()),
            verdicts: Vec::new(),
            counted: Vec::new(),
            jobs: Jobs::default(),
            tasks: vec![Task::default()],
            open: 0,
            roots: Vec::new(),
            counts: Vec::new(),
            pending: Vec::new(),
            workers: Mutex::new(Vec::new()),
            counters: Counters::default(),
            table,
        };
        batch.forget();
        batch
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// What this evaluator has done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The bytes that are held now: of bits, and of what was said.
    pub fn memory(&self) -> usize {
        self.memo.bytes() + self.said_bytes()
    }

    fn said_bytes(&self) -> usize {
        self.graph.bytes() + (self.verdicts.len() + self.counted.len()) * size_of::<u32>()
    }

    /// On how many rows each predicate holds: per predicate one count per group of the table.
    ///
    /// # Panics
    /// If a predicate was made for another schema than the table's.
    pub fn counts(&mut self, predicates: &[Predicate], threads: &impl Threads) -> &[u32] {
        self.begin();
        self.roots.clear();
        for predicate in predicates {
            self.admit(predicate, threads);
        }
        self.flush(threads);
        self.counters.evaluations += predicates.len() as u64;
        self.counts.clear();
        let groups = self.groups();
        for root in &self.roots {
            let first = self.verdicts[root.truth() as usize] as usize;
            let start = self.counts.len();
            self.counts.extend_from_slice(&self.counted[first..first + groups]);
            if root.is_negated() {
                negate(&mut self.counts[start..], &self.table);
            }
        }
        &self.counts
    }

    /// Where a predicate holds, from the remembered atoms as far as they are there.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn mask_into(&mut self, predicate: &Predicate, mask: &mut Mask) {
        self.begin();
        self.counters.evaluations += 1;
        let root = self.graph.relation(predicate.nodes());
        let placed = root.truth() == Ref::TRUE.truth() || self.place(root);
        self.run_jobs(&OneThread);
        let mut worker = lock(&self.workers).pop().unwrap_or_default();
        mask.fill(self.table.layout(), |words| {
            let kernels = Kernels::of(self.isa);
            if root.truth() == Ref::TRUE.truth() {
                words.fill(!0);
            } else if placed {
                let skeleton = &self.tasks[self.open].skeletons;
                worker.mask(&self.table, kernels, skeleton, self.memo.slots(), words);
            } else {
                return worker.run(predicate.nodes(), &self.table, kernels, words);
            }
            if root.is_negated() {
                words.iter_mut().for_each(|word| *word = !*word);
            }
        });
        lock(&self.workers).push(worker);
        self.tasks[self.open].skeletons.clear();
    }

    fn groups(&self) -> usize {
        self.table.layout().groups().len()
    }

    /// Begins a batch: what was used before may be forgotten from here on.
    fn begin(&mut self) {
        self.memo.tick();
        if self.said_bytes() > self.most_bytes {
            self.forget();
        }
    }

    /// Forgets everything that was said and counted.
    fn forget(&mut self) {
        self.graph.clear();
        self.memo.clear();
        self.verdicts.clear();
        self.counted.clear();
        // What is always true is counted.
        self.verdicts.push(0);
        self.counted.extend(self.table.layout().groups().iter().map(|group| group.rows as u32));
    }

    /// Finds the counts of a relation, or queues what has to be computed for them.
    fn admit(&mut self, predicate: &Predicate, threads: &impl Threads) {
        let root = self.graph.relation(predicate.nodes());
        self.roots.push(root);
        let truth = root.truth() as usize;
        if truth >= self.verdicts.len() {
            self.verdicts.resize(self.graph.truths(), NONE);
        }
        if self.verdicts[truth] != NONE {
            self.counters.memo_hits += 1;
            return;
        }
        let verdict = self.counted.len() as u32;
        self.verdicts[truth] = verdict;
        self.counted.resize(self.counted.len() + self.groups(), 0);
        if self.tasks[self.open].relations.len() == CHUNK {
            self.open += 1;
            if self.open == self.tasks.len() {
                self.tasks.push(Task::default());
            }
        }
        if !self.place(root) {
            // The slots are full of this batch's own atoms: finish what is queued, and start over.
            self.flush(threads);
            self.memo.tick();
            if !self.place(root) {
                return self.count_alone(predicate, root, verdict);
            }
        }
        let task = &mut self.tasks[self.open];
        task.relations.push(Pending { verdict, end: task.skeletons.len() as u32 });
    }

    /// Finds or makes a slot for every atom of a relation, and appends its structure to the open task;
    /// false, and nothing, if there is no room for all of them.
    fn place(&mut self, root: Ref) -> bool {
        let Batch { graph, memo, jobs, tasks, open, counters, pending, .. } = &mut *self;
        let skeletons = &mut tasks[*open].skeletons;
        let first = skeletons.len();
        let placed = walk(graph, root.truth(), pending, |step| {
            skeletons.push(match step {
                Walk::And(a, b) => Skeleton::And(a.is_negated(), b.is_negated()),
                Walk::Xor => Skeleton::Xor,
                Walk::Visit(truth) => match graph.truth(truth) {
                    Truth::Column(var) => Skeleton::Column(var),
                    _ => match memo.place(truth) {
                        Some(Place::Known(slot)) => {
                            counters.memo_hits += 1;
                            Skeleton::Atom(slot)
                        }
                        Some(Place::New(slot)) => {
                            counters.memo_misses += 1;
                            let bits = std::mem::take(&mut memo.slot_mut(slot).bits);
                            jobs.push(Job { atom: truth, slot, bits, nodes: 0 });
                            Skeleton::Atom(slot)
                        }
                        None => return false,
                    },
                },
            });
            true
        });
        if !placed {
            skeletons.truncate(first);
        }
        placed
    }

    /// Computes everything that is queued.
    fn flush(&mut self, threads: &impl Threads) {
        self.run_jobs(threads);
        let Batch { table, isa, memo, tasks, workers, counted, open, .. } = &mut *self;
        let kernels = Kernels::of(*isa);
        let tasks = &mut tasks[..=*open];
        threads.for_each(tasks, |task| {
            let mut worker = lock(workers).pop().unwrap_or_default();
            let Task { relations, skeletons, counts } = task;
            counts.clear();
            let mut start = 0;
            for pending in relations {
                let end = pending.end as usize;
                worker.count(table, kernels, &skeletons[start..end], memo.slots(), counts);
                start = end;
            }
            lock(workers).push(worker);
        });
        let groups = table.layout().groups().len();
        for task in tasks {
            for (i, pending) in task.relations.drain(..).enumerate() {
                counted[pending.verdict as usize..][..groups]
                    .copy_from_slice(&task.counts[i * groups..][..groups]);
            }
            task.skeletons.clear();
        }
        *open = 0;
    }

    /// Computes the bits of the new atoms.
    fn run_jobs(&mut self, threads: &impl Threads) {
        let Batch { table, isa, graph, memo, jobs, workers, counters, .. } = &mut *self;
        let kernels = Kernels::of(*isa);
        let lists = jobs.queued();
        threads.for_each(lists, |list| {
            let mut worker = lock(workers).pop().unwrap_or_default();
            for job in list {
                job.nodes = worker.run_atom(graph, job.atom, table, kernels, &mut job.bits);
            }
            lock(workers).push(worker);
        });
        for job in lists.iter_mut().flat_map(|list| list.drain(..)) {
            memo.slot_mut(job.slot).bits = job.bits;
            counters.node_rows += (job.nodes * table.rows()) as u64;
        }
        jobs.open = 0;
    }

    /// Counts a relation that has more atoms than the memo has slots.
    fn count_alone(&mut self, predicate: &Predicate, root: Ref, verdict: u32) {
        // Some of its atoms may have got slots before there were none left.
        self.run_jobs(&OneThread);
        let mut worker = lock(&self.workers).pop().unwrap_or_default();
        let kernels = Kernels::of(self.isa);
        let layout = self.table.layout();
        let mut words = vec![0; layout.words()];
        worker.run(predicate.nodes(), &self.table, kernels, &mut words);
        self.counters.node_rows += (predicate.size() * self.table.rows()) as u64;
        layout.clear_padding(&mut words);
        let counts = &mut self.counted[verdict as usize..][..layout.groups().len()];
        for (count, group) in counts.iter_mut().zip(layout.groups()) {
            *count = kernels.count_ones(&words[group.words()]) as u32;
        }
        if root.is_negated() {
            negate(counts, &self.table);
        }
        lock(&self.workers).push(worker);
    }
}

impl Jobs {
    fn push(&mut self, job: Job) {
        if self.lists.get(self.open).is_some_and(|list| list.len() == LIST) {
            self.open += 1;
        }
        if self.open == self.lists.len() {
            self.lists.push(Vec::with_capacity(LIST));
        }
        self.lists[self.open].push(job);
    }

    /// The lists that have jobs, and perhaps an empty one.
    fn queued(&mut self) -> &mut [Vec<Job>] {
        let end = (self.open + 1).min(self.lists.len());
        &mut self.lists[..end]
    }
}

/// The lock of a list: a panic elsewhere cannot have left it half-changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
