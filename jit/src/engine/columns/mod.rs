//! Terms evaluated column by column: numbers, bits and sequences out, on chosen rows of a table.
//!
//! For callers that build terms from terms: the column of `a + b` is made from those of `a` and `b` by the
//! kernels that the bytecode tier runs, so it has the same bits. Sequences are numbered, and sequence operators
//! run once per distinct sequence. Knows nothing of what the values are for.

mod interner;
mod same;

use std::borrow::Cow;

use self::interner::Interner;
use crate::engine::kernels::{Isa, Kernels};
use crate::engine::slices::{self, Comparator};
use crate::expr::{Leaf, Node};
use crate::mask::WORD;
use crate::op::{
    self, Class, ComparisonOp, LogicOp, LookupOp, MeasureOp, Op, SequenceOp, TestOp, Type, Value,
};
use crate::table::{Column, SeqColumn, StoredColumn, Table};
use crate::term::Term;

/// The values of a term, one per row of the [`Columns`] that made them.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A number per row.
    Num(Vec<f64>),
    /// A bit per row, 64 to a word, the first row lowest; bits past the last row are 0.
    Bool(Vec<u64>),
    /// The number of a sequence per row; [`Columns::sequence`] has its elements. Equal numbers are equal
    /// sequences; different ones differ in an element (0 and -0 are one, and so are all NaNs) but may
    /// still be `==` within the tolerance, which [`Op::SeqEq`] decides.
    Seq(Vec<u32>),
}

impl Values {
    /// No values yet of this type: what [`Columns::apply_into`] fills.
    pub fn empty(ty: Type) -> Values {
        match ty {
            Type::Num => Values::Num(Vec::new()),
            Type::Bool => Values::Bool(Vec::new()),
            Type::Seq => Values::Seq(Vec::new()),
        }
    }

    /// The type of the values.
    pub fn ty(&self) -> Type {
        match self {
            Values::Num(_) => Type::Num,
            Values::Bool(_) => Type::Bool,
            Values::Seq(_) => Type::Seq,
        }
    }

    /// The numbers, if they are numbers.
    #[inline]
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Values::Num(numbers) => Some(numbers),
            Values::Bool(_) | Values::Seq(_) => None,
        }
    }

    /// The bits, if they are truth values.
    #[inline]
    pub fn bits(&self) -> Option<&[u64]> {
        match self {
            Values::Bool(bits) => Some(bits),
            Values::Num(_) | Values::Seq(_) => None,
        }
    }
}

/// Terms evaluated column by column over chosen rows of a table. Remembers the sequences that it has met.
///
/// ```
/// use genmorph_jit::{Column, Columns, Leaf, Op, Schema, Table, Tolerance, Type, Values};
///
/// let schema = Schema::new([("a", Type::Num), ("b", Type::Num)]).unwrap();
/// let columns = vec![Column::Num(vec![1.0, 2.0, 3.0]), Column::Num(vec![10.0, 20.0, 30.0])];
/// let table = Table::new(&schema, columns, Tolerance::default()).unwrap();
/// let mut columns = Columns::of_rows(&table, &[0, 2]);
/// let [a, b] = ["a", "b"].map(|name| columns.leaf(Leaf::Var(schema.var(name).unwrap())));
/// assert_eq!(columns.apply(Op::Add, &[&a, &b]), Values::Num(vec![11.0, 33.0]));
/// ```
#[derive(Debug)]
pub struct Columns<'t> {
    table: &'t Table,
    /// Where each row stands among the padded rows of the table.
    places: Vec<u32>,
    kernels: &'static Kernels,
    sequences: Interner,
    /// Buffers of terms that have been evaluated, for the next ones.
    spare: Vec<Values>,
}

impl<'t> Columns<'t> {
    /// All rows of a table, in order.
    pub fn new(table: &'t Table) -> Columns<'t> {
        let rows = table.layout().groups().iter().flat_map(|group| {
            let first = group.first_word * WORD;
            first..first + group.rows
        });
        Columns::at(table, rows.map(|place| place as u32).collect())
    }

    /// Some rows of a table, in the order given; a row may come more than once.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn of_rows(table: &'t Table, rows: &[usize]) -> Columns<'t> {
        let places = rows.iter().map(|&row| table.layout().position(row) as u32);
        Columns::at(table, places.collect())
    }

