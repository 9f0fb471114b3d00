//! Recognises instructions that the compiler added.
//!
//! A compiler adds arithmetic that is not in the source: for the stack frame, for addresses of elements, for
//! sign extension. Mutating it makes faults that nobody would write, and its constants mean nothing. This
//! file only classifies instructions; others decide what to do about it.

use wasmparser::{ExternalKind, MemArg, Operator, ValType};

use super::flow::Flow;
use super::module::Module;
use super::opcode::Op;

/// The purpose of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Code of the author, as far as is known.
    Source,
    /// The stack frame: the stack pointer, its copies, and offsets from it.
    Frame,
    /// A constant that is an address.
    Address,
    /// A multiplication by the size of an element, and that size.
    Scale,
    /// The addition of a base address and the offset of an element.
    Place,
    /// Shifts to the left and back that extend a sign, with their constants. Also `& 1` of a value that is
    /// 0 or 1 anyway.
    Extension,
    /// A call that does not return, and the computation of its arguments: a message, a source location.
    Failure,
    /// `0 - x` or `x ^ -1`, which are `-x` and `!x`, with their constant.
    Unary,
}

/// The role of each instruction of a function.
pub(super) fn roles(module: &Module, flow: &Flow<'_>) -> Vec<Role> {
    let mut roles = vec![Role::Source; flow.operators.len()];
    let frame = Frame::new(module, flow);
    let pointers = pointers(flow);
    for at in flow.reachable() {
        match &flow.operators[at] {
            Operator::GlobalGet { global_index } | Operator::GlobalSet { global_index }
                if Some(*global_index) == frame.pointer =>
            {
                roles[at] = Role::Frame;
            }
            Operator::LocalGet { .. } if frame.is_in(flow, at) => roles[at] = Role::Frame,
            Operator::LocalSet { .. } | Operator::LocalTee { .. }
                if flow.operand(at, 0).is_some_and(|value| frame.is_in(flow, value)) =>
            {
                roles[at] = Role::Frame;
            }
            Operator::I32Add | Operator::I32Sub if frame.is_in(flow, at) => {
                roles[at] = Role::Frame;
                let operands = (0..2).filter_map(|place| flow.operand(at, place));
                for operand in operands.filter(|&operand| constant(flow, operand).is_some()) {
                    roles[operand] = Role::Frame;
                }
            }
            Operator::I32Const { value }
                if roles[at] == Role::Source && is_address(module, flow, &pointers, at, *value) =>
            {
                roles[at] = Role::Address;
            }
            Operator::I32Shl | Operator::I32Mul if scales(flow, &pointers, at) => {
                roles[at] = Role::Scale;
                for operand in (0..2).filter_map(|place| flow.operand(at, place)) {
                    if constant(flow, operand).is_some() {
                        roles[operand] = Role::Scale;
                    }
                }
            }
            Operator::I32Add if places(flow, at) => roles[at] = Role::Place,
            Operator::I32ShrS | Operator::I64ShrS | Operator::I32ShrU | Operator::I64ShrU => {
                for part in extension(flow, at).into_iter().flatten() {
                    roles[part] = Role::Extension;
                }
            }
            Operator::I32And if normalizes(flow, at) => {
                roles[at] = Role::Extension;
                roles[at - 1] = Role::Extension;
            }
            Operator::I32Sub | Operator::I64Sub | Operator::I32Xor | Operator::I64Xor => {
                if let Some(part) = unary(flow, at) {
                    roles[at] = Role::Unary;
                    roles[part] = Role::Unary;
                }
            }
            _ => {}
        }
    }
    for at in flow.reachable() {
        let call =
            matches!(flow.operators[at], Operator::Call { .. } | Operator::CallIndirect { .. });
        if call && matches!(flow.operators.get(at + 1), Some(Operator::Unreachable)) {
            fails(flow, at, &mut roles);
        }
    }
    let addresses = addresses(flow, &roles);
    for at in flow.reachable() {
        if let Operator::I32Const { value } = flow.operators[at]
            && roles[at] == Role::Source
            && flow.user(at).is_some_and(|(user, _)| passes_on(&flow.operators[user]))
            && addresses.iter().any(|&address| is_near(value, address))
        {
            roles[at] = Role::Address;
        }
    }
    roles
}

