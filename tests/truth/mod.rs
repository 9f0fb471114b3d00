//! Relations that were reported once and are false: the filter has to refute each of them, whatever the seed.

mod functions;

use genmorph::filter::Filter;
use genmorph::inputs::{self, Settings, Watch};
use genmorph::run::Plan;
use genmorph::subject::Subject;
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;
use genmorph::transform::Instance;
use genmorph_jit::{Tolerance, parse};

/// What the filter says of a relation, with the effort that a run has by default: nothing if it would be reported.
fn refused(function: &str, transformation: &str, relation: &str, seed: Seed) -> Option<String> {
    let subject = functions::of(function);
    let signature = subject.signature().of_executions();
    let instance: Instance = transformation.parse().unwrap();
    let transform = instance.bind(&signature).unwrap();
    let relation = parse(relation, &signature.schema().unwrap()).unwrap();
    let jobs = Jobs::new(1).unwrap();
    let settings = Settings { count: 500, effort: 5_000, ..Settings::default() };
    let sources = inputs::generate(&subject, &settings, seed, &jobs, &Watch::NOBODY).unwrap();
    let tolerance = Tolerance::default();
    let mut filter = Filter::new(&subject, &transform, &sources.inputs, tolerance, seed, &jobs);
    let relations = [relation];
    let fresh = filter.judge(&relations, Plan::FRESH, &|| false).unwrap().remove(0);
    if fresh.is_refuted() {
        return Some(format!("fresh, {}", fresh.tried));
    }
    let hunted = filter.hunt(&relations, Plan::HUNTED, &|| false).unwrap().remove(0);
    match () {
        () if hunted.is_refuted() => Some(format!("hunt, {}", hunted.hunted)),
        () if hunted.is_open => Some("open".to_owned()),
        () => None,
    }
}

#[test]
fn relations_that_were_reported_and_are_false_are_refused() {
    let mut missed = Vec::new();
    // Its counterexample is beyond 2^53, where no inputs are made.
    let beyond = |line: &&str| line.starts_with("unsigned_len|");
    assert_eq!(include_str!("false.psv").lines().filter(beyond).count(), 1);
    for line in include_str!("false.psv").lines().skip(1).filter(|line| !beyond(line)) {
        let fields: Vec<&str> = line.split('|').collect();
        let refused = refused(fields[0], fields[1], fields[2], Seed(0));
        println!("{refused:?}  {line}");
        if refused.is_none() {
            missed.push(line);
        }
    }
    assert!(missed.is_empty(), "{} are not refused: {missed:#?}", missed.len());
}

#[test]
fn what_crosses_is_found_where_steps_jump_over_it() {
    for seed in 0..3 {
        let relation = "abs(out_f) != abs(out_s)";
        let refused = refused("log10", "NumericAddition(1) on x", relation, Seed(seed)).unwrap();
        assert_ne!(refused, "open");
    }
}

#[test]
fn numbers_that_differ_for_a_reason_are_reported() {
    let relation = "out_f != out_s";
    assert_eq!(refused("parity", "NumericAddition(1) on x", relation, Seed(1)), None);
}
