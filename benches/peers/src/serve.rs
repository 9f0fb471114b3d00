//! Answers commands, a line each: one process for the whole run, so that no start is timed.
//!
//! | command | answer |
//! |---|---|
//! | `about` | the instruction set and the tolerance, as `key=value` |
//! | `measure CONTENDER SIZE SECONDS` | `seconds=… node_rows=…`, or `absent` |
//! | `masks CONTENDER SIZE FILE` | `done`: its masks are in the file, a byte per row; or `absent` |
//! | `values CONTENDER SIZE FILE` | `rows=…`: its values of the first rows are in the file |
//! | `pass CONTENDER` | `seconds=…,… node_rows=…`: all generations once, and what was really run |
//! | `counts CONTENDER FILE` | `done`: its counts of all generations are in the file, u32 little-endian |

use std::error::Error;
use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::time::Duration;

use genmorph_jit::Isa;

use crate::evolved::{self, Pass};
use crate::ours;
use crate::rowwise::Rowwise;
use crate::world::{EVOLVED, RANDOM, World};

/// Serves until standard input ends.
pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let world = World::read(folder, RANDOM)?;
    let generations = World::read(folder, EVOLVED)?;
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer =
            answer(&world, &generations, &words).map_err(|error| format!("{line}: {error}"))?;
        let mut out = stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(world: &World, generations: &World, words: &[&str]) -> Result<String, Box<dyn Error>> {
    match *words {
        ["about"] => Ok(about(world)),
        ["measure", contender, size, seconds] => {
            measure(world, contender, size.parse()?, Duration::try_from_secs_f64(seconds.parse()?)?)
        }
        ["masks", contender, size, file] => masks(world, contender, size.parse()?, file),
        ["values", contender, size, file] => {
            let rowwise = rowwise(contender).ok_or("not a row-wise contender")?;
            let values = rowwise.values(world, size.parse()?);
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            fs::write(file, bytes)?;
            Ok(format!("rows={}", rowwise.rows()))
        }
        ["pass", contender] => Ok(pass(generations, contender)?.to_string()),
        ["counts", contender, file] => {
            let counts = pass(generations, contender)?.counts;
            let bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
            fs::write(file, bytes)?;
            Ok("done".to_owned())
        }
        _ => Err("not a command".into()),
    }
}

fn about(world: &World) -> String {
    let tolerance = world.table.tolerance();
    format!("isa={:?} abs={:?} rel={:?}", Isa::best(), tolerance.abs(), tolerance.rel())
}

fn measure(
    world: &World,
    contender: &str,
    size: usize,
    at_least: Duration,
) -> Result<String, Box<dyn Error>> {
    let turn = match contender {
        "bytecode" => ours::bytecode(world, size, Isa::best(), at_least),
        "bytecode_avx2" => ours::bytecode(world, size, Isa::Avx2, at_least),
        "population" => ours::population(world, size, at_least),
        _ => match rowwise(contender) {
            Some(rowwise) => rowwise.turn(world, size, at_least),
            None => return Err("not a contender".into()),
        },
    };
    Ok(turn.to_string())
}

fn masks(
    world: &World,
    contender: &str,
    size: usize,
    file: &str,
) -> Result<String, Box<dyn Error>> {
    let masks = match contender {
        "bytecode" => ours::bytecode_masks(world, size, Isa::best()),
        "bytecode_avx2" => ours::bytecode_masks(world, size, Isa::Avx2),
        "population" => ours::population_masks(world, size),
        _ => return Err("not one of ours".into()),
    };
    fs::write(file, masks)?;
    Ok("done".to_owned())
}

fn pass(generations: &World, contender: &str) -> Result<Pass, &'static str> {
    match contender {
        "bytecode" => Ok(evolved::bytecode(generations)),
        "population" => Ok(evolved::population(generations)),
        _ => Err("not a contender on generations"),
    }
}

fn rowwise(contender: &str) -> Option<Rowwise> {
    match contender {
        "exmex" => Some(Rowwise::Exmex),
        "evalexpr" => Some(Rowwise::Evalexpr),
        _ => None,
    }
}
