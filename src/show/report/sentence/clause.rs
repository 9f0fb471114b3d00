//! Words for truths: comparisons and the logic above them.

use genmorph_jit::{Class, ComparisonOp, LogicOp, Op, TestOp};

use super::Speaker;
use super::noun::Place;
use super::words::{chain, listed, separator};
use crate::show::report::tree::Tree;

/// Words for a truth.
pub(super) struct Clause {
    pub(super) text: String,
    /// Whether it has parts that others could be confused with.
    pub(super) is_compound: bool,
}

impl Clause {
    pub(super) fn simple(text: String) -> Clause {
        Clause { text, is_compound: false }
    }

    pub(super) fn compound(text: String) -> Clause {
        Clause { text, is_compound: true }
    }
}

/// The verb of a comparison.
#[derive(Clone, Copy)]
struct Verb {
    op: ComparisonOp,
    is_negated: bool,
}

impl Verb {
    fn text(self) -> &'static str {
        match (self.op, self.is_negated) {
            (ComparisonOp::NumEq | ComparisonOp::SeqEq, false)
            | (ComparisonOp::NumNe | ComparisonOp::SeqNe, true) => "equals",
            (ComparisonOp::NumEq | ComparisonOp::SeqEq, true)
            | (ComparisonOp::NumNe | ComparisonOp::SeqNe, false) => "differs from",
            (ComparisonOp::Lt, false) => "is less than",
            (ComparisonOp::Gt, false) => "is greater than",
            (ComparisonOp::Le, false) => "is at most",
            (ComparisonOp::Ge, false) => "is at least",
            // A number that is not less than another need not be at least as large: it may be NaN.
            (ComparisonOp::Lt, true) => "is not less than",
            (ComparisonOp::Gt, true) => "is not greater than",
            (ComparisonOp::Le, true) => "is not at most",
            (ComparisonOp::Ge, true) => "is not at least",
        }
    }

    /// The verb of the same comparison with its sides exchanged.
    fn turned(self) -> Verb {
        let op = match self.op {
            ComparisonOp::Lt => ComparisonOp::Gt,
            ComparisonOp::Gt => ComparisonOp::Lt,
            ComparisonOp::Le => ComparisonOp::Ge,
            ComparisonOp::Ge => ComparisonOp::Le,
            ComparisonOp::NumEq
            | ComparisonOp::NumNe
            | ComparisonOp::SeqEq
            | ComparisonOp::SeqNe => self.op,
        };
        Verb { op, ..self }
    }
}

