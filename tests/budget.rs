//! Nothing runs on when the time is up: every phase makes no more calls, and says of what it did not run that it is unknown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use genmorph::assess::{self, Claim};
use genmorph::claims;
use genmorph::evolve::config::Config;
use genmorph::executions::live::{Census, Difference, MutantStanding, Runs};
use genmorph::filter::{Filter, drift};
use genmorph::inputs::{self, Hunt, InputsError, Watch};
use genmorph::jit::{Tolerance, Value};
use genmorph::run::{GenerateError, Plan, Preparation, run};
use genmorph::subject::wasm::{Engine, WasmDefinition, WasmSubject};
use genmorph::subject::{
    Branch, Constant, Deadline, Group, Identity, Inputs, MachineFailure, Mutant, Outcome, Outcomes,
    Signature, Subject, Traces, Version, Within,
};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use crate::cli::genmorph;
use crate::folder::{Folder, subject};

/// Loops for ever where x is negative.
const LOOP: &str = r#"(module
  (func (export "f") (param $x i32) (result i32)
    (block $done
      (loop $again
        (br_if $done (i32.ge_s (local.get $x) (i32.const 0)))
        (br $again)))
    (i32.add (i32.mul (local.get $x) (i32.const 3)) (i32.const 1))))"#;

/// Does not return at all.
const NEVER: &str = r#"(module
  (func (export "f") (param $x i32) (result i32)
    (loop $again (br $again))
    (unreachable)))"#;

const DEFINITION: &str =
    "module = \"f.wat\"\nexport = \"f\"\nsignature = \"func(x: s32) -> s32\"\n";

/// The definition file of a module with one function.
fn defined(folder: &Folder, module: &str) -> String {
    folder.write("f.wat", module);
    folder.write("subject.toml", DEFINITION)
}

fn loaded(definition: &str) -> WasmSubject {
    let definition = WasmDefinition::read(definition).unwrap();
    WasmSubject::defined(&definition, Engine::default()).unwrap()
}

/// A deadline that is over.
fn over() -> Deadline {
    Deadline::new(Some(Duration::ZERO), &Arc::default())
}

/// A subject that counts how often rows are asked for, and may change its mind after some calls.
struct Counting<'s> {
    subject: &'s dyn Subject,
    requests: AtomicUsize,
    /// From this request on results are other ones.
    drifts: usize,
}

impl<'s> Counting<'s> {
    fn new(subject: &'s dyn Subject) -> Counting<'s> {
        Counting { subject, requests: AtomicUsize::new(0), drifts: usize::MAX }
    }
}

impl Subject for Counting<'_> {
    fn signature(&self) -> &Signature {
        self.subject.signature()
    }

    fn identity(&self) -> &Identity {
        self.subject.identity()
    }

    fn mutants(&self) -> &[Mutant] {
        self.subject.mutants()
    }

    fn constants(&self) -> &[Constant] {
        self.subject.constants()
    }

    fn branches(&self) -> &[Branch] {
        self.subject.branches()
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        let request = self.requests.fetch_add(1, Ordering::Relaxed);
        let outcomes = self.subject.run(version, inputs)?;
        if request < self.drifts {
            return Ok(outcomes);
        }
        let mut others = Outcomes::new(self.signature());
        (0..outcomes.len()).for_each(|_| others.returned(&[Value::Num(-1.0)], 1));
        Ok(others)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.subject.trace(inputs)
    }
}

fn gcd() -> WasmSubject {
    loaded(&subject("gcd/subject.toml"))
}

