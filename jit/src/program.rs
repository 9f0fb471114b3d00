//! A predicate lowered to bytecode for one table.
//!
//! Lowering splits a relation in two. Its **atoms** (comparisons of numbers or sequences) become runs of
//! register instructions over blocks of rows, each run ending in the one instruction that makes
//! bits. The **logic** above the atoms becomes instructions on words of 64 rows. Leaves
//! cost nothing: operands point into columns. `>` is a swapped `<`, `!=` a negated
//! `==`, `not` of an atom negates it, and constant operands are folded by the scalar meaning of `op.rs`.
//!
//! What the table knows of its columns (integers? bounded?) is carried through the arithmetic, so
//! that each comparison gets the cheapest domain that has the same answer on this table's rows.

mod kinds;
mod listing;
mod logic;
mod lookups;
mod measures;
mod reads;

pub(crate) use self::kinds::{
    Arith, Comparison, ComparisonKernel, DirectMeasure, Domain, Extra, Look, Making,
};
pub use self::listing::Listing;
pub(crate) use self::logic::{Bits, LogicCode, LogicInstr};
pub(crate) use self::reads::{Part, Read};
use crate::expr::{Node, Predicate};
use crate::interval::Interval;
use crate::op::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, LookupOp, MeasureOp, Op, SequenceOp, TestOp, Value,
};
use crate::schema::{Schema, Var};
use crate::table::{Extreme, StoredColumn, Table};
use crate::tolerance::Tolerance;

/// A register of one number, or one sequence, per row of a block.
pub(crate) type Register = u16;

/// Where an instruction finds a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Num {
    Column(Var),
    /// `length` of a sequence variable: a column of the table.
    Length(Var),
    /// `sum` of a sequence variable: a column of the table.
    Sum(Var),
    /// `first`, `last`, `least` or `greatest` of a sequence variable: a column of the table.
    Extreme(Var, Extreme),
    Register(Register),
    Constant(f64),
}

/// Where an instruction finds a sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Seq {
    Column(Var),
    /// `flip` of a variable: a column of the table.
    Flipped(Var),
    Register(Register),
}

/// An instruction over a block of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Instr {
    Arith {
        op: Arith,
        to: Register,
        a: Num,
        b: Num,
    },
    Abs {
        to: Register,
        a: Num,
    },
    /// Arithmetic that stays by itself.
    Extra {
        op: Extra,
        to: Register,
        a: Num,
        b: Num,
    },
    /// A number found in sequences. Where the operator takes one sequence, `t` is `s`; where it takes no
    /// number, `n` is a constant.
    Look {
        look: Look,
        to: Register,
        s: Seq,
        t: Seq,
        n: Num,
    },
    /// A sequence of the elements of others; where it is made of one, `t` is `s`.
    Make {
        making: Making,
        to: Register,
        s: Seq,
        t: Seq,
    },
    /// A length or sum that needs no sequence.
    Measure {
        measure: DirectMeasure,
        to: Register,
        a: Num,
        b: Num,
    },
    Sum {
        to: Register,
        s: Seq,
    },
    Flip {
        to: Register,
        s: Seq,
    },
    Truncate {
        to: Register,
        s: Seq,
        n: Num,
    },
    Remove {
        to: Register,
        s: Seq,
        n: Num,
    },
    ToString {
        to: Register,
        n: Num,
    },
    /// Compares two numbers, which ends an atom.
    Compare {
        kernel: ComparisonKernel,
        a: Num,
        b: Num,
    },
    /// Compares two sequences, which ends an atom.
    SeqEq {
        negate: bool,
        s: Seq,
        t: Seq,
    },
    /// Asks something else of one sequence or two, which ends an atom; of one, `t` is `s`.
    Test {
        op: TestOp,
        negate: bool,
        s: Seq,
        t: Seq,
    },
}

