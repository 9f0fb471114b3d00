//! A population at once, with the work its members share done once.
//!
//! ```text
//!  relations ─► canonical form ─► seen before? ── yes ─► counts
//!   (threads)                        │ no
//!                                    ▼
//!                       atoms: known, or a slot each ─► bits of the new ones   (threads)
//!                                    │
//!                                    └► logic on words, popcount per group ─► counts   (threads)
//! ```
//! In an evolving population most comparison atoms have been there before. Their bits are kept across
//! batches in bounded memory, and what remains of a relation is a few operations on words
//! of 64 rows. Results are those of evaluating one by one, whatever the order, the memory and the
//! number of threads: only the time differs.

mod canon;
mod memo;
mod verdicts;

use std::sync::{Arc, Mutex, PoisonError};

use self::canon::{Canon, Relation, Skeleton, decode};
use self::memo::{Memo, Place, Slot};
use self::verdicts::Verdicts;
use crate::engine::Counters;
use crate::engine::bytecode::{self, STRIP, Scratch, bool_column};
use crate::engine::kernels::{Isa, Kernels, Logic};
use crate::expr::{Node, Predicate};
use crate::logic::{self, Bits, Leaf, LogicCode};
use crate::mask::Mask;
use crate::program::Program;
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
    memo: Memo,
    verdicts: Verdicts,
    chunks: Vec<Chunk>,
    jobs: Vec<Job>,
    tasks: Vec<Task>,
    /// The task that takes the next relation.
    open: usize,
    /// The verdict entry of every relation of the batch.
    entries: Vec<u32>,
    counts: Vec<u32>,
    workers: Mutex<Vec<Worker>>,
    counters: Counters,
}

/// A stretch of the population, brought into canonical form.
#[derive(Debug, Default)]
struct Chunk {
    first: usize,
    relations: usize,
    canon: Canon,
}

/// A new atom: the slot it got, and that slot's bits while they are computed.
#[derive(Debug)]
struct Job {
    slot: u32,
    bits: Vec<u64>,
    nodes: usize,
}

/// Relations whose atoms are all there, to be counted.
#[derive(Debug, Default)]
struct Task {
    relations: Vec<Pending>,
    /// The slots of all their atoms, one after the other.
    slots: Vec<u32>,
    counts: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    chunk: u32,
    relation: u32,
    entry: u32,
    first_slot: u32,
}

/// What one thread needs.
#[derive(Debug, Default)]
struct Worker {
    scratch: Scratch,
    program: Program,
    nodes: Vec<Node>,
    logic: LogicCode,
    stack: Vec<Bits>,
    temps: Vec<Vec<u64>>,
    words: Vec<u64>,
}

/// Relations per chunk and per task: far more than a lock costs, far less than a thread's share.
const CHUNK: usize = 64;

impl Batch {
    /// A batch evaluator that remembers at most about `memory` bytes of bits.
    pub fn new(table: Arc<Table>, memory: usize) -> Batch {
        Batch::with_isa(table, memory, Isa::best())
    }

    /// As [`Batch::new`], with an instruction set, or the portable one where this machine lacks it.
    pub fn with_isa(table: Arc<Table>, memory: usize, isa: Isa) -> Batch {
        let layout = Arc::clone(table.layout());
        // A verdict is some hundred bytes, an atom's bits thousands: a quarter holds far more verdicts.
        Batch {
            isa: Kernels::of(isa).isa(),
            memo: Memo::new(memory - memory / 4, layout.words()),
            verdicts: Verdicts::new(memory / 4, layout.groups().len()),
            chunks: Vec::new(),
            jobs: Vec::new(),
            tasks: vec![Task::default()],
            open: 0,
            entries: Vec::new(),
            counts: Vec::new(),
            workers: Mutex::new(Vec::new()),
            counters: Counters::default(),
            table,
        }
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// What this evaluator has done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The bytes that the memo holds now.
    pub fn memory(&self) -> usize {
        self.memo.bytes() + self.verdicts.bytes()
    }

    /// On how many rows each predicate holds: per predicate one count per group of the table.
    ///
    /// # Panics
    /// If a predicate was made for another schema than the table's.
    pub fn counts(&mut self, predicates: &[Predicate], threads: &impl Threads) -> &[u32] {
        self.prepare(predicates, threads);
        self.memo.tick();
        self.verdicts.tick();
        self.entries.clear();
        for chunk in 0..self.chunks.len() {
            for relation in 0..self.chunks[chunk].relations {
                self.admit(chunk, relation, predicates, threads);
            }
        }
        self.flush(threads);
        self.counters.evaluations += predicates.len() as u64;
        self.counts.clear();
        for &entry in &self.entries {
            self.counts.extend_from_slice(self.verdicts.counts(entry));
        }
        &self.counts
    }

    /// Where a predicate holds, from the remembered atoms as far as they are there.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn mask_into(&mut self, predicate: &Predicate, mask: &mut Mask) {
        self.prepare(std::slice::from_ref(predicate), &OneThread);
        self.counters.evaluations += 1;
        let placed = self.place_atoms(0, 0);
        self.run_jobs(&OneThread);
        let slots = &self.tasks[self.open].slots;
        let mut worker = lock(&self.workers).pop().unwrap_or_default();
        mask.fill(self.table.layout(), |words| {
            let kernels = Kernels::of(self.isa);
            if placed {
                let canon = &self.chunks[0].canon;
                worker.combine(canon.skeleton(&canon.relations()[0]));
                for (strip, words) in words.chunks_mut(STRIP).enumerate() {
                    let first = strip * STRIP;
                    worker.run_logic(&self.table, kernels, slots, self.memo.slots(), first, words);
                }
            } else {
                worker.run(predicate.nodes(), &self.table, kernels, words);
            }
        });
        lock(&self.workers).push(worker);
        self.tasks[self.open].slots.clear();
    }

