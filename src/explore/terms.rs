//! All terms up to a size, merged by value: of terms that are equal on every row the plainest stays.

use std::collections::HashMap;

use genmorph_jit::{Columns, Leaf, Node, Op, Table, TestOp, Type, Values, Var};

use super::bits::Bits;
use super::cost::cost;
use super::scene::Scene;
use super::words::{
    CONSTANTS, CUTS, Cut, EXTREMES, MEASURES, MOST_CONSTANTS, MOST_EXTREMES, MOST_QUANTITIES,
    MOST_TERMS, NUMERIC, RESHAPED, RESPELLED, SELECTED, Vocabulary, is_special,
};
use crate::subject::kinds::Kind;

/// The cost from which on a number is too long to cut a sequence by: that of a sum.
const LONGEST: u32 = 18;

/// A term and what it is on the rows that are looked at.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) nodes: Vec<Node>,
    /// Its nodes; a quantity such as `length(s_s)` counts for one.
    pub(super) size: usize,
    pub(super) cost: u32,
    pub(super) values: Values,
    pub(super) uses: Uses,
}

/// Which variables a term has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// Outputs of the source, and of the follow-up.
    pub(super) source: bool,
    pub(super) follow_up: bool,
    /// Inputs of the source; of the follow-up, where the transformation does not fix them.
    pub(super) input: bool,
    pub(super) changed: bool,
}

impl Uses {
    fn and(self, other: Uses) -> Uses {
        Uses {
            source: self.source || other.source,
            follow_up: self.follow_up || other.follow_up,
            input: self.input || other.input,
            changed: self.changed || other.changed,
        }
    }

    /// Whether it has no variable.
    pub(super) fn is_constant(self) -> bool {
        self == Uses::default()
    }

    /// Whether it has no variable of the follow-up.
    pub(super) fn is_of_source(self) -> bool {
        !self.follow_up && !self.changed
    }
}

/// The terms of an exploration, by type, in the order of their size.
pub(super) struct Bank<'t> {
    pub(super) numbers: Vec<Term>,
    pub(super) sequences: Vec<Term>,
    pub(super) truths: Vec<Term>,
    /// Quantities and terms that were left out because there are too many.
    pub(super) left_out: usize,
    columns: Columns<'t>,
    /// The variables that are texts.
    texts: Vec<Var>,
    known: HashMap<u64, Vec<(Type, usize)>>,
}

