//! Rules for rewriting expressions without changing their value on any input.
//!
//! A rule is an equation in the relation language itself. Its sides have the same value whatever its letters
//! stand for, including rounding, NaN, infinities and the tolerance. An equation that holds over the reals
//! only is not a rule (`a - b == 0` is not `a == b`, because the tolerance is relative), nor is one that
//! ignores NaN (`not (a < b)` is not `a >= b`). `tests` checks every rule on thousands of values. Letters
//! restrict what they stand for:
//!
//! | letter | is |
//! |---|---|
//! | `a b d e` | any number |
//! | `m n` | a number that is never NaN |
//! | `f` | a number that is neither NaN nor an infinity |
//! | `u v` | a number that is never below 0, or NaN |
//! | `w` | a number that is never below 0, and never NaN |
//! | `c` | a constant |
//! | `k` | a constant below 0, far enough from 0 not to be equal to it |
//! | `z` | a constant that is not equal to 0 |
//! | `p q r` | a truth value |
//! | `s t` | a sequence |

use egg::{ConditionalApplier, ENodeOrVar, Id, Pattern, PatternAst, Rewrite, Subst, Var};
use genmorph_jit::{Expr, Node, Predicate, Schema, Tolerance, Type, parse, subtree};

use super::term::{Term, TermAnalysis, Terms, Word};

/// The direction in which a rule is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The left side is replaced by the right one.
    Right,
    /// Either side is replaced by the other.
    Both,
}

use Way::{Both, Right};

const LOGIC: &[(Way, &str)] = &[
    (Right, "(p and q) iff (q and p)"),
    (Right, "(p or q) iff (q or p)"),
    (Right, "(p xor q) iff (q xor p)"),
    (Right, "(p iff q) iff (q iff p)"),
    (Both, "((p and q) and r) iff (p and (q and r))"),
    (Both, "((p or q) or r) iff (p or (q or r))"),
    (Both, "((p xor q) xor r) iff (p xor (q xor r))"),
    (Both, "((p iff q) iff r) iff (p iff (q iff r))"),
    (Right, "(p and p) iff p"),
    (Right, "(p or p) iff p"),
    (Right, "(p xor p) iff false"),
    (Right, "(p iff p) iff true"),
    (Right, "(p implies p) iff true"),
    (Right, "(p and true) iff p"),
    (Right, "(p and false) iff false"),
    (Right, "(p or true) iff true"),
    (Right, "(p or false) iff p"),
    (Right, "(p xor true) iff not p"),
    (Right, "(p xor false) iff p"),
    (Right, "(p iff true) iff p"),
    (Right, "(p iff false) iff not p"),
    (Right, "(true implies p) iff p"),
    (Right, "(false implies p) iff true"),
    (Right, "(p implies true) iff true"),
    (Right, "(p implies false) iff not p"),
    (Right, "(not not p) iff p"),
    (Both, "(not (p and q)) iff (not p or not q)"),
    (Both, "(not (p or q)) iff (not p and not q)"),
    (Both, "(not (p xor q)) iff (p iff q)"),
    (Both, "(not (p iff q)) iff (p xor q)"),
    (Right, "(not p xor q) iff (p iff q)"),
    (Right, "(not p iff q) iff (p xor q)"),
    (Both, "(p implies q) iff (not p or q)"),
    (Right, "(not (p implies q)) iff (p and not q)"),
    (Right, "(not p implies q) iff (p or q)"),
    (Right, "(p implies not q) iff not (p and q)"),
    (Right, "(not p implies not q) iff (q implies p)"),
    (Both, "(p implies (q implies r)) iff (p and q implies r)"),
    (Right, "((p and q) or (p and r)) iff (p and (q or r))"),
    (Right, "((p or q) and (p or r)) iff (p or (q and r))"),
    (Right, "((p and q) xor (p and r)) iff (p and (q xor r))"),
    (Right, "((p implies q) and (p implies r)) iff (p implies q and r)"),
    (Right, "((p implies q) or (p implies r)) iff (p implies q or r)"),
    (Right, "((p implies r) and (q implies r)) iff (p or q implies r)"),
    (Right, "((p implies r) or (q implies r)) iff (p and q implies r)"),
    (Right, "((p implies q) and (q implies p)) iff (p iff q)"),
    (Right, "(p and (p or q)) iff p"),
    (Right, "(p or (p and q)) iff p"),
    (Right, "(p and not p) iff false"),
    (Right, "(p or not p) iff true"),
    (Right, "(p and (not p or q)) iff (p and q)"),
    (Right, "(p or (not p and q)) iff (p or q)"),
    (Right, "(p and (p implies q)) iff (p and q)"),
    (Right, "(q and (p implies q)) iff q"),
    (Right, "(p or (p implies q)) iff true"),
    (Right, "(q or (p implies q)) iff (p implies q)"),
    (Right, "(p implies (p and q)) iff (p implies q)"),
    (Right, "(p implies (p or q)) iff true"),
    (Right, "(p and q implies p) iff true"),
    (Right, "(p or q implies p) iff (q implies p)"),
    (Right, "(p implies (p implies q)) iff (p implies q)"),
    (Right, "((p implies q) implies p) iff p"),
    (Right, "((p implies q) implies q) iff (p or q)"),
    (Right, "(p and (p iff q)) iff (p and q)"),
    (Right, "(p and (p xor q)) iff (p and not q)"),
    (Right, "(p or (p xor q)) iff (p or q)"),
    (Right, "(p or (p iff q)) iff (q implies p)"),
    (Right, "(p implies (p iff q)) iff (p implies q)"),
    (Right, "(p implies (p xor q)) iff not (p and q)"),
    (Right, "((p iff q) implies p) iff (p or q)"),
    (Right, "((p xor q) implies p) iff (q implies p)"),
    (Right, "(p iff (p and q)) iff (p implies q)"),
    (Right, "(p iff (p or q)) iff (q implies p)"),
    (Right, "(p iff (p implies q)) iff (p and q)"),
    (Right, "(q iff (p implies q)) iff (p or q)"),
    (Right, "(p xor (p and q)) iff (p and not q)"),
    (Right, "(p xor (p or q)) iff (q and not p)"),
    (Right, "(p xor (p xor q)) iff q"),
    (Right, "(p iff (p iff q)) iff q"),
    (Right, "(p xor (p iff q)) iff not q"),
    (Right, "(p iff (p xor q)) iff not q"),
    (Right, "((p and q) or (not p and r) or (q and r)) iff ((p and q) or (not p and r))"),
    (Right, "((p and q) or (p and not q)) iff p"),
    (Right, "((p or q) and (p or not q)) iff p"),
    (Right, "((p and q) or (not p and not q)) iff (p iff q)"),
    (Right, "((p or q) and (not p or not q)) iff (p xor q)"),
    (Right, "((p or q) and not (p and q)) iff (p xor q)"),
];

