//! Relations that were reported once and are false: the filter has to refute each of them, whatever the seed.

mod functions;

use genmorph::filter::Filter;
use genmorph::inputs::{self, Settings, Watch};
use genmorph::run::Plan;
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;
use genmorph::subject::Subject;
use genmorph::transform::Instance;
use genmorph_jit::{Tolerance, parse};

/// Whether the filter refutes a relation, by what and after how many pairs, with the effort that a run has by default.
fn refuted(function: &str, transformation: &str, relation: &str, seed: Seed) -> Option<String> {
    let subject = functions::of(function);
    let signature = subject.signature().of_executions();
    let instance: Instance = transformation.parse().unwrap();
    let transform = instance.bind(&signature).unwrap();
    let relation = parse(relation, &signature.schema().unwrap()).unwrap();
    let jobs = Jobs::new(1).unwrap();
    let settings = Settings { count: 500, effort: 5_000, ..Settings::default() };
    let sources = inputs::generate(&subject, &settings, seed, &jobs, &Watch::NOBODY).unwrap();
    let tolerance = Tolerance::default();
    let mut filter =
        Filter::new(&subject, &transform, &sources.inputs, tolerance, seed, &jobs);
    let relations = [relation];
    let fresh = filter.judge(&relations, Plan::FRESH, &|| false).unwrap().remove(0);
    if fresh.is_refuted() {
        return Some(format!("fresh, {}", fresh.tried));
    }
    let hunted = filter.hunt(&relations, Plan::HUNTED, &|| false).unwrap().remove(0);
    hunted.is_refuted().then(|| format!("hunt, {}", hunted.hunted))
}

#[cfg(not(test))]
pub fn all() {
    relations_that_were_reported_and_are_false_are_refuted();
}

#[cfg_attr(test, test)]
fn relations_that_were_reported_and_are_false_are_refuted() {
    let seeds: u64 = std::env::var("SEEDS").ok().map_or(3, |s| s.parse().unwrap());
    let mut missed = Vec::new();
    for line in include_str!("false.psv").lines().skip(1) {
        let fields: Vec<&str> = line.split('|').collect();
        let found: Vec<Option<String>> =
            (0..seeds).map(|seed| refuted(fields[0], fields[1], fields[2], Seed(seed))).collect();
        println!("{line}\n    {found:?}");
        if found.iter().any(Option::is_none) {
            missed.push(line);
        }
    }
    assert!(missed.is_empty(), "{} are not refuted: {missed:#?}", missed.len());
}
