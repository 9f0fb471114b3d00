//! Runs bytecode over blocks of rows.
//!
//! Knows nothing of false positives or mutants: rows in, bits out. The meaning of each operator is
//! `op.rs`; this file only has to be fast and equal to it.
//!
//! ```text
//! strip of 512 words ┬ atom 0 ┬ block 0: instr, instr, …, compare → bits
//!                    │        ├ block 1: …
//!                    ├ atom 1 ┴ …
//!                    └ logic: whole strips of bits at a time → result
//! ```
//! An atom's operands for one block stay in the L1 cache from its first instruction to its last.

use bumpalo::Bump;

use crate::engine::fuse::fuse;
use crate::engine::kernels::{Kernels, Source, Views, ViewsMut};
use crate::engine::logic::{self, LogicLeaf};
use crate::engine::lookups;
use crate::engine::sequences::{Arena, Buffers, MAX_BLOCK_WORDS, Registers};
use crate::engine::step::{Atom, Operand, Recipe, SeqOperand, Step};
use crate::mask::WORD;
use crate::program::{Bits, Program, Register};
use crate::schema::Var;
use crate::table::{StoredColumn, Table};

const BLOCK_WORDS: usize = 8;

/// Rows of a block: the operands of a block stay in the L1 cache.
const BLOCK: usize = BLOCK_WORDS * WORD;

const _: () = assert!(BLOCK_WORDS <= MAX_BLOCK_WORDS);

/// Words per strip: 4 KiB of bits per atom, and the everyday table of 18,000 rows is one strip.
pub(crate) const STRIP: usize = 512;

/// Words per strip of tables that are larger than that: 32 KiB per column, so that the columns of a
/// strip stay in the L2 cache from one atom to the next and memory is read once per relation.
const LARGE_TABLE_STRIP: usize = 64;

/// Registers and buffers, reused from one evaluation to the next without allocating.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    nums: Vec<Option<Box<NumBlock>>>,
    seqs: Vec<Option<Box<SeqBlock>>>,
    atoms: Vec<Vec<u64>>,
    temps: Vec<Vec<u64>>,
    buffers: Buffers,
    arena: Bump,
}

/// One number per row of a block, from the start of a page on: see `AlignedNumbers` for why.
#[derive(Debug)]
#[repr(C, align(4096))]
struct NumBlock([f64; BLOCK]);

/// One sequence per row of a block.
#[derive(Debug)]
#[repr(C, align(64))]
struct SeqBlock {
    starts: [u32; BLOCK],
    lens: [u32; BLOCK],
    /// What the instruction did to its operand; see `kernels.rs`.
    arguments: [u32; BLOCK],
}

impl Scratch {
    fn reserve(&mut self, program: &Program) {
        let grow = |len: usize, needed: usize| needed.saturating_sub(len);
        for _ in 0..grow(self.nums.len(), program.num_registers) {
            self.nums.push(Some(Box::new(NumBlock([0.0; BLOCK]))));
        }
        for _ in 0..grow(self.seqs.len(), program.seq_registers) {
            let zeros = [0; BLOCK];
            let block = SeqBlock { starts: zeros, lens: zeros, arguments: zeros };
            self.seqs.push(Some(Box::new(block)));
        }
        for _ in 0..grow(self.atoms.len(), program.atom_ends.len()) {
            self.atoms.push(vec![0; STRIP]);
        }
        for _ in 0..grow(self.temps.len(), program.logic.temps) {
            self.temps.push(vec![0; STRIP]);
        }
    }
}

/// Evaluates a program on the table it was lowered for. Bits past the end of a group mean nothing.
pub(crate) fn run(
    program: &Program,
    table: &Table,
    kernels: &Kernels,
    scratch: &mut Scratch,
    to: &mut [u64],
) {
    assert_eq!(to.len(), table.layout().words());
    scratch.reserve(program);
    let mut arena = std::mem::take(&mut scratch.arena);
    let atoms = (0..program.atom_ends.len()).map(|atom| fuse(program, atom, table, &arena));
    let atoms = arena.alloc_slice_fill_iter(atoms);
    let only_atom = atoms.len() == 1 && program.root == Some(Bits::Atom(0));
    let strip = if to.len() <= STRIP { STRIP } else { LARGE_TABLE_STRIP };
    for (i, to) in to.chunks_mut(strip).enumerate() {
        let first_word = i * strip;
        if only_atom {
            run_atom(&atoms[0], table, kernels, scratch, first_word, to);
            continue;
        }
        for (i, atom) in atoms.iter().enumerate() {
            let mut bits = std::mem::take(&mut scratch.atoms[i]);
            run_atom(atom, table, kernels, scratch, first_word, &mut bits[..to.len()]);
            scratch.atoms[i] = bits;
        }
        run_logic(program, table, kernels, scratch, first_word, to);
    }
    arena.reset();
    scratch.arena = arena;
}

