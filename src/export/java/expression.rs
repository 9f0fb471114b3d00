//! A relation as a Java expression.
//!
//! Numbers are doubles. What Java computes otherwise than `op.rs` (division, comparisons, all of sequences) is a call of
//! a helper; the rest is Java's own. Integers and floats become doubles before they are computed with.

use genmorph_jit::{Node, Op, Predicate, Type, Var};

use super::helper::{Helper, Helpers};
use super::literal::double;

/// What a variable of a relation is in Java.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// How it is written.
    pub text: String,
    /// Whether Java would compute with it as something else than a double.
    pub is_narrow: bool,
}

/// Java's precedences, as far as they are needed; a higher one binds tighter.
const OR: u8 = 1;
const AND: u8 = 2;
const XOR: u8 = 3;
const EQUALITY: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const PREFIX: u8 = 7;
const PRIMARY: u8 = 8;

/// A part of the expression.
struct Term {
    text: String,
    binds: u8,
    is_narrow: bool,
}

impl Term {
    fn new(text: String, binds: u8) -> Term {
        Term { text, binds, is_narrow: false }
    }

    /// The text, in parentheses if it binds less than this.
    fn at_least(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text as a double.
    fn widened(&self) -> Term {
        match self.is_narrow {
            true => Term::new(format!("(double) {}", self.at_least(PREFIX)), PREFIX),
            false => Term { text: self.text.clone(), ..*self },
        }
    }
}

/// The expression of a predicate; notes which helpers it calls.
///
/// # Panics
/// If the predicate has variables that `variable` does not know.
pub fn expression(
    predicate: &Predicate,
    variable: &dyn Fn(Var) -> Variable,
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
            Node::Var(var) => {
                let Variable { text, is_narrow } = variable(var);
                Term { text, binds: PRIMARY, is_narrow }
            }
            Node::Op(op) => {
                let operands = stack.split_off(stack.len() - op.arity());
                apply(op, &operands, helpers)
            }
        };
        stack.push(term);
    }
    let whole = stack.pop().expect("a predicate has a root");
    whole.text
}

fn apply(op: Op, operands: &[Term], helpers: &mut Helpers) -> Term {
    let (a, b) = (&operands[0], operands.last().expect("one or two"));
    let mut call = |helper: Helper| {
        let name = helper.name();
        helpers.need(helper);
        let arguments: Vec<&str> = operands.iter().map(|term| term.text.as_str()).collect();
        Term::new(format!("{name}({})", arguments.join(", ")), PRIMARY)
    };
    let infix = |symbol: &str, a: &Term, b: &Term, binds: u8| {
        Term::new(format!("{} {symbol} {}", a.at_least(binds), b.at_least(binds + 1)), binds)
    };
    // One double makes the other operand one.
    let computed = |symbol: &str, binds: u8| match a.is_narrow && b.is_narrow {
        true => infix(symbol, &a.widened(), b, binds),
        false => infix(symbol, a, b, binds),
    };
    let negated = |term: &Term| match term.text.strip_prefix('!') {
        Some(rest) if term.binds == PREFIX => Term::new(rest.to_owned(), PREFIX),
        _ => Term::new(format!("!{}", term.at_least(PREFIX)), PREFIX),
    };
    match op {
        Op::Add => computed("+", SUM),
        Op::Sub => computed("-", SUM),
        Op::Mul => computed("*", PRODUCT),
        Op::Div => call(Helper::Div),
        // Of the least int Java's is negative.
        Op::Abs => Term::new(format!("Math.abs({})", a.widened().text), PRIMARY),
        Op::NumEq => call(Helper::Eq),
        Op::NumNe => negated(&call(Helper::Eq)),
        Op::Lt => call(Helper::Lt),
        Op::Gt => call(Helper::Gt),
        Op::Le => call(Helper::Le),
        Op::Ge => call(Helper::Ge),
        Op::And => infix("&&", a, b, AND),
        Op::Or => infix("||", a, b, OR),
        Op::Xor => infix("^", a, b, XOR),
        Op::Iff => infix("==", a, b, EQUALITY),
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

/// The type of a variable's values in Java, where relations alone are exported.
pub fn plain(ty: Type) -> &'static str {
    match ty {
        Type::Num => "double",
        Type::Bool => "boolean",
        Type::Seq => "double[]",
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::{Schema, parse};

    use super::*;

    fn java(text: &str) -> String {
        let schema = Schema::new([
            ("i", Type::Num),
            ("j", Type::Num),
            ("x", Type::Num),
            ("p", Type::Bool),
            ("q", Type::Bool),
            ("s", Type::Seq),
        ]);
        let schema = schema.unwrap();
        let predicate = parse(text, &schema).unwrap();
        let variable = |var: Var| Variable {
            text: match schema.type_of(var) {
                Some(Type::Seq) => format!("seq({})", schema.name(var).unwrap()),
                _ => schema.name(var).unwrap().to_owned(),
            },
            is_narrow: ["i", "j"].contains(&schema.name(var).unwrap()),
        };
        expression(&predicate, &variable, &mut Helpers::default())
    }

    #[test]
    fn integers_are_computed_with_as_doubles() {
        for (text, expected) in [
            ("i + j == x", "eq((double) i + j, x)"),
            ("i + x == j", "eq(i + x, j)"),
            ("i * j * i < 1", "lt((double) i * j * i, 1.0)"),
            ("x * (i - j) > -2", "gt(x * ((double) i - j), -2.0)"),
            ("abs(i) >= abs(x)", "ge(Math.abs((double) i), Math.abs(x))"),
            ("i / j != 0.5", "!eq(div(i, j), 0.5)"),
            ("x - -1 == 0", "eq(x - -1.0, 0.0)"),
        ] {
            assert_eq!(java(text), expected);
        }
    }

    #[test]
    fn parentheses_stand_where_java_needs_them() {
        for (text, expected) in [
            ("p and q or not p", "p && q || !p"),
            ("p and (q or p)", "p && (q || p)"),
            ("not (p and q)", "!(p && q)"),
            ("p implies q implies p", "!p || (!q || p)"),
            ("p and q implies p", "!(p && q) || p"),
            ("p iff q iff p", "p == q == p"),
            ("p iff (q xor p)", "p == (q ^ p)"),
            ("p xor (q xor p)", "p ^ (q ^ p)"),
            ("p == (i < j)", "p == lt(i, j)"),
            ("not p iff q", "!p == q"),
            ("not not p", "p"),
            ("not (i != j) and not (not (p and q))", "eq(i, j) && (p && q)"),
            ("not p implies q", "p || q"),
        ] {
            assert_eq!(java(text), expected);
        }
    }

    #[test]
    fn sequences_are_left_to_helpers() {
        let text = "flip(remove(s, -1)) != truncate(s, i) and sum(s) == length(toString(x))";
        let expected = "!eq(flip(remove(seq(s), -1.0)), truncate(seq(s), i)) \
                        && eq(sum(seq(s)), length(toText(x)))";
        assert_eq!(java(text), expected);
    }
}
