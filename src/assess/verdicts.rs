//! The verdict of each relation on each mutant, on a suite of source inputs: the table from which
//! all scores are computed.
//!
//! Mutants run one after the other, and only a few bits per relation are kept of each, so that memory does
//! not grow with mutants times inputs.

use std::ops::Range;

use genmorph_jit::{Column, Evaluator, Policy, Schema, Table, Tolerance};
use schemars::JsonSchema;

use super::Claim;
use crate::executions::live::{Difference, Runs, difference};

use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Subject, Version};
use crate::support::threads::Jobs;

/// The relations to try, and the mutants to try them on.
#[derive(Clone, Copy)]
pub struct Trial<'t> {
    /// The function with its mutants.
    pub subject: &'t dyn Subject,
    /// The relations, by transformation.
    pub claims: &'t [Claim<'t>],
    /// Numbers of the mutants.
    pub mutants: &'t [usize],
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
}

/// The verdicts of relations on mutants, on one suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Numbers of the mutants; all lists below have this order.
    pub mutants: Vec<usize>,
    /// Verdicts of each claim.
    pub claims: Vec<ClaimVerdicts>,
}

/// The verdicts of the relations of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimVerdicts {
    /// Pairs of the suite on which the function returns for both inputs. Only these are judged.
    pub pairs: usize,
    /// How each mutant deviates on these pairs, whatever the relation.
    pub deviations: Vec<Deviation>,
    /// Verdicts of each relation.
    pub relations: Vec<RelationVerdicts>,
}

/// How a mutant deviates from the function on the pairs of a claim, on all of which the function returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deviation {
    /// It returns another value on some pair.
    pub differs: bool,
    /// It crashes on some pair: an exception, a trap, memory, the stack, its process.
    pub crashes: bool,
    /// It runs out of fuel or hangs on some pair.
    pub times_out: bool,
}

/// The verdicts of one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationVerdicts {
    /// Number of pairs on which it is false for the function itself.
    pub false_alarms: usize,
    /// For each mutant, whether the relation is false on a pair of the mutant's outputs.
    pub violated: Vec<bool>,
}

/// The verdict of a test with one relation on one mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
pub enum Verdict {
    /// The relation is false on outputs of the mutant.
    #[schemars(rename = "assertion")]
    KilledByAssertion,
    /// The mutant crashes where the function returns, and the relation is never false.
    #[schemars(rename = "crash")]
    KilledByCrash,
    /// The mutant runs out of fuel or hangs where the function returns, and nothing else kills it.
    #[schemars(rename = "time-out")]
    KilledByTimeout,
    /// The test notices nothing.
    #[schemars(rename = "survived")]
    Survived,
}

impl Verdict {
    /// The word used in files and tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::KilledByAssertion => "assertion",
            Verdict::KilledByCrash => "crash",
            Verdict::KilledByTimeout => "time-out",
            Verdict::Survived => "survived",
        }
    }
}

impl Deviation {
    /// Whether it fails to return on some pair: any test kills it.
    pub fn fails(self) -> bool {
        self.crashes || self.times_out
    }

    /// Whether it differs from the function in any way.
    pub fn is_any(self) -> bool {
        self.differs || self.fails()
    }

    fn add(&mut self, difference: Difference, outcome: Outcome) {
        match difference {
            Difference::Same | Difference::Unknown => {}
            Difference::Value => self.differs = true,
            Difference::Crash => match outcome {
                Outcome::OutOfFuel | Outcome::Hung => self.times_out = true,
                Outcome::NotRun => {}
                Outcome::Returned
                | Outcome::Trapped(_)
                | Outcome::Threw(_)
                | Outcome::OutOfMemory
                | Outcome::OutOfStack
                | Outcome::BadOutput
                | Outcome::Exited
                | Outcome::Crashed => self.crashes = true,
            },
        }
    }
}

impl RelationVerdicts {
    /// Whether no pair of this suite refutes the relation.
    pub fn is_valid(&self) -> bool {
        self.false_alarms == 0
    }
}

