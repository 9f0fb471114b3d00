//! Relations in a language's own arithmetic: `f.out == s.out * s.k`, with integers, truth values and sequences compared by
//! the language itself.
//!
//! The evaluator computes with 64-bit floats and a tolerance. Integers up to 2^53 are exact as such floats, and as long as
//! the tolerance at their magnitude is below 1 (10^12 by default), it tells integers apart exactly where `==` does. Beyond that `==` is
//! the stricter of the two: a relation that holds only within the tolerance is an approximation, so a relation is written in
//! this form only if it also holds without tolerance on the examples of its test. Floats, divisions and whatever else a
//! language computes in its own way are left to `expression.rs`.

use genmorph_jit::{Leaf, Op, Predicate, Type as Kind, Var};

use super::expression::{Spelling, Syntax};
use super::helpers::Helpers;
use super::template::fill;
use super::types::NamedType;
use crate::subject::{Scalar, ScalarClass};

/// How a language computes with integers of any size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integers {
    /// An integer `{v}` of a type, wide enough to compute with.
    pub(super) wide: fn(&NamedType) -> &'static str,
    /// The bits of an integer of a type.
    pub(super) width: fn(Scalar) -> u32,
    /// A constant.
    pub(super) constant: fn(f64) -> String,
    /// The number of elements of `{v}`, as wide.
    pub(super) length: fn(&NamedType) -> &'static str,
    /// The type that lengths have before they are widened by what their templates begin with; none if they are always wide.
    pub(super) own_length: Option<(&'static str, &'static str)>,
    /// The bits of a length: no example is longer.
    pub(super) length_bits: u32,
    /// The sequence `{v}` in reverse order.
    pub(super) flip: fn(&NamedType) -> &'static str,
    /// Whether the sequences `{a}` and `{b}` are the same, where that is not the operator `==`.
    pub(super) same: Option<fn(&NamedType) -> &'static str>,
    /// The magnitude of `{v}`.
    pub(super) abs: &'static str,
    /// The bits of the widest integers; none if there is no widest.
    pub(super) bits: Option<u32>,
    /// How tightly comparisons bind.
    pub(super) comparison: u8,
}

const PRIMARY: u8 = u8::MAX;

#[derive(Clone, Debug)]
enum Value {
    /// An integer of at most as many bits; as a variable is written, with its type.
    Integer {
        bits: u32,
        own: Option<(String, String)>,
        constant: Option<f64>,
    },
    Truth,
    /// A sequence of a type.
    Sequence(NamedType),
}

#[derive(Clone, Debug)]
struct Term {
    text: String,
    binds: u8,
    value: Value,
}

impl Term {
    fn truth(text: String, binds: u8) -> Term {
        Term { text, binds, value: Value::Truth }
    }

