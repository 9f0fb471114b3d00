//! The tests from outside: the command as users run it, and the map of the code.

mod cli;
mod collect;
mod evolve;
mod executions;
mod folder;
mod layering;
mod python;
#[path = "subjects/record.rs"]
mod record;
mod score;
mod subjects;