impl<'t> Bank<'t> {
    /// The terms of a scene on all rows of a table.
    pub(super) fn new(scene: &Scene<'_>, table: &'t Table, words: &Vocabulary) -> Bank<'t> {
        let mut bank = Bank {
            numbers: Vec::new(),
            sequences: Vec::new(),
            truths: Vec::new(),
            left_out: 0,
            columns: Columns::new(table),
            texts: Vec::new(),
            known: HashMap::new(),
        };
        let mut quantities = Vec::new();
        let mut extremes = Vec::new();
        for (var, ty, uses) in variables(scene, words) {
            let values = bank.columns.leaf(Leaf::Var(var));
            let term = Term { nodes: vec![Node::Var(var)], size: 1, cost: 10, values, uses };
            if ty == Type::Seq {
                // Nobody adds up the codes of characters.
                let is_text = scene.kind(var) == Kind::Text;
                for op in MEASURES.into_iter().filter(|op| !(is_text && *op == Op::Sum)) {
                    quantities.push(Term { size: 1, ..bank.unary(op, &term) });
                }
                for op in EXTREMES.into_iter().filter(|_| !is_text) {
                    extremes.push(Term { size: 1, ..bank.unary(op, &term) });
                }
                if is_text {
                    bank.texts.push(var);
                }
            }
            match ty {
                Type::Num => quantities.push(term),
                Type::Bool | Type::Seq => bank.add(vec![term]),
            }
        }
        // Outputs first, then inputs, then what is read off sequences.
        quantities.sort_by_key(|term| (term.cost, !term.uses.follow_up, !term.uses.source));
        bank.left_out += quantities.len().saturating_sub(MOST_QUANTITIES);
        quantities.truncate(MOST_QUANTITIES);
        extremes.sort_by_key(|term| (term.cost, !term.uses.follow_up, !term.uses.source));
        bank.left_out += extremes.len().saturating_sub(MOST_EXTREMES);
        extremes.truncate(MOST_EXTREMES);
        bank.add(quantities);
        bank.add(extremes);
        let known = CONSTANTS.into_iter();
        let further = words.constants.iter().copied().filter(|c| !CONSTANTS.contains(c));
        for value in known.chain(further.take(MOST_CONSTANTS)) {
            bank.add(vec![constant(value, table.rows())]);
        }
        if scene.calls.is_some() {
            bank.truths_of_two();
        }
        bank.sequences();
        bank.combine();
        bank
    }

    /// What the truth values of two other calls come to together.
    fn truths_of_two(&mut self) {
        let is_other = |term: &&Term| term.uses.source && !term.uses.follow_up;
        let others: Vec<Term> = self.truths.iter().filter(is_other).cloned().collect();
        let mut made = Vec::new();
        for (i, a) in others.iter().enumerate() {
            for b in &others[i + 1..] {
                for op in [Op::Or, Op::And] {
                    made.push(self.binary(op, a, b));
                }
            }
        }
        self.add(made);
    }

    /// Adds terms, the plainest first; those that are equal to a known one on every row are left out.
    fn add(&mut self, mut terms: Vec<Term>) {
        terms.sort_by_key(|term| term.cost);
        for term in terms {
            let list = match term.values {
                Values::Num(_) => (Type::Num, &mut self.numbers),
                Values::Bool(_) => (Type::Bool, &mut self.truths),
                Values::Seq(_) => (Type::Seq, &mut self.sequences),
            };
            let (ty, list) = list;
            let alike = self.known.entry(term.values.digest()).or_default();
            let is_known =
                |&(of, at): &(Type, usize)| of == ty && list[at].values.is_same(&term.values);
            if alike.iter().any(is_known) {
                continue;
            }
            if list.len() >= MOST_TERMS {
                self.left_out += 1;
                continue;
            }
            alike.push((ty, list.len()));
            list.push(term);
        }
    }

    fn unary(&mut self, op: Op, a: &Term) -> Term {
        let values = self.columns.apply(op, &[&a.values]);
        let nodes = [&a.nodes[..], &[Node::Op(op)]].concat();
        Term { size: a.size + 1, cost: cost(&nodes), nodes, values, uses: a.uses }
    }

    /// Whether a term of numbers has these values on every row.
    pub(super) fn has(&self, values: &Values) -> bool {
        let alike = self.known.get(&values.digest());
        alike
            .into_iter()
            .flatten()
            .any(|&(ty, at)| ty == Type::Num && self.numbers[at].values.is_same(values))
    }

    /// On which of the first rows a test of two sequences, or of one that is given twice, holds.
    pub(super) fn tested(&self, op: TestOp, a: &Term, b: &Term, rows: usize) -> Option<Bits> {
        let (Values::Seq(a), Values::Seq(b)) = (&a.values, &b.values) else { return None };
        let tolerance = self.columns.table().tolerance();
        let elements = |id: u32| self.columns.sequence(id);
        Some(Bits::of(rows, |row| op.apply(elements(a[row]), elements(b[row]), tolerance)))
    }

    /// On how many of the first rows a sequence has elements.
    pub(super) fn with_elements(&self, term: &Term, rows: usize) -> usize {
        let Values::Seq(ids) = &term.values else { return 0 };
        ids[..rows].iter().filter(|&&id| !self.columns.sequence(id).is_empty()).count()
    }

    /// On which of the first rows two terms are equal sequences.
    pub(super) fn equal_sequences(&self, a: &Term, b: &Term, rows: usize) -> Option<Bits> {
        let (Values::Seq(a), Values::Seq(b)) = (&a.values, &b.values) else { return None };
        let tolerance = self.columns.table().tolerance();
        let elements = |id: u32| self.columns.sequence(id);
        Some(Bits::of(rows, |row| {
            a[row] == b[row] || tolerance.seq_eq(elements(a[row]), elements(b[row]))
        }))
    }

    pub(super) fn binary(&mut self, op: Op, a: &Term, b: &Term) -> Term {
        let values = self.columns.apply(op, &[&a.values, &b.values]);
        let nodes = joined(op, &a.nodes, &b.nodes);
        let uses = a.uses.and(b.uses);
        Term { size: a.size + b.size + 1, cost: cost(&nodes), nodes, values, uses }
    }

    /// Sequences made of sequences.
    fn sequences(&mut self) {
        let plain = self.sequences.clone();
        let numbers = self.numbers.clone();
        let mut made = Vec::new();
        for s in &plain {
            let is_text = matches!(s.nodes[..], [Node::Var(var)] if self.texts.contains(&var));
            for op in RESHAPED.into_iter().chain(RESPELLED.into_iter().filter(|_| is_text)) {
                made.push(self.unary(op, s));
            }
            for t in plain.iter().filter(|t| !s.uses.follow_up && t.uses.is_of_source()) {
                // Texts are joined with texts.
                if is_text == matches!(t.nodes[..], [Node::Var(var)] if self.texts.contains(&var)) {
                    made.push(self.binary(Op::Join, s, t));
                }
            }
            for Cut { op, constants, is_by_quantity } in CUTS {
                for &value in constants {
                    made.push(self.binary(op, s, &constant(value, self.columns.rows())));
                }
                // Cut by an input, or to the length of another sequence.
                let cutting = |n: &&Term| !n.uses.is_constant() && !n.uses.follow_up;
                for n in numbers.iter().filter(|_| is_by_quantity).filter(cutting) {
                    if n.cost < LONGEST {
                        made.push(self.binary(op, s, n));
                    }
                }
            }
        }
        self.add(made);
    }

    /// Numbers made of numbers.
    fn combine(&mut self) {
        let quantities = self.numbers.clone();
        let variables: Vec<&Term> =
            quantities.iter().filter(|term| !term.uses.is_constant()).collect();
        let zero = constant(0.0, self.columns.rows());
        let mut unary = Vec::new();
        for x in variables.iter().filter(|x| !is_special(&x.nodes)) {
            unary.push(self.unary(Op::Abs, x));
            if matches!(x.nodes[..], [Node::Var(_)]) && !x.uses.follow_up {
                let negated = self.binary(Op::Sub, &zero, x);
                unary.push(Term { size: 2, ..negated });
            }
        }
        self.add(unary);
        let mut binary = Vec::new();
        for (i, a) in quantities.iter().enumerate() {
            for (j, b) in quantities.iter().enumerate() {
                for op in NUMERIC.into_iter().chain(SELECTED) {
                    let repeated = op.mirrored() == Some(op) && j < i;
                    if !repeated && is_worthwhile(op, a, b) {
                        let (a, b) = if b.uses.follow_up { (b, a) } else { (a, b) };
                        binary.push(self.binary(op, a, b));
                    }
                }
            }
        }
        // How far the outputs are apart.
        let apart: Vec<Term> = quantities
            .iter()
            .filter(|f| f.uses.follow_up)
            .flat_map(|f| quantities.iter().filter(|s| s.uses.source).map(move |s| (f, s)))
            .filter(|(f, s)| f.cost == s.cost && !is_special(&f.nodes) && !is_special(&s.nodes))
            .map(|(f, s)| self.binary(Op::Sub, f, s))
            .collect();
        binary.extend(apart.iter().map(|difference| self.unary(Op::Abs, difference)));
        self.add(binary);
    }
}