impl Verdicts {
    /// The verdict of a relation on a mutant, both given by position. A relation that is false for the
    /// function itself kills nothing.
    pub fn of(&self, claim: usize, relation: usize, mutant: usize) -> Verdict {
        let ClaimVerdicts { deviations, relations, .. } = &self.claims[claim];
        let (deviation, relation) = (deviations[mutant], &relations[relation]);
        if !relation.is_valid() {
            Verdict::Survived
        } else if relation.violated[mutant] {
            Verdict::KilledByAssertion
        } else if deviation.crashes {
            Verdict::KilledByCrash
        } else if deviation.times_out {
            Verdict::KilledByTimeout
        } else {
            Verdict::Survived
        }
    }
}

/// A pair of inputs on which the function returns for both inputs.
#[derive(Clone, Copy, Debug)]
struct Pair {
    suite: usize,
    /// The row among the sources.
    source: usize,
    /// The row among the follow-ups of all claims.
    follow_up: usize,
}

/// How one mutant behaves, by claim, then by suite.
struct MutantRun {
    deviations: Vec<Vec<Deviation>>,
    /// Indexed by claim, relation and suite.
    violated: Vec<Vec<Vec<bool>>>,
}

/// Sources and follow-ups of all claims, with the function's outcomes on them.
struct Ground<'g> {
    trial: Trial<'g>,
    schema: Schema,
    suites: usize,
    sources: &'g Runs,
    follow_ups: Inputs,
    at_follow_ups: Outcomes,
    /// One entry for each claim.
    pairs: Vec<Vec<Pair>>,
}

impl Trial<'_> {
    /// Runs the mutants on a suite of source inputs and on their follow-ups.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn on(&self, suite: &Inputs, jobs: &Jobs) -> Result<Verdicts, MachineFailure> {
        let sources = Runs::of(self.subject, self.mutants, suite.clone(), jobs)?;
        let whole = 0..suite.len();
        let mut suites = self.on_suites(&sources, &[whole], jobs)?;
        Ok(suites.pop().expect("a suite has verdicts"))
    }

    /// The same for several suites at once. The mutants have been run on the sources already; a suite is a
    /// range of their rows.
    ///
    /// # Errors
    /// When the machine fails.
    ///
    /// # Panics
    /// If the runs are of other mutants.
    pub(super) fn on_suites(
        &self,
        sources: &Runs,
        suites: &[Range<usize>],
        jobs: &Jobs,
    ) -> Result<Vec<Verdicts>, MachineFailure> {
        assert_eq!(sources.mutants.len(), self.mutants.len(), "the runs of other mutants");
        let ground = Ground::new(*self, sources, suites)?;
        let mut evaluator = Evaluator::new(Policy::Auto);
        let alarms: Vec<Vec<Vec<usize>>> = (0..self.claims.len())
            .map(|claim| ground.false_alarms(claim, &mut evaluator))
            .collect();
        let places: Vec<usize> = (0..self.mutants.len()).collect();
        let evaluator = || Evaluator::new(Policy::Auto);
        let fates = jobs.try_map(&places, 1, evaluator, |e, &place| ground.fate(place, e))?;
        let verdicts = |suite: usize| {
            let claim = |claim: usize| ClaimVerdicts {
                pairs: ground.pairs[claim].iter().filter(|pair| pair.suite == suite).count(),
                deviations: fates.iter().map(|fate| fate.deviations[claim][suite]).collect(),
                relations: (0..self.claims[claim].relations.len())
                    .map(|relation| RelationVerdicts {
                        false_alarms: alarms[claim][relation][suite],
                        violated: fates
                            .iter()
                            .map(|fate| fate.violated[claim][relation][suite])
                            .collect(),
                    })
                    .collect(),
            };
            let claims = (0..self.claims.len()).map(claim).collect();
            Verdicts { mutants: self.mutants.to_vec(), claims }
        };
        Ok((0..suites.len()).map(verdicts).collect())
    }
}

