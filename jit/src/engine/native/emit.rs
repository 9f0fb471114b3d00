//! A program as Cranelift IR.
//!
//! ```text
//! entry: column pointers; every constant, splatted
//! loop:  8 rows: for each pair of rows, the code of all atoms        F64X2
//!                pairs joined to quads, quads to octets              I64X2, I32X4, I16X8
//!                one bit per row                                     vhigh_bits
//!                the logic above the atoms, on eight bits at a time  I32
//!                store of eight bits
//! ```
//! All atoms of a relation are computed in the same turn of the loop, so a column that several of them
//! read is loaded once, and nothing but the result is stored.
//!
//! The meaning of each instruction is the kernel of the same name in `kernels.rs`; this file has to be
//! equal to it bit for bit. Where it computes less, a comment says why the answer is the same.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64X2, I8X16, I32, I32X4, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, Endianness, Function, Immediate, InstBuilder, MemFlagsData, Signature, Type,
    Value,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::code::MAX_OPERANDS;
use super::operand::{self, Operand};
use crate::mask::WORD;
use crate::op::LogicOp;
use crate::program::{
    Arith, Bits, Comparison, ComparisonKernel, Domain, Instr, LogicInstr, Num, Program, Seq,
};
use crate::table::Table;
use crate::tolerance::Tolerance;

/// Rows per turn of the loop. 16 run no faster on relations of more than one operator, and take nearly
/// twice as long to compile.
const STEP: usize = 8;

/// More atoms than this would live on the stack, not in registers. A guess.
const MAX_ATOMS: usize = 32;

/// More instructions than this take milliseconds to compile. A guess.
const MAX_INSTRUCTIONS: usize = 256;

const LITTLE: MemFlagsData = MemFlagsData::new().with_endianness(Endianness::Little);

/// Why this tier declines a program, if it does.
fn declined(program: &Program, table: &Table, isa: &dyn TargetIsa) -> Option<&'static str> {
    // Bits are stored eight at a time into words of 64: the first rows must be the first bytes.
    if isa.pointer_type() != I64 || isa.endianness() != Endianness::Little {
        return Some("not a 64-bit little-endian machine");
    }
    if program.atom_ends.len() > MAX_ATOMS {
        return Some("too many comparisons");
    }
    if program.code.len() + program.logic.instrs.len() > MAX_INSTRUCTIONS {
        return Some("too many instructions");
    }
    program.code.iter().find_map(|instr| match instr {
        Instr::Measure { .. }
        | Instr::Sum { .. }
        | Instr::Flip { .. }
        | Instr::Truncate { .. }
        | Instr::Remove { .. }
        | Instr::ToString { .. }
        | Instr::Make { .. }
        | Instr::Look { .. }
        | Instr::Test { .. }
        | Instr::SeqEq { s: Seq::Register(_), .. }
        | Instr::SeqEq { t: Seq::Register(_), .. } => Some("sequence operators"),
        Instr::SeqEq {
            s: Seq::Column(_) | Seq::Flipped(_),
            t: Seq::Column(_) | Seq::Flipped(_),
            ..
        } => {
            let separated = table.dictionary().separated;
            (!separated).then_some("sequences whose elements differ by less than the tolerance")
        }
        Instr::Extra { .. } => Some("min, max, mod and floor"),
        Instr::Arith { .. } | Instr::Abs { .. } | Instr::Compare { .. } => None,
    })
}

