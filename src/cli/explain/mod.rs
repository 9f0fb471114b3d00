//! `genmorph explain`.

mod json;
mod run;

use std::fmt;
use std::io::{self, Read};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use genmorph::executions::power;
use genmorph::jit::Tier;
use genmorph::jit::text::MAX_TEXT;
use genmorph::show::explain::{Options, explain};

pub(super) use self::json::ExplanationJson;
use self::run::RelationRef;
use super::flags::OwnToleranceArgs;
use super::format::Format;
use super::{Failure, OrFailure, print, whole};

const LANGUAGE: &str = "\
RELATION is a text over the rows of a built-in example, or RUN#N: relation N of a run, counted over all its transformations, where RUN is
a folder of `genmorph generate` or `genmorph evolve`, or a report.json, relations.json or refuted.json in one. Of a relation of a run all is
shown that is known of it, on the executions of its search; and relations like it that were refuted, with their counterexamples.

Variables of the built-in example (all Num):
  k_s e_s out_s   inputs and output of pow(k, e) at the source
  k_f e_f out_f   at the follow-up: k_f = k_s, e_f = e_s - 1

Operators, loosest first:
  iff   implies   or   xor   and   not
  ==  !=  <  >  <=  >=
  +  -          *  /              (x / 0 is 1)
  abs(x) length(s) sum(s) flip(s) remove(s, n) truncate(s, n) toString(x)

Examples:
  genmorph explain
  genmorph explain 'k_s != 0 implies out_f == out_s / k_s'
  genmorph explain --tolerance paper --no-ir 'abs(out_f) <= abs(out_s)'
  genmorph explain -- '-k_s == k_f'
  genmorph explain genmorph.out#1
  genmorph explain genmorph.out/refuted.json#3 --format json

Exit codes:
  0  done, and the tiers agree
  1  the result could not be written, or the tiers disagree
  2  wrong usage, a text that is no relation, or a run that has no such relation";

/// Show one relation as tree, bytecode and Cranelift IR, and where it holds by every tier
///
/// Of a relation of a run also in words, with an example, what speaks for it, and near misses with their counterexamples.
/// Other relations are tried on rows that are built in: executions of pow(k, e) by squaring, from the paper's
/// running example, and of a mutant of it.
#[derive(Debug, clap::Args)]
#[command(after_long_help = LANGUAGE)]
pub(super) struct Args {
    /// The relation, or RUN#N for one of a run; `-` reads it from standard input
    #[arg(default_value = power::RELATION)]
    relation: String,

    /// Ask only this tier besides the reference
    #[arg(long, value_parser = tiers())]
    tier: Option<Tier>,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    /// Leave out the Cranelift IR
    #[arg(long)]
    no_ir: bool,

    /// How it is printed
    #[arg(long, default_value = "human")]
    format: Format,
}

/// Reads the name of a tier.
fn tiers() -> impl TypedValueParser<Value = Tier> {
    PossibleValuesParser::new(["reference", "bytecode", "native"]).map(|name| {
        let named = Tier::ALL.into_iter().find(|tier| tier.to_string() == name);
        named.expect("only names of tiers are possible")
    })
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let text = if args.relation == "-" { read_input()? } else { args.relation };
    let options = Options {
        tiers: args.tier.map_or_else(|| Tier::ALL.to_vec(), |tier| vec![tier]),
        tolerance: args.tolerance.given().unwrap_or_default(),
        ir: !args.no_ir,
    };
    let tiers_agree = match RelationRef::read(&text) {
        Some(named) => {
            let explained = named.explain(args.tolerance.given(), &options)?;
            show(args.format, &explained, &json::of_run(&explained))?;
            explained.tiers_agree()
        }
        None => {
            let explained = explain(&text, &options).or_input()?;
            show(args.format, &explained, &json::of_text(&explained))?;
            explained.tiers_agree()
        }
    };
    match tiers_agree {
        true => Ok(()),
        false => Err(Failure::Bug("the tiers disagree; please report this relation".to_owned())),
    }
}

/// Prints an explanation: one value, so that a line is all there is to NDJSON.
fn show(
    format: Format,
    text: &impl fmt::Display,
    value: &ExplanationJson<'_>,
) -> Result<(), Failure> {
    match format {
        Format::Human => print(text),
        Format::Json => print(&whole::json(value)),
        Format::Ndjson => print(&whole::line(value)),
    }
}

/// All of standard input, as long as a relation can be.
fn read_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(MAX_TEXT as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))?;
    if bytes.len() > MAX_TEXT {
        let message =
            format!("standard input has more than {MAX_TEXT} bytes: no relation is so long");
        return Err(Failure::Input(message));
    }
    String::from_utf8(bytes)
        .map_err(|error| Failure::Input(format!("standard input is not UTF-8: {error}")))
}
