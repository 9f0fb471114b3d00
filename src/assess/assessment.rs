//! The whole assessment: suites, verdicts, second looks, scores.

use std::ops::Range;

use genmorph_jit::Tolerance;

use super::Claim;
use super::doubt::{Likeness, SecondLook, exact};
use super::report::{Assessment, Counterexample, MutantVerdicts, RelationScores, SuiteScores};
use super::scores::{Counts, Scores, SuiteFacts, mean, share, single_score, together};
use super::suites::Suites;
use super::verdicts::{Trial, Verdict, Verdicts};
use crate::executions::live::{Census, Difference, Runs};
use crate::filter;
use crate::inputs::{self, InputsError, Watch};
use crate::record::VERSION;
use crate::subject::{Group, MachineFailure, Mutant, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// How relations are assessed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Number of suites. 5; the paper has 12.
    pub suites: usize,
    /// Source inputs of a suite. 100: paper, section on step 6.
    pub inputs: usize,
    /// Seed of all random choices.
    pub seed: Seed,
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
    /// Fresh pairs on which counterexamples are sought. 20,000.
    pub hunted: usize,
    /// Fresh inputs on which mutants that differ on no suite are compared with the function. 10,000.
    pub compared: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            suites: 5,
            inputs: 100,
            seed: Seed(1),
            tolerance: Tolerance::default(),
            hunted: 20_000,
            compared: 10_000,
        }
    }
}

/// Reasons why relations cannot be assessed.
#[derive(Debug, thiserror::Error)]
pub enum AssessError {
    /// No source inputs could be made.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// The machine cannot run the function any more.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// The function returns on no random input.
    #[error(
        "`{0}` returns on none of the random inputs that suites are drawn from; \
         a narrower domain in the subject file may help"
    )]
    NoSuite(String),
    /// The function has no mutants of group B.
    #[error("`{0}` has no mutant of group B; there is nothing to judge relations by")]
    NoMutants(String),
}

/// Number of inputs that reach the branches of the function, and of calls that may be traced to find them.
const GUIDED: usize = 1_000;
const EFFORT: usize = 60_000;

/// Assesses the relations of a function. The result depends on the subject, the relations and the settings,
/// not on the number of threads.
///
/// # Errors
/// When there are no inputs or no mutants to judge by, or when the machine fails.
pub fn run(
    subject: &dyn Subject,
    claims: &[Claim<'_>],
    settings: &Settings,
    jobs: &Jobs,
) -> Result<Assessment, AssessError> {
    let Settings { tolerance, seed, .. } = *settings;
    let function = || subject.signature().function.clone();
    let mutants = subject.mutants_of(Group::B);
    if mutants.is_empty() {
        return Err(AssessError::NoMutants(function()));
    }
    let guidance =
        inputs::Settings { count: GUIDED, effort: EFFORT, ..inputs::Settings::default() };
    let other = Seed(seed.stream("assess").rng().next());
    let guided = inputs::generate(subject, &guidance, other, jobs, &Watch::NOBODY)?.inputs;
    let suites = Suites::draw(subject, seed, settings.suites, settings.inputs)?;
    if suites.inputs.is_empty() {
        return Err(AssessError::NoSuite(function()));
    }

    let training = subject.mutants_of(Group::A);
    let training = {
        let runs = Runs::of(subject, &training, suites.inputs.clone(), jobs)?;
        Census::of(&runs, &training, &tolerance)
    };
    let sources = Runs::of(subject, &mutants, suites.inputs.clone(), jobs)?;
    let twins = training.twins(&Census::of(&sources, &mutants, &tolerance));
    let trial = Trial { subject, claims, mutants: &mutants, tolerance };
    let verdicts = trial.on_suites(&sources, &suites.rows, jobs)?;
    let differs = |mutant: usize, mut rows: Range<usize>, tolerance: &Tolerance| {
        rows.any(|row| match sources.difference(mutant, row, tolerance) {
            Difference::Value | Difference::Crash => true,
            Difference::Same | Difference::Unknown => false,
        })
    };
    // Randoop's assertions compare numbers exactly.
    let (places, exact) = (0..mutants.len(), exact());
    let regression: Vec<Vec<bool>> = (suites.rows.iter())
        .map(|rows| places.clone().map(|m| differs(m, rows.clone(), &exact)).collect())
        .collect();

    let doubt = SecondLook { subject, guided: &guided, tolerance, seed };
    let hunted = doubt.of_relations(claims, settings.hunted, jobs)?;
    let is_unseen = |&mutant: &usize| {
        let seen = verdicts.iter().flat_map(|suite| &suite.claims);
        let mut seen = seen.map(|claim| claim.deviations[mutant].is_any());
        !seen.any(|seen| seen) && !differs(mutant, 0..suites.inputs.len(), &tolerance)
    };
    let unseen: Vec<usize> = places.filter(is_unseen).collect();
    let numbers: Vec<usize> = unseen.iter().map(|&place| mutants[place]).collect();
    let (found, compared_on) = doubt.of_mutants(&numbers, settings.compared, jobs)?;
    let mut likeness = vec![Likeness::Differs; mutants.len()];
    for (place, found) in unseen.into_iter().zip(found) {
        let is_close = regression.iter().any(|killed| killed[place]);
        likeness[place] = if is_close { found.max(Likeness::Close) } else { found };
    }

    let facts = Facts { trial, settings, suites, twins, verdicts, regression, hunted, likeness };
    Ok(facts.assessment(compared_on))
}

/// Everything that the assessment is computed from.
struct Facts<'f> {
    trial: Trial<'f>,
    settings: &'f Settings,
    suites: Suites,
    /// By mutant: a training mutant that behaves the same.
    twins: Vec<Option<usize>>,
    /// One entry for each suite.
    verdicts: Vec<Verdicts>,
    /// Indexed by suite and mutant.
    regression: Vec<Vec<bool>>,
    /// Indexed by claim and relation.
    hunted: Vec<Vec<filter::Verdict>>,
    /// One entry for each mutant.
    likeness: Vec<Likeness>,
}

