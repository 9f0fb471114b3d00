//! What one thread does for a batch: new atoms to bits, and bits to counts.

use super::digest::{Digest, Digests};
use super::graph::{Graph, Ref, Truth};
use super::intake::{List, Task, Wishes};
use super::memo::Slot;
use crate::engine::bytecode::{self, STRIP, Scratch, bool_column};
use crate::engine::kernels::Kernels;
use crate::engine::logic::{self, LogicLeaf};
use crate::expr::Node;
use crate::op::LogicOp;
use crate::program::{Bits, LogicCode, Program, Read};
use crate::schema::Var;
use crate::table::Table;

/// A node of the boolean structure of a relation, in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skeleton {
    /// The atom in this slot of the memo.
    Atom(u32),
    Column(Var),
    /// The topmost two, each negated or not.
    And(bool, bool),
    /// The topmost two; what is negated is above it.
    Xor,
}

/// Scratch memory, reused from one batch to the next.
#[derive(Debug, Default)]
pub(super) struct Worker {
    scratch: Scratch,
    program: Program,
    logic: LogicCode,
    stack: Vec<(Bits, bool)>,
    temps: Vec<Vec<u64>>,
    words: Vec<u64>,
    slots: Vec<u32>,
    reads: Vec<Read>,
    few: Vec<u64>,
}

impl Worker {
    /// Computes the bits of new atoms.
    pub(super) fn run_list(
        &mut self,
        list: &mut List,
        table: &Table,
        kernels: &Kernels,
        digests: &Digests,
    ) {
        let List { jobs, nodes, wishes } = list;
        let mut start = 0;
        for job in jobs {
            let end = job.end as usize;
            self.program.lower_nodes(&nodes[start..end], table);
            let digest =
                if digests.are_off() { None } else { self.digest(digests, wishes, kernels) };
            job.bits.resize(table.layout().words(), 0);
            let Worker { program, scratch, few, .. } = self;
            if let Some(digest) = digest {
                few.resize(digest.spread.few_words(), 0);
                let words = digest.table.layout().words();
                bytecode::run(program, &digest.table, kernels, scratch, &mut few[..words]);
                kernels.spread(&mut job.bits, few, &digest.spread);
                job.rows = digest.rows();
            } else {
                bytecode::run(program, table, kernels, scratch, &mut job.bits);
                job.rows = table.rows();
            }
            start = end;
        }
    }

