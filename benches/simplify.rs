//! What simplification does to the relations of the example subjects: sizes before and after, verdicts that changed,
//! and the time that a relation takes; then the set of all relations of a subject, folded.
//!
//! `cargo bench --bench simplify` (60 generations a search) or `-- --quick` (15). Names after `--` run those subjects
//! only; `--plain` begins with what `generate` reports instead of what evolution found.

mod support;

use std::time::Instant;

use genmorph::assess::{self, Claim};
use genmorph::evolve::config::{Config, Report};
use genmorph::executions::{CORRECT, Executions, INCORRECT, Kills};
use genmorph::filter::{Filter, Verdict, fresh};
use genmorph::jit::{Evaluator, Policy, Predicate};
use genmorph::run::{Plan, run};
use genmorph::simplify::{Candidate, Simplifier, fold, readability};
use genmorph::subject::wasm::{Engine, WasmSubject};
use genmorph::subject::{Group, Subject, wasm::WasmDefinition};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use support::stopwatch::{cpu, quick};

/// Unseen inputs that both sets of relations are judged on.
const UNSEEN: usize = 1_000;

#[derive(Default)]
struct Totals {
    relations: usize,
    forms: usize,
    before: usize,
    after: usize,
    changed: usize,
    slowest: f64,
    seconds: f64,
    kept: usize,
    asserted: [usize; 3],
}

