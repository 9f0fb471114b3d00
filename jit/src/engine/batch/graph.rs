//! Everything that relations have said about a table so far, each thing once.
//!
//! ```text
//!  terms    0: k_s   1: out_s   2: out_f   3: 1 / 0       numbers and sequences, with what is known of them
//!  truths   0: true   1: 2 == 3   2: k_s > 0 …            atoms, columns, and, xor
//! ```
//! A subtree that is seen again is looked up, not built; relations that cannot differ on this table's
//! rows become one truth. A truth is referred to by its number and a bit for its negation, so that
//! `or`, `implies`, `iff` and `not` need nodes of no kind of their own. What may be rewritten is in
//! `rules.rs`.

use hashbrown::HashTable;

use super::known::{self, CHECKED, Known};
use crate::expr::Node;
use crate::hash::{Mixer, hash};
use crate::interval::Interval;
use crate::op::{Class, ComparisonOp, LogicOp, Op, Value};
use crate::schema::Var;
use crate::table::{StoredColumn, Table};
use crate::tolerance::Tolerance;

/// A number or a sequence: its number in the graph.
pub(super) type TermId = u32;

/// A term: a column, a constant, or an operator on other terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Term {
    Column(Var),
    Constant(f64),
    Op(Op, TermId, TermId),
}

/// A truth value per row: the number of a truth, and whether it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ref(u32);

impl Ref {
    pub(super) const TRUE: Ref = Ref(0);
    pub(super) const FALSE: Ref = Ref(1);

    fn new(truth: usize) -> Ref {
        Ref((truth as u32) << 1)
    }

    pub(super) fn truth(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn not(self) -> Ref {
        Ref(self.0 ^ 1)
    }

    pub(super) fn negated_if(self, negate: bool) -> Ref {
        Ref(self.0 ^ u32::from(negate))
    }

    pub(super) fn of(value: bool) -> Ref {
        Ref::TRUE.negated_if(!value)
    }
}

/// A truth value per row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    True,
    Column(Var),
    /// A comparison of two terms (`NumEq`, `Lt`, `Le` or `SeqEq`) or a test of one or two; the second of one
    /// is 0.
    Atom(Op, TermId, TermId),
    And(Ref, Ref),
    Xor(Ref, Ref),
}

/// An operator on things of the graph, and what came of it.
#[derive(Clone, Copy, Debug)]
struct Application {
    op: Op,
    a: u32,
    b: u32,
    result: u32,
}

/// Everything said so far.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) tolerance: Tolerance,
    terms: Vec<Term>,
    known: Vec<Known>,
    /// Whether a term has no variables.
    ground: Vec<bool>,
    truths: Vec<Truth>,
    applications: HashTable<Application>,
    constants: HashTable<TermId>,
    /// What each variable of the schema is: a term, or for Bool variables a `Ref`.
    variables: Vec<u32>,
    stack: Vec<u32>,
    /// How many terms and truths there are in the empty graph.
    first: [usize; 2],
}

impl Graph {
    /// The graph of the columns.
    pub(super) fn new(table: &Table) -> Graph {
        let mut graph = Graph {
            tolerance: *table.tolerance(),
            terms: Vec::new(),
            known: Vec::new(),
            ground: Vec::new(),
            truths: vec![Truth::True],
            applications: HashTable::new(),
            constants: HashTable::new(),
            variables: Vec::new(),
            stack: Vec::new(),
            first: [0, 0],
        };
        let columns = table.schema().len() as u16;
        for var in (0..columns).map(Var) {
            // Under a transformation most inputs stay as they are: equal columns are one.
            let twin = (0..var.0).map(Var).find(|twin| same(table, var, *twin));
            let variable = match (twin, known::of_column(table.column(var), table)) {
                (Some(twin), _) => graph.variables[twin.index()],
                (None, Some(known)) => graph.add_term(Term::Column(var), known, false),
                (None, None) => graph.bool_column(table, var).0,
            };
            graph.variables.push(variable);
        }
        graph.first = [graph.terms.len(), graph.truths.len()];
        graph
    }

    fn bool_column(&mut self, table: &Table, var: Var) -> Ref {
        let layout = table.layout();
        let StoredColumn::Bool(words) = table.column(var) else { unreachable!("{CHECKED}") };
        let rows: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        if rows == 0 || rows == layout.rows() {
            return Ref::of(rows != 0);
        }
        self.add_truth(Truth::Column(var))
    }

    /// Forgets all but the columns.
    pub(super) fn clear(&mut self) {
        let [terms, truths] = self.first;
        self.terms.truncate(terms);
        self.known.truncate(terms);
        self.ground.truncate(terms);
        self.truths.truncate(truths);
        self.applications.clear();
        self.constants.clear();
        // The constants of the empty graph.
        for (id, term) in self.terms.iter().enumerate() {
            if let Term::Constant(value) = term {
                let hash = hash_number(*value);
                let terms = &self.terms;
                self.constants.insert_unique(hash, id as u32, |&id| hash_constant(terms, id));
            }
        }
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.terms.len() * (size_of::<Term>() + size_of::<Known>() + 1)
            + self.truths.len() * size_of::<Truth>()
            + self.applications.len() * 2 * size_of::<Application>()
    }

