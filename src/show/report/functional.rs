//! A relation as a law about the function: `gcd(p, q) == gcd(q, p)` for `out_f == out_s` under exchanged parameters.
//!
//! The notation is that of relations, with calls in the place of variables:
//!
//! - an input of the source is its name, without `_s`; an input of the follow-up is the term to which the input relation
//!   sets it, over the inputs of the source: `e - 1`, `-x`, `flip(s)`, `remove(s, 0)`, or the name where it stays as it is;
//! - a result is a call with these arguments, and a changed argument is `a after sort(a)`; that a call throws is `f(a) throws`,
//!   and that it does not is `f(a) returns`;
//! - `guard implies body` is written `body  when guard`;
//! - a follow-up input that the input relation does not set to a term has a prime, and what the input relation says of it
//!   joins the guard: `f(x') >= f(x)  when x' > x`.
//!
//! Terms come from the input relation, which every transformation brings along: a new transformation needs no text here. A term
//! that the relation language cannot say is shown as the input relation has it.

mod spoken;

use std::collections::BTreeSet;

use genmorph_jit::op::{Assoc, Fixity};
use genmorph_jit::{ArithmeticOp, Class, Op, Predicate, Var};

use super::tree::{Tree, number_text};
pub use crate::subject::kinds::plain_name;
use crate::subject::kinds::{Interface, Observed};

/// A relation over the variables of a function in functional form; the input relation says how follow-up inputs are made.
pub fn functional_form(
    relation: &Predicate,
    input_relation: &str,
    signature: &Interface,
) -> String {
    let tree = Tree::of(relation);
    let schema = signature.schema().ok();
    let (conjuncts, texts) = match &schema {
        // Calls that are made together have no follow-up.
        Some(_) if !signature.calls.is_empty() => Default::default(),
        Some(schema) => spoken::read(input_relation, schema),
        None => Default::default(),
    };
    let name = plain_name(&signature.function);
    let is_operator = signature.calls.is_empty()
        && [&tree].into_iter().chain(&conjuncts).any(|tree| has_spelling(tree, &name))
        || texts.iter().any(|(_, text)| spoken::calls(text, &name));
    // A law about a function `sum` that also sums by the operator would read as a tautology.
    let (function, remark) = match is_operator {
        true => ("f", format!("  where f is the function {name}")),
        false => (&*name, String::new()),
    };
    let mut printer = Printer::new(signature, function);
    let mut premises = printer.bind(&conjuncts, &texts);
    let mut body = &tree;
    while let Tree::Op(Op::Implies, sides) = body {
        premises.push(&sides[0]);
        body = &sides[1];
    }
    let body = printer.text(body).text;
    let premises = premises.into_iter().map(|premise| printer.premise(premise));
    let guard = premises.reduce(|a, b| infix(Op::And, a, b));
    let when = guard.map(|guard| format!("  when {}", guard.text)).unwrap_or_default();
    format!("{body}{when}{remark}")
}

/// The parts of an input relation that `and` joins; `true` has none.
fn conjuncts(tree: &Tree) -> Vec<Tree> {
    match tree {
        Tree::Op(Op::And, sides) => sides.iter().flat_map(conjuncts).collect(),
        Tree::Bool(true) => Vec::new(),
        Tree::Op(..) | Tree::Var(_) | Tree::Num(_) | Tree::Bool(_) => vec![tree.clone()],
    }
}

/// Whether a tree has an operator that is written like the call of a function with this name.
fn has_spelling(tree: &Tree, name: &str) -> bool {
    match tree {
        Tree::Op(op, operands) => {
            (op.fixity() == Fixity::Call && op.spelling() == name)
                || operands.iter().any(|operand| has_spelling(operand, name))
        }
        Tree::Var(_) | Tree::Num(_) | Tree::Bool(_) => false,
    }
}

/// The text of a tree, and how tightly it holds together.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    binding: u8,
    /// The number that it is, if it is a constant.
    number: Option<f64>,
}

/// The binding of names, numbers and calls.
const ATOM: u8 = u8::MAX;
/// The binding of what a call does: that of arguments in words.
const THROWS: u8 = ATOM - 2;

impl Piece {
    fn atom(text: impl Into<String>) -> Piece {
        Piece { text: text.into(), binding: ATOM, number: None }
    }

    fn constant(number: f64) -> Piece {
        Piece { text: number_text(number), binding: ATOM, number: Some(number) }
    }

    /// The text, in parentheses unless it holds together at least as tightly.
    fn within(self, binding: u8) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text }
    }

    fn is(&self, number: f64) -> bool {
        self.number == Some(number)
    }
}

