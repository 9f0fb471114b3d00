//! Whether a run can be resumed: its subject, its supplied inputs and its settings have to be what they were.

use std::path::Path;

use genmorph::record::run::RunSettings;

use super::super::Failure;

/// Refuses to resume a run whose subject, inputs or settings have changed, and names what has.
///
/// # Errors
/// When something has changed, or an older version did not record what the subject was.
pub(super) fn check(folder: &Path, before: &RunSettings, now: &RunSettings) -> Result<(), Failure> {
    let folder = folder.display();
    if before.identity.is_none() || before.inputs.is_none() {
        return Err(Failure::Input(format!(
            "the run in {folder} cannot be resumed: it was started by an older genmorph, which did not record the code, \
             the domain and the supplied inputs, so genmorph cannot tell whether they are still the same\n\
             resume it with the genmorph that started it, or start anew with --force"
        )));
    }
    let changes = now.changes_since(before);
    if changes.is_empty() {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "the run in {folder} cannot be resumed, because this has changed since it was started: {}\n\
         resume it with what it was started with (run.json), or start anew with --force",
        changes.join(", ")
    )))
}
