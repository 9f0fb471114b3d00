//! The command line: reads flags, prints results, sets exit codes. Alone in doing so.
//!
//! Results go to standard output, errors to standard error.

mod assess;
mod budget;
mod check;
mod claims;
mod collect;
mod completions;
mod doctor;
mod evolve;
mod experiment;
mod explain;
mod export;
mod filter;
mod format;
mod generate;
mod init;
mod interrupt;
mod parts;
mod pit;
mod report;
mod review;
mod sample;
mod score;
mod subject;
mod trial;
mod whole;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  the result could not be written, or it shows a bug in genmorph
  2  wrong usage or bad input
  3  done, but nothing was found; of doctor: Java methods cannot be run; of filter: no relation stands; of check: a relation cannot be judged
  4  done; of filter: some relations stand, and others do not; of check: a relation is violated
  130  interrupted by Ctrl-C; what was found until then is written";

/// Discovers metamorphic relations of functions: test oracles that need no expected value.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Accept(review::AcceptArgs),
    Assess(Box<assess::Args>),
    Check(Box<check::Args>),
    Collect(collect::Args),
    Completions(completions::Args),
    Doctor(doctor::Args),
    Evolve(Box<evolve::Args>),
    Experiment(experiment::Args),
    Explain(explain::Args),
    Export(Box<export::Args>),
    Filter(Box<filter::Args>),
    Generate(Box<generate::Args>),
    Init(init::Args),
    Man(completions::ManArgs),
    Reject(review::RejectArgs),
    Report(report::Args),
    Score(score::Args),
}

/// How a command ends that does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Done,
    /// There is no result to be had.
    Nothing,
    /// Some of what was asked about is so, and some is not.
    Partly,
    /// The user did not want to wait any longer.
    Interrupted,
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The user has to change something.
    #[error("{0}")]
    Input(String),
    /// We do.
    #[error("{0}")]
    Bug(String),
    /// A file cannot be written.
    #[error("{0}")]
    File(String),
    /// Standard output is not there.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Runs the command that the arguments ask for.
pub(crate) fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Accept(args) => review::accept(&args),
        Command::Assess(args) => assess::run(&args),
        Command::Check(args) => check::run(*args),
        Command::Collect(args) => collect::run(&args).map(|()| Ending::Done),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Doctor(args) => doctor::run(&args),
        Command::Evolve(args) => evolve::run(&args),
        Command::Experiment(args) => experiment::run(&args),
        Command::Explain(args) => explain::run(args).map(|()| Ending::Done),
        Command::Export(args) => export::run(&args),
        Command::Filter(args) => filter::run(*args),
        Command::Generate(args) => generate::run(&args),
        Command::Init(args) => init::run(&args).map(|()| Ending::Done),
        Command::Man(args) => completions::man(&args, Cli::command()),
        Command::Reject(args) => review::reject(&args),
        Command::Report(args) => report::run(&args),
        Command::Score(args) => score::run(&args).map(|()| Ending::Done),
    };
    let failure = match result {
        Ok(Ending::Done) => return ExitCode::SUCCESS,
        Ok(Ending::Nothing) => return ExitCode::from(3),
        Ok(Ending::Partly) => return ExitCode::from(4),
        Ok(Ending::Interrupted) => return ExitCode::from(130),
        Err(failure) => failure,
    };
    eprintln!("error: {failure}");
    match failure {
        Failure::Input(_) => ExitCode::from(2),
        Failure::Bug(_) | Failure::File(_) | Failure::Output(_) => ExitCode::from(1),
    }
}

/// Tells the user about something that is no failure.
fn warn(warning: &impl fmt::Display) {
    eprintln!("warning: {warning}");
}

/// Prints a result. A reader that has seen enough (`| head`) is no failure.
fn print(result: &impl fmt::Display) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match write!(out, "{result}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use genmorph::jit::Tier;

    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_tier_can_be_asked_for() {
        for tier in Tier::ALL {
            let args = ["genmorph", "explain", "--tier", &tier.to_string()];
            assert!(Cli::try_parse_from(args).is_ok(), "{tier}");
        }
    }
}
