//! The command line: reads flags, prints results, sets exit codes. Alone in doing so.
//!
//! Results go to standard output, errors to standard error.

#[cfg(not(feature = "sweep"))]
mod absent;
mod assess;
mod budget;
mod cargo;
mod check;
mod claims;
mod collect;
mod completions;
mod counts;
mod diff;
mod doctor;
mod evolve;
mod exit;
#[cfg(feature = "sweep")]
mod experiment;
mod explain;
mod export;
mod filter;
mod flags;
mod format;
mod generate;
mod init;
mod interrupt;
mod isolation;
mod itself;
mod laws;
mod lock;
mod output;
mod pairs;
mod pit;
mod python;
mod report;
mod review;
mod schema;
mod score;
mod settings;
mod subject;
#[cfg(feature = "sweep")]
mod sweep;
mod talk;
mod trial;
mod whole;

use std::env;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(not(feature = "sweep"))]
use self::absent::{experiment, sweep};
use self::exit::{Ending, Exit, Failure, OrFailure};
use self::talk::{Colour, Loudness, warn};

const MORE: &str = "\
Settings:
  Every long option is also a variable, GENMORPH_ and its name in capitals: --max-size is GENMORPH_MAX_SIZE, and a flag is 1 or 0.
  It is a key of genmorph.toml as well, for all commands or in a section for one. The file is looked for in this folder and those
  above it, up to the root of the repository; paths in it are from its own folder. What is on the command line counts first, then
  variables, then the section, then the rest of the file.
    jobs = 2
    [generate]
    budget = \"2m\"

Examples:
  genmorph generate                                 # a built-in pow: a first look
  genmorph generate my/subject.toml --budget 60s    # relations of a function
  genmorph explain genmorph.out#1                   # one of them, taken apart
  genmorph accept genmorph.out 1 3                  # those that are meant to hold
  genmorph check genmorph.reviewed.json my/subject.toml";

/// Discovers metamorphic relations of functions: test oracles that need no expected value.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    everywhere: Everywhere,
}

/// What every command has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
struct Everywhere {
    /// Read settings from this file instead of the nearest genmorph.toml
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    /// Do not read any genmorph.toml
    #[arg(long, global = true, conflicts_with = "config")]
    no_config: bool,

    /// Run Java, Rust and Python functions without the sandbox that Linux has for them: their mutants may do whatever you may
    #[arg(long, global = true)]
    no_sandbox: bool,

    /// Whether words are coloured
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    color: Colour,

    /// Say nothing on standard error but errors
    #[arg(short, long, global = true)]
    quiet: bool,

    /// Say more on standard error: where settings are from, what a review rejects
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Accept(review::AcceptArgs),
    Assess(Box<assess::Args>),
    Check(Box<check::Args>),
    Collect(collect::Args),
    Completions(completions::Args),
    Diff(diff::Args),
    Doctor(doctor::Args),
    Evolve(Box<evolve::Args>),
    Experiment(experiment::Args),
    Explain(explain::Args),
    Export(Box<export::Args>),
    Filter(Box<filter::Args>),
    Generate(Box<generate::Args>),
    Init(init::Args),
    Laws(laws::Args),
    Man(completions::ManArgs),
    Pairs(pairs::Args),
    Reject(review::RejectArgs),
    Report(report::Args),
    Schema(schema::Args),
    Score(score::Args),
    Sweep(Box<sweep::Args>),
}

/// Runs the command that the arguments ask for.
pub(crate) fn run() -> ExitCode {
    let given: Vec<_> = env::args_os().collect();
    if let Some(error) = genmorph::subject::enter_sandbox(given.iter().cloned()) {
        talk::error(&error);
        return Exit::from(&Failure::from(error)).into();
    }
    if let Some(colour) = asked_colour(&given) {
        talk::set_colour(colour);
    }
    if cargo::is_asked_for() {
        return end(cargo::run());
    }
    end(settings::settle(&command(), given).and_then(|settled| started(&settled)))
}