const COMPARISONS: &[(Way, &str)] = &[
    (Right, "a == b iff b == a"),
    (Right, "a != b iff b != a"),
    (Both, "a < b iff b > a"),
    (Both, "a <= b iff b >= a"),
    (Right, "s == t iff t == s"),
    (Right, "s != t iff t != s"),
    (Both, "not a == b iff a != b"),
    (Right, "not a != b iff a == b"),
    (Both, "not s == t iff s != t"),
    (Right, "not s != t iff s == t"),
    (Right, "a == a iff true"),
    (Right, "a != a iff false"),
    (Right, "a < a iff false"),
    (Right, "a <= a iff true"),
    (Right, "s == s iff true"),
    (Right, "s != s iff false"),
    (Both, "not m < n iff m >= n"),
    (Both, "not m <= n iff m > n"),
    (Right, "m < n or m > n iff m != n"),
    (Right, "m <= n or m >= n iff true"),
    (Right, "m < n or m >= n iff true"),
    (Right, "a < b or a == b iff a <= b"),
    (Right, "a <= b and a >= b iff a == b"),
    (Right, "a <= b and a != b iff a < b"),
    (Right, "a < b and a <= b iff a < b"),
    (Right, "a < b or a <= b iff a <= b"),
    (Right, "a < b and a == b iff false"),
    (Right, "a < b and a > b iff false"),
    (Right, "a < b and a >= b iff false"),
    (Right, "a < b and a != b iff a < b"),
    (Right, "a < b or a != b iff a != b"),
    (Right, "a == b and a <= b iff a == b"),
    (Right, "a == b or a <= b iff a <= b"),
    (Right, "a <= b or a != b iff true"),
    (Right, "(a < b implies a <= b) iff true"),
    (Right, "(a == b implies a <= b) iff true"),
    (Right, "(a <= b implies a == b) iff not a < b"),
    (Right, "(a != b implies a < b) iff a <= b"),
    (Right, "(a <= b iff a == b) iff not a < b"),
    (Right, "(a <= b xor a == b) iff a < b"),
    (Right, "abs(a) == 0 iff a == 0"),
    (Right, "abs(a) != 0 iff a != 0"),
    (Right, "u <= 0 iff u == 0"),
    (Right, "u < 0 iff false"),
    (Right, "w >= 0 iff true"),
    (Right, "w > 0 iff w != 0"),
    (Right, "u == k iff false"),
    (Right, "u != k iff true"),
    (Right, "u < k iff false"),
    (Right, "u <= k iff false"),
    (Right, "w > k iff true"),
    (Right, "w >= k iff true"),
    (Right, "a <= abs(a) iff true"),
    (Right, "a > abs(a) iff false"),
    (Right, "abs(a) <= a iff abs(a) == a"),
    (Right, "0 - a == 0 iff a == 0"),
    (Right, "0 - a < 0 iff a > 0"),
    (Right, "0 - a <= 0 iff a >= 0"),
    (Right, "0 - a > 0 iff a < 0"),
    (Right, "0 - a >= 0 iff a <= 0"),
    (Right, "0 - a == 0 - b iff a == b"),
    (Right, "0 - a < 0 - b iff a > b"),
    (Right, "0 - a <= 0 - b iff a >= b"),
    (Right, "0 - a == b iff a == 0 - b"),
    (Right, "0 - a < b iff a > 0 - b"),
    (Right, "0 - a <= b iff a >= 0 - b"),
    (Right, "a - b == 0 iff b - a == 0"),
    (Right, "a - b < 0 iff b - a > 0"),
    (Right, "a - b <= 0 iff b - a >= 0"),
];

