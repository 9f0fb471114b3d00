//! A relation as a Python expression.
//!
//! Numbers are floats, sequences lists of these. What Python computes otherwise than `op.rs` (division, comparisons, all
//! of sequences) is a call of a helper; the rest is Python's own.

use genmorph_jit::{Node, Op, Predicate, Var};

use super::helper::{Helper, Helpers};
use super::literal::float;
use crate::export::term::Term;

/// Python's precedences, as far as they are needed; a higher one binds tighter.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const SIGN: u8 = 7;
const PRIMARY: u8 = 8;

/// The expression of a predicate whose variables are floats, truth values and lists of floats of these names; notes which
/// helpers it calls.
///
/// # Panics
/// If the predicate has variables that `name` does not know.
pub fn expression(
    predicate: &Predicate,
    name: &dyn Fn(Var) -> String,
    helpers: &mut Helpers,
) -> String {
    let mut stack: Vec<Term> = Vec::new();
    for &node in predicate.nodes() {
        let term = match node {
            Node::Num(value) => {
                let binds = if value.is_sign_negative() { SIGN } else { PRIMARY };
                Term::new(float(value), binds)
            }
            Node::Bool(true) => Term::new("True", PRIMARY),
            Node::Bool(false) => Term::new("False", PRIMARY),
            Node::Var(var) => Term::new(name(var), PRIMARY),
            Node::Op(op) => {
                let operands = stack.split_off(stack.len() - op.arity());
                apply(op, &operands, helpers)
            }
        };
        stack.push(term);
    }
    stack.pop().expect("a predicate has a root").text
}

fn apply(op: Op, operands: &[Term], helpers: &mut Helpers) -> Term {
    let (a, b) = (&operands[0], operands.last().expect("one or two"));
    let mut call = |helper: Helper| {
        helpers.need(helper);
        let arguments: Vec<&str> = operands.iter().map(|term| term.text.as_str()).collect();
        Term::new(format!("{}({})", helper.name(), arguments.join(", ")), PRIMARY)
    };
    let infix = |symbol: &str, binds: u8| {
        Term::new(format!("{} {symbol} {}", a.at_least(binds), b.at_least(binds + 1)), binds)
    };
    // Python reads `a == b == c` as `a == b and b == c`.
    let compared = |symbol: &str| {
        let sides = [a, b].map(|term| term.at_least(COMPARISON + 1));
        Term::new(format!("{} {symbol} {}", sides[0], sides[1]), COMPARISON)
    };
    let negated = |term: &Term| match term.text.strip_prefix("not ") {
        Some(rest) if term.binds == NOT => Term::new(rest, COMPARISON),
        _ => Term::new(format!("not {}", term.at_least(NOT)), NOT),
    };
    match op {
        Op::Add => infix("+", SUM),
        Op::Sub => infix("-", SUM),
        Op::Mul => infix("*", PRODUCT),
        Op::Div => call(Helper::Div),
        Op::Abs => Term::new(format!("abs({})", a.text), PRIMARY),
        Op::NumEq => call(Helper::Eq),
        Op::NumNe => negated(&call(Helper::Eq)),
        Op::Lt => call(Helper::Lt),
        Op::Gt => call(Helper::Gt),
        Op::Le => call(Helper::Le),
        Op::Ge => call(Helper::Ge),
        Op::And => infix("and", AND),
        Op::Or => infix("or", OR),
        Op::Xor => compared("!="),
        Op::Iff => compared("=="),
        Op::Implies => Term::new(format!("{} or {}", negated(a).text, b.at_least(OR + 1)), OR),
        Op::Not => negated(a),
        Op::Length => call(Helper::Length),
        Op::Sum => call(Helper::Sum),
        Op::SeqEq => call(Helper::EqSeq),
        Op::SeqNe => negated(&call(Helper::EqSeq)),
        Op::Flip => call(Helper::Flip),
        Op::Remove => call(Helper::Remove),
        Op::Truncate => call(Helper::Truncate),
        Op::ToString => call(Helper::ToText),
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::{Schema, Type, parse};

    use super::*;

    #[test]
    fn parentheses_stand_where_python_needs_them() {
        let schema = Schema::new([
            ("x", Type::Num),
            ("y", Type::Num),
            ("p", Type::Bool),
            ("q", Type::Bool),
            ("s", Type::Seq),
        ]);
        let schema = schema.unwrap();
        for (text, expected) in [
            ("x * (y - x) > -2", "gt(x * (y - x), -2.0)"),
            ("abs(-2) / x != 0.5", "not eq(div(abs(-2.0), x), 0.5)"),
            ("p and (q or p)", "p and (q or p)"),
            ("not (p and q)", "not (p and q)"),
            ("p implies q implies p", "not p or (not q or p)"),
            ("p iff q iff p", "(p == q) == p"),
            ("p xor not q", "p != (not q)"),
            ("not (p iff q)", "not p == q"),
            ("not not (p iff q) xor q", "(p == q) != q"),
            ("not (x != y) and p", "eq(x, y) and p"),
            ("flip(s) == truncate(s, x)", "eq_seq(flip(s), truncate(s, x))"),
        ] {
            let predicate = parse(text, &schema).unwrap();
            let name = |var: Var| schema.name(var).unwrap().to_owned();
            assert_eq!(expression(&predicate, &name, &mut Helpers::default()), expected);
        }
    }
}