/// The exit code of a command; why it failed is said.
fn end(result: Result<Ending, Failure>) -> ExitCode {
    match result {
        Ok(ending) => Exit::from(ending).into(),
        Err(failure) => {
            talk::error(&failure);
            Exit::from(&failure).into()
        }
    }
}

/// The whole command line.
fn command() -> clap::Command {
    Cli::command().after_help(format!("{MORE}\n\n{}", Exit::table()))
}

/// The same, as help, manual and shells describe it.
fn described() -> clap::Command {
    settings::described(command())
}

/// The value of `--color`, found before the arguments are read, because errors in arguments are coloured, too.
fn asked_colour(arguments: &[std::ffi::OsString]) -> Option<Colour> {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let after = words.windows(2).find(|two| two[0] == "--color").map(|two| &*two[1]);
    let within = words.iter().find_map(|word| word.strip_prefix("--color="));
    clap::ValueEnum::from_str(after.or(within)?, false).ok()
}

/// Ends with what is wrong with the arguments; and with those that the user does not see, since they may be what is.
fn refused(error: &clap::Error, settled: &settings::EffectiveArguments) -> ! {
    // Where it cannot be said, the exit code says it.
    let _ = error.print();
    if !settled.details.is_empty() {
        talk::say(&"\nset elsewhere:");
    }
    settled.details.iter().for_each(|detail| talk::say(&format_args!("  {detail}")));
    std::process::exit(error.exit_code())
}

/// Reads arguments that are complete, and does what they say.
fn started(settled: &settings::EffectiveArguments) -> Result<Ending, Failure> {
    // Variables are among the arguments by now; read again, they would count as given beside them.
    let cli = command()
        .try_get_matches_from(&settled.arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .unwrap_or_else(|error| refused(&error, settled));
    let Everywhere { color, quiet, verbose, no_sandbox, .. } = cli.everywhere;
    isolation::set(no_sandbox);
    talk::set_colour(color);
    talk::set_loudness(match (quiet, verbose) {
        (true, _) => Loudness::Quiet,
        (false, true) => Loudness::Verbose,
        (false, false) => Loudness::Usual,
    });
    settled.warnings.iter().for_each(warn);
    settled.details.iter().for_each(talk::detail);
    match cli.command {
        Command::Accept(args) => review::accept(&args),
        Command::Assess(args) => assess::run(&args),
        Command::Check(args) => check::run(*args),
        Command::Collect(args) => collect::run(&args),
        Command::Completions(args) => completions::run(&args, described()),
        Command::Diff(args) => diff::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Evolve(args) => evolve::run(&args),
        Command::Experiment(args) => experiment::run(&args),
        Command::Explain(args) => explain::run(args).map(|()| Ending::Done),
        Command::Export(args) => export::run(&args),
        Command::Filter(args) => filter::run(*args),
        Command::Generate(args) => generate::run(&args),
        Command::Init(args) => init::run(&args).map(|()| Ending::Done),
        Command::Laws(args) => laws::run(&args),
        Command::Man(args) => completions::man(&args, described()),
        Command::Pairs(args) => pairs::run(&args),
        Command::Reject(args) => review::reject(&args),
        Command::Report(args) => report::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Score(args) => score::run(&args).map(|()| Ending::Done),
        Command::Sweep(args) => sweep::run(&args),
    }
}

/// Prints a result. Nothing in it that comes from a subject steers the terminal. A reader that has seen enough (`| head`) is no failure.
fn print(result: &impl fmt::Display) -> Result<(), Failure> {
    let text = result.to_string();
    let text = talk::harmless(&text);
    let mut out = io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
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
        command().debug_assert();
        described().debug_assert();
    }

    #[test]
    fn every_tier_can_be_asked_for() {
        for tier in Tier::ALL {
            let args = ["genmorph", "explain", "--tier", &tier.to_string()];
            assert!(Cli::try_parse_from(args).is_ok(), "{tier}");
        }
    }
}