impl<'g> Ground<'g> {
    fn new(
        trial: Trial<'g>,
        sources: &'g Runs,
        suites: &[Range<usize>],
    ) -> Result<Ground<'g>, MachineFailure> {
        let signature = trial.subject.signature();
        let mut suite_of = vec![None; sources.original.len()];
        for (suite, rows) in suites.iter().enumerate() {
            suite_of[rows.clone()].fill(Some(suite));
        }
        let mut follow_ups = Inputs::new(signature);
        let mut at_follow_ups = Outcomes::new(signature);
        let mut pairs = Vec::new();
        for claim in trial.claims {
            let (made, rows) = claim.transform.follow_ups(&sources.inputs, signature);
            let returned = trial.subject.run(Version::Original, &made)?;
            let mut own = Vec::new();
            for (row, source) in rows.into_iter().enumerate() {
                if let Some(suite) = suite_of[source]
                    && sources.original.is_exact(source)
                    && returned.is_exact(row)
                {
                    own.push(Pair { suite, source, follow_up: follow_ups.len() });
                    follow_ups.push(&made.row(row).collect::<Vec<_>>());
                    at_follow_ups.push(&returned, row);
                }
            }
            pairs.push(own);
        }
        // Only the follow-ups that count: the fuel of a mutant is computed from the fuel that the function used on the
        // same row.
        let schema = signature.of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let suites = suites.len();
        Ok(Ground { trial, schema, suites, sources, follow_ups, at_follow_ups, pairs })
    }

    /// By relation of a claim and by suite: the number of pairs on which it is false for the function.
    fn false_alarms(&self, claim: usize, evaluator: &mut Evaluator) -> Vec<Vec<usize>> {
        let pairs: Vec<&Pair> = self.pairs[claim].iter().collect();
        let outcomes = (&self.sources.original, &self.at_follow_ups);
        let table = self.table(&pairs, outcomes);
        let each = self.trial.claims[claim].relations.iter().map(|relation| {
            let mut alarms = vec![0; self.suites];
            let mask = evaluator.mask(relation, &table);
            let wrong = mask.iter().zip(&pairs).filter(|(holds, _)| !holds);
            wrong.for_each(|(_, pair)| alarms[pair.suite] += 1);
            alarms
        });
        each.collect()
    }

    /// Runs a mutant and evaluates all relations on its outputs.
    fn fate(&self, place: usize, evaluator: &mut Evaluator) -> Result<MutantRun, MachineFailure> {
        let Trial { subject, claims, mutants, tolerance } = &self.trial;
        let at_sources = &self.sources.mutants[place];
        let version = Version::Mutant { number: mutants[place], original: &self.at_follow_ups };
        let at_follow_ups = subject.run(version, &self.follow_ups)?;
        let mut fate = MutantRun { deviations: Vec::new(), violated: Vec::new() };
        for (claim, pairs) in claims.iter().zip(&self.pairs) {
            let mut deviations = vec![Deviation::default(); self.suites];
            let mut other = Vec::new();
            for pair in pairs {
                let source = difference(&self.sources.original, at_sources, pair.source, tolerance);
                let follow_up =
                    difference(&self.at_follow_ups, &at_follow_ups, pair.follow_up, tolerance);
                let deviation = &mut deviations[pair.suite];
                deviation.add(source, at_sources.outcomes()[pair.source]);
                deviation.add(follow_up, at_follow_ups.outcomes()[pair.follow_up]);
                let both = [source, follow_up];
                let returned =
                    !both.contains(&Difference::Crash) && !both.contains(&Difference::Unknown);
                if returned && both.contains(&Difference::Value) {
                    other.push(pair);
                }
            }
            let mut violated = vec![vec![false; self.suites]; claim.relations.len()];
            if !other.is_empty() {
                let table = self.table(&other, (at_sources, &at_follow_ups));
                for (relation, violated) in claim.relations.iter().zip(&mut violated) {
                    let mask = evaluator.mask(relation, &table);
                    let wrong = mask.iter().zip(&other).filter(|(holds, _)| !holds);
                    wrong.for_each(|(_, pair)| violated[pair.suite] = true);
                }
            }
            fate.deviations.push(deviations);
            fate.violated.push(violated);
        }
        Ok(fate)
    }

    /// The table of pairs as a version executed them: inputs and outputs at the source, then at the follow-up.
    fn table(&self, pairs: &[&Pair], (sources, follow_ups): (&Outcomes, &Outcomes)) -> Table {
        let mut columns: Vec<Column> =
            self.schema.iter().map(|(_, _, ty)| Column::empty(ty)).collect();
        for pair in pairs {
            let source = self.sources.inputs.row(pair.source).chain(sources.row(pair.source));
            let follow_up =
                self.follow_ups.row(pair.follow_up).chain(follow_ups.row(pair.follow_up));
            for (column, value) in columns.iter_mut().zip(source.chain(follow_up)) {
                column.push(&value);
            }
        }
        Table::new(&self.schema, columns, self.trial.tolerance)
            .expect("columns of the schema, of equal length")
    }
}
