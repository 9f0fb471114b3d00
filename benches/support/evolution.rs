//! Populations as they evolve: recorded generations for the population path.
//!
//! The paper's algorithm in small (two populations, tournaments of two, 90 % crossover, 30 % mutation,
//! ten elite individuals each, migration of 160 every ten generations), on executions of real
//! functions, so that selection has something to select.

use std::ops::Range;
use std::sync::Arc;

use genmorph_jit::{Batch, Expr, Node, OneThread, Predicate, Schema, Table};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use super::grow::Grower;

const MAX_SIZE: usize = 16;
const ELITE: usize = 10;
const MIGRANTS: usize = 160;

/// Whether size decides between relations that are otherwise equally good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parsimony {
    /// As in the paper: relations soon have one atom.
    On,
    /// Relations stay as large as the bound allows: several atoms each.
    Off,
}

/// The populations of every generation: both, one after the other. The grower is of the table's
/// schema; no relation has an operator that it does not draw.
pub fn record(
    table: &Arc<Table>,
    grower: &Grower<'_>,
    each: usize,
    generations: usize,
    parsimony: Parsimony,
) -> Vec<Vec<Predicate>> {
    let schema = table.schema();
    let mut rng = StdRng::seed_from_u64(7);
    let mut population: Vec<Predicate> =
        (0..2 * each).map(|_| grower.relation(rng.random_range(3..=MAX_SIZE), &mut rng)).collect();
    let mut batch = Batch::new(Arc::clone(table), 1 << 30);
    let mut recorded = Vec::new();
    for generation in 1..=generations {
        let counts = batch.counts(&population, &OneThread);
        let keys = keys(&population, counts, table, parsimony);
        let breeder = Breeder { schema, grower, population: &population };
        let next = breeder.next(&keys, each, generation % 10 == 0, &mut rng);
        recorded.push(std::mem::replace(&mut population, next));
    }
    recorded
}

/// Smaller is better: by false positives first, and by false negatives first.
fn keys(
    population: &[Predicate],
    counts: &[u32],
    table: &Table,
    parsimony: Parsimony,
) -> [Vec<[u32; 3]>; 2] {
    let correct = table.layout().groups()[0].rows as u32;
    let objectives = |(counts, relation): (&[u32], &Predicate)| {
        let size = if parsimony == Parsimony::On { relation.size() as u32 } else { 0 };
        (correct - counts[0], counts[1], size)
    };
    let all: Vec<_> = counts.chunks(2).zip(population).map(objectives).collect();
    [
        all.iter().map(|&(fp, fn_, size)| [fp, fn_, size]).collect(),
        all.iter().map(|&(fp, fn_, size)| [fn_, fp, size]).collect(),
    ]
}

struct Breeder<'a> {
    schema: &'a Schema,
    grower: &'a Grower<'a>,
    population: &'a [Predicate],
}

impl Breeder<'_> {
    fn next(
        &self,
        keys: &[Vec<[u32; 3]>; 2],
        each: usize,
        migrate: bool,
        rng: &mut impl Rng,
    ) -> Vec<Predicate> {
        let best = |island: usize, count: usize| {
            let mut ranked: Vec<usize> = (island * each..(island + 1) * each).collect();
            ranked.sort_by_key(|&i| keys[island][i]);
            ranked.truncate(count);
            ranked
        };
        let mut next = Vec::with_capacity(2 * each);
        for (island, keys) in keys.iter().enumerate() {
            next.extend(best(island, ELITE).into_iter().map(|i| self.population[i].clone()));
            if migrate {
                let migrants = best(1 - island, MIGRANTS.min(each / 4));
                next.extend(migrants.into_iter().map(|i| self.population[i].clone()));
            }
            let members = island * each..(island + 1) * each;
            while next.len() < members.end {
                let parents = [(); 2].map(|()| {
                    let rivals = [(); 2].map(|()| rng.random_range(members.clone()));
                    if keys[rivals[0]] <= keys[rivals[1]] { rivals[0] } else { rivals[1] }
                });
                next.push(self.child(parents, rng));
            }
        }
        next
    }

    fn child(&self, [a, b]: [usize; 2], rng: &mut impl Rng) -> Predicate {
        let mut child = self.population[a].clone();
        if rng.random_bool(0.9) {
            child = self.crossover(&child, &self.population[b], rng);
        }
        if rng.random_bool(0.3) {
            child = self.mutate(&child, rng);
        }
        child
    }

    fn crossover(&self, a: &Predicate, b: &Predicate, rng: &mut impl Rng) -> Predicate {
        let (nodes, other) = (a.nodes(), b.nodes());
        for _ in 0..8 {
            let (at, from) = (rng.random_range(0..nodes.len()), rng.random_range(0..other.len()));
            let gone = genmorph_jit::subtree(nodes, at);
            let come = genmorph_jit::subtree(other, from);
            if nodes[at].result(self.schema) == other[from].result(self.schema)
                && nodes.len() - gone.len() + come.len() <= MAX_SIZE
            {
                return self.spliced(nodes, gone, &other[come]);
            }
        }
        a.clone()
    }

    fn mutate(&self, parent: &Predicate, rng: &mut impl Rng) -> Predicate {
        let nodes = parent.nodes();
        for _ in 0..8 {
            let at = rng.random_range(0..nodes.len());
            let ty = nodes[at].result(self.schema).expect("of this schema");
            let gone = genmorph_jit::subtree(nodes, at);
            let room = (MAX_SIZE + gone.len() - nodes.len()).min(5);
            let mut come = Vec::new();
            if self.grower.grow(ty, rng.random_range(1..=room), &mut come, rng) {
                return self.spliced(nodes, gone, &come);
            }
        }
        parent.clone()
    }

    fn spliced(&self, nodes: &[Node], gone: Range<usize>, come: &[Node]) -> Predicate {
        let mut child = nodes.to_vec();
        child.splice(gone, come.iter().copied());
        Predicate::new(Expr(child), self.schema).expect("subtrees of one type were exchanged")
    }
}
