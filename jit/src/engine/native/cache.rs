//! Which relation has which code: compiles on demand and remembers the answer.
//!
//! Knows neither how code is made nor what it computes.

use std::fmt;

use hashbrown::HashTable;

use super::breakeven::Breakeven;
use super::code::Code;
use super::compiler::{Compiler, Failure};
use crate::engine::Counters;
use crate::engine::kernels::Isa;
use crate::expr::{Node, Predicate};
use crate::hash::Mixer;
use crate::program::Program;
use crate::table::Table;

/// The most relations that are remembered. With one more, all are forgotten: simpler than choosing,
/// and whatever is still in use is compiled again in a batch or two. A guess.
const CAPACITY: usize = 4_096;

/// The most relations per module: the memory of a module is given back as a whole.
const BATCH: usize = 1_000;

/// How many relations are counted at a time. Two that share a place forget each other. A guess.
const COUNTED: usize = 4_096;

/// The code of relations, by table and nodes. A hit allocates nothing, and neither does counting.
#[derive(Default)]
pub(crate) struct Cache {
    entries: HashTable<Entry>,
    /// How often relations without an entry were seen, by their hash.
    seen: Vec<(u64, u32)>,
    compiler: Compiler,
    /// To lower what is compiled into.
    program: Program,
    /// The system has refused executable memory: it is not asked again.
    refused: bool,
}

struct Entry {
    hash: u64,
    table: u64,
    nodes: Box<[Node]>,
    state: State,
}

enum State {
    Ready(Code),
    Declined,
}

impl Cache {
    /// The code of a relation, compiled on first sight. `None`, and a fallback counted, if it is declined
    /// or there is no memory for it.
    pub(crate) fn get(
        &mut self,
        predicate: &Predicate,
        table: &Table,
        counters: &mut Counters,
    ) -> Option<Code> {
        let hash = hash(predicate, table);
        let code = match self.find(hash, predicate, table) {
            Some(State::Ready(code)) => Some(code.clone()),
            Some(State::Declined) => None,
            None => self.compile_one(hash, predicate, table, counters),
        };
        counters.fallbacks += u64::from(code.is_none());
        code
    }

    /// As [`Cache::get`], but a relation is compiled only once it has been seen often enough for that
    /// to pay; until then `None`, which is a choice and not a fallback.
    pub(crate) fn get_hot(
        &mut self,
        predicate: &Predicate,
        table: &Table,
        isa: Isa,
        counters: &mut Counters,
    ) -> Option<Code> {
        let hash = hash(predicate, table);
        if let Some(State::Ready(code)) = self.find(hash, predicate, table) {
            return Some(code.clone());
        }
        if self.sighted(hash) < Breakeven::of(isa).sightings(table.rows()) {
            return None;
        }
        self.get(predicate, table, counters)
    }

    /// Counts a relation, and says how often it has been counted.
    fn sighted(&mut self, hash: u64) -> u32 {
        if self.seen.is_empty() {
            self.seen.resize(COUNTED, (0, 0));
        }
        let (known, count) = &mut self.seen[hash as usize % COUNTED];
        if *known != hash {
            (*known, *count) = (hash, 0);
        }
        *count = count.saturating_add(1);
        *count
    }

    /// Compiles relations that have no code yet, up to 1,000 per module. Counts those that are
    /// declined, or for which there is no memory, as fallbacks.
    pub(crate) fn compile(
        &mut self,
        predicates: &[Predicate],
        table: &Table,
        counters: &mut Counters,
    ) {
        for predicates in predicates.chunks(BATCH) {
            self.compile_batch(predicates, table, counters);
        }
    }

