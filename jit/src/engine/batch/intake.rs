//! What a population says, taken in relation by relation: what is known of it already, and what has to
//! be computed.

use std::sync::Arc;

use super::digest::Digests;
use super::graph::{Decode, Graph, Ref, Truth};
use super::memo::{Memo, Place};
use super::worker::{Skeleton, Walk, walk};
use crate::engine::Counters;
use crate::expr::{Node, Predicate};
use crate::program::Read;
use crate::table::Table;

/// What was said and is remembered, and what is queued.
#[derive(Debug)]
pub(super) struct Intake {
    table: Arc<Table>,
    graph: Graph,
    /// The most bytes that graph and counts may take.
    most_bytes: usize,
    pub(super) memo: Memo,
    /// Where the counts of each truth of the graph are, if they are.
    verdicts: Vec<u32>,
    /// Counts of truths, one per group each.
    pub(super) counted: Vec<u32>,
    pub(super) jobs: Jobs,
    tasks: Vec<Task>,
    /// The task that takes the next relation.
    open: usize,
    /// What every relation of the batch says.
    pub(super) roots: Vec<Ref>,
    pending: Vec<Walk>,
    decoding: Vec<Decode>,
    pub(super) counters: Counters,
}

/// New atoms, in lists that a thread takes at a time.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    lists: Vec<List>,
    open: usize,
}

/// New atoms, and their nodes one after the other.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) jobs: Vec<Job>,
    pub(super) nodes: Vec<Node>,
    pub(super) wishes: Wishes,
}

/// The digests that atoms would have used: what they read, one after the other, where that ends, and
/// what they weigh.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    reads: Vec<Read>,
    atoms: Vec<(u32, u32)>,
}

impl Wishes {
    pub(super) fn add(&mut self, reads: &[Read], weight: u32) {
        self.reads.extend_from_slice(reads);
        self.atoms.push((self.reads.len() as u32, weight));
    }

    fn tell(&mut self, digests: &mut Digests) {
        let mut start = 0;
        for (end, weight) in self.atoms.drain(..) {
            digests.note(&self.reads[start..end as usize], weight);
            start = end as usize;
        }
        self.reads.clear();
    }
}

/// A new atom: where its nodes end, the slot it got, that slot's bits while they are computed, and on how
/// many rows it was.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) end: u32,
    slot: u32,
    pub(super) bits: Vec<u64>,
    pub(super) rows: usize,
}

/// Relations whose atoms are all there, to be counted.
#[derive(Debug, Default)]
pub(super) struct Task {
    pub(super) relations: Vec<CountRequest>,
    /// The boolean structures of all of them, one after the other.
    pub(super) skeletons: Vec<Skeleton>,
    pub(super) counts: Vec<u32>,
}

/// A relation to be counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountRequest {
    /// Where its counts go.
    verdict: u32,
    /// Where its structure ends.
    pub(super) end: u32,
}

/// Relations per task and atoms per list: far more than a lock costs, far less than a thread's share.
const TASK: usize = 64;
const LIST: usize = 8;

/// Stands for a relation that was not counted yet.
const NONE: u32 = u32::MAX;

impl Intake {
    pub(super) fn new(table: &Arc<Table>, memory: usize) -> Intake {
        // What is said is some hundred bytes a relation, an atom's bits are thousands.
        let most_bytes = memory / 4;
        let mut intake = Intake {
            graph: Graph::new(table),
            most_bytes,
            memo: Memo::new(memory - most_bytes, table.layout().words()),
            verdicts: Vec::new(),
            counted: Vec::new(),
            jobs: Jobs::default(),
            tasks: vec![Task::default()],
            open: 0,
            roots: Vec::new(),
            pending: Vec::new(),
            decoding: Vec::new(),
            counters: Counters::default(),
            table: Arc::clone(table),
        };
        intake.forget();
        intake
    }

    /// The bytes that are held now: of bits, and of what was said.
    pub(super) fn bytes(&self) -> usize {
        self.memo.bytes() + self.said_bytes()
    }

    fn said_bytes(&self) -> usize {
        self.graph.bytes() + (self.verdicts.len() + self.counted.len()) * size_of::<u32>()
    }

    /// Begins a batch: what was used before may be forgotten from here on.
    pub(super) fn begin(&mut self) {
        self.roots.clear();
        self.memo.tick();
        self.forget_if_full();
    }