    /// Brings the population into canonical form.
    fn prepare(&mut self, predicates: &[Predicate], threads: &impl Threads) {
        let chunks = predicates.len().div_ceil(CHUNK);
        self.chunks.resize_with(chunks.max(self.chunks.len()), Chunk::default);
        for (i, chunk) in self.chunks.iter_mut().enumerate() {
            chunk.first = i * CHUNK;
            chunk.relations = predicates.len().saturating_sub(chunk.first).min(CHUNK);
        }
        let schema = self.table.schema();
        threads.for_each(&mut self.chunks[..chunks], |chunk| {
            chunk.canon.clear();
            for predicate in &predicates[chunk.first..][..chunk.relations] {
                chunk.canon.push(predicate.nodes(), schema);
            }
        });
    }

    /// Finds the verdict of a relation, or queues what has to be computed for it.
    fn admit(
        &mut self,
        chunk: usize,
        relation: usize,
        predicates: &[Predicate],
        threads: &impl Threads,
    ) {
        let canon = &self.chunks[chunk].canon;
        let Relation { ref tokens, hash, .. } = canon.relations()[relation];
        let (entry, new) = self.verdicts.entry(canon.tokens(tokens), hash);
        self.entries.push(entry);
        if !new {
            self.counters.memo_hits += 1;
            return;
        }
        if self.tasks[self.open].relations.len() == CHUNK {
            self.open += 1;
            if self.open == self.tasks.len() {
                self.tasks.push(Task::default());
            }
        }
        if !self.place_atoms(chunk, relation) {
            // The slots are full of this batch's own atoms: finish what is queued, and start over.
            self.flush(threads);
            self.memo.tick();
            if !self.place_atoms(chunk, relation) {
                return self.count_alone(&predicates[self.chunks[chunk].first + relation], entry);
            }
        }
        let atoms = self.chunks[chunk].canon.relations()[relation].atoms.len();
        let task = &mut self.tasks[self.open];
        task.relations.push(Pending {
            chunk: chunk as u32,
            relation: relation as u32,
            entry,
            first_slot: (task.slots.len() - atoms) as u32,
        });
    }

    /// Finds or makes a slot for every atom of a relation, in the open task; false, and none, if there
    /// is no room for all of them.
    fn place_atoms(&mut self, chunk: usize, relation: usize) -> bool {
        let canon = &self.chunks[chunk].canon;
        let slots = &mut self.tasks[self.open].slots;
        let first = slots.len();
        for atom in canon.atoms(&canon.relations()[relation]) {
            match self.memo.place(canon.tokens(&atom.tokens), atom.hash) {
                Some(Place::Known(slot)) => {
                    self.counters.memo_hits += 1;
                    slots.push(slot);
                }
                Some(Place::New(slot)) => {
                    self.counters.memo_misses += 1;
                    let bits = std::mem::take(&mut self.memo.slot_mut(slot).bits);
                    self.jobs.push(Job { slot, bits, nodes: 0 });
                    slots.push(slot);
                }
                None => {
                    slots.truncate(first);
                    return false;
                }
            }
        }
        true
    }

    /// Computes everything that is queued.
    fn flush(&mut self, threads: &impl Threads) {
        self.run_jobs(threads);
        let Batch { table, isa, memo, verdicts, chunks, tasks, workers, .. } = &mut *self;
        let kernels = Kernels::of(*isa);
        threads.for_each(tasks, |task| {
            if task.relations.is_empty() {
                return;
            }
            let mut worker = lock(workers).pop().unwrap_or_default();
            let Task { relations, slots, counts } = task;
            counts.clear();
            for pending in relations {
                let canon = &chunks[pending.chunk as usize].canon;
                let relation = &canon.relations()[pending.relation as usize];
                let slots = &slots[pending.first_slot as usize..][..relation.atoms.len()];
                let skeleton = canon.skeleton(relation);
                worker.count(table, kernels, skeleton, slots, memo.slots(), counts);
            }
            lock(workers).push(worker);
        });
        let groups = table.layout().groups().len();
        for task in tasks {
            for (i, pending) in task.relations.iter().enumerate() {
                verdicts.set_counts(pending.entry, &task.counts[i * groups..][..groups]);
            }
            task.relations.clear();
            task.slots.clear();
        }
        self.open = 0;
    }

