//! Runs that are interrupted and resumed: the same files as without the interruption, wherever it came.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use genmorph::evolve::StopReason;
use genmorph::evolve::config::Config;
use genmorph::inputs;
use genmorph::record::search::Search;
use genmorph::run::{Event, Plan, Preparation, RunResult, Transformations, run_prepared};
use genmorph::subject::wasm::{Engine, WasmDefinition, WasmSubject};
use genmorph::subject::{
    Branch, Constant, Identity, Inputs, MachineFailure, Mutant, Outcomes, Signature, Subject,
    Traces, Version,
};

use crate::folder::subject;

/// A subject that ends the run after some steps: its calls, and what the run tells.
struct Interrupting<'s> {
    subject: &'s dyn Subject,
    steps: AtomicUsize,
    last: usize,
    cancelled: Arc<AtomicBool>,
}

impl Interrupting<'_> {
    fn step(&self) {
        if self.steps.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }
}

impl Subject for Interrupting<'_> {
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
        self.step();
        self.subject.run(version, inputs)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.step();
        self.subject.trace(inputs)
    }
}

/// Runs a plan until a step. Returns how many steps its searches had.
fn until(
    subject: &dyn Subject,
    prepared: &Preparation,
    plan: &Plan,
    last: usize,
) -> (RunResult, usize) {
    let cancelled = Arc::default();
    let plan = Plan { cancelled: Arc::clone(&cancelled), ..plan.clone() };
    let subject = Interrupting { subject, steps: AtomicUsize::new(0), last, cancelled };
    let mut searches = 0;
    let result = run_prepared(&subject, &plan, prepared, &mut |event| match event {
        Event::Inputs
        | Event::Sources { .. }
        | Event::Search(..)
        | Event::Generation(..)
        | Event::Refuted(_)
        | Event::Found(_) => subject.step(),
        Event::Withdrawn(..) => {}
        Event::Judging => searches = subject.steps.load(Ordering::Relaxed),
    });
    (result.unwrap(), searches)
}

/// The records of searches as files have them.
fn files(result: &RunResult) -> Vec<Search> {
    let texts =
        result.searched.iter().map(|searched| serde_json::to_string(&searched.claimed).unwrap());
    texts.map(|text| serde_json::from_str(&text).unwrap()).collect()
}

