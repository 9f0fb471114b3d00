//! Runs one case through every engine and compares whole masks; the reference engine is the judge.

use std::fmt;
use std::sync::Arc;

use crate::engine::{Evaluator, Isa, Policy, Tier, reference};
use crate::expr::Predicate;
use crate::mask::{Layout, Mask};
use crate::op::Value;
use crate::oracle::tally::Verdict;
use crate::program::Program;
use crate::table::Table;

/// The engines under judgement, with the scratch memory that they carry from case to case.
#[derive(Debug)]
pub struct Engines {
    engines: Vec<Engine>,
    mask: Mask,
}

#[derive(Debug)]
struct Engine {
    evaluator: Evaluator,
    asked: u64,
    declined: u64,
}

impl Engine {
    fn new(tier: Tier, isa: Isa) -> Engine {
        let evaluator = Evaluator::with_isa(Policy::Only(tier), isa);
        Engine { evaluator, asked: 0, declined: 0 }
    }
}

impl Default for Engines {
    fn default() -> Self {
        Engines::all()
    }
}

impl Engines {
    /// Bytecode on every instruction set of this machine, and native code where it is built in.
    pub fn all() -> Engines {
        let mut engines = Engines::bytecode();
        if cfg!(feature = "native") {
            engines.engines.push(Engine::new(Tier::Native, Isa::best()));
        }
        engines
    }

    /// Bytecode on every instruction set of this machine.
    pub fn bytecode() -> Engines {
        let isas = Isa::ALL.into_iter().filter(|isa| isa.is_available());
        let engines = isas.map(|isa| Engine::new(Tier::Bytecode, isa)).collect();
        Engines { engines, mask: Mask::empty(&Arc::new(Layout::new(&[]))) }
    }

    /// Compiles many relations at once where that is a thing to do: a module each is slow.
    pub fn prepare(&mut self, predicates: &[Predicate], table: &Table) {
        #[cfg(feature = "native")]
        for Engine { evaluator, .. } in &mut self.engines {
            if evaluator.policy() == Policy::Only(Tier::Native) {
                evaluator.compile(predicates, table);
            }
        }
        #[cfg(not(feature = "native"))]
        let _ = (predicates, table);
    }

    /// How many evaluations a tier declined and left to a lower one: those tested nothing of it.
    pub fn declined(&self, tier: Tier) -> u64 {
        self.of_tier(tier).map(|engine| engine.declined).sum()
    }

    /// How many evaluations a tier was asked for.
    pub fn asked(&self, tier: Tier) -> u64 {
        self.of_tier(tier).map(|engine| engine.asked).sum()
    }

    fn of_tier(&self, tier: Tier) -> impl Iterator<Item = &Engine> {
        self.engines.iter().filter(move |one| one.evaluator.policy() == Policy::Only(tier))
    }

    /// Whether every engine gives the bits of the reference engine.
    pub fn agree(
        &mut self,
        predicate: &Predicate,
        table: &Table,
    ) -> Result<Verdict, Box<Disagreement>> {
        let expected = reference::evaluate(predicate, table);
        for Engine { evaluator, asked, declined } in &mut self.engines {
            // Preparing counts fallbacks too.
            let before = evaluator.counters().fallbacks;
            evaluator.mask_into(predicate, table, &mut self.mask);
            *asked += 1;
            *declined += evaluator.counters().fallbacks - before;
            if self.mask != expected {
                let policy = evaluator.policy();
                let who = match policy {
                    Policy::Only(Tier::Bytecode) => format!("{policy} ({:?})", evaluator.isa()),
                    Policy::Only(Tier::Reference | Tier::Native) | Policy::Auto => {
                        policy.to_string()
                    }
                };
                let case = Case { predicate, table };
                return Err(Box::new(case.disagreement(who, &expected, &self.mask)));
            }
        }
        Ok(Verdict::of(&expected))
    }
}