    fn compile_batch(&mut self, predicates: &[Predicate], table: &Table, counters: &mut Counters) {
        // Distinct relations of this batch that are new, in the order of their definition.
        let mut wanted: Vec<(u64, &Predicate)> = Vec::with_capacity(predicates.len());
        let mut distinct = HashTable::with_capacity(predicates.len());
        for predicate in predicates {
            let hash = hash(predicate, table);
            match self.find(hash, predicate, table) {
                Some(State::Ready(_)) => continue,
                Some(State::Declined) => {
                    counters.fallbacks += 1;
                    continue;
                }
                None => {}
            }
            let is_same = |&i: &usize| {
                let (known, other): &(u64, &Predicate) = &wanted[i];
                *known == hash && same(other.nodes(), predicate.nodes())
            };
            if distinct.find(hash, is_same).is_none() {
                distinct.insert_unique(hash, wanted.len(), |&i| wanted[i].0);
                wanted.push((hash, predicate));
            }
        }
        if self.refused {
            counters.fallbacks += wanted.len() as u64;
            return;
        }
        let mut batch = self.compiler.module();
        let mut outcomes = Vec::with_capacity(wanted.len());
        for (_, predicate) in &wanted {
            self.program.lower(predicate, table);
            outcomes.push(batch.define(&self.program, table));
            if outcomes.last() == Some(&Err(Failure::Refused)) {
                break;
            }
        }
        let finished = match outcomes.last() {
            Some(Err(Failure::Refused)) => None,
            _ => batch.finish().ok(),
        };
        let Some(codes) = finished else {
            self.refused = true;
            counters.fallbacks += wanted.len() as u64;
            return;
        };
        let mut codes = codes.into_iter();
        for ((hash, predicate), outcome) in wanted.into_iter().zip(outcomes) {
            let state = match outcome {
                Ok(()) => State::Ready(codes.next().expect("a definition gives a code")),
                Err(_) => State::Declined,
            };
            match state {
                State::Ready(_) => counters.compiles += 1,
                State::Declined => counters.fallbacks += 1,
            }
            self.insert(hash, predicate, table, state);
        }
    }

    fn compile_one(
        &mut self,
        hash: u64,
        predicate: &Predicate,
        table: &Table,
        counters: &mut Counters,
    ) -> Option<Code> {
        if self.refused {
            return None;
        }
        self.program.lower(predicate, table);
        let mut batch = self.compiler.module();
        let finished = batch
            .define(&self.program, table)
            .and_then(|()| batch.finish().map_err(|_| Failure::Refused));
        match finished {
            Ok(codes) => {
                let code = codes.into_iter().next().expect("a definition gives a code");
                counters.compiles += 1;
                self.insert(hash, predicate, table, State::Ready(code.clone()));
                Some(code)
            }
            Err(Failure::Declined(_)) => {
                self.insert(hash, predicate, table, State::Declined);
                None
            }
            Err(Failure::Refused) => {
                self.refused = true;
                None
            }
        }
    }

    fn find(&mut self, hash: u64, predicate: &Predicate, table: &Table) -> Option<&mut State> {
        let found = self.entries.find_mut(hash, |entry| entry.is(hash, predicate, table));
        found.map(|entry| &mut entry.state)
    }

    /// Adds a relation or replaces what is known of it.
    fn insert(&mut self, hash: u64, predicate: &Predicate, table: &Table, state: State) {
        if let Some(known) = self.find(hash, predicate, table) {
            *known = state;
            return;
        }
        if self.entries.len() == CAPACITY {
            self.entries.clear();
        }
        let entry = Entry { hash, table: table.id(), nodes: predicate.nodes().into(), state };
        self.entries.insert_unique(hash, entry, |entry| entry.hash);
    }
}

impl Entry {
    fn is(&self, hash: u64, predicate: &Predicate, table: &Table) -> bool {
        self.hash == hash && self.table == table.id() && same(&self.nodes, predicate.nodes())
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache")
            .field("entries", &self.entries.len())
            .field("refused", &self.refused)
            .finish_non_exhaustive()
    }
}

/// A node as words: its kind, and what tells it from others of its kind.
fn words(node: Node) -> (u64, u64) {
    match node {
        Node::Op(op) => (0, op as u64),
        Node::Var(var) => (1, u64::from(var.0)),
        // By bits: -0 is another constant than 0.
        Node::Num(value) => (2, value.to_bits()),
        Node::Bool(value) => (3, u64::from(value)),
    }
}

fn same(a: &[Node], b: &[Node]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| words(*a) == words(*b))
}

fn hash(predicate: &Predicate, table: &Table) -> u64 {
    let mut mixer = Mixer::new(table.id());
    for &node in predicate.nodes() {
        let (kind, value) = words(node);
        mixer.add(value.rotate_left(2) ^ kind);
    }
    mixer.finish()
}
