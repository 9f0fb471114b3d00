//! Words for numbers and sequences: "the length of s, plus 1".

use genmorph_jit::op::index;
use genmorph_jit::{ArithmeticOp, Class, LookupOp, MeasureOp, Op, SequenceOp};

use super::Speaker;
use super::words::{chain, element, listed, ordinal};
use crate::show::report::tree::{Tree, number_text};
use crate::subject::kinds::{Interface, Kind};

/// Words for a value.
pub(super) struct Noun {
    pub(super) text: String,
    /// Whether an operator after it could be read as part of it: "the length of s" + "plus 1".
    pub(super) is_open: bool,
    /// Whether a comma divides it, so that another must end it.
    pub(super) has_comma: bool,
}

impl Noun {
    pub(super) fn plain(text: impl Into<String>) -> Noun {
        Noun { text: text.into(), is_open: false, has_comma: false }
    }

    pub(super) fn open(text: String) -> Noun {
        Noun { text, is_open: true, has_comma: false }
    }
}

/// Where a sequence is named.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// On its own, on a side of a comparison.
    Side,
    /// As a part of a longer noun.
    Within,
}

impl Speaker<'_> {
    /// Words for a number.
    pub(super) fn number(&self, tree: &Tree) -> Noun {
        let (op, operands) = match tree {
            Tree::Op(op, operands) => (*op, operands),
            Tree::Var(var) => return Noun::plain(self.variable(*var)),
            Tree::Num(number) => return Noun::plain(number_text(*number)),
            Tree::Bool(truth) => return Noun::plain(truth.to_string()),
        };
        let word = match op.class() {
            Class::Arithmetic(ArithmeticOp::Add) => "plus",
            Class::Arithmetic(ArithmeticOp::Sub) if matches!(operands[0], Tree::Num(0.0)) => {
                return self.prefixed(tree);
            }
            Class::Arithmetic(ArithmeticOp::Sub) => "minus",
            Class::Arithmetic(ArithmeticOp::Mul) => "times",
            Class::Arithmetic(ArithmeticOp::Div) => "divided by",
            Class::Arithmetic(ArithmeticOp::Mod) => "modulo",
            Class::Arithmetic(
                ArithmeticOp::Abs | ArithmeticOp::Min | ArithmeticOp::Max | ArithmeticOp::Floor,
            )
            | Class::Measure(_)
            | Class::Lookup(_) => return self.prefixed(tree),
            Class::Comparison(_) | Class::Logic(_) | Class::Test(_) | Class::Sequence(_) => {
                unreachable!("{op:?} gives no number")
            }
        };
        let side = |side: usize| {
            if operands[side].needs_parentheses(op.fixity(), side) {
                self.prefixed(&operands[side])
            } else {
                self.number(&operands[side])
            }
        };
        let (mut left, mut right) = (side(0), side(1));
        // "a divided by b times c" could be read either way.
        let divides = matches!(&operands[0], Tree::Op(Op::Div | Op::Mod, _));
        if divides && matches!(op, Op::Mul | Op::Div | Op::Mod)
            || matches!((op, &operands[0]), (Op::Mod, Tree::Op(Op::Mul, _)))
        {
            left = self.prefixed(&operands[0]);
        }
        let needs_comma = left.is_open || left.has_comma;
        // After a comma nobody knows that `times` binds tighter than `plus`.
        if needs_comma || right.has_comma {
            right = self.prefixed(&operands[1]);
        }
        let comma = if needs_comma { "," } else { "" };
        Noun {
            text: format!("{}{comma} {word} {}", left.text, right.text),
            is_open: right.is_open,
            has_comma: needs_comma || right.has_comma,
        }
    }

    /// Words for a number that nothing around them can be read into: "the sum of a and b".
    pub(super) fn prefixed(&self, tree: &Tree) -> Noun {
        let Tree::Op(op, operands) = tree else { return self.number(tree) };
        let within = |tree: &Tree| self.prefixed(tree).text;
        let two = |name: &str| {
            format!("the {name} of {} and {}", within(&operands[0]), within(&operands[1]))
        };
        Noun::open(match op.class() {
            Class::Arithmetic(ArithmeticOp::Add) => self.many("sum", Op::Add, tree),
            Class::Arithmetic(ArithmeticOp::Mul) => self.many("product", Op::Mul, tree),
            Class::Arithmetic(ArithmeticOp::Sub) if matches!(operands[0], Tree::Num(0.0)) => {
                format!("the negative of {}", within(&operands[1]))
            }
            Class::Arithmetic(ArithmeticOp::Sub) => two("difference"),
            Class::Arithmetic(ArithmeticOp::Div) => two("quotient"),
            Class::Arithmetic(ArithmeticOp::Abs) => match &operands[0] {
                Tree::Op(Op::Sub, sides) if !matches!(sides[0], Tree::Num(0.0)) => {
                    format!("the distance between {} and {}", within(&sides[0]), within(&sides[1]))
                }
                operand => format!("the absolute value of {}", within(operand)),
            },
            Class::Measure(MeasureOp::Length) => {
                format!("the length of {}", self.sequence(&operands[0], Place::Within).text)
            }
            Class::Measure(MeasureOp::Sum) => {
                let of = match self.kind(&operands[0]) {
                    Some(Kind::Text) => "character codes",
                    Some(Kind::Numbers | Kind::Number | Kind::Boolean) | None => "elements",
                };
                let sequence = self.sequence(&operands[0], Place::Within).text;
                format!("the sum of the {of} of {sequence}")
            }
            Class::Arithmetic(ArithmeticOp::Min) => self.many("minimum", Op::Min, tree),
            Class::Arithmetic(ArithmeticOp::Max) => self.many("maximum", Op::Max, tree),
            Class::Arithmetic(ArithmeticOp::Mod) => {
                format!("the remainder of {} modulo {}", within(&operands[0]), within(&operands[1]))
            }
            Class::Arithmetic(ArithmeticOp::Floor) => {
                format!("{} rounded down", within(&operands[0]))
            }
            Class::Measure(
                MeasureOp::First | MeasureOp::Last | MeasureOp::Least | MeasureOp::Greatest,
            ) => {
                let which = op.spelling();
                let element = element(self.kind(&operands[0]));
                let sequence = self.sequence(&operands[0], Place::Within).text;
                format!("the {which} {element} of {sequence}")
            }
            Class::Lookup(op) => {
                let element = element(self.kind(&operands[0]));
                let sequence = self.sequence(&operands[0], Place::Within).text;
                match (op, &operands[1]) {
                    (LookupOp::At, Tree::Num(n)) => {
                        format!("the {element} of {sequence} at index {}", index(*n))
                    }
                    (LookupOp::At, n) => {
                        format!("the {element} of {sequence} at index {}", within(n))
                    }
                    (LookupOp::Count, n) => {
                        format!("the number of {element}s of {sequence} that equal {}", within(n))
                    }
                    (LookupOp::IndexOf, t) => format!(
                        "the index of {} in {sequence}",
                        self.sequence(t, Place::Within).text
                    ),
                }
            }
            Class::Comparison(_) | Class::Logic(_) | Class::Test(_) | Class::Sequence(_) => {
                unreachable!("{op:?} gives no number")
            }
        })
    }

    /// "the sum of a, b and c".
    fn many(&self, name: &str, op: Op, tree: &Tree) -> String {
        let parts: Vec<String> =
            chain(op, tree).into_iter().map(|part| self.prefixed(part).text).collect();
        format!("the {name} of {}", listed(&parts, "and", ", "))
    }

    /// What the elements of a sequence are, by the variable that it is made of.
    fn kind(&self, tree: &Tree) -> Option<Kind> {
        match tree {
            Tree::Op(Op::ToString, _) => Some(Kind::Text),
            Tree::Op(_, operands) => operands.first().and_then(|operand| self.kind(operand)),
            Tree::Var(var) => {
                let Interface { inputs, outputs, .. } = self.signature;
                let at = var.index() % (inputs.len() + outputs.len()).max(1);
                inputs.iter().chain(outputs).nth(at).map(|p| p.kind)
            }
            Tree::Num(_) | Tree::Bool(_) => None,
        }
    }

    /// Words for a sequence.
    pub(super) fn sequence(&self, tree: &Tree, place: Place) -> Noun {
        let (op, operands) = match tree {
            Tree::Op(op, operands) => (*op, operands),
            Tree::Var(var) => return Noun::plain(self.variable(*var)),
            Tree::Num(_) | Tree::Bool(_) => unreachable!("sequences have no constants"),
        };
        let element = element(self.kind(&operands[0]));
        // A variable on its own can have words after it: there is nothing else that they could be about.
        let is_plain = place == Place::Side && matches!(operands[0], Tree::Var(_));
        let inner = |at: usize| self.sequence(&operands[at], Place::Within).text;
        let number = |at: usize| self.prefixed(&operands[at]).text;
        Noun::open(match op.class() {
            Class::Sequence(SequenceOp::Flip) if is_plain => format!("{} reversed", inner(0)),
            Class::Sequence(SequenceOp::Flip) => format!("the reverse of {}", inner(0)),
            Class::Sequence(SequenceOp::Remove) => {
                let (what, own) = match &operands[1] {
                    Tree::Num(n) => match ordinal(index(*n)) {
                        Some(ordinal) => (format!("{ordinal} {element}"), "its"),
                        None => (format!("{element} at index {}", index(*n)), "the"),
                    },
                    _ => (format!("{element} at index {}", number(1)), "the"),
                };
                if is_plain {
                    format!("{} without {own} {what}", inner(0))
                } else if own == "its" {
                    format!("all but the {what} of {}", inner(0))
                } else {
                    format!("all of {} but the {what}", inner(0))
                }
            }
            Class::Sequence(SequenceOp::Truncate) => match &operands[1] {
                Tree::Num(n) => {
                    let n = index(*n);
                    let first = match n.unsigned_abs() {
                        1 => format!("first {element}"),
                        count => format!("first {count} {element}s"),
                    };
                    if n >= 0 {
                        format!("the {first} of {}", inner(0))
                    } else if is_plain {
                        format!("{} without its {first}", inner(0))
                    } else {
                        format!("all but the {first} of {}", inner(0))
                    }
                }
                _ if is_plain => format!("{} truncated to {}", inner(0), number(1)),
                _ => format!("the truncation of {} to {}", inner(0), number(1)),
            },
            Class::Sequence(SequenceOp::ToString) => match &operands[0] {
                Tree::Num(n) => return Noun::plain(format!("the text \"{}\"", index(*n))),
                operand => format!("the decimal text of {}", self.prefixed(operand).text),
            },
            Class::Sequence(SequenceOp::Join) => {
                let parts: Vec<String> = chain(Op::Join, tree)
                    .into_iter()
                    .map(|part| self.sequence(part, Place::Within).text)
                    .collect();
                format!("the joining of {}", listed(&parts, "and", ", "))
            }
            Class::Sequence(SequenceOp::Sort) if is_plain => format!("{} sorted", inner(0)),
            Class::Sequence(SequenceOp::Sort) => format!("the ascending order of {}", inner(0)),
            Class::Sequence(SequenceOp::Upper) if is_plain => {
                format!("{} in capitals", inner(0))
            }
            Class::Sequence(SequenceOp::Upper) => format!("the capitals of {}", inner(0)),
            Class::Sequence(SequenceOp::Lower) if is_plain => {
                format!("{} in small letters", inner(0))
            }
            Class::Sequence(SequenceOp::Lower) => format!("the small letters of {}", inner(0)),
            Class::Arithmetic(_)
            | Class::Comparison(_)
            | Class::Logic(_)
            | Class::Measure(_)
            | Class::Lookup(_)
            | Class::Test(_) => unreachable!("{op:?} gives no sequence"),
        })
    }
}
