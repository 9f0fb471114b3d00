//! The engines, and the ladder that picks one.
//!
//! All tiers give the same bits. A tier may decline a relation; the next one down takes it, and
//! the last, `reference`, never refuses.

mod batch;
pub(crate) mod bytecode;
mod columns;
mod fuse;
pub(crate) mod kernels;
mod logic;
mod lookups;
#[cfg(feature = "native")]
pub mod native;
pub mod reference;
pub mod scalar;
pub(crate) mod sequences;
mod slices;
mod step;

use std::fmt;
use std::str::FromStr;

pub use self::batch::{Batch, DEFAULT_MEMORY, OneThread, Threads};
pub use self::columns::{Columns, Values};
pub use self::kernels::Isa;
#[doc(hidden)]
pub use self::kernels::roofline;
pub use self::slices::Comparator;

use self::kernels::Kernels;
use crate::expr::Predicate;
use crate::mask::Mask;
use crate::program::Program;
use crate::table::{Column, Table};
use crate::term::Term;

/// A way to evaluate relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Row by row from the scalar definitions: slow, obvious, the judge of the others.
    Reference,
    /// Blocks of rows through SIMD kernels: the workhorse.
    Bytecode,
    /// Machine code through Cranelift: for huge tables and relations seen again and again.
    Native,
}

impl Tier {
    /// All tiers, the slowest first.
    pub const ALL: [Tier; 3] = [Tier::Reference, Tier::Bytecode, Tier::Native];
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::Reference => "reference",
            Tier::Bytecode => "bytecode",
            Tier::Native => "native",
        })
    }
}

/// Which tier evaluates a relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Bytecode, and native where it pays: by size, rows and times seen.
    #[default]
    Auto,
    /// This one, or the next one down where it declines.
    Only(Tier),
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Policy::Auto => f.write_str("auto"),
            Policy::Only(tier) => tier.fmt(f),
        }
    }
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let policies = [Policy::Auto].into_iter().chain(Tier::ALL.map(Policy::Only));
        policies
            .into_iter()
            .find(|policy| policy.to_string() == text)
            .ok_or_else(|| UnknownPolicy(text.to_owned()))
    }
}

/// Not the name of a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a tier is `auto`, `reference`, `bytecode` or `native`, not `{0}`")]
pub struct UnknownPolicy(String);

/// What an evaluator has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// How many relations were evaluated.
    pub evaluations: u64,
    /// Nodes times rows actually run through an engine: work, not what a memo saved.
    pub node_rows: u64,
    /// Relations or atoms whose bits were remembered.
    pub memo_hits: u64,
    /// Relations or atoms that had to be evaluated.
    pub memo_misses: u64,
    /// Of these atoms, those that were evaluated on one row of every kind that they can tell apart.
    pub digested: u64,
    /// Relations compiled to machine code.
    pub compiles: u64,
    /// Relations that a tier declined, or for which executable memory was refused, and that a lower
    /// tier evaluated.
    pub fallbacks: u64,
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.evaluations += other.evaluations;
        self.node_rows += other.node_rows;
        self.memo_hits += other.memo_hits;
        self.memo_misses += other.memo_misses;
        self.digested += other.digested;
        self.compiles += other.compiles;
        self.fallbacks += other.fallbacks;
    }
}

/// Evaluates relations one by one. Holds scratch memory: keep one per thread and reuse it.
#[derive(Debug)]
pub struct Evaluator {
    policy: Policy,
    isa: Isa,
    program: Program,
    scratch: bytecode::Scratch,
    mask: Option<Mask>,
    #[cfg(feature = "native")]
    native: native::Cache,
    counters: Counters,
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator::new(Policy::Auto)
    }
}

impl Evaluator {
    /// An evaluator that uses the widest instruction set of this machine.
    pub fn new(policy: Policy) -> Evaluator {
        Evaluator::with_isa(policy, Isa::best())
    }

