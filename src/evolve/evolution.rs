//! The search itself: a state that goes from one generation to the next.
//!
//! ```text
//!  first ─► score ─► archive, record ─► migrate ─► breed ─► score ─► …
//!             └──────── step ────────┘    └──────── step ────────┘
//! ```
//! Between two steps the state is two scored populations, the archive, and a few counters. All random
//! numbers come from the seed and the number of the generation, so nothing else has to be kept.

use std::sync::Arc;

use genmorph_jit::{Counters, Predicate, Schema};

use super::archive::Archive;
use super::breed::Breeder;
use super::elite::Elite;
use super::fit::Fit;
use super::grammar::Grammar;
use super::record::{Best, Generation, Population};
use super::rows::Rows;
use super::score::{Order, Score};
use super::scorer::{Machine, Scorer};
use super::select::{Ranking, best};
use super::{EvolveError, digest, migration};
use crate::evolve::config::Config;
use crate::executions::{CORRECT, Executions, INCORRECT};
use crate::support::seed::Seed;

/// Two populations that evolve relations over some executions.
#[derive(Debug)]
pub struct Evolution {
    pub(crate) config: Config,
    pub(crate) seed: Seed,
    /// Of the executions: a checkpoint is for these only.
    pub(crate) digest: u64,
    pub(crate) grammar: Grammar,
    fit: Fit,
    pub(crate) scorer: Scorer,
    pub(crate) state: State,
    elite: Elite,
    scores: Vec<Score>,
}

/// What a search has come to. All of it goes into a checkpoint.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) generation: u64,
    pub(crate) evaluations: u64,
    pub(crate) restarts: u64,
    /// The generation in which the populations last became better.
    pub(crate) improved: u64,
    /// The generation in which the best relation of the run was found.
    pub(crate) found: u64,
    /// The best score since the populations last started.
    pub(crate) record: Option<Score>,
    /// Both populations, one after the other.
    pub(crate) members: Vec<Predicate>,
    pub(crate) archive: Archive,
}

impl Evolution {
    /// A search that is about to begin.
    ///
    /// # Errors
    /// When the settings are out of range, or the executions cannot tell relations apart.
    pub fn new(
        executions: &Executions,
        config: &Config,
        seed: Seed,
        machine: Machine,
    ) -> Result<Evolution, EvolveError> {
        config.check()?;
        let table = &executions.table;
        let groups = table.layout().groups();
        let rows = |group: usize| groups.get(group).map_or(0, |group| group.rows);
        if rows(CORRECT) == 0 {
            return Err(EvolveError::NoCorrect);
        }
        if rows(INCORRECT) == 0 {
            return Err(EvolveError::NoIncorrect);
        }
        let named = executions.row_mutants.iter().chain(executions.also.iter().map(|(_, m)| m));
        let names_fit = named.into_iter().all(|&m| (m as usize) < executions.mutants.len())
            && executions.also.iter().all(|&(row, _)| (row as usize) < rows(INCORRECT));
        if executions.row_mutants.len() != rows(INCORRECT) || !names_fit {
            return Err(EvolveError::Mutants);
        }
        let pairs = executions.signature.output_pairs();
        if pairs.is_empty() {
            return Err(EvolveError::NoOutput);
        }
        let grammar = Grammar::new(table.schema(), pairs, config);
        let sample = seed.stream("match");
        let rows = Rows::new(executions, config.weights, config.match_rows, sample);
        let fit = Fit::new(Arc::clone(&rows.sample));
        let archive = Archive::new(rows.mutants());
        let scorer = Scorer::new(rows, machine, config.population)?;
        Ok(Evolution {
            config: config.clone(),
            seed,
            digest: digest::of(executions),
            grammar,
            fit,
            scorer,
            state: State {
                generation: 0,
                evaluations: 0,
                restarts: 0,
                improved: 0,
                found: 0,
                record: None,
                members: Vec::new(),
                archive,
            },
            elite: Elite::default(),
            scores: Vec::new(),
        })
    }

