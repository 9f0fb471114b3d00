//! `genmorph report`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use genmorph::show::report::{Format, Model};

use super::{Ending, Failure, OrFailure, output, print};

const MORE: &str = "\
Forms:
  html               one page that needs no network: relations with sentence, example and evidence, the kill matrix,
                     mutants, convergence, coverage, refuted relations, settings   [report.html]
  markdown           the same in short, for a comment on a change                  [report.md]
  json               everything that the page shows                                [summary.json]
  mutation-elements  mutants and kills in the schema of mutation-testing-elements  [mutation.json]

Examples:
  genmorph report genmorph.out
  genmorph report genmorph.out --open
  genmorph report genmorph.out --format markdown -o -
  genmorph report genmorph.out --format mutation-elements -o mutation.json

Exit codes:
  0  written
  1  the result could not be written
  2  wrong usage, no run in the folder, a damaged file, or a result that is there already
  3  written, but the run found no relation";

/// Make a report of a run of `genmorph generate`: a page, Markdown, JSON, or mutants for other tools
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The file to write; `-` is standard output [default: a file in the folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form of the report
    #[arg(long, default_value = Format::Html.name(), value_parser = formats())]
    format: Format,

    /// Replace a file that is there already
    #[arg(long)]
    force: bool,

    /// Show the report in the program that the system has for it: of a page, the browser. One that is there already is not written again
    #[arg(long)]
    open: bool,
}

/// Reads the name of a form.
fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).map(|name| {
        let named = Format::ALL.into_iter().find(|format| format.name() == name);
        named.expect("only names of forms are possible")
    })
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let path = args.output.clone().unwrap_or_else(|| args.folder.join(args.format.file()));
    let is_stream = path.as_os_str() == "-";
    if is_stream && args.open {
        return Err(Failure::Input(
            "standard output cannot be opened\nleave out -o, or name a file".to_owned(),
        ));
    }
    if !is_stream && !args.force && path.exists() {
        if args.open {
            return open(&path).map(|()| Ending::Done);
        }
        return Err(Failure::Input(format!(
            "{} is there already\nuse --force to replace it, or -o for another file",
            path.display()
        )));
    }
    let model = Model::read(&args.folder).or_input()?;
    let text = args.format.write(&model);
    if is_stream {
        print(&text)?;
    } else {
        output::write(&path, &text)?;
        print(&format_args!("report in {}\n", path.display()))?;
    }
    if args.open {
        open(&path)?;
    }
    Ok(if model.relations.is_empty() { Ending::Nothing } else { Ending::Done })
}

/// Hands a file to the program that the system has for it.
fn open(path: &Path) -> Result<(), Failure> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let failed = |why: &dyn std::fmt::Display| {
        Failure::Input(format!(
            "cannot open {} by `{program}`: {why}\nopen it by hand",
            path.display()
        ))
    };
    let mut command = Command::new(program);
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().map_err(|error| failed(&error))?;
    // The explorer of Windows says 1 when all is well.
    if status.success() || program == "explorer" { Ok(()) } else { Err(failed(&status)) }
}
