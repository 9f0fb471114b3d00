//! Relations as terms of an e-graph, and facts about the values of a class of equal terms.
//!
//! Facts hold for all inputs, not only for the rows of a table: the length of a sequence is never NaN, a
//! magnitude is not negative. The language cannot observe the sign of a zero or the payload of a NaN, so
//! terms that differ only in these are equal: arithmetic turns them into another zero or NaN, a quotient by
//! either zero is 1, comparisons and indices treat both alike.

use std::cell::RefCell;
use std::fmt;

use egg::{Analysis, DidMerge, EGraph, Id, Language};
use genmorph_jit::{
    ArithmeticOp, Class, LookupOp, MeasureOp, Node, Op, Tolerance, Value, Var, fold,
};

/// A node of an expression, with its operands as class ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term {
    pub(super) word: Word,
    operands: [Id; 2],
}

/// The label of a node, without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Word {
    Op(Op),
    Var(u16),
    /// A constant by its bits; both zeros have the same.
    Num(u64),
    Bool(bool),
}

impl Word {
    pub(super) fn of(node: Node) -> Word {
        match node {
            Node::Op(op) => Word::Op(op),
            Node::Var(var) => Word::Var(var.0),
            Node::Num(value) => Word::Num((value + 0.0).to_bits()),
            Node::Bool(value) => Word::Bool(value),
        }
    }

    pub(super) fn node(self) -> Node {
        match self {
            Word::Op(op) => Node::Op(op),
            Word::Var(var) => Node::Var(Var(var)),
            Word::Num(bits) => Node::Num(f64::from_bits(bits)),
            Word::Bool(value) => Node::Bool(value),
        }
    }

    fn arity(self) -> usize {
        self.node().arity()
    }
}

impl Term {
    pub(super) fn leaf(word: Word) -> Term {
        Term { word, operands: [Id::from(0); 2] }
    }

    pub(super) fn new(word: Word, operands: &[Id]) -> Term {
        let mut term = Term::leaf(word);
        term.operands[..operands.len()].copy_from_slice(operands);
        term
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word.node() {
            Node::Op(op) => f.write_str(op.spelling()),
            Node::Var(var) => write!(f, "?{}", var.0),
            Node::Num(value) => write!(f, "{value}"),
            Node::Bool(value) => write!(f, "{value}"),
        }
    }
}

impl Language for Term {
    type Discriminant = Word;

    fn discriminant(&self) -> Word {
        self.word
    }

    fn matches(&self, other: &Term) -> bool {
        self.word == other.word
    }

    fn children(&self) -> &[Id] {
        &self.operands[..self.word.arity()]
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.operands[..self.word.arity()]
    }
}

/// An e-graph of terms, with facts about each class.
pub(super) type Terms = EGraph<Term, TermAnalysis>;

/// Adds an expression in postfix order.
pub(super) fn add(terms: &mut Terms, nodes: &[Node]) -> Id {
    let terms = RefCell::new(terms);
    let add =
        |node: Node, operands: &[Id]| terms.borrow_mut().add(Term::new(Word::of(node), operands));
    fold(nodes, |leaf| add(leaf.into(), &[]), |op, operands| add(Node::Op(op), operands.as_slice()))
}

/// Computes facts: knows the tolerance, so that constants can be folded, and which variables are finite.
#[derive(Clone, Debug)]
pub(super) struct TermAnalysis {
    pub(super) tolerance: Tolerance,
    /// Variables that are neither NaN nor infinite.
    pub(super) finite: Vec<Var>,
}

/// Facts about all values of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    /// The only value, if it is a number or a truth value.
    pub(super) constant: Option<Word>,
    /// Whether it is never NaN.
    pub(super) number: bool,
    /// Whether it is neither NaN nor infinite.
    pub(super) finite: bool,
    /// Whether it is never below 0; it may be NaN.
    pub(super) not_negative: bool,
}

impl Known {
    const NOTHING: Known =
        Known { constant: None, number: false, finite: false, not_negative: false };

    fn of(value: f64) -> Known {
        Known {
            // NaN is not a constant of the language.
            constant: (!value.is_nan()).then(|| Word::of(Node::Num(value))),
            number: !value.is_nan(),
            finite: value.is_finite(),
            not_negative: !value.is_sign_negative() || value.is_nan() || value == 0.0,
        }
    }

    fn value(self) -> Option<Value<'static>> {
        match self.constant?.node() {
            Node::Num(value) => Some(Value::Num(value)),
            Node::Bool(value) => Some(Value::Bool(value)),
            Node::Var(_) | Node::Op(_) => None,
        }
    }

    /// The number that it always is, if there is one.
    pub(super) fn as_number(self) -> Option<f64> {
        match self.value()? {
            Value::Num(value) => Some(value),
            Value::Bool(_) | Value::Seq(_) => None,
        }
    }
}