    /// The few rows that the atom of the program is to be computed on; notes that it would have used some.
    fn digest<'d>(
        &mut self,
        digests: &'d Digests,
        wishes: &mut Wishes,
        kernels: &Kernels,
    ) -> Option<&'d Digest> {
        self.program.reads(&mut self.reads);
        let weight = self.program.weight();
        let found = digests.find(&self.reads, weight, kernels);
        if !found.is_known {
            wishes.add(&self.reads, weight);
        }
        found.digest
    }

    /// Counts the rows of each group on which the relations of a task are true.
    pub(super) fn run_task(
        &mut self,
        task: &mut Task,
        table: &Table,
        kernels: &Kernels,
        memo: &[Slot],
    ) {
        let Task { relations, skeletons, counts } = task;
        counts.clear();
        let mut start = 0;
        for pending in relations {
            let end = pending.end as usize;
            self.count(table, kernels, &skeletons[start..end], memo, counts);
            start = end;
        }
    }

    /// Evaluates nodes that are a predicate.
    pub(super) fn run(&mut self, nodes: &[Node], table: &Table, kernels: &Kernels, to: &mut [u64]) {
        self.program.lower_nodes(nodes, table);
        bytecode::run(&self.program, table, kernels, &mut self.scratch, to);
    }

    /// Builds the logic of a relation; its root, and whether that is to be negated.
    fn combine(&mut self, skeleton: &[Skeleton]) -> (Bits, bool) {
        const CHECKED: &str = "a skeleton is a tree in postfix order";
        self.logic.clear();
        self.stack.clear();
        self.slots.clear();
        for &node in skeleton {
            let item = match node {
                Skeleton::Atom(slot) => {
                    self.slots.push(slot);
                    (Bits::Atom((self.slots.len() - 1) as u16), false)
                }
                Skeleton::Column(var) => (Bits::Column(var), false),
                Skeleton::And(..) | Skeleton::Xor => {
                    let (b, not_b) = self.stack.pop().expect(CHECKED);
                    let (a, not_a) = self.stack.pop().expect(CHECKED);
                    match node {
                        Skeleton::And(also_not_a, also_not_b) => {
                            match (not_a != also_not_a, not_b != also_not_b) {
                                (false, false) => (self.logic.apply(LogicOp::And, a, b), false),
                                (true, true) => (self.logic.apply(LogicOp::Or, a, b), true),
                                (false, true) => (self.logic.apply(LogicOp::Implies, a, b), true),
                                (true, false) => (self.logic.apply(LogicOp::Implies, b, a), true),
                            }
                        }
                        _ => (self.logic.apply(LogicOp::Xor, a, b), not_a != not_b),
                    }
                }
            };
            self.stack.push(item);
        }
        while self.temps.len() < self.logic.temps {
            self.temps.push(vec![0; STRIP]);
        }
        self.stack.pop().expect(CHECKED)
    }

    /// Appends the counts of a relation, one per group.
    fn count(
        &mut self,
        table: &Table,
        kernels: &Kernels,
        skeleton: &[Skeleton],
        memo: &[Slot],
        counts: &mut Vec<u32>,
    ) {
        let (root, negated) = self.combine(skeleton);
        let layout = table.layout();
        let first_count = counts.len();
        counts.resize(first_count + layout.groups().len(), 0);
        let counts = &mut counts[first_count..];
        let mut words = std::mem::take(&mut self.words);
        words.resize(STRIP, 0);
        for first in (0..layout.words()).step_by(STRIP) {
            let to = &mut words[..STRIP.min(layout.words() - first)];
            self.run_logic(root, table, kernels, memo, first, to);
            layout.count_strip(first, to, counts, |words| kernels.count_ones(words) as u32);
        }
        self.words = words;
        if negated {
            negate(counts, table);
        }
    }

    /// Where a relation holds. Bits past the end of a group mean nothing.
    pub(super) fn mask(
        &mut self,
        table: &Table,
        kernels: &Kernels,
        skeleton: &[Skeleton],
        memo: &[Slot],
        words: &mut [u64],
    ) {
        let (root, negated) = self.combine(skeleton);
        for (strip, to) in words.chunks_mut(STRIP).enumerate() {
            self.run_logic(root, table, kernels, memo, strip * STRIP, to);
        }
        if negated {
            words.iter_mut().for_each(|word| *word = !*word);
        }
    }

    fn run_logic(
        &mut self,
        root: Bits,
        table: &Table,
        kernels: &Kernels,
        memo: &[Slot],
        first_word: usize,
        to: &mut [u64],
    ) {
        let Worker { logic, temps, slots, .. } = self;
        logic::evaluate(&logic.instrs, root, kernels, temps, to, |leaf| match leaf {
            LogicLeaf::Atom(atom) => &memo[slots[usize::from(atom)] as usize].bits[first_word..],
            LogicLeaf::Column(var) => &bool_column(table, var)[first_word..],
        });
    }
}

/// Counts where something holds, as counts where it does not.
pub(super) fn negate(counts: &mut [u32], table: &Table) {
    for (count, group) in counts.iter_mut().zip(table.layout().groups()) {
        *count = group.rows as u32 - *count;
    }
}

/// Walks the boolean structure below a truth in postfix order: its atoms and columns, and what is made
/// of them.
pub(super) fn walk(
    graph: &Graph,
    truth: u32,
    pending: &mut Vec<Walk>,
    mut visit: impl FnMut(Walk) -> bool,
) -> bool {
    pending.clear();
    pending.push(Walk::Visit(truth));
    while let Some(next) = pending.pop() {
        if let Walk::Visit(truth) = next {
            let (done, a, b) = match graph.truth(truth) {
                Truth::And(a, b) => (Walk::And(a, b), a, b),
                Truth::Xor(a, b) => (Walk::Xor, a, b),
                Truth::True | Truth::Column(_) | Truth::Atom(..) => {
                    if !visit(next) {
                        return false;
                    }
                    continue;
                }
            };
            pending.extend([done, Walk::Visit(b.truth()), Walk::Visit(a.truth())]);
        } else if !visit(next) {
            return false;
        }
    }
    true
}

/// A step of [`walk`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Walk {
    /// A leaf, when it is shown to a visitor.
    Visit(u32),
    And(Ref, Ref),
    Xor,
}
