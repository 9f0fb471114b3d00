//! `genmorph init`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use genmorph::executions::check_target;
use genmorph::subject::wasm::{self, draft};

use super::output::{existing, not_written};
use super::{Failure, OrFailure, print, talk, warn};

const MORE: &str = "\
Examples:
  genmorph init --guest c > genmorph.h       # says how signatures are written, and what to include
  zig cc -target wasm32-freestanding -g -O1 -Xclang -O1 -mllvm -disable-lsr -fno-inline -fno-builtin \\
      -nostdlib -Wl,--no-entry gcd.c -o gcd.wasm
  genmorph init gcd.wasm
  genmorph generate subject.toml

Exit codes:
  0  the definition is written
  1  it could not be written
  2  wrong usage, a module that cannot be run, or several functions to choose from; nothing is written";

/// Look at a WebAssembly module, and write the definition of a subject next to it
///
/// Finds the function, its signature and the names of its parameters, as far as the module says them. What the
/// definition does not need, or what the module does not say, is in comments.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The module: .wasm or .wat
    #[arg(required_unless_present = "guest")]
    module: Option<PathBuf>,

    /// The function, if the module exports several
    #[arg(long, value_name = "NAME")]
    export: Option<String>,

    /// The file to write [default: subject.toml next to the module]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if there is one
    #[arg(long)]
    force: bool,

    /// Print the file that functions in this language need, and do nothing else
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["module", "export", "output", "force"])]
    guest: Option<Language>,
}

/// A language in which a small file makes functions subjects.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// The header `genmorph.h`, for C and C++
    C,
    /// The module `genmorph.rs`, for Rust
    Rust,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match args.guest {
        Some(Language::C) => return print(&wasm::GUEST_C),
        Some(Language::Rust) => return print(&wasm::GUEST_RUST),
        None => {}
    }
    let module = args.module.as_deref().expect("clap asks for it");
    let output = match &args.output {
        Some(output) => output.clone(),
        None => folder(module).join("subject.toml"),
    };
    check_target(&output, existing(args.force)).or_input()?;

    let wrong =
        |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", module.display()));
    let bytes = fs::read(module).map_err(|error| wrong(&format!("cannot read it: {error}")))?;
    let bytes = wasm::binary(module, bytes).map_err(|error| wrong(&error))?;
    let inspection = wasm::inspect(&bytes).map_err(|error| wrong(&error))?;
    let export = inspection.choose(args.export.as_deref()).map_err(|error| wrong(&error))?;
    match &export.described {
        Some(Err(error)) => {
            let export = &export.name;
            return Err(wrong(&format!(
                "the signature in the module for the export `{export}` cannot be read: {error}"
            )));
        }
        Some(Ok(signature)) => {
            inspection.check(export, signature).map_err(|error| wrong(&error))?;
        }
        None => {}
    }
    let remarks = wasm::remarks_on(bytes, &export.name).map_err(|error| wrong(&error))?;
    remarks.iter().filter(|remark| remark.is_warning()).for_each(warn);

    let text = draft(&path_from(&output, module)?, export);
    fs::write(&output, text).map_err(|error| not_written(&output, &error))?;
    talk::say(export);
    talk::say(&format_args!("wrote {}", output.display()));
    match (&export.described, &export.inferred) {
        (None, None) => {
            let core = &export.core;
            let output = output.display();
            talk::say(&format_args!(
                "say in it what {core} means, then: genmorph generate {output}"
            ));
        }
        _ => talk::say(&format_args!(
            "bound its inputs there if need be, then: genmorph generate {}",
            output.display()
        )),
    }
    Ok(())
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// How a definition names its module: from its own folder, or in full.
fn path_from(definition: &Path, module: &Path) -> Result<String, Failure> {
    let path = match module.file_name() {
        Some(name) if same_folder(definition, module) => PathBuf::from(name),
        _ => module.canonicalize().or_input()?,
    };
    let path = path.into_os_string().into_string();
    path.map_err(|_| Failure::Input("the path of the module is not UTF-8".to_owned()))
}

fn same_folder(one: &Path, other: &Path) -> bool {
    // The folder of a bare name is the current one.
    let full = |file: &Path| Path::new(".").join(folder(file)).canonicalize().ok();
    full(one) == full(other)
}