impl Analysis<Term> for TermAnalysis {
    type Data = Known;

    fn make(terms: &mut Terms, term: &Term, _: Id) -> Known {
        let op = match term.word.node() {
            Node::Op(op) => op,
            Node::Num(value) => return Known::of(value),
            Node::Bool(_) => return Known { constant: Some(term.word), ..Known::NOTHING },
            Node::Var(var) => {
                let finite = terms.analysis.finite.contains(&var);
                return Known { number: finite, finite, ..Known::NOTHING };
            }
        };
        let known = |operand: usize| terms[term.children()[operand]].data;
        let values: Option<Vec<Value<'static>>> =
            (0..op.arity()).map(|operand| known(operand).value()).collect();
        if let Some(values) = values {
            match op.apply(&values, &terms.analysis.tolerance) {
                Value::Num(value) => return Known::of(value),
                Value::Bool(value) => {
                    return Known { constant: Some(Word::Bool(value)), ..Known::NOTHING };
                }
                Value::Seq(_) => {}
            }
        }
        let is_same = || terms.find(term.children()[0]) == terms.find(term.children()[1]);
        match op.class() {
            // An f64 can count the elements of any sequence.
            Class::Measure(MeasureOp::Length) => {
                Known { number: true, finite: true, not_negative: true, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Abs) => {
                Known { constant: None, not_negative: true, ..known(0) }
            }
            Class::Arithmetic(ArithmeticOp::Add) => {
                let not_negative = known(0).not_negative && known(1).not_negative;
                // Infinities of opposite signs cannot meet if one operand is finite, or both are on one side of 0.
                let number = known(0).number && known(1).number;
                let number = number && (known(0).finite || known(1).finite || not_negative);
                Known { not_negative, number, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Sub) => {
                let number = known(0).number && known(1).number;
                let number = number && (known(0).finite || known(1).finite);
                Known { number, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Mul) => {
                let not_negative = (known(0).not_negative && known(1).not_negative) || is_same();
                // 0 * inf is NaN; the square of a number never is.
                let finite = known(0).finite && known(1).finite;
                let number = finite || (known(0).number && is_same());
                Known { not_negative, number, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Div) => {
                let not_negative = known(0).not_negative && known(1).not_negative;
                // Division by 0 is defined, so a divisor that divides is not 0.
                let number = known(0).number && known(1).number;
                let number = number && (known(0).finite || known(1).finite);
                Known { not_negative, number, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Min) => Known {
                number: known(0).number && known(1).number,
                finite: known(0).finite && known(1).finite,
                not_negative: known(0).not_negative && known(1).not_negative,
                ..Known::NOTHING
            },
            Class::Arithmetic(ArithmeticOp::Max) => {
                // A number that may not be one may be all that is left.
                let number = known(0).number && known(1).number;
                let not_negative = known(0).not_negative && known(1).not_negative;
                let finite = known(0).finite && known(1).finite;
                Known { number, finite, not_negative, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Floor) => Known { constant: None, ..known(0) },
            Class::Lookup(LookupOp::Count) => {
                Known { number: true, finite: true, not_negative: true, ..Known::NOTHING }
            }
            Class::Lookup(LookupOp::IndexOf) => {
                Known { number: true, finite: true, ..Known::NOTHING }
            }
            Class::Arithmetic(ArithmeticOp::Mod)
            | Class::Lookup(LookupOp::At)
            | Class::Measure(
                MeasureOp::Sum
                | MeasureOp::First
                | MeasureOp::Last
                | MeasureOp::Least
                | MeasureOp::Greatest,
            )
            | Class::Test(_)
            | Class::Comparison(_)
            | Class::Logic(_)
            | Class::Sequence(_) => Known::NOTHING,
        }
    }

    /// Equal terms have the same values, so facts about one hold for the other.
    fn merge(&mut self, a: &mut Known, b: Known) -> DidMerge {
        let both = Known {
            constant: a.constant.or(b.constant),
            number: a.number || b.number,
            finite: a.finite || b.finite,
            not_negative: a.not_negative || b.not_negative,
        };
        let changed = DidMerge(both != *a, both != b);
        *a = both;
        changed
    }

    fn modify(terms: &mut Terms, id: Id) {
        if let Some(word) = terms[id].data.constant {
            let constant = terms.add(Term::leaf(word));
            terms.union(id, constant);
        }
    }
}
