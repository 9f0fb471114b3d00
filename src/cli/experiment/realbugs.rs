//! `genmorph experiment realbugs`.
//!
//! Each fault goes through the commands that a user would give, as processes of their own: `generate` on the release without it, `check`
//! on both. What a run does to its process is then the verdict of one fault only.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use genmorph::jit::{Tolerance, Value};
use genmorph::record::relations::RelationKind;
use genmorph::record::value::{from_json, to_json};
use genmorph::subject::{Inputs, Outcome, Subject, Version};
use genmorph::sweep::Shard;
use genmorph::sweep::realbugs::{self, Bug, BugRecord, BugTable, BugVerdict, Catch, ListedBug};
use serde_json::Value as Json;

use super::super::interrupt::on_interrupt;
use super::super::itself::{changes, genmorph, kinds, refuted, report};
use super::super::subject::{LoadedSubject, SubjectArgs};
use super::super::sweep::share;
use super::super::{Ending, Failure, budget, output, print, talk, whole};

pub(super) const MORE: &str = "\
Each line of the list names a fault: id|method|fixed|buggy|what was wrong|a relation, with Maven coordinates of the two releases. For
each, relations are found on the fixed release, checked there (they must stand), and checked on the buggy one (one of them must be
violated, with an input on which the two releases differ, or calls must end otherwise than they did).

Controls beside it: `any test`, whether a call throws or runs away that did not; `assertions`, whether results of the calls of the run
differ, as plain regression assertions of them would notice.

The folder has a record for each fault and seed, table.md and plot.svg. What is there already is not run again.

Examples:
  genmorph experiment realbugs --list bugs.psv
  genmorph experiment realbugs --list bugs.psv --budget 60s --seeds 3 --shard 1/4 -o bugs.out

Exit codes:
  0    done
  1    a result could not be written
  2    wrong usage or bad input: there is no such list
  4    done, but some lines could not be tried: malformed, not resolved, refused; each is named in the table
  130  interrupted; records that are done are kept";

#[derive(Debug, clap::Args)]
pub(super) struct BugArgs {
    /// The list of faults
    #[arg(long, value_name = "FILE")]
    list: PathBuf,

    /// The folder for the records
    #[arg(short, long, value_name = "DIR", default_value = "genmorph.realbugs")]
    output: PathBuf,

    /// Faults to try, by their names [default: all]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,

    /// The time of each run of `generate`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = budget::parse)]
    budget: Duration,

    /// Runs of each fault, with the seeds 1, 2, 3, …
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,

    /// Only the K-th of N parts, on machines that see one folder
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
}

pub(super) fn run(args: &BugArgs) -> Result<Ending, Failure> {
    let text = fs::read_to_string(&args.list)
        .map_err(|error| whole::cannot("read", &args.list, &error))?;
    let mut listed = realbugs::read(&text);
    if let Some(id) = args.only.iter().find(|id| listed.iter().all(|bug| bug.id != **id)) {
        let names: Vec<&str> = listed.iter().map(|bug| bug.id.as_str()).collect();
        let message =
            format!("there is no fault `{id}` in the list; there are {}", names.join(", "));
        return Err(Failure::Input(message));
    }
    listed.retain(|bug| args.only.is_empty() || args.only.contains(&bug.id));
    let records = args.output.join("records");
    fs::create_dir_all(&records).map_err(|error| whole::cannot("create", &records, &error))?;
    let cancelled = Arc::new(AtomicBool::new(false));
    on_interrupt(&cancelled)?;
    let shard = share::find(args.shard, None, &|name| std::env::var(name).ok())?;
    let units: Vec<(u64, &ListedBug)> = (1..=u64::from(args.seeds))
        .flat_map(|seed| listed.iter().map(move |bug| (seed, bug)))
        .collect();
    for (place, (seed, listed)) in units.iter().enumerate() {
        let file = records.join(format!("{}-{seed}.json", listed.id));
        if file.exists() || !shard.has(place) {
            continue;
        }
        let record = one(args, listed, *seed, &cancelled)?;
        if cancelled.load(Ordering::Relaxed) {
            break;
        }
        talk::say(&format_args!("{} seed {seed}: {}", record.id, record.verdict.name()));
        output::write(&file, &whole::json(&record))?;
    }
    let mut table = BugTable::default();
    for listed in &listed {
        for seed in 1..=args.seeds {
            let file = records.join(format!("{}-{seed}.json", listed.id));
            // A record of another shard may be still to come.
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let record = serde_json::from_str(&text).map_err(|error| {
                let file = file.display();
                Failure::Input(format!(
                    "{file} is no record: {error}\nremove it, or choose another folder with -o"
                ))
            })?;
            table.records.push(record);
        }
    }
    output::write(&args.output.join("table.md"), &table.text())?;
    output::write(&args.output.join("plot.svg"), &realbugs::svg(&table))?;
    print(&table.text())?;
    let untried = [BugVerdict::Malformed, BugVerdict::Unresolved, BugVerdict::Refused];
    Ok(match cancelled.load(Ordering::Relaxed) {
        true => Ending::Interrupted,
        false if untried.iter().any(|verdict| table.count(*verdict) > 0) => Ending::Partly,
        false => Ending::Done,
    })
}