fn run_atom(
    atom: &Atom<'_>,
    table: &Table,
    kernels: &Kernels,
    scratch: &mut Scratch,
    first_word: usize,
    to: &mut [u64],
) {
    for (i, to) in to.chunks_mut(BLOCK_WORDS).enumerate() {
        let first = (first_word + i * BLOCK_WORDS) * WORD;
        let recipes = &atom.recipes;
        let mut block = Block { table, kernels, scratch, recipes, first, rows: to.len() * WORD };
        for step in &atom.steps {
            block.run(step, to);
        }
    }
}

/// A block of rows being evaluated.
struct Block<'a> {
    table: &'a Table,
    kernels: &'a Kernels,
    scratch: &'a mut Scratch,
    recipes: &'a [Recipe<'a>],
    first: usize,
    rows: usize,
}

const HELD: &str = "a register is only away while its instruction writes it";

impl Block<'_> {
    #[inline]
    fn run(&mut self, step: &Step<'_>, to_bits: &mut [u64]) {
        let tolerance = self.table.tolerance();
        match *step {
            Step::Arith { op, to, x, y } => self.write_num(to, |block, to| {
                let (x, y) = (x.map(|o| block.num(o)), y.map(|o| block.num(o)));
                block.kernels.arith(op, to, x, y, tolerance);
            }),
            Step::Measure { measure, to, operands } => self.write_num(to, |block, to| {
                block.kernels.measure(measure, to, operands.map(|o| block.num(o)));
            }),
            Step::Sum { to, s } => {
                let mut buffers = std::mem::take(&mut self.scratch.buffers);
                self.write_num(to, |block, to| {
                    block.arena().sum(block.kernels, to, s, &mut buffers);
                });
                self.scratch.buffers = buffers;
            }
            Step::Flip { to, s } => self.write_seq(to, |block, to| {
                let twice = block.table.dictionary().codes().len() as u32;
                block.kernels.flip(to, block.seq(s), twice);
            }),
            Step::Truncate { to, s, n } => self.write_seq(to, |block, to| {
                block.kernels.truncate(to, block.seq(s), block.num(n));
            }),
            Step::Remove { to, s, n } => self.write_seq(to, |block, to| {
                block.kernels.remove(to, block.seq(s), block.num(n));
            }),
            Step::ToString { to, n } => self.write_seq(to, |block, to| {
                block.kernels.text(to, block.num(n));
            }),
            Step::Compare { kernel, x, y } => {
                let (x, y) = (x.map(|o| self.num(o)), y.map(|o| self.num(o)));
                self.kernels.compare(kernel, to_bits, x, y, tolerance);
            }
            Step::SeqEq { negate, s, t } => {
                let starts_decide =
                    matches!((s, t), (SeqOperand::Column(_), SeqOperand::Column(_)))
                        && self.table.dictionary().separated;
                if starts_decide {
                    self.kernels.equal(to_bits, self.seq(s).starts, self.seq(t).starts);
                } else {
                    let mut buffers = std::mem::take(&mut self.scratch.buffers);
                    self.arena().equal(self.kernels, to_bits, [s, t], &mut buffers);
                    self.scratch.buffers = buffers;
                }
                if negate {
                    to_bits.iter_mut().for_each(|word| *word = !*word);
                }
            }
            Step::Extra { op, to, operands } => self.write_num(to, |block, to| {
                block.kernels.extra(op, to, operands.map(|o| block.num(o)), tolerance);
            }),
            Step::Look { look, to, s, t, n } => {
                let mut buffers = std::mem::take(&mut self.scratch.buffers);
                self.write_num(to, |block, to| {
                    block.arena().look(look, to, [s, t], n, &mut buffers);
                });
                self.scratch.buffers = buffers;
            }
            Step::Make { making, to, s, t } => self.write_seq(to, |block, to| {
                lookups::make(making, to, block.seq(s), block.seq(t));
            }),
            Step::Test { op, negate, s, t } => {
                let mut buffers = std::mem::take(&mut self.scratch.buffers);
                self.arena().test(op, negate, to_bits, [s, t], &mut buffers);
                self.scratch.buffers = buffers;
            }
            Step::Bits { negate, words } => {
                let flip = if negate { !0 } else { 0 };
                let words = &words[self.first / WORD..][..to_bits.len()];
                to_bits.iter_mut().zip(words).for_each(|(to, word)| *to = word ^ flip);
            }
        }
    }

    /// Lets a step write a number register while it reads others.
    #[inline]
    fn write_num(&mut self, to: Register, write: impl FnOnce(&Self, &mut [f64])) {
        let mut register = self.scratch.nums[usize::from(to)].take().expect(HELD);
        write(self, &mut register.0[..self.rows]);
        self.scratch.nums[usize::from(to)] = Some(register);
    }

    /// Lets a step write a sequence register while it reads others.
    #[inline]
    fn write_seq(&mut self, to: Register, write: impl FnOnce(&Self, ViewsMut<'_>)) {
        let mut register = self.scratch.seqs[usize::from(to)].take().expect(HELD);
        let SeqBlock { starts, lens, arguments } = &mut *register;
        let rows = ..self.rows;
        let views = ViewsMut {
            starts: &mut starts[rows],
            lens: &mut lens[rows],
            arguments: &mut arguments[rows],
        };
        write(self, views);
        self.scratch.seqs[usize::from(to)] = Some(register);
    }

    fn arena(&self) -> Arena<'_, Self> {
        Arena { table: self.table, registers: self }
    }

    #[inline]
    fn num<'b>(&'b self, operand: Operand<'b>) -> Source<'b> {
        match operand {
            Operand::Column(values) => Source::Rows(&values[self.first..self.first + self.rows]),
            Operand::Register(register) => {
                let register = self.scratch.nums[usize::from(register)].as_deref().expect(HELD);
                Source::Rows(&register.0[..self.rows])
            }
            Operand::Splat(lanes) => Source::Splat(lanes),
        }
    }

    #[inline]
    fn seq<'b>(&'b self, operand: SeqOperand<'b>) -> Views<'b> {
        match operand {
            SeqOperand::Column(Views { starts, lens }) => {
                let rows = self.first..self.first + self.rows;
                Views { starts: &starts[rows.clone()], lens: &lens[rows] }
            }
            SeqOperand::Register(register) => {
                let register = self.scratch.seqs[usize::from(register)].as_deref().expect(HELD);
                Views { starts: &register.starts[..self.rows], lens: &register.lens[..self.rows] }
            }
        }
    }
}

