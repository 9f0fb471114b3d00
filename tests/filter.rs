//! What is wrong is refuted, what is true stands; and `genmorph filter` as users run it.

use std::fs;
use std::time::{Duration, Instant};

use genmorph::claims;
use genmorph::filter::{By, Filter, Verdict};
use genmorph::inputs::{self, Watch};
use genmorph::jit::{Predicate, Tolerance, Value};
use genmorph::subject::wasm::{Engine, WasmSubject};
use genmorph::subject::{Inputs, Subject, wasm::WasmDefinition};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;
use genmorph::transform::Transform;

use crate::cli::{fed, genmorph, refuses};
use crate::folder::{Folder, subject};

/// A relation of an example subject.
struct Case {
    line: String,
    subject: WasmSubject,
    transform: Transform,
    relation: Predicate,
}

impl Case {
    fn new(line: &str) -> Case {
        let (name, stated) = line.split_once(": ").expect("a subject before the relation");
        let definition = WasmDefinition::read(subject(&format!("{name}.toml"))).unwrap();
        let subject = WasmSubject::defined(&definition, Engine::default()).unwrap();
        let claims = claims::read(line, stated, &subject.signature().of_executions()).unwrap();
        let stated = claims.groups.into_iter().next().unwrap();
        let relation = stated.relations.into_iter().next().unwrap();
        Case { line: line.to_owned(), subject, transform: stated.transform, relation }
    }

    /// All cases of a file.
    fn all(file: &str) -> Vec<Case> {
        let text = fs::read_to_string(subject(&format!("wide/{file}.txt"))).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(Case::new).collect()
    }

    /// Inputs that take all branches.
    fn seen(&self, jobs: &Jobs) -> Inputs {
        let settings =
            inputs::Settings { count: 500, effort: 20_000, ..inputs::Settings::default() };
        let sources =
            inputs::generate(&self.subject, &settings, Seed(7), jobs, &Watch::NOBODY).unwrap();
        sources.inputs
    }

    /// Judges the relation by fresh pairs, then by a hunt, and shrinks what refutes it.
    fn judge(&self, pairs: usize, effort: usize, stop: &dyn Fn() -> bool) -> Verdict {
        let jobs = Jobs::new(2).unwrap();
        let seen = self.seen(&jobs);
        let Case { subject, transform, relation, .. } = self;
        let relations = std::slice::from_ref(relation);
        let tolerance = Tolerance::default();
        let mut filter = Filter::new(subject, transform, &seen, tolerance, Seed(3), &jobs);
        let mut verdict = filter.judge(relations, pairs, stop).unwrap().remove(0);
        if !verdict.is_refuted() {
            verdict = verdict.and(filter.hunt(relations, effort, stop).unwrap().remove(0));
        }
        if let Some(pair) = verdict.counterexamples.first() {
            verdict.counterexamples[0] = filter.shrink(relation, pair, &|| false).unwrap();
        }
        verdict
    }
}

#[test]
fn relations_that_are_wrong_on_rare_inputs_are_refuted() {
    let cases = Case::all("wrong");
    assert!(cases.len() >= 12);
    let (mut missed, mut hunted) = (Vec::new(), 0);
    for case in &cases {
        let verdict = case.judge(10_000, 80_000, &|| false);
        match verdict.by {
            Some(By::Hunt) => hunted += 1,
            Some(By::Fresh) => {}
            None => missed.push(&case.line),
        }
    }
    assert!(12 * missed.len() <= cases.len(), "{missed:#?}");
    // The hunt is for what chance does not find.
    assert!(hunted >= 8, "{hunted} of {}", cases.len());
}

#[test]
fn relations_that_are_true_stand() {
    let cases = Case::all("true");
    assert!(cases.len() >= 12);
    for case in &cases {
        let verdict = case.judge(5_000, 15_000, &|| false);
        assert!(verdict.stands(), "{}: {verdict:?}", case.line);
        assert!(verdict.hunted > 0, "{}", case.line);
    }
}

#[test]
#[ignore = "takes 25 minutes: `cargo test --test main filter:: -- --ignored`"]
fn relations_that_are_true_stand_for_a_minute() {
    for case in &Case::all("true") {
        let start = Instant::now();
        let stop = || start.elapsed() > Duration::from_secs(60);
        let verdict = case.judge(100_000, usize::MAX, &stop);
        assert!(verdict.stands(), "{}: {verdict:?}", case.line);
    }
}

#[test]
fn a_small_domain_is_gone_through_as_a_whole() {
    let case = Case::new("next_prime/subject: NumericAddition(1) on n => out_f - out_s < 34");
    let verdict = case.judge(100_000, 0, &|| false);
    assert_eq!(verdict.by, Some(By::Fresh));
    assert_eq!(verdict.counterexamples[0].source, [Value::Num(1_327.0)]);
    let case = Case::new("next_prime/subject: NumericAddition(1) on n => out_f - out_s <= 34");
    let verdict = case.judge(100_000, 0, &|| false);
    assert!(verdict.stands() && verdict.is_exhausted, "{verdict:?}");
    // Of 0 to 4,999; what is negative is refused, and 5,001 is not in the domain.
    assert_eq!(verdict.tried, 5_000);
}

#[test]
fn counterexamples_are_shrunk() {
    let case = Case::new("mean/subject: SequenceRemove(0) on values => out_f < out_s + 900");
    let verdict = case.judge(100_000, 100_000, &|| false);
    let Value::Seq(values) = &verdict.counterexamples[0].source[0] else { panic!("a list") };
    assert_eq!(values.len(), 2, "{values:?}");
    let case = Case::new("min/subject: SequenceRemove(0) on values => out_f >= out_s");
    let verdict = case.judge(100_000, 0, &|| false);
    let nan = format!("{:?}", verdict.counterexamples[0].source);
    assert_eq!(nan, "[Seq([NaN, 0.0])]");
}

