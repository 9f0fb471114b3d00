//! The laws of a Rust closure: executed here, explored by the library. There are no mutants, so every row is correct.
//!
//! `cargo run --release --example closure`

use std::error::Error;

use genmorph::executions::Rows;
use genmorph::explore::{Vocabulary, explore};
use genmorph::jit::{Tolerance, Value};
use genmorph::show::report::functional_form;
use genmorph::subject::kinds::{Interface, Kind, Parameter};
use genmorph::transform::Transformation;

fn main() -> Result<(), Box<dyn Error>> {
    let triangular = |n: i32| f64::from(n) * f64::from(n + 1) / 2.0;

    let number = |name: &str| Parameter { name: name.to_owned(), kind: Kind::Number };
    let interface = Interface {
        function: "triangular".to_owned(),
        inputs: vec![number("n")],
        outputs: vec![number("out")],
        ..Interface::default()
    };
    let step = Transformation {
        name: "NumericAddition(1) on n".to_owned(),
        input_relation: "n_f == n_s + 1".to_owned(),
    };

    // A row has the inputs and outputs of the source, then those of the follow-up.
    let mut rows = Rows::new(&interface, Vec::new())?;
    for n in -50..=200 {
        let row = [f64::from(n), triangular(n), f64::from(n + 1), triangular(n + 1)];
        rows.push(None, row.map(Value::Num))?;
    }
    let executions = rows.into_executions(&interface, &step, Tolerance::default(), 1)?;

    let found = explore(&executions, &Vocabulary::default());
    println!("{} candidates tried, {} hold", found.tally.tried, found.tally.hold);
    for law in &found.laws {
        println!("  {}", functional_form(&law.relation, &step.input_relation, &interface));
    }
    Ok(())
}