    pub(super) fn truths(&self) -> usize {
        self.truths.len()
    }

    pub(super) fn truth(&self, truth: u32) -> Truth {
        self.truths[truth as usize]
    }

    pub(super) fn term(&self, id: TermId) -> Term {
        self.terms[id as usize]
    }

    pub(super) fn known(&self, id: TermId) -> Known {
        self.known[id as usize]
    }

    pub(super) fn is_ground(&self, id: TermId) -> bool {
        self.ground[id as usize]
    }

    /// What a predicate says.
    pub(super) fn relation(&mut self, nodes: &[Node]) -> Ref {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        for &node in nodes {
            let item = match node {
                Node::Num(value) => self.constant(value),
                Node::Bool(value) => Ref::of(value).0,
                Node::Var(var) => self.variables[var.index()],
                Node::Op(op) => {
                    let last = stack.pop().expect(CHECKED);
                    match op.arity() {
                        1 => self.apply(op, last, 0),
                        _ => {
                            let first = stack.pop().expect(CHECKED);
                            self.apply(op, first, last)
                        }
                    }
                }
            };
            stack.push(item);
        }
        let root = Ref(stack.pop().expect(CHECKED));
        self.stack = stack;
        root
    }

    /// The result of an operator on terms or, for logic, on `Ref`s.
    fn apply(&mut self, op: Op, a: u32, b: u32) -> u32 {
        match op.class() {
            Class::Logic(op) => {
                let (a, b) = (Ref(a), Ref(b));
                let truth = match op {
                    LogicOp::Not => a.not(),
                    LogicOp::And => self.and(a, b),
                    LogicOp::Or => self.and(a.not(), b.not()).not(),
                    LogicOp::Implies => self.and(a, b.not()).not(),
                    LogicOp::Xor => self.xor(a, b),
                    LogicOp::Iff => self.xor(a, b).not(),
                };
                truth.0
            }
            Class::Comparison(comparison) => {
                let truth = match comparison {
                    ComparisonOp::NumEq
                    | ComparisonOp::Lt
                    | ComparisonOp::Le
                    | ComparisonOp::SeqEq => self.compare(op, a, b),
                    ComparisonOp::NumNe => self.compare(Op::NumEq, a, b).not(),
                    ComparisonOp::SeqNe => self.compare(Op::SeqEq, a, b).not(),
                    ComparisonOp::Gt => self.compare(Op::Lt, b, a),
                    ComparisonOp::Ge => self.compare(Op::Le, b, a),
                };
                truth.0
            }
            Class::Test(test) => {
                let simplify = |graph: &mut Graph, op, a, b| graph.simplify_test(test, op, a, b).0;
                // What does not depend on the order of its operands is asked in one order.
                let (a, b) = if op.mirrored().is_some() { (a.min(b), a.max(b)) } else { (a, b) };
                self.looked_up(op, a, b, simplify)
            }
            Class::Arithmetic(_) | Class::Measure(_) | Class::Lookup(_) | Class::Sequence(_) => {
                self.compute(op, a, b)
            }
        }
    }

    /// A number or sequence operator on terms; the second operand of a unary one is 0.
    pub(super) fn compute(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.looked_up(op, a, b, Graph::simplify_term)
    }

    /// A comparison of terms.
    pub(super) fn compare(&mut self, op: Op, a: TermId, b: TermId) -> Ref {
        Ref(self.looked_up(op, a, b, |graph, op, a, b| graph.simplify_atom(op, a, b).0))
    }

    pub(super) fn and(&mut self, a: Ref, b: Ref) -> Ref {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Ref::TRUE {
            return b;
        }
        if a == Ref::FALSE || a == b.not() {
            return Ref::FALSE;
        }
        Ref(self.looked_up(Op::And, a.0, b.0, |graph, _, _, _| graph.add_truth(Truth::And(a, b)).0))
    }

    pub(super) fn xor(&mut self, a: Ref, b: Ref) -> Ref {
        let negate = a.is_negated() != b.is_negated();
        let positive = |one: Ref| one.negated_if(one.is_negated());
        let (a, b) = (positive(a).min(positive(b)), positive(a).max(positive(b)));
        if a == b {
            return Ref::FALSE.negated_if(negate);
        }
        if a == Ref::TRUE {
            return b.not().negated_if(negate);
        }
        let xor =
            self.looked_up(Op::Xor, a.0, b.0, |graph, _, _, _| graph.add_truth(Truth::Xor(a, b)).0);
        Ref(xor).negated_if(negate)
    }

    /// The remembered result of an application, or a new one.
    fn looked_up(
        &mut self,
        op: Op,
        a: u32,
        b: u32,
        make: impl FnOnce(&mut Graph, Op, u32, u32) -> u32,
    ) -> u32 {
        let hash = hash_application(op, a, b);
        // A hash is only a hint: the whole key decides.
        let is_it = |known: &Application| known.op == op && known.a == a && known.b == b;
        if let Some(known) = self.applications.find(hash, is_it) {
            return known.result;
        }
        let result = make(self, op, a, b);
        self.remember(op, a, b, result);
        result
    }

