//! `genmorph sweep status`.

use std::path::PathBuf;

use genmorph::sweep::{Manifest, Status};

use super::super::format::Format;
use super::super::{Ending, Failure, print, whole};

/// Show which units are done, which are missing, and which failed and why
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the sweep
    sweep: PathBuf,

    /// Folders with results; may be repeated [default: `results` in the folder of the sweep]
    #[arg(long, value_name = "DIR")]
    results: Vec<PathBuf>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let manifest = Manifest::read(&args.sweep)?;
    let folders = super::results(&args.sweep, &args.results, &manifest)?;
    let status = Status::of(&manifest, &folders)?;
    match args.format {
        Format::Human => print(&status)?,
        Format::Json => print(&whole::json(&status))?,
        Format::Ndjson => print(&whole::lines(&status.subjects))?,
    }
    Ok(if status.is_complete() { Ending::Done } else { Ending::Partly })
}
