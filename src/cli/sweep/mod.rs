//! `genmorph sweep`: many functions, transformations and seeds, on one machine or many.

mod interrupt;
mod merge;
mod plan;
mod progress;
mod run;
mod seeds;
pub(super) mod share;
mod slurm;
mod status;
mod subjects;
mod submit;
mod work;

use std::path::{Path, PathBuf};

use genmorph::sweep::{Folder, Manifest, SweepError};

use super::{Ending, Failure};

const MORE: &str = "\
A sweep is a folder:
  manifest.json           what is to be done: one line per unit (a subject, a transformation, a seed, settings)
  results/                the results of units, one file each, and which task tried what
  sweep.sqlite            all of them, merged: the same bytes whatever ran where
  sweep.timings.sqlite    when, where and how long

Examples:
  genmorph sweep plan gcd/subject.toml pow/subject.toml --seeds 1-10 -o sweep
  genmorph sweep run sweep                 # all of it, here
  genmorph sweep run sweep --shard 3/10    # a tenth of it; in a Slurm array the shard is known
  genmorph sweep status sweep
  genmorph sweep merge sweep
  genmorph sweep submit slurm sweep        # an array job, and a job that merges

Tasks may be killed and repeated: what is done is safe, and is not done again.

Exit codes:
  0    done
  1    a result could not be written, no worker process could be started any more, or a bug in genmorph showed
  2    wrong usage or bad input: no manifest, results of another sweep, a subject that has changed, …
  4    done, but some units failed; of status: some failed or have no result
  130  interrupted by Ctrl-C or SIGTERM; what was done until then is safe";

/// Find relations of many functions, under many transformations and seeds, on one machine or many
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Plan(Box<plan::Args>),
    Run(run::Args),
    Status(status::Args),
    Merge(merge::Args),
    Submit(submit::Args),
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    match &args.command {
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Status(args) => status::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Submit(args) => submit::run(args),
    }
}

/// Folders with results: those asked for, or the one in the folder of the sweep.
fn results(sweep: &Path, asked: &[PathBuf], manifest: &Manifest) -> Result<Vec<Folder>, Failure> {
    let usual = [sweep.join(Folder::NAME)];
    let paths = if asked.is_empty() { &usual[..] } else { asked };
    let mut folders = Vec::new();
    for path in paths {
        if !asked.is_empty() && !path.is_dir() {
            return Err(Failure::Input(format!("{} is not a folder with results", path.display())));
        }
        folders.push(Folder::open(path, manifest)?);
    }
    Ok(folders)
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Failure {
        if error.is_write() {
            Failure::File(error.to_string())
        } else {
            Failure::Input(error.to_string())
        }
    }
}
