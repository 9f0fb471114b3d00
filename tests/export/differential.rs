//! The same rows, the same verdicts: what exported relations say, held against the evaluator.

use genmorph::jit::engine::reference;
use genmorph::jit::oracle::{self, Choices};
use genmorph::jit::{Evaluator, Predicate, Schema, Table, Value};

/// Relations per schema.
const RELATIONS: usize = 3;

/// A schema with relations over it, and its tables.
pub struct Case {
    pub schema: Schema,
    pub relations: Vec<Predicate>,
    pub tables: Vec<Table>,
}

/// Cases with so many rows, over so many schemas.
pub fn cases(rows: usize, schemas: usize) -> Vec<Case> {
    let mut choices = Choices::from_seed(20_261_116);
    let case = |_| {
        let schema = oracle::schema(&mut choices);
        let relations =
            (0..RELATIONS).map(|_| oracle::predicate(&mut choices, &schema, 24)).collect();
        let (mut tables, mut drawn) = (Vec::new(), 0);
        while drawn < rows / schemas {
            let table = oracle::table(&mut choices, &schema);
            drawn += table.rows();
            tables.push(table);
        }
        Case { schema, relations, tables }
    };
    (0..schemas).map(case).collect()
}

/// All tables, for programs that judge them: how many, and of each the number of its case, its tolerance and its rows; in big endian.
pub fn bytes(cases: &[Case]) -> Vec<u8> {
    let tables: usize = cases.iter().map(|case| case.tables.len()).sum();
    let mut to = (tables as u32).to_be_bytes().to_vec();
    for (number, case) in cases.iter().enumerate() {
        case.tables.iter().for_each(|table| table_bytes(number, table, &mut to));
    }
    to
}

fn table_bytes(number: usize, table: &Table, to: &mut Vec<u8>) {
    to.extend((number as u32).to_be_bytes());
    to.extend(table.tolerance().abs().to_be_bytes());
    to.extend(table.tolerance().rel().to_be_bytes());
    to.extend((table.rows() as u32).to_be_bytes());
    for row in 0..table.rows() {
        for (var, _, _) in table.schema().iter() {
            match table.value(var, row) {
                Value::Num(number) => to.extend(number.to_be_bytes()),
                Value::Bool(truth) => to.push(u8::from(truth)),
                Value::Seq(elements) => {
                    to.extend((elements.len() as u32).to_be_bytes());
                    elements.iter().for_each(|element| to.extend(element.to_be_bytes()));
                }
            }
        }
    }
}

/// Compares verdicts, a byte for each relation on each row, with those of the evaluators; how many rows there are.
pub fn compare(cases: &[Case], verdicts: &[u8]) -> usize {
    let mut bytecode = Evaluator::new("bytecode".parse().unwrap());
    let (mut count, mut held, mut at) = (0, 0, 0);
    for case in cases {
        for table in &case.tables {
            let masks: Vec<_> =
                case.relations.iter().map(|relation| bytecode.mask(relation, table)).collect();
            count += table.rows();
            for row in 0..table.rows() {
                for (relation, mask) in case.relations.iter().zip(&masks) {
                    let expected = reference::holds(relation, table, row);
                    let shown = || {
                        let values: Vec<_> =
                            case.schema.iter().map(|(var, ..)| table.value(var, row)).collect();
                        let relation = relation.display(&case.schema);
                        format!("{relation} on {values:?}, tolerance {}", table.tolerance())
                    };
                    assert_eq!(verdicts[at] == 1, expected, "{}", shown());
                    assert_eq!(mask.get(row), expected, "{}", shown());
                    held += usize::from(expected);
                    at += 1;
                }
            }
        }
    }
    assert_eq!(at, verdicts.len());
    // A comparison in which everything is true, or nothing, would show little.
    assert!((at / 5..4 * at / 5).contains(&held), "{held} of {at} hold");
    println!("{count} rows, {at} verdicts, {held} of them true: all the same");
    count
}