/// An operator between two operands, with the fewest parentheses.
fn infix(op: Op, left: Piece, right: Piece) -> Piece {
    let Fixity::Infix(binding, assoc) = op.fixity() else {
        unreachable!("{op:?} stands before its operands")
    };
    let is_arithmetic = matches!(op.class(), Class::Arithmetic(_));
    let [at_left, at_right] = match assoc {
        Assoc::Left => [binding, binding + 1],
        Assoc::Right => [binding + 1, binding],
        Assoc::None => [binding + 1, binding + 1],
    };
    let left = left.within(at_left);
    let right = match is_arithmetic && right.text.starts_with('-') {
        true => format!("({})", right.text),
        false => right.within(at_right),
    };
    Piece { text: format!("{left} {} {right}", op.spelling()), binding, number: None }
}

/// The opposite of a number: `-x`, `-(a + b)`.
fn minus(operand: Piece) -> Piece {
    let Fixity::Infix(binding, _) = Op::Mul.fixity() else {
        unreachable!("a product has its sign in the middle")
    };
    let text = match operand.text.starts_with('-') {
        true => format!("-({})", operand.text),
        false => format!("-{}", operand.within(ATOM)),
    };
    Piece { text, binding, number: None }
}

/// Texts of variables, and of trees over them.
struct Printer<'a> {
    signature: &'a Interface,
    function: &'a str,
    /// The text of each variable, in the order of the schema.
    variables: Vec<Piece>,
}

impl<'a> Printer<'a> {
    /// Follow-up inputs have primes until `bind` knows better.
    fn new(signature: &'a Interface, function: &'a str) -> Printer<'a> {
        let inputs = || signature.inputs.iter();
        let source: Vec<Piece> = inputs().map(|input| Piece::atom(&input.name)).collect();
        let follow_up: Vec<Piece> =
            inputs().map(|input| Piece::atom(format!("{}'", input.name))).collect();
        let mut printer = Printer { signature, function, variables: Vec::new() };
        printer.side(source);
        printer.side(follow_up);
        printer
    }

    /// Adds the variables of a call with these arguments.
    fn side(&mut self, arguments: Vec<Piece>) {
        let texts: Vec<&str> = arguments.iter().map(|argument| &*argument.text).collect();
        let call = format!("{}({})", self.function, texts.join(", "));
        let calls = self.signature.calls.iter().map(|call| Piece::atom(call.clone()));
        if !self.signature.calls.is_empty() {
            self.variables.extend(arguments);
            return self.variables.extend(calls);
        }
        let outputs: Vec<Piece> = self
            .signature
            .outputs
            .iter()
            .map(|output| match output.name.strip_suffix("_after") {
                Some(changed) => Piece {
                    text: format!("{changed} after {call}"),
                    binding: ATOM - 1,
                    number: None,
                },
                None if output.name == Observed::Values.output() => Piece::atom(call.clone()),
                // Looser than all comparisons, so that it is joined by words: `f(a) throws iff f(b) throws`.
                None if output.name == Observed::Outcomes.output() => {
                    Piece { text: format!("{call} throws"), binding: THROWS, number: None }
                }
                None => Piece::atom(format!("{call}.{}", output.name)),
            })
            .collect();
        self.variables.extend(arguments);
        self.variables.extend(outputs);
    }

    /// Sets follow-up inputs to the terms that the input relation gives them; returns what else it says.
    fn bind<'t>(&mut self, conjuncts: &'t [Tree], texts: &[(Var, String)]) -> Vec<&'t Tree> {
        let first = self.signature.inputs.len() + self.signature.outputs.len();
        let inputs = first..first + self.signature.inputs.len();
        let mut known = BTreeSet::new();
        let mut others = Vec::new();
        let mut arguments: Vec<Piece> = self.variables[inputs.clone()].to_vec();
        for conjunct in conjuncts {
            match definition(conjunct, first) {
                Some((var, term, is_negated))
                    if inputs.contains(&var.index()) && known.insert(var) =>
                {
                    let term = self.text(term);
                    let term = if is_negated { not(term) } else { term };
                    arguments[var.index() - first] = term;
                }
                Some(_) | None => others.push(conjunct),
            }
        }
        for (var, text) in texts.iter().filter(|(var, _)| inputs.contains(&var.index())) {
            arguments[var.index() - first] = self.spoken(text);
        }
        self.variables.truncate(first);
        self.side(arguments);
        others
    }

    /// The text of a condition: a magnitude that is not negative is that of a number.
    fn premise(&self, tree: &Tree) -> Piece {
        if let Tree::Op(Op::Ge, sides) = tree
            && let [Tree::Op(Op::Abs, operands), Tree::Num(0.0)] = &sides[..]
        {
            let text = format!("{} is a number", self.text(&operands[0]).text);
            return Piece { text, binding: 0, number: None };
        }
        self.text(tree)
    }

    fn text(&self, tree: &Tree) -> Piece {
        let (op, operands) = match tree {
            Tree::Op(op, operands) => (*op, operands),
            Tree::Var(var) => {
                let known = self.variables.get(var.index()).cloned();
                return known.unwrap_or_else(|| Piece::atom(format!("?{}", var.0)));
            }
            Tree::Num(number) => return Piece::constant(*number),
            Tree::Bool(truth) => return Piece::atom(truth.to_string()),
        };
        if op == Op::Not {
            return self.negated(&operands[0]);
        }
        let mut texts = operands.iter().map(|operand| self.text(operand));
        match (op.fixity(), texts.next(), texts.next()) {
            (Fixity::Infix(..), Some(left), Some(right)) => between(op, left, right),
            (_, first, second) => {
                let texts: Vec<String> =
                    [first, second].into_iter().flatten().map(|piece| piece.text).collect();
                Piece::atom(format!("{}({})", op.spelling(), texts.join(", ")))
            }
        }
    }

    /// The opposite of a truth. Only equality has an opposite among the comparisons: there may be NaN.
    fn negated(&self, tree: &Tree) -> Piece {
        if let Tree::Op(op, sides) = tree {
            let opposite = match op {
                Op::NumEq => Some(Op::NumNe),
                Op::NumNe => Some(Op::NumEq),
                Op::SeqEq => Some(Op::SeqNe),
                Op::SeqNe => Some(Op::SeqEq),
                Op::Iff => Some(Op::Xor),
                Op::Xor => Some(Op::Iff),
                Op::Not => return self.text(&sides[0]),
                _ => None,
            };
            if let Some(opposite) = opposite {
                return between(opposite, self.text(&sides[0]), self.text(&sides[1]));
            }
        }
        not(self.text(tree))
    }
}