/// Whether every engine gives the bits of the reference engine, with fresh scratch memory.
pub fn engines_agree(predicate: &Predicate, table: &Table) -> Result<Verdict, Box<Disagreement>> {
    Engines::all().agree(predicate, table)
}

/// A relation on a table.
pub(super) struct Case<'a> {
    pub(super) predicate: &'a Predicate,
    pub(super) table: &'a Table,
}

impl Case<'_> {
    pub(super) fn disagreement(&self, who: String, expected: &Mask, found: &Mask) -> Disagreement {
        let Case { predicate, table } = self;
        let schema = table.schema();
        let same_layout = expected.layout() == found.layout();
        let row = if same_layout {
            expected.iter().zip(found.iter()).position(|(expected, found)| expected != found)
        } else {
            None
        };
        let mut program = Program::new();
        program.lower(predicate, table);
        Disagreement {
            who,
            difference: match row {
                Some(row) => Difference::Row { row, expected: expected.get(row) },
                None => Difference::NoRow,
            },
            relation: predicate.display(schema).to_string(),
            values: row.map(|row| variables(table, row)).unwrap_or_default(),
            rows_per_group: rows_per_group(table),
            tolerance: table.tolerance().to_string(),
            listing: program.listing(schema).to_string(),
        }
    }
}

/// The names and values of the variables on a row.
pub(super) fn variables(table: &Table, row: usize) -> Vec<(String, String)> {
    let value = |(var, name, _)| (String::from(name), shown(&table.value(var, row)));
    table.schema().iter().map(value).collect()
}

pub(super) fn rows_per_group(table: &Table) -> Vec<usize> {
    table.layout().groups().iter().map(|group| group.rows).collect()
}

pub(super) fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Num(x) => format!("{x:?}"),
        Value::Bool(x) => x.to_string(),
        Value::Seq(s) => format!("{s:?}"),
    }
}

/// Two answers to one question, and all it takes to ask it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// Who differs from the reference engine.
    pub who: String,
    /// What the two differ in.
    pub difference: Difference,
    /// The relation as text.
    pub relation: String,
    /// The names and values of the variables on the row that differs.
    pub values: Vec<(String, String)>,
    /// The shape of the table.
    pub rows_per_group: Vec<usize>,
    /// The tolerance as text.
    pub tolerance: String,
    /// The program of the relation on the table; a term has none.
    pub listing: String,
}

/// In what two answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// In rows; this is the first one.
    Row {
        /// The number of the row.
        row: usize,
        /// What the reference engine says there.
        expected: bool,
    },
    /// In the value of a term; this is the first row.
    Value {
        /// The number of the row.
        row: usize,
        /// What the reference engine says there.
        expected: String,
        /// What was said instead.
        found: String,
    },
    /// In the layout, or in bits that stand for no row.
    NoRow,
    /// In the number of rows per group.
    Counts {
        /// What the reference engine counts.
        expected: Vec<u32>,
        /// What was counted instead.
        found: Vec<u32>,
    },
}

impl std::error::Error for Disagreement {}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { who, relation, rows_per_group, tolerance, listing, .. } = self;
        writeln!(f, "{who} differs from the reference on\n    {relation}")?;
        match &self.difference {
            Difference::Row { row, expected } => {
                writeln!(f, "row {row}: the reference says {expected}")?;
            }
            Difference::Value { row, expected, found } => {
                writeln!(f, "row {row}: {found}; the reference says {expected}")?;
            }
            Difference::NoRow => writeln!(f, "in the layout, or in bits that stand for no row")?,
            Difference::Counts { expected, found } => {
                writeln!(f, "counts {found:?}: the reference says {expected:?}")?;
            }
        }
        for (name, value) in &self.values {
            writeln!(f, "    {name} = {value}")?;
        }
        let program = if listing.is_empty() { "" } else { ", program" };
        writeln!(f, "rows per group {rows_per_group:?}, tolerance {tolerance}{program}")?;
        for line in listing.lines() {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}
