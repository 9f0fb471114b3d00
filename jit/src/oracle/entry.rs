//! Bytes in, panic or tally out. A fuzz target calls one of these and does nothing else; the files
//! in `fuzz/regressions/<target>/` are replayed through the same functions by `cargo test`.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::oracle::choices::Choices;
use crate::oracle::judge::Engines;
use crate::oracle::tally::{Tally, Verdict};
use crate::oracle::texts::{parse_never_panics, text, text_round_trips};
use crate::oracle::{data, relations};

/// Relations per table: making the table costs more than a relation does.
const RELATIONS: usize = 4;

/// The largest relation.
const NODES: usize = 40;

/// A table and a few relations from the bytes: every engine agrees, and every text reads back.
///
/// # Panics
/// If not; the message has all it takes to ask again.
pub fn fuzz_engines(bytes: &[u8]) -> Tally {
    let choices = &mut Choices::from_bytes(bytes);
    let schema = data::schema(choices);
    let table = data::table(choices, &schema);
    let mut engines = Engines::all();
    let mut tally = Tally::default();
    for _ in 0..RELATIONS {
        let predicate = relations::predicate(choices, &schema, NODES);
        match engines.agree(&predicate, &table) {
            Ok(verdict) => tally.add(verdict),
            Err(disagreement) => panic!("{disagreement}"),
        }
        if choices.is_exhausted() {
            break;
        }
    }
    tally
}

/// Texts from the bytes: the bytes themselves, and words in no order. Reading never panics, and what
/// reads as a relation prints and reads back. The tally's `always` are relations, its `never` are not.
///
/// # Panics
/// If not.
pub fn fuzz_text(bytes: &[u8]) -> Tally {
    let choices = &mut Choices::from_bytes(bytes);
    let mut tally = Tally::default();
    let mut judge = |result| match result {
        Ok(Some(_)) => tally.add(Verdict::Always),
        Ok(None) => tally.add(Verdict::Never),
        Err(fault) => panic!("{fault}"),
    };
    let known = data::schema(&mut Choices::from_seed(3));
    judge(parse_never_panics(&String::from_utf8_lossy(bytes), &known));
    let schema = data::schema(choices);
    judge(parse_never_panics(&text(choices, &schema), &schema));
    let predicate = relations::predicate(choices, &schema, NODES);
    if let Err(fault) = text_round_trips(&predicate, &schema) {
        panic!("{fault}");
    }
    tally
}

/// A tally that goes on from one run of a fuzz target to the next.
#[derive(Debug, Default)]
pub struct Running {
    runs: AtomicU64,
    cases: AtomicU64,
    no_rows: AtomicU64,
    never: AtomicU64,
    sometimes: AtomicU64,
    always: AtomicU64,
}

impl Running {
    /// Nothing counted yet.
    pub const fn new() -> Running {
        const fn zero() -> AtomicU64 {
            AtomicU64::new(0)
        }
        Running {
            runs: zero(),
            cases: zero(),
            no_rows: zero(),
            never: zero(),
            sometimes: zero(),
            always: zero(),
        }
    }

    /// Counts one run. After every power of two of them, from 1,024 on, there is something to show.
    pub fn add(&self, tally: Tally) -> Option<Tally> {
        let sum = |counter: &AtomicU64, more: u64| {
            counter.fetch_add(more, Ordering::Relaxed).wrapping_add(more)
        };
        let total = Tally {
            cases: sum(&self.cases, tally.cases),
            no_rows: sum(&self.no_rows, tally.no_rows),
            never: sum(&self.never, tally.never),
            sometimes: sum(&self.sometimes, tally.sometimes),
            always: sum(&self.always, tally.always),
        };
        let runs = sum(&self.runs, 1);
        (runs >= 1024 && runs.is_power_of_two()).then_some(total)
    }
}
