//! A relation as one English sentence: "When e is decreased by 1, the new result times k equals the original result."
//!
//! The words follow the tree of the relation and nothing else, so equal relations have equal sentences. What
//! parentheses are to a formula, these are to a sentence: "the sum of … and …" where an operator would bind
//! otherwise, "either … or" and "both … and" where logic would, commas after what could be read on, and
//! parentheses where nothing else is left.

use genmorph_jit::op::index;
use genmorph_jit::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, MeasureOp, Op, Predicate, SequenceOp, Var,
};

use super::tree::{Tree, number_text};
use crate::subject::kinds::{Interface, Kind};
use crate::transform::{Instance, Template};

/// The most nodes of a relation that there are words for. Nobody reads more, and words for words within words take
/// time.
const LONGEST: usize = 48;

/// The sentence of a relation over the variables of a function, under a transformation.
pub fn sentence(relation: &Predicate, transformation: &str, signature: &Interface) -> String {
    let instance = transformation.parse::<Instance>().ok();
    let speaker = Speaker { signature, changed: instance.as_ref() };
    let when = match &instance {
        Some(instance) => speaker.when(instance),
        None => format!("under {transformation}"),
    };
    let text = match Tree::of(relation) {
        tree if relation.nodes().len() > LONGEST => {
            format!("{when}, this holds: {}", tree.text(&|tree| name(tree, signature)))
        }
        Tree::Op(Op::Implies, sides) => {
            let [if_, then] = [&sides[0], &sides[1]].map(|side| speaker.clause(side));
            if if_.is_compound {
                format!("{when}: if {}, then {}", if_.text, then.text)
            } else {
                format!("{when} and {}, {}", if_.text, then.text)
            }
        }
        tree => format!("{when}, {}", speaker.clause(&tree).text),
    };
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}{}.", first.collect::<String>(), letters.as_str())
}

/// The name of a variable as it stands in a relation; nothing for other trees.
pub(super) fn name(tree: &Tree, signature: &Interface) -> Option<String> {
    let Tree::Var(var) = tree else { return None };
    let Interface { inputs, outputs, .. } = signature;
    let all = inputs.len() + outputs.len();
    let parameter = inputs.iter().chain(outputs).nth(var.index() % all.max(1))?;
    Some(format!("{}_{}", parameter.name, if var.index() < all { "s" } else { "f" }))
}

/// A transformation in words, such as `e is decreased by 1`; as it is written if it is none of ours.
pub fn change(transformation: &str, signature: &Interface) -> String {
    match transformation.parse::<Instance>() {
        Ok(instance) => Speaker { signature, changed: Some(&instance) }.changes(&instance),
        Err(_) => transformation.to_owned(),
    }
}

/// What is needed to name things.
struct Speaker<'a> {
    signature: &'a Interface,
    /// The transformation; without it, every input may be another.
    changed: Option<&'a Instance>,
}

/// Words for a value.
struct Noun {
    text: String,
    /// Whether an operator after it could be read as part of it: "the length of s" + "plus 1".
    is_open: bool,
    /// Whether a comma divides it, so that another must end it.
    has_comma: bool,
}

impl Noun {
    fn plain(text: impl Into<String>) -> Noun {
        Noun { text: text.into(), is_open: false, has_comma: false }
    }

    fn open(text: String) -> Noun {
        Noun { text, is_open: true, has_comma: false }
    }
}

/// Words for a truth.
struct Clause {
    text: String,
    /// Whether it has parts that others could be confused with.
    is_compound: bool,
}

impl Clause {
    fn simple(text: String) -> Clause {
        Clause { text, is_compound: false }
    }

    fn compound(text: String) -> Clause {
        Clause { text, is_compound: true }
    }
}

/// Where a sequence is named.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// On its own, on a side of a comparison.
    Side,
    /// Within other words.
    Within,
}