    /// The same search over other executions of the same function: what it has come to goes on from
    /// here. More correct rows refute relations that were taken to be without false positives.
    ///
    /// # Errors
    /// When the executions cannot tell relations apart.
    ///
    /// # Panics
    /// If they are over other variables.
    pub fn moved_to(self, executions: &Executions) -> Result<Evolution, EvolveError> {
        let variables = executions.table.schema().iter();
        assert!(self.schema().iter().eq(variables), "executions of the same function");
        let kept: Vec<Predicate> =
            self.state.archive.entries().iter().map(|entry| entry.relation.clone()).collect();
        let Evolution { config, seed, scorer, state, .. } = self;
        let mut moved = Evolution::new(executions, &config, seed, scorer.machine)?;
        moved.state = State {
            improved: state.generation,
            found: state.generation,
            record: None,
            archive: Archive::new(moved.scorer.rows.mutants()),
            ..state
        };
        moved.settle(&kept);
        Ok(moved)
    }

    /// Judges the populations and other relations, as they are.
    pub(crate) fn settle(&mut self, kept: &[Predicate]) {
        self.score();
        let Evolution { grammar, scorer, state, scores, .. } = self;
        state.archive.consider(&state.members, scores, scorer);
        let scores = scorer.scores(kept, grammar);
        state.archive.consider(kept, &scores, scorer);
    }

    /// How many generations are done.
    pub fn generation(&self) -> u64 {
        self.state.generation
    }

    /// How many individuals have been scored.
    pub fn evaluations(&self) -> u64 {
        self.state.evaluations
    }

    /// For how many generations no better relation has been found.
    pub fn unimproved(&self) -> u64 {
        self.state.generation - self.state.found
    }

    /// Whether a relation without false positives and without false negatives has been found.
    pub fn is_perfect(&self) -> bool {
        self.state.archive.best().is_some_and(|best| best.score.fn_ == 0)
    }

    /// The settings of the search.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The seed of the search.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The variables of the relations.
    pub fn schema(&self) -> &Schema {
        self.grammar.schema()
    }

    /// The rows that relations are judged on: correct and incorrect.
    pub fn rows(&self) -> [usize; 2] {
        [self.scorer.rows.correct, self.scorer.rows.incorrect]
    }

    /// What the evaluation core has done in this process.
    pub fn counters(&self) -> Counters {
        self.scorer.counters()
    }

    /// Goes on by one generation.
    pub fn step(&mut self) -> Generation {
        self.within_pool(|search| {
            search.breed();
            search.judge()
        })
    }

    /// Does something on a thread of the pool, which is near the others.
    #[doc(hidden)]
    pub fn within_pool<R: Send>(&mut self, work: impl FnOnce(&mut Evolution) -> R + Send) -> R {
        let pool = Arc::clone(&self.scorer.pool);
        pool.within(|| work(self))
    }

    /// The first half of a step: makes the individuals of the next generation.
    #[doc(hidden)]
    pub fn breed(&mut self) {
        let Evolution { config, grammar, fit, scorer, state, elite, scores, .. } = self;
        let next = state.generation + 1;
        let breeder = Breeder { config, grammar, fit, stream: self.seed.stream("evolve").at(next) };
        let is_stuck =
            config.restart_after > 0 && state.generation - state.improved >= config.restart_after;
        state.members = if state.generation == 0 || is_stuck {
            if is_stuck {
                state.restarts += 1;
                state.improved = next;
                state.record = None;
            }
            breeder.first(scorer)
        } else {
            if state.generation.is_multiple_of(config.migration_every) {
                migration::exchange(&mut state.members, scores, config.migration_size());
            }
            breeder.next(&state.members, scores, elite, scorer)
        };
        state.generation = next;
    }

    /// The second half of a step: scores the individuals, and keeps what is worth keeping.
    #[doc(hidden)]
    pub fn judge(&mut self) -> Generation {
        self.score();
        let Evolution { scorer, state, scores, .. } = self;
        state.evaluations += state.members.len() as u64;
        if state.archive.consider(&state.members, scores, scorer) {
            state.found = state.generation;
        }
        let found = self.best_of(Order::Fp).map(|best| self.scores[best]);
        let state = &mut self.state;
        if let Some(score) = found {
            let better = |record: &Score| Order::Fp.compare(&score, record).is_lt();
            if state.record.as_ref().is_none_or(better) {
                state.record = Some(score);
                state.improved = state.generation;
            }
        }
        self.record()
    }

