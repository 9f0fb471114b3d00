//! Fresh inputs on which relations must hold: what a search took to be true may be false on others.
//!
//! The inputs come from a generator of its own, so that what the search never saw is met here. Knows nothing of
//! how relations are found, nor of mutants.

pub mod fresh;

use std::collections::HashSet;

use genmorph_jit::{Evaluator, Policy, Predicate, Tolerance, Value, Var};

use crate::executions::{Executions, Limits, Rows, Signature};
use crate::inputs::key;
use crate::seed::Seed;
use crate::subject::{Constant, Inputs, Subject, Version};
use crate::transform::Transform;

/// Inputs per batch.
const BATCH: usize = 1 << 14;
/// Batches that are tried, for each that is asked for: most inputs of some functions have no follow-up,
/// or make the function fail.
const TRIES: usize = 3;
/// When fewer than one in so many inputs of a batch are new, there are hardly any others.
const EXHAUSTED: usize = 50;
/// Counterexamples of a relation that are reported, at most.
const COUNTEREXAMPLES: usize = 12;

/// Fresh pairs of inputs of one transformation, and what the function does on them.
pub struct Filter<'s> {
    subject: &'s dyn Subject,
    signature: Signature,
    transform: &'s Transform,
    constants: &'s [Constant],
    seen: &'s Inputs,
    tolerance: Tolerance,
    seed: Seed,
    /// Unique pairs on which the function returns twice, in batches.
    batches: Vec<Executions>,
    /// Source inputs that were in a batch: the function is pure, so once is enough.
    known: HashSet<u64>,
    /// Batches that were drawn.
    drawn: usize,
    /// There is hardly anything left to draw.
    is_exhausted: bool,
}

/// What became of a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The pairs on which it was tried.
    pub tried: usize,
    /// Those on which it is false; the first few.
    pub counterexamples: Vec<Pair>,
}

/// A source input and its follow-up, with the outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The source inputs.
    pub source: Vec<Value<'static>>,
    /// The outputs there.
    pub source_outputs: Vec<Value<'static>>,
    /// The follow-up inputs.
    pub follow_up: Vec<Value<'static>>,
    /// The outputs there.
    pub follow_up_outputs: Vec<Value<'static>>,
}

impl Verdict {
    /// Whether nothing speaks against the relation, and something for it.
    pub fn stands(&self) -> bool {
        self.counterexamples.is_empty() && self.tried > 0
    }
}

impl<'s> Filter<'s> {
    /// A filter for relations under a transformation. `seen` are inputs that are known to be interesting.
    pub fn new(
        subject: &'s dyn Subject,
        transform: &'s Transform,
        seen: &'s Inputs,
        tolerance: Tolerance,
        seed: Seed,
    ) -> Filter<'s> {
        Filter {
            subject,
            signature: subject.signature().of_executions(),
            transform,
            constants: subject.constants(),
            seen,
            tolerance,
            seed,
            batches: Vec::new(),
            known: HashSet::new(),
            drawn: 0,
            is_exhausted: false,
        }
    }

    /// Tries relations on at least so many pairs, if there are as many; one that is refuted is tried no
    /// further.
    pub fn judge(&mut self, relations: &[Predicate], pairs: usize) -> Vec<Verdict> {
        let mut evaluator = Evaluator::new(Policy::Auto);
        let blank = Verdict { tried: 0, counterexamples: Vec::new() };
        let mut verdicts = vec![blank; relations.len()];
        let (mut batch, mut seen) = (0, 0);
        while seen < pairs && verdicts.iter().any(|verdict| verdict.counterexamples.is_empty()) {
            if batch == self.batches.len() && !self.generate(pairs) {
                break;
            }
            let executions = &self.batches[batch];
            for (relation, verdict) in relations.iter().zip(&mut verdicts) {
                if !verdict.counterexamples.is_empty() {
                    continue;
                }
                let mask = evaluator.mask(relation, &executions.table);
                let wrong = mask.iter().enumerate().filter(|(_, holds)| !holds);
                verdict.tried += executions.table.rows();
                verdict.counterexamples =
                    wrong.take(COUNTEREXAMPLES).map(|(row, _)| self.pair(batch, row)).collect();
            }
            seen += executions.table.rows();
            batch += 1;
        }
        verdicts
    }

    /// Makes a further batch; false if there is none to be had.
    fn generate(&mut self, pairs: usize) -> bool {
        let most = TRIES * pairs.div_ceil(BATCH);
        while self.drawn < most && !self.is_exhausted {
            let sources = self.draw();
            let signature = self.subject.signature();
            let (follow_ups, source_rows) = self.transform.follow_ups(&sources, signature);
            let at_source = self.subject.run(Version::Original, &sources);
            let at_follow_up = self.subject.run(Version::Original, &follow_ups);
            let mut rows = Rows::new(&self.signature, Vec::new())
                .expect("names were checked with the signature");
            for (follow_up, &source) in source_rows.iter().enumerate() {
                if at_source.is_returned(source) && at_follow_up.is_returned(follow_up) {
                    let source = sources.row(source).chain(at_source.row(source));
                    let follow_up = follow_ups.row(follow_up).chain(at_follow_up.row(follow_up));
                    rows.push(None, source.chain(follow_up)).expect("no mutant's");
                }
            }
            if rows.counts().0 > 0 {
                let all = Limits { correct: usize::MAX, incorrect: 0 };
                let executions = rows
                    .sampled(all, 0)
                    .into_executions(&self.signature, &self.transform.describe(), self.tolerance, 0)
                    .expect("columns of equal length");
                self.batches.push(executions);
                return true;
            }
        }
        false
    }

    /// Fresh source inputs that were not drawn before.
    fn draw(&mut self) -> Inputs {
        let signature = self.subject.signature();
        let seed = Seed(self.seed.stream("fresh").at(self.drawn as u64).rng().next());
        self.drawn += 1;
        let drawn = fresh::inputs(signature, self.constants, self.seen, seed, BATCH);
        let mut sources = Inputs::new(signature);
        for row in 0..drawn.len() {
            let values: Vec<_> = drawn.row(row).collect();
            if self.known.insert(key(&values)) {
                sources.push(&values);
            }
        }
        self.is_exhausted = sources.len() < drawn.len() / EXHAUSTED;
        sources
    }

    /// A pair of a batch.
    fn pair(&self, batch: usize, row: usize) -> Pair {
        let table = &self.batches[batch].table;
        let (inputs, outputs) = (self.signature.inputs.len(), self.signature.outputs.len());
        let mut values = (0..2 * (inputs + outputs)).map(|var| table.value(Var(var as u16), row));
        let mut take = |count: usize| values.by_ref().take(count).collect();
        Pair {
            source: take(inputs),
            source_outputs: take(outputs),
            follow_up: take(inputs),
            follow_up_outputs: take(outputs),
        }
    }
}