impl Speaker<'_> {
    fn when(&self, instance: &Instance) -> String {
        format!("when {}", self.changes(instance))
    }

    fn changes(&self, instance: &Instance) -> String {
        let x = instance.parameters.first().map_or("", String::as_str);
        let kind = self.signature.inputs.iter().find(|p| p.name == x).map(|p| p.kind);
        let element = element(kind);
        match instance.template {
            Template::PermuteParameters => {
                format!("{} are exchanged", instance.parameters.join(" and "))
            }
            Template::BooleanFlip => format!("{x} is negated"),
            Template::NumericAddition(c) if c < 0.0 => {
                format!("{x} is decreased by {}", number_text(-c))
            }
            Template::NumericAddition(c) => format!("{x} is increased by {}", number_text(c)),
            Template::NumericMultiplication(-1.0) => format!("the sign of {x} is changed"),
            Template::NumericMultiplication(0.0) => format!("{x} is replaced by 0"),
            Template::NumericMultiplication(2.0) => format!("{x} is doubled"),
            Template::NumericMultiplication(0.5) => format!("{x} is halved"),
            Template::NumericMultiplication(c) => {
                format!("{x} is multiplied by {}", number_text(c))
            }
            Template::SequenceRemove(i) => match ordinal(i) {
                Some(ordinal) => format!("the {ordinal} {element} of {x} is removed"),
                None => format!("the {element} of {x} at index {i} is removed"),
            },
            Template::SequenceFlip => format!("{x} is reversed"),
        }
    }

    /// The name of a variable: its side is said only where the two differ.
    fn variable(&self, var: Var) -> String {
        let Interface { inputs, outputs, .. } = self.signature;
        let all = inputs.len() + outputs.len();
        let is_new = var.index() >= all;
        let at = var.index() % all.max(1);
        let side = if is_new { "new" } else { "original" };
        if let Some(input) = inputs.get(at) {
            let is_changed =
                self.changed.is_none_or(|instance| instance.parameters.contains(&input.name));
            return if is_changed {
                format!("the {side} {}", input.name)
            } else {
                input.name.clone()
            };
        }
        format!("the {side} {}", self.output(at))
    }

    /// The name of an output, without its side.
    fn output(&self, at: usize) -> String {
        let name = &self.signature.outputs[at - self.signature.inputs.len()].name;
        match name.strip_suffix("_after") {
            _ if name == "out" => "result".to_owned(),
            Some(changed) => format!("{changed} after the call"),
            None => name.clone(),
        }
    }

    /// The output whose two values these are, in any order.
    fn output_pair(&self, a: &Tree, b: &Tree) -> Option<String> {
        let (Tree::Var(a), Tree::Var(b)) = (a, b) else { return None };
        let pairs = self.signature.output_pairs();
        let (pair, _) = pairs.iter().find(|pair| [(*a, *b), (*b, *a)].contains(pair)).copied()?;
        Some(self.output(pair.index()))
    }

    /// Words for a number.
    fn number(&self, tree: &Tree) -> Noun {
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
            Class::Arithmetic(ArithmeticOp::Abs) | Class::Measure(_) => return self.prefixed(tree),
            Class::Comparison(_) | Class::Logic(_) | Class::Sequence(_) => {
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
        let divides = matches!(&operands[0], Tree::Op(Op::Div, _));
        if divides && matches!(op, Op::Mul | Op::Div) {
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
    fn prefixed(&self, tree: &Tree) -> Noun {
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
            Class::Comparison(_) | Class::Logic(_) | Class::Sequence(_) => {
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
    fn sequence(&self, tree: &Tree, place: Place) -> Noun {
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
            Class::Arithmetic(_) | Class::Comparison(_) | Class::Logic(_) | Class::Measure(_) => {
                unreachable!("{op:?} gives no sequence")
            }
        })
    }

    /// Words for a truth.
    fn clause(&self, tree: &Tree) -> Clause {
        let (op, sides) = match tree {
            Tree::Op(op, sides) => (*op, sides),
            Tree::Var(var) => return Clause::simple(format!("{} is true", self.variable(*var))),
            Tree::Bool(truth) => return Clause::simple(format!("{truth} holds")),
            Tree::Num(_) => unreachable!("a number is no truth"),
        };
        match op.class() {
            Class::Comparison(comparison) => self.comparison(comparison, &sides[0], &sides[1]),
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
            Class::Arithmetic(_) | Class::Measure(_) | Class::Sequence(_) => {
                unreachable!("{op:?} gives no truth")
            }
        }
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
            | Class::Sequence(_) => format!("({})", clause.text),
        }
    }

    fn comparison(&self, op: ComparisonOp, left: &Tree, right: &Tree) -> Clause {
        let verb = match op {
            ComparisonOp::NumEq | ComparisonOp::SeqEq => "equals",
            ComparisonOp::NumNe | ComparisonOp::SeqNe => "differs from",
            ComparisonOp::Lt => "is less than",
            ComparisonOp::Gt => "is greater than",
            ComparisonOp::Le => "is at most",
            ComparisonOp::Ge => "is at least",
        };
        self.compared(op, verb, left, right)
    }

    fn compared(&self, op: ComparisonOp, verb: &str, left: &Tree, right: &Tree) -> Clause {
        let is_constant = |tree: &Tree| matches!(tree, Tree::Num(_));
        if is_constant(left) && !is_constant(right) {
            return self.turned(op, verb, left, right);
        }
        if let Some(output) = self.output_pair(left, right) {
            match verb {
                "equals" => return Clause::simple(format!("the {output} stays the same")),
                "differs from" => return Clause::simple(format!("the {output} changes")),
                _ => {}
            }
        }
        let noun = |tree: &Tree| {
            if matches!(op, ComparisonOp::SeqEq | ComparisonOp::SeqNe) {
                self.sequence(tree, Place::Side)
            } else {
                self.number(tree)
            }
        };
        let (left, right) = (noun(left), noun(right));
        let comma = if left.has_comma { "," } else { "" };
        Clause::simple(format!("{}{comma} {verb} {}", left.text, right.text))
    }

    /// A comparison with a constant on its left, the other way round.
    fn turned(&self, op: ComparisonOp, verb: &str, left: &Tree, right: &Tree) -> Clause {
        let verb = match verb {
            "is less than" => "is greater than",
            "is greater than" => "is less than",
            "is at most" => "is at least",
            "is at least" => "is at most",
            "is not less than" => "is not greater than",
            "is not greater than" => "is not less than",
            "is not at most" => "is not at least",
            "is not at least" => "is not at most",
            verb => verb,
        };
        self.compared(op, verb, right, left)
    }

    /// Words for the opposite of a truth. That a number is not less than another does not make it at least as
    /// large: it may be no number.
    fn negated(&self, tree: &Tree) -> Clause {
        let (op, sides) = match tree {
            Tree::Op(op, sides) => (*op, sides),
            Tree::Var(var) => return Clause::simple(format!("{} is false", self.variable(*var))),
            Tree::Bool(truth) => return Clause::simple(format!("{} holds", !truth)),
            Tree::Num(_) => unreachable!("a number is no truth"),
        };
        match op.class() {
            Class::Comparison(op) => {
                let verb = match op {
                    ComparisonOp::NumEq | ComparisonOp::SeqEq => "differs from",
                    ComparisonOp::NumNe | ComparisonOp::SeqNe => "equals",
                    ComparisonOp::Lt => "is not less than",
                    ComparisonOp::Gt => "is not greater than",
                    ComparisonOp::Le => "is not at most",
                    ComparisonOp::Ge => "is not at least",
                };
                self.compared(op, verb, &sides[0], &sides[1])
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
            Class::Arithmetic(_) | Class::Measure(_) | Class::Sequence(_) => {
                unreachable!("{op:?} gives no truth")
            }
        }
    }
}

/// What a sequence of a kind has.
fn element(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Text) => "character",
        Some(Kind::Numbers | Kind::Number | Kind::Boolean) | None => "element",
    }
}

