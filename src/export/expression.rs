//! Relations as expressions of a language: one printer, with spellings and precedences from the language's table.
//!
//! Numbers are 64-bit floats. What a language computes otherwise than `op.rs` (division, comparisons, all of sequences) is a
//! call of a helper; the rest is its own.

use genmorph_jit::{Leaf, Op, Predicate, Type, Var};

use super::helpers::Helpers;

/// How tightly names, numbers and calls bind.
const PRIMARY: u8 = u8::MAX;

/// How a language writes an operator. Precedences are its own; a higher one binds tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Between its operands, from left to right.
    Infix(&'static str, u8),
    /// Between its operands; two of them in a row need parentheses.
    Between(&'static str, u8),
    /// A function that the language has.
    Function(&'static str),
    /// A function of the file of helpers, by its name.
    Helper(&'static str),
    /// The negation of a helper.
    NotHelper(&'static str),
    /// The negation of the operand.
    Not,
    /// The negation of the first operand, or the second.
    NotOr,
}

/// How a language writes what expressions are made of, besides literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syntax {
    /// The function that gives the absolute value of a number.
    pub(super) abs: &'static str,
    /// The word for `and`, and how tightly it binds.
    pub(super) and: (&'static str, u8),
    /// The word for `or`, and how tightly it binds.
    pub(super) or: (&'static str, u8),
    /// How truth values are said to differ.
    pub(super) xor: Spelling,
    /// How truth values are said to be equal.
    pub(super) iff: Spelling,
    /// What negates a truth value, and how tightly it binds.
    pub(super) not: (&'static str, u8),
    /// How tightly the sign of a number binds.
    pub(super) sign: u8,
    /// What makes a 64-bit float of a number that the language would compute with otherwise.
    pub(super) widening: &'static str,
    /// Written before sequences that are passed to helpers.
    pub(super) reference: &'static str,
}

impl Syntax {
    /// How an operator is written. Languages agree on arithmetic; what they compute in ways of their own is a helper in each.
    fn spelling(&self, op: Op) -> Spelling {
        match op {
            Op::Add => Spelling::Infix("+", 5),
            Op::Sub => Spelling::Infix("-", 5),
            Op::Mul => Spelling::Infix("*", 6),
            Op::Div => Spelling::Helper("div"),
            Op::Abs => Spelling::Function(self.abs),
            Op::NumEq => Spelling::Helper("eq"),
            Op::NumNe => Spelling::NotHelper("eq"),
            Op::Lt => Spelling::Helper("lt"),
            Op::Gt => Spelling::Helper("gt"),
            Op::Le => Spelling::Helper("le"),
            Op::Ge => Spelling::Helper("ge"),
            Op::And => Spelling::Infix(self.and.0, self.and.1),
            Op::Or => Spelling::Infix(self.or.0, self.or.1),
            Op::Xor => self.xor,
            Op::Iff => self.iff,
            Op::Implies => Spelling::NotOr,
            Op::Not => Spelling::Not,
            Op::Length => Spelling::Helper("length"),
            Op::Sum => Spelling::Helper("sum"),
            Op::SeqEq => Spelling::Helper("eq_seq"),
            Op::SeqNe => Spelling::NotHelper("eq_seq"),
            Op::Flip => Spelling::Helper("flip"),
            Op::Remove => Spelling::Helper("remove"),
            Op::Truncate => Spelling::Helper("truncate"),
            Op::ToString => Spelling::Helper("to_text"),
            Op::Min => Spelling::Helper("smaller"),
            Op::Max => Spelling::Helper("larger"),
            Op::Mod => Spelling::Helper("modulo"),
            Op::Floor => Spelling::Helper("floor"),
            Op::Join => Spelling::Helper("join"),
            Op::Sort => Spelling::Helper("sort"),
            Op::Upper => Spelling::Helper("upper_case"),
            Op::Lower => Spelling::Helper("lower_case"),
            Op::First => Spelling::Helper("first"),
            Op::Last => Spelling::Helper("last"),
            Op::Least => Spelling::Helper("least"),
            Op::Greatest => Spelling::Helper("greatest"),
            Op::At => Spelling::Helper("at"),
            Op::Count => Spelling::Helper("count"),
            Op::IndexOf => Spelling::Helper("index_of"),
            Op::Contains => Spelling::Helper("contains"),
            Op::StartsWith => Spelling::Helper("starts_with"),
            Op::EndsWith => Spelling::Helper("ends_with"),
            Op::SameElements => Spelling::Helper("same_elements"),
            Op::Sorted => Spelling::Helper("is_sorted"),
        }
    }
}

/// A variable of a relation, as a test has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// How it is written.
    pub text: String,
    /// Whether the language would compute with it as something else than a 64-bit float.
    pub is_narrow: bool,
}

impl Variable {
    /// A 64-bit float, a truth value or a sequence of this name.
    pub fn new(name: impl Into<String>) -> Variable {
        Variable { text: name.into(), is_narrow: false }
    }
}

/// A part of an expression.
struct Term {
    text: String,
    /// How tightly its outermost operator binds.
    binds: u8,
    is_narrow: bool,
}

impl Term {
    fn new(text: impl Into<String>, binds: u8) -> Term {
        Term { text: text.into(), binds, is_narrow: false }
    }

    /// The text, in parentheses if it binds less tightly than this.
    fn at_least(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The expression of a predicate, in the language of the helpers; notes the helpers that it calls.
///
/// # Panics
/// If the predicate has variables that `variable` does not know.
pub fn expression(
    predicate: &Predicate,
    variable: &dyn Fn(Var) -> Variable,
    helpers: &mut Helpers,
) -> String {
    let language = helpers.language;
    let leaf = |leaf: Leaf| match leaf {
        Leaf::Num(value) => {
            let binds = if value.is_sign_negative() { language.syntax.sign } else { PRIMARY };
            Term::new(language.literals.double.write(value), binds)
        }
        Leaf::Bool(value) => Term::new(language.literals.truth(value), PRIMARY),
        Leaf::Var(var) => {
            let Variable { text, is_narrow } = variable(var);
            Term { text, binds: PRIMARY, is_narrow }
        }
    };
    let whole = predicate
        .fold(leaf, |op, operands| apply(op, operands.as_slice(), &language.syntax, helpers));
    whole.text
}

fn apply(op: Op, operands: &[Term], syntax: &Syntax, helpers: &mut Helpers) -> Term {
    let (a, b) = (&operands[0], operands.last().expect("one or two"));
    match syntax.spelling(op) {
        Spelling::Infix(symbol, binds) => {
            // One 64-bit float makes the other operand one.
            let are_numbers = op.signature().operands[0] == Type::Num;
            let is_narrow = are_numbers && a.is_narrow && b.is_narrow;
            let left = if is_narrow { widened(a, syntax) } else { Term::new(&*a.text, a.binds) };
            infix(symbol, [&left, b], [binds, binds + 1], binds)
        }
        Spelling::Between(symbol, binds) => infix(symbol, [a, b], [binds + 1; 2], binds),
        Spelling::Function(name) => {
            let arguments: Vec<Term> = operands.iter().map(|term| widened(term, syntax)).collect();
            call(name, op, &arguments, syntax)
        }
        Spelling::Helper(name) => call(helpers.need(name), op, operands, syntax),
        Spelling::NotHelper(name) => {
            negated(&call(helpers.need(name), op, operands, syntax), syntax)
        }
        Spelling::Not => negated(a, syntax),
        Spelling::NotOr => match syntax.spelling(Op::Or) {
            Spelling::Infix(or, binds) => {
                infix(or, [&negated(a, syntax), b], [binds, binds + 1], binds)
            }
            other => unreachable!("or is {other:?}"),
        },
    }
}

fn infix(symbol: &str, [a, b]: [&Term; 2], [left, right]: [u8; 2], binds: u8) -> Term {
    Term::new(format!("{} {symbol} {}", a.at_least(left), b.at_least(right)), binds)
}

fn call(name: &str, op: Op, operands: &[Term], syntax: &Syntax) -> Term {
    let arguments = operands.iter().zip(op.signature().operands).map(|(term, ty)| match ty {
        Type::Num | Type::Bool => term.text.clone(),
        Type::Seq => format!("{}{}", syntax.reference, term.text),
    });
    Term::new(format!("{name}({})", arguments.collect::<Vec<_>>().join(", ")), PRIMARY)
}

/// The opposite; a second negation takes the first away.
fn negated(term: &Term, syntax: &Syntax) -> Term {
    let (not, binds) = syntax.not;
    match term.text.strip_prefix(not) {
        Some(rest) if term.binds == binds => Term::new(rest, binds + 1),
        _ => Term::new(format!("{not}{}", term.at_least(binds)), binds),
    }
}

/// A term as a 64-bit float.
fn widened(term: &Term, syntax: &Syntax) -> Term {
    match term.is_narrow {
        true => {
            let text = format!("{}{}", syntax.widening, term.at_least(syntax.sign));
            Term::new(text, syntax.sign)
        }
        false => Term::new(&*term.text, term.binds),
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::{Schema, parse};

    use super::super::language::Language;
    use super::super::{java, python, rust};
    use super::*;

    /// The expression of a relation over narrow numbers i and j, numbers x and y, truth values p and q, and a sequence s.
    fn of(language: &'static Language, text: &str) -> String {
        let schema = Schema::new([
            ("i", Type::Num),
            ("j", Type::Num),
            ("x", Type::Num),
            ("y", Type::Num),
            ("p", Type::Bool),
            ("q", Type::Bool),
            ("s", Type::Seq),
        ]);
        let schema = schema.unwrap();
        let predicate = parse(text, &schema).unwrap();
        let variable = |var: Var| {
            let name = schema.name(var).unwrap();
            Variable { text: name.to_owned(), is_narrow: ["i", "j"].contains(&name) }
        };
        expression(&predicate, &variable, &mut Helpers::of(language))
    }

    #[test]
    fn every_language_has_a_spelling_for_every_operator() {
        for language in [&java::JAVA, &rust::RUST, &python::PYTHON] {
            for op in Op::ALL {
                let operands = [Term::new("a", PRIMARY), Term::new("b", PRIMARY)];
                let mut helpers = Helpers::of(language);
                let operands = &operands[..op.arity()];
                let term = apply(op, operands, &language.syntax, &mut helpers);
                assert!(term.text.contains('a'), "{op:?}: {}", term.text);
            }
        }
    }

    #[test]
    fn integers_are_computed_with_as_doubles_in_java() {
        for (text, expected) in [
            ("i + j == x", "eq((double) i + j, x)"),
            ("i + x == j", "eq(i + x, j)"),
            ("i * j * i < 1", "lt((double) i * j * i, 1.0)"),
            ("x * (i - j) > -2", "gt(x * ((double) i - j), -2.0)"),
            ("abs(i) >= abs(x)", "ge(Math.abs((double) i), Math.abs(x))"),
            ("i / j != 0.5", "!eq(div(i, j), 0.5)"),
            ("x - -1 == 0", "eq(x - -1.0, 0.0)"),
        ] {
            assert_eq!(of(&java::JAVA, text), expected);
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
            assert_eq!(of(&java::JAVA, text), expected);
        }
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
            assert_eq!(of(&rust::RUST, text), expected);
        }
    }

    #[test]
    fn parentheses_stand_where_python_needs_them() {
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
            assert_eq!(of(&python::PYTHON, text), expected);
        }
    }

    #[test]
    fn sequences_are_left_to_helpers() {
        let text = "flip(remove(s, -1)) != truncate(s, x) and sum(s) == length(toString(x))";
        let java = "!eq(flip(remove(s, -1.0)), truncate(s, x)) && eq(sum(s), length(toText(x)))";
        assert_eq!(of(&java::JAVA, text), java);
        let rust = "!eq_seq(&flip(&remove(&s, -1.0)), &truncate(&s, x)) \
                    && eq(sum(&s), length(&to_text(x)))";
        assert_eq!(of(&rust::RUST, text), rust);
    }
}
