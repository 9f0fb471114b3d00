//! Turns all results of a sweep into rows of tables, in an order that does not depend on which task ran what.
//!
//! Units come in the order of the manifest, so shards, folders and the order in which tasks ended do not
//! matter. One unit is in memory at a time.

use super::error::SweepError;
use super::folder::{Folder, UnitResult, UnitState};
use super::found::{Outcome, UnitFindings, UnitReport};
use super::journal::Attempt;
use super::manifest::{Manifest, VERSION};
use super::status;
use super::tables::{Cell, Table};
use super::unit::Unit;

/// Receives the rows of all tables, one after the other.
pub type Sink<'s> = dyn FnMut(Table, Vec<Cell>) -> Result<(), SweepError> + 's;

/// What to do if units have no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingUnits {
    /// Fail without merging anything.
    Refuse,
    /// Merge the units that have results.
    Allow,
}

/// Number of units per state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// Number of units that are done.
    pub done: usize,
    /// Number of units that failed.
    pub failed: usize,
    /// Units without a result, or with a damaged one.
    pub missing: usize,
    /// Relations of all units together.
    pub relations: usize,
}

/// Produces the rows of all tables that are the same however the sweep was run.
///
/// # Errors
/// When a result cannot be read, when a unit has no result and all are required, or when a row cannot be written.
pub fn results(
    manifest: &Manifest,
    folders: &[Folder],
    missing: MissingUnits,
    sink: &mut Sink<'_>,
) -> Result<MergeCounts, SweepError> {
    for (place, subject) in manifest.subjects.iter().enumerate() {
        let content = subject.content.to_string();
        sink(Table::Subjects, vec![place.into(), (&subject.name).into(), (&content).into()])?;
    }
    for (place, variant) in manifest.settings.iter().enumerate() {
        let json = serde_json::to_string(&variant.settings).expect("numbers, names and texts");
        sink(Table::Settings, vec![place.into(), (&variant.name).into(), (&json).into()])?;
    }
    let mut merged = MergeCounts::default();
    for (place, unit) in manifest.units.iter().enumerate() {
        match status::best(folders, unit)? {
            UnitState::Result(UnitResult { outcome: Outcome::Done(done), digest }) => {
                merged.done += 1;
                let known = [None, Some(digest.to_string())];
                sink(Table::Units, row(place, unit, "done", known, Some(&done.found)))?;
                relations(place, &done, &mut merged.relations, sink)?;
            }
            UnitState::Result(UnitResult { outcome: Outcome::Failed(why), digest }) => {
                merged.failed += 1;
                let known = [Some(why), Some(digest.to_string())];
                sink(Table::Units, row(place, unit, "failed", known, None))?;
            }
            UnitState::Damaged(_) | UnitState::Missing => {
                merged.missing += 1;
                sink(Table::Units, row(place, unit, "missing", [None, None], None))?;
            }
        }
    }
    if merged.missing > 0 && missing == MissingUnits::Refuse {
        let units = manifest.units.len();
        return Err(SweepError::Missing { missing: merged.missing, units });
    }
    let counts = [
        ("failed", merged.failed.to_string()),
        ("form", VERSION.to_string()),
        ("missing", merged.missing.to_string()),
        ("sweep", manifest.digest.to_string()),
        ("tool", format!("genmorph {}", manifest.tool)),
        ("units", manifest.units.len().to_string()),
        ("work", manifest.work.clone()),
    ];
    for (name, value) in &counts {
        sink(Table::Provenance, vec![(*name).into(), value.into()])?;
    }
    Ok(merged)
}

/// Produces the rows of [`Table::Timings`].
///
/// # Errors
/// When a journal cannot be read, or a row cannot be written.
pub fn timings(
    manifest: &Manifest,
    folders: &[Folder],
    sink: &mut Sink<'_>,
) -> Result<(), SweepError> {
    let mut last = None;
    let mut number = 0;
    for (place, Attempt { worker, began, ended, .. }) in status::attempts(manifest, folders)? {
        number = if last == Some(place) { number + 1 } else { 1 };
        last = Some(place);
        let row = vec![
            place.into(),
            Cell::Integer(number),
            (&worker.host).into(),
            Cell::Integer(worker.process.into()),
            (&worker.shard).into(),
            worker.job.as_ref().into(),
            began.into(),
            ended.map(|ended| ended.end.name()).into(),
            ended.map(|ended| ended.seconds).into(),
        ];
        sink(Table::Timings, row)?;
    }
    Ok(())
}

/// The row of a unit. `why` and the digest of the result are optional.
fn row(
    place: usize,
    unit: &Unit,
    state: &str,
    [why, result]: [Option<String>; 2],
    found: Option<&UnitFindings>,
) -> Vec<Cell> {
    let id = unit.id.to_string();
    let mut cells: Vec<Cell> = vec![
        place.into(),
        (&id).into(),
        unit.subject.into(),
        unit.settings.into(),
        (&unit.transformation).into(),
        unit.seed.into(),
        state.into(),
        why.as_ref().into(),
        result.as_ref().into(),
    ];
    match found {
        Some(found) => cells.extend(result_cells(found)),
        None => cells.resize(Table::Units.columns().len(), Cell::Null),
    }
    cells
}

/// The columns that only units with a result have.
fn result_cells(found: &UnitFindings) -> Vec<Cell> {
    let search = found.search.as_ref();
    let stop = search.map(|search| serde_json::to_value(search.stop).expect("a name"));
    let judged = &found.judged;
    vec![
        (&found.function).into(),
        (&found.signature).into(),
        (&found.input_relation).into(),
        found.problem.as_ref().into(),
        found.sources[0].into(),
        found.sources[1].into(),
        found.sides[0].into(),
        found.sides[1].into(),
        found.pairs[0].into(),
        found.training.all.into(),
        found.training.distinct.into(),
        search.map(|search| search.generations).into(),
        search.map(|search| search.evaluations).into(),
        stop.as_ref().and_then(|stop| stop.as_str()).into(),
        search.map(|search| search.rows[0]).into(),
        search.map(|search| search.rows[1]).into(),
        found.lessons.into(),
        found.refuted.into(),
        found.doubtful.into(),
        found.relations.len().into(),
        judged.pairs.into(),
        judged.false_alarms.into(),
        judged.mutants.into(),
        judged.floor.into(),
        judged.killed.into(),
        judged.asserted.into(),
        judged.by_laws.into(),
        judged.ceiling.into(),
        judged.novel[0].into(),
        judged.novel[1].into(),
    ]
}

/// Produces the rows of a unit's relations, numbered from `number`, and of its further results.
fn relations(
    unit: usize,
    done: &UnitReport,
    number: &mut usize,
    sink: &mut Sink<'_>,
) -> Result<(), SweepError> {
    for (place, relation) in done.found.relations.iter().enumerate() {
        let row = vec![
            (*number).into(),
            unit.into(),
            place.into(),
            (&relation.relation).into(),
            relation.kind.name().into(),
            relation.size.into(),
            relation.fn_rate.into(),
            relation.tried.into(),
            relation.hunted.into(),
            relation.bound.into(),
            relation.needed.into(),
            relation.training.len().into(),
            relation.judging.len().into(),
        ];
        sink(Table::Relations, row)?;
        for (mutants, names) in [("training", &relation.training), ("judging", &relation.judging)] {
            for mutant in names {
                sink(Table::Kills, vec![(*number).into(), mutants.into(), mutant.into()])?;
            }
        }
        *number += 1;
    }
    for (name, value) in &done.more {
        sink(Table::More, vec![unit.into(), name.into(), (&value.to_string()).into()])?;
    }
    Ok(())
}