    /// Computes the bits of the new atoms.
    fn run_jobs(&mut self, threads: &impl Threads) {
        let Batch { table, isa, memo, jobs, workers, counters, .. } = &mut *self;
        let kernels = Kernels::of(*isa);
        threads.for_each(jobs, |job| {
            let mut worker = lock(workers).pop().unwrap_or_default();
            let mut nodes = std::mem::take(&mut worker.nodes);
            decode(memo.slots()[job.slot as usize].key(), &mut nodes);
            job.nodes = nodes.len();
            worker.run(&nodes, table, kernels, &mut job.bits);
            worker.nodes = nodes;
            lock(workers).push(worker);
        });
        for job in jobs.drain(..) {
            memo.slot_mut(job.slot).bits = job.bits;
            counters.node_rows += (job.nodes * table.rows()) as u64;
        }
    }

    /// Counts a relation that has more atoms than the memo has slots.
    fn count_alone(&mut self, predicate: &Predicate, entry: u32) {
        let mut worker = lock(&self.workers).pop().unwrap_or_default();
        let kernels = Kernels::of(self.isa);
        let layout = self.table.layout();
        let mut words = vec![0; layout.words()];
        worker.run(predicate.nodes(), &self.table, kernels, &mut words);
        self.counters.node_rows += (predicate.size() * self.table.rows()) as u64;
        layout.clear_padding(&mut words);
        let counts: Vec<u32> = layout
            .groups()
            .iter()
            .map(|group| kernels.count_ones(&words[group.words()]) as u32)
            .collect();
        self.verdicts.set_counts(entry, &counts);
        lock(&self.workers).push(worker);
    }
}

impl Worker {
    /// Evaluates nodes that are a predicate.
    fn run(&mut self, nodes: &[Node], table: &Table, kernels: &Kernels, to: &mut [u64]) {
        self.program.lower_nodes(nodes, table);
        bytecode::run(&self.program, table, kernels, &mut self.scratch, to);
    }

    /// Builds the logic of a relation; its root is the only item on the stack.
    fn combine(&mut self, skeleton: &[Skeleton]) {
        self.logic.clear();
        self.stack.clear();
        for &node in skeleton {
            let bits = match node {
                Skeleton::Atom(atom) => Bits::Atom(atom),
                Skeleton::Column(var) => Bits::Column(var),
                Skeleton::Constant(value) => Bits::Constant(value),
                Skeleton::Logic(Logic::Not) => {
                    let a = self.stack.pop().expect("a predicate is well-typed");
                    self.logic.not(a)
                }
                Skeleton::Logic(op) => {
                    let b = self.stack.pop().expect("a predicate is well-typed");
                    let a = self.stack.pop().expect("a predicate is well-typed");
                    self.logic.apply(op, a, b)
                }
            };
            self.stack.push(bits);
        }
        while self.temps.len() < self.logic.temps {
            self.temps.push(vec![0; STRIP]);
        }
    }

    /// Runs the logic built last over a strip of words.
    fn run_logic(
        &mut self,
        table: &Table,
        kernels: &Kernels,
        slots: &[u32],
        memo: &[Slot],
        first_word: usize,
        to: &mut [u64],
    ) {
        let root = *self.stack.last().expect("a predicate has a root");
        logic::evaluate(
            &self.logic.instrs,
            root,
            kernels,
            &mut self.temps,
            to,
            |leaf| match leaf {
                Leaf::Atom(atom) => &memo[slots[usize::from(atom)] as usize].bits[first_word..],
                Leaf::Column(var) => &bool_column(table, var)[first_word..],
            },
        );
    }

    /// Appends the counts of a relation.
    fn count(
        &mut self,
        table: &Table,
        kernels: &Kernels,
        skeleton: &[Skeleton],
        slots: &[u32],
        memo: &[Slot],
        counts: &mut Vec<u32>,
    ) {
        self.combine(skeleton);
        let layout = table.layout();
        let first_count = counts.len();
        counts.resize(first_count + layout.groups().len(), 0);
        let mut words = std::mem::take(&mut self.words);
        words.resize(STRIP, 0);
        for first in (0..layout.words()).step_by(STRIP) {
            let to = &mut words[..STRIP.min(layout.words() - first)];
            self.run_logic(table, kernels, slots, memo, first, to);
            layout.count_strip(first, to, &mut counts[first_count..], |words| {
                kernels.count_ones(words) as u32
            });
        }
        self.words = words;
    }
}

/// The lock of a list: a panic elsewhere cannot have left it half-changed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
