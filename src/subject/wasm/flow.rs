//! Traces where the operands of instructions come from, and their types.
//!
//! Runs the validator over a function and records for each instruction which instructions produced its
//! operands, and which instruction consumes its result. Values that pass through locals or blocks are not
//! followed. Knows nothing of mutants.

use wasmparser::{
    FrameKind, FuncValidator, FuncValidatorAllocations, ModuleArity, Operator, Parser, Payload,
    ValType, ValidPayload, Validator, ValidatorResources,
};

use super::module::{Module, features};
use super::opcode::{self, Op};

/// A function, instruction by instruction.
#[derive(Clone, Debug)]
pub(super) struct Flow<'m> {
    /// Index of the function in the module.
    pub(super) function: usize,
    /// The instructions of the function.
    pub(super) operators: Vec<Operator<'m>>,
    /// Facts about each instruction.
    pub(super) nodes: Vec<Node>,
    /// Types of the parameters and locals.
    pub(super) locals: Vec<ValType>,
}

/// Facts about an instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Whether it can be reached as far as validation knows: not directly after a jump.
    pub(super) reachable: bool,
    /// Its operation and the type of that, if it has no immediates.
    pub(super) computes: Option<(ValType, Op)>,
    /// Operands that it takes from the stack, the top last. `if` and `br_if` take their condition only; `end`
    /// takes the results of its block.
    pub(super) takes: Vec<Operand>,
    /// Types of the values that it leaves on the stack.
    pub(super) gives: Vec<ValType>,
    /// The instruction that takes its only result.
    pub(super) used_by: Option<usize>,
    /// The target, if it is an unconditional jump.
    pub(super) jump: Option<Jump>,
}

/// A value on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    /// Its type, if validation knows it.
    pub(super) ty: Option<ValType>,
    /// The instruction that left it there; the `end` of a block if the value is a block's result.
    pub(super) from: Option<usize>,
}

/// The target of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    /// Out of the function.
    Return,
    /// Back to the head of a loop; `free` if the code would be valid without the jump.
    Loop {
        /// Whether the block that it ends has an empty stack and no results.
        free: bool,
    },
    /// Out of a block, to its end.
    Block,
}

/// The flow of some functions of a module, in the order of their indices.
pub(super) fn flows<'m>(module: &'m Module, scope: &[usize]) -> Vec<Flow<'m>> {
    let mut flows = Vec::new();
    let mut validator = Validator::new_with_features(features());
    let mut allocations = FuncValidatorAllocations::default();
    let mut index = 0;
    for payload in Parser::new(0).parse_all(&module.bytes) {
        let payload = payload.expect("the module is valid");
        if matches!(payload, Payload::CustomSection(_)) {
            continue;
        }
        let valid = validator.payload(&payload).expect("the module is valid");
        if let ValidPayload::Func(function, _) = valid {
            if scope.contains(&index) {
                let mut validator = function.into_validator(allocations);
                flows.push(flow(module, index, &mut validator));
                allocations = validator.into_allocations();
            }
            index += 1;
        }
    }
    flows
}

type Checker = FuncValidator<ValidatorResources>;

fn flow<'m>(module: &'m Module, function: usize, checker: &mut Checker) -> Flow<'m> {
    let shape = &module.functions[function];
    for &ty in &shape.locals {
        checker.define_locals(shape.body as usize, 1, ty).expect("the module is valid");
    }
    let operators = module.operators(function);
    let mut nodes: Vec<Node> = Vec::with_capacity(operators.len());
    let mut stack: Vec<Operand> = Vec::new();
    for (at, operator) in operators.iter().enumerate() {
        let offset = shape.code[at] as usize;
        let frame = checker.get_control_frame(0).expect("the module is valid");
        let (base, reachable) = (frame.height, !frame.unreachable);
        let computes = opcode::decode(module.bytes[offset]);
        let mut node = Node { reachable, computes, ..Node::default() };
        if reachable {
            let count = taken(operator, &stack, base, &checker.visitor(offset));
            node.takes = stack.split_off(stack.len() - count);
            node.jump = jump(operator, checker, stack.len() == base, operators.get(at + 1));
            for operand in &node.takes {
                if let Some(from) = operand.from {
                    nodes[from].used_by = Some(at);
                }
            }
        }
        checker.op(offset, operator).expect("the module is valid");
        if matches!(operator, Operator::End | Operator::Else) {
            stack.truncate(base);
        }
        let height = checker.operand_stack_height() as usize;
        stack.truncate(height);
        for depth in (0..height - stack.len()).rev() {
            let ty = checker.get_operand_type(depth).flatten();
            let from = (reachable || matches!(operator, Operator::End))
                && !matches!(operator, Operator::Else);
            stack.push(Operand { ty, from: from.then_some(at) });
            node.gives.extend(ty);
        }
        nodes.push(node);
    }
    let locals = shape.params.iter().chain(&shape.locals).copied().collect();
    Flow { function, operators, nodes, locals }
}