    fn at_least(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The expression of a predicate in the language's own arithmetic; none if it needs more than integers. `variable` gives the
/// text and the type of a variable, and its greatest magnitude. Notes the helpers that the expression calls.
pub(super) fn exact(
    predicate: &Predicate,
    variable: &dyn Fn(Var) -> (String, NamedType, Kind, f64),
    integers: &Integers,
    helpers: &mut Helpers,
) -> Option<String> {
    let language = helpers.language;
    let syntax = &language.syntax;
    let before = helpers.clone();
    let leaf = |leaf: Leaf| match leaf {
        Leaf::Bool(truth) => Some(Term::truth(language.literals.truth(truth).to_owned(), PRIMARY)),
        Leaf::Num(number) => {
            let is_small = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
            let bits = bits_of(number.abs());
            is_small.then(|| Term {
                text: (integers.constant)(number),
                binds: if number < 0.0 { syntax.sign } else { PRIMARY },
                value: Value::Integer { bits, own: None, constant: Some(number) },
            })
        }
        Leaf::Var(var) => {
            let (text, ty, kind, greatest) = variable(var);
            match kind {
                Kind::Bool => Some(Term::truth(text, PRIMARY)),
                Kind::Seq => Some(Term { text, binds: PRIMARY, value: Value::Sequence(ty) }),
                Kind::Num if ty.ty.scalar().class() != ScalarClass::Integer => None,
                Kind::Num => Some(Term {
                    value: Value::Integer {
                        bits: bits_of(greatest).min((integers.width)(ty.ty.scalar())),
                        own: Some((text.clone(), ty.name.clone())),
                        constant: None,
                    },
                    text: (integers.wide)(&ty).replace("{v}", &text),
                    binds: PRIMARY,
                }),
            }
        }
    };
    let whole = predicate.fold(leaf, |op, operands| {
        let operands: Option<Vec<Term>> = operands.as_slice().iter().cloned().collect();
        apply(op, &operands?, syntax, integers, helpers)
    });
    if whole.is_none() {
        *helpers = before;
    }
    whole.map(|term| term.text)
}

/// The bits of integers up to a magnitude, with their sign.
fn bits_of(magnitude: f64) -> u32 {
    ((magnitude + 1.0).log2().ceil() as u32).saturating_add(1)
}

fn apply(
    op: Op,
    operands: &[Term],
    syntax: &Syntax,
    integers: &Integers,
    helpers: &mut Helpers,
) -> Option<Term> {
    let (a, b) = (&operands[0], operands.last()?);
    let infix = |symbol: &str, binds: u8, sides: [u8; 2]| {
        (format!("{} {symbol} {}", a.at_least(sides[0]), b.at_least(sides[1])), binds)
    };
    let logic = |spelling: Spelling| match spelling {
        Spelling::Infix(symbol, binds) => Some(infix(symbol, binds, [binds, binds + 1])),
        Spelling::Between(symbol, binds) => Some(infix(symbol, binds, [binds + 1; 2])),
        _ => None,
    };
    let not = |term: &Term| {
        let (not, binds) = syntax.not;
        Term::truth(format!("{not}{}", term.at_least(binds + 1)), binds)
    };
    let comparison = |symbol: &str, left: &str, right: &str| {
        Some(Term::truth(format!("{left} {symbol} {right}"), integers.comparison))
    };
    let computed = |(text, binds): (String, u8), bits: u32| {
        let fits = integers.bits.is_none_or(|most| bits <= most);
        fits.then_some(Term {
            text,
            binds,
            value: Value::Integer { bits, own: None, constant: None },
        })
    };
    match op {
        Op::Add | Op::Sub | Op::Mul => {
            let (
                Value::Integer { bits: x, constant: c, .. },
                Value::Integer { bits: y, constant: d, .. },
            ) = (&a.value, &b.value)
            else {
                return None;
            };
            // Constants alone are not as wide as what they are computed with.
            if c.is_some() && d.is_some() {
                return None;
            }
            match op {
                Op::Mul => computed(infix("*", 6, [6, 7]), x + y),
                Op::Add => computed(infix("+", 5, [5, 6]), x.max(y) + 1),
                _ => computed(infix("-", 5, [5, 6]), x.max(y) + 1),
            }
        }
        Op::Abs => {
            let Value::Integer { bits, .. } = a.value else { return None };
            let is_method = integers.abs.starts_with("{v}");
            let text = if is_method { a.at_least(PRIMARY) } else { a.text.clone() };
            computed((integers.abs.replace("{v}", &text), PRIMARY), bits + 1)
        }
        Op::Length => {
            let Value::Sequence(ty) = &a.value else { return None };
            let text = (integers.length)(ty).replace("{v}", &a.text);
            let own = integers.own_length.and_then(|(widening, name)| {
                Some((text.strip_prefix(widening)?.to_owned(), name.to_owned()))
            });
            let value = Value::Integer { bits: integers.length_bits, own, constant: None };
            Some(Term { text, binds: PRIMARY, value })
        }
        Op::NumEq | Op::NumNe | Op::Lt | Op::Gt | Op::Le | Op::Ge => {
            let (
                Value::Integer { own: x, constant: c, .. },
                Value::Integer { own: y, constant: d, .. },
            ) = (&a.value, &b.value)
            else {
                return None;
            };
            // Values of one type are compared as they are, and so is a value with a constant that any type has.
            let is_small =
                |constant: &Option<f64>| constant.is_some_and(|c| (0.0..=127.0).contains(&c));
            let symbol = op.spelling();
            match (x, y) {
                (Some((x, of_x)), Some((y, of_y))) if of_x == of_y => comparison(symbol, x, y),
                (Some((x, _)), None) if is_small(d) => comparison(symbol, x, &b.text),
                (None, Some((y, _))) if is_small(c) => comparison(symbol, &a.text, y),
                _ => {
                    let binds = integers.comparison + 1;
                    comparison(symbol, &a.at_least(binds), &b.at_least(binds))
                }
            }
        }
        Op::SeqEq | Op::SeqNe => {
            let (Value::Sequence(x), Value::Sequence(y)) = (&a.value, &b.value) else {
                return None;
            };
            if x.ty.scalar().class() == ScalarClass::Float || x != y {
                return None;
            }
            let Some(same) = integers.same else {
                return comparison(op.spelling(), &a.text, &b.text);
            };
            let text = fill(same(x), &[("a", &a.text), ("b", &b.text)]);
            let same = Term::truth(text, PRIMARY);
            Some(if op == Op::SeqEq { same } else { not(&same) })
        }
        Op::And => {
            logic(Spelling::Infix(syntax.and.0, syntax.and.1)).map(|(t, b)| Term::truth(t, b))
        }
        Op::Or => logic(Spelling::Infix(syntax.or.0, syntax.or.1)).map(|(t, b)| Term::truth(t, b)),
        Op::Xor => logic(syntax.xor).map(|(t, b)| Term::truth(t, b)),
        Op::Iff => logic(syntax.iff).map(|(t, b)| Term::truth(t, b)),
        Op::Not => Some(not(a)),
        Op::Implies => {
            let (or, binds) = syntax.or;
            let left = not(a);
            Some(Term::truth(
                format!("{} {or} {}", left.at_least(binds), b.at_least(binds + 1)),
                binds,
            ))
        }
        Op::Flip => {
            let Value::Sequence(ty) = &a.value else { return None };
            let text = helpers.fill((integers.flip)(ty), &ty.name, &[("v", &a.text)]);
            Some(Term { text, binds: PRIMARY, value: a.value.clone() })
        }
        // Computed in 64-bit floats, by helpers.
        Op::Div
        | Op::Sum
        | Op::Remove
        | Op::Truncate
        | Op::ToString
        | Op::Min
        | Op::Max
        | Op::Mod
        | Op::Floor
        | Op::Join
        | Op::Sort
        | Op::Upper
        | Op::Lower
        | Op::First
        | Op::Last
        | Op::Least
        | Op::Greatest
        | Op::At
        | Op::Count
        | Op::IndexOf
        | Op::Contains
        | Op::StartsWith
        | Op::EndsWith
        | Op::SameElements
        | Op::Sorted => None,
    }
}