/// Whether a term of two quantities may stand in a law. The follow-up's output stands first, and only where the other side of a law
/// cannot take the second quantity: a sum with the source's output, a product.
fn is_worthwhile(op: Op, a: &Term, b: &Term) -> bool {
    // `x - x` and `x / x` are constants but for NaN, and `x + x` is `2 * x`.
    if op != Op::Mul && a.nodes == b.nodes {
        return false;
    }
    let [is_known_a, is_known_b] = [a, b].map(|term| term.uses.is_constant());
    let is_selected = SELECTED.contains(&op);
    if is_selected && (a.uses.follow_up || b.uses.follow_up || is_known_a) {
        return false;
    }
    match (op, &b.nodes[..]) {
        (Op::Min | Op::Max, [Node::Num(value)]) if *value != 0.0 => return false,
        // Of a result nobody takes the remainder by another one.
        (Op::Mod, [Node::Num(value)]) if *value < 2.0 => return false,
        (Op::Mod, _) if b.uses.source => return false,
        _ => {}
    }
    // Extremes are moved and scaled, and compared with each other; nothing else is made of them.
    let [is_extreme_a, is_extreme_b] = [a, b].map(|term| is_special(&term.nodes));
    if is_extreme_a || is_extreme_b {
        let is_moved = is_known_a || is_known_b;
        let are_both = is_extreme_a && is_extreme_b && !a.uses.follow_up && !b.uses.follow_up;
        let fits = is_moved && op != Op::Div && !is_selected
            || are_both && matches!(op, Op::Add | Op::Sub);
        if !fits {
            return false;
        }
    }
    let is_negative = |term: &Term| matches!(term.nodes[..], [Node::Num(value)] if value < 0.0);
    if is_known_a && is_known_b || is_negative(a) || is_negative(b) {
        return false;
    }
    match (a.uses.follow_up, b.uses.follow_up) {
        (true, true) => false,
        (false, true) => op == Op::Add && a.uses.source || op == Op::Mul && !is_known_a,
        (true, false) => op == Op::Add && b.uses.source || op == Op::Mul && !is_known_b,
        // `0 - x` is there already, and nobody writes a quotient of a constant.
        (false, false) => !(is_known_a && op == Op::Div),
    }
}

/// An operator applied to two expressions.
pub(super) fn joined(op: Op, a: &[Node], b: &[Node]) -> Vec<Node> {
    [a, b, &[Node::Op(op)]].concat()
}

fn constant(value: f64, rows: usize) -> Term {
    let nodes = vec![Node::Num(value)];
    let values = Values::Num(vec![value; rows]);
    Term { size: 1, cost: cost(&nodes), nodes, values, uses: Uses::default() }
}

/// The variables that laws may have: all but characters, and inputs of the follow-up that the transformation fixes.
fn variables(scene: &Scene<'_>, words: &Vocabulary) -> Vec<(Var, Type, Uses)> {
    let is_character = |var: Var| words.characters.iter().any(|name| name == scene.name(var));
    let free = scene.setting.schema.iter().filter(|(var, _, _)| !is_character(*var));
    free.filter_map(|(var, _, ty)| Some((var, ty, scene.uses(var)?))).collect()
}
