//! The work on a unit: relations of its subject under its transformation.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use genmorph::evolve::Machine;
use genmorph::run::{Event, GenerateError, Preparation, run, run_prepared};
use genmorph::sweep::{Manifest, Unit, UnitFindings, UnitReport, WorkOutcome};

use super::super::Failure;
use super::super::subject::{LoadedSubject, SubjectArgs};
use super::interrupt::Interrupt;
use super::subjects;

/// What this work is called in manifests.
pub(super) const GENERATE: &str = "generate";

/// Where units are worked on, one after the other.
pub(super) struct Bench<'b> {
    sweep: &'b Path,
    manifest: &'b Manifest,
    machine: Machine,
    interrupt: &'b Interrupt,
    /// The subject of the unit before: mostly the next has the same, whose workers are warm.
    loaded: Option<(usize, LoadedSubject)>,
    /// What the unit before was prepared with, if it may serve another one.
    prepared: Option<(Unit, Preparation)>,
}

impl<'b> Bench<'b> {
    pub(super) fn new(
        sweep: &'b Path,
        manifest: &'b Manifest,
        machine: Machine,
        interrupt: &'b Interrupt,
    ) -> Bench<'b> {
        Bench { sweep, manifest, machine, interrupt, loaded: None, prepared: None }
    }

    /// Works on a unit. That nothing can be found is an answer; that the subject cannot be run here at all, though it
    /// could where the sweep was planned, is a failure of the task.
    pub(super) fn work(&mut self, unit: &Unit) -> Result<WorkOutcome, Failure> {
        if self.loaded.as_ref().is_none_or(|(subject, _)| *subject != unit.subject) {
            (self.loaded, self.prepared) = (None, None);
            let file = subjects::file(self.sweep, self.manifest, unit.subject);
            let loaded = SubjectArgs::of(file).load(self.machine.jobs)?;
            self.loaded = Some((unit.subject, loaded));
        }
        // A bug that one unit shows is no reason to give up thousands of others.
        catch_unwind(AssertUnwindSafe(|| self.generate(unit))).unwrap_or_else(|panic| {
            // Who knows what state it is in.
            (self.loaded, self.prepared) = (None, None);
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("panic");
            Ok(WorkOutcome::Failed(format!("a bug in genmorph, please report it: {text}")))
        })
    }

    fn generate(&mut self, unit: &Unit) -> Result<WorkOutcome, Failure> {
        let (_, loaded) = self.loaded.as_ref().expect("the subject of the unit is loaded");
        let settings = &self.manifest.settings[unit.settings].settings;
        let plan = match unit.transformation.parse() {
            Ok(transformation) => settings.plan(transformation, unit.seed),
            Err(error) => Err(format!("{error}")),
        };
        let mut plan = match plan {
            Ok(plan) => plan,
            Err(problem) => return Ok(WorkOutcome::Failed(problem)),
        };
        plan.machine = self.machine;
        plan.cancelled = self.interrupt.cancelled.clone();
        let mut observe = |_: Event<'_>| self.interrupt.look();
        let subject = loaded.subject();
        let generated = if plan.time.is_some() {
            // The time of a unit is for its preparation, too.
            run(subject, &plan, &mut observe)
        } else {
            let before = self.prepared.take();
            let prepared = match before.filter(|(other, _)| other.is_prepared_like(unit)) {
                Some((_, prepared)) => Ok(prepared),
                None => Preparation::new(subject, &plan),
            };
            prepared.and_then(|prepared| {
                let generated = run_prepared(subject, &plan, &prepared, &mut observe);
                self.prepared = Some((unit.clone(), prepared));
                generated
            })
        };
        if self.interrupt.has_given_up() {
            return Ok(WorkOutcome::Left);
        }
        match generated {
            Ok(generated) => Ok(match UnitFindings::of(&generated.report) {
                Some(found) => {
                    WorkOutcome::Done(Box::new(UnitReport { found, more: BTreeMap::new() }))
                }
                None => WorkOutcome::Failed(
                    "the time was up before the search began: give more".to_owned(),
                ),
            }),
            // Of this machine, not of the unit.
            Err(error @ GenerateError::Threads(_)) => Err(Failure::Input(error.to_string())),
            Err(error) => match Failure::from(error) {
                failure @ Failure::Machine(_) => Err(failure),
                other => Ok(WorkOutcome::Failed(other.to_string())),
            },
        }
    }
}