    fn remember(&mut self, op: Op, a: u32, b: u32, result: u32) {
        let hash = hash_application(op, a, b);
        let rehash = |known: &Application| hash_application(known.op, known.a, known.b);
        self.applications.insert_unique(hash, Application { op, a, b, result }, rehash);
    }

    /// The term of a constant.
    pub(super) fn constant(&mut self, value: f64) -> TermId {
        // 0 and -0 are one number, and so are all NaNs.
        let value = if value.is_nan() { f64::NAN } else { value + 0.0 };
        let hash = hash_number(value);
        let terms = &self.terms;
        let found = self.constants.find(hash, |&id| {
            matches!(terms[id as usize], Term::Constant(known) if known.to_bits() == value.to_bits())
        });
        if let Some(&id) = found {
            return id;
        }
        let id = self.terms.len() as TermId;
        self.terms.push(Term::Constant(value));
        self.known.push(Known::Num(Interval::constant(value)));
        self.ground.push(true);
        let terms = &self.terms;
        self.constants.insert_unique(hash, id, |&id| hash_constant(terms, id));
        id
    }

    /// Adds a term that is no constant, or finds the constant that it turns out to be.
    pub(super) fn add_term(&mut self, term: Term, known: Known, ground: bool) -> TermId {
        if let Known::Num(interval) = known
            && let Some(value) = interval.as_constant()
        {
            return self.constant(value);
        }
        self.terms.push(term);
        self.known.push(known);
        self.ground.push(ground);
        self.terms.len() as TermId - 1
    }

    pub(super) fn add_truth(&mut self, truth: Truth) -> Ref {
        self.truths.push(truth);
        Ref::new(self.truths.len() - 1)
    }

    /// The value of a term without variables.
    pub(super) fn value(&self, id: TermId) -> Value<'static> {
        match self.term(id) {
            Term::Constant(value) => Value::Num(value),
            Term::Op(op, a, b) => self.ground_value(op, a, b),
            Term::Column(_) => unreachable!("a column is a variable"),
        }
    }

    /// The value of an operator on terms without variables.
    pub(super) fn ground_value(&self, op: Op, a: TermId, b: TermId) -> Value<'static> {
        let a = self.value(a);
        match op.arity() {
            1 => op.apply(&[a], &self.tolerance),
            _ => op.apply(&[a, self.value(b)], &self.tolerance),
        }
    }

    /// Appends the nodes of an atom in postfix order, as a predicate has them.
    pub(super) fn decode(&self, atom: u32, nodes: &mut Vec<Node>, pending: &mut Vec<Decode>) {
        let Truth::Atom(op, a, b) = self.truth(atom) else { unreachable!("asked for an atom") };
        pending.clear();
        pending.push(Decode::Emit(op));
        if op.arity() == 2 {
            pending.push(Decode::Visit(b));
        }
        pending.push(Decode::Visit(a));
        while let Some(next) = pending.pop() {
            match next {
                Decode::Emit(op) => nodes.push(Node::Op(op)),
                Decode::Visit(id) => match self.term(id) {
                    Term::Column(var) => nodes.push(Node::Var(var)),
                    Term::Constant(value) => nodes.push(Node::Num(value)),
                    Term::Op(op, a, b) => {
                        pending.push(Decode::Emit(op));
                        if op.arity() == 2 {
                            pending.push(Decode::Visit(b));
                        }
                        pending.push(Decode::Visit(a));
                    }
                },
            }
        }
    }
}

/// What remains to be done when a term is written out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decode {
    Visit(TermId),
    Emit(Op),
}

/// Whether two columns hold the same values.
fn same(table: &Table, a: Var, b: Var) -> bool {
    match (table.column(a), table.column(b)) {
        (StoredColumn::Num(a), StoredColumn::Num(b)) => {
            a.values().iter().zip(b.values()).all(|(a, b)| a.to_bits() == b.to_bits())
        }
        (StoredColumn::Bool(a), StoredColumn::Bool(b)) => a == b,
        (StoredColumn::Seq(a), StoredColumn::Seq(b)) => a.starts == b.starts && a.lens == b.lens,
        (StoredColumn::Num(_) | StoredColumn::Bool(_) | StoredColumn::Seq(_), _) => false,
    }
}

fn hash_application(op: Op, a: u32, b: u32) -> u64 {
    let mut mixer = Mixer::new(op as u64);
    mixer.add(u64::from(a) << 32 | u64::from(b));
    mixer.finish()
}

fn hash_number(value: f64) -> u64 {
    hash(value.to_bits())
}

fn hash_constant(terms: &[Term], id: TermId) -> u64 {
    match terms[id as usize] {
        Term::Constant(value) => hash_number(value),
        Term::Column(_) | Term::Op(..) => unreachable!("only constants are among the constants"),
    }
}