    /// An evaluator whose bytecode tier uses this instruction set, or the portable one where this
    /// machine lacks it.
    pub fn with_isa(policy: Policy, isa: Isa) -> Evaluator {
        Evaluator {
            policy,
            isa: Kernels::of(isa).isa(),
            program: Program::new(),
            scratch: bytecode::Scratch::default(),
            mask: None,
            #[cfg(feature = "native")]
            native: native::Cache::default(),
            counters: Counters::default(),
        }
    }

    /// Which tier this evaluator uses.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The instruction set of the bytecode tier.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// What this evaluator has done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Where a predicate holds.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn mask(&mut self, predicate: &Predicate, table: &Table) -> Mask {
        let mut mask = Mask::empty(table.layout());
        self.mask_into(predicate, table, &mut mask);
        mask
    }

    /// Where a predicate holds, into a mask that is reused: allocates nothing in the steady state.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn mask_into(&mut self, predicate: &Predicate, table: &Table, mask: &mut Mask) {
        self.counters.evaluations += 1;
        self.counters.node_rows += (predicate.size() * table.rows()) as u64;
        if self.policy == Policy::Only(Tier::Reference) {
            return reference::evaluate_into(predicate, table, mask);
        }
        #[cfg(feature = "native")]
        if self.run_native(predicate, table, mask) {
            return;
        }
        #[cfg(not(feature = "native"))]
        if self.policy == Policy::Only(Tier::Native) {
            self.counters.fallbacks += 1;
        }
        self.program.lower(predicate, table);
        mask.fill(table.layout(), |words| {
            let kernels = Kernels::of(self.isa);
            bytecode::run(&self.program, table, kernels, &mut self.scratch, words);
        });
    }

    /// On how many rows of each group a predicate holds, into a list that is reused.
    ///
    /// # Panics
    /// If the predicate was made for another schema than the table's.
    pub fn counts(&mut self, predicate: &Predicate, table: &Table, counts: &mut Vec<u32>) {
        let mut mask = self.mask.take().unwrap_or_else(|| Mask::empty(table.layout()));
        self.mask_into(predicate, table, &mut mask);
        let ones = |words| Kernels::of(self.isa).count_ones(words) as u32;
        counts.clear();
        counts.extend((0..table.layout().groups().len()).map(|i| ones(mask.group_words(i))));
        self.mask = Some(mask);
    }

    /// The values of a term on every row of a table, in order: row by row in the reference tier, column by
    /// column on the bytecode tier's instruction set in the others. Native code makes bits only, so that
    /// tier declines. Whoever has many terms that share their parts uses [`Columns`] instead.
    ///
    /// # Panics
    /// If the term was made for another schema than the table's.
    pub fn values(&mut self, term: &Term, table: &Table) -> Column {
        self.counters.evaluations += 1;
        self.counters.node_rows += (term.size() * table.rows()) as u64;
        match self.policy {
            Policy::Only(Tier::Reference) => return reference::values(term, table),
            Policy::Only(Tier::Native) => self.counters.fallbacks += 1,
            Policy::Only(Tier::Bytecode) | Policy::Auto => {}
        }
        let mut columns = Columns::new(table).with_isa(self.isa);
        let values = columns.term(term);
        columns.column(values)
    }

    /// Runs the native tier if the policy wants it and it does not decline.
    #[cfg(feature = "native")]
    fn run_native(&mut self, predicate: &Predicate, table: &Table, mask: &mut Mask) -> bool {
        let code = match self.policy {
            Policy::Only(Tier::Reference | Tier::Bytecode) => return false,
            Policy::Only(Tier::Native) => self.native.get(predicate, table, &mut self.counters),
            Policy::Auto if native::is_worthwhile(self.isa, table) => {
                self.native.get_hot(predicate, table, self.isa, &mut self.counters)
            }
            Policy::Auto => return false,
        };
        let Some(code) = code else { return false };
        mask.fill(table.layout(), |words| code.run(table, words));
        true
    }

    /// Compiles many relations at once, a module for all of them; later evaluations find the code.
    /// Relations that the native tier declines are counted as fallbacks.
    #[cfg(feature = "native")]
    pub fn compile(&mut self, predicates: &[Predicate], table: &Table) {
        self.native.compile(predicates, table, &mut self.counters);
    }
}
