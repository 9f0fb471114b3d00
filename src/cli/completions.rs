//! `genmorph completions` and `genmorph man`: the command line as shells and manuals know it.

use std::fs;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use super::output::spare;
use super::{Ending, Failure, print, whole};

const SHELLS: &str = "\
Examples:
  source <(genmorph completions bash)                                      # in ~/.bashrc
  genmorph completions zsh > ~/.zfunc/_genmorph                            # a folder of $fpath
  genmorph completions fish > ~/.config/fish/completions/genmorph.fish";

const PAGES: &str = "\
Examples:
  genmorph man > genmorph.1
  genmorph man filter > genmorph-filter.1 && man ./genmorph-filter.1
  genmorph man -o ~/.local/share/man/man1                                  # all pages";

/// Print what a shell needs to complete the flags of genmorph
#[derive(Debug, clap::Args)]
#[command(after_help = SHELLS)]
pub(super) struct Args {
    /// The shell that the completions are for
    shell: Shell,
}

/// Print the manual page of genmorph or of one of its commands, or write them all
#[derive(Debug, clap::Args)]
#[command(after_help = PAGES)]
pub(super) struct ManArgs {
    /// The command that the page is about [default: genmorph itself]
    #[arg(conflicts_with = "output")]
    command: Option<String>,

    /// Write all pages into this folder instead
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Replace pages in it
    #[arg(long, requires = "output")]
    force: bool,
}

pub(super) fn run(args: &Args, mut command: Command) -> Result<Ending, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "genmorph", &mut script);
    print(&String::from_utf8(script).expect("help texts are UTF-8"))?;
    Ok(Ending::Done)
}

pub(super) fn man(args: &ManArgs, command: Command) -> Result<Ending, Failure> {
    let mut command = command.disable_help_subcommand(true);
    // Names of pages are known then.
    command.build();
    if let Some(folder) = &args.output {
        let all: Vec<Command> =
            std::iter::once(&command).chain(command.get_subcommands()).cloned().collect();
        let pages: Vec<Man> = all.into_iter().map(page).collect();
        let cannot = |what: &str, path: &std::path::Path, error: std::io::Error| {
            Failure::File(format!("cannot {what} {}: {error}", path.display()))
        };
        for page in &pages {
            spare(&folder.join(page.get_filename()), "-o", args.force)?;
        }
        fs::create_dir_all(folder).map_err(|error| cannot("make", folder, error))?;
        for page in &pages {
            let file = folder.join(page.get_filename());
            whole::write(&file, rendered(page).as_bytes())
                .map_err(|error| cannot("write", &file, error))?;
        }
        return Ok(Ending::Done);
    }
    let asked = match &args.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                let names = names.join(", ");
                return Err(Failure::Input(format!(
                    "genmorph has no command `{name}`; it has {names}"
                )));
            }
        },
    };
    print(&rendered(&page(asked)))?;
    Ok(Ending::Done)
}

/// The page of a command.
fn page(command: Command) -> Man {
    Man::new(command).source(format!("genmorph {}", genmorph::VERSION))
}

/// A page as `man` reads it. Indented lines stay as they are: a manual would break commands within words, and join them.
fn rendered(page: &Man) -> String {
    let mut bytes = Vec::new();
    page.render(&mut bytes).expect("memory can be written");
    let text = String::from_utf8(bytes).expect("help texts are UTF-8");
    let mut kept = String::with_capacity(text.len());
    let mut is_kept = false;
    for line in text.lines() {
        let is_indented = line.starts_with("  ");
        if is_indented != is_kept {
            kept.push_str(if is_indented { ".nf\n" } else { ".fi\n" });
            is_kept = is_indented;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}