    /// Forgets everything if it has become too much.
    pub(super) fn forget_if_full(&mut self) {
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

    /// Takes in relations: finds their counts, or queues what has to be computed for them. Stops before
    /// one whose atoms have no room left; how many it took.
    pub(super) fn take(&mut self, predicates: &[Predicate]) -> usize {
        predicates.iter().take_while(|predicate| self.take_one(predicate)).count()
    }

    fn take_one(&mut self, predicate: &Predicate) -> bool {
        let root = self.graph.relation(predicate.nodes());
        if self.verdict(root).is_some() {
            self.counters.memo_hits += 1;
            self.roots.push(root);
            return true;
        }
        if self.tasks[self.open].relations.len() == TASK {
            self.open += 1;
            if self.open == self.tasks.len() {
                self.tasks.push(Task::default());
            }
        }
        if !self.place(root) {
            return false;
        }
        let verdict = self.new_verdict(root);
        let task = &mut self.tasks[self.open];
        task.relations.push(CountRequest { verdict, end: task.skeletons.len() as u32 });
        true
    }

    /// Takes in a relation that has too many atoms for the memo; where its counts go, and whether they
    /// are to be negated.
    pub(super) fn take_alone(&mut self, predicate: &Predicate) -> (u32, bool) {
        let root = self.graph.relation(predicate.nodes());
        (self.new_verdict(root), root.is_negated())
    }

    /// Where the counts of a relation are, if they are, or will be.
    pub(super) fn verdict(&self, root: Ref) -> Option<usize> {
        let verdict = self.verdicts.get(root.truth() as usize).copied()?;
        (verdict != NONE).then_some(verdict as usize)
    }

    fn new_verdict(&mut self, root: Ref) -> u32 {
        self.roots.push(root);
        let truth = root.truth() as usize;
        if truth >= self.verdicts.len() {
            self.verdicts.resize(self.graph.truths(), NONE);
        }
        let verdict = self.counted.len() as u32;
        self.verdicts[truth] = verdict;
        let groups = self.table.layout().groups().len();
        self.counted.resize(self.counted.len() + groups, 0);
        verdict
    }

    /// What a relation says, with all its atoms placed, or `None` if there is no room for them. Its
    /// structure is [`Intake::only_skeleton`].
    pub(super) fn take_structure(&mut self, predicate: &Predicate) -> Option<Ref> {
        let root = self.graph.relation(predicate.nodes());
        (root.truth() == Ref::TRUE.truth() || self.place(root)).then_some(root)
    }

    /// The structure that [`Intake::take_structure`] left.
    pub(super) fn only_skeleton(&mut self) -> &mut Vec<Skeleton> {
        &mut self.tasks[self.open].skeletons
    }

    /// Finds or makes a slot for every atom of a relation, and appends its structure to the open task;
    /// false, and nothing, if there is no room for all of them.
    fn place(&mut self, root: Ref) -> bool {
        let Intake { graph, memo, jobs, tasks, open, counters, pending, decoding, .. } = &mut *self;
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
                            let List { jobs, nodes, .. } = jobs.open_list();
                            graph.decode(truth, nodes, decoding);
                            jobs.push(Job { end: nodes.len() as u32, slot, bits, rows: 0 });
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

    /// Puts the bits that were computed back where they belong.
    pub(super) fn put_bits(&mut self, jobs: &mut Jobs, digests: &mut Digests) {
        for list in jobs.queued() {
            let mut start = 0;
            for job in list.jobs.drain(..) {
                self.counters.node_rows += u64::from(job.end - start) * job.rows as u64;
                self.counters.digested += u64::from(job.rows < self.table.rows());
                self.memo.slot_mut(job.slot).bits = job.bits;
                start = job.end;
            }
            list.nodes.clear();
            list.wishes.tell(digests);
        }
        jobs.open = 0;
    }

    /// The tasks that have relations, and the bits of their atoms.
    pub(super) fn tasks(&mut self) -> (&mut [Task], &Memo) {
        (&mut self.tasks[..=self.open], &self.memo)
    }

    /// Takes the counts of the tasks.
    pub(super) fn put_counts(&mut self) {
        let groups = self.table.layout().groups().len();
        for task in &mut self.tasks[..=self.open] {
            for (i, pending) in task.relations.drain(..).enumerate() {
                self.counted[pending.verdict as usize..][..groups]
                    .copy_from_slice(&task.counts[i * groups..][..groups]);
            }
            task.skeletons.clear();
        }
        self.open = 0;
    }
}

impl Jobs {
    /// The list that takes the next atom.
    fn open_list(&mut self) -> &mut List {
        if self.lists.get(self.open).is_some_and(|list| list.jobs.len() == LIST) {
            self.open += 1;
        }
        if self.open == self.lists.len() {
            self.lists.push(List::default());
        }
        &mut self.lists[self.open]
    }

    /// The lists that have atoms.
    pub(super) fn queued(&mut self) -> &mut [List] {
        let has_any = self.lists.get(self.open).is_some_and(|list| !list.jobs.is_empty());
        let end = if has_any { self.open + 1 } else { self.open };
        &mut self.lists[..end]
    }
}