impl Speaker<'_> {
    /// Words for a truth.
    pub(super) fn clause(&self, tree: &Tree) -> Clause {
        let (op, sides) = match tree {
            Tree::Op(op, sides) => (*op, sides),
            Tree::Var(var) => return Clause::simple(self.truth(*var, true)),
            Tree::Bool(truth) => return Clause::simple(format!("{truth} holds")),
            Tree::Num(_) => unreachable!("a number is no truth"),
        };
        match op.class() {
            Class::Comparison(op) => {
                self.comparison(Verb { op, is_negated: false }, &sides[0], &sides[1])
            }
            Class::Logic(LogicOp::And) => {
                let parts = self.parts(Op::And, tree);
                Clause::compound(listed(&parts, "and", separator(&parts)))
            }
            Class::Logic(LogicOp::Or) => {
                let parts = self.parts(Op::Or, tree);
                Clause::compound(format!("either {}", listed(&parts, "or", separator(&parts))))
            }
            Class::Logic(LogicOp::Xor) => match self.output_pair(&sides[0], &sides[1]) {
                Some(output) => Clause::simple(format!("the {output} changes")),
                None => {
                    let [a, b] = [&sides[0], &sides[1]].map(|side| self.within(Op::Xor, side));
                    Clause::compound(format!("either {a} or {b}, but not both"))
                }
            },
            Class::Logic(LogicOp::Iff) => match self.output_pair(&sides[0], &sides[1]) {
                Some(output) => Clause::simple(format!("the {output} stays the same")),
                None => {
                    let [a, b] = [&sides[0], &sides[1]].map(|side| self.within(Op::Iff, side));
                    Clause::compound(format!("{a} exactly when {b}"))
                }
            },
            Class::Logic(LogicOp::Implies) => {
                let [a, b] = [&sides[0], &sides[1]].map(|side| self.within(Op::Implies, side));
                Clause::compound(format!("if {a}, then {b}"))
            }
            Class::Logic(LogicOp::Not) => self.negated(&sides[0]),
            Class::Test(op) => self.tested(op, sides, true),
            Class::Arithmetic(_) | Class::Measure(_) | Class::Lookup(_) | Class::Sequence(_) => {
                unreachable!("{op:?} gives no truth")
            }
        }
    }

    /// Words for a test of sequences, or for its opposite.
    fn tested(&self, op: TestOp, sides: &[Tree], holds: bool) -> Clause {
        let first = self.sequence(&sides[0], Place::Side);
        let comma = if first.has_comma { "," } else { "" };
        let second = |sides: &[Tree]| match sides {
            [_, second] => self.sequence(second, Place::Side).text,
            _ => String::new(),
        };
        let s = format!("{}{comma}", first.text);
        let t = second(sides);
        Clause::simple(match (op, holds) {
            (TestOp::Contains, true) => format!("{s} contains {t}"),
            (TestOp::Contains, false) => format!("{s} does not contain {t}"),
            (TestOp::StartsWith, true) => format!("{s} begins with {t}"),
            (TestOp::StartsWith, false) => format!("{s} does not begin with {t}"),
            (TestOp::EndsWith, true) => format!("{s} ends with {t}"),
            (TestOp::EndsWith, false) => format!("{s} does not end with {t}"),
            (TestOp::SameElements, true) => {
                format!("{s} has the same elements as {t}, in any order")
            }
            (TestOp::SameElements, false) => {
                format!("{s} has other elements than {t}, in any order")
            }
            (TestOp::Sorted, true) => format!("{s} is in ascending order"),
            (TestOp::Sorted, false) => format!("{s} is not in ascending order"),
        })
    }

    /// The operands of `and` or `or`, each in words.
    fn parts(&self, op: Op, tree: &Tree) -> Vec<String> {
        chain(op, tree).into_iter().map(|part| self.within(op, part)).collect()
    }

    /// Words for a truth within another.
    fn within(&self, outer: Op, tree: &Tree) -> String {
        let clause = self.clause(tree);
        let Tree::Op(op, _) = tree else { return clause.text };
        let is_flat = || !chain(*op, tree).into_iter().any(|part| self.clause(part).is_compound);
        match op.class() {
            _ if !clause.is_compound => clause.text,
            Class::Logic(LogicOp::Or) if outer != Op::Or && is_flat() => clause.text,
            Class::Logic(LogicOp::And) if is_flat() => match &self.parts(Op::And, tree)[..] {
                [a, b] => format!("both {a} and {b}"),
                parts => format!("all of these: {}", listed(parts, "and", ", ")),
            },
            Class::Arithmetic(_)
            | Class::Comparison(_)
            | Class::Logic(_)
            | Class::Measure(_)
            | Class::Lookup(_)
            | Class::Test(_)
            | Class::Sequence(_) => format!("({})", clause.text),
        }
    }

    fn comparison(&self, verb: Verb, left: &Tree, right: &Tree) -> Clause {
        let is_constant = |tree: &Tree| matches!(tree, Tree::Num(_));
        if is_constant(left) && !is_constant(right) {
            return self.comparison(verb.turned(), right, left);
        }
        let text = verb.text();
        if let Some(output) = self.output_pair(left, right) {
            match text {
                "equals" => return Clause::simple(format!("the {output} stays the same")),
                "differs from" => return Clause::simple(format!("the {output} changes")),
                _ => {}
            }
        }
        let noun = |tree: &Tree| {
            if matches!(verb.op, ComparisonOp::SeqEq | ComparisonOp::SeqNe) {
                self.sequence(tree, Place::Side)
            } else {
                self.number(tree)
            }
        };
        let (left, right) = (noun(left), noun(right));
        let comma = if left.has_comma { "," } else { "" };
        Clause::simple(format!("{}{comma} {text} {}", left.text, right.text))
    }

    /// Words for the opposite of a truth. That a number is not less than another does not make it at least as
    /// large: it may be no number.
    fn negated(&self, tree: &Tree) -> Clause {
        let (op, sides) = match tree {
            Tree::Op(op, sides) => (*op, sides),
            Tree::Var(var) => return Clause::simple(self.truth(*var, false)),
            Tree::Bool(truth) => return Clause::simple(format!("{} holds", !truth)),
            Tree::Num(_) => unreachable!("a number is no truth"),
        };
        match op.class() {
            Class::Comparison(op) => {
                self.comparison(Verb { op, is_negated: true }, &sides[0], &sides[1])
            }
            Class::Logic(op) => match op {
                LogicOp::Not => self.clause(&sides[0]),
                LogicOp::Xor => self.clause(&Tree::Op(Op::Iff, sides.clone())),
                LogicOp::Iff => self.clause(&Tree::Op(Op::Xor, sides.clone())),
                LogicOp::Or => {
                    let [a, b] = [&sides[0], &sides[1]].map(|side| self.within(Op::Or, side));
                    Clause::compound(format!("neither {a} nor {b}"))
                }
                LogicOp::And | LogicOp::Implies => {
                    Clause::compound(format!("it is not so that {}", self.within(Op::Not, tree)))
                }
            },
            Class::Test(op) => self.tested(op, sides, false),
            Class::Arithmetic(_) | Class::Measure(_) | Class::Lookup(_) | Class::Sequence(_) => {
                unreachable!("{op:?} gives no truth")
            }
        }
    }
}