/// Marks an instruction, and everything that is computed for it alone.
fn fails(flow: &Flow<'_>, at: usize, roles: &mut [Role]) {
    roles[at] = Role::Failure;
    for operand in &flow.nodes[at].takes {
        if let Some(from) =
            operand.from.filter(|&from| !matches!(flow.operators[from], Operator::End))
        {
            fails(flow, from, roles);
        }
    }
}

/// Large numbers that certainly are addresses: constants used as such, and offsets of accesses.
fn addresses(flow: &Flow<'_>, roles: &[Role]) -> Vec<i64> {
    let at = flow.reachable();
    let found = at.filter_map(|at| match flow.operators[at] {
        Operator::I32Const { value } if roles[at] == Role::Address => Some(i64::from(value)),
        _ => memarg(&flow.operators[at]).map(|memarg| memarg.offset as i64),
    });
    found.filter(|&address| address >= FIRST_ADDRESS).collect()
}

/// Whether a number is this address, or the start of an object around it.
fn is_near(value: i32, address: i64) -> bool {
    let value = i64::from(value);
    value >= FIRST_ADDRESS && (value..value + 64).contains(&address)
}

/// Whether an `and` leaves a condition as it is: `(a < b) & 1`, which unoptimised code contains.
fn normalizes(flow: &Flow<'_>, at: usize) -> bool {
    let boolean = flow.operand(at, 0).is_some_and(|from| is_boolean(flow, from));
    let one = flow.operand(at, 1).is_some_and(|from| {
        from + 1 == at && matches!(flow.operators[from], Operator::I32Const { value: 1 })
    });
    boolean && one
}

/// The value of an integer constant.
pub(super) fn constant(flow: &Flow<'_>, at: usize) -> Option<i64> {
    match flow.operators[at] {
        Operator::I32Const { value } => Some(i64::from(value)),
        Operator::I64Const { value } => Some(value),
        _ => None,
    }
}

/// Whether a value is always 0 or 1, judged by the instructions that compute it.
pub(super) fn is_boolean(flow: &Flow<'_>, at: usize) -> bool {
    let operand = |place| flow.operand(at, place).is_some_and(|from| is_boolean(flow, from));
    match &flow.operators[at] {
        Operator::I32Const { value: 0 | 1 } => true,
        Operator::I32And | Operator::I32Or | Operator::I32Xor => operand(0) && operand(1),
        Operator::Select => operand(0) && operand(1),
        Operator::LocalTee { .. } => operand(0),
        _ => is_comparison(flow, at),
    }
}

/// Whether an instruction is a comparison.
pub(super) fn is_comparison(flow: &Flow<'_>, at: usize) -> bool {
    matches!(flow.nodes[at].computes, Some((_, Op::Eqz | Op::Compare(..))))
}

/// The number of bytes that an instruction accesses at the address in its first operand.
pub(super) fn width(operator: &Operator<'_>) -> Option<u32> {
    memarg(operator).map(|memarg| 1 << memarg.max_align)
}

/// The offset of an access, relative to its first operand.
fn memarg(operator: &Operator<'_>) -> Option<MemArg> {
    use Operator as O;
    let (O::I32Load { memarg }
    | O::I64Load { memarg }
    | O::F32Load { memarg }
    | O::F64Load { memarg }
    | O::I32Load8S { memarg }
    | O::I32Load8U { memarg }
    | O::I32Load16S { memarg }
    | O::I32Load16U { memarg }
    | O::I64Load8S { memarg }
    | O::I64Load8U { memarg }
    | O::I64Load16S { memarg }
    | O::I64Load16U { memarg }
    | O::I64Load32S { memarg }
    | O::I64Load32U { memarg }
    | O::I32Store { memarg }
    | O::I64Store { memarg }
    | O::F32Store { memarg }
    | O::F64Store { memarg }
    | O::I32Store8 { memarg }
    | O::I32Store16 { memarg }
    | O::I64Store8 { memarg }
    | O::I64Store16 { memarg }
    | O::I64Store32 { memarg }) = operator
    else {
        return None;
    };
    Some(*memarg)
}