    fn at(table: &'t Table, places: Vec<u32>) -> Columns<'t> {
        let (kernels, sequences) = (Kernels::best(), Interner::new());
        Columns { table, places, kernels, sequences, spare: Vec::new() }
    }

    /// The same rows on this instruction set, or on the portable one where this machine lacks it.
    pub fn with_isa(self, isa: Isa) -> Columns<'t> {
        Columns { kernels: Kernels::of(isa), ..self }
    }

    /// The table.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.places.len()
    }

    /// The elements of a sequence.
    ///
    /// # Panics
    /// If no column of these has the sequence.
    pub fn sequence(&self, id: u32) -> &[f64] {
        self.sequences.get(id)
    }

    /// The value on one row.
    ///
    /// # Panics
    /// If there is no such row, or the values are not of these columns.
    pub fn value(&self, values: &Values, row: usize) -> Value<'_> {
        assert!(row < self.rows(), "row {row} of {}", self.rows());
        match values {
            Values::Num(numbers) => Value::Num(numbers[row]),
            Values::Bool(bits) => Value::Bool(bits[row / WORD] >> (row % WORD) & 1 == 1),
            Values::Seq(ids) => Value::Seq(Cow::Borrowed(self.sequence(ids[row]))),
        }
    }

    /// The values of a leaf.
    ///
    /// # Panics
    /// If the schema of the table lacks the variable.
    pub fn leaf(&mut self, leaf: Leaf) -> Values {
        let mut values = Values::Num(Vec::new());
        self.leaf_into(leaf, &mut values);
        values
    }

    /// The values of a leaf, into values that are reused.
    ///
    /// # Panics
    /// If the schema of the table lacks the variable.
    pub fn leaf_into(&mut self, leaf: Leaf, to: &mut Values) {
        let rows = self.rows();
        match leaf {
            Leaf::Num(value) => fill(numbers_of(to), rows, value),
            Leaf::Bool(value) => {
                let bits = bits_of(to);
                fill(bits, rows.div_ceil(WORD), if value { !0 } else { 0 });
                clear_past(bits, rows);
            }
            Leaf::Var(var) => match self.table.column(var) {
                StoredColumn::Num(column) => {
                    let values = column.values();
                    collect(
                        numbers_of(to),
                        self.places.iter().map(|&place| values[place as usize]),
                    );
                }
                StoredColumn::Bool(words) => {
                    let bits = bits_of(to);
                    fill(bits, rows.div_ceil(WORD), 0);
                    for (row, &place) in self.places.iter().enumerate() {
                        let place = place as usize;
                        let bit = words[place / WORD] >> (place % WORD) & 1;
                        bits[row / WORD] |= bit << (row % WORD);
                    }
                }
                StoredColumn::Seq(column) => {
                    let Columns { table, places, sequences, .. } = self;
                    intern(sequences, table, column, places, ids_of(to));
                }
            },
        }
    }

    /// The values of an operator on the values of its operands.
    ///
    /// # Panics
    /// If the operands are not those of the operator's signature, or not of these rows.
    pub fn apply(&mut self, op: Op, operands: &[&Values]) -> Values {
        let mut values = Values::empty(op.result());
        self.apply_into(op, operands, &mut values);
        values
    }

    /// The values of an operator on the values of its operands, into values that are reused. On numbers and
    /// bits it allocates nothing if these were of the operator's type and as many rows.
    ///
    /// # Panics
    /// If the operands are not those of the operator's signature, or not of these rows.
    pub fn apply_into(&mut self, op: Op, operands: &[&Values], to: &mut Values) {
        let rows = self.rows();
        let wrong = || -> ! {
            let types: Vec<Type> = operands.iter().map(|values| values.ty()).collect();
            panic!("{op:?} applied to columns of {types:?}")
        };
        if operands.len() != op.arity() {
            wrong();
        }
        for values in operands {
            let (found, expected) = match values {
                Values::Num(numbers) => (numbers.len(), rows),
                Values::Bool(bits) => (bits.len(), rows.div_ceil(WORD)),
                Values::Seq(ids) => (ids.len(), rows),
            };
            assert_eq!(found, expected, "operands of other rows");
        }
        // A unary operator reads its operand twice, or once.
        let (first, second) = (operands[0], operands[operands.len() - 1]);
        match (op.class(), first, second) {
            (Class::Arithmetic(op), Values::Num(a), Values::Num(b)) => {
                let to = numbers_of(to);
                to.resize(rows, 0.0);
                slices::arithmetic(self.kernels, op, to, [a, b], self.table.tolerance());
            }
            (Class::Comparison(op), Values::Num(a), Values::Num(b)) => {
                let Some(comparator) = Comparator::on(self.kernels, op, self.table.tolerance())
                else {
                    wrong()
                };
                let to = bits_of(to);
                to.resize(rows.div_ceil(WORD), 0);
                comparator.compare(a, b, to);
            }
            (Class::Comparison(op), Values::Seq(s), Values::Seq(t)) => {
                let negate = match op {
                    ComparisonOp::SeqEq => false,
                    ComparisonOp::SeqNe => true,
                    ComparisonOp::NumEq
                    | ComparisonOp::NumNe
                    | ComparisonOp::Lt
                    | ComparisonOp::Gt
                    | ComparisonOp::Le
                    | ComparisonOp::Ge => wrong(),
                };
                let to = bits_of(to);
                fill(to, rows.div_ceil(WORD), 0);
                for (row, (&s, &t)) in s.iter().zip(t).enumerate() {
                    to[row / WORD] |= u64::from(self.same(s, t) != negate) << (row % WORD);
                }
            }
            (Class::Logic(op), Values::Bool(a), Values::Bool(b)) => {
                let to = bits_of(to);
                to.resize(a.len(), 0);
                self.kernels.logic(op, to, a, b);
                match op {
                    LogicOp::Iff | LogicOp::Implies | LogicOp::Not => clear_past(to, rows),
                    LogicOp::And | LogicOp::Or | LogicOp::Xor => {}
                }
            }
            (Class::Measure(op), Values::Seq(s), _) => {
                let sequences = &mut self.sequences;
                let to = numbers_of(to);
                match op {
                    MeasureOp::Length => {
                        collect(to, s.iter().map(|&id| sequences.len(id) as f64));
                    }
                    MeasureOp::Sum => collect(to, s.iter().map(|&id| sequences.sum(id))),
                    MeasureOp::First | MeasureOp::Last => {
                        collect(to, s.iter().map(|&id| op.apply(sequences.get(id))));
                    }
                    MeasureOp::Least => {
                        let extent = sequences.extents();
                        collect(to, s.iter().map(|&id| extent[id as usize].least));
                    }
                    MeasureOp::Greatest => {
                        let extent = sequences.extents();
                        collect(to, s.iter().map(|&id| extent[id as usize].greatest));
                    }
                }
            }
            (Class::Lookup(op), Values::Seq(s), second) => {
                let tolerance = self.table.tolerance();
                let to = numbers_of(to);
                match (op, second) {
                    (LookupOp::At, Values::Num(n)) => {
                        let rows = s.iter().zip(n);
                        collect(to, rows.map(|(&s, &n)| op::at(self.sequences.get(s), n)));
                    }
                    (LookupOp::Count, Values::Num(n)) => {
                        let rows = s.iter().zip(n);
                        let is_it = |n: f64| move |element: &&f64| tolerance.eq(**element, n);
                        let count =
                            |(&s, &n)| self.sequences.get(s).iter().filter(is_it(n)).count();
                        collect(to, rows.map(|row| count(row) as f64));
                    }
                    (LookupOp::IndexOf, Values::Seq(t)) => {
                        let place = |(&s, &t)| self.occurrence(s, t);
                        let rows = s.iter().zip(t);
                        collect(to, rows.map(|row| place(row).map_or(-1.0, |place| place as f64)));
                    }
                    (LookupOp::At | LookupOp::Count | LookupOp::IndexOf, _) => wrong(),
                }
            }
            (Class::Test(op), Values::Seq(s), Values::Seq(t)) => {
                let to = bits_of(to);
                fill(to, rows.div_ceil(WORD), 0);
                for (row, (&s, &t)) in s.iter().zip(t).enumerate() {
                    to[row / WORD] |= u64::from(self.test(op, s, t)) << (row % WORD);
                }
            }
            (Class::Sequence(op), first, second) => {
                let sequences = &mut self.sequences;
                let to = ids_of(to);
                match (op, first, second) {
                    (SequenceOp::Flip, Values::Seq(s), _) => {
                        collect(to, s.iter().map(|&s| sequences.apply(op, s, 0.0)));
                    }
                    (SequenceOp::Remove | SequenceOp::Truncate, Values::Seq(s), Values::Num(n)) => {
                        let rows = s.iter().zip(n);
                        collect(to, rows.map(|(&s, &n)| sequences.apply(op, s, n)));
                    }
                    (SequenceOp::ToString, Values::Num(n), _) => {
                        collect(to, n.iter().map(|&n| sequences.apply(op, 0, n)));
                    }
                    (
                        SequenceOp::Sort | SequenceOp::Upper | SequenceOp::Lower,
                        Values::Seq(s),
                        _,
                    ) => collect(to, s.iter().map(|&s| sequences.apply(op, s, 0.0))),
                    (SequenceOp::Join, Values::Seq(s), Values::Seq(t)) => {
                        let rows = s.iter().zip(t);
                        collect(to, rows.map(|(&s, &t)| sequences.join(s, t)));
                    }
                    (
                        SequenceOp::Flip
                        | SequenceOp::Remove
                        | SequenceOp::Truncate
                        | SequenceOp::ToString
                        | SequenceOp::Join
                        | SequenceOp::Sort
                        | SequenceOp::Upper
                        | SequenceOp::Lower,
                        _,
                        _,
                    ) => wrong(),
                }
            }
            (
                Class::Arithmetic(_)
                | Class::Comparison(_)
                | Class::Logic(_)
                | Class::Measure(_)
                | Class::Lookup(_)
                | Class::Test(_),
                _,
                _,
            ) => wrong(),
        }
    }

    /// The values of a term.
    ///
    /// # Panics
    /// If the term was made for another schema than the table's.
    pub fn term(&mut self, term: &Term) -> Values {
        const OPERANDS: &str = "the nodes before an operator are its operands";
        let mut stack: Vec<Values> = Vec::new();
        for &node in term.nodes() {
            let mut to = self.spare.pop().unwrap_or(Values::Num(Vec::new()));
            match node {
                Node::Var(var) => self.leaf_into(Leaf::Var(var), &mut to),
                Node::Num(value) => self.leaf_into(Leaf::Num(value), &mut to),
                Node::Bool(value) => self.leaf_into(Leaf::Bool(value), &mut to),
                Node::Op(op) => {
                    let last = stack.pop().expect(OPERANDS);
                    if op.arity() == 1 {
                        self.apply_into(op, &[&last], &mut to);
                    } else {
                        let first = stack.pop().expect(OPERANDS);
                        self.apply_into(op, &[&first, &last], &mut to);
                        self.spare.push(first);
                    }
                    self.spare.push(last);
                }
            }
            stack.push(to);
        }
        stack.pop().expect("an expression has a root")
    }

    /// Values as a table would take them.
    pub(crate) fn column(&self, values: Values) -> Column {
        match values {
            Values::Num(numbers) => Column::Num(numbers),
            Values::Bool(bits) => {
                let bit = |row: usize| bits[row / WORD] >> (row % WORD) & 1 == 1;
                Column::Bool((0..self.rows()).map(bit).collect())
            }
            Values::Seq(ids) => {
                let elements = |&id: &u32| self.sequence(id).iter().copied();
                Column::Seq(ids.iter().map(elements).collect())
            }
        }
    }

    /// A test of two sequences, or of one that is given twice.
    fn test(&mut self, op: TestOp, s: u32, t: u32) -> bool {
        match op {
            TestOp::Contains => self.occurrence(s, t).is_some(),
            TestOp::SameElements => {
                self.sequences.len(s) == self.sequences.len(t) && {
                    let [s, t] = [s, t].map(|id| self.sequences.apply(SequenceOp::Sort, id, 0.0));
                    self.same(s, t)
                }
            }
            TestOp::StartsWith | TestOp::EndsWith | TestOp::Sorted => {
                op.apply(self.sequence(s), self.sequence(t), self.table.tolerance())
            }
        }
    }

    /// The first place from which on one sequence has the elements of another.
    fn occurrence(&self, s: u32, t: u32) -> Option<usize> {
        op::occurrence(self.sequence(s), self.sequence(t), self.table.tolerance())
    }

    /// Whether two sequences are equal within the tolerance.
    fn same(&self, s: u32, t: u32) -> bool {
        // Every element of a made sequence is one of the table's, a letter in its other case or a character of
        // a number's text, and the dictionary has all of them.
        s == t
            || (!self.table.dictionary().separated
                && self.sequences.len(s) == self.sequences.len(t)
                && self.table.tolerance().seq_eq(self.sequence(s), self.sequence(t)))
    }
}

