//! `genmorph explain`.

use std::io::{self, Read};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use genmorph::explain::{Options, explain};
use genmorph::jit::text::MAX_TEXT;
use genmorph::jit::{Tier, Tolerance};
use genmorph::power;

use super::{Failure, print};

const LANGUAGE: &str = "\
Variables (all Num):
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

Exit codes:
  0  done, and the tiers agree
  1  the result could not be written, or the tiers disagree
  2  wrong usage, or a text that is no relation";

/// Show one relation as tree, bytecode and Cranelift IR, and where it holds by every tier
///
/// The rows are built in: executions of pow(k, e) by squaring, from the paper's running example, and
/// of a mutant of it.
#[derive(Debug, clap::Args)]
#[command(after_long_help = LANGUAGE)]
pub(super) struct Args {
    /// The relation; `-` reads it from standard input
    #[arg(default_value = power::RELATION)]
    relation: String,

    /// Ask only this tier besides the reference
    #[arg(long, value_parser = tiers())]
    tier: Option<Tier>,

    /// When two numbers are equal: `paper` (|a - b| < 1e-4), or |a - b| <= ABS + REL * max(|a|, |b|)
    #[arg(long, value_name = "paper|ABS,REL", default_value_t)]
    tolerance: Tolerance,

    /// Leave out the Cranelift IR
    #[arg(long)]
    no_ir: bool,
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
        tolerance: args.tolerance,
        ir: !args.no_ir,
    };
    let explanation =
        explain(&text, &options).map_err(|error| Failure::Input(error.to_string()))?;
    print(&explanation)?;
    if explanation.tiers_agree() {
        Ok(())
    } else {
        Err(Failure::Bug("the tiers disagree; please report this relation".to_owned()))
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
