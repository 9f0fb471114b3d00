//! A relation as a Rust expression.
//!
//! Numbers are f64, sequences `Vec<f64>`. What Rust computes otherwise than `op.rs` (division, comparisons, all of
//! sequences) is a call of a helper; the rest is Rust's own.

use genmorph_jit::{Node, Op, Predicate, Type, Var};

use super::helper::{Helper, Helpers};
use super::literal::double;
use crate::export::term::Term;

/// Rust's precedences, as far as they are needed; a higher one binds tighter.
const OR: u8 = 1;
const AND: u8 = 2;
const EQUALITY: u8 = 3;
const XOR: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const PREFIX: u8 = 7;
const PRIMARY: u8 = 8;

/// The expression of a predicate whose variables are an `f64`, a `bool` or a `Vec<f64>` of these names; notes which
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
                let binds = if value.is_sign_negative() { PREFIX } else { PRIMARY };
                Term::new(double(value), binds)
            }
            Node::Bool(value) => Term::new(value.to_string(), PRIMARY),
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
        let arguments = operands.iter().zip(op.signature().operands).map(|(term, ty)| match ty {
            Type::Num | Type::Bool => term.text.clone(),
            Type::Seq => format!("&{}", term.text),
        });
        let arguments: Vec<String> = arguments.collect();
        Term::new(format!("{}({})", helper.name(), arguments.join(", ")), PRIMARY)
    };
    let infix = |symbol: &str, binds: u8| {
        Term::new(format!("{} {symbol} {}", a.at_least(binds), b.at_least(binds + 1)), binds)
    };
    let negated = |term: &Term| match term.text.strip_prefix('!') {
        Some(rest) if term.binds == PREFIX => {
            let binds = if rest.starts_with('!') { PREFIX } else { PRIMARY };
            Term::new(rest, binds)
        }
        _ => Term::new(format!("!{}", term.at_least(PREFIX)), PREFIX),
    };
    match op {
        Op::Add => infix("+", SUM),
        Op::Sub => infix("-", SUM),
        Op::Mul => infix("*", PRODUCT),
        Op::Div => call(Helper::Div),
        Op::Abs => Term::new(format!("f64::abs({})", a.text), PRIMARY),
        Op::NumEq => call(Helper::Eq),
        Op::NumNe => negated(&call(Helper::Eq)),
        Op::Lt => call(Helper::Lt),
        Op::Gt => call(Helper::Gt),
        Op::Le => call(Helper::Le),
        Op::Ge => call(Helper::Ge),
        Op::And => infix("&&", AND),
        Op::Or => infix("||", OR),
        Op::Xor => infix("^", XOR),
        // Rust has no order between two of them.
        Op::Iff => {
            let sides = [a, b].map(|term| term.at_least(EQUALITY + 1));
            Term::new(sides.join(" == "), EQUALITY)
        }
        Op::Implies => Term::new(format!("{} || {}", negated(a).text, b.at_least(OR + 1)), OR),
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
    use genmorph_jit::{Schema, parse};

    use super::*;

    fn rust(text: &str) -> String {
        let schema = Schema::new([
            ("x", Type::Num),
            ("y", Type::Num),
            ("p", Type::Bool),
            ("q", Type::Bool),
            ("s", Type::Seq),
        ]);
        let schema = schema.unwrap();
        let predicate = parse(text, &schema).unwrap();
        let name = |var: Var| schema.name(var).unwrap().to_owned();
        expression(&predicate, &name, &mut Helpers::default())
    }

    #[test]
    fn parentheses_stand_where_rust_needs_them() {
        for (text, expected) in [
            ("x * (y - x) > -2", "gt(x * (y - x), -2.0)"),
            ("abs(-2) / x != 0.5", "!eq(div(f64::abs(-2.0), x), 0.5)"),
            ("p and (q or p)", "p && (q || p)"),
            ("not (p and q)", "!(p && q)"),
            ("p implies q implies p", "!p || (!q || p)"),
            ("p iff q iff p", "(p == q) == p"),
            ("p iff (q xor p)", "p == q ^ p"),
            ("(p iff q) xor p", "(p == q) ^ p"),
            ("not not p", "p"),
            ("not (x != y) and not not (p and q)", "eq(x, y) && (p && q)"),
            ("(not p) xor q", "!p ^ q"),
        ] {
            assert_eq!(rust(text), expected);
        }
    }

    #[test]
    fn sequences_are_borrowed_by_helpers() {
        let text = "flip(remove(s, -1)) != truncate(s, x) and sum(s) == length(toString(x))";
        let expected = "!eq_seq(&flip(&remove(&s, -1.0)), &truncate(&s, x)) \
                        && eq(sum(&s), length(&to_text(x)))";
        assert_eq!(rust(text), expected);
    }
}
