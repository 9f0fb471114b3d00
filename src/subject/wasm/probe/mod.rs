//! Probes at branches: they record which sides a call takes, and how near it comes to the others.
//!
//! Probes are patches of the functions in scope, like mutants. They write to a memory of their own, which
//! follows the existing memories and is never the first; other code cannot reach it. They add no loops, calls
//! or functions, so the fuel counted at loop heads and function entries is that of the original.
//! [`Probes::binary`] is a module like any other: it is instrumented and run in the same way.
//!
//! ```text
//!  bytes  0 ..  8 s          for each of s sides: the least distance, f64; infinite if the branch was not visited
//!  bytes  8 s .. 12 s        for each side: how often it was taken, u32
//! ```
//!
//! [`Probes::blank`] is the memory before a call, [`Probes::read`] reads it after one. Distances are not normalised.

mod condition;
mod distance;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use wasm_encoder::{BlockType, Encode, Instruction as I, MemArg};
use wasmparser::{Operator, ValType};

use self::condition::{Condition, Reader, Temporaries};
use super::flow::{Flow, flows};
use super::lines::Lines;
use super::module::{Edit, Module, Patch};
use super::roles;
use super::splice::{self, Addition};
use crate::subject::Branch;

/// For tables with more targets, only the first ones are probed.
const MOST_TARGETS: u32 = 64;

/// The size of a memory page in bytes.
const PAGE: usize = 1 << 16;

/// The probes of some functions.
#[derive(Clone, Debug)]
pub(super) struct Probes {
    /// The branches that are probed.
    pub(super) branches: Vec<Branch>,
    /// A patch for each function with branches.
    pub(super) patches: Vec<Patch>,
    /// Index of the memory that the probes write to.
    pub(super) memory: u32,
}

impl Probes {
    /// The name under which [`Probes::binary`] exports the memory of the probes.
    pub(super) const MEMORY: &'static str = "genmorph:probes";

    /// Makes probes at all branches of some functions.
    pub(super) fn new(module: &Module, scope: &[usize]) -> Probes {
        // The first memory is the module's own, which is restored after calls.
        let memory = module.memories.len().max(1) as u32;
        let lines = Lines::new(module);
        let flows = flows(module, scope);
        let sides = 2 * flows.iter().map(count).sum::<usize>();
        let mut probes = Probes { branches: Vec::new(), patches: Vec::new(), memory };
        for flow in &flows {
            let first = flow.locals.len() as u32;
            let temporaries = Temporaries::new(first);
            let reader = Reader { flow, temporaries, inserted: BTreeMap::new() };
            let sites = Writer { reader, memory, sides, next: probes.branches.len() }.write();
            let function = &module.functions[flow.function];
            probes.branches.extend(sites.places.iter().map(|&at| Branch {
                function: function.name.clone(),
                offset: function.code[at],
                line: lines.of(module, flow, at),
            }));
            probes.patches.extend(sites.patch);
        }
        debug_assert_eq!(probes.sides(), sides);
        probes
    }

    /// Number of branch sides.
    pub(super) fn sides(&self) -> usize {
        2 * self.branches.len()
    }

    /// Number of memory pages that the probes need.
    pub(super) fn pages(&self) -> u32 {
        (self.blank().len().max(1).div_ceil(PAGE)) as u32
    }

    /// The content of the memory before a call.
    pub(super) fn blank(&self) -> Vec<u8> {
        let mut blank = f64::INFINITY.to_le_bytes().repeat(self.sides());
        blank.resize(12 * self.sides(), 0);
        blank
    }

    /// Appends the results of a call: for each side the number of times it was taken, and the distance of the
    /// nearest visit, which is 0 if the side was taken.
    pub(super) fn read(&self, memory: &[u8], hits: &mut Vec<u32>, distances: &mut Vec<f64>) {
        let (near, rest) = memory.split_at(8 * self.sides());
        let taken = rest[..4 * self.sides()].as_chunks().0.iter().map(|&b| u32::from_le_bytes(b));
        let near = near.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b));
        for (taken, near) in taken.zip(near) {
            hits.push(taken);
            distances.push(if taken > 0 { 0.0 } else { near });
        }
    }

    /// The whole module with its probes, without instrumentation for fuel.
    pub(super) fn binary(&self, module: &Module) -> Vec<u8> {
        // An empty first memory if the module has none.
        let mut pages = vec![0; self.memory as usize - module.memories.len()];
        pages.push(self.pages());
        let addition = Addition { pages, name: Probes::MEMORY };
        splice::module(module, &self.patches, Some(&addition))
    }
}

/// Number of branches in a function.
fn count(flow: &Flow<'_>) -> usize {
    flow.reachable().map(|at| targets(flow, at)).sum()
}