const NUMBERS: &[(Way, &str)] = &[
    (Right, "min(a, b) == min(b, a)"),
    (Right, "max(a, b) == max(b, a)"),
    (Right, "min(a, a) == a"),
    (Right, "max(a, a) == a"),
    (Right, "min(a, min(b, d)) == min(min(a, b), d)"),
    (Right, "max(a, max(b, d)) == max(max(a, b), d)"),
    (Right, "min(0 - a, 0 - b) == 0 - max(a, b)"),
    (Right, "max(0 - a, 0 - b) == 0 - min(a, b)"),
    (Right, "max(a, 0 - a) == abs(a)"),
    (Right, "floor(floor(a)) == floor(a)"),
    (Right, "a + b == b + a"),
    (Right, "a * b == b * a"),
    (Right, "a + 0 == a"),
    (Right, "a - 0 == a"),
    (Right, "a * 1 == a"),
    (Right, "f * 0 == 0"),
    (Right, "f - f == 0"),
    (Right, "f / f == 1"),
    (Both, "a - c == a + (0 - c)"),
    (Both, "a + a == 2 * a"),
    // Doubling never rounds.
    (Right, "a * 2 * 2 == a * 4"),
    (Right, "a * 2 * 4 == a * 8"),
    (Both, "a * -1 == 0 - a"),
    (Right, "0 - (a - b) == b - a"),
    (Right, "0 - (0 - a) == a"),
    (Both, "a - (0 - b) == a + b"),
    (Both, "a + (0 - b) == a - b"),
    (Both, "(0 - a) - b == 0 - (a + b)"),
    (Both, "(0 - a) * b == 0 - a * b"),
    (Both, "(0 - a) * c == a * (0 - c)"),
    (Right, "(0 - a) * (0 - b) == a * b"),
    (Right, "(0 - a) / (0 - b) == a / b"),
    (Right, "(a - b) * (d - e) == (b - a) * (e - d)"),
    (Right, "(a - b) / (d - e) == (b - a) / (e - d)"),
    (Both, "(0 - a) / z == 0 - a / z"),
    (Right, "a / 0 == 1"),
    (Right, "abs(abs(a)) == abs(a)"),
    (Right, "abs(0 - a) == abs(a)"),
    (Right, "abs(a - b) == abs(b - a)"),
    (Right, "abs(u) == u"),
    (Both, "abs(a) * abs(b) == abs(a * b)"),
    (Both, "abs(a) / abs(b) == abs(a / b)"),
    (Right, "abs(a) * abs(a) == a * a"),
];

/// Rules of quotients that need 1 not to be equal to 0, which holds for all but the largest tolerances.
const QUOTIENTS: &[(Way, &str)] = &[(Right, "a / 1 == a"), (Both, "a / -1 == 0 - a")];

