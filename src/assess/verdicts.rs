//! What each relation says of each mutant on a suite of source inputs: the table that all scores are read off.
//!
//! A mutant is run on one suite after the other and forgotten; what is kept of it are a few bits per relation, so that memory
//! does not grow with mutants times inputs.

use std::ops::Range;

use genmorph_jit::{Column, Evaluator, Policy, Schema, Table, Tolerance};
use schemars::JsonSchema;

use super::Claim;
use crate::executions::live::{Difference, Runs, difference};

use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Subject, Version};
use crate::support::threads::Jobs;

/// Which relations are tried, and on which mutants.
#[derive(Clone, Copy)]
pub struct Trial<'t> {
    /// The function with its mutants.
    pub subject: &'t dyn Subject,
    /// The relations.
    pub claims: &'t [Claim<'t>],
    /// The mutants, by number.
    pub mutants: &'t [usize],
    /// When two numbers are equal.
    pub tolerance: Tolerance,
}

/// What relations say of mutants on one suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// The mutants, by number; everywhere below they are in this order.
    pub mutants: Vec<usize>,
    /// By claim.
    pub claims: Vec<OnClaim>,
}

/// What the relations of a claim say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnClaim {
    /// Pairs of the suite on which the function itself returns twice. On others nothing is said.
    pub pairs: usize,
    /// How each mutant ends on these pairs, whatever the relation.
    pub endings: Vec<Ending>,
    /// By relation.
    pub relations: Vec<OnRelation>,
}

/// How a mutant ends on the pairs of a claim, seen from the function, which returns on all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// It returns something else on some.
    pub differs: bool,
    /// It crashes on some: an exception, a trap, memory, the stack, its process.
    pub crashes: bool,
    /// It runs out of fuel or hangs on some.
    pub times_out: bool,
}

/// What a relation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnRelation {
    /// Pairs on which it is false for the function itself.
    pub false_alarms: usize,
    /// For each mutant, whether it is false on a pair of outputs of that mutant.
    pub violated: Vec<bool>,
}

/// What a test of one relation says of one mutant.
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
    /// Nothing is noticed.
    #[schemars(rename = "survived")]
    Survived,
}

impl Verdict {
    /// The word for it in files and tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::KilledByAssertion => "assertion",
            Verdict::KilledByCrash => "crash",
            Verdict::KilledByTimeout => "time-out",
            Verdict::Survived => "survived",
        }
    }
}

impl Ending {
    /// Whether it does not return on some pair: any test kills it.
    pub fn fails(self) -> bool {
        self.crashes || self.times_out
    }

    /// Whether it differs from the function in any way.
    pub fn is_seen(self) -> bool {
        self.differs || self.fails()
    }

