//! Bytes in, panic or tally out. A fuzz target calls one of these and does nothing else; the files
//! in `fuzz/regressions/<target>/` are replayed through the same functions by `cargo test`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::oracle::choices::Choices;
use crate::oracle::judge::Engines;
use crate::oracle::population::batch_equals_single;
use crate::oracle::tally::{Tally, Verdict};
use crate::oracle::terms::{self, terms_agree};
use crate::oracle::texts::{damaged, parse_never_panics, text};
use crate::oracle::{data, relations};

/// Relations per table: making the table costs more than a relation does.
const RELATIONS: usize = 4;

/// The most nodes of a relation that is made.
const NODES: usize = 40;

/// A table, a few relations and a term from the bytes: every engine agrees.
///
/// # Panics
/// If not; the message has all it takes to ask again.
pub fn fuzz_engines(bytes: &[u8]) -> Tally {
    let choices = &mut Choices::from_fuzzer(bytes);
    let schema = data::schema(choices);
    let table = data::table(choices, &schema);
    let mut predicates = Vec::new();
    while predicates.is_empty() || (predicates.len() < RELATIONS && !choices.is_exhausted()) {
        predicates.push(relations::predicate(choices, &schema, NODES));
    }
    let mut engines = Engines::all();
    engines.prepare(&predicates, &table);
    let mut tally = Tally::default();
    for predicate in &predicates {
        match engines.agree(predicate, &table) {
            Ok(verdict) => tally.add(verdict),
            Err(disagreement) => panic!("{disagreement}"),
        }
    }
    if let Err(disagreement) = terms_agree(&terms::term(choices, &schema, NODES), &table) {
        panic!("{disagreement}");
    }
    tally
}

/// A table and a population from the bytes: batches count what its members count one by one.
///
/// # Panics
/// If not; the message has all it takes to ask again.
pub fn fuzz_batch(bytes: &[u8]) -> Tally {
    let choices = &mut Choices::from_fuzzer(bytes);
    let schema = data::schema(choices);
    let table = Arc::new(data::table(choices, &schema));
    // Few, so that bytes go to what they are; now and then more than one thread is given at a time.
    let members = match choices.weighted(&[15, 1]) {
        0 => 1 + choices.below(12),
        _ => 60 + choices.below(80),
    };
    let population = relations::population(choices, &schema, members, NODES);
    match batch_equals_single(&population, &table) {
        Ok(tally) => tally,
        Err(disagreement) => panic!("{disagreement}"),
    }
}

/// Texts from the bytes: the bytes themselves, words in no order, a relation, and that relation with
/// some damage. Reading never panics, and what reads as a relation prints and reads back. The tally's
/// `always` are relations, its `never` are not.
///
/// # Panics
/// If not.
pub fn fuzz_text(bytes: &[u8]) -> Tally {
    let choices = &mut Choices::from_fuzzer(bytes);
    let known = data::schema(&mut Choices::from_seed(3));
    let schema = data::schema(choices);
    let words = text(choices, &schema);
    let relation = relations::predicate(choices, &schema, NODES).display(&schema).to_string();
    let nearly = damaged(choices, &relation, &schema);
    let texts = [
        (&*String::from_utf8_lossy(bytes), &known),
        (&*words, &schema),
        (&*relation, &schema),
        (&*nearly, &schema),
    ];
    let mut tally = Tally::default();
    for (text, schema) in texts {
        match parse_never_panics(text, schema) {
            Ok(Some(_)) => tally.add(Verdict::Always),
            Ok(None) => tally.add(Verdict::Never),
            Err(fault) => panic!("{fault}"),
        }
    }
    tally
}

/// A tally that goes on from one run of a fuzz target to the next.
#[derive(Debug, Default)]
pub struct RunningTally {
    runs: AtomicU64,
    cases: AtomicU64,
    no_rows: AtomicU64,
    never: AtomicU64,
    sometimes: AtomicU64,
    always: AtomicU64,
}

impl RunningTally {
    /// A tally in which nothing is counted yet.
    pub const fn new() -> RunningTally {
        const fn zero() -> AtomicU64 {
            AtomicU64::new(0)
        }
        RunningTally {
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