/// Writes the function of a program, and lists the columns it reads in the order of their pointers.
pub(super) fn emit(
    program: &Program,
    table: &Table,
    isa: &dyn TargetIsa,
    operands: &mut Vec<Operand>,
    function: &mut Function,
    frontend: &mut FunctionBuilderContext,
) -> Result<(), &'static str> {
    if let Some(reason) = declined(program, table, isa) {
        return Err(reason);
    }
    operand::collect(program, operands);
    if operands.len() > MAX_OPERANDS {
        return Err("too many columns");
    }
    function.signature = Signature::new(isa.default_call_conv());
    function.signature.params.extend([AbiParam::new(I64); 3]);

    let mut builder = FunctionBuilder::new(function, frontend);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let bases = (0..operands.len()).map(|i| {
        let columns = builder.block_params(entry)[0];
        builder.ins().load(I64, MemFlagsData::trusted(), columns, i as i32 * 8)
    });
    let bases = bases.collect();
    let mut emitter = Emitter {
        is_x86: isa.name() == "x64",
        builder,
        program,
        tolerance: table.tolerance(),
        operands,
        bases,
        constants: Vec::new(),
        pair: Pair::default(),
    };
    emitter.hoist_constants();
    emitter.rows(entry);
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(isa.frontend_config());
    Ok(())
}

struct Emitter<'a> {
    builder: FunctionBuilder<'a>,
    program: &'a Program,
    tolerance: &'a Tolerance,
    operands: &'a [Operand],
    /// Where each operand's column begins; inside the loop, where its current rows do.
    bases: Vec<Value>,
    /// Splatted constants, by their bits.
    constants: Vec<(u64, Value)>,
    pair: Pair,
    is_x86: bool,
}

/// What is known while the code of two rows is emitted.
#[derive(Default)]
struct Pair {
    /// Which of the pairs of this turn.
    index: usize,
    registers: Vec<Option<Value>>,
    /// Results by what they were computed from, so that atoms share them.
    known: Vec<(Key, Value)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Load(usize),
    Arith(Arith, Value, Value),
    Abs(Value),
    Allowed(Value, Value),
}

/// All bits but the sign.
const MAGNITUDE: u64 = !(1 << 63);