const SEQUENCES: &[(Way, &str)] = &[
    (Right, "flip(flip(s)) == s"),
    (Right, "length(flip(s)) == length(s)"),
    (Right, "flip(s) == flip(t) iff s == t"),
    (Right, "flip(s) != flip(t) iff s != t"),
    (Right, "flip(s) == t iff s == flip(t)"),
    (Right, "flip(s) != t iff s != flip(t)"),
    (Right, "length(truncate(s, 0)) == 0"),
    (Right, "sum(truncate(s, 0)) == 0"),
    (Right, "truncate(truncate(s, w), w) == truncate(s, w)"),
    (Right, "truncate(s, length(s)) == s"),
    (Right, "remove(s, length(s)) == s"),
    (Right, "flip(remove(s, 0)) == remove(flip(s), -1)"),
    (Right, "flip(remove(s, -1)) == remove(flip(s), 0)"),
    (Right, "truncate(s, -1) == remove(s, 0)"),
    (Right, "sort(sort(s)) == sort(s)"),
    (Right, "sort(flip(s)) == sort(s)"),
    (Right, "sort(s ++ t) == sort(t ++ s)"),
    (Right, "length(sort(s)) == length(s)"),
    (Right, "length(upper(s)) == length(s)"),
    (Right, "length(lower(s)) == length(s)"),
    (Right, "upper(upper(s)) == upper(s)"),
    (Right, "upper(lower(s)) == upper(s)"),
    (Right, "lower(lower(s)) == lower(s)"),
    (Right, "lower(upper(s)) == lower(s)"),
    (Right, "flip(upper(s)) == upper(flip(s))"),
    (Right, "flip(lower(s)) == lower(flip(s))"),
    (Right, "flip(s ++ t) == flip(t) ++ flip(s)"),
    (Right, "at(s, 0) == first(s)"),
    (Right, "at(s, -1) == last(s)"),
    (Right, "first(flip(s)) == last(s)"),
    (Right, "last(flip(s)) == first(s)"),
    (Right, "first(sort(s)) == least(s)"),
    (Right, "last(sort(s)) == greatest(s)"),
    (Right, "least(sort(s)) == least(s)"),
    (Right, "least(flip(s)) == least(s)"),
    (Right, "greatest(sort(s)) == greatest(s)"),
    (Right, "greatest(flip(s)) == greatest(s)"),
    (Right, "count(sort(s), a) == count(s, a)"),
    (Right, "count(flip(s), a) == count(s, a)"),
    (Right, "sort(s) == sort(t) iff sameElements(s, t)"),
    (Right, "sort(s) != sort(t) iff not sameElements(s, t)"),
    (Right, "sameElements(s, t) iff sameElements(t, s)"),
    (Right, "sameElements(sort(s), t) iff sameElements(s, t)"),
    (Right, "sameElements(flip(s), t) iff sameElements(s, t)"),
    (Right, "sameElements(s, s) iff true"),
    (Right, "contains(s, s) iff true"),
    (Right, "startsWith(s, s) iff true"),
    (Right, "endsWith(s, s) iff true"),
    (Right, "startsWith(s ++ t, s) iff true"),
    (Right, "endsWith(s ++ t, t) iff true"),
    (Right, "contains(s ++ t, s) iff true"),
    (Right, "contains(s ++ t, t) iff true"),
    (Right, "startsWith(flip(s), flip(t)) iff endsWith(s, t)"),
    (Right, "endsWith(flip(s), flip(t)) iff startsWith(s, t)"),
    (Right, "sorted(sort(s)) iff true"),
];

/// Rules of lengths that need different lengths not to be equal.
const LENGTHS: &[(Way, &str)] = &[
    (Right, "length(toString(a)) == 0 iff false"),
    (Right, "truncate(s, 0) == s iff length(s) == 0"),
    (Right, "length(truncate(s, a)) == length(s) iff truncate(s, a) == s"),
    (Right, "length(remove(s, a)) == length(s) iff remove(s, a) == s"),
];

/// Larger than the length of any sequence of a table.
const LONGEST: f64 = 4_294_967_296.0;

/// What a letter of a rule may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letter {
    /// Any value of its type.
    Any(Type),
    /// A number that is never NaN.
    Number,
    /// A number that is neither NaN nor infinite.
    Finite,
    /// A number that is never below 0, but may be NaN.
    NotNegative,
    /// A number that is never below 0, and never NaN.
    NotNegativeNumber,
    /// Any constant of the relation language.
    Constant,
    /// A constant below 0 that is not equal to 0.
    NegativeConstant,
    /// A constant that is not equal to 0.
    NonZeroConstant,
}

/// The letters of rules, with their meanings.
pub(super) const LETTERS: [(&str, Letter); 18] = [
    ("a", Letter::Any(Type::Num)),
    ("b", Letter::Any(Type::Num)),
    ("d", Letter::Any(Type::Num)),
    ("e", Letter::Any(Type::Num)),
    ("m", Letter::Number),
    ("n", Letter::Number),
    ("f", Letter::Finite),
    ("u", Letter::NotNegative),
    ("v", Letter::NotNegative),
    ("w", Letter::NotNegativeNumber),
    ("c", Letter::Constant),
    ("k", Letter::NegativeConstant),
    ("z", Letter::NonZeroConstant),
    ("p", Letter::Any(Type::Bool)),
    ("q", Letter::Any(Type::Bool)),
    ("r", Letter::Any(Type::Bool)),
    ("s", Letter::Any(Type::Seq)),
    ("t", Letter::Any(Type::Seq)),
];