impl Registers for Block<'_> {
    #[inline]
    fn views<'b>(&'b self, operand: SeqOperand<'b>) -> Views<'b> {
        self.seq(operand)
    }

    #[inline]
    fn arguments(&self, register: Register) -> &[u32] {
        let register = self.scratch.seqs[usize::from(register)].as_deref().expect(HELD);
        &register.arguments[..self.rows]
    }

    fn number(&self, operand: Operand<'_>, row: usize) -> f64 {
        match self.num(operand) {
            Source::Rows(values) => values[row],
            Source::Splat(lanes) => lanes[0],
        }
    }

    fn recipe(&self, register: Register) -> Recipe<'_> {
        self.recipes[usize::from(register)]
    }
}

fn run_logic(
    program: &Program,
    table: &Table,
    kernels: &Kernels,
    scratch: &mut Scratch,
    first_word: usize,
    to: &mut [u64],
) {
    let Scratch { atoms, temps, .. } = scratch;
    let root = program.root.expect("lowering sets a root");
    logic::evaluate(&program.logic.instrs, root, kernels, temps, to, |leaf| match leaf {
        LogicLeaf::Atom(atom) => &atoms[usize::from(atom)],
        LogicLeaf::Column(var) => &bool_column(table, var)[first_word..],
    });
}

/// The words of a Bool variable.
pub(crate) fn bool_column(table: &Table, var: Var) -> &[u64] {
    match table.column(var) {
        StoredColumn::Bool(words) => words,
        StoredColumn::Num(_) | StoredColumn::Seq(_) => unreachable!("lowered from a Bool column"),
    }
}
