//! A run that is set up: carries it out, shows what happens, and writes its folder.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use genmorph::filter::recheck::calls;
use genmorph::record::report::Report;
use genmorph::record::run::RunSettings;
use genmorph::run::{Event, Plan, RunResult, run as generate};
use genmorph::show::report::{Format, Model};
use genmorph::show::terminal::{SearchTable, folded};
use genmorph::subject::{Deadline, Subject};

use super::super::format::Format as Printed;
use super::super::{Failure, OrFailure, print};
use super::{Folder, Progress};

/// The time in which calls are recorded, after the budget: mostly a few milliseconds are enough.
const CALLS: Duration = Duration::from_secs(2);

/// A run that is set up.
pub(super) struct Job<'j> {
    pub(super) subject: &'j dyn Subject,
    pub(super) plan: Plan,
    pub(super) started: RunSettings,
    pub(super) folder: Folder,
    /// Whether nothing of an earlier run is used.
    pub(super) is_new: bool,
    /// How what happens is printed, if it is.
    pub(super) shown: Option<Printed>,
}

impl Job<'_> {
    /// Runs it and writes its folder; says whether it was interrupted. There is no report of a run that was interrupted before
    /// there was anything to write.
    pub(super) fn run(self) -> Result<Option<(Report, bool)>, Failure> {
        let Job { subject, plan, started, folder, is_new, shown } = self;
        let mut progress = Progress::new(plan.time);
        let mut failed: Option<Failure> = None;
        let generated = generate(subject, &plan, &mut |event| {
            let begun = match &event {
                Event::Sources { .. } if is_new => folder.begin(&started),
                _ => Ok(()),
            };
            let told = begun.and_then(|()| tell(&event, subject, &mut progress, &folder, shown));
            if let Err(failure) = told {
                plan.cancelled.store(true, Ordering::Relaxed);
                failed.get_or_insert(failure);
            }
        });
        progress.finish();
        if let Some(failure) = failed {
            return Err(failure);
        }
        let is_cancelled = plan.cancelled.load(Ordering::Relaxed);
        let RunResult { report, sources, census, searched, is_interrupted, .. } = match generated {
            // Whoever ends a run early knows why there is nothing.
            Err(error) if is_cancelled && error.is_of_time() => return Ok(None),
            generated => generated?,
        };
        folder.check_whole(&searched)?;
        folder.mutants(subject, &census)?;
        let deadline = Deadline::new(Some(CALLS), &plan.cancelled);
        folder.calls(&calls::record(subject, &sources.inputs, plan.seed, &deadline)?)?;
        folder.report(&report)?;
        folder.refuted(&report)?;
        let model = Model::read(folder.path()).or_bug()?;
        folder.page(&Format::Html.write(&model))?;
        Ok(Some((report, is_interrupted)))
    }
}

/// Shows what happens, and writes what is done. For machines nothing is shown before the end.
fn tell(
    event: &Event<'_>,
    subject: &dyn Subject,
    progress: &mut Progress,
    folder: &Folder,
    shown: Option<Printed>,
) -> Result<(), Failure> {
    let print = |text: &dyn fmt::Display| match shown {
        Some(Printed::Human) => print(&text),
        Some(Printed::Json | Printed::Ndjson) | None => Ok(()),
    };
    match event {
        Event::Sources { sources, census, transformations } => {
            progress.clear();
            let signature = subject.signature();
            print(&format_args!("{}: {signature}\n", signature.function))?;
            let tally = census.tally();
            let mutants = format!(
                "mutants    {} for training (group A): {} distinct, {} the same as another, {} that never differ, {} that only crash",
                tally.all, tally.distinct, tally.same, tally.alike, tally.crash_only
            );
            for line in [format!("sources    {sources}"), mutants] {
                print(&format_args!("{}\n", folded(&line, 11)))?;
            }
            print(&format_args!("searching  {} transformations\n\n", transformations.len()))?;
            folder.sources(subject.signature(), &sources.inputs)?;
        }
        Event::Found(searched) => {
            progress.clear();
            // What an earlier run has done is there already.
            if searched.executions.is_some() || searched.claimed.results.is_none() {
                folder.searched(searched)?;
            }
            let signature = &subject.signature().of_executions();
            print(&format_args!("{}\n", SearchTable { search: &searched.claimed, signature }))?;
        }
        Event::Withdrawn(searched, refutations) => {
            progress.clear();
            folder.withdrawn(searched)?;
            for refutation in *refutations {
                let side = |values| serde_json::to_string(values).expect("numbers and texts");
                print(&format_args!(
                    "withdrawn  {} under {}: unseen inputs refute it, {} -> {}\n",
                    refutation.relation,
                    searched.claimed.transformation,
                    side(&refutation.source),
                    side(&refutation.follow_up)
                ))?;
            }
        }
        Event::Inputs
        | Event::Search(..)
        | Event::Generation(..)
        | Event::Refuted(_)
        | Event::Judging => {}
    }
    if shown.is_some() {
        progress.show(event);
    }
    Ok(())
}
