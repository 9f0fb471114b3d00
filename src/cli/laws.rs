//! `genmorph laws`.

use std::fmt::Write;
use std::path::PathBuf;

use genmorph::evolve::scoring::{KilledBy, Scorer};
use genmorph::executions::{CORRECT, Executions, INCORRECT};
use genmorph::explore::{Exploration, NODES, Vocabulary, explore};
use genmorph::jit::{Policy, Predicate};
use genmorph::show::report::functional_form;
use genmorph::support::digits::grouped;
use schemars::JsonSchema;
use serde::Serialize;

use super::flags::{JobsArgs, OwnToleranceArgs};
use super::format::Format;
use super::{Ending, Failure, print, whole};

const MORE: &str = "\
A law is a relation of a few nodes of the kind that people write into documentation. All of them are tried on
the rows of the original; of those that hold, the ones that say nothing or follow from plainer ones are left
out. Whether a law holds on all inputs is not known from executions alone: `genmorph generate` and
`genmorph filter` run the function.

Examples:
  genmorph laws executions.parquet
  genmorph laws executions.parquet --format ndjson

Exit codes:
  0  laws were found
  1  the result could not be written
  2  wrong usage, or executions that cannot be read
  3  no law holds under this transformation";

/// Show the laws of an executions file: every small relation tried, the few that say it all
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The executions file, as `genmorph collect` writes it
    executions: PathBuf,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,

    #[command(flatten)]
    jobs: JobsArgs,
}

/// The laws of an executions file.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LawsFound {
    /// The name of the function.
    function: String,
    /// How follow-up inputs are made.
    transformation: String,
    /// What source and follow-up inputs satisfy.
    input_relation: String,
    /// Candidates whose truth on the correct rows was decided.
    tried: u64,
    /// The most nodes of a candidate without its guard; a quantity such as `length(s_s)` counts for one.
    nodes: usize,
    /// Candidates that hold on all correct rows.
    hold: usize,
    /// Quantities and terms that were left out because there are too many.
    left_out: usize,
    /// The laws, the plainest first.
    laws: Vec<LawFound>,
    /// What holds of every single execution.
    postconditions: Vec<LawFound>,
}

/// A law.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LawFound {
    /// The law in functional form.
    law: String,
    /// The law as a relation.
    relation: String,
    /// The share of correct rows on which its condition holds; 1 without a condition.
    share: f64,
    /// How many mutants it kills.
    killed: usize,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let executions = args.tolerance.executions(&args.executions)?;
    let jobs = args.jobs.start()?;
    let found = explore(&executions, &Vocabulary::default());
    let mut scorer = Scorer::new(&executions, Policy::Auto, KilledBy::All);
    let mut killed = |relation: &Predicate| {
        let scores = scorer.score(std::slice::from_ref(relation), &jobs);
        scores.first().and_then(|score| score.killed.as_ref().map(Vec::len)).unwrap_or(0)
    };
    let described = described(&executions, &found, &mut killed);
    print(&match args.format {
        Format::Human => text(&executions, &described),
        Format::Json => whole::json(&described),
        Format::Ndjson => whole::lines(&described.laws),
    })?;
    Ok(if described.laws.is_empty() { Ending::Nothing } else { Ending::Done })
}

fn described(
    executions: &Executions,
    found: &Exploration,
    killed: &mut dyn FnMut(&Predicate) -> usize,
) -> LawsFound {
    let Executions { signature, transformation, table, .. } = executions;
    let mut all = |laws: &[genmorph::explore::Law]| -> Vec<LawFound> {
        let law = |law: &genmorph::explore::Law| LawFound {
            law: functional_form(&law.relation, &transformation.input_relation, signature),
            relation: law.relation.display(table.schema()).to_string(),
            share: law.share,
            killed: killed(&law.relation),
        };
        laws.iter().map(law).collect()
    };
    LawsFound {
        function: signature.function.clone(),
        transformation: transformation.name.clone(),
        input_relation: transformation.input_relation.clone(),
        tried: found.tally.tried,
        nodes: NODES,
        hold: found.tally.hold,
        left_out: found.tally.left_out,
        laws: all(&found.laws),
        postconditions: all(&found.postconditions),
    }
}

/// The laws for people.
fn text(executions: &Executions, found: &LawsFound) -> String {
    let mut text = String::new();
    let [correct, incorrect] = [CORRECT, INCORRECT].map(|group| executions.count(group) as u64);
    let LawsFound { function, transformation, input_relation, .. } = found;
    let _ = writeln!(text, "{function}, {transformation}: {input_relation}");
    let _ = writeln!(
        text,
        "{} correct and {} incorrect rows; {} candidates of up to {} nodes tried, {} hold\n",
        grouped(correct),
        grouped(incorrect),
        grouped(found.tried),
        found.nodes,
        grouped(found.hold as u64)
    );
    if found.left_out > 0 {
        let _ = writeln!(
            text,
            "{} quantities and terms were left out, because there are too many\n",
            grouped(found.left_out as u64)
        );
    }
    if found.laws.is_empty() {
        text += "no law holds under this transformation\n";
    }
    let mut list = |title: &str, laws: &[LawFound]| {
        if !laws.is_empty() {
            let _ = writeln!(text, "  killed  {title}");
        }
        for LawFound { law, relation, killed, .. } in laws {
            let killed = format!("{killed}/{}", executions.mutants.len());
            let _ = writeln!(text, "{killed:>8}  {law}\n{:>10}{relation}", "");
        }
    };
    list("law", &found.laws);
    list("of every execution", &found.postconditions);
    text
}