/// Whether an instruction accesses memory at the address in its first operand.
pub(super) fn is_access(operator: &Operator<'_>) -> bool {
    width(operator).is_some()
}

/// Whether an instruction writes to memory.
pub(super) fn is_store(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::I32Store { .. }
            | O::I64Store { .. }
            | O::F32Store { .. }
            | O::F64Store { .. }
            | O::I32Store8 { .. }
            | O::I32Store16 { .. }
            | O::I64Store8 { .. }
            | O::I64Store16 { .. }
            | O::I64Store32 { .. }
    )
}

/// The stack pointer and the locals that are copies of it.
struct Frame {
    pointer: Option<u32>,
    locals: Vec<bool>,
}

impl Frame {
    fn new(module: &Module, flow: &Flow<'_>) -> Frame {
        let mut frame = Frame { pointer: stack_pointer(module), locals: Vec::new() };
        frame.locals = vec![false; flow.locals.len()];
        if frame.pointer.is_none() {
            return frame;
        }
        let params = module.functions[flow.function].params.len();
        // Repeat, because there may be copies of copies.
        loop {
            let mut changed = false;
            for local in params..flow.locals.len() {
                let mut sets = flow.sets(local as u32).peekable();
                if frame.locals[local] || sets.peek().is_none() {
                    continue;
                }
                let all = sets
                    .all(|at| flow.operand(at, 0).is_some_and(|value| frame.is_in(flow, value)));
                frame.locals[local] = all;
                changed |= all;
            }
            if !changed {
                return frame;
            }
        }
    }

    /// Whether a value is an address in the frame.
    fn is_in(&self, flow: &Flow<'_>, at: usize) -> bool {
        let operand = |place| flow.operand(at, place).is_some_and(|from| self.is_in(flow, from));
        match &flow.operators[at] {
            Operator::GlobalGet { global_index } => Some(*global_index) == self.pointer,
            Operator::LocalGet { local_index } => self.locals[*local_index as usize],
            Operator::LocalTee { .. } => operand(0),
            // A variable offset is the author's index of an element.
            Operator::I32Add | Operator::I32Sub => {
                let offset = |place| {
                    flow.operand(at, place).is_some_and(|from| constant(flow, from).is_some())
                };
                (operand(0) && offset(1)) || (offset(0) && operand(1))
            }
            _ => false,
        }
    }
}

/// The global with the stack pointer of a C or Rust compiler: `__stack_pointer` if it is exported under that
/// name, otherwise the first global if some function subtracts a frame from it.
pub(super) fn stack_pointer(module: &Module) -> Option<u32> {
    let mut exports = module.exports.iter();
    let named =
        exports.find(|(name, kind, _)| *kind == ExternalKind::Global && name == "__stack_pointer");
    if let Some((_, _, index)) = named {
        return Some(*index);
    }
    if module.globals.first() != Some(&(ValType::I32, true)) {
        return None;
    }
    let takes_a_frame = |function: usize| {
        let operators = module.operators(function);
        operators.windows(3).any(|three| match three {
            [Operator::GlobalGet { global_index: 0 }, Operator::I32Const { value }, operation] => {
                match operation {
                    Operator::I32Sub => *value > 0,
                    Operator::I32Add => *value < 0,
                    _ => false,
                }
            }
            _ => false,
        })
    };
    (0..module.functions.len()).any(takes_a_frame).then_some(0)
}

/// The locals whose value is part of an address.
fn pointers(flow: &Flow<'_>) -> Vec<bool> {
    let mut pointers = vec![false; flow.locals.len()];
    for at in flow.reachable() {
        if let Operator::LocalGet { local_index } = flow.operators[at]
            && feeds_access(flow, at)
        {
            pointers[local_index as usize] = true;
        }
    }
    pointers
}