/// The place of an element in words, where there are some.
fn ordinal(index: i64) -> Option<&'static str> {
    Some(match index {
        0 => "first",
        1 => "second",
        2 => "third",
        3 => "fourth",
        -1 => "last",
        -2 => "second to last",
        -3 => "third to last",
        _ => return None,
    })
}

/// The operands of an operator that its left operand may be, too: of `a + b + c`, three.
fn chain(op: Op, tree: &Tree) -> Vec<&Tree> {
    match tree {
        Tree::Op(inner, operands) if *inner == op && operands.len() == 2 => {
            // Logic may be grouped at will; sums are not the same to the last bit, but the same words.
            let right = match op {
                Op::And | Op::Or => chain(op, &operands[1]),
                _ => vec![&operands[1]],
            };
            let mut parts = chain(op, &operands[0]);
            parts.extend(right);
            parts
        }
        _ => vec![tree],
    }
}

/// What stands between parts: a comma too, where one of them has commas.
fn separator(parts: &[String]) -> &'static str {
    if parts.iter().any(|part| part.contains(',')) { ", " } else { " " }
}

/// "a and b", "a, b and c"; with `last` for two that are long: "a, and b".
fn listed(parts: &[String], word: &str, last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [a, b] if last == ", " && (a.contains(',') || b.contains(',')) => {
            format!("{a}, {word} {b}")
        }
        [a, b] => format!("{a} {word} {b}"),
        [firsts @ .., b] => {
            let comma = if last == ", " { "," } else { "" };
            format!("{}{comma} {word} {b}", firsts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests;