/// Number of branches at an instruction: one for a computed condition, and one for each target of a table.
fn targets(flow: &Flow<'_>, at: usize) -> usize {
    match &flow.operators[at] {
        Operator::If { .. }
        | Operator::BrIf { .. }
        | Operator::Select
        | Operator::TypedSelect { .. } => usize::from(!is_constant(flow, at)),
        Operator::BrTable { targets } => targets.len().min(MOST_TARGETS) as usize,
        _ => 0,
    }
}

/// The instruction that computed the condition of a branch, which is on top of the stack.
fn origin(flow: &Flow<'_>, at: usize) -> Option<usize> {
    flow.nodes[at].takes.last().and_then(|operand| operand.from)
}

fn is_constant(flow: &Flow<'_>, at: usize) -> bool {
    origin(flow, at).is_some_and(|from| roles::constant(flow, from).is_some())
}

/// The branches of a function.
struct Sites {
    places: Vec<usize>,
    patch: Option<Patch>,
}

/// Writes the probes of a function.
struct Writer<'a> {
    reader: Reader<'a>,
    memory: u32,
    /// Number of sides of all functions.
    sides: usize,
    /// Number of the next branch.
    next: usize,
}

impl Writer<'_> {
    fn write(mut self) -> Sites {
        let flow = self.reader.flow;
        let mut places = Vec::new();
        for at in flow.reachable() {
            let targets = targets(flow, at);
            if targets == 0 {
                continue;
            }
            places.extend(std::iter::repeat_n(at, targets));
            let flag = self.reader.temporaries.take(ValType::I32, at, at);
            let spares = [ValType::F64; 2].map(|ty| self.reader.temporaries.take(ty, at, at));
            let mut code = vec![I::LocalTee(flag)];
            if matches!(flow.operators[at], Operator::BrTable { .. }) {
                for k in 0..targets as u32 {
                    code.extend([I::LocalGet(flag), I::I32Const(k as i32), I::I32Eq]);
                    self.probe(&Condition::Index { x: flag, k }, spares, &mut code);
                }
            } else {
                let condition = self.reader.read(at, origin(flow, at), flag);
                self.probe(&condition, spares, &mut code);
            }
            code.push(I::LocalGet(flag));
            // The index of a table is on the stack; all other conditions are in locals.
            if matches!(flow.operators[at], Operator::BrTable { .. }) {
                code[0] = I::LocalSet(flag);
            }
            self.reader.inserted.entry(at).or_default().extend(code);
        }
        let edits: Vec<Edit> = self
            .reader
            .inserted
            .iter()
            .map(|(&at, instructions)| {
                let mut with = Vec::new();
                instructions.iter().for_each(|instruction| instruction.encode(&mut with));
                Edit { at: at..at, with }
            })
            .collect();
        let locals = self.reader.temporaries.types();
        let patch = Patch { function: flow.function as u32, locals, edits };
        Sites { places, patch: (!patch.edits.is_empty()).then_some(patch) }
    }

    /// Takes the value of the condition from the stack, and records it.
    fn probe(&mut self, condition: &Condition, spares: [u32; 2], code: &mut Vec<I<'static>>) {
        let branch = self.next;
        self.next += 1;
        code.push(I::If(BlockType::Empty));
        self.side(condition, 2 * branch + 1, spares, code);
        code.push(I::Else);
        self.side(condition, 2 * branch, spares, code);
        code.push(I::End);
    }

    /// Records that a side was taken, and the distance of the other side if that was not taken before.
    fn side(
        &self,
        condition: &Condition,
        side: usize,
        spares: [u32; 2],
        code: &mut Vec<I<'static>>,
    ) {
        let other = side ^ 1;
        let (hits, near) = (self.hits(side), self.distance(other));
        code.extend([I::I32Const(0), I::I32Const(0), I::I32Load(hits), I::I32Const(1), I::I32Add]);
        code.push(I::I32Store(hits));
        code.extend([I::I32Const(0), I::I32Load(self.hits(other)), I::I32Eqz]);
        code.push(I::If(BlockType::Empty));
        let [least, spare] = spares;
        distance::distance(condition, other % 2 == 1, spare, code);
        code.extend([I::LocalTee(least), I::I32Const(0), I::F64Load(near), I::F64Lt]);
        code.push(I::If(BlockType::Empty));
        code.extend([I::I32Const(0), I::LocalGet(least), I::F64Store(near)]);
        code.extend([I::End, I::End]);
    }

    fn distance(&self, side: usize) -> MemArg {
        MemArg { offset: 8 * side as u64, align: 3, memory_index: self.memory }
    }

    fn hits(&self, side: usize) -> MemArg {
        MemArg { offset: (8 * self.sides + 4 * side) as u64, align: 2, memory_index: self.memory }
    }
}