    fn add(&mut self, difference: Difference, outcome: Outcome) {
        match difference {
            Difference::Same | Difference::Unknown => {}
            Difference::Value => self.differs = true,
            Difference::Crash => match outcome {
                Outcome::OutOfFuel | Outcome::Hung => self.times_out = true,
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

impl OnRelation {
    /// Whether nothing speaks against it on this suite.
    pub fn is_valid(&self) -> bool {
        self.false_alarms == 0
    }
}

impl Verdicts {
    /// What a relation says of a mutant, both given by their places. One that is false for the function itself says nothing:
    /// everything survives.
    pub fn of(&self, claim: usize, relation: usize, mutant: usize) -> Verdict {
        let OnClaim { endings, relations, .. } = &self.claims[claim];
        let (ending, said) = (endings[mutant], &relations[relation]);
        if !said.is_valid() {
            Verdict::Survived
        } else if said.violated[mutant] {
            Verdict::KilledByAssertion
        } else if ending.crashes {
            Verdict::KilledByCrash
        } else if ending.times_out {
            Verdict::KilledByTimeout
        } else {
            Verdict::Survived
        }
    }
}

/// A pair of inputs on which the function returns twice.
#[derive(Clone, Copy, Debug)]
struct Pair {
    suite: usize,
    /// Its row among the sources.
    source: usize,
    /// Its row among the follow-ups of all claims.
    follow_up: usize,
}

/// What a mutant did: by claim, then by suite.
struct Fate {
    endings: Vec<Vec<Ending>>,
    /// By claim, by relation, by suite.
    violated: Vec<Vec<Vec<bool>>>,
}

/// Sources and follow-ups of all claims, with what the function does on them.
struct Ground<'g> {
    trial: Trial<'g>,
    schema: Schema,
    suites: usize,
    sources: &'g Runs,
    follow_ups: Inputs,
    at_follow_ups: Outcomes,
    /// By claim.
    pairs: Vec<Vec<Pair>>,
}

impl Trial<'_> {
    /// Runs the mutants on a suite of source inputs and their follow-ups.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn on(&self, suite: &Inputs, jobs: &Jobs) -> Result<Verdicts, MachineFailure> {
        let sources = Runs::of(self.subject, self.mutants, suite.clone(), jobs)?;
        let whole = 0..suite.len();
        let mut suites = self.on_suites(&sources, &[whole], jobs)?;
        Ok(suites.pop().expect("a suite has verdicts"))
    }

    /// The same for several suites at once, whose sources the mutants have been run on; a suite is a range of their rows.
    ///
    /// # Errors
    /// When the machine fails.
    ///
    /// # Panics
    /// If the runs are not of these mutants.
    pub(super) fn on_suites(
        &self,
        sources: &Runs,
        suites: &[Range<usize>],
        jobs: &Jobs,
    ) -> Result<Vec<Verdicts>, MachineFailure> {
        assert_eq!(sources.mutants.len(), self.mutants.len(), "runs of these mutants");
        let ground = Ground::new(*self, sources, suites)?;
        let mut evaluator = Evaluator::new(Policy::Auto);
        let alarms: Vec<Vec<Vec<usize>>> = (0..self.claims.len())
            .map(|claim| ground.false_alarms(claim, &mut evaluator))
            .collect();
        let places: Vec<usize> = (0..self.mutants.len()).collect();
        let evaluator = || Evaluator::new(Policy::Auto);
        let fates = jobs.try_map(&places, 1, evaluator, |e, &place| ground.fate(place, e))?;
        let verdicts = |suite: usize| {
            let claim = |claim: usize| OnClaim {
                pairs: ground.pairs[claim].iter().filter(|pair| pair.suite == suite).count(),
                endings: fates.iter().map(|fate| fate.endings[claim][suite]).collect(),
                relations: (0..self.claims[claim].relations.len())
                    .map(|relation| OnRelation {
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
        let mut pairs = Vec::new();
        for claim in trial.claims {
            let (made, rows) = claim.transform.follow_ups(&sources.inputs, signature);
            let returned = trial.subject.run(Version::Original, &made)?;
            let mut own = Vec::new();
            for (row, source) in rows.into_iter().enumerate() {
                if let Some(suite) = suite_of[source]
                    && sources.original.is_returned(source)
                    && returned.is_returned(row)
                {
                    own.push(Pair { suite, source, follow_up: follow_ups.len() });
                    follow_ups.push(&made.row(row).collect::<Vec<_>>());
                }
            }
            pairs.push(own);
        }
        // Once more, on the follow-ups that count: what a mutant may spend is found from what the function spent on that row.
        let at_follow_ups = trial.subject.run(Version::Original, &follow_ups)?;
        let schema = signature.of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let suites = suites.len();
        Ok(Ground { trial, schema, suites, sources, follow_ups, at_follow_ups, pairs })
    }

    /// By relation of a claim and by suite: on how many pairs it is false for the function.
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

    /// Runs a mutant, and tries all relations on what it does.
    fn fate(&self, place: usize, evaluator: &mut Evaluator) -> Result<Fate, MachineFailure> {
        let Trial { subject, claims, mutants, tolerance } = &self.trial;
        let at_sources = &self.sources.mutants[place];
        let version = Version::Mutant { number: mutants[place], original: &self.at_follow_ups };
        let at_follow_ups = subject.run(version, &self.follow_ups)?;
        let mut fate = Fate { endings: Vec::new(), violated: Vec::new() };
        for (claim, pairs) in claims.iter().zip(&self.pairs) {
            let mut endings = vec![Ending::default(); self.suites];
            let mut other = Vec::new();
            for pair in pairs {
                let source = difference(&self.sources.original, at_sources, pair.source, tolerance);
                let follow_up =
                    difference(&self.at_follow_ups, &at_follow_ups, pair.follow_up, tolerance);
                let ending = &mut endings[pair.suite];
                ending.add(source, at_sources.outcomes()[pair.source]);
                ending.add(follow_up, at_follow_ups.outcomes()[pair.follow_up]);
                let crash = [source, follow_up].contains(&Difference::Crash);
                if !crash && [source, follow_up].contains(&Difference::Value) {
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
            fate.endings.push(endings);
            fate.violated.push(violated);
        }
        Ok(fate)
    }

    /// Pairs as a version executed them: inputs and outputs at the source, then at the follow-up.
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
