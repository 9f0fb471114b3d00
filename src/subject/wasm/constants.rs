//! The numbers in the code of functions.
//!
//! The paper's pool contains values of variables and literals that are the same in all executions. Literals
//! always are, and compilers turn variables that never change into literals. So the pool consists of the
//! literals, and nothing has to run. Numbers of the compiler, such as addresses, frame offsets and element
//! sizes, are left out (`roles.rs`), and so is the 0 of `0 - x`; `x == 0` is written with `eqz`, which has no
//! literal. Offsets of loads and stores are not literals.

use wasmparser::Operator;

use super::flow::{Flow, flows};
use super::module::Module;
use super::roles::{self, Role};
use crate::subject::Constant;

/// The literals of some functions, most frequent first, then smaller ones first. Integers are read as signed.
pub(super) fn of(module: &Module, scope: &[usize]) -> Vec<Constant> {
    let mut constants: Vec<Constant> = Vec::new();
    for flow in flows(module, scope) {
        let roles = roles::roles(module, &flow);
        for at in flow.reachable().filter(|&at| roles[at] == Role::Source) {
            let Some(value) = literal(&flow, at) else { continue };
            match constants.iter_mut().find(|constant| constant.value == value) {
                Some(constant) => constant.count += 1,
                None => constants.push(Constant { value, count: 1 }),
            }
        }
    }
    constants.sort_by(|a, b| b.count.cmp(&a.count).then(a.value.total_cmp(&b.value)));
    constants
}

/// The number of an instruction, unless it is NaN or a bit mask.
fn literal(flow: &Flow<'_>, at: usize) -> Option<f64> {
    let value = match &flow.operators[at] {
        Operator::I32Const { value } => f64::from(*value),
        Operator::I64Const { value } => *value as f64,
        Operator::F32Const { value } => f64::from(f32::from_bits(value.bits())),
        Operator::F64Const { value } => f64::from_bits(value.bits()),
        _ => return None,
    };
    let kept = !value.is_nan() && !truncates(flow, at, value);
    // Turns -0 into 0.
    kept.then_some(value + 0.0)
}

/// Whether a number is the mask of a narrower unsigned integer: `x & 255`, `x & 65535`.
fn truncates(flow: &Flow<'_>, at: usize, value: f64) -> bool {
    let masks = [255.0, 65_535.0, 4_294_967_295.0];
    let Some((user, _)) = flow.user(at) else { return false };
    masks.contains(&value) && matches!(flow.operators[user], Operator::I32And | Operator::I64And)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::wasm::testing::{CAPITALISE, FRAME, POW, SIN, SORT, parse};

    fn listed(text: &str) -> Vec<(f64, usize)> {
        let module = parse(text);
        let all: Vec<usize> = (0..module.functions.len()).collect();
        of(&module, &all).iter().map(|constant| (constant.value, constant.count)).collect()
    }

    #[test]
    fn literals_are_counted_and_the_most_frequent_come_first() {
        assert_eq!(listed(POW), [(1.0, 3), (0.0, 2)]);
        assert_eq!(listed(SIN), [(1.0, 2), (2.0, 2), (1e-17, 1)]);
    }

    #[test]
    fn numbers_of_the_compiler_are_left_out() {
        assert_eq!(listed(FRAME), [(3.0, 1), (5.0, 1)], "no 8 and 16 of the frame");
        assert_eq!(listed(SORT), [(1.0, 5), (0.0, 1)], "no shift by the size of elements");
        let expected = [(1.0, 2), (0.0, 1), (32.0, 1), (97.0, 1), (115.0, 1), (122.0, 1)];
        assert_eq!(listed(CAPITALISE), expected, "no address of the data");
        let narrow = "(module (func (param i32) (result i32)
            (i32.and (i32.shr_s (i32.shl (local.get 0) (i32.const 24)) (i32.const 24)) (i32.const 255))))";
        assert_eq!(listed(narrow), []);
    }

    #[test]
    fn integers_are_signed_and_floats_are_as_they_are() {
        let text = "(module (func
            (drop (i32.const 0xffffffff)) (drop (i64.const -5)) (drop (f32.const 0.5))
            (drop (f64.const nan)) (drop (f64.const -0)) (drop (i32.const 0))))";
        assert_eq!(listed(text), [(0.0, 2), (-5.0, 1), (-1.0, 1), (0.5, 1)]);
    }
}
