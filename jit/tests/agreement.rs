//! 200,000 generated cases through every tier, and through the text form.

use genmorph_jit::oracle::{self, Choices, Engines, Tally};
use genmorph_jit::{Predicate, Tier};

const TABLES: u64 = 25_000;
const RELATIONS: usize = 8;

/// Native code is compiled for every tenth table: 20,000 relations, at 100 µs and more each.
const NATIVE: u64 = 10;

/// Larger relations than evolution makes: many registers, atoms and temporaries.
const LARGE: usize = 900;

#[test]
fn every_engine_gives_the_bits_of_the_reference() {
    let mut bytecode = Engines::bytecode();
    let mut all = Engines::all();
    let mut tally = Tally::default();
    for seed in 0..TABLES {
        let mut choices = Choices::from_seed(seed);
        let schema = oracle::schema(&mut choices);
        let table = oracle::table(&mut choices, &schema);
        let size = if choices.one_in(100) { LARGE } else { 40 };
        let predicates: Vec<Predicate> =
            (0..RELATIONS).map(|_| oracle::predicate(&mut choices, &schema, size)).collect();
        let engines = if seed % NATIVE == 0 {
            all.prepare(&predicates, &table);
            &mut all
        } else {
            &mut bytecode
        };
        for predicate in &predicates {
            match engines.agree(predicate, &table) {
                Ok(verdict) => tally.add(verdict),
                Err(disagreement) => panic!("seed {seed}: {disagreement}"),
            }
            if let Err(fault) = oracle::text_round_trips(predicate, &schema) {
                panic!("seed {seed}: {fault}");
            }
        }
    }
    println!("{tally}");
    assert!(tally.cases >= 200_000);
    assert!(tally.share_sometimes() >= 0.15, "{tally}");
    for engines in [&bytecode, &all] {
        assert_eq!(engines.fallbacks(Tier::Bytecode), 0, "bytecode declined what it should run");
    }
    if cfg!(feature = "native") {
        let (declined, asked) = (all.fallbacks(Tier::Native), all.evaluations(Tier::Native));
        println!("native declined {declined} of {asked}");
        assert!(asked >= 20_000 && declined < asked / 2, "native declined {declined} of {asked}");
    }
}