    /// Scores the members of both populations.
    pub(crate) fn score(&mut self) {
        self.scores = self.scorer.scores(&self.state.members, &self.grammar);
    }

    /// The best individual of a population that relates an output pair.
    fn best_of(&self, order: Order) -> Option<usize> {
        let each = self.config.population;
        let first = order as usize * each;
        let scored = Ranking {
            order,
            members: &self.state.members[first..][..each],
            scores: &self.scores[first..][..each],
        };
        let best = best(&scored, 1, |member| scored.scores[member].related);
        best.first().map(|member| first + member)
    }

    fn record(&self) -> Generation {
        let schema = self.schema();
        let named = |relation: &Predicate, score: &Score| Best {
            relation: relation.display(schema).to_string(),
            fp: score.fp,
            fn_: score.fn_,
            size: relation.size(),
        };
        let each = self.config.population;
        let population = |order: Order| {
            let scores = &self.scores[order as usize * each..][..each];
            Population {
                order,
                best: self
                    .best_of(order)
                    .map(|best| named(&self.state.members[best], &self.scores[best])),
                without_fp: scores.iter().filter(|score| score.fp == 0).count(),
                nodes: scores.iter().map(|score| u64::from(score.size)).sum(),
            }
        };
        let state = &self.state;
        Generation {
            generation: state.generation,
            evaluations: state.evaluations,
            best: state.archive.best().map(|best| named(&best.relation, &best.score)),
            killed: state.archive.killed(),
            populations: Order::BOTH.map(population),
            restarts: state.restarts,
        }
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::engine::reference;
    use genmorph_jit::{Policy, Tier};

    use super::*;
    use crate::evolve::example;

    fn evolved(config: &Config, seed: u64, machine: Machine, generations: u64) -> Evolution {
        let mut evolution = Evolution::new(&example::power(), config, Seed(seed), machine).unwrap();
        while evolution.generation() < generations {
            evolution.step();
        }
        evolution
    }

    #[test]
    fn threads_and_tiers_do_not_change_the_result() {
        for config in [Config::paper(), Config::default()] {
            let config = Config { population: 100, ..config };
            let on = |jobs, policy| evolved(&config, 5, Machine { jobs, policy }, 12).checkpoint();
            let expected = on(1, Policy::Auto);
            assert_eq!(on(2, Policy::Auto), expected);
            assert_eq!(on(3, Policy::Only(Tier::Bytecode)), expected);
            assert_eq!(on(2, Policy::Only(Tier::Reference)), expected);
            assert_ne!(evolved(&config, 6, Machine::default(), 12).checkpoint(), expected);
        }
    }

    #[test]
    fn every_seed_finds_the_multiplicative_relation() {
        for seed in 0..5 {
            let config = Config { population: 300, ..Config::default() };
            let mut evolution = evolved(&config, seed, Machine::default(), 60);
            let table = example::power().table;
            let strong = genmorph_jit::parse("out_f * k_s == out_s", table.schema()).unwrap();
            let missed = reference::evaluate(&strong, &table).count_ones_in(INCORRECT);
            let outcome = evolution.outcome();
            let best = &outcome.relations[0];
            assert!(best.fn_ as usize <= missed, "{seed}: {} misses {}", best.text(), best.fn_);
            assert!(outcome.refuted.is_empty());
            for found in &outcome.relations {
                let mask = reference::evaluate(&found.relation, &table);
                let correct = table.layout().groups()[CORRECT].rows;
                assert_eq!(mask.count_ones_in(CORRECT), correct, "{}", found.text());
            }
        }
    }

    #[test]
    fn executions_that_tell_nothing_apart_are_refused() {
        let new = |executions: &Executions| {
            Evolution::new(executions, &Config::default(), Seed(1), Machine::default()).map(|_| ())
        };
        let mut executions = example::power();
        executions.row_mutants[0] = 99;
        assert_eq!(new(&executions), Err(EvolveError::Mutants));
        executions.row_mutants.clear();
        assert_eq!(new(&executions), Err(EvolveError::Mutants));
        let mut executions = example::power();
        executions.signature.outputs.clear();
        assert_eq!(new(&executions), Err(EvolveError::NoOutput));
    }
}