fn main() {
    println!("{}", cpu());
    let has = |flag: &str| std::env::args().any(|arg| arg == flag);
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let report = if has("--plain") { Report::Plain } else { Report::Found };
    let config = Config { report, ..Config::default() };
    let generations = Some(if quick() { 15 } else { 60 });
    let plan = Plan { config, generations, ..Plan::default() };
    let mut totals = Totals::default();
    let folder = format!("{}/tests/subjects", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("the folder can be read"))
        .filter(|entry| entry.path().join("subject.toml").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in names.into_iter().filter(|name| asked.is_empty() || asked.contains(name)) {
        let definition = WasmDefinition::read(format!("{folder}/{name}/subject.toml"));
        let definition = definition.expect("an example subject can be read");
        let subject = WasmSubject::defined(&definition, Engine::default())
            .expect("an example subject can be run");
        measure(&name, &subject, &plan, &mut totals);
    }
    let Totals { relations, forms, before, after, changed, slowest, seconds, kept, asserted } =
        totals;
    let [mean_before, mean_after] = [before as f64 / relations as f64, after as f64 / forms as f64];
    println!(
        "\n{relations} relations of {mean_before:.2} nodes became {forms} of {mean_after:.2} ({:.0} %, {:.0} % of all nodes); \
         {changed} verdicts changed; {:.3} s each, {slowest:.2} s at most",
        100.0 * mean_after / mean_before,
        100.0 * after as f64 / before as f64,
        seconds / relations as f64,
    );
    println!(
        "{kept} of them are kept; unseen mutants killed by a relation: {} before, {} after, {} by those kept",
        asserted[0], asserted[1], asserted[2],
    );
}

fn measure(name: &str, subject: &WasmSubject, plan: &Plan, totals: &mut Totals) {
    let Ok(generated) = run(subject, plan, &mut |_| ()) else {
        println!("{name}: no relations");
        return;
    };
    let jobs = &Jobs::new(1).expect("one thread");
    let mut mutants: Vec<String> = Vec::new();
    let mut candidates = Vec::new();
    let mut claims = Vec::new();
    for searched in &generated.searched {
        let Some(executions) = &searched.executions else { continue };
        println!("{name}, {}", executions.transformation.name);
        let seen = &generated.sources.inputs;
        let mut filter =
            Filter::new(subject, &searched.transform, seen, plan.tolerance, plan.seed, jobs);
        let mut stands = |relations: &[Predicate]| -> Vec<bool> {
            filter
                .judge(relations, plan.fresh, &|| false)
                .unwrap()
                .iter()
                .map(Verdict::stands)
                .collect()
        };
        let start = Instant::now();
        let mut simplifier = Simplifier::new(executions);
        let ready = start.elapsed().as_secs_f64();
        totals.seconds += ready;
        let start = Instant::now();
        let mut simplified = simplifier.plain(&mut stands);
        totals.seconds += start.elapsed().as_secs_f64();
        let schema = executions.table.schema();
        for plain in &simplified {
            println!("  plain {:>2} {}", plain.size(), plain.display(schema));
        }
        for relation in &searched.relations {
            println!("  {:>2} {}", relation.size(), relation.display(schema));
            let start = Instant::now();
            let forms = simplifier.apart(relation, &mut stands);
            let seconds = start.elapsed().as_secs_f64();
            totals.seconds += seconds;
            totals.slowest = totals.slowest.max(seconds);
            totals.relations += 1;
            totals.before += relation.size();
            for form in &forms {
                println!("    {:>2} {}  ({seconds:.2} s)", form.size(), form.display(schema));
            }
            let new = forms.into_iter().filter(|form| !simplified.contains(form));
            let new: Vec<Predicate> = new.collect();
            simplified.extend(new);
        }
        let told = simplified.len();
        let cover = simplifier.cover(&simplified);
        let simplified: Vec<Predicate> =
            cover.into_iter().map(|place| simplified[place].clone()).collect();
        println!("  {} of {told} it takes", simplified.len());
        totals.forms += simplified.len();
        totals.after += simplified.iter().map(Predicate::size).sum::<usize>();
        // Rows on which something is false may be more, never fewer; and there must be no alarm on the correct rows, nor on
        // fresh ones.
        let old = verdicts(&searched.relations, executions);
        let new = verdicts(&simplified, executions);
        totals.changed += (old.incorrect.iter().zip(&new.incorrect))
            .map(|(old, new)| (!old & new).count_ones() as usize)
            .sum::<usize>();
        totals.changed +=
            new.alarms + stands(&simplified).iter().filter(|stands| !**stands).count();
        for form in &simplified {
            let mut number = |name: &String| {
                mutants.iter().position(|known| known == name).unwrap_or_else(|| {
                    mutants.push(name.clone());
                    mutants.len() - 1
                })
            };
            let killed = verdicts(std::slice::from_ref(form), executions).killed;
            let killed = executions.mutants.iter().zip(&killed).filter(|(_, killed)| **killed);
            candidates.push(Candidate {
                killed: killed.map(|(name, _)| number(name)).collect(),
                cost: readability(form, simplifier.setting()),
                evidence: plan.fresh,
            });
        }
        claims.push((searched, simplified));
    }
    let folded = fold(&candidates);
    let all: Vec<(String, &str)> = claims
        .iter()
        .flat_map(|(searched, simplified)| {
            let schema = searched.executions.as_ref().map(|executions| executions.table.schema());
            let name = searched.claimed.transformation.as_str();
            let schema = schema.expect("it was searched");
            simplified.iter().map(move |form| (form.display(schema).to_string(), name))
        })
        .collect();
    for kept in &folded.kept {
        let (text, transformation) = &all[kept.candidate];
        println!("  kept {name}: {transformation} => {text}   # {}", kept.unique.len());
    }
    totals.kept += folded.kept.len();
    let mut first = 0;
    let mut kept: Vec<Vec<Predicate>> = Vec::new();
    for (_, simplified) in &claims {
        let is_kept = |i: &usize| folded.kept.iter().any(|kept| kept.candidate == first + i);
        let numbers: Vec<usize> = (0..simplified.len()).filter(is_kept).collect();
        kept.push(numbers.iter().map(|&i| simplified[i].clone()).collect());
        first += simplified.len();
    }
    let jobs = Jobs::new(1).expect("one thread");
    let inputs = fresh::inputs(
        subject.signature(),
        subject.constants(),
        &generated.sources.inputs,
        Seed(77),
        UNSEEN,
    );
    let sets: [Vec<&[Predicate]>; 3] = [
        claims.iter().map(|(searched, _)| &searched.relations[..]).collect(),
        claims.iter().map(|(_, simplified)| &simplified[..]).collect(),
        kept.iter().map(|kept| &kept[..]).collect(),
    ];
    let asserted = sets.map(|relations| {
        let claims: Vec<Claim<'_>> = claims
            .iter()
            .zip(relations)
            .map(|((searched, _), relations)| Claim { transform: &searched.transform, relations })
            .collect();
        assess::judge(subject, &claims, Group::B, &inputs, plan.tolerance, &jobs).unwrap().asserted
    });
    println!(
        "  kept {} of {}; unseen mutants killed: {asserted:?}",
        folded.kept.len(),
        candidates.len()
    );
    totals.asserted.iter_mut().zip(asserted).for_each(|(total, asserted)| *total += asserted);
}

/// What relations say together.
struct Verdicts {
    /// The mutants that they kill.
    killed: Vec<bool>,
    /// A bit for every incorrect row on which all of them are true.
    incorrect: Vec<u64>,
    /// How many of them are false on a correct row.
    alarms: usize,
}

fn verdicts(relations: &[Predicate], executions: &Executions) -> Verdicts {
    let words = executions.count(INCORRECT).div_ceil(64);
    let killed = vec![false; executions.mutants.len()];
    let mut all = Verdicts { killed, incorrect: vec![u64::MAX; words], alarms: 0 };
    for relation in relations {
        let mask = Evaluator::new(Policy::Auto).mask(relation, &executions.table);
        all.alarms += usize::from(mask.count_ones_in(CORRECT) < executions.count(CORRECT));
        let words = all.incorrect.iter_mut().zip(mask.group_words(INCORRECT));
        words.for_each(|(all, one)| *all &= one);
        let mut kills = Kills::new(executions);
        all.killed.iter_mut().zip(kills.of(&mask)).for_each(|(all, one)| *all |= one);
    }
    all
}