fn some(subject: &dyn Subject) -> Inputs {
    let rows: Vec<[Value<'static>; 2]> =
        (0..40).map(|i| [f64::from(3 * i), f64::from(2 * i + 1)].map(Value::Num)).collect();
    Inputs::from_rows(subject.signature(), rows.iter().map(<[Value<'_>; 2]>::as_slice))
}

#[test]
fn no_phase_makes_calls_when_the_time_is_up() {
    let gcd = gcd();
    let jobs = Jobs::new(2).unwrap();
    let inputs = some(&gcd);
    let settings = inputs::Settings { count: 50, effort: 2_000, ..inputs::Settings::default() };
    let mut sources = inputs::generate(&gcd, &settings, Seed(1), &jobs, &Watch::NOBODY).unwrap();
    let counting = Counting::new(&gcd);
    let late = Within::new(&counting, over());

    let found = inputs::generate(&late, &settings, Seed(1), &jobs, &Watch::NOBODY);
    assert!(matches!(found, Err(InputsError::TimeUp { calls: 0, .. })), "{found:?}");
    let training = gcd.mutants_of(Group::A);
    let deadline = over();
    let watch = Watch { stop: &|| false, deadline: &deadline, progress: &|_| () };
    let hunt = Hunt { mutants: &training, effort: 100_000, jobs: &jobs, watch: &watch };
    let before = sources.clone();
    let enriched = inputs::enrich(&late, &mut sources, &hunt, Seed(1)).unwrap();
    assert!(enriched.added == 0 && sources == before);

    let tolerance = Tolerance::default();
    let runs = Runs::of(&late, &training, inputs.clone(), &jobs).unwrap();
    assert!(runs.mutants.iter().all(|mutant| !mutant.is_run(0)));
    assert_eq!(runs.difference(0, 0, &tolerance), Difference::Unknown);
    let census = Census::of(&runs, &training, &tolerance);
    assert!(census.standings.iter().all(|(_, standing)| *standing != MutantStanding::CrashOnly));

    let line = "NumericMultiplication(2) on p => out_f >= out_s";
    let claims = claims::read("line", line, &gcd.signature().of_executions()).unwrap();
    let group = &claims.groups[0];
    let (transform, relations) = (&group.transform, &group.relations[..]);
    let mut filter = Filter::new(&late, transform, &inputs, tolerance, Seed(1), &jobs);
    let verdict = filter.judge(relations, 10_000, &|| false).unwrap().remove(0);
    assert!(verdict.is_cut && verdict.tried == 0 && !verdict.stands());
    let verdict = filter.hunt(relations, 10_000, &|| false).unwrap().remove(0);
    assert!(verdict.is_cut && verdict.hunted == 0);

    let claims = [Claim { transform, relations }];
    let judged = assess::judge(&late, &claims, Group::B, &inputs, tolerance, &jobs).unwrap();
    assert_eq!((judged.pairs, judged.killed, judged.crashed.len()), (0, 0, 0));
    assert_eq!(drift::of(&late, &inputs, &gcd.run(Version::Original, &inputs).unwrap()), Ok(None));
    assert_eq!(counting.requests.load(Ordering::Relaxed), 0);
}

#[test]
fn a_batch_is_cut_between_rows_and_mutants_are_compared_on_rows_that_all_were_run_on() {
    let folder = Folder::of("budget-rows");
    let f = loaded(&defined(&folder, LOOP));
    let rows: Vec<[Value<'static>; 1]> =
        (0..2_000).map(|i| [Value::Num(f64::from(i - 1_000))]).collect();
    let inputs = Inputs::from_rows(f.signature(), rows.iter().map(<[Value<'_>; 1]>::as_slice));
    // A thousand endless loops take more than a minute with all of their fuel.
    let deadline = Deadline::new(Some(Duration::from_millis(1_500)), &Arc::default());
    let start = Instant::now();
    let outcomes = f.run_within(Version::Original, &inputs, &deadline).unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(outcomes.outcomes()[0], Outcome::OutOfFuel);
    let is_known = |row: usize| {
        let expected = if row < 1_000 { Outcome::OutOfFuel } else { Outcome::Returned };
        [expected, Outcome::NotRun].contains(&outcomes.outcomes()[row])
    };
    assert!(outcomes.len() == 2_000 && (0..2_000).all(is_known));

    let cancelled = Arc::new(AtomicBool::new(true));
    let none = f.trace_within(&inputs, &Deadline::new(None, &cancelled)).unwrap();
    assert!(none.outcomes.outcomes().iter().all(|outcome| *outcome == Outcome::NotRun));
    assert_eq!(none.hits.len(), 2_000 * none.sides);

    let training = f.mutants_of(Group::A);
    let inputs = inputs.only(f.signature(), (0..2_000).map(|i| 1_000 + i % 1_000));
    let mut runs = Runs::of(&f, &training, inputs, &Jobs::new(1).unwrap()).unwrap();
    let all = runs.whole();
    assert_eq!((all.0.len(), all.1.len()), (training.len(), 2_000));
    // The last mutant was run on nothing, the first on few rows.
    let cut = |outcomes: &Outcomes, rows: usize| {
        let mut some = Outcomes::new(f.signature());
        (0..rows).for_each(|row| some.push(outcomes, row));
        some.skip(outcomes.len() - rows);
        some
    };
    let last = training.len() - 1;
    runs.mutants[last] = cut(&runs.mutants[last], 0);
    runs.mutants[0] = cut(&runs.mutants[0], 1_700);
    let (kept, rows) = runs.whole();
    assert_eq!(kept, (0..last).collect::<Vec<_>>());
    assert_eq!(rows, (0..1_700).collect::<Vec<_>>());
}

#[test]
fn a_run_on_endless_loops_ends_in_time() {
    let folder = Folder::of("budget-run");
    let f = loaded(&defined(&folder, LOOP));
    let plan = Plan {
        config: Config { population: 50, ..Config::default() },
        time: Some(Duration::from_secs(1)),
        ..Plan::default()
    };
    let start = Instant::now();
    // A machine that does many other things may not get far in a second.
    if let Err(error) = run(&f, &plan, &mut |_| ()) {
        assert!(error.is_of_time(), "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let late = Plan { time: Some(Duration::from_nanos(1)), ..plan };
    let error = Preparation::new(&f, &late).unwrap_err();
    assert!(matches!(error, GenerateError::Inputs(InputsError::TimeUp { .. })), "{error}");
}

#[test]
fn a_function_that_answers_differently_later_is_named_with_both_results() {
    let gcd = gcd();
    let inputs = some(&gcd);
    let drifting = Counting { drifts: 1, ..Counting::new(&gcd) };
    let early = drifting.run(Version::Original, &inputs).unwrap();
    let found = drift::of(&drifting, &inputs, &early).unwrap().unwrap();
    assert_eq!(
        (found.input.as_str(), found.early.as_str(), found.late.as_str()),
        ("p = 117, q = 79", "out = 1", "out = -1")
    );
    assert!(found.to_string().contains("p = 117, q = 79 gave out = 1 at first"), "{found}");
    assert_eq!(drift::of(&Counting::new(&gcd), &inputs, &early), Ok(None));
}

#[test]
fn a_check_of_code_that_does_not_return_any_more_ends_with_a_sentence() {
    let folder = Folder::of("budget-check");
    let file = defined(&folder, NEVER);
    let relation = "NumericAddition(1) on x => out_f > out_s";
    for command in ["check", "filter"] {
        let ended = genmorph(&[command, relation, &file, "--budget", "2s"]);
        assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
        assert!(ended.out.contains("0 of 1 stand, 0 refuted, 1 "), "{}", ended.out);
        assert!(ended.out.contains("an endless loop?"), "{}", ended.out);
    }
}