#[test]
fn verdicts_do_not_depend_on_threads_and_memory_is_bounded_by_blocks() {
    let case = Case::new("wide/gcd: NumericMultiplication(3) on p => out_f < 3000000000");
    let one = Jobs::new(1).unwrap();
    let seen = case.seen(&one);
    let judged = |jobs: &Jobs| {
        let Case { subject, transform, relation, .. } = &case;
        let relations = std::slice::from_ref(relation);
        let mut filter =
            Filter::new(subject, transform, &seen, Tolerance::default(), Seed(3), jobs);
        let fresh = filter.judge(relations, 60_000, &|| false).unwrap().remove(0);
        let hunted = filter.hunt(relations, 20_000, &|| false).unwrap().remove(0);
        fresh.and(hunted)
    };
    assert_eq!(judged(&one), judged(&Jobs::new(2).unwrap()));
}

#[test]
fn who_is_late_tries_a_little_and_trusts_nothing_that_was_cut_short() {
    let case = Case::new("sin/subject: NumericMultiplication(-1) on x => out_f + out_s == 0");
    let jobs = Jobs::new(1).unwrap();
    let seen = case.seen(&jobs);
    let Case { subject, transform, relation, .. } = &case;
    let relations = std::slice::from_ref(relation);
    let mut filter = Filter::new(subject, transform, &seen, Tolerance::default(), Seed(3), &jobs);
    for _ in 0..2 {
        let verdict = filter.judge(relations, 100_000, &|| true).unwrap().remove(0);
        assert!(verdict.is_cut && verdict.is_doubtful(), "{verdict:?}");
        assert!((1..60_000).contains(&verdict.tried), "{verdict:?}");
    }
    let verdict = filter.judge(relations, 100_000, &|| false).unwrap().remove(0);
    assert!(verdict.stands(), "{verdict:?}");
}

const TRUE: &str = "NumericAddition(1) on n => out_f == out_s or out_s == n_s";
const FALSE: &str = "NumericAddition(1) on n => out_f - out_s < 34";

#[test]
fn the_command_says_what_stands_and_shows_what_does_not() {
    let next_prime = subject("next_prime/subject.toml");
    let run = |relations: &str| fed(&["filter", "-", &next_prime, "--hunt", "2000"], relations);
    let all = run(TRUE);
    assert_eq!(all.code, Some(0), "{}", all.err);
    assert!(all.out.contains("stands ") && all.out.contains("1 of 1 stand"), "{}", all.out);
    let some = run(&format!("{FALSE}\n# mine\n{TRUE}\n"));
    assert_eq!(some.code, Some(4), "{}", some.err);
    assert!(some.out.contains("source     n = 1327  ->  out = 1327"), "{}", some.out);
    assert!(some.out.contains("follow-up  n = 1328  ->  out = 1361"), "{}", some.out);
    let none = run(FALSE);
    assert_eq!(none.code, Some(3), "{}", none.out);
}

#[test]
fn a_run_can_be_filtered_and_refuted_relations_are_written() {
    let scratch = Folder::of("filter-run");
    let (out, gcd) = (scratch.at("out"), subject("gcd/subject.toml"));
    let bounds = ["--generations", "8", "--population", "60", "--transformations", "2"];
    let fewer = ["--fresh", "3000", "--hunt", "3000", "--sources", "200"];
    let made = genmorph(&[&["generate", &gcd, "-o", &out][..], &bounds, &fewer].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert!(fs::read_to_string(scratch.path().join("out/refuted.json")).is_ok());
    let run = genmorph(&["filter", &out, "--subject", &gcd, "--hunt", "2000", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("\"verdict\": \"stands\""), "{}", run.out);

    let file = scratch.at("refuted.json");
    let wrong = "NumericAddition(1) on p => out_f == out_s";
    let refute = ["filter", wrong, &gcd, "--hunt", "100", "-o", &file];
    assert_eq!(genmorph(&refute).code, Some(3));
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("\"by\": \"fresh\"")
            && written.contains(wrong.split(" => ").next().unwrap())
    );
    assert!(refuses(&refute).contains("is there already"));
    assert_eq!(genmorph(&[&refute[..], &["--force"]].concat()).code, Some(3));
}

#[test]
fn bad_claims_are_refused_with_what_to_do() {
    let gcd = subject("gcd/subject.toml");
    let says = |relations: &str| refuses(&["filter", relations, &gcd]);
    assert!(says("NumericAddition(1) on n => out_f == out_s").contains("has no parameter `n`"));
    assert!(says("NumericAddition(1) on p => out_f == out").contains("unknown variable"));
    assert!(says("nothing.txt").contains("nothing.txt"));
    assert!(says("nothing.txt").contains("=>"));
    let scratch = Folder::of("filter-bad");
    let other = scratch.write(
        "relations.json",
        r#"{"function": "pow", "transformation": "NumericAddition(1) on e", "tolerance": {"abs": 0, "rel": 0}, "relations": []}"#,
    );
    assert!(says(&other).contains("is about `pow`, and the subject is `gcd`"));
}

#[test]
fn the_time_of_a_hunt_is_kept() {
    let sin = subject("sin/subject.toml");
    let relation = "NumericMultiplication(-1) on x => out_f + out_s == 0";
    // Nothing but the time ends this hunt, and a busy machine only makes it longer.
    let (budget, start) = (Duration::from_secs(6), Instant::now());
    let calls = "1000000000000";
    let run = genmorph(&["filter", relation, &sin, "--budget", "6s", "--hunt", calls]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(start.elapsed() >= budget, "{:?}", start.elapsed());
}
