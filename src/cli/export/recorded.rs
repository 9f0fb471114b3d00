//! Tests that replay recorded inputs: SUBJECT is an executions file.

use std::path::Path;

use genmorph::executions::Executions;
use genmorph::export::{Properties, Recording, RunEvidence, Selection, SelectionOptions};

use super::super::{Ending, Failure, OrFailure, claims, talk, warn};
use super::file::{self, TestFile};
use super::language::Language;
use super::{Args, suit, tested};

/// Whether a file is an executions file, by its name.
pub(super) fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

/// Writes tests of the relations in a text of this name.
pub(super) fn export(
    args: &Args,
    recording: &Path,
    name: &str,
    text: &str,
    known: &RunEvidence,
) -> Result<Ending, Failure> {
    let language = args.to.or(Language::of(&args.output)).ok_or_else(|| {
        Failure::Input(
            "in which language? a recording does not say: use --to rust or --to python".to_owned(),
        )
    })?;
    suit(args, language, None)?;
    let reading = Executions::read(recording).or_input()?;
    reading.warnings.iter().for_each(warn);
    let executions = reading.executions;
    let recorded = Recording::of(&executions).or_input()?;
    let claims = claims::read(name, text, &executions.signature, &args.asked)?;
    let (claims, form) = tested(args, known, claims);
    let tolerance =
        args.tolerance.given().or(claims.tolerance).unwrap_or(*executions.table.tolerance());
    let choice = SelectionOptions { evidence: known, most: args.most(form), tolerance };
    let selection = Selection::of_recording(&recorded, &claims, choice);
    selection.left_out.iter().for_each(warn);
    if selection.is_empty() {
        talk::say(&"no relation is left to write");
        return Ok(Ending::Nothing);
    }
    let origin = "The inputs were recorded.".to_owned();
    let file = TestFile {
        signature: recorded.signature(),
        selection: &selection,
        form,
        properties: Properties::None,
        tolerance,
        origin: known.origin().into_iter().chain([origin]).collect(),
        callee: None,
    };
    file::export(args, language, file)?;
    Ok(Ending::Done)
}