#[test]
fn a_run_that_is_interrupted_anywhere_and_resumed_finds_what_a_straight_one_does() {
    let definition = WasmDefinition::read(subject("gcd/subject.toml")).unwrap();
    let gcd = WasmSubject::defined(&definition, Engine::default()).unwrap();
    let plan = Plan {
        config: Config { population: 50, ..Config::default() },
        inputs: inputs::Settings { count: 100, ..inputs::Settings::default() },
        hunt: 500,
        transformations: Transformations::Sampled(3),
        fresh: 1_000,
        hunted: 1_000,
        generations: Some(8),
        ..Plan::default()
    };
    let prepared = Preparation::new(&gcd, &plan).unwrap();
    let (straight, steps) = until(&gcd, &prepared, &plan, usize::MAX);
    assert!(!straight.is_interrupted && steps > 100, "{steps}");
    let expected = serde_json::to_string(&straight.report).unwrap();
    let mut cut_short = BTreeMap::new();
    const PLACES: usize = 18;
    for place in 1..=PLACES {
        let (first, _) = until(&gcd, &prepared, &plan, steps * place / (PLACES + 1));
        let done = files(&first);
        let cut = done.iter().filter(|search| search.is_cut_short()).count();
        *cut_short.entry(cut).or_insert(0) += 1;
        // Every third one is interrupted again.
        let mut plan = Plan { done, ..plan.clone() };
        if place % 3 == 0 {
            let (second, _) = until(&gcd, &prepared, &plan, steps / 7 + place);
            plan.done = files(&second);
        }
        let (resumed, _) = until(&gcd, &prepared, &plan, usize::MAX);
        let report = serde_json::to_string(&resumed.report).unwrap();
        assert!(report == expected, "interrupted at {place} of {PLACES}");
        let reasons = resumed.searched.iter().map(|searched| &searched.claimed.results);
        let mut reasons = reasons.flatten().map(|results| results.run.stop);
        assert!(reasons.all(|reason| reason != StopReason::Cancelled));
    }
    let whole = cut_short.get(&0).copied().unwrap_or(0);
    assert!(whole < PLACES / 2, "{cut_short:?}");
}

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::cli::genmorph;
    use crate::folder::Folder;
    use crate::generate::tree;
    use crate::wait;

    /// How many searches of a run have been written.
    fn written(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().join("search.json").exists()).count()
    }

    #[test]
    fn a_run_that_a_signal_ended_is_resumed_to_the_same_files() {
        let scratch = Folder::of("resume-signals");
        let gcd = subject("gcd/subject.toml");
        let command = |out: &str| -> Vec<String> {
            let flags = "--generations 12 --sources 200 --fresh 3000 --hunt 3000 --transformations 3 \
                         --population 100 --jobs 1 --no-config --no-reviewed";
            let start = ["generate", &gcd, "-o", out].map(str::to_owned);
            start.into_iter().chain(flags.split_whitespace().map(str::to_owned)).collect()
        };
        let run = |args: &[String], more: &[&str]| {
            let args = args.iter().map(String::as_str).chain(more.iter().copied());
            genmorph(&args.collect::<Vec<_>>())
        };
        let straight = scratch.at("straight");
        let ended = run(&command(&straight), &[]);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let expected = tree(straight.as_ref());
        for (signal, searches) in [("-INT", 0), ("-TERM", 1), ("-INT", 2)] {
            let out = scratch.at(&format!("interrupted{searches}"));
            let args = command(&out);
            let mut child = Command::new(env!("CARGO_BIN_EXE_genmorph"))
                .args(&args)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let folder = Path::new(&out);
            wait::while_running(&mut child, "searches are done", || {
                folder.join("run.json").exists() && written(folder) >= searches
            });
            let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(kill.unwrap().success());
            let code = child.wait().unwrap().code();
            // On a machine that stands still it may have ended before.
            assert!(matches!(code, Some(130 | 0)), "{code:?}");
            let resumed = run(&args, &["--resume"]);
            assert_eq!(resumed.code, Some(0), "{}", resumed.err);
            let files = tree(folder);
            let names =
                |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&files), names(&expected), "{signal} after {searches} searches");
            for (name, bytes) in &expected {
                assert!(files[name] == *bytes, "{name}, {signal} after {searches} searches");
            }
        }
    }

    /// Versions before took a search for done that somebody had ended.
    #[test]
    fn a_search_that_says_it_was_cancelled_is_done_anew() {
        let scratch = Folder::of("resume-cancelled");
        let gcd = subject("gcd/subject.toml");
        let out = scratch.at("out");
        let flags = "--generations 3 --sources 50 --fresh 500 --hunt 500 --transformations 2 --population 50";
        let start = ["generate", &gcd, "-o", &out];
        let args: Vec<&str> = start.into_iter().chain(flags.split_whitespace()).collect();
        let straight = genmorph(&args);
        assert_eq!(straight.code, Some(0), "{}", straight.err);
        let folder = Path::new(&out);
        let expected = tree(folder);
        let name = expected.keys().find(|name| name.ends_with("/search.json")).unwrap();
        let file = folder.join(name);
        let mut search: Search = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let results = search.results.as_mut().unwrap();
        results.run.stop = StopReason::Cancelled;
        results.relations.clear();
        search.checksum = None;
        fs::write(&file, serde_json::to_string(&search).unwrap()).unwrap();
        fs::write(file.with_file_name("stale.new"), "half of a file").unwrap();
        let resumed = genmorph(&[&args[..], &["--resume"]].concat());
        assert_eq!(resumed.code, straight.code, "{}", resumed.err);
        assert!(tree(folder) == expected);
    }
}
