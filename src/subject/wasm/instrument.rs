//! Adds code to functions: for fuel, for the depth of calls, and for marks on memory that was written.
//!
//! ```text
//!  at loop heads and entries     fuel -= 1; below 0 it is a trap
//!  at calls that may recurse     depth += 1; above the limit it is a trap; depth -= 1 after the call
//!  before bulk table operations  depth += 1, for the rest of the row
//!  after stores                  marks[address / 4096] = 1
//!  after bulk writes             marks for the whole range, and fuel for its length
//!  instead of memory.grow        a function that counts pages, so that growth can be taken back
//! ```
//!
//! Works on a body after patching, so it need not know what patches do. The added code uses its own globals,
//! functions and memory, for which the module's code has no index.

use wasm_encoder::{BlockType, InstructionSink, MemArg, ValType};
use wasmparser::{BinaryReader, FunctionBody, Operator};

use super::calls::{Cycles, store};
use super::module::{Module, Patch};
use super::sections::leb;

/// Deeper calls are [`OutOfStack`](crate::subject::Outcome::OutOfStack): the stacks of both engines hold this
/// many frames of any usual size. Only calls that may recurse count.
const DEPTH: i32 = 1_000;

/// A mark stands for `1 << PAGE` bytes.
pub(super) const PAGE: u32 = 12;

/// The layout of the private memory: `[flags u32][row u32][… marks][… rows]`.
pub(super) mod private {
    use super::super::build::{AREA, MOST_PAGES, RESERVE};

    /// Bits for events during a call.
    pub(in super::super) const FLAGS: u64 = 0;
    /// The row that is being run.
    pub(in super::super) const ROW: u64 = 4;
    /// One byte per page of memory.
    pub(in super::super) const MARKS: u64 = 16;
    /// Inputs and results of rows. The marks before it suffice for the largest memory and its end.
    pub(in super::super) const ROWS: u64 = MARKS + ((MOST_PAGES + AREA + RESERVE) as u64 * 16) + 16;
    /// Size of the private memory in bytes.
    pub(in super::super) const SIZE: u64 = 65_536;

    /// The limit on the depth of calls was reached.
    pub(in super::super) const DEEP: u8 = 1;
    /// The module asked for memory and was refused.
    pub(in super::super) const REFUSED: u8 = 2;
    /// The memory of the engine grew, which cannot be undone.
    pub(in super::super) const GREW: u8 = 4;
}

/// Indices that the added code uses.
#[derive(Clone, Debug)]
pub(super) struct Instrument {
    /// Global with the remaining fuel, an i64.
    pub(super) fuel: u32,
    /// Global with the depth of calls.
    pub(super) depth: u32,
    /// Global with the number of memory pages that the module sees.
    pub(super) pages: u32,
    /// Index of the private memory.
    pub(super) private: u32,
    /// Function that grows memory: `(pages) -> pages before`.
    pub(super) grow: u32,
    /// Function that marks a written range: `(address, length)`.
    pub(super) wrote: u32,
    /// The calls that may recurse.
    pub(super) cycles: Cycles,
}

/// The code of a function while it is generated, with its added locals.
struct Body<'i> {
    of: &'i Instrument,
    code: Vec<u8>,
    /// Index of the first added local, and the types of the added locals.
    base: u32,
    added: Vec<ValType>,
}

impl Instrument {
    /// The instrumented body of a patched function, as in the code section.
    pub(super) fn body(&self, module: &Module, function: usize, patch: Option<&Patch>) -> Vec<u8> {
        let original = &module.functions[function];
        let patched = patched(module, function, patch);
        let reader = FunctionBody::new(BinaryReader::new(&patched, 0));
        let mut operators = reader.get_operators_reader().expect("it has no locals to skip");
        let locals = original.locals.iter().chain(patch.iter().flat_map(|patch| &patch.locals));
        let mut locals: Vec<ValType> = locals.map(|&ty| encoded(ty)).collect();
        let mut body = Body {
            of: self,
            code: Vec::with_capacity(patched.len() * 2 + 64),
            base: (original.params.len() + locals.len()) as u32,
            added: Vec::new(),
        };
        body.burn();
        while !operators.eof() {
            let start = operators.original_position();
            // An invalid patch gives a body that engines refuse; nothing is added to it.
            let Ok(operator) = operators.read() else {
                body.code.extend_from_slice(&patched[start..]);
                break;
            };
            let bytes = &patched[start..operators.original_position()];
            body.instruction(function, &operator, bytes);
        }
        locals.extend(&body.added);
        let mut whole = Vec::with_capacity(body.code.len() + 16);
        declare(&locals, &mut whole);
        whole.extend_from_slice(&body.code);
        whole
    }