impl Emitter<'_> {
    /// Splats what the loop needs before the loop.
    fn hoist_constants(&mut self) {
        let (abs, rel) = (self.tolerance.abs(), self.tolerance.rel());
        let tolerant = |emitter: &mut Self| {
            emitter.constant(abs);
            emitter.bits(MAGNITUDE);
            if rel != 0.0 {
                emitter.constant(rel);
            }
        };
        for instr in &self.program.code {
            match *instr {
                Instr::Arith { op, a, b, .. } => {
                    self.hoist([a, b]);
                    if op == Arith::Div {
                        tolerant(self);
                        self.constant(1.0);
                        if rel != 0.0 {
                            self.constant(f64::MAX);
                        }
                    }
                }
                Instr::Compare { kernel, a, b } => {
                    self.hoist([a, b]);
                    if kernel.domain != Domain::Integer {
                        tolerant(self);
                    }
                    if kernel.domain == Domain::Any && rel != 0.0 {
                        self.constant(f64::MAX);
                    }
                }
                Instr::Abs { .. } => {
                    self.bits(MAGNITUDE);
                }
                _ => {}
            }
        }
    }

    fn hoist(&mut self, operands: [Num; 2]) {
        for operand in operands {
            if let Num::Constant(value) = operand {
                self.constant(value);
            }
        }
    }

    fn constant(&mut self, value: f64) -> Value {
        self.bits(value.to_bits())
    }

    fn bits(&mut self, bits: u64) -> Value {
        if let Some((_, value)) = self.constants.iter().find(|(known, _)| *known == bits) {
            return *value;
        }
        let scalar = self.builder.ins().f64const(f64::from_bits(bits));
        let value = self.builder.ins().splat(F64X2, scalar);
        self.constants.push((bits, value));
        value
    }

    /// The loop over all rows, and the end of the function.
    fn rows(&mut self, entry: Block) {
        let [_, to, words] = *self.builder.block_params(entry) else {
            unreachable!("three parameters were declared")
        };
        let body = self.builder.create_block();
        let exit = self.builder.create_block();
        // Where the loop is, in bytes of an f64 column.
        let at = self.builder.append_block_param(body, I64);
        let zero = self.builder.ins().iconst(I64, 0);
        let row_bytes = size_of::<f64>() as i64;
        let end = self.builder.ins().imul_imm_u(words, WORD as i64 * row_bytes);
        self.builder.ins().brif(words, body, &[zero.into()], exit, &[]);

        self.builder.switch_to_block(body);
        let bit_at = self.builder.ins().ushr_imm_u(at, 6);
        let to = self.builder.ins().iadd(to, bit_at);
        let bases = self.bases.clone();
        for (i, operand) in self.operands.iter().enumerate() {
            let offset = match operand {
                Operand::Num(_) | Operand::Length(_) | Operand::Sum(_) | Operand::Extreme(..) => at,
                Operand::Starts(_) | Operand::Flipped(_) => self.builder.ins().ushr_imm_u(at, 1),
                Operand::Bits(_) => bit_at,
            };
            self.bases[i] = self.builder.ins().iadd(bases[i], offset);
        }
        let atoms = self.atoms();
        let held = self.logic(&atoms);
        self.builder.ins().istore8(MemFlagsData::trusted(), held, to, 0);
        let next = self.builder.ins().iadd_imm_u(at, STEP as i64 * row_bytes);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, next, end);
        self.builder.ins().brif(more, body, &[next.into()], exit, &[]);

        self.builder.switch_to_block(exit);
        self.builder.ins().return_(&[]);
    }

    /// Where each atom holds on the rows of this turn: one bit per row.
    fn atoms(&mut self) -> Vec<Value> {
        let low = self.quad(0);
        let high = self.quad(2);
        let quads = low.into_iter().zip(high);
        // Saturation keeps all-ones all ones.
        let bits = quads.map(|(low, high)| {
            let joined = self.builder.ins().snarrow(low, high);
            self.builder.ins().vhigh_bits(I32, joined)
        });
        bits.collect()
    }

    /// Where each atom holds on four rows, from a pair of rows on: I32X4 masks.
    fn quad(&mut self, first: usize) -> Vec<Value> {
        let program = self.program;
        let mut low: Vec<Value> = Vec::with_capacity(program.atom_ends.len());
        let mut quads = Vec::with_capacity(program.atom_ends.len());
        for pair in [first, first + 1] {
            self.pair.index = pair;
            self.pair.known.clear();
            let mut start = 0;
            for (atom, &end) in program.atom_ends.iter().enumerate() {
                let code = &program.code[start..end as usize];
                start = end as usize;
                let mask = self.atom(code);
                if pair == first {
                    low.push(mask);
                } else if self.builder.func.dfg.value_type(mask) == I32X4 {
                    // A comparison of u32s takes four rows at once.
                    quads.push(mask);
                } else {
                    quads.push(self.join(low[atom], mask));
                }
            }
        }
        quads
    }

    /// Two I64X2 masks as one I32X4: the low half of each lane.
    fn join(&mut self, a: Value, b: Value) -> Value {
        const LOW_HALVES: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
        let (a, b) = (self.cast(I8X16, a), self.cast(I8X16, b));
        let lanes: Immediate = self.builder.func.dfg.immediates.push(LOW_HALVES.as_slice().into());
        let joined = self.builder.ins().shuffle(a, b, lanes);
        self.cast(I32X4, joined)
    }

    /// The code of one atom, for the current pair of rows.
    fn atom(&mut self, code: &[Instr]) -> Value {
        self.pair.registers.clear();
        self.pair.registers.resize(self.program.num_registers, None);
        let mut mask = None;
        for instr in code {
            match *instr {
                Instr::Arith { op, to, a, b, .. } => {
                    let (a, b) = (self.num(a), self.num(b));
                    let value = self.arith(op, a, b);
                    self.pair.registers[usize::from(to)] = Some(value);
                }
                Instr::Abs { to, a } => {
                    let a = self.num(a);
                    let value = self.abs(a);
                    self.pair.registers[usize::from(to)] = Some(value);
                }
                Instr::Compare { kernel, a, b } => {
                    let one_is_a_number = is_a_number(a) || is_a_number(b);
                    let (a, b) = (self.num(a), self.num(b));
                    mask = Some(self.compare(kernel, a, b, one_is_a_number));
                }
                Instr::SeqEq { s, t, .. } => mask = Some(self.starts_equal(s, t)),
                Instr::Measure { .. }
                | Instr::Sum { .. }
                | Instr::Flip { .. }
                | Instr::Truncate { .. }
                | Instr::Remove { .. }
                | Instr::ToString { .. }
                | Instr::Make { .. }
                | Instr::Look { .. }
                | Instr::Test { .. }
                | Instr::Extra { .. } => unreachable!("declined"),
            }
        }
        mask.expect("an atom ends in a comparison")
    }

    /// A result that is computed once per pair of rows.
    fn once(&mut self, key: Key, compute: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some((_, value)) = self.pair.known.iter().find(|(known, _)| *known == key) {
            return *value;
        }
        let value = compute(self);
        self.pair.known.push((key, value));
        value
    }

    fn num(&mut self, num: Num) -> Value {
        match num {
            Num::Register(register) => {
                self.pair.registers[usize::from(register)].expect("written before it is read")
            }
            Num::Constant(value) => self.constant(value),
            Num::Column(_) | Num::Length(_) | Num::Sum(_) | Num::Extreme(..) => {
                let i = self.position(Operand::of_num(num));
                // Number columns are aligned: `operand::ALIGNMENT`.
                self.once(Key::Load(i), |emitter| {
                    let offset = emitter.pair.index as i32 * 16;
                    let flags = MemFlagsData::trusted();
                    emitter.builder.ins().load(F64X2, flags, emitter.bases[i], offset)
                })
            }
        }
    }

    fn position(&self, operand: Option<Operand>) -> usize {
        let position = self.operands.iter().position(|known| Some(*known) == operand);
        position.expect("every column was collected")
    }

    /// Where two sequences are the same one of the dictionary: four rows.
    fn starts_equal(&mut self, s: Seq, t: Seq) -> Value {
        // u32s are half as wide as f64s: both pairs of a quad have the same four.
        let offset = self.pair.index as i32 / 2 * 16;
        let [s, t] = [s, t].map(|seq| {
            let i = self.position(Operand::of_seq(seq));
            let flags = MemFlagsData::new().with_notrap();
            self.once(Key::Load(i), |emitter| {
                emitter.builder.ins().load(I32X4, flags, emitter.bases[i], offset)
            })
        });
        self.builder.ins().icmp(IntCC::Equal, s, t)
    }

    fn cast(&mut self, ty: Type, value: Value) -> Value {
        self.builder.ins().bitcast(ty, LITTLE, value)
    }

    fn abs(&mut self, a: Value) -> Value {
        self.once(Key::Abs(a), |emitter| {
            if emitter.is_x86 {
                // `fabs` makes its mask anew each time; this one waits in a register.
                let mask = emitter.bits(MAGNITUDE);
                emitter.builder.ins().band(a, mask)
            } else {
                emitter.builder.ins().fabs(a)
            }
        })
    }

    /// The larger of two numbers; not specified for NaN.
    fn max(&mut self, a: Value, b: Value) -> Value {
        if self.is_x86 {
            // This shape is one `maxpd`; `fmax` is nine instructions for the sake of NaN.
            let less = self.builder.ins().fcmp(FloatCC::LessThan, b, a);
            let less = self.cast(F64X2, less);
            self.builder.ins().bitselect(less, a, b)
        } else {
            self.builder.ins().fmax(a, b)
        }
    }

    /// The smaller of two numbers; not specified for NaN.
    fn min(&mut self, a: Value, b: Value) -> Value {
        if self.is_x86 {
            let less = self.builder.ins().fcmp(FloatCC::LessThan, a, b);
            let less = self.cast(F64X2, less);
            self.builder.ins().bitselect(less, a, b)
        } else {
            self.builder.ins().fmin(a, b)
        }
    }

    fn arith(&mut self, op: Arith, a: Value, b: Value) -> Value {
        self.once(Key::Arith(op, a, b), |emitter| match op {
            Arith::Add => emitter.builder.ins().fadd(a, b),
            Arith::Sub => emitter.builder.ins().fsub(a, b),
            Arith::Mul => emitter.builder.ins().fmul(a, b),
            Arith::Div => emitter.divide(a, b),
        })
    }

    fn divide(&mut self, a: Value, b: Value) -> Value {
        let magnitude = self.abs(b);
        let (abs, rel) = (self.tolerance.abs(), self.tolerance.rel());
        let mut allowed = self.constant(abs);
        // With rel = 0 the other term is 0: the magnitude was made finite.
        if rel != 0.0 {
            let (max, rel) = (self.constant(f64::MAX), self.constant(rel));
            let finite = self.min(magnitude, max);
            let scaled = self.builder.ins().fmul(rel, finite);
            allowed = self.builder.ins().fadd(allowed, scaled);
        }
        let zero = self.builder.ins().fcmp(FloatCC::LessThanOrEqual, magnitude, allowed);
        let zero = self.cast(F64X2, zero);
        let quotient = self.builder.ins().fdiv(a, b);
        let one = self.constant(1.0);
        self.builder.ins().bitselect(zero, one, quotient)
    }

    /// `abs + rel * max(|a|, |b|)`; not specified for NaN. At most `f64::MAX` if it has to be finite.
    fn allowed(&mut self, a: Value, b: Value) -> Value {
        self.once(Key::Allowed(a, b), |emitter| {
            let (abs, rel) = (emitter.tolerance.abs(), emitter.tolerance.rel());
            let abs = emitter.constant(abs);
            // Equal to abs + 0 * x for finite x. For others the callers do not look at it: with an
            // infinite or NaN operand the distance is infinite or NaN, and never within a finite abs.
            if rel == 0.0 {
                return abs;
            }
            let rel = emitter.constant(rel);
            let (a, b) = (emitter.abs(a), emitter.abs(b));
            let larger = emitter.max(a, b);
            let scaled = emitter.builder.ins().fmul(rel, larger);
            emitter.builder.ins().fadd(abs, scaled)
        })
    }

    fn compare(
        &mut self,
        ComparisonKernel { comparison, domain, negate: _ }: ComparisonKernel,
        a: Value,
        b: Value,
        one_is_a_number: bool,
    ) -> Value {
        let (eq, lt, le) = (FloatCC::Equal, FloatCC::LessThan, FloatCC::LessThanOrEqual);
        match (domain, comparison) {
            (Domain::Integer, Comparison::Eq) => self.builder.ins().fcmp(eq, a, b),
            (Domain::Integer, Comparison::Lt) => self.builder.ins().fcmp(lt, a, b),
            (Domain::Integer, Comparison::Le) => self.builder.ins().fcmp(le, a, b),
            (Domain::Finite, Comparison::Eq) => {
                let allowed = self.allowed(a, b);
                let difference = self.arith(Arith::Sub, a, b);
                let distance = self.abs(difference);
                self.builder.ins().fcmp(le, distance, allowed)
            }
            (Domain::Finite, Comparison::Lt) => {
                let allowed = self.allowed(a, b);
                let difference = self.arith(Arith::Sub, b, a);
                self.builder.ins().fcmp(lt, allowed, difference)
            }
            (Domain::Finite, Comparison::Le) => {
                let allowed = self.allowed(a, b);
                let difference = self.arith(Arith::Sub, a, b);
                self.builder.ins().fcmp(le, difference, allowed)
            }
            (Domain::Any, Comparison::Eq) => {
                let near = self.near(a, b);
                let same = self.builder.ins().fcmp(eq, a, b);
                let equal = self.builder.ins().bor(near, same);
                self.or_both_nan(equal, a, b, one_is_a_number)
            }
            (Domain::Any, Comparison::Lt) => {
                // Where a < b holds they are neither the same nor both NaN: only nearness makes
                // them equal.
                let near = self.near(a, b);
                let less = self.builder.ins().fcmp(lt, a, b);
                self.builder.ins().band_not(less, near)
            }
            (Domain::Any, Comparison::Le) => {
                // Less or the same is IEEE <=.
                let near = self.near(a, b);
                let at_most = self.builder.ins().fcmp(le, a, b);
                let held = self.builder.ins().bor(near, at_most);
                self.or_both_nan(held, a, b, one_is_a_number)
            }
        }
    }

    /// Where both are finite and within the tolerance.
    fn near(&mut self, a: Value, b: Value) -> Value {
        let mut allowed = self.allowed(a, b);
        // An infinite operand makes both sides infinite, and that must not count. For finite operands
        // the right side is finite and stays as it is.
        if self.tolerance.rel() != 0.0 {
            let max = self.constant(f64::MAX);
            allowed = self.min(allowed, max);
        }
        let difference = self.arith(Arith::Sub, a, b);
        let distance = self.abs(difference);
        self.builder.ins().fcmp(FloatCC::LessThanOrEqual, distance, allowed)
    }

    fn or_both_nan(&mut self, held: Value, a: Value, b: Value, one_is_a_number: bool) -> Value {
        if one_is_a_number {
            return held;
        }
        let [a, b] = [a, b].map(|x| self.builder.ins().fcmp(FloatCC::Unordered, x, x));
        let both = self.builder.ins().band(a, b);
        self.builder.ins().bor(held, both)
    }

    /// The logic above the atoms, on eight rows: the low eight bits of an I32.
    fn logic(&mut self, atoms: &[Value]) -> Value {
        let program = self.program;
        let ends = program.atom_ends.iter().map(|&end| &program.code[end as usize - 1]);
        let atoms: Vec<Value> = atoms
            .iter()
            .zip(ends)
            .map(|(&bits, end)| match end {
                Instr::Compare { kernel: ComparisonKernel { negate: true, .. }, .. }
                | Instr::SeqEq { negate: true, .. } => self.builder.ins().bnot(bits),
                _ => bits,
            })
            .collect();
        let mut temps: Vec<Option<Value>> = vec![None; program.logic.temps];
        for &LogicInstr { op, to, a, b } in &program.logic.instrs {
            let a = self.word(a, &atoms, &temps);
            let b = if op == LogicOp::Not { a } else { self.word(b, &atoms, &temps) };
            let ins = self.builder.ins();
            let value = match op {
                LogicOp::And => ins.band(a, b),
                LogicOp::Or => ins.bor(a, b),
                LogicOp::Xor => ins.bxor(a, b),
                LogicOp::Iff => {
                    let differ = ins.bxor(a, b);
                    self.builder.ins().bnot(differ)
                }
                LogicOp::Implies => {
                    let not = ins.bnot(a);
                    self.builder.ins().bor(not, b)
                }
                LogicOp::Not => ins.bnot(a),
            };
            temps[usize::from(to)] = Some(value);
        }
        let root = program.root.expect("lowering sets a root");
        self.word(root, &atoms, &temps)
    }

    fn word(&mut self, bits: Bits, atoms: &[Value], temps: &[Option<Value>]) -> Value {
        match bits {
            Bits::Atom(atom) => atoms[usize::from(atom)],
            Bits::Temp(temp) => temps[usize::from(temp)].expect("written before it is read"),
            Bits::Column(_) => {
                let base = self.bases[self.position(Operand::of_bits(bits))];
                self.builder.ins().uload8(I32, MemFlagsData::trusted(), base, 0)
            }
            Bits::Constant(value) => self.builder.ins().iconst(I32, if value { 0xff } else { 0 }),
        }
    }
}

/// Whether an operand is a constant that is not NaN.
fn is_a_number(num: Num) -> bool {
    matches!(num, Num::Constant(value) if !value.is_nan())
}