impl Letter {
    pub(super) fn ty(self) -> Type {
        match self {
            Letter::Any(ty) => ty,
            Letter::Number
            | Letter::Finite
            | Letter::NotNegative
            | Letter::NotNegativeNumber
            | Letter::Constant
            | Letter::NegativeConstant
            | Letter::NonZeroConstant => Type::Num,
        }
    }

    /// Whether a letter may stand for a class of equal terms.
    fn admits(self, terms: &Terms, class: Id) -> bool {
        let known = terms[class].data;
        let tolerance = &terms.analysis.tolerance;
        match self {
            Letter::Any(_) => true,
            Letter::Number => known.number,
            Letter::Finite => known.finite,
            Letter::NotNegative => known.not_negative,
            Letter::NotNegativeNumber => known.not_negative && known.number,
            Letter::Constant => known.as_number().is_some(),
            Letter::NegativeConstant => {
                known.as_number().is_some_and(|c| c < 0.0 && !tolerance.eq(c, 0.0))
            }
            Letter::NonZeroConstant => known.as_number().is_some_and(|c| !tolerance.eq(c, 0.0)),
        }
    }
}

/// A rule: two expressions over [`LETTERS`], in postfix order.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) text: &'static str,
    pub(super) way: Way,
    pub(super) left: Vec<Node>,
    pub(super) right: Vec<Node>,
}

/// A schema with the letters as variables.
pub(super) fn letters() -> Schema {
    Schema::new(LETTERS.map(|(name, letter)| (name, letter.ty()))).expect("letters differ")
}

/// All rules that hold under a tolerance.
pub(super) fn all(tolerance: &Tolerance) -> Vec<Rule> {
    let quotients: &[_] = if tolerance.eq(1.0, 0.0) { &[] } else { QUOTIENTS };
    let schema = letters();
    let lengths: &[_] = if tolerance.separates_integers(LONGEST) { LENGTHS } else { &[] };
    let rules = [LOGIC, COMPARISONS, NUMBERS, quotients, SEQUENCES, lengths].concat();
    rules.into_iter().map(|(way, text)| Rule::new(way, text, &schema)).collect()
}

impl Rule {
    pub(super) fn new(way: Way, text: &'static str, schema: &Schema) -> Rule {
        let equation: Predicate = parse(text, schema).expect("rules are relations");
        let Expr(mut nodes) = equation.into_expr();
        nodes.pop();
        let right = nodes.split_off(subtree(&nodes, nodes.len() - 1).start);
        Rule { text, way, left: nodes, right }
    }

    /// The rule as rewrites, one for each direction.
    pub(super) fn rewrites(&self) -> Vec<Rewrite<Term, TermAnalysis>> {
        let mut rewrites = vec![rewrite(self.text.to_owned(), &self.left, &self.right)];
        if self.way == Both {
            rewrites.push(rewrite(format!("{}, back", self.text), &self.right, &self.left));
        }
        rewrites
    }
}

fn letter(var: u16) -> Var {
    Var::from_u32(u32::from(var))
}

fn rewrite(name: String, from: &[Node], to: &[Node]) -> Rewrite<Term, TermAnalysis> {
    let used: Vec<(Var, Letter)> = (0..LETTERS.len() as u16)
        .filter(|&var| from.contains(&Node::Var(genmorph_jit::Var(var))))
        .map(|var| (letter(var), LETTERS[usize::from(var)].1))
        .collect();
    let condition = move |terms: &mut Terms, _: Id, subst: &Subst| {
        used.iter().all(|(var, letter)| letter.admits(terms, subst[*var]))
    };
    let applier = ConditionalApplier { condition, applier: pattern(to) };
    Rewrite::new(name, pattern(from), applier).expect("both sides have the same letters")
}

fn pattern(nodes: &[Node]) -> Pattern<Term> {
    let mut ast: PatternAst<Term> = PatternAst::default();
    let mut stack: Vec<Id> = Vec::new();
    for &node in nodes {
        let operands = stack.split_off(stack.len() - node.arity());
        stack.push(ast.add(match Word::of(node) {
            Word::Var(var) => ENodeOrVar::Var(letter(var)),
            word => ENodeOrVar::ENode(Term::new(word, &operands)),
        }));
    }
    Pattern::new(ast)
}