    /// Appends code that takes fuel and traps if there is not enough. Needs an i64 local; `amount` pushes
    /// the amount, an i64.
    pub(super) fn charge(
        &self,
        sink: &mut InstructionSink<'_>,
        local: u32,
        amount: impl FnOnce(&mut InstructionSink<'_>),
    ) {
        sink.global_get(self.fuel);
        amount(sink);
        sink.i64_sub().local_tee(local).global_set(self.fuel);
        sink.local_get(local).i64_const(0).i64_lt_s();
        sink.if_(BlockType::Empty).unreachable().end();
    }

    /// Appends code that sets a flag.
    pub(super) fn flag(&self, sink: &mut InstructionSink<'_>, flag: u8) {
        let place = self.memory(private::FLAGS, 0);
        sink.i32_const(0).i32_const(0).i32_load8_u(place);
        sink.i32_const(i32::from(flag)).i32_or().i32_store8(place);
    }

    /// An address in the private memory.
    pub(super) fn memory(&self, offset: u64, align: u32) -> MemArg {
        MemArg { offset, align, memory_index: self.private }
    }
}

impl Body<'_> {
    fn sink(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    /// The `nth` added local of a type.
    fn local(&mut self, ty: ValType, nth: usize) -> u32 {
        loop {
            let mut same = (0..self.added.len()).filter(|&i| self.added[i] == ty);
            if let Some(i) = same.nth(nth) {
                return self.base + i as u32;
            }
            self.added.push(ty);
        }
    }

    /// Takes one unit of fuel.
    fn burn(&mut self) {
        let local = self.local(ValType::I64, 0);
        self.of.charge(&mut InstructionSink::new(&mut self.code), local, |sink| {
            sink.i64_const(1);
        });
    }

    fn instruction(&mut self, function: usize, operator: &Operator<'_>, bytes: &[u8]) {
        let Instrument { cycles, .. } = self.of;
        match *operator {
            Operator::Loop { .. } => {
                self.code.extend_from_slice(bytes);
                self.burn();
            }
            Operator::Call { function_index }
                if cycles.recurses(function, Some(function_index)) =>
            {
                self.recursion(bytes);
            }
            Operator::CallIndirect { .. } if cycles.recurses(function, None) => {
                self.recursion(bytes);
            }
            Operator::MemoryGrow { mem: 0 } => {
                let grow = self.of.grow;
                self.sink().call(grow);
            }
            Operator::MemorySize { mem: 0 } => {
                let pages = self.of.pages;
                self.sink().global_get(pages);
            }
            Operator::MemoryFill { mem: 0 }
            | Operator::MemoryCopy { dst_mem: 0, .. }
            | Operator::MemoryInit { mem: 0, .. } => self.bulk(bytes),
            Operator::TableGrow { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. } => self.bulk_of_table(bytes),
            _ => match store(operator) {
                Some((ty, at)) if at.memory == 0 => self.store(ty, at.offset, bytes),
                _ => self.code.extend_from_slice(bytes),
            },
        }
    }

    /// Adds code around a call that may recurse.
    fn recursion(&mut self, call: &[u8]) {
        let Instrument { depth, .. } = *self.of;
        self.deepen();
        self.code.extend_from_slice(call);
        self.sink().global_get(depth).i32_const(1).i32_sub().global_set(depth);
    }

    /// Counts an operation on many elements of a table as a call that does not return: it may take long, and wasmi
    /// keeps a frame on the stack of the host for each `table.grow` until the row ends.
    fn bulk_of_table(&mut self, operation: &[u8]) {
        self.deepen();
        self.code.extend_from_slice(operation);
    }

    /// Adds one to the depth, or traps.
    fn deepen(&mut self) {
        let Instrument { depth, .. } = *self.of;
        let of = self.of;
        let mut sink = self.sink();
        sink.global_get(depth).i32_const(DEPTH).i32_ge_s().if_(BlockType::Empty);
        of.flag(&mut sink, private::DEEP);
        sink.unreachable().end();
        sink.global_get(depth).i32_const(1).i32_add().global_set(depth);
    }

    /// Adds a mark after a store. A store across the end of a page needs no second mark, because the host
    /// restores a few bytes more.
    fn store(&mut self, ty: ValType, offset: u64, store: &[u8]) {
        let address = self.local(ValType::I32, 0);
        // The first i32 local is the address, and the first i64 local is for fuel.
        let value = self.local(ty, usize::from(matches!(ty, ValType::I32 | ValType::I64)));
        let mark = self.of.memory(private::MARKS, 0);
        self.sink().local_set(value).local_tee(address).local_get(value);
        self.code.extend_from_slice(store);
        let mut sink = self.sink();
        sink.local_get(address);
        if offset != 0 {
            // The store was in bounds, so the sum does not wrap.
            sink.i32_const(offset as u32 as i32).i32_add();
        }
        sink.i32_const(PAGE as i32).i32_shr_u().i32_const(1).i32_store8(mark);
    }

    /// Adds marks after `memory.fill`, `memory.copy` or `memory.init`.
    fn bulk(&mut self, operation: &[u8]) {
        let [to, what, length] = [0, 1, 2].map(|nth| self.local(ValType::I32, nth));
        let wrote = self.of.wrote;
        self.sink().local_set(length).local_set(what).local_tee(to);
        self.sink().local_get(what).local_get(length);
        self.code.extend_from_slice(operation);
        self.sink().local_get(to).local_get(length).call(wrote);
    }
}

/// The instructions of a patched function, after an empty list of locals.
fn patched(module: &Module, function: usize, patch: Option<&Patch>) -> Vec<u8> {
    let places = &module.functions[function].code;
    let mut code = vec![0];
    let mut next = places[0] as usize;
    for edit in patch.iter().flat_map(|patch| &patch.edits) {
        code.extend_from_slice(&module.bytes[next..places[edit.at.start] as usize]);
        code.extend_from_slice(&edit.with);
        next = places[edit.at.end] as usize;
    }
    code.extend_from_slice(&module.bytes[next..places[places.len() - 1] as usize]);
    code
}

/// Appends a list of locals: the number of each type, in order.
fn declare(locals: &[ValType], to: &mut Vec<u8>) {
    use wasm_encoder::Encode;
    let groups = locals.chunk_by(|a, b| a == b);
    leb(groups.clone().count() as u32, to);
    for group in groups {
        leb(group.len() as u32, to);
        group[0].encode(to);
    }
}

/// Converts a type for the encoder.
pub(super) fn encoded(ty: wasmparser::ValType) -> ValType {
    match ty {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::V128 => ValType::V128,
        wasmparser::ValType::Ref(ty) if ty.is_extern_ref() => ValType::EXTERNREF,
        wasmparser::ValType::Ref(_) => ValType::FUNCREF,
    }
}