/// `not p`, `not (a < b)`.
fn not(operand: Piece) -> Piece {
    let Fixity::Prefix(binding) = Op::Not.fixity() else {
        unreachable!("`not` stands before its operand")
    };
    if operand.binding == THROWS {
        let text = operand.text.replace(" throws", " returns");
        return Piece { text, ..operand };
    }
    let is_name = operand.binding >= ATOM - 1;
    let operand = if is_name { operand.text } else { format!("({})", operand.text) };
    Piece { text: format!("not {operand}"), binding, number: None }
}

/// An operator between two operands as a person would write it: `-x` for `0 - x`, `2 * x` for `x * 2`.
fn between(op: Op, left: Piece, right: Piece) -> Piece {
    let is_negative = |piece: &Piece| piece.number.is_some_and(|number| number < 0.0);
    let opposite = |piece: &Piece| Piece::constant(-piece.number.unwrap_or_default());
    match op.class() {
        Class::Arithmetic(ArithmeticOp::Sub) if left.is(0.0) => minus(right),
        Class::Arithmetic(ArithmeticOp::Mul) if left.is(0.0) || right.is(0.0) => {
            Piece::constant(0.0)
        }
        Class::Arithmetic(ArithmeticOp::Mul) if left.is(-1.0) => minus(right),
        Class::Arithmetic(ArithmeticOp::Mul) if right.is(-1.0) => minus(left),
        Class::Arithmetic(ArithmeticOp::Mul)
            if right.number.is_some() && left.number.is_none() && left.binding == ATOM =>
        {
            infix(op, right, left)
        }
        Class::Arithmetic(ArithmeticOp::Add) if is_negative(&right) => {
            infix(Op::Sub, left, opposite(&right))
        }
        Class::Arithmetic(ArithmeticOp::Sub) if is_negative(&right) => {
            infix(Op::Add, left, opposite(&right))
        }
        // Truths that are calls or names are compared like other values.
        Class::Logic(_) if matches!(op, Op::Iff | Op::Xor) && right.binding >= ATOM - 1 => {
            let sign = if op == Op::Iff { Op::NumEq } else { Op::NumNe };
            if left.binding >= ATOM - 1 { infix(sign, left, right) } else { infix(op, left, right) }
        }
        _ => infix(op, left, right),
    }
}

/// The follow-up variable that a conjunct sets to a term over the source, and whether to its opposite.
fn definition(conjunct: &Tree, first: usize) -> Option<(Var, &Tree, bool)> {
    let Tree::Op(op, sides) = conjunct else { return None };
    let is_negated = match op {
        Op::NumEq | Op::SeqEq | Op::Iff => false,
        Op::Xor => true,
        _ => return None,
    };
    let set = |variable: &Tree, term: &'_ Tree| match variable {
        Tree::Var(var) if var.index() >= first && is_of_source(term, first) => Some(*var),
        Tree::Op(..) | Tree::Var(_) | Tree::Num(_) | Tree::Bool(_) => None,
    };
    let [a, b] = &sides[..] else { return None };
    set(a, b).map(|var| (var, b, is_negated)).or_else(|| set(b, a).map(|var| (var, a, is_negated)))
}

fn is_of_source(tree: &Tree, first: usize) -> bool {
    match tree {
        Tree::Op(_, operands) => operands.iter().all(|operand| is_of_source(operand, first)),
        Tree::Var(var) => var.index() < first,
        Tree::Num(_) | Tree::Bool(_) => true,
    }
}

#[cfg(test)]
mod tests;