/// Numbers the sequences of a column, each distinct one once.
fn intern(
    sequences: &mut Interner,
    table: &Table,
    column: &SeqColumn,
    places: &[u32],
    to: &mut Vec<u32>,
) {
    // A start stands for its sequence: rows in their order make few of them come again at once, so they are
    // sorted.
    let mut order: Vec<u32> = (0..places.len() as u32).collect();
    let start = |row: u32| column.starts[places[row as usize] as usize];
    order.sort_unstable_by_key(|&row| (start(row), row));
    fill(to, places.len(), 0);
    let mut elements = Vec::new();
    for rows in order.chunk_by(|&a, &b| start(a) == start(b)) {
        let place = places[rows[0] as usize] as usize;
        elements.clear();
        elements.extend(table.dictionary().numbers(column.starts[place], column.lens[place]));
        let id = sequences.intern(&elements);
        rows.iter().for_each(|&row| to[row as usize] = id);
    }
}

/// Makes values numbers, and lends them.
fn numbers_of(values: &mut Values) -> &mut Vec<f64> {
    if !matches!(values, Values::Num(_)) {
        *values = Values::Num(Vec::new());
    }
    match values {
        Values::Num(numbers) => numbers,
        Values::Bool(_) | Values::Seq(_) => unreachable!("they are numbers now"),
    }
}