/// The number of values that an instruction takes.
fn taken(
    operator: &Operator<'_>,
    stack: &[Operand],
    base: usize,
    module: &impl ModuleArity,
) -> usize {
    let count = match operator {
        Operator::Block { .. } | Operator::Loop { .. } => 0,
        Operator::If { .. } | Operator::BrIf { .. } => 1,
        Operator::End | Operator::Else => stack.len() - base,
        // The arity counts what all targets take, without the index.
        Operator::BrTable { .. } => 1,
        operator => operator.operator_arity(module).map_or(0, |(takes, _)| takes as usize),
    };
    count.min(stack.len() - base)
}

fn jump(
    operator: &Operator<'_>,
    checker: &Checker,
    empty: bool,
    next: Option<&Operator<'_>>,
) -> Option<Jump> {
    match operator {
        Operator::Return => Some(Jump::Return),
        Operator::Br { relative_depth } => {
            let depth = *relative_depth as usize;
            if depth + 1 == checker.control_stack_height() as usize {
                return Some(Jump::Return);
            }
            if checker.get_control_frame(depth)?.kind != FrameKind::Loop {
                return Some(Jump::Block);
            }
            let around = checker.get_control_frame(0)?;
            let ends = matches!(next, Some(Operator::End | Operator::Else));
            let gives_nothing = around.block_type == wasmparser::BlockType::Empty;
            Some(Jump::Loop { free: empty && ends && gives_nothing })
        }
        _ => None,
    }
}

impl Flow<'_> {
    /// The instruction that produced an operand of an instruction.
    pub(super) fn operand(&self, at: usize, operand: usize) -> Option<usize> {
        self.nodes[at].takes.get(operand)?.from
    }

    /// The instruction that takes the result of an instruction, and the position of that operand.
    pub(super) fn user(&self, at: usize) -> Option<(usize, usize)> {
        let user = self.nodes[at].used_by?;
        let place = self.nodes[user].takes.iter().position(|operand| operand.from == Some(at))?;
        Some((user, place))
    }

    /// Positions of the reachable instructions.
    pub(super) fn reachable(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&at| self.nodes[at].reachable)
    }

    /// Positions of the instructions that set a local.
    pub(super) fn sets(&self, local: u32) -> impl Iterator<Item = usize> {
        self.reachable().filter(move |&at| {
            matches!(&self.operators[at], Operator::LocalSet { local_index } | Operator::LocalTee { local_index }
                if *local_index == local)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_flow(text: &str, check: impl FnOnce(&Flow<'_>)) {
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        check(&flows(&module, &[0])[0]);
    }

    #[test]
    fn operands_are_traced_to_what_made_them() {
        let text = "(module (func (param i32 i64) (result i32)
            local.get 0 i32.const 2 i32.mul local.get 1 i32.wrap_i64 i32.sub))";
        with_flow(text, |flow| {
            assert_eq!((flow.operand(5, 0), flow.operand(5, 1)), (Some(2), Some(4)));
            assert_eq!(flow.user(4), Some((5, 1)));
            assert_eq!(flow.nodes[3].gives, [ValType::I64]);
            assert_eq!(flow.operand(6, 0), Some(5), "the end takes what is returned");
        });
    }

    #[test]
    fn code_after_a_jump_is_not_reached_but_the_next_block_is() {
        let text = "(module (func (param i32) (result i32)
            block (result i32) i32.const 1 br 0 i32.const 2 drop end
            loop local.get 0 br_if 0 br 0 end unreachable))";
        with_flow(text, |flow| {
            let unreachable: Vec<usize> =
                (0..flow.nodes.len()).filter(|&at| !flow.nodes[at].reachable).collect();
            assert_eq!(unreachable, [3, 4, 5, 10, 12]);
            assert_eq!(flow.nodes[9].jump, Some(Jump::Loop { free: true }));
        });
    }
}