impl Facts<'_> {
    fn assessment(&self, compared_on: usize) -> Assessment {
        let Settings { tolerance, seed, .. } = *self.settings;
        let signature = self.trial.subject.signature();
        let stands = self.stands();
        let refuted: Vec<Vec<bool>> = (self.hunted.iter())
            .map(|claim| claim.iter().map(|v| !v.counterexamples.is_empty()).collect())
            .collect();
        let equivalent: Vec<bool> = self.likeness.iter().map(|l| *l == Likeness::Alike).collect();
        let twins: Vec<bool> = self.twins.iter().map(Option::is_some).collect();
        let suites: Vec<SuiteScores> = (self.verdicts.iter().zip(&self.regression))
            .zip(&self.suites.rows)
            .map(|((verdicts, regression), rows)| {
                let known = SuiteFacts {
                    stands: &stands,
                    hunted: &refuted,
                    equivalent: &equivalent,
                    twins: &twins,
                    regression,
                };
                let relations = verdicts.claims.iter().flat_map(|claim| &claim.relations);
                SuiteScores {
                    inputs: rows.len(),
                    pairs: verdicts.claims.iter().map(|claim| claim.pairs).sum(),
                    valid: relations.filter(|relation| relation.is_valid()).count(),
                    counts: Counts::of(verdicts, &known, |_| true),
                    scores: Scores::of(verdicts, &known),
                }
            })
            .collect();
        let relations = self.relations(&stands);
        let unrefuted = relations.iter().filter(|r| r.false_alarms == 0 && r.pairs > 0).count();
        let standing = relations.iter().filter(|r| r.stands).count();
        let all = self.mutants(&stands);
        let names = |chosen: &dyn Fn(usize) -> bool| -> Vec<String> {
            let places = (0..all.len()).filter(|&place| chosen(place));
            places.map(|place| all[place].name.clone()).collect()
        };
        let survived = |place: usize| {
            all[place].verdicts.iter().all(|verdict| verdict == Verdict::Survived.word())
        };
        Assessment {
            version: VERSION,
            tool: format!("genmorph {}", crate::VERSION),
            function: signature.function.clone(),
            signature: signature.to_string(),
            seed: seed.0,
            tolerance: tolerance.into(),
            pz: share(standing, relations.len()).unwrap_or(0.0),
            pzo: share(standing, unrefuted),
            mean: Scores::mean(&suites.iter().map(|suite| suite.scores).collect::<Vec<_>>()),
            compared_on,
            equivalent: names(&|place| equivalent[place]),
            within_tolerance: names(&|place| self.likeness[place] == Likeness::Close),
            fail_otherwise: names(&|place| self.likeness[place] == Likeness::FailsOtherwise),
            never_killed: names(&|place| !equivalent[place] && survived(place)),
            suites,
            relations,
            mutants: all,
        }
    }

    /// By claim and relation: whether it was tried, and neither a suite nor the hunt refutes it.
    fn stands(&self) -> Vec<Vec<bool>> {
        let stands = |claim: usize, relation: usize| {
            let suites = || self.verdicts.iter().map(|verdicts| &verdicts.claims[claim]);
            suites().any(|on| on.pairs > 0)
                && suites().all(|on| on.relations[relation].is_valid())
                && self.hunted[claim][relation].counterexamples.is_empty()
        };
        let claims = self.trial.claims.iter().enumerate();
        claims
            .map(|(claim, claimed)| {
                (0..claimed.relations.len()).map(|r| stands(claim, r)).collect()
            })
            .collect()
    }

    fn relations(&self, stands: &[Vec<bool>]) -> Vec<RelationScores> {
        let signature = self.trial.subject.signature().of_executions();
        let schema = signature.schema().expect("names were checked with the signature");
        let mut all = Vec::new();
        for (claim, claimed) in self.trial.claims.iter().enumerate() {
            for (relation, text) in claimed.relations.iter().enumerate() {
                let suites = || self.verdicts.iter().map(|verdicts| &verdicts.claims[claim]);
                let on = || suites().map(|claim| &claim.relations[relation]);
                let stands = stands[claim][relation];
                let kills_on =
                    |mutant: usize| on().filter(|on| stands && on.violated[mutant]).count();
                let kills: Vec<(usize, usize)> = (0..self.likeness.len())
                    .map(|mutant| (mutant, kills_on(mutant)))
                    .filter(|(_, suites)| *suites > 0)
                    .collect();
                let own = self.verdicts.iter().map(|v| single_score(v, claim, relation));
                let hunted = &self.hunted[claim][relation];
                let counterexample = hunted.counterexamples.first();
                all.push(RelationScores {
                    transformation: claimed.transform.describe().name,
                    relation: text.display(&schema).to_string(),
                    stands,
                    pairs: suites().map(|claim| claim.pairs).sum(),
                    false_alarms: on().map(|on| on.false_alarms).sum(),
                    valid_on: on().filter(|on| on.is_valid()).count(),
                    hunted: hunted.tried,
                    counterexample: counterexample.map(|p| Counterexample::new(p, &signature)),
                    ms: if stands { mean(own) } else { Some(0.0) },
                    kills: kills.iter().map(|(m, _)| self.mutant(*m).name.clone()).collect(),
                    kills_on: kills.iter().map(|(_, suites)| *suites).collect(),
                });
            }
        }
        all
    }

    fn mutants(&self, stands: &[Vec<bool>]) -> Vec<MutantVerdicts> {
        let each = (0..self.likeness.len()).map(|place| {
            let mutant = self.mutant(place);
            let verdict = |verdicts: &Verdicts| together(verdicts, stands, place).word().to_owned();
            let differs = |verdicts: &Verdicts| {
                verdicts.claims.iter().any(|claim| claim.deviations[place].is_any())
            };
            let mutants = self.trial.subject.mutants();
            MutantVerdicts {
                name: mutant.name.clone(),
                operator: mutant.operator.to_owned(),
                change: mutant.to_string(),
                same_as: self.twins[place].map(|number| mutants[number].name.clone()),
                verdicts: self.verdicts.iter().map(verdict).collect(),
                differs: self.verdicts.iter().map(differs).collect(),
                regression: self.regression.iter().map(|killed| killed[place]).collect(),
            }
        });
        each.collect()
    }

    /// The mutant at a position of the list.
    fn mutant(&self, place: usize) -> &Mutant {
        &self.trial.subject.mutants()[self.trial.mutants[place]]
    }
}
