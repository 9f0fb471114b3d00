//! Judges the values of terms: those of the reference engine, to the last bit.

use crate::engine::{Columns, Comparator, Evaluator, Isa, Policy, Tier, Values, reference};
use crate::expr::{Expr, Node, subtree};
use crate::mask::WORD;
use crate::op::{Class, Op, Type, Value};
use crate::oracle::choices::Choices;
use crate::oracle::judge::{Difference, Disagreement, rows_per_group, shown, variables};
use crate::oracle::relations;
use crate::schema::Schema;
use crate::table::{Column, Table};
use crate::term::Term;

/// A term of about 1 to `max_nodes` nodes, and of any type.
pub fn term(choices: &mut Choices<'_>, schema: &Schema, max_nodes: usize) -> Term {
    let ty = choices.pick(&[Type::Num, Type::Seq, Type::Bool]);
    let expr = relations::expression(choices, schema, ty, max_nodes);
    Term::new(expr, schema).expect("grown by the signatures")
}

/// Whether a term has the values of the reference engine: in every tier, on every instruction set of this
/// machine, on all rows and on chosen ones, twice. For a comparison of numbers also whether
/// [`Comparator`] finds its first failure.
pub fn terms_agree(term: &Term, table: &Table) -> Result<(), Box<Disagreement>> {
    let expected = reference::values(term, table);
    let case = Case { term, table, expected: &expected };
    for tier in Tier::ALL {
        let found = Evaluator::new(Policy::Only(tier)).values(term, table);
        let name = || format!("values ({tier})");
        case.compare(name, (0..table.rows()).map(|row| (row, at(&found, row))))?;
    }
    // Every third row from the last, and the first ones again.
    let all = 0..table.rows();
    let rows: Vec<usize> = all.clone().rev().step_by(3).chain(all.take(70)).collect();
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let mut columns = Columns::of_rows(table, &rows).with_isa(isa);
        for pass in ["first", "second"] {
            let found = columns.term(term);
            let name = || format!("columns ({isa:?}), the {pass} time,");
            let values = rows.iter().enumerate().map(|(i, &row)| (row, columns.value(&found, i)));
            case.compare(name, values)?;
            if let Values::Bool(bits) = &found {
                case.first_failure(&mut columns, &rows, bits, isa)?;
            }
        }
    }
    Ok(())
}

/// A term on a table, and its values by the reference engine.
struct Case<'a> {
    term: &'a Term,
    table: &'a Table,
    expected: &'a Column,
}

impl Case<'_> {
    fn compare<'v>(
        &self,
        who: impl Fn() -> String,
        found: impl Iterator<Item = (usize, Value<'v>)>,
    ) -> Result<(), Box<Disagreement>> {
        for (row, found) in found {
            let expected = at(self.expected, row);
            // Nobody promises the payload of a NaN.
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            if !expected.agrees(&found, same) {
                let [expected, found] = [&expected, &found].map(shown);
                return Err(self.disagreement(who(), row, expected, found));
            }
        }
        Ok(())
    }

    /// Bits past the last row are 0, and a comparison of numbers fails first where its first bit is 0.
    fn first_failure(
        &self,
        columns: &mut Columns<'_>,
        rows: &[usize],
        bits: &[u64],
        isa: Isa,
    ) -> Result<(), Box<Disagreement>> {
        let bit = |row: usize| bits[row / WORD] >> (row % WORD) & 1 == 1;
        if (rows.len()..bits.len() * WORD).any(bit) {
            let (expected, found) = ("no bit".to_owned(), "a bit past the last row".to_owned());
            return Err(self.disagreement(format!("columns ({isa:?})"), 0, expected, found));
        }
        let nodes = self.term.nodes();
        let Some(comparator) = comparison(nodes).and_then(|op| match op.class() {
            Class::Comparison(op) => Comparator::with_isa(op, self.table.tolerance(), isa),
            Class::Arithmetic(_)
            | Class::Logic(_)
            | Class::Measure(_)
            | Class::Lookup(_)
            | Class::Test(_)
            | Class::Sequence(_) => None,
        }) else {
            return Ok(());
        };
        let right = subtree(nodes, nodes.len() - 2);
        let sides = [&nodes[..right.start], &nodes[right]].map(|side| {
            let side = Term::new(Expr(side.to_vec()), self.table.schema());
            columns.term(&side.expect("a part of a well-typed term is one"))
        });
        let [Some(a), Some(b)] = sides.each_ref().map(Values::numbers) else {
            unreachable!("a comparison of numbers has numbers on both sides");
        };
        let found = comparator.first_failure(a, b);
        let expected = (0..rows.len()).find(|&row| !bit(row));
        if found == expected {
            return Ok(());
        }
        let row = expected.or(found).map_or(0, |place| rows[place]);
        let [expected, found] = [expected, found].map(|place| format!("first failure {place:?}"));
        Err(self.disagreement(format!("a comparator ({isa:?})"), row, expected, found))
    }

    fn disagreement(
        &self,
        who: String,
        row: usize,
        expected: String,
        found: String,
    ) -> Box<Disagreement> {
        let Case { term, table, .. } = self;
        Box::new(Disagreement {
            who,
            difference: Difference::Value { row, expected, found },
            relation: term.display(table.schema()).to_string(),
            values: variables(table, row),
            rows_per_group: rows_per_group(table),
            tolerance: table.tolerance().to_string(),
            listing: String::new(),
        })
    }
}

/// The operator at the root.
fn comparison(nodes: &[Node]) -> Option<Op> {
    match nodes.last()? {
        Node::Op(op) => Some(*op),
        Node::Var(_) | Node::Num(_) | Node::Bool(_) => None,
    }
}

/// The value of a column on a row.
fn at(column: &Column, row: usize) -> Value<'_> {
    match column {
        Column::Num(numbers) => Value::Num(numbers[row]),
        Column::Bool(values) => Value::Bool(values[row]),
        Column::Seq(sequences) => Value::Seq(sequences.get(row).into()),
    }
}