/// Whether a value is the address of an access, or a term of it.
pub(super) fn feeds_access(flow: &Flow<'_>, mut at: usize) -> bool {
    while let Some((user, place)) = flow.user(at) {
        match &flow.operators[user] {
            Operator::I32Add | Operator::LocalTee { .. } => at = user,
            Operator::I32Sub if place == 0 => at = user,
            operator => return place == 0 && is_access(operator),
        }
    }
    false
}

/// Whether a value is part of an address, directly or through a local.
fn becomes_address(flow: &Flow<'_>, pointers: &[bool], mut at: usize) -> bool {
    while let Some((user, place)) = flow.user(at) {
        match &flow.operators[user] {
            Operator::I32Add => at = user,
            Operator::LocalSet { local_index } => return pointers[*local_index as usize],
            Operator::LocalTee { local_index } if pointers[*local_index as usize] => return true,
            Operator::LocalTee { .. } => at = user,
            operator => return place == 0 && is_access(operator),
        }
    }
    false
}

/// Linkers put no data below this address; smaller constants are more likely numbers.
const FIRST_ADDRESS: i64 = 1024;

fn is_address(module: &Module, flow: &Flow<'_>, pointers: &[bool], at: usize, value: i32) -> bool {
    let address = u64::from(value as u32);
    let in_data = module.data.iter().any(|data| data.contains(&address));
    let after_data = module.data.iter().any(|data| data.start <= address);
    let in_memory = module.memories.first().is_some_and(|m| address < m.initial << 16);
    let linked = i64::from(value) >= FIRST_ADDRESS;
    let Some((user, place)) = flow.user(at) else { return false };
    match &flow.operators[user] {
        operator if is_access(operator) && place == 0 => true,
        // Offsets into an object are small.
        Operator::I32Add | Operator::LocalSet { .. } | Operator::LocalTee { .. }
            if becomes_address(flow, pointers, at) =>
        {
            in_data || (linked && (after_data || in_memory))
        }
        operator => passes_on(operator) && in_data && linked,
    }
}

/// Whether an instruction may pass an address on. Numbers are calculated with and compared.
fn passes_on(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::Call { .. }
            | Operator::CallIndirect { .. }
            | Operator::Return
            | Operator::End
            | Operator::Br { .. }
            | Operator::Select
            | Operator::LocalSet { .. }
            | Operator::LocalTee { .. }
            | Operator::I32Add
    ) || is_store(operator)
}

/// Whether an instruction multiplies by the size of an element, for an address.
fn scales(flow: &Flow<'_>, pointers: &[bool], at: usize) -> bool {
    let size = flow.operand(at, 1).and_then(|operand| constant(flow, operand));
    let of_element = match flow.operators[at] {
        Operator::I32Shl => matches!(size, Some(1..=4)),
        _ => matches!(size, Some(2 | 4 | 8 | 12 | 16 | 24)),
    };
    of_element && becomes_address(flow, pointers, at)
}

/// Whether an addition is of a base and an offset that is not constant, for the address of an access.
fn places(flow: &Flow<'_>, at: usize) -> bool {
    let variable =
        |place| flow.operand(at, place).is_none_or(|operand| constant(flow, operand).is_none());
    feeds_access(flow, at) && variable(0) && variable(1)
}

/// The parts of a right shift that undoes a left shift: both shifts and their constants.
fn extension(flow: &Flow<'_>, right: usize) -> Option<[usize; 4]> {
    let (left, bits) = (flow.operand(right, 0)?, flow.operand(right, 1)?);
    if !matches!(flow.operators[left], Operator::I32Shl | Operator::I64Shl) {
        return None;
    }
    let other = flow.operand(left, 1)?;
    let (value, same) = (constant(flow, bits)?, constant(flow, other)?);
    (value == same && matches!(value, 16 | 24 | 32 | 48 | 56)).then_some([left, other, right, bits])
}

