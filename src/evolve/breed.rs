//! The next generation of both populations: elite, tuned elite, and offspring.
//!
//! ```text
//! population  | elite | tuned | offspring of couple 0 | of couple 1 | …
//! ```
//! Every couple has a random stream of its own, found from the generation and its number, so threads can
//! breed them in any order.

use genmorph_jit::{Node, Predicate};

use super::elite::Elite;
use super::fingerprint::{Fingerprints, fingerprint};
use super::fit::Fit;
use super::grammar::Grammar;
use super::grow;
use super::score::{Order, Score};
use super::scorer::Scorer;
use super::select::{Matches, Ranking, parents};
use super::tune;
use super::vary::Vary;
use crate::evolve::config::{Config, Duplicates};
use crate::support::seed::Stream;

/// How often another offspring is bred in place of one that is there already. Then one is grown.
const ATTEMPTS: u64 = 3;
/// Couples that a thread breeds at a time.
const CHUNK: usize = 64;

/// What the random numbers of a generation are for.
#[derive(Clone, Copy)]
enum Purpose {
    First,
    Couple,
    Tune,
    Again,
}

fn stream(generation: Stream, island: usize, purpose: Purpose) -> Stream {
    generation.at(island as u64).at(purpose as u64)
}

/// What breeding needs besides the populations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Breeder<'a> {
    pub(crate) config: &'a Config,
    pub(crate) grammar: &'a Grammar,
    pub(crate) fit: &'a Fit,
    /// The random stream of the generation to be bred.
    pub(crate) stream: Stream,
}

/// An offspring and its fingerprint, if anybody asks for that.
type Child = (Predicate, u64);