/// What comes of one fault.
fn one(
    args: &BugArgs,
    listed: &ListedBug,
    seed: u64,
    cancelled: &AtomicBool,
) -> Result<BugRecord, Failure> {
    let blank = |bug: &Bug| BugRecord {
        id: listed.id.clone(),
        method: bug.method.clone(),
        fixed: bug.fixed.clone(),
        buggy: bug.buggy.clone(),
        seed,
        budget: args.budget.as_secs_f64(),
        verdict: BugVerdict::Refused,
        relations: 0,
        laws: 0,
        catches: Vec::new(),
        any_test: false,
        assertions: false,
        note: String::new(),
    };
    let bug = match &listed.bug {
        Ok(bug) => bug,
        Err(message) => {
            let nothing = String::new;
            let (id, method) = (nothing(), nothing());
            let bug = Bug { id, method, fixed: nothing(), buggy: nothing(), what: nothing() };
            let note = format!("{}, line {}: {message}", args.list.display(), listed.line);
            return Ok(BugRecord { verdict: BugVerdict::Malformed, note, ..blank(&bug) });
        }
    };
    let record = blank(bug);
    let ended = |verdict: BugVerdict, note: String| BugRecord { verdict, note, ..record.clone() };
    // Both releases, loaded once: whether they can be had, and later on which inputs they differ.
    let mut releases = Vec::new();
    for release in [&bug.fixed, &bug.buggy] {
        match load(&bug.method, release) {
            Ok(loaded) => releases.push(loaded),
            Err((verdict, message)) => return Ok(ended(verdict, format!("{release}: {message}"))),
        }
    }
    let (fixed, buggy) = (releases[0].subject(), releases[1].subject());
    if fixed.identity() == buggy.identity() {
        let note = "the two releases have the same classes".to_owned();
        return Ok(ended(BugVerdict::Refused, note));
    }
    let folder = args.output.join("runs").join(format!("{}-{seed}", listed.id));
    fs::create_dir_all(&folder).map_err(|error| whole::cannot("create", &folder, &error))?;
    let run = folder.join("run");
    let of = |release: &str| {
        ["--java", &bug.method, "--maven", release, "--seed", &seed.to_string()].map(String::from)
    };
    let mut flags = vec!["generate".to_owned(), "--force".to_owned(), "-o".to_owned()];
    flags.push(run.display().to_string());
    flags.extend(["--budget".to_owned(), format!("{}s", args.budget.as_secs_f64())]);
    flags.extend(["--format".to_owned(), "json".to_owned()]);
    flags.extend(of(&bug.fixed));
    let generated = genmorph(&flags, &folder, "generate", 2 * args.budget + PATIENCE, cancelled)?;
    let Some(report) = report(&run) else {
        return Ok(ended(BugVerdict::Refused, format!("generate: {}", generated.said)));
    };
    let mut record = BugRecord {
        relations: report.relations(),
        laws: kinds(&report).filter(|(_, _, kind)| *kind != RelationKind::Detector).count(),
        verdict: BugVerdict::Missed,
        ..record
    };
    if record.relations == 0 {
        record.verdict = BugVerdict::Nothing;
    }
    let mut checked = Vec::new();
    for (name, release) in [("check-fixed", &bug.fixed), ("check-buggy", &bug.buggy)] {
        let mut flags = vec!["check".to_owned(), run.display().to_string()];
        if record.relations == 0 {
            // A relation that always holds, so that the calls are looked at.
            flags[1] = trivial(fixed);
            flags.extend(["--calls".to_owned(), run.display().to_string()]);
        }
        flags.extend(["--format".to_owned(), "json".to_owned()]);
        flags.extend(of(release));
        let done = genmorph(&flags, &folder, name, PATIENCE, cancelled)?;
        match serde_json::from_str::<Json>(&done.out) {
            Ok(json) => checked.push((done.code, json)),
            Err(_) => {
                record.verdict = BugVerdict::Refused;
                record.note = format!("{name}: {}", done.said);
                return Ok(record);
            }
        }
    }
    if checked[0].0 == Some(4) {
        record.verdict = BugVerdict::FalseAlarm;
        record.note = format!("on the fixed release: {}", violations(&checked[0].1).join("; "));
        return Ok(record);
    }
    let calls = &checked[1].1["calls"];
    record.assertions =
        calls["other_values"].as_u64().unwrap_or(0) > 0 || changes(calls).next().is_some();
    record.any_test = changes(calls).any(|change| change["kind"] != "now_returns");
    let mut catches: Vec<Catch> = Vec::new();
    for change in changes(calls) {
        let example = &change["example"];
        let text = |field: &str| example[field].as_str().unwrap_or_default().to_owned();
        catches.push(Catch {
            kind: None,
            what: format!("{} calls: {}", change["count"], text("now")),
            input: format!("{}: before {}", example["inputs"], text("before")),
        });
    }
    let mut alike = Vec::new();
    let tolerance = Tolerance::new(report.tolerance.abs, report.tolerance.rel).unwrap_or_default();
    for violated in refuted(&checked[1].1) {
        let text = |field: &str| violated[field].as_str().unwrap_or_default().to_owned();
        let (transformation, relation) = (text("transformation"), text("relation"));
        let what = format!("{transformation} => {relation}");
        let kind = kinds(&report).find(|(t, r, _)| (*t, *r) == (&*transformation, &*relation));
        let kind = kind.map_or(RelationKind::Detector, |(_, _, kind)| kind);
        match difference(fixed, buggy, violated, tolerance)? {
            Some(input) => catches.push(Catch { kind: Some(kind), what, input }),
            None => alike.push(what),
        }
    }
    if catches.is_empty() && !alike.is_empty() {
        record.verdict = BugVerdict::FalseAlarm;
        record.note = format!("violated where the releases agree: {}", alike.join("; "));
        return Ok(record);
    }
    if record.assertions && catches.is_empty() {
        let example = &calls["value_example"];
        let text = |field: &str| example[field].as_str().unwrap_or_default();
        record.note = format!(
            "no relation sees {}: {} instead of {}",
            example["inputs"],
            text("now"),
            text("before")
        );
    } else if catches.is_empty() {
        record.note = "no input of the run shows it".to_owned();
    }
    Ok(record.caught_by(catches))
}