/// Makes values truth values, and lends their bits.
fn bits_of(values: &mut Values) -> &mut Vec<u64> {
    if !matches!(values, Values::Bool(_)) {
        *values = Values::Bool(Vec::new());
    }
    match values {
        Values::Bool(bits) => bits,
        Values::Num(_) | Values::Seq(_) => unreachable!("they are truth values now"),
    }
}

/// Makes values sequences, and lends their numbers.
fn ids_of(values: &mut Values) -> &mut Vec<u32> {
    if !matches!(values, Values::Seq(_)) {
        *values = Values::Seq(Vec::new());
    }
    match values {
        Values::Seq(ids) => ids,
        Values::Num(_) | Values::Bool(_) => unreachable!("they are sequences now"),
    }
}

fn fill<T: Copy>(to: &mut Vec<T>, len: usize, value: T) {
    to.clear();
    to.resize(len, value);
}

fn collect<T>(to: &mut Vec<T>, values: impl Iterator<Item = T>) {
    to.clear();
    to.extend(values);
}

/// Clears the bits of the last word that stand for no row.
fn clear_past(bits: &mut [u64], rows: usize) {
    if let (Some(last), used @ 1..) = (bits.last_mut(), rows % WORD) {
        *last &= (1 << used) - 1;
    }
}