impl Breeder<'_> {
    /// Both populations anew, one after the other.
    pub(crate) fn first(&self, scorer: &Scorer) -> Vec<Predicate> {
        let slots: Vec<(usize, u64)> = self.slots(|_| self.config.population as u64);
        let mut population = scorer.pool.map(
            &slots,
            CHUNK,
            || (),
            |(), &(island, slot)| self.child(self.grown(island, slot, 0).nodes()),
        );
        let mut seen = [Fingerprints::default(), Fingerprints::default()];
        if self.config.duplicates == Duplicates::Replaced {
            for (child, &(island, slot)) in population.iter_mut().zip(&slots) {
                for attempt in 1..=ATTEMPTS {
                    if seen[island].insert(child.1) {
                        break;
                    }
                    *child = self.child(self.grown(island, slot, attempt).nodes());
                }
            }
        }
        population.into_iter().map(|(relation, _)| relation).collect()
    }

    fn grown(&self, island: usize, slot: u64, attempt: u64) -> Predicate {
        let mut rng = stream(self.stream, island, Purpose::First).at(slot).at(attempt).rng();
        grow::first(&mut rng, self.grammar, self.config.max_size, self.config.start)
    }

    /// The next generation of both populations, one after the other.
    pub(crate) fn next(
        &self,
        members: &[Predicate],
        scores: &[Score],
        elite: &mut Elite,
        scorer: &mut Scorer,
    ) -> Vec<Predicate> {
        let each = self.config.population;
        let islands = [0, 1].map(|island| Ranking {
            order: Order::BOTH[island],
            members: &members[island * each..][..each],
            scores: &scores[island * each..][..each],
        });
        let kept = islands.each_ref().map(|scored| {
            let elite = elite.of(scored, self.config.elite_size(), scorer);
            elite.into_iter().map(|i| scored.members[i].clone()).collect::<Vec<Predicate>>()
        });
        let mut populations = [0, 1].map(|island| self.survivors(island, &kept[island]));
        let couples = self.slots(|island| (each - populations[island].len()).div_ceil(2) as u64);
        let matches = [0, 1].map(|island| {
            let mine = couples.iter().filter(|couple| couple.0 == island);
            let streams = mine.map(|&(_, couple)| self.couple(island, couple));
            Matches::of_couples(&islands[island], streams, self.config, scorer)
        });
        let born =
            scorer.pool.map(&couples, CHUNK, Default::default, |buffers, &(island, couple)| {
                let couple = self.couple(island, couple);
                let parents = parents(&islands[island], &matches[island], couple, self.config);
                self.offspring(&islands[island], parents, couple, buffers)
            });
        for (&(island, _), [first, second]) in couples.iter().zip(born) {
            populations[island].push(first);
            if populations[island].len() < each {
                populations[island].push(second);
            }
        }
        if self.config.duplicates == Duplicates::Replaced {
            self.replace_duplicates(&islands, &mut populations, scorer);
        }
        let mut next = Vec::with_capacity(2 * each);
        next.extend(populations.into_iter().flatten().map(|(relation, _)| relation));
        next
    }

    /// The elite, and some of it with other constants.
    fn survivors(&self, island: usize, elite: &[Predicate]) -> Vec<Child> {
        let mut population = Vec::with_capacity(self.config.population);
        population.extend(elite.iter().map(|relation| self.child(relation.nodes())));
        let tunable: Vec<&[Node]> =
            elite.iter().map(Predicate::nodes).filter(|nodes| tune::has_constant(nodes)).collect();
        if tunable.is_empty() {
            return population;
        }
        let mut buffer = Vec::new();
        for slot in 0..self.config.tuned_size() {
            let mut rng = stream(self.stream, island, Purpose::Tune).at(slot as u64).rng();
            buffer.clear();
            buffer.extend_from_slice(tunable[slot % tunable.len()]);
            if tune::tune(&mut rng, &mut buffer) {
                population.push(self.child(&buffer));
            }
        }
        population
    }

    fn offspring(
        &self,
        scored: &Ranking<'_>,
        parents: [usize; 2],
        couple: Stream,
        buffers: &mut [Vec<Node>; 2],
    ) -> [Child; 2] {
        let vary =
            Vary { grammar: self.grammar, config: self.config, fit: self.fit, order: scored.order };
        let parents = parents.map(|parent| scored.members[parent].nodes());
        vary.offspring(&mut couple.at(1).rng(), parents, buffers);
        buffers.each_ref().map(|nodes| self.child(nodes))
    }

    /// Breeds others in place of offspring that their population has already.
    fn replace_duplicates(
        &self,
        islands: &[Ranking<'_>; 2],
        populations: &mut [Vec<Child>; 2],
        scorer: &Scorer,
    ) {
        let mut seen = [(); 2].map(|()| {
            Fingerprints::with_capacity_and_hasher(self.config.population, Default::default())
        });
        let mut again: Vec<(usize, usize)> = Vec::new();
        for island in [0, 1] {
            for (slot, (_, fingerprint)) in populations[island].iter().enumerate() {
                if !seen[island].insert(*fingerprint) {
                    again.push((island, slot));
                }
            }
        }
        // No bits were computed for these couples: they are all tournaments'.
        let config = &Config { best_match: 0.0, ..self.config.clone() };
        let breeder = Breeder { config, ..*self };
        for attempt in 0..ATTEMPTS {
            if again.is_empty() {
                return;
            }
            let couple = |island, slot: usize| {
                stream(self.stream, island, Purpose::Again).at(slot as u64).at(attempt)
            };
            let none = Matches::default();
            let born =
                scorer.pool.map(&again, CHUNK, Default::default, |buffers, &(island, slot)| {
                    let couple = couple(island, slot);
                    let parents = parents(&islands[island], &none, couple, config);
                    breeder.offspring(&islands[island], parents, couple, buffers)
                });
            let mut left = Vec::new();
            for ((island, slot), born) in again.into_iter().zip(born) {
                match born.into_iter().find(|(_, fingerprint)| seen[island].insert(*fingerprint)) {
                    Some(child) => populations[island][slot] = child,
                    None => left.push((island, slot)),
                }
            }
            again = left;
        }
        for (island, slot) in again {
            populations[island][slot] = self.child(self.grown(island, slot as u64, 0).nodes());
        }
    }

    /// A relation of its own memory, and its fingerprint where duplicates matter.
    #[inline]
    fn child(&self, nodes: &[Node]) -> Child {
        let fingerprint = match self.config.duplicates {
            Duplicates::Kept => 0,
            Duplicates::Replaced => fingerprint(nodes),
        };
        (grow::predicate(nodes, self.grammar), fingerprint)
    }

    fn couple(&self, island: usize, couple: u64) -> Stream {
        stream(self.stream, island, Purpose::Couple).at(couple)
    }

    /// Numbered places of both populations.
    fn slots(&self, count: impl Fn(usize) -> u64) -> Vec<(usize, u64)> {
        [0, 1]
            .iter()
            .flat_map(|&island| (0..count(island)).map(move |slot| (island, slot)))
            .collect()
    }
}