/// How long a process may take beyond its budget, or a check all in all.
const PATIENCE: Duration = Duration::from_secs(150);

/// The method in a release, or why it cannot be tried.
fn load(method: &str, release: &str) -> Result<LoadedSubject, (BugVerdict, String)> {
    let refused = |message: String| (BugVerdict::Refused, message);
    let name = method.parse().map_err(|error| refused(format!("{error}")))?;
    let artifact = release.parse().map_err(|error| (BugVerdict::Unresolved, format!("{error}")))?;
    SubjectArgs::of_method(name, artifact).load(1).map_err(|failure| {
        let message = failure.to_string();
        // The errors of Maven name the artifact first, those of methods the class.
        let is_of_jar = message.contains("could not fetch") || message.contains("is in none of");
        (if is_of_jar { BugVerdict::Unresolved } else { BugVerdict::Refused }, message)
    })
}

/// A relation that holds of every function with these parameters.
fn trivial(subject: &dyn Subject) -> String {
    use genmorph::subject::Type;
    let parameter = &subject.signature().parameters[0];
    let name = &parameter.name;
    match parameter.ty {
        Type::Scalar(genmorph::subject::Scalar::Bool) => {
            format!("BooleanFlip on {name} => {name}_s == {name}_s")
        }
        Type::Scalar(_) => format!("NumericAddition(1) on {name} => {name}_s == {name}_s"),
        Type::String | Type::List(_) => format!("SequenceFlip on {name} => {name}_s == {name}_s"),
    }
}

fn violations(checked: &Json) -> Vec<String> {
    let of_relations = refuted(checked).map(|relation| relation["relation"].to_string());
    of_relations
        .chain(changes(&checked["calls"]).map(|change| change["what"].to_string()))
        .collect()
}

/// An input of a counterexample on which the two releases differ.
fn difference(
    fixed: &dyn Subject,
    buggy: &dyn Subject,
    violated: &Json,
    tolerance: Tolerance,
) -> Result<Option<String>, Failure> {
    let signature = fixed.signature();
    let interface = signature.of_executions();
    for side in ["source", "follow_up"] {
        let values = interface.inputs.iter().map(|p| from_json(p.kind, &violated[side][&p.name]));
        let Some(row) = values.collect::<Option<Vec<Value<'_>>>>() else { continue };
        let inputs = Inputs::from_rows(signature, [row.as_slice()]);
        let mut ends = Vec::new();
        for subject in [fixed, buggy] {
            let ran = subject.run(Version::Original, &inputs)?;
            let outcome = ran.outcomes()[0];
            let values: Vec<Json> = match outcome {
                Outcome::Returned => {
                    interface.outputs.iter().zip(ran.row(0)).map(|(p, v)| to_json(p, &v)).collect()
                }
                _ => vec![outcome.to_string().into()],
            };
            ends.push(values);
        }
        let close = |(a, b): (&Json, &Json)| match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => tolerance.eq(a, b),
            _ => a == b,
        };
        if !ends[0].iter().zip(&ends[1]).all(close) {
            let given = serde_json::to_string(&violated[side]).unwrap_or_default();
            let told = |values: &[Json]| {
                values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            };
            return Ok(Some(format!(
                "{given}: fixed {}, buggy {}",
                told(&ends[0]),
                told(&ends[1])
            )));
        }
    }
    Ok(None)
}
