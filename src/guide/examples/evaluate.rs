//! A relation over rows of one's own: on which it holds, by whichever engine is fastest here.
//!
//! `cargo run --release --example evaluate`

use std::error::Error;

use genmorph::jit::{Column, Evaluator, Schema, Table, Tolerance, Type, parse};

fn main() -> Result<(), Box<dyn Error>> {
    // sin(x) and sin(x + 1) at a few places; the last row is made up.
    let sources = [0.0, 0.5, 1.0, 2.0, 3.0_f64];
    let mut follow_ups: Vec<f64> = sources.iter().map(|x| (x + 1.0).sin()).collect();
    follow_ups[4] = 2.5;
    let columns = [sources.iter().map(|x| x.sin()).collect(), follow_ups];

    let schema = Schema::new(["out_s", "out_f"].map(|name| (name, Type::Num)))?;
    let columns = columns.map(Column::Num).to_vec();
    let table = Table::grouped(&schema, columns, &[sources.len()], Tolerance::default())?;

    let mut evaluator = Evaluator::default();
    for text in ["abs(out_f - out_s) <= 1", "out_f < 1 or out_f < out_s", "out_f == out_s"] {
        let relation = parse(text, &schema)?;
        let mask = evaluator.mask(&relation, &table);
        println!("{} of {} rows  {text}", mask.count_ones_in(0), sources.len());
    }
    Ok(())
}