/// The constant of `0 - x` or `x ^ -1`.
fn unary(flow: &Flow<'_>, at: usize) -> Option<usize> {
    let (place, value) = match flow.operators[at] {
        Operator::I32Sub | Operator::I64Sub => (0, 0),
        _ => (1, -1),
    };
    let operand = flow.operand(at, place)?;
    (constant(flow, operand)? == value).then_some(operand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::wasm::flow::flows;

    fn named(text: &str) -> Vec<Role> {
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        roles(&module, &flows(&module, &[0])[0])
    }

    #[test]
    fn frames_are_not_the_source() {
        let text = "(module (memory 2) (global (mut i32) (i32.const 65536))
          (func (param i32) (result i32) (local i32)
            global.get 0 i32.const 16 i32.sub local.tee 1 global.set 0
            local.get 1 local.get 0 i32.const 7 i32.add i32.store offset=12
            local.get 1 i32.const 8 i32.add i32.load
            local.get 1 i32.const 16 i32.add global.set 0))";
        let roles = named(text);
        let source: Vec<usize> = (0..roles.len()).filter(|&at| roles[at] == Role::Source).collect();
        assert_eq!(source, [6, 7, 8, 9, 13, 18], "x + 7, the accesses and the end");
    }

    #[test]
    fn addresses_of_elements_are_not_the_source() {
        let text = "(module (memory 1) (data (i32.const 1024) \"table\")
          (func (param i32 i32) (result i32)
            local.get 0 local.get 1 i32.const 1 i32.sub i32.const 2 i32.shl i32.add i32.load
            i32.const 1026 local.get 1 i32.add i32.load8_u
            local.get 1 i32.const 3 i32.mul i32.const 1026 i32.rem_s i32.add i32.add))";
        use Role::{Address, Place, Scale, Source};
        let roles = named(text);
        let expected =
            [Source, Source, Source, Source, Scale, Scale, Place, Source, Address, Source];
        assert_eq!(&roles[..10], expected);
        assert!(roles[12..].iter().all(|role| *role == Source), "{roles:?}");
    }

    #[test]
    fn what_is_said_before_a_panic_is_not_the_source() {
        let text = "(module (func (param i32) local.get 0 i32.const 14 call 1 unreachable)
            (func (param i32 i32)))";
        use Role::{Failure, Source};
        assert_eq!(named(text), [Failure, Failure, Failure, Source, Source]);
    }

    #[test]
    fn an_address_is_one_wherever_it_stands() {
        let text = "(module (memory 1) (func (param i32) (result i32)
            local.get 0 i32.const 7 i32.store8 offset=2049
            local.get 0 i32.const 5000 i32.add drop i32.const 2048))";
        let roles = named(text);
        assert_eq!((roles[4], roles[7]), (Role::Source, Role::Address));
    }

    #[test]
    fn conditions_are_conditions_without_a_mask() {
        let roles = named(
            "(module (func (param i32) (result i32)
            local.get 0 i32.eqz i32.const 1 i32.and local.get 0 i32.const 1 i32.and i32.or))",
        );
        assert_eq!(roles[2..4], [Role::Extension; 2]);
        assert_eq!(roles[5..7], [Role::Source; 2]);
    }

    #[test]
    fn signs_are_extended_by_the_compiler() {
        let text = "(module (func (param i32) (result i32)
            local.get 0 i32.const 24 i32.shl i32.const 24 i32.shr_s
            local.get 0 i32.const 24 i32.shl i32.const 23 i32.shr_s i32.add))";
        let roles = named(text);
        assert_eq!(roles[1..5], [Role::Extension; 4]);
        assert_eq!(roles[6..10], [Role::Source; 4]);
    }

    #[test]
    fn negation_is_one_operator() {
        let roles = named(
            "(module (func (param i32) (result i32)
            i32.const 0 local.get 0 i32.sub i32.const -1 i32.xor))",
        );
        use Role::{Source, Unary};
        assert_eq!(roles, [Unary, Source, Unary, Unary, Unary, Source]);
    }
}
