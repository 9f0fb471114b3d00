//! `genmorph assess`.

use genmorph::assess::{self, Claim, Settings};
use genmorph::support::seed::Seed;

use super::flags::{JobsArgs, OwnToleranceArgs};
use super::format::Format;
use super::output::OutputArgs;
use super::pit::{Pit, Question};
use super::subject::SubjectArgs;
use super::{Ending, Failure, claims, output, print, talk, warn, whole};

const MORE: &str = "\
Relations are read from the folder of a run, from its report.json, from the relations.json of a search, from lines of text,
  NumericAddition(-1) on e => out_f * k_s == out_s       # a transformation, an arrow, a relation
or from the argument itself if it has an arrow in it.

Every mutant of group B, which no search has seen, is run on suites of random inputs, which no search has seen either.
  floor     a relation that is always true: crashes and time-outs kill mutants, whatever is asserted
  killed    by the relations that stand, together; asserted: those of them that a relation kills by being false
  ceiling   different from the function in any way on these inputs
  MS        killed, of all mutants; assert: asserted, of all mutants
  strict    MS without equivalent mutants and without mutants that do what a training mutant does
  non-eq    MS without equivalent mutants
  single    the mean of the scores of single relations
  PZ, PZO   relations without false alarms on the suite and on hunted inputs; of those without any on the suite, those
            without any on hunted inputs
  regr.     MS of assertions that expect the outputs of the function on the suite
  ΔMS       of the mutants that these miss, those that the relations kill
A relation that is false for the function anywhere does not stand: it kills nothing.
src/assess/README.md has the exact definitions and the form of --format json.

Examples:
  genmorph assess genmorph.out
  genmorph assess my.out my/subject.toml --seeds 12
  genmorph assess 'PermuteParameters on p, q => out_f == out_s' gcd/subject.toml
  genmorph assess relations.txt --java 'org.apache.commons.math3.util.ArithmeticUtils#gcd(int,int)' \\
      --maven org.apache.commons:commons-math3:3.6.1 --format json -o assessment.json

Exit codes:
  0  done
  1  the result could not be written, or no worker process could be started any more
  2  wrong usage or bad input: no relations, relations of another function, …
  3  no relation stands";

/// Show how many unseen mutants relations kill on unseen inputs
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The folder of a run, a file of relations, `-` for standard input, or 'TRANSFORMATION => RELATION'
    relations: String,

    #[command(flatten)]
    asked: SubjectArgs,

    #[command(flatten)]
    pit: Pit,

    /// How many suites, each drawn from a seed of its own
    #[arg(long, value_name = "N", default_value_t = Settings::default().suites as u16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,

    /// Source inputs of each suite
    #[arg(long, value_name = "N", default_value_t = Settings::default().inputs as u32, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    inputs: u32,

    /// The seed: equal seeds give equal suites
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    #[command(flatten)]
    jobs: JobsArgs,

    /// How the result is printed
    #[arg(long, default_value = "human")]
    format: Format,

    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let output = args.output.file()?;
    let (name, text) = claims::text(&args.relations)?;
    let chosen = args.asked.load(args.jobs.count())?;
    let subject = chosen.subject();
    let mut claims = claims::read(&name, &text, &subject.signature().of_executions(), &args.asked)?;
    let together = claims.drop_together();
    if together > 0 {
        warn(&format_args!(
            "{together} relations of calls that are made together are not assessed"
        ));
    }
    let (claims, of_outcomes) = claims.by_observed();
    if of_outcomes.count() > 0 {
        warn(&format_args!(
            "{} relations of `throws_s` and `throws_f` are left out: scores are of relations of values; `genmorph check` tries them",
            of_outcomes.count()
        ));
    }
    chosen.remarks().iter().for_each(warn);
    let jobs = args.jobs.start()?;
    let settings = Settings {
        suites: usize::from(args.seeds),
        inputs: args.inputs as usize,
        seed: Seed(args.seed),
        tolerance: args.tolerance.given().or(claims.tolerance).unwrap_or_default(),
        ..Settings::default()
    };
    let groups = claims.groups.iter();
    let groups: Vec<Claim<'_>> =
        groups.map(|g| Claim { transform: &g.transform, relations: &g.relations }).collect();
    let assessment = assess::run(subject, &groups, &settings, &jobs)?;
    let text = match args.format {
        Format::Human => assessment.to_string(),
        Format::Json => whole::json(&assessment),
        Format::Ndjson => whole::lines(&assessment.relations),
    };
    match output {
        None => print(&text)?,
        Some(path) => {
            output::write(path, &text)?;
            talk::say(&format_args!("wrote {}", path.display()));
        }
    }
    if args.pit.is_asked() {
        let question = Question {
            claims: &claims,
            inputs: args.inputs as usize,
            seed: Seed(args.seed),
            tolerance: settings.tolerance,
        };
        let said = args.pit.judge_claims(&chosen, &args.asked.jdk()?, &question, &jobs)?;
        match args.format {
            Format::Human => print(&said)?,
            // What is printed for machines is one document.
            Format::Json | Format::Ndjson => talk::say(&said.trim_end()),
        }
    }
    Ok(if assessment.standing() == 0 { Ending::Nothing } else { Ending::Done })
}