/// A predicate as bytecode. Reused from one lowering to the next without allocating.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The code of all atoms, one after the other.
    pub(crate) code: Vec<Instr>,
    /// Where the code of each atom ends.
    pub(crate) atom_ends: Vec<u32>,
    pub(crate) logic: LogicCode,
    pub(crate) root: Option<Bits>,
    /// How many registers of each kind the code uses.
    pub(crate) num_registers: usize,
    pub(crate) seq_registers: usize,
    /// The nodes of the predicate, leaves included.
    pub(crate) nodes: usize,
    stack: Vec<Item>,
    free: Vec<Register>,
    next_seq: Register,
}

/// What a subtree has been lowered to.
#[derive(Clone, Copy, Debug)]
enum Item {
    Num(Num, Interval),
    Seq(Seq),
    Bits(Bits),
}

impl Program {
    /// An empty program, to lower into.
    pub fn new() -> Program {
        Program::default()
    }

    /// Replaces this program by the one of a predicate, for the rows of a table.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn lower(&mut self, predicate: &Predicate, table: &Table) {
        self.lower_nodes(predicate.nodes(), table);
    }

    /// As [`Program::lower`], from nodes that are known to be a predicate.
    pub(crate) fn lower_nodes(&mut self, nodes: &[Node], table: &Table) {
        self.clear(nodes.len());
        for &node in nodes {
            let item = match node {
                Node::Num(value) => constant(value),
                Node::Bool(value) => Item::Bits(Bits::Constant(value)),
                Node::Var(var) => match table.column(var) {
                    StoredColumn::Num(column) => Item::Num(Num::Column(var), column.facts),
                    StoredColumn::Bool(_) => Item::Bits(Bits::Column(var)),
                    StoredColumn::Seq(_) => Item::Seq(Seq::Column(var)),
                },
                Node::Op(op) => self.lower_op(op, table),
            };
            self.stack.push(item);
        }
        self.root = Some(self.pop_bits());
    }

    fn clear(&mut self, nodes: usize) {
        self.code.clear();
        self.atom_ends.clear();
        self.logic.clear();
        self.stack.clear();
        self.free.clear();
        self.root = None;
        (self.num_registers, self.seq_registers, self.next_seq) = (0, 0, 0);
        self.nodes = nodes;
    }

    fn lower_op(&mut self, op: Op, table: &Table) -> Item {
        let tolerance = table.tolerance();
        match op.class() {
            Class::Arithmetic(arithmetic) => match arithmetic {
                ArithmeticOp::Add => self.arith(op, Arith::Add, tolerance),
                ArithmeticOp::Sub => self.arith(op, Arith::Sub, tolerance),
                ArithmeticOp::Mul => self.arith(op, Arith::Mul, tolerance),
                ArithmeticOp::Div => self.arith(op, Arith::Div, tolerance),
                ArithmeticOp::Abs => self.abs(),
                ArithmeticOp::Min => self.extra(op, Extra::Min, tolerance),
                ArithmeticOp::Max => self.extra(op, Extra::Max, tolerance),
                ArithmeticOp::Mod => self.extra(op, Extra::Mod, tolerance),
                ArithmeticOp::Floor => self.floor(),
            },
            Class::Comparison(comparison) => match comparison {
                ComparisonOp::NumEq | ComparisonOp::NumNe => {
                    self.compare(op, Comparison::Eq, tolerance)
                }
                ComparisonOp::Lt | ComparisonOp::Gt => self.compare(op, Comparison::Lt, tolerance),
                ComparisonOp::Le | ComparisonOp::Ge => self.compare(op, Comparison::Le, tolerance),
                ComparisonOp::SeqEq => self.seq_eq(false),
                ComparisonOp::SeqNe => self.seq_eq(true),
            },
            Class::Logic(LogicOp::Not) => self.not(),
            Class::Logic(logic) => self.logic(logic),
            Class::Measure(MeasureOp::Length) => self.length(table),
            Class::Measure(MeasureOp::Sum) => self.sum(table),
            Class::Measure(MeasureOp::First) => self.extreme(Extreme::First, table),
            Class::Measure(MeasureOp::Last) => self.extreme(Extreme::Last, table),
            Class::Measure(MeasureOp::Least) => self.extreme(Extreme::Least, table),
            Class::Measure(MeasureOp::Greatest) => self.extreme(Extreme::Greatest, table),
            Class::Lookup(LookupOp::At) => self.looked_up(Look::At),
            Class::Lookup(LookupOp::Count) => self.looked_up(Look::Count),
            Class::Lookup(LookupOp::IndexOf) => self.index_of(),
            Class::Test(test) => self.test(test),
            Class::Sequence(sequence) => match sequence {
                SequenceOp::Flip => self.flip(),
                SequenceOp::Remove => self.indexed(|to, s, n| Instr::Remove { to, s, n }),
                SequenceOp::Truncate => self.indexed(|to, s, n| Instr::Truncate { to, s, n }),
                SequenceOp::ToString => {
                    // The number is kept: the text is only made for rows where it matters.
                    let (n, _) = self.pop_num();
                    self.push_seq(|to| Instr::ToString { to, n })
                }
                SequenceOp::Join => self.make(Making::Join),
                SequenceOp::Sort => self.make(Making::Sort),
                SequenceOp::Upper => self.make(Making::Upper),
                SequenceOp::Lower => self.make(Making::Lower),
            },
        }
    }

    fn abs(&mut self) -> Item {
        let (a, facts) = self.pop_num();
        if let Num::Constant(value) = a {
            return constant(value.abs());
        }
        if let (Num::Register(_), Some(Instr::Abs { .. })) = (a, self.code.last()) {
            // The operand is a magnitude already.
            return Item::Num(a, facts);
        }
        let to = self.new_num();
        self.release_num(a);
        self.code.push(Instr::Abs { to, a });
        Item::Num(Num::Register(to), facts.magnitude())
    }

    /// A sequence made of a sequence and an index.
    fn indexed(&mut self, instr: impl FnOnce(Register, Seq, Num) -> Instr) -> Item {
        let (n, _) = self.pop_num();
        let s = self.pop_seq();
        self.release_num(n);
        self.push_seq(|to| instr(to, s, n))
    }

    fn arith(&mut self, op: Op, arith: Arith, tolerance: &Tolerance) -> Item {
        let (b, b_facts) = self.pop_num();
        let (a, a_facts) = self.pop_num();
        if let (Num::Constant(a), Num::Constant(b)) = (a, b) {
            return match op.apply(&[Value::Num(a), Value::Num(b)], tolerance) {
                Value::Num(value) => constant(value),
                Value::Bool(_) | Value::Seq(_) => unreachable!("arithmetic gives numbers"),
            };
        }
        let to = self.new_num();
        self.release_num(a);
        self.release_num(b);
        self.code.push(Instr::Arith { op: arith, to, a, b });
        Item::Num(Num::Register(to), facts_of(arith, a_facts, b_facts, tolerance))
    }

    fn compare(&mut self, op: Op, comparison: Comparison, tolerance: &Tolerance) -> Item {
        let (mut b, b_facts) = self.pop_num();
        let (mut a, a_facts) = self.pop_num();
        if let (Num::Constant(a), Num::Constant(b)) = (a, b) {
            return match op.apply(&[Value::Num(a), Value::Num(b)], tolerance) {
                Value::Bool(value) => Item::Bits(Bits::Constant(value)),
                Value::Num(_) | Value::Seq(_) => unreachable!("comparisons give truth values"),
            };
        }
        self.release_num(a);
        self.release_num(b);
        if matches!(op, Op::Gt | Op::Ge) {
            (a, b) = (b, a);
        }
        let bound = a_facts.bound().max(b_facts.bound());
        let domain = if a_facts.integer && b_facts.integer && tolerance.separates_integers(bound) {
            Domain::Integer
        } else if bound < FINITE {
            Domain::Finite
        } else {
            Domain::Any
        };
        let negate = op == Op::NumNe;
        self.code.push(Instr::Compare {
            kernel: ComparisonKernel { comparison, domain, negate },
            a,
            b,
        });
        self.end_atom()
    }

    fn seq_eq(&mut self, negate: bool) -> Item {
        let t = self.pop_seq();
        let s = self.pop_seq();
        self.code.push(Instr::SeqEq { negate, s, t });
        self.end_atom()
    }

    fn end_atom(&mut self) -> Item {
        let atom = self.atom_ends.len() as u16;
        self.atom_ends.push(self.code.len() as u32);
        self.next_seq = 0;
        Item::Bits(Bits::Atom(atom))
    }

    fn logic(&mut self, op: LogicOp) -> Item {
        let b = self.pop_bits();
        let a = self.pop_bits();
        Item::Bits(self.logic.apply(op, a, b))
    }

    fn not(&mut self) -> Item {
        let a = self.pop_bits();
        if let Bits::Atom(atom) = a {
            let end = self.atom_ends[usize::from(atom)] as usize;
            match &mut self.code[end - 1] {
                Instr::Compare { kernel: ComparisonKernel { negate, .. }, .. }
                | Instr::SeqEq { negate, .. }
                | Instr::Test { negate, .. } => *negate = !*negate,
                other => unreachable!("an atom ends in a comparison, not {other:?}"),
            }
            return Item::Bits(a);
        }
        Item::Bits(self.logic.not(a))
    }

    fn pop_num(&mut self) -> (Num, Interval) {
        match self.stack.pop() {
            Some(Item::Num(num, facts)) => (num, facts),
            other => panic!("a Num operand was type-checked, found {other:?}: another schema?"),
        }
    }

    fn pop_seq(&mut self) -> Seq {
        match self.stack.pop() {
            Some(Item::Seq(seq)) => seq,
            other => panic!("a Seq operand was type-checked, found {other:?}: another schema?"),
        }
    }

    fn pop_bits(&mut self) -> Bits {
        match self.stack.pop() {
            Some(Item::Bits(bits)) => bits,
            other => panic!("a Bool operand was type-checked, found {other:?}: another schema?"),
        }
    }

    // A result never shares a register with its operands: kernels write one block while they
    // read others. So the result is allocated before the operands are released.

    fn new_num(&mut self) -> Register {
        self.free.pop().unwrap_or_else(|| {
            self.num_registers += 1;
            (self.num_registers - 1) as Register
        })
    }

    fn release_num(&mut self, num: Num) {
        if let Num::Register(register) = num {
            self.free.push(register);
        }
    }

    /// Emits an instruction that makes a sequence. Within an atom every one has a register of its own:
    /// the elements of a row are found by going back through them.
    fn push_seq(&mut self, instr: impl FnOnce(Register) -> Instr) -> Item {
        let to = self.next_seq;
        self.next_seq += 1;
        self.seq_registers = self.seq_registers.max(usize::from(self.next_seq));
        self.code.push(instr(to));
        Item::Seq(Seq::Register(to))
    }

    /// The program as text, one instruction per line, with the names of a schema.
    pub fn listing(&self, schema: &Schema) -> Listing<'_> {
        Listing::new(self, schema)
    }
}

/// Below this, sums, differences and tolerances of two numbers stay finite.
const FINITE: f64 = 1e300;

fn constant(value: f64) -> Item {
    Item::Num(Num::Constant(value), Interval::constant(value))
}

/// What is known of `a op b`.
fn facts_of(op: Arith, a: Interval, b: Interval, tolerance: &Tolerance) -> Interval {
    match op {
        Arith::Add => a.plus(b),
        Arith::Sub => a.minus(b),
        Arith::Mul => a.times(b),
        Arith::Div => a.over(b, tolerance),
    }
}
